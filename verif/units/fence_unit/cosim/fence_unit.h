// SPDX-License-Identifier: Apache-2.0
/* fence_unit.h -- shared declarations of this folder. */
#ifndef WARPLOCK_COSIM_FENCE_UNIT_H
#define WARPLOCK_COSIM_FENCE_UNIT_H

#include "../../../cosim/mon_unit.h"
#include "../../../cosim/unit.h"

/* Counters of the unit. */
enum { FENCES_MEMBAR, FENCES_ERRBAR, FENCES_IVALL };

extern const struct mon_unit mon_fence_unit;
extern const struct cosim_mix *const fence_unit_mixes[];

#endif
