// SPDX-License-Identifier: Apache-2.0
/* float_bits.h -- the host's floats as bits and back, for tests. */
#ifndef VERIF_FLOAT_BITS_H
#define VERIF_FLOAT_BITS_H

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

#endif
