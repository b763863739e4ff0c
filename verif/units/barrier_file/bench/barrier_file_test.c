// SPDX-License-Identifier: Apache-2.0
/* Bench of barrier_file, or barrier_file_lean (the path of the model decides), against a reference of its own. Random
 * programs can always finish. The bench crosses four stall patterns on both sides, CTAs come and go, and resets hit
 * requests under way. The bench also prints the figures of docs/units/barrier_file.md.
 *
 *   barrier_file_test MODEL.so [SEED [CYCLES [BUG]]]      CYCLES 0: the figures alone */
#include <stdio.h>

#include "barrier_bench.h"

static void start_cta(struct barrier_bench *b, unsigned slot, unsigned warps, unsigned syncs)
{
	bench_launch(b, slot, warps, 0);
	for (unsigned i = 0; i < syncs; i++) {
		script_same(&b->cta[slot], b->script, BAR_SYNC, i % b->barriers, 0);
	}
	b->cta[slot].ended = true;
	bench_cycle(b);
	*b->cta_valid_i = 0;
}

/* Cycles from the take of the last arrival to the RELEASE of n warps, and from the first arrival. */
static void print_latency(struct barrier_bench *b)
{
	printf("warps  first arrival to release  last arrival to release\n");
	for (unsigned n = 1; n <= b->warps; n += n < 4 ? 1 : 4) {
		unsigned long releases = b->seen.releases, first;
		bench_reset(b);
		start_cta(b, 0, n, 1);
		for (first = b->last_taken; b->seen.releases == releases && b->errors == 0;) {
			bench_cycle(b);
		}
		printf("%5u  %24lu  %23lu\n", n, b->last_release - first, b->last_release - b->last_taken);
		bench_expect(b, "cycles from the last arrival to the RELEASE", 0, b->last_release - b->last_taken,
		             b->lean ? LEAN_CYCLES : 1);
	}
}

/* Cycles from one request taken by a port to the next. */
static unsigned period(const struct barrier_bench *b)
{
	return b->lean ? LEAN_CYCLES + 1 : 1;
}

/* CTAs meet again and again: arrivals a cycle. With few large CTAs all may have released at once, and a port is
 * idle. */
static void print_rate(struct barrier_bench *b, unsigned ctas, unsigned warps)
{
	bench_reset(b);
	for (unsigned slot = 0; slot < ctas; slot++) {
		start_cta(b, slot, warps, 200);
	}
	unsigned long arrivals = b->seen.arrivals, start = b->cycle;
	while (b->cycle < start + 500) {
		bench_cycle(b);
	}
	double rate = (double)(b->seen.arrivals - arrivals) / 500;
	printf("%u CTAs of %u warps: %.2f arrivals a cycle on %u ports\n", ctas, warps, rate, b->ports);
	bench_expect(b, "arrivals a cycle, in hundredths, below those of all ports", 0,
	             rate < (warps > 4 ? 0.98 : 0.99) * b->ports / period(b), 0);
}

static void figures(struct barrier_bench *b)
{
	bench_stalls(b, STALL_NEVER, STALL_NEVER);
	print_latency(b);
	if (b->warps >= 16 && b->slots >= 4) {
		print_rate(b, 4, b->warps / 4);
	}
	if (b->warps >= 48 && b->slots >= 12) {
		print_rate(b, 12, 4);
	}
}

/* The greatest possible results: all warps of a CTA vote with all lanes, in any order, and read the result. In half of
 * the rounds the arrivals give the number of warps, the greatest legal count. */
static void vote_wholly(struct barrier_bench *b)
{
	b->wholly = true;
	for (unsigned round = 0; round < 24 && b->errors == 0; round++) {
		bench_stalls(b, round & 1 ? STALL_RANDOM : STALL_NEVER, STALL_NEVER);
		bench_reset(b);
		start_cta(b, round % b->slots, b->warps, 0);
		for (unsigned i = 0; i < 12; i++) {
			script_same(&b->cta[round % b->slots], b->script, i % 4 == 3 ? BAR_AND : BAR_POPC,
			            i % b->barriers, round & 2 ? b->warps * 32 : 0);
			script_same(&b->cta[round % b->slots], b->script, BAR_RESULT, 0, 0);
		}
		for (unsigned i = 0; i < 60 * period(b) * b->warps / b->ports && b->errors == 0; i++) {
			bench_cycle(b);
		}
	}
	b->wholly = false;
}

/* All warps of a CTA meet except one warp. The odd warp exits sooner or later, also in the very cycle of the last
 * arrival. */
static void leave_first(struct barrier_bench *b)
{
	for (unsigned round = 0; round < 32 * b->warps && b->errors == 0; round++) {
		struct script_cta *c = &b->cta[round % b->slots];
		const uint64_t one = UINT64_C(1) << round % b->warps;
		bench_stalls(b, round & 1 ? STALL_RANDOM : STALL_NEVER, STALL_NEVER);
		bench_reset(b);
		bench_launch(b, round % b->slots, b->warps, 0);
		const uint64_t others = c->live & ~one;
		c->live = one;
		for (unsigned i = 0; i < round / b->warps % 8; i++) {
			script_same(c, b->script, BAR_RESULT, 0, 0);
		}
		script_same(c, b->script, BAR_EXIT, 0, 0);
		c->live = others;
		script_same(c, b->script, BAR_SYNC, round % b->barriers, 0);
		script_same(c, b->script, BAR_SYNC, round % b->barriers, 0);
		c->ended = true;
		bench_cycle(b);
		*b->cta_valid_i = 0;
		for (unsigned i = 0; i < 12 * period(b) * b->warps / b->ports && b->errors == 0; i++) {
			bench_cycle(b);
		}
	}
}

/* Random programs for a while, then until all CTAs have ended. An end of all CTAs shows: no warp was forgotten. */
static void run_random(struct barrier_bench *b, unsigned long cycles)
{
	unsigned long end = b->cycle + cycles, patience = end + 20000UL * period(b);
	while ((b->cycle < end || bench_busy(b)) && b->errors < 10) {
		bench_random_cycle(b, b->cycle < end);
		if (b->cycle > patience) {
			bench_expect(b, "CTAs that have not ended", 0, 1, 0);
			return;
		}
	}
	for (unsigned i = 0; i < 200; i++) {
		bench_cycle(b);
	}
	bench_expect(b, "idle_o", 0, *b->idle_o, !b->status_asked && !b->walk.busy);
}

/* Coverage thresholds of a run. */
static bool met_everything(const struct barrier_bench *b)
{
	bool met = true;
	const struct {
		const char *what;
		unsigned long seen, least;
	} floors[] = {
	        {"cycles with several arrivals", b->seen.together, b->ports > 1 ? 100 : 0},
	        {"arrivals in the cycle after their barrier's last phase", b->seen.reuse, b->lean ? 0 : 50},
	        {"requests that a CTA lets begin anew", b->seen.anew, b->lean ? 50 : 0},
	        {"judgements that wait for an answer's place", b->seen.held, b->lean ? 50 : 0},
	        {"requests behind the end of a phase", b->seen.late, b->ports > 1 ? 20 : 0},
	        /* the script (misuse_beside) needs three barriers for such a misuse */
	        {"misuses beside an arrival that counts", b->seen.late_faults, b->ports > 1 && b->barriers > 2 ? 2 : 0},
	        {"cycles with four CTAs waiting", b->seen.many_ctas, b->slots > 4 ? 100 : 0},
	        {"RELEASEs by EXIT", b->seen.exit_releases, 20},
	        {"status reads of open phases", b->seen.statuses, 100},
	        {"results read", b->seen.results, 100},
	        {"SYNC and ARV", b->seen.mode[0], 100},
	        {"RED.POPC", b->seen.mode[1], 100},
	        {"RED.AND", b->seen.mode[2], 100},
	        {"RED.OR", b->seen.mode[3], 100},
	        {"SLOT_CLOSED", b->seen.fault[0], 20},
	        {"BAR_BAD_ID", b->seen.fault[1], 20},
	        {"BAR_BAD_COUNT", b->seen.fault[2], 20},
	        {"BAR_COUNT_MISMATCH", b->seen.fault[3], 20},
	        {"BAR_MODE_MISMATCH", b->seen.fault[4], 20},
	        {"BAR_DOUBLE_ARRIVE", b->seen.fault[5], 20},
	};
	for (unsigned i = 0; i < sizeof floors / sizeof floors[0]; i++) {
		if (floors[i].seen < floors[i].least) {
			printf("only %lu %s, expected %lu\n", floors[i].seen, floors[i].what, floors[i].least);
			met = false;
		}
	}
	return met;
}

static struct bench_end run_bench(const struct bench_args *a)
{
	static struct barrier_bench b;
	bench_open(&b, a);
	bench_reset(&b);
	figures(&b);
	if (a->count == 0) {
		return bench_good(b.errors == 0);
	}
	vote_wholly(&b);
	leave_first(&b);
	for (unsigned head = 0; head < STALL_KINDS && b.errors == 0; head++) {
		for (unsigned rsp = 0; rsp < STALL_KINDS && b.errors == 0; rsp++) {
			bench_stalls(&b, (enum stall_kind)head, (enum stall_kind)rsp);
			bench_reset(&b); /* everything under way is gone */
			run_random(&b, a->count);
			for (unsigned i = 0; i < 300 && b.errors == 0; i++) {
				bench_random_cycle(&b, true);
			}
		}
	}
	printf("barrier_file: %u ports, %u warps, %lu cycles, %lu launches, %lu arrivals, %lu releases, %lu exits (%lu "
	       "with a "
	       "release), %lu answers, %lu errors\n",
	       b.ports, b.warps, b.cycle, b.seen.launches, b.seen.arrivals, b.seen.releases, b.seen.exits,
	       b.seen.exit_releases, b.seen.answers, b.errors);
	return bench_good(b.errors == 0 && met_everything(&b));
}

int main(int argc, char **argv)
{
	static const struct bench_form form = {.words = "MODEL.so [SEED [CYCLES [BUG]]]",
	                                       .usual = 4000,
	                                       .zero = "CYCLES 0: the figures alone",
	                                       .run = run_bench};
	return bench_main(argc, argv, &form);
}
