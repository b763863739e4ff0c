// SPDX-License-Identifier: Apache-2.0
/* cunits_values.c -- edge operands and expected results of atomics.
 *
 * Integers in 128 bits. Sums of float32 and float64 in __float128, with more than twice the bits: rounding twice is
 * rounding once (Figueroa). 16-bit sums exactly, with a search for the nearest number. */
#include <string.h>

#include "cunits_values.h"

__extension__ typedef __float128 quad;
__extension__ typedef __int128 s128;

static const uint64_t edges_int[] = {0,          1,          2,          3,          0x7ffffffe, 0x7fffffff,
                                     0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0x55555555, 0xaaaaaaaa};
static const uint64_t edges_int64[] = {0,
                                       1,
                                       UINT64_MAX,
                                       UINT64_MAX - 1,
                                       INT64_MAX,
                                       UINT64_C(1) << 63,
                                       (UINT64_C(1) << 63) + 1,
                                       0xffffffff,
                                       UINT64_C(1) << 32,
                                       0x7fffffff,
                                       0x80000000,
                                       UINT64_C(0x5555555555555555)};
static const uint64_t edges_f32[] = {0,          0x80000000, 1,          0x80000001, 0x007fffff, 0x807fffff,
                                     0x00800000, 0x80800000, 0x00800001, 0x3f800000, 0xbf800000, 0x3f800001,
                                     0x33800000, 0xb3800000, 0x34000000, 0x4b800000, 0x4b800001, 0x7f7fffff,
                                     0x73000000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0xffc12345};
static const uint64_t edges_f64[] = {0,
                                     UINT64_C(0x8000000000000000),
                                     1,
                                     UINT64_C(0x8000000000000001),
                                     UINT64_C(0x000fffffffffffff),
                                     UINT64_C(0x0010000000000000),
                                     UINT64_C(0x8010000000000000),
                                     UINT64_C(0x3ff0000000000000),
                                     UINT64_C(0xbff0000000000000),
                                     UINT64_C(0x3ff0000000000001),
                                     UINT64_C(0x3ca0000000000000),
                                     UINT64_C(0xbca0000000000000),
                                     UINT64_C(0x3cb0000000000000),
                                     UINT64_C(0x7fefffffffffffff),
                                     UINT64_C(0x7c90000000000000),
                                     UINT64_C(0x7ff0000000000000),
                                     UINT64_C(0xfff0000000000000),
                                     UINT64_C(0x7ff8000000000000),
                                     UINT64_C(0x7ff0000000000001),
                                     UINT64_C(0xfff8123456789abc)};
static const uint64_t edges_f16[] = {0,      0x8000, 1,      0x8001, 0x03ff, 0x83ff, 0x0400, 0x8400,
                                     0x0401, 0x3c00, 0xbc00, 0x3c01, 0x1000, 0x9000, 0x1400, 0x6800,
                                     0x6801, 0x7bff, 0x4c00, 0x7c00, 0xfc00, 0x7e00, 0x7c01, 0xfe12};
static const uint64_t edges_bf16[] = {0,      0x8000, 1,      0x8001, 0x007f, 0x807f, 0x0080, 0x8080,
                                      0x0081, 0x3f80, 0xbf80, 0x3f81, 0x3b80, 0xbb80, 0x3c00, 0x4380,
                                      0x4381, 0x7f7f, 0x7b00, 0x7f80, 0xff80, 0x7fc0, 0x7f81, 0xffc5};

struct edges edges_of(enum wl_atom_type type, unsigned size)
{
#define EDGES(a, bytes) ((struct edges){a, sizeof a / sizeof a[0], bytes})
	switch (type) {
	case WL_AT_F32:
	case WL_AT_F32_FTZ:
		return EDGES(edges_f32, 4);
	case WL_AT_F64:
		return EDGES(edges_f64, 8);
	case WL_AT_F16X2:
		return EDGES(edges_f16, 2);
	case WL_AT_BF16X2:
		return EDGES(edges_bf16, 2);
	case WL_AT_INT:
		break;
	}
	return size == 4 ? EDGES(edges_int, 4) : EDGES(edges_int64, 8);
#undef EDGES
}

/* ---- expected results ---- */

static float f32(uint64_t bits)
{
	const uint32_t b = (uint32_t)bits;
	float f;
	memcpy(&f, &b, 4);
	return f;
}
static double f64(uint64_t bits)
{
	double d;
	memcpy(&d, &bits, 8);
	return d;
}

static uint64_t flushed(uint64_t v)
{
	return v >> 23 & 255 ? v : v & 0x80000000;
}

static uint64_t sum32(uint64_t a, uint64_t b)
{
	const quad s = (quad)f32(a) + (quad)f32(b);
	const float f = (float)s;
	uint32_t bits;
	memcpy(&bits, &f, 4);
	return s != s ? 0x7fffffff : bits;
}

static uint64_t sum64(uint64_t a, uint64_t b)
{
	const quad s = (quad)f64(a) + (quad)f64(b);
	const double d = (double)s;
	uint64_t bits;
	memcpy(&bits, &d, 8);
	if (f64(b) != f64(b)) /* as measured on H200: of two NaNs, the operand */
		return b;
	if (f64(a) != f64(a))
		return a;
	return s != s ? UINT64_C(0xfff8000000000000) : bits;
}

/* A 16-bit number with `frac` bits of fraction, exact. The highest exponent stands for the next number above the
 * largest. */
static quad value16(uint64_t h, unsigned frac)
{
	const int exp = (int)(h & 0x7fff) >> frac, bias = (1 << (14 - frac)) - 1;
	const int m = (int)(h & ((1u << frac) - 1)) | (exp ? 1 << frac : 0);
	quad v = m;
	for (int e = (exp ? exp : 1) - bias - (int)frac; e; e += e > 0 ? -1 : 1)
		v = e > 0 ? v * 2 : v / 2;
	return h & 0x8000 ? -v : v;
}

static bool is_nan16(uint64_t h, unsigned frac)
{
	return (h & 0x7fff) > (UINT64_C(0x7fff) >> frac << frac);
}

/* The nearest number of the format; of two, the even number. Infinity from the middle between the largest number and
 * the next on. The numbers grow with their bits. */
static uint64_t nearest16(quad v, unsigned frac)
{
	const quad a = v < 0 ? -v : v;
	uint64_t low = 0, high = UINT64_C(0x7fff) >> frac << frac;
	if (value16(high, frac) <= a)
		return (v < 0 ? 0x8000 : 0) | high;
	while (high - low > 1) {
		const uint64_t middle = (low + high) / 2;
		*(value16(middle, frac) <= a ? &low : &high) = middle;
	}
	const quad below = a - value16(low, frac), above = value16(high, frac) - a;
	const bool up = above < below || (above == below && low & 1);
	return (v < 0 ? 0x8000 : 0) | (up ? high : low);
}

static uint64_t sum16(uint64_t a, uint64_t b, unsigned frac)
{
	const uint64_t infinity = UINT64_C(0x7fff) >> frac << frac, ma = a & 0x7fff, mb = b & 0x7fff;
	if (is_nan16(a, frac) || is_nan16(b, frac) || (ma == infinity && mb == infinity && a != b))
		return 0x7fff;
	if (ma == infinity || mb == infinity)
		return ma == infinity ? a : b;
	if (ma == 0 && mb == 0)
		return a & b;
	const quad s = value16(a, frac) + value16(b, frac);
	return s == 0 ? 0 : nearest16(s, frac);
}

/* A number wins over NaN, two NaNs give the canonical NaN, -0 < +0. Source: docs/spec/atomics.md, "Floats". */
static uint64_t pick16(bool max, uint64_t a, uint64_t b, unsigned frac)
{
	if (is_nan16(a, frac) || is_nan16(b, frac))
		return !is_nan16(a, frac) ? a : !is_nan16(b, frac) ? b : 0x7fff;
	const quad va = value16(a, frac), vb = value16(b, frac);
	const bool a_less = va < vb || (va == vb && a & 0x8000);
	return a_less != max ? a : b;
}

uint64_t expected_number(enum wl_atom_type type, enum wl_atom_op op, uint64_t a, uint64_t b)
{
	switch (type) {
	case WL_AT_F32:
		return sum32(a, b);
	case WL_AT_F32_FTZ:
		return flushed(sum32(flushed(a), flushed(b)));
	case WL_AT_F64:
		return sum64(a, b);
	case WL_AT_F16X2:
	case WL_AT_BF16X2: {
		const unsigned frac = type == WL_AT_F16X2 ? 10 : 7;
		return op == WL_ATOM_ADD ? sum16(a, b, frac) : pick16(op == WL_ATOM_MAX, a, b, frac);
	}
	case WL_AT_INT:
		break;
	}
	return 0;
}

u128 expected_integer(enum wl_atom_op op, bool sgn, unsigned size, u128 old, u128 b)
{
	const unsigned spare = 128 - 8 * size;
	const s128 so = (s128)(old << spare) >> spare, sb = (s128)(b << spare) >> spare;
	const u128 most = ~(u128)0 >> spare;
	switch (op) {
	case WL_ATOM_ADD:
		return (old + b) & most;
	case WL_ATOM_MIN:
		return (sgn ? so < sb : old < b) ? old : b;
	case WL_ATOM_MAX:
		return (sgn ? so > sb : old > b) ? old : b;
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
		break;
	}
	return b;
}
