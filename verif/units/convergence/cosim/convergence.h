/* SPDX-License-Identifier: Apache-2.0
 * convergence.h -- what the files of this folder tell each other. */
#ifndef WARPLOCK_COSIM_CONVERGENCE_H
#define WARPLOCK_COSIM_CONVERGENCE_H

#include "../../../cosim/unit.h"

/* Counters of the unit. */
enum {
	CONV_BSSY,
	CONV_BSYNC,
	CONV_BREAK,
	CONV_CLEAR,
	CONV_B2R,
	CONV_R2B,
	CONV_WARPSYNC,
	CONV_APART, /* of WARPSYNC: .EXCLUSIVE, .COLLECTIVE */
	CONV_YIELD,
	CONV_EXIT,     /* of some lanes of a warp */
	CONV_NOBODY,   /* BSYNC or BREAK of no lane */
	CONV_WAITS,    /* lanes that began to wait */
	CONV_ON,       /* lanes that went on by another one's BSYNC or WARPSYNC, */
	CONV_ON_BREAK, /* by a BREAK, */
	CONV_ON_YIELD, /* a YIELD, */
	CONV_ON_EXIT,  /* an EXIT */
	CONV_PARTS,    /* instructions of a part of the lanes that were ready */
	CONV_IN_WORD,  /* WARPSYNC with its mask in the word */
	CONV_SELF,     /* WARPSYNCs with a lane that is not in its own mask, */
	CONV_MISMATCH, /* with one that another one names in another mask, */
	CONV_BOTH,     /* with both, */
	CONV_ALL_BAD,  /* of lanes that all fault */
	CONV_COUNTERS
};
_Static_assert((int)CONV_COUNTERS <= (int)COSIM_COUNTERS, "counters of convergence");

struct convergence_state {
	uint32_t ready[WL_MAX_WARPS]; /* after the warp's last COMMIT, as REF has it */
	uint32_t dut[WL_MAX_WARPS];   /* ... as the DUT said */
	bool said[WL_MAX_WARPS];
};

extern const struct cosim_mix *const convergence_mixes[]; /* random.c */
extern const struct mon_unit mon_convergence;             /* mon.c */

#endif
