// SPDX-License-Identifier: Apache-2.0
/* cunits_values.h -- edge operands of atomics, and values computed apart from the units. */
#ifndef CUNITS_VALUES_H
#define CUNITS_VALUES_H

#include "warplock/units.h"

__extension__ typedef unsigned __int128 u128;

/* Operands of a type: `n` numbers of `bytes` each. */
struct edges {
	const uint64_t *v;
	unsigned n, bytes;
};
struct edges edges_of(enum wl_atom_type type, unsigned size);

/* A number of a float type: op(a, b). NaNs are canonical, except for float64: there a NaN operand passes. */
uint64_t expected_number(enum wl_atom_type type, enum wl_atom_op op, uint64_t a, uint64_t b);
/* An integer of `size` bytes. */
u128 expected_integer(enum wl_atom_op op, bool sgn, unsigned size, u128 old, u128 b);

#endif
