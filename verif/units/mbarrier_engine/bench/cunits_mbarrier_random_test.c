// SPDX-License-Identifier: Apache-2.0
/* cunits_mbarrier_random_test.c -- random requests for mbarrier_engine, several under way with mixed passes. The
 * reference keeps counts as plain numbers, a lane at a time, and makes the 64 bits by arithmetic of its own. The test
 * compares all bits after every pass.
 *
 *   cunits_mbarrier_random_test [REQUESTS of each shape] */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../../common/rng.h"
#include "cunits_mbarrier.h"

struct object {
	long long expected, pending, tx;
	int phase;
	bool v1; /* bit 0 */
	bool there;
	uint64_t raw; /* while the word is no object: contents of memory */
};
struct waiter {
	bool on;
	unsigned object;
	int phase;
};
static struct object objects[OBJECTS];
static struct waiter waiting[WL_MAX_WARPS];

static uint64_t image(const struct object *o)
{
	unsigned __int128 word = 0;
	if (!o->there)
		return o->raw;
	word += (unsigned __int128)o->phase * ((unsigned __int128)1 << 63);
	word += (unsigned __int128)((1048576 - o->pending) % 1048576) * 8796093022208u;
	word += (unsigned __int128)((2097152 - o->tx) % 2097152) * 2097152u;
	word += (unsigned __int128)((1048576 - o->expected) % 1048576) * 2u;
	word += o->v1;
	return (uint64_t)word;
}

/* The test's record of a request under way. */
struct asked {
	struct flight f;
	uint32_t addr[32], ok, done, faulted;
	uint8_t fault[32];
	struct wl_lane result[32];
	uint32_t written, preds, pred_written;
	uint32_t lanes_at[32], high[32]; /* TMASK: of each lane */
	bool one, parks, on;
};

static enum wl_fault known_fault(const struct wl_req *q, unsigned lane, uint32_t addr)
{
	const uint32_t b = q->rb[lane].w[0];
	if (addr % 8)
		return WL_FAULT_MISALIGNED_ADDRESS;
	if (addr >= SIZE)
		return WL_FAULT_SHARED_OUT_OF_RANGE;
	if (q->inst.uop == WL_UOP_SYNCS_ARRIVE && q->inst.op == WL_MBAR_ART0 && b > 1048575)
		return WL_FAULT_MBAR_COUNT_RANGE;
	return WL_FAULT_NONE;
}

static unsigned counted[16]; /* events of the run, so that nothing stays untried */
enum { FLIPS, BY_BYTES, EARLY, PARKED, WOKEN, GAVE_UP, DRAINS, DROPS, SERIAL, TMASKS, BOTH_EDGES, CLEARED, EVENTS };

static uint64_t woken;

static enum wl_fault turn(struct asked *a, unsigned lane)
{
	static const int arrivals[] = {1, 1, 0, 0, 0, -1}, bytes[] = {-1, 0, 1, -1, -2, 0};
	const struct wl_req *q = &a->f.req;
	struct object *o = &objects[a->addr[lane] / 8];
	const long long b = q->rb[lane].w[0];
	const uint64_t before = image(o);
	bool first = true;
	for (unsigned l = 0; l < lane; l++)
		first &= !(a->lanes_at[lane] >> l & 1);
	if (first)
		for (unsigned l = 0; l < 32; l++)
			if (a->lanes_at[lane] >> l & 1)
				a->high[l] = (uint32_t)(before >> 32);
	counted[SERIAL] += !first;
	if (!o->there)
		return WL_FAULT_MBAR_UNINIT;
	if (q->inst.uop == WL_UOP_SYNCS_CCTL) {
		counted[CLEARED]++;
		return WL_FAULT_NONE;
	}
	if (q->inst.uop == WL_UOP_SYNCS_PHASECHK) {
		if (!a->one) {
			a->pred_written |= 1u << lane;
			if (o->phase != (int)(b >> 31))
				a->preds |= 1u << lane;
		}
		return WL_FAULT_NONE;
	}
	if (o->expected == 0 && o->pending == 0 && o->tx == 0)
		return WL_FAULT_MBAR_DRAINED;
	const long long n = arrivals[q->inst.op] < 0 ? b : arrivals[q->inst.op];
	const long long t = bytes[q->inst.op] == -1 ? b : bytes[q->inst.op] == -2 ? -b : bytes[q->inst.op];
	const bool drop = q->inst.flags & WL_F_OPTOUT;
	if (t > 1048575 || t < -1048575 || (t != 0 && (o->tx + t > 1048576 || o->tx + t < -1048575)))
		return WL_FAULT_MBAR_TX_RANGE;
	if (drop && n > o->expected)
		return WL_FAULT_MBAR_DROP_RANGE;
	if (n > o->pending)
		return WL_FAULT_MBAR_UNDERFLOW;
	const bool ends = o->pending == n && o->tx + t == 0;
	if (ends && q->inst.type == WL_MBAR_TMASK)
		return WL_FAULT_MBAR_NOCOMPLETE;
	o->expected -= drop ? n : 0;
	o->pending -= n;
	o->tx += t;
	counted[DROPS] += drop && n;
	counted[EARLY] += o->tx < 0;
	counted[BOTH_EDGES] += o->tx == 1048576 || o->tx == -1048575;
	if (ends) {
		for (unsigned w = 0; w < WL_MAX_WARPS; w++)
			if (waiting[w].on && waiting[w].object == a->addr[lane] / 8 && waiting[w].phase == o->phase) {
				waiting[w].on = false;
				woken |= UINT64_C(1) << w;
			}
		o->phase = 1 - o->phase;
		o->pending = o->expected;
		counted[FLIPS]++;
		counted[BY_BYTES] += n == 0;
		counted[DRAINS] += o->expected == 0;
	}
	if (q->inst.type != WL_MBAR_RED && q->inst.rd != WL_RZ) {
		a->written |= 1u << lane;
		if (q->inst.type == WL_MBAR_TMASK)
			a->result[lane] = (struct wl_lane){{a->lanes_at[lane], a->high[lane]}};
		else
			a->result[lane] = (struct wl_lane){{(uint32_t)before, (uint32_t)(before >> 32)}};
		counted[TMASKS] += q->inst.type == WL_MBAR_TMASK;
	}
	return WL_FAULT_NONE;
}

/* A pass has been applied to the unit; follow() applies the same lanes to the numbers. */
static void follow(struct asked *a, uint32_t lanes)
{
	bool bad = false;
	if (a->f.req.inst.uop == WL_UOP_SYNCS_EXCH) {
		struct object *o = &objects[a->addr[0] / 8];
		const uint64_t before = image(o), word = a->f.req.rb[0].w[0] | (uint64_t)a->f.req.rb[0].w[1] << 32;
		const long long tx = (long long)(word / 2097152 % 2097152); /* negated */
		*o = (struct object){.expected = (1048576 - (long long)(word / 2 % 1048576)) % 1048576,
		                     .pending = (1048576 - (long long)(word / 8796093022208u % 1048576)) % 1048576,
		                     .tx = tx >= 1048576 ? 2097152 - tx : -tx,
		                     .phase = (int)(word >> 63),
		                     .v1 = word % 2 == 1,
		                     .there = true};
		a->written = a->done = lanes;
		for (unsigned lane = 0; lane < 32; lane++)
			a->result[lane] = (struct wl_lane){{(uint32_t)before, (uint32_t)(before >> 32)}};
		return;
	}
	for (unsigned lane = 0; lane < 32; lane++) {
		if (!(lanes >> lane & 1))
			continue;
		const enum wl_fault fault = turn(a, lane);
		a->done |= 1u << lane;
		if (fault == WL_FAULT_NONE)
			continue;
		a->faulted |= 1u << lane;
		a->fault[lane] = (uint8_t)fault;
		bad = true;
	}
	if (!a->one || a->done != a->ok)
		return;
	const unsigned lane = (unsigned)__builtin_ctz(a->ok);
	const struct object *o = &objects[a->addr[lane] / 8];
	const int phase = (int)(a->f.req.rb[lane].w[0] >> 31);
	if (!bad && o->phase == phase) {
		a->parks = true;
		waiting[a->f.req.tag.warp] = (struct waiter){true, a->addr[lane] / 8, phase};
		counted[PARKED]++;
		return;
	}
	a->pred_written = a->ok & ~a->faulted;
	a->preds = bad ? 0 : a->pred_written;
}

static uint32_t count_near(struct rng *r, long long about)
{
	static const uint32_t edges[] = {0,          1,          2,          MOST - 1, MOST, MOST + 1,
	                                 0x7fffffff, 0x80000000, UINT32_MAX, 16,       512};
	const long long near = about + (long long)rng_below(r, 5) - 2;
	if (rng_one_in(r, 4))
		return edges[rng_below(r, sizeof edges / sizeof edges[0])];
	if (rng_one_in(r, 2))
		return 1 + rng_below(r, 4);
	return near < 0 ? (uint32_t)-near : (uint32_t)near;
}

/* An object with a waiting warp, or an object taking no more arrivals. */
static unsigned needy(bool (*needs)(unsigned object))
{
	for (unsigned i = 0; i < OBJECTS; i++)
		if (needs(i))
			return i;
	return OBJECTS;
}
static bool is_waited_for(unsigned object)
{
	bool any = false;
	for (unsigned w = 0; w < WL_MAX_WARPS; w++)
		any |= waiting[w].on && waiting[w].object == object;
	return any && objects[object].there;
}
static bool is_dead(unsigned object)
{
	return !objects[object].there || !objects[object].expected;
}

/* A plain random stream would soon have no live objects, and no warp would be released. So from time to time an object
 * is made, or a lane brings the missing part of a phase. */
static void help(struct wl_req *q, struct rng *r)
{
	const unsigned dead = needy(is_dead), waited = needy(is_waited_for);
	if (q->inst.uop == WL_UOP_SYNCS_EXCH && waited < OBJECTS && rng_one_in(r, 4)) {
		q->ur = waited * 8; /* the waiting warps may find another phase */
	} else if (q->inst.uop == WL_UOP_SYNCS_EXCH && dead < OBJECTS) {
		q->ur = dead * 8;
	} else if (q->inst.uop == WL_UOP_SYNCS_ARRIVE && waited < OBJECTS && rng_one_in(r, 2)) {
		const struct object *o = &objects[waited];
		const unsigned lane = rng_below(r, 32);
		q->mask = 1u << lane;
		q->ra[lane] = waited * 8;
		q->inst.op = o->tx > 0 ? WL_MBAR_A0TX : o->tx < 0 ? WL_MBAR_A0TR : WL_MBAR_ART0;
		q->rb[lane].w[0] = (uint32_t)(o->tx > 0 ? o->tx : o->tx < 0 ? -o->tx : o->pending);
		q->inst.type = rng_one_in(r, 2) ? WL_MBAR_OLD : WL_MBAR_RED;
		q->inst.flags = q->inst.op == WL_MBAR_ART0 && rng_one_in(r, 3) ? WL_F_OPTOUT : 0;
	}
}

/* Facts about the lanes before the first turn. */
static void classify(struct asked *a)
{
	const struct wl_req *q = &a->f.req;
	a->one = q->inst.uop == WL_UOP_SYNCS_PHASECHK && q->inst.op;
	for (unsigned lane = 0; lane < 32; lane++) {
		a->addr[lane] = (uint32_t)(q->inst.uop == WL_UOP_SYNCS_EXCH ? q->ur : q->ra[lane]);
		if (!(q->mask >> lane & 1))
			continue;
		const enum wl_fault fault = known_fault(q, lane, a->addr[lane]);
		a->fault[lane] = (uint8_t)fault;
		*(fault == WL_FAULT_NONE ? &a->ok : &a->faulted) |= 1u << lane;
	}
	for (unsigned l = 0; l < 32; l++)
		for (unsigned k = 0; k < 32; k++) {
			if (!(a->ok >> l & 1) || !(a->ok >> k & 1))
				continue;
			if (a->addr[l] == a->addr[k])
				a->lanes_at[l] |= 1u << k;
			a->one &= a->addr[l] == a->addr[k] && q->rb[l].w[0] >> 31 == q->rb[k].w[0] >> 31;
		}
	a->one &= a->ok != 0;
}

static void choose(struct asked *a, struct rng *r, unsigned warp)
{
	static const enum wl_uop uops[] = {WL_UOP_SYNCS_ARRIVE, WL_UOP_SYNCS_ARRIVE,   WL_UOP_SYNCS_ARRIVE,
	                                   WL_UOP_SYNCS_ARRIVE, WL_UOP_SYNCS_PHASECHK, WL_UOP_SYNCS_PHASECHK,
	                                   WL_UOP_SYNCS_EXCH,   WL_UOP_SYNCS_CCTL};
	const enum wl_uop uop = rng_one_in(r, 8) ? uops[rng_below(r, 8)] : uops[rng_below(r, 6)];
	const uint32_t mask = rng_one_in(r, 3)   ? UINT32_MAX
	                      : rng_one_in(r, 2) ? 1u << rng_below(r, 32)
	                                         : rng_u32(r) | 1;
	const unsigned spread = rng_one_in(r, 3) ? OBJECTS : rng_one_in(r, 2) ? 1 : 3, at = rng_below(r, OBJECTS);
	memset(a, 0, sizeof *a);
	ask(&a->f, uop, warp, mask);
	struct wl_req *q = &a->f.req;
	q->inst.op = (uint8_t)(uop == WL_UOP_SYNCS_ARRIVE ? rng_below(r, 6) : rng_below(r, 2));
	q->inst.type = (uint8_t)(uop == WL_UOP_SYNCS_ARRIVE ? rng_below(r, 3) : 0);
	q->inst.flags = uop == WL_UOP_SYNCS_ARRIVE && rng_one_in(r, 6) ? WL_F_OPTOUT : 0;
	if (uop == WL_UOP_SYNCS_ARRIVE && rng_one_in(r, 4))
		q->inst.rd = WL_RZ;
	const bool same_phase = rng_one_in(r, 2);
	for (unsigned lane = 0; lane < 32; lane++) {
		const unsigned object = (at + rng_below(r, spread)) % OBJECTS;
		const struct object *o = &objects[object];
		q->ra[lane] = object * 8;
		if (rng_one_in(r, 400))
			q->ra[lane] = rng_one_in(r, 2) ? q->ra[lane] + 4 : q->ra[lane] + (1u << (8 + rng_below(r, 24)));
		q->rb[lane].w[0] =
		        uop == WL_UOP_SYNCS_PHASECHK
		                ? (uint32_t)(same_phase ? o->phase : (int)rng_below(r, 2)) << 31 | rng_below(r, 99)
		                : count_near(r, q->inst.op == WL_MBAR_ART0 ? o->pending : o->tx);
	}
	if (uop == WL_UOP_SYNCS_EXCH) { /* init, or a state rarely reached */
		const uint32_t n = rng_one_in(r, 3) ? MOST - rng_below(r, 2) : 1 + rng_below(r, 40);
		uint64_t v = init_word(n);
		if (rng_one_in(r, 3))
			v = image(&(struct object){
			        .expected = n,
			        .pending = rng_below(r, n + 1),
			        .tx = rng_one_in(r, 8) ? MOST + 1 : (long long)rng_below(r, 2 * MOST + 2) - MOST,
			        .phase = (int)rng_below(r, 2),
			        .there = true});
		v += rng_below(r, 2);
		q->ur = at * 8;
		for (unsigned lane = 0; lane < 32; lane++)
			q->rb[lane] = (struct wl_lane){{(uint32_t)v, (uint32_t)(v >> 32)}};
	}
	help(q, r);
	classify(a);
}

/* Passes: in each beat the fullest pair of banks decides; reading lanes share a turn at the same object. */
static unsigned passes_of(const struct asked *a, unsigned lanes, unsigned banks)
{
	unsigned passes = 0;
	if (a->f.req.inst.uop == WL_UOP_SYNCS_EXCH)
		return a->ok != 0;
	for (unsigned beat = 0; beat < 32; beat += lanes) {
		unsigned most = 0;
		for (unsigned pair = 0; pair < banks / 2; pair++) {
			unsigned n = 0;
			for (unsigned l = beat; l < beat + lanes; l++) {
				bool again = false;
				for (unsigned k = beat; k < l; k++)
					again |= (a->ok >> k & 1) && a->addr[k] == a->addr[l];
				n += (a->ok >> l & 1) && (BASE + a->addr[l]) / 8 % (banks / 2) == pair &&
				     !(again && a->f.req.inst.uop == WL_UOP_SYNCS_PHASECHK);
			}
			most = n > most ? n : most;
		}
		passes += most;
	}
	return passes;
}

static void check_memory(void)
{
	for (unsigned i = 0; i < OBJECTS; i++)
		if (bits_at(8 * i) != image(&objects[i]) ||
		    wl_smem_marked(&units.smem, BASE + 8 * i) != objects[i].there)
			fail_msg("object %u: 0x%016llx, expected 0x%016llx", i, (unsigned long long)bits_at(8 * i),
			         (unsigned long long)image(&objects[i]));
}

static void check_releases(void)
{
	struct wl_released r;
	uint64_t got = 0;
	while (next_release(&r)) {
		assert_int_equal(r.unit, WL_UNIT_mbarrier_engine);
		got |= r.warps;
	}
	assert_true(got == woken);
	counted[WOKEN] += (unsigned)__builtin_popcountll(got);
	woken = 0;
}

static void check_end(struct asked *a)
{
	struct wl_record *rec = &a->f.rec;
	ops->finish(&units, &a->f.req, plan_of(&a->f), rec);
	assert_int_equal(rec->faulted, a->faulted);
	assert_int_equal(rec->committed, a->ok & ~a->faulted);
	assert_int_equal(rec->written, a->written);
	for (unsigned lane = 0; lane < 32; lane++) {
		if (a->faulted >> lane & 1)
			assert_int_equal(rec->fault[lane], a->fault[lane]);
		if (a->written >> lane & 1) {
			assert_int_equal(rec->result[lane].w[0], a->result[lane].w[0]);
			assert_int_equal(rec->result[lane].w[1], a->result[lane].w[1]);
		}
	}
	assert_int_equal(plan_of(&a->f)->waits, a->parks);
	assert_int_equal(plan_of(&a->f)->gives_up, a->parks);
	if (a->parks)
		return;
	assert_int_equal(rec->pred_written, a->pred_written);
	assert_int_equal(rec->preds, a->preds);
}

static void give_up(struct asked *a)
{
	const struct wl_event ev = {.kind = WL_EV_CHOICE, .tag = a->f.req.tag};
	ops->apply(&units, &a->f.req, plan_of(&a->f), &ev, &a->f.rec);
	assert_int_equal(a->f.rec.pred_written, a->ok & ~a->faulted);
	assert_int_equal(a->f.rec.preds, 0);
	waiting[a->f.req.tag.warp].on = false;
	counted[GAVE_UP]++;
}

static void random_requests(struct rng *r, unsigned lanes, unsigned banks, unsigned requests)
{
	enum { UNDER_WAY = 6 };
	static struct asked flight[UNDER_WAY];
	start(WL_SM90, lanes, banks);
	memset(waiting, 0, sizeof waiting);
	memset(flight, 0, sizeof flight);
	for (unsigned i = 0; i < OBJECTS; i++)
		objects[i] = (struct object){.raw = bits_at(8 * i)};
	for (unsigned n = 0; n < requests;) {
		const unsigned warp = rng_below(r, UNDER_WAY);
		struct asked *a = &flight[warp];
		if (a->on && a->parks) { /* until released, or until the warp gives up */
			if (waiting[warp].on && rng_one_in(r, 20))
				give_up(a);
			a->on = waiting[warp].on;
			continue;
		}
		if (!a->on) {
			choose(a, r, warp);
			a->on = true;
			begin(&a->f);
			assert_int_equal(plan_of(&a->f)->ok, a->ok);
			assert_int_equal(plan_of(&a->f)->passes, passes_of(a, lanes, banks));
			continue;
		}
		const unsigned pass = a->f.pass;
		if (step(&a->f)) {
			follow(a, plan_of(&a->f)->pass_lanes[pass]);
			check_memory();
			check_releases();
			continue;
		}
		assert_int_equal(a->done, a->ok);
		check_end(a);
		a->on = a->parks && waiting[warp].on;
		n++;
	}
}

static unsigned rounds = 50000;

static void test_random(void **state)
{
	(void)state;
	static const unsigned shapes[][2] = {{32, 32}, {4, 8}, {8, 4}, {16, 32}};
	for (unsigned i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
		struct rng r = rng_seed(11, i);
		random_requests(&r, shapes[i][0], shapes[i][1], rounds);
	}
	for (unsigned e = 0; e < EVENTS; e++)
		if (counted[e] < rounds / 1000)
			fail_msg("event %u came %u times: the test is empty there", e, counted[e]);
}

int main(int argc, char **argv)
{
	if (argc > 1)
		rounds = (unsigned)strtoul(argv[1], NULL, 10);
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
