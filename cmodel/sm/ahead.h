// SPDX-License-Identifier: Apache-2.0
/* ahead.h -- private: SOURCE asks a copy of the launch, run on the C model alone. */
#ifndef WARPLOCK_SM_AHEAD_H
#define WARPLOCK_SM_AHEAD_H

#include "gpu.h"

/* While no request is under way: the verdict of the copy. JUDGED: *quiet is what has passed in the copy since the last
 * change. LATER: no verdict while some warp stands at a question for the DUT alone. */
enum ahead_says { AHEAD_GETS_ON, AHEAD_PROVEN, AHEAD_JUDGED, AHEAD_LATER, AHEAD_NO_MEMORY };
enum ahead_says ahead_run(const struct wl_gpu *gpu, struct quiet_run *quiet);

#endif
