// SPDX-License-Identifier: Apache-2.0
/* Bench of mbarrier_engine alone, with the waiting warps: parks, ends of phases, timeouts. The bench compares every
 * RELEASE and its cycle with a list of waiting warps, kept as integers without wrap. Objects are few and waits short,
 * so a park, the end of the phase and the end of the time meet in every way.
 *
 *   mbar_waits_test MODEL.so [SEED [CYCLES]] */
#include <stdio.h>
#include <string.h>

#include "../../../common/rng.h"
#include "../../floors.h"
#include "../../bench_main.h"
#include "pins/mbarrier_engine.h"

enum {
	WARPS = 48,
	MAX_OBJECTS = 8192,
	MAX_PAIRS = 16,
	REL_BITS = 121,
	UNIT = 3,
	END_BITS = 11,
	NOBODY = 0xffff,
	RESETS = 64
};

struct flip {
	bool ends;
	unsigned object, phase;
	unsigned conditional, report; /* of layout v1: conditional: parity before; report: bit 0 predicate, 8:1 value */
};

static struct {
	struct model model;
	PINS_MEMBERS(mbarrier_engine);
	unsigned warps, pairs, row_bits, pair_bits, suspend, objects;
	struct rng rng;
	struct {
		bool waits, conditional;
		unsigned object, phase, slot;
		unsigned long since;
	} warp[WARPS];
	bool v1; /* the model builds layout v1 of sm_107 */
	unsigned phase[MAX_OBJECTS], conditional[MAX_OBJECTS], slot[MAX_OBJECTS];
	struct flip now[MAX_PAIRS], before[MAX_PAIRS]; /* phases ended in this cycle, and in the cycle before */
	unsigned parks;                                /* the warp parked in this cycle; NOBODY */
	unsigned long cycle, since_reset, errors;
	struct {
		unsigned long parked, released, together, several, gave_up, just_won, just_before, stale, at_once,
		        reported, left_open, conditional, stopped;
	} seen;
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
		printf("cycle %lu, release %u: %s is 0x%llx, expected 0x%llx\n", b.cycle, which, what,
		       (unsigned long long)got, (unsigned long long)want);
}

/* ---- inputs ---- */

static bool anybody_at(unsigned object)
{
	for (unsigned w = 0; w < b.warps; w++)
		if (b.warp[w].waits && b.warp[w].object == object)
			return true;
	return false;
}

/* Mostly an object with a waiting warp. */
static unsigned some_object(unsigned pair)
{
	const unsigned w = below(b.warps);
	if (b.warp[w].waits && b.warp[w].object % b.pairs == pair && below(4))
		return b.warp[w].object;
	return below(b.objects / b.pairs) * b.pairs + pair;
}

/* Phases end. Sometimes a new object is made; a new object releases no warp. */
static void end_phases(void)
{
	const unsigned often = b.cycle / 512 % 2 ? 3 : 12;
	for (unsigned p = 0; p < b.pairs; p++) {
		struct flip *f = &b.now[p];
		f->object = some_object(p);
		f->ends = below(often) == 0;
		f->phase = b.phase[f->object];
		b.phase[f->object] ^= f->ends;
		f->report = below(3) ? 0 : 1 | below(256) << 1;
		f->conditional = b.conditional[f->object];
		b.conditional[f->object] ^= f->ends && !f->report;
		pin_set(b.flip_end_i, p * END_BITS, END_BITS, (f->report == 0) | f->conditional << 1 | f->report << 2);
		pin_set(b.flip_i, p, 1, f->ends);
		pin_set(b.flip_phase_i, p, 1, f->ends ? f->phase : below(2));
		pin_set(b.flip_row_i, p * b.row_bits, b.row_bits, f->object / b.pairs);
	}
	if (below(16) == 0)
		b.phase[below(b.objects)] = b.conditional[below(b.objects)] = below(2);
}

/* A TRYWAIT has found the phase open, after the ends of this cycle. */
static void park(void)
{
	const unsigned w = below(b.warps), object = some_object(below(b.pairs));
	const bool parks = !b.warp[w].waits && below(3) == 0;
	b.parks = parks ? w : NOBODY;
	if (!anybody_at(object))
		b.slot[object] = below(16);
	*b.park_valid_i = parks;
	*b.park_warp_i = (uint8_t)w;
	*b.park_slot_i = (uint8_t)b.slot[object];
	pin_set(b.park_object_i, 0, b.row_bits + b.pair_bits, object);
	const bool conditional = below(3) == 0;
	const unsigned phase = b.v1 && conditional ? b.conditional[object] : b.phase[object];
	*b.park_conditional_i = conditional; /* not read without layout v1 */
	*b.park_parity_i = (uint8_t)(parks ? phase : below(2));
	if (!parks)
		return;
	b.warp[w].object = object;
	b.warp[w].phase = phase;
	b.warp[w].conditional = b.v1 && conditional;
	b.warp[w].slot = b.slot[object];
	b.warp[w].since = b.cycle;
}

/* ---- expected outputs ---- */

static bool ended(const struct flip *f, unsigned w)
{
	const struct flip *of = &f[b.warp[w].object % b.pairs];
	if (!of->ends || of->object != b.warp[w].object)
		return false;
	return b.warp[w].conditional ? !of->report && of->conditional == b.warp[w].phase : of->phase == b.warp[w].phase;
}

static uint64_t warps_at(unsigned at)
{
	return pin_get(b.rel_o, at, 32) | (uint64_t)pin_get(b.rel_o, at + 32, 16) << 32;
}

/* `value`: 0: a timeout; else bit 0 and the report of the phase. */
static void check_release(unsigned which, unsigned value, unsigned object, unsigned phase, unsigned slot,
                          uint64_t warps)
{
	const unsigned at = which * REL_BITS;
	expect("value", which, pin_get(b.rel_o, at, 32), value);
	expect("warps", which, warps_at(at + 32), warps);
	expect("phase", which, pin_get(b.rel_o, at + 80, 16), phase);
	expect("id", which, pin_get(b.rel_o, at + 96, 16), object);
	expect("slot", which, pin_get(b.rel_o, at + 112, 4), slot);
	expect("unit", which, pin_get(b.rel_o, at + 116, 4), UNIT);
	expect("gave up", which, pin_get(b.rel_o, at + 120, 1), !value);
}

/* Warps with a phase ended in the cycle before. */
static uint64_t check_pair(unsigned p)
{
	uint64_t warps = 0;
	unsigned slot = 0;
	for (unsigned w = 0; w < b.warps; w++)
		if (b.warp[w].waits && b.warp[w].object % b.pairs == p && ended(b.before, w)) {
			warps |= UINT64_C(1) << w;
			slot = b.warp[w].slot;
			b.seen.at_once += b.warp[w].since + 2 == b.cycle;
			b.seen.conditional += b.warp[w].conditional;
		}
	expect("rel_valid_o", p, pin_get(b.rel_valid_o, p, 1), warps != 0);
	const unsigned report = b.v1 ? b.before[p].report : 0;
	b.seen.reported += warps && report;
	if (warps)
		check_release(p, 1 | (report & 1) << 1 | report >> 1 << 8, b.before[p].object, b.before[p].phase, slot,
		              warps);
	b.seen.released += (unsigned)__builtin_popcountll(warps);
	b.seen.together += (warps & (warps - 1)) != 0;
	return warps;
}

/* The timer looks at a warp a cycle. A phase ended in this cycle, or in the cycle before, wins. */
static uint64_t check_time(void)
{
	const unsigned w = (unsigned)(b.since_reset % b.warps);
	const bool late = b.warp[w].waits && b.cycle - b.warp[w].since >= b.suspend;
	const bool gives_up = late && !ended(b.now, w) && !ended(b.before, w);
	b.seen.just_won += late && ended(b.now, w);
	b.seen.just_before += late && ended(b.before, w);
	b.seen.gave_up += gives_up;
	expect("rel_valid_o", b.pairs, pin_get(b.rel_valid_o, b.pairs, 1), gives_up);
	if (gives_up)
		check_release(b.pairs, 0, b.warp[w].object, b.warp[w].phase, b.warp[w].slot, UINT64_C(1) << w);
	return gives_up ? UINT64_C(1) << w : 0;
}

static void check(void)
{
	uint64_t gone = 0;
	unsigned releases = 0;
	for (unsigned p = 0; p < b.pairs; p++) {
		const uint64_t warps = check_pair(p);
		releases += warps != 0;
		gone |= warps;
	}
	gone |= check_time();
	b.seen.several += releases > 1;
	for (unsigned w = 0; w < b.warps; w++) {
		b.warp[w].waits &= !(gone >> w & 1);
		const unsigned object = b.warp[w].object;
		const struct flip *f = &b.before[object % b.pairs];
		b.seen.stale +=
		        b.warp[w].waits && b.warp[w].phase != (b.warp[w].conditional ? b.conditional : b.phase)[object];
		b.seen.left_open += b.warp[w].waits && b.warp[w].conditional && f->ends && f->object == object &&
		                    f->report && f->conditional == b.warp[w].phase;
	}
}

/* ---- cycles ---- */

static void cycle(void)
{
	*b.clk_i = 0;
	end_phases();
	park();
	b.model.eval(b.model.self);
	check();
	*b.clk_i = 1;
	b.model.eval(b.model.self);
	memcpy(b.before, b.now, sizeof b.before);
	if (b.parks != NOBODY)
		b.warp[b.parks].waits = true;
	b.seen.parked += b.parks != NOBODY;
	b.cycle++;
	b.since_reset++;
}

/* Warps whose RELEASE is due in the next cycle. */
static unsigned releases_due(void)
{
	unsigned n = 0;
	for (unsigned w = 0; w < b.warps; w++)
		n += b.warp[w].waits && ended(b.before, w);
	return n;
}

/* With all activity at the pins. */
static void reset(void)
{
	*b.rst_i = 1;
	b.seen.stopped += releases_due();
	for (unsigned i = 0; i < 2; i++) {
		*b.clk_i = 0;
		pin_noise(b.flip_row_i, b.pairs * b.row_bits, &b.rng);
		*b.park_valid_i = 0;
		b.model.eval(b.model.self);
		for (unsigned r = 0; r <= b.pairs; r++)
			expect("rel_valid_o in reset", r, pin_get(b.rel_valid_o, r, 1), 0);
		*b.clk_i = 1;
		b.model.eval(b.model.self);
	}
	*b.rst_i = 0;
	memset(b.before, 0, sizeof b.before);
	for (unsigned w = 0; w < b.warps; w++)
		b.warp[w].waits = false;
	b.since_reset = 0;
}

static int floors(void)
{
	const struct floor floors[] = {{"warps that park", b.seen.parked},
	                               {"warps released", b.seen.released},
	                               {"releases of several warps", b.seen.together},
	                               {"cycles with several releases", b.seen.several},
	                               {"warps that give up", b.seen.gave_up},
	                               {"phases that end in the cycle in which a warp would give up", b.seen.just_won},
	                               {"phases that ended one cycle before", b.seen.just_before},
	                               {"cycles of warps that wait for a phase that was made anew", b.seen.stale},
	                               {"phases that end in the cycle behind the park", b.seen.at_once},
	                               {"warps that a reset meets in the cycle of their release", b.seen.stopped},
	                               {"releases with a report", b.v1 ? b.seen.reported : ~0ul},
	                               {"conditional phases that end", b.v1 ? b.seen.conditional : ~0ul},
	                               {"... that a report keeps open", b.v1 ? b.seen.left_open : ~0ul}};
	return floors_missed(floors, sizeof floors / sizeof floors[0], 20);
}

static struct bench_end run_bench(const struct bench_args *a)
{
	b.model = a->model;
	b.rng = rng_seed(a->seed, 0);
	const unsigned banks = model_param(&b.model, "Banks", 32);
	b.pairs = banks / 2;
	b.pair_bits = b.pairs > 1 ? (unsigned)__builtin_ctz(b.pairs) : 1;
	b.v1 = model_param(&b.model, "LayoutV1", 0);
	b.warps = model_param(&b.model, "Warps", WARPS);
	b.row_bits = model_param(&b.model, "RowBits", 9);
	b.suspend = model_param(&b.model, "Suspend", 1024);
	b.objects = b.pairs << b.row_bits;
	PINS_FIND(mbarrier_engine, &b, &b.model);
	bool due = false;
	reset();
	while (b.cycle < a->count && b.errors < (b.model.changed ? 1u : 10u)) {
		cycle();
		due |= b.cycle % (a->count / RESETS + 1) == 0;
		if (!due || (!releases_due() && below(16)))
			continue;
		reset(); /* mostly in the cycle of a RELEASE */
		due = false;
	}
	printf("mbarrier_engine: %lu cycles, %lu warps parked, %lu released, %lu gave up, %lu errors\n", b.cycle,
	       b.seen.parked, b.seen.released, b.seen.gave_up, b.errors);
	return bench_good(!b.errors && !floors());
}

int main(int argc, char **argv)
{
	static const struct bench_form form = {.words = "MODEL.so [SEED [CYCLES]]", .usual = 200000, .run = run_bench};
	return bench_main(argc, argv, &form);
}
