// SPDX-License-Identifier: Apache-2.0
/* uop_predicate_test.c -- predicates behind the opcode, negated and not, of branches, convergence and elections;
 * uniform registers as operands of branches; R2UR's predicate. The host computes R8 of each lane for comparison. */
#include "../../cmodel/sm/gpu.h"
#include "kernel_test.h"

enum { LANES = 32 };

static const enum wl_arch archs[] = {WL_SM75, WL_SM80, WL_SM90, WL_SM100, WL_SM120};

/* R0 lane; P0 lane < 16, P1 odd lanes, P2 no lane, P3 lanes 0 to 7; UP0 true, UP1 false. */
#define BEFORE                                                                                                         \
	"S2R R0, SR_LANEID\nISETP.LT.U32.AND P0, PT, R0, 0x10, PT\nLOP3.LUT R1, R0, 0x1, RZ, 0xc0, !PT\n"              \
	"ISETP.NE.U32.AND P1, PT, R1, RZ, PT\nISETP.NE.U32.AND P2, PT, RZ, RZ, PT\n"                                   \
	"ISETP.LT.U32.AND P3, PT, R0, 0x8, PT\nUISETP.NE.U32.AND UP0, UPT, URZ, 0x5, UPT\n"                            \
	"UISETP.EQ.U32.AND UP1, UPT, URZ, 0x5, UPT\nMOV R8, 0x9\n"
#define ASK(branch) branch " {x}\nMOV R8, 0x2\nEXIT\nx:\nMOV R8, 0x1\n"

enum { NONE, ALL = ~0, LOW = 0xffff, ODD = (int)0xaaaaaaaa };

/* Lanes in `one` have 1, the other lanes 2. */
static const struct choice {
	const char *archs; /* digits of archs[] */
	const char *text;
	uint32_t one;
} choices[] = {
        {"01234", ASK("BRA P1,"), ODD},
        {"01234", ASK("BRA !P1,"), (uint32_t)~ODD},
        {"01234", ASK("@P0 BRA !P1,"), LOW & ~ODD},
        {"01234", ASK("BRA"), ALL},
        {"01", ASK("BRA.U P1,"), NONE}, /* all active lanes, or none */
        {"01", ASK("BRA.U !P2,"), ALL},
        {"234", ASK("@P3 BRA.U.ANY"), ALL}, /* one lane is enough */
        {"234", ASK("@P2 BRA.U.ANY"), NONE},
        {"234", ASK("BRA.U.ANY P3,"), ALL},
        {"234", ASK("BRA.U.ANY !P2,"), ALL},
        {"234", ASK("@P3 BRA.U.ANY !P0,"), NONE},
        {"234", ASK("@P3 BRA !P0,"), NONE},
        {"234", ASK("BRA.U P1, UP0,"), ODD},
        {"234", ASK("BRA.U !P1, UP0,"), (uint32_t)~ODD},
        {"234", ASK("BRA.U P1, UP1,"), NONE},
        {"234", ASK("BRA.U P1, !UP1,"), ODD},
        {"234", ASK("BRA.U !P1, !UP0,"), NONE},
        /* without a mask: of the living lanes */
        {"01", ASK("BRA.DIV !P2,"), NONE},
        {"01", ASK("BRA.DIV !P1,"), ALL},
        {"01", ASK("BRA.CONV !P2,"), ALL},
        {"01", ASK("BRA.CONV P2,"), NONE},
};

static uint32_t r8[LANES];

static void run(enum wl_arch arch, const char *body)
{
	char text[1500];
	struct kernel k;
	snprintf(text, sizeof text, BEFORE "%s\nEXIT\n", body);
	kernel_init_for(&k, arch, text);
	k.prog.shared_bytes = 16;
	if (kernel_run(&k) != WL_ENDED)
		fail_msg("sm_%d: %s: %s", (int)arch, body, k.detail);
	for (unsigned i = 0; i < LANES; i++)
		r8[i] = gpu_regs(k.gpu, 0, 0)[8][i];
	kernel_free(&k);
}

static void expect_choice(enum wl_arch arch, const char *text, uint32_t one)
{
	run(arch, text);
	for (unsigned i = 0; i < LANES; i++)
		if (r8[i] != (one >> i & 1 ? 1u : 2u))
			fail_msg("sm_%d: %s: R8 of lane %u is %u; 1 expected of lanes 0x%x", (int)arch, text, i, r8[i],
			         one);
}

static void test_branches(void **state)
{
	(void)state;
	for (unsigned k = 0; k < sizeof choices / sizeof choices[0]; k++)
		for (const char *a = choices[k].archs; *a; a++)
			expect_choice(archs[*a - '0'], choices[k].text, choices[k].one);
}

/* The lanes with guard and predicate are compared with the mask. BRA.DIV: all lanes go if the sets differ; BRA.CONV: if
 * the sets are equal. ~ takes the mask's complement. */
static void test_branches_by_mask(void **state)
{
	(void)state;
	static const struct {
		const char *with;
		uint32_t lanes;
	} predicates[] = {{"", ALL}, {"P0, ", LOW}, {"!P0, ", (uint32_t)~LOW}, {"P1, ", (uint32_t)ODD}, {"!P2, ", ALL}};
	static const uint32_t masks[] = {0xffffffff, 0xffff, 0xffff0000, 0xaaaaaaaa, 0x55555555, 0};
	for (unsigned k = 0; k < 5 * 6 * 4; k++) {
		const unsigned pred = k % 5, mask = k / 5 % 6;
		const bool conv = k / 30 & 1, not = k / 60;
		const bool same = predicates[pred].lanes == (not ? ~masks[mask] : masks[mask]);
		char text[200];
		snprintf(text, sizeof text, "UMOV UR4, 0x%x\n" ASK("BRA.%s %s%sUR4,"), masks[mask],
		         conv ? "CONV" : "DIV", predicates[pred].with, not ? "~" : "");
		for (unsigned a = 1; a < 5; a++)
			expect_choice(archs[a], text, same == conv ? ALL : NONE);
	}
}

#define FIRST "STS [RZ], RZ\nMOV R7, 0x7\nBSSY B0, {m}\n"
#define THEN  "m:\nLDS R8, [RZ]\nSTS [RZ], R7\n"

/* Lanes not named by a BREAK or BSYNC go on as without the instruction. */
static void test_convergence(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		uint32_t odd, even; /* R8 of odd and even lanes */
	} rows[] = {
	        {"BSSY B0, {m}\nBREAK P1, B0\nBMOV.32 R8, B0\n@P1 BRA {m}\nBSYNC B0\nm:\n", NONE, (uint32_t)~ODD},
	        {"BSSY B0, {m}\nBREAK !P1, B0\nBMOV.32 R8, B0\n@!P1 BRA {m}\nBSYNC B0\nm:\n", (uint32_t)ODD, NONE},
	        /* lanes that do not wait go first, and leave a word for the waiting lanes */
	        {FIRST "BSYNC P1, B0\n" THEN, 7, 0},
	        {FIRST "BSYNC !P1, B0\n" THEN, 0, 7},
	};
	for (unsigned k = 0; k < sizeof rows / sizeof rows[0]; k++)
		for (unsigned a = 0; a < 5; a++) {
			run(archs[a], rows[k].text);
			for (unsigned i = 0; i < LANES; i++) {
				const uint32_t want = i % 2 ? rows[k].odd : rows[k].even;
				if (r8[i] != want)
					fail_msg("sm_%d: %s: R8 of lane %u is 0x%x, expected 0x%x", (int)archs[a],
					         rows[k].text, i, r8[i], want);
			}
		}
}

/* The lowest lane with the predicate: UR4 is the lane's number, P4 is true in the lane. */
static void test_elections(void **state)
{
	(void)state;
	static const struct {
		const char *with;
		uint32_t who;
	} rows[] = {{"PT", 0}, {"P1", 1}, {"!P1", 0}, {"!P0", 16}, {"!P3", 8}};
	for (unsigned k = 0; k < 5; k++)
		for (unsigned a = 2; a < 5; a++) {
			char text[100];
			snprintf(text, sizeof text, "ELECT P4, UR4, %s\nMOV R8, UR4\n@P4 MOV R8, 0x64\n", rows[k].with);
			run(archs[a], text);
			for (unsigned i = 0; i < LANES; i++)
				assert_int_equal(r8[i], i == rows[k].who ? 100 : rows[k].who);
		}
}

/* P4 becomes: the lane's value differs from the value taken. .OR: or P4 was true. */
static void test_r2ur(void **state)
{
	(void)state;
	for (unsigned a = 0; a < 5; a++)
		for (unsigned with_or = 0; with_or < 2; with_or++) {
			char text[300];
			snprintf(text, sizeof text,
			         "MOV R5, 0x5\n@P3 MOV R5, 0x6\nPLOP3.LUT P4, PT, P1, P1, PT, 0x80, 0x0\n"
			         "R2UR%s P4, UR4, R5\nMOV R8, UR4\n@P4 LOP3.LUT R8, R8, 0x40, RZ, 0xfc, !PT\n",
			         with_or ? ".OR" : "");
			run(archs[a], text);
			for (unsigned i = 0; i < LANES; i++)
				assert_int_equal(r8[i], 6 + (i >= 8 || (with_or && i % 2) ? 0x40 : 0));
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_branches), cmocka_unit_test(test_branches_by_mask),
	                                   cmocka_unit_test(test_convergence), cmocka_unit_test(test_elections),
	                                   cmocka_unit_test(test_r2ur)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
