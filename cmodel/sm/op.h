// SPDX-License-Identifier: Apache-2.0
/* op.h -- private: an instruction in the form executed by the front end; prepare.c makes an op of each word. */
#ifndef WARPLOCK_SM_OP_H
#define WARPLOCK_SM_OP_H

#include "warplock/sm.h"

#define SHARED_ROW UINT32_C(0x80000000)

/* An instruction, prepared once. A source is a row of 32 words: of the warp's registers, or (SHARED_ROW set) of the
 * rows shared by all warps. Immediates and constants are the same for every lane of the launch. */
struct op {
	uint32_t row[3];
	uint32_t guard_inv; /* 0 or UINT32_MAX */
	uint16_t uop;
	uint8_t guard; /* index into preds, or into the uniform file when guard_uniform */
	uint8_t guard_uniform;
	uint8_t unit;
	uint8_t slow;          /* bit i: source i is negated, absolute, inverted or uniform: fetch_slow has work */
	uint8_t neg, abs, inv; /* bit i: changes of source i, in the order abs, neg, inv */
	uint8_t is_float;
	uint8_t wide; /* bit i: source i is a 64-bit pair */
	uint8_t plus; /* IADD3: 1 added for each negated source, which is then inverted: the carries come out right */
	uint8_t bad;  /* enum bad_op */
	uint8_t run;  /* instructions from here on that touch registers and predicates of all active lanes alone */
	uint32_t target; /* branches: instruction index */
};

/* Reason against the execution of an instruction with a known word. */
enum bad_op { BAD_NONE, BAD_UNMODELLED, BAD_ILLEGAL, BAD_CONSTANT, BAD_OPERAND };

#endif
