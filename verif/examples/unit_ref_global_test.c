// SPDX-License-Identifier: Apache-2.0
/* unit_ref_global_test.c -- atom_unit as reference: sums, spaces and faults by hand.
 * Source: PTX ISA, "atom", "red", "Generic Addressing"; docs/spec/global-memory.md, "Sectors". */
#include "unit_ref_test.h"

static const uint64_t HEAP = 0x300000000;

static void address(uint32_t lane, uint64_t at)
{
	YES(wl_unit_operand(unit, 0, lane, 0, (uint32_t)at));
	YES(wl_unit_operand(unit, 0, lane, 1, (uint32_t)(at >> 32)));
}

static void start(const char *parameters)
{
	open_unit("atom_unit", parameters);
	YES(wl_unit_start_cta(unit, 0, 0, 0, 2, 0x100, 0x40));
	YES(wl_unit_global(unit, HEAP, 64));
	YES(wl_unit_write_global(unit, HEAP + 4, 1000));
}

/* 32 lanes add 1..32 to two words of two sectors: even lanes at 4, odd lanes at 32. */
void test_global_atomics(void **x)
{
	(void)x;
	start("arch=sm_90");
	for (uint32_t lane = 0; lane < 32; lane++) {
		address(lane, HEAP + (lane % 2 ? 32 : 4));
		YES(wl_unit_operand(unit, 1, lane, 0, lane + 1));
	}
	YES(wl_unit_request(unit, 1, 0, 0, "ATOMG.E.ADD.STRONG.GPU PT, R4, [R2], R6", ALL, 0));
	assert_int_equal(wl_unit_passes(unit, 1), 2);
	says(wl_unit_commit(unit, 1, ALL), DIFFERS, "REF has lanes 0x55555555 in pass 0 of 2");
	YES(wl_unit_commit(unit, 1, 0xaaaaaaaa)); /* sectors come in any order */
	says(wl_unit_compare_global(unit, HEAP + 32, 1), DIFFERS, "global address 0x300000020: 0x1; REF has 0x110");
	YES(wl_unit_compare_global(unit, HEAP + 32, 272)); /* 2 + 4 .. + 32 */
	YES(wl_unit_result(unit, 1, 1, 0, 0));
	YES(wl_unit_result(unit, 1, 5, 0, 2 + 4));
	YES(wl_unit_commit(unit, 1, 0x55555555));
	YES(wl_unit_compare_global(unit, HEAP + 4, 1000 + 256)); /* 1 + 3 .. + 31 */
	YES(wl_unit_result(unit, 1, 4, 0, 1000 + 1 + 3));
	says(wl_unit_result(unit, 1, 4, 0, 1000), DIFFERS, "lane 4, word 0: 0x3e8; REF has 0x3ec");
	YES(wl_unit_retire(unit, 1));
	address(0, HEAP + 4);
	YES(wl_unit_operand(unit, 1, 0, 0, 1256));
	YES(wl_unit_operand(unit, 2, 0, 0, 7));
	YES(wl_unit_request(unit, 1, 0, 0, "ATOMG.E.CAS.STRONG.GPU PT, R3, [R4], R6, R8", 1, 0));
	YES(wl_unit_commit(unit, 1, 1));
	YES(wl_unit_result(unit, 1, 0, 0, 1256));
	YES(wl_unit_retire(unit, 1));
	YES(wl_unit_compare_global(unit, HEAP + 4, 7));
	YES(wl_unit_idle(unit));
	wl_unit_close(unit);
}

/* Lane 0 stores into the buffer, lane 1 behind it, lane 2 at an odd address. */
void test_global_faults(void **x)
{
	(void)x;
	start("arch=sm_90");
	address(0, HEAP + 60);
	address(1, HEAP + 64);
	address(2, HEAP + 2);
	for (uint32_t lane = 0; lane < 3; lane++)
		YES(wl_unit_operand(unit, 1, lane, 0, 9));
	YES(wl_unit_request(unit, 1, 0, 0, "STG.E [R2], R9", 7, 0));
	assert_int_equal(wl_unit_static_faults(unit, 1), 4);
	says(wl_unit_commit(unit, 1, 2), DIFFERS, "lane 1 commits; REF has a fault: GLOBAL_OUT_OF_RANGE");
	says(wl_unit_fault(unit, 1, 1, GLOBAL_OUT_OF_RANGE), DIFFERS, "no fault there");
	YES(wl_unit_compare_global(unit, HEAP + 60, 0)); /* a refused event changes nothing */
	YES(wl_unit_fault(unit, 1, 2, GLOBAL_OUT_OF_RANGE));
	YES(wl_unit_fault(unit, 1, 4, MISALIGNED));
	YES(wl_unit_commit(unit, 1, 1));
	YES(wl_unit_retire(unit, 1));
	YES(wl_unit_compare_global(unit, HEAP + 60, 9));
	wl_unit_close(unit);
}

/* Lane 0 adds in shared memory, lane 1 in global memory; local memory refuses lane 2. Only lanes that were served have
 * the predicate: the code behind ATOM does the others. The parts of a request in two spaces never come together. */
void test_generic_atomics(void **x)
{
	static const char *const parameters[] = {"arch=sm_90", "arch=sm_90 passes=any"};
	(void)x;
	for (unsigned i = 0; i < 2; i++) {
		start(parameters[i]);
		YES(wl_unit_write(unit, 0, 8, 50));
		address(0, 0x100000008); /* the windows of cmodel/include/warplock/config.h */
		address(1, HEAP + 4);
		address(2, 0x200000000);
		for (uint32_t lane = 0; lane < 3; lane++)
			YES(wl_unit_operand(unit, 1, lane, 0, 5 + lane));
		YES(wl_unit_request(unit, 1, 0, 0, "ATOM.E.ADD.STRONG.GPU P0, R4, [R2], R6", 7, 0));
		says(wl_unit_commit(unit, 1, 3), DIFFERS, "REF has lanes 0x1 in pass 0 of 2");
		YES(wl_unit_commit(unit, 1, 1));
		YES(wl_unit_compare(unit, 0, 8, 55, 0));
		says(wl_unit_predicates(unit, 1, 7, 3), DIFFERS, "REF has lanes 0x0");
		YES(wl_unit_commit(unit, 1, 2));
		YES(wl_unit_result(unit, 1, 0, 0, 50));
		YES(wl_unit_result(unit, 1, 1, 0, 1000));
		YES(wl_unit_predicates(unit, 1, 7, 3));
		says(wl_unit_predicates(unit, 1, 7, 7), DIFFERS, "predicates 0x7; REF has 0x3");
		YES(wl_unit_retire(unit, 1));
		YES(wl_unit_compare_global(unit, HEAP + 4, 1006));
		wl_unit_close(unit);
	}
}

void test_global_misuse(void **x)
{
	(void)x;
	start("arch=sm_90");
	says(wl_unit_global(unit, HEAP + 8, 64), MISUSE, "at a multiple of 16");
	says(wl_unit_global(unit, HEAP + 256, 0), MISUSE, "expected 1..");
	says(wl_unit_global(unit, HEAP, 64), MISUSE, "expected an address behind");
	YES(wl_unit_global(unit, HEAP + 4096, 64));
	YES(wl_unit_compare_global(unit, HEAP + 4, 1000)); /* the content stays */
	says(wl_unit_compare_global(unit, HEAP + 64, 0), MISUSE, "expected a multiple of 4 in a buffer");
	says(wl_unit_write_global(unit, HEAP + 6, 0), MISUSE, "expected a multiple of 4 in a buffer");
	says(wl_unit_compare(unit, 0, 0x40, 0, 0), MISUSE, "multiple of 4 below 0x40");
	wl_unit_close(unit);
}
