// SPDX-License-Identifier: Apache-2.0
/* spin_test.c -- kernels that spin. Kernels that can never end are deadlocks, reported with the address waited at.
 * Kernels with a late end, or without a proof of a hang, are not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "kernel.h"

/* R0 = thread, R2:R3 = address of parameter 0, R4 = warp; P6: warp 0 */
#define PROLOGUE                                                                                                       \
	"S2R R0, SR_TID.X\nMOV R2, c[0x0][0x160]\nMOV R3, c[0x0][0x164]\nSHF.R.U32.HI R4, RZ, 0x5, R0\n"               \
	"ISETP.EQ.U32.AND P6, PT, R4, RZ, PT\n"
#define WAIT_FLAG "wait:\nLDG.E.STRONG.SYS R9, [R2]\nISETP.EQ.AND P0, PT, R9, RZ, PT\n@P0 BRA {wait}\n"
#define SET_FLAG  "MOV R9, 0x1\nSTG.E.STRONG.SYS [R2], R9\n"
/* n rounds of a loop that touches no memory */
#define COUNT(n) "MOV R8, RZ\ncount:\nIADD3 R8, R8, 0x1, RZ\nISETP.LT.AND P1, PT, R8, " #n ", PT\n@P1 BRA {count}\n"

static uint32_t *words;
static uint64_t limit = 4000000;

static enum wl_outcome run(struct kernel *k, const char *text, unsigned threads, uint64_t seed)
{
	kernel_init(k, text);
	k->prog.shared_bytes = 256;
	k->launch.block[0] = threads;
	k->launch.limit = limit;
	k->config.seed = seed;
	words = kernel_words(k, 0, 64, 0);
	return kernel_run(k);
}

static void expect(const char *text, enum wl_outcome outcome, const char *phrase)
{
	for (uint64_t seed = 1; seed <= 3; seed++) {
		struct kernel k;
		enum wl_outcome o = run(&k, text, 96, seed);
		if (o != outcome)
			fail_msg("%s: outcome %s: %s", text, wl_outcome_name(o), k.detail);
		if (!strstr(k.detail, phrase))
			fail_msg("'%s' is not in: %s", phrase, k.detail);
		kernel_free(&k);
	}
}

/* Nobody sets the flag; a warp sets the flag only after a barrier; a warp takes a lock twice. */
static void test_hangs(void **x)
{
	(void)x;
	expect(PROLOGUE WAIT_FLAG "EXIT\n", WL_DEADLOCK, "spins on generic address 0x300000000, which stays 0x0");
	expect(PROLOGUE "@P6 BRA {sets}\n" WAIT_FLAG "BAR.SYNC 0x0\nEXIT\nsets:\nBAR.SYNC 0x0\n" SET_FLAG "EXIT\n",
	       WL_DEADLOCK, "waits at barrier 0: 32 of 96 threads arrived");
	expect(PROLOGUE
	       "@!P6 EXIT\nSTS [RZ], RZ\nMOV R10, RZ\nMOV R11, 0x1\n"
	       "take:\nATOMS.CAS R9, [RZ], R10, R11\nISETP.NE.AND P0, PT, R9, RZ, PT\n@P0 BRA {take}\n"
	       "again:\nATOMS.CAS R9, [RZ], R10, R11\nISETP.NE.AND P0, PT, R9, RZ, PT\n@P0 BRA {again}\nEXIT\n",
	       WL_DEADLOCK, "spins on shared address 0x0, which stays 0x1");
	expect("again:\nNOP\nBRA {again}\n", WL_DEADLOCK, "goes round for ever");
	/* 100 other states before the loop, and two nested loops that end */
	expect(PROLOGUE COUNT(0x64) "MOV R8, 0x5\nMOV R9, 0x7\n" WAIT_FLAG "EXIT\n", WL_DEADLOCK, "which stays 0x0");
}

/* A watch must not take these kernels for hangs. */
static void test_ends_late(void **x)
{
	(void)x;
	/* the flag comes after 300000 instructions without a change of memory */
	expect(PROLOGUE "@P6 BRA {sets}\n" WAIT_FLAG "EXIT\nsets:\n" COUNT(0x18000) SET_FLAG "EXIT\n", WL_ENDED,
	       "ended");
	/* every thread counts, then ends */
	expect(PROLOGUE COUNT(0x18000) "EXIT\n", WL_ENDED, "ended");
	/* the waiting lanes give up after a number of tries */
	expect(PROLOGUE "MOV R8, RZ\nwait:\nLDG.E.STRONG.SYS R9, [R2]\nIADD3 R8, R8, 0x1, RZ\n"
	                "ISETP.LT.AND P0, PT, R8, 0x18000, PT\n@P0 BRA {wait}\nEXIT\n",
	       WL_ENDED, "ended");
	/* the clock ends the loop */
	expect(PROLOGUE "wait:\nLDG.E.STRONG.SYS R9, [R2]\nCS2R R8, SR_CLOCKLO\n"
	                "ISETP.LT.AND P0, PT, R8, 0x60000, PT\nMOV R8, RZ\n@P0 BRA {wait}\nEXIT\n",
	       WL_ENDED, "ended");
	/* the clock ends each of a hundred tries */
	expect(PROLOGUE "MOV R14, RZ\ntry:\nCS2R R10, SR_CLOCKLO\nwait:\nLDG.E.STRONG.SYS R9, [R2]\n"
	                "CS2R R12, SR_CLOCKLO\nIADD3 R8, R12, -R10, RZ\nISETP.LT.U32.AND P0, PT, R8, 0x80000, PT\n"
	                "MOV R8, RZ\n@P0 BRA {wait}\nIADD3 R14, R14, 0x1, RZ\nISETP.LT.AND P0, PT, R14, 0x64, PT\n"
	                "@P0 BRA {try}\nEXIT\n",
	       WL_ENDED, "ended");
	/* a slot of the time, one of 32 */
	expect(PROLOGUE "wait:\nLDG.E.STRONG.SYS R9, [R2]\nCS2R R8, SR_CLOCKLO\nSHF.R.U32.HI R8, RZ, 0x14, R8\n"
	                "LOP3.LUT R8, R8, 0x1f, RZ, 0xc0, !PT\nISETP.NE.U32.AND P0, PT, R8, 0xc, PT\n"
	                "MOV R8, RZ\n@P0 BRA {wait}\nEXIT\n",
	       WL_ENDED, "ended");
	/* a lane of the spinning warp sets the flag, after a long way */
	expect(PROLOGUE "BSSY B0, {out}\nISETP.EQ.AND P1, PT, R0, RZ, PT\n@P1 BRA {sets}\n" WAIT_FLAG
	                "BRA {met}\nsets:\n" COUNT(0x18000) SET_FLAG "met:\nBSYNC B0\nout:\nEXIT\n",
	       WL_ENDED, "ended");
}

/* Lane 0 sets the flag after a wait for the lanes that spin on the flag. Lane 0 must get past the wait, however the
 * lanes spin: asleep, yielding, with a repeated state, with an ever new state, over other barriers. */
#define BEHIND(body)                                                                                                   \
	PROLOGUE "ISETP.EQ.AND P1, PT, R0, RZ, PT\nMOV R8, RZ\nBSSY B0, {out}\n@P1 BRA {met}\n"                        \
	         "wait:\nLDG.E.STRONG.SYS R9, [R2]\nISETP.EQ.AND P0, PT, R9, RZ, PT\n" body                            \
	         "@P0 BRA {wait}\nmet:\nBSYNC B0\nout:\n@P1 MOV R9, 0x1\n@P1 STG.E.STRONG.SYS [R2], R9\nEXIT\n"

static void test_waits_for_spinners(void **x)
{
	(void)x;
	limit = 60000; /* before the first watch */
	expect(BEHIND("NANOSLEEP 0x14\n"), WL_ENDED, "ended");
	expect(BEHIND("YIELD\n"), WL_ENDED, "ended");
	limit = 400000;
	expect(BEHIND(""), WL_ENDED, "ended");
	expect(BEHIND("IADD3 R8, R8, 0x1, RZ\n"), WL_ENDED, "ended");
	expect(BEHIND("BSSY B1, {in}\nLOP3.LUT P2, RZ, R0, 0x2, RZ, 0xc0, !PT\n@P2 BRA {in}\nIADD3 R8, R8, 0x1, RZ\n"
	              "in:\nBSYNC B1\n"),
	       WL_ENDED, "ended");
	limit = 4000000;
}

/* The same a hundred times: later rounds must be faster than the first. */
static void test_learns(void **x)
{
	(void)x;
	limit = 600000;
	expect(PROLOGUE "@!P6 EXIT\nMOV R10, RZ\nround:\nIADD3 R10, R10, 0x1, RZ\nBSSY B0, {out}\nMOV R8, RZ\n"
	                "LOP3.LUT R11, R10, 0x1f, RZ, 0xc0, !PT\nISETP.EQ.AND P1, PT, R0, R11, PT\n@P1 BRA {met}\n"
	                "wait:\nLDG.E.STRONG.SYS R9, [R2]\nIADD3 R8, R8, 0x1, RZ\nISETP.LT.AND P0, PT, R9, R10, PT\n"
	                "@P0 BRA {wait}\nmet:\nBSYNC B0\nout:\n@P1 STG.E.STRONG.SYS [R2], R10\nWARPSYNC 0xffffffff\n"
	                "ISETP.LT.AND P0, PT, R10, 0x64, PT\n@P0 BRA {round}\nEXIT\n",
	       WL_ENDED, "ended");
	limit = 4000000;
}

/* States repeat, and memory is the same at the end of each round, but changes in between: no proof. */
static void test_not_proven(void **x)
{
	(void)x;
	limit = 500000;
	expect(PROLOGUE "again:\nMOV R9, 0x1\nSTG.E.STRONG.SYS [R2+0x10], R9\nSTG.E.STRONG.SYS [R2+0x10], RZ\n"
	                "BRA {again}\n",
	       WL_LIMIT, "not at its end after 500000");
	expect(PROLOGUE "again:\nMOV R9, 0x1\nSTS [0x10], R9\nSTS [0x10], RZ\nBRA {again}\n", WL_LIMIT,
	       "not at its end after 500000");
	expect(PROLOGUE "again:\nBAR.SYNC 0x0\nBRA {again}\n", WL_LIMIT, "not at its end after 500000");
	limit = 4000000;
}

/* Stores of the old value, and atomics without a change, do not keep a hang alive. */
static void test_silent_writes(void **x)
{
	(void)x;
	expect(PROLOGUE "again:\nSTG.E.STRONG.SYS [R2+0x10], RZ\nATOMG.E.ADD.STRONG.GPU PT, R9, [R2], RZ\n"
	                "ISETP.EQ.AND P0, PT, R9, RZ, PT\n@P0 BRA {again}\nEXIT\n",
	       WL_DEADLOCK, "which stays 0x0");
}

/* The result of a 64-bit compare-and-store fills both registers: ptxas compares the pair with 1, in 64 bits. */
static void test_spin64(void **x)
{
	(void)x;
	static const char text[] = PROLOGUE
	        "IMAD.SHL.U32 R5, R0, 0x8, RZ\nLOP3.LUT R5, R5, 0x38, RZ, 0xc0, !PT\n"
	        "MOV R10, RZ\nMOV R11, RZ\n@P6 STS.64 [R5], R10\nBAR.SYNC 0x0\n"
	        "loop:\nLDS.U.64 R10, [R5]\nIADD3 R12, P0, R10, R0, RZ\nIADD3.X R13, R11, 0x1, RZ, P0, !PT\n"
	        "ATOMS.CAST.SPIN.64 R12, [R5], R10, R12\nISETP.EQ.U32.AND P0, PT, R12, 0x1, PT\n"
	        "ISETP.EQ.U32.AND.EX P0, PT, R13, RZ, PT, P0\n@!P0 BRA {loop}\n"
	        "WARPSYNC 0xffffffff\nBAR.SYNC 0x0\nISETP.LT.U32.AND P0, PT, R0, 0x8, PT\n@!P0 EXIT\n"
	        "LDS.U.64 R10, [R5]\nMOV R4, 0x8\nIMAD.WIDE.U32 R2, R0, R4, R2\nSTG.E.64.SYS [R2], R10\nEXIT\n";
	for (uint64_t seed = 1; seed <= 5; seed++) {
		struct kernel k;
		enum wl_outcome o = run(&k, text, 96, seed);
		if (o != WL_ENDED)
			fail_msg("%s", k.detail);
		for (uint32_t i = 0; i < 8; i++) { /* threads i, i + 8 ... i + 88; each adds 2^32 more */
			assert_int_equal(words[2 * i], 12 * i + 8 * 66);
			assert_int_equal(words[2 * i + 1], 12);
		}
		kernel_free(&k);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_hangs),
	        cmocka_unit_test(test_ends_late),
	        cmocka_unit_test(test_not_proven),
	        cmocka_unit_test(test_silent_writes),
	        cmocka_unit_test(test_waits_for_spinners),
	        cmocka_unit_test(test_learns),
	        cmocka_unit_test(test_spin64),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
