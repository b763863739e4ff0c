// SPDX-License-Identifier: Apache-2.0
/* uop_float2_test.c -- floats new in sm_100: two float32 in a pair of registers, powers of two in 8 bits (E8M0),
 * rounding by random bits. Expected values: the host's arithmetic and the defining texts (PTX ISA, "cvt"; the OCP's
 * "Microscaling Formats" for E8M0). */
#include <fenv.h>
#include <math.h>

#include "../common/float_bits.h"
#include "uop_case.h"

static uint64_t two(uint32_t low, uint32_t high)
{
	return (uint64_t)high << 32 | low;
}

#define LO(v)   ((uint32_t)(v))
#define HI(v)   ((uint32_t)((v) >> 32))
#define SIGN    0x80000000u
#define NEAREST FE_TONEAREST

static void pairs_of_floats(void **state)
{
	(void)state;
	R64("FADD2 R8, R2.F32x2.HI_LO, R4.F32x2.HI_LO",
	    two(arithmetic32('+', NEAREST, LO(A), LO(B), 0), arithmetic32('+', NEAREST, HI(A), HI(B), 0)));
	R64("FADD2.RM R8, R2.F32x2.LO_HI, R4.F32",
	    two(arithmetic32('+', FE_DOWNWARD, HI(A), LO(B), 0), arithmetic32('+', FE_DOWNWARD, LO(A), LO(B), 0)));
	R64("FADD2.RP R8, -R2.F32, |R4|.F32x2.LO_HI",
	    two(arithmetic32('+', FE_UPWARD, LO(A) ^ SIGN, HI(B) & ~SIGN, 0),
	        arithmetic32('+', FE_UPWARD, LO(A) ^ SIGN, LO(B) & ~SIGN, 0)));
	R64("FADD2.FTZ.RZ R8, R2.F32x2.HI_LO, 3",
	    two(flushed32(arithmetic32('+', FE_TOWARDZERO, flushed32(LO(A)), result32(3), 0)),
	        flushed32(arithmetic32('+', FE_TOWARDZERO, flushed32(HI(A)), result32(3), 0))));
	R64("FADD2 R8, R2.F32x2.HI_LO, -UR4.F32",
	    two(arithmetic32('+', NEAREST, LO(A), u ^ SIGN, 0), arithmetic32('+', NEAREST, HI(A), u ^ SIGN, 0)));
	R64("FMUL2 R8, R2.F32x2.HI_LO, -R4.F32x2.LO_HI", two(arithmetic32('*', NEAREST, LO(A), HI(B) ^ SIGN, 0),
	                                                     arithmetic32('*', NEAREST, HI(A), LO(B) ^ SIGN, 0)));
	R64("FMUL2.RZ R8, R2.F32, UR4.F32x2.HI_LO",
	    two(arithmetic32('*', FE_TOWARDZERO, LO(A), LO(U), 0), arithmetic32('*', FE_TOWARDZERO, LO(A), HI(U), 0)));
	R64("FMUL2.FTZ R8, |R2|.F32x2.HI_LO, 0.5",
	    two(flushed32(arithmetic32('*', NEAREST, flushed32(LO(A) & ~SIGN), result32(0.5f), 0)),
	        flushed32(arithmetic32('*', NEAREST, flushed32(HI(A) & ~SIGN), result32(0.5f), 0))));
	R64("FMUL2.FMZ R8, R2.F32x2.HI_LO, RZ.F32", 0);
	R64("FFMA2 R8, R2.F32x2.HI_LO, R4.F32x2.HI_LO, R6.F32x2.HI_LO",
	    two(arithmetic32('f', NEAREST, LO(A), LO(B), LO(C)), arithmetic32('f', NEAREST, HI(A), HI(B), HI(C))));
	R64("FFMA2.RP R8, R2.F32x2.LO_HI, R4.F32, -R6.F32x2.LO_HI",
	    two(arithmetic32('f', FE_UPWARD, HI(A), LO(B), HI(C) ^ SIGN),
	        arithmetic32('f', FE_UPWARD, LO(A), LO(B), LO(C) ^ SIGN)));
	R64("FFMA2.RM R8, R2.F32, |R4|.F32x2.HI_LO, R6.F32",
	    two(arithmetic32('f', FE_DOWNWARD, LO(A), LO(B) & ~SIGN, LO(C)),
	        arithmetic32('f', FE_DOWNWARD, LO(A), HI(B) & ~SIGN, LO(C))));
	R64("FFMA2 R8, R2.F32x2.HI_LO, R4.F32x2.HI_LO, 1", two(arithmetic32('f', NEAREST, LO(A), LO(B), result32(1)),
	                                                       arithmetic32('f', NEAREST, HI(A), HI(B), result32(1))));
	R64("FFMA2 R8, R2.F32x2.HI_LO, -2, R6.F32x2.LO_HI",
	    two(arithmetic32('f', NEAREST, LO(A), result32(-2), HI(C)),
	        arithmetic32('f', NEAREST, HI(A), result32(-2), LO(C))));
	/* signs and magnitudes of each source, and every rounding */
	R64("FADD2 R8, |R2|.F32x2.HI_LO, R4.F32x2.HI_LO", two(arithmetic32('+', NEAREST, LO(A) & ~SIGN, LO(B), 0),
	                                                      arithmetic32('+', NEAREST, HI(A) & ~SIGN, HI(B), 0)));
	R64("FMUL2.RM R8, -R2.F32x2.LO_HI, R4.F32x2.HI_LO",
	    two(arithmetic32('*', FE_DOWNWARD, HI(A) ^ SIGN, LO(B), 0),
	        arithmetic32('*', FE_DOWNWARD, LO(A) ^ SIGN, HI(B), 0)));
	R64("FMUL2.RP R8, R2.F32x2.HI_LO, |R4|.F32x2.HI_LO",
	    two(arithmetic32('*', FE_UPWARD, LO(A), LO(B) & ~SIGN, 0),
	        arithmetic32('*', FE_UPWARD, HI(A), HI(B) & ~SIGN, 0)));
	R64("FFMA2 R8, -R2.F32x2.HI_LO, R4.F32x2.HI_LO, R6.F32x2.HI_LO",
	    two(arithmetic32('f', NEAREST, LO(A) ^ SIGN, LO(B), LO(C)),
	        arithmetic32('f', NEAREST, HI(A) ^ SIGN, HI(B), HI(C))));
	R64("FFMA2 R8, |R2|.F32x2.HI_LO, -R4.F32x2.HI_LO, R6.F32x2.HI_LO",
	    two(arithmetic32('f', NEAREST, LO(A) & ~SIGN, LO(B) ^ SIGN, LO(C)),
	        arithmetic32('f', NEAREST, HI(A) & ~SIGN, HI(B) ^ SIGN, HI(C))));
	R64("FFMA2 R8, R2.F32x2.HI_LO, R4.F32x2.HI_LO, |R6|.F32x2.HI_LO",
	    two(arithmetic32('f', NEAREST, LO(A), LO(B), LO(C) & ~SIGN),
	        arithmetic32('f', NEAREST, HI(A), HI(B), HI(C) & ~SIGN)));
	R64("FFMA2.FTZ R8, R2.F32x2.HI_LO, 1, R6.F32x2.HI_LO",
	    two(flushed32(arithmetic32('+', NEAREST, flushed32(LO(A)), flushed32(LO(C)), 0)),
	        flushed32(arithmetic32('+', NEAREST, flushed32(HI(A)), flushed32(HI(C)), 0))));
	/* a product with zero is +0, for any other factor */
	R64("FFMA2.FMZ R8, R2.F32x2.HI_LO, RZ.F32, R6.F32x2.HI_LO",
	    two(arithmetic32('+', NEAREST, 0, flushed32(LO(C)), 0),
	        arithmetic32('+', NEAREST, 0, flushed32(HI(C)), 0)));
	R64("FFMA2 R8, R2.F32x2.HI_LO, UR4.F32, R6.F32x2.HI_LO",
	    two(arithmetic32('f', NEAREST, LO(A), u, LO(C)), arithmetic32('f', NEAREST, HI(A), u, HI(C))));
	R64("FFMA2.RZ R8, R2.F32x2.HI_LO, R4.F32x2.LO_HI, |UR4.F32x2.HI_LO|",
	    two(arithmetic32('f', FE_TOWARDZERO, LO(A), HI(B), LO(U) & ~SIGN),
	        arithmetic32('f', FE_TOWARDZERO, HI(A), LO(B), HI(U) & ~SIGN)));
}

/* The code of the power of two at or below the magnitude, or at or above it. */
static uint32_t code_of(uint32_t v, bool up, bool finite)
{
	double magnitude = fabs((double)f32(v)), top = ldexp(1, 127);
	int e;
	if (magnitude != magnitude)
		return 0xff;
	if (magnitude > top ? up || isinf(magnitude) : false) /* above the greatest power */
		return isinf(magnitude) || up ? (finite ? 0xfe : 0xff) : 0xfe;
	for (e = 0; e < 254 && ldexp(1, e - 126) <= magnitude; e++)
		;
	return (uint32_t)(up && ldexp(1, e - 127) < magnitude ? e + 1 : e);
}

static uint32_t power(uint32_t code)
{
	return code == 0xff ? 0x7fff : result32(ldexpf(1, (int)code - 127)) >> 16;
}

static void powers_of_two(void **state)
{
	(void)state;
	R32("F2FP.E8.F32.PACK_AB_MERGE_C.RZ R8, R2, R4, RZ", code_of(b, false, false) | code_of(a, false, false) << 8);
	R32("F2FP.E8.F32.PACK_AB_MERGE_C.RP R8, R2, R4, RZ", code_of(b, true, false) | code_of(a, true, false) << 8);
	R32("F2FP.SATFINITE.E8.F32.PACK_AB_MERGE_C.RP R8, R2, 3, RZ", 0x81 | code_of(a, true, true) << 8);
	R32("F2FP.SATFINITE.E8.F32.PACK_AB_MERGE_C.RZ R8, R2, UR4, RZ",
	    code_of(u, false, true) | code_of(a, false, true) << 8);
	R32("F2FP.SATFINITE.E8.BF16.UNPACK_B_MERGE_C.RP R8, R4, RZ",
	    code_of(b << 16, true, true) | code_of(b & 0xffff0000, true, true) << 8);
	R32("F2FP.E8.BF16.UNPACK_B_MERGE_C.RZ R8, R4, RZ",
	    code_of(b << 16, false, false) | code_of(b & 0xffff0000, false, false) << 8);
	R32("F2FP.SATFINITE.E8.F32.PACK_AB_MERGE_C.RP R8, R2, R4, R6",
	    code_of(b, true, true) | code_of(a, true, true) << 8 | c << 16);
	R32("F2FP.E8.BF16.UNPACK_B_MERGE_C.RZ R8, R4, R6",
	    code_of(b << 16, false, false) | code_of(b & 0xffff0000, false, false) << 8 | c << 16);
	R32("F2FP.BF16.E8.UNPACK_B R8, R4", power(b & 0xff) | power(b >> 8 & 0xff) << 16);
}

/* A float of a few bits: sign, exponent, mantissa; no infinity, no NaN. */
static double small(uint32_t code, unsigned exponents, unsigned mantissas)
{
	int bias = (1 << (exponents - 1)) - 1;
	int e = (int)(code >> mantissas & ((1u << exponents) - 1));
	uint32_t m = code & ((1u << mantissas) - 1);
	double v = e ? ldexp(1 + ldexp(m, -(int)mantissas), e - bias) : ldexp(m, 1 - bias - (int)mantissas);
	return code >> (exponents + mantissas) & 1 ? -v : v;
}

/* The nearest number, on a tie the even number; the greatest number for greater values and for NaN. */
static uint32_t nearest(uint32_t v, unsigned exponents, unsigned mantissas, bool relu)
{
	double x = (double)f32(v), most;
	uint32_t best = 0, last = (1u << (exponents + mantissas)) - 1;
	if (x != x)
		return last;
	if (relu && signbit(x))
		return 0;
	most = small(last, exponents, mantissas);
	x = fabs(x) > most ? most : fabs(x);
	for (uint32_t c = 1; c <= last; c++) {
		double d = fabs(x - small(c, exponents, mantissas)), was = fabs(x - small(best, exponents, mantissas));
		if (d < was || (d == was && c % 2 == 0))
			best = c;
	}
	return best | v >> 31 << (exponents + mantissas);
}

static uint32_t half_of(uint32_t code, unsigned exponents, unsigned mantissas, bool relu)
{
	double v = small(code, exponents, mantissas);
	uint32_t half = 0;
	if (relu && signbit(v))
		return 0;
	while (half < 0x7c00 && small(half, 5, 10) != fabs(v))
		half++;
	return half | (signbit(v) ? 0x8000u : 0);
}

static void small_floats(void **state)
{
	(void)state;
	R32("F2FP.SATFINITE.E2M3.F32.PACK_AB_MERGE_C R8, R2, R4, RZ", nearest(b, 2, 3, false) | nearest(a, 2, 3, false)
	                                                                                                << 8);
	R32("F2FP.SATFINITE.RELU.E3M2.F32.PACK_AB_MERGE_C R8, R2, -1.25, RZ", nearest(a, 3, 2, true) << 8);
	R32("F2FP.SATFINITE.E3M2.F32.PACK_AB_MERGE_C R8, R2, -1.625, RZ",
	    nearest(result32(-1.625f), 3, 2, false) | nearest(a, 3, 2, false) << 8);
	R32("F2FP.SATFINITE.E2M3.F32.PACK_AB_MERGE_C R8, R2, 1.4375, RZ",
	    nearest(result32(1.4375f), 2, 3, false) | nearest(a, 2, 3, false) << 8);
	R32("F2FP.SATFINITE.E2M1.F32.PACK_AB_MERGE_C R8, R2, UR4, RZ", nearest(u, 2, 1, false) | nearest(a, 2, 1, false)
	                                                                                                 << 4);
	R32("F2FP.SATFINITE.E2M1.F32.PACK_AB_MERGE_C R8, R2, 2.5, RZ", 4 | nearest(a, 2, 1, false) << 4);
	R32("F2FP.SATFINITE.E3M2.F32.PACK_AB_MERGE_C R8, R2, R4, R6",
	    nearest(b, 3, 2, false) | nearest(a, 3, 2, false) << 8 | c << 16);
	R32("F2FP.SATFINITE.E2M1.F32.PACK_AB_MERGE_C R8, R2, R4, R6",
	    nearest(b, 2, 1, false) | nearest(a, 2, 1, false) << 4 | c << 8);
	R32("F2FP.F16.E2M3.UNPACK_B R8, R4", half_of(b & 0x3f, 2, 3, false) | half_of(b >> 8 & 0x3f, 2, 3, false)
	                                                                              << 16);
	R32("F2FP.RELU.F16.E3M2.UNPACK_B R8, R4", half_of(b & 0x3f, 3, 2, true) | half_of(b >> 8 & 0x3f, 3, 2, true)
	                                                                                  << 16);
	R32("F2FP.F16.E2M1.UNPACK_B R8, R4", half_of(b & 0xf, 2, 1, false) | half_of(b >> 4 & 0xf, 2, 1, false) << 16);
}

/* The float below (towards 0), in steps of the format; `most`: the format's greatest float. Then up with the carry of
 * the random bits. */
static uint32_t by_chance(uint32_t v, bool half, uint32_t random, bool finite, bool relu)
{
	unsigned n = half ? 13 : 16;
	double x = fabs((double)f32(v)), step, low, most = half ? 65504 : ldexp(255, 120);
	uint32_t sign = v >> 31 << 15, inf = half ? 0x7c00 : 0x7f80, code;
	int e;
	if (x != x)
		return 0x7fff;
	if (relu && sign)
		return 0;
	if (isinf(x) || x >= most + ldexp(1, half ? 5 : 120))
		return sign | (finite ? inf - 1 : inf);
	frexp(x, &e);
	e = x == 0 || e - 1 < (half ? -14 : -126) ? (half ? -14 : -126) : e - 1;
	step = ldexp(1, e - (half ? 10 : 7));
	low = floor(x / step);
	code = (uint32_t)(low - ldexp(1, half ? 10 : 7)) + ((uint32_t)(e + (half ? 15 : 127)) << (half ? 10 : 7));
	if (floor((x / step - low) * ldexp(1, (int)n)) + (random & ((1u << n) - 1)) >= ldexp(1, (int)n))
		code++;
	return sign | (code == inf && finite ? inf - 1 : code);
}

static void random_rounding(void **state)
{
	(void)state;
	R32("F2FP.F16.F32.PACK_AB.RS R8, R2, R4, R6",
	    by_chance(b, true, c, false, false) | by_chance(a, true, c >> 16, false, false) << 16);
	R32("F2FP.SATFINITE.RELU.F16.F32.PACK_AB.RS R8, R2, 1.0009765625, R6",
	    by_chance(0x3f802000, true, c, true, true) | by_chance(a, true, c >> 16, true, true) << 16);
	R32("F2FP.F16.F32.PACK_AB.RS R8, R2, 65530, R6",
	    by_chance(result32(65530), true, c, false, false) | by_chance(a, true, c >> 16, false, false) << 16);
	R32("F2FP.SATFINITE.F16.F32.PACK_AB.RS R8, R2, -65530, R6",
	    by_chance(result32(-65530), true, c, true, false) | by_chance(a, true, c >> 16, true, false) << 16);
	R32("F2FP.F16.F32.PACK_AB.RS R8, R2, 70000, R6",
	    by_chance(result32(70000), true, c, false, false) | by_chance(a, true, c >> 16, false, false) << 16);
	R32("F2FP.BF16.F32.PACK_AB.RS R8, R2, R4, R6",
	    by_chance(b, false, c, false, false) | by_chance(a, false, c >> 16, false, false) << 16);
	R32("F2FP.SATFINITE.RELU.BF16.F32.PACK_AB.RS R8, R2, UR4, R6",
	    by_chance(u, false, c, true, true) | by_chance(a, false, c >> 16, true, true) << 16);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(pairs_of_floats),
	        cmocka_unit_test(powers_of_two),
	        cmocka_unit_test(small_floats),
	        cmocka_unit_test(random_rounding),
	};
	uop_on(WL_SM100);
	return cmocka_run_group_tests(tests, NULL, NULL) | kernel_covers("uop_float2_test");
}
