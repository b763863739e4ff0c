// SPDX-License-Identifier: Apache-2.0
/* atomic_alu.c -- the read-modify-write of a lane. Source: docs/spec/atomics.md, "Integers";
 * docs/spec/atomics.md, "Floats". */
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

/* A NaN of the operand, else of the word, passes with all bits. */
static uint64_t add_float64(uint64_t old, uint64_t b)
{
	const double x = double_of(old), y = double_of(b), sum = x + y;
	if (y != y)
		return b;
	if (x != x)
		return old;
	return sum == sum ? bits_of_double(sum) : UINT64_C(0xfff8000000000000);
}

/* MIN and MAX of two numbers of 16 bits, like NVIDIA's min and max without .NaN: a number wins over NaN, two NaNs give
 * the canonical NaN, -0 is below +0. Nothing is rounded or flushed. `infinity`: patterns above `infinity` are NaNs. */
static uint32_t pick16(enum wl_atom_op op, uint32_t infinity, uint32_t a, uint32_t b)
{
	const bool a_nan = (a & 0x7fff) > infinity, b_nan = (b & 0x7fff) > infinity;
	if (a_nan || b_nan)
		return a_nan && b_nan ? HALF_NAN : a_nan ? b : a;
	/* sign and magnitude as a single number, rising with the value */
	const uint32_t ka = a & 0x8000 ? 0x7fff - (a & 0x7fff) : 0x8000 + a;
	const uint32_t kb = b & 0x8000 ? 0x7fff - (b & 0x7fff) : 0x8000 + b;
	return (op == WL_ATOM_MIN ? kb < ka : kb > ka) ? b : a;
}

/* The sum of two float16 is exact in a double. So is the sum of two bfloat16, unless the exponents lie more than 44
 * apart. Then the sum is so near to the larger operand that every rounding gives the larger operand, a bfloat16. Either
 * way one rounding of the host's sum is the rounding of the sum. */
static uint32_t half16(enum wl_atom_op op, bool bf16, uint32_t a, uint32_t b)
{
	if (op != WL_ATOM_ADD)
		return pick16(op, bf16 ? 0x7f80 : 0x7c00, a, b);
	return bf16 ? double_to_bf16(bf16_to_double(a) + bf16_to_double(b)) : half_add(a, b);
}

static uint32_t half32(enum wl_atom_op op, bool bf16, uint32_t a, uint32_t b)
{
	return half16(op, bf16, a & 0xffff, b & 0xffff) | half16(op, bf16, a >> 16, b >> 16) << 16;
}

/* float32 and float64 sums are the host's: IEEE, to nearest even, no wider than the format (FLT_EVAL_METHOD 0). */
static uint32_t float32(enum wl_atom_type type, enum wl_atom_op op, uint32_t x, uint32_t y)
{
	switch (type) {
	case WL_AT_F32:
		return add_float32(x, y);
	case WL_AT_F32_FTZ:
		return without_subnormal(add_float32(without_subnormal(x), without_subnormal(y)));
	case WL_AT_F16X2:
	case WL_AT_BF16X2:
		return half32(op, type == WL_AT_BF16X2, x, y);
	case WL_AT_INT:
	case WL_AT_F64:
		break;
	}
	assert(!"a float type of at most 32 bits");
	return x;
}

uint64_t wl_atomic_float(enum wl_atom_type type, enum wl_atom_op op, unsigned size, uint64_t old, uint64_t b)
{
	if (type == WL_AT_F64)
		return add_float64(old, b);
	uint64_t now = float32(type, op, (uint32_t)old, (uint32_t)b);
	if (size == 8)
		now |= (uint64_t)float32(type, op, (uint32_t)(old >> 32), (uint32_t)(b >> 32)) << 32;
	return now;
}
