// SPDX-License-Identifier: Apache-2.0
/* select_compare.c -- setp, set, selp, slct. */
#include "select.h"

void select_sel(struct select *s, ref d, struct val a, struct val b, ref p, bool negated)
{
	struct minst in = select_alu(s, WL_UOP_SEL, d, a, b, VAL_ZERO);
	in.ps[0] = p;
	in.w.ps[0] = p == REF_NONE ? (negated ? WL_PT | NOT_P : WL_PT) : negated ? NOT_P : 0;
	select_emit(s, &in);
}

/* The comparison with exchanged sides. */
static enum wl_cmp mirrored(enum wl_cmp c)
{
	switch (c) {
	case WL_CMP_LT:
		return WL_CMP_GT;
	case WL_CMP_LE:
		return WL_CMP_GE;
	case WL_CMP_GT:
		return WL_CMP_LT;
	case WL_CMP_GE:
		return WL_CMP_LE;
	default:
		return c;
	}
}

/* An ISETP; the caller fills in results and combining predicate. The low words of 64 bits go first. */
static struct minst compare(struct select *s, enum wl_cmp cmp, bool sign, unsigned bits, struct val a, struct val b)
{
	struct minst in;
	ref low = REF_NONE;

	if (a.kind != WL_SRC_REG) {
		struct val t = a;
		a = b;
		b = t;
		cmp = mirrored(cmp);
	}
	if (bits == 64) {
		low = select_tmp_pred(s);
		in = select_alu(s, WL_UOP_ISETP, REF_NONE, val_word(a, 0), val_word(b, 0), VAL_ZERO);
		in.w.op = (uint8_t)cmp;
		in.pd[0] = low;
		select_emit(s, &in);
		a = val_word(a, 1);
		b = val_word(b, 1);
	}
	in = select_alu(s, WL_UOP_ISETP, REF_NONE, a, b, VAL_ZERO);
	in.w.op = (uint8_t)cmp;
	if (sign)
		in.w.flags |= WL_F_SIGNED;
	if (bits == 64) {
		in.w.flags |= WL_F_EX;
		in.ps[1] = low;
		in.w.ps[1] = 0;
	}
	return in;
}

void select_cmp(struct select *s, ref p, enum wl_cmp cmp, bool sign, unsigned bits, struct val a, struct val b)
{
	struct minst in = compare(s, cmp, sign, bits, a, b);
	in.pd[0] = p;
	select_emit(s, &in);
}

static bool comparison(const struct ptx_instr *i, enum wl_cmp *cmp, bool *sign)
{
	*sign = type_signed(i->type[i->op == PTX_OP_set ? 1 : 0]);
	switch (i->cmp) {
	case PTX_M_eq:
		*cmp = WL_CMP_EQ;
		return true;
	case PTX_M_ne:
		*cmp = WL_CMP_NE;
		return true;
	case PTX_M_lt:
	case PTX_M_lo:
		*cmp = WL_CMP_LT;
		break;
	case PTX_M_le:
	case PTX_M_ls:
		*cmp = WL_CMP_LE;
		break;
	case PTX_M_gt:
	case PTX_M_hi:
		*cmp = WL_CMP_GT;
		break;
	case PTX_M_ge:
	case PTX_M_hs:
		*cmp = WL_CMP_GE;
		break;
	default:
		return false;
	}
	if (i->cmp == PTX_M_lo || i->cmp == PTX_M_ls || i->cmp == PTX_M_hi || i->cmp == PTX_M_hs)
		*sign = false;
	return true;
}

static bool compare_integers(struct select *s, unsigned bits, struct minst *in)
{
	enum wl_cmp cmp;
	bool sign;
	struct val a, b;
	if (!comparison(s->i, &cmp, &sign) || bits < 16 || bits > 64)
		return false;
	a = select_extend(s, select_src(s, 1, bits), bits, sign);
	b = select_extend(s, select_src(s, 2, bits), bits, sign);
	if (a.kind != WL_SRC_REG && b.kind != WL_SRC_REG)
		a = val_reg(select_in_reg(s, a, bits == 64 ? 64 : 32));
	*in = compare(s, cmp, sign, bits, a, b);
	return true;
}

/* The comparison of a setp or set with its boolean operand (operand 3), results not filled in. */
static bool compare_and_combine(struct select *s, struct minst *in)
{
	const struct ptx_instr *i = s->i;
	unsigned type = i->type[i->op == PTX_OP_set ? 1 : 0];
	if (!(type_float(type) ? select_float_compare(s, type, in) : compare_integers(s, type_bits(type), in)))
		return false;
	if (i->operation) {
		in->w.bop = i->operation == PTX_M_and  ? WL_BOOL_AND
		            : i->operation == PTX_M_or ? WL_BOOL_OR
		                                       : WL_BOOL_XOR;
		in->ps[0] = select_pred(s, &i->ops[3], &in->w.ps[0]);
	}
	return true;
}

static bool set_predicate(struct select *s)
{
	const struct ptx_operand *d = &s->i->ops[0];
	struct minst in;
	if (!compare_and_combine(s, &in))
		return false;
	if (d->kind == PTX_O_PAIR) {
		in.pd[0] = select_operand_reg(s, &d->list[0]);
		in.pd[1] = select_operand_reg(s, &d->list[1]);
	} else {
		in.pd[0] = select_operand_reg(s, d);
	}
	select_emit(s, &in);
	return true;
}

/* set: all ones (or 1.0) where true. */
static bool set_mask(struct select *s)
{
	unsigned to = s->i->type[0];
	const bool half = to == PTX_T_f16 || to == PTX_T_bf16;
	const uint32_t yes = to == PTX_T_f16    ? 0x3c00
	                     : to == PTX_T_bf16 ? 0x3f80
	                     : type_float(to)   ? 0x3f800000
	                                        : 0xffffffff;
	ref p = select_tmp_pred(s);
	struct minst in;

	if ((type_bits(to) != 32 && !half) || !compare_and_combine(s, &in))
		return false;
	in.pd[0] = p;
	select_emit(s, &in);
	select_sel(s, select_dst(s, 0), VAL_ZERO, val_imm(yes), p, true);
	return true;
}

/* d = p ? a : b; both sources of a word are read before the word is written. */
static void choose(struct select *s, unsigned bits, ref p, bool negated)
{
	struct val a = select_src(s, 1, bits), b = select_src(s, 2, bits);
	ref d = select_dst(s, 0);

	for (unsigned w = 0; w < (bits == 64 ? 2 : 1); w++) {
		struct val x = val_word(a, w), y = val_word(b, w);
		if (x.kind != WL_SRC_REG && y.kind == WL_SRC_REG)
			select_sel(s, d + w, y, x, p, !negated);
		else
			select_sel(s, d + w, x, y, p, negated);
	}
}

bool select_compare(struct select *s)
{
	const struct ptx_instr *i = s->i;
	unsigned bits = i->ntypes ? type_bits(i->type[0]) : 0;
	uint8_t num;
	ref p;

	switch (i->op) {
	case PTX_OP_setp:
		return set_predicate(s);
	case PTX_OP_set:
		return set_mask(s);
	case PTX_OP_selp:
		if (bits != 16 && bits != 32 && bits != 64)
			return false;
		p = select_pred(s, &i->ops[3], &num);
		choose(s, bits, p, (num & NOT_P) != 0);
		return true;
	case PTX_OP_slct:
		if (i->ntypes < 2 || type_float(i->type[1]) || (bits != 16 && bits != 32 && bits != 64))
			return false;
		p = select_tmp_pred(s);
		select_cmp(s, p, WL_CMP_GE, true, 32, val_reg(select_in_reg(s, select_src(s, 3, 32), 32)), VAL_ZERO);
		choose(s, bits, p, false);
		return true;
	default:
		return false;
	}
}
