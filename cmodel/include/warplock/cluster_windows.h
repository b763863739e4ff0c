// SPDX-License-Identifier: Apache-2.0
/* cluster_windows.h -- shared memory of the other CTAs of a cluster. All of them are on this SM.
 *
 * Source: docs/spec/clusters.md, "Addresses"; docs/spec/clusters.md, "Faults". */
#ifndef WARPLOCK_CLUSTER_WINDOWS_H
#define WARPLOCK_CLUSTER_WINDOWS_H

#include "warplock/status.h"
#include "warplock/unit.h"

/* The slot of the CTA that an address in shared memory names, asked by one in `slot`; its own one where its cluster has
 * no other CTA here: then addresses name no ranks. CLUSTER_RANK: there is no such CTA; CLUSTER_TARGET: it has ended. */
enum wl_fault wl_cluster_slot(const struct wl_units *u, unsigned slot, uint32_t addr, unsigned *to);
/* It names another CTA than the one that asks, whether there is such a one or not. */
bool wl_cluster_other(const struct wl_units *u, unsigned slot, uint32_t addr);
/* Where the address lies in the SM's shared memory: `to` is what wl_cluster_slot has found. */
uint32_t wl_cluster_place(const struct wl_units *u, unsigned to, uint32_t addr);

#endif
