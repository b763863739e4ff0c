// SPDX-License-Identifier: Apache-2.0
/* shortcut.c -- fewer blocks: ways lead around empty blocks; a branch to a bare EXIT becomes an EXIT with the same
 * guard; a block takes in its only successor, if the successor has no other predecessor.
 *
 * Works on the graph of cfg.c; the graph must be made anew afterwards. An empty block stays where lanes are to meet: as
 * the way back of a loop, or as named by selection. */
#include "mir.h"

struct shortcut {
	struct mfunc *f;
	bool *stays; /* by block: named by selection as a meeting place */
};

static struct minst *branch_of(struct mblock *b)
{
	return b->n && b->ins[b->n - 1].w.uop == WL_UOP_BRA ? &b->ins[b->n - 1] : NULL;
}

static bool is_bare_exit(const struct mblock *b)
{
	return b->n == 1 && b->ins[0].w.uop == WL_UOP_EXIT && b->ins[0].guard == REF_NONE;
}

/* Each step goes on in reverse post-order: the steps cannot come round. */
static uint32_t destination(const struct shortcut *s, uint32_t b)
{
	const struct mblock *at = s->f->blocks[b];
	while (at->n == 0 && at->next != NO_BLOCK && !s->stays[at->id] && s->f->blocks[at->next]->rpo > at->rpo)
		at = s->f->blocks[at->next];
	return at->id;
}

static void thread(struct shortcut *s, struct mblock *b)
{
	struct minst *bra = branch_of(b);
	if (b->next != NO_BLOCK)
		b->next = destination(s, b->next);
	if (!bra)
		return;
	bra->target = destination(s, bra->target);
	if (bra->target == b->next)
		b->n--;
}

/* A way leads from block `from` to an end, without the last branch of `b` to `exit`. Post-dominance looks for ends of
 * paths: a loop with the guard of an EXIT as its only end would have no end, and lanes of the loop would never meet. */
static bool ends_otherwise(struct mfunc *f, uint32_t from, const struct mblock *b, uint32_t exit)
{
	uint32_t *stack = arena_alloc(f->arena, (2 * (size_t)f->nblocks + 1) * sizeof *stack), depth = 0;
	uint8_t *seen = arena_zalloc(f->arena, f->nblocks);
	stack[depth++] = from;
	while (depth) {
		struct mblock *at = f->blocks[stack[--depth]];
		const struct minst *bra = branch_of(at);
		if (seen[at->id])
			continue;
		seen[at->id] = 1;
		if (at->n && minst_ends_path(&at->ins[at->n - 1]))
			return true;
		if (at->next != NO_BLOCK && !(at == b && at->next == exit))
			stack[depth++] = at->next;
		if (bra && !(at == b && bra->target == exit))
			stack[depth++] = bra->target;
	}
	return false;
}

static void end_by_guard(struct mfunc *f, struct mblock *b)
{
	struct minst *bra = branch_of(b), exit;
	uint32_t on;
	bool negate;
	if (!bra || b->rejoin != NO_BLOCK || b->next == NO_BLOCK)
		return;
	negate = !is_bare_exit(f->blocks[bra->target]);
	if (negate && !is_bare_exit(f->blocks[b->next]))
		return;
	on = negate ? bra->target : b->next;
	if (f->blocks[on]->rpo <= b->rpo) /* a way back takes a branch anyway; the loop's end stays in sight */
		return;
	if (b->loop != NO_BLOCK && !ends_otherwise(f, on, b, negate ? b->next : bra->target))
		return;
	exit = minst_make(WL_UOP_EXIT, bra->line);
	exit.guard = bra->guard;
	exit.w.guard = negate ? bra->w.guard ^ NOT_P : bra->w.guard;
	*bra = exit;
	b->next = on;
}

/* Edges into each block, plus 1 for the entry. */
static uint32_t *count_edges(struct mfunc *f)
{
	uint32_t *edges = arena_zalloc(f->arena, (f->nblocks + 1) * sizeof *edges);
	edges[0] = 1;
	for (uint32_t i = 0; i < f->nrpo; i++) {
		struct mblock *b = f->blocks[f->rpo[i]];
		const struct minst *bra = branch_of(b);
		if (b->next != NO_BLOCK)
			edges[b->next]++;
		if (bra)
			edges[bra->target]++;
	}
	return edges;
}

static bool joins(const struct shortcut *s, struct mblock *b, const uint32_t *edges)
{
	return b->next != NO_BLOCK && b->next != b->id && edges[b->next] == 1 && !s->stays[b->next] &&
	       b->rejoin == NO_BLOCK && !branch_of(b) &&
	       !(b->n && (minst_is_call(&b->ins[b->n - 1]) || minst_ends_path(&b->ins[b->n - 1])));
}

static void append(struct mfunc *f, struct mblock *b)
{
	struct mblock *next = f->blocks[b->next];
	for (uint32_t k = 0; k < next->n; k++)
		mblock_append(f, b, &next->ins[k]);
	b->next = next->next;
	b->next_line = next->next_line;
	b->rejoin = next->rejoin;
	b->whole |= next->whole;
	next->rejoin = NO_BLOCK;
	next->n = 0;
	next->next = NO_BLOCK;
}

void lower_straighten(struct mfunc *f)
{
	struct shortcut s = {f, arena_zalloc(f->arena, f->nblocks)};
	uint32_t *edges = count_edges(f);
	for (uint32_t i = 0; i < f->nblocks; i++)
		if (f->blocks[i]->rejoin != NO_BLOCK)
			s.stays[f->blocks[i]->rejoin] = true;
	for (uint32_t i = 0; i < f->nrpo; i++) {
		struct mblock *b = f->blocks[f->rpo[i]];
		if (!edges[b->id])
			continue;
		while (joins(&s, b, edges)) {
			edges[b->next] = 0;
			append(f, b);
		}
	}
	lower_cfg(f);
}

void lower_shortcut(struct mfunc *f)
{
	struct shortcut s = {f, arena_zalloc(f->arena, f->nblocks)};
	for (uint32_t i = 0; i < f->nblocks; i++)
		if (f->blocks[i]->rejoin != NO_BLOCK)
			s.stays[f->blocks[i]->rejoin] = true;
	for (uint32_t i = 0; i < f->nrpo; i++)
		thread(&s, f->blocks[f->rpo[i]]);
	for (uint32_t i = 0; i < f->nrpo; i++)
		end_by_guard(f, f->blocks[f->rpo[i]]);
	lower_cfg(f);
	lower_straighten(f);
}
