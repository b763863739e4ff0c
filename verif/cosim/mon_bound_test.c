// SPDX-License-Identifier: Apache-2.0
/* mon_bound_test.c -- rule f of the order monitor: a request takes no more cycles than the bound. */
#include "mon_bench.h"

TEST(late_is_too_late)
{
	BEGIN(32); /* a single request in flight: 64 x 2 x 1 cycles */
	struct wl_req q = request(WL_UOP_LDS, 4, 3, 0, 1, 0, 4);
	mon_accept(b.m, &q);
	commit(&b, &q, 1);
	wait_cycles(&b, 127, false);
	assert_int_equal(mon_complaint(b.m)->rule, 0);
	wait_cycles(&b, 1, false);
	retire(&b, &q);
	expect(&b, 'f');
}

TEST(a_lean_form_may_take_longer)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_LDS, 4, 3, 0, 1, 0, 4);
	mon_lean(b.m, true);
	mon_memory(b.m, 10); /* a read and a write of memory for each lane */
	mon_accept(b.m, &q);
	commit(&b, &q, 1);
	wait_cycles(&b, 2 * (24576 + 640) - 1, false);
	assert_int_equal(mon_complaint(b.m)->rule, 0);
	wait_cycles(&b, 1, false);
	retire(&b, &q);
	expect(&b, 'f');
}

/* Three in flight, two leave, and a fourth comes: three count for the first request, two for the fourth. Either the
 * first request or the fourth retires at an age of `age` cycles. */
static void crowd(unsigned age, bool of_first, char rule)
{
	struct bench b = start(32);
	struct wl_req q[4];
	for (unsigned i = 0; i < 4; i++)
		q[i] = request(WL_UOP_LDS, 4, 3 * i, 0, 1, 0, 4);
	for (unsigned i = 0; i < 3; i++)
		mon_accept(b.m, &q[i]);
	for (unsigned i = 0; i < 3; i++)
		commit(&b, &q[i], 1);
	retire(&b, &q[1]);
	retire(&b, &q[2]); /* five cycles so far */
	mon_accept(b.m, &q[3]);
	commit(&b, &q[3], 1);
	if (of_first)
		retire(&b, &q[3]);
	wait_cycles(&b, of_first ? age - 7 : age - 1, false);
	retire(&b, &q[of_first ? 0 : 3]);
	expect(&b, rule);
}

TEST(the_bound_is_that_of_most_in_flight_since)
{
	(void)state;
	crowd(64 * 4, true, 0);
	crowd(64 * 4 + 1, true, 'f');
	crowd(64 * 3, false, 0);
	crowd(64 * 3 + 1, false, 'f');
}

TEST(a_request_that_never_retires)
{
	BEGIN(4); /* 64 x 2 x 8 cycles */
	struct wl_req q = request(WL_UOP_LDS, 4, 3, 0, 1, 0, 4);
	mon_accept(b.m, &q);
	wait_cycles(&b, 1024, false);
	assert_int_equal(mon_complaint(b.m)->rule, 0);
	wait_cycles(&b, 64, false);
	expect(&b, 'f');
}

TEST(stalled_cycles_do_not_count)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_LDS, 4, 3, 0, 1, 0, 4);
	mon_accept(b.m, &q);
	commit(&b, &q, 1);
	wait_cycles(&b, 100000, true);
	retire(&b, &q);
	expect(&b, 0);
}

TEST(a_request_left_at_the_end)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_LDS, 4, 3, 0, 1, 0, 4);
	mon_accept(b.m, &q);
	mon_end(b.m);
	expect(&b, 'f');
}

TEST(what_the_harness_owes_does_not_count)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_LDS, 4, 3, 0, 1, 0, 4);
	mon_accept(b.m, &q);
	for (unsigned i = 0; i < 100000; i++) {
		mon_owed(b.m, &q.tag);
		mon_cycle(b.m, false);
	}
	commit(&b, &q, 1);
	retire(&b, &q);
	expect(&b, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(late_is_too_late),
	        cmocka_unit_test(a_lean_form_may_take_longer),
	        cmocka_unit_test(the_bound_is_that_of_most_in_flight_since),
	        cmocka_unit_test(a_request_that_never_retires),
	        cmocka_unit_test(stalled_cycles_do_not_count),
	        cmocka_unit_test(a_request_left_at_the_end),
	        cmocka_unit_test(what_the_harness_owes_does_not_count),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
