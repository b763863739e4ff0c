// SPDX-License-Identifier: Apache-2.0
/* converge.c -- where lanes meet again after divergence.
 *
 * A branch that lanes may take differently gets a convergence barrier: BSSY where all lanes are still together, BSYNC
 * where all ways of the lanes meet, at the immediate post-dominator of the branch. A branch needs no barrier where
 * uniform.c knows that all lanes go the same way.
 *
 *  - With the meeting place outside a loop around the branch, BSSY stands before the loop. Else each round would forget
 *    the lanes that left in earlier rounds.
 *  - Branches with one meeting place share the outermost barrier.
 *  - BSYNC stands in a block of its own, entered only from within the region.
 *  - Some ways within a region can be entered past the start (cases of a switch that fall through). BSSY then stands
 *    further up. Where not all lanes from further up come to the meeting place, the lanes meet with the lanes of an
 *    outer region.
 *  - A region gets no barrier if a loop in the region does nothing but wait (tries a lock or reads a flag, and writes
 *    nothing else), with nothing written behind the loop. The lanes go on singly: the holder of the lock must be able
 *    to release the lock behind the region while others still try.
 *  - Lanes at EXIT leave all barriers by themselves.
 *  - Lanes of a branch whose region gets no barrier may wait for one another instead: converge_waits.c.
 *
 * The barrier register of a region is the depth of the region among the regions around, as in NVIDIA's code; around
 * calls, a register kept by functions. Lanes stay apart in regions deeper than the number of barrier registers, and in
 * code with cycles of several entries: slower, never wrong. */
#include "abi.h"
#include "converge.h"

#include <string.h>

/* Lanes need not meet to end. Nor may lanes wait for others with an early end: a barrier of the cluster may stand on
 * the way of the others. */
static bool only_ends(const struct mblock *b)
{
	return b->n == 1 && b->ins[0].w.uop == WL_UOP_EXIT && b->ins[0].guard == REF_NONE;
}

static bool is_divergent(const struct mfunc *f, const struct mblock *b)
{
	const struct minst *last = b->n ? &b->ins[b->n - 1] : NULL;
	return b->nsucc == 2 && last->w.uop == WL_UOP_BRA && !last->together && f->blocks[b->succ[0]]->reaches_end &&
	       f->blocks[b->succ[1]]->reaches_end && b->ipdom != NO_BLOCK && !only_ends(f->blocks[b->ipdom]);
}

/* Header of the outermost loop around b with `meet` outside. */
static uint32_t loop_left(const struct mfunc *f, uint32_t b, uint32_t meet)
{
	uint32_t left = NO_BLOCK;
	for (uint32_t l = f->blocks[b]->loop; l != NO_BLOCK && !loop_contains(f, l, meet);
	     l = f->blocks[l]->loop_parent)
		left = l;
	return left;
}

static bool seen_by_others(const struct minst *in)
{
	return minst_has(in, WL_TRAIT(SHARED) | WL_TRAIT(GLOBAL) | WL_TRAIT(GENERIC));
}

static bool compares(const struct minst *in)
{
	return minst_words(in, WL_REG_RC) != 0;
}

/* A lock is taken by an exchange or a compare-and-swap outside the loops that make an atomic (`computes`). */
static bool takes_lock(const struct minst *in)
{
	return minst_has(in, WL_TRAIT(ATOMIC)) && !in->computes && (compares(in) || in->w.op == WL_ATOM_EXCH);
}

/* The instruction tries: success depends on another thread. polls.c knows all of these in the PTX, and more. */
static bool tries(const struct minst *in)
{
	if (minst_has(in, WL_TRAIT(ATOMIC)) || minst_is_call(in))
		return in->polls || takes_lock(in);
	return in->keep && !in->computes && minst_reads_memory(in) && seen_by_others(in) && in->w.uop != WL_UOP_LDSM &&
	       (in->rd != REF_NONE || in->pd[0] != REF_NONE);
}

/* The instruction changes memory seen by others. An exchange without a reader gives a lock back. */
static bool writes(const struct minst *in)
{
	if (takes_lock(in))
		return !compares(in) && in->rd == REF_NONE;
	if (minst_is_call(in))
		return true;
	return minst_has(in, WL_TRAIT(WRITES_MEMORY)) && seen_by_others(in);
}

/* The loop that goes round until the instruction succeeds. A try of a loop that makes an atomic serves the loop around,
 * unless both loops have one header. */
static uint32_t loop_of_try(const struct mfunc *f, const struct mblock *b, const struct minst *in)
{
	const struct mblock *h = f->blocks[b->loop];
	unsigned back = 0;
	for (uint32_t k = 0; k < h->npred; k++)
		back += block_dominates(f, h->id, h->pred[k]);
	return in->computes && back == 1 ? h->loop_parent : h->id;
}

enum { Tries = 1, Stores = 2 };

static void find_loop_kinds(struct converge *c)
{
	struct mfunc *f = c->f;
	uint8_t *does = arena_zalloc(f->arena, f->nblocks);
	c->kind = arena_zalloc(f->arena, f->nblocks);
	c->waiting = arena_alloc(f->arena, (f->nrpo + 1) * sizeof *c->waiting);
	for (uint32_t i = 0; i < f->nrpo; i++) {
		const struct mblock *b = f->blocks[f->rpo[i]];
		for (uint32_t k = 0; k < b->n && f->irreducible; k++)
			c->tries |= tries(&b->ins[k]);
		for (uint32_t k = 0; k < b->n && b->loop != NO_BLOCK; k++) {
			const uint32_t l = tries(&b->ins[k]) ? loop_of_try(f, b, &b->ins[k]) : NO_BLOCK;
			if (l != NO_BLOCK)
				does[l] |= Tries;
			if (writes(&b->ins[k]))
				does[b->loop] |= Stores;
		}
	}
	for (uint32_t i = f->nrpo; i-- > 0;) { /* inner loops come after the loops around */
		uint32_t h = f->rpo[i];

		if (f->blocks[h]->loop != h)
			continue;
		if (f->blocks[h]->loop_parent != NO_BLOCK)
			does[f->blocks[h]->loop_parent] |= does[h];
		c->kind[h] = !(does[h] & Tries) ? LOOP_PLAIN : does[h] & Stores ? LOOP_TRIES : LOOP_ONLY_WAITS;
		if (c->kind[h] == LOOP_ONLY_WAITS)
			c->waiting[c->nwaiting++] = h;
	}
}

/* New blocks, each with the block to stand before. */
struct insertion {
	uint32_t block, before;
};

/* Places the blocks; several before the same block keep the order given. */
static void place_before(struct mfunc *f, const struct insertion *ins, uint32_t n)
{
	uint32_t *first = arena_alloc(f->arena, (f->nblocks + 1) * sizeof *first), nold = f->norder;
	uint32_t *next = arena_alloc(f->arena, (n + 1) * sizeof *next), *old = f->order;
	memset(first, 0xff, (f->nblocks + 1) * sizeof *first);
	for (uint32_t i = n; i-- > 0;) {
		next[i] = first[ins[i].before];
		first[ins[i].before] = i;
	}
	f->order = NULL;
	f->norder = f->order_cap = 0;
	for (uint32_t i = 0; i < nold; i++) {
		for (uint32_t k = first[old[i]]; k != NO_BLOCK; k = next[k])
			mfunc_place(f, ins[k].block);
		mfunc_place(f, old[i]);
	}
}

static void redirect(struct mblock *b, uint32_t from, uint32_t to)
{
	if (b->next == from)
		b->next = to;
	if (b->n && b->ins[b->n - 1].w.uop == WL_UOP_BRA && b->ins[b->n - 1].target == from)
		b->ins[b->n - 1].target = to;
}

/* A block passed once by all lanes on the way into the loop. */
static uint32_t make_preheader(struct mfunc *f, uint32_t header)
{
	struct mblock *pre = mfunc_new_block(f), *h = f->blocks[header];
	pre->next = header;
	for (uint32_t k = 0; k < h->npred; k++) {
		struct mblock *p = f->blocks[h->pred[k]];
		if (!block_dominates(f, header, p->id))
			redirect(p, header, pre->id);
	}
	return pre->id;
}

static void make_preheaders(struct mfunc *f)
{
	bool *wanted = arena_zalloc(f->arena, f->nblocks);
	uint32_t n = f->nblocks, made = 0;
	struct insertion *ins = arena_alloc(f->arena, (n + 1) * sizeof *ins);
	for (uint32_t i = 0; i < f->nrpo; i++) {
		const struct mblock *b = f->blocks[f->rpo[i]];
		uint32_t l = is_divergent(f, b) ? loop_left(f, b->id, b->ipdom) : NO_BLOCK;
		if (l != NO_BLOCK)
			wanted[l] = true;
	}
	for (uint32_t h = 0; h < n; h++)
		if (wanted[h])
			ins[made++] = (struct insertion){make_preheader(f, h), h};
	if (!made)
		return;
	place_before(f, ins, made);
	lower_cfg(f);
}

/* The only predecessor of a header from outside the loop. */
static uint32_t preheader(const struct mfunc *f, uint32_t header)
{
	const struct mblock *h = f->blocks[header];
	for (uint32_t k = 0; k < h->npred; k++)
		if (!block_dominates(f, header, h->pred[k]))
			return h->pred[k];
	return NO_BLOCK;
}

/* Something is written on the ways from the loop to the meeting place. */
static bool writes_after(struct converge *c, const struct region *r, uint32_t header)
{
	const struct mfunc *f = c->f;
	uint32_t depth = 0;
	c->search++;
	c->stack[depth++] = header;
	c->seen[header] = c->seen[r->meet] = c->search;
	while (depth) {
		const struct mblock *b = f->blocks[c->stack[--depth]];
		for (uint32_t k = 0; k < b->n; k++)
			if (writes(&b->ins[k]))
				return true;
		for (uint32_t k = 0; k < b->nsucc; k++)
			if (c->seen[b->succ[k]] != c->search && inside(f, r, b->succ[k])) {
				c->seen[b->succ[k]] = c->search;
				c->stack[depth++] = b->succ[k];
			}
	}
	return false;
}

static bool only_waits(struct converge *c, const struct region *r)
{
	for (uint32_t i = 0; i < c->nwaiting; i++) {
		uint32_t h = c->waiting[i];
		if (inside(c->f, r, h) && !loop_contains(c->f, h, r->start) && !writes_after(c, r, h))
			return true;
	}
	return false;
}

/* The nearest block with room in its frontier, from b upwards in the tree of dominators; shortens the way. */
static uint32_t not_full(const struct converge *c, uint32_t *above, uint32_t b)
{
	uint32_t to = b;
	while (to != NO_BLOCK && c->frontier[to].n > FRONTIER_KEPT)
		to = above[to];
	while (b != to) {
		const uint32_t next = above[b];
		above[b] = to;
		b = next;
	}
	return to;
}

/* The dominance frontier of a block: blocks on some ways from the block, and on ways around the block. A block keeps at
 * most FRONTIER_KEPT of the frontier. A block with more is not asked for, and is passed over. */
static void find_frontiers(struct converge *c)
{
	const struct mfunc *f = c->f;
	uint32_t *above = arena_alloc(f->arena, f->nblocks * sizeof *above);
	c->frontier = arena_zalloc(f->arena, f->nblocks * sizeof *c->frontier);
	for (uint32_t i = 0; i < f->nrpo; i++)
		above[f->rpo[i]] = f->blocks[f->rpo[i]]->idom;
	for (uint32_t i = 0; i < f->nrpo; i++) {
		const struct mblock *b = f->blocks[f->rpo[i]];
		for (uint32_t k = 0; k < b->npred && b->npred > 1; k++) {
			/* a block with b in its frontier has told the blocks above already */
			for (uint32_t up = b->pred[k]; (up = not_full(c, above, up)) != NO_BLOCK;
			     up = f->blocks[up]->idom) {
				struct frontier *at = &c->frontier[up];
				if ((up != b->id && block_dominates(f, up, b->id)) ||
				    (at->n && at->block[at->n - 1] == b->id))
					break;
				if (at->n++ < FRONTIER_KEPT)
					at->block[at->n - 1] = b->id;
			}
		}
	}
}

/* A block on the ways from the start to the meeting place, also reached by lanes that have not been at the start;
 * NO_BLOCK: none. The foreign lanes would stand at the meeting place outside of the region, and the others would wait.
 * Nobody waits for code without an end. *many: the search takes too long. */
static uint32_t entered_elsewhere(const struct converge *c, uint32_t start, uint32_t meet, bool *many)
{
	const struct mfunc *f = c->f;
	const struct frontier *at = &c->frontier[start];
	const struct region r = {.start = start, .meet = meet};
	uint32_t steps = 0;
	*many = at->n > FRONTIER_KEPT;
	for (uint32_t i = 0; i < at->n && !*many; i++) {
		const struct mblock *b = f->blocks[at->block[i]];
		if (b->id == meet || b->id == start) /* comes_round() looks at ways back to the start */
			continue;
		for (uint32_t k = 0; k < b->npred && b->reaches_end; k++) {
			if (inside(f, &r, b->pred[k]))
				return b->id;
			*many |= ++steps > 1000;
		}
	}
	return NO_BLOCK;
}

static bool all_come_to(const struct mfunc *f, uint32_t from, uint32_t meet)
{
	while (from != NO_BLOCK && from != meet && f->blocks[from]->pdom_depth > f->blocks[meet]->pdom_depth)
		from = f->blocks[from]->ipdom;
	return from == meet;
}

/* The start, or the nearest block above with a single entry into the region. NO_BLOCK: no block qualifies. From the
 * block all lanes must come to the meeting place, and the block must be passed as often as the start. */
static uint32_t one_entry(const struct converge *c, uint32_t start, uint32_t meet)
{
	const struct mfunc *f = c->f;
	const uint32_t loop = f->blocks[start]->loop;
	bool many;
	for (uint32_t other; (other = entered_elsewhere(c, start, meet, &many)) != NO_BLOCK && !many;) {
		while (start != NO_BLOCK && !block_dominates(f, start, other))
			start = f->blocks[start]->idom;
		if (start == NO_BLOCK || f->blocks[start]->loop != loop || !all_come_to(f, start, meet))
			return NO_BLOCK;
	}
	return many ? NO_BLOCK : start;
}

/* Some way leads from the start back to the start without passing `meet`: the lanes of the way would form the barrier
 * anew while others wait at the barrier. As the region has one entry, the way comes by a block within the region. Too
 * long a search counts as true. */
static bool comes_round(const struct mfunc *f, const struct region *r)
{
	const struct mblock *b = f->blocks[r->start];
	bool round = b->npred > 1000;
	for (uint32_t k = 0; k < b->npred && !round; k++)
		round = inside(f, r, b->pred[k]);
	return round;
}

/* False: no barrier lets the lanes meet. */
static bool add_region(struct converge *c, uint32_t start, uint32_t meet)
{
	start = one_entry(c, start, meet);
	if (start == NO_BLOCK)
		return false;
	struct region r = {.start = start,
	                   .meet = meet,
	                   .meet_depth = c->f->blocks[meet]->pdom_depth,
	                   .sync = NO_BLOCK,
	                   .same_meet = c->meeting[meet],
	                   .same_start = NO_REGION};

	if (comes_round(c->f, &r) || only_waits(c, &r))
		return false;
	for (uint32_t i = r.same_meet; i != NO_REGION; i = c->r[i].same_meet) {
		if (c->r[i].dropped)
			continue;
		if (inside(c->f, &c->r[i], start))
			return true;
		if (inside(c->f, &r, c->r[i].start))
			c->r[i].dropped = true;
	}
	c->meeting[meet] = c->n;
	c->r[c->n++] = r;
	return true;
}

static void find_region(struct converge *c, uint32_t branch, uint32_t start, uint32_t meet)
{
	if (!add_region(c, start, meet))
		c->parted[c->nparted++] = (struct parted){branch, meet};
}

static void find_regions(struct converge *c)
{
	struct mfunc *f = c->f;
	c->r = arena_alloc(f->arena, (2 * (size_t)f->nrpo + 1) * sizeof *c->r);
	c->parted = arena_alloc(f->arena, (2 * (size_t)f->nrpo + 1) * sizeof *c->parted);
	c->seen = arena_zalloc(f->arena, f->nblocks * sizeof *c->seen);
	c->stack = arena_alloc(f->arena, (2 * f->nrpo + 1) * sizeof *c->stack);
	c->meeting = arena_alloc(f->arena, f->nblocks * sizeof *c->meeting);
	memset(c->meeting, 0xff, f->nblocks * sizeof *c->meeting);
	c->nmeeting = f->nblocks;
	find_frontiers(c);
	for (uint32_t i = 0; i < f->nrpo; i++) {
		const struct mblock *b = f->blocks[f->rpo[i]];
		uint32_t l;
		if (b->rejoin != NO_BLOCK)
			find_region(c, b->id, b->id, b->rejoin);
		if (!is_divergent(f, b))
			continue;
		l = loop_left(f, b->id, b->ipdom);
		find_region(c, b->id, l == NO_BLOCK ? b->id : preheader(f, l), b->ipdom);
	}
}

static void find_entries(struct converge *c, struct region *r)
{
	const struct mblock *m = c->f->blocks[r->meet];
	r->enter = arena_alloc(c->f->arena, (m->npred + 1) * sizeof *r->enter);
	r->nenter = 0;
	for (uint32_t k = 0; k < m->npred; k++)
		if (inside(c->f, r, m->pred[k]))
			r->enter[r->nenter++] = m->pred[k];
}

static void make_sync_block(struct converge *c, struct region *r)
{
	struct mfunc *f = c->f;
	struct mblock *s = mfunc_new_block(f);
	r->sync = s->id;
	s->next = r->meet;
	for (uint32_t k = 0; k < r->nenter; k++)
		redirect(f->blocks[r->enter[k]], r->meet, s->id);
}

/* The regions that start in each block, the outermost first. */
static uint32_t *by_start(struct converge *c)
{
	uint32_t *first = arena_alloc(c->f->arena, (c->f->nblocks + 1) * sizeof *first);
	memset(first, 0xff, (c->f->nblocks + 1) * sizeof *first);
	for (uint32_t i = 0; i < c->n; i++) {
		uint32_t *at = &first[c->r[i].start];
		if (c->r[i].dropped)
			continue;
		while (*at != NO_REGION && c->r[*at].meet_depth < c->r[i].meet_depth)
			at = &c->r[*at].same_start;
		c->r[i].same_start = *at;
		*at = i;
	}
	return first;
}

/* The innermost region left open after the sync block of `r`. */
static uint32_t leave(const struct converge *c, uint32_t open, uint32_t r)
{
	for (uint32_t i = open; i != NO_REGION; i = c->r[i].around)
		if (i == r)
			return c->r[i].around;
	return open;
}

/* Gives each region its depth; drops regions without a barrier register left (16 in a kernel). */
static void number(struct converge *c)
{
	const struct mfunc *f = c->f;
	unsigned lowest = f->calls ? ABI_FIRST_KEPT_CBAR : 0;
	unsigned end = f->calls || f->src->is_entry ? WL_NUM_CBARS : ABI_FIRST_KEPT_CBAR;
	uint32_t *open = arena_alloc(f->arena, f->nblocks * sizeof *open); /* at the end of a block: the innermost */
	uint32_t *synced = arena_alloc(f->arena, f->nblocks * sizeof *synced), *first = by_start(c);

	memset(synced, 0xff, f->nblocks * sizeof *synced);
	for (uint32_t i = 0; i < c->n; i++)
		if (!c->r[i].dropped)
			synced[c->r[i].sync] = i;
	for (uint32_t i = 0; i < f->nrpo; i++) {
		const struct mblock *b = f->blocks[f->rpo[i]];
		uint32_t in = b->idom == NO_BLOCK ? NO_REGION : open[b->idom];
		if (synced[b->id] != NO_REGION)
			in = leave(c, in, synced[b->id]);
		for (uint32_t r = first[b->id]; r != NO_REGION; r = c->r[r].same_start) {
			unsigned depth = in == NO_REGION ? lowest : c->r[in].cbar + 1u;
			c->r[r].dropped = depth >= end;
			if (c->r[r].dropped) {
				c->parted[c->nparted++] = (struct parted){c->r[r].start, c->r[r].meet};
				continue;
			}
			c->r[r].around = in;
			c->r[r].cbar = (uint8_t)depth;
			in = r;
		}
		open[b->id] = in;
	}
}

static void insert(struct converge *c, struct region *r)
{
	struct mfunc *f = c->f;
	struct mblock *start = f->blocks[r->start], *sync = f->blocks[r->sync];
	uint32_t at = start->n && start->ins[start->n - 1].w.uop == WL_UOP_BRA ? start->n - 1 : start->n;
	uint32_t line = start->n ? start->ins[start->n - 1].line : first_line(f->blocks[r->meet]);
	struct minst in = minst_make(WL_UOP_BSSY, line);
	in.w.cbar = r->cbar;
	f->cbars |= 1u << r->cbar;
	in.target = r->sync;
	mblock_insert(f, start, at, &in);
	if (f->target->clear_barriers) {
		in = minst_make(WL_UOP_BMOV_CLEAR, line);
		in.w.cbar = r->cbar;
		mblock_insert(f, start, at, &in);
	}
	in = minst_make(WL_UOP_BSYNC, first_line(f->blocks[r->meet]));
	in.w.cbar = r->cbar;
	mblock_insert(f, sync, 0, &in);
}

/* A way back to the header of a loop that tries; in code with cycles of several entries: any way back. */
static bool goes_round(const struct converge *c, uint32_t from, uint32_t to)
{
	if (c->f->irreducible && c->tries && to != NO_BLOCK && c->f->blocks[to]->rpo <= c->f->blocks[from]->rpo)
		return true;
	return to != NO_BLOCK && c->f->blocks[to]->loop == to && loop_contains(c->f, to, from) &&
	       c->kind[to] != LOOP_PLAIN;
}

/* Loops that try until another lane or warp has done its part let the others run before the next round. A loop around
 * CAST.SPIN waits for nobody: a try fails because another has succeeded. */
static void insert_yields(struct converge *c)
{
	const struct mfunc *f = c->f;
	for (uint32_t i = 0; i < f->nrpo; i++) {
		struct mblock *b = f->blocks[f->rpo[i]];
		const struct minst *last = b->n ? &b->ins[b->n - 1] : NULL;
		const bool branches = last && last->w.uop == WL_UOP_BRA;
		struct minst in;
		if (!goes_round(c, b->id, b->next) && !(branches && goes_round(c, b->id, last->target)))
			continue;
		in = minst_make(WL_UOP_YIELD, last ? last->line : 0);
		mblock_insert(c->f, b, b->n - (branches || (last && minst_is_call(last))), &in);
	}
}

static void make_sync_blocks(struct converge *c)
{
	struct insertion *ins = arena_alloc(c->f->arena, (c->n + 1) * sizeof *ins);
	uint32_t n = 0;
	for (uint32_t i = 0; i < c->n; i++)
		if (!c->r[i].dropped)
			find_entries(c, &c->r[i]);
	for (uint32_t i = 0; i < c->n; i++)
		if (!c->r[i].dropped) {
			make_sync_block(c, &c->r[i]);
			ins[n++] = (struct insertion){c->r[i].sync, c->r[i].meet};
		}
	place_before(c->f, ins, n);
	lower_cfg(c->f);
}

void lower_converge(struct mfunc *f)
{
	struct converge c = {.f = f};
	find_loop_kinds(&c);
	insert_yields(&c);
	if (f->irreducible)
		return;
	make_preheaders(f);
	find_regions(&c);
	make_sync_blocks(&c);
	number(&c);
	for (uint32_t i = 0; i < c.n; i++)
		if (!c.r[i].dropped)
			insert(&c, &c.r[i]);
	converge_insert_waits(&c);
}
