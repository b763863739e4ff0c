// SPDX-License-Identifier: Apache-2.0
/* sleep_test.c -- NANOSLEEP and clocks: a sleep lasts as long as requested, time jumps when every warp sleeps, and a
 * wait with a limit of time ends by the limit. A loop that reads a clock is never judged a hang. Times follow from one
 * rule: an instruction takes 1 ns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "kernel.h"

/* R0 = thread, R2:R3 = address of the thread's 8 bytes in parameter 0; P6: warp 0 */
#define PROLOGUE                                                                                                       \
	"S2R R0, SR_TID.X\nMOV R4, 0x8\nIMAD.WIDE.U32 R2, R0, R4, c[0x0][0x160]\n"                                     \
	"SHF.R.U32.HI R4, RZ, 0x5, R0\nISETP.EQ.U32.AND P6, PT, R4, RZ, PT\n"                                          \
	"ISETP.LT.U32.AND P5, PT, R0, 0x10, PT\n"
#define NOW(reg) "CS2R " reg ", SR_GLOBALTIMERLO\n"
#define STORE    "IADD3 R8, R8, -R10, RZ\nSTG.E.SYS [R2], R8\nEXIT\n"

static uint32_t *words;

static enum wl_outcome run(struct kernel *k, const char *text, unsigned threads, uint64_t limit, unsigned sms)
{
	kernel_init(k, text);
	k->launch.block[0] = threads;
	k->launch.grid[0] = sms;
	k->launch.limit = limit;
	k->config.sms = sms;
	words = kernel_words(k, 0, 256, 0);
	return kernel_run(k);
}

static void ends(const char *text, unsigned threads, uint64_t limit, unsigned sms, struct kernel *k)
{
	if (run(k, text, threads, limit, sms) != WL_ENDED)
		fail_msg("%s: %s", text, k->detail);
}

/* A sleep of n takes n and the few instructions around the sleep, and few instructions are executed. */
static void test_length(void **x)
{
	(void)x;
	static const struct {
		const char *sleep;
		uint32_t least;
	} rows[] = {{"NANOSLEEP 0x0\n", 0},
	            {"NANOSLEEP 0x64\n", 100},
	            {"NANOSLEEP 0xf4240\n", 1000000},
	            {"NANOSLEEP 0xffffffff\n", 1000000}, /* the longest possible */
	            {"MOV R5, 0x3e8\nNANOSLEEP R5\n", 1000},
	            {"IADD3 R5, R0, 0x3e8, RZ\nNANOSLEEP R5\n", 1000} /* the shortest of the lanes */};
	for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		char text[1000];
		struct kernel k;
		snprintf(text, sizeof text, PROLOGUE NOW("R10") "%s" NOW("R8") STORE, rows[i].sleep);
		ends(text, 32, 100, 1, &k);
		for (unsigned t = 0; t < 32; t++)
			if (words[2 * t] < rows[i].least || words[2 * t] > rows[i].least + 8)
				fail_msg("%s: thread %u slept %u ns", rows[i].sleep, t, words[2 * t]);
		kernel_free(&k);
	}
}

/* A sleeper lets other lanes run: both sides of a branch, and two warps, sleep at the same time. */
static void test_together(void **x)
{
	(void)x;
	struct kernel k;
	ends(PROLOGUE NOW("R10") "BSSY B0, {out}\n@P5 BRA {long}\nNANOSLEEP 0x3e8\nBRA {met}\nlong:\nNANOSLEEP 0x7d0\n"
	                         "met:\nBSYNC B0\nout:\n" NOW("R8") STORE,
	     64, 200, 1, &k);
	for (unsigned t = 0; t < 64; t++)
		if (words[2 * t] < 1000 || words[2 * t] > 2100)
			fail_msg("thread %u waited %u ns", t, words[2 * t]);
	kernel_free(&k);
}

/* Warp 1 wakes first although warp 0 fell asleep first; each warp notes its turn in one word. */
static void test_order(void **x)
{
	(void)x;
	struct kernel k;
	ends(PROLOGUE "MOV R5, 0x1388\n@!P6 MOV R5, 0x64\nNANOSLEEP R5\nMOV R6, c[0x0][0x160]\n"
	              "MOV R7, c[0x0][0x164]\nMOV R8, 0x1\nLOP3.LUT P0, RZ, R0, 0x1f, RZ, 0xc0, !PT\n@P0 EXIT\n"
	              "ATOMG.E.ADD.STRONG.GPU PT, R8, [R6+0x3f8], R8\nSTG.E.SYS [R2], R8\nEXIT\n",
	     64, 200, 1, &k);
	assert_int_equal(words[0], 1);
	assert_int_equal(words[2 * 32], 0);
	kernel_free(&k);
}

/* A wait for a flag that nobody sets ends after 25 ms, with sleeps and without. */
#define UNTIL(sleep)                                                                                                   \
	PROLOGUE NOW("R10") "again:\nLDG.E.STRONG.SYS R5, [R2]\nISETP.NE.AND P0, PT, R5, RZ, PT\n@P0 EXIT\n" sleep     \
	        NOW("R8") "IADD3 R8, R8, -R10, RZ\nISETP.LT.U32.AND P0, PT, R8, 0x17d7840, PT\n@P0 BRA {again}\n"      \
	                  "STG.E.SYS [R2], R8\nEXIT\n"

static void test_limit_of_time(void **x)
{
	(void)x;
	static const char *const text[] = {UNTIL(""), UNTIL("NANOSLEEP 0x3e8\n"), UNTIL("@P5 NANOSLEEP 0x14\n")};
	for (unsigned i = 0; i < sizeof text / sizeof text[0]; i++) {
		for (unsigned sms = 1; sms <= 2; sms++) {
			struct kernel k;
			ends(text[i], 96, 60000000, sms, &k);
			assert_true(words[0] >= 25000000);
			kernel_free(&k);
		}
	}
}

/* Without the limit the loop goes on for ever: judged after an hour of the clock. Source: docs/spec/time.md,
 * "Deadlock and spinning". */
static void test_clock_is_judged_late(void **x)
{
	(void)x;
	struct kernel k;
	enum wl_outcome o =
	        run(&k,
	            PROLOGUE "again:\nLDG.E.STRONG.SYS R5, [R2]\n" NOW("R8") "ISETP.EQ.AND P0, PT, R5, RZ, PT\n"
	                                                                     "@P0 BRA {again}\nEXIT\n",
	            32, 20000000, 1);
	assert_int_equal(o, WL_DEADLOCK);
	kernel_free(&k);
}

/* A hang of sleepers is proven, for any lengths of sleep on the sides of a branch. */
static void test_sleepers_hang(void **x)
{
	(void)x;
	struct kernel k;
	enum wl_outcome o =
	        run(&k,
	            PROLOGUE "BSSY B0, {out}\n@P5 BRA {odd}\n"
	                     "even:\nNANOSLEEP 0x64\nLDG.E.STRONG.SYS R5, [R2]\nISETP.EQ.AND P0, PT, R5, RZ, PT\n"
	                     "@P0 BRA {even}\nBRA {met}\n"
	                     "odd:\nNANOSLEEP 0x1f\nLDG.E.STRONG.SYS R5, [R2]\nISETP.EQ.AND P0, PT, R5, RZ, PT\n"
	                     "@P0 BRA {odd}\nmet:\nBSYNC B0\nout:\nEXIT\n",
	            64, 1000000, 1);
	if (o != WL_DEADLOCK || !strstr(k.detail, "no memory changes any more"))
		fail_msg("%s: %s", wl_outcome_name(o), k.detail);
	kernel_free(&k);
}

/* A sleeper of one SM sets the flag that another SM spins on: the sleeper's time passes while the other SM runs. */
static void test_other_sm(void **x)
{
	(void)x;
	struct kernel k;
	ends("S2R R1, SR_CTAID.X\nMOV R2, c[0x0][0x160]\nMOV R3, c[0x0][0x164]\nISETP.EQ.AND P0, PT, R1, RZ, PT\n"
	     "@P0 BRA {sets}\nwait:\nLDG.E.STRONG.SYS R9, [R2]\nISETP.EQ.AND P0, PT, R9, RZ, PT\n@P0 BRA {wait}\nEXIT\n"
	     "sets:\nNANOSLEEP 0x2710\nMOV R9, 0x1\nSTG.E.STRONG.SYS [R2], R9\nEXIT\n",
	     32, 40000, 2, &k);
	kernel_free(&k);
}

static void test_coverage(void **x)
{
	(void)x;
	assert_int_equal(kernel_covers("sleep_test"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_length),        cmocka_unit_test(test_together),
	        cmocka_unit_test(test_order),         cmocka_unit_test(test_limit_of_time),
	        cmocka_unit_test(test_other_sm),      cmocka_unit_test(test_clock_is_judged_late),
	        cmocka_unit_test(test_sleepers_hang), cmocka_unit_test(test_coverage),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
