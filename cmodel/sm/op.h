// SPDX-License-Identifier: Apache-2.0
/* op.h -- private: an instruction as the front end executes it; prepare.c makes one of each word. */
#ifndef WARPLOCK_SM_OP_H
#define WARPLOCK_SM_OP_H

#include "warplock/sm.h"

#define SHARED_ROW UINT32_C(0x80000000)

/* One instruction, prepared once. A source is a row of 32 words: of the warp's registers, or (SHARED_ROW set) of the
 * rows that all warps share: immediates and constants are the same for every lane of the launch. */
struct op {
	uint32_t row[3];
	uint32_t guard_inv; /* 0 or all ones */
	uint16_t uop;
	uint8_t guard; /* index into preds, or into the uniform file when guard_uniform */
	uint8_t guard_uniform;
	uint8_t unit;
	uint8_t slow;          /* bit i: source i is negated, absolute, inverted or uniform: fetch_slow has work */
	uint8_t neg, abs, inv; /* bit i: what is done to source i, in the order abs, neg, inv */
	uint8_t is_float;
	uint8_t wide; /* bit i: source i is a 64-bit pair */
	uint8_t plus; /* IADD3: ones added for negated sources, which are then inverted: the carries come out right */
	uint8_t bad;  /* enum bad_op */
	uint8_t run;  /* instructions from here on that touch registers and predicates of all active lanes alone */
	uint32_t target; /* branches: instruction index */
};

/* Why an instruction cannot be executed although its word is known. */
enum bad_op { BAD_NONE, BAD_UNMODELLED, BAD_ILLEGAL, BAD_CONSTANT, BAD_OPERAND };

#endif
