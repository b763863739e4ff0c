// SPDX-License-Identifier: Apache-2.0
/* dominators.c -- the block passed by all ways to a block (dominator), and by all ways from a block to the end
 * (post-dominator).
 *
 * The method is Semi-NCA (Georgiadis, "Linear-Time Algorithms for Dominators and Related Problems"): semi-dominators
 * with path compression, then the nearest common ancestor. Other methods walk along chains of dominators at every join:
 * kernels with thousands of exits or nested loops become quadratic. */
#include "mir.h"

#include <string.h>

/* Blocks are numbered in the order of a depth-first walk from the root: 0, 1, ... */
struct walk {
	struct mfunc *f;
	bool back; /* against the edges */
	uint32_t n;
	uint32_t *number;         /* by block; NO_BLOCK: not reached */
	uint32_t *block, *parent; /* by number */
	uint32_t *semi, *label, *above, *idom;
	uint32_t *path;
};

static uint32_t nnext(const struct walk *w, const struct mblock *b)
{
	return w->back ? b->npred : b->nsucc;
}

static const uint32_t *next(const struct walk *w, const struct mblock *b)
{
	return w->back ? b->pred : b->succ;
}

static void reach(struct walk *w, uint32_t block, uint32_t parent)
{
	w->number[block] = w->n;
	w->parent[w->n] = parent;
	w->block[w->n++] = block;
}

static void number_blocks(struct walk *w, uint32_t root)
{
	uint32_t *tried = arena_zalloc(w->f->arena, w->f->nblocks * sizeof *tried), at;
	reach(w, root, 0);
	for (at = root;;) {
		const struct mblock *b = w->f->blocks[at];
		if (tried[at] == nnext(w, b)) {
			if (at == root)
				return;
			at = w->block[w->parent[w->number[at]]];
			continue;
		}
		if (w->number[next(w, b)[tried[at]++]] == NO_BLOCK) {
			uint32_t to = next(w, b)[tried[at] - 1];
			reach(w, to, w->number[at]);
			at = to;
		}
	}
}

/* The number with the least semi-dominator on the way from v up to the root of its finished tree, without the root. */
static uint32_t least(struct walk *w, uint32_t v, uint32_t last)
{
	uint32_t n = 0;
	while (w->above[v] > last) {
		w->path[n++] = v;
		v = w->above[v];
	}
	while (n > 0) {
		uint32_t x = w->path[--n], up = w->above[x];
		if (w->semi[w->label[up]] < w->semi[w->label[x]])
			w->label[x] = w->label[up];
		w->above[x] = w->above[up];
		v = x;
	}
	return w->label[v];
}

static void find(struct walk *w)
{
	for (uint32_t i = 0; i < w->n; i++) {
		w->semi[i] = w->label[i] = i;
		w->above[i] = w->parent[i];
	}
	for (uint32_t i = w->n; i-- > 1;) {
		const struct mblock *b = w->f->blocks[w->block[i]];
		const uint32_t *from = w->back ? b->succ : b->pred;
		uint32_t nfrom = w->back ? b->nsucc : b->npred;
		w->semi[i] = w->parent[i];
		for (uint32_t k = 0; k < nfrom; k++) {
			uint32_t v = w->number[from[k]], u;
			if (v == NO_BLOCK)
				continue;
			u = v <= i ? v : w->semi[least(w, v, i)];
			if (u < w->semi[i])
				w->semi[i] = u;
		}
	}
	w->idom[0] = NO_BLOCK;
	for (uint32_t i = 1; i < w->n; i++) {
		w->idom[i] = w->parent[i];
		while (w->idom[i] > w->semi[i])
			w->idom[i] = w->idom[w->idom[i]];
	}
}

static void prepare(struct walk *w)
{
	struct arena *a = w->f->arena;
	size_t bytes = (w->f->nblocks + 1) * sizeof(uint32_t);
	w->number = arena_alloc(a, bytes);
	memset(w->number, 0xff, bytes);
	w->block = arena_alloc(a, bytes);
	w->parent = arena_alloc(a, bytes);
	w->semi = arena_alloc(a, bytes);
	w->label = arena_alloc(a, bytes);
	w->above = arena_alloc(a, bytes);
	w->idom = arena_alloc(a, bytes);
	w->path = arena_alloc(a, bytes);
}

void lower_dominators(struct mfunc *f)
{
	struct walk w = {.f = f};
	prepare(&w);
	number_blocks(&w, 0);
	find(&w);
	for (uint32_t i = 1; i < w.n; i++)
		f->blocks[w.block[i]]->idom = w.block[w.idom[i]];
}

void lower_post_dominators(struct mfunc *f, uint32_t end)
{
	struct walk w = {.f = f, .back = true};
	prepare(&w);
	number_blocks(&w, end);
	find(&w);
	f->blocks[end]->reaches_end = true;
	for (uint32_t i = 1; i < w.n; i++) {
		struct mblock *b = f->blocks[w.block[i]];
		b->reaches_end = true;
		b->ipdom = w.block[w.idom[i]];
		b->pdom_depth = f->blocks[b->ipdom]->pdom_depth + 1;
	}
}
