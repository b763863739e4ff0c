// SPDX-License-Identifier: Apache-2.0
/* lane_row.h -- rows of 32 words, one for each lane of a warp, against masks of lanes. Internal. */
#ifndef WARPLOCK_LANE_ROW_H
#define WARPLOCK_LANE_ROW_H

#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "warplock/config.h"

/* Functions that are little but a loop over the lanes are made twice on x86: for every processor, and for those with
 * AVX2, which twice as many lanes fit. The program chooses when it starts; the results are the same (AVX2 fuses no
 * float operations, and C11 does not contract them). */
#if defined(__x86_64__) && defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__clang__)
#define LANE_LOOP __attribute__((target_clones("avx2", "default")))
#else
#define LANE_LOOP
#endif

/* Parts of such a function, or of a loop that knows its operation when it is compiled. */
#define INLINE static inline __attribute__((always_inline))

/* Bit i = word i of a row of zeros and all-ones. */
static inline uint32_t row_mask(const uint32_t v[WL_WARP_LANES])
{
	uint32_t mask = 0;
#ifdef __SSE2__
	const __m128i *p = (const __m128i *)(const void *)v;
	for (unsigned half = 0; half < 2; half++, p += 4) {
		__m128i lo = _mm_packs_epi32(_mm_loadu_si128(p), _mm_loadu_si128(p + 1));
		__m128i hi = _mm_packs_epi32(_mm_loadu_si128(p + 2), _mm_loadu_si128(p + 3));
		mask |= (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(lo, hi)) << 16 * half;
	}
#else
	for (unsigned i = 0; i < WL_WARP_LANES; i++)
		mask |= (v[i] & 1) << i;
#endif
	return mask;
}

/* All ones in the words of the lanes in mask, zero in the others. */
static inline void mask_row(uint32_t mask, uint32_t v[WL_WARP_LANES])
{
	for (unsigned i = 0; i < WL_WARP_LANES; i++)
		v[i] = mask & 1u << i ? UINT32_MAX : 0;
}

/* Lanes whose word has this value. */
static inline uint32_t row_equal(const uint32_t v[WL_WARP_LANES], uint32_t value)
{
	_Alignas(16) uint32_t same[WL_WARP_LANES];
	for (unsigned i = 0; i < WL_WARP_LANES; i++)
		same[i] = v[i] == value ? UINT32_MAX : 0;
	return row_mask(same);
}

/* The words of these lanes get this value. */
static inline void row_set(uint32_t v[WL_WARP_LANES], uint32_t lanes, uint32_t value)
{
	for (unsigned i = 0; i < WL_WARP_LANES; i++)
		v[i] = lanes & 1u << i ? value : v[i];
}

#endif
