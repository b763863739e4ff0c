// SPDX-License-Identifier: Apache-2.0
/* unit.c -- barrier_file as the harness knows it. */
#include "../../mon_unit.h"
#include "../../unit.h"

extern const struct mon_unit mon_barrier_file;

const struct cosim_unit cosim_barrier_file = {.unit = WL_UNIT_barrier_file, .mon = &mon_barrier_file};
