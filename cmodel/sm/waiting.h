// SPDX-License-Identifier: Apache-2.0
/* waiting.h -- private: what a group of lanes waits for. */
#ifndef WARPLOCK_SM_WAITING_H
#define WARPLOCK_SM_WAITING_H

#include "gpu.h"

/* what group `grp` of warp k waits for. */
void waiting_row(const struct wl_gpu *g, unsigned sm, unsigned k, const struct group *grp, struct wl_waiting *r);

#endif
