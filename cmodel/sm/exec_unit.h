// SPDX-License-Identifier: Apache-2.0
/* exec_unit.h -- private: instructions of units, executed here or in the DUT, and warps that wait in a unit. */
#ifndef WARPLOCK_SM_EXEC_UNIT_H
#define WARPLOCK_SM_EXEC_UNIT_H

#include "exec_state.h"

enum flow exec_any_unit(struct exec *x);
bool unit_may(struct exec *x, bool asked);                              /* no misuse ends the run (misuse.c) */
void unit_go_on(struct wl_gpu *gpu, unsigned sm, uint64_t warps);       /* these waited in a unit */
void unit_give_up(struct wl_gpu *gpu, unsigned sm, unsigned warp);      /* its time has come: it waits no longer */
void unit_wait(struct exec *x, bool gives_up);                          /* until its unit lets the warp go on */
void unit_releases(struct wl_gpu *gpu, unsigned sm, enum wl_unit unit); /* what it has fixed: those go on */
void unit_exit(struct exec *x); /* the last lanes of x's warp are gone: units that are executed in C hear of it */
/* A lane of the access that x has fetched names memory that the atom_unit of the DUT does not reach: no request. (exec_memory.c) */
bool atom_stays(const struct exec *x);

#endif
