// SPDX-License-Identifier: Apache-2.0
/* exec_calls.h -- private: what other files ask of the functions exec_<uop>. */
#ifndef WARPLOCK_SM_EXEC_CALLS_H
#define WARPLOCK_SM_EXEC_CALLS_H

#include "exec_state.h"

/* A bulk copy that the driver's function makes for x's lanes; ranks: to those CTAs, 0:
 * where `to` says. */
enum flow bulk_called(struct exec *x, const struct bulk_in *b, uint32_t ranks);

bool converge_as_yield(const struct exec *x, uint32_t lanes, struct wl_req *req); /* the DUT is asked for a YIELD */
void converge_answered(struct wl_gpu *gpu, const struct wl_record *rec);

/* The function of the driver that stands at x's instruction; false: the model does not have it */
bool runtime_call(struct exec *x, const char *name, enum flow *flow);

#endif
