/* SPDX-License-Identifier: Apache-2.0
 * internal_call.h -- who called a function that the assembler put into the object. */
#ifndef WARPLOCK_SM_INTERNAL_CALL_H
#define WARPLOCK_SM_INTERNAL_CALL_H

#include "gpu.h"

/* The call that the lowest of `lanes` came by to `pc`, which lies in a function `$__internal_N_...`: its code address by
 * the register of the function's RET. False: `pc` lies elsewhere, or the register holds no place behind a call. */
bool internal_call(const struct wl_gpu *g, unsigned sm, unsigned warp, uint32_t lanes, uint32_t pc, uint32_t *call);

#endif
