// SPDX-License-Identifier: Apache-2.0
/* atomic_alu.c -- one lane's read-modify-write. */
#include "atomic_alu_inline.h"

uint32_t wl_atomic_alu32(enum wl_atom_op op, bool sgn, uint32_t old, uint32_t b)
{
	return atomic_alu32(op, sgn, old, b);
}
