// SPDX-License-Identifier: Apache-2.0
/* Bench of atom_unit: every operation, type and width on lanes that share words, sectors or nothing, with edge
 * operands; random requests under all kinds of back-pressure, latencies, orders of answers and writes of others;
 * faults; resets in the middle of traffic; throughput.
 *
 *   atom_unit_test MODEL.so [SEED [REQUESTS [BUG]]]      REQUESTS 0: the figures alone; from 1000 on the whole matrix.
 *                                                        With BUG, not 0, the bench passes if the bug is found */
#include <stdio.h>

#include "atom_unit_tests.h"

void atom_verdict(struct atom_bench *b, const char *what)
{
	if (!b->quiet)
		printf("%s  %s\n", b->errors ? "FAIL" : "ok  ", what);
	b->good += b->errors == 0;
	b->bad += b->errors != 0;
	b->errors = 0;
}

static void test_counters(struct atom_bench *b)
{
	for (unsigned i = 0; i < ATOM_KINDS; i++)
		if (!b->by_kind[i])
			atom_bench_error(b, "no request of kind %u", i);
	for (unsigned i = 0; i < TYPES; i++)
		if (!b->by_type[i])
			atom_bench_error(b, "no request of type %u", i);
	if (!b->absent_lanes || !b->ended_lanes)
		atom_bench_error(b, "%llu lanes in CTAs that the cluster lacks, %llu in CTAs that have ended",
		                 (unsigned long long)b->absent_lanes, (unsigned long long)b->ended_lanes);
	if (b->ids > 16 && !b->kept)
		atom_bench_error(b, "no id kept its sector for the next request");
	if (b->hw.cluster && !b->others_lanes)
		atom_bench_error(b, "no lane where other CTAs' shared memory alone serves it");
	if (!b->shared_lanes || !b->retries || (!b->lean && !b->reordered) || !b->faults || !b->refusals ||
	    !b->failed_compares || b->most_sectors < b->ids || b->most_requests < (b->lean ? 1 : 2))
		atom_bench_error(b,
		                 "%llu retries, %llu out of order, %llu faults, %llu refusals, %llu failed compares, "
		                 "at most %u sectors and %u "
		                 "requests at a time",
		                 (unsigned long long)b->retries, (unsigned long long)b->reordered,
		                 (unsigned long long)b->faults, (unsigned long long)b->refusals,
		                 (unsigned long long)b->failed_compares, b->most_sectors, b->most_requests);
	atom_verdict(b, "all of it was there");
}

static struct bench_end run_bench(const struct bench_args *a)
{
	static struct atom_bench b;
	atom_bench_open(&b, a);
	b.quiet = a->bug != 0;
	b.latency = 1;
	atom_bench_reset(&b);
	if (!a->count) {
		atom_figures(&b);
		return bench_good(!b.bad);
	}
	atom_test_address_forms(&b);
	if (!b.bad && !b.lean)
		atom_test_cycles(&b);
	if (!b.bad && b.ports <= 2 && !b.lean)
		atom_test_turns(&b);
	if (!b.bad)
		atom_test_ends(&b);
	if (!b.bad)
		atom_test_windows(&b);
	if (!b.bad)
		atom_test_matrix(&b, a->count >= 1000);
	if (!b.bad)
		atom_test_edges(&b);
	if (!b.bad)
		atom_test_stalls(&b, a->count);
	if (!b.bad)
		atom_test_reset(&b);
	if (!b.bad)
		atom_test_deaf_port(&b);
	if (!b.bad && !b.lean)
		atom_test_speed(&b);
	if (!b.bad && !b.lean)
		atom_test_far(&b);
	if (!b.bad && !a->bug)
		test_counters(&b);
	if (a->bug)
		return bench_good(!b.bad);
	printf("%llu requests, %llu sectors, %llu passes, %llu retries, %llu sectors out of order, %llu lanes fault; "
	       "%llu cycles\n",
	       (unsigned long long)b.requests, (unsigned long long)b.sectors, (unsigned long long)b.passes,
	       (unsigned long long)b.retries, (unsigned long long)b.reordered, (unsigned long long)b.faults,
	       (unsigned long long)b.cycle);
	return (struct bench_end){b.good, b.bad};
}

int main(int argc, char **argv)
{
	static const struct bench_form form = {.words = "MODEL.so [SEED [REQUESTS [BUG]]]",
	                                       .usual = 4000,
	                                       .zero = "REQUESTS 0: the figures alone",
	                                       .run = run_bench};
	return bench_main(argc, argv, &form);
}
