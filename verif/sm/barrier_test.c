// SPDX-License-Identifier: Apache-2.0
/* barrier_test.c -- named barriers as kernels use and misuse barriers: the front end gathers the lanes of a warp, the
 * unit judges. Each row names the fault and the place. Source: docs/spec/barriers.md, "Faults". */
#include <string.h>

#include "kernel_test.h"

enum { THREADS = 96 }; /* three warps */

/* Warp 0 executes `first`, warps 1 and 2 `others`. */
static enum wl_outcome run(struct kernel *k, const char *first, const char *others)
{
	char text[2000];
	snprintf(text, sizeof text,
	         PROLOGUE "ISETP.LT.U32.AND P0, PT, R0, 0x20, PT\nISETP.LT.U32.AND P1, PT, R0, 0x40, PT\n"
	                  "@P0 BRA {first}\n%s\nEXIT\nfirst:\n%s\nEXIT\n",
	         others, first);
	kernel_init(k, text);
	k->launch.block[0] = THREADS;
	kernel_words(k, 0, THREADS, 0);
	return kernel_run(k);
}

static void faults(const char *first, const char *others, const char *const *phrases)
{
	struct kernel k;
	enum wl_outcome o = run(&k, first, others);
	if (o != WL_FAULTED)
		fail_msg("%s / %s: outcome %s: %s", first, others, wl_outcome_name(o), k.detail);
	for (; *phrases; phrases++)
		if (!strstr(k.detail, *phrases))
			fail_msg("%s / %s: '%s' is not in: %s", first, others, *phrases, k.detail);
	kernel_free(&k);
}
#define FAULTS(first, others, ...) faults(first, others, (const char *const[]){__VA_ARGS__, NULL})

static void passes(const char *first, const char *others)
{
	struct kernel k;
	if (run(&k, first, others) != WL_ENDED)
		fail_msg("%s / %s: %s", first, others, k.detail);
	kernel_free(&k);
}

static void test_bad_id(void **x)
{
	(void)x;
	FAULTS("MOV R9, 0x10\nBAR.SYNC R9", "EXIT", "BAR_BAD_ID", "`BAR.SYNC R9`", "warp 0", "lanes 0xffffffff");
	FAULTS("MOV R9, 0xffffffff\nBAR.SYNC R9", "EXIT", "BAR_BAD_ID");
	FAULTS("MOV R9, 0x80000000\nBAR.SYNC R9", "EXIT", "BAR_BAD_ID");
	passes("MOV R9, 0xf\nBAR.SYNC R9", "BAR.SYNC 0xf");
}

static void test_bad_count(void **x)
{
	(void)x;
	FAULTS("MOV R9, 0x21\nBAR.SYNC 0x1, R9", "EXIT", "BAR_BAD_COUNT", "lanes 0xffffffff");
	FAULTS("BAR.SYNC 0x1, 0x80", "EXIT", "BAR_BAD_COUNT"); /* more than the CTA's threads */
	FAULTS("MOV R9, RZ\nBAR.ARV 0x1, R9", "EXIT", "BAR_BAD_COUNT");
	FAULTS("MOV R9, 0x10\nBAR.SYNC R9, 0x21", "EXIT", "BAR_BAD_ID"); /* the first fault of the table counts */
	passes("MOV R9, RZ\nBAR.SYNC 0x1, R9", "BAR.SYNC 0x1");          /* 0: all threads */
}

static void test_count_mismatch(void **x)
{
	(void)x;
	FAULTS("BAR.SYNC 0x1, 0x40", "BAR.SYNC 0x1, 0x60", "BAR_COUNT_MISMATCH", "lanes 0xffffffff");
	FAULTS("BAR.SYNC 0x1, 0x40", "BAR.SYNC 0x1", "BAR_COUNT_MISMATCH");
	passes("BAR.SYNC 0x1, 0x60", "BAR.SYNC 0x1"); /* without a count: all threads of the CTA */
}

static void test_mode_mismatch(void **x)
{
	(void)x;
	FAULTS("BAR.RED.POPC 0x0, PT", "BAR.SYNC 0x0", "BAR_MODE_MISMATCH", "lanes 0xffffffff");
	FAULTS("BAR.RED.POPC 0x0, PT", "BAR.RED.AND 0x0, !PT", "BAR_MODE_MISMATCH");
	FAULTS("BAR.RED.AND 0x0, PT", "BAR.RED.OR 0x0, PT", "BAR_MODE_MISMATCH");
	FAULTS("BAR.RED.AND 0x0, 0x60, PT", "BAR.ARV 0x0, 0x60", "BAR_MODE_MISMATCH");
	FAULTS("BAR.SYNC 0x0, 0x40", "BAR.RED.OR 0x0, PT", "BAR_COUNT_MISMATCH"); /* before the mode in the table */
	passes("BAR.ARV 0x0, 0x60", "BAR.SYNC 0x0");
	passes("BAR.RED.AND 0x0, PT\nBAR.RED.OR 0x0, PT\nBAR.SYNC 0x0",
	       "BAR.RED.AND 0x0, PT\nBAR.RED.OR 0x0, PT\nBAR.SYNC 0x0"); /* one phase for each */
}

static void test_double_arrive(void **x)
{
	(void)x;
	FAULTS("BAR.ARV 0x1, 0x60\nBAR.SYNC 0x1, 0x60", "EXIT", "BAR_DOUBLE_ARRIVE", "`BAR.SYNC 0x1, 0x60`");
	passes("BAR.ARV 0x1, 0x20\nBAR.ARV 0x1, 0x20", "EXIT"); /* complete at once */
}

static void test_not_converged(void **x)
{
	(void)x;
#define HALVES(low, high)                                                                                              \
	"ISETP.LT.U32.AND P2, PT, R0, 0x10, PT\n@P2 BRA {low}\n" high "\nEXIT\nlow:\nYIELD\n" low "\nEXIT\n"
	FAULTS(HALVES("BAR.SYNC 0x1", "BAR.SYNC 0x2"), "EXIT", "BAR_NOT_CONVERGED", "warp 0", "lanes 0x0000ffff",
	       "`BAR.SYNC 0x1`"); /* place of the last lanes to arrive */
	FAULTS(HALVES("BAR.ARV 0x1, 0x60", "BAR.SYNC 0x1, 0x60"), "EXIT", "BAR_NOT_CONVERGED");
	FAULTS(HALVES("BAR.RED.OR 0x1, PT", "BAR.RED.AND 0x1, PT"), "EXIT", "BAR_NOT_CONVERGED");
	FAULTS(HALVES("BAR.SYNC 0x1, 0x40", "BAR.SYNC 0x1, 0x60"), "EXIT", "BAR_NOT_CONVERGED");
	passes(HALVES("BAR.SYNC 0x1", "BAR.SYNC 0x1, 0x60"), "BAR.SYNC 0x1");
	/* Lanes that leave complete the gathering. The fault's place is the wait of the other lanes, not the exit. */
	FAULTS(HALVES("EXIT", "MOV R9, 0x20\nBAR.SYNC R9"), "EXIT", "BAR_BAD_ID", "`BAR.SYNC R9`", "lanes 0xffff0000");
#undef HALVES
}

/* The result of BAR.RED in each warp, as a register and as a predicate. Living lanes vote. */
static void test_reductions(void **x)
{
	(void)x;
#define RED(kind) "ISETP.LT.U32.AND P3, PT, R0, 0x2a, PT\nBAR.RED." kind " 0x3, P3\nB2R.RESULT R8\n"
	EACH_THREAD(THREADS, RED("POPC"), 42);
	EACH_THREAD(THREADS, RED("AND"), 0);
	EACH_THREAD(THREADS, RED("OR"), 1);
	EACH_THREAD(THREADS, "BAR.RED.AND 0x3, PT\nB2R.RESULT R8\n", 1);
	EACH_THREAD(THREADS, "BAR.RED.OR 0x3, !PT\nB2R.RESULT R8\n", 0);
	EACH_THREAD(90, "BAR.RED.POPC 0x3, PT\nB2R.RESULT R8\n", 90);
	EACH_THREAD(90, "BAR.RED.AND 0x3, PT\nB2R.RESULT R8\n", 1);
#undef RED
}

/* A phase shrinks with warps that exit, unless an arrival gave a count. */
static void test_exit(void **x)
{
	(void)x;
	struct kernel k;
	passes("BAR.SYNC 0x1", "YIELD\nEXIT");
	assert_int_equal(run(&k, "BAR.SYNC 0x1, 0x60", "EXIT"), WL_DEADLOCK);
	assert_non_null(strstr(k.detail, "barrier 1: 32 of 96 threads arrived"));
	kernel_free(&k);
	assert_int_equal(run(&k, "BAR.SYNC 0x1", "@P1 BAR.ARV 0x1, 0x60"), WL_DEADLOCK);
	assert_non_null(strstr(k.detail, "64 of 96 threads arrived"));
	kernel_free(&k);
}

/* Forms without a meaning, made by no compiler: the error names the form. */
static void test_not_built(void **x)
{
	static const char *const text[] = {"BAR.SYNCALL", "BAR.SCAN R9, 0x60, PT"};
	(void)x;
	for (unsigned i = 0; i < sizeof text / sizeof *text; i++) {
		struct kernel k;
		if (run(&k, text[i], "EXIT") != WL_ERROR || !strstr(k.detail, "not built yet") ||
		    !strstr(k.detail, text[i]))
			fail_msg("%s: %s", text[i], k.detail);
		kernel_free(&k);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_bad_id),         cmocka_unit_test(test_bad_count),
	        cmocka_unit_test(test_count_mismatch), cmocka_unit_test(test_mode_mismatch),
	        cmocka_unit_test(test_double_arrive),  cmocka_unit_test(test_not_converged),
	        cmocka_unit_test(test_reductions),     cmocka_unit_test(test_exit),
	        cmocka_unit_test(test_not_built),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
