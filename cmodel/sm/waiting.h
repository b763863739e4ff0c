// SPDX-License-Identifier: Apache-2.0
/* waiting.h -- private: the wait of a group of lanes. */
#ifndef WARPLOCK_SM_WAITING_H
#define WARPLOCK_SM_WAITING_H

#include "gpu.h"

struct wl_waiting;
struct wl_waits;
/* the wait of group `grp` of warp k. */
void waiting_row(const struct wl_gpu *g, unsigned sm, unsigned k, const struct group *grp, struct wl_waiting *r);
/* Finds w->circle, w->ncircle. False: no memory. */
bool waiting_circle(struct wl_waits *w);

#endif
