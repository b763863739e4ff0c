// SPDX-License-Identifier: Apache-2.0
/* replay.h -- follows an order log (orderlog.h) line by line on the C model alone. */
#ifndef WARPLOCK_REPLAY_H
#define WARPLOCK_REPLAY_H

#include "orderlog.h"
#include "warplock/sm.h"

struct wl_replay; /* opaque */

/* gpu has just been created and stays the caller's. NULL: no memory. */
struct wl_replay *wl_replay_create(struct wl_gpu *gpu, const struct wl_config *config);
void wl_replay_free(struct wl_replay *r);
/* An event happens. false: the event is impossible now, `why` tells. */
bool wl_replay_event(struct wl_replay *r, const struct wl_order *o, char *why, size_t whyn);

#endif
