// SPDX-License-Identifier: Apache-2.0
/* cunits_cluster_barrier_test.c -- cluster_barrier against a reference. For each warp the reference keeps only the
 * phase of the last arrival. Clusters of 1 to 8 CTAs share the SM: arrivals, waits, misuse, exits. Clusters end, and
 * other clusters come to the slots. The test drives the unit behind its interface, like lockstep. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../../common/rng.h"
#include "warplock/units.h"

enum { SLOTS = 16, WARPS = 3 /* of a CTA */, STEPS = 400000 };

struct warp {
	bool gone, waits;
	bool owes;      /* has arrived and not waited since */
	unsigned phase; /* 1 + phase of the last arrival; 0: never */
};
struct cluster {
	bool open;
	unsigned ctas, first_slot, number, phase;
	struct warp w[8 * WARPS];
};

static struct wl_units units;
static const struct wl_unit_ops *ops;
static struct cluster clusters[SLOTS]; /* by their first slot */
static unsigned next_number;
static struct rng rng;
static unsigned released_by[3], faults[64], at_once; /* by ARV, EXIT; by code; waits over at once */

static struct warp *warp_of(unsigned warp, struct cluster **c)
{
	for (unsigned i = 0; i < SLOTS; i++) {
		const unsigned first = clusters[i].first_slot * WARPS;
		if (clusters[i].open && warp >= first && warp < first + clusters[i].ctas * WARPS) {
			*c = &clusters[i];
			return &clusters[i].w[warp - first];
		}
	}
	return NULL;
}

/* CTAs of a cluster may lie in any slots. In this test the CTAs lie side by side, but start in any order. */
static void open_cluster(unsigned slot, unsigned ctas)
{
	struct cluster *c = &clusters[slot];
	*c = (struct cluster){.open = true, .ctas = ctas, .first_slot = slot, .number = next_number++};
	const unsigned turn = rng_below(&rng, ctas);
	for (unsigned i = 0; i < ctas; i++) {
		const unsigned k = (i + turn) % ctas;
		const struct wl_cta_start start = {.slot = slot + k,
		                                   .first_warp = (slot + k) * WARPS,
		                                   .warps = WARPS,
		                                   .threads = WARPS * 32,
		                                   .cluster = c->number,
		                                   .cluster_ctas = ctas == 1 ? rng_below(&rng, 2) : ctas,
		                                   .rank = k};
		ops->open(&units, &start);
	}
}

static void fill_free_slots(void)
{
	bool used[SLOTS] = {false};
	for (unsigned i = 0; i < SLOTS; i++)
		for (unsigned k = 0; clusters[i].open && k < clusters[i].ctas; k++)
			used[i + k] = true;
	for (unsigned slot = 0; slot < SLOTS; slot++) {
		unsigned room = 0;
		while (slot + room < SLOTS && !used[slot + room] && room < 8)
			room++;
		if (!room || rng_below(&rng, 4) == 0)
			continue;
		const unsigned ctas = 1 + rng_below(&rng, room);
		open_cluster(slot, ctas);
		slot += ctas - 1;
	}
}

/* All live warps have arrived in this phase, and at least one warp lives. */
static bool complete(const struct cluster *c)
{
	bool lives = false;
	for (unsigned i = 0; i < c->ctas * WARPS; i++) {
		if (c->w[i].gone)
			continue;
		lives = true;
		if (c->w[i].phase != c->phase + 1)
			return false;
	}
	return lives;
}

/* Compares the warps released by the unit with the waiting warps of a completed phase. */
static void check_release(struct cluster *c, unsigned by)
{
	struct wl_released r;
	uint64_t warps = 0;
	if (!complete(c)) {
		assert_false(ops->released(&units, &r));
		return;
	}
	for (unsigned i = 0; i < c->ctas * WARPS; i++) {
		warps |= (uint64_t)c->w[i].waits << (c->first_slot * WARPS + i);
		c->w[i].waits = false;
	}
	c->phase++;
	if (warps) {
		assert_true(ops->released(&units, &r));
		assert_int_equal(r.unit, WL_UNIT_cluster_barrier);
		assert_true(r.warps == warps);
		assert_int_equal(r.slot, c->first_slot);
		assert_int_equal(r.id, (uint16_t)(c->phase - 1));
		released_by[by]++;
	}
	assert_false(ops->released(&units, &r));
}

static enum wl_fault expected(const struct cluster *c, const struct warp *w, unsigned op)
{
	if (!w)
		return WL_FAULT_SLOT_CLOSED;
	if (op == WL_CBAR_ARV)
		return w->phase == c->phase + 1 ? WL_FAULT_CBAR_DOUBLE_ARRIVE : WL_FAULT_NONE;
	return w->owes ? WL_FAULT_NONE : WL_FAULT_CBAR_WAIT_NO_ARRIVE;
}

static void request(unsigned warp, unsigned op)
{
	struct cluster *c = NULL;
	struct warp *w = warp_of(warp, &c);
	struct wl_req req = {.tag = {.slot = (uint16_t)(warp / WARPS), .warp = warp},
	                     .inst = {.uop = WL_UOP_UCGABAR, .op = (uint8_t)op},
	                     .mask = 1 + rng_below(&rng, UINT32_MAX),
	                     .header = true};
	const struct wl_event ev = {
	        .kind = WL_EV_COMMIT, .unit = WL_UNIT_cluster_barrier, .tag = req.tag, .lanes = req.mask};
	struct wl_plan plan;
	struct wl_record rec;
	if (w && (w->gone || w->waits))
		return;
	const enum wl_fault fault = expected(c, w, op);
	uint32_t faulted = 0;
	ops->plan(&units, &req, &plan, &rec);
	if (!plan.faulted) {
		assert_int_equal(plan.passes, 1);
		assert_int_equal(plan.waits, op == WL_CBAR_WAIT);
		faulted = ops->apply(&units, &req, &plan, &ev, &rec);
	}
	ops->finish(&units, &req, &plan, &rec);
	assert_true(rec.faulted == (fault == WL_FAULT_NONE ? 0 : req.mask));
	faults[fault]++;
	if (fault != WL_FAULT_NONE) {
		assert_int_equal(rec.fault[wl_lowest(req.mask)], fault);
		assert_true(!faulted == (fault == WL_FAULT_SLOT_CLOSED));
		return;
	}
	assert_true(rec.committed == req.mask && !rec.written && !rec.pred_written);
	if (op == WL_CBAR_ARV) {
		w->phase = c->phase + 1;
		w->owes = true;
		check_release(c, 0);
		return;
	}
	w->owes = false;
	w->waits = w->phase == c->phase + 1;
	at_once += !w->waits;
	assert_int_equal(plan.waits, w->waits);
	if (w->waits)
		assert_int_equal(plan.wait_id, (uint16_t)c->phase);
	check_release(c, 0); /* no release */
}

/* A waiting warp cannot exit. After the exit of the last warp the slots are closed. */
static void leave(unsigned warp)
{
	struct cluster *c = NULL;
	struct warp *w = warp_of(warp, &c);
	const struct wl_event ev = {
	        .kind = WL_EV_EXIT, .unit = WL_UNIT_sync_core, .tag = {.slot = (uint16_t)(warp / WARPS), .warp = warp}};
	bool lives = false;
	if (!w || w->gone || w->waits)
		return;
	ops->event(&units, &ev);
	w->gone = true;
	w->owes = false;
	check_release(c, 1);
	for (unsigned i = 0; i < c->ctas * WARPS; i++)
		lives |= !c->w[i].gone;
	if (lives)
		return;
	for (unsigned k = 0; k < c->ctas; k++)
		ops->close(&units, c->first_slot + k);
	c->open = false;
}

static void check_state(void)
{
	struct wl_cbar_status s = {0};
	char why[300];
	for (unsigned i = 0; i < SLOTS; i++)
		for (unsigned k = 0; clusters[i].open && k < clusters[i].ctas * WARPS; k++) {
			const struct warp *w = &clusters[i].w[k];
			const uint64_t bit = UINT64_C(1) << (i * WARPS + k);
			const bool arrived = !w->gone && w->phase == clusters[i].phase + 1;
			s.arrived |= arrived ? bit : 0;
			s.waiting |= w->waits ? bit : 0;
			s.done |= !w->gone && w->owes && !arrived ? bit : 0;
		}
	if (!ops->compare(&units, &s, why, sizeof why))
		fail_msg("%s", why);
	const struct wl_cbar_status other[3] = {{s.arrived ^ 1, s.waiting, s.done},
	                                        {s.arrived, s.waiting ^ 2, s.done},
	                                        {s.arrived, s.waiting, s.done ^ 4}};
	assert_false(ops->compare(&units, &other[rng_below(&rng, 3)], why, sizeof why));
}

static void test_random(void **state)
{
	(void)state;
	ops = wl_unit_ops(WL_UNIT_cluster_barrier);
	rng = rng_seed(5, 0);
	for (unsigned step = 0; step < STEPS; step++) {
		const unsigned warp = rng_below(&rng, SLOTS * WARPS), what = rng_below(&rng, 1000);
		if (what < 6)
			leave(warp);
		else
			request(warp, what < 500 ? WL_CBAR_ARV : WL_CBAR_WAIT);
		if (what == 999)
			fill_free_slots();
		if (step % 64 == 0)
			check_state();
	}
	/* each event has happened, often */
	assert_true(released_by[0] > 2000 && released_by[1] > 50 && at_once > 2000);
	assert_true(faults[WL_FAULT_CBAR_DOUBLE_ARRIVE] > 2000 && faults[WL_FAULT_CBAR_WAIT_NO_ARRIVE] > 2000 &&
	            faults[WL_FAULT_SLOT_CLOSED] > 100);
	assert_true(next_number > 50);
}

/* Parts of a cluster on two SMs: neither part goes on alone. */
static void test_parts(void **state)
{
	static struct wl_cluster_barrier a, b;
	const struct wl_cta_start left = {.slot = 2, .first_warp = 6, .warps = 2, .cluster = 9, .cluster_ctas = 2};
	const struct wl_cta_start right = {.slot = 0, .warps = 1, .cluster = 9, .cluster_ctas = 2, .rank = 1};
	struct wl_released r;
	bool waits;
	(void)state;
	wl_cbar_open(&a, &left);
	wl_cbar_open(&b, &right);
	assert_int_equal(wl_cbar_arrive(&a, 2, 6, &r), WL_FAULT_NONE);
	assert_false(wl_cbar_part_arrived(wl_cbar_of(&a, 2)));
	assert_int_equal(wl_cbar_arrive(&a, 2, 7, &r), WL_FAULT_NONE);
	assert_true(wl_cbar_part_arrived(wl_cbar_of(&a, 2)) && !r.warps);
	assert_int_equal(wl_cbar_wait(&a, 2, 7, &waits), WL_FAULT_NONE);
	assert_true(waits);
	assert_false(wl_cbar_part_arrived(wl_cbar_of(&b, 0)));
	wl_cbar_exit(&b, 0, 0, &r);
	assert_true(wl_cbar_part_arrived(wl_cbar_of(&b, 0)) && !r.warps);
	wl_cbar_part_goes_on(&a, 2, &r);
	assert_true(r.warps == 1 << 7);
	assert_int_equal(wl_cbar_wait(&a, 2, 6, &waits), WL_FAULT_NONE);
	assert_false(waits);
	assert_int_equal(wl_cbar_wait(&a, 2, 6, &waits), WL_FAULT_CBAR_WAIT_NO_ARRIVE);
	assert_null(wl_cbar_of(&a, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_parts)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
