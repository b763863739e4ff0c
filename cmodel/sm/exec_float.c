// SPDX-License-Identifier: Apache-2.0
/* exec_float.c -- single-precision arithmetic. Results are those of IEEE 754 binary32, computed without touching the
 * host's rounding mode. */
#include <math.h>

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

/* Subnormals are flushed on both sides. RCP and SQRT are correctly rounded; the others are what the host's library
 * computes in double, rounded once. SIN and COS take their argument in turns (RRO is part of the code around them). */
static float function(unsigned op, float b)
{
	const double turn = 6.283185307179586476925286766559;
	switch (op) {
	case WL_MUFU_COS:
		return (float)cos(b * turn);
	case WL_MUFU_SIN:
		return (float)sin(b * turn);
	case WL_MUFU_EX2:
		return (float)exp2(b);
	case WL_MUFU_LG2:
		return (float)log2(b);
	case WL_MUFU_RSQ:
		return (float)(1 / sqrt(b));
	case WL_MUFU_SQRT:
		return (float)sqrt(b);
	case WL_MUFU_TANH:
		return (float)tanh(b);
	default:
		return 1.0f / b;
	}
}

enum flow exec_MUFU(struct exec *x)
{
	ROW(d);
	FOR_LANES (i) {
		uint32_t b = x->b[i] & 0x7f800000u ? x->b[i] : x->b[i] & 0x80000000u;
		uint32_t r = to_bits(function(x->in->op, to_float(b)));
		bool nan = (r & 0x7fffffffu) > 0x7f800000u;
		d[i] = nan ? QUIET_NAN : r & 0x7f800000u ? r : r & 0x80000000u;
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

enum flow exec_FSEL(struct exec *x)
{
	ROW(d);
	uint32_t first = read_pred(x, x->in->ps[0]);
	FOR_LANES (i)
		d[i] = flush(x->in, first >> i & 1 ? x->a[i] : x->b[i]);
	return write_rd(x, d);
}

enum flow exec_FSETP(struct exec *x)
{
	uint32_t c = 0;
	FOR_LANES (i)
		c |= (uint32_t)compare_float(x->in->op, IN(a), IN(b)) << i;
	return write_compare(x, c);
}

static uint32_t lesser(uint32_t a, uint32_t b, bool want_less)
{
	float fa = to_float(a), fb = to_float(b);
	if (fa != fa || fb != fb)
		return fa == fa ? a : fb == fb ? b : QUIET_NAN;
	bool a_less = fa < fb || (fa == fb && a >> 31 > b >> 31); /* -0 is below +0 */
	return a_less == want_less ? a : b;
}

enum flow exec_FMNMX(struct exec *x)
{
	ROW(d);
	uint32_t min = read_pred(x, x->in->ps[0]);
	FOR_LANES (i)
		d[i] = lesser(flush(x->in, x->a[i]), flush(x->in, x->b[i]), min >> i & 1);
	return write_rd(x, d);
}

/* Safe: both are normal, and neither the reciprocal, nor the quotient, nor a remainder comes near the ends of the
 * range. When in doubt the code takes its slow way, which gives the same result. */
enum flow exec_FCHK(struct exec *x)
{
	uint32_t unsafe = 0;
	FOR_LANES (i) {
		int a = (int)(x->a[i] >> 23 & 0xff) - 127, b = (int)(x->b[i] >> 23 & 0xff) - 127;
		bool safe = a > -100 && a < 126 && b > -120 && b < 120 && a - b > -120 && a - b < 120;
		unsafe |= (uint32_t)!safe << i;
	}
	write_pred(x, x->in->pd[0], unsafe);
	return FLOW_NEXT;
}
