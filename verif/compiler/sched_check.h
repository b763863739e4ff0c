// SPDX-License-Identifier: Apache-2.0
/* sched_check.h -- an independent reading of the scheduling fields of emitted words. */
#ifndef VERIF_COMPILER_SCHED_CHECK_H
#define VERIF_COMPILER_SCHED_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "warplock/sm.h"

/* True when on every path each result is waited for before it is read or written again, and no register is written
 * while an earlier instruction may still have to read it. Otherwise `why` says where. */
bool sched_check(const struct wl_program *p, char *why, size_t whyn);

#endif
