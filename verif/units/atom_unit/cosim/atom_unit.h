// SPDX-License-Identifier: Apache-2.0
/* atom_unit.h -- shared declarations of this folder. */
#ifndef WARPLOCK_COSIM_ATOM_UNIT_H
#define WARPLOCK_COSIM_ATOM_UNIT_H

#include "../../../cosim/mon_unit.h"
#include "../../../cosim/unit.h"
#include "warplock/timing.h"

/* Counters of the unit. */
enum {
	ATOM_SECTORS_1, /* sectors by the number of lanes: 1, 2 to 7, more */
	ATOM_SECTORS_2,
	ATOM_SECTORS_8,
	ATOM_SAME_2, /* sectors by the most lanes on the same word: 2 to 4, more */
	ATOM_SAME_5,
	ATOM_LOADS, /* instructions */
	ATOM_STORES,
	ATOM_SUB_WORD,
	ATOM_WORD,
	ATOM_64,
	ATOM_128,
	ATOM_INT,                     /* by operation, without floats */
	ATOM_CAS = ATOM_INT + 9,      /* lanes */
	ATOM_CAS_FAILED,              /* lanes */
	ATOM_TYPE,                    /* by type, 1 to 5 */
	ATOM_MIN_MAX = ATOM_TYPE + 6, /* of floats */
	ATOM_FLUSHED,                 /* lanes with a float32 sum that would differ without .FTZ */
	ATOM_SHARED,                  /* lanes */
	ATOM_BOTH,                    /* instructions with lanes in shared and in global memory */
	ATOM_SHARED_SWAPPED,          /* compares in shared memory that store, lanes */
	ATOM_SHARED_OUT,              /* lanes beyond the window */
	ATOM_SHARED_128,              /* instructions: compares and exchanges of 128 bits in shared memory */
	ATOM_REFUSED,                 /* lanes */
	ATOM_POLICY,                  /* instructions to memory with a policy of the L2 */
	ATOM_ABSENT,                  /* lanes with a fault by the memory's answer */
	ATOM_OTHERS,                  /* lanes in other CTAs' shared memory */
	ATOM_OTHERS_TOO,              /* instructions with lanes in other CTAs' and in the own CTA's memory */
	ATOM_OTHERS_64,               /* lanes in other CTAs: 64-bit integers, pairs of f16, of bf16 */
	ATOM_OTHERS_F16,
	ATOM_OTHERS_BF16,
	ATOM_OTHERS_WORD,    /* instructions with two lanes on a word of another CTA */
	ATOM_OTHERS_REFUSED, /* lanes of the own CTA refused beside lanes in other CTAs */
	ATOM_COMBINED_2,     /* combined sectors, by the most lanes on the same word: 2 to 4, more */
	ATOM_COMBINED_5,
	ATOM_COMBINED_64,     /* ... of 64 bits */
	ATOM_COMBINED_STORES, /* ... of stores */
	ATOM_OTHERS_CUT,      /* passes of pairs with a lane for every adder */
	ATOM_COUNTERS
};
_Static_assert((int)ATOM_COUNTERS <= (int)COSIM_COUNTERS, "there is room for the counters");

/* State of the folder during a run: --timing. */
struct atom_unit_state {
	struct wl_atom_timing timing;
	bool timed;           /* the model has begun */
	uint64_t first_taken; /* cycle of the first beat of the request under way */
};

/* cycles.c */
void atom_unit_beat(struct lockstep *ls, const struct flight *f, unsigned beat);
void atom_unit_cycle(struct lockstep *ls);

extern const struct mon_unit mon_atom_unit;
extern const struct cosim_field atom_unit_fields[];
extern const struct cosim_mix *const atom_unit_mixes[];

#endif
