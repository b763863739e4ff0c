// SPDX-License-Identifier: Apache-2.0
/* spa50_test -- the SPA 5.0 dialect. Expected values come from the public page of the ATOMS instruction (typed in by
 * hand here) and from sm_75 texts, never from the dialect's code. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../common/rng.h"
#include "warplock/spa50.h"

static struct wl_word good(const char *text)
{
	struct wl_word w;
	char err[200] = "";
	if (wl_spa50_assemble(text, &w, err, sizeof err) != WL_OK)
		fail_msg("%s: refused: %s", text, err);
	return w;
}

static void same_word(const char *text, struct wl_word got, struct wl_word want)
{
	char g[33], w[33];
	wl_word_format(got, g);
	wl_word_format(want, w);
	if (strcmp(g, w) != 0)
		fail_msg("%s: %s, expected %s", text, g, w);
}

/* The word of the sm_75 text, from sm_75's assembler. */
static struct wl_word sm75(const char *text)
{
	struct wl_word w;
	char err[200] = "";
	if (wl_assemble(WL_SM75, text, 0, &w, err, sizeof err) != WL_OK)
		fail_msg("sm_75 %s: refused: %s", text, err);
	return w;
}

static void equals(const char *text, const char *sm75_text)
{
	same_word(text, good(text), sm75(sm75_text));
}

static void prints(struct wl_word w, const char *want)
{
	char text[200], why[200] = "";
	if (wl_spa50_print(w, text, sizeof text, why, sizeof why) != (int)strlen(want))
		fail_msg("%s: printed \"%s\", %s", want, text, why);
	assert_string_equal(text, want);
}

static void spells(const char *text, const char *canonical)
{
	prints(good(text), canonical);
	same_word(canonical, good(canonical), good(text));
}

static void page_examples(void **state)
{
	(void)state;
	equals("ATOMS.ADD.S32 R0, [R1 - 400], R9;", "ATOMS.ADD.S32 R0, [R1+-0x190], R9");
	equals("ATOMS.MIN.U32 R0, [R4 + 8], R2;", "ATOMS.MIN R0, [R4+0x8], R2");
	equals("ATOMS.ADD.U32 R9, [0x10], R8; # absolute 24-bit address", "ATOMS.ADD R9, [0x10], R8");
	equals("ATOMS.CAS.U64 R0, [R4 + 8], R4, R6; # R4 is Reg4 aligned, Rc=Rb+2",
	       "ATOMS.CAS.64 R0, [R4+0x8], R4, R6");
	/* The last example breaks the page's own pairing rule; with the right register the text assembles. */
	struct wl_word w;
	char err[200];
	assert_int_equal(wl_spa50_assemble("ATOMS.CAST.SPIN.U32 R0, [R4 + 0x18], R4, R6; # R4 is Reg4 aligned, Rc=Rb+2",
	                                   &w, err, sizeof err),
	                 WL_ERR_RANGE);
	assert_string_equal(err,
	                    "register pairing rule: Rc of the 32-bit ATOMS.CAST is R6, expected R5 (Rb + 1) or RZ");
	equals("ATOMS.CAST.SPIN.U32 R0, [R4 + 0x18], R4, R5;", "ATOMS.CAST.SPIN R0, [R4+0x18], R4, R5");
	equals("ATOMS.CAST.SPIN.U64 R0, [R4 + 0x18], R4, R6;", "ATOMS.CAST.SPIN.64 R0, [R4+0x18], R4, R6");
	/* Words as literals, written down field by field from the layout of sm_75. */
	same_word("literal", good("ATOMS.ADD.S32 R0, [R1 - 400], R9;"),
	          (struct wl_word){UINT64_C(0xfffe70090100738c), UINT64_C(0x000fde00000002ff)});
	same_word("literal", good("ATOMS.CAST.SPIN.U32 R0, [R4 + 0x18], R4, R5;"),
	          (struct wl_word){UINT64_C(0x000018040400738d), UINT64_C(0x000fde0001800005)});
}

/* The page's table of supported operations; a row is an operation, a column a type. */
static void legality(void **state)
{
	static const struct {
		const char *op;
		bool u32, s32, u64, compares;
	} table[] = {
	        {"ADD", 1, 1, 0, 0},  {"MIN", 1, 1, 0, 0}, {"MAX", 1, 1, 0, 0},  {"INC", 1, 0, 0, 0},
	        {"DEC", 1, 0, 0, 0},  {"AND", 1, 1, 0, 0}, {"OR", 1, 1, 0, 0},   {"XOR", 1, 1, 0, 0},
	        {"EXCH", 1, 1, 1, 0}, {"CAS", 1, 1, 1, 1}, {"CAST", 1, 1, 1, 1}, {"CAST.SPIN", 1, 1, 1, 1},
	};
	static const struct {
		const char *dialect, *sm75, *canonical;
		int column;
	} type[] = {{"", "", ".U32", 0},         {".U32", "", ".U32", 0},    {".32", "", ".U32", 0},
	            {".S32", ".S32", ".S32", 1}, {".U64", ".64", ".U64", 2}, {".64", ".64", ".U64", 2}};
	(void)state;
	unsigned pairs = 0;
	for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
		for (size_t k = 0; k < sizeof type / sizeof type[0]; k++, pairs++) {
			char text[100], other[100], canonical[100], err[200];
			const char *operands = !table[i].compares ? "R3" : type[k].column == 2 ? "R8, R10" : "R8, R9";
			snprintf(text, sizeof text, "ATOMS.%s%s R4, [R6 + 12], %s;", table[i].op, type[k].dialect,
			         operands);
			snprintf(other, sizeof other, "ATOMS.%s%s R4, [R6+0xc], %s", table[i].op, type[k].sm75,
			         operands);
			snprintf(canonical, sizeof canonical, "ATOMS.%s%s R4, [R6 + 12], %s;", table[i].op,
			         type[k].canonical, operands);
			bool legal = (const bool[]){table[i].u32, table[i].s32, table[i].u64}[type[k].column];
			if (legal) {
				equals(text, other);
				spells(text, canonical);
				continue;
			}
			struct wl_word w;
			assert_int_equal(wl_spa50_assemble(text, &w, err, sizeof err), WL_ERR_RANGE);
			assert_ptr_equal(strstr(err, "type rule: ATOMS."), err);
			/* The word exists on sm_75, but has no text in the dialect. */
			assert_int_equal(wl_assemble(WL_SM75, other, 0, &w, err, sizeof err), WL_OK);
			assert_int_equal(wl_spa50_print(w, text, sizeof text, err, sizeof err), -1);
			assert_non_null(strstr(err, "type rule: "));
		}
	}
	assert_int_equal(pairs, 72);
}

static void rules(void **state)
{
	static const struct {
		const char *text, *says;
	} bad[] = {
	        {"", "syntax: \"the end\" found, expected ATOMS"},
	        {"LDS R0, [R1 + 4];", "syntax: \"LDS R0"},
	        {"ATOMSX.ADD R0, [R1 + 4], R2;", "expected ATOMS"},
	        {"atoms.add R0, [R1 + 4], R2;", "expected ATOMS"},
	        {"@P8 ATOMS.ADD R0, [R1 + 4], R2;", "guard rule: \"P8 ATOMS"},
	        {"@P7 ATOMS.ADD R0, [R1 + 4], R2;", "expected {!}P0 to P6 or PT"},
	        {"@UP1 ATOMS.ADD R0, [R1 + 4], R2;", "guard rule: \"UP1"},
	        {"P1 ATOMS.ADD R0, [R1 + 4], R2;", "expected ATOMS"},
	        {"ATOMS R0, [R1 + 4], R2;", "operation rule: \" R0"},
	        {"ATOMS.SUB R0, [R1 + 4], R2;", "operation rule: \".SUB"},
	        {"ATOMS.CASX R0, [R1 + 4], R2, R3;", "operation rule: \".CASX"},
	        {"ATOMS.ADD.SPIN R0, [R1 + 4], R2;",
	         "modifier rule: .SPIN of ATOMS.ADD found, expected only of ATOMS.CAST"},
	        {"ATOMS.CAS.SPIN R0, [R1 + 4], R2, R3;", "modifier rule: .SPIN of ATOMS.CAS found"},
	        {"ATOMS.CAST.U32.SPIN R0, [R1 + 4], R2, R3;", "modifier rule: \".SPIN"},
	        {"ATOMS.ADD.S64 R0, [R1 + 4], R2;", "modifier rule: \".S64"},
	        {"ATOMS.CAS.128 R0, [R1 + 4], R2, R3;", "modifier rule: \".128"},
	        {"ATOMS.ADD.F32 R0, [R1 + 4], R2;", "modifier rule: \".F32"},
	        {"ATOMS.INC.S32 R0, [R1 + 4], R2;", "type rule: ATOMS.INC of .S32 found, expected .U32"},
	        {"ATOMS.ADD.64 R0, [R1 + 4], R2;", "type rule: ATOMS.ADD of .U64 found, expected .U32 or .S32"},
	        {"ATOMS.ADD R255, [R1 + 4], R2;", "register rule: \"R255"},
	        {"ATOMS.ADD R0, [R256 + 4], R2;", "register rule: \"R256 + 4], R2;\" found for Ra"},
	        {"ATOMS.ADD R0, [R1 + 4], UR2;", "register rule: \"UR2;\" found for Rb, expected R0 to R254 or RZ"},
	        {"ATOMS.ADD S3, [R1 + 4], R2;", "register rule: \"S3"},
	        {"ATOMS.ADD R0x1, [R1 + 4], R2;", "register rule: \"R0x1"},
	        {"ATOMS.CAS R0, [R1 + 4], R2, 7;", "register rule: \"7;\" found for Rc"},
	        {"ATOMS.ADD R0, [R1 + 4];", "syntax: \";\" found, expected a comma and Rb"},
	        {"ATOMS.CAS R0, [R1 + 4], R2;", "syntax: \";\" found, expected a comma and Rc"},
	        {"ATOMS.ADD R0, [R1 + 4], R2, R3;",
	         "operand rule: \" R3;\" after Rb found, expected no Rc with ATOMS.ADD"},
	        {"ATOMS.ADD R0 [R1 + 4], R2;", "expected a comma and [address]"},
	        {"ATOMS.ADD R0, R1, R2;", "expected [Ra + ImmS24] or [ImmU24]"},
	        {"ATOMS.ADD R0, [R1 R2;", "syntax: \"R2;\" after Ra found, expected + ImmS24, - ImmS24 or ]"},
	        {"ATOMS.ADD R0, [R1.X4 + 4], R2;", "expected + ImmS24"},
	        {"ATOMS.ADD R0, [R1 + UR4], R2;", "expected a decimal or 0x hexadecimal offset"},
	        {"ATOMS.ADD R0, [R1 - -4], R2;", "expected a decimal or 0x hexadecimal offset"},
	        {"ATOMS.ADD R0, [R1 + 4, R2;", "after the offset found, expected ]"},
	        {"ATOMS.ADD R0, [R1 + 0x], R2;", "expected a decimal or 0x hexadecimal offset"},
	        {"ATOMS.ADD R0, [R1 + 4f], R2;", "expected a decimal or 0x hexadecimal offset"},
	        {"ATOMS.ADD R0, [R1 + 6], R2;", "offset alignment rule: offset 6 found"},
	        {"ATOMS.ADD R0, [R1 - 1], R2;", "offset alignment rule: offset -1 found"},
	        {"ATOMS.ADD R0, [0x11], R2;", "offset alignment rule: address 17 found, expected a multiple of 4"},
	        {"ATOMS.ADD R0, [R1 + 0x800000], R2;", "offset range rule: 8388608 beside R1 found, expected ImmS24"},
	        {"ATOMS.ADD R0, [R1 - 0x800004], R2;", "offset range rule: -8388612 beside R1"},
	        {"ATOMS.ADD R0, [R1 + 99999999999999999999999], R2;", "offset range rule: "},
	        {"ATOMS.ADD R0, [RZ - 4], R2;", "offset sign rule: -4 without a register found, expected ImmU24"},
	        {"ATOMS.ADD R0, [-4], R2;", "offset sign rule: -4"},
	        {"ATOMS.ADD R0, [0x1000000], R2;", "16 MB window rule: address 0x1000000 found"},
	        {"ATOMS.ADD R0, [RZ + 0x1000000], R2;", "16 MB window rule: address 0x1000000 found"},
	        {"ATOMS.EXCH.U64 R0, [0xfffffc], R2;", "16 MB window rule: 8 bytes at 0xfffffc found"},
	        {"ATOMS.CAS R0, [R1 + 4], R3, R4;",
	         "register pairing rule: Rb of the 32-bit ATOMS.CAS is R3, expected an even"},
	        {"ATOMS.CAS R0, [R1 + 4], RZ, R1;", "register pairing rule: Rb of the 32-bit ATOMS.CAS is RZ"},
	        {"ATOMS.CAS R0, [R1 + 4], R2, R4;", "Rc of the 32-bit ATOMS.CAS is R4, expected R3 (Rb + 1) or RZ"},
	        {"ATOMS.CAS R0, [R1 + 4], R254, R0;", "Rc of the 32-bit ATOMS.CAS is R0, expected RZ (Rb + 1)"},
	        {"ATOMS.CAST.U64 R0, [R1 + 4], R6, R8;", "Rb of the 64-bit ATOMS.CAST is R6, expected a multiple-of-4"},
	        {"ATOMS.CAST.U64 R0, [R1 + 4], RZ, RZ;", "Rb of the 64-bit ATOMS.CAST is RZ, expected a multiple-of-4"},
	        {"ATOMS.CAST.U64 R0, [R1 + 4], R8, R9;",
	         "Rc of the 64-bit ATOMS.CAST is R9, expected R10 (Rb + 2) or RZ"},
	        {"ATOMS.ADD R0, [R1 + 4], R2 &req_6;", "scoreboard rule: \"6;\" after &req_ found, expected 0 to 5"},
	        {"ATOMS.ADD R0, [R1 + 4], R2 &req={0,6};", "scoreboard rule: \"6};\" after &req= found"},
	        {"ATOMS.ADD R0, [R1 + 4], R2 &req={};", "scoreboard rule: \"};\" after &req="},
	        {"ATOMS.ADD R0, [R1 + 4], R2 &req={1;", "expected , or }"},
	        {"ATOMS.ADD R0, [R1 + 4], R2 &req=1;", "expected {N,N,...}"},
	        {"ATOMS.ADD R0, [R1 + 4], R2 &req1;", "scheduling syntax: \"&req1;\" found, expected &req_N"},
	        {"ATOMS.ADD R0, [R1 + 4], R2 &rd6;", "scoreboard rule: \"6;\" after &rd found, expected 0 to 5"},
	        {"ATOMS.ADD R0, [R1 + 4], R2 &rd=7;", "scoreboard rule: \"7;\" after &rd"},
	        {"ATOMS.ADD R0, [R1 + 4], R2 &wr9;", "scoreboard rule: \"9;\" after &wr"},
	        {"ATOMS.ADD R0, [R1 + 4], R2 &wr;", "scoreboard rule: \";\" after &wr"},
	        {"ATOMS.ADD R0, [R1 + 4], R2 ?stall16;",
	         "stall rule: \"stall16;\" found, expected ?stall0 to ?stall15"},
	        {"ATOMS.ADD R0, [R1 + 4], R2 ?stall;", "stall rule: \"stall;\""},
	        {"ATOMS.ADD R0, [R1 + 4], R2 ?wait;", "scheduling syntax: \"?wait;\" found"},
	        {"ATOMS.ADD R0, [R1 + 4], R2 &wr1 &rd1;", "scheduling order rule: &rd after &wr found"},
	        {"ATOMS.ADD R0, [R1 + 4], R2 ?yield &req_1;", "scheduling order rule: &req after ?sched found"},
	        {"ATOMS.ADD R0, [R1 + 4], R2 &rd1 &rd2;", "scheduling order rule: &rd after &rd found"},
	        {"ATOMS.ADD R0, [R1 + 4], R2 ?stall4 ?yield;", "scheduling order rule: ?sched after ?sched found"},
	        {"ATOMS.ADD R0, [R1 + 4], R2 ?yield+stall4;", "found, expected &req, &rd, &wr, ?sched or ;"},
	        {"ATOMS.ADD R0, [R1 + 4], R2 &foo;", "syntax: \"&foo;\" found"},
	        {"ATOMS.ADD R0, [R1 + 4], R2 R3;", "syntax: \"R3;\" found"},
	        {"ATOMS.ADD R0, [R1 + 4], R2; ATOMS.ADD R0, [R1 + 4], R2;", "expected one instruction a line"},
	        {"ATOMS.ADD R0, [R1 + 4], R2 / x", "syntax: \"/ x\" found"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct wl_word w = {1, 1};
		char err[200] = "";
		enum wl_status s = wl_spa50_assemble(bad[i].text, &w, err, sizeof err);
		if (s == WL_OK || !strstr(err, bad[i].says))
			fail_msg("%s: \"%s\", expected \"%s\"", bad[i].text, s == WL_OK ? "taken" : err, bad[i].says);
		assert_true(s == WL_ERR_SYNTAX || s == WL_ERR_RANGE);
		assert_true(!w.lo && !w.hi);
		assert_null(strchr(err, '\n'));
	}
}

/* Values just inside the limits, and every way to write a meaning. */
static void taken(void **state)
{
	(void)state;
	equals("ATOMS.ADD R0, [R1 + 0x7ffffc], R2;", "ATOMS.ADD R0, [R1+0x7ffffc], R2");
	equals("ATOMS.ADD R0, [R1 - 0x800000], R2;", "ATOMS.ADD R0, [R1+-0x800000], R2");
	equals("ATOMS.ADD R0, [R1 + -8], R2;", "ATOMS.ADD R0, [R1+-0x8], R2");
	equals("ATOMS.ADD R0, [R1+0], R2", "ATOMS.ADD R0, [R1], R2");
	equals("ATOMS.ADD R0, [R1], R2;", "ATOMS.ADD R0, [R1], R2");
	equals("ATOMS.ADD R0, [ R1 ], R2;", "ATOMS.ADD R0, [R1], R2");
	equals("ATOMS.ADD R0, [0xfffffc], R2;", "ATOMS.ADD R0, [0xfffffc], R2");
	equals("ATOMS.EXCH.64 RZ, [0xfffff8], RZ;", "ATOMS.EXCH.64 RZ, [0xfffff8], RZ");
	equals("ATOMS.ADD R0, [0], R2;", "ATOMS.ADD R0, [RZ], R2");
	equals("ATOMS.ADD R0, [RZ + 0x900000], R2;", "ATOMS.ADD R0, [0x900000], R2");
	equals("@!P6\tATOMS.XOR.S32 R254,[R254+4],R254;", "@!P6 ATOMS.XOR.S32 R254, [R254+0x4], R254");
	equals("  @PT ATOMS.ADD R0 , [ R1 + 4 ] , R2 ; // why", "ATOMS.ADD R0, [R1+0x4], R2");
	equals("@!PT ATOMS.ADD R0, [R1 + 4], R2#", "@!PT ATOMS.ADD R0, [R1+0x4], R2");
	equals("ATOMS.CAS R0, [R1 + 4], R254, RZ;", "ATOMS.CAS R0, [R1+0x4], R254, RZ");
	equals("ATOMS.CAS.64 R0, [R1 + 4], R252, R254;", "ATOMS.CAS.64 R0, [R1+0x4], R252, R254");
	equals("ATOMS.CAST.S32 R0, [R1 + 4], R0, RZ;", "ATOMS.CAST.S32 R0, [R1+0x4], R0, RZ");
	spells("@PT ATOMS.ADD.32 R0,[RZ+16],R2", "ATOMS.ADD.U32 R0, [0x10], R2;");
	spells("ATOMS.CAS.64 R0,[R2+-0x10],R4,R6 &req={5,0} &req_3 &rd=0 &wr=5 ?stall15+yield",
	       "ATOMS.CAS.U64 R0, [R2 - 16], R4, R6 &req_0 &req_3 &req_5 &rd0 &wr5 ?stall15+yield;");
	spells("ATOMS.ADD R0, [R2 + 4], R4 ?stall15", "ATOMS.ADD.U32 R0, [R2 + 4], R4;");
	spells("ATOMS.ADD R0, [R2 + 4], R4 ?stall11+yield", "ATOMS.ADD.U32 R0, [R2 + 4], R4 ?yield;");
	/* Omitted Rc assembles as RZ: bits 71:64. */
	assert_int_equal(good("ATOMS.OR R0, [R2 + 4], R4;").hi & 0xff, 0xff);
}

static unsigned bits(struct wl_word w, unsigned high, unsigned low)
{
	return (unsigned)(w.hi >> (low - 64)) & ((1u << (high - low + 1)) - 1);
}

static void scheduling(void **state)
{
	struct wl_word plain = good("ATOMS.ADD R0, [R2 + 4], R4;");
	(void)state;
	for (unsigned mask = 0; mask < 64; mask++) {
		char text[200] = "ATOMS.ADD R0, [R2 + 4], R4";
		for (unsigned i = 0; i < 6; i++)
			if (mask >> i & 1)
				snprintf(text + strlen(text), 10, " &req_%u", i);
		struct wl_word w = good(text);
		assert_int_equal(bits(w, 121, 116), mask);
		assert_int_equal((w.hi ^ plain.hi) & ~(UINT64_C(0x3f) << 52), 0);
		assert_int_equal(w.lo, plain.lo);
	}
	for (unsigned i = 0; i < 16; i++) {
		char text[200];
		snprintf(text, sizeof text, "ATOMS.ADD R0, [R2 + 4], R4 &rd%u &wr%u ?stall%u", i % 6, (i + 1) % 6, i);
		struct wl_word w = good(text);
		assert_int_equal(bits(w, 121, 116), 0);
		assert_int_equal(bits(w, 115, 113), i % 6);
		assert_int_equal(bits(w, 112, 110), (i + 1) % 6);
		assert_int_equal(bits(w, 109, 109), 0);
		assert_int_equal(bits(w, 108, 105), i);
		strcat(text, "+yield");
		struct wl_word y = good(text);
		assert_true(y.lo == w.lo && y.hi == (w.hi | UINT64_C(1) << 45));
	}
	struct wl_word y = good("ATOMS.ADD R0, [R2 + 4], R4 ?yield");
	assert_int_equal(bits(y, 109, 109), 1);
	assert_int_equal(bits(y, 108, 105), 11);
	/* Nothing named: safe. */
	assert_int_equal(bits(plain, 115, 113), 7);
	assert_int_equal(bits(plain, 112, 110), 7);
	assert_int_equal(bits(plain, 109, 109), 0);
	assert_int_equal(bits(plain, 108, 105), 15);
}

static void words_refused(void **state)
{
	static const struct {
		const char *sm75, *says;
		uint64_t flip; /* of the upper half */
	} bad[] = {
	        {"LDS R0, [R1]", "word: LDS found, expected ATOMS", 0},
	        {"NOP", "word: NOP found, expected ATOMS", 0},
	        {"ATOMS.ADD R0, [R1.X4], R2", "address rule: a scaled Ra found", 0},
	        {"ATOMS.ADD R0, [R1+UR4], R2", "address rule: a uniform register found", 0},
	        {"ATOMS.ADD R0, [R1+0x2], R2", "offset alignment rule: offset 2", 0},
	        {"ATOMS.EXCH.64 R0, [0xfffffc], R2", "16 MB window rule: 8 bytes", 0},
	        {"ATOMS.CAS R0, [R1], R9, R8", "register pairing rule: Rb of the 32-bit ATOMS.CAS is R9", 0},
	        {"ATOMS.CAS.64 R0, [R1], R8, R9", "register pairing rule: Rc of the 64-bit ATOMS.CAS is R9", 0},
	        {"ATOMS.ADD.64 R0, [R1], R2", "type rule: ATOMS.ADD of .U64", 0},
	        {"ATOMS.INC.S32 R0, [R1], R2", "type rule: ATOMS.INC of .S32", 0},
	        {"ATOMS.EXCH.64 R0, [R1], R2", "type rule: both .S32 and .64", UINT64_C(1) << (73 - 64)},
	        {"ATOMS.CAS.64 R0, [R1], R8, R10", "type rule: both .S32 and .64", UINT64_C(1) << (73 - 64)},
	        {"ATOMS.ADD R0, [R1], R2", "word: no instruction of sm_75", UINT64_C(9) << (87 - 64)},
	        {"ATOMS.ADD R0, [R1], R2", "word: reuse flags 0x1", UINT64_C(1) << 58},
	        {"ATOMS.ADD R0, [R1], R2", "scoreboard rule: &rd6", UINT64_C(1) << 49},
	        {"ATOMS.ADD R0, [R1], R2", "scoreboard rule: &wr6", UINT64_C(1) << 46},
	        {"ATOMS.CAS R0, [R1], R8, R9", "", UINT64_C(1) << (88 - 64)}, /* the second encoding of .CAS */
	};
	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		char text[200], why[200] = "";
		struct wl_word w = sm75(bad[i].sm75);
		w.hi ^= bad[i].flip;
		if (wl_spa50_print(w, text, sizeof text, why, sizeof why) >= 0 || !strstr(why, bad[i].says))
			fail_msg("%s: \"%s\", expected \"%s\"", bad[i].sm75, *text ? text : why, bad[i].says);
		assert_string_equal(text, "");
	}
}

static void name(char *out, unsigned n)
{
	if (n == 255)
		strcpy(out, "RZ");
	else
		sprintf(out, "R%u", n);
}

static void random_scheduling(char *text, struct wl_sched *sched, struct rng *seed)
{
	*sched = (struct wl_sched){.stall = 15, .wrbar = 7, .rdbar = 7};
	sched->wait = rng_u32(seed) % 2 ? rng_u32(seed) % 64 : 0;
	for (unsigned i = 0; i < 6; i++)
		if (sched->wait >> i & 1)
			sprintf(text + strlen(text), " &req_%u", i);
	if (rng_u32(seed) % 2)
		sprintf(text + strlen(text), " &rd%u", sched->rdbar = rng_u32(seed) % 6);
	if (rng_u32(seed) % 2)
		sprintf(text + strlen(text), " &wr%u", sched->wrbar = rng_u32(seed) % 6);
	unsigned hint = rng_u32(seed) % 4;
	if (hint == 1) {
		sprintf(text + strlen(text), " ?stall%u", sched->stall = rng_u32(seed) % 15);
	} else if (hint == 2) {
		strcat(text, " ?yield");
		sched->yield = 1;
		sched->stall = 11;
	} else if (hint == 3) {
		sprintf(text + strlen(text), " ?stall%u+yield", sched->stall = rng_u32(seed) % 11);
		sched->yield = 1;
	}
}

/* Legal instructions, written in both languages: equal words, and the dialect prints the text again. */
static void round_trip(void **state)
{
	static const char *const ops[] = {"ADD", "MIN", "MAX",  "AND", "OR",   "XOR",
	                                  "INC", "DEC", "EXCH", "CAS", "CAST", "CAST.SPIN"};
	static const char *const type[] = {"U32", "S32", "U64"}, *const suffix[] = {"", ".S32", ".64"};
	struct rng seed = rng_seed(1, 0);
	(void)state;
	for (unsigned n = 0; n < 20000; n++) {
		unsigned op = rng_u32(&seed) % 12,
		         t = rng_u32(&seed) % (op < 6   ? 2
		                               : op < 8 ? 1
		                                        : 3),
		         wide = t == 2 ? 2 : 1;
		bool pair = op >= 9;
		unsigned rb = pair ? rng_u32(&seed) % (t == 2 ? 64 : 127) * 2 * wide : rng_u32(&seed) % 256;
		char text[200] = "", other[200] = "", rd[8], b[8], c[8] = "", ra[8];
		unsigned guard = rng_u32(&seed) % 15, areg = rng_u32(&seed) % 4 ? rng_u32(&seed) % 255 : 255;
		if (guard != 7) {
			sprintf(text, "@%sP%u ", guard & 8 ? "!" : "", guard & 7);
			strcpy(other, text);
		}
		name(rd, rng_u32(&seed) % 256);
		name(b, rb);
		name(ra, areg);
		name(c, rng_u32(&seed) % 2 ? rb + wide : 255);
		long off = (long)(rng_u32(&seed) % 0x400000) * 4 - (areg == 255 ? 0 : 0x800000);
		if (rng_u32(&seed) % 4 == 0)
			off = off % 64 / 4 * 4;
		if (areg == 255 && t == 2 && off == 0xfffffc)
			off = 0;
		char ours[32], theirs[32];
		if (areg == 255) {
			sprintf(ours, "0x%lx", off);
			if (off)
				sprintf(theirs, "0x%lx", off);
			else
				strcpy(theirs, "RZ");
		} else {
			sprintf(ours, "%s %c %ld", ra, off < 0 ? '-' : '+', off < 0 ? -off : off);
			sprintf(theirs, "%s", ra);
			if (off)
				sprintf(theirs + strlen(theirs), "+%s0x%lx", off < 0 ? "-" : "", off < 0 ? -off : off);
		}
		sprintf(text + strlen(text), "ATOMS.%s.%s %s, [%s], %s", ops[op], type[t], rd, ours, b);
		sprintf(other + strlen(other), "ATOMS.%s%s %s, [%s], %s", ops[op], suffix[t], rd, theirs, b);
		if (pair) {
			sprintf(text + strlen(text), ", %s", c);
			sprintf(other + strlen(other), ", %s", c);
		}
		struct wl_sched sched;
		random_scheduling(text, &sched, &seed);
		strcat(text, ";");
		struct wl_word w = good(text);
		same_word(text, w, wl_word_set_sched(sm75(other), sched));
		prints(w, text);
	}
}

/* For any word: a text that gives the very word, or a reason. Words near legal words, one or two bits off. */
static void near_words(void **state)
{
	static const char *const start[] = {"ATOMS.ADD R0, [R1 - 400], R9;", "ATOMS.EXCH.U64 R9, [0x10], R8;",
	                                    "ATOMS.CAST.SPIN.U64 R0, [R4 + 8], R4, R6 &wr2 ?stall3;"};
	unsigned kept = 0, refused = 0;
	(void)state;
	for (size_t i = 0; i < 3; i++) {
		for (unsigned a = 0; a < 128; a++) {
			for (unsigned b = a; b < 128; b++) {
				struct wl_word w = good(start[i]);
				*(a < 64 ? &w.lo : &w.hi) ^= UINT64_C(1) << (a & 63);
				if (a != b)
					*(b < 64 ? &w.lo : &w.hi) ^= UINT64_C(1) << (b & 63);
				char text[200], why[200] = "";
				if (wl_spa50_print(w, text, sizeof text, why, sizeof why) >= 0) {
					same_word(text, good(text), w);
					kept++;
				} else {
					assert_true(strlen(why) > 10 && !*text);
					refused++;
				}
			}
		}
	}
	assert_true(kept > 1000 && refused > 1000);
}

/* Buffers of every size, and lines with changed characters: no write beyond the buffer, always an answer. */
static void buffers(void **state)
{
	static const char line[] = "@!P1 ATOMS.CAST.SPIN.U64 R0, [R4 - 8], R4, R6 &req_1 &rd2 &wr3 ?stall4+yield;";
	struct wl_word w = good(line);
	struct rng seed = rng_seed(77, 0);
	(void)state;
	for (size_t n = 0; n <= sizeof line; n++) {
		char buf[sizeof line + 8], err[40];
		memset(buf, '~', sizeof buf);
		assert_int_equal(wl_spa50_print(w, buf, n, err, sizeof err), sizeof line - 1);
		assert_int_equal(buf[n], '~');
		if (n)
			assert_int_equal(
			        strncmp(buf, line, n - 1) || buf[n - 1 < sizeof line - 1 ? n - 1 : sizeof line - 1], 0);
		memset(err, '~', sizeof err);
		struct wl_word none;
		assert_int_equal(wl_spa50_assemble("ATOMS.FOO", &none, err, n % 20), WL_ERR_SYNTAX);
		assert_int_equal(err[n % 20], '~');
	}
	for (unsigned n = 0; n < 50000; n++) {
		char text[sizeof line], err[60], back[200];
		memcpy(text, line, sizeof line);
		for (unsigned k = rng_u32(&seed) % 3 + 1; k; k--)
			text[rng_u32(&seed) % (sizeof line - 1)] = (char)(rng_u32(&seed) % 255 + 1);
		text[rng_u32(&seed) % sizeof line] &= (char)-(int)(rng_u32(&seed) % 8 != 0);
		if (wl_spa50_assemble(text, &w, err, sizeof err) == WL_OK)
			assert_true(wl_spa50_print(w, back, sizeof back, err, sizeof err) > 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(page_examples), cmocka_unit_test(legality),   cmocka_unit_test(rules),
	        cmocka_unit_test(taken),         cmocka_unit_test(scheduling), cmocka_unit_test(words_refused),
	        cmocka_unit_test(round_trip),    cmocka_unit_test(near_words), cmocka_unit_test(buffers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
