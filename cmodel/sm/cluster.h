// SPDX-License-Identifier: Apache-2.0
/* cluster.h -- private: CTAs of a cluster: places and barrier. */
#ifndef WARPLOCK_SM_CLUSTER_H
#define WARPLOCK_SM_CLUSTER_H

#include "exec_state.h"

bool cluster_is_one(const struct wl_gpu *g); /* a cluster has a single CTA: addresses name no ranks */
/* The lanes of `lanes` with an address in the same CTA as the lowest lane's address. */
uint32_t cluster_mates(const struct wl_gpu *g, uint32_t lanes, const uint32_t addr[WL_WARP_LANES]);
/* Place of the CTA named by the address. A fault: the cluster lacks the rank, or the CTA has ended. */
enum wl_fault cluster_find(const struct exec *x, uint32_t addr, struct place *to);
static inline bool cluster_is_own(const struct exec *x, struct place p)
{
	return p.sm == x->sm_index && p.slot == x->w->slot;
}
/* Does some address of these lanes in shared memory name a CTA other than the own? */
#define NO_CLUSTER_IN_DUT                                                                                              \
	"accesses to other CTAs' shared memory need cluster_barrier in the RTL (--units cluster_barrier)"
bool cluster_names_others(const struct exec *x, uint32_t lanes, const uint32_t addr[WL_WARP_LANES]);
/* The cluster's barrier may be complete. In a cluster on several SMs each unit knows the warps of its own SM only. */
void cluster_meet(struct wl_gpu *gpu, unsigned sm, unsigned slot);

#endif
