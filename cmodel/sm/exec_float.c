// SPDX-License-Identifier: Apache-2.0
/* exec_float.c -- single-precision arithmetic. Results follow IEEE 754 binary32. Rounding to nearest uses the host's
 * arithmetic; other directions, .SAT, .FMZ and scales use fpcore.c. */
#include "exec.h"
#include "../alu/float_bits.h"
#include "fpcore.h"

#define QUIET_NAN UINT32_C(0x7fffffff)

/* .FTZ: a subnormal counts as zero of the same sign. */
static uint32_t flush(const struct wl_inst *in, uint32_t bits)
{
	return in->flags & WL_F_FTZ ? fp_flush32(bits) : bits;
}
static uint32_t finish(const struct wl_inst *in, float f)
{
	return f != f ? QUIET_NAN : flush(in, bits_of_float(f));
}

#define IN(row) float_of(flush(x->in, x->row[i]))

/* Cases beyond the quick functions above. */
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

/* Loops of the common case. Choices are masks, so a compiler finds the lanes' work all alike. `low`: the bits taken
 * from subnormals by .FTZ, or none. */
static uint32_t flushed_bits(const struct wl_inst *in)
{
	return in->flags & WL_F_FTZ ? 0x007fffffu : 0;
}
static inline uint32_t flush_known(uint32_t low, uint32_t bits)
{
	const uint32_t subnormal = 0 - (uint32_t)((bits & 0x7f800000u) == 0);
	return bits & ~(subnormal & low);
}
static inline uint32_t finish_known(uint32_t low, float f)
{
	const uint32_t bits = bits_of_float(f), nan = 0 - (uint32_t)((bits & 0x7fffffffu) > 0x7f800000u);
	return (flush_known(low, bits) & ~nan) | (QUIET_NAN & nan);
}
LANE_LOOP static void sums(uint32_t low, const uint32_t *a, const uint32_t *b, uint32_t *restrict d)
{
	FOR_LANES (i)
		d[i] = finish_known(low, float_of(flush_known(low, a[i])) + float_of(flush_known(low, b[i])));
}
LANE_LOOP static void products(uint32_t low, const uint32_t *a, const uint32_t *b, uint32_t *restrict d)
{
	FOR_LANES (i)
		d[i] = finish_known(low, float_of(flush_known(low, a[i])) * float_of(flush_known(low, b[i])));
}

enum flow exec_FADD(struct exec *x)
{
	ROW(d);
	const struct wl_inst *in = x->in;
	if (is_special(in)) {
		FOR_LANES (i)
			d[i] = rounded(in, fp_add(number(in, x->a[i]), number(in, x->b[i]), in->type));
	} else {
		sums(flushed_bits(in), x->a, x->b, d);
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
		products(flushed_bits(in), x->a, x->b, d);
	}
	return write_rd(x, d);
}

/* The host's fused operation rounds once, too; false: the host lacks the operation. */
#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) static void fused_rows(uint32_t low, const uint32_t *a, const uint32_t *b,
                                                           const uint32_t *c, uint32_t *restrict d)
{
	FOR_LANES (i)
		d[i] = finish_known(low,
		                    __builtin_fmaf(float_of(flush_known(low, a[i])), float_of(flush_known(low, b[i])),
		                                   float_of(flush_known(low, c[i]))));
}
static bool fused_on_host(uint32_t low, const uint32_t *a, const uint32_t *b, const uint32_t *c, uint32_t *restrict d)
{
	if (!__builtin_cpu_supports("fma") || !__builtin_cpu_supports("avx2"))
		return false;
	fused_rows(low, a, b, c, d);
	return true;
}
#else
static bool fused_on_host(uint32_t low, const uint32_t *a, const uint32_t *b, const uint32_t *c, uint32_t *restrict d)
{
	(void)low, (void)a, (void)b, (void)c, (void)d;
	return false;
}
#endif

enum flow exec_FFMA(struct exec *x)
{
	ROW(d);
	const struct wl_inst *in = x->in;
	if (is_special(in)) {
		FOR_LANES (i) {
			struct fp_num n = product(in, number(in, x->a[i]), number(in, x->b[i]));
			d[i] = rounded(in, fp_add(n, number(in, x->c[i]), in->type));
		}
	} else if (!fused_on_host(flushed_bits(in), x->a, x->b, x->c, d)) {
		FOR_LANES (i)
			d[i] = finish(in, fused_float(IN(a), IN(b), IN(c)));
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

LANE_LOOP static uint32_t compare_lanes(const struct exec *x)
{
	const uint32_t low = flushed_bits(x->in);
	const uint32_t *a = x->a, *b = x->b;
	uint32_t want[4]; /* less, equal, greater, unordered: op is a set of these bits */
	ROW(c);
	for (unsigned k = 0; k < 4; k++)
		want[k] = 0 - (uint32_t)(x->in->op >> k & 1);
	FOR_LANES (i) {
		const float p = float_of(flush_known(low, a[i])), q = float_of(flush_known(low, b[i]));
		const uint32_t less = 0 - (uint32_t)(p < q), equal = 0 - (uint32_t)(p == q);
		const uint32_t more = 0 - (uint32_t)(p > q);
		c[i] = (less & want[0]) | (equal & want[1]) | (more & want[2]) | (~(less | equal | more) & want[3]);
	}
	return row_mask(c);
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

/* want_less, nan_wins: all ones or zero. */
static inline uint32_t lesser(uint32_t a, uint32_t b, uint32_t want_less, uint32_t nan_wins)
{
	/* Signed numbers in the order of the floats: -0 is below +0. */
	const int32_t ka = (int32_t)(a ^ ((0 - (a >> 31)) & 0x7fffffffu)),
	              kb = (int32_t)(b ^ ((0 - (b >> 31)) & 0x7fffffffu));
	const uint32_t first = ~((0 - (uint32_t)(ka < kb)) ^ want_less);
	const uint32_t a_nan = 0 - (uint32_t)((a & 0x7fffffffu) > 0x7f800000u),
	               b_nan = 0 - (uint32_t)((b & 0x7fffffffu) > 0x7f800000u);
	const uint32_t no_nan = (a & first) | (b & ~first),
	               other = (a & b_nan) | (b & a_nan); /* with a single NaN, the other operand */
	const uint32_t any = a_nan | b_nan, none = (a_nan & b_nan) | (any & nan_wins);
	return (((no_nan & ~any) | (other & any)) & ~none) | (QUIET_NAN & none);
}

enum flow exec_FMNMX3(struct exec *x)
{
	ROW(d);
	const struct wl_inst *in = x->in;
	uint32_t min = read_pred(x, in->ps[0]);
	const uint32_t nan = 0 - (uint32_t)((in->flags & WL_F_NAN) != 0);
	FOR_LANES (i) {
		uint32_t two = lesser(flush(in, x->a[i]), flush(in, x->b[i]), 0 - (min >> i & 1), nan);
		d[i] = lesser(two, flush(in, x->c[i]), 0 - (min >> i & 1), nan);
	}
	return write_rd(x, d);
}

/* .XORSIGN: the magnitude is chosen among |A| and |B|, the sign is the sign of the registers' product. */
LANE_LOOP enum flow exec_FMNMX(struct exec *x)
{
	ROW(d);
	const struct wl_inst *in = x->in;
	const uint32_t low = flushed_bits(in), nan = 0 - (uint32_t)((in->flags & WL_F_NAN) != 0);
	const uint32_t *ra = x->a, *rb = x->b;
	const uint32_t xor = in->flags & WL_F_XORSIGN ? 0x80000000u : 0;
	const uint32_t keep_a = ~(in->abs & 1 ? xor : 0), keep_b = ~(in->abs & 2 ? xor : 0);
	const uint32_t min = read_pred(x, in->ps[0]);
	FOR_LANES (i) {
		const uint32_t a = flush_known(low, ra[i]), b = flush_known(low, rb[i]);
		const uint32_t v = lesser(a & keep_a, b & keep_b, 0 - (min >> i & 1), nan);
		const uint32_t sign = xor&(0 - (uint32_t)(v != QUIET_NAN));
		d[i] = (v & ~sign) | ((a ^ b) & sign);
	}
	return write_rd(x, d);
}

/* Safe: both operands are normal, and neither the reciprocal, nor the quotient, nor a remainder comes near the ends of
 * the range. In doubt the program takes the slow way, with the same result. */
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
