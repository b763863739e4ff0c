// SPDX-License-Identifier: Apache-2.0
/* unit.c -- fence_unit in the harness. */
#include <stdio.h>

#include "../../../cosim/flight.h"
#include "fence_unit.h"

static void count(const struct flight *f, uint64_t *n)
{
	const enum wl_uop uop = (enum wl_uop)f->req.inst.uop;
	n[uop == WL_UOP_MEMBAR ? FENCES_MEMBAR : uop == WL_UOP_ERRBAR ? FENCES_ERRBAR : FENCES_IVALL]++;
}

static const struct cosim_planted planted[] = {
#define PLANTED(number, name, check, rules, mix, what) {number, #name, CHECK_##check, rules, #mix, what, 0},
#include "planted.def"
#undef PLANTED
        {0},
};

const struct cosim_unit cosim_fence_unit = {.unit = WL_UNIT_fence_unit,
                                            .mon = &mon_fence_unit,
                                            .count = count,
                                            .mixes = fence_unit_mixes,
                                            .planted = planted};
