/* SPDX-License-Identifier: Apache-2.0
 * float_ref.h -- sums of float formats by the host's arithmetic, for the benches of fp_add and atom_unit.
 *
 * f32 and f64 are the host's own. Halves are added in double. In double the sum of two f16 is exact. The sum of two
 * bf16 may be rounded, but 53 bits are more than 2 * 8 + 2, so rounding again to 8 equals rounding once (Figueroa).
 * Rounding to a half is nearbyint of the multiple of the last place: no algorithm is shared with the RTL. */
#ifndef FLOAT_REF_H
#define FLOAT_REF_H

#include <math.h>
#include <stdbool.h>

#include "../common/float_bits.h"

struct float_format {
	const char *name;
	unsigned exp, man;
	uint64_t nan;
};
static const struct float_format float_f16 = {"f16", 5, 10, 0x7fff}, float_bf16 = {"bf16", 8, 7, 0x7fff},
                                 float_f32 = {"f32", 8, 23, 0x7fffffff},
                                 float_f64 = {"f64", 11, 52, UINT64_C(0xfff8000000000000)};

static inline double float_to_double(const struct float_format *f, uint64_t x)
{
	const uint64_t man = x & ((UINT64_C(1) << f->man) - 1), exp = x >> f->man & ((1u << f->exp) - 1);
	const int bias = (1 << (f->exp - 1)) - 1, e = (int)(exp ? exp : 1) - bias - (int)f->man;
	double d;
	if (exp == (1u << f->exp) - 1)
		d = man ? NAN : INFINITY;
	else
		d = ldexp((double)(man | (exp ? UINT64_C(1) << f->man : 0)), e);
	return x >> (f->exp + f->man) & 1 ? -d : d;
}

/* A number to a format of at most 24 bits. */
static inline uint64_t float_from_double(const struct float_format *f, double d)
{
	const int bias = (1 << (f->exp - 1)) - 1;
	const uint64_t sign = signbit(d) ? UINT64_C(1) << (f->exp + f->man) : 0,
	               infinity = (uint64_t)((1u << f->exp) - 1) << f->man;
	d = fabs(d);
	if (d == 0)
		return sign;
	if (isinf(d))
		return sign | infinity;
	int e = ilogb(d);
	if (e < 1 - bias)
		e = 1 - bias;
	const double places = nearbyint(ldexp(d, (int)f->man - e)); /* of the last place; up to 2^(man+1) */
	const uint64_t packed = ((uint64_t)(e + bias - 1) << f->man) + (uint64_t)places;
	return sign | (packed > infinity ? infinity : packed);
}

static inline bool float_is_nan(const struct float_format *f, uint64_t x)
{
	const uint64_t top = (uint64_t)((1u << f->exp) - 1) << f->man,
	               magnitude = x & ((UINT64_C(1) << (f->exp + f->man)) - 1);
	return magnitude > top;
}

static inline uint64_t float_flush(const struct float_format *f, uint64_t x)
{
	const uint64_t exp = x >> f->man & ((1u << f->exp) - 1);
	return exp ? x : x & UINT64_C(1) << (f->exp + f->man);
}

/* The sum of two numbers of a format; `ftz`: subnormal operands and results become zeros of the same sign. */
static inline uint64_t float_sum(const struct float_format *f, bool ftz, uint64_t a, uint64_t b)
{
	uint64_t sum;
	if (f->man == 52 && float_is_nan(f, b))
		return b;
	if (f->man == 52 && float_is_nan(f, a))
		return a;
	if (float_is_nan(f, a) || float_is_nan(f, b))
		return f->nan;
	if (ftz) {
		a = float_flush(f, a);
		b = float_flush(f, b);
	}
	if (f->man == 52)
		sum = bits64(f64(a) + f64(b));
	else if (f->man == 23)
		sum = bits32(f32((uint32_t)a) + f32((uint32_t)b));
	else {
		const double d = float_to_double(f, a) + float_to_double(f, b);
		sum = isnan(d) ? f->nan : float_from_double(f, d);
	}
	if (float_is_nan(f, sum))
		return f->nan;
	return ftz ? float_flush(f, sum) : sum;
}

#endif
