// SPDX-License-Identifier: Apache-2.0
/* cunits_mbarrier_ring_test.c -- a ring of 2 to 4 stages between a producer, the producer's copies and one or two
 * consumers, under every schedule. The test takes every possible step from every reachable state.
 *
 * Each stage has a `full` object (one arrival with the bytes of a copy) and an `empty` object (an arrival of each
 * consumer). The reference knows only the position of each actor. An item is there when the producer has arrived for
 * the item and the copy has landed. A stage is free when all consumers have arrived for the last item of the stage.
 * Both facts decide every wait, every release, and all 64 bits of every object. Copies land in any order, before and
 * after the arrival expecting the bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cunits_mbarrier.h"

enum { MOST_STAGES = 4, MOST_CONSUMERS = 2, BYTES = 48, ACTORS = 1 + MOST_CONSUMERS };
/* Steps of the producer at an item: wait for a free stage, ask for the copy, arrive; of a consumer: wait, arrive. */
enum { P_WAIT, P_FIRST, P_SECOND, P_STEPS };
enum { C_WAIT, C_ARRIVE, C_STEPS };

static unsigned stages, consumers, items;
static bool ask_first; /* the producer asks for the copy before the arrival */

struct ring {
	uint8_t at[ACTORS]; /* item * steps + step: 0 the producer, then consumers */
	bool parked[ACTORS];
	uint16_t asked, landed; /* copies, by item */
};
struct state {
	struct ring ring;
	uint64_t word[2 * MOST_STAGES];
	struct wl_mbar_wait wait[ACTORS];
};

static struct state *known;
static unsigned n_known, room;
static unsigned *table; /* 1 + state, by hash */
enum { TABLE = 1 << 20 };
static unsigned long edges, parks, wakes, early;

/* ---- truth about the ring ---- */

static unsigned produced(const struct ring *r) /* items with an arrival of the producer */
{
	const unsigned item = r->at[0] / P_STEPS, step = r->at[0] % P_STEPS;
	return item + (step == P_SECOND && !ask_first);
}

static unsigned consumed(const struct ring *r, unsigned c)
{
	return r->at[1 + c] / C_STEPS;
}

static bool there(const struct ring *r, unsigned item)
{
	return produced(r) > item && r->landed >> item & 1;
}

/* All consumers have arrived for the item. */
static bool read_by_all(const struct ring *r, unsigned item)
{
	for (unsigned c = 0; c < consumers; c++)
		if (consumed(r, c) <= item)
			return false;
	return true;
}

/* Bits of layout B, from the unit's page. */
static uint64_t bits(unsigned phase, unsigned expected, unsigned pending, int tx)
{
	return (uint64_t)(phase & 1) << 63 | (uint64_t)(-pending & 0xfffff) << 43 |
	       (uint64_t)(-(unsigned)tx & 0x1fffff) << 21 | (uint64_t)(-expected & 0xfffff) << 1;
}

static uint64_t full_bits(const struct ring *r, unsigned s)
{
	unsigned phase = 0, item = s;
	for (; item < items && there(r, item); item += stages)
		phase++;
	const bool arrived = item < items && produced(r) > item, landed = item < items && r->landed >> item & 1;
	return bits(phase, 1, 1 - arrived, (arrived - landed) * BYTES);
}

static uint64_t empty_bits(const struct ring *r, unsigned s)
{
	unsigned phase = 0, item = s, missing = consumers;
	for (; item < items && read_by_all(r, item); item += stages)
		phase++;
	for (unsigned c = 0; c < consumers; c++)
		missing -= item < items && consumed(r, c) > item;
	return bits(phase, consumers, missing, 0);
}

/* The awaited event of an actor at a wait has happened. */
static bool over(const struct ring *r, unsigned a)
{
	if (a)
		return there(r, r->at[a] / C_STEPS);
	return read_by_all(r, r->at[0] / P_STEPS - stages);
}

/* ---- the unit ---- */

static uint32_t full_at(unsigned s)
{
	return 16 * s;
}
static uint32_t empty_at(unsigned s)
{
	return 16 * s + 8;
}

static void save(struct state *s, const struct ring *r)
{
	s->ring = *r;
	for (unsigned i = 0; i < 2 * stages; i++)
		s->word[i] = bits_at(8 * i);
	memcpy(s->wait, units.mbarrier_engine.wait, sizeof s->wait);
}

static void restore(const struct state *s)
{
	memcpy(memory + BASE, s->word, 16 * stages);
	memcpy(units.mbarrier_engine.wait, s->wait, sizeof s->wait);
}

static void operate(struct flight *f, enum wl_uop uop, unsigned warp, uint32_t addr, uint32_t b, unsigned op)
{
	ask(f, uop, warp, 1);
	f->req.ra[0] = addr;
	f->req.ur = addr;
	f->req.rb[0].w[0] = b;
	f->req.inst.op = (uint8_t)op;
	f->req.inst.type = uop == WL_UOP_SYNCS_ARRIVE ? WL_MBAR_RED : 0;
	run(f);
	assert_int_equal(f->rec.faulted, 0);
}

static void make(uint32_t addr, unsigned count)
{
	struct flight f;
	ask(&f, WL_UOP_SYNCS_EXCH, 0, 1);
	f.req.ur = addr;
	f.req.rb[0] = (struct wl_lane){{(uint32_t)init_word(count), (uint32_t)(init_word(count) >> 32)}};
	run(&f);
	assert_int_equal(f.rec.faulted, 0);
}

/* The object and phase of an actor's wait. */
static uint32_t waits_at(const struct ring *r, unsigned a, bool *parity)
{
	const unsigned item = r->at[a] / (a ? C_STEPS : P_STEPS), s = item % stages, use = item / stages;
	*parity = a ? use & 1 : (use - 1) & 1;
	return a ? full_at(s) : empty_at(s);
}

/* ---- steps ---- */

/* After a step: exactly the warps with a fulfilled wait go on, and every object is right. */
static void settle(struct ring *r)
{
	struct wl_released out;
	uint64_t due[2 * MOST_STAGES] = {0};
	bool parity;
	for (unsigned a = 0; a <= consumers; a++)
		if (r->parked[a] && over(r, a)) {
			due[waits_at(r, a, &parity) / 8] |= UINT64_C(1) << a;
			r->parked[a] = false;
			wakes++;
		}
	while (next_release(&out)) {
		const unsigned i = (unsigned)(out.id * 8 - BASE) / 8;
		assert_true(i < 2 * stages && due[i] && out.warps == due[i] && out.slot == SLOT && out.value == 1);
		assert_int_equal(out.phase, 1 ^ (bits_at(8 * i) >> 63));
		for (unsigned a = 0; a <= consumers; a++)
			r->at[a] += due[i] >> a & 1;
		due[i] = 0;
	}
	for (unsigned i = 0; i < 2 * stages; i++)
		assert_int_equal(due[i], 0);
	for (unsigned s = 0; s < stages; s++) {
		assert_true(bits_at(full_at(s)) == full_bits(r, s));
		assert_true(bits_at(empty_at(s)) == empty_bits(r, s));
	}
}

/* The TRYWAIT of an actor. */
static void wait(struct ring *r, unsigned a)
{
	struct flight f;
	bool parity;
	const uint32_t addr = waits_at(r, a, &parity);
	operate(&f, WL_UOP_SYNCS_PHASECHK, a, addr, (uint32_t)parity << 31, 1);
	assert_int_equal(plan_of(&f)->waits, !over(r, a));
	assert_int_equal(f.rec.preds & 1, over(r, a));
	if (over(r, a)) {
		r->at[a]++;
		return;
	}
	assert_int_equal(plan_of(&f)->wait_id, (BASE + addr) / 8);
	r->parked[a] = true;
	parks++;
}

static void produce(struct ring *r)
{
	const unsigned item = r->at[0] / P_STEPS, step = r->at[0] % P_STEPS;
	struct flight f;
	if (step == P_WAIT && item >= stages) {
		wait(r, 0);
		return;
	}
	r->at[0]++;
	if (step == P_WAIT) /* the first use of a stage */
		return;
	if ((step == P_FIRST) == ask_first)
		r->asked |= (uint16_t)(1u << item);
	else
		operate(&f, WL_UOP_SYNCS_ARRIVE, 0, full_at(item % stages), BYTES, WL_MBAR_A1TR);
}

static void consume(struct ring *r, unsigned a)
{
	const unsigned item = r->at[a] / C_STEPS;
	struct flight f;
	if (r->at[a] % C_STEPS == C_WAIT) {
		wait(r, a);
		return;
	}
	r->at[a]++;
	operate(&f, WL_UOP_SYNCS_ARRIVE, a, empty_at(item % stages), 0, WL_MBAR_A1T0);
}

static void land(struct ring *r, unsigned item)
{
	early += produced(r) <= item;
	r->landed |= (uint16_t)(1u << item);
	assert_int_equal(wl_mbar_land(&units, SLOT, BASE + full_at(item % stages), WL_LAND_TX, BYTES), WL_FAULT_NONE);
}

/* ---- all states ---- */

static void remember(const struct ring *r)
{
	uint64_t h = 0;
	for (unsigned i = 0; i < sizeof *r; i++)
		h = (h ^ ((const uint8_t *)r)[i]) * UINT64_C(0x100000001b3);
	for (unsigned i = (unsigned)(h >> 24) % TABLE;; i = (i + 1) % TABLE) {
		if (!table[i]) {
			if (n_known == room)
				assert_non_null(
				        known = realloc(known, (room = room ? 2 * room : 1024) * sizeof *known));
			memset(&known[n_known], 0, sizeof known[n_known]);
			save(&known[n_known], r);
			table[i] = ++n_known;
			return;
		}
		if (memcmp(&known[table[i] - 1].ring, r, sizeof *r) == 0) { /* the path to the state does not matter */
			struct state now;
			memset(&now, 0, sizeof now);
			save(&now, r);
			for (unsigned a = 0; a <= consumers; a++)
				assert_int_equal(now.wait[a].on, known[table[i] - 1].wait[a].on);
			assert_memory_equal(now.word, known[table[i] - 1].word, 16 * stages);
			return;
		}
	}
}

/* Every possible step from a state. */
static void all_steps(unsigned from)
{
	const unsigned last = items * P_STEPS;
	bool any = false, done = true;
	for (unsigned what = 0; what < ACTORS + items; what++) {
		struct ring r = known[from].ring;
		restore(&known[from]);
		if (what == 0 && r.at[0] < last && !r.parked[0])
			produce(&r);
		else if (what && what <= consumers && r.at[what] < items * C_STEPS && !r.parked[what])
			consume(&r, what);
		else if (what >= ACTORS && (r.asked & ~r.landed) >> (what - ACTORS) & 1)
			land(&r, what - ACTORS);
		else
			continue;
		any = true;
		settle(&r);
		edges++;
		remember(&r);
	}
	for (unsigned a = 0; a <= consumers; a++)
		done &= known[from].ring.at[a] == items * (a ? C_STEPS : P_STEPS);
	assert_true(any || done); /* no actor is left waiting */
}

static void all_schedules(unsigned n, unsigned readers, bool asks_first)
{
	const struct ring nobody = {.asked = 0};
	stages = n;
	consumers = readers;
	items = 2 * n + 2;
	ask_first = asks_first;
	edges = parks = wakes = early = 0;
	n_known = 0;
	memset(table, 0, TABLE * sizeof *table);
	start(WL_SM90, 32, 32);
	for (unsigned s = 0; s < n; s++) {
		make(full_at(s), 1);
		make(empty_at(s), readers);
	}
	remember(&nobody);
	for (unsigned i = 0; i < n_known; i++)
		all_steps(i);
	printf("%u stages, %u consumers, copy %s: %u states, %lu steps, %lu parks, %lu wakes, %lu copies early\n", n,
	       readers, asks_first ? "first" : "behind the arrival", n_known, edges, parks, wakes, early);
	assert_true(n_known < TABLE / 2 && parks && wakes && !early == !asks_first);
}

static void test_rings(void **state)
{
	(void)state;
	assert_non_null(table = malloc(TABLE * sizeof *table));
	for (unsigned n = 2; n <= MOST_STAGES; n++)
		for (unsigned readers = 1; readers <= MOST_CONSUMERS; readers++)
			for (unsigned first = 0; first < 2; first++)
				all_schedules(n, readers, first);
	free(table);
	free(known);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_rings)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
