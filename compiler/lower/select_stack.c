// SPDX-License-Identifier: Apache-2.0
/* select_stack.c -- alloca, stacksave, stackrestore. What alloca gives away is a part of the frame that is kept for it:
 * calls and the frame's own variables do not move. */
#include "select.h"

enum { DYNAMIC_BYTES = 2048 }; /* for all that a function allocates: more than that traps */

static bool is_ours(unsigned op)
{
	return op == PTX_OP_alloca || op == PTX_OP_stacksave || op == PTX_OP_stackrestore;
}

void select_stack_begin(struct select *s)
{
	bool any = false;
	for (uint32_t k = 0; k < s->fn->ninstrs && !any; k++)
		any = is_ours(s->fn->instrs[k].op);
	if (!any)
		return;
	s->f->frame = (s->f->frame + 15) / 16 * 16;
	s->bottom = s->f->frame;
	s->f->frame += DYNAMIC_BYTES;
	s->f->uses_sp = true;
	s->top = select_tmp(s, 1);
	s->f->vregs[ref_reg(s->top)].named = true;
	select_add(s, s->top, val_reg(REF_SP), val_imm(s->f->frame));
}

static void put_address(struct select *s, struct val v)
{
	ref d = select_dst(s, 0), t;
	if (s->f->vregs[ref_reg(d)].words == 1) {
		select_mov(s, d, v);
		return;
	}
	t = select_tmp(s, 2);
	select_mov(s, t, v);
	select_mov(s, t + 1, VAL_ZERO);
	select_mov64(s, d, val_reg(t));
}

/* Traps where the part of the frame does not do: `bytes` are more than was `left` of it, or the alignment took the top
 * below `floor`. Both are asked, since the difference may have gone round. */
static void trap_beyond(struct select *s, ref bytes, ref left, ref floor)
{
	const ref over = select_tmp_pred(s), below = select_tmp_pred(s);
	struct minst in = select_alu(s, WL_UOP_ISETP, REF_NONE, val_reg(bytes), val_reg(left), VAL_ZERO);
	in.w.op = WL_CMP_GT;
	in.pd[0] = over;
	if (s->guard != REF_NONE) { /* the top stays where the guard is false */
		in.ps[0] = s->guard;
		in.w.ps[0] = s->guard_negated ? NOT_P : 0;
	}
	select_emit(s, &in);
	in = select_alu(s, WL_UOP_ISETP, REF_NONE, val_reg(s->top), val_reg(floor), VAL_ZERO);
	in.w.op = WL_CMP_LT;
	in.w.bop = WL_BOOL_OR;
	in.ps[0] = over;
	in.w.ps[0] = 0;
	in.pd[0] = below;
	select_emit(s, &in);
	in = minst_make(WL_UOP_BPT_TRAP, s->line);
	in.guard = below;
	in.w.guard = 0;
	select_emit(s, &in);
}

static void allocate(struct select *s)
{
	bool wide = type_bits(s->i->type[0]) == 64;
	struct val bytes = val_word(select_src(s, 1, wide ? 64 : 32), 0);
	int64_t align = 16;
	const ref t = select_tmp(s, 1), floor = select_tmp(s, 1), left = select_tmp(s, 1);
	const ref size = select_in_reg(s, bytes, 32);
	struct minst in = select_alu(s, WL_UOP_IADD3, t, val_reg(s->top), val_reg(size), VAL_ZERO);
	in.w.neg = 2;
	select_emit(s, &in);
	select_add(s, floor, val_reg(REF_SP), val_imm(s->bottom));
	in = select_alu(s, WL_UOP_IADD3, left, val_reg(s->top), val_reg(floor), VAL_ZERO);
	in.w.neg = 2;
	select_emit(s, &in);
	if (s->i->nops > 2)
		select_literal(s, &s->i->ops[2], &align);
	if (align < 16)
		align = 16;
	select_lop3(s, s->top, val_reg(t), val_imm((uint32_t)-align), VAL_ZERO, LUT_A & LUT_B);
	trap_beyond(s, size, left, floor);
	put_address(s, val_reg(s->top));
}

bool select_stack(struct select *s)
{
	bool wide;
	if (!is_ours(s->i->op) || s->top == REF_NONE)
		return false;
	wide = s->i->ntypes && type_bits(s->i->type[0]) == 64;
	if (s->i->op == PTX_OP_alloca)
		allocate(s);
	else if (s->i->op == PTX_OP_stacksave)
		put_address(s, val_reg(s->top));
	else
		select_mov(s, s->top, val_word(select_src(s, 0, wide ? 64 : 32), 0));
	return true;
}
