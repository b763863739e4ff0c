// SPDX-License-Identifier: Apache-2.0
/* converge.c -- where lanes that parted meet again.
 *
 * A branch that lanes may take differently gets a convergence barrier: BSSY where all of them still are together, BSYNC
 * where all their ways meet, the immediate post-dominator of the branch. Nothing is assumed about values: every
 * conditional branch that is not marked uniform counts.
 *
 *  - In a loop that the meeting place lies outside of, BSSY stands before the loop, else each round would forget
 *    the lanes that left in earlier rounds.
 *  - Branches with one meeting place share the outermost barrier.
 *  - BSYNC stands in a block of its own, entered only from within the region.
 *  - A region with a loop that does nothing but wait (it tries a lock or reads a flag, and writes nothing else), and
 *    with nothing written behind that loop, gets no barrier: its lanes go on one by one, since whoever took the lock
 *    must be able to release it behind the region while others still try.
 *  - Lanes that exit leave all barriers by themselves.
 *
 * Barriers whose regions never hold lanes at one time share a register. With more than 16 deep, or in code whose
 * cycles have several entries, lanes stay apart: slower, never wrong. */
#include "mir.h"

#include <string.h>

struct region {
	uint32_t start;          /* BSSY stands at the end of this block */
	uint32_t meet;           /* the ways meet at the start of this block */
	uint32_t sync;           /* block made for the BSYNC */
	uint32_t nenter, *enter; /* predecessors of meet inside the region */
	uint8_t cbar;
	bool dropped;
};

struct converge {
	struct mfunc *f;
	struct region *r;
	uint32_t n;
};

static bool is_divergent(const struct mfunc *f, const struct mblock *b)
{
	const struct minst *last = b->n ? &b->ins[b->n - 1] : NULL;

	return b->nsucc == 2 && last->w.uop == WL_UOP_BRA && !(last->w.flags & WL_F_U) &&
	       f->blocks[b->succ[0]]->reaches_end && f->blocks[b->succ[1]]->reaches_end && b->ipdom != NO_BLOCK;
}

/* Header of the outermost loop around b that `meet` is outside of. */
static uint32_t loop_left(const struct mfunc *f, uint32_t b, uint32_t meet)
{
	uint32_t left = NO_BLOCK;

	for (uint32_t l = f->blocks[b]->loop; l != NO_BLOCK && !loop_contains(f, l, meet);
	     l = f->blocks[l]->loop_parent)
		left = l;
	return left;
}

static bool waits(const struct minst *in)
{
	switch (in->w.uop) {
	case WL_UOP_ATOMS_CAS:
	case WL_UOP_ATOMG_CAS:
		return true;
	case WL_UOP_ATOMS:
	case WL_UOP_ATOMG:
		return in->w.op == WL_ATOM_EXCH;
	case WL_UOP_LDG:
	case WL_UOP_LDS:
		return in->keep;
	default:
		return false;
	}
}

static bool writes(const struct minst *in)
{
	switch (in->w.uop) {
	case WL_UOP_STG:
	case WL_UOP_STS:
	case WL_UOP_RED:
	case WL_UOP_ATOMS_CAST:
		return true;
	case WL_UOP_ATOMS:
	case WL_UOP_ATOMG:
		return in->w.op != WL_ATOM_EXCH || in->rd == REF_NONE;
	default:
		return false;
	}
}

enum loop_kind { LoopPlain, LoopTries, LoopOnlyWaits };

static enum loop_kind kind_of_loop(const struct mfunc *f, uint32_t header)
{
	bool tries = false, stores = false;

	for (uint32_t i = 0; i < f->nrpo; i++) {
		const struct mblock *b = f->blocks[f->rpo[i]];

		if (!loop_contains(f, header, b->id))
			continue;
		for (uint32_t k = 0; k < b->n; k++) {
			tries |= waits(&b->ins[k]) || b->ins[k].w.uop == WL_UOP_ATOMS_CAST;
			stores |= writes(&b->ins[k]);
		}
	}
	return !tries ? LoopPlain : stores ? LoopTries : LoopOnlyWaits;
}

/* A block that all lanes pass on their way into the loop, and that is passed once. */
static void make_preheader(struct mfunc *f, uint32_t header)
{
	struct mblock *pre = mfunc_new_block(f), *h = f->blocks[header];

	pre->next = header;
	for (uint32_t k = 0; k < h->npred; k++) {
		struct mblock *p = f->blocks[h->pred[k]];

		if (block_dominates(f, header, p->id))
			continue;
		if (p->next == header)
			p->next = pre->id;
		if (p->n && p->ins[p->n - 1].w.uop == WL_UOP_BRA && p->ins[p->n - 1].target == header)
			p->ins[p->n - 1].target = pre->id;
	}
	mfunc_place(f, pre->id);
	for (uint32_t i = f->norder - 1; i > 0; i--) {
		f->order[i] = f->order[i - 1];
		if (f->order[i] == header) {
			f->order[i - 1] = pre->id;
			break;
		}
	}
}

static void make_preheaders(struct mfunc *f)
{
	bool *wanted = arena_zalloc(f->arena, f->nblocks), any = false;
	uint32_t n = f->nblocks;

	for (uint32_t i = 0; i < f->nrpo; i++) {
		const struct mblock *b = f->blocks[f->rpo[i]];
		uint32_t l = is_divergent(f, b) ? loop_left(f, b->id, b->ipdom) : NO_BLOCK;

		if (l != NO_BLOCK && !wanted[l]) {
			wanted[l] = true;
			any = true;
		}
	}
	for (uint32_t h = 0; h < n; h++)
		if (wanted[h])
			make_preheader(f, h);
	if (any)
		lower_cfg(f);
}

/* The one predecessor of a header from outside its loop. */
static uint32_t preheader(const struct mfunc *f, uint32_t header)
{
	const struct mblock *h = f->blocks[header];

	for (uint32_t k = 0; k < h->npred; k++)
		if (!block_dominates(f, header, h->pred[k]))
			return h->pred[k];
	return NO_BLOCK;
}

/* x lies between start and meet (start itself does). */
static bool inside(const struct mfunc *f, const struct region *r, uint32_t x)
{
	return block_dominates(f, r->start, x) &&
	       (!block_dominates(f, r->meet, x) || block_dominates(f, r->meet, r->start));
}

/* Something is written on the ways from the loop to the meeting place. */
static bool writes_after(const struct mfunc *f, const struct region *r, uint32_t header)
{
	uint32_t *stack = arena_alloc(f->arena, (2 * f->nrpo + 1) * sizeof *stack), depth = 0;
	bool *seen = arena_zalloc(f->arena, f->nblocks);

	stack[depth++] = header;
	seen[header] = seen[r->meet] = true;
	while (depth) {
		const struct mblock *b = f->blocks[stack[--depth]];

		for (uint32_t k = 0; k < b->n; k++)
			if (writes(&b->ins[k]))
				return true;
		for (uint32_t k = 0; k < b->nsucc; k++)
			if (!seen[b->succ[k]] && inside(f, r, b->succ[k])) {
				seen[b->succ[k]] = true;
				stack[depth++] = b->succ[k];
			}
	}
	return false;
}

static bool only_waits(const struct mfunc *f, const struct region *r)
{
	for (uint32_t i = 0; i < f->nrpo; i++) {
		uint32_t h = f->rpo[i];

		if (f->blocks[h]->loop == h && inside(f, r, h) && !loop_contains(f, h, r->start) &&
		    kind_of_loop(f, h) == LoopOnlyWaits && !writes_after(f, r, h))
			return true;
	}
	return false;
}

static void add_region(struct converge *c, uint32_t start, uint32_t meet)
{
	struct region r = {.start = start, .meet = meet, .sync = NO_BLOCK};

	if (only_waits(c->f, &r))
		return;
	for (uint32_t i = 0; i < c->n; i++) {
		if (c->r[i].meet != meet || c->r[i].dropped)
			continue;
		if (inside(c->f, &c->r[i], start))
			return;
		if (inside(c->f, &r, c->r[i].start))
			c->r[i].dropped = true;
	}
	c->r[c->n++] = r;
}

static void find_regions(struct converge *c)
{
	struct mfunc *f = c->f;

	c->r = arena_alloc(f->arena, (f->nrpo + 1) * sizeof *c->r);
	for (uint32_t i = 0; i < f->nrpo; i++) {
		const struct mblock *b = f->blocks[f->rpo[i]];
		uint32_t l;

		if (!is_divergent(f, b))
			continue;
		l = loop_left(f, b->id, b->ipdom);
		add_region(c, l == NO_BLOCK ? b->id : preheader(f, l), b->ipdom);
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

static void redirect(struct mblock *b, uint32_t from, uint32_t to)
{
	if (b->next == from)
		b->next = to;
	if (b->n && b->ins[b->n - 1].w.uop == WL_UOP_BRA && b->ins[b->n - 1].target == from)
		b->ins[b->n - 1].target = to;
}

static void make_sync_block(struct converge *c, struct region *r)
{
	struct mfunc *f = c->f;
	struct mblock *s = mfunc_new_block(f);

	r->sync = s->id;
	s->next = r->meet;
	for (uint32_t k = 0; k < r->nenter; k++)
		redirect(f->blocks[r->enter[k]], r->meet, s->id);
	mfunc_place(f, s->id);
	for (uint32_t i = f->norder - 1; i > 0; i--) {
		f->order[i] = f->order[i - 1];
		if (f->order[i] == r->meet) {
			f->order[i - 1] = s->id;
			break;
		}
	}
}

static bool encloses(const struct mfunc *f, const struct region *a, const struct region *b)
{
	return a != b && block_dominates(f, a->start, b->start) && !block_dominates(f, a->sync, b->start);
}

/* All lanes of x have met, in x or in a region around it, before any starts y. */
static bool precedes(const struct converge *c, const struct region *x, const struct region *y)
{
	for (uint32_t i = 0; i < c->n; i++) {
		const struct region *a = &c->r[i];

		if (!a->dropped && (a == x || encloses(c->f, a, x)) && block_dominates(c->f, a->sync, y->start))
			return true;
	}
	return false;
}

/* Numbers in the order in which the regions start; false where 16 do not suffice. */
static void number(struct converge *c)
{
	for (uint32_t i = 0; i < c->n; i++) {
		uint32_t taken = 0;

		if (c->r[i].dropped)
			continue;
		for (uint32_t k = 0; k < i; k++)
			if (!c->r[k].dropped && !precedes(c, &c->r[k], &c->r[i]) && !precedes(c, &c->r[i], &c->r[k]))
				taken |= 1u << c->r[k].cbar;
		if (taken == 0xffff)
			c->r[i].dropped = true;
		else
			c->r[i].cbar = (uint8_t)__builtin_ctz(~taken);
	}
}

static uint32_t first_line(const struct mblock *b)
{
	return b->n ? b->ins[0].line : 0;
}

static void insert(struct converge *c, struct region *r)
{
	struct mfunc *f = c->f;
	struct mblock *start = f->blocks[r->start], *sync = f->blocks[r->sync];
	uint32_t at = start->n && start->ins[start->n - 1].w.uop == WL_UOP_BRA ? start->n - 1 : start->n;
	uint32_t line = start->n ? start->ins[start->n - 1].line : first_line(f->blocks[r->meet]);
	struct minst in = minst_make(WL_UOP_BSSY, line);

	in.w.cbar = r->cbar;
	in.target = r->sync;
	mblock_insert(f, start, at, &in);
	in = minst_make(WL_UOP_BSYNC, first_line(f->blocks[r->meet]));
	in.w.cbar = r->cbar;
	mblock_insert(f, sync, 0, &in);
}

/* Loops that try until another lane or warp has done its part let the others run before they go round. */
static void insert_yields(struct mfunc *f)
{
	for (uint32_t i = 0; i < f->nrpo; i++) {
		struct mblock *b = f->blocks[f->rpo[i]];

		if (b->loop == NO_BLOCK || !b->n || b->ins[b->n - 1].w.uop != WL_UOP_BRA)
			continue;
		for (uint32_t l = b->loop; l != NO_BLOCK; l = f->blocks[l]->loop_parent) {
			struct minst in = minst_make(WL_UOP_YIELD, b->ins[b->n - 1].line);

			if (b->ins[b->n - 1].target != l || kind_of_loop(f, l) == LoopPlain)
				continue;
			mblock_insert(f, b, b->n - 1, &in);
			break;
		}
	}
}

void lower_converge(struct mfunc *f)
{
	struct converge c = {.f = f};

	insert_yields(f);
	if (f->irreducible)
		return;
	make_preheaders(f);
	find_regions(&c);
	for (uint32_t i = 0; i < c.n; i++)
		if (!c.r[i].dropped)
			find_entries(&c, &c.r[i]);
	for (uint32_t i = 0; i < c.n; i++)
		if (!c.r[i].dropped)
			make_sync_block(&c, &c.r[i]);
	lower_cfg(f);
	number(&c);
	for (uint32_t i = 0; i < c.n; i++)
		if (!c.r[i].dropped)
			insert(&c, &c.r[i]);
}
