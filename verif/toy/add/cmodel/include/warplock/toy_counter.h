// SPDX-License-Identifier: Apache-2.0
/* toy_counter.h -- a counter for each CTA. TOY_ADD adds to the counter and returns the old value; TOY_WAIT waits until
 * the counter reaches a number. Exists for the test of docs/adding.md alone. */
#ifndef WARPLOCK_TOY_COUNTER_H
#define WARPLOCK_TOY_COUNTER_H

#include "warplock/unit.h"

struct wl_toy_counter {
	uint16_t count[WL_MAX_CTAS];
	uint64_t waiting[WL_MAX_CTAS]; /* warps of each slot */
	uint16_t least[WL_MAX_WARPS];  /* awaited number of each warp */
	bool due;                      /* a release has been fixed: */
	struct wl_released release;
};

#endif
