// SPDX-License-Identifier: Apache-2.0
/* abi.h -- calls between functions of device code, as NVIDIA's compiler makes calls: read off the output of ptxas
 * 13.0 for `nvcc -rdc` on sm_75, sm_90 and sm_100. The three agree.
 *
 *   R4 .. R15    arguments, and results, from R4 on: each in the first free registers with the right alignment. A
 *                later, smaller value fills a hole. Structures lie in registers word by word.
 *   [R1] up      arguments without a place in registers, in order, aligned
 *   R20, R21     the return address
 *   results without a place in registers: the caller passes in R4 the local address of a place for the results
 *   R1           the stack pointer; R2 stays at the frame of a function that moves R1
 *   the callee keeps R1, R2, R16 to R31, the last four of each eight from R32 on, and B6 to B15; the rest is free */
#ifndef WLCC_LOWER_ABI_H
#define WLCC_LOWER_ABI_H

#include <stdbool.h>
#include <stdint.h>

#include "../ptx/ast.h"

enum { ABI_STACK_REG = 1, ABI_FRAME_REG = 2 };
enum { ABI_FIRST_REG = 4, ABI_END_REG = 16, ABI_RETURN_REG = 20, ABI_FIRST_KEPT_CBAR = 6 };

struct abi_place {
	bool in_regs;
	uint32_t at; /* register, or byte of the caller's stack */
	uint32_t words;
};

struct abi_call {
	struct abi_place *params, *rets; /* by index */
	uint32_t stack_bytes;            /* bytes at [R1] that the caller leaves */
	bool by_address;                 /* results are in memory, at the address in R4 */
};

/* `proto` is any declaration of the function. */
void abi_call(struct arena *arena, const struct ptx_function *proto, struct abi_call *out);

/* The callee may change the register. */
static inline bool abi_clobbered(unsigned r)
{
	return r < 32 ? r == 0 || (r >= 3 && r < 16) : r % 8 < 4;
}

#endif
