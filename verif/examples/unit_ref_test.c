// SPDX-License-Identifier: Apache-2.0
/* unit_ref_test.c -- references of single units: right and wrong events, values by hand.
 * Source: docs/spec/barriers.md, "Faults"; docs/spec/shared-memory.md, "Passes"; docs/spec/warp.md, "Shuffle". */
#include "unit_ref_test.h"

enum { BAD_COUNT = 18, COUNT_MISMATCH = 19, DOUBLE_ARRIVE = 21 }; /* of the RTL */

static void arrive(uint32_t tag, uint32_t warp, const char *text)
{
	YES(wl_unit_request(unit, tag, 0, warp, text, ALL, 0));
}

static void test_meeting(void **x)
{
	(void)x;
	open_unit("barrier_file", "arch=sm_90");
	YES(wl_unit_start_cta(unit, 0, 0, 4, 3, 0, 0));
	arrive(1, 4, "BAR.SYNC.DEFER_BLOCKING 0x2, 0x40");
	says(wl_unit_commit(unit, 1, 0xff), DIFFERS, "REF has lanes 0xffffffff");
	YES(wl_unit_commit(unit, 1, ALL));
	says(wl_unit_commit(unit, 1, ALL), DIFFERS, "second time");
	YES(wl_unit_compare(unit, 0, 2, 0x10, 0x10));
	says(wl_unit_compare(unit, 0, 2, 0x30, 0x10), DIFFERS, "warps 0x30 arrived");
	says(wl_unit_release(unit, 0, 2, 0x10, 0), DIFFERS, "no release due");
	says(wl_unit_retire(unit, 1), DIFFERS, "waiting");
	assert_string_equal(wl_unit_explain(unit, 0), "barrier 2 (sync): 1 of 2 warps arrived, warps 0x10 wait\n"
	                                              "tag 1, warp 4: lanes 0x0 left, waits\n");
	arrive(2, 6, "BAR.ARV 0x2, 0x40");
	YES(wl_unit_commit(unit, 2, ALL));
	says(wl_unit_idle(unit), DIFFERS, "tag 1 is open");
	says(wl_unit_release(unit, 0, 2, 0x50, 0), DIFFERS, "0x50 go on");
	says(wl_unit_release(unit, 0, 2, 0x10, 1), DIFFERS, "with 1");
	YES(wl_unit_release(unit, 0, 2, 0x10, 0));
	YES(wl_unit_retire(unit, 1));
	YES(wl_unit_retire(unit, 2));
	YES(wl_unit_idle(unit));
	wl_unit_close(unit);
}

static void test_faults(void **x)
{
	(void)x;
	open_unit("barrier_file", "");
	YES(wl_unit_start_cta(unit, 0, 0, 0, 3, 0, 0));
	arrive(1, 0, "BAR.SYNC.DEFER_BLOCKING 0x1, 0x21");
	assert_int_equal(wl_unit_static_faults(unit, 1), ALL);
	says(wl_unit_commit(unit, 1, ALL), DIFFERS, "BAR_BAD_COUNT");
	says(wl_unit_fault(unit, 1, ALL, COUNT_MISMATCH), DIFFERS, "BAR_BAD_COUNT");
	says(wl_unit_retire(unit, 1), DIFFERS, "have not faulted");
	YES(wl_unit_fault(unit, 1, ALL, BAD_COUNT));
	says(wl_unit_fault(unit, 1, ALL, BAD_COUNT), DIFFERS, "have not");
	YES(wl_unit_retire(unit, 1));
	arrive(1, 0, "BAR.ARV 0x1, 0x40");
	says(wl_unit_fault(unit, 1, ALL, DOUBLE_ARRIVE), DIFFERS, "no fault there");
	YES(wl_unit_compare(unit, 0, 1, 0, 0));
	YES(wl_unit_commit(unit, 1, ALL));
	YES(wl_unit_retire(unit, 1));
	arrive(1, 0, "BAR.SYNC.DEFER_BLOCKING 0x1, 0x40");
	says(wl_unit_commit(unit, 1, ALL), DIFFERS, "BAR_DOUBLE_ARRIVE");
	says(wl_unit_fault(unit, 1, ALL, COUNT_MISMATCH), DIFFERS, "BAR_DOUBLE_ARRIVE");
	says(wl_unit_fault(unit, 1, 0xf, DOUBLE_ARRIVE), DIFFERS, "fault of lanes 0xf; REF has lanes 0xffffffff");
	YES(wl_unit_fault(unit, 1, ALL, DOUBLE_ARRIVE));
	YES(wl_unit_retire(unit, 1)); /* a warp that faulted does not wait */
	YES(wl_unit_compare(unit, 0, 1, 1, 0));
	arrive(1, 1, "BAR.SYNC.DEFER_BLOCKING 0x1");
	YES(wl_unit_fault(unit, 1, ALL, COUNT_MISMATCH));
	wl_unit_close(unit);
}

/* Without a count an EXIT completes the phase. 3 of warp 0 and 5 of warp 1 vote yes. */
static void test_reduction_and_exit(void **x)
{
	(void)x;
	open_unit("barrier_file", "");
	YES(wl_unit_start_cta(unit, 0, 7, 0, 3, 0, 0));
	YES(wl_unit_request(unit, 10, 0, 0, "BAR.RED.POPC.DEFER_BLOCKING 0x3, P0", ALL, 0x7));
	YES(wl_unit_request(unit, 11, 0, 1, "BAR.RED.POPC.DEFER_BLOCKING 0x3, P0", ALL, 0x80000f00));
	YES(wl_unit_commit(unit, 11, ALL));
	YES(wl_unit_commit(unit, 10, ALL));
	YES(wl_unit_none_due(unit));
	YES(wl_unit_exit(unit, 0, 2));
	says(wl_unit_none_due(unit), DIFFERS, "warps 0x3 that go on with 8");
	says(wl_unit_exit(unit, 0, 2), MISUSE, "no live warp");
	YES(wl_unit_release(unit, 0, 3, 3, 8));
	YES(wl_unit_retire(unit, 10));
	YES(wl_unit_retire(unit, 11));
	YES(wl_unit_request(unit, 12, 0, 1, "B2R.RESULT R4", 0xf0, 0));
	YES(wl_unit_commit(unit, 12, 0xf0));
	YES(wl_unit_result(unit, 12, 5, 0, 8));
	says(wl_unit_result(unit, 12, 5, 0, 7), DIFFERS, "REF has 0x8");
	says(wl_unit_result(unit, 12, 3, 0, 8), DIFFERS, "REF has none");
	YES(wl_unit_retire(unit, 12));
	YES(wl_unit_end_cta(unit, 0));
	wl_unit_close(unit);
}

/* An operand of the lowest active lane: barrier 16 does not exist. */
static void test_operand_in_register(void **x)
{
	(void)x;
	open_unit("barrier_file", "");
	YES(wl_unit_start_cta(unit, 0, 0, 0, 1, 0, 0));
	YES(wl_unit_operand(unit, 0, 3, 0, 16));
	YES(wl_unit_request(unit, 1, 0, 0, "BAR.SYNC R2", 0xfffffff8, 0));
	YES(wl_unit_fault(unit, 1, 0xfffffff8, 17));
	YES(wl_unit_retire(unit, 1));
	arrive(2, 0, "BAR.SYNC R2"); /* operands of a request are forgotten: barrier 0 */
	YES(wl_unit_commit(unit, 2, ALL));
	YES(wl_unit_release(unit, 0, 0, 1, 0));
	wl_unit_close(unit);
}

/* Lanes 0 and 4 add to one word, lane 1 to another; 2 is misaligned, 3 outside: two passes of a beat of 8 lanes. */
static void start_atoms(const char *parameters)
{
	static const uint32_t addr[5] = {0x10, 0x14, 0x12, 0x100, 0x10};
	open_unit("atoms_pipe", parameters);
	YES(wl_unit_start_cta(unit, 2, 0, 0, 1, 0x400, 0x100));
	for (uint32_t lane = 0; lane < 2; lane++) {
		YES(wl_unit_operand(unit, 0, lane, 0, addr[lane]));
		YES(wl_unit_operand(unit, 1, lane, 0, 100 + lane));
	}
	YES(wl_unit_request(unit, 5, 2, 0, "STS [R2], R3", 3, 0));
	YES(wl_unit_commit(unit, 5, 3));
	YES(wl_unit_retire(unit, 5));
	for (uint32_t lane = 0; lane < 5; lane++) {
		YES(wl_unit_operand(unit, 0, lane, 0, addr[lane]));
		YES(wl_unit_operand(unit, 1, lane, 0, lane + 1));
	}
	YES(wl_unit_request(unit, 5, 2, 0, "ATOMS.ADD R4, [R2], R3", 0x1f, 0));
	YES(wl_unit_fault(unit, 5, 1 << 2, MISALIGNED));
	says(wl_unit_fault(unit, 5, 1 << 3, MISALIGNED), DIFFERS, "SHARED_OUT_OF_RANGE");
	YES(wl_unit_fault(unit, 5, 1 << 3, OUT_OF_RANGE));
}

static void test_passes(void **x)
{
	(void)x;
	start_atoms("lanes=8 banks=8");
	assert_int_equal(wl_unit_passes(unit, 5), 2);
	assert_int_equal(wl_unit_pass(unit, 5, 0), 0x3);
	assert_int_equal(wl_unit_pass(unit, 5, 1), 0x10);
	says(wl_unit_commit(unit, 5, 0x10), DIFFERS, "REF has lanes 0x3 in pass 0 of 2");
	YES(wl_unit_commit(unit, 5, 0x3));
	YES(wl_unit_result(unit, 5, 0, 0, 100));
	says(wl_unit_result(unit, 5, 4, 0, 101), DIFFERS, "REF has none");
	YES(wl_unit_commit(unit, 5, 0x10));
	YES(wl_unit_result(unit, 5, 1, 0, 101));
	YES(wl_unit_result(unit, 5, 4, 0, 101)); /* 100 + 1 of lane 0 */
	YES(wl_unit_retire(unit, 5));
	YES(wl_unit_compare(unit, 2, 0x10, 106, 0));
	YES(wl_unit_compare(unit, 2, 0x14, 103, 0));
	says(wl_unit_compare(unit, 2, 0x14, 104, 0), DIFFERS, "REF has 0x67");
	says(wl_unit_compare(unit, 2, 0x100, 0, 0), MISUSE, "below 0x100");
	wl_unit_close(unit);
}

/* RTL with another rule of passes, in any order of the lanes. */
static void test_any_passes(void **x)
{
	(void)x;
	start_atoms("passes=any");
	YES(wl_unit_commit(unit, 5, 0x10));
	YES(wl_unit_result(unit, 5, 4, 0, 100));
	YES(wl_unit_commit(unit, 5, 0x1));
	YES(wl_unit_result(unit, 5, 0, 0, 105));
	says(wl_unit_commit(unit, 5, 0x3), DIFFERS, "second time");
	says(wl_unit_retire(unit, 5), DIFFERS, "0x2 that have not committed");
	YES(wl_unit_commit(unit, 5, 0x2));
	YES(wl_unit_retire(unit, 5));
	YES(wl_unit_idle(unit));
	wl_unit_close(unit);
}

static void test_collectives(void **x)
{
	(void)x;
	open_unit("warp_collective", "arch=sm_80,lanes=8");
	YES(wl_unit_start_cta(unit, 0, 0, 0, 2, 0, 0));
	for (uint32_t lane = 0; lane < 32; lane++)
		YES(wl_unit_operand(unit, 0, lane, 0, 1000 + lane));
	YES(wl_unit_request(unit, 1, 0, 1, "SHFL.BFLY PT, R4, R2, 0x1, 0x1f", ALL, 0));
	YES(wl_unit_commit(unit, 1, ALL));
	YES(wl_unit_result(unit, 1, 6, 0, 1007));
	YES(wl_unit_result(unit, 1, 7, 0, 1006));
	assert_int_equal(wl_unit_value(unit, 1, 31, 0), 1030);
	YES(wl_unit_retire(unit, 1));
	YES(wl_unit_request(unit, 2, 0, 0, "VOTE.ALL R4, P0, P1", 0xff, 0x1f)); /* not all of 8 */
	YES(wl_unit_commit(unit, 2, 0xff));
	YES(wl_unit_result(unit, 2, 0, 0, 0x1f));
	YES(wl_unit_predicates(unit, 2, 0xff, 0));
	says(wl_unit_predicates(unit, 2, 0xff, 1), DIFFERS, "REF has 0x0");
	says(wl_unit_predicates(unit, 2, 1, 0), DIFFERS, "REF has lanes 0xff");
	says(wl_unit_compare(unit, 0, 0, 0, 0), MISUSE, "no state");
	wl_unit_close(unit);
}

static void refuses(const char *name, const char *parameters, const char *text)
{
	assert_null(wl_unit_open(name, parameters));
	if (!strstr(wl_unit_open_error(), text))
		fail_msg("'%s'; expected '%s'", wl_unit_open_error(), text);
}

static void test_misuse(void **x)
{
	(void)x;
	refuses("barriers", "",
	        "'barriers' is unknown; there are atoms_pipe, atom_unit, barrier_file, mbarrier_engine, "
	        "warp_collective, "
	        "convergence, fence_unit, cluster_barrier");
	refuses("mbarrier_engine", "arch=sm_75", "expected parameter arch=sm_80 or later");
	refuses("cluster_barrier", "arch=sm_80", "expected parameter arch=sm_90 or later");
	refuses("barrier_file", "arch=sm_1", "expected one of sm_75");
	refuses("barrier_file", "lanes=5", "lanes");
	refuses("barrier_file", "lanes=", "expected a number");
	refuses("barrier_file", "ports=2", "'ports': expected arch");
	refuses("barrier_file", "lanes", "'lanes': expected arch");
	refuses("atoms_pipe", "passes=2", "expected model or any");
	open_unit("barrier_file", "");
	says(wl_unit_start_cta(unit, 16, 0, 0, 1, 0, 0), MISUSE, "expected 0..15");
	says(wl_unit_start_cta(unit, 0, 0, 48, 1, 0, 0), MISUSE, "below warp 48");
	says(wl_unit_start_cta(unit, 0, 0, 0, 1, 8, 16), MISUSE, "multiples of 16");
	YES(wl_unit_start_cta(unit, 0, 0, 0, 2, 0, 16));
	says(wl_unit_start_cta(unit, 0, 0, 4, 2, 0, 16), MISUSE, "holds a CTA");
	says(wl_unit_start_cta(unit, 1, 0, 1, 2, 0, 16), MISUSE, "slot 0 has some");
	says(wl_unit_request(unit, 1, 0, 2, "BAR.SYNC.DEFER_BLOCKING 0x0", ALL, 0), MISUSE, "does not belong");
	says(wl_unit_request(unit, 1, 0, 0, "BAR.SYNC.DEFER_BLOCKING", ALL, 0), MISUSE, "instruction 'BAR");
	says(wl_unit_request(unit, 1, 0, 0, "LDS R4, [R2]", ALL, 0), MISUSE, "is of atoms_pipe, not of barrier_file");
	says(wl_unit_request(unit, 1, 0, 0, "@P0 BAR.SYNC.DEFER_BLOCKING 0x0", ALL, 0), MISUSE, "guard");
	says(wl_unit_request(unit, 1, 0, 0, "BAR.SYNC.DEFER_BLOCKING 0x0", 0, 0), MISUSE, "mask 0");
	arrive(1, 0, "BAR.SYNC.DEFER_BLOCKING 0x0");
	says(wl_unit_request(unit, 1, 0, 1, "BAR.SYNC.DEFER_BLOCKING 0x0", ALL, 0), MISUSE, "tag 1: a request");
	says(wl_unit_commit(unit, 2, ALL), MISUSE, "tag 2: no open request");
	YES(wl_unit_commit(unit, 1, ALL));
	says(wl_unit_request(unit, 2, 0, 0, "BAR.SYNC.DEFER_BLOCKING 0x0", ALL, 0), MISUSE, "waits under tag 1");
	says(wl_unit_exit(unit, 0, 0), MISUSE, "tag 1");
	says(wl_unit_end_cta(unit, 0), MISUSE, "tag 1 is open");
	says(wl_unit_operand(unit, 0, 0, 2, 0), MISUSE, "word 0..1");
	says(wl_unit_operand(unit, 4, 0, 0, 0), MISUSE, "source 4");
	wl_unit_close(unit);
	wl_unit_close(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_meeting),
	        cmocka_unit_test(test_faults),
	        cmocka_unit_test(test_passes),
	        cmocka_unit_test(test_reduction_and_exit),
	        cmocka_unit_test(test_misuse),
	        cmocka_unit_test(test_operand_in_register),
	        cmocka_unit_test(test_any_passes),
	        cmocka_unit_test(test_collectives),
	        cmocka_unit_test(test_mbarrier_phase),
	        cmocka_unit_test(test_mbarrier_questions),
	        cmocka_unit_test(test_mbarrier_gives_up),
	        cmocka_unit_test(test_mbarrier_faults),
	        cmocka_unit_test(test_mbarrier_partial_fault),
	        cmocka_unit_test(test_mbarrier_landings),
	        cmocka_unit_test(test_mbarrier_of_other_cta),
	        cmocka_unit_test(test_mbarrier_layout_a),
	        cmocka_unit_test(test_mbarrier_layout_v1),
	        cmocka_unit_test(test_mbarrier_misuse),
	        cmocka_unit_test(test_fences),
	        cmocka_unit_test(test_cluster_barrier),
	        cmocka_unit_test(test_cluster_misuse),
	        cmocka_unit_test(test_branches),
	        cmocka_unit_test(test_warpsync),
	        cmocka_unit_test(test_global_atomics),
	        cmocka_unit_test(test_global_faults),
	        cmocka_unit_test(test_generic_atomics),
	        cmocka_unit_test(test_global_misuse),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
