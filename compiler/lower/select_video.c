// SPDX-License-Identifier: Apache-2.0
/* select_video.c -- video instructions: single values of 8, 16 or 32 bits in 64-bit arithmetic; two or four values side
 * by side, each on its own. Source: PTX ISA, "Scalar Video Instructions", "SIMD Video Instructions". */
#include "select.h"

#include <string.h>

/* The operation; VSET compares by s->i->cmp. */
enum video { VADD, VSUB, VABSDIFF, VMIN, VMAX, VAVRG, VSHL, VSHR, VMAD, VSET };

struct kind {
	uint16_t op;
	uint8_t what, lanes;
};

static const struct kind *kind_of(unsigned op)
{
	static const struct kind all[] = {
	        {PTX_OP_vadd, VADD, 1},          {PTX_OP_vsub, VSUB, 1},          {PTX_OP_vabsdiff, VABSDIFF, 1},
	        {PTX_OP_vmin, VMIN, 1},          {PTX_OP_vmax, VMAX, 1},          {PTX_OP_vshl, VSHL, 1},
	        {PTX_OP_vshr, VSHR, 1},          {PTX_OP_vmad, VMAD, 1},          {PTX_OP_vset, VSET, 1},
	        {PTX_OP_vadd2, VADD, 2},         {PTX_OP_vsub2, VSUB, 2},         {PTX_OP_vavrg2, VAVRG, 2},
	        {PTX_OP_vabsdiff2, VABSDIFF, 2}, {PTX_OP_vmin2, VMIN, 2},         {PTX_OP_vmax2, VMAX, 2},
	        {PTX_OP_vset2, VSET, 2},         {PTX_OP_vadd4, VADD, 4},         {PTX_OP_vsub4, VSUB, 4},
	        {PTX_OP_vavrg4, VAVRG, 4},       {PTX_OP_vabsdiff4, VABSDIFF, 4}, {PTX_OP_vmin4, VMIN, 4},
	        {PTX_OP_vmax4, VMAX, 4},         {PTX_OP_vset4, VSET, 4},
	};
	for (unsigned k = 0; k < sizeof all / sizeof *all; k++)
		if (all[k].op == op)
			return &all[k];
	return NULL;
}

static ref permuted(struct select *s, struct val a, uint32_t choice, struct val c)
{
	struct minst in = select_alu(s, WL_UOP_PRMT, select_tmp(s, 1), val_reg(select_in_reg(s, a, 32)),
	                             val_imm(choice), val_reg(select_in_reg(s, c, 32)));
	select_emit(s, &in);
	return in.rd;
}

static ref library(struct select *s, const char *name, unsigned words, struct val a, struct val b, struct val c,
                   unsigned n)
{
	struct val args[3] = {a, b, c};
	ref d = select_tmp(s, words);
	select_library(s, name, d, args, n);
	return d;
}

/* Only registers have a selector. */
static const char *selector_of(const struct ptx_operand *o)
{
	return o->kind == PTX_O_REG ? o->selector : NULL;
}

/* The whole of an operand. */
static struct val whole(struct select *s, const struct ptx_operand *o)
{
	struct ptx_operand plain = *o;
	plain.negated = false;
	return select_operand(s, &plain, 32);
}

/* ---- a single value ---- */

/* Bits and place of a selector's part: b0 to b3, h0, h1; none: the whole. */
static unsigned selected(const char *selector, unsigned *shift)
{
	*shift = 0;
	if (!selector)
		return 32;
	*shift = (unsigned)(selector[1] - '0') * (selector[0] == 'b' ? 8 : 16);
	return selector[0] == 'b' ? 8 : 16;
}

/* The part of an operand, as 64 bits. */
static ref part(struct select *s, const struct ptx_operand *o, bool sign)
{
	unsigned shift, bits = selected(selector_of(o), &shift);
	ref d = select_tmp(s, 2), t = select_tmp(s, 1);
	struct val v;
	v = whole(s, o);
	if (shift) {
		select_shift(s, t, false, false, v, val_imm(shift));
		v = val_reg(t);
	}
	if (bits < 32)
		v = select_extend(s, v, bits, sign);
	select_mov(s, d, v);
	if (sign)
		select_shift(s, d + 1, false, true, val_reg(d), val_imm(31));
	else
		select_mov(s, d + 1, VAL_ZERO);
	return d;
}

static ref sum64(struct select *s, ref a, ref b, bool subtract)
{
	ref d = select_tmp(s, 2);
	select_add64(s, d, val_reg(a), val_reg(b), subtract);
	return d;
}

static const char *compare_name(unsigned cmp)
{
	switch (cmp) {
	case PTX_M_eq:
		return "video_eq";
	case PTX_M_ne:
		return "video_ne";
	case PTX_M_lt:
		return "video_lt";
	case PTX_M_le:
		return "video_le";
	case PTX_M_gt:
		return "video_gt";
	case PTX_M_ge:
		return "video_ge";
	default:
		return NULL;
	}
}

static ref one_result(struct select *s, const struct kind *k, ref a, ref b)
{
	struct val va = val_reg(a), vb = val_reg(b);
	switch (k->what) {
	case VADD:
		return sum64(s, a, b, false);
	case VSUB:
		return sum64(s, a, b, true);
	case VABSDIFF:
		return library(s, "video_abs", 2, val_reg(sum64(s, a, b, true)), VAL_ZERO, VAL_ZERO, 1);
	case VMIN:
		return library(s, "video_min", 2, va, vb, VAL_ZERO, 2);
	case VMAX:
		return library(s, "video_max", 2, va, vb, VAL_ZERO, 2);
	case VSHL:
	case VSHR:
		return library(s,
		               k->what == VSHL ? (ptx_has(s->i, PTX_M_wrap) ? "video_shl_wrap" : "video_shl")
		                               : (ptx_has(s->i, PTX_M_wrap) ? "video_shr_wrap" : "video_shr"),
		               2, va, val_reg(b), VAL_ZERO, 2);
	default:
		return library(s, compare_name(s->i->cmp), 2, va, vb, VAL_ZERO, 2);
	}
}

/* a * b + c, with signs, plus 1, shifted. */
static ref multiplied(struct select *s, bool *signed_result)
{
	const struct ptx_instr *i = s->i;
	bool sa = type_signed(i->type[1]), sb = type_signed(i->type[2]);
	bool minus = i->ops[1].negated != i->ops[2].negated, c_minus = i->ops[3].negated;
	bool sign = sa || sb || minus || c_minus;
	ref v = library(s, "video_mul", 2, val_reg(part(s, &i->ops[1], sa)), val_reg(part(s, &i->ops[2], sb)), VAL_ZERO,
	                2);
	if (minus)
		v = library(s, "video_neg", 2, val_reg(v), VAL_ZERO, VAL_ZERO, 1);
	v = sum64(s, v, part(s, &i->ops[3], sign), c_minus);
	*signed_result = sign;
	if (ptx_has(i, PTX_M_po))
		select_add64(s, v, val_reg(v), val_imm(1), false);
	if (ptx_has(i, PTX_M_shr7) || ptx_has(i, PTX_M_shr15))
		v = library(s, sign ? "video_sar" : "video_slr", 2, val_reg(v),
		            val_imm(ptx_has(i, PTX_M_shr7) ? 7 : 15), VAL_ZERO, 2);
	return v;
}

/* A value of 64 bits, cut to the range of `bits` bits. */
static ref clamped(struct select *s, ref v, unsigned bits, bool sign)
{
	const int64_t most = (INT64_C(1) << (bits - sign)) - 1, least = sign ? ~most : 0;
	v = library(s, "video_min", 2, val_reg(v), val_imm((uint64_t)most), VAL_ZERO, 2);
	return library(s, "video_max", 2, val_reg(v), val_imm((uint64_t)least), VAL_ZERO, 2);
}

/* The low part of v in the selected place of c. */
static ref merged(struct select *s, ref v, unsigned bits, unsigned shift)
{
	uint32_t choice = 0x7654;
	for (unsigned byte = 0; byte < bits / 8; byte++) {
		const unsigned at = 4 * (shift / 8 + byte);
		choice = (choice & ~(0xfu << at)) | byte << at;
	}
	return permuted(s, val_reg(v), choice, val_reg(select_in_reg(s, select_src(s, 3, 32), 32)));
}

/* The result of 64 bits: saturated, then alone, with c, or in a part of c. */
static void finish(struct select *s, ref v, bool sign)
{
	const struct ptx_instr *i = s->i;
	const char *selector = selector_of(&i->ops[0]);
	const ref d = select_dst(s, 0);
	unsigned shift, bits = selected(selector, &shift);
	if (ptx_has(i, PTX_M_sat))
		v = clamped(s, v, bits, sign);
	if (i->operation == PTX_M_add) {
		const ref t = select_tmp(s, 1);
		select_add(s, t, val_reg(v), select_src(s, 3, 32));
		v = t;
	} else if (i->operation == PTX_M_min || i->operation == PTX_M_max) {
		v = library(s, i->operation == PTX_M_min ? "video_min" : "video_max", 2, val_reg(v),
		            val_reg(part(s, &i->ops[3], sign)), VAL_ZERO, 2);
	}
	select_mov(s, d, val_reg(selector ? merged(s, v, bits, shift) : v));
}

static bool one_value(struct select *s, const struct kind *k)
{
	const struct ptx_instr *i = s->i;
	const unsigned first = k->what == VSET ? 0 : 1;
	ref a, b;
	if (k->what == VMAD) {
		bool sign;
		a = multiplied(s, &sign);
		finish(s, a, sign);
		return true;
	}
	a = part(s, &i->ops[1], type_signed(i->type[first]));
	b = part(s, &i->ops[2], type_signed(i->type[first + 1]));
	finish(s, one_result(s, k, a, b), type_signed(i->type[0]));
	return true;
}

/* ---- two or four values ---- */

/* Number of the lane chosen by a selector out of a and b for lane n: digits, the last is lane 0. */
static unsigned picked(const char *selector, unsigned lanes, unsigned n, unsigned from)
{
	size_t digits = selector ? strlen(selector) - 1 : 0;
	return digits == lanes ? (unsigned)(selector[digits - n] - '0') : from * lanes + n;
}

static bool takes_lane(const char *selector, unsigned lanes, unsigned n)
{
	if (!selector)
		return true;
	for (const char *c = selector + 1; *c; c++)
		if ((unsigned)(*c - '0') == n)
			return true;
	(void)lanes;
	return false;
}

static struct val lane(struct select *s, struct val a, struct val b, unsigned lanes, unsigned which, bool sign)
{
	unsigned bytes = 4 / lanes, from = which * bytes;
	uint32_t top = from + bytes - 1, fill, choice;
	ref t;
	if (bytes == 1) {
		t = permuted(s, a, from * 0x1111, b);
		return select_extend(s, val_reg(t), 8, sign);
	}
	fill = top; /* not kept */
	choice = from | top << 4 | fill << 8 | fill << 12;
	t = permuted(s, a, choice, b);
	return select_extend(s, val_reg(t), 16, sign);
}

static ref lane_result(struct select *s, const struct kind *k, struct val a, struct val b)
{
	static const char *const names[] = {[VABSDIFF] = "video_absdiff_s32",
	                                    [VMIN] = "video_min_s32",
	                                    [VMAX] = "video_max_s32",
	                                    [VAVRG] = "video_avrg_s32"};
	ref d, p;
	struct minst in;
	switch (k->what) {
	case VADD:
	case VSUB:
		in = select_alu(s, WL_UOP_IADD3, select_tmp(s, 1), a, val_reg(select_in_reg(s, b, 32)), VAL_ZERO);
		in.w.neg = k->what == VSUB ? 2 : 0;
		select_emit(s, &in);
		return in.rd;
	case VSET:
		p = select_tmp_pred(s);
		d = select_tmp(s, 1);
		select_cmp(s, p, (enum wl_cmp)select_float_comparison(s->i->cmp), true, 32, a, b);
		select_sel(s, d, val_reg(select_in_reg(s, val_imm(1), 32)), VAL_ZERO, p, false);
		return d;
	default:
		return library(s, names[k->what], 1, a, b, VAL_ZERO, 2);
	}
}

static bool lanes_of(struct select *s, const struct kind *k)
{
	const struct ptx_instr *i = s->i;
	unsigned n = k->lanes, bits = 32 / n, first = k->what == VSET ? 0 : 1;
	bool sign = type_signed(i->type[0]), sums = i->operation == PTX_M_add;
	struct val a, b;
	ref all = select_tmp(s, 1);
	a = val_reg(select_in_reg(s, whole(s, &i->ops[1]), 32));
	b = val_reg(select_in_reg(s, whole(s, &i->ops[2]), 32));
	select_mov(s, all, select_src(s, 3, 32));
	for (unsigned m = 0; m < n; m++) {
		ref v;
		if (!takes_lane(selector_of(&i->ops[0]), n, m))
			continue;
		v = lane_result(
		        s, k, lane(s, a, b, n, picked(selector_of(&i->ops[1]), n, m, 0), type_signed(i->type[first])),
		        lane(s, a, b, n, picked(selector_of(&i->ops[2]), n, m, 1), type_signed(i->type[first + 1])));
		if (ptx_has(i, PTX_M_sat)) {
			int32_t most = (1 << (bits - sign)) - 1;
			v = library(s, "video_sat_s32", 1, val_reg(v), val_imm((uint32_t)(sign ? ~most : 0)),
			            val_imm((uint32_t)most), 3);
		}
		if (sums) {
			ref t = select_tmp(s, 1);
			select_add(s, t, val_reg(v), val_reg(all));
			all = t;
		} else {
			uint32_t choice = 0x7654;
			for (unsigned byte = 0; byte < bits / 8; byte++) {
				unsigned at = 4 * (m * bits / 8 + byte);
				choice = (choice & ~(0xfu << at)) | byte << at;
			}
			all = permuted(s, val_reg(v), choice, val_reg(all));
		}
	}
	select_mov(s, select_dst(s, 0), val_reg(all));
	return true;
}

bool select_video(struct select *s)
{
	const struct kind *k = kind_of(s->i->op);
	struct mblock *behind;
	bool good;
	if (!k)
		return false;
	behind = select_guard_around(s);
	good = k->lanes > 1 ? lanes_of(s, k) : one_value(s, k);
	if (behind)
		select_fall(s, behind);
	return good;
}
