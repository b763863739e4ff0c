// SPDX-License-Identifier: Apache-2.0
/* uop_twin_test.c -- floats, conversions and packed integers on the uniform datapath of sm_120, and packed and
 * saturating sums of vector registers, against arithmetic of the host. Each modifier value has its own case. */
#include <fenv.h>
#include <math.h>

#include "../common/float_bits.h"
#include "nearest.h"
#include "uop_case.h"

static const int modes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
enum { RN, RM, RP, RZ };

static uint32_t rounded(char op, int mode, uint32_t x, uint32_t y, uint32_t z)
{
	return arithmetic32(op, modes[mode], x, y, z);
}
#define ADD(x, y)    rounded('+', RN, x, y, 0)
#define MUL(x, y)    rounded('*', RN, x, y, 0)
#define FMA(x, y, z) rounded('f', RN, x, y, z)
#define NEG(v)       ((v) ^ 0x80000000u)
#define ABS(v)       ((v)&0x7fffffffu)

static uint32_t sat(uint32_t v)
{
	return f32(v) != f32(v) || f32(v) <= 0 ? 0 : f32(v) > 1 ? 0x3f800000 : v;
}

static void test_arithmetic(void **state)
{
	(void)state;
	uop_on(WL_SM120);
	U32("UFADD UR10, UR4, UR6", ADD(u, v));
	U32("UFADD.RM UR10, UR4, UR6", rounded('+', RM, u, v, 0));
	U32("UFADD.RP UR10, UR4, UR6", rounded('+', RP, u, v, 0));
	U32("UFADD.RZ UR10, UR4, UR6", rounded('+', RZ, u, v, 0));
	U32("UFADD.FTZ UR10, UR4, UR6", flushed32(ADD(flushed32(u), flushed32(v))));
	U32("UFADD.SAT UR10, UR4, UR6", sat(ADD(u, v)));
	U32("UFADD UR10, -UR4, |UR6|", ADD(NEG(u), ABS(v)));
	U32("UFADD UR10, |UR4|, -UR6", ADD(ABS(u), NEG(v)));
	U32("UFADD UR10, UR4, 1.5", ADD(u, 0x3fc00000));
	U32("UFMUL UR10, UR4, UR6", MUL(u, v));
	U32("UFMUL.RZ UR10, UR4, UR6", rounded('*', RZ, u, v, 0));
	U32("UFMUL.FTZ UR10, UR4, UR6", flushed32(MUL(flushed32(u), flushed32(v))));
	U32("UFMUL.SAT UR10, UR4, UR6", sat(MUL(u, v)));
	U32("UFMUL UR10, -UR4, |UR6|", MUL(NEG(u), ABS(v)));
	U32("UFMUL UR10, UR4, -2.5", MUL(u, 0xc0200000));
	U32("UFFMA UR10, UR4, UR6, UR8", FMA(u, v, w));
	U32("UFFMA.RM UR10, UR4, UR6, UR8", rounded('f', RM, u, v, w));
	U32("UFFMA UR10, UR4, -UR6, -UR8", FMA(u, NEG(v), NEG(w)));
	U32("UFFMA UR10, UR4, 3, UR8", FMA(u, 0x40400000, w));
	U32("UFFMA UR10, UR4, UR6, 3", FMA(u, v, 0x40400000));
	U32("UFSEL UR10, UR4, UR6, UP0", x ? u : v);
	U32("UFSEL UR10, -UR4, |UR6|, !UP0", x ? ABS(v) : NEG(u));
	U32("UFSEL UR10, UR4, 1, UP0", x ? u : 0x3f800000);
}

#define ORDERED   (f32(u) == f32(u) && f32(v) == f32(v))
#define UNORDERED (!ORDERED)

static void test_comparisons(void **state)
{
	(void)state;
	uop_on(WL_SM120);
	UPQ("UFSETP.LT.AND UP3, UP4, UR4, UR6, UPT", f32(u) < f32(v), !(f32(u) < f32(v)));
	UPQ("UFSETP.EQ.AND UP3, UP4, UR4, UR6, UP0", (f32(u) == f32(v)) && x, !(f32(u) == f32(v)) && x);
	UPQ("UFSETP.LE.OR UP3, UP4, UR4, UR6, !UP0", f32(u) <= f32(v) || !x, !(f32(u) <= f32(v)) || !x);
	UPQ("UFSETP.GT.XOR UP3, UP4, UR4, UR6, UP0", (f32(u) > f32(v)) != x, (!(f32(u) > f32(v))) != x);
	UPQ("UFSETP.NE.AND UP3, UP4, UR4, UR6, UPT", ORDERED && f32(u) != f32(v), !(ORDERED && f32(u) != f32(v)));
	UPQ("UFSETP.GE.AND UP3, UP4, UR4, UR6, UPT", f32(u) >= f32(v), !(f32(u) >= f32(v)));
	UPQ("UFSETP.NUM.AND UP3, UP4, UR4, UR6, UPT", ORDERED, UNORDERED);
	UPQ("UFSETP.NAN.AND UP3, UP4, UR4, UR6, UPT", UNORDERED, ORDERED);
	UPQ("UFSETP.LTU.AND UP3, UP4, UR4, UR6, UPT", !(f32(u) >= f32(v)), f32(u) >= f32(v));
	UPQ("UFSETP.EQU.AND UP3, UP4, UR4, UR6, UPT", UNORDERED || f32(u) == f32(v), ORDERED && f32(u) != f32(v));
	UPQ("UFSETP.GTU.AND UP3, UP4, |UR4|, +INF , UPT", f32(u) != f32(u), f32(u) == f32(u));
	UPQ("UFSETP.LT.FTZ.AND UP3, UP4, UR4, -UR6, UPT", f32(flushed32(u)) < f32(flushed32(NEG(v))),
	    !(f32(flushed32(u)) < f32(flushed32(NEG(v)))));
	U32("UFSET.BF.LT.AND UR10, UR4, UR6, UP0", f32(u) < f32(v) && x ? 0x3f800000 : 0);
	U32("UFMNMX UR10, UR4, UR6, UPT", u == v || f32(u) != f32(u) ? (f32(v) != f32(v) ? 0x7fffffff : v)
	                                  : f32(v) != f32(v)         ? u
	                                  : f32(u) == f32(v)         ? (u >> 31 ? u : v)
	                                  : f32(u) < f32(v)          ? u
	                                                             : v);
}

/* Integer of a float, by F2I's rules: saturated. NaN gives the highest bit alone, or with .NTZ 0. */
static uint32_t to_int(uint32_t bits, int mode, int64_t least, int64_t most, uint32_t nan)
{
	if (f32(bits) != f32(bits))
		return nan;
	fesetround(modes[mode]);
	volatile double d = nearbyint((double)f32(bits));
	fesetround(FE_TONEAREST);
	return (uint32_t)(d < (double)least ? least : d > (double)most ? most : (int64_t)d);
}

static uint32_t from_int(int64_t i, int mode)
{
	fesetround(modes[mode]);
	volatile float d = (float)i;
	fesetround(FE_TONEAREST);
	return result32(d);
}

static void test_conversions(void **state)
{
	(void)state;
	uop_on(WL_SM120);
	U32("UF2I.TRUNC.NTZ UR10, UR4", to_int(u, RZ, INT32_MIN, INT32_MAX, 0));
	U32("UF2I.FLOOR.NTZ UR10, UR4", to_int(u, RM, INT32_MIN, INT32_MAX, 0));
	U32("UF2I.CEIL.NTZ UR10, UR4", to_int(u, RP, INT32_MIN, INT32_MAX, 0));
	U32("UF2I.NTZ UR10, -UR4", to_int(NEG(u), RN, INT32_MIN, INT32_MAX, 0));
	U32("UF2I.TRUNC UR10, UR4", to_int(u, RZ, INT32_MIN, INT32_MAX, 0x80000000));
	U32("UF2I.U32.TRUNC.NTZ UR10, |UR4|", to_int(ABS(u), RZ, 0, UINT32_MAX, 0));
	U32("UF2I.FTZ.U32.CEIL.NTZ UR10, UR4", to_int(flushed32(u), RP, 0, UINT32_MAX, 0));
	U32("UI2F.U32.RP UR10, UR4", from_int(u, RP));
	U32("UI2F.RM UR10, UR4", from_int((int32_t)u, RM));
	U32("UI2F.RZ UR10, UR4", from_int((int32_t)u, RZ));
	U32("UI2F.U16 UR10, UR4", from_int(u & 0xffff, RN));
	U32("UI2F.S16 UR10, UR4.H1", from_int((int16_t)(u >> 16), RN));
	U32("UI2F.S8 UR10, UR4.B2", from_int((int8_t)(u >> 16), RN));
	U32("UI2F.U32 UR10, 0xfffffff1", from_int(0xfffffff1, RN));
	U32("UI2F UR10, -0x7", from_int(-7, RN));
	U32("UI2FP.F32.U32 UR10, UR4", from_int(u, RN));
	U32("UI2FP.F32.S32.RZ UR10, UR4", from_int((int32_t)u, RZ));
	U32("UFRND.FLOOR UR10, UR4", result32(floorf(f32(u))));
	U32("UFRND.CEIL UR10, -UR4", result32(ceilf(f32(NEG(u)))));
	U32("UFRND.TRUNC UR10, |UR4|", result32(truncf(f32(ABS(u)))));
	U32("UFRND UR10, UR4", result32(nearbyintf(f32(u))));
	U32("UFRND.CEIL UR10, 2.25", 0x40400000);
	U32("UFRND.TRUNC UR10, +INF", 0x7f800000);
	U32("UFRND.F16.CEIL UR10, 2.25", 0x4200);
	U32("UFRND.BF16.FLOOR UR10, 2.25", 0x4000);
	U32("UF2F.F16.F32 UR10, 2.25", 0x4080);
	U32("UF2I.F16.CEIL UR10, 2.25", 3);
	U32("UF2I.BF16.CEIL UR10, 2.25", 3);
	U32("UF2F.F32.BF16 UR10, UR4.H1", result32(f32(u & 0xffff0000)));
	U32("UI2I.U8.S32.SAT UR10, UR4", (int32_t)u < 0 ? 0 : u > 255 ? 255 : u);
	U32("UI2I.S16.S32.SAT UR10, UR4", (int32_t)u < -32768 ? -32768 : (int32_t)u > 32767 ? 32767 : (int32_t)u);
	U32("UI2IP.U16.S32.SAT UR10, UR4, UR6, URZ", ((int32_t)u < 0 ? 0
	                                              : u > 65535
	                                                      ? 65535
	                                                      : u) << 16 |
	                                                     ((int32_t)v < 0 ? 0
	                                                      : v > 65535    ? 65535
	                                                                     : v));
	U32("UF2IP.U8.F32.NTZ UR10, URZ, UR4, UR6", (v & 0xffff) << 16 | to_int(u, RN, 0, 255, 0));
	U32("UIABS UR10, UR4", (int32_t)u < 0 ? 0 - u : u);
}

/* A float32 in a small format, with .RELU and .SATFINITE: NaN is all ones without a sign. */
static uint32_t narrow(struct small f, uint32_t v, bool relu, bool finite, enum direction dir)
{
	unsigned width = (unsigned)(f.exp_bits + f.frac_bits), inf = ((1u << f.exp_bits) - 1) << f.frac_bits;
	unsigned most = f.no_inf ? (1u << width) - 2 : inf - 1, over = f.no_inf ? most + 1 : inf;
	bool neg = v >> 31;
	if (f32(v) != f32(v))
		return (1u << width) - 1;
	if (relu && neg)
		return 0;
	unsigned r = isinf(f32(v)) ? over : small_round(f, exact_of((real)f32(v)), neg, dir);
	return (finite && r > most ? most : r) | (uint32_t)neg << width;
}
#define PACKED(f, x, y, relu, finite, dir)                                                                             \
	(narrow(f, y, relu, finite, dir) | narrow(f, x, relu, finite, dir) << ((f).exp_bits + (f).frac_bits + 1))

static void test_packed_floats(void **state)
{
	(void)state;
	uop_on(WL_SM120);
	U32("UF2FP.F16.F32.PACK_AB UR10, UR4, UR6", PACKED(SMALL_F16, u, v, false, false, NEAREST));
	U32("UF2FP.F16.F32.PACK_AB.RZ UR10, UR4, UR6", PACKED(SMALL_F16, u, v, false, false, ZERO));
	U32("UF2FP.SATFINITE.F16.F32.PACK_AB UR10, UR4, UR6", PACKED(SMALL_F16, u, v, false, true, NEAREST));
	U32("UF2FP.RELU.BF16.F32.PACK_AB UR10, UR4, UR6", PACKED(SMALL_BF16, u, v, true, false, NEAREST));
	U32("UF2FP.BF16.F32.PACK_AB UR10, UR4, 1.5", PACKED(SMALL_BF16, u, 0x3fc00000, false, false, NEAREST));
	U32("UF2FP.F16.F32.MERGE_C UR10, UR6, URZ", narrow(SMALL_F16, v, false, false, NEAREST));
	U32("UF2FP.RELU.BF16.F32.MERGE_C.RZ UR10, UR6, URZ", narrow(SMALL_BF16, v, true, false, ZERO));
	U32("UF2FP.BF16.F32.MERGE_C UR10, 1.5, URZ", 0x3fc0);
	U32("UF2FP.SATFINITE.E4M3.F32.PACK_AB_MERGE_C UR10, UR4, UR6, UR8",
	    PACKED(SMALL_E4M3, u, v, false, true, NEAREST) | w << 16);
	U32("UF2FP.SATFINITE.RELU.E4M3.F32.PACK_AB_MERGE_C UR10, UR4, -1.5, URZ",
	    PACKED(SMALL_E4M3, u, 0xbfc00000, true, true, NEAREST));
	U32("UF2FP.SATFINITE.E5M2.F32.PACK_AB_MERGE_C UR10, UR4, UR6, URZ",
	    PACKED(SMALL_E5M2, u, v, false, true, NEAREST));
	U32("UF2FP.E5M2.F32.PACK_AB_MERGE_C UR10, UR4, 1.5, UR8",
	    PACKED(SMALL_E5M2, u, 0x3fc00000, false, false, NEAREST) | w << 16);
	U32("UF2FP.SATFINITE.E4M3.F32.PACK_AB_MERGE_C UR10, UR4, UR6, 1.00000011920928955078",
	    PACKED(SMALL_E4M3, u, v, false, true, NEAREST) | 1 << 16);
	/* C beside one result: the real meaning is unknown */
	assert_true(kernel_refuses(WL_SM120, "UF2FP.F16.F32.MERGE_C UR10, UR6, UR8"));
	assert_true(kernel_refuses(WL_SM120, "UF2FP.BF16.F32.MERGE_C UR10, UR6, 1.5"));
}

/* Part by part: n parts, with signs, saturated or not. */
static uint32_t parts(unsigned n, bool sgn, bool isat, uint32_t a, int sa, uint32_t b, int sb)
{
	unsigned width = 32 / n;
	int64_t most = (INT64_C(1) << (width - sgn)) - 1, least = sgn ? -most - 1 : 0;
	uint32_t d = 0;
	for (unsigned i = 0; i < n; i++) {
		int64_t x = (int64_t)((uint64_t)a << (64 - width * (i + 1)) >> (64 - width)),
		        y = (int64_t)((uint64_t)b << (64 - width * (i + 1)) >> (64 - width));
		x -= sgn && x >> (width - 1) ? INT64_C(1) << width : 0;
		y -= sgn && y >> (width - 1) ? INT64_C(1) << width : 0;
		int64_t sum = sa * x + sb * y;
		sum = isat && sum < least ? least : isat && sum > most ? most : sum;
		d |= (uint32_t)((uint64_t)sum & ((UINT64_C(1) << width) - 1)) << width * i;
	}
	return d;
}

static uint32_t chosen(unsigned n, bool sgn, bool least, uint32_t a, uint32_t b)
{
	unsigned width = 32 / n;
	uint32_t d = 0;
	for (unsigned i = 0; i < n; i++) {
		uint32_t m = (uint32_t)((UINT64_C(1) << width) - 1), x = a >> width * i & m, y = b >> width * i & m;
		uint32_t flip = sgn ? 1u << (width - 1) : 0;
		d |= (((x ^ flip) < (y ^ flip)) == least ? x : y) << width * i;
	}
	return d;
}

static void test_packed(void **state)
{
	(void)state;
	uop_on(WL_SM90);
	R32("VIADD.16x2 R8, R2, -R4", parts(2, false, false, a, 1, b, -1));
	R32("VIADDMNMX.U16x2 R8, R2, -R4, R6, PT", chosen(2, false, true, parts(2, false, false, a, 1, b, -1), c));
	R32("VIADDMNMX.S16x2 R8, R2, -R4, R6, !PT", chosen(2, true, false, parts(2, true, false, a, 1, b, -1), c));
	uop_on(WL_SM120);
	R32("VIADD.32 R8, -R2, R4", b - a);
	R32("VIADD.S32 R8, R2, R4", a + b);
	R32("VIADD.16x2 R8, R2, -R4", parts(2, false, false, a, 1, b, -1));
	R32("VIADD.16x2 R8, -R2, R4", parts(2, false, false, a, -1, b, 1));
	R32("VIADD.S32.ISAT R8, R2, R4", parts(1, true, true, a, 1, b, 1));
	R32("VIADD.S32.ISAT R8, R2, -R4", parts(1, true, true, a, 1, b, -1));
	R32("VIADD.S32.ISAT R8, -R2, 0x5", parts(1, true, true, a, -1, 5, 1));
	R32("VIADD.S16x2.ISAT R8, R2, R4", parts(2, true, true, a, 1, b, 1));
	R32("VIADD.S16x2 R8, R2, -R4", parts(2, true, false, a, 1, b, -1));
	R32("VIADD.U8x4.ISAT R8, R2, R4", parts(4, false, true, a, 1, b, 1));
	R32("VIADD.U8x4.ISAT R8, R2, -R4", parts(4, false, true, a, 1, b, -1));
	R32("VIADD.U8x4 R8, R2, -R4", parts(4, false, false, a, 1, b, -1));
	R32("VIADD.S8x4.ISAT R8, R2, -R4", parts(4, true, true, a, 1, b, -1));
	R32("VIADD.S8x4 R8, R2, UR4", parts(4, true, false, a, 1, u, 1));
	R32("VIMNMX.U8x4 R8, R2, R4, PT", chosen(4, false, true, a, b));
	R32("VIMNMX.S8x4 R8, R2, R4, !PT", chosen(4, true, false, a, b));
	R32("VIMNMX.U16x2 R8, R2, R4, PT", chosen(2, false, true, a, b));
	U32("UVIADD.32 UR10, UR4, -UR6", u - v);
	U32("UVIADD.S32.ISAT UR10, UR4, -UR6", parts(1, true, true, u, 1, v, -1));
	U32("UVIADD.U8x4.ISAT UR10, UR4, UR6", parts(4, false, true, u, 1, v, 1));
	U32("UVIADD.16x2 UR10, -UR4, 0x50003", parts(2, false, false, u, -1, 0x50003, 1));
	U32("UVIMNMX.S32 UR10, UR4, UR6, UPT", chosen(1, true, true, u, v));
	U32("UVIMNMX.U32 UR10, UR4, UR6, !UPT", chosen(1, false, false, u, v));
	U32("UVIMNMX.S32 UR10, UR4, -0x78d839f5, UP0", chosen(1, true, x, u, 0x8727c60b));
	U64("USEL.64 UR10, UR4, UR6, UP0", x ? U : V);
	U64("USEL.64 UR10, UR4, UR6, !UP0", x ? V : U);
	U64("USEL.64 UR10, UR4, 0x1, UP0", x ? U : 1);
	U64("USEL.64 UR10, UR4, -0xffffffff, !UP0", x ? UINT64_C(0xffffffff00000001) : U);
}

/* Forms with operands missing in other rows of the instruction. */
static void test_operands(void **state)
{
	(void)state;
	uop_on_both();
	R32("VABSDIFF.U32 R8, R2, UR4, R6", (a > u ? a - u : u - a) + c);
	R32("VABSDIFF R8, R2, UR4, R6", ((int32_t)a > (int32_t)u ? a - u : u - a) + c);
	PQ("PLOP3.LUT P3, P4, R2.SIGN, UR4.SIGN, R6.SIGN, 0x80, 0x1", a >> 31 & u >> 31 & c >> 31,
	   !((a | u | c) >> 31));
	U32_P("ULEA.HI.X.SX32 UR10, UP3, UR4, 0xffffffff, 0x1, UP0",
	      (uint32_t)((int64_t)(int32_t)u >> 31) + 0xffffffff + x,
	      ((uint64_t)(uint32_t)((int64_t)(int32_t)u >> 31) + 0xffffffff + x) >> 32);
	for (unsigned k = 0; k < 2; k++) { /* lanes with another value than the lowest lane */
		uop_on(k ? WL_SM100 : WL_SM120);
		P("R2UR P3, URZ, R2", a != t.before.r[2][__builtin_ctz(t.mask)]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_arithmetic),    cmocka_unit_test(test_comparisons),
	        cmocka_unit_test(test_conversions),   cmocka_unit_test(test_packed),
	        cmocka_unit_test(test_packed_floats), cmocka_unit_test(test_operands),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	return failed ? failed : kernel_covers("uop_twin_test");
}
