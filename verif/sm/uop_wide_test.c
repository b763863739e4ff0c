// SPDX-License-Identifier: Apache-2.0
/* uop_wide_test -- parts of sm_100 and sm_120 alone: 64-bit integers in register pairs, minimum and maximum of three
 * floats, reductions over the warp into a uniform register, LDCU; and bits into predicates, on every architecture. */
#include "uop_case.h"

#define SA ((int64_t)A)
#define SB ((int64_t)B)

static void pairs(void **state)
{
	(void)state;
	uop_on(WL_SM120);
	R64("MOV.64 R8, R2", A);
	R64("MOV.64 R8, UR4", U);
	R64("MOV.64 R8, 0xabcdef0123456789", UINT64_C(0xabcdef0123456789));
	R64("SEL.64 R8, R2, R4, P0", p ? A : B);
	R64("SEL.64 R8, R2, UR4, !P1", !q ? A : U);
	R64("SEL.64 R8, R2, -0x1, P0", p ? A : UINT64_MAX);
	R64("SEL.64 R8, R2, 0xdfd93911, P0", p ? A : UINT64_C(0xdfd93911));
	R64("IMNMX.S64 PT, PT, R8, R2, R4, PT, !PT", SA < SB ? A : B);
	R64("IMNMX.S64 PT, PT, R8, R2, R4, !PT, !PT", SA > SB ? A : B);
	R64("IMNMX.U64 PT, PT, R8, R2, R4, P0, !PT", p ? (A < B ? A : B) : (A > B ? A : B));
	R64("IMNMX.S64 PT, PT, R8, R2, -0x5, PT, !PT", SA < -5 ? A : (uint64_t)-5);
	R32("IMNMX PT, PT, R8, R2, R4, PT, !PT", (int32_t)a < (int32_t)b ? a : b);
}

static void compares(void **state)
{
	(void)state;
	uop_on(WL_SM120);
	PQ("ISETP.LT.S64.AND P3, P4, R2, R4, P0", SA < SB && p, !(SA < SB) && p);
	PQ("ISETP.GE.U64.OR P3, P4, R2, R4, P0", A >= B || p, !(A >= B) || p);
	PQ("ISETP.EQ.U64.XOR P3, P4, R2, UR4, P0", (A == U) ^ p, (A != U) ^ p);
	P("ISETP.GT.S64.AND P3, PT, R2, -0x3c, PT", SA > -60);
	U32("UIMAD.HI.U32 UR10, UR4, UR6, UR8", ((uint64_t)u * v + W) >> 32);
	U32("UIMAD.HI UR10, UR4, UR6, UR8", ((uint64_t)((int64_t)(int32_t)u * (int32_t)v) + W) >> 32);
	U32("UIMAD.HI.U32 UR10, UR4, 0xa, -UR8", ((uint64_t)u * 10 - W) >> 32);
	U32_P("UIMAD.HI.U32 UR10, UP3, UR4, UR6, UR8", ((uint64_t)u * v + W) >> 32, (uint64_t)u * v + W < W);
	U32_P("UIMAD.HI.U32.X UR10, UP3, UR4, UR6, UR8, !UP0", ((uint64_t)u * v + W + !x) >> 32,
	      ((unsigned __int128)u * v + W + !x) >> 64);
	U64("UIMNMX.U64 UPT, UPT, UR10, UR4, UR6, UPT, !UPT", U < V ? U : V);
	U64("UIMNMX.U64 UPT, UPT, UR10, UR4, UR6, !UP0, !UPT", x == (U < V) ? V : U);
	U64("UIMNMX.S64 UPT, UPT, UR10, UR4, UR6, UPT, !UPT", (int64_t)U < (int64_t)V ? U : V);
	U64("UIMNMX.S64 UPT, UPT, UR10, UR4, -0x5, !UPT, !UPT", (int64_t)U > -5 ? U : (uint64_t)-5);
	U32("UIMNMX UPT, UPT, UR10, UR4, UR6, UPT, !UPT", (int32_t)u < (int32_t)v ? u : v);
	U32("UIMNMX.U32 UPT, UPT, UR10, UR4, UR6, !UPT, !UPT", u > v ? u : v);
	UPQ("UISETP.GE.S64.AND UP3, UP4, UR4, UR6, UP0", (int64_t)U >= (int64_t)V && x,
	    !((int64_t)U >= (int64_t)V) && x);
	UPQ("UISETP.LT.U64.OR UP3, UP4, UR4, UR6, UP0", U < V || x, !(U < V) || x);
	UPQ("UISETP.NE.S64.AND UP3, UP4, UR4, 0x9c40, UPT", U != 0x9c40, U == 0x9c40);
}

static void uniform(void **state)
{
	(void)state;
	uop_on(WL_SM120);
	U64("UMOV.64 UR10, UR4", U);
	U64("UMOV.64 UR10, 0x8000000000000001", UINT64_C(0x8000000000000001));
	U64("UIADD3.64 UR10, UPT, UPT, UR4, UR6, UR8", U + V + W);
	U64("UIADD3.64 UR10, UPT, UPT, -UR4, UR6, URZ", V - U);
	U64("UIADD3.64 UR10, UPT, UPT, UR4, -0x800, URZ", U - 0x800);
	for (unsigned k = 0; k < 2; k++) {
		uop_on(k ? WL_SM100 : WL_SM120);
		U32("UIADD3 UR10, UPT, UPT, UR4, -UR6, UR8", u - v + w);
		U32_P("UIADD3.X UR10, UP3, UPT, UR4, UR6, URZ, UP0, !UPT", u + v + x, ((uint64_t)u + v + x) >> 32);
	}
}

/* Numbers of uop_value include infinities, NaN and zeros of both signs. */
static uint32_t least(uint32_t a, uint32_t b, bool max, bool nan)
{
	bool na = (a & 0x7fffffff) > 0x7f800000, nb = (b & 0x7fffffff) > 0x7f800000;
	if (na || nb)
		return nan || (na && nb) ? 0x7fffffff : na ? b : a;
	/* IEEE order of numbers as integers: negative numbers backwards */
	int64_t ka = a >> 31 ? -1 - (int64_t)(a & 0x7fffffff) : a, kb = b >> 31 ? -1 - (int64_t)(b & 0x7fffffff) : b;
	return (ka < kb) != max ? a : b;
}

static void three_floats(void **state)
{
	(void)state;
	uop_on(WL_SM100);
	R32("FMNMX3 R8, R2, R4, R6, PT", least(least(a, b, false, false), c, false, false));
	R32("FMNMX3 R8, R2, R4, R6, !PT", least(least(a, b, true, false), c, true, false));
	R32("FMNMX3.NAN R8, R2, -R4, |R6|, P0", least(least(a, b ^ 0x80000000, !p, true), c & 0x7fffffff, !p, true));
	R32("FMNMX3 R8, R2, 1, R6, PT", least(least(a, 0x3f800000, false, false), c, false, false));
}

static void minmax(void **state)
{
	(void)state;
	uop_on(WL_SM100);
	R32("VIMNMX R8, PT, PT, R2, R4, PT", (int32_t)a < (int32_t)b ? a : b);
	R32("VIMNMX.U32 R8, PT, PT, R2, R4, !PT", a > b ? a : b);
	uop_on(WL_SM120);
	R32("VIMNMX.S32 R8, R2, R4, P0", ((int32_t)a < (int32_t)b) == p ? a : b);
	R32("VIMNMX.U32 R8, R2, 0x64, !PT", a > 100 ? a : 100);
	R32("VIADD.32 R8, R2, -R4", a - b);
	R32("VIADD.16x2 R8, R2, 0x10001", ((a + 1) & 0xffff) | ((a >> 16) + 1) << 16);
}

/* P3 and P4 alone may change in this frame. */
static void to_predicates(void **state)
{
	(void)state;
	static const enum wl_arch archs[] = {WL_ARCH_LIST};
	for (unsigned k = 0; k < sizeof archs / sizeof archs[0]; k++) {
		uop_on(archs[k]);
		PQ("R2P PR, R2, 0x18", a >> 3 & 1, a >> 4 & 1);
		PQ("R2P PR, R2.B1, 0x98", a >> 11 & 1, a >> 12 & 1);
		P("R2P PR, R2.B3, 0x8", a >> 27 & 1);
	}
}

static void reductions(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		bool max, is_signed;
	} forms[] = {{"CREDUX.MIN UR10, R2", false, false},
	             {"CREDUX.MAX UR10, R2", true, false},
	             {"CREDUX.MIN.S32 UR10, R2", false, true},
	             {"CREDUX.MAX.S32 UR10, R2", true, true}};
	uop_on(WL_SM100);
	for (unsigned k = 0; k < 4 * ROUNDS; k++) {
		struct run t = {.text = forms[k % 4].text, .arch = WL_SM100};
		uint32_t best = 0;
		bool first = true;
		uop_execute(&t, k / 4);
		for (unsigned lane = 0; lane < 32; lane++) {
			uint32_t v = t.before.r[2][lane];
			bool less = forms[k % 4].is_signed ? (int32_t)v < (int32_t)best : v < best;
			if (!(t.mask >> lane & 1))
				continue;
			best = first || less != forms[k % 4].max ? v : best;
			first = false;
		}
		if (!first)
			assert_int_equal(t.after.uni[10], best);
	}
}

/* Parameters of these tests begin at 0x380: bytes 88 77 66 55 44 33 22 11, 10 ef cc aa 88 66 44 22. */
static void constants(void **state)
{
	(void)state;
	for (unsigned k = 0; k < 2; k++) {
		uop_on(k ? WL_SM100 : WL_SM120);
		U32("LDCU UR10, c[0x0][0x380]", 0x55667788);
		U32("LDCU UR10, c[0x0][0x384]", 0x11223344);
		U32("LDCU.U8 UR10, c[0x0][0x380]", 0x88);
		U32("LDCU.S8 UR10, c[0x0][0x380]", 0xffffff88);
		U32("LDCU.U8 UR10, c[0x0][0x38b]", 0xaa);
		U32("LDCU.S8 UR10, c[0x0][0x381]", 0x77);
		U32("LDCU.U16 UR10, c[0x0][0x388]", 0xef10);
		U32("LDCU.S16 UR10, c[0x0][0x388]", 0xffffef10);
		U32("LDCU.S16 UR10, c[0x0][0x382]", 0x5566);
		U64("LDCU.64 UR10, c[0x0][0x380]", UINT64_C(0x1122334455667788));
		U64("LDCU.64 UR10, c[0x0][0x388]", UINT64_C(0x22446688aaccef10));
		U32("LDCU UR10, c[0x0][0x360]", 32); /* blockDim.x, as ptxas's code reads it */
	}
}

/* LDCU with a uniform register in the address, and of 16 bytes. */
static void constants_by_address(void **state)
{
	(void)state;
	static const struct {
		const char *first, *text;
		unsigned urd, n;
		uint32_t value[4];
	} forms[] = {
	        {"UMOV UR4, 0x8", "LDCU UR10, c[0x0][UR4+0x380]", 10, 1, {0xaaccef10}},
	        {"UMOV UR4, 0x38c", "LDCU UR10, c[0x0][UR4]", 10, 1, {0x22446688}},
	        {"UMOV UR4, 0x390", "LDCU UR10, c[0x0][UR4+-0xc]", 10, 1, {0x11223344}},
	        {"UMOV UR4, 0x1", "LDCU.S8 UR10, c[0x0][UR4+0x388]", 10, 1, {0xffffffef}},
	        {"UMOV UR4, 0x2", "LDCU.U16 UR10, c[0x0][UR4+0x388]", 10, 1, {0xaacc}},
	        {"UMOV UR4, 0x2", "LDCU.S16 UR10, c[0x0][UR4+0x388]", 10, 1, {0xffffaacc}},
	        {"UMOV UR4, 0x8", "LDCU.64 UR10, c[0x0][UR4+0x380]", 10, 2, {0xaaccef10, 0x22446688}},
	        {"UMOV UR4, 0x0",
	         "LDCU.128 UR8, c[0x0][0x380]",
	         8,
	         4,
	         {0x55667788, 0x11223344, 0xaaccef10, 0x22446688}},
	        {"UMOV UR4, 0x10",
	         "LDCU.128 UR8, c[0x0][UR4+0x370]",
	         8,
	         4,
	         {0x55667788, 0x11223344, 0xaaccef10, 0x22446688}},
	        {"UMOV UR4, 0x380",
	         "LDCU.128 UR4, c[0x0][UR4]",
	         4,
	         4,
	         {0x55667788, 0x11223344, 0xaaccef10, 0x22446688}},
	};
	for (unsigned i = 0; i < 2 * sizeof forms / sizeof forms[0]; i++) {
		struct run t = {.text = forms[i / 2].text, .arch = i % 2 ? WL_SM100 : WL_SM120};
		uop_execute_pair(&t, forms[i / 2].first, 0);
		struct state want = t.before;
		want.uni[4] = t.after.uni[4]; /* the first instruction's */
		memcpy(&want.uni[forms[i / 2].urd], forms[i / 2].value, forms[i / 2].n * sizeof(uint32_t));
		for (unsigned u = 0; u < UNIFORMS; u++)
			if (t.after.uni[u] != want.uni[u])
				fail_msg("sm_%d: %s; %s: UR%u is 0x%08x, expected 0x%08x", (int)t.arch,
				         forms[i / 2].first, t.text, u, t.after.uni[u], want.uni[u]);
		assert_memory_equal(t.before.r, t.after.r, sizeof t.before.r);
		assert_memory_equal(t.before.preds, t.after.preds, sizeof t.before.preds);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(pairs),        cmocka_unit_test(compares),  cmocka_unit_test(uniform),
	        cmocka_unit_test(three_floats), cmocka_unit_test(minmax),    cmocka_unit_test(to_predicates),
	        cmocka_unit_test(reductions),   cmocka_unit_test(constants), cmocka_unit_test(constants_by_address),
	};
	return cmocka_run_group_tests(tests, NULL, NULL) | kernel_covers("uop_wide_test");
}
