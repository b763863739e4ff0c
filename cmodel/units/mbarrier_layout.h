// SPDX-License-Identifier: Apache-2.0
/* mbarrier_layout.h -- private: the bits of an mbarrier object. Layout A: sm_80. Layout B: sm_90 and later. Layout v1
 * of sm_107 is a table (mbar_v1.def). Source: docs/spec/mbarrier.md, "Layouts". */
#ifndef WARPLOCK_MBARRIER_LAYOUT_H
#define WARPLOCK_MBARRIER_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

enum {
	MBAR_COUNT_MOST = (1 << 20) - 1, /* of arrivals, and of transactions of a single operation */
	MBAR_V1_COUNT_MOST = (1 << 9) - 1,
	MBAR_TX_LEAST = -MBAR_COUNT_MOST,
	MBAR_TX_MOST = 1 << 20
};

/* Reports of copies on a phase. */
struct mbar_report {
	bool failed;
	uint8_t value;
};
/* An object as numbers. Layout B has no reports: its conditional phase is the phase. */
struct mbar {
	int64_t expected, pending, tx;
	bool phase, conditional;
	struct mbar_report open, last;
};

/* ---- layout B ---- */

#define MBAR_TAG     UINT64_C(1) /* set: layout v1 of PTX; but on sm_107 the counts and operations are the same */
#define MBAR_B_SPARE (MBAR_TAG | UINT64_C(1) << 42) /* bits left alone by operations */
enum { MBAR_B_EXPECTED = 1, MBAR_B_TX = 21, MBAR_B_PENDING = 43, MBAR_B_COUNT_BITS = 20, MBAR_TX_BITS = 21 };

static inline uint64_t mbar_bits(uint64_t word, unsigned at, unsigned n)
{
	return word >> at & ((UINT64_C(1) << n) - 1);
}
static inline uint64_t mbar_put(uint64_t value, unsigned at, unsigned n)
{
	return (value & ((UINT64_C(1) << n) - 1)) << at;
}
/* Counts are stored negated: hardware counts up to 0. */
static inline int64_t mbar_count(uint64_t word, unsigned at, unsigned n)
{
	const uint64_t field = mbar_bits(word, at, n);
	return field ? (INT64_C(1) << n) - (int64_t)field : 0;
}
static inline int64_t mbar_tx(uint64_t word, unsigned at)
{
	const int64_t tx = (int64_t)mbar_bits(word, at, MBAR_TX_BITS), half = INT64_C(1) << (MBAR_TX_BITS - 1);
	return tx < half ? -tx : 2 * half - tx;
}
static inline bool mbar_phase(uint64_t word)
{
	return word >> 63;
}

/* ---- layout v1 of sm_107 ---- */

enum {
#define FIELD(name, at, bits, certainty, meaning) MBAR_V1_##name = at, MBAR_V1_##name##_BITS = bits,
#include "mbar_v1.def"
};
#define MBAR_V1_GET(word, field) mbar_bits(word, MBAR_V1_##field, MBAR_V1_##field##_BITS)
#define MBAR_V1_PUT(v, field)    mbar_put((uint64_t)(v), MBAR_V1_##field, MBAR_V1_##field##_BITS)
_Static_assert((int)MBAR_V1_TX_BITS == (int)MBAR_TX_BITS, "transactions have one range in all layouts");

/* No operation makes such an object, except an init with a count beyond 511. */
static inline bool mbar_v1_impossible(uint64_t word)
{
	return MBAR_V1_GET(word, GUARD) || MBAR_V1_GET(word, HIGH_GUARD) ||
	       (MBAR_V1_GET(word, VALUE) && !MBAR_V1_GET(word, FAILED)) ||
	       (MBAR_V1_GET(word, LAST_VALUE) && !MBAR_V1_GET(word, LAST_FAILED));
}

/* ---- both: `v1` says which ---- */

static inline struct mbar mbar_unpack(uint64_t word, bool v1)
{
	if (!v1)
		return (struct mbar){.expected = mbar_count(word, MBAR_B_EXPECTED, MBAR_B_COUNT_BITS),
		                     .pending = mbar_count(word, MBAR_B_PENDING, MBAR_B_COUNT_BITS),
		                     .tx = mbar_tx(word, MBAR_B_TX),
		                     .phase = mbar_phase(word),
		                     .conditional = mbar_phase(word)};
	return (struct mbar){.expected = mbar_count(word, MBAR_V1_EXPECTED, MBAR_V1_EXPECTED_BITS),
	                     .pending = mbar_count(word, MBAR_V1_PENDING, MBAR_V1_PENDING_BITS),
	                     .tx = mbar_tx(word, MBAR_V1_TX),
	                     .phase = MBAR_V1_GET(word, PHASE),
	                     .conditional = MBAR_V1_GET(word, CONDITIONAL),
	                     .open = {MBAR_V1_GET(word, FAILED), (uint8_t)MBAR_V1_GET(word, VALUE)},
	                     .last = {MBAR_V1_GET(word, LAST_FAILED), (uint8_t)MBAR_V1_GET(word, LAST_VALUE)}};
}
/* `old`: the word before. Bits outside all fields stay. */
static inline uint64_t mbar_pack(struct mbar m, uint64_t old, bool v1)
{
	if (!v1)
		return (old & MBAR_B_SPARE) | mbar_put(-(uint64_t)m.expected, MBAR_B_EXPECTED, MBAR_B_COUNT_BITS) |
		       mbar_put(-(uint64_t)m.tx, MBAR_B_TX, MBAR_TX_BITS) |
		       mbar_put(-(uint64_t)m.pending, MBAR_B_PENDING, MBAR_B_COUNT_BITS) | (uint64_t)m.phase << 63;
	return MBAR_TAG | MBAR_V1_PUT(m.open.failed, FAILED) | MBAR_V1_PUT(m.last.failed, LAST_FAILED) |
	       MBAR_V1_PUT(m.conditional, CONDITIONAL) | MBAR_V1_PUT(-(uint64_t)m.expected, EXPECTED) |
	       MBAR_V1_PUT(m.open.value, VALUE) | MBAR_V1_PUT(-(uint64_t)m.tx, TX) |
	       MBAR_V1_PUT(-(uint64_t)m.pending, PENDING) | MBAR_V1_PUT(m.last.value, LAST_VALUE) |
	       MBAR_V1_PUT(m.phase, PHASE);
}
/* Further phases are possible. */
static inline bool mbar_possible(uint64_t word, bool v1)
{
	return mbar_unpack(word, v1).expected && !(v1 && mbar_v1_impossible(word));
}

/* Layout A: a single arrival. The high word counts up. A change of bit 31 of the high word completes the phase and adds
 * the expected count for the next phase: 30 bits, sign-extended to 31. */
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
