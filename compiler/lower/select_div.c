// SPDX-License-Identifier: Apache-2.0
/* select_div.c -- integer division and remainder.
 *
 * A float reciprocal is rounded so as not to exceed 2^n / b. Newton steps in fixed point do not exceed 2^n / b either.
 * Then come at most two corrections. For 32 bits one step is enough: 22 bits of the reciprocal become 44. For 64 bits
 * two steps are needed. The cut-off part is then less than two units, so the quotient is at most two too small.
 * Division by zero gives all ones in 32 bits and any value in 64: PTX leaves the result open. */
#include "select.h"

struct divided {
	ref quotient, remainder; /* words or pairs */
};

static ref tmp_mad(struct select *s, unsigned uop, ref a, ref b, ref c)
{
	ref d = select_tmp(s, 1);
	struct minst in = select_alu(s, uop, d, val_reg(a), val_reg(b), val_reg(c));

	select_emit(s, &in);
	return d;
}

static ref unary(struct select *s, unsigned uop, ref a, unsigned op, unsigned type, uint32_t flags)
{
	ref d = select_tmp(s, 1);
	struct minst in = select_alu(s, uop, d, VAL_ZERO, val_reg(a), VAL_ZERO);

	in.w.op = (uint8_t)op;
	in.w.type = (uint8_t)type;
	if (uop == WL_UOP_I2F || uop == WL_UOP_F2I)
		in.w.size = 4;
	in.w.flags |= flags;
	select_emit(s, &in);
	return d;
}

static ref negated(struct select *s, ref a)
{
	ref d = select_tmp(s, 1);
	struct minst in = select_alu(s, WL_UOP_IADD3, d, val_reg(a), VAL_ZERO, VAL_ZERO);

	in.w.neg = 1;
	select_emit(s, &in);
	return d;
}

/* Where r >= b: r -= b and q += 1. */
static void correct(struct select *s, struct divided *v, ref b)
{
	ref p = select_tmp_pred(s), r = select_tmp(s, 1), q = select_tmp(s, 1), r2 = select_tmp(s, 1),
	    q2 = select_tmp(s, 1);
	struct minst in;

	select_cmp(s, p, WL_CMP_GE, false, 32, val_reg(v->remainder), val_reg(b));
	in = select_alu(s, WL_UOP_IADD3, r, val_reg(v->remainder), val_reg(b), VAL_ZERO);
	in.w.neg = 2;
	select_emit(s, &in);
	select_add(s, q, val_reg(v->quotient), val_imm(1));
	select_sel(s, r2, val_reg(r), val_reg(v->remainder), p, false);
	select_sel(s, q2, val_reg(q), val_reg(v->quotient), p, false);
	v->remainder = r2;
	v->quotient = q2;
}

static struct divided divide32(struct select *s, ref a, ref b)
{
	enum { TWO_TO_THE32_LESS = 0x0ffffffe }; /* added to the bits of a float: times 2^32, two units below */
	struct divided v;
	ref f = unary(s, WL_UOP_I2F, b, 0, WL_RP, 0), r = unary(s, WL_UOP_MUFU, f, WL_MUFU_RCP, 0, 0);
	ref scaled = select_tmp(s, 1), better = select_tmp(s, 1), minus_b = negated(s, b), error, p, q;

	select_add(s, scaled, val_reg(r), val_imm(TWO_TO_THE32_LESS));
	r = unary(s, WL_UOP_F2I, scaled, 0, WL_RZ_TRUNC, WL_F_FTZ | WL_F_NTZ);
	error = tmp_mad(s, WL_UOP_IMAD, minus_b, r, REF_NONE); /* 2^32 - b r */
	select_add(s, better, val_reg(r), val_reg(tmp_mad(s, WL_UOP_IMAD_HI, r, error, REF_NONE)));
	r = better;
	v.quotient = tmp_mad(s, WL_UOP_IMAD_HI, r, a, REF_NONE);
	v.remainder = tmp_mad(s, WL_UOP_IMAD, minus_b, v.quotient, a);
	correct(s, &v, b);
	correct(s, &v, b);
	p = select_tmp_pred(s);
	q = select_tmp(s, 1);
	select_cmp(s, p, WL_CMP_EQ, false, 32, val_reg(b), VAL_ZERO);
	select_sel(s, q, val_reg(v.quotient), val_imm(0xffffffff), p, true);
	v.quotient = q;
	return v;
}

static ref absolute32(struct select *s, ref a)
{
	return unary(s, WL_UOP_IABS, a, 0, 0, 0);
}

static void result32(struct select *s, ref a, ref b)
{
	bool sign = type_signed(s->i->type[0]), rem = s->i->op == PTX_OP_rem;
	struct divided v = sign ? divide32(s, absolute32(s, a), absolute32(s, b)) : divide32(s, a, b);
	ref r = rem ? v.remainder : v.quotient, p, t;

	if (!sign) {
		select_mov(s, select_dst(s, 0), val_reg(r));
		return;
	}
	p = select_tmp_pred(s);
	if (rem) { /* the remainder has the sign of the dividend */
		select_cmp(s, p, WL_CMP_LT, true, 32, val_reg(a), VAL_ZERO);
	} else {
		t = select_tmp(s, 1);
		select_lop3(s, t, val_reg(a), val_reg(b), VAL_ZERO, LUT_A ^ LUT_B);
		select_cmp(s, p, WL_CMP_LT, true, 32, val_reg(t), VAL_ZERO);
	}
	select_sel(s, select_dst(s, 0), val_reg(negated(s, r)), val_reg(r), p, false);
}

/* ---- 64 bits ---- */

static void choose_pair(struct select *s, ref d, ref a, ref b, ref p)
{
	select_sel(s, d, val_reg(a), val_reg(b), p, false);
	select_sel(s, d + 1, val_reg(a + 1), val_reg(b + 1), p, false);
}

static void correct64(struct select *s, struct divided *v, ref b)
{
	struct divided old = *v;
	ref p = select_tmp_pred(s), r = select_tmp(s, 2), q = select_tmp(s, 2);

	v->quotient = select_tmp(s, 2);
	v->remainder = select_tmp(s, 2);
	select_cmp(s, p, WL_CMP_GE, false, 64, val_reg(old.remainder), val_reg(b));
	select_add64(s, r, val_reg(old.remainder), val_reg(b), true);
	select_add64(s, q, val_reg(old.quotient), val_imm(1), false);
	choose_pair(s, v->remainder, r, old.remainder, p);
	choose_pair(s, v->quotient, q, old.quotient, p);
}

static struct divided divide64(struct select *s, ref a, ref b)
{
	enum { TWO_TO_THE64_LESS = 0x1ffffffe }; /* added to the bits of a float: times 2^64, two units below */
	struct divided v;
	ref f = select_tmp(s, 1), scaled = select_tmp(s, 1), r = select_tmp(s, 2), minus_b = select_tmp(s, 2);
	struct minst in = select_alu(s, WL_UOP_I2F, f, VAL_ZERO, val_reg(b), VAL_ZERO);

	in.w.type = WL_RP;
	in.w.size = 8;
	select_emit(s, &in);
	f = unary(s, WL_UOP_MUFU, f, WL_MUFU_RCP, 0, 0);
	select_add(s, scaled, val_reg(f), val_imm(TWO_TO_THE64_LESS));
	in = select_alu(s, WL_UOP_F2I, r, VAL_ZERO, val_reg(scaled), VAL_ZERO);
	in.w.type = WL_RZ_TRUNC;
	in.w.size = 8;
	select_emit(s, &in);
	select_add64(s, minus_b, VAL_ZERO, val_reg(b), true);
	for (unsigned steps = 0; steps < 2; steps++) {
		ref error = select_product_low(s, val_reg(minus_b), val_reg(r), VAL_ZERO); /* 2^64 - b r */
		r = select_product_high(s, val_reg(r), val_reg(error), val_reg(r), false);
	}
	v.quotient = select_product_high(s, val_reg(r), val_reg(a), VAL_ZERO, false);
	v.remainder = select_product_low(s, val_reg(minus_b), val_reg(v.quotient), val_reg(a)); /* a - b q */
	correct64(s, &v, b);
	correct64(s, &v, b);
	return v;
}

/* Negated where p: (x ^ m) - m with m all ones or zero. */
static ref apply_sign(struct select *s, ref x, ref m)
{
	ref t = select_tmp(s, 2), mm = select_tmp(s, 2), d = select_tmp(s, 2);

	for (unsigned w = 0; w < 2; w++) {
		select_mov(s, mm + w, val_reg(m));
		select_lop3(s, t + w, val_reg(x + w), val_reg(m), VAL_ZERO, LUT_A ^ LUT_B);
	}
	select_add64(s, d, val_reg(t), val_reg(mm), true);
	return d;
}

static ref sign_mask(struct select *s, ref a)
{
	ref m = select_tmp(s, 1);

	select_shift(s, m, false, true, val_reg(a + 1), val_imm(31));
	return m;
}

static void result64(struct select *s, struct val av, struct val bv)
{
	bool sign = type_signed(s->i->type[0]), rem = s->i->op == PTX_OP_rem;
	struct mblock *behind = select_guard_around(s);
	ref a = select_tmp(s, 2), b = select_tmp(s, 2), r, ma = REF_NONE, m = REF_NONE;
	struct divided v;

	select_mov64(s, a, av);
	select_mov64(s, b, bv);
	if (sign) {
		ref mb = sign_mask(s, b);

		ma = sign_mask(s, a);
		m = select_tmp(s, 1);
		select_lop3(s, m, val_reg(ma), val_reg(mb), VAL_ZERO, LUT_A ^ LUT_B);
		v = divide64(s, apply_sign(s, a, ma), apply_sign(s, b, mb));
	} else {
		v = divide64(s, a, b);
	}
	r = rem ? v.remainder : v.quotient;
	if (sign)
		r = apply_sign(s, r, rem ? ma : m);
	select_mov64(s, select_dst(s, 0), val_reg(r));
	if (behind)
		select_fall(s, behind);
}

/* Unsigned by a power of two: a shift or a mask. */
static bool by_power_of_two(struct select *s, unsigned bits)
{
	const struct ptx_operand *o = &s->i->ops[2];
	uint64_t n = (uint64_t)o->imm;
	if (o->kind != PTX_O_INT || type_signed(s->i->type[0]) || bits != 32 || (uint32_t)n == 0 ||
	    ((uint32_t)n & ((uint32_t)n - 1)))
		return false;
	if (s->i->op == PTX_OP_div)
		select_shift(s, select_dst(s, 0), false, false, select_src(s, 1, 32),
		             val_imm((unsigned)__builtin_ctz((uint32_t)n)));
	else
		select_lop3(s, select_dst(s, 0), select_src(s, 1, 32), val_imm((uint32_t)n - 1), VAL_ZERO,
		            LUT_A & LUT_B);
	return true;
}

bool select_div(struct select *s)
{
	const struct ptx_instr *i = s->i;
	unsigned bits = i->ntypes ? type_bits(i->type[0]) : 0;
	bool sign = i->ntypes && type_signed(i->type[0]);
	if ((i->op != PTX_OP_div && i->op != PTX_OP_rem) || type_float(i->type[0]))
		return false;
	if (by_power_of_two(s, bits))
		return true;
	if (bits == 64)
		result64(s, select_src(s, 1, 64), select_src(s, 2, 64));
	else
		result32(s, select_in_reg(s, select_extend(s, select_src(s, 1, bits), bits, sign), 32),
		         select_in_reg(s, select_extend(s, select_src(s, 2, bits), bits, sign), 32));
	return true;
}
