// SPDX-License-Identifier: Apache-2.0
/* cluster_barrier.h -- the barrier of each cluster. Warps arrive, and wait until all live warps have arrived.
 *
 * Source: docs/spec/clusters.md, "Barrier"; docs/spec/clusters.md, "Arrivals and waits". */
#ifndef WARPLOCK_CLUSTER_BARRIER_H
#define WARPLOCK_CLUSTER_BARRIER_H

#include "warplock/unit.h"

enum { WL_CBAR_FIXED = 64 /* more releases than warps cannot be under way */ };

/* The part of one cluster that runs on this SM. Sets are warps of the SM. */
struct wl_cbar {
	uint32_t cluster;     /* its number in the grid */
	uint8_t here, opened; /* CTAs of it that have a slot; that were ever given one */
	uint8_t ctas;         /* of the cluster, on all SMs */
	uint16_t phase;       /* how many came before */
	uint64_t live;        /* have not exited */
	uint64_t arrived;     /* in this phase */
	uint64_t waiting;     /* those of them that wait for its end */
	uint64_t done;        /* arrived in a phase that has ended, and have not waited since */
};
struct wl_cluster_barrier {
	uint8_t of_slot[WL_MAX_CTAS]; /* 1 + index into bar; 0: the slot holds no CTA */
	struct wl_cbar bar[WL_MAX_CTAS];
	uint8_t nfixed; /* releases that apply has fixed and nobody has taken */
	struct wl_released fixed[WL_CBAR_FIXED];
};
/* What a status port shows, over all clusters of the SM. */
struct wl_cbar_status {
	uint64_t arrived, waiting, done;
};

void wl_cbar_open(struct wl_cluster_barrier *b, const struct wl_cta_start *start);
void wl_cbar_close(struct wl_cluster_barrier *b, unsigned slot);
/* NULL: the slot is closed. */
const struct wl_cbar *wl_cbar_of(const struct wl_cluster_barrier *b, unsigned slot);
/* The warp arrives. On a fault nothing has changed. r->warps: who goes on now, 0 = nobody. */
enum wl_fault wl_cbar_arrive(struct wl_cluster_barrier *b, unsigned slot, unsigned warp, struct wl_released *r);
/* The warp waits for the phase in which it has arrived; *waits: that has not ended. */
enum wl_fault wl_cbar_wait(struct wl_cluster_barrier *b, unsigned slot, unsigned warp, bool *waits);
/* Its last lanes are gone: nobody waits for it any more. */
void wl_cbar_exit(struct wl_cluster_barrier *b, unsigned slot, unsigned warp, struct wl_released *r);
/* A cluster over several SMs: no warp of this part is missing. When that holds for all of them and a warp of one lives,
 * each part goes on. */
bool wl_cbar_part_arrived(const struct wl_cbar *bar);
void wl_cbar_part_goes_on(struct wl_cluster_barrier *b, unsigned slot, struct wl_released *r);

#endif
