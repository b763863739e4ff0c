// SPDX-License-Identifier: Apache-2.0
#include "skeleton.h"

static bool leaves(const struct ptx_instr *i)
{
	return i->op == PTX_OP_bra || i->op == PTX_OP_ret || i->op == PTX_OP_exit || i->op == PTX_OP_brx_idx;
}

static uint32_t block_at(const struct skeleton *s, const struct ptx_function *fn, uint32_t label)
{
	return s->block_of[fn->labels[label].instr];
}

static void find_blocks(struct arena *a, const struct ptx_function *fn, struct skeleton *s)
{
	bool *starts = arena_zalloc(a, fn->ninstrs + 2);
	for (uint32_t l = 0; l < fn->nlabels; l++)
		if (fn->labels[l].instr <= fn->ninstrs)
			starts[fn->labels[l].instr] = true;
	for (uint32_t i = 0; i < fn->ninstrs; i++)
		if (leaves(&fn->instrs[i]) || fn->instrs[i].op == PTX_OP_call)
			starts[i + 1] = true;
	for (uint32_t i = 0; i <= fn->ninstrs; i++) {
		if (starts[i] || i == 0)
			mfunc_place(&s->f, mfunc_new_block(&s->f)->id);
		s->block_of[i] = s->f.nblocks - 1;
	}
}

static bool link_blocks(struct arena *a, const struct ptx_function *fn, struct skeleton *s)
{
	s->first = arena_zalloc(a, (s->f.nblocks + 1) * sizeof *s->first);
	s->last = arena_zalloc(a, (s->f.nblocks + 1) * sizeof *s->last);
	for (uint32_t i = fn->ninstrs; i-- > 0;)
		s->first[s->block_of[i]] = i;
	for (uint32_t i = 0; i < fn->ninstrs; i++)
		s->last[s->block_of[i]] = i + 1;
	for (uint32_t b = 0; b < s->f.nblocks; b++) {
		const struct ptx_instr *i = s->last[b] ? &fn->instrs[s->last[b] - 1] : NULL;
		bool end = b + 1 == s->f.nblocks;
		struct minst in;
		s->f.blocks[b]->next = end ? NO_BLOCK : b + 1;
		if (i && i->op == PTX_OP_brx_idx)
			return false;
		if (!end && !(i && leaves(i)))
			continue;
		if (i && i->op == PTX_OP_bra && i->ops[0].kind != PTX_O_LABEL)
			return false;
		in = minst_make(i && i->op == PTX_OP_bra ? WL_UOP_BRA : WL_UOP_EXIT, 0);
		if (in.w.uop == WL_UOP_BRA)
			in.target = block_at(s, fn, i->ops[0].label);
		if (i && i->guard != PTX_NONE && !end)
			in.guard = 0; /* any number: only the presence of a guard counts */
		mblock_append(&s->f, s->f.blocks[b], &in);
	}
	lower_cfg(&s->f);
	return true;
}

bool skeleton_make(struct arena *a, const struct ptx_function *fn, struct skeleton *s)
{
	*s = (struct skeleton){.f = {.arena = a}};
	s->block_of = arena_zalloc(a, (fn->ninstrs + 1) * sizeof *s->block_of);
	find_blocks(a, fn, s);
	return link_blocks(a, fn, s);
}
