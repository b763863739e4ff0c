// SPDX-License-Identifier: Apache-2.0
/* cfg.c -- the control-flow graph: edges, order, dominators, post-dominators, loops.
 *
 * Post-dominance counts only lanes on the way to the kernel's last return. A path to another EXIT leaves nobody behind
 * to wait for, and has no say in where lanes meet again. Blocks without a way to the last return have no
 * post-dominator. */
#include "mir.h"

#include <string.h>

static void find_successors(struct mblock *b)
{
	const struct minst *last = b->n ? &b->ins[b->n - 1] : NULL;
	b->nsucc = 0;
	if (last && minst_ends_path(last)) {
		b->next = NO_BLOCK;
		return;
	}
	if (last && last->w.uop == WL_UOP_BRA) {
		if (last->guard == REF_NONE) { /* `next` alone says where to go on; layout.c makes the branch */
			b->next = last->target;
			b->next_line = last->line;
			b->n--;
			b->succ[b->nsucc++] = b->next;
			return;
		}
		if (last->target == b->next) { /* a branch to the next block */
			b->n--;
			b->succ[b->nsucc++] = b->next;
			return;
		}
		b->succ[b->nsucc++] = b->next;
		b->succ[b->nsucc++] = last->target;
		return;
	}
	if (b->next != NO_BLOCK)
		b->succ[b->nsucc++] = b->next;
}

/* Depth first without recursion: order of leaving, reversed. */
static void reverse_post_order(struct mfunc *f)
{
	uint32_t *stack = arena_alloc(f->arena, (f->nblocks + 1) * sizeof *stack), depth = 0, left = 0;
	uint8_t *tried = arena_zalloc(f->arena, f->nblocks);
	uint32_t *post = arena_alloc(f->arena, (f->nblocks + 1) * sizeof *post);
	stack[depth++] = 0;
	f->blocks[0]->reachable = true;
	while (depth) {
		struct mblock *b = f->blocks[stack[depth - 1]];
		if (tried[b->id] < b->nsucc) {
			/* last successor first: the fall-through then follows its block in the order */
			struct mblock *to = f->blocks[b->succ[b->nsucc - 1 - tried[b->id]++]];

			if (!to->reachable) {
				to->reachable = true;
				stack[depth++] = to->id;
			}
			continue;
		}
		post[left++] = b->id;
		depth--;
	}
	f->rpo = arena_alloc(f->arena, (left + 1) * sizeof *f->rpo);
	f->nrpo = left;
	for (uint32_t i = 0; i < left; i++) {
		f->rpo[i] = post[left - 1 - i];
		f->blocks[f->rpo[i]]->rpo = i;
	}
}

static void drop_unreachable(struct mfunc *f)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < f->norder; i++)
		if (f->blocks[f->order[i]]->reachable)
			f->order[n++] = f->order[i];
	f->norder = n;
}

static void find_predecessors(struct mfunc *f)
{
	uint32_t total = 0, *pool;
	for (uint32_t i = 0; i < f->nrpo; i++)
		for (uint32_t k = 0; k < f->blocks[f->rpo[i]]->nsucc; k++) {
			f->blocks[f->blocks[f->rpo[i]]->succ[k]]->npred++;
			total++;
		}
	pool = arena_alloc(f->arena, (total + 1) * sizeof *pool);
	for (uint32_t i = 0; i < f->nrpo; i++) {
		struct mblock *b = f->blocks[f->rpo[i]];
		b->pred = pool;
		pool += b->npred;
		b->npred = 0;
	}
	for (uint32_t i = 0; i < f->nrpo; i++) {
		struct mblock *b = f->blocks[f->rpo[i]];
		for (uint32_t k = 0; k < b->nsucc; k++) {
			struct mblock *to = f->blocks[b->succ[k]];
			to->pred[to->npred++] = b->id;
		}
	}
}

/* Numbers in a walk over a forest, children after parents: each node has the range of numbers of its subtree. `order`
 * lists the nodes parents first; parent() gives NO_BLOCK for roots. */
struct forest {
	struct mfunc *f;
	const uint32_t *order;
	uint32_t n;
	uint32_t (*parent)(const struct mblock *b);
	void (*give)(struct mblock *b, uint32_t first, uint32_t last);
};

static void number_forest(const struct forest *t)
{
	uint32_t *size = arena_zalloc(t->f->arena, (t->f->nblocks + 1) * sizeof *size), next = 0;
	uint32_t *free_at = arena_zalloc(t->f->arena, (t->f->nblocks + 1) * sizeof *free_at);
	for (uint32_t i = t->n; i-- > 0;) {
		uint32_t p = t->parent(t->f->blocks[t->order[i]]);
		size[t->order[i]]++;
		if (p != NO_BLOCK)
			size[p] += size[t->order[i]];
	}
	for (uint32_t i = 0; i < t->n; i++) {
		struct mblock *b = t->f->blocks[t->order[i]];
		uint32_t p = t->parent(b), *from = p == NO_BLOCK ? &next : &free_at[p], first = *from;
		*from += size[b->id];
		free_at[b->id] = first + 1;
		t->give(b, first, first + size[b->id] - 1);
	}
}

static uint32_t dominator(const struct mblock *b)
{
	return b->idom;
}

static void give_dominated(struct mblock *b, uint32_t first, uint32_t last)
{
	b->dom_first = first;
	b->dom_last = last;
}

static uint32_t outer_loop(const struct mblock *b)
{
	return b->loop_parent;
}

static void give_loops(struct mblock *b, uint32_t first, uint32_t last)
{
	b->loop_first = first;
	b->loop_last = last;
}

/* Headers of outer loops stand before headers of inner loops in the order. */
static void number_loops(struct mfunc *f)
{
	uint32_t *headers = arena_alloc(f->arena, (f->nrpo + 1) * sizeof *headers), n = 0;
	for (uint32_t i = 0; i < f->nrpo; i++)
		if (f->blocks[f->rpo[i]]->loop == f->rpo[i])
			headers[n++] = f->rpo[i];
	number_forest(&(struct forest){f, headers, n, outer_loop, give_loops});
}

static bool is_exit(const struct mblock *b)
{
	return b->nsucc == 0;
}

static void find_post_dominators(struct mfunc *f)
{
	uint32_t end = NO_BLOCK;
	for (uint32_t i = f->norder; i-- > 0 && end == NO_BLOCK;)
		if (is_exit(f->blocks[f->order[i]]))
			end = f->order[i];
	if (end != NO_BLOCK)
		lower_post_dominators(f, end);
}

/* Gives to the loop of `header` the blocks with a way to a back edge of `header` without passing `header`. Inner loops
 * are done already: an inner loop becomes a child of the loop as a whole. */
static void collect_loop(struct mfunc *f, uint32_t header, uint32_t *stack)
{
	struct mblock *h = f->blocks[header];
	uint32_t depth = 0;
	for (uint32_t k = 0; k < h->npred; k++)
		if (block_dominates(f, header, h->pred[k]))
			stack[depth++] = h->pred[k];
	if (!depth)
		return;
	while (depth) {
		struct mblock *b = f->blocks[stack[--depth]];
		uint32_t top = b->loop;
		while (top != NO_BLOCK && top != header && f->blocks[top]->loop_parent != NO_BLOCK)
			top = f->blocks[top]->loop_parent;
		if (top == header)
			continue;
		if (top == NO_BLOCK) {
			b->loop = header;
			if (b->id == header)
				continue;
		} else {
			b = f->blocks[top];
			b->loop_parent = header;
		}
		for (uint32_t k = 0; k < b->npred; k++)
			if (!(top != NO_BLOCK && block_dominates(f, top, b->pred[k])))
				stack[depth++] = b->pred[k];
	}
	h->loop = header;
}

static void find_loops(struct mfunc *f)
{
	uint32_t edges = 0, *stack;
	f->irreducible = false;
	for (uint32_t i = 0; i < f->nrpo; i++) {
		struct mblock *b = f->blocks[f->rpo[i]];
		edges += b->nsucc;
		for (uint32_t k = 0; k < b->nsucc; k++)
			if (f->blocks[b->succ[k]]->rpo <= i && !block_dominates(f, b->succ[k], b->id))
				f->irreducible = true;
	}
	stack = arena_alloc(f->arena, (2 * edges + f->nblocks + 1) * sizeof *stack);
	for (uint32_t i = f->nrpo; i-- > 0;)
		collect_loop(f, f->rpo[i], stack);
}

void lower_cfg(struct mfunc *f)
{
	for (uint32_t i = 0; i < f->nblocks; i++) {
		struct mblock *b = f->blocks[i];
		b->reachable = b->reaches_end = false;
		b->npred = b->pdom_depth = 0;
		b->idom = b->ipdom = b->loop = b->loop_parent = NO_BLOCK;
		find_successors(b);
	}
	reverse_post_order(f);
	drop_unreachable(f);
	find_predecessors(f);
	lower_dominators(f);
	number_forest(&(struct forest){f, f->rpo, f->nrpo, dominator, give_dominated});
	find_post_dominators(f);
	find_loops(f);
	number_loops(f);
}
