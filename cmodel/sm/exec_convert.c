// SPDX-License-Identifier: Apache-2.0
/* exec_convert.c -- conversions between integers and floats, and between formats of floats: exact,
 * then rounded once. */
#include <string.h>

#include "exec.h"
#include "fpcore.h"
#include "../alu/half.h"

/* Format: the flag of bfloat16 takes the place of the member in rows with a split text. */
static enum wl_format format(const struct wl_inst *in, unsigned member)
{
	return in->flags & WL_F_BF16 ? WL_FMT_BF16 : (enum wl_format)member;
}

static enum flow write_float(struct exec *x, enum wl_format f, const uint32_t *lo, const uint32_t *hi)
{
	return f == WL_FMT_F64 ? write_rd64(x, lo, hi) : write_rd(x, lo);
}

static void put(uint32_t *lo, uint32_t *hi, unsigned lane, uint64_t v)
{
	lo[lane] = (uint32_t)v;
	hi[lane] = (uint32_t)(v >> 32);
}

/* The integer of a lane, as 64 bits. */
static uint64_t integer(const struct exec *x, unsigned lane)
{
	const unsigned bits = x->in->size * 8u;
	uint64_t v = x->b[lane] >> 8 * x->in->sel[1];
	if (bits == 64)
		v = x->in->src[1] == WL_SRC_IMM ? v << 32 : v | (uint64_t)x->b[WL_WARP_LANES + lane] << 32;
	v <<= 64 - bits;
	return x->in->flags & WL_F_SIGNED ? (uint64_t)((int64_t)v >> (64 - bits)) : v >> (64 - bits);
}

/* To the nearest float32 or float64, as the host's conversions. */
static uint64_t nearest(bool sgn, enum wl_format to, uint64_t v)
{
	uint64_t bits = 0;
	if (to == WL_FMT_F64) {
		const double f = sgn ? (double)(int64_t)v : (double)v;
		memcpy(&bits, &f, sizeof f);
	} else {
		const float f = sgn ? (float)(int64_t)v : (float)v;
		memcpy(&bits, &f, sizeof f);
	}
	return bits;
}

static struct fp_num number(bool sgn, uint64_t v)
{
	return sgn && v >> 63 ? fp_integer(0 - v, true) : fp_integer(v, false);
}

enum flow exec_I2F(struct exec *x)
{
	ROW(lo);
	ROW(hi);
	const enum wl_format to = format(x->in, x->in->xn);
	const bool sgn = x->in->flags & WL_F_SIGNED,
	           plain = x->in->type == WL_RN && (to == WL_FMT_F32 || to == WL_FMT_F64);
	FOR_LANES (i) {
		const uint64_t v = integer(x, i);
		put(lo, hi, i, plain ? nearest(sgn, to, v) : fp_round(to, number(sgn, v), x->in->type, false));
	}
	return write_float(x, to, lo, hi);
}

/* Float source of a lane; .FTZ: a subnormal float32 counts as zero. */
static struct fp_num float_source(const struct exec *x, enum wl_format f, unsigned lane)
{
	const struct wl_inst *in = x->in;
	uint32_t lo = x->b[lane];
	if (f == WL_FMT_F16 || f == WL_FMT_BF16)
		return fp_unpack(f, half_source(in, 1, lo) & 0xffff);
	if (f == WL_FMT_F32)
		return fp_unpack(f, in->flags & WL_F_FTZ ? fp_flush32(lo) : lo);
	uint64_t bits = (uint64_t)x->b[WL_WARP_LANES + lane] << 32 | lo;
	bits = in->abs & 2 ? bits & INT64_MAX : bits;
	return fp_unpack(f, in->neg & 2 ? bits ^ UINT64_C(1) << 63 : bits);
}

/* Out of range: the nearest integer. Not a number: 0, or without .NTZ the highest bit alone. */
static uint64_t to_integer(const struct wl_inst *in, struct fp_num n, unsigned bits)
{
	bool sgn = in->flags & WL_F_SIGNED;
	uint64_t most = ~UINT64_C(0) >> (64 - bits) >> (sgn ? 1 : 0);
	if (n.kind == FP_K_NAN)
		return in->flags & WL_F_NTZ ? 0 : sgn ? ~(most) : most / 2 + 1;
	n = fp_integral(n, in->type);
	if (n.kind == FP_K_ZERO || (n.neg && !sgn))
		return 0;
	uint64_t limit = n.neg ? most + 1 : most, m = limit; /* infinite, or too large */
	if (n.kind == FP_K_FINITE && n.exp < 64 && n.mant << n.exp < limit)
		m = (uint64_t)(n.mant << n.exp);
	return n.neg ? 0 - m : m;
}

/* A float32 or float64 cut to an integer, if the value fits: as the host's conversion. */
static bool fits(const struct exec *x, enum wl_format from, unsigned lane, uint64_t *v)
{
	const bool sgn = x->in->flags & WL_F_SIGNED;
	const double most = (x->in->size == 8 ? 0x1p64 : 0x1p32) * (sgn ? 0.5 : 1), least = sgn ? -most : 0;
	const uint64_t bits = x->b[lane] | (from == WL_FMT_F64 ? (uint64_t)x->b[WL_WARP_LANES + lane] << 32 : 0);
	double d;
	if (from == WL_FMT_F64) {
		memcpy(&d, &bits, sizeof d);
	} else {
		float f;
		memcpy(&f, &x->b[lane], sizeof f);
		d = (double)f;
	}
	if (!(d >= least && d < most))
		return false;
	*v = sgn ? (uint64_t)(int64_t)d : (uint64_t)d;
	return true;
}

/* Forms for `fits`. Signs of float64 sources are not yet applied at this point. */
static bool is_plain(const struct wl_inst *in, enum wl_format from)
{
	return in->size >= 4 && in->type == WL_RZ_TRUNC &&
	       (from == WL_FMT_F32 || (from == WL_FMT_F64 && !((in->abs | in->neg) & 2)));
}

enum flow exec_F2I(struct exec *x)
{
	ROW(lo);
	ROW(hi);
	const enum wl_format from = format(x->in, x->in->xn);
	const bool plain = is_plain(x->in, from);
	FOR_LANES (i) {
		uint64_t v;
		if (!plain || !fits(x, from, i, &v))
			v = to_integer(x->in, float_source(x, from, i), x->in->size * 8u);
		put(lo, hi, i, v);
	}
	return x->in->size == 8 ? write_rd64(x, lo, hi) : write_rd(x, lo);
}

static uint64_t finish(const struct wl_inst *in, enum wl_format to, uint64_t v)
{
	return in->flags & WL_F_FTZ && to == WL_FMT_F32 ? fp_flush32((uint32_t)v) : v;
}

enum flow exec_F2F(struct exec *x)
{
	ROW(lo);
	ROW(hi);
	const struct wl_inst *in = x->in;
	FOR_LANES (i)
		put(lo, hi, i, finish(in, in->xn, fp_round(in->xn, float_source(x, in->bop, i), in->type, false)));
	return write_float(x, in->xn, lo, hi);
}

enum flow exec_FRND(struct exec *x)
{
	ROW(lo);
	ROW(hi);
	const struct wl_inst *in = x->in;
	FOR_LANES (i) {
		struct fp_num n = fp_integral(float_source(x, in->xn, i), in->type);
		put(lo, hi, i, fp_round(in->xn, n, WL_RN, false));
	}
	return write_float(x, in->xn, lo, hi);
}

/* --- several values in a register ------------------------------------------------------------------------- */

/* The nearest integer in `bits` bits, signed or not, to a signed integer. */
static uint32_t saturated(const struct wl_inst *in, uint32_t v, unsigned bits)
{
	bool sgn = in->flags & WL_F_SIGNED;
	int64_t s = (int32_t)v, most = (INT64_C(1) << (sgn ? bits - 1 : bits)) - 1, least = sgn ? -most - 1 : 0;
	return (uint32_t)(s > most ? most : s < least ? least : s);
}

enum flow exec_I2I(struct exec *x)
{
	ROW(d);
	FOR_LANES (i)
		d[i] = saturated(x->in, x->b[i], x->in->size * 8u);
	return write_rd(x, d);
}

/* A and B in `bits` bits each, B low, C above both. */
static uint32_t packed(uint32_t a, uint32_t b, uint32_t c, unsigned bits)
{
	uint32_t ones = (UINT32_C(1) << bits) - 1;
	return (b & ones) | (a & ones) << bits | (bits < 16 ? c << 2 * bits : 0);
}

enum flow exec_I2IP(struct exec *x)
{
	ROW(d);
	unsigned bits = x->in->shift;
	FOR_LANES (i)
		d[i] = packed(saturated(x->in, x->a[i], bits), saturated(x->in, x->b[i], bits), x->c[i], bits);
	return write_rd(x, d);
}

static uint32_t float_field(const struct wl_inst *in, uint32_t v)
{
	uint32_t r = (uint32_t)to_integer(in, fp_unpack(WL_FMT_F32, v), in->shift);
	return in->flags & WL_F_RELU && in->flags & WL_F_SIGNED && (int32_t)r < 0 ? 0 : r;
}

enum flow exec_F2IP(struct exec *x)
{
	ROW(d);
	FOR_LANES (i)
		d[i] = packed(float_field(x->in, x->a[i]), float_field(x->in, x->b[i]), x->c[i], x->in->shift);
	return write_rd(x, d);
}

static uint32_t narrowed(const struct wl_inst *in, struct fp_num n)
{
	if (in->flags & WL_F_RELU && n.neg && n.kind != FP_K_NAN)
		return 0;
	return (uint32_t)fp_round(in->xn, n, in->type, in->flags & WL_F_SAT);
}

/* E8M0, an exponent alone: code e is 2^(e - 127), 0xff is NaN. Of float32 bits without the sign: cut (.RZ), or the next
 * power of two above (.RP). Too large a value is 0xff, or 0xfe with .SATFINITE. The least value is 2^-127, code 0. */
static uint32_t exponent_of(const struct wl_inst *in, uint32_t v)
{
	uint32_t magnitude = v & 0x7fffffff, code = magnitude >> 23;
	if (magnitude > 0x7f800000)
		return 0xff;
	if (in->type == WL_RP && code < 0xff && magnitude & 0x7fffff && magnitude > 0x400000)
		code++;
	return code == 0xff && in->flags & WL_F_SAT ? 0xfe : code;
}
static uint32_t power_of(uint32_t code)
{
	return code == 0xff ? 0x7fff : code ? code << 7 : 0x40;
}

/* Stochastic rounding: 16 random bits (float16: 13) are added to the highest 16 (13) bits of the part cut off. The
 * carry goes to the part kept. */
static uint32_t by_chance(const struct wl_inst *in, uint32_t v, uint32_t random)
{
	bool half = in->xn == WL_FMT_F16;
	uint32_t down = narrowed(in, fp_unpack(WL_FMT_F32, v)), magnitude = v & 0x7fffffff, sign = v >> 31 << 15;
	unsigned bits = half ? 13 : 16, cut = bits, exponent = magnitude >> 23;
	uint64_t digits = magnitude;
	if (magnitude >= 0x7f800000 || (in->flags & WL_F_RELU && sign))
		return down;
	if (half && exponent < 113) { /* below 2^-14 more bits are cut off, the leading 1 too */
		digits = (exponent ? 0x800000 : 0) | (magnitude & 0x7fffff);
		cut += 113 - (exponent ? exponent : 1);
	}
	uint64_t rest = cut > 50 ? 0 : (digits & ((UINT64_C(1) << cut) - 1)) >> (cut - bits);
	bool up = (rest + (random & ((1u << bits) - 1))) >> bits;
	if (half && exponent > 142) /* 2^16 and above */
		return in->flags & WL_F_SAT ? down : sign | 0x7c00;
	return up && !((down & 0x7fff) == (half ? 0x7bff : 0x7f7f) && in->flags & WL_F_SAT) ? down + 1 : down;
}

/* C goes above the result of the conversion: two floats of 6 or 8 bits, or two of 4. */
static uint32_t merged(const struct wl_inst *in, uint32_t v, uint32_t c)
{
	return v | c << (in->xn == WL_FMT_E2M1 ? 8 : 16);
}

/* Two floats of 4 to 8 bits from float32 A and B, or from the halves of B. */
static uint32_t two_of_8(const struct wl_inst *in, uint32_t a, uint32_t b)
{
	if (in->xn == WL_FMT_E8M0 && in->bop == WL_FMT_BF16)
		return exponent_of(in, b << 16) | exponent_of(in, b & 0xffff0000) << 8;
	if (in->xn == WL_FMT_E8M0)
		return exponent_of(in, b) | exponent_of(in, a) << 8;
	if (in->bop == WL_FMT_F16)
		return narrowed(in, fp_unpack(WL_FMT_F16, b & 0xffff)) | narrowed(in, fp_unpack(WL_FMT_F16, b >> 16))
		                                                                 << 8;
	return narrowed(in, fp_unpack(WL_FMT_F32, b)) | narrowed(in, fp_unpack(WL_FMT_F32, a))
	                                                        << (in->xn == WL_FMT_E2M1 ? 4 : 8);
}

static uint32_t two_halves(const struct wl_inst *in, uint32_t b)
{
	if (in->bop == WL_FMT_E8M0)
		return power_of(b & 0xff) | power_of(b >> 8 & 0xff) << 16;
	const unsigned bits = in->bop == WL_FMT_E2M1 ? 4 : 8;
	return narrowed(in, fp_unpack(in->bop, b & ((1u << bits) - 1))) |
	       narrowed(in, fp_unpack(in->bop, b >> bits & ((1u << bits) - 1))) << 16;
}

enum flow exec_F2FP(struct exec *x)
{
	ROW(d);
	const struct wl_inst *in = x->in;
	FOR_LANES (i) {
		uint32_t a = x->a[i], b = x->b[i];
		switch ((enum wl_f2fp)in->op) {
		case WL_F2FP_PACK:
			d[i] = narrowed(in, fp_unpack(WL_FMT_F32, b)) | narrowed(in, fp_unpack(WL_FMT_F32, a)) << 16;
			break;
		case WL_F2FP_ONE:
			d[i] = narrowed(in, fp_unpack(WL_FMT_F32, b));
			break;
		case WL_F2FP_PACK8:
			d[i] = merged(in, two_of_8(in, a, b), x->c[i]);
			break;
		case WL_F2FP_UNPACK8:
			d[i] = two_halves(in, b);
			break;
		case WL_F2FP_RS:
			d[i] = by_chance(in, b, x->c[i]) | by_chance(in, a, x->c[i] >> 16) << 16;
			break;
		}
	}
	return write_rd(x, d);
}
