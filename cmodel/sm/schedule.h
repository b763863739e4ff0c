// SPDX-License-Identifier: Apache-2.0
/* schedule.h -- private: policies that draw the next warp. */
#ifndef WARPLOCK_SM_SCHEDULE_H
#define WARPLOCK_SM_SCHEDULE_H

#include "step.h"

void schedule_begin(struct wl_gpu *gpu);
void schedule_warp_starts(struct wl_gpu *gpu, struct warp *w);
bool schedule_draws(const struct wl_gpu *gpu);          /* the policy draws warps: use the next functions */
bool schedule_turn(struct wl_gpu *gpu);                 /* a turn of some warp of some SM; false: no warp is ready */
bool schedule_step_sm(struct wl_gpu *gpu, unsigned sm); /* as step_sm */
/* SOURCE: the next of these ready warps, -1 = none. schedule_rests: after a turn, no other warp has a turn before the
 * next cycle. */
int schedule_next(struct wl_gpu *gpu, unsigned sm, uint64_t ready, unsigned last);
bool schedule_rests(struct wl_gpu *gpu);
enum step_end schedule_run(struct wl_gpu *gpu, unsigned sm, unsigned warp);

#endif
