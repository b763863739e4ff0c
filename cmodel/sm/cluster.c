// SPDX-License-Identifier: Apache-2.0
/* cluster.c -- CTAs of a cluster: the CTA named by an address, and the cluster's barrier across SMs.
 * Source: docs/spec/clusters.md, "Addresses"; docs/spec/clusters.md, "Reach". */
#include "cluster.h"
#include "exec_unit.h"
#include "observe.h"

bool cluster_is_one(const struct wl_gpu *g)
{
	return g->cluster_ctas == 1;
}

uint32_t cluster_mates(const struct wl_gpu *g, uint32_t lanes, const uint32_t addr[WL_WARP_LANES])
{
	const uint32_t rank = addr[lowest(lanes)] >> WL_RANK_SHIFT;
	uint32_t mates = 0;
	if (cluster_is_one(g))
		return lanes;
	for (uint32_t m = lanes; m; m &= m - 1)
		mates |= (uint32_t)(addr[lowest(m)] >> WL_RANK_SHIFT == rank) << lowest(m);
	return mates;
}

bool cluster_names_others(const struct exec *x, uint32_t lanes, const uint32_t addr[WL_WARP_LANES])
{
	const uint32_t own = x->sm->units.smem.window[x->w->slot].origin >> WL_RANK_SHIFT;
	for (uint32_t m = lanes; m; m &= m - 1)
		if (addr[lowest(m)] >> WL_RANK_SHIFT != own)
			return true;
	return false;
}

static const struct cta *cta_at(const struct wl_gpu *g, struct place p)
{
	return &gpu_sm(g, p.sm)->cta[p.slot];
}

/* In a cluster of a single CTA every address names this CTA. The check of the window comes later. */
enum wl_fault cluster_find(const struct exec *x, uint32_t addr, struct place *to)
{
	const struct wl_gpu *g = x->gpu;
	const uint32_t rank = addr >> WL_RANK_SHIFT;
	*to = (struct place){(uint16_t)x->sm_index, x->w->slot};
	if (cluster_is_one(g))
		return WL_FAULT_NONE;
	if (rank >= g->cluster_ctas)
		return WL_FAULT_CLUSTER_RANK;
	*to = cta_at(g, cta_at(g, *to)->home)->member[rank];
	return cta_at(g, *to)->state == CTA_RUNS ? WL_FAULT_NONE : WL_FAULT_CLUSTER_TARGET;
}

/* ---- the barrier of a cluster on several SMs ---- */

static struct wl_cluster_barrier *unit_of(const struct wl_gpu *g, struct place p)
{
	return &gpu_sm(g, p.sm)->units.cluster_barrier;
}

/* The first CTA of the cluster on an SM answers for the part of this SM. */
static bool is_first(const struct cta *home, unsigned rank)
{
	for (unsigned i = 0; i < rank; i++)
		if (home->member[i].sm == home->member[rank].sm)
			return false;
	return true;
}

static bool all_arrived(const struct wl_gpu *g, const struct cta *home)
{
	bool arrived = true, lives = false;
	for (unsigned rank = 0; rank < g->cluster_ctas; rank++) {
		const struct place p = home->member[rank];
		const struct wl_cbar *bar = wl_cbar_of(unit_of(g, p), p.slot);
		lives |= bar->live != 0;
		arrived &= wl_cbar_part_arrived(bar);
	}
	return arrived && lives;
}

void cluster_meet(struct wl_gpu *g, unsigned sm, unsigned slot)
{
	const struct place here = {(uint16_t)sm, (uint16_t)slot};
	const struct wl_cbar *bar = wl_cbar_of(unit_of(g, here), slot);
	const struct cta *home = cta_at(g, cta_at(g, here)->home);
	if (!bar || bar->opened == bar->ctas || !all_arrived(g, home))
		return;
	for (unsigned rank = 0; rank < g->cluster_ctas; rank++) {
		const struct place p = home->member[rank];
		struct wl_released r;
		if (!is_first(home, rank))
			continue;
		wl_cbar_part_goes_on(unit_of(g, p), p.slot, &r);
		if (g->observer)
			observe_release(g, p.sm, WL_SEEN_CLUSTER_RELEASE, 0, r.warps);
		unit_go_on(g, p.sm, r.warps);
	}
}
