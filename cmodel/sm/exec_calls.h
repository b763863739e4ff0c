// SPDX-License-Identifier: Apache-2.0
/* exec_calls.h -- private: services of the functions exec_<uop> for other files. */
#ifndef WARPLOCK_SM_EXEC_CALLS_H
#define WARPLOCK_SM_EXEC_CALLS_H

#include "exec_state.h"

/* A bulk copy of a driver function, for x's lanes; ranks: to the CTAs of these ranks, 0: to the CTA named by `to`. */
enum flow bulk_called(struct exec *x, const struct bulk_in *b, uint32_t ranks);

bool converge_as_yield(const struct exec *x, uint32_t lanes, struct wl_req *req); /* the DUT is asked for a YIELD */
void converge_answered(struct wl_gpu *gpu, const struct wl_record *rec);

/* The driver function at x's instruction; false: the model lacks the function */
bool runtime_call(struct exec *x, const char *name, enum flow *flow);

#endif
