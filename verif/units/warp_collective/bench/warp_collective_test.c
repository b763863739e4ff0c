// SPDX-License-Identifier: Apache-2.0
/* Bench of warp_collective against a reference of its own: random requests of every form on the beat bus. The bench
 * crosses four stall patterns on both sides; resets hit requests under way. Checked: every answer, the cycle of each
 * COMMIT, latency and throughput. MODEL is warp_collective or warp_collective_lean. The lean form has other cycles of
 * answers.
 *
 *   warp_collective_test MODEL.so [SEED [REQUESTS [BUG]]]      REQUESTS: for each pair of stall patterns
 *   warp_collective_test MODEL.so all [more]                   every case of a few lanes instead (collective_cases.h);
 *                                                              `more`: at every place in the warp, in all forms */
#include <stdio.h>

#include "collective_bench.h"
#include "collective_cases.h"
#include "collective_draw.h"

static struct collective_bench b;
static struct collective_draw draw;

static bool next_random(void *self, unsigned port, struct ref_req *r)
{
	(void)self;
	collective_draw(&draw, r, port);
	return true;
}

static bool next_case(void *self, unsigned port, struct ref_req *r)
{
	const bool more = cases_next(self, r);
	r->tag = collective_tag(&draw, port);
	return more;
}

/* A beat in every cycle, for any instructions; and the latency of a lone request. */
static void figures(void)
{
	bench_stalls(&b, STALL_NEVER, STALL_NEVER);
	bench_reset(&b);
	for (unsigned i = 0; i < 200 && b.errors == 0; i++) {
		bench_cycle(&b, true);
		while (b.offered && b.errors == 0) {
			bench_cycle(&b, false);
		}
		bench_drain(&b);
	}
	const unsigned long beats = b.beats_taken, start = b.cycle, taken = b.taken;
	for (unsigned i = 0; i < 4000 && b.errors == 0; i++) {
		bench_cycle(&b, true);
	}
	printf("%u lanes, %u ports: %.3f requests a cycle, COMMIT %u cycles after the last beat, answer after %u\n",
	       b.lanes, b.ports, (double)(b.taken - taken) / (double)(b.cycle - start), TO_COMMIT, TO_ANSWER);
	bench_expect(&b, "beats taken in 4000 cycles", b.beats_taken - beats, b.cycle - start);
	bench_drain(&b);
}

/* The lean form: the period of each request, of any kind, and the resulting throughput. */
static void lean_figures(void)
{
	unsigned long from = 0, period = 0, start = 0;
	const unsigned requests = 400;
	bench_stalls(&b, STALL_NEVER, STALL_NEVER);
	bench_reset(&b);
	for (unsigned i = 0; i <= requests && b.errors == 0;) {
		const unsigned long before = b.taken, now = b.cycle;
		bench_cycle(&b, true);
		if (b.taken == before) {
			continue;
		}
		if (i++) {
			bench_expect(&b, "cycles of a request", now - from, period);
		} else {
			start = now;
		}
		from = now;
		period = bench_lean_period(&b, &b.req);
	}
	printf("%u lanes, lean: %.4f requests a cycle, COMMIT %u cycles after the last beat\n", b.lanes,
	       requests / (double)(from - start), TO_COMMIT);
	bench_drain(&b);
}

/* A port takes no answers: the other ports go on. */
static void deaf_port(void)
{
	if (b.ports == 1) {
		return;
	}
	bench_stalls(&b, STALL_NEVER, STALL_NEVER);
	bench_reset(&b);
	b.out[0] = (struct stall){.kind = STALL_LONG, .on = true, .left = 1500, .rng = rng_seed(1, 1)};
	const unsigned long answered = b.answered;
	for (unsigned i = 0; i < 1000 && b.errors == 0; i++) {
		if (!b.offered) { /* never a request without room: the arbiter passes over a port without room */
			b.req_port = 1 + i % (b.ports - 1);
			collective_draw(&draw, &b.req, b.req_port);
			b.offered = true;
			b.beat = 0;
			if (pin_get(b.room_o, 0, 1)) {
				collective_draw(&draw, &b.req, b.req_port = 0);
			}
		}
		bench_cycle(&b, false);
	}
	bench_expect(&b, "answers to other ports, below what they can have", b.answered - answered < 900 / b.beats, 0);
	b.out[0] = (struct stall){.kind = STALL_NEVER};
	bench_drain(&b);
}

static void open_bench(const struct bench_args *a)
{
	bench_open(&b, a);
	draw = (struct collective_draw){.rng = &b.rng, .ports = b.ports};
	b.next = next_random;
}

/* Every case of eight lanes and of four; `more`: at each place of a warp. */
static struct bench_end all_cases(const struct bench_args *a)
{
	const bool more = bench_has(a, "more");
	unsigned passed = 0, failed = 0;
	open_bench(a);
	bench_stalls(&b, STALL_NEVER, STALL_NEVER);
	for (unsigned base = 0; base < (more ? REF_LANES : 1) && !failed; base += CASE_LANES) {
		struct cases cases = {.base = base, .all_forms = more, .rng = rng_seed(7, base)};
		const unsigned long before = b.answered;
		bench_reset(&b);
		b.next = next_case;
		b.self = &cases;
		for (b.no_more = false; !b.no_more && b.errors == 0;) {
			bench_cycle(&b, true);
		}
		bench_drain(&b);
		const bool good = b.errors == 0 && b.answered - before == cases_count(&cases);
		printf("warp_collective: %u lanes, %u ports, %lu requests of lanes %u to %u, of %lu that there are: "
		       "%s\n",
		       b.lanes, b.ports, b.answered - before, base, base + CASE_LANES - 1, cases_count(&cases),
		       good ? "right" : "WRONG");
		*(good ? &passed : &failed) += 1;
	}
	return (struct bench_end){passed, failed};
}

static struct bench_end random_requests(const struct bench_args *a)
{
	const unsigned requests = a->count;
	open_bench(a);
	bench_reset(&b);
	if (b.lean) {
		lean_figures();
	} else {
		figures();
	}
	deaf_port();
	for (unsigned in = 0; in < STALL_KINDS && b.errors == 0; in++) {
		for (unsigned out = 0; out < STALL_KINDS && b.errors == 0; out++) {
			bench_stalls(&b, (enum stall_kind)in, (enum stall_kind)out);
			bench_reset(&b); /* everything under way is gone */
			for (const unsigned long end = b.taken + requests; b.taken < end && b.errors == 0;) {
				bench_cycle(&b, true);
			}
			bench_drain(&b);
			for (unsigned i = 0, n = rng_below(&b.rng, 300); i < n && b.errors == 0; i++) {
				bench_cycle(&b, true);
			}
		}
	}
	printf("warp_collective: %u lanes, %u ports, %lu cycles, %lu requests, %lu answered, %lu errors\n", b.lanes,
	       b.ports, b.cycle, b.taken, b.answered, b.errors);
	return bench_good(b.errors == 0 && collective_met(&b.seen, b.refused));
}

int main(int argc, char **argv)
{
	static const struct bench_form all = {.words = "MODEL.so all [more]", .key = "all", .run = all_cases};
	static const struct bench_form form = {
	        .words = "MODEL.so [SEED [REQUESTS [BUG]]]", .usual = 2000, .run = random_requests, .other = &all};
	return bench_main(argc, argv, &form);
}
