// SPDX-License-Identifier: Apache-2.0
/* select_warp.c -- warp collectives: votes, shuffles, the lanes of a warp waiting for each other. */
#include "select.h"

/* The lanes of the mask meet; others may be here with them, so results are cut to the mask. */
static void meet(struct select *s, struct val mask)
{
	struct minst in = minst_make(WL_UOP_WARPSYNC, s->line);
	if (mask.kind == WL_SRC_IMM && (s->f->target->literal_masks || (uint32_t)mask.imm == 0xffffffff)) {
		in.w.src[0] = WL_SRC_IMM;
		in.w.imm = (uint32_t)mask.imm;
	} else {
		in.w.src[0] = WL_SRC_REG;
		in.ra = select_in_reg(s, mask, 32);
	}
	select_emit(s, &in);
}

static bool all_lanes(struct val mask)
{
	return mask.kind == WL_SRC_IMM && (uint32_t)mask.imm == 0xffffffff;
}

/* Mask of the active lanes where p holds. */
static ref ballot(struct select *s, ref d, ref p, uint8_t num)
{
	struct minst in = minst_make(WL_UOP_VOTE, s->line);
	in.w.op = WL_VOTE_ANY;
	in.rd = d;
	in.ps[0] = p;
	in.w.ps[0] = num;
	select_emit(s, &in);
	return d;
}

static struct val cut(struct select *s, ref v, struct val mask)
{
	ref t;

	if (all_lanes(mask))
		return val_reg(v);
	t = select_tmp(s, 1);
	select_lop3(s, t, val_reg(v), mask, VAL_ZERO, LUT_A & LUT_B);
	return val_reg(t);
}

static bool vote(struct select *s)
{
	const struct ptx_instr *i = s->i;
	bool sync = ptx_has(i, PTX_M_sync), uni = ptx_has(i, PTX_M_uni);
	struct val mask = val_imm(0xffffffff), yes, no;
	uint8_t num;
	ref p, none;

	if (i->nops != (sync ? 3 : 2))
		return false;
	if (sync) {
		mask = select_src(s, 2, 32);
		if (val_is_zero(mask))
			return false;
		meet(s, mask);
	}
	p = select_pred(s, &i->ops[1], &num);
	if (i->mode == PTX_M_ballot) {
		select_mov(s, select_dst(s, 0), cut(s, ballot(s, select_tmp(s, 1), p, num), mask));
		return true;
	}
	if (i->mode == PTX_M_any) {
		yes = cut(s, ballot(s, select_tmp(s, 1), p, num), mask);
		select_cmp(s, select_dst(s, 0), WL_CMP_NE, false, 32, yes, VAL_ZERO);
		return true;
	}
	if (i->mode != PTX_M_all && !uni)
		return false;
	no = cut(s, ballot(s, select_tmp(s, 1), p, num ^ NOT_P), mask);
	if (!uni) {
		select_cmp(s, select_dst(s, 0), WL_CMP_EQ, false, 32, no, VAL_ZERO);
		return true;
	}
	yes = cut(s, ballot(s, select_tmp(s, 1), p, num), mask);
	none = select_tmp_pred(s);
	select_cmp(s, none, WL_CMP_EQ, false, 32, yes, VAL_ZERO);
	{
		struct minst in = select_alu(s, WL_UOP_ISETP, REF_NONE, no, VAL_ZERO, VAL_ZERO);
		in.w.op = WL_CMP_EQ;
		in.w.bop = WL_BOOL_OR;
		in.ps[0] = none;
		in.w.ps[0] = 0;
		in.pd[0] = select_dst(s, 0);
		select_emit(s, &in);
	}
	return true;
}

static bool shuffle(struct select *s)
{
	const struct ptx_instr *i = s->i;
	const struct ptx_operand *d = &i->ops[0];
	struct minst in = minst_make(WL_UOP_SHFL, s->line);
	struct val lane, clamp;
	bool sync = ptx_has(i, PTX_M_sync);
	if (i->nops != (sync ? 5 : 4))
		return false;
	if (sync)
		meet(s, select_src(s, 4, 32));
	in.w.op = i->mode == PTX_M_up     ? WL_SHFL_UP
	          : i->mode == PTX_M_down ? WL_SHFL_DOWN
	          : i->mode == PTX_M_bfly ? WL_SHFL_BFLY
	                                  : WL_SHFL_IDX;
	in.w.src[0] = WL_SRC_REG;
	in.ra = select_in_reg(s, select_src(s, 1, 32), 32);
	lane = select_src(s, 2, 32);
	clamp = select_src(s, 3, 32);
	if (lane.kind == WL_SRC_IMM || val_is_zero(lane)) {
		in.w.src[1] = WL_SRC_IMM;
		in.w.imm = (uint32_t)lane.imm & 31;
	} else {
		in.w.src[1] = WL_SRC_REG;
		in.rb = select_in_reg(s, lane, 32);
	}
	if (clamp.kind == WL_SRC_IMM || val_is_zero(clamp)) {
		in.w.src[2] = WL_SRC_IMM;
		in.w.imm2 = (uint32_t)clamp.imm & 0x1f1f;
	} else {
		in.w.src[2] = WL_SRC_REG;
		in.rc = select_in_reg(s, clamp, 32);
	}
	if (d->kind == PTX_O_PAIR) {
		in.rd = select_operand_reg(s, &d->list[0]);
		in.pd[0] = select_operand_reg(s, &d->list[1]);
	} else {
		in.rd = select_operand_reg(s, d);
	}
	select_emit(s, &in);
	return true;
}

/* match.any: the lanes of the mask with this lane's value. match.all: all of them, and true, when they are all of one
 * value; sm_75 has no instruction for it, so the lanes of any are compared with the mask. */
static bool match(struct select *s)
{
	const struct ptx_instr *i = s->i;
	const struct ptx_operand *d = i->ops[0].kind == PTX_O_PAIR ? &i->ops[0].list[0] : &i->ops[0];
	unsigned bits = type_bits(i->type[0]);
	struct minst in = minst_make(WL_UOP_MATCH, s->line);
	struct val mask, same;
	ref p;

	if (i->nops != 3 || (i->mode != PTX_M_any && i->mode != PTX_M_all))
		return false;
	mask = select_src(s, 2, 32);
	meet(s, mask);
	in.w.op = 1;
	in.w.size = bits == 64 ? 8 : 0;
	in.w.src[0] = WL_SRC_REG;
	in.ra = select_in_reg(s, select_src(s, 1, bits), bits);
	in.rd = select_tmp(s, 1);
	select_emit(s, &in);
	same = cut(s, in.rd, mask);
	if (i->mode == PTX_M_any) {
		select_mov(s, select_operand_reg(s, d), same);
		return true;
	}
	p = select_tmp_pred(s);
	select_cmp(s, p, WL_CMP_EQ, false, 32, same, mask);
	same = val_reg(select_in_reg(s, same, 32));
	if (i->ops[0].kind == PTX_O_PAIR && i->ops[0].list[1].kind == PTX_O_REG)
		select_cmp(s, select_operand_reg(s, &i->ops[0].list[1]), WL_CMP_EQ, false, 32, same, mask);
	if (d->kind == PTX_O_REG)
		select_sel(s, select_operand_reg(s, d), same, VAL_ZERO, p, false);
	return true;
}

ref select_redux(struct select *s, unsigned op, bool sign, struct val v)
{
	struct minst in = minst_make(WL_UOP_REDUX, s->line);
	in.w.op = (uint8_t)op;
	in.w.flags = sign ? WL_F_SIGNED : 0;
	in.w.src[0] = WL_SRC_REG;
	in.ra = select_in_reg(s, v, 32);
	in.w.urd = SELECT_UR + 2;
	select_emit(s, &in);
	in = minst_make(WL_UOP_MOV, s->line);
	in.rd = select_tmp(s, 1);
	in.w.src[1] = WL_SRC_UREG;
	in.w.ur = SELECT_UR + 2;
	select_emit(s, &in);
	return in.rd;
}

bool select_warp(struct select *s)
{
	const struct ptx_instr *i = s->i;
	switch (i->op) {
	case PTX_OP_vote:
		return vote(s);
	case PTX_OP_shfl:
		return shuffle(s);
	case PTX_OP_match:
		return match(s);
	case PTX_OP_activemask:
		ballot(s, select_dst(s, 0), REF_NONE, WL_PT);
		return true;
	case PTX_OP_bar_warp:
		meet(s, select_src(s, 0, 32));
		return true;
	default:
		return false;
	}
}
