// SPDX-License-Identifier: Apache-2.0
/* atomic_alu.c -- one lane's read-modify-write. */
#include "atomic_alu_inline.h"
#include "half.h"

uint32_t wl_atomic_alu32(enum wl_atom_op op, bool sgn, uint32_t old, uint32_t b)
{
	return atomic_alu32(op, sgn, old, b);
}

uint64_t wl_atomic_alu64(enum wl_atom_op op, bool sgn, uint64_t old, uint64_t b)
{
	const bool less = sgn ? (int64_t)b < (int64_t)old : b < old;
	switch (op) {
	case WL_ATOM_ADD:
		return old + b;
	case WL_ATOM_MIN:
		return less ? b : old;
	case WL_ATOM_MAX:
		return less ? old : b;
	case WL_ATOM_AND:
		return old & b;
	case WL_ATOM_OR:
		return old | b;
	case WL_ATOM_XOR:
		return old ^ b;
	case WL_ATOM_EXCH:
		return b;
	case WL_ATOM_INC:
	case WL_ATOM_DEC:
		break;
	}
	assert(!"an atomic operation of the table that exists on 64 bits");
	return old;
}

static uint32_t without_subnormal(uint32_t f)
{
	return f & 0x7f800000u ? f : f & 0x80000000u;
}

static uint32_t add_float32(uint32_t a, uint32_t b)
{
	const float sum = float_of(a) + float_of(b);
	return sum == sum ? bits_of_float(sum) : 0x7fffffffu;
}

static uint64_t add_float64(uint64_t a, uint64_t b)
{
	const double sum = double_of(a) + double_of(b);
	return sum == sum ? bits_of_double(sum) : UINT64_C(0x7ff8000000000000);
}

uint64_t wl_atomic_float_add(enum wl_atom_type type, uint64_t old, uint64_t b)
{
	const uint32_t x = (uint32_t)old, y = (uint32_t)b;
	switch (type) {
	case WL_AT_F64:
		return add_float64(old, b);
	case WL_AT_F16X2:
		return half2_add(x, y);
	case WL_AT_F32:
		return add_float32(x, y);
	case WL_AT_F32_FTZ:
		return without_subnormal(add_float32(without_subnormal(x), without_subnormal(y)));
	case WL_AT_INT:
	case WL_AT_BF16X2:
		break;
	}
	assert(!"a float type that is built");
	return old;
}
