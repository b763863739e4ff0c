/* SPDX-License-Identifier: Apache-2.0
 * only_place.h -- collectives of a warp that lanes of one mask reach at one place of the code alone. */
#ifndef WLCC_LOWER_ONLY_PLACE_H
#define WLCC_LOWER_ONLY_PLACE_H

#include "../ptx/ptx.h"
#include "mir.h"

/* A collective of a warp with a mask: shfl, vote, match, redux, bar.warp. */
bool lower_is_collective(const struct ptx_instr *i);

/* Sets only[i], all false at first, for each collective i that needs no common place with another one. */
void lower_only_place(struct arena *a, const struct ptx_function *fn, bool *only);

#endif
