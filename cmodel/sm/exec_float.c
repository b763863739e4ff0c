// SPDX-License-Identifier: Apache-2.0
/* exec_float.c -- single-precision arithmetic. Results are those of IEEE 754 binary32: to nearest on the host's own
 * arithmetic, in the other directions and with .SAT, .FMZ and scales by fpcore.c. */
#include "exec.h"
#include "../alu/float_bits.h"
#include "fpcore.h"

#define QUIET_NAN UINT32_C(0x7fffffff)

/* .FTZ: a subnormal counts as zero of its sign. */
static uint32_t flush(const struct wl_inst *in, uint32_t bits)
{
	return in->flags & WL_F_FTZ ? fp_flush32(bits) : bits;
}
static uint32_t finish(const struct wl_inst *in, float f)
{
	return f != f ? QUIET_NAN : flush(in, bits_of_float(f));
}

/* a * b + c with one rounding: the product of two floats is exact in a double. */
static float fused(float a, float b, float c)
{
	return (float)odd_sum((double)a * b, c);
}

#define IN(row) float_of(flush(x->in, x->row[i]))

/* What the quick functions above do not do. */
static bool is_special(const struct wl_inst *in)
{
	return in->type != WL_RN || in->flags & (WL_F_SAT | WL_F_FMZ);
}

static struct fp_num number(const struct wl_inst *in, uint32_t bits)
{
	return fp_unpack(WL_FMT_F32, in->flags & (WL_F_FTZ | WL_F_FMZ) ? fp_flush32(bits) : bits);
}

/* .SAT: to 0..1; NaN becomes 0. */
uint32_t saturate32(uint32_t bits)
{
	if ((bits & 0x7fffffffu) > 0x7f800000u || bits >> 31)
		return 0;
	return bits > 0x3f800000u ? 0x3f800000u : bits;
}

static uint32_t rounded(const struct wl_inst *in, struct fp_num n)
{
	uint32_t bits = (uint32_t)fp_round(WL_FMT_F32, n, in->type, false);
	if (in->flags & (WL_F_FTZ | WL_F_FMZ))
		bits = fp_flush32(bits);
	return in->flags & WL_F_SAT ? saturate32(bits) : bits;
}

/* .FMZ: zero times anything is +0. */
static struct fp_num product(const struct wl_inst *in, struct fp_num a, struct fp_num b)
{
	if (in->flags & WL_F_FMZ && (a.kind == FP_K_ZERO || b.kind == FP_K_ZERO))
		return (struct fp_num){.kind = FP_K_ZERO};
	return fp_mul(a, b);
}

enum flow exec_FADD(struct exec *x)
{
	ROW(d);
	const struct wl_inst *in = x->in;
	if (is_special(in)) {
		FOR_LANES (i)
			d[i] = rounded(in, fp_add(number(in, x->a[i]), number(in, x->b[i]), in->type));
	} else {
		FOR_LANES (i)
			d[i] = finish(in, IN(a) + IN(b));
	}
	return write_rd(x, d);
}

enum flow exec_FMUL(struct exec *x)
{
	ROW(d);
	const struct wl_inst *in = x->in;
	int scale = in->shift ? in->shift - 4 : 0;
	if (is_special(in) || scale) {
		FOR_LANES (i) {
			struct fp_num n = product(in, number(in, x->a[i]), number(in, x->b[i]));
			n.exp += scale;
			d[i] = rounded(in, n);
		}
	} else {
		FOR_LANES (i)
			d[i] = finish(in, IN(a) * IN(b));
	}
	return write_rd(x, d);
}

enum flow exec_FFMA(struct exec *x)
{
	ROW(d);
	const struct wl_inst *in = x->in;
	if (is_special(in)) {
		FOR_LANES (i) {
			struct fp_num n = product(in, number(in, x->a[i]), number(in, x->b[i]));
			d[i] = rounded(in, fp_add(n, number(in, x->c[i]), in->type));
		}
	} else {
		FOR_LANES (i)
			d[i] = finish(in, fused(IN(a), IN(b), IN(c)));
	}
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

static uint32_t compare_lanes(const struct exec *x)
{
	uint32_t c = 0;
	FOR_LANES (i)
		c |= (uint32_t)compare_float(x->in->op, IN(a), IN(b)) << i;
	return c;
}

enum flow exec_FSETP(struct exec *x)
{
	return write_compare(x, compare_lanes(x));
}

enum flow exec_FSET(struct exec *x)
{
	ROW(d);
	uint32_t yes = combine(x->in->bop, compare_lanes(x), read_pred(x, x->in->ps[0]));
	FOR_LANES (i)
		d[i] = yes >> i & 1 ? 0x3f800000u : 0;
	return write_rd(x, d);
}

static uint32_t lesser(uint32_t a, uint32_t b, bool want_less, bool nan_wins)
{
	float fa = float_of(a), fb = float_of(b);
	if (fa != fa || fb != fb)
		return nan_wins || (fa != fa && fb != fb) ? QUIET_NAN : fa == fa ? a : b;
	bool a_less = fa < fb || (fa == fb && a >> 31 > b >> 31); /* -0 is below +0 */
	return a_less == want_less ? a : b;
}

enum flow exec_FMNMX3(struct exec *x)
{
	ROW(d);
	const struct wl_inst *in = x->in;
	uint32_t min = read_pred(x, in->ps[0]);
	bool nan = in->flags & WL_F_NAN;
	FOR_LANES (i) {
		uint32_t two = lesser(flush(in, x->a[i]), flush(in, x->b[i]), min >> i & 1, nan);
		d[i] = lesser(two, flush(in, x->c[i]), min >> i & 1, nan);
	}
	return write_rd(x, d);
}

/* .XORSIGN: the magnitude is chosen among |A| and |B|, the sign is the product's, that of the registers. */
enum flow exec_FMNMX(struct exec *x)
{
	ROW(d);
	const struct wl_inst *in = x->in;
	uint32_t min = read_pred(x, in->ps[0]);
	FOR_LANES (i) {
		uint32_t a = flush(in, x->a[i]), b = flush(in, x->b[i]), sign = (a ^ b) & 0x80000000u;
		if (in->flags & WL_F_XORSIGN) {
			a = in->abs & 1 ? a & 0x7fffffffu : a;
			b = in->abs & 2 ? b & 0x7fffffffu : b;
		}
		d[i] = lesser(a, b, min >> i & 1, in->flags & WL_F_NAN);
		if (in->flags & WL_F_XORSIGN && d[i] != QUIET_NAN)
			d[i] = (d[i] & 0x7fffffffu) | sign;
	}
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
