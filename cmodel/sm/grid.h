// SPDX-License-Identifier: Apache-2.0
/* grid.h -- private: CTAs onto SMs. */
#ifndef WARPLOCK_SM_GRID_H
#define WARPLOCK_SM_GRID_H

#include "exec_state.h"

uint32_t grid_next_number(const struct wl_gpu *gpu); /* of the next CTA to start */
/* Takes the launch of the next cluster back: id of the cluster's first CTA; false: all have started. */
bool grid_cancel(struct wl_gpu *gpu, uint32_t id[3]);
void grid_fill(struct wl_gpu *gpu); /* tells the host of ended CTAs; CTAs onto free slots, lower-numbered first */
void grid_launch(struct wl_gpu *gpu, unsigned sm, unsigned slot); /* the next CTA into this free slot */
void grid_retire(struct wl_gpu *gpu, unsigned sm, unsigned slot); /* an ended CTA's slot becomes free */
void grid_warp_exit(struct exec *x);

#endif
