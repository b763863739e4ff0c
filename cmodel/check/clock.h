// SPDX-License-Identifier: Apache-2.0
/* clock.h -- vector clocks of the race checker: the accesses known to come before.
 *
 * Time counts the events of the run. An entry {key, time} says: the accesses of `key` are ordered up to that time. A
 * key names a kind of accesses and a CTA, a warp or a lane. Behind a barrier of the CTA a clock thus has a single entry
 * for the whole CTA. Clocks never change; holders share clocks and count references. */
#ifndef WARPLOCK_CHECK_CLOCK_H
#define WARPLOCK_CHECK_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

enum clock_of {
	CLOCK_PLAIN,        /* accesses of instructions */
	CLOCK_BY_LANE,      /* copies of LDGSTS; the four kinds of copies have the order of enum copied */
	CLOCK_BULK_IN,      /* bulk copies to shared memory, STAS, REDAS */
	CLOCK_BULK_READ,    /* reads of bulk copies to global memory */
	CLOCK_BULK_WRITTEN, /* writes of bulk copies to global memory */
	CLOCK_PROXY_SHARED, /* accesses of instructions to shared memory, for the async proxy */
	CLOCK_PROXY_GLOBAL,
};
enum clock_level { LEVEL_CTA, LEVEL_WARP, LEVEL_LANE };

static inline uint64_t clock_key(enum clock_of of, enum clock_level level, uint64_t id)
{
	return (uint64_t)of << 48 | (uint64_t)level << 44 | id;
}
#define CLOCK_ID(key) ((key) & ((UINT64_C(1) << 44) - 1))

struct clock_entry {
	uint64_t key;
	uint32_t time;
};
struct clock {
	uint64_t serial; /* unique among the clocks of a thread */
	uint32_t refs, n;
	struct clock_entry e[]; /* sorted by key */
};

/* NULL is the clock without entries. Every function with a clock as result returns a reference of the caller's. */
struct clock *clock_hold(struct clock *c);
void clock_drop(struct clock *c);
/* Joins a with the n entries at e, sorted by key. The result is a itself if the entries say nothing new. */
struct clock *clock_add(struct clock *a, const struct clock_entry *e, uint32_t n, uint32_t warps_per_cta);
struct clock *clock_join(struct clock *a, struct clock *b, uint32_t warps_per_cta);
uint32_t clock_from(const struct clock *c, uint64_t key); /* index of the first entry with this key or a later key */
uint32_t clock_at(const struct clock *c, uint64_t key);   /* time of exactly this entry; 0: no such entry */

#endif
