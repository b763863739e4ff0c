// SPDX-License-Identifier: Apache-2.0
/* unroll.c -- loops with an arithmetic test on registers (loop_count.c) get several copies of the body in a row.
 *
 *  - A loop with few rounds becomes as many copies, without the test.
 *  - A loop with a known number of rounds keeps the test in the last of n copies, where n divides the number.
 *  - A loop with another number of rounds keeps the test in each copy.
 *
 * A copy has the instructions of the body in the same order, and the same registers. Each thread runs the same
 * instructions as before. Lanes that meet in a collective or a barrier must meet in the same copy: the loop then needs
 * a known number of rounds, and the instruction must be part of every round. The knob Unroll is the largest number of
 * copies; `.pragma "nounroll"` keeps a loop. Only innermost loops without calls are unrolled. */
#include "mir_visit.h"
#include "unroll.h"

#include <string.h>

enum {
	MAX_SIZE = 1024,     /* instructions of all copies of a loop */
	MAX_TOTAL = 65536,   /* additional instructions of a function */
	COPIES_WITH_TEST = 4 /* for an unknown number of rounds: as many as by ptxas 13.0 */
};

struct unrolled {
	struct counted_loop loop;
	uint32_t copies;
	uint32_t *copy;         /* by copy and place in loop.block: the block */
	uint32_t last, nplaced; /* in the old layout: place of the last block; blocks seen */
	uint32_t *layout;       /* places in loop.block, in the order of the layout */
};

struct unroll {
	struct mfunc *f;
	uint32_t nblocks;         /* number of blocks without the copies */
	bool *inner;              /* by header: another loop lies in the loop */
	uint32_t *first, *behind; /* by header: the first block of the loop; by block: the next block */
	uint32_t *owner, *place;  /* by block: the loop of the block in `done`, NO_BLOCK; the place in loop.block */
	uint32_t ndone, total;
	struct unrolled *done;
};

/* ---- choice of loops ---- */

/* Blocks of each innermost loop in reverse post-order. */
static void gather_loops(struct unroll *u)
{
	const struct mfunc *f = u->f;
	const size_t bytes = (u->nblocks + 1) * sizeof(uint32_t);
	uint32_t **all[] = {&u->first, &u->behind, &u->owner, &u->place};
	for (unsigned k = 0; k < sizeof all / sizeof *all; k++)
		memset(*all[k] = arena_alloc(f->arena, bytes), 0xff, bytes);
	u->inner = arena_zalloc(f->arena, u->nblocks + 1);
	for (uint32_t i = f->nrpo; i-- > 0;) {
		const struct mblock *b = f->blocks[f->rpo[i]];
		if (b->loop == NO_BLOCK)
			continue;
		u->behind[b->id] = u->first[b->loop];
		u->first[b->loop] = b->id;
		if (b->loop == b->id && b->loop_parent != NO_BLOCK)
			u->inner[b->loop_parent] = true;
	}
}

/* False: the loop has several ways back. */
static bool find_entries(const struct mfunc *f, struct counted_loop *l)
{
	const struct mblock *h = f->blocks[l->header];
	unsigned outside = 0;
	l->latch = l->before = NO_BLOCK;
	for (uint32_t k = 0; k < h->npred; k++)
		if (!loop_contains(f, l->header, h->pred[k])) {
			l->before = outside++ ? NO_BLOCK : h->pred[k];
		} else if (l->latch == NO_BLOCK) {
			l->latch = h->pred[k];
		} else {
			return false;
		}
	return l->latch != NO_BLOCK && l->header != 0;
}

static void list_blocks(const struct unroll *u, struct counted_loop *l)
{
	uint32_t n = 0;
	for (uint32_t b = u->first[l->header]; b != NO_BLOCK; b = u->behind[b])
		n++;
	l->block = arena_alloc(u->f->arena, n * sizeof *l->block);
	for (uint32_t b = u->first[l->header]; b != NO_BLOCK; b = u->behind[b]) {
		l->block[l->nblocks++] = b;
		l->size += u->f->blocks[b]->n;
	}
}

/* ---- choice of instructions ---- */

static bool is_written(const struct mfunc *f, const struct counted_loop *l, ref r)
{
	for (uint32_t i = 0; i < l->nblocks; i++) {
		struct mblock *b = f->blocks[l->block[i]];
		for (uint32_t k = 0; k < b->n; k++)
			if (minst_writes(&b->ins[k], r, 1))
				return true;
	}
	return false;
}

/* Lanes that meet here do so round by round: each lane comes by once a round, with the same mask each time. */
static bool meets_by_rounds(const struct mfunc *f, const struct counted_loop *l, uint32_t block, const struct minst *in)
{
	if (!l->rounds || !block_dominates(f, block, l->latch) || in->guard != REF_NONE)
		return false;
	return in->w.uop != WL_UOP_WARPSYNC || !ref_is_reg(in->ra) || !is_written(f, l, in->ra);
}

static bool may_be_copied(const struct mfunc *f, const struct counted_loop *l, uint32_t block, const struct minst *in)
{
	const uint64_t meets = WL_TRAIT(COLLECTIVE) | WL_TRAIT(BARRIER) | WL_TRAIT(CONVERGES);
	if (in->call || minst_is_call(in) || minst_has(in, WL_TRAIT(RETURNS) | WL_TRAIT(INDIRECT)))
		return false;
	if (in->place && !in->place->symbol && !in->place->name)
		return false;
	return !minst_has(in, meets) || meets_by_rounds(f, l, block, in);
}

static bool all_may_be_copied(const struct mfunc *f, const struct counted_loop *l)
{
	for (uint32_t i = 0; i < l->nblocks; i++) {
		const struct mblock *b = f->blocks[l->block[i]];
		if (b->rejoin != NO_BLOCK)
			return false;
		for (uint32_t k = 0; k < b->n; k++)
			if (!may_be_copied(f, l, b->id, &b->ins[k]))
				return false;
	}
	return true;
}

/* ---- number of copies ---- */

static uint32_t choose_copies(const struct mfunc *f, const struct counted_loop *l)
{
	const uint32_t fit = l->size ? MAX_SIZE / l->size : 0;
	const uint32_t most = f->knobs.unroll < fit ? f->knobs.unroll : fit;
	if (l->rounds && l->rounds <= most)
		return l->rounds;
	for (uint32_t n = most; l->rounds && n > 1; n--)
		if (l->rounds % n == 0)
			return n;
	return most < COPIES_WITH_TEST ? most : COPIES_WITH_TEST;
}

/* ---- copies ---- */

static uint32_t *copy_at(const struct unrolled *x, uint32_t k, uint32_t i)
{
	return &x->copy[k * x->loop.nblocks + i];
}

/* Target in copy k of an edge to the block. */
static uint32_t follow(const struct unroll *u, const struct unrolled *x, uint32_t k, uint32_t block)
{
	if (block == NO_BLOCK || u->owner[block] != u->ndone)
		return block;
	if (block == x->loop.header)
		return *copy_at(x, k + 1 < x->copies ? k + 1 : 0, 0);
	return *copy_at(x, k, u->place[block]);
}

static struct minst copy_inst(struct mfunc *f, const struct minst *in)
{
	struct minst out = *in;
	if (in->word) { /* encoding writes the guard into the word */
		out.word = arena_alloc(f->arena, sizeof *out.word);
		*out.word = *in->word;
	}
	return out;
}

static uint32_t copy_block(struct mfunc *f, uint32_t block)
{
	const struct mblock *from = f->blocks[block];
	struct mblock *to = mfunc_new_block(f);
	to->next = from->next;
	to->next_line = from->next_line;
	to->whole = from->whole;
	for (uint32_t n = 0; n < from->n; n++) {
		const struct minst in = copy_inst(f, &from->ins[n]);
		mblock_append(f, to, &in);
	}
	return to->id;
}

static void redirect(const struct unroll *u, const struct unrolled *x, uint32_t k)
{
	for (uint32_t i = 0; i < x->loop.nblocks; i++) {
		struct mblock *b = u->f->blocks[*copy_at(x, k, i)];
		b->next = follow(u, x, k, b->next);
		for (uint32_t n = 0; n < b->n; n++) {
			b->ins[n].target = follow(u, x, k, b->ins[n].target);
			b->ins[n].round = (u->ndone + 1) << 16 | (k + 1);
		}
	}
}

/* The block with the test goes on a single way: `stays` in the loop. */
static void drop_test(const struct unroll *u, const struct unrolled *x, uint32_t k, bool stays)
{
	struct mblock *b = u->f->blocks[*copy_at(x, k, u->place[x->loop.exit])];
	const struct minst *test = &b->ins[b->n - 1];
	if (stays == x->loop.stays_at_target) {
		b->next = test->target;
		b->next_line = test->line;
	}
	b->n--;
}

static void note_loop(const struct unroll *u, const struct unrolled *x)
{
	const struct counted_loop *l = &x->loop;
	const struct mblock *exit = u->f->blocks[l->exit];
	const uint32_t line = exit->ins[exit->n - 1].line;
	if (l->rounds == x->copies)
		mfunc_note(u->f, line, "the loop is unrolled: %u rounds, no test is left (knob Unroll)", x->copies);
	else if (l->rounds && l->rounds % x->copies == 0)
		mfunc_note(u->f, line, "the loop is unrolled: %u copies, a test in the last one (knob Unroll)",
		           x->copies);
	else
		mfunc_note(u->f, line, "the loop is unrolled: %u copies, each with the test (knob Unroll)", x->copies);
}

static void make_copies(struct unroll *u, struct unrolled *x)
{
	const struct counted_loop *l = &x->loop;
	x->copy = arena_alloc(u->f->arena, (size_t)x->copies * l->nblocks * sizeof *x->copy);
	x->layout = arena_alloc(u->f->arena, l->nblocks * sizeof *x->layout);
	for (uint32_t i = 0; i < l->nblocks; i++) {
		u->owner[l->block[i]] = u->ndone;
		u->place[l->block[i]] = i;
		*copy_at(x, 0, i) = l->block[i];
	}
	for (uint32_t k = 1; k < x->copies; k++)
		for (uint32_t i = 0; i < l->nblocks; i++)
			*copy_at(x, k, i) = copy_block(u->f, l->block[i]);
	for (uint32_t k = 0; k < x->copies; k++)
		redirect(u, x, k);
	for (uint32_t k = 0; k < x->copies && l->rounds && l->rounds % x->copies == 0; k++)
		if (k + 1 < x->copies || l->rounds == x->copies)
			drop_test(u, x, k, k + 1 < x->copies);
	u->total += (x->copies - 1) * l->size;
	u->ndone++;
}

/* The copies stand behind the last block of the loop, each in the order of the loop. */
static void place_copies(const struct unroll *u)
{
	struct mfunc *f = u->f;
	const uint32_t nold = f->norder, *old = f->order;
	for (uint32_t i = 0; i < nold; i++)
		if (u->owner[old[i]] != NO_BLOCK) {
			struct unrolled *x = &u->done[u->owner[old[i]]];
			x->last = i;
			x->layout[x->nplaced++] = u->place[old[i]];
		}
	f->order = NULL;
	f->norder = f->order_cap = 0;
	for (uint32_t i = 0; i < nold; i++) {
		const struct unrolled *x = u->owner[old[i]] == NO_BLOCK ? NULL : &u->done[u->owner[old[i]]];
		mfunc_place(f, old[i]);
		for (uint32_t k = 1; x && i == x->last && k < x->copies; k++)
			for (uint32_t j = 0; j < x->nplaced; j++)
				mfunc_place(f, *copy_at(x, k, x->layout[j]));
	}
}

static void try_loop(struct unroll *u, uint32_t header)
{
	struct unrolled *x = &u->done[u->ndone];
	*x = (struct unrolled){.loop = {.header = header}};
	if (u->f->blocks[header]->nounroll || u->inner[header] || !find_entries(u->f, &x->loop))
		return;
	list_blocks(u, &x->loop);
	if (x->loop.size > MAX_SIZE || !loop_count(u->f, &x->loop) || !all_may_be_copied(u->f, &x->loop))
		return;
	x->copies = choose_copies(u->f, &x->loop);
	if (!x->copies || (x->copies == 1 && x->loop.rounds != 1) || u->total + x->copies * x->loop.size > MAX_TOTAL)
		return;
	note_loop(u, x);
	make_copies(u, x);
}

/* Loops are disjoint: an unrolled loop changes neither the blocks of other loops nor the facts known of the blocks. */
void lower_unroll(struct mfunc *f)
{
	struct unroll u = {.f = f, .nblocks = f->nblocks};
	uint32_t nloops = 0;
	if (f->knobs.unroll < 2 || f->irreducible)
		return;
	gather_loops(&u);
	for (uint32_t i = 0; i < f->nrpo; i++)
		nloops += u.first[f->rpo[i]] != NO_BLOCK;
	u.done = arena_alloc(f->arena, (nloops + 1) * sizeof *u.done);
	for (uint32_t i = 0; i < f->nrpo; i++)
		if (u.first[f->rpo[i]] != NO_BLOCK)
			try_loop(&u, f->rpo[i]);
	f->removed.loops = u.ndone;
	if (!u.ndone)
		return;
	place_copies(&u);
	lower_cfg(f);
	lower_straighten(f);
}
