/* SPDX-License-Identifier: Apache-2.0
 * internal_call.h -- callers of functions put into the object by the assembler. */
#ifndef WARPLOCK_SM_INTERNAL_CALL_H
#define WARPLOCK_SM_INTERNAL_CALL_H

#include "gpu.h"

/* Code address of the call that brought the lowest of `lanes` to `pc` in a function `$__internal_N_...`, by the
 * register of the function's RET. False: `pc` lies elsewhere, or the register holds no place behind a call. */
bool internal_call(const struct wl_gpu *g, unsigned sm, unsigned warp, uint32_t lanes, uint32_t pc, uint32_t *call);

#endif
