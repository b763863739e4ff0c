// SPDX-License-Identifier: Apache-2.0
/* toy_counter.h -- declarations shared by the files of this folder. */
#ifndef WARPLOCK_COSIM_TOY_COUNTER_H
#define WARPLOCK_COSIM_TOY_COUNTER_H

#include "../../../cosim/unit.h"

/* Counters of the unit: instructions. */
enum { TOY_ADDS, TOY_OVERFLOWS, TOY_AT_ONCE, TOY_RELEASED, TOY_GAVE_UP };

extern const struct cosim_mix *const toy_mixes[]; /* random.c */
extern const struct mon_unit mon_toy_counter;     /* mon.c */

#endif
