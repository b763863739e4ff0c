// SPDX-License-Identifier: Apache-2.0
/* ahead_test.c -- FRONT as SOURCE (source_dut.h): launches that are quiet for long. A copy runs ahead in C, with waits
 * of every kind in the DUT. Late kernels must end, and hangs must be found after few requests. */
#include <string.h>

#include "source_dut.h"

#define EVERY                                                                                                          \
	(BIT(atoms_pipe) | BIT(barrier_file) | BIT(warp_collective) | BIT(fence_unit) | BIT(mbarrier_engine) |         \
	 BIT(convergence) | BIT(cluster_barrier))
/* R0 = thread, P6: warp 0, P5: lane 0; R2 = 0; an mbarrier of one arrival at 0x10; a word of shared memory stays 0 */
#define BEGIN                                                                                                          \
	"S2R R0, SR_TID.X\nMOV R2, RZ\nMOV R8, RZ\nISETP.LT.U32.AND P6, PT, R0, 0x20, PT\n"                            \
	"LOP3.LUT R4, R0, 0x1f, RZ, 0xc0, !PT\nISETP.EQ.U32.AND P5, PT, R4, RZ, PT\nSTS [0x40], RZ\n"                  \
	"R2UR UR12, R2\nUMOV UR8, 0x1ffffe\nUMOV UR9, 0x7ffff800\nISETP.EQ.U32.AND P4, PT, R0, RZ, PT\n"               \
	"SYNCS.EXCH.64 URZ, [UR12+0x10], UR8\nBAR.SYNC 0x0\n"
/* Loads the word while the word is 0 and the count is below n: meanwhile lockstep sees no change. */
#define LOOK(n) "look:\nLDS R9, [0x40]\nIADD3 R8, R8, 0x1, RZ\nISETP.LT.U32.AND P0, PT, R8, " n ", PT\n@P0 BRA {look}\n"
#define LATE    "0x30000"
#define NEVER   "0xffffffff"
#define TRYWAIT "try:\nSYNCS.PHASECHK.TRANS64.TRYWAIT P2, [R2+URZ+0x10], RZ\n@!P2 BRA {try}\n"
#define ARRIVE  "@P4 SYNCS.ARRIVE.TRANS64.A1T0 RZ, [UR12+0x10], RZ\n"

/* Code of warp 0 after the loop of LOOK, or of the other lanes beside the loop; code of the other warps meanwhile. */
#define OVER_BARRIER(n)  BEGIN "@P6 BRA {look}\nBAR.SYNC 0x1\nEXIT\n" LOOK(n) "BAR.SYNC 0x1\nEXIT\n"
#define OVER_MBARRIER(n) BEGIN "@P6 BRA {look}\n" TRYWAIT "EXIT\n" LOOK(n) ARRIVE "EXIT\n"
#define OVER_CLUSTER(n)                                                                                                \
	BEGIN "@P6 BRA {look}\nUCGABAR_ARV\nUCGABAR_WAIT\nEXIT\n" LOOK(n) "UCGABAR_ARV\nUCGABAR_WAIT\nEXIT\n"
#define OVER_LANES(n)                                                                                                  \
	BEGIN "BSSY B0, {met}\n@P5 BRA {look}\nMOV R10, 0xfffffffe\nWARPSYNC R10\nBRA {meet}\n" LOOK(                  \
	        n) "meet:\nBSYNC B0\nmet:\n"                                                                           \
	           "MOV R10, 0xffffffff\nWARPSYNC R10\nEXIT\n"

static enum wl_outcome run(struct kernel *k, struct dut *d, const char *text, uint64_t seed)
{
	kernel_init_for(k, WL_SM90, text);
	k->prog.shared_bytes = 256;
	k->launch.block[0] = 96;
	k->launch.limit = 30000000;
	return dut_run(k, d, EVERY, seed);
}

static void test_ends_late(void **x)
{
	(void)x;
	static const char *const texts[] = {OVER_BARRIER(LATE), OVER_MBARRIER(LATE), OVER_CLUSTER(LATE),
	                                    OVER_LANES(LATE)};
	for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct kernel k;
		static struct dut d;
		if (run(&k, &d, texts[i], i) != WL_ENDED)
			fail_msg("case %u: %s", i, k.detail);
		assert_true(d.seen[WL_UNIT_atoms_pipe] > 0x30000); /* in lockstep to the end */
		kernel_free(&k);
	}
}

static void test_hangs_soon(void **x)
{
	(void)x;
	static const char *const texts[] = {OVER_BARRIER(NEVER), OVER_MBARRIER(NEVER), OVER_CLUSTER(NEVER),
	                                    OVER_LANES(NEVER)};
	for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct kernel k;
		static struct dut d;
		if (run(&k, &d, texts[i], i) != WL_DEADLOCK || !strstr(k.detail, "does not get on"))
			fail_msg("case %u: %s", i, k.detail);
		if (d.seen[WL_UNIT_atoms_pipe] > 20000)
			fail_msg("case %u: %u requests", i, (unsigned)d.seen[WL_UNIT_atoms_pipe]);
		kernel_free(&k);
	}
}

/* Warp 0 looks for long and then waits for ever; the other warps look for ever. The report places warp 0 at its
 * wait. */
static void test_place_of_the_hang(void **x)
{
	(void)x;
	struct kernel k;
	static struct dut d;
	static const char text[] = BEGIN
	        "@P6 BRA {look}\nmore:\nLDS R9, [0x40]\nIADD3 R8, R8, 0x1, RZ\n"
	        "ISETP.NE.U32.AND P0, PT, R8, RZ, PT\n@P0 BRA {more}\nEXIT\n" LOOK("0x8000") "BAR.SYNC 0x1\nEXIT\n";
	assert_int_equal(run(&k, &d, text, 1), WL_DEADLOCK);
	if (!strstr(k.detail, "does not get on") || !strstr(k.detail, "waits at barrier 1: 32 of 96 threads arrived"))
		fail_msg("%s", k.detail);
	assert_true(d.seen[WL_UNIT_atoms_pipe] > 0x8000);
	kernel_free(&k);
}

/* Loads the word while the word is 0 and less than `ns` have passed since R10. */
#define UNTIL(ns)                                                                                                      \
	BEGIN "CS2R R10, SR_CLOCKLO\nlook:\nLDS R9, [0x40]\nCS2R R12, SR_CLOCKLO\nIADD3 R8, R12, -R10, RZ\n"           \
	      "ISETP.LT.U32.AND P0, PT, R8, " ns ", PT\n@P0 BRA {look}\nEXIT\n"

static enum wl_outcome run_by_clock(struct kernel *k, struct dut *d, const char *text, uint64_t limit)
{
	kernel_init_for(k, WL_SM90, text);
	k->prog.shared_bytes = 256;
	k->launch.block[0] = 64;
	k->launch.limit = limit;
	return dut_run(k, d, EVERY, 1);
}

/* A loop that reads the clock may give up: judged after an hour of the copy's clock. Source: docs/spec/time.md,
 * "Deadlock and spinning". */
static void test_clock(void **x)
{
	(void)x;
	struct kernel k;
	static struct dut d;
	static const char text[] = BEGIN "look:\nLDS R9, [0x40]\nCS2R R12, SR_CLOCKLO\n"
	                                 "ISETP.NE.U32.AND P0, PT, R9, 0x1, PT\n@P0 BRA {look}\nEXIT\n";
	if (run_by_clock(&k, &d, text, 1000000) != WL_DEADLOCK ||
	    !strstr(k.detail, "s of the clock its warps have read"))
		fail_msg("%s", k.detail);
	assert_true(d.seen[WL_UNIT_atoms_pipe] < 20000);
	kernel_free(&k);
}

/* The copy sees the end of the wait, far away: lockstep waits the full time. */
static void test_clock_gives_up(void **x)
{
	(void)x;
	struct kernel k;
	static struct dut d;
	const enum wl_outcome far = run_by_clock(&k, &d, UNTIL("0x77359400"), 1000000); /* 2 s */
	if (far != WL_LIMIT)
		fail_msg("2 s: %s", k.detail);
	kernel_free(&k);
	const enum wl_outcome near = run_by_clock(&k, &d, UNTIL("0x124f80"), 3000000); /* 1.2 ms */
	if (near != WL_ENDED)
		fail_msg("1.2 ms: %s", k.detail);
	assert_true(d.seen[WL_UNIT_atoms_pipe] > 200000); /* a request for each round of five instructions */
	kernel_free(&k);
}

/* As UNTIL, and then on to `next`; the code behind `start` is of the warps but warp 0. */
#define THEN(start, ns, next)                                                                                          \
	BEGIN "CS2R R10, SR_CLOCKLO\n@P6 BRA {look}\n" start                                                           \
	      "look:\nLDS R9, [0x40]\nCS2R R12, SR_CLOCKLO\nIADD3 R8, R12, -R10, RZ\n"                                 \
	      "ISETP.LT.U32.AND P0, PT, R8, " ns ", PT\n@P0 BRA {look}\n" next

/* The copy leaps to the end of a wait of 2 s, and hangs there. The launch is not there yet: no report of the copy's
 * places. In C alone each launch hangs. */
static void test_hangs_behind_a_clock(void **x)
{
	(void)x;
	static const char *const texts[] = {
	        THEN("", "0x77359400", "end:\nLDS R9, [0x44]\nBRA {end}\n"),
	        THEN("end:\nLDS R9, [0x44]\nBRA {end}\n", "0x77359400", "BAR.SYNC 0x1\nEXIT\n"),
	        THEN(TRYWAIT "EXIT\n", "0x77359400", "BAR.SYNC 0x1\nEXIT\n"),
	};
	for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct kernel k;
		static struct dut d;
		if (run_by_clock(&k, &d, texts[i], 1000000) != WL_LIMIT)
			fail_msg("case %u: %s", i, k.detail);
		kernel_free(&k);
		kernel_init_for(&k, WL_SM90, texts[i]);
		k.prog.shared_bytes = 256;
		k.launch.block[0] = 64;
		k.launch.limit = 100000000;
		if (kernel_run(&k) != WL_DEADLOCK)
			fail_msg("case %u in C: %s", i, k.detail);
		kernel_free(&k);
	}
}

/* A hundred tries of half a millisecond, each of which reads one word: the loop ends. */
static void test_tries_by_clock(void **x)
{
	(void)x;
	struct kernel k;
	static struct dut d;
	static const char text[] =
	        BEGIN "MOV R14, RZ\ntry:\nCS2R R10, SR_CLOCKLO\nlook:\nLDS R9, [0x40]\nCS2R R12, SR_CLOCKLO\n"
	              "IADD3 R8, R12, -R10, RZ\nISETP.LT.U32.AND P0, PT, R8, 0x80000, PT\n@P0 BRA {look}\n"
	              "IADD3 R14, R14, 0x1, RZ\nISETP.LT.U32.AND P0, PT, R14, 0x64, PT\n@P0 BRA {try}\nEXIT\n";
	if (run_by_clock(&k, &d, text, 1000000) != WL_LIMIT)
		fail_msg("%s", k.detail);
	kernel_free(&k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_ends_late),         cmocka_unit_test(test_hangs_soon),
	        cmocka_unit_test(test_place_of_the_hang), cmocka_unit_test(test_clock),
	        cmocka_unit_test(test_clock_gives_up),    cmocka_unit_test(test_hangs_behind_a_clock),
	        cmocka_unit_test(test_tries_by_clock),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
