// SPDX-License-Identifier: Apache-2.0
/* live.c -- words of registers wanted later, at the end of every block.
 *
 * One register at a time: from each block with a read before any write, backwards to the blocks with a write. The work
 * is as large as the answer, and a register of a single block costs nothing. A guarded write does not end the life of
 * the value before.
 *
 * In some code so much is wanted everywhere that hardly any value will find a register (thousands of values of loops
 * within each other). The answer would grow with the square of the code: registers that live far are spilled first. */
#include "mir_visit.h"

#include <string.h>

/* A block's use of a register: words read before a write, words written. */
struct touch {
	uint32_t vreg, block;
	uint8_t gen, kill;
};

enum { FAR = 256 }; /* blocks */

struct live {
	struct mfunc *f;
	uint8_t *gen, *kill; /* by register, of the block at hand */
	uint32_t *touched, ntouched;
	struct touch *all;
	uint32_t n, cap;
	/* of the register at hand, by block */
	uint8_t *out, *in, *killed;
	uint32_t *stack, depth;
	uint32_t *reached, nreached;
	/* the answer, by register */
	struct live_word *found;
	uint32_t *found_block, nfound, found_cap;
	uint32_t most; /* largest size of the answer */
	bool too_much;
	bool *far; /* by register: lives far; only with too_much */
};

static uint8_t bits(ref r, unsigned words)
{
	return (uint8_t)(((1u << (words ? words : 1)) - 1) << ref_word(r));
}

static void touch(struct live *l, uint32_t v)
{
	if (!l->gen[v] && !l->kill[v])
		l->touched[l->ntouched++] = v;
}

static void note_use(void *self, ref *r, unsigned words)
{
	struct live *l = self;
	touch(l, ref_reg(*r));
	l->gen[ref_reg(*r)] |= bits(*r, words);
}

static void note_def(void *self, ref *r, unsigned words)
{
	struct live *l = self;
	touch(l, ref_reg(*r));
	l->gen[ref_reg(*r)] &= (uint8_t)~bits(*r, words);
	l->kill[ref_reg(*r)] |= bits(*r, words);
}

static void *grown(struct mfunc *f, void *old, uint32_t *cap, size_t size)
{
	uint32_t now = *cap ? 2 * *cap : 256;
	void *p = arena_grow(f->arena, old, *cap * size, now * size);

	*cap = now;
	return p;
}

/* Backwards: words read before a write stay in gen. */
static void summarise(struct live *l, struct mblock *b)
{
	l->ntouched = 0;
	for (uint32_t k = b->n; k-- > 0;) {
		struct minst *in = &b->ins[k];
		if (in->guard == REF_NONE || in->fresh)
			minst_defs(in, note_def, l);
		minst_uses(in, note_use, l);
	}
	for (uint32_t k = 0; k < l->ntouched; k++) {
		uint32_t v = l->touched[k];
		if (l->n == l->cap)
			l->all = grown(l->f, l->all, &l->cap, sizeof *l->all);
		l->all[l->n++] = (struct touch){v, b->id, l->gen[v], l->kill[v]};
		l->gen[v] = l->kill[v] = 0;
	}
}

/* Gives the touches by register: touches of v are list[start[v]] up to list[start[v + 1]]. */
static struct touch *by_register(const struct live *l, uint32_t *start)
{
	struct touch *list = arena_alloc(l->f->arena, (l->n + 1) * sizeof *list);
	for (uint32_t i = 0; i < l->n; i++)
		start[l->all[i].vreg + 2]++;
	for (uint32_t v = 2; v < l->f->nvregs + 2; v++)
		start[v] += start[v - 1];
	for (uint32_t i = 0; i < l->n; i++)
		list[start[l->all[i].vreg + 1]++] = l->all[i];
	return list;
}

/* Words wanted at the entry of the block are wanted at the end of all predecessors. */
static void wanted_in(struct live *l, uint32_t block, uint8_t words)
{
	const struct mblock *b = l->f->blocks[block];
	words &= (uint8_t)~l->in[block];
	if (!words)
		return;
	l->in[block] |= words;
	for (uint32_t k = 0; k < b->npred; k++) {
		uint32_t p = b->pred[k];
		if (!(words & ~l->out[p]))
			continue;
		if (!l->out[p])
			l->reached[l->nreached++] = p;
		l->out[p] |= words;
		l->stack[l->depth++] = p;
	}
}

/* Fixed registers, and registers made for one instruction, are not spilled. */
static void note_far(struct live *l, uint32_t v)
{
	const struct mfunc *f = l->f;
	bool stays = f->vregs[v].unspillable;
	for (unsigned r = 0; r < WL_NUM_REGS && !stays; r++)
		stays = f->fixed[r] == v + 1;
	l->far[v] = !stays;
}

/* From now on the search is only for registers that live far. */
static void give_up(struct live *l)
{
	l->too_much = true;
	l->far = arena_zalloc(l->f->arena, l->f->nvregs + 1);
	for (uint32_t i = 0, n; i < l->nfound; i += n) {
		for (n = 1; i + n < l->nfound && l->found[i + n].vreg == l->found[i].vreg;)
			n++;
		if (n > FAR)
			note_far(l, l->found[i].vreg);
	}
}

static void keep(struct live *l, uint32_t v, uint32_t block)
{
	if (l->nfound == l->found_cap) {
		uint32_t cap = l->found_cap;
		l->found = grown(l->f, l->found, &cap, sizeof *l->found);
		l->found_block = grown(l->f, l->found_block, &l->found_cap, sizeof *l->found_block);
	}
	l->found[l->nfound] = (struct live_word){v, l->out[block]};
	l->found_block[l->nfound++] = block;
}

static void spread(struct live *l, uint32_t v, const struct touch *t, uint32_t n)
{
	bool any = false;
	for (uint32_t i = 0; i < n; i++)
		any |= t[i].gen != 0;
	if (!any)
		return;
	for (uint32_t i = 0; i < n; i++)
		l->killed[t[i].block] = t[i].kill;
	for (uint32_t i = 0; i < n; i++) {
		wanted_in(l, t[i].block, t[i].gen);
		while (l->depth && !(l->too_much && l->nreached > FAR)) {
			uint32_t p = l->stack[--l->depth];
			wanted_in(l, p, l->out[p] & (uint8_t)~l->killed[p]);
		}
	}
	if (!l->too_much && l->nfound + l->nreached > l->most)
		give_up(l);
	if (l->too_much && l->nreached > FAR)
		note_far(l, v);
	for (uint32_t i = 0; i < l->nreached; i++) {
		uint32_t b = l->reached[i];
		if (!l->too_much)
			keep(l, v, b);
		l->out[b] = l->in[b] = 0;
	}
	l->nreached = l->depth = 0;
	for (uint32_t i = 0; i < n; i++)
		l->killed[t[i].block] = l->in[t[i].block] = 0;
}

static void hand_out(struct live *l)
{
	struct mfunc *f = l->f;
	struct live_word *pool = arena_alloc(f->arena, (l->nfound + 1) * sizeof *pool);
	for (uint32_t i = 0; i < f->nblocks; i++)
		f->blocks[i]->nlive_out = 0;
	for (uint32_t i = 0; i < l->nfound; i++)
		f->blocks[l->found_block[i]]->nlive_out++;
	for (uint32_t i = 0; i < f->nblocks; i++) {
		f->blocks[i]->live_out = pool;
		pool += f->blocks[i]->nlive_out;
		f->blocks[i]->nlive_out = 0;
	}
	for (uint32_t i = 0; i < l->nfound; i++) {
		struct mblock *b = f->blocks[l->found_block[i]];
		b->live_out[b->nlive_out++] = l->found[i];
	}
}

/* False: too much, and registers that live far are spilled. */
static bool find(struct mfunc *f, uint32_t most)
{
	struct live l = {.f = f, .most = most};
	uint32_t *start = arena_zalloc(f->arena, (f->nvregs + 3) * sizeof *start), edges = 0;
	const struct touch *list;
	l.gen = arena_zalloc(f->arena, f->nvregs + 1);
	l.kill = arena_zalloc(f->arena, f->nvregs + 1);
	l.touched = arena_alloc(f->arena, (f->nvregs + 1) * sizeof *l.touched);
	for (uint32_t i = 0; i < f->nrpo; i++) {
		summarise(&l, f->blocks[f->rpo[i]]);
		edges += f->blocks[f->rpo[i]]->npred;
	}
	list = by_register(&l, start);
	l.out = arena_zalloc(f->arena, f->nblocks);
	l.in = arena_zalloc(f->arena, f->nblocks);
	l.killed = arena_zalloc(f->arena, f->nblocks);
	l.reached = arena_alloc(f->arena, (f->nblocks + 1) * sizeof *l.reached);
	l.stack = arena_alloc(f->arena, (4 * (size_t)edges + 1) * sizeof *l.stack);
	for (uint32_t v = 0; v < f->nvregs; v++)
		spread(&l, v, &list[start[v]], start[v + 1] - start[v]);
	if (l.too_much) {
		lower_spill(f, l.far);
		return false;
	}
	hand_out(&l);
	return true;
}

void lower_live(struct mfunc *f)
{
	/* more than the registers of the machine; a predicate is spilled to a register with a life as far */
	uint32_t rounds = 0, most = 320 * f->nrpo + (1 << 20);
	while (!find(f, ++rounds > 3 ? UINT32_MAX : most))
		;
}
