// SPDX-License-Identifier: Apache-2.0
/* run_sweep.c -- wlcosim --seeds A..B: a kernel or a random stream at every seed of a range, on the same model of the
 * RTL. */
#include <math.h>
#include <stdio.h>

#include "board_memory.h"
#include "options.h"

/* How far the counters of all seeds lie above their floors. */
enum { NEAR = 10 /* standard deviations */ };
static struct spread {
	const char *name;
	double floor, least, sum, squares;
} spread[RANDOM_FLOORS];
static unsigned spreads, streams;

static void add_spread(const struct random_result *r)
{
	struct random_floor floor[RANDOM_FLOORS];
	if (!r->config.mix->floors)
		return;
	spreads = r->config.mix->floors(&r->config, &r->stats, floor);
	for (unsigned i = 0; i < spreads; i++) {
		struct spread *p = &spread[i];
		const double value = (double)floor[i].value;
		p->name = floor[i].name;
		p->floor = floor[i].least * (double)r->stats.retired / 10000;
		p->least = !streams || value < p->least ? value : p->least;
		p->sum += value;
		p->squares += value * value;
	}
	streams++;
}

/* Floors closer than NEAR standard deviations. */
static void print_spread(void)
{
	for (unsigned i = 0; i < spreads && streams > 1; i++) {
		const struct spread *p = &spread[i];
		const double mean = p->sum / streams, variance = p->squares / streams - mean * mean,
		             sd = variance > 0 ? sqrt(variance) : 0;
		if (p->floor > 0 && mean - p->floor < NEAR * sd)
			printf("near its floor of %.0f: %s, least %.0f, mean %.1f, standard deviation %.1f (%.1f of "
			       "them "
			       "away)\n",
			       p->floor, p->name, p->least, mean, sd, (mean - p->floor) / sd);
	}
}

static bool one_stream(struct sweep *s, const struct options *o, const struct model *model)
{
	struct random_result r;
	char below[200] = "";
	if (!random_once(o, model, &r))
		return false;
	add_spread(&r);
	const struct memory_stats *memory = r.has_memory && !o->board_memory ? &r.memory : NULL;
	if (!r.ok)
		sweep_add(s, o->hw.seed, "mismatch", r.complaint.text, false);
	else if (r.stats.deadlock)
		sweep_add(s, o->hw.seed, "deadlock", "every warp waits, and nothing is left that could end it", false);
	else if (o->unchecked)
		sweep_add(s, o->hw.seed, "not checked", "", true);
	else if (!random_floors(&r.config, &r.stats, memory, o->stall, o->inflight, below, sizeof below))
		sweep_add(s, o->hw.seed, "counter below its floor", below, false);
	else
		sweep_add(s, o->hw.seed, "no mismatch", "", true);
	return true;
}

int run_sweep(const struct options *asked)
{
	static struct sweep s;
	char why[JOB_ERROR];
	struct model model;
	struct options o = *asked;
	o.quiet = true;
	if (!o.count && !o.dut && !launch_needs(&o))
		return EXIT_BAD;
	if (!open_dut(&model, &o, &o.hw, o.count ? cosim_mix_units(o.mix) : o.units, why, sizeof why)) {
		fprintf(stderr, "wlcosim: %s\n", why);
		return EXIT_BAD;
	}
	bool ran = true;
	sweep_begin(&s, "wlcosim", o.seeds, asked->quiet);
	for (uint64_t left = o.seeds.last - o.seeds.first + 1; left && ran; left--) {
		o.hw.seed = o.seeds.last - left + 1;
		ran = o.count ? one_stream(&s, &o, &model) : launch_once(&s, &o, &model);
	}
	close_dut(&model, &o);
	print_spread();
	if (!ran)
		sweep_stop(&s);
	return ran ? sweep_end(&s, o.argc, o.argv, o.report) : EXIT_BAD;
}
