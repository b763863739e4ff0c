// SPDX-License-Identifier: Apache-2.0
/* float_bits.h -- the host's floats as bits and back, and a GPU's arithmetic on the host, for tests. */
#ifndef VERIF_FLOAT_BITS_H
#define VERIF_FLOAT_BITS_H

#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

static inline float f32(uint32_t bits)
{
	float f;
	memcpy(&f, &bits, sizeof f);
	return f;
}
static inline uint32_t bits32(float f)
{
	uint32_t bits;
	memcpy(&bits, &f, sizeof bits);
	return bits;
}
static inline double f64(uint64_t bits)
{
	double d;
	memcpy(&d, &bits, sizeof d);
	return d;
}
static inline uint64_t bits64(double d)
{
	uint64_t bits;
	memcpy(&bits, &d, sizeof bits);
	return bits;
}

/* Every NaN becomes the same pattern. */
static inline uint32_t result32(float f)
{
	return f != f ? 0x7fffffff : bits32(f);
}
/* Subnormal: zero with the same sign. */
static inline uint32_t flushed32(uint32_t v)
{
	return v & 0x7f800000 ? v : v & 0x80000000;
}
/* a + b ('+'), a - b ('-'), a * b ('*') or a * b + c, in a rounding of fenv.h. */
static inline uint32_t arithmetic32(char op, int mode, uint32_t a, uint32_t b, uint32_t c)
{
	volatile float x = f32(a), y = f32(b), z = f32(c), r;
	fesetround(mode);
	r = op == '+' ? x + y : op == '-' ? x - y : op == '*' ? x * y : fmaf(x, y, z);
	fesetround(FE_TONEAREST);
	return result32(r);
}

#endif
