/* SPDX-License-Identifier: Apache-2.0
 * convergence.h -- shared declarations of this folder. */
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
	CONV_WAITS,    /* lanes beginning to wait */
	CONV_ON,       /* lanes going on by another lane's BSYNC or WARPSYNC, */
	CONV_ON_BREAK, /* by a BREAK, */
	CONV_ON_YIELD, /* a YIELD, */
	CONV_ON_EXIT,  /* an EXIT */
	CONV_PARTS,    /* instructions of a part of the ready lanes */
	CONV_IN_WORD,  /* WARPSYNC with the mask in the word */
	CONV_SELF,     /* WARPSYNCs with a lane not in its own mask, */
	CONV_MISMATCH, /* with a lane named by another lane with another mask, */
	CONV_BOTH,     /* with both, */
	CONV_ALL_BAD,  /* with a fault of every lane */
	CONV_COUNTERS
};
_Static_assert((int)CONV_COUNTERS <= (int)COSIM_COUNTERS, "counters of convergence");

struct convergence_state {
	uint32_t ready[WL_MAX_WARPS]; /* after the warp's last COMMIT, from REF */
	uint32_t dut[WL_MAX_WARPS];   /* ... from the DUT */
	bool said[WL_MAX_WARPS];
};

extern const struct cosim_mix *const convergence_mixes[]; /* random.c */
extern const struct mon_unit mon_convergence;             /* mon.c */

#endif
