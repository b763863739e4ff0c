// SPDX-License-Identifier: Apache-2.0
/* code.h -- the finished code of one kernel, as the object writer takes it. */
#ifndef WLCC_CODE_H
#define WLCC_CODE_H

#include <stdint.h>

#include "../ptx/ast.h"
#include "warplock/isa.h"

struct kernel_code {
	const struct ptx_function *src;
	uint32_t n;
	struct wl_word *words;
	uint32_t *lines;         /* PTX line of each word, 0 = none */
	uint32_t nexits, *exits; /* byte offsets of EXIT instructions */
	uint32_t regs, frame, shared, barriers, param_base, param_bytes;
};

#endif
