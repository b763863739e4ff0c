// SPDX-License-Identifier: Apache-2.0
/* select_space.c -- generic addresses: cvta and isspacep. */
#include "select.h"

/* The generic address of byte 0 of bank 0; offsets in the bank are the addresses of parameters. */
static ref parameters(struct select *s)
{
	const struct wl_cb0_layout *cb0 = wl_cb0_layout(s->f->arch);
	const ref named = select_in_reg(s, val_const(target_specials(s->f->target)->params), 64);
	ref t;
	if (s->f->arch < WL_SM90)
		return named;
	t = select_tmp(s, 2); /* the bank has the address of the first parameter */
	select_add64(s, t, val_reg(named), val_imm((uint64_t) - (int64_t)cb0->param), false);
	return t;
}

/* Global addresses are generic addresses without change. The window of shared memory starts at a multiple of 2^32: a
 * shared address is the low word of the generic address. The window of local memory may start anywhere. */
static bool convert_address(struct select *s)
{
	const struct ptx_instr *i = s->i;
	const struct wl_cb0_layout *cb0 = wl_cb0_layout(s->f->arch);
	unsigned space = i->space[0], bits = i->ntypes ? type_bits(i->type[0]) : 0;
	struct val v;
	ref t;

	if (bits != 64)
		return false;
	v = select_src(s, 1, 64);
	if (space == PTX_SP_const) { /* bank 3 has a place among generic addresses */
		struct val base = val_const(target_specials(s->f->target)->constants);
		t = select_tmp(s, 2);
		if (ptx_has(i, PTX_M_to))
			select_add64(s, t, v, val_reg(select_in_reg(s, base, 64)), true);
		else
			select_add64(s, t, val_reg(select_in_reg(s, v, 64)), base, false);
		select_mov64(s, select_dst(s, 0), val_reg(t));
		return true;
	}
	if (space == PTX_SP_param || space == PTX_SP_param_entry) {
		const bool to = ptx_has(i, PTX_M_to);
		t = select_tmp(s, 2);
		select_add64(s, t, to ? v : val_reg(select_in_reg(s, v, 64)), val_reg(parameters(s)), to);
		select_mov64(s, select_dst(s, 0), val_reg(t));
		return true;
	}
	if (space == PTX_SP_global) {
		select_mov64(s, select_dst(s, 0), v);
		return true;
	}
	t = select_tmp(s, 2);
	if (space == PTX_SP_shared || space == PTX_SP_shared_cta || space == PTX_SP_shared_cluster) {
		select_mov(s, t, val_word(v, 0));
		select_mov(s, t + 1, ptx_has(i, PTX_M_to) ? VAL_ZERO : select_shared_window(s));
	} else if (space != PTX_SP_local) {
		return false;
	} else if (ptx_has(i, PTX_M_to)) {
		select_add64(s, t, v, val_reg(select_in_reg(s, val_const(cb0->local_window), 64)), true);
		select_mov(s, t + 1, VAL_ZERO);
	} else {
		select_add64(s, t, val_reg(select_in_reg(s, v, 64)), val_const(cb0->local_window), false);
	}
	select_mov64(s, select_dst(s, 0), val_reg(t));
	return true;
}

/* Parameters lie from `first` to `last` of generic addresses. */
static void parameter_range(struct select *s, ref first, ref last)
{
	const struct wl_cb0_specials *specials = target_specials(s->f->target);
	const struct val begin = val_const(specials->params), end = val_const(specials->params_end);
	ref t;
	if (s->f->arch >= WL_SM90) {
		select_mov64(s, first, begin);
		select_mov64(s, last, end);
		return;
	}
	t = select_tmp(s, 2); /* the bank's generic address, and the last parameter's offset in the bank */
	select_mov(s, t, end);
	select_mov(s, t + 1, VAL_ZERO);
	select_add64(s, last, val_reg(t), begin, false);
	select_add64(s, first, val_reg(select_in_reg(s, begin, 64)), val_imm(s->m->param_base), false);
}

/* d = the generic address lies among the constants (or does not). */
static void is_constant(struct select *s, ref d, ref at, bool negated)
{
	const ref into = select_tmp(s, 2);
	const struct val constants = val_const(target_specials(s->f->target)->constants);
	select_add64(s, into, val_reg(at), val_reg(select_in_reg(s, constants, 64)), true);
	select_cmp(s, d, negated ? WL_CMP_GE : WL_CMP_LT, false, 64, val_reg(into), val_imm(s->m->constant_bytes));
}

/* Constants and parameters lie in windows of the words' global memory; bank 0 has the bounds. */
static void is_in_bank(struct select *s, ref at)
{
	const ref into = select_tmp(s, 2), bytes = select_tmp(s, 2), first = select_tmp(s, 2), last = select_tmp(s, 2);
	if (s->i->space[0] == PTX_SP_const) {
		is_constant(s, select_dst(s, 0), at, false);
		return;
	}
	parameter_range(s, first, last);
	select_add64(s, into, val_reg(at), val_reg(first), true);
	select_add64(s, bytes, val_reg(last), val_reg(first), true);
	select_cmp(s, select_dst(s, 0), WL_CMP_LE, false, 64, val_reg(into), val_reg(bytes));
}

/* PTX ISA, "Generic Addressing": an address in the window of constants is no address of global memory. The window of
 * parameters is part of global memory ("isspacep"). */
static void unless_constant(struct select *s, ref global, ref at)
{
	const ref other = select_tmp_pred(s);
	struct minst in = minst_make(WL_UOP_PLOP3, s->line);
	is_constant(s, other, at, true);
	in.ps[0] = global;
	in.ps[1] = other;
	in.w.ps[0] = in.w.ps[1] = 0;
	in.w.lut = LUT_A & LUT_B;
	in.pd[0] = select_dst(s, 0);
	select_emit(s, &in);
}

static bool is_space(struct select *s)
{
	static const struct {
		uint8_t space, number;
	} spaces[] = {{PTX_SP_global, 0},
	              {PTX_SP_local, 1},
	              {PTX_SP_shared, 2},
	              {PTX_SP_shared_cta, 2},
	              {PTX_SP_shared_cluster, 3}};
	const struct ptx_instr *i = s->i;
	const bool bank =
	        i->space[0] == PTX_SP_const || i->space[0] == PTX_SP_param || i->space[0] == PTX_SP_param_entry;
	const bool apart = i->space[0] == PTX_SP_global && s->m->constant_bytes;
	bool narrow = i->ops[1].kind == PTX_O_REG && s->f->vregs[s->reg[i->ops[1].reg]].words == 1;
	struct minst in = minst_make(WL_UOP_QSPC, s->line);
	ref at = select_in_reg(s, select_src(s, 1, narrow ? 32 : 64), narrow ? 32 : 64);
	if (narrow && (bank || apart || s->f->arch >= WL_SM90)) { /* no 32-bit form any more */
		ref t = select_tmp(s, 2);
		select_mov(s, t, val_reg(at));
		select_mov(s, t + 1, VAL_ZERO);
		at = t;
		narrow = false;
	}
	if (bank) {
		is_in_bank(s, at);
		return true;
	}
	for (unsigned k = 0; k < sizeof spaces / sizeof *spaces; k++) {
		if (spaces[k].space != i->space[0])
			continue;
		in.ra = at;
		in.w.flags = narrow ? 0 : WL_F_E64;
		in.w.op = spaces[k].number;
		in.pd[0] = apart ? select_tmp_pred(s) : select_dst(s, 0);
		select_emit(s, &in);
		if (apart)
			unless_constant(s, in.pd[0], at);
		return true;
	}
	return false;
}

bool select_space(struct select *s)
{
	return s->i->op == PTX_OP_cvta ? convert_address(s) : s->i->op == PTX_OP_isspacep && is_space(s);
}
