// SPDX-License-Identifier: Apache-2.0
/* fence_unit.h -- fences: MEMBAR, ERRBAR, CCTL.IVALL. Source: docs/spec/fences.md, "Fences". */
#ifndef WARPLOCK_FENCE_UNIT_H
#define WARPLOCK_FENCE_UNIT_H

#include "warplock/unit.h"

struct wl_fence_unit {
	uint64_t passed;            /* warps with a committed MEMBAR, not yet reported */
	uint8_t slot[WL_MAX_WARPS]; /* of the last fence of each warp */
};

#endif
