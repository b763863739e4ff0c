// SPDX-License-Identifier: Apache-2.0
/* monitor_test.c -- the monitor as a library: legal and illegal orders, bad calls, values by hand.
 * Source: docs/spec/lockstep.md, "Order rules". */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "monitor.h"

enum { LEGAL = WL_MONITOR_LEGAL, ILLEGAL = WL_MONITOR_ILLEGAL, MISUSE = WL_MONITOR_MISUSE };
static const uint32_t ALL = UINT32_MAX;
static struct wl_monitor *m;

static void open_monitor(const char *parameters)
{
	m = wl_monitor_open(parameters);
	if (!m)
		fail_msg("%s", wl_monitor_open_error());
	assert_int_equal(wl_monitor_start_cta(m, 0, 4, 3, 32, 0, 4096), LEGAL);
}

static void says(int got, int want, const char *text)
{
	if (got != want || !strstr(wl_monitor_why(m), text))
		fail_msg("%d '%s'; expected %d '%s'", got, wl_monitor_why(m), want, text);
}
#define YES(call) says(call, LEGAL, "")

/* Addresses of four bytes a lane, from `at` on, `step` bytes apart. */
static void addresses(uint32_t at, uint32_t step)
{
	for (uint32_t lane = 0; lane < 32; lane++)
		YES(wl_monitor_operand(m, 0, lane, 0, at + step * lane));
}

static void test_barrier(void **x)
{
	(void)x;
	open_monitor("arch=sm_90");
	YES(wl_monitor_request(m, 1, 0, 4, "BAR.SYNC.DEFER_BLOCKING 0x2, 0x40", ALL, 0));
	YES(wl_monitor_commit(m, 1, ALL));
	YES(wl_monitor_request(m, 2, 0, 5, "BAR.ARV 0x2, 0x40", ALL, 0));
	YES(wl_monitor_commit(m, 2, ALL));
	YES(wl_monitor_retire(m, 2));
	YES(wl_monitor_release(m, "barrier_file", 0, 2, 1 << 4));
	YES(wl_monitor_request(m, 1, 0, 4, "BAR.SYNC.DEFER_BLOCKING 0x2, 0x40", ALL, 0)); /* the tag is free again */
	YES(wl_monitor_commit(m, 1, ALL));
	says(wl_monitor_release(m, "barrier_file", 0, 2, 1 << 4), ILLEGAL, "rule d");
	assert_int_equal(wl_monitor_rule(m), 'd');
	says(wl_monitor_end(m), ILLEGAL, "rule d"); /* the first breach stays */
	wl_monitor_close(m);
}

static void test_lane_order(void **x)
{
	(void)x;
	open_monitor("lanes=32");
	addresses(64, 0);
	YES(wl_monitor_request(m, 9, 0, 6, "ATOMS.ADD R3, [R0], R2", 3, 0));
	says(wl_monitor_commit(m, 9, 2), ILLEGAL, "rule b");
	wl_monitor_close(m);
	open_monitor("lanes=32 rules=acdef");
	addresses(64, 0);
	YES(wl_monitor_request(m, 9, 0, 6, "ATOMS.ADD R3, [R0], R2", 3, 0));
	YES(wl_monitor_commit(m, 9, 2));
	YES(wl_monitor_commit(m, 9, 1));
	YES(wl_monitor_retire(m, 9));
	YES(wl_monitor_end_cta(m, 0));
	YES(wl_monitor_end(m));
	wl_monitor_close(m);
}

static void test_program_order(void **x)
{
	(void)x;
	open_monitor("");
	addresses(0, 4);
	YES(wl_monitor_request(m, 1, 0, 4, "STS [R0], R2", ALL, 0));
	addresses(0, 4);
	YES(wl_monitor_request(m, 2, 0, 4, "LDS R3, [R0]", ALL, 0));
	says(wl_monitor_commit(m, 2, ALL), ILLEGAL, "rule c");
	wl_monitor_close(m);
}

static void test_lanes_and_time(void **x)
{
	(void)x;
	open_monitor("");
	addresses(0, 4);
	YES(wl_monitor_request(m, 1, 0, 4, "STS [R0], R2", 0xff, 0));
	YES(wl_monitor_commit(m, 1, 0x0f));
	says(wl_monitor_retire(m, 1), ILLEGAL, "rule a");
	wl_monitor_close(m);
	open_monitor("");
	addresses(1, 4);
	YES(wl_monitor_request(m, 1, 0, 4, "STS [R0], R2", 1, 0));
	YES(wl_monitor_fault(m, 1, 1, 1)); /* MISALIGNED_ADDRESS */
	YES(wl_monitor_retire(m, 1));
	addresses(0, 4);
	YES(wl_monitor_request(m, 1, 0, 4, "STS [R0], R2", 1, 0));
	for (unsigned i = 0; i < 64; i++) /* cycles that do not count, and half of the others */
		YES(wl_monitor_cycle(m, 1)), YES(wl_monitor_cycle(m, 0));
	int last = LEGAL;
	for (unsigned i = 0; i < 200 && last == LEGAL; i++)
		last = wl_monitor_cycle(m, 0);
	says(last, ILLEGAL, "rule f");
	wl_monitor_close(m);
}

static void test_exit(void **x)
{
	(void)x;
	open_monitor("");
	YES(wl_monitor_request(m, 1, 0, 4, "BAR.SYNC.DEFER_BLOCKING 0x0", ALL, 0));
	YES(wl_monitor_commit(m, 1, ALL));
	for (uint32_t warp = 5; warp < 7; warp++) {
		YES(wl_monitor_request(m, 2, 0, warp, "EXIT", ALL, 0));
		YES(wl_monitor_exit(m, 2));
		YES(wl_monitor_retire(m, 2));
	}
	YES(wl_monitor_release(m, "barrier_file", 0, 0, 1 << 4)); /* the others have ended */
	YES(wl_monitor_end(m));
	wl_monitor_close(m);
}

static void test_misuse(void **x)
{
	(void)x;
	assert_null(wl_monitor_open("lanes=5"));
	assert_non_null(strstr(wl_monitor_open_error(), "lanes is 5"));
	assert_null(wl_monitor_open("rules=xyz"));
	assert_non_null(strstr(wl_monitor_open_error(), "expected letters of abcdefg"));
	assert_null(wl_monitor_open("speed=1"));
	assert_non_null(strstr(wl_monitor_open_error(), "'speed' is unknown"));
	assert_null(wl_monitor_open("arch=sm_1"));
	open_monitor("");
	says(wl_monitor_start_cta(m, 0, 0, 1, 32, 0, 0), MISUSE, "slot 0 has a CTA");
	says(wl_monitor_start_cta(m, 1, 6, 1, 32, 0, 0), MISUSE, "slot 0 has some of the warps");
	says(wl_monitor_start_cta(m, 16, 0, 1, 32, 0, 0), MISUSE, "expected 0..15");
	says(wl_monitor_end_cta(m, 1), MISUSE, "slot 1 has no CTA");
	says(wl_monitor_request(m, 1, 0, 3, "STS [R0], R2", 1, 0), MISUSE, "does not belong");
	says(wl_monitor_request(m, 1, 0, 4, "STS [R0], R2", 0, 0), MISUSE, "an active lane");
	says(wl_monitor_request(m, 1, 0, 4, "IADD3 R0, R1, R2, RZ", 1, 0), MISUSE, "none of the units");
	says(wl_monitor_request(m, 1, 0, 4, "NONSENSE", 1, 0), MISUSE, "NONSENSE");
	says(wl_monitor_request(m, 1, 0, 4, "@P0 STS [R0], R2", 1, 0), MISUSE, "has a guard");
	YES(wl_monitor_request(m, 1, 0, 4, "STS [R0], R2", 1, 0));
	says(wl_monitor_request(m, 1, 0, 4, "STS [R0], R2", 1, 0), MISUSE, "tag 1: a request");
	says(wl_monitor_end_cta(m, 0), MISUSE, "tag 1 is open");
	says(wl_monitor_commit(m, 7, 1), MISUSE, "tag 7");
	says(wl_monitor_fault(m, 1, 1, 0), MISUSE, "fault 0");
	says(wl_monitor_operand(m, 4, 0, 0, 0), MISUSE, "operand");
	says(wl_monitor_release(m, "nobody", 0, 0, 1), MISUSE, "unit 'nobody'");
	YES(wl_monitor_commit(m, 1, 1));
	YES(wl_monitor_retire(m, 1));
	wl_monitor_close(m);
	wl_monitor_close(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_barrier),       cmocka_unit_test(test_lane_order),
	        cmocka_unit_test(test_program_order), cmocka_unit_test(test_lanes_and_time),
	        cmocka_unit_test(test_exit),          cmocka_unit_test(test_misuse),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
