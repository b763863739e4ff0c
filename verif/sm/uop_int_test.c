// SPDX-License-Identifier: Apache-2.0
/* uop_int_test.c -- integer micro-operations beside uop_test.c: wide products with carries, all funnel shifts, the
 * modes of PRMT, bit masks, dot products, bytes and halves side by side, minima of three, predicates in registers. The
 * meaning is written here in plain C, from the PTX ISA (shf, prmt, bmsk, szext, dp4a, dp2a, vabsdiff4) and the code of
 * ptxas for mad.cc, add.sat and __usad. */
#include "bits.h"
#include "uop_case.h"

#define S64(v) ((uint64_t)(int64_t)(int32_t)(v))

/* carry out of a 64-bit sum of three */
static bool carry(uint64_t p, uint64_t c, uint64_t in)
{
	return ((unsigned __int128)p + c + in) >> 64 != 0;
}

static void test_wide_products(void **state)
{
	(void)state;
	R64_P("IMAD.WIDE.U32 R8, P3, R2, R4, R6", (uint64_t)a * b + C, carry((uint64_t)a * b, C, 0));
	R64_P("IMAD.WIDE R8, P3, R2, R4, R6", S64(a) * S64(b) + C, carry(S64(a) * S64(b), C, 0));
	R64_P("IMAD.WIDE.U32 R8, P3, R2, 0x12345, R6", (uint64_t)a * 0x12345 + C, carry((uint64_t)a * 0x12345, C, 0));
	R64_P("IMAD.WIDE.U32 R8, P3, R2, R4, -R6", (uint64_t)a * b - C, carry((uint64_t)a * b, ~C, 1));
	R64_P("IMAD.WIDE.U32 R8, P3, R2, R4, UR4", (uint64_t)a * b + U, carry((uint64_t)a * b, U, 0));
	R64("IMAD.WIDE.U32 R8, R2, UR4, R6", (uint64_t)a * u + C);
	R64("IMAD.WIDE.U32.X R8, R2, R4, R6, P0", (uint64_t)a * b + C + p);
	R64("IMAD.WIDE.U32.X R8, R2, R4, R6, !P0", (uint64_t)a * b + C + !p);
	R64_P("IMAD.WIDE.U32.X R8, P3, R2, R4, R6, P0", (uint64_t)a * b + C + p, carry((uint64_t)a * b, C, p));
	R64_P("IMAD.WIDE.X R8, P3, R2, R4, ~R6, P0", S64(a) * S64(b) + ~C + p, carry(S64(a) * S64(b), ~C, p));
	R64("IMAD.WIDE.U32.X R8, R2, 0x7fffffff, R6, P0", (uint64_t)a * 0x7fffffff + C + p);
	R32_P("IMAD.HI.U32 R8, P3, R2, R4, R6", ((uint64_t)a * b + C) >> 32, carry((uint64_t)a * b, C, 0));
	R32("IMAD.HI.U32 R8, R2, UR4, R6", ((uint64_t)a * u + C) >> 32);
	R32("IMAD.HI R8, R2, -0x55555555, R6", (S64(a) * S64(-0x55555555) + C) >> 32);
	R32("IMAD.HI.U32.X R8, R2, R4, R6, P0", ((uint64_t)a * b + C + p) >> 32);
	R32("IMAD.HI.X R8, R2, R4, ~R6, P0", (S64(a) * S64(b) + ~C + p) >> 32);
	PAIR("NOP", "IMAD.WIDE.U32.X R8, P3, RZ, R4, R6, PT", C + 1, C + 1 == 0);
	/* mad.lo.cc.u64 and madc.hi: 64 x 64 bits + 128 bits, a word of it */
	PAIR("IMAD.WIDE.U32 R8, P0, R2, R4, R6", "IMAD.WIDE.U32.X R8, P3, R3, R5, R8, P0",
	     (uint64_t)(A >> 32) * (B >> 32) + ((uint64_t)a * b + C) + carry((uint64_t)a * b, C, 0),
	     carry((A >> 32) * (B >> 32), (uint64_t)a * b + C, carry((uint64_t)a * b, C, 0)));
}

static void test_sums(void **state)
{
	(void)state;
	R32("IADD3 R8, R2, UR4, -R6", a + u - c);
	R32("IADD3 R8, -R2, -R4, R6", c - a - b);
	R32_P("IADD3.X R8, P3, ~R2, ~R4, R6, P0, P1", ~a + ~b + c + p + q,
	      ((uint64_t)(uint32_t)~a + (uint32_t)~b + c + p + q) >> 32);
	R32_PQ("IADD3.X R8, P3, P4, R2, R4, R6, P0, !P1", a + b + c + p + !q, ((uint64_t)a + b + c + p + !q) >> 32 >= 1,
	       ((uint64_t)a + b + c + p + !q) >> 32 >= 2);
	R32("IADD3.X R8, R2, 0x7, ~R6, !P0, P1", a + 7 + ~c + !p + q);
	R32("IMAD.X R8, R2, R4, ~R6, !P0", a * b + ~c + !p);
	R32("IMAD R8, R2, UR4, -R6", a * u - c);
	R32("LEA R8, R2, UR4, 0x1f", (a << 31) + u);
	R32_P("LEA R8, P3, -R2, R4, 0x3", b - (a << 3), ((uint64_t)((0 - a) << 3) + b) >> 32);
	R32("LEA R8, R2, -R4, 0x3", (a << 3) - b);
	R32("LEA R8, R2, 0x12345, 0x3", (a << 3) + 0x12345);
	R32_P("LEA.X R8, P3, R2, R4, 0x3, P0", (a << 3) + b + p, ((uint64_t)(a << 3) + b + p) >> 32);
	R32("LEA.HI R8, R2, 0x12345, R6, 0x4", ((C << 32 | a) << 4 >> 32) + 0x12345);
	R32("LEA.HI.SX32 R8, R2, R4, 0x7", (uint32_t)((S64(a) << 7) >> 32) + b);
	R32("LEA.HI.X R8, R2, ~R4, R6, 0x2, !P0", ((C << 32 | a) << 2 >> 32) + ~b + !p);
	R32("VABSDIFF.U32 R8, R2, R4, R6", (a > b ? a - b : b - a) + c);
	R32("VABSDIFF R8, R2, R4, R6", ((int32_t)a > (int32_t)b ? a - b : b - a) + c);
	R32("VABSDIFF.U32 R8, R2, 0xfff, R6", (a > 0xfff ? a - 0xfff : 0xfff - a) + c);
	R32("VABSDIFF R8, R2, R4, 0x55", ((int32_t)a > (int32_t)b ? a - b : b - a) + 0x55);
	uop_on(WL_SM90);
	R32("VIADD R8, R2, 0x12345", a + 0x12345);
	R32("VIADD R8, R2, -UR4", a - u);
	R32("VIADD R8, R2, -R4", a - b);
	R32("VIADD.16x2 R8, R2, R4", ((a + b) & 0xffff) | ((a >> 16) + (b >> 16)) << 16);
	R32("VIADD.16x2 R8, R2, 0x10001", ((a + 1) & 0xffff) | ((a >> 16) + 1) << 16);
	uop_on(WL_SM107);
	R32("VISET.BM.LT.U32 R8, R2, R4", a < b ? UINT32_MAX : 0);
	R32("VISET.BM.GE.S32 R8, R2, R4", (int32_t)a >= (int32_t)b ? UINT32_MAX : 0);
	R32("VISET.BM.NE.U32 R8, R2, UR4", a != u ? UINT32_MAX : 0);
	R32("VISET.BM.GT.S32 R8, R2, -0x5", (int32_t)a > -5 ? UINT32_MAX : 0);
	R32("VISET.BM.EQ.U32 R8, R2, R2", UINT32_MAX);
	R32("VISET.BM.EQ.U32 R8, R2, R4", a == b ? UINT32_MAX : 0);
	R32("VISET.BM.LE.U32 R8, R2, R4", a <= b ? UINT32_MAX : 0);
	R32("VISET.BM.LE.S32 R8, R2, R4", (int32_t)a <= (int32_t)b ? UINT32_MAX : 0);
	R32("VISET.BM.LE.S32 R8, R2, R2", UINT32_MAX);
	R32("VISET.BM.GT.U32 R8, R2, R4", a > b ? UINT32_MAX : 0);
	R32("VISET.BM.GE.U32 R8, R2, R4", a >= b ? UINT32_MAX : 0);
	R32("VISET.BM.LT.S32 R8, R2, R4", (int32_t)a < (int32_t)b ? UINT32_MAX : 0);
	R32("VISET.BM.F.U32 R8, R2, R2", 0);
	R32("VISET.BM.F.U32 R8, R2, R4", 0);
	R32("VISET.BM.F.U32 R8, R4, R2", 0);
	R32("VISET.BM.T.U32 R8, R2, R4", UINT32_MAX);
	R32("IADD R8, R2, -UR4", a - u);
	R64("IADD.64 R8, R2, -R4", A - B);
	uop_on(WL_SM120);
	R32("IADD R8, R2, R4", a + b);
	R32("IADD R8, R2, -UR4", a - u);
	R32("IADD R8, -R2, 0x7", 7 - a);
	R64("IADD.64 R8, R2, R4", A + B);
	R64("IADD.64 R8, R2, -R4", A - B);
	R64_P("IADD.64 R8, P3, R2, R4", A + B, carry(A, B, 0));
	R64("IADD.64.X R8, R2, ~R4, P0", A + ~B + p);
	R64_P("IADD.64.X R8, P3, R2, R4, !P0", A + B + !p, carry(A, B, !p));
	uop_on_both();
}

/* PTX ISA, "shf": the 64 bits C:A shifted by the clamped or wrapped amount, low or high word. */
static uint32_t funnel(bool left, bool sgn, unsigned width, bool wrap, bool high, uint64_t v, uint32_t n)
{
	n = wrap ? n % width : n < width ? n : width;
	for (; n; n--)
		v = left ? v << 1 : v >> 1 | (sgn ? v & UINT64_C(1) << 63 : 0);
	return (uint32_t)(high ? v >> 32 : v);
}

static void test_shifts(void **state)
{
	(void)state;
	static const char *const type[] = {"S32", "U32", "S64", "U64"};
	for (unsigned i = 0; i < 32; i++) {
		char text[64];
		bool left = i & 1, wrap = i & 2, high = i & 4;
		const char *kind = type[i >> 3];
		unsigned width = kind[1] == '3' ? 32 : 64;
		snprintf(text, sizeof text, "SHF.%s%s.%s%s R8, R2, R4, R6", left ? "L" : "R", wrap ? ".W" : "", kind,
		         high ? ".HI" : "");
		R32(text, funnel(left, kind[0] == 'S', width, wrap, high, (uint64_t)c << 32 | a, b));
	}
	R32("SHF.L.U32.HI R8, R2, 0x28, R6", funnel(true, false, 32, false, true, (uint64_t)c << 32 | a, 0x28));
	R32("SHF.R.U64 R8, R2, 0x28, R6", funnel(false, false, 64, false, false, (uint64_t)c << 32 | a, 0x28));
	R32("SHF.R.U32.HI R8, RZ, UR4, R6", u > 31 ? 0 : c >> u);
	R32("SHF.L.W.U32.HI R8, R2, R4, UR4", funnel(true, false, 32, true, true, (uint64_t)u << 32 | a, b));
}

/* PTX ISA, "prmt": bytes of each mode by the low two bits of the selector, most significant first; 0..3 are bytes of
 * the first operand, 4..7 of the last. */
static uint32_t prmt_mode(const char *const table[4], uint32_t a, uint32_t sel, uint32_t c)
{
	uint64_t v = (uint64_t)c << 32 | a;
	const char *row = table[sel & 3];
	uint32_t d = 0;
	for (unsigned i = 0; i < 4; i++)
		d = d << 8 | (uint32_t)(v >> 8 * (row[i] - '0') & 0xff);
	return d;
}

static void test_permute(void **state)
{
	(void)state;
	static const char
	        *const f4e[] = {"3210", "4321", "5432", "6543"},
	               *const b4e[] = {"5670", "6701", "7012", "0123"}, *const rc8[] = {"0000", "1111", "2222", "3333"},
	               *const ecl[] = {"3210", "3211", "3222", "3333"}, *const ecr[] = {"0000", "1110", "2210", "3210"},
	               *const rc16[] = {"1010", "3232", "1010", "3232"};
	R32("PRMT.F4E R8, R2, R4, R6", prmt_mode(f4e, a, b, c));
	R32("PRMT.B4E R8, R2, R4, R6", prmt_mode(b4e, a, b, c));
	R32("PRMT.RC8 R8, R2, R4, R6", prmt_mode(rc8, a, b, c));
	R32("PRMT.ECL R8, R2, R4, R6", prmt_mode(ecl, a, b, c));
	R32("PRMT.ECR R8, R2, R4, R6", prmt_mode(ecr, a, b, c));
	R32("PRMT.RC16 R8, R2, R4, R6", prmt_mode(rc16, a, b, c));
	R32("PRMT.F4E R8, R2, 0x2, R6", prmt_mode(f4e, a, 2, c));
	R32("PRMT.B4E R8, R2, R4, 0x12345678", prmt_mode(b4e, a, b, 0x12345678));
	R32("PRMT R8, R2, 0x8880, RZ", (uint32_t)(int32_t)(int8_t)a); /* as ptxas extends a byte */
	R32("PRMT R8, R2, 0x9910, R6", (uint32_t)(int32_t)(int16_t)a);
}

static void test_bits(void **state)
{
	(void)state;
	R32("BMSK R8, R2, R4", bit_range(false, a, b));
	R32("BMSK.W R8, R2, R4", bit_range(true, a, b));
	R32("BMSK R8, R2, 0x5", bit_range(false, a, 5));
	R32("BMSK R8, R2, UR4", bit_range(false, a, u));
	R32("SGXT R8, R2, R4", extended(false, true, a, b));
	R32("SGXT.U32 R8, R2, R4", extended(false, false, a, b));
	R32("SGXT.W R8, R2, R4", extended(true, true, a, b));
	R32("SGXT.W.U32 R8, R2, R4", extended(true, false, a, b));
	R32("SGXT R8, R2, 0x8", (uint32_t)(int32_t)(int8_t)a);
	R32("SGXT.U32 R8, R2, UR4", extended(false, false, a, u));
	R32("FLO.SH R8, R4", (b >> 31 ? ~b : b) ? 31 - top_bit(b >> 31 ? ~b : b) : 0xffffffff);
	R32("FLO.U32 R8, ~R4", top_bit(~b));
	R32_P("LOP3.LUT.PAND P3, R8, R2, R4, R6, 0x6a, P0", (c ^ (a & b)), (c ^ (a & b)) && p);
	R32_P("LOP3.LUT.PAND P3, R8, R2, 0xff, RZ, 0xc0, !P0", a & 0xff, (a & 0xff) && !p);
	P("LOP3.LUT.PAND P3, RZ, R2, UR4, R6, 0xfe, P0", (a | u | c) && p);
	/* add.sat.s32: P3 = overflow above, P4 = below */
	PQ("PLOP3.LUT P3, P4, R2.SIGN, R4.SIGN, R6.SIGN, 0x2, 0x40", !(a >> 31) && !(b >> 31) && c >> 31,
	   a >> 31 && b >> 31 && !(c >> 31));
	PQ("PLOP3.LUT P3, P4, R2.SIGN, R4.SIGN, R6.SIGN, 0x96, 0xf1", (a ^ b ^ c) >> 31,
	   a >> 31 || (!(b >> 31) && !(c >> 31)));
	PQ("PLOP3.LUT P3, P4, P0, !P1, UP0, 0x80, 0xfe", p && !q && x, p || !q || x);
	P("PLOP3.LUT P3, PT, P0, P1, !UP0, 0x96, 0x0", p ^ q ^ !x);
	R32("P2R R8, PR, R2, 0x7", (a & ~7u) | p | q << 1 | s << 2);
	R32("P2R R8, PR, RZ, 0x2", q << 1);
	R32("P2R.B1 R8, PR, R2, 0x5", (a & ~0x500u) | p << 8 | s << 10);
	R32("P2R.B3 R8, PR, R2, 0x2", (a & ~0x2000000u) | q << 25);
	uop_on(WL_SM75);
	R32("SGXT.U32 R8, R2, c[0x0][0x160]", a);
	uop_on_both();
}

/* PTX ISA, "dp4a", "dp2a": sums of products of parts. */
static uint32_t dot(unsigned parts, unsigned from, bool sa, bool sb, uint32_t a, uint32_t b, uint32_t c)
{
	int64_t d = (int64_t)c;
	for (unsigned i = 0; i < parts; i++) {
		unsigned bits = 32 / parts;
		int64_t f = (a >> bits * i) & ((1u << bits) - 1), g = b >> 8 * (i + from) & 0xff;
		f -= sa && f >> (bits - 1) ? INT64_C(1) << bits : 0;
		g -= sb && g >> 7 ? 256 : 0;
		d += f * g;
	}
	return (uint32_t)d;
}

static void test_dot(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 12; i++) {
		char text[64];
		bool sa = i & 1, sb = i & 2, four = i < 4, high = i >= 8;
		snprintf(text, sizeof text, "IDP.%s.%c%s.%c8 R8, R2, R4, R6",
		         four   ? "4A"
		         : high ? "2A.HI"
		                : "2A.LO",
		         sa ? 'S' : 'U', four ? "8" : "16", sb ? 'S' : 'U');
		R32(text, dot(four ? 4 : 2, high ? 2 : 0, sa, sb, a, b, c));
	}
	R32("IDP.4A.S8.S8 R8, R2, UR4, R6", dot(4, 0, true, true, a, u, c));
	R32("IDP.2A.LO.U16.U8 R8, R2, R4, -R6", dot(2, 0, false, false, a, b, 0 - c));
}

static int32_t byte_of(uint32_t v, unsigned i, bool sgn)
{
	uint32_t u = v >> 8 * i & 0xff;
	return sgn ? (int32_t)(int8_t)u : (int32_t)u;
}
static uint32_t differences(uint32_t a, uint32_t b, uint32_t c, bool sgn, bool add)
{
	uint32_t bytes = 0, total = c;
	for (unsigned i = 0; i < 4; i++) {
		uint32_t d = (uint32_t)abs(byte_of(a, i, sgn) - byte_of(b, i, sgn));
		bytes |= d << 8 * i;
		total += d;
	}
	return add ? total : bytes;
}
static int64_t pick(bool min, int64_t a, int64_t b)
{
	return min ? (a < b ? a : b) : a > b ? a : b;
}
static int64_t wide(uint32_t v, bool sgn)
{
	return sgn ? (int64_t)(int32_t)v : (int64_t)v;
}
/* min or max of halves, then at least `floor`. */
static uint32_t pick2(bool min, bool sgn, bool relu, uint32_t a, uint32_t b)
{
	uint32_t d = 0;
	for (unsigned i = 0; i < 2; i++) {
		uint16_t f = (uint16_t)(a >> 16 * i), g = (uint16_t)(b >> 16 * i);
		int64_t v = sgn ? pick(min, (int16_t)f, (int16_t)g) : pick(min, f, g);
		d |= (uint32_t)(uint16_t)(relu && v < 0 ? 0 : v) << 16 * i;
	}
	return d;
}
#define POSITIVE(v) ((v) < 0 ? 0 : (v))

static void test_packed(void **state)
{
	(void)state;
	R32("VABSDIFF4 R8, R2, R4, R6", differences(a, b, c, true, false));
	R32("VABSDIFF4.U8 R8, R2, R4, R6", differences(a, b, c, false, false));
	R32("VABSDIFF4.ACC R8, R2, R4, R6", differences(a, b, c, true, true));
	R32("VABSDIFF4.U8.ACC R8, R2, R4, R6", differences(a, b, c, false, true));
	R32("VABSDIFF4.U8 R8, R2, 0x81020304, R6", differences(a, 0x81020304, c, false, false));
	R32("VABSDIFF4.ACC R8, R2, UR4, R6", differences(a, u, c, true, true));
	R32("VABSDIFF4.U8.ACC R8, R2, R4, 0x7", differences(a, b, 7, false, true));
	R32("VABSDIFF4.ACC R8, R2, R4, UR6", differences(a, b, v, true, true));
	R32("VABSDIFF4.ACC R8, R2, c[0x0][0x160], R6", differences(a, 0x55667788, c, true, true));
	R32("VABSDIFF4.U8.ACC R8, R2, R4, c[0x0][0x160]", differences(a, b, 0x55667788, false, true));
	R32("VABSDIFF.U32 R8, R2, R4, UR6", (a > b ? a - b : b - a) + v);
	uop_on(WL_SM75);
	R32("IMNMX R8, R2, -0x5, P0", pick(p, wide(a, true), -5));
	R32("IMNMX.U32 R8, R2, c[0x0][0x160], !P0", pick(!p, a, 0x55667788));
	uop_on(WL_SM90);
	R32("VIMNMX R8, R2, R4, P0", pick(p, wide(a, true), wide(b, true)));
	R32("VIMNMX.U32 R8, R2, UR4, !P0", pick(!p, a, u));
	R32("VIMNMX R8, R2, -0x5, PT", pick(true, wide(a, true), -5));
	R32("VIMNMX.RELU R8, R2, R4, P0", POSITIVE(pick(p, wide(a, true), wide(b, true))));
	R32("VIMNMX.U16x2 R8, R2, R4, P0", pick2(p, false, false, a, b));
	R32("VIMNMX.S16x2 R8, R2, R4, P0", pick2(p, true, false, a, b));
	R32("VIMNMX.S16x2.RELU R8, R2, R4, !PT", pick2(false, true, true, a, b));
	R32("VIMNMX3 R8, R2, R4, R6, P0", pick(p, pick(p, wide(a, true), wide(b, true)), wide(c, true)));
	R32("VIMNMX3.U32 R8, R2, R4, R6, P0", pick(p, pick(p, a, b), c));
	R32("VIMNMX3.RELU R8, R2, UR4, R6, P0",
	    POSITIVE(pick(p, pick(p, wide(a, true), wide(u, true)), wide(c, true))));
	R32("VIMNMX3.S16x2 R8, R2, R4, R6, !PT", pick2(false, true, false, pick2(false, true, false, a, b), c));
	R32("VIADDMNMX R8, R2, R4, R6, P0", pick(p, wide(a + b, true), wide(c, true)));
	R32("VIADDMNMX.U32 R8, R2, -R4, R6, P0", pick(p, (uint32_t)(a - b), c));
	R32("VIADDMNMX.RELU R8, R2, 0x7, R6, !PT", POSITIVE(pick(false, wide(a + 7, true), wide(c, true))));
	R32("VIADDMNMX R8, R2, -R4, 0x5, PT", pick(true, wide(a - b, true), 5));
	R32("VIADDMNMX.S16x2 R8, R2, R4, R6, PT",
	    pick2(true, true, false, ((a + b) & 0xffff) | ((a >> 16) + (b >> 16)) << 16, c));
	uop_on_both();
}

/* Every comparison of both signs, alone and as the high half of a 64-bit comparison. */
static void test_compare(void **state)
{
	(void)state;
	static const char *const name[] = {"F", "LT", "EQ", "LE", "GT", "NE", "GE", "T"};
	for (unsigned i = 0; i < 16; i++) {
		char text[80];
		bool sgn = i & 8;
		const char *n = name[i & 7];
		snprintf(text, sizeof text, "ISETP.%s%s.AND P3, P4, R2, R4, P0", n, sgn ? "" : ".U32");
#define HOLDS(l, r)                                                                                                    \
	((strchr(n, 'L') && (l) < (r)) || (strchr(n, 'G') && (l) > (r)) ||                                             \
	 (n[1] == 'E' && n[0] != 'N' && (l) == (r)) || (!strcmp(n, "EQ") && (l) == (r)) ||                             \
	 (!strcmp(n, "NE") && (l) != (r)) || !strcmp(n, "T"))
		PQ(text, HOLDS(wide(a, sgn), wide(b, sgn)) && p, !HOLDS(wide(a, sgn), wide(b, sgn)) && p);
		snprintf(text, sizeof text, "ISETP.%s%s.XOR.EX P3, P4, R2, R4, P0, !P1", n, sgn ? "" : ".U32");
		PQ(text, (a == b ? !q : HOLDS(wide(a, sgn), wide(b, sgn))) ^ p,
		   !(a == b ? !q : HOLDS(wide(a, sgn), wide(b, sgn))) ^ p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_wide_products), cmocka_unit_test(test_sums),    cmocka_unit_test(test_shifts),
	        cmocka_unit_test(test_permute),       cmocka_unit_test(test_bits),    cmocka_unit_test(test_dot),
	        cmocka_unit_test(test_packed),        cmocka_unit_test(test_compare),
	};
	return cmocka_run_group_tests(tests, NULL, NULL) | kernel_covers("uop_int_test");
}
