// SPDX-License-Identifier: Apache-2.0
/* scalar.h -- private: integer functions of a value, shared by the vector and the uniform instructions. */
#ifndef WARPLOCK_SCALAR_H
#define WARPLOCK_SCALAR_H

#include "warplock/isa.h"

/* A lane of SHF: 64-bit value C:A. Amounts beyond the width give the width, .W takes amounts modulo the width. */
static inline uint32_t funnel(const struct wl_inst *in, uint32_t a, uint32_t b, uint32_t c)
{
	bool sgn = in->type == WL_SHF_S64 || in->type == WL_SHF_S32;
	uint32_t width = in->type == WL_SHF_S64 || in->type == WL_SHF_U64 ? 64 : 32;
	uint32_t s = in->flags & WL_F_WRAP ? b & (width - 1) : b < width ? b : width;
	uint64_t v = (uint64_t)c << 32 | a;
	if (in->flags & WL_F_LEFT)
		v = s == 64 ? 0 : v << s;
	else if (sgn)
		v = (uint64_t)((int64_t)v >> (s == 64 ? 63 : s));
	else
		v = s == 64 ? 0 : v >> s;
	return (uint32_t)(in->flags & WL_F_HI ? v >> 32 : v);
}

/* Index of the highest bit other than the sign (signed) or of the highest 1; UINT32_MAX: none. .SH: counted from the
 * top. */
static inline uint32_t find_leading(const struct wl_inst *in, uint32_t v)
{
	if (in->flags & WL_F_SIGNED && v >> 31)
		v = ~v;
	if (!v)
		return UINT32_MAX;
	uint32_t zeros = (uint32_t)__builtin_clz(v);
	return in->flags & WL_F_SH ? zeros : 31 - zeros;
}

/* Selector of byte k in the modes 1..6 of PRMT, chosen by n = 0..3 (PTX ISA, "prmt"). */
static inline uint32_t permute_mode(unsigned mode, uint32_t n, uint32_t k)
{
	switch (mode) {
	case WL_PRMT_F4E:
		return n + k;
	case WL_PRMT_B4E:
		return (n - k) & 7;
	case WL_PRMT_RC8:
		return n;
	case WL_PRMT_ECL:
		return n > k ? n : k;
	case WL_PRMT_ECR:
		return n < k ? n : k;
	default: /* RC16 */
		return (n & 1) * 2 + (k & 1);
	}
}

static inline uint32_t permute_bytes(unsigned mode, uint32_t a, uint32_t select, uint32_t c)
{
	uint64_t v = (uint64_t)c << 32 | a;
	uint32_t d = 0;
	for (unsigned k = 0; k < 4; k++) {
		uint32_t s = mode ? permute_mode(mode, select & 3, k) : select >> 4 * k & 0xf;
		uint32_t byte = (uint32_t)(v >> 8 * (s & 7)) & 0xff;
		if (s & 8)
			byte = byte & 0x80 ? 0xff : 0;
		d |= byte << 8 * k;
	}
	return d;
}

static inline uint32_t reverse_bits(uint32_t v)
{
	v = (v >> 1 & 0x55555555u) | (v & 0x55555555u) << 1;
	v = (v >> 2 & 0x33333333u) | (v & 0x33333333u) << 2;
	v = (v >> 4 & 0x0f0f0f0fu) | (v & 0x0f0f0f0fu) << 4;
	return __builtin_bswap32(v);
}

/* SGXT: the low b bits of a, sign extended or not. */
static inline uint32_t extend(const struct wl_inst *in, uint32_t a, uint32_t b)
{
	uint32_t bits = in->flags & WL_F_WRAP ? b & 31 : b < 32 ? b : 32;
	uint64_t low = a & ((UINT64_C(1) << bits) - 1);
	if (in->flags & WL_F_SIGNED && bits && low >> (bits - 1))
		low |= ~UINT64_C(0) << bits;
	return (uint32_t)low;
}

/* BMSK: b bits of 1 from bit a up (PTX ISA, "bmsk"). */
static inline uint32_t bit_mask(const struct wl_inst *in, uint32_t a, uint32_t b)
{
	if (in->flags & WL_F_WRAP) {
		a &= 31;
		b &= 31;
	}
	if (a > 31)
		return 0;
	uint64_t ones = (UINT64_C(1) << (b < 32 ? b : 32)) - 1;
	return (uint32_t)(ones << a);
}

static inline uint64_t product(bool sgn, uint32_t a, uint32_t b)
{
	return sgn ? (uint64_t)((int64_t)(int32_t)a * (int32_t)b) : (uint64_t)a * b;
}

/* LEA's first term: A << shift, or with .HI the high word of (C:A << shift). */
static inline uint32_t lea_scaled(const struct wl_inst *in, uint32_t a, uint32_t c)
{
	if (in->flags & WL_F_SX32)
		c = (uint32_t)((int32_t)a >> 31);
	uint64_t v = ((uint64_t)c << 32 | a) << (in->shift & 31);
	return (uint32_t)(in->flags & WL_F_HI ? v >> 32 : v);
}

#endif
