// SPDX-License-Identifier: Apache-2.0
/* select_convert.c -- cvt between integers, between floats, and between integers and floats. */
#include "select.h"

/* The low word of an integer conversion: the source's sign extends the value up to the width of the destination type,
 * and the destination's sign extends the value further. */
static struct val converted_word(struct select *s, struct val v, unsigned from, unsigned to)
{
	unsigned bits = type_bits(from), d_bits = type_bits(to);
	if (bits == 64)
		v = val_word(v, 0);
	if (d_bits <= bits)
		return select_extend(s, v, d_bits, type_signed(to));
	v = select_extend(s, v, bits, type_signed(from));
	if (type_signed(from) && !type_signed(to))
		v = select_extend(s, v, d_bits, false);
	return v;
}

static bool between_integers(struct select *s)
{
	const struct ptx_instr *i = s->i;
	unsigned to = i->type[0], from = i->type[1];
	struct val v;
	ref d, t;

	if (i->round || ptx_has(i, PTX_M_sat) || type_bits(from) > 64 || type_bits(to) > 64)
		return false;
	v = select_src(s, 1, type_bits(from));
	d = select_dst(s, 0);
	if (s->f->vregs[ref_reg(d)].words == 1) {
		select_mov(s, d, converted_word(s, v, from, to));
		return true;
	}
	if (type_bits(to) == 64 && type_bits(from) == 64) {
		select_mov64(s, d, v);
		return true;
	}
	t = select_tmp(s, 2);
	select_mov(s, t, converted_word(s, v, from, to));
	if (type_signed(type_bits(to) == 64 ? from : to))
		select_shift(s, t + 1, false, true, val_reg(t), val_imm(31));
	else
		select_mov(s, t + 1, VAL_ZERO);
	select_mov64(s, d, val_reg(t));
	return true;
}

/* ---- floats ---- */

static int format_of(unsigned type)
{
	switch (type) {
	case PTX_T_f32:
		return WL_FMT_F32;
	case PTX_T_f16:
		return WL_FMT_F16;
	case PTX_T_f64:
		return WL_FMT_F64;
	default:
		return -1;
	}
}

static struct val source(struct select *s)
{
	unsigned bits = type_bits(s->i->type[1]);
	return val_reg(select_in_reg(s, select_src(s, 1, bits), bits == 64 ? 64 : 32));
}

static struct minst conversion(struct select *s, unsigned uop, ref d)
{
	struct minst in = minst_make(uop, s->line);
	in.rd = d;
	in.w.src[1] = WL_SRC_REG;
	in.rb = source(s).r;
	select_rounding(s->i->round, &in.w.type);
	if (ptx_has(s->i, PTX_M_ftz))
		in.w.flags |= WL_F_FTZ;
	return in;
}

static bool from_integer(struct select *s)
{
	unsigned to = s->i->type[0], from = s->i->type[1];
	struct minst in;
	if (format_of(to) < 0 || (to == PTX_T_f16 && type_bits(from) == 64))
		return false;
	in = conversion(s, WL_UOP_I2F, select_dst(s, 0));
	in.w.flags = type_signed(from) ? WL_F_SIGNED : 0;
	in.w.size = (uint8_t)(type_bits(from) / 8);
	in.w.xn = (uint8_t)format_of(to);
	select_emit(s, &in);
	return true;
}

/* NaN becomes 0; with 64 bits on either side, NaN becomes the highest bit alone: as in the hardware. */
static bool to_integer(struct select *s)
{
	unsigned to = s->i->type[0], from = s->i->type[1], bits = type_bits(to);
	ref d = select_dst(s, 0), t;
	struct minst in;

	if (format_of(from) < 0 || s->f->vregs[ref_reg(d)].words > (bits == 64 ? 2 : 1))
		return false;
	t = select_tmp(s, bits == 64 ? 2 : 1);
	in = conversion(s, WL_UOP_F2I, t);
	if (type_signed(to))
		in.w.flags |= WL_F_SIGNED;
	if (bits != 64 && from != PTX_T_f64)
		in.w.flags |= WL_F_NTZ;
	in.w.size = (uint8_t)(bits / 8);
	in.w.xn = (uint8_t)format_of(from);
	select_emit(s, &in);
	if (bits == 64)
		select_mov64(s, d, val_reg(t));
	else
		select_mov(s, d, select_extend(s, val_reg(t), bits, type_signed(to)));
	return true;
}

bool select_rounds_to_integer(unsigned round)
{
	return round == PTX_M_rni || round == PTX_M_rzi || round == PTX_M_rmi || round == PTX_M_rpi;
}

/* Within one format: rounded to an integer, clamped, subnormal numbers flushed, or just copied. */
static bool within_format(struct select *s)
{
	unsigned type = s->i->type[0];
	struct minst in;
	if (select_rounds_to_integer(s->i->round)) {
		in = conversion(s, WL_UOP_FRND, select_dst(s, 0));
		in.w.xn = (uint8_t)format_of(type);
	} else if (type == PTX_T_f32) {
		in = conversion(s, WL_UOP_FADD, select_dst(s, 0));
		in.w.src[0] = WL_SRC_REG; /* -0: x + -0 is x */
		in.w.neg = 1;
	} else {
		return false;
	}
	if (ptx_has(s->i, PTX_M_sat)) {
		if (in.w.uop != WL_UOP_FADD)
			return false;
		in.w.flags |= WL_F_SAT;
	}
	select_emit(s, &in);
	return true;
}

static bool between_floats(struct select *s)
{
	unsigned to = s->i->type[0], from = s->i->type[1];
	struct minst in;
	if (format_of(to) < 0 || format_of(from) < 0)
		return false;
	if (to == from)
		return within_format(s);
	if (ptx_has(s->i, PTX_M_sat) || ptx_has(s->i, PTX_M_satfinite) || ptx_has(s->i, PTX_M_relu) ||
	    select_rounds_to_integer(s->i->round))
		return false;
	if (from == PTX_T_f16 && to == PTX_T_f32) { /* HADD2.F32: the low half + -0 */
		in = conversion(s, WL_UOP_HADD2, select_dst(s, 0));
		in.ra = in.rb;
		in.rb = REF_NONE;
		in.w.src[0] = WL_SRC_REG;
		in.w.neg = 2;
		in.w.sel[0] = in.w.sel[1] = WL_HALF_LOW;
		in.w.flags = WL_F_F32; /* .ftz concerns float32: a subnormal half is normal as a float32 */
	} else {
		in = conversion(s, WL_UOP_F2F, select_dst(s, 0));
		in.w.xn = (uint8_t)format_of(to);
		in.w.bop = (uint8_t)format_of(from);
	}
	select_emit(s, &in);
	return true;
}

bool select_convert(struct select *s)
{
	const struct ptx_instr *i = s->i;
	uint8_t round;
	if (i->op != PTX_OP_cvt || i->ntypes != 2 || !select_rounding(i->round, &round))
		return false;
	if (!type_float(i->type[0]) && !type_float(i->type[1]))
		return between_integers(s);
	if (!type_float(i->type[1]))
		return !ptx_has(i, PTX_M_sat) && from_integer(s);
	if (!type_float(i->type[0]))
		return to_integer(s);
	return between_floats(s);
}
