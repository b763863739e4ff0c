// SPDX-License-Identifier: Apache-2.0
/* sleep.h -- private: time, and sleeping warps. */
#ifndef WARPLOCK_SM_SLEEP_H
#define WARPLOCK_SM_SLEEP_H

#include "exec_state.h"

void sleep_group(struct exec *x);                                 /* NANOSLEEP by x->mask */
bool sleep_warp(struct sm *s, struct warp *w);                    /* w could run: does w sleep? */
bool sleep_unit(struct sm *s, const struct warp *w);              /* w waits in a unit until w gives up: true */
void sleep_end(struct wl_gpu *gpu, unsigned sm);                  /* time has passed: wakes warps */
void sleep_until(struct wl_gpu *gpu, unsigned sm, uint64_t time); /* time goes on to this at least */
bool sleep_jump(struct wl_gpu *gpu); /* to the nearest end of a sleep; false: nobody sleeps */
void sleep_idle(struct wl_gpu *gpu); /* while all sleep on an SM, time passes as on other SMs */

#endif
