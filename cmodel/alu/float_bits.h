// SPDX-License-Identifier: Apache-2.0
/* float_bits.h -- private: the host's floats as bits and back, and the sum from which several formats round. */
#ifndef WARPLOCK_FLOAT_BITS_H
#define WARPLOCK_FLOAT_BITS_H

#include <stdint.h>
#include <string.h>

static inline float float_of(uint32_t bits)
{
	float f;
	memcpy(&f, &bits, sizeof f);
	return f;
}
static inline uint32_t bits_of_float(float f)
{
	uint32_t bits;
	memcpy(&bits, &f, sizeof bits);
	return bits;
}
static inline double double_of(uint64_t bits)
{
	double d;
	memcpy(&d, &bits, sizeof d);
	return d;
}
static inline uint64_t bits_of_double(double d)
{
	uint64_t bits;
	memcpy(&bits, &d, sizeof bits);
	return bits;
}

/* p + c, rounded to odd if a double cannot hold the sum. A second rounding, to a format with at least two bits less,
 * gives the result of a single rounding of the exact sum (Boldo and Melquiond, "Emulation of FMA and correctly rounded
 * sums"). With p = a * b exact, the result is a * b + c with one rounding. */
static inline double odd_sum(double p, double c)
{
	double s = p + c;
	if (!(s - s == 0)) /* infinite or not a number */
		return s;
	double t = s - p, err = (p - (s - t)) + (c - t);
	uint64_t bits = bits_of_double(s);
	if (err != 0 && !(bits & 1))
		bits += (err > 0) == (s > 0) ? 1 : UINT64_MAX;
	return double_of(bits);
}

/* a * b + c with one rounding, on hosts without fused operations: the product of two floats is exact in a double. */
static inline float fused_float(float a, float b, float c)
{
	return (float)odd_sum((double)a * b, c);
}

#endif
