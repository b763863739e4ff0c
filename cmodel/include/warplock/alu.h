// SPDX-License-Identifier: Apache-2.0
/* alu.h -- atomic_alu: the read-modify-write of one lane, as pure functions.
 *
 * Source: docs/spec/atomics.md, "Integers"; docs/spec/atomics.md, "Floats"; docs/spec/atomics.md, "NaN". */
#ifndef WARPLOCK_ALU_H
#define WARPLOCK_ALU_H

#include <stdbool.h>
#include <stddef.h>

#include "warplock/isa.h"

/* New value of a word: op(old, b); MIN and MAX signed when `sgn`. */
uint32_t wl_atomic_alu32(enum wl_atom_op op, bool sgn, uint32_t old, uint32_t b);
/* The same on 64 bits, where INC and DEC do not exist. */
uint64_t wl_atomic_alu64(enum wl_atom_op op, bool sgn, uint64_t old, uint64_t b);
/* `size` bytes (4 or 8) of numbers of a float format, each number by itself. ADD rounds to nearest even; MIN and MAX
 * exist for the formats of 16 bits. NaN results are canonical. */
uint64_t wl_atomic_float(enum wl_atom_type type, enum wl_atom_op op, unsigned size, uint64_t old, uint64_t b);
/* Compare-and-swap of any width up to 64 bits. */
static inline uint64_t wl_atomic_cas(uint64_t old, uint64_t b, uint64_t c)
{
	return old == b ? c : old;
}

/* Bytes of the longest text of wl_atomic_numbers, with the terminating zero: eight numbers of 16 bits. */
enum { WL_NUMBERS_TEXT = 160 };
/* Bytes of an atomic operation on floats as numbers: "2.5"; several in braces, lowest address first: "{1, 2.5}". False:
 * no text, the instruction is no atomic operation on floats. */
bool wl_atomic_numbers(const struct wl_inst *in, const uint32_t *words, unsigned bytes, char *buf, size_t n);

#endif
