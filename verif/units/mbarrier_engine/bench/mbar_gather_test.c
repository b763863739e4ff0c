// SPDX-License-Identifier: Apache-2.0
/* Bench of mbar_gather alone: the beats of an ARRIVE.TMASK go in, and come out in order after the last beat has come
 * in. Each lane gets the lanes of the whole request on the same object, and the lowest of these lanes. With one beat a
 * request the unit must pass the beat at once. The lean form has 33 cycles for the search before each beat.
 *
 *   mbar_gather_test MODEL.so [SEED [REQUESTS [BUG]]]
 *
 * The name of the model tells the lean form. */
#include <stdio.h>
#include <string.h>

#include "../../../common/rng.h"
#include "../../floors.h"
#include "../../bench_main.h"
#include "pins/mbar_gather.h"

enum { LANES = 32, GROUP_BITS = 37, LEAN_CYCLES = 33 };

static struct {
	struct model model;
	PINS_MEMBERS(mbar_gather);
	unsigned lanes, addr_bits, bits, beats, search; /* cycles before a beat */
	struct rng rng;
	uint32_t ok, addr[LANES];
	uint32_t more[LANES]; /* of each beat */
	unsigned long cycle, errors, requests, held, resets, alone, shared;
} b;

static unsigned below(unsigned n)
{
	return rng_below(&b.rng, n);
}

static void expect(const char *what, unsigned which, uint32_t got, uint32_t want)
{
	if (got == want)
		return;
	if (b.errors++ < 10)
		printf("cycle %lu, %u: %s is 0x%x, expected 0x%x\n", b.cycle, which, what, got, want);
}

static void draw(void)
{
	const uint32_t all = (1u << b.addr_bits) - 1, few = below(2) ? all : rng_u32(&b.rng) & rng_u32(&b.rng) & all;
	b.ok = below(3) ? rng_u32(&b.rng) : below(2) ? UINT32_MAX : rng_u32(&b.rng) & rng_u32(&b.rng);
	for (unsigned l = 0; l < LANES; l++)
		b.addr[l] = rng_u32(&b.rng) & few;
	if (below(3) == 0) { /* the same object for all lanes, or a single bit off */
		for (unsigned l = 1; l < LANES; l++)
			b.addr[l] = b.addr[0] ^ (below(4) ? 0 : 1u << below(b.addr_bits));
	}
	for (unsigned i = 0; i < b.beats; i++)
		b.more[i] = rng_u32(&b.rng) & (b.bits == 32 ? UINT32_MAX : (1u << b.bits) - 1);
}

static void clock_edge(void)
{
	*b.clk_i = 1;
	b.model.eval(b.model.self);
	*b.clk_i = 0;
	b.cycle++;
}

static void noise(void)
{
	pin_noise(b.beat_index_i, b.beats > 1 ? (unsigned)__builtin_ctz(b.beats) : 1, &b.rng);
	pin_noise(b.beat_ok_i, b.lanes, &b.rng);
	pin_noise(b.beat_addr_i, b.lanes * b.addr_bits, &b.rng);
	pin_noise(b.beat_i, b.bits, &b.rng);
	*b.beat_last_i = (uint8_t)below(2);
	*b.beat_valid_i = 0;
}

static void drive(unsigned beat)
{
	const unsigned first = beat * b.lanes;
	*b.beat_valid_i = 1;
	*b.beat_index_i = (uint8_t)beat;
	*b.beat_last_i = beat == b.beats - 1;
	pin_set(b.beat_ok_i, 0, b.lanes, b.ok >> first);
	for (unsigned l = 0; l < b.lanes; l++)
		pin_set(b.beat_addr_i, l * b.addr_bits, b.addr_bits, b.addr[first + l]);
	pin_set(b.beat_i, 0, b.bits, b.more[beat]);
}

static void check_beat(unsigned beat)
{
	const unsigned first = beat * b.lanes;
	expect("ok_o", beat, pin_get(b.ok_o, 0, b.lanes),
	       b.lanes == LANES ? b.ok : b.ok >> first & ((1u << b.lanes) - 1));
	expect("beat_o", beat, pin_get(b.beat_o, 0, b.bits), b.more[beat]);
	for (unsigned l = 0; l < b.lanes; l++) {
		uint32_t group = 0;
		for (unsigned k = 0; k < LANES; k++)
			group |= (uint32_t)((b.ok >> k & 1) && b.addr[k] == b.addr[first + l]) << k;
		expect("addr_o", first + l, pin_get(b.addr_o, l * b.addr_bits, b.addr_bits), b.addr[first + l]);
		expect("group_o, lanes", first + l, pin_get(b.group_o, l * GROUP_BITS, 32), group);
		if (group)
			expect("group_o, lowest", first + l, pin_get(b.group_o, l * GROUP_BITS + 32, 5),
			       (unsigned)__builtin_ctz(group));
		b.alone += group == 1u << (first + l);
		b.shared += (group & (group - 1)) != 0;
	}
}

static void reset(void)
{
	noise();
	*b.rst_i = 1;
	*b.ready_i = (uint8_t)below(2);
	*b.beat_valid_i = (uint8_t)below(2);
	b.model.eval(b.model.self);
	if (b.beats > 1)
		expect("beat_ready_o in reset", 0, *b.beat_ready_o, 0);
	clock_edge();
	*b.rst_i = 0;
	b.resets++;
}

/* False: a reset came in between. */
static bool send(void)
{
	for (unsigned beat = 0; beat < b.beats;) {
		const bool comes = below(4) != 0;
		noise();
		if (comes)
			drive(beat);
		*b.ready_i = (uint8_t)below(2);
		b.model.eval(b.model.self);
		expect("beat_ready_o", beat, *b.beat_ready_o, 1);
		expect("valid_o before the last beat", beat, *b.valid_o, 0);
		expect("busy_o before the last beat", beat, *b.busy_o, 0);
		clock_edge();
		beat += comes;
		if (below(100) == 0) {
			reset();
			return false;
		}
	}
	return true;
}

static bool take(void)
{
	for (unsigned beat = 0, search = b.search; beat < b.beats;) {
		noise();
		*b.beat_valid_i = (uint8_t)below(2); /* of the next request: the beat has to wait */
		*b.ready_i = below(3) != 0;
		b.model.eval(b.model.self);
		expect("beat_ready_o while beats go out", beat, *b.beat_ready_o, 0);
		expect("busy_o while beats go out", beat, *b.busy_o, 1);
		expect("valid_o", beat, *b.valid_o, search == 0);
		if (search > 0) {
			search--;
		} else {
			check_beat(beat);
			beat += *b.ready_i;
			b.held += !*b.ready_i;
			search = *b.ready_i ? b.search : 0;
		}
		clock_edge();
		if (below(100 + 33 * b.search) == 0) {
			reset();
			return false;
		}
	}
	return true;
}

static void pass_through(void)
{
	const bool comes = below(4) != 0;
	noise();
	drive(0);
	*b.beat_valid_i = comes;
	*b.ready_i = (uint8_t)below(2);
	b.model.eval(b.model.self);
	expect("valid_o", 0, *b.valid_o, comes);
	expect("busy_o", 0, *b.busy_o, comes);
	expect("beat_ready_o", 0, *b.beat_ready_o, *b.ready_i);
	if (comes)
		check_beat(0);
	b.held += !*b.ready_i;
	b.resets++;
	clock_edge();
}

static int floors(void)
{
	const struct floor floors[] = {{"requests", b.requests},
	                               {"beats held", b.held},
	                               {"resets", b.resets},
	                               {"lanes alone at their object", b.alone},
	                               {"lanes with others", b.shared}};
	return floors_missed(floors, sizeof floors / sizeof floors[0], 20);
}

static struct bench_end run_bench(const struct bench_args *a)
{
	b.model = a->model;
	b.rng = rng_seed(a->seed, 0);
	b.lanes = model_param(&b.model, "Lanes", 32);
	b.addr_bits = model_param(&b.model, "AddrBits", 16);
	b.bits = model_param(&b.model, "Bits", 32);
	b.beats = LANES / b.lanes;
	b.search = strstr(a->path, "mbar_gather_lean") ? LEAN_CYCLES : 0;
	PINS_FIND(mbar_gather, &b, &b.model);
	reset();
	while (b.requests < a->count && b.errors < (b.model.changed ? 1u : 10u)) {
		draw();
		b.requests++;
		if (b.beats == 1)
			pass_through();
		else if (send())
			take();
	}
	printf("mbar_gather: %lu requests, %lu cycles, %lu errors\n", b.requests, b.cycle, b.errors);
	return bench_good(!b.errors && (a->bug || !floors()));
}

int main(int argc, char **argv)
{
	static const struct bench_form form = {
	        .words = "MODEL.so [SEED [REQUESTS [BUG]]]", .usual = 5000, .run = run_bench};
	return bench_main(argc, argv, &form);
}
