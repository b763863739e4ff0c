// SPDX-License-Identifier: Apache-2.0
/* ahead.h -- private: SOURCE asks a copy of the launch that runs on the C model alone. */
#ifndef WARPLOCK_SM_AHEAD_H
#define WARPLOCK_SM_AHEAD_H

#include "gpu.h"

/* When no request is under way: what the copy says. JUDGED: *quiet is the number of its instructions since the last
 * change. LATER: not while some warp stands where only the DUT can be asked. */
enum ahead_says { AHEAD_GETS_ON, AHEAD_PROVEN, AHEAD_JUDGED, AHEAD_LATER, AHEAD_NO_MEMORY };
enum ahead_says ahead_run(const struct wl_gpu *gpu, uint64_t *quiet);

#endif
