// SPDX-License-Identifier: Apache-2.0
/* nearest.h -- rounding to small formats by a search of all values: slow, but only the comparison can be wrong. A real
 * is the exact sum of two numbers of 113 bits, the second far below the first. */
#ifndef VERIF_SM_NEAREST_H
#define VERIF_SM_NEAREST_H

#include <stdbool.h>
#include <stdint.h>

__extension__ typedef __float128 real;
struct exact {
	real s, err;
};
struct small {
	int exp_bits, frac_bits;
	bool no_inf; /* the greatest exponent holds numbers, all ones is NaN */
};
static const struct small SMALL_F16 = {5, 10, false}, SMALL_BF16 = {8, 7, false}, SMALL_TF32 = {8, 10, false},
                          SMALL_E4M3 = {4, 3, true}, SMALL_E5M2 = {5, 2, false};
enum direction { NEAREST, DOWN, UP, ZERO };

static inline real two_to(int e)
{
	real v = 1;
	for (; e > 0; e--)
		v *= 2;
	for (; e < 0; e++)
		v /= 2;
	return v;
}

/* Magnitude number n of the format, counted from zero; beyond the last number as if the format went on. */
static inline real small_value(struct small f, unsigned n)
{
	int bias = (1 << (f.exp_bits - 1)) - 1, exp = (int)(n >> f.frac_bits);
	unsigned frac = n & ((1u << f.frac_bits) - 1);
	return exp ? (real)(frac + (1u << f.frac_bits)) * two_to(exp - bias - f.frac_bits)
	           : (real)frac * two_to(1 - bias - f.frac_bits);
}

static inline struct exact exact_of(real v)
{
	return (struct exact){v, 0};
}
static inline struct exact exact_sum(real p, real c)
{
	real s = p + c, t = s - p;
	return (struct exact){s, (p - (s - t)) + (c - t)};
}

/* -1, 0, 1: the magnitude of v against x. */
static inline int against(struct exact v, real x)
{
	real s = v.s < 0 ? -v.s : v.s, err = v.s < 0 ? -v.err : v.err;
	return s != x ? (s > x ? 1 : -1) : err > 0 ? 1 : err < 0 ? -1 : 0;
}

/* Number of the magnitude of v rounded; on overflow the last number plus 1. */
static inline unsigned small_round(struct small f, struct exact v, bool neg, enum direction to)
{
	unsigned low = 0, end = ((1u << f.exp_bits) - 1) << f.frac_bits; /* infinity */
	if (f.no_inf)
		end += (1u << f.frac_bits) - 1;
	for (unsigned high = end; high - low > 1;) {
		unsigned mid = (low + high) / 2;
		if (against(v, small_value(f, mid)) >= 0)
			low = mid;
		else
			high = mid;
	}
	real a = small_value(f, low), b = small_value(f, low + 1);
	bool up;
	if (against(v, a) == 0)
		return low;
	if (to == NEAREST) {
		int c = against(v, (a + b) / 2);
		up = c > 0 || (c == 0 && (low & 1));
	} else {
		up = (to == UP && !neg) || (to == DOWN && neg);
	}
	if (low + 1 == end && to != NEAREST)
		return up ? end : low;
	return up ? low + 1 : low;
}

#endif
