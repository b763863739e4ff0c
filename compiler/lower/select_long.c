// SPDX-License-Identifier: Apache-2.0
/* select_long.c -- 64-bit integer arithmetic in pairs of 32-bit registers. */
#include "select.h"

void select_add64(struct select *s, ref d, struct val a, struct val b, bool sub)
{
	struct minst in;
	ref carry;

	if (sub && b.kind == WL_SRC_IMM) {
		b = val_imm(-b.imm);
		sub = false;
	}
	if (!sub) {
		if (a.kind != WL_SRC_REG || val_is_zero(a)) {
			struct val t = a;
			a = b;
			b = t;
		}
		if (b.kind != WL_SRC_REG && !mfunc_takes(s->f, PSEUDO_ADD64, 1, b.kind))
			b = val_reg(select_in_reg(s, b, 64));
		in = minst_make(PSEUDO_ADD64, s->line);
		in.rd = d;
		in.w.src[0] = WL_SRC_REG;
		in.ra = select_in_reg(s, a, 64);
		in.w.src[1] = (uint8_t)b.kind;
		in.rb = b.kind == WL_SRC_REG ? b.r : REF_NONE;
		in.imm64 = b.imm;
		in.w.coff = (int32_t)b.off;
		select_emit(s, &in);
		return;
	}
	carry = select_tmp_pred(s);
	in = select_alu(s, WL_UOP_IADD3, d, val_word(a, 0), val_word(b, 0), VAL_ZERO);
	in.w.neg = 2;
	in.pd[0] = carry;
	select_emit(s, &in);
	in = select_alu(s, WL_UOP_IADD3, d + 1, val_word(a, 1), val_word(b, 1), VAL_ZERO);
	in.w.neg = 2;
	in.w.flags |= WL_F_X;
	in.ps[0] = carry;
	in.w.ps[0] = 0;
	in.w.ps[1] = WL_PT | NOT_P;
	select_emit(s, &in);
}

/* d = a * b + c of words, 64-bit result; c a pair. Unsigned. */
static void wide(struct select *s, ref d, struct val a, struct val b, struct val c)
{
	struct minst in;
	if (a.kind != WL_SRC_REG) {
		struct val t = a;
		a = b;
		b = t;
	}
	in = select_alu(s, WL_UOP_IMAD_WIDE, d, a, b, c);
	select_emit(s, &in);
}

static void mad32(struct select *s, ref d, struct val a, struct val b, ref c)
{
	struct minst in;
	if (val_is_zero(a) || val_is_zero(b))
		return;
	if (a.kind != WL_SRC_REG) {
		struct val t = a;
		a = b;
		b = t;
	}
	in = select_alu(s, WL_UOP_IMAD, d, a, b, val_reg(c));
	select_emit(s, &in);
}

/* The low 64 bits of a * b + c. */
ref select_product_low(struct select *s, struct val a, struct val b, struct val c)
{
	ref t = select_tmp(s, 2);

	wide(s, t, val_word(a, 0), val_word(b, 0), c);
	mad32(s, t + 1, val_word(a, 0), val_word(b, 1), t + 1);
	mad32(s, t + 1, val_word(a, 1), val_word(b, 0), t + 1);
	return t;
}

static void subtract_if_negative(struct select *s, ref r, struct val who, struct val what)
{
	ref m = select_tmp(s, 1), t = select_tmp(s, 2);

	select_shift(s, m, false, true, val_word(who, 1), val_imm(31));
	for (unsigned w = 0; w < 2; w++)
		select_lop3(s, t + w, val_reg(m), val_word(what, w), VAL_ZERO, LUT_A & LUT_B);
	select_add64(s, r, val_reg(r), val_reg(t), true);
}

/* d = x + y + z, with the carries of the word below (none: REF_NONE) and the carries to the word above. */
static void add_three(struct select *s, ref d, ref x, ref y, ref z, const ref in_carry[2], const ref out_carry[2])
{
	struct minst in = select_alu(s, WL_UOP_IADD3, d, val_reg(x), val_reg(y), val_reg(z));
	for (unsigned i = 0; i < 2; i++) {
		in.pd[i] = out_carry[i];
		in.ps[i] = in_carry[i];
		if (in_carry[i] != REF_NONE) {
			in.w.ps[i] = 0;
			in.w.flags |= WL_F_X;
		}
	}
	select_emit(s, &in);
}

/* The high 64 bits of the 128-bit product, plus c: school method on 32-bit digits. The signed product is the unsigned
 * product less each factor where the other is negative. */
ref select_product_high(struct select *s, struct val a, struct val b, struct val c, bool sign)
{
	ref low = select_tmp(s, 1), p1 = select_tmp(s, 2), p2 = select_tmp(s, 2), p3 = select_tmp(s, 2),
	    d = select_tmp(s, 2);
	const ref none[2] = {REF_NONE, REF_NONE};
	const ref from_low[2] = {select_tmp_pred(s), select_tmp_pred(s)};
	const ref from_middle[2] = {select_tmp_pred(s), select_tmp_pred(s)};
	struct minst in = select_alu(s, WL_UOP_IMAD_HI, low, val_word(a, 0), val_word(b, 0), VAL_ZERO);

	select_emit(s, &in);
	wide(s, p1, val_word(a, 1), val_word(b, 0), VAL_ZERO);
	wide(s, p2, val_word(a, 0), val_word(b, 1), VAL_ZERO);
	wide(s, p3, val_word(a, 1), val_word(b, 1), c);
	add_three(s, REF_NONE, low, p1, p2, none, from_low);
	add_three(s, d, p1 + 1, p2 + 1, p3, from_low, from_middle);
	add_three(s, d + 1, p3 + 1, REF_NONE, REF_NONE, from_middle, none);
	p3 = d;
	if (sign) {
		subtract_if_negative(s, p3, a, b);
		subtract_if_negative(s, p3, b, a);
	}
	return p3;
}

static void product(struct select *s)
{
	const struct ptx_instr *i = s->i;
	struct val a = val_reg(select_in_reg(s, select_src(s, 1, 64), 64)), b = select_src(s, 2, 64);
	struct val c = i->op == PTX_OP_mad ? select_src(s, 3, 64) : VAL_ZERO;
	ref d = select_dst(s, 0), t;

	if (c.kind == WL_SRC_IMM)
		c = val_reg(select_in_reg(s, c, 64));
	if (i->half == PTX_M_hi) {
		b = val_reg(select_in_reg(s, b, 64));
		t = select_product_high(s, a, b, VAL_ZERO, type_signed(i->type[0]));
		select_add64(s, d, val_reg(t), c, false);
	} else {
		t = select_product_low(s, a, b, c);
		select_mov64(s, d, val_reg(t));
	}
}

/* d = p ? a : b, in pairs; all reads come before the first write. */
static void choose(struct select *s, ref d, struct val a, struct val b, ref p)
{
	ref t = select_tmp(s, 2);

	for (unsigned w = 0; w < 2; w++)
		select_sel(s, t + w, val_word(a, w), val_word(b, w), p, false);
	select_mov64(s, d, val_reg(t));
}

static void min_max(struct select *s)
{
	struct val a = val_reg(select_in_reg(s, select_src(s, 1, 64), 64)), b = select_src(s, 2, 64);
	ref p = select_tmp_pred(s);

	select_cmp(s, p, s->i->op == PTX_OP_min ? WL_CMP_LT : WL_CMP_GT, type_signed(s->i->type[0]), 64, a, b);
	choose(s, select_dst(s, 0), a, b, p);
}

static void absolute(struct select *s)
{
	struct val a = val_reg(select_in_reg(s, select_src(s, 1, 64), 64));
	ref p = select_tmp_pred(s), t = select_tmp(s, 2);

	select_cmp(s, p, WL_CMP_LT, true, 32, val_word(a, 1), VAL_ZERO);
	select_add64(s, t, VAL_ZERO, a, true);
	choose(s, select_dst(s, 0), val_reg(t), a, p);
}

bool select_long(struct select *s)
{
	const struct ptx_instr *i = s->i;
	if (i->ntypes == 0 || type_float(i->type[0]) || type_bits(i->type[0]) != 64 || ptx_has(i, PTX_M_cc))
		return false;
	switch (i->op) {
	case PTX_OP_add:
	case PTX_OP_sub:
		select_add64(s, select_dst(s, 0), select_src(s, 1, 64), select_src(s, 2, 64), i->op == PTX_OP_sub);
		return true;
	case PTX_OP_neg:
		select_add64(s, select_dst(s, 0), VAL_ZERO, val_reg(select_in_reg(s, select_src(s, 1, 64), 64)), true);
		return true;
	case PTX_OP_mul:
	case PTX_OP_mad:
		product(s);
		return true;
	case PTX_OP_min:
	case PTX_OP_max:
		min_max(s);
		return true;
	case PTX_OP_abs:
		absolute(s);
		return true;
	default:
		return false;
	}
}
