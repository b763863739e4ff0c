// SPDX-License-Identifier: Apache-2.0
/* half.h -- private: float16 and bfloat16 as bits, and arithmetic with a single rounding to these formats.
 *
 * Every number of both formats is a double, and so is every product of two such numbers. A sum too long for a double is
 * an odd_sum. */
#ifndef WARPLOCK_HALF_H
#define WARPLOCK_HALF_H

#include "float_bits.h"
#include "warplock/isa.h"

#define HALF_NAN UINT32_C(0x7fff)

static inline double half_to_double(uint32_t h)
{
	uint32_t exp = h >> 10 & 31, frac = h & 0x3ff;
	uint64_t sign = (uint64_t)(h >> 15 & 1) << 63;
	uint64_t bits = exp == 0 ? bits_of_double((double)frac * 0x1p-24)
	                         : (uint64_t)(exp == 31 ? 0x7ff : exp + 1008) << 52 | (uint64_t)frac << 42;
	return double_of(bits | sign);
}

static inline double bf16_to_double(uint32_t h)
{
	return float_of(h << 16);
}

/* A double to 16 bits with `frac` bits of fraction and exponents from 1 - bias to bias: nearest even;
 * NaN becomes HALF_NAN. */
static inline uint32_t double_to_16(double d, int frac, int bias)
{
	uint64_t bits = bits_of_double(d);
	uint32_t sign = (uint32_t)(bits >> 48) & 0x8000;
	int exp = (int)(bits >> 52 & 0x7ff) - 1023;
	uint64_t m = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
	if (d != d)
		return HALF_NAN;
	if (exp > bias)
		return sign | ((2u * (unsigned)bias + 1) << frac);
	if (exp < -bias - frac)
		return sign;
	unsigned cut = (unsigned)(exp > -bias ? 52 - frac : 53 - frac - bias - exp); /* dropped bits of m */
	uint64_t kept = m >> cut, rest = m & ((UINT64_C(1) << cut) - 1), middle = UINT64_C(1) << (cut - 1);
	kept += rest > middle || (rest == middle && kept & 1);
	/* kept holds the leading 1 of a normal number: this 1 adds 1 to the exponent field, like a carry */
	return sign | (uint32_t)(exp > -bias ? kept + ((uint64_t)(exp + bias - 1) << frac) : kept);
}
static inline uint32_t double_to_half(double d)
{
	return double_to_16(d, 10, 15);
}
static inline uint32_t double_to_bf16(double d)
{
	return double_to_16(d, 7, 127);
}

static inline uint32_t half_add(uint32_t a, uint32_t b)
{
	return double_to_half(half_to_double(a) + half_to_double(b)); /* the sum of two float16 is exact in a double */
}
/* Both halves of a word. */
static inline uint32_t half2_add(uint32_t a, uint32_t b)
{
	return half_add(a & 0xffff, b & 0xffff) | half_add(a >> 16, b >> 16) << 16;
}

/* The halves of a word named by source i of an instruction, then the source's signs on both. */
static inline uint32_t half_source(const struct wl_inst *in, unsigned i, uint32_t v)
{
	if (in->sel[i] == WL_HALF_LOW)
		v = (v & 0xffff) | v << 16;
	else if (in->sel[i] == WL_HALF_HIGH)
		v = v >> 16 | (v & 0xffff0000u);
	if (in->abs >> i & 1)
		v &= 0x7fff7fffu;
	return in->neg >> i & 1 ? v ^ 0x80008000u : v;
}

#endif
