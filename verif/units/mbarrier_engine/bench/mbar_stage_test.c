// SPDX-License-Identifier: Apache-2.0
/* Bench of mbar_stage alone: stages X and W of instructions on mbarriers. A small memory of objects stands behind the
 * stage. Requests of random lanes come beat by beat and pass by pass, with empty cycles between. The bench compares
 * each pass: effects on objects, faults, waits and answers. The expected values come from mbar_ref's arithmetic, and
 * from rules of the unit's page, kept lane by lane over the whole request.
 *
 *   mbar_stage_test MODEL.so [SEED [REQUESTS]] */
#include <stdio.h>
#include <string.h>

#include "../../../common/rng.h"
#include "mbar_ref.h"
#include "../../floors.h"
#include "../../bench_main.h"
#include "pins/mbar_stage.h"

enum { LANES = 32, GROUP_BITS = 37, END_BITS = 11, OP_BITS = 13, MAX_PAIRS = 16, MAX_OBJECTS = 8192 };

struct request {
	enum mbar_kind kind;
	enum mbar_form form;
	bool drop, tmask, trywait, once, one;
	bool sm_107, conditional, primary; /* of PHASECHK: the asked phase; primary: with the report */
	uint32_t ok, bad_count;            /* ok: lanes with a turn; bad_count: lanes with an impossible count */
	unsigned object[LANES];
	uint64_t operand[LANES];
	/* so far */
	uint32_t had;         /* lanes after their turn */
	bool saw, over;       /* TRYWAIT: saw: a lane has committed; over: a lane has the answer true, or a fault */
	uint64_t seen[LANES]; /* the object before the turn of each lane */
};

/* Required effects of the pass in X, and the outputs of W in the next cycle. */
struct expected {
	struct mbar_outcome pair[MAX_PAIRS];
	bool on[MAX_PAIRS], parks;
	unsigned object[MAX_PAIRS], lane[MAX_PAIRS];
	uint32_t lanes; /* of the beat */
	uint8_t fault[LANES];
	bool done[LANES];
	uint64_t told[LANES]; /* PRIMARY */
};

static struct {
	struct model model;
	PINS_MEMBERS(mbar_stage);
	unsigned lanes, pairs, banks, pair_bits, row_bits, low_bits, beats, objects, hot[3];
	bool v1;   /* the model builds layout v1 of sm_107 */
	bool lean; /* outputs of X count a cycle later; lanes get their results in turn */
	struct rng rng;
	uint64_t word[MAX_OBJECTS];
	bool mark[MAX_OBJECTS][2];
	struct {
		bool any, special, data[LANES], hold, drop;
		uint64_t value[LANES];
		uint8_t extra[LANES];
	} w;                  /* of the pass before */
	uint8_t extra[LANES]; /* of the beat so far */
	unsigned long cycle, errors, passes, faults[MBAR_FAULTS], flips, parked, told, empty, v1_flips, kept_open,
	        reports, v1_parked;
} b;

static unsigned below(unsigned n)
{
	return rng_below(&b.rng, n);
}

static void expect(const char *what, unsigned which, uint64_t got, uint64_t want)
{
	if (got == want)
		return;
	if (b.errors++ < 10)
		printf("cycle %lu, %u: %s is 0x%llx, expected 0x%llx\n", b.cycle, which, what, (unsigned long long)got,
		       (unsigned long long)want);
}

static uint64_t get64(const uint8_t *pin, unsigned at)
{
	return pin_get(pin, at, 32) | (uint64_t)pin_get(pin, at + 32, 32) << 32;
}

static void set64(uint8_t *pin, unsigned at, uint64_t v)
{
	pin_set(pin, at, 32, (uint32_t)v);
	pin_set(pin, at + 32, 32, (uint32_t)(v >> 32));
}

/* ---- requests ---- */

static uint64_t some_v1_object(void)
{
	struct mbar_object o = {.phase = below(2),
	                        .conditional = below(2),
	                        .failed = below(3) == 0,
	                        .last_failed = below(2),
	                        .expected = below(4) ? 1 + below(4) : 0,
	                        .pending = below(4) ? below(4) : below(512),
	                        .tx = below(3)   ? 0
	                              : below(2) ? 0xfffff - (int64_t)below(3)
	                                         : (int64_t)below(9) - 4};
	o.value = o.failed ? below(256) : 0;
	o.last_value = o.last_failed ? below(256) : 0;
	return mbar_v1_pack(&o) ^ (below(16) ? 0 : UINT64_C(1) << (1 + below(63)));
}

static uint64_t some_object(void)
{
	if (b.v1 && below(2))
		return some_v1_object();
	const struct mbar_object o = {.phase = below(2),
	                              .expected = below(4) ? 1 + below(4) : 0,
	                              .pending = below(4) ? below(4) : below(1 << 20),
	                              .tx = below(3)   ? 0
	                                    : below(2) ? 0xfffff - (int64_t)below(3)
	                                               : (int64_t)below(9) - 4};
	return mbar_pack(&o, 20);
}

static uint32_t some_lanes(void)
{
	switch (below(7)) {
	case 0:
		return 1u << below(LANES);
	case 6: /* the same lane of each beat */
		return 0x11111111u * (1u << below(4));
	case 1:
		return UINT32_MAX;
	case 2:
		return rng_u32(&b.rng) & rng_u32(&b.rng) & rng_u32(&b.rng);
	case 3:
	case 4: /* lanes from a random lane up */
		return UINT32_MAX << below(LANES);
	default:
		return rng_u32(&b.rng);
	}
}

static uint64_t operand(const struct request *r)
{
	if (r->kind == MBAR_EXCH)
		return some_object();
	if (r->kind == MBAR_READ)
		return rng_next(&b.rng);
	const uint32_t edge = below(2) ? 0xfffff - below(2) : below(2) ? UINT32_MAX : 1u << below(32);
	return (below(8) ? below(5) : edge) | rng_next(&b.rng) << 32;
}

/* All lanes of an exchange are equal; of a TRYWAIT, mostly. */
static void alike(struct request *r)
{
	for (unsigned l = 1; l < LANES; l++) {
		r->object[l] = r->object[0];
		r->operand[l] = r->operand[0];
	}
}

static bool all_alike(const struct request *r)
{
	const unsigned first = r->ok ? (unsigned)__builtin_ctz(r->ok) : 0;
	for (uint32_t left = r->ok; left; left &= left - 1) {
		const unsigned l = (unsigned)__builtin_ctz(left);
		if (r->object[l] != r->object[first] || (r->operand[l] ^ r->operand[first]) >> 31 & 1)
			return false;
	}
	return r->ok != 0;
}

static void draw(struct request *r)
{
	static const enum mbar_kind kinds[] = {MBAR_ARRIVE, MBAR_ARRIVE, MBAR_ARRIVE, MBAR_READ,
	                                       MBAR_READ,   MBAR_EXCH,   MBAR_IV,     MBAR_ARRIVE_A};
	memset(r, 0, sizeof *r);
	r->kind = kinds[below(8)];
	r->form = (enum mbar_form)below(MBAR_FORMS);
	r->drop = r->kind == MBAR_ARRIVE && below(3) == 0;
	r->tmask = r->kind == MBAR_ARRIVE && below(2);
	r->trywait = r->kind == MBAR_READ && below(4);
	r->once = r->kind == MBAR_EXCH;
	r->sm_107 = b.v1 && r->kind != MBAR_ARRIVE_A && below(8);
	r->conditional = r->sm_107 && r->kind == MBAR_READ && below(3) == 0;
	r->primary = r->sm_107 && r->kind == MBAR_READ && !r->conditional && below(2);
	r->ok = below(16) ? some_lanes() : 0;
	r->bad_count = below(4) ? 0 : some_lanes() & ~r->ok;
	for (unsigned i = 0; i < 3; i++)
		b.hot[i] = below(b.objects);
	for (unsigned l = 0; l < LANES; l++) {
		r->object[l] = below(4) ? b.hot[below(3)] : below(b.objects);
		r->operand[l] = operand(r);
	}
	if (r->once || (r->kind == MBAR_READ && below(4)))
		alike(r);
	r->one = r->trywait ? all_alike(r) : below(2);
	for (unsigned i = 0; i < 3; i++) {
		const unsigned o = below(2) ? r->object[below(LANES)] : below(b.objects);
		b.word[o] = r->kind == MBAR_ARRIVE_A ? rng_next(&b.rng) | (uint64_t)below(2) * 0x7fffffff << 32
		                                     : some_object();
		b.mark[o][0] = below(12) != 0;
		b.mark[o][1] = b.mark[o][0] ? below(12) != 0 : below(2);
	}
}

/* ---- a pass ---- */

/* The lowest pending lane of each pair. Where no word changes, lanes on the same object share the turn. */
static void choose(const struct request *r, uint32_t pending, unsigned first, struct expected *e)
{
	const bool share = r->kind == MBAR_READ || r->once;
	memset(e, 0, sizeof *e);
	for (unsigned l = 0; l < b.lanes; l++) {
		const unsigned lane = first + l, p = r->object[lane] % b.pairs;
		if (!(pending >> lane & 1) || (e->on[p] && !(share && e->object[p] == r->object[lane])))
			continue;
		e->lanes |= 1u << l;
		if (e->on[p])
			continue;
		e->on[p] = true;
		e->object[p] = r->object[lane];
		e->lane[p] = lane;
	}
}

static void noise(void)
{
	pin_noise(b.row_i, b.banks * b.row_bits, &b.rng);
	pin_noise(b.low_i, b.lanes * b.low_bits, &b.rng);
	pin_noise(b.b_i, b.banks * 32, &b.rng);
	pin_noise(b.old_i, b.banks * 32, &b.rng);
	pin_noise(b.mark_i, b.banks, &b.rng);
	pin_noise(b.group_i, b.lanes * GROUP_BITS, &b.rng);
	pin_noise(b.parity_i, b.lanes, &b.rng);
	pin_noise(b.count_i, b.lanes, &b.rng);
	pin_noise(b.en_i, b.banks, &b.rng);
	pin_noise(b.lanes_i, b.lanes, &b.rng);
	pin_noise(b.op_i, OP_BITS, &b.rng);
	*b.first_i = (uint8_t)below(2);
	*b.finish_i = (uint8_t)below(2);
	*b.last_i = (uint8_t)below(2);
	*b.one_i = (uint8_t)below(2);
}

static uint32_t group_of(const struct request *r, unsigned lane)
{
	uint32_t those = 0;
	for (unsigned l = 0; l < LANES; l++)
		those |= (uint32_t)((r->ok >> l & 1) && r->object[l] == r->object[lane]) << l;
	return those;
}

static void drive(const struct request *r, const struct expected *e, unsigned first)
{
	*b.valid_i = 1;
	pin_set(b.op_i, 0, 3, r->kind);
	pin_set(b.op_i, 3, 3, r->form);
	pin_set(b.op_i, 6, 1, r->drop);
	pin_set(b.op_i, 7, 1, r->tmask);
	pin_set(b.op_i, 8, 1, r->trywait);
	pin_set(b.op_i, 9, 1, r->once);
	pin_set(b.op_i, 10, 1, r->conditional);
	pin_set(b.op_i, 11, 1, r->primary);
	pin_set(b.op_i, 12, 1, r->sm_107);
	pin_set(b.lanes_i, 0, b.lanes, e->lanes);
	pin_set(b.count_i, 0, b.lanes, r->bad_count >> first);
	for (unsigned p = 0; p < b.pairs; p++) {
		pin_set(b.en_i, 2 * p, 2, e->on[p] ? 3 : 0);
		if (!e->on[p])
			continue;
		const unsigned o = e->object[p];
		pin_set(b.row_i, 2 * p * b.row_bits, b.row_bits, o / b.pairs);
		pin_set(b.row_i, (2 * p + 1) * b.row_bits, b.row_bits, o / b.pairs);
		set64(b.b_i, p * 64, r->operand[e->lane[p]]);
		set64(b.old_i, p * 64, b.word[o]);
		pin_set(b.mark_i, 2 * p, 1, b.mark[o][0]);
		pin_set(b.mark_i, 2 * p + 1, 1, b.mark[o][1]);
	}
	for (unsigned l = 0; l < b.lanes; l++) {
		if (!(e->lanes >> l & 1))
			continue;
		pin_set(b.low_i, l * b.low_bits + 3, b.pair_bits, r->object[first + l] % b.pairs);
		pin_set(b.parity_i, l, 1, r->operand[first + l] >> 31 & 1);
		if (!r->tmask)
			continue;
		const uint32_t those = group_of(r, first + l);
		pin_set(b.group_i, l * GROUP_BITS, 32, those);
		pin_set(b.group_i, l * GROUP_BITS + 32, 5, (unsigned)__builtin_ctz(those));
	}
}

/* Effects of the pass, by the reference; the memory and the request go on. */
static void execute(struct request *r, struct expected *e, unsigned first)
{
	for (unsigned p = 0; p < b.pairs; p++) {
		const unsigned o = e->object[p];
		if (!e->on[p])
			continue;
		const struct mbar_step step = {.kind = r->kind,
		                               .form = r->form,
		                               .drop = r->drop,
		                               .stay = r->tmask,
		                               .sm_107 = r->sm_107,
		                               .marked = b.mark[o][0] && b.mark[o][1],
		                               .old = b.word[o],
		                               .b = r->operand[e->lane[p]]};
		e->pair[p] = mbar_run(&step, 20);
		b.flips += e->pair[p].flip;
		const bool v1 = e->pair[p].flip && r->sm_107 && step.old & 1;
		b.v1_flips += v1;
		b.kept_open += v1 && mbar_v1_unpack(step.old).failed;
	}
	for (unsigned l = 0; l < b.lanes; l++) {
		const unsigned lane = first + l, p = r->object[lane] % b.pairs;
		if (!(e->lanes >> l & 1))
			continue;
		r->seen[lane] = b.word[r->object[lane]];
		e->fault[l] = e->pair[p].fault;
		const struct mbar_object o = mbar_look(r->seen[lane], r->sm_107);
		e->done[l] = r->kind == MBAR_READ && !e->fault[l] &&
		             (r->conditional ? o.conditional : o.phase) != (r->operand[lane] >> 31 & 1);
		e->told[l] = e->done[l] ? o.last_failed | (uint64_t)o.last_value << 7 : 0;
		b.reports += r->primary && e->told[l];
		r->saw |= !e->fault[l];
		r->over |= e->done[l] || e->fault[l];
		b.faults[e->fault[l]]++;
	}
}

static void check_x(const struct request *r, const struct expected *e)
{
	const bool changes = r->kind != MBAR_READ;
	for (unsigned p = 0; p < b.pairs; p++) {
		const struct mbar_outcome *o = &e->pair[p];
		const bool on = e->on[p] && changes;
		expect("we_o", p, pin_get(b.we_o, 2 * p, 2), on && o->written ? 3 : 0);
		expect("mark_en_o", p, pin_get(b.mark_en_o, 2 * p, 2), on ? 3 : 0);
		expect("flip_o", p, pin_get(b.flip_o, p, 1), on && o->flip);
		if (on && o->written)
			expect("new_o", p, get64(b.new_o, p * 64), o->now);
		if (on)
			expect("mark_o", p, pin_get(b.mark_o, 2 * p, 2), o->marked ? 3 : 0);
		if (!on || !o->flip)
			continue;
		const struct mbar_object was = mbar_look(b.word[e->object[p]], r->sm_107);
		expect("flip_phase_o", p, pin_get(b.flip_phase_o, p, 1), was.phase);
		expect("flip_end_o", p, pin_get(b.flip_end_o, p * END_BITS, END_BITS),
		       (was.failed == 0) | was.conditional << 1 | was.failed << 2 | was.value << 3);
	}
	for (unsigned l = 0; l < b.lanes; l++) {
		expect("faulted_o", l, pin_get(b.faulted_o, l, 1), e->fault[l] != 0);
		expect("fault_o", l, pin_get(b.fault_o, l * 6, 6), e->fault[l]);
	}
	expect("park_o", 0, *b.park_o, e->parks);
	if (!e->parks)
		return;
	const unsigned lane = (unsigned)__builtin_ctz(r->ok);
	expect("park_object_o", 0, pin_get(b.park_object_o, 0, b.row_bits + b.pair_bits), r->object[lane]);
	expect("park_parity_o", 0, *b.park_parity_o, r->operand[lane] >> 31 & 1);
	expect("park_conditional_o", 0, *b.park_conditional_o, r->conditional);
	b.v1_parked += r->conditional && b.word[r->object[lane]] & 1;
}

static void store(const struct request *r, const struct expected *e)
{
	for (unsigned p = 0; p < b.pairs; p++) {
		const unsigned o = e->object[p];
		if (!e->on[p] || r->kind == MBAR_READ)
			continue;
		if (e->pair[p].written)
			b.word[o] = e->pair[p].now;
		b.mark[o][0] = b.mark[o][1] = e->pair[p].marked;
	}
}

/* Expected outputs of W. */
static void answer(const struct request *r, const struct expected *e, unsigned first, bool fresh, bool last)
{
	b.w.any = true;
	b.w.special = r->once || r->tmask || r->primary;
	b.w.hold = r->trywait && !last;
	b.w.drop = e->parks;
	for (unsigned l = 0; l < b.lanes; l++) {
		const unsigned lane = first + l;
		const bool turn = e->lanes >> l & 1;
		if (fresh)
			b.extra[l] = r->bad_count >> lane & 1 ? MBAR_COUNT_RANGE : 0;
		if (turn)
			b.extra[l] = (uint8_t)(e->done[l] << 6 | e->fault[l]);
		b.w.extra[l] = b.extra[l];
		b.w.data[l] = r->once ? r->had != 0 : (r->tmask || r->primary) && turn;
		if (r->primary)
			b.w.value[l] = e->told[l];
		if (!b.w.data[l] || r->primary)
			continue;
		const uint32_t group = r->once ? r->had : group_of(r, lane);
		const uint64_t low = r->seen[__builtin_ctz(group)];
		b.w.value[l] = r->once ? low : (low >> 32) << 32 | group;
		b.told += r->tmask && (unsigned)__builtin_ctz(group) / b.lanes != lane / b.lanes;
	}
}

static void check_w(void)
{
	if (!b.lean || b.w.any)
		expect("special_o", 0, *b.special_o, b.w.any && b.w.special);
	if (!b.w.any)
		return;
	expect("hold_o", 0, *b.hold_o, b.w.hold);
	expect("drop_o", 0, *b.drop_o, b.w.drop);
	for (unsigned l = 0; l < b.lanes; l++) {
		expect("extra_o", l, pin_get(b.extra_o, l * 7, 7), b.w.extra[l]);
		if (b.w.data[l] && (!b.lean || pin_get(b.lane_i, l, 1)))
			expect("special_data_o", l, get64(b.special_data_o, l * 64), b.w.value[l]);
	}
}

static void clock_edge(void)
{
	*b.clk_i = 1;
	b.model.eval(b.model.self);
	*b.clk_i = 0;
	b.cycle++;
}

static void nothing_changes(void)
{
	expect("we_o", 0, pin_get(b.we_o, 0, b.banks), 0);
	expect("mark_en_o", 0, pin_get(b.mark_en_o, 0, b.banks), 0);
	expect("flip_o", 0, pin_get(b.flip_o, 0, b.pairs), 0);
	expect("faulted_o", 0, pin_get(b.faulted_o, 0, b.lanes), 0);
	expect("park_o", 0, *b.park_o, 0);
}

/* A cycle without outputs of X. */
static void nothing_cycle(void)
{
	b.model.eval(b.model.self);
	check_w();
	nothing_changes();
	b.w.any = false;
	clock_edge();
}

/* The lean form: the lanes of a pass have their results in turn; meanwhile the inputs stand. */
static void walk_lanes(void)
{
	for (unsigned l = 0; l < b.lanes; l++) {
		pin_set(b.lane_i, 0, b.lanes, 1u << l);
		b.model.eval(b.model.self);
		check_w();
		nothing_changes();
		clock_edge();
	}
	pin_set(b.lane_i, 0, b.lanes, 0);
	b.w.any = false;
}

/* Nothing of this unit is in X. */
static void empty_cycle(void)
{
	noise();
	pin_noise(b.index_i, 3, &b.rng);
	*b.valid_i = 0;
	nothing_cycle();
}

static void one_pass(struct request *r, unsigned beat, uint32_t *pending, bool fresh)
{
	const unsigned first = beat * b.lanes;
	const bool last = beat == b.beats - 1;
	struct expected e;
	choose(r, *pending, first, &e);
	const uint32_t turn = e.lanes << first;
	*pending &= ~turn;
	noise();
	drive(r, &e, first);
	pin_set(b.index_i, 0, b.beats > 8 ? 4 : 3, beat);
	*b.first_i = fresh;
	*b.finish_i = !*pending;
	*b.last_i = last;
	if (last)
		*b.one_i = r->one;
	execute(r, &e, first);
	e.parks = r->trywait && last && !*pending && r->one && r->saw && !r->over;
	if (b.lean) {
		nothing_cycle();
		*b.valid_i = 0;
	}
	b.model.eval(b.model.self);
	check_w();
	check_x(r, &e);
	store(r, &e);
	r->had |= turn;
	answer(r, &e, first, fresh, last);
	b.passes++;
	b.parked += e.parks;
	b.empty += !e.lanes;
	clock_edge();
	if (b.lean)
		walk_lanes();
}

static void request(void)
{
	struct request r;
	draw(&r);
	for (unsigned beat = 0; beat < b.beats; beat++) {
		const uint32_t mask = b.lanes == LANES ? UINT32_MAX : ((1u << b.lanes) - 1) << beat * b.lanes;
		uint32_t pending = r.once && r.had ? 0 : r.ok & mask;
		bool fresh = true;
		do {
			while (below(6) == 0)
				empty_cycle();
			one_pass(&r, beat, &pending, fresh);
			fresh = false;
			/* a plain write may take the mark away between two passes */
			if (below(200) == 0)
				b.mark[r.object[below(LANES)]][below(2)] = false;
		} while (pending);
	}
}

static int floors(void)
{
	static const enum mbar_fault faults[] = {MBAR_UNINIT,     MBAR_UNDERFLOW,  MBAR_TX_RANGE,
	                                         MBAR_NOCOMPLETE, MBAR_DROP_RANGE, MBAR_DRAINED};
	const struct floor floors[] = {{"phases that end", b.flips},
	                               {"TRYWAITs that park", b.parked},
	                               {"lanes told of one in an earlier beat", b.told},
	                               {"empty passes", b.empty},
	                               {"phases of layout v1 that end", b.v1 ? b.v1_flips : ~0ul},
	                               {"... with a report", b.v1 ? b.kept_open : ~0ul},
	                               {"reports told", b.v1 ? b.reports : ~0ul},
	                               {"TRYWAITs that park for a conditional phase", b.v1 ? b.v1_parked : ~0ul}};
	int low = floors_missed(floors, sizeof floors / sizeof floors[0], 20);
	for (unsigned i = 0; i < sizeof faults / sizeof faults[0]; i++)
		if (!b.faults[faults[i]]) {
			printf("fault %d was never expected\n", faults[i]);
			low = 1;
		}
	low |= b.v1 && !b.faults[MBAR_COUNT_RANGE];
	return low;
}

static struct bench_end run_bench(const struct bench_args *a)
{
	b.model = a->model;
	b.rng = rng_seed(a->seed, 0);
	b.lanes = model_param(&b.model, "Lanes", 32);
	b.banks = model_param(&b.model, "Banks", 32);
	b.row_bits = model_param(&b.model, "RowBits", 9);
	b.lean = model_param(&b.model, "Lean", 0);
	b.v1 = model_param(&b.model, "LayoutV1", 0);
	b.beats = LANES / b.lanes;
	b.pairs = b.banks / 2;
	b.pair_bits = b.pairs > 1 ? (unsigned)__builtin_ctz(b.pairs) : 1;
	b.low_bits = (unsigned)__builtin_ctz(b.banks) + 2;
	b.objects = b.pairs << b.row_bits;
	PINS_FIND(mbar_stage, &b, &b.model);
	for (unsigned o = 0; o < b.objects; o++) {
		b.word[o] = some_object();
		b.mark[o][0] = b.mark[o][1] = true;
	}
	for (unsigned long n = 0; n < a->count && b.errors < (b.model.changed ? 1u : 10u); n++)
		request();
	printf("mbar_stage: %lu passes, %lu empty, %lu phases ended, %lu parked, %lu errors\n", b.passes, b.empty,
	       b.flips, b.parked, b.errors);
	return bench_good(!b.errors && !floors());
}

int main(int argc, char **argv)
{
	static const struct bench_form form = {.words = "MODEL.so [SEED [REQUESTS]]", .usual = 20000, .run = run_bench};
	return bench_main(argc, argv, &form);
}
