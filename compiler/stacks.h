// SPDX-License-Identifier: Apache-2.0
/* stacks.h -- how deep the stacks of kernels get. */
#ifndef WLCC_STACKS_H
#define WLCC_STACKS_H

#include "object/code.h"
#include "ptx/arena.h"

/* Sets `stack` of each kernel from the frames and the calls. */
void stacks_measure(struct arena *a, struct kernel_code *codes, uint32_t n);

#endif
