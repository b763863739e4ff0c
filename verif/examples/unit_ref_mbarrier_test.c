// SPDX-License-Identifier: Apache-2.0
/* unit_ref_mbarrier_test.c -- mbarrier_engine as reference. The test computes objects from the counts of the PTX ISA:
 * "mbarrier: phase completion", "mbarrier.expect_tx", "mbarrier.complete_tx", "mbarrier.try_wait", and from the bits of
 * docs/spec/mbarrier.md, "Layouts". */
#include "unit_ref_test.h"

enum { UNINIT = 28, COUNT_RANGE = 29, UNDERFLOW = 30, TX_RANGE = 32, NOCOMPLETE = 33, DROP_RANGE = 34, DRAINED = 35 };
enum { SLOT = 1, AT = 0x10, ARRIVER = 3, WAITER = 2 };

/* Layout B: counts are stored negated. */
static uint64_t object(uint64_t expected, uint64_t pending, int64_t tx, uint64_t parity)
{
	const uint64_t m20 = (1u << 20) - 1, m21 = (1u << 21) - 1;
	return (-expected & m20) << 1 | (-(uint64_t)tx & m21) << 21 | (-pending & m20) << 43 | parity << 63;
}

/* Bits 31:24 of `address` name the CTA. */
static void init_as(uint32_t slot, uint32_t warp, uint32_t address, uint64_t word, const char *text)
{
	YES(wl_unit_operand(unit, 1, 0, 0, (uint32_t)word));
	YES(wl_unit_operand(unit, 1, 0, 1, (uint32_t)(word >> 32)));
	YES(wl_unit_operand(unit, 3, 0, 0, address));
	YES(wl_unit_request(unit, 100, slot, warp, text, 1, 0));
	YES(wl_unit_commit(unit, 100, 1));
	YES(wl_unit_retire(unit, 100));
	YES(wl_unit_compare(unit, slot, address & 0xffffff, word, 0));
}

static void init(uint32_t at, uint32_t count)
{
	init_as(SLOT, ARRIVER, at, object(count, count, 0, 0), "SYNCS.EXCH.64 URZ, [UR6], UR4");
}

static void start(void)
{
	open_unit("mbarrier_engine", "arch=sm_90");
	YES(wl_unit_start_cta(unit, SLOT, 0, 2, 3, 0x400, 0x100));
}

static const char *const TRY_WAIT = "SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [R6+URZ], R5";
static const char *const TEST_WAIT = "SYNCS.PHASECHK.TRANS64 P0, [R6+URZ], R5";
static const char *const ARRIVE = "SYNCS.ARRIVE.TRANS64.A1T0 R2, [R6+URZ], RZ";
static const char *const ARRIVE_N = "SYNCS.ARRIVE.TRANS64.ART0 R2, [R6+URZ], R5";
static const char *const EXPECT_TX = "SYNCS.ARRIVE.TRANS64.RED.A0TR RZ, [R6+URZ], R5";
static const char *const COMPLETE_TX = "SYNCS.ARRIVE.TRANS64.RED.A0TX RZ, [R6+URZ], R5";

/* Operation of one lane, from request to end. */
static void one(uint32_t warp, const char *text, uint32_t at, uint32_t b)
{
	ask(200, SLOT, warp, text, 1, at, b);
	YES(wl_unit_commit(unit, 200, 1));
	YES(wl_unit_retire(unit, 200));
}

/* Three arrivals, 64 bytes of a copy: the phase ends after both, and the waiting warp goes on. */
void test_mbarrier_phase(void **x)
{
	(void)x;
	start();
	init(AT, 3);
	ask(1, SLOT, WAITER, TRY_WAIT, ALL, AT, 0);
	YES(wl_unit_commit(unit, 1, ALL));
	YES(wl_unit_compare(unit, SLOT, AT, object(3, 3, 0, 0), 1 << WAITER));
	says(wl_unit_compare(unit, SLOT, AT, object(3, 3, 0, 0), 0), DIFFERS,
	     "warps 0x0 wait; REF has 0x7fffe800001ffffa, 0x4");
	says(wl_unit_predicates(unit, 1, ALL, ALL), DIFFERS, "REF has lanes 0x0");
	says(wl_unit_retire(unit, 1), DIFFERS, "warp 2 waiting");
	ask(2, SLOT, ARRIVER, ARRIVE, 3, AT, 0);
	assert_int_equal(wl_unit_passes(unit, 2), 2); /* one object: one lane after the other */
	says(wl_unit_commit(unit, 2, 3), DIFFERS, "REF has lanes 0x1 in pass 0 of 2");
	YES(wl_unit_commit(unit, 2, 1));
	YES(wl_unit_commit(unit, 2, 2));
	YES(wl_unit_result(unit, 2, 0, 1, (uint32_t)(object(3, 3, 0, 0) >> 32)));
	YES(wl_unit_result(unit, 2, 1, 1, (uint32_t)(object(3, 2, 0, 0) >> 32)));
	says(wl_unit_result(unit, 2, 1, 1, (uint32_t)(object(3, 3, 0, 0) >> 32)), DIFFERS, "lane 1, word 1");
	YES(wl_unit_retire(unit, 2));
	one(ARRIVER, EXPECT_TX, AT, 64);
	says(wl_unit_compare(unit, SLOT, AT, object(3, 1, 0, 0), 4), DIFFERS,
	     "phase 0, 1 of 3 arrivals are missing, 64 bytes are outstanding");
	YES(wl_unit_land(unit, SLOT, AT, "tx", 48, 0));
	one(ARRIVER, ARRIVE, AT, 0);
	YES(wl_unit_none_due(unit)); /* 16 bytes are outstanding */
	YES(wl_unit_compare(unit, SLOT, AT, object(3, 0, 16, 0), 4));
	assert_string_equal(
	        wl_unit_explain(unit, SLOT),
	        "mbarrier at 0x10: phase 0, 0 of 3 arrivals are missing, 16 bytes are outstanding, warps 0x4 "
	        "wait\ntag 1, warp 2: lanes 0x0 left, waits\n");
	one(ARRIVER, COMPLETE_TX, AT, 16);
	YES(wl_unit_compare(unit, SLOT, AT, object(3, 3, 0, 1), 0));
	says(wl_unit_none_due(unit), DIFFERS, "slot 1, mbarrier at 0x10: REF has warps 0x4");
	says(wl_unit_give_up(unit, 1), DIFFERS, "complete phase");
	says(wl_unit_release(unit, SLOT, AT, 0xc, 1), DIFFERS, "warps 0xc go on with 1; REF has 0x4 with 1");
	says(wl_unit_release(unit, SLOT, AT + 8, 4, 1), DIFFERS,
	     "mbarrier at 0x18: warps 0x4 go on; REF has no release");
	YES(wl_unit_release(unit, SLOT, AT, 4, 1));
	YES(wl_unit_predicates(unit, 1, ALL, ALL));
	YES(wl_unit_retire(unit, 1));
	YES(wl_unit_idle(unit));
	wl_unit_close(unit);
}

/* test_wait of the open phase is false, of the phase before true. A wait on a complete phase never waits. */
void test_mbarrier_questions(void **x)
{
	(void)x;
	start();
	init(AT, 2);
	for (uint32_t lane = 0; lane < 32; lane++) {
		YES(wl_unit_operand(unit, 0, lane, 0, AT));
		YES(wl_unit_operand(unit, 1, lane, 0, lane % 2 ? 1u << 31 : 0)); /* odd lanes: parity 1 */
	}
	YES(wl_unit_request(unit, 1, SLOT, WAITER, TEST_WAIT, ALL, 0));
	YES(wl_unit_commit(unit, 1, ALL));
	YES(wl_unit_predicates(unit, 1, ALL, 0xaaaaaaaa));
	says(wl_unit_predicates(unit, 1, ALL, 0x55555555), DIFFERS, "REF has 0xaaaaaaaa");
	YES(wl_unit_retire(unit, 1));
	one(ARRIVER, ARRIVE, AT, 0);
	one(ARRIVER, "SYNCS.ARRIVE.TRANS64.OPTOUT.A1T0 R2, [R6+URZ], RZ", AT, 0); /* arrive_drop */
	YES(wl_unit_compare(unit, SLOT, AT, object(1, 1, 0, 1), 0));
	ask(1, SLOT, WAITER, TRY_WAIT, ALL, AT, 0);
	YES(wl_unit_commit(unit, 1, ALL));
	YES(wl_unit_predicates(unit, 1, ALL, ALL));
	YES(wl_unit_retire(unit, 1));
	YES(wl_unit_idle(unit));
	wl_unit_close(unit);
}

/* PTX: try_wait may answer false at any time before the phase is complete. test_wait never waits. */
void test_mbarrier_gives_up(void **x)
{
	(void)x;
	start();
	init(AT, 1);
	ask(1, SLOT, WAITER, TRY_WAIT, ALL, AT, 0);
	says(wl_unit_give_up(unit, 1), DIFFERS, "no wait that may");
	YES(wl_unit_commit(unit, 1, ALL));
	YES(wl_unit_give_up(unit, 1));
	says(wl_unit_give_up(unit, 1), DIFFERS, "no wait that may");
	YES(wl_unit_predicates(unit, 1, ALL, 0));
	YES(wl_unit_retire(unit, 1));
	ask(2, SLOT, WAITER, TEST_WAIT, ALL, AT, 0);
	YES(wl_unit_commit(unit, 2, ALL));
	says(wl_unit_give_up(unit, 2), DIFFERS, "no wait that may");
	YES(wl_unit_retire(unit, 2));
	one(ARRIVER, ARRIVE, AT, 0);
	YES(wl_unit_compare(unit, SLOT, AT, object(1, 1, 0, 1), 0));
	YES(wl_unit_idle(unit)); /* nobody waits any more */
	wl_unit_close(unit);
}

/* The operation must fault by state, with this code alone, and change nothing. */
static void must_fault(const char *text, uint32_t at, uint32_t b, uint32_t code, const char *name)
{
	ask(7, SLOT, ARRIVER, text, 1, at, b);
	assert_int_equal(wl_unit_static_faults(unit, 7), 0);
	says(wl_unit_commit(unit, 7, 1), DIFFERS, name);
	says(wl_unit_fault(unit, 7, 1, code + 1), DIFFERS, name);
	YES(wl_unit_fault(unit, 7, 1, code));
	says(wl_unit_commit(unit, 7, 1), DIFFERS, "second time");
	YES(wl_unit_retire(unit, 7));
}

static void must_fault_at_once(const char *text, uint32_t at, uint32_t b, uint32_t code)
{
	ask(7, SLOT, ARRIVER, text, 1, at, b);
	assert_int_equal(wl_unit_static_faults(unit, 7), 1);
	YES(wl_unit_fault(unit, 7, 1, code));
	YES(wl_unit_retire(unit, 7));
}

void test_mbarrier_faults(void **x)
{
	(void)x;
	start();
	ask(7, SLOT, ARRIVER, ARRIVE, 1, AT, 0);
	says(wl_unit_commit(unit, 7, 1), DIFFERS, "a fault: MBAR_UNINIT (there is no mbarrier at this address)");
	YES(wl_unit_fault(unit, 7, 1, UNINIT));
	YES(wl_unit_retire(unit, 7));
	must_fault(TRY_WAIT, AT, 0, UNINIT, "MBAR_UNINIT");
	init(AT, 2);
	must_fault(ARRIVE_N, AT, 3, UNDERFLOW, "MBAR_UNDERFLOW");
	must_fault("SYNCS.ARRIVE.TRANS64.OPTOUT.ART0 R2, [R6+URZ], R5", AT, 3, DROP_RANGE, "MBAR_DROP_RANGE");
	must_fault(EXPECT_TX, AT, 1 << 20, TX_RANGE, "MBAR_TX_RANGE"); /* PTX: 2^20 - 1 at most */
	must_fault("SYNCS.ARRIVE.TRANS64.TMASK.ART0 R4, [R6+URZ], R5", AT, 2, NOCOMPLETE, "MBAR_NOCOMPLETE");
	YES(wl_unit_compare(unit, SLOT, AT, object(2, 2, 0, 0), 0));
	must_fault_at_once(ARRIVE, AT + 4, 0, MISALIGNED);
	must_fault_at_once(ARRIVE, 0x100, 0, OUT_OF_RANGE);
	must_fault_at_once(ARRIVE_N, AT, 1 << 20, COUNT_RANGE);
	one(ARRIVER, "SYNCS.ARRIVE.TRANS64.OPTOUT.ART0 R2, [R6+URZ], R5", AT, 2); /* all threads drop out */
	YES(wl_unit_compare(unit, SLOT, AT, object(0, 0, 0, 1), 0));
	must_fault(ARRIVE, AT, 0, DRAINED, "MBAR_DRAINED");
	one(ARRIVER, "SYNCS.CCTL.IV [R6+URZ]", AT, 0); /* mbarrier.inval */
	YES(wl_unit_write(unit, SLOT, AT, 0));         /* PTX: the memory may have other uses from then on */
	must_fault(TEST_WAIT, AT, 0, UNINIT, "MBAR_UNINIT");
	YES(wl_unit_operand(unit, 3, 0, 0, AT)); /* a count of 0 */
	YES(wl_unit_request(unit, 7, SLOT, ARRIVER, "SYNCS.EXCH.64 URZ, [UR6], UR4", 1, 0));
	YES(wl_unit_fault(unit, 7, 1, COUNT_RANGE));
	wl_unit_close(unit);
}

/* In one pass lane 0 asks too much of one object, lane 1 arrives at another. A refused event changes neither. */
void test_mbarrier_partial_fault(void **x)
{
	(void)x;
	start();
	init(0, 1);
	init(8, 3);
	for (uint32_t lane = 0; lane < 3; lane++) {
		YES(wl_unit_operand(unit, 0, lane, 0, lane == 1 ? 8 : 0));
		YES(wl_unit_operand(unit, 1, lane, 0, lane == 2 ? 1 : 2));
	}
	YES(wl_unit_request(unit, 1, SLOT, ARRIVER, ARRIVE_N, 7, 0));
	says(wl_unit_commit(unit, 1, 3), DIFFERS, "lane 0 commits; REF has a fault: MBAR_UNDERFLOW");
	says(wl_unit_fault(unit, 1, 3, UNDERFLOW), DIFFERS, "REF has no fault there");
	says(wl_unit_fault(unit, 1, 4, UNDERFLOW), DIFFERS, "fault of lanes 0x4; REF has lanes 0x3 in pass 0 of 2");
	YES(wl_unit_compare(unit, SLOT, 0, object(1, 1, 0, 0), 0));
	YES(wl_unit_compare(unit, SLOT, 8, object(3, 3, 0, 0), 0));
	YES(wl_unit_fault(unit, 1, 1, UNDERFLOW));
	says(wl_unit_commit(unit, 1, 4), DIFFERS, "REF has lanes 0x2 in pass 0 of 2");
	YES(wl_unit_commit(unit, 1, 2));
	says(wl_unit_retire(unit, 1), DIFFERS, "REF has lanes 0x4 that have not committed");
	YES(wl_unit_commit(unit, 1, 4));
	YES(wl_unit_retire(unit, 1));
	YES(wl_unit_compare(unit, SLOT, 0, object(1, 1, 0, 1), 0));
	YES(wl_unit_compare(unit, SLOT, 8, object(3, 1, 0, 0), 0));
	wl_unit_close(unit);
}

void test_mbarrier_landings(void **x)
{
	(void)x;
	start();
	says(wl_unit_land(unit, SLOT, AT, "tx", 16, 0), DIFFERS, "'tx' lands with fault 0; REF has MBAR_UNINIT");
	YES(wl_unit_land(unit, SLOT, AT, "tx", 16, UNINIT));
	init(AT, 1);
	YES(wl_unit_land(unit, SLOT, AT, "tx", 16, 0)); /* bytes before their expect_tx */
	YES(wl_unit_compare(unit, SLOT, AT, object(1, 1, -16, 0), 0));
	says(wl_unit_land(unit, SLOT, AT, "arrive", 1, UNDERFLOW), DIFFERS, "with fault 30; REF has NONE");
	YES(wl_unit_compare(unit, SLOT, AT, object(1, 1, -16, 0), 0));
	YES(wl_unit_land(unit, SLOT, AT, "arrive", 1, 0));
	YES(wl_unit_compare(unit, SLOT, AT, object(1, 0, -16, 0), 0));
	YES(wl_unit_land(unit, SLOT, AT, "arrive", 1, UNDERFLOW));
	one(ARRIVER, EXPECT_TX, AT, 16);
	YES(wl_unit_compare(unit, SLOT, AT, object(1, 1, 0, 1), 0));
	ask(1, SLOT, WAITER, TRY_WAIT, ALL, AT, 1u << 31);
	YES(wl_unit_commit(unit, 1, ALL));
	says(wl_unit_land(unit, SLOT, AT, "arrive", 1, DRAINED), DIFFERS, "with fault 35; REF has NONE");
	YES(wl_unit_none_due(unit)); /* the refused landing has ended no phase */
	YES(wl_unit_compare(unit, SLOT, AT, object(1, 1, 0, 1), 1 << WAITER));
	YES(wl_unit_land(unit, SLOT, AT, "arrive", 1, 0));
	YES(wl_unit_release(unit, SLOT, AT, 1 << WAITER, 1));
	wl_unit_close(unit);
}

/* An arrival with a result reaches the own CTA alone. */
void test_mbarrier_of_other_cta(void **x)
{
	(void)x;
	open_unit("mbarrier_engine", "arch=sm_90");
	for (uint32_t rank = 0; rank < 2; rank++) {
		YES(wl_unit_cluster(unit, 9, 2, rank));
		YES(wl_unit_start_cta(unit, rank, rank, 4 * rank, 1, 0x100 * rank, 0x100));
	}
	init_as(1, 4, 1 << 24 | AT, object(2, 2, 0, 0), "SYNCS.EXCH.64 URZ, [UR6], UR4");
	ask(1, 0, 0, "SYNCS.ARRIVE.TRANS64.RED.A1T0 RZ, [R6+URZ], RZ", 1, 1 << 24 | AT, 0);
	YES(wl_unit_commit(unit, 1, 1));
	YES(wl_unit_retire(unit, 1));
	YES(wl_unit_compare(unit, 1, AT, object(2, 1, 0, 0), 0));
	ask(1, 0, 0, ARRIVE, 1, 1 << 24 | AT, 0);
	YES(wl_unit_fault(unit, 1, 1, BAD_SPACE));
	YES(wl_unit_retire(unit, 1));
	wl_unit_close(unit);
}

/* sm_80: init is a store; the words of docs/spec/mbarrier.md, "Layouts". */
void test_mbarrier_layout_a(void **x)
{
	(void)x;
	open_unit("mbarrier_engine", "arch=sm_80");
	YES(wl_unit_start_cta(unit, SLOT, 0, 2, 3, 0, 0x100));
	YES(wl_unit_write(unit, SLOT, AT, 0x3ffffffe));
	YES(wl_unit_write(unit, SLOT, AT + 4, 0x7ffffffe));
	one(ARRIVER, "ATOMS.ARRIVE.64 R2, [R6+URZ]", AT, 0);
	YES(wl_unit_compare(unit, SLOT, AT, UINT64_C(0x7fffffff3ffffffe), 0));
	YES(wl_unit_land(unit, SLOT, AT, "arrive", 1, 0));
	YES(wl_unit_compare(unit, SLOT, AT, UINT64_C(0xfffffffe3ffffffe), 0));
	says(wl_unit_compare(unit, SLOT, AT, 0, 0), DIFFERS, "REF has 0xfffffffe3ffffffe, 0x0");
	says(wl_unit_land(unit, SLOT, AT, "tx", 16, 0), MISUSE, "count arrivals alone");
	wl_unit_close(unit);
}

/* sm_107, layout v1 "packed" (docs/spec/mbarrier.md, "Layouts"): a report keeps the conditional phase open. */
static uint64_t object_v1(uint64_t expected, uint64_t pending, uint64_t flags, uint64_t parity)
{
	return (-expected & 511) << 4 | (-pending & 511) << 43 | flags | parity << 63 | 1;
}

void test_mbarrier_layout_v1(void **x)
{
	(void)x;
	const uint64_t open = 1 << 1, last = 1 << 2,
	               conditional = 1 << 3; /* reports; parity of the conditional phase */
	const char *const exch = "USYNCS.EXCH.64 URZ, [UR6], UR4";
	open_unit("mbarrier_engine", "arch=sm_107");
	YES(wl_unit_start_cta(unit, SLOT, 0, 2, 3, 0, 0x100));
	init_as(SLOT, ARRIVER, AT, object_v1(1, 1, 0, 0), exch);
	one(ARRIVER, "SYNCS.ARRIVE.TRANS64.A1T0 R2, [R6+URZ], RZ", AT, 0);
	YES(wl_unit_compare(unit, SLOT, AT, object_v1(1, 1, conditional, 1), 0));
	YES(wl_unit_land(unit, SLOT, AT, "report", 0x100, 0));
	YES(wl_unit_compare(unit, SLOT, AT, object_v1(1, 1, conditional | open, 1), 0));
	ask(1, SLOT, WAITER, "SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [R6+URZ], R5", ALL, AT, 1u << 31);
	YES(wl_unit_commit(unit, 1, ALL));
	one(ARRIVER, "SYNCS.ARRIVE.TRANS64.A1T0 R2, [R6+URZ], RZ", AT, 0);
	YES(wl_unit_compare(unit, SLOT, AT, object_v1(1, 1, conditional | last, 0), 0));
	says(wl_unit_release(unit, SLOT, AT, 4, 1), DIFFERS, "with 3"); /* the phase, and its report */
	YES(wl_unit_release(unit, SLOT, AT, 4, 3));
	YES(wl_unit_retire(unit, 1));
	init_as(SLOT, ARRIVER, AT + 8, object(600, 600, 0, 0), exch); /* v0: 20 bits */
	YES(wl_unit_operand(unit, 1, 0, 0, 1));                       /* a count of 512 has no bits left */
	YES(wl_unit_operand(unit, 3, 0, 0, AT));
	YES(wl_unit_request(unit, 1, SLOT, ARRIVER, exch, 1, 0));
	YES(wl_unit_fault(unit, 1, 1, COUNT_RANGE));
	wl_unit_close(unit);
}

void test_mbarrier_misuse(void **x)
{
	(void)x;
	start();
	says(wl_unit_compare(unit, SLOT, 4, 0, 0), MISUSE, "multiple of 8 below 0x100");
	says(wl_unit_compare(unit, 0, 0, 0, 0), MISUSE, "slot 0 holds no CTA");
	says(wl_unit_release(unit, SLOT, 0x100, 1, 1), MISUSE, "multiple of 8 below 0x100");
	says(wl_unit_land(unit, SLOT, AT, "bytes", 1, 0), MISUSE, "'bytes': expected tx, arrive or report");
	says(wl_unit_land(unit, SLOT, AT, "arrive", 2, 0), MISUSE, "'arrive' with 2: expected 1");
	says(wl_unit_land(unit, SLOT, 0x104, "arrive", 1, 0), MISUSE, "multiple of 8");
	says(wl_unit_write(unit, SLOT, 0x100, 1), MISUSE, "multiple of 4 below 0x100");
	says(wl_unit_request(unit, 1, SLOT, 2, "BAR.SYNC.DEFER_BLOCKING 0x0", 1, 0), MISUSE,
	     "is of barrier_file, not of mbarrier_engine");
	says(wl_unit_global(unit, 0x300000000, 64), MISUSE, "mbarrier_engine has no global memory");
	says(wl_unit_give_up(unit, 5), MISUSE, "tag 5: no open request");
	wl_unit_close(unit);
	open_unit("barrier_file", "");
	YES(wl_unit_start_cta(unit, 0, 0, 0, 1, 0, 64));
	says(wl_unit_land(unit, 0, 0, "tx", 16, 0), MISUSE, "barrier_file has no landings");
	wl_unit_close(unit);
}
