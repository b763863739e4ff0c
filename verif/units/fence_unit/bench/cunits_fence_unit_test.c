// SPDX-License-Identifier: Apache-2.0
/* cunits_fence_unit_test.c -- each kind of fence: MEMBAR waits and is released at the COMMIT, the others are answered;
 * EXIT goes to the units with counts of warps, but only to units stepped by REF.
 * Source: docs/spec/fences.md, "Fences". */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "warplock/units.h"

static struct wl_units u;

static struct wl_plan commit(enum wl_uop uop, unsigned warp, uint32_t mask, struct wl_record *rec)
{
	const struct wl_unit_ops *ops = wl_unit_ops(WL_UNIT_fence_unit);
	const struct wl_req req = {.tag = {.slot = 6, .warp = warp}, .mask = mask, .inst = {.uop = (uint16_t)uop}};
	const struct wl_event ev = {.kind = WL_EV_COMMIT, .tag = req.tag, .lanes = mask};
	struct wl_plan plan;
	ops->plan(&u, &req, &plan, rec);
	assert_int_equal(plan.ok, mask);
	assert_int_equal(plan.passes, 1);
	assert_int_equal(ops->apply(&u, &req, &plan, &ev, rec), 0);
	ops->finish(&u, &req, &plan, rec);
	assert_int_equal(rec->committed, mask);
	assert_int_equal(rec->written | rec->pred_written | rec->faulted, 0);
	return plan;
}

static void test_kinds(void **x)
{
	(void)x;
	static const struct {
		enum wl_uop uop;
		bool waits;
	} rows[] = {{WL_UOP_MEMBAR, true}, {WL_UOP_ERRBAR, false}, {WL_UOP_CCTL_IVALL, false}};
	struct wl_record rec;
	struct wl_released r;
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(commit(rows[i].uop, 40, 0xf, &rec).waits, rows[i].waits);
		assert_int_equal(wl_units_released(&u, &r), rows[i].waits);
		if (!rows[i].waits)
			continue;
		assert_int_equal(r.unit, WL_UNIT_fence_unit);
		assert_int_equal(r.slot, 6);
		assert_int_equal(r.warps, UINT64_C(1) << 40);
		assert_false(wl_units_released(&u, &r));
	}
}

static void test_several_warps(void **x)
{
	(void)x;
	struct wl_record rec;
	struct wl_released r;
	uint64_t seen = 0;
	for (unsigned warp = 0; warp < WL_MAX_WARPS; warp += 7)
		commit(WL_UOP_MEMBAR, warp, UINT32_MAX, &rec);
	while (wl_units_released(&u, &r)) {
		assert_int_equal(__builtin_popcountll(r.warps), 1);
		assert_int_equal(seen & r.warps, 0);
		seen |= r.warps;
	}
	assert_int_equal(seen, UINT64_C(0x40810204081)); /* 0, 7 .. 42 */
}

/* EXIT through sync_core reaches the barrier file, unless the barrier file is stepped elsewhere. */
static void test_exit(void **x)
{
	(void)x;
	const struct wl_unit_ops *ops = wl_unit_ops(WL_UNIT_sync_core);
	const struct wl_cta_start start = {.slot = 2, .first_warp = 8, .warps = 2, .threads = 64, .size = 0};
	const struct wl_req req = {.tag = {.slot = 2, .warp = 9}, .mask = 0x3, .inst = {.uop = WL_UOP_EXIT}};
	const struct wl_event ev = {.kind = WL_EV_EXIT, .tag = req.tag};
	static _Alignas(16) uint8_t mem[65536];
	const struct wl_config config = wl_config_default();
	struct wl_plan plan;
	struct wl_record rec;
	wl_units_init(&u, &config, mem);
	wl_units_open(&u, &start);
	ops->plan(&u, &req, &plan, &rec);
	assert_int_equal(plan.passes, 0);
	assert_int_equal(ops->apply(&u, &req, &plan, &ev, &rec), 0);
	ops->finish(&u, &req, &plan, &rec);
	assert_int_equal(u.barrier_file.cta[2].live, 1);
	u.elsewhere = 1u << WL_UNIT_barrier_file;
	ops->apply(&u, &req, &plan, &ev, &rec);
	assert_int_equal(u.barrier_file.cta[2].live, 1);
	wl_units_close(&u, 2);
	assert_false(u.barrier_file.cta[2].open);
	assert_false(u.smem.window[2].valid);
}

static void test_table(void **x)
{
	(void)x;
	static const enum wl_unit built[] = {WL_UNIT_atoms_pipe,      WL_UNIT_atom_unit,       WL_UNIT_barrier_file,
	                                     WL_UNIT_mbarrier_engine, WL_UNIT_warp_collective, WL_UNIT_convergence,
	                                     WL_UNIT_fence_unit,      WL_UNIT_cluster_barrier, WL_UNIT_sync_core};
	unsigned n = 0;
	for (unsigned i = 0; i < WL_UNIT_COUNT; i++) {
		const struct wl_unit_ops *ops = wl_unit_ops((enum wl_unit)i);
		n += ops != NULL;
		if (ops)
			assert_true(ops->plan && ops->apply && ops->finish &&
			            ops->plan_bytes >= sizeof(struct wl_plan) && ops->plan_bytes <= WL_PLAN_MAX);
	}
	for (unsigned i = 0; i < sizeof built / sizeof built[0]; i++)
		assert_non_null(wl_unit_ops(built[i]));
	assert_int_equal(n, sizeof built / sizeof built[0]);
	assert_null(wl_unit_ops(WL_UNIT_FRONT));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_kinds),
	        cmocka_unit_test(test_several_warps),
	        cmocka_unit_test(test_exit),
	        cmocka_unit_test(test_table),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
