// SPDX-License-Identifier: Apache-2.0
/* exec_float.c -- conversions and single-precision arithmetic, as far as integer division needs them.
 *
 * Results are those of IEEE 754 binary32, computed without touching the host's rounding mode. */
#include "exec.h"

#define QUIET_NAN UINT32_C(0x7fffffff)

static float to_float(uint32_t bits)
{
	float f;
	memcpy(&f, &bits, sizeof f);
	return f;
}
static uint32_t to_bits(float f)
{
	uint32_t bits;
	memcpy(&bits, &f, sizeof bits);
	return bits;
}
/* .FTZ: a subnormal counts as zero of its sign. */
static uint32_t flush(const struct wl_inst *in, uint32_t bits)
{
	return in->flags & WL_F_FTZ && !(bits & 0x7f800000u) ? bits & 0x80000000u : bits;
}
static uint32_t finish(const struct wl_inst *in, float f)
{
	return f != f ? QUIET_NAN : flush(in, to_bits(f));
}

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

static uint32_t int_to_float(const struct wl_inst *in, uint32_t v)
{
	bool negative = in->flags & WL_F_SIGNED && v >> 31;
	uint32_t m = negative ? 0 - v : v, sign = negative ? 0x80000000u : 0;
	if (!m)
		return 0;
	unsigned top = 31 - (unsigned)__builtin_clz(m);
	if (top <= 23)
		return sign | (((126 + top) << 23) + (m << (23 - top)));
	unsigned cut = top - 23;
	uint32_t kept = m >> cut;
	int half = compare_half(m & ((1u << cut) - 1), UINT64_C(1) << (cut - 1));
	kept += round_up(in->type, negative, kept & 1, half);
	return sign | (((126 + top) << 23) + kept); /* a carry out of the fraction goes into the exponent */
}

/* Out of range: the nearest integer; not a number: 0. */
static uint32_t float_to_int(const struct wl_inst *in, uint32_t bits)
{
	bool sgn = in->flags & WL_F_SIGNED;
	bits = flush(in, bits);
	bool negative = bits >> 31;
	uint32_t exp = bits >> 23 & 0xff;
	uint64_t m = exp ? (bits & 0x7fffffu) | 0x800000u : bits & 0x7fffffu;
	uint64_t most = !sgn ? (negative ? 0 : UINT32_MAX) : negative ? UINT64_C(1) << 31 : INT32_MAX;
	if (exp == 0xff && bits & 0x7fffffu)
		return 0;
	int shift = (exp ? (int)exp : 1) - 150; /* value = m * 2^shift */
	if (shift > 8)
		m = m ? most + 1 : 0;
	else if (shift >= 0)
		m <<= shift;
	else if (shift < -40)
		m = round_up(in->type, negative, false, m ? -1 : 2);
	else {
		uint64_t unit = UINT64_C(1) << -shift, cut = m & (unit - 1);
		m >>= -shift;
		m += round_up(in->type, negative, m & 1, compare_half(cut, unit / 2));
	}
	if (m > most)
		m = most;
	return negative ? 0 - (uint32_t)m : (uint32_t)m;
}

/* a * b + c with one rounding. The product of two floats is exact in a double; the sum is rounded to odd there, which
 * leaves the final rounding to 24 bits correct (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums"). */
static float fused(float a, float b, float c)
{
	double p = (double)a * b, s = p + c;
	if (!(s - s == 0)) /* infinite or not a number */
		return (float)s;
	double t = s - p, err = (p - (s - t)) + (c - t);
	uint64_t bits;
	memcpy(&bits, &s, sizeof bits);
	if (err != 0 && !(bits & 1))
		bits += (err > 0) == (s > 0) ? 1 : UINT64_MAX;
	memcpy(&s, &bits, sizeof s);
	return (float)s;
}

enum flow exec_I2F(struct exec *x)
{
	ROW(d);
	FOR_LANES (i)
		d[i] = int_to_float(x->in, x->b[i]);
	return write_rd(x, d);
}

enum flow exec_F2I(struct exec *x)
{
	ROW(d);
	FOR_LANES (i)
		d[i] = float_to_int(x->in, x->b[i]);
	return write_rd(x, d);
}

/* Only RCP comes here (prepare.c): subnormals are flushed on both sides, the rest is correctly rounded. */
enum flow exec_MUFU(struct exec *x)
{
	ROW(d);
	FOR_LANES (i) {
		uint32_t b = x->b[i] & 0x7f800000u ? x->b[i] : x->b[i] & 0x80000000u;
		uint32_t r = to_bits(1.0f / to_float(b));
		d[i] = (b & 0x7fffffffu) > 0x7f800000u ? QUIET_NAN : r & 0x7f800000u ? r : r & 0x80000000u;
	}
	return write_rd(x, d);
}

#define IN(row) to_float(flush(x->in, x->row[i]))

enum flow exec_FADD(struct exec *x)
{
	ROW(d);
	FOR_LANES (i)
		d[i] = finish(x->in, IN(a) + IN(b));
	return write_rd(x, d);
}

enum flow exec_FMUL(struct exec *x)
{
	ROW(d);
	FOR_LANES (i)
		d[i] = finish(x->in, IN(a) * IN(b));
	return write_rd(x, d);
}

enum flow exec_FFMA(struct exec *x)
{
	ROW(d);
	FOR_LANES (i)
		d[i] = finish(x->in, fused(IN(a), IN(b), IN(c)));
	return write_rd(x, d);
}
