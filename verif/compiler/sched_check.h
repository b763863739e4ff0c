// SPDX-License-Identifier: Apache-2.0
/* sched_check.h -- an independent reading of the scheduling fields of emitted words. */
#ifndef VERIF_COMPILER_SCHED_CHECK_H
#define VERIF_COMPILER_SCHED_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "warplock/sm.h"

/* True: on every path the code waits for each result before the next read or write of the register, and writes no
 * register that an earlier instruction may still have to read. Otherwise `why` gives the place. */
bool sched_check(const struct wl_program *p, char *why, size_t whyn);

#endif
