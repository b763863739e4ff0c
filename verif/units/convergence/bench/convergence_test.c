// SPDX-License-Identifier: Apache-2.0
/* Bench of convergence against a reference of its own. Warps divide, meet, break, yield and leave on the beat bus. CTAs
 * come and go. The bench crosses four stall patterns on both sides; resets hit requests under way. Checked: every
 * answer, the cycle of each COMMIT, the ready lanes, and whether an EXIT is a warp's last. CTAs have any size, over
 * used warps. Inputs and comparison: converge_bench.c.
 *
 *   convergence_test MODEL.so [--lean] [SEED [REQUESTS [BUG]]]      REQUESTS: for each pair of stall patterns; --lean:
 * MODEL is convergence_lean, with other cycles */
#include <stdio.h>

#include "converge_bench.h"

/* The latency of a lone request, and the throughput. */
static void figures(struct converge_bench *b)
{
	bench_stalls(b, STALL_NEVER, STALL_NEVER);
	bench_reset(b);
	for (unsigned i = 0; i < 300 && b->errors == 0; i++) {
		bench_cycle(b, true);
		while (b->offered && b->errors == 0) {
			bench_cycle(b, false);
		}
		bench_drain(b);
	}
	const unsigned long start = b->cycle, taken = b->taken;
	for (unsigned i = 0; i < 4000 && b->errors == 0; i++) {
		bench_cycle(b, true);
	}
	const double rate = (double)(b->taken - taken) / (double)(b->cycle - start);
	if (b->lean) {
		printf("%u lanes, lean: %.4f requests a cycle\n", b->lanes, rate);
	} else {
		printf("%u lanes, %u ports: %.3f requests a cycle, COMMIT %u cycle after the last beat, answer after "
		       "%u\n",
		       b->lanes, b->ports, rate, TO_COMMIT, TO_ANSWER);
	}
	bench_drain(b);
}

static unsigned how_many(const unsigned long seen[], unsigned from, unsigned to)
{
	unsigned n = 0;
	for (unsigned i = from; i <= to; i++) {
		n += seen[i] != 0;
	}
	return n;
}

/* The launches: slots, first warps, counts, numbers of lanes, and the first request of a used warp. */
static bool met_launches(const struct converge_bench *b)
{
	const struct launched *l = &b->launched;
	unsigned both = 0;
	for (unsigned w = 0; w < b->warps; w++) {
		both += l->asked[w][0] >= 20 && l->asked[w][1] >= 20;
	}
	const struct {
		const char *what;
		unsigned seen, expected;
	} floors[] = {
	        {"slots that a CTA came to", how_many(l->of_slot, 0, SLOTS - 1), SLOTS},
	        {"first warps of CTAs", how_many(l->of_first, 0, b->warps - 1), b->warps * 3 / 4},
	        {"counts of warps", how_many(l->of_count, 1, b->warps), b->warps * 5 / 8},
	        {"numbers of lanes of last warps", how_many(l->of_lanes, 1, REF_LANES), 30},
	        {"kinds of first requests of warps that were used before", how_many(l->anew, 0, REF_KINDS - 1),
	         REF_KINDS},
	        {"warps of which exit_stay_o said both 20 times", both, b->warps},
	};
	bool good = true;
	for (unsigned i = 0; i < sizeof floors / sizeof floors[0]; i++) {
		if (floors[i].seen < floors[i].expected) {
			printf("only %u %s, expected %u\n", floors[i].seen, floors[i].what, floors[i].expected);
			good = false;
		}
	}
	return good;
}

static bool met_everything(struct converge_bench *b)
{
	const struct {
		const char *what;
		unsigned long seen;
	} floors[] = {
	        {"BSSY", b->kinds[REF_BSSY]},
	        {"BSYNC", b->kinds[REF_BSYNC]},
	        {"BREAK", b->kinds[REF_BREAK]},
	        {"BMOV.CLEAR", b->kinds[REF_CLEAR]},
	        {"BMOV to registers", b->kinds[REF_B2R]},
	        {"BMOV from registers", b->kinds[REF_R2B]},
	        {"WARPSYNC", b->kinds[REF_WARPSYNC]},
	        {"WARPSYNC apart", b->apart},
	        {"YIELD", b->kinds[REF_YIELD]},
	        {"EXIT", b->kinds[REF_EXIT]},
	        {"BSYNC or BREAK of no lane", b->nobody},
	        {"WARPSYNCs with a lane that is not in its own mask", b->self},
	        {"WARPSYNCs with lanes that name each other in different masks", b->mismatch},
	        {"of these, with lanes that came before", b->before},
	        {"WARPSYNCs with both faults", b->both},
	        {"WARPSYNCs all of whose lanes fault", b->all_bad},
	        {"WARPSYNCs some of whose lanes fault", b->some_bad},
	        {"lanes that began to wait", b->seen.arrived},
	        {"lanes that went on later", b->seen.left},
	        {"lanes that went on at once", b->seen.at_once},
	        {"lanes that were let go", b->seen.let_go},
	        {"sets that they were taken out of", b->seen.unbound},
	        {"lanes that were let go by a YIELD that named them", b->seen.stood},
	        {"launches", b->launches},
	        {"warps of launches that were used before", b->launched.again},
	        {"warps of which some lanes left right after a launch", b->launched.halves},
	        {"questions about new last warps with fewer lanes", b->launched.tails},
	        {"last warps with fewer lanes before a reset", b->launched.kept_tails},
	        {"EXITs after which lanes stay", b->stays},
	        {"last EXITs", b->goes},
	        {"cycles in which a request had no room", b->refused},
	};
	bool met = met_launches(b);
	if (b->widest_walk < REF_BARS) {
		met = false;
		printf("a YIELD met at most %lu barriers at which lanes wait, expected %d\n", b->widest_walk, REF_BARS);
	}
	for (unsigned i = 0; i < sizeof floors / sizeof floors[0]; i++) {
		if (floors[i].seen < 20) {
			printf("only %lu %s, expected 20\n", floors[i].seen, floors[i].what);
			met = false;
		}
	}
	return met;
}

static struct bench_end run_bench(const struct bench_args *a)
{
	static struct converge_bench bench;
	struct converge_bench *b = &bench;
	const unsigned requests = a->count;
	bench_open(b, a);
	bench_reset(b);
	figures(b);
	lone_waiters(b);
	waiters_everywhere(b);
	walked_barriers(b);
	named_waiters(b);
	foreign_sets(b);
	resets_in_walks(b);
	groups_of_one_yield(b, 20 + requests / 10);
	kept_sets(b, 4 + requests / 50);
	launch_everywhere(b, 100 + requests / 10);
	for (unsigned in = 0; in < STALL_KINDS && b->errors == 0; in++) {
		for (unsigned out = 0; out < STALL_KINDS && b->errors == 0; out++) {
			bench_stalls(b, (enum stall_kind)in, (enum stall_kind)out);
			bench_reset(b); /* everything under way is gone */
			for (const unsigned long end = b->taken + requests; b->taken < end && b->errors == 0;) {
				bench_cycle(b, true);
			}
			bench_drain(b);
			ask_who_stays(b);
			for (unsigned i = 0, n = bench_below(b, 300); i < n && b->errors == 0; i++) {
				bench_cycle(b, true);
			}
		}
	}
	printf("convergence: %u lanes, %u ports, %lu cycles, %lu requests, %lu answered, %lu errors\n", b->lanes,
	       b->ports, b->cycle, b->taken, b->answered, b->errors);
	return bench_good(b->errors == 0 && met_everything(b));
}

int main(int argc, char **argv)
{
	static const struct bench_form form = {
	        .words = "MODEL.so [--lean] [SEED [REQUESTS [BUG]]]", .usual = 2000, .run = run_bench};
	return bench_main(argc, argv, &form);
}
