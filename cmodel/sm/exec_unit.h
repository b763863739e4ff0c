// SPDX-License-Identifier: Apache-2.0
/* exec_unit.h -- private: instructions of units, executed in C or in the DUT, and warps in wait in a unit. */
#ifndef WARPLOCK_SM_EXEC_UNIT_H
#define WARPLOCK_SM_EXEC_UNIT_H

#include "exec_state.h"

enum flow exec_any_unit(struct exec *x);
void unit_go_on(struct wl_gpu *gpu, unsigned sm, uint64_t warps);       /* the warps waited in a unit */
void unit_give_up(struct wl_gpu *gpu, unsigned sm, unsigned warp);      /* timeout: the warp waits no longer */
uint64_t unit_kept_bytes(const struct wl_gpu *gpu, uint64_t warps);     /* of at_kept */
void unit_wait(struct exec *x, bool gives_up);                          /* until the unit lets the warp go on */
void unit_releases(struct wl_gpu *gpu, unsigned sm, enum wl_unit unit); /* warps of fixed releases go on */
void unit_exit(struct exec *x); /* the last lanes of x's warp are gone: units executed in C are told */
/* exec_mbarrier.c: x's lanes name one mbarrier, and a store has given the mbarrier the other layout. */
bool mbarrier_is_relaid(const struct exec *x);
/* exec_memory.c: a lane of x's fetched access names memory beyond the reach of the DUT's atom_unit: no request. */
bool atom_stays(const struct exec *x);

#endif
