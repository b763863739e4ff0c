// SPDX-License-Identifier: Apache-2.0
/* uop_uniform_test.c -- the uniform datapath: one value for a warp, uniform registers and predicates, against host
 * arithmetic; and moves between uniform registers and lanes. */
#include <math.h>

#include "bits.h"
#include "uop_case.h"

#define S64(v) ((uint64_t)(int64_t)(int32_t)(v))

static bool carry(uint64_t l, uint64_t r, uint64_t in)
{
	return ((unsigned __int128)l + r + in) >> 64 != 0;
}

static void test_sums(void **state)
{
	(void)state;
	U32("UIADD3 UR10, UR4, UR6, UR8", u + v + w);
	U32("UIADD3 UR10, UR4, -UR6, UR8", u - v + w);
	U32("UIADD3 UR10, -UR4, UR6, -UR8", v - u - w);
	U32("UIADD3 UR10, UR4, 0x12345, URZ", u + 0x12345);
	U32_PQ("UIADD3 UR10, UP3, UP4, UR4, UR6, UR8", u + v + w, ((uint64_t)u + v + w) >> 32 >= 1,
	       ((uint64_t)u + v + w) >> 32 >= 2);
	U32_P("UIADD3 UR10, UP3, UR4, -UR6, URZ", u - v, u >= v);
	U32_P("UIADD3.X UR10, UP3, UR4, ~UR6, URZ, UP0, !UPT", u + ~v + x, ((uint64_t)u + (uint32_t)~v + x) >> 32);
	U32_PQ("UIADD3.X UR10, UP3, UP4, UR4, UR6, UR8, UP0, !UP1", u + v + w + x + !y,
	       ((uint64_t)u + v + w + x + !y) >> 32 >= 1, ((uint64_t)u + v + w + x + !y) >> 32 >= 2);
	U32("UIMAD UR10, UR4, UR6, UR8", u * v + w);
	U32("UIMAD UR10, UR4, UR6, -UR8", u * v - w);
	U32("UIMAD UR10, UR4, -0x7, UR8", w - u * 7);
	U32("UIMAD UR10, UR4, UR6, -0x7", u * v - 7);
	U32("UIMAD.X UR10, UR4, UR6, ~UR8, UP0", u * v + ~w + x);
	U64("UIMAD.WIDE.U32 UR10, UR4, UR6, UR8", (uint64_t)u * v + W);
	U64("UIMAD.WIDE UR10, UR4, UR6, UR8", S64(u) * S64(v) + W);
	U64("UIMAD.WIDE UR10, UR4, 0x4, UR8", S64(u) * 4 + W);
	U64("UIMAD.WIDE.U32 UR10, UR4, UR6, -UR8", (uint64_t)u * v - W);
	U64_P("UIMAD.WIDE.U32 UR10, UP3, UR4, UR6, UR8", (uint64_t)u * v + W, carry((uint64_t)u * v, W, 0));
	U64_P("UIMAD.WIDE.U32.X UR10, UP3, UR4, UR6, UR8, !UP0", (uint64_t)u * v + W + !x,
	      carry((uint64_t)u * v, W, !x));
	U32("ULEA UR10, UR4, UR6, 0x3", (u << 3) + v);
	U32("ULEA UR10, UR4, -UR6, 0x3", (u << 3) - v);
	U32("ULEA UR10, UR4, 0x70, 0x1f", (u << 31) + 0x70);
	U32_P("ULEA UR10, UP3, UR4, UR6, 0x3", (u << 3) + v, ((uint64_t)(u << 3) + v) >> 32);
	U32("ULEA.HI UR10, UR4, UR6, UR8, 0x5", (((uint64_t)w << 32 | u) << 5 >> 32) + v);
	U32("ULEA.HI.SX32 UR10, UR4, UR6, 0x5", (uint32_t)((S64(u) << 5) >> 32) + v);
	U32("ULEA.HI.X UR10, UR4, UR6, UR8, 0x5, UP0", (((uint64_t)w << 32 | u) << 5 >> 32) + v + x);
	U32_P("ULEA.X UR10, UP3, UR4, UR6, 0x5, UP0", (u << 5) + v + x, ((uint64_t)(u << 5) + v + x) >> 32);
	uop_on(WL_SM90);
	U64("UIADD3.64 UR10, UR4, UR6, UR8", U + V + W);
	U64("UIADD3.64 UR10, UR4, -UR6, URZ", U - V);
	U64_PQ("UIADD3.64 UR10, UP3, UP4, UR4, UR6, UR8", U + V + W, ((unsigned __int128)U + V + W) >> 64 >= 1,
	       ((unsigned __int128)U + V + W) >> 64 >= 2);
	U64_P("UIADD3.64.X UR10, UP3, UR4, ~UR6, URZ, UP0, !UPT", U + ~V + x, carry(U, ~V, x));
	U64("UIADD3.64.X UR10, UR4, UR6, UR8, !UP0, UP1", U + V + W + !x + y);
	U64("UIADD3.64.X UR10, UR4, UR6, UR8, UP0, !UP1", U + V + W + x + !y);
	U64("UIADD3.64 UR10, UR4, UR6, -UR8", U + V - W);
	uop_on_both();
}

static uint32_t table3(unsigned lut, uint32_t a, uint32_t b, uint32_t c)
{
	uint32_t d = 0;
	for (unsigned i = 0; i < 32; i++)
		d |= (lut >> ((a >> i & 1) * 4 + (b >> i & 1) * 2 + (c >> i & 1)) & 1) << i;
	return d;
}
static uint32_t funnel(bool left, bool sgn, unsigned width, bool wrap, bool high, uint64_t v, uint32_t n)
{
	n = wrap ? n % width : n < width ? n : width;
	for (; n; n--)
		v = left ? v << 1 : v >> 1 | (sgn ? v & UINT64_C(1) << 63 : 0);
	return (uint32_t)(high ? v >> 32 : v);
}

static void test_bits(void **state)
{
	(void)state;
	U32("ULOP3.LUT UR10, UR4, UR6, UR8, 0x96, !UPT", u ^ v ^ w);
	U32("ULOP3.LUT UR10, UR4, UR6, UR8, 0x5b, !UPT", table3(0x5b, u, v, w));
	U32("ULOP3.LUT UR10, UR4, 0xff00ff, URZ, 0xc0, !UPT", u & 0xff00ff);
	U32_P("ULOP3.LUT UP3, UR10, UR4, UR6, UR8, 0x80, UP0", u & v & w, (u & v & w) || x);
	U32_P("ULOP3.LUT.PAND UP3, UR10, UR4, UR6, URZ, 0xc0, !UP0", u & v, (u & v) && !x);
	U32("USHF.L.U32 UR10, UR4, UR6, URZ", v > 31 ? 0 : u << v);
	U32("USHF.R.S64 UR10, UR4, UR6, UR8", funnel(false, true, 64, false, false, (uint64_t)w << 32 | u, v));
	U32("USHF.L.W.U32.HI UR10, UR4, UR6, UR8", funnel(true, false, 32, true, true, (uint64_t)w << 32 | u, v));
	U32("USHF.R.U32.HI UR10, URZ, 0x5, UR8", w >> 5);
	U32("USHF.R.U64 UR10, UR4, UR6, 0x12345",
	    funnel(false, false, 64, false, false, UINT64_C(0x12345) << 32 | u, v));
	U32("UPRMT UR10, UR4, UR6, UR8", prmt(u, v, w));
	U32("UPRMT UR10, UR4, 0x5410, UR8", (u & 0xffff) | w << 16);
	U32("UPOPC UR10, UR4", ones(u));
	U32("UPOPC UR10, ~UR4", ones(~u));
	U32("UFLO.U32 UR10, UR4", top_bit(u));
	U32("UFLO UR10, UR4", top_bit(u >> 31 ? ~u : u));
	U32("UFLO.U32.SH UR10, UR4", u ? 31 - top_bit(u) : 0xffffffff);
	U32("UBREV UR10, UR4", reversed(u));
	U32("UBMSK UR10, UR4, UR6", bit_range(false, u, v));
	U32("UBMSK.W UR10, UR4, 0x7", bit_range(true, u, 7));
	U32("USGXT UR10, UR4, UR6", extended(false, true, u, v));
	U32("USGXT.W.U32 UR10, UR4, UR6", extended(true, false, u, v));
	U32("USGXT UR10, UR4, 0x18", (uint32_t)((int32_t)(u << 8) >> 8));
	U32("USEL UR10, UR4, UR6, UP0", x ? u : v);
	U32("USEL UR10, UR4, 0x7, !UP1", y ? 7 : u);
	U32("UMOV UR10, UR4", u);
	U32("UMOV UR10, 0x12345678", 0x12345678);
	U32("UP2UR UR10, UPR, UR4, 0x7", (u & ~7u) | x | y << 1 | z << 2);
	U32("UP2UR UR10, UPR, UR4, 0x87", (u & ~0x87u) | x | y << 1 | z << 2 | 0x80); /* UPT is the eighth */
	U32("UP2UR.B2 UR10, UPR, UR4, 0x3", (u & ~0x30000u) | x << 16 | y << 17);
	UPQ("UR2UP UPR, UR4, 0x18", u >> 3 & 1, u >> 4 & 1);
	UPQ("UR2UP UPR, UR4.B1, 0x18", u >> 11 & 1, u >> 12 & 1);
}

static void test_compare(void **state)
{
	(void)state;
	UPQ("UISETP.LT.U32.AND UP3, UP4, UR4, UR6, UPT", u < v, u >= v);
	UPQ("UISETP.GE.U32.AND UP3, UP4, UR4, UR6, UP0", u >= v && x, u < v && x);
	UPQ("UISETP.GT.AND UP3, UP4, UR4, UR6, UPT", (int32_t)u > (int32_t)v, (int32_t)u <= (int32_t)v);
	UPQ("UISETP.NE.U32.OR UP3, UP4, UR4, 0x20, !UP1", u != 32 || !y, u == 32 || !y);
	UPQ("UISETP.EQ.XOR UP3, UP4, UR4, UR6, UP0", (u == v) ^ x, (u != v) ^ x);
	UPQ("UPLOP3.LUT UP3, UP4, UP0, UP1, UP2, 0xca, 0x35", x ? y : z, x ? !y : !z);
	UPQ("UPLOP3.LUT UP3, UP4, UP0, !UP1, UP2, 0x96, 0xfe", x ^ !y ^ z, x || !y || z);
	UPQ("UPLOP3.LUT UP3, UP4, !UP0, UPT, !UP2, 0x80, 0x8", !x && !z, x && !z);
	UPQ("UPLOP3.LUT UP3, UP4, UR4.SIGN, UR6.SIGN, UR8.SIGN, 0x2, 0x40", !(u >> 31) && !(v >> 31) && w >> 31,
	    u >> 31 && v >> 31 && !(w >> 31));
	UPQ("UPLOP3.LUT UP3, UP4, UR4.SIGN, UR4.SIGN, UR8.SIGN, 0x8, 0xe8", 0, u >> 31);
	UPQ("UISETP.LE.AND UP3, UP4, UR4, -0x1, UPT", (int32_t)u <= -1, (int32_t)u > -1);
	UPQ("UISETP.LT.AND.EX UP3, UP4, UR4, UR6, UPT, UP0", u == v ? x : (int32_t)u < (int32_t)v,
	    !(u == v ? x : (int32_t)u < (int32_t)v));
	UPQ("UISETP.NE.U32.OR.EX UP3, UP4, UR4, UR6, UP1, !UP0", (u == v ? !x : 1) || y, !(u == v ? !x : 1) || y);
}

/* By the host's fmin and fmax (a number wins over NaN), and signbit for zeros. */
static void test_float_extremes(void)
{
	static const char *const op[] = {"MAX", "MAXABS", "MIN", "MINABS"};
	for (unsigned round = 0; round < 40 * ROUNDS; round++) {
		char text[60];
		const unsigned k = round & 3;
		const bool wins = round & 4;
		snprintf(text, sizeof text, "CREDUX.%s.F32%s UR10, R2", op[k], wins ? ".NAN" : "");
		struct run t = {.text = text, .arch = WL_SM100};
		double best = NAN;
		bool none = true, nan = false;
		for (unsigned lane = 0; lane < 32; lane++) {
			static const uint32_t rare[] = {0x80000000, 0,          0x7f800000, 0xff800000,
			                                0x7fc00001, 0xff812345, 1};
			uint32_t bits = round % 5 == 0     ? 0x7f900000 + lane
			                : round % 5 == 1   ? uop_random() << 31
			                : uop_random() % 3 ? uop_random() & 0xbfffffff
			                                   : rare[uop_random() % 7];
			float f;
			t.before.r[2][lane] = bits;
			memcpy(&f, &bits, 4);
			f = k & 1 ? fabsf(f) : f;
			nan |= isnan(f);
			if (isnan(f) || (!none && f == best && (k & 2 ? !signbit(f) : !!signbit(f))))
				continue;
			if (none || f == best || (k & 2 ? f < best : f > best))
				best = f;
			none = false;
		}
		const float result = (float)best;
		uint32_t want;
		memcpy(&want, &result, 4);
		want = none || (nan && wins) ? 0x7fffffff : want;
		uop_execute_on(&t);
		if (t.after.uni[10] != want)
			fail_msg("%s: 0x%08x, expected 0x%08x", text, t.after.uni[10], want);
	}
}

/* Constants and the moves from lanes: the guard of a lane's instruction is P6. */
static void test_moves(void **state)
{
	(void)state;
	U32("ULDC UR10, c[0x0][0x160]", 0x55667788);
	U64("ULDC.64 UR10, c[0x0][0x160]", UINT64_C(0x1122334455667788));
	U32("ULDC.U8 UR10, c[0x0][0x160]", 0x88);
	U32("ULDC.S8 UR10, c[0x0][0x160]", 0xffffff88);
	uop_on(WL_SM75);
	U32("ULDC.U16 UR10, c[0x0][0x168]", 0xef10);
	U32("ULDC.S16 UR10, c[0x0][0x168]", 0xffffef10);
	uop_on_both();
	U32("ULDC UR10, c[0x0][0x0]", 32);
	U32("S2UR UR10, SR_CTAID.X", 0);
	R32("MOV R8, UR4", u);
	for (unsigned round = 0; round < ROUNDS * uop_archs.n; round++) {
		struct run t = {.text = "R2UR P3, UR10, R2", .arch = uop_archs.arch[round % uop_archs.n]};
		uop_execute(&t, round / uop_archs.n);
		unsigned first = 0;
		while (!(t.mask >> first & 1))
			first++;
		uint32_t other = t.before.preds[3] & ~t.mask;
		for (unsigned lane = 0; lane < 32; lane++)
			if (t.mask >> lane & 1 && t.before.r[2][lane] != t.before.r[2][first])
				other |= 1u << lane;
		assert_int_equal(t.after.uni[10], t.before.r[2][first]);
		assert_int_equal(t.after.preds[3], other);
		assert_memory_equal(t.after.r, t.before.r, sizeof t.before.r);
	}
	test_float_extremes();
	static const char *const vote[] = {"VOTEU.ALL UR10, UP3, P0", "VOTEU.ANY UR10, UP3, P0",
	                                   "VOTEU.EQ UR10, UP3, !P0"};
	for (unsigned i = 0; i < 3; i++)
		for (unsigned round = 0; round < ROUNDS * uop_archs.n; round++) {
			struct run t = {.text = vote[i], .arch = uop_archs.arch[round % uop_archs.n]};
			uop_execute(&t, round / uop_archs.n);
			uint32_t yes = t.mask & (i == 2 ? ~t.before.preds[0] : t.before.preds[0]);
			bool want = i == 0 ? yes == t.mask : i == 1 ? yes != 0 : yes == 0 || yes == t.mask;
			assert_int_equal(t.after.uni[10], yes);
			assert_int_equal(t.after.uni[UPRED + 3], want ? ALL_LANES : 0);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_sums),
	        cmocka_unit_test(test_bits),
	        cmocka_unit_test(test_compare),
	        cmocka_unit_test(test_moves),
	};
	return cmocka_run_group_tests(tests, NULL, NULL) | kernel_covers("uop_uniform_test");
}
