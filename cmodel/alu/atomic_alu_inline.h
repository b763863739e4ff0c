// SPDX-License-Identifier: Apache-2.0
/* atomic_alu_inline.h -- private: the operations of atomic_alu as an inline function, for loops over lanes with the
 * operation known at compile time. All other code calls wl_atomic_alu32. */
#ifndef WARPLOCK_ATOMIC_ALU_INLINE_H
#define WARPLOCK_ATOMIC_ALU_INLINE_H

#include <assert.h>

#include "warplock/alu.h"

/* Order of unsigned numbers that equals the order of the same bits read as signed numbers. */
static inline uint32_t alu_sign_bias(bool sgn, uint32_t x)
{
	return sgn ? x ^ UINT32_C(0x80000000) : x;
}

/* Source of the table: PTX ISA, "Parallel Synchronization and Communication Instructions: atom". */
static inline __attribute__((always_inline)) uint32_t atomic_alu32(enum wl_atom_op op, bool sgn, uint32_t old,
                                                                   uint32_t b)
{
	switch (op) {
	case WL_ATOM_ADD:
		return old + b;
	case WL_ATOM_MIN:
		return alu_sign_bias(sgn, b) < alu_sign_bias(sgn, old) ? b : old;
	case WL_ATOM_MAX:
		return alu_sign_bias(sgn, b) > alu_sign_bias(sgn, old) ? b : old;
	case WL_ATOM_INC:
		return old >= b ? 0 : old + 1;
	case WL_ATOM_DEC:
		return old == 0 || old > b ? b : old - 1;
	case WL_ATOM_AND:
		return old & b;
	case WL_ATOM_OR:
		return old | b;
	case WL_ATOM_XOR:
		return old ^ b;
	case WL_ATOM_EXCH:
		return b;
	}
	assert(!"an atomic operation of the table");
	return old;
}

#endif
