// SPDX-License-Identifier: Apache-2.0
/* Bench of converge_step against converge_ref: one warp after the other that divides, meets, breaks, yields and leaves,
 * its state held here between the instructions as convergence holds it. After every instruction all of the state is
 * compared: who waits, where and for whom, who has yielded, every lane's set of every barrier. Of what has no meaning
 * (a place where nobody waits, the row of a barrier that has none) the block is handed noise.
 *
 *   converge_step_test MODEL.so [SEED [INSTRUCTIONS]] */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "../common/rng.h"
#include "converge_ref.h"
#include "rtl_model.h"

#define PINS(PIN)                                                                                                      \
	PIN(valid_i)                                                                                                   \
	PIN(exit_i)                                                                                                    \
	PIN(kind_i)                                                                                                    \
	PIN(apart_i)                                                                                                   \
	PIN(bar_i)                                                                                                     \
	PIN(lanes_i)                                                                                                   \
	PIN(stands_i)                                                                                                  \
	PIN(row_i)                                                                                                     \
	PIN(live_i)                                                                                                    \
	PIN(waits_i)                                                                                                   \
	PIN(yielded_i)                                                                                                 \
	PIN(at_i)                                                                                                      \
	PIN(want_i)                                                                                                    \
	PIN(used_i)                                                                                                    \
	PIN(cleared_i)                                                                                                 \
	PIN(set_i)                                                                                                     \
	PIN(live_o)                                                                                                    \
	PIN(waits_o)                                                                                                   \
	PIN(yielded_o)                                                                                                 \
	PIN(at_o)                                                                                                      \
	PIN(want_o)                                                                                                    \
	PIN(used_o)                                                                                                    \
	PIN(cleared_o)                                                                                                 \
	PIN(set_we_o)                                                                                                  \
	PIN(set_o)                                                                                                     \
	PIN(row_o)                                                                                                     \
	PIN(ready_o)                                                                                                   \
	PIN(self_o)                                                                                                    \
	PIN(odds_o)

/* What the block is given and gives back. */
struct state {
	uint32_t live, waits, yielded, at[REF_LANES], want[REF_LANES], used, cleared[REF_BARS];
	uint32_t set[REF_BARS][REF_LANES];
};

static struct bench {
	struct model model;
#define MEMBER(name) uint8_t *name;
	PINS(MEMBER)
#undef MEMBER
	unsigned lanes, bars, bar_bits;
	uint32_t all;
	struct rng rng;
	struct ref_warp ref;
	struct state state;
	uint32_t meet; /* the mask that WARPSYNCs of this warp mostly have */
	unsigned long steps, errors, warps, kinds[REF_KINDS], self, mismatch, before;
	struct ref_seen seen;
} b;

static void expect(const char *what, uint32_t got, uint32_t want)
{
	if (got != want && b.errors++ < 10) {
		printf("instruction %lu: %s is %" PRIx32 ", expected %" PRIx32 "\n", b.steps, what, got, want);
	}
}

static unsigned below(unsigned n)
{
	return rng_below(&b.rng, n);
}

static uint32_t some_of(uint32_t lanes)
{
	const uint32_t some = below(3) ? lanes & rng_u32(&b.rng) : lanes;
	return some ? some : lanes & -lanes;
}

static void launch(void)
{
	ref_launch(&b.ref, 1 + (below(4) ? b.lanes - 1 : below(b.lanes)));
	b.state.live = ref_live(&b.ref);
	b.state.waits = b.state.yielded = b.state.used = 0;
	b.meet = b.all;
	b.warps++;
}

/* ---- the state at the pins ------------------------------------------------------------------------------------- */

static void drive_state(unsigned bar)
{
	const struct state *s = &b.state;
	const unsigned n = b.lanes, at_bits = b.bar_bits + 1;
	pin_set(b.live_i, 0, n, s->live);
	pin_set(b.waits_i, 0, n, s->waits);
	pin_set(b.yielded_i, 0, n, s->yielded);
	pin_set(b.used_i, 0, b.bars, s->used);
	for (unsigned l = 0; l < n; l++) {
		const bool waits = s->waits >> l & 1, has = s->used >> bar & 1;
		pin_set(b.at_i, l * at_bits, at_bits, waits ? s->at[l] : rng_u32(&b.rng));
		pin_set(b.want_i, l * n, n, waits ? s->want[l] : rng_u32(&b.rng));
		pin_set(b.set_i, l * n, n, has && !(s->cleared[bar] >> l & 1) ? s->set[bar][l] : rng_u32(&b.rng));
	}
	for (unsigned i = 0; i < b.bars; i++) {
		pin_set(b.cleared_i, i * n, n, s->used >> i & 1 ? s->cleared[i] : rng_u32(&b.rng));
	}
}

static void keep_state(unsigned bar)
{
	struct state *s = &b.state;
	const unsigned n = b.lanes, at_bits = b.bar_bits + 1;
	s->live = pin_get(b.live_o, 0, n);
	s->waits = pin_get(b.waits_o, 0, n);
	s->yielded = pin_get(b.yielded_o, 0, n);
	s->used = pin_get(b.used_o, 0, b.bars);
	for (unsigned l = 0; l < n; l++) {
		s->at[l] = pin_get(b.at_o, l * at_bits, at_bits);
		s->want[l] = pin_get(b.want_o, l * n, n);
		s->set[bar][l] = *b.set_we_o ? pin_get(b.set_o, l * n, n) : s->set[bar][l];
	}
	for (unsigned i = 0; i < b.bars; i++) {
		s->cleared[i] = pin_get(b.cleared_o, i * n, n);
	}
}

static uint32_t mask_of(const bool set[REF_LANES])
{
	uint32_t mask = 0;
	for (unsigned i = 0; i < REF_LANES; i++) {
		mask |= (uint32_t)set[i] << i;
	}
	return mask;
}

static void compare_state(void)
{
	const struct state *s = &b.state;
	expect("live_o", s->live, ref_live(&b.ref));
	expect("ready_o", pin_get(b.ready_o, 0, b.lanes), ref_ready(&b.ref));
	for (unsigned l = 0; l < b.lanes; l++) {
		const struct ref_lane *lane = &b.ref.lane[l];
		expect("waits_o", s->waits >> l & 1, lane->waits);
		if (lane->live && !lane->waits) {
			expect("yielded_o", s->yielded >> l & 1, lane->yielded);
		} else if (lane->waits) {
			const bool *set = lane->at_warpsync ? lane->mask : b.ref.in[lane->place][l];
			expect("at_o", s->at[l], (unsigned)lane->at_warpsync << b.bar_bits | lane->place);
			expect("want_o", s->want[l], mask_of(set));
		}
		for (unsigned i = 0; i < b.bars; i++) {
			const bool has = s->used >> i & 1 && !(s->cleared[i] >> l & 1);
			expect("a lane's set", has ? s->set[i][l] : 0, mask_of(b.ref.in[i][l]));
		}
	}
}

/* ---- instructions ---------------------------------------------------------------------------------------------- */

static void draw_masks(struct ref_op *op, uint32_t ready)
{
	const unsigned odd = below(6); /* 0: many have another mask; 1: some; 2: some are not in their own */
	if (below(2) || !(b.meet & ready)) {
		b.meet = some_of(below(2) ? b.all : ready);
	}
	if (below(4) && b.meet & ready) {
		op->lanes = some_of(b.meet & ready);
	}
	for (unsigned l = 0; l < b.lanes; l++) {
		op->row[l] =
		        odd == 0 || (odd == 1 && below(4) == 0) ? (rng_u32(&b.rng) & b.all) | UINT32_C(1) << l : b.meet;
		op->row[l] &= odd == 2 && below(3) == 0 ? ~(UINT32_C(1) << l) : UINT32_MAX;
	}
}

static bool draw(struct ref_op *op)
{
	static const uint8_t weight[REF_KINDS] = {8, 10, 3, 1, 1, 3, 6, 6, 2};
	const uint32_t ready = ref_ready(&b.ref), waiting = ref_live(&b.ref) & ~ready;
	unsigned kind = 0, at = below(40);
	while (at >= weight[kind]) {
		at -= weight[kind++];
	}
	kind = ready ? kind : REF_YIELD;
	*op = (struct ref_op){.kind = (enum ref_kind)kind, .apart = below(2), .bar = below(b.bars)};
	op->lanes = some_of(ready);
	for (unsigned l = 0; l < b.lanes; l++) {
		op->row[l] = rng_u32(&b.rng) & b.all;
	}
	if (kind == REF_WARPSYNC) {
		draw_masks(op, ready);
	} else if ((kind == REF_BSYNC || kind == REF_BREAK) && below(16) == 0) {
		op->lanes = 0; /* its predicate holds nowhere */
	} else if (kind == REF_YIELD && below(2)) {
		op->lanes = ready;
	} else if (kind == REF_R2B && below(2)) {
		for (unsigned l = 0; l < b.lanes; l++) {
			op->row[l] = b.meet;
		}
	}
	if (kind == REF_YIELD && waiting && (!ready || below(3) == 0)) { /* names those that wait, too, or alone */
		op->lanes = some_of(waiting) | (below(2) ? op->lanes & ready : 0);
	}
	return (ready || waiting) && !(kind == REF_EXIT && op->lanes == ref_live(&b.ref));
}

/* Barriers at which lanes wait. */
static uint32_t at_bars(void)
{
	uint32_t bars = 0;
	for (unsigned l = 0; l < b.lanes; l++) {
		const struct ref_lane *lane = &b.ref.lane[l];
		bars |= lane->waits && !lane->at_warpsync ? UINT32_C(1) << lane->place : 0;
	}
	return bars;
}

static void drive_op(const struct ref_op *op, unsigned bar, uint32_t stands)
{
	const bool reads = op->kind == REF_R2B || op->kind == REF_WARPSYNC;
	*b.valid_i = 1;
	*b.exit_i = op->kind == REF_EXIT;
	*b.kind_i = op->kind != REF_EXIT ? (uint8_t)op->kind : below(2) ? REF_YIELD : (uint8_t)below(REF_EXIT);
	*b.apart_i = op->kind == REF_WARPSYNC ? op->apart : below(2);
	pin_set(b.bar_i, 0, b.bar_bits, bar);
	pin_set(b.lanes_i, 0, b.lanes, op->lanes);
	pin_set(b.stands_i, 0, b.lanes, stands);
	for (unsigned l = 0; l < b.lanes; l++) {
		pin_set(b.row_i, l * b.lanes, b.lanes, reads ? op->row[l] : rng_u32(&b.rng));
	}
}

/* Nothing is asked: nothing is written, nobody faults. */
static void idle(void)
{
	*b.valid_i = 0;
	b.model.eval(b.model.self);
	expect("set_we_o beside no request", *b.set_we_o, 0);
	expect("faults beside no request", pin_get(b.self_o, 0, b.lanes) | pin_get(b.odds_o, 0, b.lanes), 0);
}

/* A row is written when somebody's set changes, not else: by these, and by a YIELD that lets somebody go. */
static bool writes(enum ref_kind kind)
{
	return kind == REF_BSSY || kind == REF_BREAK || kind == REF_CLEAR || kind == REF_R2B;
}

static void step(const struct ref_op *op)
{
	/* A YIELD is asked once for each barrier at which lanes wait, or once. */
	uint32_t bars = op->kind == REF_YIELD ? at_bars() : 0, old[REF_LANES];
	const unsigned first = bars ? (unsigned)__builtin_ctz(bars) : op->bar;
	const struct ref_misuse bad = ref_misused(&b.ref, op);
	const unsigned let_go = b.seen.let_go;
	const uint32_t stands = op->lanes & b.state.waits;
	bool written = false;
	struct ref_op asked = *op;
	asked.bar = first;
	ref_step(&b.ref, &asked, old, &b.seen);
	for (unsigned bar = first;; bar = (unsigned)__builtin_ctz(bars)) {
		drive_op(op, bar, stands);
		drive_state(bar);
		b.model.eval(b.model.self);
		expect("self_o", pin_get(b.self_o, 0, b.lanes), bad.self);
		expect("odds_o", pin_get(b.odds_o, 0, b.lanes), bad.mismatch);
		for (unsigned l = 0; l < b.lanes && bar == first; l++) {
			expect("row_o", pin_get(b.row_o, l * b.lanes, b.lanes), old[l]);
		}
		written |= *b.set_we_o;
		keep_state(bar);
		if (!(bars &= bars - 1)) {
			break;
		}
	}
	expect("set_we_o", written, writes(op->kind) || b.seen.let_go != let_go);
	compare_state();
	b.kinds[op->kind]++;
	b.self += bad.self != 0;
	b.mismatch += bad.mismatch != 0;
	b.before += bad.waiting;
	b.steps++;
}

static bool met_everything(void)
{
	static const char *const names[REF_KINDS] = {
	        "BSSY",     "BSYNC", "BREAK", "BMOV.CLEAR", "BMOV to registers", "BMOV from registers",
	        "WARPSYNC", "YIELD", "EXIT"};
	const struct {
		const char *what;
		unsigned long seen;
	} floors[] = {
	        {"lanes that began to wait", b.seen.arrived},
	        {"lanes that went on later", b.seen.left},
	        {"lanes that went on at once", b.seen.at_once},
	        {"lanes that were let go", b.seen.let_go},
	        {"sets that they were taken out of", b.seen.unbound},
	        {"lanes that were let go by a YIELD that named them", b.seen.stood},
	        {"WARPSYNCs with a lane that is not in its own mask", b.self},
	        {"WARPSYNCs with lanes that name each other in different masks", b.mismatch},
	        {"of these, with lanes that came before", b.before},
	        {"warps", b.warps},
	};
	bool met = true;
	for (unsigned i = 0; i < sizeof floors / sizeof floors[0] + REF_KINDS; i++) {
		const bool kind = i < REF_KINDS;
		const unsigned long seen = kind ? b.kinds[i] : floors[i - REF_KINDS].seen;
		if (seen < 20) {
			printf("only %lu %s, expected 20\n", seen, kind ? names[i] : floors[i - REF_KINDS].what);
			met = false;
		}
	}
	return met;
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		fprintf(stderr, "usage: converge_step_test MODEL.so [SEED [INSTRUCTIONS]]\n");
		return 2;
	}
	model_open(&b.model, argv[1]);
	b.lanes = model_param(&b.model, "Warp", 32);
	b.bars = model_param(&b.model, "Bars", 16);
	b.bar_bits = (unsigned)__builtin_ctz(b.bars);
	b.all = b.lanes == 32 ? UINT32_MAX : (UINT32_C(1) << b.lanes) - 1;
#define FIND(name) b.name = model_pin(&b.model, #name);
	PINS(FIND)
#undef FIND
	b.rng = rng_seed(argc > 2 ? strtoull(argv[2], NULL, 0) : 1, 0);
	const unsigned long steps = argc > 3 ? strtoul(argv[3], NULL, 0) : 5000;
	launch();
	while (b.steps < steps && b.errors == 0) {
		struct ref_op op;
		while (!draw(&op) || below(60) == 0) {
			launch(); /* nobody is ready, or all would leave: another warp */
		}
		step(&op);
		if (below(8) == 0) {
			idle();
		}
	}
	printf("converge_step: %u lanes, %u barriers, %lu warps, %lu instructions, %lu errors\n", b.lanes, b.bars,
	       b.warps, b.steps, b.errors);
	const bool good = b.errors == 0 && met_everything();
	model_close(&b.model);
	printf("%d passed, %d failed\n", good, !good);
	return !good;
}
