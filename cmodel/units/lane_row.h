// SPDX-License-Identifier: Apache-2.0
/* lane_row.h -- rows of 32 words, a word for each lane of a warp, against masks of lanes. Internal. */
#ifndef WARPLOCK_LANE_ROW_H
#define WARPLOCK_LANE_ROW_H

#include <stdbool.h>
#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "warplock/config.h"

/* On x86 functions consisting mainly of a loop over the lanes are made twice: for every processor, and for processors
 * with AVX2, with twice as many lanes at a time. The program chooses at the start. The results are the same: AVX2 fuses
 * no float operations, and C11 contracts no float operations. */
#if defined(__x86_64__) && defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__clang__)
#define LANE_LOOP __attribute__((target_clones("avx2", "default")))
#else
#define LANE_LOOP
#endif

/* All lanes. The compiler takes eight lanes in a turn of the loop. */
#define UNROLLED_LANES(lane) _Pragma("GCC unroll 8") for (unsigned lane = 0; lane < WL_WARP_LANES; lane++)

/* All lanes. A turn of the loop writes only the turn's own lane, after reading that lane, and reads no other lane. The
 * pragma tells GCC; clang checks for overlapping rows at run time. */
#ifdef __clang__
#define FOR_OWN_LANES(lane) for (unsigned lane = 0; lane < WL_WARP_LANES; lane++)
#else
#define FOR_OWN_LANES(lane) _Pragma("GCC ivdep") for (unsigned lane = 0; lane < WL_WARP_LANES; lane++)
#endif

/* Parts of such a function, or of a loop with the operation known at compile time. */
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

/* Lanes with this word. */
static inline uint32_t row_equal(const uint32_t v[WL_WARP_LANES], uint32_t value)
{
	_Alignas(16) uint32_t same[WL_WARP_LANES];
	for (unsigned i = 0; i < WL_WARP_LANES; i++)
		same[i] = v[i] == value ? UINT32_MAX : 0;
	return row_mask(same);
}

#ifdef __SSE2__
/* Zeros and all-ones: whether four words are equal. */
static inline __m128i four_equal(const __m128i *a, const __m128i *b)
{
	return _mm_cmpeq_epi32(_mm_loadu_si128(a), _mm_loadu_si128(b));
}
#endif

/* Lanes with equal words in a and b. */
static inline uint32_t rows_equal(const uint32_t a[WL_WARP_LANES], const uint32_t b[WL_WARP_LANES])
{
	uint32_t mask = 0;
#ifdef __SSE2__
	const __m128i *p = (const __m128i *)(const void *)a, *q = (const __m128i *)(const void *)b;
	for (unsigned half = 0; half < 2; half++, p += 4, q += 4) {
		const __m128i lo = _mm_packs_epi32(four_equal(p, q), four_equal(p + 1, q + 1)),
		              hi = _mm_packs_epi32(four_equal(p + 2, q + 2), four_equal(p + 3, q + 3));
		mask |= (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(lo, hi)) << 16 * half;
	}
#else
	for (unsigned i = 0; i < WL_WARP_LANES; i++)
		mask |= (uint32_t)(a[i] == b[i]) << i;
#endif
	return mask;
}

/* Lanes of the mask that share their word with another lane of the mask. Words are below 32. */
INLINE uint32_t row_shared(const uint32_t v[WL_WARP_LANES], uint32_t mask)
{
	uint32_t bit[WL_WARP_LANES], once[8] = {0}, twice[8] = {0}, any = 0;
	_Alignas(16) uint32_t shared[WL_WARP_LANES];
	for (unsigned i = 0; i < WL_WARP_LANES; i++) {
		bit[i] = (mask >> i & 1) << v[i];
		any |= bit[i];
	}
	if (__builtin_popcount(any) == __builtin_popcount(mask)) /* usual */
		return 0;
	for (unsigned i = 0; i < WL_WARP_LANES; i += 8)
		for (unsigned k = 0; k < 8; k++) {
			twice[k] |= once[k] & bit[i + k];
			once[k] |= bit[i + k];
		}
	for (unsigned n = 4; n; n /= 2)
		for (unsigned k = 0; k < n; k++) {
			twice[k] |= twice[k + n] | (once[k] & once[k + n]);
			once[k] |= once[k + n];
		}
	for (unsigned i = 0; i < WL_WARP_LANES; i++)
		shared[i] = bit[i] & *twice ? UINT32_MAX : 0;
	return row_mask(shared);
}

/* The low words of `lanes` lanes of four words (`lanes`: a multiple of 4), as a row. True if some other word is not
 * 0. */
INLINE bool row_low(const uint32_t *lane, unsigned lanes, uint32_t *low)
{
#ifdef __SSE2__
	const __m128i *p = (const __m128i *)(const void *)lane;
	__m128i any = _mm_setzero_si128();
	for (unsigned i = 0; i < lanes; i += 4, p += 4) {
		const __m128i a = _mm_loadu_si128(p), b = _mm_loadu_si128(p + 1), c = _mm_loadu_si128(p + 2),
		              d = _mm_loadu_si128(p + 3);
		any = _mm_or_si128(any, _mm_or_si128(_mm_or_si128(a, b), _mm_or_si128(c, d)));
		_mm_storeu_si128((__m128i *)(void *)(low + i),
		                 _mm_unpacklo_epi64(_mm_unpacklo_epi32(a, b), _mm_unpacklo_epi32(c, d)));
	}
	const __m128i zero = _mm_cmpeq_epi32(any, _mm_setzero_si128());
	return (_mm_movemask_epi8(zero) & 0xfff0) != 0xfff0;
#else
	uint32_t upper = 0;
	for (unsigned i = 0; i < lanes; i++) {
		low[i] = lane[4 * i];
		upper |= lane[4 * i + 1] | lane[4 * i + 2] | lane[4 * i + 3];
	}
	return upper != 0;
#endif
}

/* Sets the words of these lanes to `value`. */
static inline void row_set(uint32_t v[WL_WARP_LANES], uint32_t lanes, uint32_t value)
{
	for (unsigned i = 0; i < WL_WARP_LANES; i++)
		v[i] = lanes & 1u << i ? value : v[i];
}

#endif
