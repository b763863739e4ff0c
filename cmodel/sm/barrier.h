// SPDX-License-Identifier: Apache-2.0
/* barrier.h -- private: named barriers of a CTA. */
#ifndef WARPLOCK_SM_BARRIER_H
#define WARPLOCK_SM_BARRIER_H

#include "exec_state.h"

/* SOURCE: the request of a warp at a BAR has been accepted, and answered. */
void barrier_fetch(struct exec *x);
void barrier_accepted(struct warp *w);
void barrier_answered(struct wl_gpu *gpu, unsigned sm, unsigned warp);
enum flow barrier_arrive(struct exec *x); /* the warp's lanes may be complete at a BAR */

#endif
