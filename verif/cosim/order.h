// SPDX-License-Identifier: Apache-2.0
/* order.h -- writes the order log of a kernel in lockstep (format: cmodel/sm/orderlog.h). */
#ifndef WARPLOCK_COSIM_ORDER_H
#define WARPLOCK_COSIM_ORDER_H

#include <stdio.h>

#include "../../cmodel/tools/origin.h"
#include "lockstep.h"

struct order_log {
	FILE *file; /* NULL: nothing is written */
	const char *path;
};

/* False with errno set when the file cannot be made. With path NULL the log drops everything, and origin may be NULL. */
bool order_open(struct order_log *log, const char *path, const struct origin *origin);
/* False with errno set after a failed write; no file is left then. */
bool order_close(struct order_log *log);

/* The run was interrupted: no file is left. */
void order_drop(struct order_log *log);
void order_units(struct order_log *log, uint32_t units);
struct lockstep_tap order_tap(struct order_log *log);
void order_cta(struct order_log *log, bool starts, unsigned sm, unsigned slot, uint32_t cta);
void order_step(struct order_log *log, unsigned sm, unsigned warp, unsigned lane, unsigned count);

#endif
