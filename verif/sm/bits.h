// SPDX-License-Identifier: Apache-2.0
/* bits.h -- integer instructions computed for the tests on their own: bit by bit, from the text of the PTX ISA. */
#ifndef WARPLOCK_VERIF_BITS_H
#define WARPLOCK_VERIF_BITS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* "popc". */
static inline uint32_t ones(uint32_t v)
{
	uint32_t n = 0;
	for (; v; v >>= 1)
		n += v & 1;
	return n;
}

/* "bfind": all ones for an operand of 0. */
static inline uint32_t top_bit(uint32_t v)
{
	uint32_t i = 32;
	while (i-- > 0)
		if (v >> i & 1)
			return i;
	return 0xffffffff;
}

/* "brev". */
static inline uint32_t reversed(uint32_t v)
{
	uint32_t d = 0;
	for (unsigned i = 0; i < 32; i++)
		d |= (v >> i & 1) << (31 - i);
	return d;
}

/* "prmt": default mode. */
static inline uint32_t prmt(uint32_t a, uint32_t sel, uint32_t b)
{
	uint8_t bytes[8], out[4];
	memcpy(bytes, &a, 4);
	memcpy(bytes + 4, &b, 4);
	for (unsigned i = 0; i < 4; i++) {
		unsigned n = sel >> 4 * i & 15;
		out[i] = n & 8 ? (bytes[n & 7] & 0x80 ? 0xff : 0) : bytes[n];
	}
	memcpy(&a, out, 4);
	return a;
}

/* "bmsk". */
static inline uint32_t bit_range(bool wrap, uint32_t from, uint32_t n)
{
	uint32_t d = 0;
	if (wrap) {
		from %= 32;
		n %= 32;
	}
	for (uint64_t i = from; i < (uint64_t)from + n && i < 32; i++)
		d |= 1u << i;
	return d;
}

/* "szext". */
static inline uint32_t extended(bool wrap, bool sgn, uint32_t v, uint32_t n)
{
	n = wrap ? n % 32 : n;
	if (n > 31)
		return v;
	uint32_t low = v & ((1u << n) - 1);
	return sgn && n && low >> (n - 1) ? low - (1u << n) : low;
}

#endif
