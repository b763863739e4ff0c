// SPDX-License-Identifier: Apache-2.0
/* converge_waits.c -- waits for branches whose lanes no convergence barrier lets meet.
 *
 * Some regions get no barrier: two loops have one header, some lanes enter from outside, or no barrier register is left.
 * Selection may take all lanes to be together behind, as uniform.c says. Then WARPSYNC.ALL stands there, if code from
 * there on is for all lanes of the warp. */
#include "converge.h"

/* The instruction takes other lanes of the warp to be here, too. A BAR waits for lanes at other places by itself. */
static bool is_for_the_warp(const struct minst *in)
{
	return in->word || minst_has(in, WL_TRAIT(COLLECTIVE)) || in->w.uop == WL_UOP_UCGABAR;
}

static bool is_wait_of_all(const struct minst *in)
{
	return in->w.uop == WL_UOP_WARPSYNC && in->guard == REF_NONE && in->w.src[0] == WL_SRC_IMM &&
	       in->w.imm == UINT32_MAX;
}

enum first_use { NO_USE, USES_WARP, WAITS_FOR_WARP };

static enum first_use first_use(const struct mblock *b)
{
	for (uint32_t i = 0; i < b->n; i++) {
		if (is_wait_of_all(&b->ins[i]))
			return WAITS_FOR_WARP;
		if (b->whole && is_for_the_warp(&b->ins[i]))
			return USES_WARP;
	}
	return NO_USE;
}

/* By block: a way leads from the start of the block to code for all lanes of the warp, without a wait for the lanes. */
static bool *find_users(const struct mfunc *f)
{
	bool *uses = arena_zalloc(f->arena, f->nblocks);
	uint32_t *stack = arena_alloc(f->arena, f->nblocks * sizeof *stack), depth = 0;
	for (uint32_t i = 0; i < f->nrpo; i++)
		if (first_use(f->blocks[f->rpo[i]]) == USES_WARP) {
			uses[f->rpo[i]] = true;
			stack[depth++] = f->rpo[i];
		}
	while (depth) {
		const struct mblock *b = f->blocks[stack[--depth]];
		for (uint32_t k = 0; k < b->npred; k++)
			if (!uses[b->pred[k]] && first_use(f->blocks[b->pred[k]]) == NO_USE) {
				uses[b->pred[k]] = true;
				stack[depth++] = b->pred[k];
			}
	}
	return uses;
}

/* The lanes of the branch meet in this block by the barrier of a region around. */
static bool meet_around(const struct converge *c, uint32_t branch, uint32_t block)
{
	for (uint32_t i = c->meeting[block]; i != NO_REGION; i = c->r[i].same_meet)
		if (!c->r[i].dropped && inside(c->f, &c->r[i], branch))
			return true;
	return false;
}

/* Some lanes may meet in the block: by a barrier, or by a wait in front. */
static bool is_place(const struct converge *c, uint32_t block)
{
	if (c->f->blocks[block]->whole)
		return true;
	for (uint32_t i = block < c->nmeeting ? c->meeting[block] : NO_REGION; i != NO_REGION; i = c->r[i].same_meet)
		if (!c->r[i].dropped)
			return true;
	return false;
}

/* By block: the first place from the block on, up the tree of post-dominators. */
static uint32_t *find_places(const struct converge *c)
{
	const struct mfunc *f = c->f;
	uint32_t *place = arena_alloc(f->arena, (f->nblocks + 1) * sizeof *place);
	uint32_t *stack = arena_alloc(f->arena, (f->nblocks + 1) * sizeof *stack);
	bool *known = arena_zalloc(f->arena, f->nblocks + 1);
	for (uint32_t b = 0; b < f->nblocks; b++) {
		uint32_t n = 0, at = b;
		for (; at != NO_BLOCK && !known[at]; at = f->blocks[at]->ipdom)
			stack[n++] = at;
		uint32_t next = at == NO_BLOCK ? NO_BLOCK : place[at];
		while (n) {
			at = stack[--n];
			next = is_place(c, at) ? at : next;
			place[at] = next;
			known[at] = true;
		}
	}
	return place;
}

/* The first block behind the branch where selection takes all running lanes of the warp to come together. NO_BLOCK:
 * none, or the lanes meet before. */
static uint32_t first_whole(const struct converge *c, const struct parted *p, const uint32_t *place)
{
	const struct mfunc *f = c->f;
	uint32_t b = p->meet == NO_BLOCK ? NO_BLOCK : place[p->meet];
	for (; b != NO_BLOCK; b = f->blocks[b]->ipdom == NO_BLOCK ? NO_BLOCK : place[f->blocks[b]->ipdom]) {
		if (b < c->nmeeting && meet_around(c, p->branch, b))
			return NO_BLOCK;
		if (f->blocks[b]->whole)
			break;
	}
	return b;
}

static void insert_wait(struct mfunc *f, struct mblock *b)
{
	struct minst in = minst_make(WL_UOP_WARPSYNC, first_line(b));
	if (b->n && is_wait_of_all(&b->ins[0]))
		return;
	in.w.src[0] = WL_SRC_IMM;
	in.w.imm = UINT32_MAX;
	mfunc_note(f, in.line, "WARPSYNC: a branch before has no convergence barrier");
	mblock_insert(f, b, 0, &in);
}

/* Lanes without a barrier wait for all lanes where selection takes the lanes to be together, if code from there on is
 * for all lanes. */
void converge_insert_waits(const struct converge *c)
{
	const bool *uses = c->nparted ? find_users(c->f) : NULL;
	const uint32_t *place = c->nparted ? find_places(c) : NULL;
	for (uint32_t i = 0; i < c->nparted; i++) {
		const uint32_t at = first_whole(c, &c->parted[i], place);
		if (at != NO_BLOCK && uses[at])
			insert_wait(c->f, c->f->blocks[at]);
	}
}
