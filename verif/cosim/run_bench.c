// SPDX-License-Identifier: Apache-2.0
/* run_bench.c -- wlcosim --bench: figures as JSON, name -> {value, unit, command}. CPU time; best of several runs, and
 * medians of pairs. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../cmodel/tools/unfinished.h"
#include "options.h"

/* Short runs: the best of many runs is an undisturbed run. */
enum { ROUNDS = 40, INSTRUCTIONS = 25000, DEGREE_INSTRUCTIONS = 20000 };

struct bench {
	const struct options *o;
	const struct model *model;
	FILE *out;
	bool first, failed;
};

static void put(struct bench *b, const char *name, double value, const char *unit)
{
	fprintf(b->out, "%s\n \"%s\": {\"value\": %.6g, \"unit\": \"%s\", \"command\": \"%s\"}", b->first ? "{" : ",",
	        name, value, unit, b->o->repeat);
	b->first = false;
}

static struct random_result once(struct bench *b, const char *mix, uint64_t count, unsigned degree, bool unchecked)
{
	struct options o = *b->o;
	struct random_result r;
	o.mix = cosim_mix(mix);
	o.count = count;
	o.degree = degree;
	o.unchecked = unchecked;
	if (!random_once(&o, b->model, &r) || !r.ok) {
		if (r.complaint.any)
			print_mismatch(&r.complaint, &o, NULL);
		b->failed = true;
	}
	return r;
}

/* Cost of checking, in percent of the CPU time of unchecked runs. */
struct cost {
	double least;  /* of the two quickest runs */
	double median; /* of the pairs */
};

static int by_size(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* Checked and unchecked runs of the same stimulus in turn, so a busy machine disturbs both alike. */
static void speed(struct bench *b, const char *mix, const char *prefix, struct cost *cost)
{
	double checked = 1e9, unchecked = 1e9, pair[ROUNDS];
	char name[80];
	struct random_result r;
	for (unsigned i = 0; i < ROUNDS && !b->failed; i++) {
		r = once(b, mix, INSTRUCTIONS, 1, true);
		const double without = r.cpu;
		r = once(b, mix, INSTRUCTIONS, 1, false);
		unchecked = without < unchecked ? without : unchecked;
		checked = r.cpu < checked ? r.cpu : checked;
		pair[i] = 100 * (r.cpu - without) / without;
	}
	if (b->failed)
		return;
	qsort(pair, ROUNDS, sizeof pair[0], by_size);
	*cost = (struct cost){100 * (checked - unchecked) / unchecked, (pair[ROUNDS / 2 - 1] + pair[ROUNDS / 2]) / 2};
	snprintf(name, sizeof name, "%s_checked_per_s", prefix);
	put(b, name, INSTRUCTIONS / checked, "warp instructions / s");
	snprintf(name, sizeof name, "%s_cycles_per_s", prefix);
	put(b, name, (double)lockstep_busy(&r.stats) / checked, "cycles / s");
	snprintf(name, sizeof name, "%s_cycles_per_instruction", prefix);
	put(b, name, (double)lockstep_busy(&r.stats) / INSTRUCTIONS, "cycles");
	snprintf(name, sizeof name, "%s_mean_inflight", prefix);
	put(b, name, lockstep_mean_inflight(&r.stats), "warp instructions");
}

/* A d-way conflict takes d passes: demanded of every instruction, and shown with the cost in cycles. */
static void degrees(struct bench *b)
{
	for (unsigned d = 1; d <= b->o->hw.lanes && !b->failed; d++) {
		char name[40];
		const struct random_result r = once(b, "degree", DEGREE_INSTRUCTIONS, d, false);
		const unsigned beats = 32 / b->o->hw.lanes;
		if (r.stats.passes[beats - 1 + d] != DEGREE_INSTRUCTIONS) {
			fprintf(stderr, "wlcosim: not every instruction with a %u-way conflict took %u passes\n", d,
			        beats - 1 + d);
			b->failed = true;
		}
		snprintf(name, sizeof name, "lockstep_cycles_conflict_%u", d);
		put(b, name, (double)lockstep_busy(&r.stats) / DEGREE_INSTRUCTIONS, "cycles / warp instruction");
	}
}

/* All lanes on the same word, with combining atomics: a pass for each lane without COMBINE, a pass a beat with
 * COMBINE. */
static void one_word(struct bench *b, unsigned combine)
{
	char name[40], why[600];
	struct model m;
	struct options o = *b->o;
	const unsigned passes = combine ? 32 / o.hw.lanes : 32;
	o.hw.combine = combine;
	if (b->failed)
		return;
	if (!model_load(&m, &o.hw, 1, 0, why, sizeof why)) {
		fprintf(stderr, "wlcosim: %s\n", why);
		b->failed = true;
		return;
	}
	struct bench with = *b;
	with.o = &o;
	with.model = &m;
	const struct random_result r = once(&with, "one_word", DEGREE_INSTRUCTIONS, 1, false);
	if (r.stats.passes[passes] != DEGREE_INSTRUCTIONS) {
		fprintf(stderr, "wlcosim: not every instruction on one word took %u passes\n", passes);
		with.failed = true;
	}
	b->failed = with.failed;
	snprintf(name, sizeof name, "lockstep_passes_one_word_combine_%u", combine);
	put(b, name, passes, "passes / warp instruction");
	snprintf(name, sizeof name, "lockstep_cycles_one_word_combine_%u", combine);
	put(b, name, (double)lockstep_busy(&r.stats) / DEGREE_INSTRUCTIONS, "cycles / warp instruction");
	model_unload(&m);
}

int run_bench(const struct options *o)
{
	char why[600];
	struct model m;
	struct cost free_cost = {0, 0}, mix_cost = {0, 0};
	if (!model_load(&m, &o->hw, 1, 0, why, sizeof why)) {
		fprintf(stderr, "wlcosim: %s\n", why);
		return EXIT_BAD;
	}
	struct runs runs = {.total = 4 * ROUNDS + o->hw.lanes + 2};
	struct options with = *o;
	with.runs = &runs;
	struct bench b = {.o = &with, .model = &m, .out = stdout, .first = true};
	const char *temp = o->report ? unfinished_begin(o->report) : NULL;
	if (o->report && !(temp && (b.out = fopen(temp, "w")))) {
		fprintf(stderr, "wlcosim: cannot write %s: %s\n", o->report, strerror(errno));
		model_unload(&m);
		return EXIT_BAD;
	}
	progress_start(&runs.line, "bench", "runs", o->quiet);
	speed(&b, "conflict_free", "lockstep", &free_cost);
	speed(&b, "mixed", "lockstep_mix", &mix_cost);
	put(&b, "lockstep_cost_percent", mix_cost.least, "percent of CPU time, mixed, least of both");
	put(&b, "lockstep_cost_median_percent", mix_cost.median, "percent of CPU time, mixed, median of pairs");
	put(&b, "lockstep_cost_conflict_free_percent", free_cost.least,
	    "percent of CPU time, conflict_free, least of both");
	put(&b, "lockstep_cost_conflict_free_median_percent", free_cost.median,
	    "percent of CPU time, conflict_free, median of pairs");
	degrees(&b);
	one_word(&b, 0);
	one_word(&b, 1);
	progress_end(&runs.line);
	fprintf(b.out, "\n}\n");
	model_unload(&m);
	bool written = b.out == stdout || fclose(b.out) == 0;
	written = (!o->report || unfinished_end(o->report, !b.failed && written)) && written;
	if (!written)
		fprintf(stderr, "wlcosim: cannot write %s: %s\n", o->report, strerror(errno));
	b.failed |= !written;
	return b.failed ? EXIT_BAD : EXIT_GOOD;
}
