// SPDX-License-Identifier: Apache-2.0
/* cunits_convergence_test.c -- convergence barriers against a reference. The reference asks each lane alone whether all
 * awaited lanes have come. Directed rows follow the code of compilers. The same requests also run behind the unit's
 * interface. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "../../../common/rng.h"
#include "warplock/units.h"

enum { WARP = 3, PLACES = WL_NUM_CBARS + WL_WARPSYNCS, NOWHERE = PLACES };

/* State of each lane. Places 0..15 are BSYNC of the barrier with the same number, then WARPSYNC. */
struct lane {
	bool live, yielded;
	unsigned place;
	uint32_t set[WL_NUM_CBARS], mask;
};
struct reference {
	struct lane lane[32];
};

static uint32_t waits_for(const struct reference *r, unsigned i)
{
	const struct lane *l = &r->lane[i];
	return l->place < WL_NUM_CBARS ? l->set[l->place] : l->mask;
}

/* Lane i waits at the place of lane `of`, for the same lanes. */
static bool waits_with(const struct reference *r, unsigned i, unsigned of)
{
	return r->lane[i].place == r->lane[of].place && waits_for(r, i) == waits_for(r, of);
}

static bool may_go_on(const struct reference *r, unsigned i)
{
	if (r->lane[i].place == NOWHERE)
		return false;
	for (unsigned j = 0; j < 32; j++)
		if (waits_for(r, i) >> j & 1 && r->lane[j].live && !waits_with(r, j, i))
			return false;
	return true;
}

static uint32_t end_waits(struct reference *r, uint32_t go)
{
	for (unsigned i = 0; i < 32; i++) {
		struct lane *l = &r->lane[i];
		if (!(go >> i & 1))
			continue;
		if (l->place < WL_NUM_CBARS)
			l->set[l->place] = 0;
		l->place = NOWHERE;
	}
	return go;
}

static uint32_t release(struct reference *r)
{
	uint32_t go = 0;
	for (unsigned i = 0; i < 32; i++)
		go |= (uint32_t)may_go_on(r, i) << i;
	return end_waits(r, go);
}

/* For lane i at BSYNC: the awaited lanes not waiting with lane i, if all have yielded or are named at their wait; else
 * 0. */
static uint32_t yielding_rest(const struct reference *r, unsigned i, uint32_t named)
{
	uint32_t rest = 0;
	for (unsigned j = 0; j < 32; j++) {
		if (!(waits_for(r, i) >> j & 1) || !r->lane[j].live || waits_with(r, j, i))
			continue;
		if (!r->lane[j].yielded && !(named >> j & 1))
			return 0;
		rest |= 1u << j;
	}
	return rest;
}

static uint32_t yield(struct reference *r, uint32_t lanes)
{
	for (unsigned i = 0; i < 32; i++)
		r->lane[i].yielded |= lanes >> i & 1 && r->lane[i].place == NOWHERE;
	const struct reference before = *r;
	uint32_t go = 0;
	for (unsigned i = 0; i < 32; i++) {
		const unsigned bar = before.lane[i].place;
		const uint32_t rest = bar < WL_NUM_CBARS ? yielding_rest(&before, i, lanes) : 0;
		go |= (uint32_t)(rest != 0) << i;
		for (unsigned j = 0; j < 32; j++)
			if (rest >> j & 1 && before.lane[j].place == NOWHERE)
				r->lane[j].set[bar] &= ~(1u << i);
	}
	return end_waits(r, go);
}

/* The fault of lane i at a WARPSYNC. Lanes at the WARPSYNC: the lanes waiting there, and the lanes coming with lane i
 * and in their own masks. Source: docs/spec/convergence.md, "Faults". */
static enum wl_fault misuse(const struct reference *r, const struct wl_req *req, unsigned i)
{
	const uint32_t mine = (uint32_t)req->ra[i];
	if (!(mine >> i & 1))
		return WL_FAULT_WARP_MASK_SELF;
	for (unsigned j = 0; j < 32; j++) {
		const bool comes = req->mask >> j & 1;
		const uint32_t theirs = comes ? (uint32_t)req->ra[j] : r->lane[j].mask;
		const bool there = comes ? theirs >> j & 1 : r->lane[j].place == (unsigned)WL_NUM_CBARS + req->inst.op;
		if (there && mine >> j & 1 && theirs >> i & 1 && mine != theirs)
			return WL_FAULT_WARP_MASK_MISMATCH;
	}
	return WL_FAULT_NONE;
}

static uint32_t lanes_with(const struct reference *r, const struct wl_req *req, enum wl_fault code)
{
	uint32_t lanes = 0;
	for (unsigned i = 0; i < 32; i++)
		if (req->mask >> i & 1)
			lanes |= (uint32_t)((req->inst.uop == WL_UOP_WARPSYNC ? misuse(r, req, i) : WL_FAULT_NONE) ==
			                    code)
			         << i;
	return lanes;
}

/* No lane faults. */
static uint32_t step(struct reference *r, const struct wl_req *req)
{
	const uint32_t chosen = req->mask & req->pred;
	const unsigned bar = req->inst.cbar;
	uint32_t others = 0;
	for (unsigned i = 0; i < 32; i++) {
		struct lane *l = &r->lane[i];
		const bool active = req->mask >> i & 1, takes_part = chosen >> i & 1;
		switch (req->inst.uop) {
		case WL_UOP_BSSY:
			l->set[bar] = active ? req->mask : l->set[bar];
			l->yielded &= !active;
			break;
		case WL_UOP_BSYNC:
			l->place = takes_part ? bar : l->place;
			l->yielded &= !takes_part;
			break;
		case WL_UOP_WARPSYNC:
			l->place = active ? (unsigned)WL_NUM_CBARS + req->inst.op : l->place;
			l->mask = active ? (uint32_t)req->ra[i] : l->mask;
			l->yielded &= !active;
			break;
		case WL_UOP_BREAK:
			others |= takes_part ? l->set[bar] : 0;
			break;
		case WL_UOP_BMOV_CLEAR:
			l->set[bar] = active ? 0 : l->set[bar];
			break;
		case WL_UOP_BMOV_R2B:
			l->set[bar] = active ? (uint32_t)req->ra[i] : l->set[bar];
			break;
		case WL_UOP_EXIT:
			l->live &= !takes_part;
			break;
		}
	}
	for (unsigned i = 0; i < 32 && req->inst.uop == WL_UOP_BREAK; i++) {
		uint32_t *set = &r->lane[i].set[bar];
		*set = chosen >> i & 1 ? 0 : others >> i & 1 ? *set & ~chosen : *set;
	}
	return req->inst.uop == WL_UOP_YIELD ? yield(r, req->mask) : release(r);
}

/* ---- the unit ---- */

static struct wl_units u;
static struct wl_conv_warp fast;
static struct reference ref;

static void start(unsigned threads)
{
	const struct wl_cta_start cta = {.first_warp = WARP, .warps = 1, .threads = threads};
	const uint32_t lanes = threads < 32 ? (1u << threads) - 1 : UINT32_MAX;
	wl_unit_ops(WL_UNIT_convergence)->open(&u, &cta);
	wl_conv_start(&fast, lanes);
	for (unsigned i = 0; i < 32; i++)
		ref.lane[i] = (struct lane){.live = lanes >> i & 1, .place = NOWHERE};
}

static uint32_t ready(void)
{
	uint32_t lanes = 0;
	for (unsigned i = 0; i < 32; i++)
		lanes |= (uint32_t)(ref.lane[i].live && ref.lane[i].place == NOWHERE) << i;
	return lanes;
}

static uint32_t waiting(void)
{
	uint32_t lanes = 0;
	for (unsigned i = 0; i < 32; i++)
		lanes |= (uint32_t)(ref.lane[i].live && ref.lane[i].place != NOWHERE) << i;
	return lanes;
}

/* Calls of the front end. */
static uint32_t call(const struct wl_req *req)
{
	const unsigned bar = req->inst.cbar;
	const uint32_t chosen = req->mask & req->pred;
	uint32_t row[32];
	for (unsigned i = 0; i < 32; i++)
		row[i] = (uint32_t)req->ra[i];
	switch (req->inst.uop) {
	case WL_UOP_BSSY:
		wl_conv_bssy(&fast, bar, req->mask);
		return 0;
	case WL_UOP_BSYNC:
		return wl_conv_bsync(&fast, bar, chosen);
	case WL_UOP_WARPSYNC:
		return wl_conv_warpsync(&fast, (enum wl_warpsync)req->inst.op, req->mask, row);
	case WL_UOP_BREAK:
		return wl_conv_break(&fast, bar, chosen);
	case WL_UOP_BMOV_CLEAR:
		wl_conv_clear(&fast, bar, req->mask);
		return 0;
	case WL_UOP_BMOV_R2B:
		wl_conv_put(&fast, bar, req->mask, row);
		return 0;
	case WL_UOP_EXIT:
		return wl_conv_exit(&fast, chosen);
	case WL_UOP_YIELD:
		return wl_conv_yield(&fast, req->mask);
	}
	return 0;
}

static void check_answer(const struct wl_req *req, const struct wl_record *rec, const struct reference *before,
                         uint32_t good)
{
	const bool reads = req->inst.uop == WL_UOP_BMOV_CLEAR || req->inst.uop == WL_UOP_BMOV_B2R;
	assert_int_equal(rec->committed, good);
	assert_int_equal(rec->written, good);
	assert_int_equal(rec->faulted, req->mask & ~good);
	for (unsigned i = 0; i < 32; i++) {
		const uint32_t want = reads ? before->lane[i].set[req->inst.cbar] : ready();
		assert_int_equal(rec->result[i].w[0], good >> i & 1 ? want : 0);
		assert_int_equal(rec->fault[i], req->mask & ~good & 1u << i ? misuse(before, req, i) : WL_FAULT_NONE);
	}
}

static unsigned selves, mismatches, partly;

/* An instruction on all three models; returns the waiting lanes going on. Faults come first, a code at a time, like in
 * lockstep. */
static uint32_t run(const struct wl_req *req)
{
	const struct wl_unit_ops *ops = wl_unit_ops(WL_UNIT_convergence);
	const struct reference before = ref;
	const uint32_t good = lanes_with(&before, req, WL_FAULT_NONE);
	const uint32_t self = lanes_with(&before, req, WL_FAULT_WARP_MASK_SELF);
	struct wl_req left = *req;
	uint32_t row[32], want = 0, got = 0;
	for (unsigned i = 0; i < 32; i++)
		row[i] = (uint32_t)req->ra[i];
	if (req->inst.uop == WL_UOP_WARPSYNC) {
		const struct wl_conv_misuse bad = wl_conv_judge(&fast, (enum wl_warpsync)req->inst.op, req->mask, row);
		assert_int_equal(bad.self, self);
		assert_int_equal(bad.mismatch, req->mask & ~good & ~self);
	}
	left.mask = good;
	if (good) {
		want = step(&ref, &left);
		got = call(&left);
	}
	selves += self != 0;
	mismatches += (req->mask & ~good & ~self) != 0;
	partly += good && good != req->mask;
	struct wl_plan plan;
	struct wl_record rec;
	ops->plan(&u, req, &plan, &rec);
	const struct wl_event events[] = {{.kind = WL_EV_FAULT, .lanes = self},
	                                  {.kind = WL_EV_FAULT, .lanes = req->mask & ~good & ~self},
	                                  {.kind = WL_EV_COMMIT, .lanes = good}};
	for (unsigned i = 0; i < 3; i++)
		if (events[i].lanes)
			assert_int_equal(ops->apply(&u, req, &plan, &events[i], &rec), i < 2 ? events[i].lanes : 0);
	ops->finish(&u, req, &plan, &rec);
	if (got != want)
		fail_msg("uop %u: lanes %#x go on, expected %#x", req->inst.uop, got, want);
	check_answer(req, &rec, &before, good);
	assert_memory_equal(&u.convergence.warp[WARP], &fast, sizeof fast);
	for (unsigned i = 0; i < 32; i++)
		for (unsigned b = 0; b < WL_NUM_CBARS; b++)
			assert_int_equal(fast.set[b][i], ref.lane[i].set[b]);
	return got;
}

static uint32_t run_op(enum wl_uop uop, unsigned bar, uint32_t lanes)
{
	const struct wl_req req = {.tag = {.warp = WARP},
	                           .mask = lanes,
	                           .pred = UINT32_MAX,
	                           .inst = {.uop = (uint16_t)uop, .cbar = (uint8_t)bar, .rd = 9}};
	return run(&req);
}

static uint32_t run_warpsync(enum wl_warpsync kind, uint32_t lanes, uint32_t mask)
{
	struct wl_req req = {.tag = {.warp = WARP},
	                     .mask = lanes,
	                     .pred = UINT32_MAX,
	                     .inst = {.uop = WL_UOP_WARPSYNC, .op = (uint8_t)kind, .src = {WL_SRC_REG}}};
	for (unsigned i = 0; i < 32; i++)
		req.ra[i] = mask;
	return run(&req);
}

/* ---- directed ---- */

static void test_if_else(void **x)
{
	(void)x;
	start(32);
	assert_int_equal(run_op(WL_UOP_BSSY, 0, UINT32_MAX), 0);
	assert_int_equal(run_op(WL_UOP_BSYNC, 0, 0xffff), 0);
	assert_int_equal(run_op(WL_UOP_BSYNC, 0, 0xff0000), 0);
	assert_int_equal(run_op(WL_UOP_EXIT, 0, 0xf0000000), 0);
	assert_int_equal(run_op(WL_UOP_BSYNC, 0, 0x0f000000), 0x0fffffff); /* all lanes together */
}

/* Two sides of a branch use the same number for different places. */
static void test_same_number(void **x)
{
	(void)x;
	start(32);
	run_op(WL_UOP_BSSY, 1, 0xffff);
	run_op(WL_UOP_BSSY, 1, 0xffff0000);
	assert_int_equal(run_op(WL_UOP_BSYNC, 1, 0xff), 0);
	assert_int_equal(run_op(WL_UOP_BSYNC, 1, 0xffff0000), 0xffff0000);
	assert_int_equal(run_op(WL_UOP_BSYNC, 1, 0xff00), 0xffff);
}

static void test_break_and_bmov(void **x)
{
	(void)x;
	start(32);
	run_op(WL_UOP_BSSY, 2, UINT32_MAX);
	run_op(WL_UOP_BSYNC, 2, 0xffff);
	assert_int_equal(run_op(WL_UOP_BREAK, 2, 0xffff0000), 0xffff); /* no lane waits for breaking lanes any more */
	run_op(WL_UOP_BSSY, 2, UINT32_MAX);
	run_op(WL_UOP_BMOV_B2R, 2, UINT32_MAX);
	run_op(WL_UOP_BMOV_CLEAR, 2, UINT32_MAX);
	assert_int_equal(run_op(WL_UOP_BSYNC, 2, 0xf), 0xf); /* an empty set: no lane to wait for */
}

/* Lanes spinning with YIELD let go the lanes waiting for spinning lanes alone. */
static void test_yield(void **x)
{
	(void)x;
	start(32);
	run_op(WL_UOP_BSSY, 0, UINT32_MAX);
	run_op(WL_UOP_BSYNC, 0, 0xff);
	assert_int_equal(run_op(WL_UOP_YIELD, 0, 0xff00), 0); /* other lanes are still awaited */
	assert_int_equal(run_op(WL_UOP_YIELD, 0, 0xffff0000), 0xff);
	assert_int_equal(run_op(WL_UOP_BSYNC, 0, 0xffff00), 0);
	assert_int_equal(run_op(WL_UOP_BSYNC, 0, 0xff000000), 0xffffff00); /* without the lanes gone ahead */
}

/* Like code of -G: the polling lanes are in a function. The function has saved the set and uses the number itself. */
static void test_yield_with_another_set(void **x)
{
	(void)x;
	start(32);
	run_op(WL_UOP_BSSY, 6, UINT32_MAX);
	run_op(WL_UOP_BSYNC, 6, 0xff);
	run_op(WL_UOP_BMOV_CLEAR, 6, 0xffffff00);
	run_op(WL_UOP_BSSY, 6, 0xffff00);
	assert_int_equal(run_op(WL_UOP_YIELD, 0, 0xffff00), 0);
	assert_int_equal(run_op(WL_UOP_YIELD, 0, 0xff000000), 0xff);
	assert_int_equal(run_op(WL_UOP_BSYNC, 6, 0xffff00), 0xffff00); /* the function's own set has not changed */
}

/* No lane is ready: lanes 1 and 2 wait for lane 0, and lane 0 waits for all at a WARPSYNC. Lane 0, named at its wait,
 * has not yielded for good. */
static void test_yield_of_waiters(void **x)
{
	(void)x;
	start(3);
	run_op(WL_UOP_BSSY, 6, 0x7);
	assert_int_equal(run_warpsync(WL_WARPSYNC_PLAIN, 0x1, 0x7), 0);
	assert_int_equal(run_op(WL_UOP_BSYNC, 6, 0x6), 0);
	assert_int_equal(run_op(WL_UOP_YIELD, 0, 0x1), 0x6);
	assert_int_equal(run_op(WL_UOP_BMOV_B2R, 6, 0x6), 0);
	run_op(WL_UOP_BSSY, 6, 0x6);
	assert_int_equal(run_op(WL_UOP_BSYNC, 6, 0x2), 0);
	assert_int_equal(run_warpsync(WL_WARPSYNC_PLAIN, 0x4, 0x7), 0);
	assert_int_equal(run_op(WL_UOP_YIELD, 0, 0x1), 0); /* lane 1 waits for lane 2 */
	assert_int_equal(run_op(WL_UOP_YIELD, 0, 0x4), 0x2);
	assert_int_equal(run_warpsync(WL_WARPSYNC_PLAIN, 0x2, 0x7), 0x7);
	/* a chain: lane 0 waits for lane 2, and lane 2 waits elsewhere for lane 1; the YIELD names both */
	run_op(WL_UOP_BSSY, 1, 0x7);
	run_op(WL_UOP_BSYNC, 1, 0x1);
	assert_int_equal(run_op(WL_UOP_YIELD, 0, 0x6), 0x1);
	run_op(WL_UOP_BSSY, 1, 0x5);
	run_op(WL_UOP_BSYNC, 1, 0x1);
	run_op(WL_UOP_BSSY, 2, 0x6);
	run_op(WL_UOP_BSYNC, 2, 0x4);
	run_op(WL_UOP_BSSY, 3, 0x2);
	assert_int_equal(run_op(WL_UOP_YIELD, 0, 0x6), 0x5);
	assert_int_equal(run_op(WL_UOP_EXIT, 0, 0x1), 0);
}

static void test_warpsync(void **x)
{
	(void)x;
	start(24);
	assert_int_equal(run_warpsync(WL_WARPSYNC_PLAIN, 0xff, UINT32_MAX), 0);
	assert_int_equal(run_warpsync(WL_WARPSYNC_APART, 0xff00, 0xff00), 0xff00);
	assert_int_equal(run_warpsync(WL_WARPSYNC_PLAIN, 0xff00, UINT32_MAX), 0);
	assert_int_equal(run_warpsync(WL_WARPSYNC_APART, 0xf0000, 0xf0000), 0xf0000);
	assert_int_equal(run_warpsync(WL_WARPSYNC_PLAIN, 0xff0000, UINT32_MAX), 0xffffff); /* lanes never alive */
}

/* Each misuse; and legal masks: only one of two masks names the other's lane, named lanes after EXIT, another kind of
 * WARPSYNC. Source: docs/spec/convergence.md, "Faults". */
static void test_masks(void **x)
{
	(void)x;
	start(32);
	assert_int_equal(run_warpsync(WL_WARPSYNC_PLAIN, 0x3, 0x7), 0);
	assert_int_equal(selves + mismatches, 0);
	run_warpsync(WL_WARPSYNC_PLAIN, 0x10, 0xf); /* lane 4 is not in its mask */
	assert_int_equal(selves, 1);
	run_warpsync(WL_WARPSYNC_PLAIN, 0x4, 0xf); /* lane 2 names 0 and 1; both name lane 2, with 0x7 */
	assert_int_equal(mismatches, 1);
	assert_int_equal(run_warpsync(WL_WARPSYNC_PLAIN, 0x8, 0xb), 0); /* lane 3 names 0 and 1; neither names lane 3 */
	assert_int_equal(run_warpsync(WL_WARPSYNC_APART, 0x20, 0x20), 0x20);
	assert_int_equal(run_warpsync(WL_WARPSYNC_PLAIN, 0x4, 0x7), 0x7);
	assert_int_equal(run_op(WL_UOP_EXIT, 0, 0x3), 0x8);               /* lane 3 waited for 0 and 1 alone */
	assert_int_equal(run_warpsync(WL_WARPSYNC_PLAIN, 0x4, 0x7), 0x4); /* dropped from the set */
	assert_int_equal(selves, 1);
	assert_int_equal(mismatches, 1);
}

static void test_compare(void **x)
{
	(void)x;
	static struct wl_convergence other;
	char why[160];
	const struct wl_unit_ops *ops = wl_unit_ops(WL_UNIT_convergence);
	start(32);
	run_op(WL_UOP_BSSY, 5, 0xffff);
	other = u.convergence;
	assert_true(ops->compare(&u, &other, why, sizeof why));
	other.warp[WARP].set[5][7] ^= 0x10;
	assert_false(ops->compare(&u, &other, why, sizeof why));
	assert_string_equal(why, "B5 of warp 3, lane 7: lanes 0x0000ffef, REF has 0x0000ffff");
}

/* ---- random: any instruction by any ready lanes ---- */

static void test_random(void **x)
{
	(void)x;
	static const enum wl_uop uops[] = {WL_UOP_BSSY,     WL_UOP_BSYNC,      WL_UOP_BSYNC,    WL_UOP_BSYNC,
	                                   WL_UOP_BREAK,    WL_UOP_BMOV_CLEAR, WL_UOP_BMOV_R2B, WL_UOP_BMOV_B2R,
	                                   WL_UOP_WARPSYNC, WL_UOP_YIELD,      WL_UOP_YIELD,    WL_UOP_EXIT};
	struct rng r = rng_seed(11, 0);
	unsigned released = 0, let_go = 0, stood = 0;
	for (unsigned round = 0; round < 4000; round++) {
		start(rng_one_in(&r, 3) ? 1 + rng_below(&r, 32) : 32);
		for (unsigned k = 0; k < 40 && (ready() || waiting()); k++) {
			struct wl_req req = {.tag = {.warp = WARP},
			                     .pred = rng_one_in(&r, 3) ? rng_u32(&r) : UINT32_MAX};
			const uint32_t some = rng_one_in(&r, 3) ? UINT32_MAX : rng_u32(&r) | rng_u32(&r);
			req.mask = ready() & some ? ready() & some : ready();
			req.inst = (struct wl_inst){.uop = (uint16_t)uops[rng_below(&r, sizeof uops / sizeof uops[0])],
			                            .cbar = (uint8_t)rng_below(&r, 2),
			                            .op = (uint8_t)rng_below(&r, 2),
			                            .src = {WL_SRC_REG}};
			if (!ready() || (req.inst.uop == WL_UOP_YIELD && waiting() && rng_one_in(&r, 3))) {
				req.inst.uop = WL_UOP_YIELD;
				req.mask |= waiting() & some ? waiting() & some : waiting();
			}
			if (req.inst.uop == WL_UOP_BMOV_B2R || req.inst.uop == WL_UOP_BMOV_CLEAR)
				req.inst.rd = 4;
			const bool wild = rng_one_in(&r, 4);
			for (unsigned i = 0; i < 32; i++) {
				req.ra[i] = rng_one_in(&r, 3) ? req.mask : UINT32_MAX;
				if (wild && rng_one_in(&r, 8)) /* own lane and some others; or all but the own lane */
					req.ra[i] =
					        rng_one_in(&r, 3) ? ~(1u << i) : 1u << i | (rng_u32(&r) & rng_u32(&r));
			}
			const uint32_t go = run(&req);
			released += go != 0;
			let_go += go && req.inst.uop == WL_UOP_YIELD;
			stood += (go & req.mask) != 0 && req.inst.uop == WL_UOP_YIELD;
		}
	}
	if (released < 5000 || let_go < 200 || stood < 200 || selves < 200 || mismatches < 200 || partly < 200)
		fail_msg("%u releases, %u of them by YIELD, %u of lanes that it names; WARPSYNCs: %u with lanes not in "
		         "their own masks, %u with "
		         "masks "
		         "that disagree, %u of which a part faults",
		         released, let_go, stood, selves, mismatches, partly);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_if_else),
	        cmocka_unit_test(test_same_number),
	        cmocka_unit_test(test_break_and_bmov),
	        cmocka_unit_test(test_yield),
	        cmocka_unit_test(test_yield_with_another_set),
	        cmocka_unit_test(test_yield_of_waiters),
	        cmocka_unit_test(test_masks),
	        cmocka_unit_test(test_warpsync),
	        cmocka_unit_test(test_compare),
	        cmocka_unit_test(test_random),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
