// SPDX-License-Identifier: Apache-2.0
/* unit_ref_order_test.c -- fence_unit, cluster_barrier and convergence as references; waiting lanes and warps, by hand.
 * Source: PTX ISA, "membar", "barrier.cluster", "bar.warp.sync"; docs/spec/convergence.md, "Who goes on". */
#include "unit_ref_test.h"

enum { CBAR_DOUBLE_ARRIVE = 40, CBAR_WAIT_NO_ARRIVE = 41, MASK_SELF = 24, MASK_MISMATCH = 25 };

static void request(uint32_t tag, uint32_t slot, uint32_t warp, const char *text, uint32_t mask)
{
	YES(wl_unit_request(unit, tag, slot, warp, text, mask, 0));
}

/* MEMBAR keeps the warp; the other fences are answered at once. Fences of two warps end in any order. */
void test_fences(void **x)
{
	(void)x;
	open_unit("fence_unit", "arch=sm_90");
	YES(wl_unit_start_cta(unit, 2, 0, 8, 2, 0, 0));
	request(1, 2, 8, "MEMBAR.SC.GPU", ALL);
	request(2, 2, 9, "MEMBAR.ALL.GPU", 0xf);
	says(wl_unit_release(unit, 2, 0, 1 << 8, 0), DIFFERS, "slot 2, fence: warps 0x100 go on; REF has no release");
	says(wl_unit_commit(unit, 2, 0x7), DIFFERS, "REF has lanes 0xf in pass 0 of 1");
	YES(wl_unit_commit(unit, 1, ALL));
	YES(wl_unit_commit(unit, 2, 0xf));
	says(wl_unit_retire(unit, 1), DIFFERS, "warp 8 waiting");
	says(wl_unit_release(unit, 2, 0, 3 << 8, 0), DIFFERS, "no release due"); /* each warp alone */
	YES(wl_unit_release(unit, 2, 0, 1 << 9, 0));
	says(wl_unit_none_due(unit), DIFFERS, "slot 2, fence: REF has warps 0x100 that go on");
	says(wl_unit_retire(unit, 1), DIFFERS, "warp 8 waiting");
	YES(wl_unit_release(unit, 2, 0, 1 << 8, 0));
	YES(wl_unit_retire(unit, 1));
	YES(wl_unit_retire(unit, 2));
	request(3, 2, 9, "ERRBAR", ALL);
	YES(wl_unit_commit(unit, 3, ALL));
	YES(wl_unit_retire(unit, 3));
	request(3, 2, 9, "CCTL.IVALL", ALL);
	YES(wl_unit_commit(unit, 3, ALL));
	YES(wl_unit_retire(unit, 3));
	YES(wl_unit_idle(unit));
	says(wl_unit_compare(unit, 2, 0, 0, 0), MISUSE, "fence_unit has no state to compare");
	wl_unit_close(unit);
}

static void whole(uint32_t tag, uint32_t slot, uint32_t warp, const char *text)
{
	request(tag, slot, warp, text, ALL);
	YES(wl_unit_commit(unit, tag, ALL));
}

/* A cluster of slots 3 (warps 4, 5) and 1 (warp 0): all three warps must arrive. */
static void start_cluster(void)
{
	open_unit("cluster_barrier", "arch=sm_90");
	YES(wl_unit_cluster(unit, 5, 2, 0));
	YES(wl_unit_start_cta(unit, 3, 10, 4, 2, 0, 0));
	YES(wl_unit_cluster(unit, 5, 2, 1));
	YES(wl_unit_start_cta(unit, 1, 11, 0, 1, 0, 0));
}

void test_cluster_barrier(void **x)
{
	(void)x;
	start_cluster();
	whole(1, 3, 4, "UCGABAR_ARV");
	YES(wl_unit_retire(unit, 1)); /* an arrival does not wait */
	request(1, 3, 4, "UCGABAR_ARV", ALL);
	says(wl_unit_commit(unit, 1, ALL), DIFFERS, "CBAR_DOUBLE_ARRIVE");
	YES(wl_unit_fault(unit, 1, ALL, CBAR_DOUBLE_ARRIVE));
	YES(wl_unit_retire(unit, 1));
	request(1, 1, 0, "UCGABAR_WAIT", ALL);
	says(wl_unit_fault(unit, 1, ALL, CBAR_DOUBLE_ARRIVE), DIFFERS, "REF has CBAR_WAIT_NO_ARRIVE (41)");
	YES(wl_unit_fault(unit, 1, ALL, CBAR_WAIT_NO_ARRIVE));
	YES(wl_unit_retire(unit, 1));
	whole(1, 3, 4, "UCGABAR_WAIT");
	whole(2, 1, 0, "UCGABAR_ARV");
	YES(wl_unit_compare(unit, 1, 0, 0x11, 0x10));
	says(wl_unit_compare(unit, 3, 0, 0x10, 0x10), DIFFERS,
	     "cluster 5: warps 0x10 arrived, 0x10 wait; REF has 0x11, 0x10");
	assert_string_equal(wl_unit_explain(unit, 1),
	                    "barrier of cluster 5, phase 0: warps 0x11 arrived, 0x10 wait, 0x20 "
	                    "are missing\ntag 2, warp 0: lanes 0x0 left\n");
	YES(wl_unit_none_due(unit));
	YES(wl_unit_exit(unit, 3, 5)); /* nobody waits for an ended warp */
	says(wl_unit_none_due(unit), DIFFERS, "slot 1, phase 0 of the cluster barrier: REF has warps 0x10");
	says(wl_unit_release(unit, 1, 1, 0x10, 0), DIFFERS,
	     "phase 1 of the cluster barrier: warps 0x10 go on; REF has no");
	YES(wl_unit_release(unit, 1, 0, 0x10, 0));
	YES(wl_unit_retire(unit, 1));
	YES(wl_unit_retire(unit, 2));
	YES(wl_unit_compare(unit, 3, 0, 0, 0));
	YES(wl_unit_compare(unit, 3, 1, 1, 0)); /* warp 0 has arrived and has not waited */
	says(wl_unit_compare(unit, 3, 1, 0, 0), DIFFERS, "warps 0x0 need not wait; REF has 0x1");
	whole(1, 1, 0, "UCGABAR_WAIT");
	YES(wl_unit_retire(unit, 1));
	YES(wl_unit_idle(unit));
	wl_unit_close(unit);
}

void test_cluster_misuse(void **x)
{
	(void)x;
	start_cluster();
	says(wl_unit_cluster(unit, 5, 2, 2), MISUSE, "CTA 2 of 2 of a cluster");
	says(wl_unit_cluster(unit, 5, 17, 0), MISUSE, "expected 1..16 CTAs");
	YES(wl_unit_cluster(unit, 5, 2, 1));
	says(wl_unit_start_cta(unit, 0, 12, 8, 1, 0, 0), MISUSE, "slot 1 has rank 1 of 2 CTAs of cluster 5");
	says(wl_unit_end_cta(unit, 3), MISUSE, "slot 3: warps 0x30 live; expected wl_unit_exit");
	YES(wl_unit_exit(unit, 1, 0));
	YES(wl_unit_end_cta(unit, 1));
	says(wl_unit_start_cta(unit, 0, 12, 8, 1, 0, 0), MISUSE, "all of them have come");
	YES(wl_unit_cluster(unit, 6, 2, 1));
	YES(wl_unit_start_cta(unit, 0, 12, 8, 1, 0, 0));
	says(wl_unit_compare(unit, 3, 2, 0, 0), MISUSE, "state 2 of a cluster");
	wl_unit_close(unit);
}

static uint32_t state(uint32_t warp, uint32_t barrier, uint32_t lane)
{
	return warp << 16 | barrier << 8 | lane;
}

/* A request of convergence; `ready`: living lanes that do not wait afterwards. */
static void step(const char *text, uint32_t mask, uint32_t ready)
{
	YES(wl_unit_request(unit, 1, 0, 1, text, mask, 0));
	YES(wl_unit_commit(unit, 1, mask));
	YES(wl_unit_result(unit, 1, (uint32_t)__builtin_ctz(mask), 0, ready));
	says(wl_unit_result(unit, 1, (uint32_t)__builtin_ctz(mask), 0, ~ready), DIFFERS, "REF has 0x");
	YES(wl_unit_retire(unit, 1));
}

/* Lanes 0..3 reach the end of a branch, lanes 4..7 end inside the branch, the other lanes come last: all live lanes go
 * on. */
void test_branches(void **x)
{
	(void)x;
	open_unit("convergence", "arch=sm_90");
	YES(wl_unit_start_cta(unit, 0, 0, 1, 1, 0, 0));
	step("BSSY B0, 0x100", ALL, ALL);
	YES(wl_unit_compare(unit, 0, state(1, 0, 9), ALL, 0));
	says(wl_unit_compare(unit, 0, state(1, 0, 9), 0, 0), DIFFERS,
	     "warp 1, B0, lane 9: lanes 0x0; REF has 0xffffffff");
	step("BSYNC B0", 0xf, 0xfffffff0);
	YES(wl_unit_compare(unit, 0, state(1, 16, 0), ALL, 0xf));
	says(wl_unit_compare(unit, 0, state(1, 16, 0), ALL, 0), DIFFERS, "0x0 wait; REF has 0xffffffff, 0xf");
	assert_string_equal(wl_unit_explain(unit, 0), "warp 1, B0: lanes 0xf wait, lane 0 for 0xfffffff0\n");
	step("EXIT", 0xf0, 0xffffff00);
	assert_string_equal(wl_unit_explain(unit, 0), "warp 1, B0: lanes 0xf wait, lane 0 for 0xffffff00\n");
	step("BSYNC B0", 0xffffff00, 0xffffff0f);
	YES(wl_unit_compare(unit, 0, state(1, 16, 0), 0xffffff0f, 0));
	assert_string_equal(wl_unit_explain(unit, 0), "");
	says(wl_unit_compare(unit, 0, state(0, 0, 0), 0, 0), MISUSE, "warp of slot 0");
	says(wl_unit_compare(unit, 0, state(1, 17, 0), 0, 0), MISUSE, "barrier 0..15");
	says(wl_unit_compare(unit, 0, state(1, 0, 32), 0, 0), MISUSE, "lane");
	YES(wl_unit_exit(unit, 0, 1));
	wl_unit_close(unit);
}

/* Lanes 0 and 1 wait for each other; lane 2 leaves itself out; lane 3 names lane 0, but lane 0's mask lacks lane 3. */
void test_warpsync(void **x)
{
	static const uint32_t masks[] = {0x3, 0x3, 0x1, 0x18, 0x38};
	(void)x;
	open_unit("convergence", "arch=sm_90");
	YES(wl_unit_start_cta(unit, 0, 0, 1, 1, 0, 0));
	for (uint32_t lane = 0; lane < 5; lane++)
		YES(wl_unit_operand(unit, 0, lane, 0, masks[lane]));
	YES(wl_unit_request(unit, 1, 0, 1, "WARPSYNC R0", 0x1f, 0));
	says(wl_unit_commit(unit, 1, 0x1f), DIFFERS, "lane 2 commits; REF has a fault: WARP_MASK_SELF");
	says(wl_unit_fault(unit, 1, 0x1c, MASK_SELF), DIFFERS,
	     "lane 3 faults with 24; REF has WARP_MASK_MISMATCH (25)");
	says(wl_unit_fault(unit, 1, 0x1, MASK_SELF), DIFFERS, "no fault there");
	YES(wl_unit_fault(unit, 1, 0x4, MASK_SELF));
	says(wl_unit_commit(unit, 1, 0x3), DIFFERS, "REF has lanes 0x1b in pass 0 of 1");
	YES(wl_unit_fault(unit, 1, 0x18, MASK_MISMATCH)); /* lanes 3 and 4 name each other, with two masks */
	YES(wl_unit_commit(unit, 1, 0x3));
	YES(wl_unit_result(unit, 1, 0, 0, ALL));
	says(wl_unit_result(unit, 1, 2, 0, ALL), DIFFERS, "REF has none");
	YES(wl_unit_retire(unit, 1));
	YES(wl_unit_operand(unit, 0, 0, 0, 0x3));
	step("WARPSYNC R0", 0x1, ALL ^ 1);
	assert_string_equal(wl_unit_explain(unit, 0), "warp 1, WARPSYNC: lanes 0x1 wait, lane 0 for 0x2\n");
	wl_unit_close(unit);
}
