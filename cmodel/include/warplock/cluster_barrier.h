// SPDX-License-Identifier: Apache-2.0
/* cluster_barrier.h -- the barrier of each cluster. Warps arrive, and wait until all live warps have arrived.
 *
 * Source: docs/spec/clusters.md, "Barrier"; docs/spec/clusters.md, "Arrivals and waits". */
#ifndef WARPLOCK_CLUSTER_BARRIER_H
#define WARPLOCK_CLUSTER_BARRIER_H

#include "warplock/unit.h"

enum { WL_CBAR_FIXED = 64 /* never more releases under way than warps */ };

/* The part of a cluster on this SM. Sets are warps of the SM. */
struct wl_cbar {
	uint32_t cluster;     /* number of the cluster in the grid */
	uint8_t here, opened; /* CTAs of the cluster: in a slot now; ever in a slot */
	uint8_t ctas;         /* CTAs of the cluster, on all SMs */
	uint16_t phase;       /* number of phases before */
	uint64_t live;        /* warps before their exit */
	uint64_t arrived;     /* warps with an arrival in this phase */
	uint64_t waiting;     /* arrived warps waiting for the end of the phase */
	uint64_t done;        /* warps with an arrival in an ended phase and no wait since */
};
struct wl_cluster_barrier {
	uint8_t of_slot[WL_MAX_CTAS]; /* 1 + index into bar; 0: the slot holds no CTA */
	struct wl_cbar bar[WL_MAX_CTAS];
	uint8_t nfixed; /* releases fixed by apply, not yet handed out by wl_units_released */
	struct wl_released fixed[WL_CBAR_FIXED];
};
/* Content of the status port: all clusters of the SM together. */
struct wl_cbar_status {
	uint64_t arrived, waiting, done;
};

void wl_cbar_open(struct wl_cluster_barrier *b, const struct wl_cta_start *start);
void wl_cbar_close(struct wl_cluster_barrier *b, unsigned slot);
/* NULL: the slot is closed. */
const struct wl_cbar *wl_cbar_of(const struct wl_cluster_barrier *b, unsigned slot);
/* The warp arrives. A fault changes nothing. r->warps: released warps, 0 = none. */
enum wl_fault wl_cbar_arrive(struct wl_cluster_barrier *b, unsigned slot, unsigned warp, struct wl_released *r);
/* The warp waits for the phase of its arrival. *waits: the phase has not ended. */
enum wl_fault wl_cbar_wait(struct wl_cluster_barrier *b, unsigned slot, unsigned warp, bool *waits);
/* The warp's last lanes are gone: no phase waits for this warp any more. */
void wl_cbar_exit(struct wl_cluster_barrier *b, unsigned slot, unsigned warp, struct wl_released *r);
/* A cluster over several SMs: no warp of this SM's part is missing. When no part lacks a warp, and a warp of some part
 * lives, each part goes on. */
bool wl_cbar_part_arrived(const struct wl_cbar *bar);
void wl_cbar_part_goes_on(struct wl_cluster_barrier *b, unsigned slot, struct wl_released *r);

#endif
