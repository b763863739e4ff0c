// SPDX-License-Identifier: Apache-2.0
/* unit.c -- sync_core as seen by the harness: the end of a warp. */
#include "../../../cosim/mon_unit.h"
#include "sync_core.h"

extern const struct mon_unit mon_sync_core;

const struct cosim_unit cosim_sync_core = {.unit = WL_UNIT_sync_core, .mon = &mon_sync_core, .mixes = sync_core_mixes};
