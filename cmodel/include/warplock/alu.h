// SPDX-License-Identifier: Apache-2.0
/* alu.h -- atomic_alu: one lane's read-modify-write, as pure functions. Semantics: PTX ISA, "Parallel Synchronization
 * and Communication Instructions: atom"; rules for subnormals and NaN: PTX atomics digest, section 3. */
#ifndef WARPLOCK_ALU_H
#define WARPLOCK_ALU_H

#include "warplock/isa.h"

/* New value of a word: op(old, b); MIN and MAX signed when `sgn`. */
uint32_t wl_atomic_alu32(enum wl_atom_op op, bool sgn, uint32_t old, uint32_t b);
/* The same on 64 bits, where INC and DEC do not exist. */
uint64_t wl_atomic_alu64(enum wl_atom_op op, bool sgn, uint64_t old, uint64_t b);
/* old + b, rounded to nearest even: one float32, one float64, or two float16. bfloat16 is not built. */
uint64_t wl_atomic_float_add(enum wl_atom_type type, uint64_t old, uint64_t b);
/* Compare-and-swap of any width up to 64 bits. */
static inline uint64_t wl_atomic_cas(uint64_t old, uint64_t b, uint64_t c)
{
	return old == b ? c : old;
}

#endif
