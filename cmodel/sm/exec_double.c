// SPDX-License-Identifier: Apache-2.0
/* exec_double.c -- float64 in register pairs. Rounding to nearest even uses the host's arithmetic, other directions use
 * fpcore.c. fpcore.c also chooses the NaN of a result: an operand's NaN, made quiet, or the NaN of an invalid
 * operation. */
#include <math.h>

#include "exec.h"
#include "../alu/float_bits.h"
#include "fpcore.h"

/* abs and neg are the instruction's own: the pair's sign is in the high word. */
static uint64_t source(const struct exec *x, unsigned i, const uint32_t *row, unsigned lane)
{
	uint64_t bits = (uint64_t)row[WL_WARP_LANES + lane] << 32 | row[lane];
	if (x->in->abs >> i & 1)
		bits &= INT64_MAX;
	return x->in->neg >> i & 1 ? bits ^ UINT64_C(1) << 63 : bits;
}

static void put(uint32_t *lo, uint32_t *hi, unsigned lane, uint64_t bits)
{
	lo[lane] = (uint32_t)bits;
	hi[lane] = (uint32_t)(bits >> 32);
}

static struct fp_num number(uint64_t bits)
{
	return fp_unpack(WL_FMT_F64, bits);
}

/* The quick result. For NaN or another rounding: the exact result, rounded. */
#define EACH_DOUBLE(quick, exact)                                                                                      \
	ROW(lo);                                                                                                       \
	ROW(hi);                                                                                                       \
	FOR_LANES (i) {                                                                                                \
		uint64_t a = source(x, 0, x->a, i), b = source(x, 1, x->b, i), c = source(x, 2, x->c, i);              \
		double d = quick;                                                                                      \
		(void)a, (void)b, (void)c;                                                                             \
		uint64_t bits = bits_of_double(d);                                                                     \
		if (x->in->type != WL_RN || d != d)                                                                    \
			bits = fp_round(WL_FMT_F64, exact, x->in->type, false);                                        \
		put(lo, hi, i, bits);                                                                                  \
	}                                                                                                              \
	return write_rd64(x, lo, hi)

/* Of two NaNs fp_add takes the first, DADD the second (measured on H200: docs/silicon.md). */
enum flow exec_DADD(struct exec *x)
{
	EACH_DOUBLE(double_of(a) + double_of(c), fp_add(number(c), number(a), x->in->type));
}
enum flow exec_DMUL(struct exec *x)
{
	EACH_DOUBLE(double_of(a) * double_of(b), fp_mul(number(a), number(b)));
}

/* A NaN in C comes before the NaN of 0 * infinity. */
static struct fp_num fused(struct fp_num a, struct fp_num b, struct fp_num c, enum wl_round mode)
{
	bool product_nan = a.kind == FP_K_NAN || b.kind == FP_K_NAN;
	return c.kind == FP_K_NAN && !product_nan ? c : fp_add(fp_mul(a, b), c, mode);
}

enum flow exec_DFMA(struct exec *x)
{
	EACH_DOUBLE(fma(double_of(a), double_of(b), double_of(c)), fused(number(a), number(b), number(c), x->in->type));
}

/* .MIN, .MAX (fields 0 and 15, false and true in other comparisons): pd0 = A is the result, pd1 = both are NaN, as
 * needed by the selections behind. */
static enum flow choose(struct exec *x)
{
	uint32_t first = 0, none = 0, other = read_pred(x, x->in->ps[0]);
	FOR_LANES (i) {
		uint64_t ab = source(x, 0, x->a, i), bb = source(x, 1, x->b, i);
		double a = double_of(ab), b = double_of(bb);
		bool a_less = a < b || (a == b && ab >> 63 > bb >> 63); /* -0 is below +0 */
		bool take_a = b != b ? a == a : a == a && a_less == (x->in->op == 0);
		first |= (uint32_t)take_a << i;
		none |= (uint32_t)(a != a && b != b) << i;
	}
	write_pred(x, x->in->pd[0], combine(x->in->bop, first, other));
	write_pred(x, x->in->pd[1], combine(x->in->bop, none, other));
	return FLOW_NEXT;
}

enum flow exec_DSETP(struct exec *x)
{
	uint32_t c = 0;
	if (x->in->op == 0 || x->in->op == 15)
		return choose(x);
	FOR_LANES (i)
		c |= (uint32_t)compare_float(x->in->op, double_of(source(x, 0, x->a, i)),
		                             double_of(source(x, 1, x->b, i)))
		     << i;
	return write_compare(x, c);
}
