// SPDX-License-Identifier: Apache-2.0
/* cluster_windows.h -- shared memory of the other CTAs of a cluster. All CTAs of a cluster are on this SM.
 *
 * Source: docs/spec/clusters.md, "Addresses"; docs/spec/clusters.md, "Faults". */
#ifndef WARPLOCK_CLUSTER_WINDOWS_H
#define WARPLOCK_CLUSTER_WINDOWS_H

#include "warplock/status.h"
#include "warplock/unit.h"

/* *to: the slot of the CTA named by an address in shared memory; the CTA in `slot` asks. The result is `slot` when the
 * cluster has no other CTA on this SM: then addresses name no ranks. CLUSTER_RANK: no CTA has the rank; CLUSTER_TARGET:
 * the CTA has ended. */
enum wl_fault wl_cluster_slot(const struct wl_units *u, unsigned slot, uint32_t addr, unsigned *to);
/* The address names another rank than the rank of the CTA in `slot`, with or without a CTA of the named rank. */
bool wl_cluster_other(const struct wl_units *u, unsigned slot, uint32_t addr);
/* The place of the address in the SM's shared memory; `to`: the slot from wl_cluster_slot. */
uint32_t wl_cluster_place(const struct wl_units *u, unsigned to, uint32_t addr);

#endif
