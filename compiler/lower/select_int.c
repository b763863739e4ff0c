// SPDX-License-Identifier: Apache-2.0
/* select_int.c -- 16- and 32-bit integer arithmetic. A 16-bit register has its value in the low half of a 32-bit
 * register. The high half is garbage: code that depends on the high half extends first. */
#include "select.h"

void select_add(struct select *s, ref d, struct val a, struct val b)
{
	struct minst in;
	if (a.kind != WL_SRC_REG || val_is_zero(a)) {
		struct val t = a;
		a = b;
		b = t;
	}
	in = select_alu(s, WL_UOP_IADD3, d, a, b, VAL_ZERO);
	select_emit(s, &in);
}

static void subtract(struct select *s, ref d, struct val a, struct val b)
{
	struct minst in;
	if (b.kind == WL_SRC_IMM) {
		select_add(s, d, a, val_imm((uint32_t)-b.imm));
		return;
	}
	if (b.kind == WL_SRC_CONST && a.kind != WL_SRC_REG)
		b = val_reg(select_in_reg(s, b, 32));
	if (a.kind != WL_SRC_REG) { /* a literal minuend takes the B place, the register is negated in A */
		in = select_alu(s, WL_UOP_IADD3, d, b, a, VAL_ZERO);
		in.w.neg = 1;
	} else {
		in = select_alu(s, WL_UOP_IADD3, d, a, b, VAL_ZERO);
		in.w.neg = 2;
	}
	select_emit(s, &in);
}

struct val select_extend(struct select *s, struct val v, unsigned bits, bool sign)
{
	ref d;

	if (bits >= 32)
		return v;
	if (v.kind == WL_SRC_IMM) {
		uint32_t low = (uint32_t)v.imm & ((1u << bits) - 1);
		return val_imm(sign && (low >> (bits - 1)) ? low | ~((1u << bits) - 1) : low);
	}
	if (val_is_zero(v))
		return v;
	d = select_tmp(s, 1);
	if (sign) {
		ref t = select_tmp(s, 1);

		select_shift(s, t, true, false, v, val_imm(32 - bits));
		select_shift(s, d, false, true, val_reg(t), val_imm(32 - bits));
	} else {
		select_lop3(s, d, v, val_imm((1u << bits) - 1), VAL_ZERO, LUT_A & LUT_B);
	}
	return val_reg(d);
}

static struct val extended(struct select *s, unsigned n, unsigned bits)
{
	return select_extend(s, select_src(s, n, bits), bits, type_signed(s->i->type[0]));
}

/* Literals and constants go to the second factor. */
static void order_factors(struct val *a, struct val *b)
{
	if (a->kind != WL_SRC_REG && b->kind == WL_SRC_REG) {
		struct val t = *a;
		*a = *b;
		*b = t;
	}
}

static void multiply_add(struct select *s, unsigned uop, ref d, struct val a, struct val b, struct val c, bool sign)
{
	struct minst in;
	order_factors(&a, &b);
	in = select_alu(s, uop, d, a, b, c);
	if (sign)
		in.w.flags |= WL_F_SIGNED;
	select_emit(s, &in);
}

void select_umul32(struct select *s, ref d, struct val a, struct val b)
{
	multiply_add(s, WL_UOP_IMAD, d, a, b, VAL_ZERO, false);
}

static void low_product(struct select *s, ref d, struct val a, struct val b)
{
	order_factors(&a, &b);
	if (b.kind == WL_SRC_IMM && (b.imm & (b.imm - 1)) == 0)
		select_shift(s, d, true, false, a, val_imm((unsigned)__builtin_ctzll(b.imm)));
	else
		select_umul32(s, d, a, b);
}

/* mul and mad of 16 and 32 bits. */
static bool product(struct select *s)
{
	const struct ptx_instr *i = s->i;
	unsigned bits = type_bits(i->type[0]);
	bool sign = type_signed(i->type[0]), wide = i->half == PTX_M_wide, high = i->half == PTX_M_hi;
	bool add = i->op == PTX_OP_mad;
	ref d = select_dst(s, 0), t;
	struct val a, b, c;

	if (ptx_has(i, PTX_M_cc) || ptx_has(i, PTX_M_sat) || (i->op == PTX_OP_mad && i->nops < 4))
		return false;
	if (bits == 16 && (wide || high)) {
		a = extended(s, 1, 16);
		b = extended(s, 2, 16);
	} else {
		a = select_src(s, 1, bits);
		b = select_src(s, 2, bits);
	}
	c = add ? select_src(s, 3, wide ? 2 * bits : bits) : VAL_ZERO;
	if (bits == 32 && wide) {
		multiply_add(s, WL_UOP_IMAD_WIDE, d, a, b, c, sign);
	} else if (bits == 32 && high) {
		t = add ? select_tmp(s, 1) : d; /* the addend of IMAD.HI is 64 bits wide */
		multiply_add(s, WL_UOP_IMAD_HI, t, a, b, VAL_ZERO, sign);
		if (add)
			select_add(s, d, val_reg(t), c);
	} else if (bits == 16 && high) {
		t = select_tmp(s, 1);
		select_umul32(s, t, a, b);
		select_shift(s, add ? t : d, false, sign, val_reg(t), val_imm(16));
		if (add)
			select_add(s, d, val_reg(t), c);
	} else if (add) {
		multiply_add(s, WL_UOP_IMAD, d, a, b, c, false);
	} else {
		low_product(s, d, a, b);
	}
	return true;
}

static void min_max(struct select *s, ref d, struct val a, struct val b, bool max, bool sign)
{
	struct minst in;
	order_factors(&a, &b);
	in = select_alu(s, WL_UOP_IMNMX, d, a, b, VAL_ZERO);
	in.w.ps[0] = max ? WL_PT | NOT_P : WL_PT;
	if (sign)
		in.w.flags |= WL_F_SIGNED;
	select_emit(s, &in);
}

/* The carry of add.cc and sub.cc lives in one predicate of the kernel; after a subtraction the carry is "no borrow". */
static ref carry_flag(struct select *s)
{
	if (s->carry == REF_NONE) {
		s->carry = select_tmp_pred(s);
		s->f->vregs[ref_reg(s->carry)].named = true;
	}
	return s->carry;
}

static void with_carry(struct select *s, unsigned words, bool sub, bool in, bool out)
{
	ref d = select_dst(s, 0), cc = carry_flag(s), link = words == 2 ? select_tmp_pred(s) : REF_NONE;
	struct val a = select_src(s, 1, 32 * words), b = select_src(s, 2, 32 * words);

	if (sub && b.kind == WL_SRC_IMM)
		b = val_reg(select_in_reg(s, b, 32 * words)); /* a - b and a + (-b) differ in the carry */
	for (unsigned w = 0; w < words; w++) {
		struct minst add = select_alu(s, WL_UOP_IADD3, d == REF_NONE ? d : d + w, val_word(a, w),
		                              val_word(b, w), VAL_ZERO);

		if (w > 0 || in) {
			add.w.flags |= WL_F_X;
			add.ps[0] = w > 0 ? link : cc;
			add.w.ps[0] = 0;
			add.w.ps[1] = WL_PT | NOT_P;
			add.w.neg = sub ? 2 : 0;
		} else {
			add.w.neg = sub ? 2 : 0;
		}
		if (w + 1 < words)
			add.pd[0] = link;
		else if (out)
			add.pd[0] = cc;
		select_emit(s, &add);
	}
}

static void sum_of_differences(struct select *s)
{
	bool sign = type_signed(s->i->type[0]);
	struct val a = extended(s, 1, type_bits(s->i->type[0])), b = extended(s, 2, type_bits(s->i->type[0]));
	struct val c = select_src(s, 3, type_bits(s->i->type[0]));
	ref hi = select_tmp(s, 1), lo = select_tmp(s, 1);
	struct minst in;

	min_max(s, hi, a, b, true, sign);
	min_max(s, lo, a, b, false, sign);
	in = select_alu(s, WL_UOP_IADD3, select_dst(s, 0), val_reg(lo), c, val_reg(hi));
	in.w.neg = 1;
	select_emit(s, &in);
}

static void absolute(struct select *s)
{
	struct minst in = select_alu(s, WL_UOP_IABS, select_dst(s, 0), VAL_ZERO,
	                             extended(s, 1, type_bits(s->i->type[0])), VAL_ZERO);

	select_emit(s, &in);
}

/* dp4a, dp2a */
static bool dot_product(struct select *s)
{
	const struct ptx_instr *i = s->i;
	struct minst in = select_alu(s, WL_UOP_IDP, select_dst(s, 0), select_src(s, 1, 32), select_src(s, 2, 32),
	                             val_reg(select_in_reg(s, select_src(s, 3, 32), 32)));
	in.w.op = i->op == PTX_OP_dp4a ? 0 : i->half == PTX_M_hi ? 2 : 1;
	in.w.type = (uint8_t)(type_signed(i->type[0]) | type_signed(i->type[1]) << 1);
	select_emit(s, &in);
	return true;
}

bool select_int(struct select *s)
{
	const struct ptx_instr *i = s->i;
	unsigned t = i->type[0], bits = type_bits(t);
	bool cc = ptx_has(i, PTX_M_cc);
	if (i->ntypes == 0 || type_float(t) || ptx_types[t].cls == PTX_CLASS_PRED)
		return false;
	if (i->op == PTX_OP_dp4a || i->op == PTX_OP_dp2a)
		return dot_product(s);
	if ((bits == 32 || bits == 64) && !ptx_has(i, PTX_M_sat)) {
		bool in = i->op == PTX_OP_addc || i->op == PTX_OP_subc;
		if (in || (cc && (i->op == PTX_OP_add || i->op == PTX_OP_sub))) {
			with_carry(s, bits / 32, i->op == PTX_OP_sub || i->op == PTX_OP_subc, in, cc);
			return true;
		}
	}
	if ((bits != 16 && bits != 32) || ptx_has(i, PTX_M_sat) || cc || ptx_has(i, PTX_M_relu) || t == PTX_T_u16x2 ||
	    t == PTX_T_s16x2)
		return false;
	switch (i->op) {
	case PTX_OP_add:
		select_add(s, select_dst(s, 0), select_src(s, 1, bits), select_src(s, 2, bits));
		return true;
	case PTX_OP_sub:
		subtract(s, select_dst(s, 0), select_src(s, 1, bits), select_src(s, 2, bits));
		return true;
	case PTX_OP_neg:
		subtract(s, select_dst(s, 0), VAL_ZERO, select_src(s, 1, bits));
		return true;
	case PTX_OP_mul:
	case PTX_OP_mad:
		return product(s);
	case PTX_OP_min:
	case PTX_OP_max:
		min_max(s, select_dst(s, 0), extended(s, 1, bits), extended(s, 2, bits), i->op == PTX_OP_max,
		        type_signed(t));
		return true;
	case PTX_OP_abs:
		absolute(s);
		return true;
	case PTX_OP_sad:
		sum_of_differences(s);
		return true;
	default:
		return false;
	}
}
