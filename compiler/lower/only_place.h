/* SPDX-License-Identifier: Apache-2.0
 * only_place.h -- collectives of a warp reached by lanes of a mask at a single place of the code. */
#ifndef WLCC_LOWER_ONLY_PLACE_H
#define WLCC_LOWER_ONLY_PLACE_H

#include "../ptx/ptx.h"
#include "mir.h"
#include "uniform.h"

/* A collective of a warp with a mask: shfl, vote, match, redux, bar.warp. */
bool lower_is_collective(const struct ptx_instr *i);

/* The same, and elect, which .nv.info does not list. */
bool lower_waits_for_lanes(const struct ptx_instr *i);

/* Sets only[i], all false at first, for each collective i without need of a common place with other collectives.
 * u: loops that some lanes leave earlier than others are known; NULL: there are none. */
void lower_only_place(struct arena *a, const struct ptx_function *fn, const struct uniform *u, bool *only);

#endif
