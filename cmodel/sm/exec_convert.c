// SPDX-License-Identifier: Apache-2.0
/* exec_convert.c -- conversions between integers and floats, and between floats, with explicit rounding modes. */
#include <math.h>

#include "exec.h"
#include "half.h"

enum { F32, F16, F64 }; /* members xn and bop: formats */
#define QUIET_NAN   UINT32_C(0x7fffffff)
#define QUIET_NAN64 UINT64_C(0x7fffffffffffffff)

/* Whether a magnitude cut at some bit is increased: `half` = the cut part against half a unit (-1, 0, 1), 2 = exact. */
static bool round_up(unsigned mode, bool negative, bool odd, int half)
{
	if (half == 2)
		return false;
	switch (mode) {
	case WL_RN:
		return half > 0 || (half == 0 && odd);
	case WL_RM:
		return negative;
	case WL_RP:
		return !negative;
	default:
		return false;
	}
}

static int compare_half(uint64_t cut, uint64_t half)
{
	return cut == 0 ? 2 : cut < half ? -1 : cut > half;
}

/* m with its sign, rounded to `bits` significant bits: exact in a double. */
static double rounded(uint64_t m, bool negative, unsigned bits, unsigned mode)
{
	unsigned width = m ? 64 - (unsigned)__builtin_clzll(m) : 0;
	double d;
	if (width <= bits) {
		d = (double)m;
	} else {
		unsigned cut = width - bits;
		uint64_t kept = m >> cut;
		int half = compare_half(m & ((UINT64_C(1) << cut) - 1), UINT64_C(1) << (cut - 1));
		kept += round_up(mode, negative, kept & 1, half);
		d = ldexp((double)kept, (int)cut);
	}
	return negative ? -d : d;
}

/* The integer of a lane, as magnitude and sign. */
static uint64_t integer(const struct exec *x, unsigned lane, bool *negative)
{
	unsigned bits = x->in->size * 8u;
	uint64_t v = x->b[lane];
	if (bits == 64)
		v |= (uint64_t)x->b[WL_WARP_LANES + lane] << 32;
	v = v << (64 - bits) >> (64 - bits);
	*negative = x->in->flags & WL_F_SIGNED && v >> (bits - 1) & 1;
	return *negative ? 0 - (v | (bits < 64 ? ~UINT64_C(0) << bits : 0)) : v;
}

enum flow exec_I2F(struct exec *x)
{
	ROW(lo);
	ROW(hi);
	static const uint8_t significant[] = {[F32] = 24, [F16] = 53, [F64] = 53};
	FOR_LANES (i) {
		bool negative;
		uint64_t m = integer(x, i, &negative), bits;
		double d = rounded(m, m && negative, significant[x->in->xn], x->in->type);
		float f = (float)d;
		memcpy(&bits, &d, sizeof bits);
		hi[i] = (uint32_t)(bits >> 32);
		if (x->in->xn == F64)
			lo[i] = (uint32_t)bits;
		else if (x->in->xn == F16)
			lo[i] = double_to_half(d);
		else
			memcpy(&lo[i], &f, sizeof f);
	}
	return x->in->xn == F64 ? write_rd64(x, lo, hi) : write_rd(x, lo);
}

/* Float source of a lane; .FTZ: a subnormal float32 counts as zero. */
static double float_source(const struct exec *x, unsigned format, unsigned lane)
{
	uint32_t lo = x->b[lane];
	if (format == F64) {
		uint64_t bits = (uint64_t)x->b[WL_WARP_LANES + lane] << 32 | lo;
		double d;
		bits = x->in->abs & 2 ? bits & INT64_MAX : bits;
		bits = x->in->neg & 2 ? bits ^ UINT64_C(1) << 63 : bits;
		memcpy(&d, &bits, sizeof d);
		return d;
	}
	if (x->in->flags & WL_F_FTZ && !(lo & 0x7f800000u))
		lo &= 0x80000000u;
	float f;
	memcpy(&f, &lo, sizeof f);
	return f;
}

static double round_double(unsigned mode, double d)
{
	switch (mode) {
	case WL_RM:
		return floor(d);
	case WL_RP:
		return ceil(d);
	case WL_RZ_TRUNC:
		return trunc(d);
	default: {
		double low = floor(d), rest = d - low;
		bool up = rest > 0.5 || (rest == 0.5 && fmod(low, 2) != 0);
		return up ? low + 1 : low;
	}
	}
}

/* Out of range: the nearest integer; not a number: 0. */
static uint64_t to_integer(const struct wl_inst *in, double d)
{
	unsigned bits = in->size * 8u;
	bool sgn = in->flags & WL_F_SIGNED;
	if (d != d)
		return 0;
	d = round_double(in->type, d);
	uint64_t most = ~UINT64_C(0) >> (64 - bits) >> (sgn ? 1 : 0);
	double limit = ldexp(1, (int)(sgn ? bits - 1 : bits));
	if (d >= limit)
		return most;
	if (sgn)
		return d <= -limit ? ~most : (uint64_t)(int64_t)d;
	return d <= 0 ? 0 : (uint64_t)d;
}

enum flow exec_F2I(struct exec *x)
{
	ROW(lo);
	ROW(hi);
	FOR_LANES (i) {
		uint64_t v = to_integer(x->in, float_source(x, x->in->xn, i));
		lo[i] = (uint32_t)v;
		hi[i] = (uint32_t)(v >> 32);
	}
	return x->in->size == 8 ? write_rd64(x, lo, hi) : write_rd(x, lo);
}

/* float32 to float64 is exact; the other way rounds to nearest even. */
enum flow exec_F2F(struct exec *x)
{
	ROW(lo);
	ROW(hi);
	FOR_LANES (i) {
		double d = float_source(x, x->in->bop, i);
		float f = (float)d;
		uint64_t bits = QUIET_NAN64;
		if (d == d)
			memcpy(&bits, &d, sizeof bits);
		lo[i] = (uint32_t)bits;
		hi[i] = (uint32_t)(bits >> 32);
		if (x->in->xn == F32) {
			lo[i] = QUIET_NAN;
			if (f == f)
				memcpy(&lo[i], &f, sizeof f);
			if (x->in->flags & WL_F_FTZ && !(lo[i] & 0x7f800000u))
				lo[i] &= 0x80000000u;
		}
	}
	return x->in->xn == F64 ? write_rd64(x, lo, hi) : write_rd(x, lo);
}
