// SPDX-License-Identifier: Apache-2.0
/* cluster_barrier.h -- shared declarations of this folder. */
#ifndef WARPLOCK_COSIM_CLUSTER_BARRIER_H
#define WARPLOCK_COSIM_CLUSTER_BARRIER_H

#include "../../../cosim/mon_unit.h"
#include "../../../cosim/unit.h"

/* Counters of the unit. */
enum {
	CBAR_TOGETHER, /* COMMITs beside another COMMIT in the same cycle */
	CBAR_ARRIVALS, /* without fault */
	CBAR_WAITS,    /* without fault; among the waits: */
	CBAR_AT_ONCE,  /* over at once */
	CBAR_MANY,     /* COMMITs while warps of four CTAs or more wait */
};

struct cluster_barrier_state {
	uint64_t commit; /* cycle of the last COMMIT */
};

enum { REACH_WINDOW = 96 /* bytes of a CTA's shared memory in the mix `reach` */ };

/* For a request of the mix `reach`: the CTA's rank in the cluster, and the cluster's number of CTAs. */
struct reach_cluster {
	unsigned rank, ctas;
};
bool reach_draw(struct random_stream *r, const struct reach_cluster *c, struct wl_req *q);
unsigned reach_floors(const struct random_config *c, const struct lockstep_stats *s,
                      struct random_floor floor[RANDOM_FLOORS]);

extern const struct mon_unit mon_cluster_barrier;
extern const struct cosim_field cluster_barrier_fields[];
extern const struct cosim_mix *const cluster_barrier_mixes[];

#endif
