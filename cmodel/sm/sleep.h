// SPDX-License-Identifier: Apache-2.0
/* sleep.h -- private: time, and warps that sleep. */
#ifndef WARPLOCK_SM_SLEEP_H
#define WARPLOCK_SM_SLEEP_H

#include "exec_state.h"

void sleep_group(struct exec *x);                                 /* NANOSLEEP by x->mask */
bool sleep_warp(struct sm *s, struct warp *w);                    /* w could run: does it sleep? */
bool sleep_unit(struct sm *s, const struct warp *w);              /* w waits in a unit, until it gives up: true */
void sleep_end(struct wl_gpu *gpu, unsigned sm);                  /* time has passed: who wakes? */
void sleep_until(struct wl_gpu *gpu, unsigned sm, uint64_t time); /* time goes on to this at least */
bool sleep_jump(struct wl_gpu *gpu); /* to the nearest end of a sleep; false: nobody sleeps */
void sleep_idle(struct wl_gpu *gpu); /* where all sleep, time passes as elsewhere */

#endif
