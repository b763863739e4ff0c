// SPDX-License-Identifier: Apache-2.0
/* mbarrier_layout.h -- private: the bits of an mbarrier object. Layout A is that of sm_80, layout B that of sm_90 and
 * later. Source: docs/spec/mbarrier.md, "Layouts". */
#ifndef WARPLOCK_MBARRIER_LAYOUT_H
#define WARPLOCK_MBARRIER_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

enum {
	MBAR_COUNT_MOST = (1 << 20) - 1, /* of arrivals, and of transactions of one operation */
	MBAR_TX_LEAST = -MBAR_COUNT_MOST,
	MBAR_TX_MOST = 1 << 20
};

/* Layout B as numbers. */
struct mbar_b {
	int64_t expected, pending, tx;
	bool phase;
};
#define MBAR_B_TAG   UINT64_C(1) /* set: layout v1 of PTX; the counts and operations are the same */
#define MBAR_B_SPARE (MBAR_B_TAG | UINT64_C(1) << 42) /* bits that operations leave alone */
enum { MBAR_B_EXPECTED = 1, MBAR_B_TX = 21, MBAR_B_PENDING = 43, MBAR_B_COUNT_BITS = 20, MBAR_B_TX_BITS = 21 };

static inline uint64_t mbar_bits(uint64_t word, unsigned at, unsigned n)
{
	return word >> at & ((UINT64_C(1) << n) - 1);
}

/* Counts are stored negated, so that hardware counts up to 0. */
static inline int64_t mbar_b_count(uint64_t word, unsigned at)
{
	const uint64_t field = mbar_bits(word, at, MBAR_B_COUNT_BITS);
	return field ? (INT64_C(1) << MBAR_B_COUNT_BITS) - (int64_t)field : 0;
}
static inline bool mbar_b_phase(uint64_t word)
{
	return word >> 63;
}
static inline struct mbar_b mbar_b_unpack(uint64_t word)
{
	const int64_t tx = (int64_t)mbar_bits(word, MBAR_B_TX, MBAR_B_TX_BITS);
	const int64_t half = INT64_C(1) << (MBAR_B_TX_BITS - 1);
	return (struct mbar_b){.expected = mbar_b_count(word, MBAR_B_EXPECTED),
	                       .pending = mbar_b_count(word, MBAR_B_PENDING),
	                       .tx = tx < half ? -tx : 2 * half - tx,
	                       .phase = mbar_b_phase(word)};
}
static inline uint64_t mbar_b_pack(struct mbar_b m, uint64_t spare)
{
	const uint64_t count = (UINT64_C(1) << MBAR_B_COUNT_BITS) - 1, tx = (UINT64_C(1) << MBAR_B_TX_BITS) - 1;
	return (spare & MBAR_B_SPARE) | (-(uint64_t)m.expected & count) << MBAR_B_EXPECTED |
	       (-(uint64_t)m.tx & tx) << MBAR_B_TX | (-(uint64_t)m.pending & count) << MBAR_B_PENDING |
	       (uint64_t)m.phase << 63;
}
/* There are phases to come. */
static inline bool mbar_b_possible(uint64_t word)
{
	return mbar_b_count(word, MBAR_B_EXPECTED);
}

/* Layout A: one arrival. The high word counts up; when that changes its bit 31, the phase is complete and the expected
 * count, 30 bits sign-extended to 31, is added for the next. */
static inline uint64_t mbar_a_arrive(uint64_t word)
{
	uint32_t low = (uint32_t)word, high = (uint32_t)(word >> 32), now = high + 1, reload = low & 0x3fffffff;
	if (reload & 0x20000000)
		reload |= 0x40000000;
	if ((now ^ high) >> 31)
		now += reload;
	return (uint64_t)now << 32 | low;
}

#endif
