// SPDX-License-Identifier: Apache-2.0
/* schedule.h -- private: policies that draw the warp that runs next. */
#ifndef WARPLOCK_SM_SCHEDULE_H
#define WARPLOCK_SM_SCHEDULE_H

#include "step.h"

void schedule_begin(struct wl_gpu *gpu);
void schedule_warp_starts(struct wl_gpu *gpu, struct warp *w);
bool schedule_draws(const struct wl_gpu *gpu);          /* the policy draws who runs: the next functions say so */
bool schedule_turn(struct wl_gpu *gpu);                 /* one turn of some warp of some SM; false: none is ready */
bool schedule_step_sm(struct wl_gpu *gpu, unsigned sm); /* as step_sm */
/* SOURCE: the next of these ready warps, -1 = none; after its turn: no other has one before the next cycle. */
int schedule_next(struct wl_gpu *gpu, unsigned sm, uint64_t ready, unsigned last);
bool schedule_rests(struct wl_gpu *gpu);
enum step_end schedule_run(struct wl_gpu *gpu, unsigned sm, unsigned warp);

#endif
