// SPDX-License-Identifier: Apache-2.0
/* atomic_text.c -- values of atomic operations on floats as numbers, for reports. */
#include <stdio.h>

#include "../alu/half.h"
#include "warplock/alu.h"

static unsigned bytes_of(enum wl_atom_type type)
{
	return type == WL_AT_F64 ? 8 : type == WL_AT_F16X2 || type == WL_AT_BF16X2 ? 2 : 4;
}

static double number_at(enum wl_atom_type type, const uint32_t *words, unsigned i)
{
	const uint32_t half = words[i / 2] >> i % 2 * 16 & 0xffff;
	switch (type) {
	case WL_AT_F16X2:
		return half_to_double(half);
	case WL_AT_BF16X2:
		return bf16_to_double(half);
	case WL_AT_F64:
		return double_of(words[2 * i] | (uint64_t)words[2 * i + 1] << 32);
	default:
		return float_of(words[i]);
	}
}

bool wl_atomic_numbers(const struct wl_inst *in, const uint32_t *words, unsigned bytes, char *buf, size_t n)
{
	const enum wl_atom_type type = (enum wl_atom_type)in->type;
	const enum wl_unit unit = wl_uop_unit((enum wl_uop)in->uop);
	if ((unit != WL_UNIT_atom_unit && unit != WL_UNIT_atoms_pipe) || type == WL_AT_INT || bytes < bytes_of(type))
		return false;
	const unsigned count = bytes / bytes_of(type);
	size_t at = (size_t)snprintf(buf, n, "%s", count > 1 ? "{" : "");
	for (unsigned i = 0; i < count && at < n; i++)
		at += (size_t)snprintf(buf + at, n - at, "%s%.*g", i ? ", " : "", type == WL_AT_F64 ? 17 : 9,
		                       number_at(type, words, i));
	if (count > 1 && at < n)
		snprintf(buf + at, n - at, "}");
	return true;
}
