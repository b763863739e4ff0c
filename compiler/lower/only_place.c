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

static bool are_alike(const struct ptx_instr *a, const struct ptx_instr *b)
{
	return a->op == b->op && a->mode == b->mode && a->operation == b->operation;
}

static bool share_a_loop(const struct mfunc *f, uint32_t a, uint32_t b)
{
	for (uint32_t l = f->blocks[a]->loop; l != NO_BLOCK; l = f->blocks[l]->loop_parent)
		if (loop_contains(f, l, b))
			return true;
	return false;
}

/* No lane waits at one collective while another lane of the mask waits at the other. A lane at the later collective has
 * passed the earlier together with all lanes of the mask, and does not come back. */
static bool in_order(const struct skeleton *s, const struct ptx_function *fn, uint32_t a, uint32_t b)
{
	const uint32_t x = s->block_of[a], y = s->block_of[b];
	if (fn->instrs[a].guard != PTX_NONE || fn->instrs[b].guard != PTX_NONE || share_a_loop(&s->f, x, y))
		return false;
	return block_dominates(&s->f, x, y) || block_dominates(&s->f, y, x);
}

void lower_only_place(struct arena *a, const struct ptx_function *fn, bool *only)
{
	uint32_t at[MOST], n = 0;
	struct skeleton s;
	if (!fn->is_entry)
		return;
	for (uint32_t i = 0; i < fn->ninstrs; i++) {
		if (fn->instrs[i].op == PTX_OP_call) /* the code of the function is not looked at */
			return;
		if (!lower_is_collective(&fn->instrs[i]))
			continue;
		if (n == MOST)
			return;
		at[n++] = i;
	}
	if (!n || !skeleton_make(a, fn, &s) || s.f.irreducible)
		return;
	for (uint32_t i = 0; i < n; i++)
		only[at[i]] = s.f.blocks[s.block_of[at[i]]]->reachable;
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = i + 1; k < n; k++)
			if (are_alike(&fn->instrs[at[i]], &fn->instrs[at[k]]) && !in_order(&s, fn, at[i], at[k]))
				only[at[i]] = only[at[k]] = false;
}
