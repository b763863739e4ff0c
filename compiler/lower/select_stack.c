// SPDX-License-Identifier: Apache-2.0
/* select_stack.c -- alloca, stacksave, stackrestore: the stack pointer moves, and the frame stays at R2. Arguments of
 * calls lie at the stack pointer: memory of alloca begins behind the arguments. */
#include "select.h"

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
	s->f->uses_sp = s->f->moves_stack = true;
	s->outgoing = select_outgoing(s->f, s->fn);
	s->top = mfunc_fixed(s->f, ABI_STACK_REG);
	s->f->vregs[ref_reg(s->top)].named = true;
	select_mov(s, s->top, val_reg(REF_SP));
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

/* Traps where the instruction runs and the comparison holds. */
static void trap_where(struct select *s, enum wl_cmp cmp, struct val a, struct val b)
{
	const ref p = select_tmp_pred(s);
	struct minst in = select_alu(s, WL_UOP_ISETP, REF_NONE, a, b, VAL_ZERO);
	in.w.op = (uint8_t)cmp;
	in.pd[0] = p;
	if (s->guard != REF_NONE) {
		in.ps[0] = s->guard;
		in.w.ps[0] = s->guard_negated ? NOT_P : 0;
	}
	select_emit(s, &in);
	in = minst_make(WL_UOP_BPT_TRAP, s->line);
	in.guard = p;
	in.w.guard = 0;
	select_emit(s, &in);
}

/* With too little stack, or an invalid size, the pointer would move up instead of down, into memory of others: a trap.
 * The pointer's value is the rest of the stack; the alignment takes of the rest, too. */
static void allocate(struct select *s)
{
	const bool wide = type_bits(s->i->type[0]) == 64;
	const struct val bytes = select_src(s, 1, wide ? 64 : 32);
	const ref size = select_in_reg(s, val_word(bytes, 0), 32), t = select_tmp(s, 1), at = select_tmp(s, 1),
	          down = select_tmp(s, 1);
	struct minst in = select_alu(s, WL_UOP_IADD3, t, val_reg(s->top), val_imm(s->outgoing), val_reg(size));
	int64_t align = 16;
	in.w.neg = 4;
	select_emit(s, &in);
	if (s->i->nops > 2)
		select_literal(s, &s->i->ops[2], &align);
	if (align < 16)
		align = 16;
	select_lop3(s, at, val_reg(t), val_imm((uint32_t)-align), VAL_ZERO, LUT_A & LUT_B);
	select_add(s, down, val_reg(at), val_imm(-s->outgoing));
	trap_where(s, WL_CMP_GT, val_reg(size), val_reg(s->top));
	if (align > 16)
		trap_where(s, WL_CMP_GT, val_reg(down), val_reg(s->top));
	if (wide && !(bytes.kind == WL_SRC_IMM && bytes.imm >> 32 == 0))
		trap_where(s, WL_CMP_NE, val_word(bytes, 1), VAL_ZERO);
	select_mov(s, s->top, val_reg(down));
	put_address(s, val_reg(at));
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
