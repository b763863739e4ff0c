// SPDX-License-Identifier: Apache-2.0
/* mon_test.c -- rule a of the order monitor, events of missing units, rules switched off: legal streams pass, illegal
 * streams are named. */
#include "mon_bench.h"

TEST(one_pass_is_legal)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_ATOMS, 4, 3, 0, UINT32_MAX, 0, 4);
	mon_accept(b.m, &q);
	commit(&b, &q, UINT32_MAX);
	retire(&b, &q);
	mon_end(b.m);
	expect(&b, 0);
}

TEST(beats_and_partial_masks_are_legal)
{
	BEGIN(4);
	struct wl_req q = request(WL_UOP_STS, 4, 3, 0, 0x80000013, 0, 4);
	mon_accept(b.m, &q);
	commit(&b, &q, 0x3);
	commit(&b, &q, 0x10);
	commit(&b, &q, 0x80000000);
	retire(&b, &q);
	expect(&b, 0);
}

TEST(a_missing_lane)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_ATOMS, 4, 3, 0, UINT32_MAX, 0, 4);
	mon_accept(b.m, &q);
	commit(&b, &q, UINT32_MAX ^ 0x400);
	retire(&b, &q);
	assert_int_equal(mon_complaint(b.m)->lanes, 0x400);
	expect(&b, 'a');
}

TEST(a_lane_twice)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_ATOMS, 4, 3, 0, UINT32_MAX, 0, 4);
	mon_accept(b.m, &q);
	commit(&b, &q, 0xffff);
	commit(&b, &q, 0xffff8000);
	assert_int_equal(mon_complaint(b.m)->lanes, 0x8000);
	expect(&b, 'a');
}

TEST(an_inactive_lane)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_ATOMS, 4, 3, 0, 0xff, 0, 4);
	mon_accept(b.m, &q);
	commit(&b, &q, 0x1ff);
	expect(&b, 'a');
}

TEST(a_commit_after_retire)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_LDS, 4, 3, 0, 1, 0, 4);
	mon_accept(b.m, &q);
	commit(&b, &q, 1);
	retire(&b, &q);
	commit(&b, &q, 1);
	expect(&b, 'a');
}

TEST(two_retires)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_LDS, 4, 3, 0, 1, 0, 4);
	mon_accept(b.m, &q);
	commit(&b, &q, 1);
	retire(&b, &q);
	retire(&b, &q);
	expect(&b, 'a');
}

TEST(an_event_of_nobody)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_LDS, 4, 3, 0, 1, 0, 4), other = q;
	mon_accept(b.m, &q);
	other.tag.n = 1;
	commit(&b, &other, 1);
	expect(&b, 'a');
}

/* ---- faults ---- */

TEST(faulting_lanes_do_not_commit)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_ATOMS, 4, 3, 0, 0xf, WINDOW - 8, 4); /* lanes 2 and 3 are outside */
	mon_accept(b.m, &q);
	fault(&b, &q, 0xc, WL_FAULT_SHARED_OUT_OF_RANGE);
	commit(&b, &q, 0x3);
	retire(&b, &q);
	expect(&b, 0);
}

TEST(a_faulting_lane_commits)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_ATOMS, 4, 3, 0, 0xf, WINDOW - 8, 4);
	mon_accept(b.m, &q);
	commit(&b, &q, 0x7);
	expect(&b, 'a');
}

TEST(a_fault_is_missing)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_ATOMS, 4, 3, 0, 0xf, 2, 4);
	mon_accept(b.m, &q);
	retire(&b, &q);
	expect(&b, 'a');
}

TEST(a_lane_faults_and_must_not)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_ATOMS, 4, 3, 0, 0xf, 0, 4);
	mon_accept(b.m, &q);
	fault(&b, &q, 0x8, WL_FAULT_MISALIGNED_ADDRESS);
	commit(&b, &q, 0x7);
	retire(&b, &q);
	expect(&b, 'a');
}

TEST(a_fault_comes_late)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_ATOMS, 4, 3, 0, 0xf, WINDOW - 8, 4);
	mon_accept(b.m, &q);
	commit(&b, &q, 0x3);
	fault(&b, &q, 0xc, WL_FAULT_SHARED_OUT_OF_RANGE);
	expect(&b, 'a');
}

TEST(a_fault_of_the_next_beat_is_in_time)
{
	BEGIN(4);
	struct wl_req q = request(WL_UOP_ATOMS, 4, 3, 0, 0x1f, WINDOW - 16, 4); /* lane 4 is outside */
	mon_accept(b.m, &q);
	commit(&b, &q, 0xf);
	fault(&b, &q, 0x10, WL_FAULT_SHARED_OUT_OF_RANGE);
	retire(&b, &q);
	expect(&b, 0);
}

TEST(a_closed_window_faults_all)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_LDS, 4, 15, 0, 0xf, 0, 4);
	mon_accept(b.m, &q);
	fault(&b, &q, 0xf, WL_FAULT_SHARED_OUT_OF_RANGE);
	retire(&b, &q);
	expect(&b, 0);
}

TEST(an_absolute_address_is_not_sign_extended)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_LDS, 4, 3, 0, 1, 0, 0);
	q.inst.ra = WL_RZ;
	q.inst.off = -4; /* 0xfffffc: outside, but not near 2^32 */
	mon_accept(b.m, &q);
	commit(&b, &q, 1);
	expect(&b, 'a');
}

TEST(a_scaled_register_and_a_negative_offset)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_STS, 4, 3, 0, 3, 1, 1); /* 1 << 2 - 4 = 0, 2 << 2 - 4 = 4 */
	q.inst.xn = 2;
	q.inst.off = -4;
	mon_accept(b.m, &q);
	commit(&b, &q, 3);
	retire(&b, &q);
	expect(&b, 0);
}

/* With the number returned by mon_accept, and with a wrong number. */
TEST(a_commit_by_number)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_LDS, 4, 3, 0, 3, 0, 4), other = request(WL_UOP_LDS, 4, 6, 0, 1, 0, 4);
	const unsigned number = mon_accept(b.m, &q), wrong = mon_accept(b.m, &other);
	assert_int_not_equal(number, wrong);
	struct wl_event e = {.kind = WL_EV_COMMIT, .unit = WL_UNIT_atoms_pipe, .tag = q.tag, .lanes = 1};
	mon_commit(b.m, number, &e);
	e.lanes = 2;
	mon_commit(b.m, wrong, &e);
	retire(&b, &q);
	commit(&b, &other, 1);
	retire(&b, &other);
	assert_int_equal(mon_complaint(b.m)->rule, 0);
	mon_commit(b.m, number, &e); /* the request has retired */
	assert_string_equal(mon_complaint(b.m)->text, "event of a request that is not in flight");
	expect(&b, 'a');
}

TEST(a_commit_by_number_of_lanes_that_have_committed)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_LDS, 4, 3, 0, 3, 0, 4);
	const unsigned number = mon_accept(b.m, &q);
	const struct wl_event e = {.kind = WL_EV_COMMIT, .unit = WL_UNIT_atoms_pipe, .tag = q.tag, .lanes = 1};
	mon_commit(b.m, number, &e);
	mon_commit(b.m, number, &e);
	assert_int_equal(mon_complaint(b.m)->lanes, 1);
	expect(&b, 'a');
}

TEST(events_of_units_that_do_not_exist)
{
	BEGIN(32);
	const struct wl_event release = {.kind = WL_EV_RELEASE, .unit = WL_UNIT_barrier_file};
	mon_event(b.m, &release);
	expect(&b, 'd');
	b = start(32);
	const struct wl_event choice = {.kind = WL_EV_CHOICE, .unit = WL_UNIT_mbarrier_engine};
	mon_event(b.m, &choice);
	expect(&b, 'e');
}

TEST(silent_rules)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_ATOMS, 4, 3, 0, 0x7, 64, 0);
	mon_rules(b.m, "acf");
	mon_accept(b.m, &q);
	commit(&b, &q, 4);
	assert_int_equal(mon_complaint(b.m)->rule, 0);
	commit(&b, &q, 4);
	expect(&b, 'a');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(one_pass_is_legal),
	        cmocka_unit_test(beats_and_partial_masks_are_legal),
	        cmocka_unit_test(a_missing_lane),
	        cmocka_unit_test(a_lane_twice),
	        cmocka_unit_test(an_inactive_lane),
	        cmocka_unit_test(a_commit_after_retire),
	        cmocka_unit_test(two_retires),
	        cmocka_unit_test(an_event_of_nobody),
	        cmocka_unit_test(faulting_lanes_do_not_commit),
	        cmocka_unit_test(a_faulting_lane_commits),
	        cmocka_unit_test(a_fault_is_missing),
	        cmocka_unit_test(a_lane_faults_and_must_not),
	        cmocka_unit_test(a_fault_comes_late),
	        cmocka_unit_test(a_fault_of_the_next_beat_is_in_time),
	        cmocka_unit_test(a_closed_window_faults_all),
	        cmocka_unit_test(an_absolute_address_is_not_sign_extended),
	        cmocka_unit_test(a_scaled_register_and_a_negative_offset),
	        cmocka_unit_test(a_commit_by_number),
	        cmocka_unit_test(a_commit_by_number_of_lanes_that_have_committed),
	        cmocka_unit_test(events_of_units_that_do_not_exist),
	        cmocka_unit_test(silent_rules),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
