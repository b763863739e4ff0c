// SPDX-License-Identifier: Apache-2.0
/* guide_turns.h -- private: turns chosen by a guide (guide.h). */
#ifndef WARPLOCK_SM_GUIDE_TURNS_H
#define WARPLOCK_SM_GUIDE_TURNS_H

#include "gpu.h"

bool guide_chooses(const struct wl_gpu *g); /* else the guide only sees the turns */
bool guide_turn(struct wl_gpu *g);          /* as schedule_turn */
void guide_ran(struct wl_gpu *g, const struct warp *w, unsigned count);

#endif
