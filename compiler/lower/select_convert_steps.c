// SPDX-License-Identifier: Apache-2.0
/* select_convert_steps.c -- conversions of several instructions: saturated conversions, bfloat16 from and to formats
 * without an instruction, TF32, floats of 4 to 8 bits (by lower/lib/convert.ptx); conversions new with sm_100.
 *
 * The first of two roundings is to odd: cut-off bits stay visible in the last bit. */
#include "select.h"

/* A value on its way: an integer of the type, or a float of the format. */
struct step {
	ref r;
	bool integer;
	unsigned type;   /* of an integer */
	unsigned format; /* of a float */
};

static unsigned words_of(unsigned format)
{
	return format == WL_FMT_F64 ? 2 : 1;
}

static struct minst unary(struct select *s, unsigned uop, ref d, ref v)
{
	struct minst in = minst_make(uop, s->line);
	in.rd = d;
	in.w.src[1] = WL_SRC_REG;
	in.rb = v;
	return in;
}

static unsigned ptx_round(const struct ptx_instr *i)
{
	return i->round ? i->round : PTX_M_rn;
}

/* ---- single steps ---- */

static struct step float_of_integer(struct select *s, struct step v, unsigned format, unsigned round)
{
	ref d = select_tmp(s, words_of(format));
	struct minst in = unary(s, WL_UOP_I2F, d, v.r);
	select_rounding(round, &in.w.type);
	in.w.flags = type_signed(v.type) ? WL_F_SIGNED : 0;
	in.w.size = (uint8_t)(type_bits(v.type) / 8);
	in.w.xn = (uint8_t)format;
	select_emit(s, &in);
	return (struct step){.r = d, .format = format};
}

static struct step another_format(struct select *s, struct step v, unsigned format, unsigned round)
{
	ref d = select_tmp(s, words_of(format));
	struct minst in = unary(s, WL_UOP_F2F, d, v.r);
	if (v.format == format)
		return v;
	if (v.format == WL_FMT_F16 && format == WL_FMT_F32) { /* HADD2.F32: the low half + -0 */
		in = select_alu(s, WL_UOP_HADD2, d, val_reg(v.r), VAL_ZERO, VAL_ZERO);
		in.w.neg = 2;
		in.w.sel[0] = in.w.sel[1] = WL_HALF_LOW;
		in.w.flags = WL_F_F32;
	} else {
		select_rounding(round, &in.w.type);
		in.w.xn = (uint8_t)format;
		in.w.bop = (uint8_t)v.format;
		if (ptx_has(s->i, PTX_M_ftz) && (v.format == WL_FMT_F32 || format == WL_FMT_F32))
			in.w.flags |= WL_F_FTZ;
	}
	select_emit(s, &in);
	return (struct step){.r = d, .format = format};
}

static struct step whole_number(struct select *s, struct step v, unsigned round)
{
	struct step to = v;
	struct minst in;
	to.r = select_tmp(s, words_of(v.format));
	in = unary(s, WL_UOP_FRND, to.r, v.r);
	select_rounding(round, &in.w.type);
	in.w.xn = (uint8_t)v.format;
	if (ptx_has(s->i, PTX_M_ftz))
		in.w.flags |= WL_F_FTZ;
	select_emit(s, &in);
	return to;
}

static struct step by_library(struct select *s, const char *name, struct step v, unsigned format)
{
	struct val arg = val_reg(v.r);
	struct step to = {.r = select_tmp(s, words_of(format)), .format = format};
	select_library(s, name, to.r, &arg, 1);
	return to;
}

/* float32 rounded to odd: the last bit tells of cut-off bits. */
static struct step odd_float(struct select *s, struct step v)
{
	if (v.integer && type_bits(v.type) <= 16)
		return float_of_integer(s, v, WL_FMT_F32, PTX_M_rn);
	if (v.integer && type_bits(v.type) == 32)
		v = float_of_integer(s, v, WL_FMT_F64, PTX_M_rn);
	else if (v.integer)
		v = by_library(s, type_signed(v.type) ? "odd_f64_s64" : "odd_f64_u64", v, WL_FMT_F64);
	if (v.format == WL_FMT_F64)
		return by_library(s, "odd_f32_f64", v, WL_FMT_F32);
	return another_format(s, v, WL_FMT_F32, PTX_M_rn);
}

/* ---- to bfloat16 ---- */

static ref packed(struct select *s, struct step v)
{
	const struct ptx_instr *i = s->i;
	ref d = select_tmp(s, 1);
	struct minst in;
	if (i->round == PTX_M_rm || i->round == PTX_M_rp)
		return by_library(s, i->round == PTX_M_rm ? "bf16_down" : "bf16_up", v, WL_FMT_F32).r;
	in = select_alu(s, WL_UOP_F2FP, d, VAL_ZERO, val_reg(v.r), VAL_ZERO);
	in.w.src[2] = WL_SRC_NONE;
	in.w.xn = WL_FMT_BF16;
	select_rounding(i->round == PTX_M_rz ? PTX_M_rz : PTX_M_rn, &in.w.type);
	select_emit(s, &in);
	return d;
}

static void to_brain(struct select *s, struct step v)
{
	v = select_rounds_to_integer(s->i->round) ? whole_number(s, v, s->i->round) : odd_float(s, v);
	select_mov(s, select_dst(s, 0), val_reg(packed(s, v)));
}

/* ---- to integers, to other floats ---- */

static void to_integer(struct select *s, struct step v)
{
	unsigned to = s->i->type[0], bits = type_bits(to);
	ref d = select_dst(s, 0), t = select_tmp(s, bits == 64 ? 2 : 1);
	struct minst in = unary(s, WL_UOP_F2I, t, v.r);
	select_rounding(s->i->round, &in.w.type);
	in.w.flags |= (type_signed(to) ? WL_F_SIGNED : 0) | (bits != 64 ? WL_F_NTZ : 0);
	in.w.size = (uint8_t)(bits / 8);
	in.w.xn = (uint8_t)v.format;
	select_emit(s, &in);
	if (bits == 64)
		select_mov64(s, d, val_reg(t));
	else
		select_mov(s, d, select_extend(s, val_reg(t), bits, type_signed(to)));
}

/* Between 0 and 1; 0 for NaN. */
static ref clamped(struct select *s, struct step v)
{
	struct minst in;
	if (v.format != WL_FMT_F32)
		return by_library(s, v.format == WL_FMT_F64 ? "clamp_f64" : "clamp_f16", v, v.format).r;
	in = select_alu(s, WL_UOP_FADD, select_tmp(s, 1), VAL_ZERO, val_reg(v.r), VAL_ZERO);
	in.w.neg = 1; /* -0 + v */
	in.w.flags |= WL_F_SAT | (ptx_has(s->i, PTX_M_ftz) ? WL_F_FTZ : 0);
	select_emit(s, &in);
	return in.rd;
}

/* x + -0 is x, except for NaN. */
static struct step same_half(struct select *s, struct step v)
{
	struct minst in = select_alu(s, WL_UOP_HADD2, select_tmp(s, 1), val_reg(v.r), VAL_ZERO, VAL_ZERO);
	in.w.neg = 2;
	select_emit(s, &in);
	return (struct step){.r = in.rd, .format = WL_FMT_F16};
}

static void to_float(struct select *s, struct step v, unsigned format)
{
	unsigned round = ptx_round(s->i);
	ref d = select_dst(s, 0), r;
	if (v.integer && format == WL_FMT_F16 && type_bits(v.type) == 64)
		v = by_library(s, type_signed(v.type) ? "odd_f64_s64" : "odd_f64_u64", v, WL_FMT_F64);
	if (v.integer)
		v = float_of_integer(s, v, format, round);
	else if (v.format == format && format == WL_FMT_F16 && !select_rounds_to_integer(round))
		v = same_half(s, v);
	else if (select_rounds_to_integer(round))
		v = whole_number(s, v, round);
	else
		v = another_format(s, v, format, round);
	r = ptx_has(s->i, PTX_M_sat) ? clamped(s, v) : v.r;
	if (words_of(format) == 2)
		select_mov64(s, d, val_reg(r));
	else
		select_mov(s, d, val_reg(r));
}

/* ---- pairs of small floats ---- */

/* Bits of the mantissa; bias of the exponent; codes of the largest number and of NaN (equal: no NaN); all bits. */
struct small {
	uint8_t type, mantissa, bias, largest, nan, bits;
};

static const struct small *small_of(unsigned type)
{
	static const struct small all[] = {
	        {PTX_T_e4m3x2, 3, 7, 0x7e, 0x7f, 8}, {PTX_T_e5m2x2, 2, 15, 0x7b, 0x7f, 8},
	        {PTX_T_e2m3x2, 3, 1, 0x1f, 0x1f, 8}, {PTX_T_e3m2x2, 2, 3, 0x1f, 0x1f, 8},
	        {PTX_T_e2m1x2, 1, 1, 0x07, 0x07, 4},
	};
	for (unsigned k = 0; k < sizeof all / sizeof *all; k++)
		if (all[k].type == type)
			return &all[k];
	return NULL;
}

/* Sign, exponent and mantissa of a small float in the low bits. */
static ref shrunk(struct select *s, const struct small *f, ref v)
{
	struct val args[6] = {val_reg(v),
	                      val_imm(f->mantissa),
	                      val_imm(f->bias),
	                      val_imm(f->largest),
	                      val_imm(f->nan),
	                      val_imm(f->bits == 4 ? 3 : f->type == PTX_T_e4m3x2 || f->type == PTX_T_e5m2x2 ? 7 : 5)};
	ref d = select_tmp(s, 1);
	if (ptx_has(s->i, PTX_M_relu)) {
		struct step positive =
		        by_library(s, "relu_f32", (struct step){.r = v, .format = WL_FMT_F32}, WL_FMT_F32);
		args[0] = val_reg(positive.r);
	}
	select_library(s, "small_float", d, args, 6);
	return d;
}

static void to_small(struct select *s, const struct small *f)
{
	const struct ptx_instr *i = s->i;
	ref high, low, d = select_tmp(s, 1), t;
	if (i->type[1] == PTX_T_f32) {
		high = select_in_reg(s, select_src(s, 1, 32), 32);
		low = select_in_reg(s, select_src(s, 2, 32), 32);
	} else {
		struct val pair = select_src(s, 1, 32), upper = val_reg(select_tmp(s, 1));
		select_shift(s, upper.r, false, false, pair, val_imm(16));
		low = by_library(s, "widen_f16", (struct step){.r = select_in_reg(s, pair, 32)}, WL_FMT_F32).r;
		high = by_library(s, "widen_f16", (struct step){.r = upper.r}, WL_FMT_F32).r;
	}
	low = shrunk(s, f, low);
	t = select_tmp(s, 1);
	select_shift(s, t, true, false, val_reg(shrunk(s, f, high)), val_imm(f->bits));
	select_lop3(s, d, val_reg(t), val_reg(low), VAL_ZERO, LUT_A | LUT_B);
	select_mov(s, select_dst(s, 0), val_reg(d));
}

static void from_small(struct select *s, const struct small *f)
{
	/* as halves: the fields in their places are too small, by 2 to the difference of the biases */
	uint32_t scale = (uint32_t)(15 + 15 - f->bias) << 10;
	struct val args[5] = {select_src(s, 1, 16), val_imm(f->mantissa), val_imm(scale),
	                      val_imm(f->nan == f->largest      ? 0xff
	                              : f->type == PTX_T_e5m2x2 ? 0x7c
	                                                        : 0x7e),
	                      val_imm(f->bits == 8 && f->largest == 0x1f ? 6 : f->bits)}; /* the sign is the highest */
	ref half[2], d = select_tmp(s, 1);
	struct minst in;
	for (unsigned k = 0; k < 2; k++) {
		half[k] = select_tmp(s, 1);
		if (k) {
			ref t = select_tmp(s, 1);
			select_shift(s, t, false, false, args[0], val_imm(f->bits));
			args[0] = val_reg(t);
		}
		select_library(s, ptx_has(s->i, PTX_M_relu) ? "half_of_small_relu" : "half_of_small", half[k], args, 5);
	}
	in = select_alu(s, WL_UOP_PRMT, d, val_reg(half[0]), val_imm(0x5410), val_reg(half[1]));
	select_emit(s, &in);
	select_mov(s, select_dst(s, 0), val_reg(d));
}

/* ---- powers of two in 8 bits, and rounding by random bits: sm_100 and later, one instruction ---- */

static bool is_word_of_sm100(const struct ptx_instr *i)
{
	return i->round == PTX_M_rs || i->type[0] == PTX_T_ue8m0x2 || i->type[1] == PTX_T_ue8m0x2;
}

static void pack_or_unpack(struct select *s)
{
	const struct ptx_instr *i = s->i;
	bool one_source = i->nops == 2;
	struct minst in = minst_make(WL_UOP_F2FP, s->line);
	ref d = select_tmp(s, 1);
	in.rd = d;
	in.w.src[1] = WL_SRC_REG;
	in.rb = select_in_reg(s, select_src(s, one_source ? 1 : 2, i->type[1] == PTX_T_ue8m0x2 ? 16 : 32), 32);
	if (!one_source) {
		in.w.src[0] = WL_SRC_REG;
		in.ra = select_in_reg(s, select_src(s, 1, 32), 32);
	}
	if (i->round == PTX_M_rs) {
		in.w.op = WL_F2FP_RS;
		in.w.xn = i->type[0] == PTX_T_f16x2 ? WL_FMT_F16 : WL_FMT_BF16;
		in.w.type = WL_RZ_TRUNC;
		in.w.src[2] = WL_SRC_REG;
		in.rc = select_in_reg(s, select_src(s, 3, 32), 32);
	} else if (i->type[1] == PTX_T_ue8m0x2) {
		in.w.op = WL_F2FP_UNPACK8;
		in.w.xn = WL_FMT_BF16;
		in.w.bop = WL_FMT_E8M0;
	} else {
		in.w.op = WL_F2FP_PACK8;
		in.w.xn = WL_FMT_E8M0;
		in.w.bop = one_source ? WL_FMT_BF16 : 0;
		in.w.src[2] = WL_SRC_REG; /* RZ: above the pair */
		select_rounding(i->round, &in.w.type);
	}
	in.w.flags |= (ptx_has(i, PTX_M_relu) ? WL_F_RELU : 0) | (ptx_has(i, PTX_M_satfinite) ? WL_F_SAT : 0);
	select_emit(s, &in);
	select_mov(s, select_dst(s, 0), val_reg(d));
}

/* ---- TF32: a float32 with the last 13 bits 0 ---- */

static void to_tf32(struct select *s)
{
	const struct ptx_instr *i = s->i;
	const char *name = i->round == PTX_M_rna ? "tf32_rna" : i->round == PTX_M_rz ? "tf32_rz" : "tf32_rn";
	struct step v = {.r = select_in_reg(s, select_src(s, 1, 32), 32), .format = WL_FMT_F32};
	v = by_library(s, name, v, WL_FMT_F32);
	if (ptx_has(i, PTX_M_satfinite))
		v = by_library(s, "tf32_finite", v, WL_FMT_F32);
	if (ptx_has(i, PTX_M_relu))
		v = by_library(s, "relu_f32", v, WL_FMT_F32);
	select_mov(s, select_dst(s, 0), val_reg(v.r));
}

static int format_of(unsigned type)
{
	return type == PTX_T_f32 ? WL_FMT_F32 : type == PTX_T_f16 ? WL_FMT_F16 : type == PTX_T_f64 ? WL_FMT_F64 : -1;
}

/* The source operand; bfloat16 as float32, with the bits as the high half. */
static struct step read_source(struct select *s)
{
	unsigned type = s->i->type[1], bits = type_bits(type);
	struct step v = {.type = type, .integer = !type_float(type)};
	v.r = select_in_reg(s, select_src(s, 1, bits), bits == 64 ? 64 : 32);
	v.format = v.integer ? 0 : (unsigned)format_of(type);
	if (type == PTX_T_bf16) {
		ref t = select_tmp(s, 1);
		select_shift(s, t, true, false, val_reg(v.r), val_imm(16));
		v.r = t;
		v.format = WL_FMT_F32;
	}
	if ((type == PTX_T_bf16 && s->i->type[0] == PTX_T_f32) || (type == PTX_T_f32 && s->i->type[0] == PTX_T_bf16))
		v.r = select_flush(s, v.r);
	return v;
}

/* Decided before any emission: other families make the instructions not taken here. */
static bool is_ours(struct select *s)
{
	const struct ptx_instr *i = s->i;
	unsigned to, from;
	if (i->op != PTX_OP_cvt || i->ntypes != 2)
		return false;
	if (is_word_of_sm100(i))
		return true;
	to = i->type[0];
	from = i->type[1];
	if (to == PTX_T_tf32 || small_of(to))
		return true;
	if (small_of(from))
		return to == PTX_T_f16x2;
	if (i->nops != 2 || (type_float(from) && from != PTX_T_bf16 && format_of(from) < 0))
		return false;
	if (to == PTX_T_bf16)
		return !ptx_has(i, PTX_M_relu) && !ptx_has(i, PTX_M_satfinite);
	if (!type_float(to))
		return type_float(from) &&
		       s->f->vregs[ref_reg(select_dst(s, 0))].words <= (type_bits(to) == 64 ? 2 : 1);
	return format_of(to) >= 0;
}

/* cvt.pack: two integers saturated, the second low; above integers of 8 bits the low half of a third. */
static bool pack_integers(struct select *s)
{
	const struct ptx_instr *i = s->i;
	struct minst in =
	        select_alu(s, WL_UOP_I2IP, select_dst(s, 0), val_reg(select_in_reg(s, select_src(s, 1, 32), 32)),
	                   val_reg(select_in_reg(s, select_src(s, 2, 32), 32)),
	                   i->nops > 3 ? val_reg(select_in_reg(s, select_src(s, 3, 32), 32)) : VAL_ZERO);
	in.w.shift = (uint8_t)type_bits(i->type[0]);
	if (type_signed(i->type[0]))
		in.w.flags |= WL_F_SIGNED;
	select_emit(s, &in);
	return true;
}

bool select_convert_steps(struct select *s)
{
	const struct ptx_instr *i = s->i;
	struct mblock *behind;
	if (i->op == PTX_OP_cvt_pack)
		return pack_integers(s);
	if (!is_ours(s))
		return false;
	if (is_word_of_sm100(i)) {
		pack_or_unpack(s);
		return true;
	}
	behind = select_guard_around(s);
	if (i->type[0] == PTX_T_tf32) {
		to_tf32(s);
	} else if (small_of(i->type[0])) {
		to_small(s, small_of(i->type[0]));
	} else if (small_of(i->type[1])) {
		from_small(s, small_of(i->type[1]));
	} else {
		struct step v = read_source(s);
		if (ptx_has(i, PTX_M_satfinite))
			v = by_library(s, "finite_f16", v, WL_FMT_F32);
		if (i->type[0] == PTX_T_bf16)
			to_brain(s, v);
		else if (!type_float(i->type[0]))
			to_integer(s, v);
		else
			to_float(s, v, (unsigned)format_of(i->type[0]));
	}
	if (behind)
		select_fall(s, behind);
	return true;
}
