/* SPDX-License-Identifier: Apache-2.0
 * mbarrier_engine.h -- what the files of this folder tell each other. */
#ifndef WARPLOCK_COSIM_MBARRIER_ENGINE_H
#define WARPLOCK_COSIM_MBARRIER_ENGINE_H

#include "../../unit.h"

/* Counters of the unit. */
enum {
	MBARS_EARLY,    /* lanes after whose turn more bytes are complete than expected */
	MBARS_BY_BYTES, /* phases that bytes have ended */
	MBARS_ENDED,    /* all phases that ended */
	MBARS_DROPPED,  /* objects that expect nobody any more */
	MBARS_SHARED,   /* COMMITs on the object of the COMMIT before, of another warp */
	MBARS_SERIAL,   /* instructions of 8 passes and more */
	MBARS_FORMS,    /* instructions by form of ARRIVE */
	MBARS_TMASK = MBARS_FORMS + 6,
	MBARS_OPTOUT,
	MBARS_CHECKS,
	MBARS_TRYWAIT,
	MBARS_EXCH,
	MBARS_IV,
	MBARS_ARRIVE_A,
	MBARS_COUNTERS
};
_Static_assert((int)MBARS_COUNTERS <= (int)COSIM_COUNTERS, "counters of mbarrier_engine");

/* What the counters need. */
struct mbarrier_engine_state {
	uint64_t object; /* of the last COMMIT */
	unsigned warp;
};

/* random.c */
extern const struct cosim_mix *const mbarrier_engine_mixes[];

/* mon.c */
extern const struct mon_unit mon_mbarrier_engine;

#endif
