// SPDX-License-Identifier: Apache-2.0
/* scalar.h -- private: integer functions of one value that the vector and the uniform instructions share. */
#ifndef WARPLOCK_SCALAR_H
#define WARPLOCK_SCALAR_H

#include "warplock/isa.h"

/* One lane of SHF: 64-bit value C:A. Amounts beyond the width give the width, .W takes them modulo the width. */
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

/* Index of the highest bit that differs from the sign (signed) or of the highest one; all ones when there is none. */
static inline uint32_t find_leading(const struct wl_inst *in, uint32_t v)
{
	if (in->flags & WL_F_SIGNED && v >> 31)
		v = ~v;
	if (!v)
		return UINT32_MAX;
	uint32_t zeros = (uint32_t)__builtin_clz(v);
	return in->flags & WL_F_SH ? zeros : 31 - zeros;
}

static inline uint32_t permute_bytes(uint32_t a, uint32_t select, uint32_t c)
{
	uint64_t v = (uint64_t)c << 32 | a;
	uint32_t d = 0;
	for (unsigned k = 0; k < 4; k++) {
		uint32_t s = select >> 4 * k & 0xf, byte = (uint32_t)(v >> 8 * (s & 7)) & 0xff;
		if (s & 8)
			byte = byte & 0x80 ? 0xff : 0;
		d |= byte << 8 * k;
	}
	return d;
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
