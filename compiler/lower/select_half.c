// SPDX-License-Identifier: Apache-2.0
/* select_half.c -- floats of 16 bits, single or in pairs, without a row in float.def. bfloat16 is the high half of a
 * float32: operations without an own instruction go by way of float32. */
#include "select.h"

static bool is_half(unsigned type)
{
	return type == PTX_T_f16 || type == PTX_T_f16x2 || type == PTX_T_bf16 || type == PTX_T_bf16x2;
}

static bool is_brain(unsigned type)
{
	return type == PTX_T_bf16 || type == PTX_T_bf16x2;
}

static bool is_pair(unsigned type)
{
	return type == PTX_T_f16x2 || type == PTX_T_bf16x2;
}

static ref source(struct select *s, unsigned n)
{
	return select_in_reg(s, select_src(s, n, type_bits(s->i->type[s->i->ntypes - 1])), 32);
}

static struct minst operation(struct select *s, unsigned uop, ref d, ref a, ref b, ref c)
{
	struct minst in = select_alu(s, uop, d, val_reg(a), val_reg(b), val_reg(c));
	unsigned type = s->i->type[s->i->ntypes - 1];
	if (is_brain(type))
		in.w.flags |= WL_F_BF16;
	if (ptx_has(s->i, PTX_M_ftz))
		in.w.flags |= WL_F_FTZ;
	if (ptx_has(s->i, PTX_M_sat))
		in.w.flags |= WL_F_SAT;
	if (ptx_has(s->i, PTX_M_relu))
		in.w.flags |= WL_F_RELU;
	return in;
}

/* ---- arithmetic ---- */

static bool extreme(struct select *s)
{
	struct minst in = operation(s, WL_UOP_HMNMX2, select_dst(s, 0), source(s, 1), source(s, 2), REF_NONE);
	if (s->i->nops != 3 || ptx_has(s->i, PTX_M_relu))
		return false;
	in.w.ps[0] = s->i->op == PTX_OP_min ? WL_PT : WL_PT | NOT_P;
	if (ptx_has(s->i, PTX_M_NaN))
		in.w.flags |= WL_F_NAN;
	if (ptx_has(s->i, PTX_M_xorsign)) {
		if (s->f->arch < WL_SM90)
			return false;
		in.w.flags |= WL_F_XORSIGN;
		in.w.abs = 3;
	}
	select_emit(s, &in);
	return true;
}

/* bfloat16, and fma with .relu or .oob. False for sums and products of bfloat16 before sm_90. */
static bool arithmetic(struct select *s)
{
	bool brain = is_brain(s->i->type[0]), fused = s->i->op == PTX_OP_fma, oob = ptx_has(s->i, PTX_M_oob);
	struct minst in;
	if (s->i->round != PTX_M_none && s->i->round != PTX_M_rn)
		return false;
	if (!brain && !(fused && (ptx_has(s->i, PTX_M_relu) || oob)))
		return false; /* float.def */
	if (!fused && s->f->arch < WL_SM90)
		return false;
	if (fused) {
		in = operation(s, WL_UOP_HFMA2, select_dst(s, 0), source(s, 1), source(s, 2), source(s, 3));
		in.oob = in.keep = oob; /* kept: passes for plain HFMA2 must not look into the instruction */
	} else if (s->i->op == PTX_OP_mul) {
		in = operation(s, WL_UOP_HMUL2, select_dst(s, 0), source(s, 1), source(s, 2), REF_NONE);
	} else {
		in = operation(s, WL_UOP_HADD2, select_dst(s, 0), source(s, 1), source(s, 2), REF_NONE);
		in.w.neg = s->i->op == PTX_OP_sub ? 2 : 0;
	}
	select_emit(s, &in);
	return true;
}

static bool sign_bits(struct select *s)
{
	bool neg = s->i->op == PTX_OP_neg;
	struct minst in;
	if (!is_brain(s->i->type[0]))
		return false;
	if (s->f->arch >= WL_SM90) { /* -0 + -a, -0 + |a| */
		in = operation(s, WL_UOP_HADD2, select_dst(s, 0), REF_NONE, source(s, 1), REF_NONE);
		in.w.neg = neg ? 3 : 1;
		in.w.abs = neg ? 0 : 2;
		select_emit(s, &in);
		return true;
	}
	select_lop3(s, select_dst(s, 0), val_reg(source(s, 1)), val_imm(neg ? 0x80008000 : 0x7fff7fff), VAL_ZERO,
	            neg ? LUT_A ^ LUT_B : LUT_A & LUT_B);
	return true;
}

/* ---- comparisons ---- */

static bool compare(struct select *s, struct minst *in)
{
	const struct ptx_instr *i = s->i;
	int cmp = select_float_comparison(i->cmp);
	if (cmp < 0 || (is_brain(i->type[i->ntypes - 1]) && s->f->arch < WL_SM90))
		return false;
	*in = operation(s, in->w.uop, REF_NONE, source(s, 1), source(s, 2), REF_NONE);
	in->w.op = (uint8_t)cmp;
	if (!is_pair(i->type[i->ntypes - 1]))
		in->w.sel[0] = in->w.sel[1] = WL_HALF_LOW;
	if (i->operation) {
		in->w.bop = i->operation == PTX_M_and  ? WL_BOOL_AND
		            : i->operation == PTX_M_or ? WL_BOOL_OR
		                                       : WL_BOOL_XOR;
		in->ps[0] = select_pred(s, &i->ops[3], &in->w.ps[0]);
	}
	return true;
}

static bool set_predicates(struct select *s)
{
	const struct ptx_operand *d = &s->i->ops[0];
	struct minst in = minst_make(WL_UOP_HSETP2, s->line);
	if ((d->kind == PTX_O_PAIR && !is_pair(s->i->type[0])) || !compare(s, &in))
		return false; /* a single result of two halves belongs to the low halves */
	in.pd[0] = select_operand_reg(s, d->kind == PTX_O_PAIR ? &d->list[0] : d);
	if (d->kind == PTX_O_PAIR)
		in.pd[1] = select_operand_reg(s, &d->list[1]);
	select_emit(s, &in);
	return true;
}

static bool set_mask(struct select *s)
{
	unsigned to = s->i->type[0], from = s->i->type[1];
	bool number = type_float(to);
	struct minst in = minst_make(is_pair(from) ? WL_UOP_HSET2 : WL_UOP_HSETP2, s->line);
	uint32_t yes = !number ? 0xffffffff : to == PTX_T_f16 ? 0x3c00 : to == PTX_T_bf16 ? 0x3f80 : 0x3f800000;
	if (!compare(s, &in))
		return false;
	if (is_pair(from)) {
		in.rd = select_dst(s, 0);
		if (number)
			in.w.flags |= WL_F_BF;
		select_emit(s, &in);
		return true;
	}
	in.pd[0] = select_tmp_pred(s);
	select_emit(s, &in);
	select_sel(s, select_dst(s, 0), VAL_ZERO, val_imm(yes), in.pd[0], true);
	return true;
}

/* ---- conversions ---- */

/* F2FP saturates from sm_90 on: on older targets the converted value is finite. */
static ref finite(struct select *s, ref v, unsigned format)
{
	struct val arg = val_reg(v);
	ref d;
	if (v == REF_NONE || !ptx_has(s->i, PTX_M_satfinite) || s->f->arch >= WL_SM90)
		return v;
	d = select_tmp(s, 1);
	select_library(s, format == WL_FMT_BF16 ? "finite_bf16" : "finite_f16", d, &arg, 1);
	return d;
}

/* Two float32 as halves of one word, b low. */
static void pack(struct select *s, ref d, ref a, ref b, unsigned format)
{
	struct minst in =
	        select_alu(s, WL_UOP_F2FP, d, val_reg(finite(s, a, format)), val_reg(finite(s, b, format)), VAL_ZERO);
	uint8_t round;
	in.w.src[2] = WL_SRC_NONE;
	in.w.xn = (uint8_t)format;
	if (select_rounding(s->i->round, &round))
		in.w.type = round;
	if (ptx_has(s->i, PTX_M_relu))
		in.w.flags |= WL_F_RELU;
	if (ptx_has(s->i, PTX_M_satfinite) && s->f->arch >= WL_SM90)
		in.w.flags |= WL_F_SAT;
	select_emit(s, &in);
}

ref select_flush(struct select *s, ref v)
{
	struct minst in;
	if (!ptx_has(s->i, PTX_M_ftz))
		return v;
	in = select_alu(s, WL_UOP_FADD, select_tmp(s, 1), VAL_ZERO, val_reg(v), VAL_ZERO); /* -0 + v */
	in.w.neg = 1;
	in.w.flags |= WL_F_FTZ;
	select_emit(s, &in);
	return in.rd;
}

/* Operand n as float32. */
static ref widened(struct select *s, unsigned n, unsigned type)
{
	ref d = select_tmp(s, 1);
	struct minst in;
	if (!type_float(type)) { /* of 8 or 16 bits: exact */
		in = minst_make(WL_UOP_I2F, s->line);
		in.rd = d;
		in.rb = select_in_reg(s, select_src(s, n, type_bits(type)), 32);
		in.w.src[1] = WL_SRC_REG;
		in.w.flags = type_signed(type) ? WL_F_SIGNED : 0;
		in.w.size = (uint8_t)(type_bits(type) / 8);
		select_emit(s, &in);
		return d;
	}
	if (type == PTX_T_bf16) {
		select_shift(s, d, true, false, select_src(s, n, 16), val_imm(16));
		return d;
	}
	if (type == PTX_T_f32)
		return select_flush(s, select_in_reg(s, select_src(s, n, 32), 32));
	in = select_alu(s, WL_UOP_HADD2, d, val_reg(select_in_reg(s, select_src(s, n, 16), 32)), VAL_ZERO, VAL_ZERO);
	in.w.neg = 2; /* + -0 */
	in.w.sel[0] = in.w.sel[1] = WL_HALF_LOW;
	in.w.flags |= WL_F_F32;
	select_emit(s, &in);
	return d;
}

static bool nearest_or_cut(const struct ptx_instr *i)
{
	return i->round == PTX_M_none || i->round == PTX_M_rn || i->round == PTX_M_rz;
}

static bool convert(struct select *s)
{
	const struct ptx_instr *i = s->i;
	unsigned to = i->type[0], from = i->type[1];
	struct minst in;
	if (s->f->arch < WL_SM80 || ptx_has(i, PTX_M_sat) || !nearest_or_cut(i) || i->ntypes != 2)
		return false;
	if (is_pair(to) && from == PTX_T_f32 && i->nops == 3) {
		pack(s, select_dst(s, 0), select_in_reg(s, select_src(s, 1, 32), 32),
		     select_in_reg(s, select_src(s, 2, 32), 32), is_brain(to) ? WL_FMT_BF16 : WL_FMT_F16);
		return true;
	}
	if ((to == PTX_T_bf16 && (from == PTX_T_f32 || from == PTX_T_f16 || type_bits(from) <= 16) &&
	     from != PTX_T_bf16) ||
	    (to == PTX_T_f16 && from == PTX_T_f32 && (ptx_has(i, PTX_M_relu) || ptx_has(i, PTX_M_satfinite)))) {
		pack(s, select_dst(s, 0), REF_NONE, widened(s, 1, from), to == PTX_T_bf16 ? WL_FMT_BF16 : WL_FMT_F16);
		return true;
	}
	if (from == PTX_T_bf16 && to == PTX_T_f32) {
		select_mov(s, select_dst(s, 0), val_reg(select_flush(s, widened(s, 1, from))));
		return true;
	}
	if (from == PTX_T_bf16 && to == PTX_T_f64) {
		in = minst_make(WL_UOP_F2F, s->line);
		in.rd = select_dst(s, 0);
		in.rb = widened(s, 1, from);
		in.w.src[1] = WL_SRC_REG;
		in.w.xn = WL_FMT_F64;
		select_emit(s, &in);
		return true;
	}
	return false;
}

/* Sums of a half and a float32, or of a product of two halves and a float32: each half is a float32, too. */
static bool mixed(struct select *s)
{
	const struct ptx_instr *i = s->i;
	const bool fused = i->op == PTX_OP_fma;
	const ref a = widened(s, 1, i->type[1]), b = fused ? widened(s, 2, i->type[1]) : REF_NONE;
	const ref c = select_in_reg(s, select_src(s, fused ? 3 : 2, 32), 32);
	struct minst in = fused ? select_alu(s, WL_UOP_FFMA, select_dst(s, 0), val_reg(a), val_reg(b), val_reg(c))
	                        : select_alu(s, WL_UOP_FADD, select_dst(s, 0), val_reg(a), val_reg(c), VAL_ZERO);
	if (!select_rounding(i->round, &in.w.type))
		return false;
	in.w.neg = i->op == PTX_OP_sub ? 2 : 0;
	if (ptx_has(i, PTX_M_sat))
		in.w.flags |= WL_F_SAT;
	select_emit(s, &in);
	return true;
}

bool select_half(struct select *s)
{
	const struct ptx_instr *i = s->i;
	if (i->ntypes == 2 && i->type[0] == PTX_T_f32 && is_half(i->type[1]) &&
	    (i->op == PTX_OP_add || i->op == PTX_OP_sub || i->op == PTX_OP_fma))
		return mixed(s);
	if (i->ntypes == 0 || (!is_half(i->type[0]) && !is_half(i->type[i->ntypes - 1])))
		return false;
	switch (i->op) {
	case PTX_OP_min:
	case PTX_OP_max:
		return extreme(s);
	case PTX_OP_add:
	case PTX_OP_sub:
	case PTX_OP_mul:
	case PTX_OP_fma:
		return arithmetic(s);
	case PTX_OP_neg:
	case PTX_OP_abs:
		return sign_bits(s);
	case PTX_OP_setp:
		return set_predicates(s);
	case PTX_OP_set:
		return i->ntypes == 2 && is_half(i->type[1]) && set_mask(s);
	case PTX_OP_cvt:
		return convert(s);
	default:
		return false;
	}
}
