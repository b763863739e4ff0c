// SPDX-License-Identifier: Apache-2.0
/* cunits_barrier_file_test.c -- barrier_file against a reference. The reference keeps lists of arrivals and counts anew
 * each time: faults in their order, warps released, and the value. The test drives the unit twice: by the functions
 * called by the front end, and behind the unit's interface like lockstep. Source: docs/spec/barriers.md, "Faults". */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../../common/rng.h"
#include "warplock/units.h"

enum { SLOTS = 4, WARPS_PER_SLOT = 4 };

struct arrival {
	unsigned warp;
	struct wl_bar_arrival what;
};
struct list {
	unsigned n;
	struct arrival a[64];
};
struct reference {
	struct list bar[SLOTS][WL_NAMED_BARS];
	uint16_t complete[SLOTS][WL_NAMED_BARS]; /* phases that have ended */
	unsigned live[SLOTS];
	bool open[SLOTS];
	uint32_t result[WL_MAX_WARPS];
	bool gone[WL_MAX_WARPS], waits[WL_MAX_WARPS];
};

static struct reference ref;
static struct wl_units fast, events;

static void open_slot(unsigned slot)
{
	const struct wl_cta_start start = {.slot = slot,
	                                   .first_warp = slot * WARPS_PER_SLOT,
	                                   .warps = WARPS_PER_SLOT,
	                                   .threads = WARPS_PER_SLOT * 32};
	wl_bar_open(&fast.barrier_file, slot, WARPS_PER_SLOT);
	wl_unit_ops(WL_UNIT_barrier_file)->open(&events, &start);
	ref.open[slot] = true;
	ref.live[slot] = WARPS_PER_SLOT;
	memset(ref.bar[slot], 0, sizeof ref.bar[slot]);
	memset(ref.complete[slot], 0, sizeof ref.complete[slot]);
	for (unsigned w = 0; w < WARPS_PER_SLOT; w++)
		ref.gone[slot * WARPS_PER_SLOT + w] = ref.waits[slot * WARPS_PER_SLOT + w] = false;
}

static void reset(void)
{
	memset(&ref, 0, sizeof ref);
	memset(&fast, 0, sizeof fast);
	memset(&events, 0, sizeof events);
}

/* Mode of an arrival: a reduction must meet its own kind only; SYNC and ARV meet each other. */
static int mode(const struct wl_bar_arrival *a)
{
	return a->op == WL_BAR_RED ? 10 + a->red : 0;
}

static uint32_t threads(const struct wl_bar_arrival *a)
{
	return a->count ? a->count : WARPS_PER_SLOT * 32;
}

static enum wl_fault expected_fault(unsigned slot, unsigned warp, const struct wl_bar_arrival *a)
{
	if (!ref.open[slot])
		return WL_FAULT_SLOT_CLOSED;
	if (a->id > 15)
		return WL_FAULT_BAR_BAD_ID;
	if (a->count % 32 || a->count > WARPS_PER_SLOT * 32 || (a->op == WL_BAR_ARV && !a->count))
		return WL_FAULT_BAR_BAD_COUNT;
	const struct list *l = &ref.bar[slot][a->id];
	if (l->n && threads(&l->a[0].what) != threads(a))
		return WL_FAULT_BAR_COUNT_MISMATCH;
	if (l->n && mode(&l->a[0].what) != mode(a))
		return WL_FAULT_BAR_MODE_MISMATCH;
	for (unsigned i = 0; i < l->n; i++)
		if (l->a[i].warp == warp)
			return WL_FAULT_BAR_DOUBLE_ARRIVE;
	return WL_FAULT_NONE;
}

/* The warps released by a complete list; *value is the result given to the warps. */
static uint64_t expected_release(unsigned slot, unsigned id, uint32_t *value)
{
	struct list *l = &ref.bar[slot][id];
	bool counted = false, all = true;
	uint32_t yes = 0;
	uint64_t warps = 0;
	for (unsigned i = 0; i < l->n; i++) {
		const struct wl_bar_arrival *a = &l->a[i].what;
		counted |= a->count != 0;
		for (unsigned lane = 0; lane < 32; lane++) {
			yes += a->live >> lane & a->yes >> lane & 1;
			all &= !(a->live >> lane & 1) || (a->yes >> lane & 1);
		}
		warps |= a->op == WL_BAR_ARV ? 0 : UINT64_C(1) << l->a[i].warp;
	}
	*value = 0;
	if (!l->n || l->n * 32 < (counted ? threads(&l->a[0].what) : ref.live[slot] * 32))
		return 0;
	if (l->a[0].what.op == WL_BAR_RED) {
		*value = l->a[0].what.red == WL_RED_POPC ? yes : l->a[0].what.red == WL_RED_AND ? all : yes > 0;
		for (unsigned i = 0; i < l->n; i++)
			ref.result[l->a[i].warp] = *value;
	}
	for (unsigned w = 0; w < WL_MAX_WARPS; w++)
		ref.waits[w] &= !(warps >> w & 1);
	l->n = 0;
	ref.complete[slot][id]++;
	return warps;
}

static struct wl_req request_of(unsigned slot, unsigned warp, const struct wl_bar_arrival *a, bool packed)
{
	struct wl_req req = {.tag = {.slot = (uint16_t)slot, .warp = warp}, .mask = a->live, .pred = a->yes};
	req.inst = (struct wl_inst){.uop = WL_UOP_BAR, .op = a->op, .type = a->red, .src = {WL_SRC_REG, WL_SRC_REG}};
	req.ra[0] = packed ? (a->id & 0xffff) | a->count << 16 : a->id;
	req.inst.flags = packed ? WL_F_HI : 0;
	req.rb[0].w[0] = a->count;
	return req;
}

static void check_release(uint64_t warps, uint32_t value, unsigned slot, unsigned id)
{
	struct wl_released r = {0};
	const bool any = wl_unit_ops(WL_UNIT_barrier_file)->released(&events, &r);
	assert_int_equal(any, warps != 0);
	if (!any)
		return;
	assert_int_equal(r.unit, WL_UNIT_barrier_file);
	assert_int_equal(r.warps, warps);
	assert_int_equal(r.value, value);
	assert_int_equal(r.slot, slot);
	assert_int_equal(r.id, id);
	assert_int_equal(r.phase, ref.complete[slot][id] - 1);
	assert_false(wl_unit_ops(WL_UNIT_barrier_file)->released(&events, &r));
}

static enum wl_fault arrive_behind_interface(const struct wl_req *req)
{
	const struct wl_unit_ops *ops = wl_unit_ops(WL_UNIT_barrier_file);
	struct wl_plan plan;
	struct wl_record rec;
	ops->plan(&events, req, &plan, &rec);
	if (plan.faulted) {
		assert_int_equal(plan.faulted, req->mask);
		assert_int_equal(plan.passes, 0);
		ops->finish(&events, req, &plan, &rec);
		return (enum wl_fault)rec.fault[__builtin_ctz(req->mask)];
	}
	assert_int_equal(plan.passes, 1);
	assert_int_equal(plan.pass_lanes[0], req->mask);
	assert_int_equal(plan.waits, req->inst.op != WL_BAR_ARV);
	const struct wl_event ev = {.kind = WL_EV_COMMIT, .tag = req->tag, .lanes = req->mask};
	const uint32_t faults = ops->apply(&events, req, &plan, &ev, &rec);
	assert_true(!faults || faults == req->mask);
	assert_int_equal(rec.committed, req->mask & ~faults);
	ops->finish(&events, req, &plan, &rec);
	return faults ? (enum wl_fault)rec.fault[__builtin_ctz(faults)] : WL_FAULT_NONE;
}

static enum wl_fault arrive(unsigned slot, unsigned warp, const struct wl_bar_arrival *a, bool packed)
{
	const enum wl_fault want = expected_fault(slot, warp, a);
	const struct wl_req req = request_of(slot, warp, a, packed);
	struct wl_released r = {0};
	enum wl_fault got = wl_bar_check(&fast.barrier_file, slot, a);
	if (got == WL_FAULT_NONE)
		got = wl_bar_arrive(&fast.barrier_file, slot, warp, a, &r);
	assert_int_equal(got, want);
	assert_int_equal(arrive_behind_interface(&req), want);
	if (want != WL_FAULT_NONE) {
		check_release(0, 0, slot, a->id);
		return want;
	}
	struct list *l = &ref.bar[slot][a->id];
	l->a[l->n++] = (struct arrival){warp, *a};
	ref.waits[warp] = a->op != WL_BAR_ARV;
	uint32_t value;
	const uint64_t warps = expected_release(slot, a->id, &value);
	assert_int_equal(r.warps, warps);
	assert_true(!warps || r.value == value);
	check_release(warps, value, slot, a->id);
	return want;
}

static void leave(unsigned slot, unsigned warp)
{
	const struct wl_event ev = {.kind = WL_EV_EXIT, .tag = {.slot = (uint16_t)slot, .warp = warp}};
	struct wl_released r;
	uint32_t value = 0;
	uint64_t warps = 0;
	unsigned id = 0;
	wl_bar_exit(&fast.barrier_file, slot, &r);
	wl_unit_ops(WL_UNIT_barrier_file)->event(&events, &ev);
	ref.gone[warp] = true;
	ref.live[slot]--;
	for (; ref.live[slot] && id < WL_NAMED_BARS && !warps; id++)
		warps = expected_release(slot, id, &value);
	assert_int_equal(r.warps, warps);
	check_release(warps, value, slot, warps ? id - 1 : 0);
}

static void same_state(void)
{
	char why[200];
	if (!wl_unit_ops(WL_UNIT_barrier_file)->compare(&events, &fast.barrier_file, why, sizeof why))
		fail_msg("%s", why);
	for (unsigned w = 0; w < WL_MAX_WARPS; w++) {
		assert_int_equal(fast.barrier_file.result[w], ref.result[w]);
		assert_int_equal(events.barrier_file.result[w], ref.result[w]);
	}
}

/* ---- directed ---- */

static struct wl_bar_arrival sync(uint32_t id, uint32_t count)
{
	return (struct wl_bar_arrival){.op = WL_BAR_SYNC, .id = id, .count = count, .live = UINT32_MAX};
}
static struct wl_bar_arrival arv(uint32_t id, uint32_t count)
{
	return (struct wl_bar_arrival){.op = WL_BAR_ARV, .id = id, .count = count, .live = UINT32_MAX};
}
static struct wl_bar_arrival red(enum wl_bar_red kind, uint32_t id, uint32_t live, uint32_t yes)
{
	return (struct wl_bar_arrival){.op = WL_BAR_RED, .red = (uint8_t)kind, .id = id, .live = live, .yes = yes};
}

static void test_trap_table(void **x)
{
	(void)x;
	static const struct {
		enum { SYNC, ARV, POPC, AND } before, now;
		uint32_t count_before, id, count;
		enum wl_fault fault;
	} rows[] = {
	        {SYNC, SYNC, 0, 16, 0, WL_FAULT_BAR_BAD_ID},
	        {SYNC, SYNC, 0, 0xffffffff, 33, WL_FAULT_BAR_BAD_ID}, /* the first fault of the table wins */
	        {SYNC, SYNC, 0, 3, 33, WL_FAULT_BAR_BAD_COUNT},
	        {SYNC, SYNC, 0, 3, 160, WL_FAULT_BAR_BAD_COUNT},
	        {SYNC, ARV, 0, 3, 0, WL_FAULT_BAR_BAD_COUNT},
	        {SYNC, SYNC, 64, 3, 96, WL_FAULT_BAR_COUNT_MISMATCH},
	        {SYNC, SYNC, 64, 3, 0, WL_FAULT_BAR_COUNT_MISMATCH},
	        {SYNC, POPC, 64, 3, 0, WL_FAULT_BAR_COUNT_MISMATCH},
	        {SYNC, SYNC, 128, 3, 0, WL_FAULT_NONE},
	        {SYNC, ARV, 0, 3, 128, WL_FAULT_NONE},
	        {ARV, SYNC, 96, 3, 96, WL_FAULT_NONE},
	        {SYNC, POPC, 0, 3, 0, WL_FAULT_BAR_MODE_MISMATCH},
	        {POPC, AND, 0, 3, 0, WL_FAULT_BAR_MODE_MISMATCH},
	        {AND, SYNC, 0, 3, 0, WL_FAULT_BAR_MODE_MISMATCH},
	        {AND, ARV, 0, 3, 128, WL_FAULT_BAR_MODE_MISMATCH},
	        {POPC, POPC, 0, 3, 0, WL_FAULT_NONE},
	};
	for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const unsigned kinds[2] = {rows[i].before, rows[i].now};
		const uint32_t ids[2] = {3, rows[i].id}, counts[2] = {rows[i].count_before, rows[i].count};
		enum wl_fault got = WL_FAULT_NONE;
		reset();
		open_slot(1);
		for (unsigned k = 0; k < 2; k++) {
			struct wl_bar_arrival a = kinds[k] == ARV ? arv(ids[k], counts[k]) : sync(ids[k], counts[k]);
			if (kinds[k] == POPC || kinds[k] == AND) {
				a.op = WL_BAR_RED;
				a.red = kinds[k] == POPC ? WL_RED_POPC : WL_RED_AND;
			}
			got = arrive(1, WARPS_PER_SLOT + k, &a, false);
		}
		if (got != rows[i].fault)
			fail_msg("row %u: %s", i, wl_fault_name(got));
	}
}

static void test_twice_and_closed(void **x)
{
	(void)x;
	struct wl_bar_arrival a = arv(1, 64), b = sync(1, 64);
	reset();
	assert_int_equal(arrive(0, 0, &b, false), WL_FAULT_SLOT_CLOSED);
	open_slot(0);
	assert_int_equal(arrive(0, 0, &a, false), WL_FAULT_NONE);
	assert_int_equal(arrive(0, 0, &b, true), WL_FAULT_BAR_DOUBLE_ARRIVE);
	assert_int_equal(arrive(0, 1, &b, true), WL_FAULT_NONE);  /* complete: only warp 1 waited */
	assert_int_equal(arrive(0, 0, &b, false), WL_FAULT_NONE); /* and open for the next phase at once */
	same_state();
}

/* Values worked out by hand: 4 warps, the last with 8 lanes. */
static void test_reductions(void **x)
{
	(void)x;
	static const struct {
		enum wl_bar_red kind;
		uint32_t yes[4], value;
	} rows[] = {
	        {WL_RED_POPC, {0xf, 0, 0x80000001, 0xffffffff}, 4 + 0 + 2 + 8},
	        {WL_RED_AND, {0xffffffff, 0xffffffff, 0xffffffff, 0xff}, 1},
	        {WL_RED_AND, {0xffffffff, 0xfffffffe, 0xffffffff, 0xff}, 0},
	        {WL_RED_OR, {0, 0, 0, 0xffffff00}, 0}, /* only live lanes vote */
	        {WL_RED_OR, {0, 0, 0, 0x80}, 1},
	};
	for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		reset();
		open_slot(2);
		for (unsigned w = 0; w < 4; w++) {
			const struct wl_bar_arrival a =
			        red(rows[i].kind, 9, w == 3 ? 0xff : UINT32_MAX, rows[i].yes[w]);
			assert_int_equal(arrive(2, 8 + w, &a, false), WL_FAULT_NONE);
		}
		for (unsigned w = 0; w < 4; w++)
			assert_int_equal(fast.barrier_file.result[8 + w], rows[i].value);
		assert_int_equal(fast.barrier_file.result[0], 0);
	}
}

/* B2R gives the value to every active lane, and whether it is 0. */
static void test_read_result(void **x)
{
	(void)x;
	const struct wl_unit_ops *ops = wl_unit_ops(WL_UNIT_barrier_file);
	struct wl_req req = {.tag = {.warp = 5}, .mask = 0xf0};
	struct wl_plan plan;
	struct wl_record rec;
	reset();
	events.barrier_file.result[5] = 321;
	req.inst = (struct wl_inst){.uop = WL_UOP_B2R, .rd = 4, .pd = {2, WL_PT}};
	const struct wl_event ev = {.kind = WL_EV_COMMIT, .tag = req.tag, .lanes = req.mask};
	ops->plan(&events, &req, &plan, &rec);
	assert_false(plan.waits);
	assert_int_equal(ops->apply(&events, &req, &plan, &ev, &rec), 0);
	ops->finish(&events, &req, &plan, &rec);
	assert_int_equal(rec.written, 0xf0);
	assert_int_equal(rec.result[6].w[0], 321);
	assert_int_equal(rec.result[3].w[0], 0);
	assert_int_equal(rec.pred_written, 0xf0);
	assert_int_equal(rec.preds, 0xf0);
	req.inst.rd = WL_RZ;
	events.barrier_file.result[5] = 0;
	ops->plan(&events, &req, &plan, &rec);
	ops->apply(&events, &req, &plan, &ev, &rec);
	assert_int_equal(rec.written, 0);
	assert_int_equal(rec.pred_written, 0xf0);
	assert_int_equal(rec.preds, 0);
}

static void take_line(void *self, const char *text)
{
	strcpy(self, text);
}

static void test_explain(void **x)
{
	(void)x;
	char text[200] = "";
	const struct wl_bar_arrival a = sync(6, 0);
	reset();
	open_slot(0);
	arrive(0, 1, &a, false);
	arrive(0, 3, &a, false);
	leave(0, 0);
	wl_unit_ops(WL_UNIT_barrier_file)->explain(&events, 0, take_line, text);
	assert_string_equal(text, "barrier 6 (sync): 2 of 3 warps arrived, warps 0xa wait");
	events.barrier_file.cta[0].bar[6].waiting = 2;
	assert_false(wl_unit_ops(WL_UNIT_barrier_file)->compare(&events, &fast.barrier_file, text, sizeof text));
	assert_non_null(strstr(text, "barrier 6 of CTA slot 0"));
}

/* ---- random ---- */

static struct wl_bar_arrival random_arrival(struct rng *r)
{
	static const uint32_t counts[] = {0, 0, 0, 32, 64, 64, 96, 128, 128, 33, 160};
	struct wl_bar_arrival a = {.op = (uint8_t)(rng_below(r, 8) % 3),
	                           .red = (uint8_t)rng_below(r, 3),
	                           .id = rng_one_in(r, 40) ? 16 : rng_below(r, 2) * 7,
	                           .count = counts[rng_below(r, sizeof counts / sizeof counts[0])],
	                           .live = rng_u32(r) | 1,
	                           .yes = rng_one_in(r, 3) ? UINT32_MAX : rng_u32(r) & rng_u32(r)};
	return a;
}

static void test_random(void **x)
{
	(void)x;
	struct rng r = rng_seed(7, 1);
	unsigned faults = 0, arrivals = 0, exits = 0;
	reset();
	for (unsigned step = 0; step < 200000; step++) {
		const unsigned slot = rng_below(&r, SLOTS),
		               warp = slot * WARPS_PER_SLOT + rng_below(&r, WARPS_PER_SLOT);
		const struct wl_bar_arrival a = random_arrival(&r);
		if (!ref.open[slot] ? rng_one_in(&r, 4) : rng_one_in(&r, 40)) {
			open_slot(slot);
		} else if (rng_one_in(&r, 400)) {
			wl_unit_ops(WL_UNIT_barrier_file)->close(&events, slot);
			wl_bar_close(&fast.barrier_file, slot);
			ref.open[slot] = false;
		} else if (ref.waits[warp] || ref.gone[warp]) {
			continue;
		} else if (ref.open[slot] && rng_one_in(&r, 30)) {
			leave(slot, warp);
			exits++;
		} else {
			const bool fault = arrive(slot, warp, &a, rng_one_in(&r, 4)) != WL_FAULT_NONE;
			faults += fault;
			arrivals += !fault;
		}
		same_state();
	}
	if (faults < 10000 || arrivals < 10000 || exits < 1000)
		fail_msg("%u faults, %u arrivals, %u exits", faults, arrivals, exits);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_trap_table), cmocka_unit_test(test_twice_and_closed),
	        cmocka_unit_test(test_reductions), cmocka_unit_test(test_read_result),
	        cmocka_unit_test(test_explain),    cmocka_unit_test(test_random),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
