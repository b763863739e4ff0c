// SPDX-License-Identifier: Apache-2.0
/* cunits_exhaustive_test.c -- eight lanes, every mask and every partition into shared words, for each class of
 * operation: the plan, the values and the memory against the oracle.
 *
 *   cunits_exhaustive_test [STEP]     every STEP-th partition only (default 1: all 4140)
 *
 * Lanes with equal numbers in the partition name the same word. The words lie once in eight different banks and once
 * in few banks. In few banks, lanes also meet on a bank without a shared word. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cunits_oracle.h"

enum { LANES = 8, PARTITIONS = 4140 /* Bell number of 8 */ };

static uint8_t partition[PARTITIONS][LANES];
static unsigned step = 1;

/* Restricted growth strings: a lane's block is a block used before the lane, or the next new block. */
static unsigned list_partitions(unsigned count, uint8_t *blocks, unsigned lane, unsigned used)
{
	if (lane == LANES) {
		memcpy(partition[count], blocks, LANES);
		return count + 1;
	}
	for (unsigned block = 0; block <= used; block++) {
		blocks[lane] = (uint8_t)block;
		count = list_partitions(count, blocks, lane + 1, block == used ? used + 1 : used);
	}
	return count;
}

struct op_class {
	enum wl_uop uop;
	uint8_t op, size;
	uint32_t flags;
	uint8_t lanes, banks;
};

static void check_one(struct wl_smem *s, struct wl_req *req, uint8_t *expect_mem)
{
	struct expect_plan e;
	struct wl_atoms_plan plan;
	struct wl_record rec, expect;
	oracle_plan(s, req, &e);
	wl_atoms_plan(s, req, &plan);
	bool same = plan.common.ok == e.ok && plan.spin_losers == e.losers && plan.common.passes == e.passes;
	for (unsigned pass = 0; pass < e.passes; pass++)
		same = same && plan.common.pass_lanes[pass] == e.pass_lanes[pass];
	memset(&expect, 0, sizeof expect);
	expect.size = req->inst.size;
	expect.mask = req->mask;
	expect.passes = (uint8_t)e.passes;
	wl_atoms_start(req, &plan, &rec);
	for (unsigned pass = 0; pass < plan.common.passes && same; pass++) {
		wl_atoms_apply(s, req, &plan, plan.common.pass_lanes[pass], &rec);
		oracle_apply(s, expect_mem, req, &e, e.pass_lanes[pass], &expect);
	}
	if (same)
		wl_atoms_finish(req, &plan, &rec);
	if (!same || memcmp(&rec, &expect, sizeof rec) != 0 || memcmp(s->mem, expect_mem, s->bytes) != 0) {
		stim_explain("exhaustive", 0, 0, req);
		fail();
	}
}

static void check_class(const struct op_class *o, bool few_banks)
{
	static _Alignas(16) uint8_t mem[1024], expect_mem[1024];
	static struct wl_req req;
	struct wl_config c = wl_config_default();
	struct wl_smem s;
	c.lanes = o->lanes;
	c.banks = o->banks;
	c.shared_bytes = sizeof mem;
	wl_smem_init(&s, &c, mem);
	wl_smem_open(&s, 0, 0, sizeof mem, 1, 0);
	memset(mem, 0, sizeof mem);
	memset(expect_mem, 0, sizeof expect_mem);
	memset(&req, 0, sizeof req);
	req.inst = (struct wl_inst){.uop = (uint16_t)o->uop, .op = o->op, .size = o->size, .flags = o->flags};
	req.inst.ur = 255;
	req.inst.rd = o->uop == WL_UOP_STS ? WL_RZ : 0;
	for (unsigned p = 0; p < PARTITIONS; p += step) {
		for (unsigned lane = 0; lane < LANES; lane++) {
			/* blocks 0, 3, 6 or 1, 4, 7 or 2, 5 share a bank, or no blocks do */
			unsigned block = partition[p][lane];
			unsigned word = few_banks ? block % 3 + block / 3 * 32 : block;
			req.ra[lane] = word * o->size;
			req.rb[lane].w[0] = p % 2 ? lane & 1 : lane + 1;
			req.rc[lane].w[0] = lane & 1 ? 0 : 1;
		}
		for (req.mask = 1; req.mask < 1u << LANES; req.mask++)
			check_one(&s, &req, expect_mem);
	}
}

static void check_uop(enum wl_uop uop, uint8_t op, uint8_t size, uint32_t flags)
{
	static const uint8_t geometries[][2] = {{8, 8}, {4, 4}};
	for (unsigned g = 0; g < 2; g++) {
		struct op_class o = {uop, op, size, flags, geometries[g][0], geometries[g][1]};
		check_class(&o, false);
		check_class(&o, true);
	}
}

static void loads(void **state)
{
	(void)state;
	check_uop(WL_UOP_LDS, 0, 4, 0);
}

static void stores(void **state)
{
	(void)state;
	check_uop(WL_UOP_STS, 0, 4, 0);
}

static void atomics(void **state)
{
	(void)state;
	check_uop(WL_UOP_ATOMS, WL_ATOM_ADD, 4, 0);
}

static void compares(void **state)
{
	(void)state;
	check_uop(WL_UOP_ATOMS_CAS, 0, 8, 0);
}

static void spins(void **state)
{
	(void)state;
	check_uop(WL_UOP_ATOMS_CAST, 0, 4, WL_F_SPIN);
}

static void wide_loads(void **state)
{
	(void)state;
	check_uop(WL_UOP_LDS, 0, 8, 0);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(loads),    cmocka_unit_test(stores), cmocka_unit_test(atomics),
	        cmocka_unit_test(compares), cmocka_unit_test(spins),  cmocka_unit_test(wide_loads),
	};
	uint8_t blocks[LANES];
	if (argc > 1)
		step = (unsigned)strtoul(argv[1], NULL, 10);
	if (step == 0 || list_partitions(0, blocks, 0, 0) != PARTITIONS)
		return 2;
	printf("%u of %d partitions, 255 masks each\n", (PARTITIONS + step - 1) / step, PARTITIONS);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
