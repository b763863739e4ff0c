// SPDX-License-Identifier: Apache-2.0
/* cluster_windows.c -- the slot named by an address in shared memory.
 * Source: docs/spec/clusters.md, "Addresses"; docs/spec/clusters.md, "Faults". */
#include "warplock/cluster_windows.h"

#include "warplock/address.h"
#include "warplock/units.h"

/* Some warp of the CTA has not exited. */
static bool lives(const struct wl_units *u, unsigned slot)
{
	const unsigned first = u->convergence.cta[slot].first_warp, warps = u->convergence.cta[slot].warps;
	const uint64_t all = warps ? UINT64_MAX >> (64 - warps) << first : 0;
	return wl_cbar_of(&u->cluster_barrier, slot)->live & all;
}

bool wl_cluster_other(const struct wl_units *u, unsigned slot, uint32_t addr)
{
	const struct wl_cbar *mine = wl_cbar_of(&u->cluster_barrier, slot);
	return mine && mine->here >= 2 && addr >> WL_RANK_SHIFT != u->smem.window[slot].origin >> WL_RANK_SHIFT;
}

enum wl_fault wl_cluster_slot(const struct wl_units *u, unsigned slot, uint32_t addr, unsigned *to)
{
	const struct wl_cbar *mine = wl_cbar_of(&u->cluster_barrier, slot);
	const uint32_t rank = addr >> WL_RANK_SHIFT;
	*to = slot;
	if (!wl_cluster_other(u, slot, addr))
		return WL_FAULT_NONE;
	for (unsigned s = 0; s < WL_MAX_CTAS; s++) {
		if (wl_cbar_of(&u->cluster_barrier, s) != mine || u->smem.window[s].origin >> WL_RANK_SHIFT != rank)
			continue;
		*to = s;
		return lives(u, s) ? WL_FAULT_NONE : WL_FAULT_CLUSTER_TARGET;
	}
	return WL_FAULT_CLUSTER_RANK;
}

uint32_t wl_cluster_place(const struct wl_units *u, unsigned to, uint32_t addr)
{
	const struct wl_window *w = &u->smem.window[to];
	return w->base + (addr - w->origin);
}
