// SPDX-License-Identifier: Apache-2.0
/* cluster.h -- private: CTAs of a cluster: their places, their barrier. */
#ifndef WARPLOCK_SM_CLUSTER_H
#define WARPLOCK_SM_CLUSTER_H

#include "exec_state.h"

bool cluster_is_one(const struct wl_gpu *g); /* a CTA is alone in its cluster: addresses name no ranks */
/* Those of `lanes` whose address names the same CTA as that of the lowest. */
uint32_t cluster_mates(const struct wl_gpu *g, uint32_t lanes, const uint32_t addr[WL_WARP_LANES]);
/* Where the CTA is that the address names. A fault: it is not there. */
enum wl_fault cluster_find(const struct exec *x, uint32_t addr, struct place *to);
static inline bool cluster_is_own(const struct exec *x, struct place p)
{
	return p.sm == x->sm_index && p.slot == x->w->slot;
}
/* Whether some of these lanes' addresses in shared memory name another CTA than the own one. */
#define NO_CLUSTER_IN_DUT                                                                                              \
	"accesses to other CTAs' shared memory need cluster_barrier in the RTL (--units cluster_barrier)"
bool cluster_names_others(const struct exec *x, uint32_t lanes, const uint32_t addr[WL_WARP_LANES]);
/* The cluster's barrier may be complete: of a cluster on several SMs, whose units know their own warps only. */
void cluster_meet(struct wl_gpu *gpu, unsigned sm, unsigned slot);

#endif
