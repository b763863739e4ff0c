// SPDX-License-Identifier: Apache-2.0
/* cluster_barrier.h -- what the files of this folder tell each other. */
#ifndef WARPLOCK_COSIM_CLUSTER_BARRIER_H
#define WARPLOCK_COSIM_CLUSTER_BARRIER_H

#include "../../mon_unit.h"
#include "../../unit.h"

/* Counters of the unit. */
enum {
	CBAR_TOGETHER, /* COMMITs beside another one in the same cycle */
	CBAR_ARRIVALS, /* that count */
	CBAR_WAITS,    /* likewise; of them: */
	CBAR_AT_ONCE,  /* over at once */
	CBAR_MANY,     /* COMMITs while warps of four CTAs or more wait */
};

struct cluster_barrier_state {
	uint64_t commit; /* cycle of the last COMMIT */
};

extern const struct mon_unit mon_cluster_barrier;
extern const struct cosim_field cluster_barrier_fields[];
extern const struct cosim_mix *const cluster_barrier_mixes[];

#endif
