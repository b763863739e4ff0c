// SPDX-License-Identifier: Apache-2.0
/* only_place.c -- collectives reached by lanes of a mask at a single place of the code. */
#include "only_place.h"

#include "skeleton.h"

enum { MOST = 2000 }; /* collectives of a function; pairs are compared */

bool lower_is_collective(const struct ptx_instr *i)
{
	return i->op == PTX_OP_shfl || i->op == PTX_OP_vote || i->op == PTX_OP_match || i->op == PTX_OP_redux ||
	       i->op == PTX_OP_bar_warp;
}

bool lower_waits_for_lanes(const struct ptx_instr *i)
{
	return lower_is_collective(i) || i->op == PTX_OP_elect;
}

static bool are_alike(const struct ptx_instr *a, const struct ptx_instr *b)
{
	return a->op == b->op && a->mode == b->mode && a->operation == b->operation;
}

struct places {
	struct skeleton s;
	const struct ptx_function *fn;
	const struct uniform *u; /* NULL: lanes leave loops together */
};

/* Each round of the loop passes the block. */
static bool in_each_round(const struct mfunc *f, uint32_t header, uint32_t block)
{
	for (uint32_t b = 0; b < f->nblocks; b++)
		for (unsigned k = 0; k < f->blocks[b]->nsucc; k++)
			if (f->blocks[b]->succ[k] == header && loop_contains(f, header, b) &&
			    !block_dominates(f, block, b))
				return false;
	return true;
}

/* All lanes leave the loop in the same round. */
static bool left_together(const struct places *p, uint32_t header)
{
	const struct mfunc *f = &p->s.f;
	for (uint32_t b = 0; p->u && b < f->nblocks; b++)
		for (unsigned k = 0; f->blocks[b]->nsucc == 2 && k < 2 && loop_contains(f, header, b); k++) {
			const uint32_t last = p->s.last[b] - 1;
			const uint32_t guard = p->fn->instrs[last].guard;
			if (!loop_contains(f, header, f->blocks[b]->succ[k]) &&
			    (p->u->apart[last] || (guard != PTX_NONE && p->u->varies[guard] && !p->u->agreed[last])))
				return false;
		}
	return true;
}

/* No lane waits at one collective while another lane of the mask waits at the other. A lane at the later collective has
 * passed the earlier together with all lanes of the mask, and comes back behind all of these, if at all. */
static bool in_order(const struct places *p, uint32_t a, uint32_t b)
{
	const struct mfunc *f = &p->s.f;
	uint32_t x = p->s.block_of[a], y = p->s.block_of[b]; /* x: earlier */
	if (p->fn->instrs[a].guard != PTX_NONE || p->fn->instrs[b].guard != PTX_NONE)
		return false;
	if (!block_dominates(f, x, y)) {
		const uint32_t other = x;
		x = y;
		y = other;
	}
	if (!block_dominates(f, x, y))
		return false;
	uint32_t loop = f->blocks[x]->loop;
	for (; loop != NO_BLOCK && !loop_contains(f, loop, y); loop = f->blocks[loop]->loop_parent)
		if (!left_together(p, loop))
			return false;
	for (; loop != NO_BLOCK; loop = f->blocks[loop]->loop_parent)
		if (!in_each_round(f, loop, y))
			return false;
	return true;
}

void lower_only_place(struct arena *a, const struct ptx_function *fn, const struct uniform *u, bool *only)
{
	uint32_t at[MOST], n = 0;
	struct places p = {.fn = fn, .u = u};
	if (!fn->is_entry)
		return;
	for (uint32_t i = 0; i < fn->ninstrs; i++) {
		if (fn->instrs[i].op == PTX_OP_call) /* the code of the function is not looked at */
			return;
		if (!lower_waits_for_lanes(&fn->instrs[i]))
			continue;
		if (n == MOST)
			return;
		at[n++] = i;
	}
	if (!n || !skeleton_make(a, fn, &p.s) || p.s.f.irreducible)
		return;
	for (uint32_t i = 0; i < n; i++)
		only[at[i]] = p.s.f.blocks[p.s.block_of[at[i]]]->reachable;
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = i + 1; k < n; k++)
			if (are_alike(&fn->instrs[at[i]], &fn->instrs[at[k]]) && !in_order(&p, at[i], at[k]))
				only[at[i]] = only[at[k]] = false;
}
