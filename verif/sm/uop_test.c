// SPDX-License-Identifier: Apache-2.0
/* uop_test.c -- moves, sums, products, logic, shifts, comparisons and bits of FRONT against host arithmetic. */
#include "bits.h"
#include "uop_case.h"

static void test_move(void **state)
{
	(void)state;
	R32("MOV R8, R4", b);
	R32("MOV R8, 0x12345678", 0x12345678);
	R32("MOV R8, c[0x0][0x160]", 0x55667788);
	R32("MOV R8, c[0x0][0x164]", 0x11223344);
	R32("MOV R8, c[0x0][0x0]", 32);
	R32("MOV R8, UR4", u);
	R32("MOV R8, RZ", 0);
	R32("SEL R8, R2, R4, P0", p ? a : b);
	R32("SEL R8, R2, 0x7, !P0", p ? 7 : a);
	CASE("MOV RZ, R4", NULL, NULL, NULL, NULL, 0, 0, 0);
	CASE("NOP", NULL, NULL, NULL, NULL, 0, 0, 0);
	CASE("CCTL.E.PF2 [R4+0x80]", NULL, NULL, NULL, NULL, 0, 0, 0);
}

static void test_add(void **state)
{
	(void)state;
	R32("IADD3 R8, R2, R4, R6", a + b + c);
	R32("IADD3 R8, R2, -R4, R6", a - b + c);
	R32("IADD3 R8, -R2, R4, RZ", b - a);
	R32("IADD3 R8, R2, 0xfffffff0, RZ", a - 16);
	R32("IADD3 R8, R2, c[0x0][0x160], R6", a + 0x55667788 + c);
	R32("IADD3 R8, R2, -c[0x0][0x160], R6", a - 0x55667788 + c);
	R32_P("IADD3 R8, P3, R2, R4, RZ", a + b, ((uint64_t)a + b) >> 32);
	R32_P("IADD3 R8, P3, R2, -R4, RZ", a - b, a >= b); /* carry = no borrow */
	R32_P("IADD3 R8, P3, -R2, R4, RZ", b - a, b >= a);
	R32_PQ("IADD3 R8, P3, P4, R2, R4, R6", a + b + c, ((uint64_t)a + b + c) >> 32 >= 1,
	       ((uint64_t)a + b + c) >> 32 >= 2);
	R32("IADD3.X R8, R2, R4, RZ, P0, !PT", a + b + p);
	R32("IADD3.X R8, R2, R4, R6, P0, P1", a + b + c + p + q);
	R32("IADD3.X R8, R2, ~R4, RZ, P0, !PT", a + ~b + p);
	R32_P("IADD3.X R8, P3, R2, R4, RZ, P0, !PT", a + b + p, ((uint64_t)a + b + p) >> 32);
}

static void test_multiply(void **state)
{
	(void)state;
	R32("IMAD R8, R2, R4, R6", a * b + c);
	R32("IMAD R8, R2, 0x3, R6", a * 3 + c);
	R32("IMAD R8, R2, -0x5, R6", c - a * 5);
	R32("IMAD R8, R2, c[0x0][0x160], RZ", a * 0x55667788);
	R32("IMAD R8, R2, R4, -R6", a * b - c);
	R32("IMAD.MOV.U32 R8, RZ, RZ, R6", c);
	R32("IMAD.MOV R8, RZ, RZ, -R6", 0 - c);
	R32("IMAD.IADD R8, R2, 0x1, R6", a + c);
	R32("IMAD.IADD R8, R2, 0x1, -R6", a - c);
	R32("IMAD.SHL.U32 R8, R2, 0x4, RZ", a * 4);
	R32("IMAD.X R8, R2, 0x1, R6, P0", a + c + p);
	R32("IMAD.X R8, R2, 0x1, ~R6, P0", a + ~c + p);
	R64("IMAD.WIDE.U32 R8, R2, R4, R6", (uint64_t)a * b + C);
	R64("IMAD.WIDE R8, R2, R4, R6", (uint64_t)((int64_t)(int32_t)a * (int32_t)b) + C);
	R64("IMAD.WIDE.U32 R8, R2, R4, RZ", (uint64_t)a * b);
	R64("IMAD.WIDE.U32 R8, R2, 0x4, R6", (uint64_t)a * 4 + C);
	R64("IMAD.WIDE R8, R2, 0x4, R6", (uint64_t)((int64_t)(int32_t)a * 4) + C);
	R64("IMAD.WIDE.U32 R8, R2, R4, c[0x0][0x160]", (uint64_t)a * b + UINT64_C(0x1122334455667788));
	R64("IMAD.WIDE.U32 R8, R2, R4, -R6", (uint64_t)a * b - C);
	R32("IMAD.HI.U32 R8, R2, R4, R6", ((uint64_t)a * b + C) >> 32); /* as compilers refine a reciprocal */
	R32("IMAD.HI R8, R2, R4, RZ", (uint64_t)((int64_t)(int32_t)a * (int32_t)b) >> 32);
}

static void test_lea(void **state)
{
	(void)state;
	R32("LEA R8, R2, R4, 0x2", (a << 2) + b);
	R32("LEA R8, R2, c[0x0][0x160], 0x3", (a << 3) + 0x55667788);
	R32_P("LEA R8, P3, R2, R4, 0x2", (a << 2) + b, ((uint64_t)(a << 2) + b) >> 32);
	R32("LEA.HI R8, R2, R4, R6, 0x4", ((((uint64_t)c << 32 | a) << 4) >> 32) + b);
	R32("LEA.HI.X R8, R2, R4, R6, 0x2, P0", ((((uint64_t)c << 32 | a) << 2) >> 32) + b + p);
	R32("LEA.HI.X.SX32 R8, R2, R4, 0x2, P0", (uint32_t)((uint64_t)((int64_t)(int32_t)a * 4) >> 32) + b + p);
}

/* Bit by bit, from the meaning of the table. */
static uint32_t table3(unsigned lut, uint32_t a, uint32_t b, uint32_t c)
{
	uint32_t d = 0;
	for (unsigned i = 0; i < 32; i++)
		d |= (lut >> ((a >> i & 1) * 4 + (b >> i & 1) * 2 + (c >> i & 1)) & 1) << i;
	return d;
}

static void test_logic(void **state)
{
	(void)state;
	R32("LOP3.LUT R8, R2, R4, RZ, 0xc0, !PT", a & b);
	R32("LOP3.LUT R8, R2, R4, RZ, 0xfc, !PT", a | b);
	R32("LOP3.LUT R8, R2, R4, RZ, 0x3c, !PT", a ^ b);
	R32("LOP3.LUT R8, RZ, R4, RZ, 0x33, !PT", ~b);
	R32("LOP3.LUT R8, R2, 0xff, RZ, 0xc0, !PT", a & 0xff);
	R32("LOP3.LUT R8, R2, R4, R6, 0xe8, !PT", (a & b) | (a & c) | (b & c));
	R32("LOP3.LUT R8, R2, R4, R6, 0x96, !PT", a ^ b ^ c);
	R32("LOP3.LUT R8, R2, R4, R6, 0xca, !PT", (a & b) | (~a & c));
	R32("LOP3.LUT R8, R2, R4, R6, 0x5b, !PT", table3(0x5b, a, b, c));
	R32("LOP3.LUT R8, R2, UR4, RZ, 0xc, !PT", ~a & u);
	R32_P("LOP3.LUT P3, R8, R2, R4, RZ, 0xc0, !PT", a & b, (a & b) != 0);
	R32_P("LOP3.LUT P3, R8, R2, R4, R6, 0x96, P0", a ^ b ^ c, (a ^ b ^ c) != 0 || p);
	P("LOP3.LUT P3, RZ, R2, R4, RZ, 0xc0, !PT", (a & b) != 0);
	PQ("PLOP3.LUT P3, P4, P0, P1, P2, 0x80, 0x0", p && q && s, 0);
	PQ("PLOP3.LUT P3, P4, P0, P1, P2, 0xca, 0x35", p ? q : s, p ? !q : !s);
	PQ("PLOP3.LUT P3, P4, P0, !P1, P2, 0x96, 0xfe", p ^ !q ^ s, p || !q || s);
	P("PLOP3.LUT P3, PT, PT, PT, PT, 0x8, 0x0", 0);
	P("PLOP3.LUT P3, PT, PT, PT, PT, 0x80, 0x0", 1);
}

/* PTX ISA, "shf": clamp or wrap of the amount. */
static uint64_t clamp(uint32_t n, uint32_t most)
{
	return n < most ? n : most;
}
static uint64_t shl(uint64_t v, uint64_t n)
{
	return n > 63 ? 0 : v << n;
}
static uint64_t shr(uint64_t v, uint64_t n)
{
	return n > 63 ? 0 : v >> n;
}
static uint64_t sar(uint64_t v, uint64_t n)
{
	return (uint64_t)((int64_t)v >> (n > 63 ? 63 : n));
}
#define CA ((uint64_t)c << 32 | a)

static void test_shift(void **state)
{
	(void)state;
	R32("SHF.L.U32 R8, R2, R4, RZ", b > 31 ? 0 : a << b);
	R32("SHF.L.U32 R8, R2, 0x5, RZ", a << 5);
	R32("SHF.R.U32.HI R8, RZ, R4, R6", b > 31 ? 0 : c >> b);
	R32("SHF.R.U32.HI R8, RZ, 0x7, R6", c >> 7);
	R32("SHF.R.S32.HI R8, RZ, R4, R6", (int32_t)c >> (b > 31 ? 31 : b));
	R32("SHF.R.S32.HI R8, RZ, 0x1f, R6", (int32_t)c >> 31);
	R32("SHF.L.W.U32.HI R8, R2, R4, R6", shl(CA, b & 31) >> 32);
	R32("SHF.R.W.U32 R8, R2, R4, R6", CA >> (b & 31));
	R32("SHF.R.U64 R8, R2, R4, R6", shr(CA, clamp(b, 64)));
	R32("SHF.R.S64 R8, R2, R4, R6", sar(CA, clamp(b, 64)));
	R32("SHF.L.U64.HI R8, R2, R4, R6", shl(CA, clamp(b, 64)) >> 32);
	R32("SHF.L.U64.HI R8, R2, 0x3, R6", CA << 3 >> 32);
	R32("SHF.R.U32 R8, R2, R4, R6", shr(CA, clamp(b, 32)));
}

static void test_compare(void **state)
{
	(void)state;
	PQ("ISETP.LT.U32.AND P3, P4, R2, R4, PT", a < b, a >= b);
	PQ("ISETP.LE.U32.AND P3, P4, R2, R4, PT", a <= b, a > b);
	PQ("ISETP.GT.U32.AND P3, P4, R2, R4, PT", a > b, a <= b);
	PQ("ISETP.GE.U32.AND P3, P4, R2, R4, PT", a >= b, a < b);
	PQ("ISETP.EQ.U32.AND P3, P4, R2, R4, PT", a == b, a != b);
	PQ("ISETP.NE.U32.AND P3, P4, R2, R4, PT", a != b, a == b);
	PQ("ISETP.LT.AND P3, P4, R2, R4, PT", (int32_t)a < (int32_t)b, (int32_t)a >= (int32_t)b);
	PQ("ISETP.LE.AND P3, P4, R2, R4, PT", (int32_t)a <= (int32_t)b, (int32_t)a > (int32_t)b);
	PQ("ISETP.GT.AND P3, P4, R2, R4, PT", (int32_t)a > (int32_t)b, (int32_t)a <= (int32_t)b);
	PQ("ISETP.GE.AND P3, P4, R2, R4, PT", (int32_t)a >= (int32_t)b, (int32_t)a < (int32_t)b);
	P("ISETP.GT.U32.AND P3, PT, R2, 0x1f, PT", a > 31);
	P("ISETP.NE.AND P3, PT, R2, RZ, P0", a != 0 && p);
	P("ISETP.NE.OR P3, PT, R2, RZ, !P0", a != 0 || !p);
	P("ISETP.NE.XOR P3, PT, R2, R4, P0", (a != b) ^ p);
	PQ("ISETP.LT.U32.OR P3, P4, R2, R4, P0", a < b || p, !(a < b) || p);
	/* 64-bit comparisons: the low words decide where the high words are equal; P1 = comparison of the low words */
	P("ISETP.LT.U32.AND.EX P3, PT, R2, R4, PT, P1", a < b || (a == b && q));
	P("ISETP.GE.AND.EX P3, PT, R2, R4, PT, P1", (int32_t)a > (int32_t)b || (a == b && q));
	P("ISETP.EQ.U32.AND.EX P3, PT, R2, R4, PT, P1", a == b && q);
	P("ISETP.NE.AND.EX P3, PT, R2, R4, PT, P1", a != b || q);
	R32("IMNMX R8, R2, R4, PT", (int32_t)a < (int32_t)b ? a : b);
	R32("IMNMX R8, R2, R4, !PT", (int32_t)a > (int32_t)b ? a : b);
	R32("IMNMX.U32 R8, R2, R4, PT", a < b ? a : b);
	R32("IMNMX.U32 R8, R2, R4, P0", p ? (a < b ? a : b) : (a > b ? a : b));
}

static void test_bits(void **state)
{
	(void)state;
	R32("POPC R8, R4", ones(b));
	R32("POPC R8, ~R4", ones(~b));
	R32("POPC R8, UR4", ones(u));
	R32("FLO.U32 R8, R4", top_bit(b));
	R32("FLO.U32.SH R8, R4", b ? 31 - top_bit(b) : 0xffffffff);
	R32("FLO R8, R4", top_bit(b >> 31 ? ~b : b));
	R32("BREV R8, R4", reversed(b));
	R32("IABS R8, R4", b >> 31 ? 0 - b : b);
	R32("PRMT R8, R2, R4, R6", prmt(a, b, c));
	R32("PRMT R8, R2, 0x5410, R6", (a & 0xffff) | c << 16);
	R32("PRMT R8, R2, 0x123, RZ", a >> 24 | (a >> 8 & 0xff00) | (a << 8 & 0xff0000) | a << 24);
}

static void test_own_address(void **state)
{
	(void)state;
	PAIR("NOP", "LEPC R8", UINT64_C(0x10), t.before.preds[3] >> lane & 1);
}

/* 64-bit sums, differences and negations as compilers build them, in two instructions. */
static void test_carry_chains(void **state)
{
	(void)state;
	uint64_t sum;
	PAIR("IADD3 R8, P0, R2, R4, RZ", "IADD3.X R9, P3, R3, R5, RZ, P0, !PT", A + B,
	     __builtin_add_overflow(A, B, &sum));
	PAIR("IADD3 R8, P0, R2, -R4, RZ", "IADD3.X R9, P3, R3, ~R5, RZ, P0, !PT", A - B, A >= B);
	PAIR("IADD3 R8, P0, P1, R2, R4, R6", "IADD3.X R9, R3, R5, R7, P0, P1", A + B + C,
	     t.before.preds[3] >> lane & 1);
	PAIR("IADD3 R8, P0, R2, 0xfffffff0, RZ", "IADD3.X R9, R3, -0x1, RZ, P0, !PT", A - 16,
	     t.before.preds[3] >> lane & 1);
	PAIR("LEA R8, P0, R2, R4, 0x3", "LEA.HI.X R9, R2, R5, R3, 0x3, P0", (A << 3) + B,
	     t.before.preds[3] >> lane & 1);
#define SAME_R t.before.r[8][lane] | (uint64_t)t.before.r[9][lane] << 32
	PAIR("ISETP.LT.U32.AND P0, PT, R2, R4, PT", "ISETP.LT.AND.EX P3, PT, R3, R5, PT, P0", SAME_R,
	     (int64_t)A < (int64_t)B);
	PAIR("ISETP.GE.U32.AND P0, PT, R2, R4, PT", "ISETP.GE.U32.AND.EX P3, PT, R3, R5, PT, P0", SAME_R, A >= B);
	PAIR("ISETP.NE.U32.AND P0, PT, R2, R4, PT", "ISETP.NE.AND.EX P3, PT, R3, R5, PT, P0", SAME_R, A != B);
	PAIR("ISETP.LE.U32.AND P0, PT, R2, R4, PT", "ISETP.LE.AND.EX P3, PT, R3, R5, PT, P0", SAME_R,
	     (int64_t)A <= (int64_t)B);
	PAIR("SHF.R.U64 R8, R2, R6, R3", "SHF.R.U32.HI R9, RZ, R6, R3",
	     c > 63   ? 0
	     : c > 31 ? (uint32_t)(A >> c)
	              : A >> c,
	     t.before.preds[3] >> lane & 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_move),        cmocka_unit_test(test_add),   cmocka_unit_test(test_multiply),
	        cmocka_unit_test(test_lea),         cmocka_unit_test(test_logic), cmocka_unit_test(test_shift),
	        cmocka_unit_test(test_compare),     cmocka_unit_test(test_bits),  cmocka_unit_test(test_carry_chains),
	        cmocka_unit_test(test_own_address),
	};
	return cmocka_run_group_tests(tests, NULL, NULL) | kernel_covers("uop_test");
}
