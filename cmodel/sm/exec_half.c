// SPDX-License-Identifier: Apache-2.0
/* exec_half.c -- arithmetic on the two halves of a register, float16 or bfloat16, rounded to nearest even. */
#include "exec.h"
#include "fpcore.h"
#include "../alu/half.h"

static bool is_bf16(const struct wl_inst *in)
{
	return in->flags & WL_F_BF16;
}

static double to_double(const struct wl_inst *in, uint32_t h)
{
	h &= 0xffff;
	if (in->flags & WL_F_FTZ)
		h = fp_flush16(h, is_bf16(in));
	return is_bf16(in) ? bf16_to_double(h) : half_to_double(h);
}

/* .SAT: to 0..1, NaN becomes 0. .RELU: to 0 and up, NaN stays. */
static uint32_t from_double(const struct wl_inst *in, double d)
{
	uint32_t h = is_bf16(in) ? double_to_bf16(d) : double_to_half(d), one = is_bf16(in) ? 0x3f80 : 0x3c00;
	if (in->flags & WL_F_FTZ)
		h = fp_flush16(h, is_bf16(in));
	if (in->flags & WL_F_SAT)
		return d != d || h >> 15 ? 0 : h > one ? one : h;
	return in->flags & WL_F_RELU && h >> 15 ? 0 : h;
}

/* A source of HADD2 or of a comparison; a float32 is cut to a float16, for both halves. */
static uint32_t addend(const struct wl_inst *in, unsigned i, uint32_t v)
{
	if (in->sel[i] != WL_HALF_F32)
		return half_source(in, i, v);
	if (in->abs >> i & 1)
		v &= 0x7fffffffu;
	if (in->neg >> i & 1)
		v ^= 0x80000000u;
	return (uint32_t)fp_round(WL_FMT_F16, fp_unpack(WL_FMT_F32, v), WL_RZ_TRUNC, false) * 0x10001u;
}

static uint32_t single_sum(const struct wl_inst *in, uint32_t a, uint32_t b)
{
	float f = (float)(to_double(in, a) + to_double(in, b)); /* the sum of two float16 is exact in a double */
	uint32_t bits = f != f ? 0x7fffffff : bits_of_float(f);
	return in->flags & WL_F_SAT ? saturate32(bits) : bits;
}

enum flow exec_HADD2(struct exec *x)
{
	ROW(d);
	const struct wl_inst *in = x->in;
	FOR_LANES (i) {
		uint32_t a = addend(in, 0, x->a[i]), b = addend(in, 1, x->b[i]);
		if (in->flags & WL_F_F32) {
			d[i] = single_sum(in, a, b);
			continue;
		}
		d[i] = from_double(in, odd_sum(to_double(in, a), to_double(in, b)));
		d[i] |= from_double(in, odd_sum(to_double(in, a >> 16), to_double(in, b >> 16))) << 16;
	}
	return write_rd(x, d);
}

enum flow exec_HMUL2(struct exec *x)
{
	ROW(d);
	const struct wl_inst *in = x->in;
	FOR_LANES (i) {
		uint32_t a = half_source(in, 0, x->a[i]), b = half_source(in, 1, x->b[i]);
		d[i] = from_double(in, to_double(in, a) * to_double(in, b));
		d[i] |= from_double(in, to_double(in, a >> 16) * to_double(in, b >> 16)) << 16;
	}
	return write_rd(x, d);
}

static uint32_t fused(const struct wl_inst *in, uint32_t a, uint32_t b, uint32_t c)
{
	return from_double(in, odd_sum(to_double(in, a) * to_double(in, b), to_double(in, c)));
}

/* The assembler moves a constant by -0 * 0 + C, with a C of two immediates: the bits of C are the result then. */
enum flow exec_HFMA2(struct exec *x)
{
	ROW(d);
	const struct wl_inst *in = x->in;
	if (in->src[2] == WL_SRC_IMM && in->ra == WL_RZ && in->neg & 1 && in->rb == WL_RZ)
		return write_rd(x, x->c);
	FOR_LANES (i) {
		uint32_t a = half_source(in, 0, x->a[i]), b = half_source(in, 1, x->b[i]),
		         c = half_source(in, 2, x->c[i]);
		d[i] = fused(in, a, b, c) | fused(in, a >> 16, b >> 16, c >> 16) << 16;
	}
	return write_rd(x, d);
}

static uint32_t lesser(const struct wl_inst *in, uint32_t a, uint32_t b, bool want_less)
{
	double da = to_double(in, a), db = to_double(in, b);
	uint32_t fa = a & 0xffff, fb = b & 0xffff;
	if (in->flags & WL_F_FTZ) {
		fa = fp_flush16(fa, is_bf16(in));
		fb = fp_flush16(fb, is_bf16(in));
	}
	if (da != da || db != db)
		return in->flags & WL_F_NAN || (da != da && db != db) ? HALF_NAN : da == da ? fa : fb;
	bool a_less = da < db || (da == db && fa >> 15 > fb >> 15); /* -0 is below +0 */
	return a_less == want_less ? fa : fb;
}

/* .XORSIGN: the magnitude is chosen after the bars, the sign is the sign of the registers' product. */
enum flow exec_HMNMX2(struct exec *x)
{
	ROW(d);
	const struct wl_inst *in = x->in;
	struct wl_inst plain = *in;
	uint32_t min = read_pred(x, in->ps[0]);
	plain.abs = 0;
	FOR_LANES (i) {
		uint32_t a = half_source(in, 0, x->a[i]), b = half_source(in, 1, x->b[i]);
		uint32_t sign = (half_source(&plain, 0, x->a[i]) ^ half_source(&plain, 1, x->b[i])) & 0x80008000u;
		uint32_t lo = lesser(in, a, b, min >> i & 1), hi = lesser(in, a >> 16, b >> 16, min >> i & 1);
		if (in->flags & WL_F_XORSIGN) {
			lo = lo == HALF_NAN ? lo : (lo & 0x7fff) | (sign & 0x8000);
			hi = hi == HALF_NAN ? hi : (hi & 0x7fff) | sign >> 16;
		}
		d[i] = lo | hi << 16;
	}
	return write_rd(x, d);
}

enum flow exec_VHMNMX(struct exec *x)
{
	ROW(d);
	const struct wl_inst *in = x->in;
	const uint32_t min = read_pred(x, in->ps[0]);
	FOR_LANES (i) {
		const bool least = min >> i & 1;
		uint32_t a = half_source(in, 0, x->a[i]), b = half_source(in, 1, x->b[i]),
		         c = half_source(in, 2, x->c[i]);
		uint32_t lo = lesser(in, lesser(in, a, b, least), c, least);
		uint32_t hi = lesser(in, lesser(in, a >> 16, b >> 16, least), c >> 16, least);
		d[i] = lo | hi << 16;
	}
	return write_rd(x, d);
}

static struct fp_num half_number(const struct wl_inst *in, unsigned i, uint32_t v)
{
	return fp_unpack(is_bf16(in) ? WL_FMT_BF16 : WL_FMT_F16, half_source(in, i, v) & 0xffff);
}

static struct fp_num single_number(const struct wl_inst *in, unsigned i, uint32_t v)
{
	if (in->abs >> i & 1)
		v &= 0x7fffffffu;
	if (in->neg >> i & 1)
		v ^= 0x80000000u;
	return fp_unpack(WL_FMT_F32, v);
}

static uint32_t to_single(const struct wl_inst *in, struct fp_num n)
{
	uint32_t bits = (uint32_t)fp_round(WL_FMT_F32, n, in->type, false);
	return in->flags & WL_F_SAT ? saturate32(bits) : bits;
}

enum flow exec_FHADD(struct exec *x)
{
	ROW(d);
	const struct wl_inst *in = x->in;
	FOR_LANES (i)
		d[i] = to_single(in, fp_add(half_number(in, 0, x->a[i]), single_number(in, 1, x->b[i]), in->type));
	return write_rd(x, d);
}

enum flow exec_FHFMA(struct exec *x)
{
	ROW(d);
	const struct wl_inst *in = x->in;
	FOR_LANES (i) {
		struct fp_num p = fp_mul(half_number(in, 0, x->a[i]), half_number(in, 1, x->b[i]));
		d[i] = to_single(in, fp_add(p, single_number(in, 2, x->c[i]), in->type));
	}
	return write_rd(x, d);
}

/* ptxas names a float32 just made from a half: nothing is to be cut. */
static uint32_t compared(const struct wl_inst *in, unsigned i, uint32_t v)
{
	uint32_t h = addend(in, i, v);
	return in->sel[i] == WL_HALF_F32 && in->flags & WL_F_FTZ ? fp_flush16(h & 0xffff, false) * 0x10001u : h;
}

/* Lanes with a true comparison of the low halves, of the high halves. */
static void compare_halves(const struct exec *x, uint32_t *low, uint32_t *high)
{
	const struct wl_inst *in = x->in;
	*low = *high = 0;
	FOR_LANES (i) {
		uint32_t a = compared(in, 0, x->a[i]), b = compared(in, 1, x->b[i]);
		*low |= (uint32_t)compare_float(in->op, to_double(in, a), to_double(in, b)) << i;
		*high |= (uint32_t)compare_float(in->op, to_double(in, a >> 16), to_double(in, b >> 16)) << i;
	}
}

enum flow exec_HSET2(struct exec *x)
{
	ROW(d);
	const struct wl_inst *in = x->in;
	uint32_t low, high, other = read_pred(x, in->ps[0]);
	uint32_t yes = !(in->flags & WL_F_BF) ? 0xffff : is_bf16(in) ? 0x3f80 : 0x3c00;
	compare_halves(x, &low, &high);
	low = combine(in->bop, low, other);
	high = combine(in->bop, high, other);
	FOR_LANES (i)
		d[i] = (low >> i & 1 ? yes : 0) | (high >> i & 1 ? yes << 16 : 0);
	return write_rd(x, d);
}

enum flow exec_HSETP2(struct exec *x)
{
	uint32_t low, high, other = read_pred(x, x->in->ps[0]);
	compare_halves(x, &low, &high);
	write_pred(x, x->in->pd[0], combine(x->in->bop, low, other));
	write_pred(x, x->in->pd[1], combine(x->in->bop, high, other));
	return FLOW_NEXT;
}
