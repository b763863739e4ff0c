// SPDX-License-Identifier: Apache-2.0
/* collective.h -- shared declarations of this folder. */
#ifndef WARPLOCK_COSIM_COLLECTIVE_H
#define WARPLOCK_COSIM_COLLECTIVE_H

#include "../../../cosim/unit.h"
#include "warplock/timing.h"

/* Counters of the unit: instructions, or lanes where noted. */
enum {
	COLL_VOTE,                     /* by operation: ALL, ANY, EQ */
	COLL_VOTEU = COLL_VOTE + 3,    /* by operation, too */
	COLL_SHFL = COLL_VOTEU + 3,    /* IDX, UP, DOWN, BFLY */
	COLL_FORM = COLL_SHFL + 4,     /* SHFL: 2 * b in a register + c in a register */
	COLL_MATCH = COLL_FORM + 4,    /* ALL, ANY; 2 more: of 64 bits */
	COLL_REDUX = COLL_MATCH + 4,   /* AND, OR, XOR, SUM, MIN, MAX; 6 more: signed */
	COLL_FREDUX = COLL_REDUX + 12, /* MAX, MAXABS, MIN, MINABS; 4 more: .NAN */
	COLL_NAN = COLL_FREDUX + 8,    /* FREDUX with NaN as result */
	COLL_ELECT,
	COLL_UNELECTED,    /* ELECT without a candidate */
	COLL_INACTIVE,     /* lanes reading an inactive lane */
	COLL_OUT_OF_RANGE, /* lanes */
	COLL_ALL_EQUAL,    /* MATCH.ALL with equal values */
	COLL_LONELY,       /* instructions of a single lane */
	COLL_COUNTERS
};
_Static_assert((int)COLL_COUNTERS <= (int)COSIM_COUNTERS, "counters of warp_collective");

/* --timing */
enum { COLL_DUE = 128 };
struct collective_state {
	struct wl_collective_timing timing;
	uint64_t first_taken; /* first beat of the request now being taken */
	struct {
		uint64_t cycle;
		uint32_t tag;
	} due[COLL_DUE]; /* COMMITs to come, in order: a ring */
	unsigned first_due, last_due;
};

/* cycles.c */
void collective_beat(struct lockstep *ls, const struct flight *f, unsigned beat);
void collective_compare_cycle(struct lockstep *ls, struct flight *f, const struct shim_event *e, uint32_t lanes);

extern const struct cosim_mix *const collective_mixes[]; /* random.c */
extern const struct mon_unit mon_warp_collective;        /* mon.c */

#endif
