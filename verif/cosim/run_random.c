// SPDX-License-Identifier: Apache-2.0
/* run_random.c -- wlcosim --random: a stream, the stream's counters, and after a mismatch the wave around the
 * mismatch. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "board_memory.h"
#include "link/stimulus_run.h"
#include "options.h"

enum {
	WAVE_BEFORE = 200,
	WAVE_AFTER = 50,
	INTRUDE = 40, /* cycles between two writes of somebody else */
	LATE = 32     /* cycles of checks behind the DUT, at most, in streams without use of values */
};

static double cpu_seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Buffers of a random run: a small buffer for compares to meet, a buffer with an end in the middle of a sector, larger
 * buffers. */
static bool buffers_new(struct wl_gmem *g, struct rng rng)
{
	static const uint32_t sizes[] = {64, 208, 1024, 4096};
	memset(g, 0, sizeof *g);
	g->bytes = 8192;
	g->mem = aligned_alloc(64, g->bytes);
	if (!g->mem)
		return false;
	for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
		wl_gmem_add(g, sizes[i]);
	for (uint64_t i = 0; i < g->bytes; i++)
		g->mem[i] = i < sizes[0] ? (i % 4 ? 0 : rng_u32(&rng) & 3) : (uint8_t)rng_u32(&rng);
	return true;
}

struct watched {
	struct progress line;
	struct runs *runs; /* only the common line is shown; NULL: the line of this run */
	uint64_t count;
};

static void show_progress(void *self, const struct lockstep_stats *s)
{
	struct watched *w = self;
	if (w->runs)
		progress_at(&w->runs->line, w->runs->done, w->runs->total, 0);
	else
		progress_at(&w->line, s->retired, w->count, s->cycles);
}

bool random_once(const struct options *o, const struct model *model, struct random_result *result)
{
	char why[400] = "out of memory";
	bool ran = false;
	struct watched watched = {.runs = o->runs, .count = o->count};
	struct wl_units units;
	struct random_source *source = NULL;
	struct lockstep *ls = NULL;
	struct rtl_insight insight = {.o = NULL};
	struct wl_gmem gmem = {.mem = NULL};
	memset(result, 0, sizeof *result);
	result->config = (struct random_config){.seed = o->hw.seed,
	                                        .count = o->count,
	                                        .mix = o->mix,
	                                        .degree = o->degree,
	                                        .lanes = o->hw.lanes,
	                                        .banks = o->hw.banks,
	                                        .ports = o->hw.ports,
	                                        .arch = o->hw.arch,
	                                        .timing = o->timing,
	                                        .lean = model->api->lean != 0};
	uint8_t *mem = aligned_alloc(64, o->hw.shared_bytes);
	if (!mem || !buffers_new(&gmem, rng_seed(o->hw.seed, 2)))
		goto done;
	memset(mem, 0, o->hw.shared_bytes);
	wl_units_init(&units, &o->hw, mem);
	units.gmem = &gmem;
	source = random_new(&result->config, &units, why, sizeof why);
	if (!source)
		goto done;
	const struct lockstep_config lc = {.model = model->api,
	                                   .arch = o->hw.arch,
	                                   .inflight = o->inflight,
	                                   .checks = o->unchecked ? 0 : o->checks,
	                                   .mon_rules = o->mon_rules,
	                                   .bug = o->bug,
	                                   .corrupt = o->corrupt,
	                                   .timing = o->timing,
	                                   .late = o->mix->retired || o->mix->turn ? 0 : LATE,
	                                   .stop = o->stop,
	                                   .host = o->host,
	                                   .stall = o->stall,
	                                   .latency = o->latency_given ? o->latency : MEMORY_LATENCY,
	                                   .intrude = o->timing ? 0 : INTRUDE, /* failing writes are not modelled */
	                                   .seed = o->hw.seed,
	                                   .wave = o->wave,
	                                   .wave_from = o->wave_from,
	                                   .wave_to = o->wave_to,
	                                   .progress = show_progress,
	                                   .progress_self = &watched,
	                                   .tap = insight_wanted(&o->insight) ? &insight.tap : NULL,
	                                   .interrupted = &rtl_insight_interrupted,
	                                   .board_memory = model->memory};
	if (lc.tap && !rtl_insight_start(&insight, &o->insight, NULL, o->hw.arch, 1, NULL, why, sizeof why))
		goto done;
	progress_start(&watched.line, o->mix->name, "instructions", o->quiet || o->runs);
	ls = lockstep_new(&lc, &units);
	if (!ls)
		goto done;
	random_launch(source, ls);
	struct wl_source s = random_as_source(source);
	lockstep_prepare(ls);
	const double start = cpu_seconds();
	result->ok = lockstep_run(ls, &s);
	progress_end(&watched.line);
	if (o->runs) {
		o->runs->done++;
		progress_hide(&o->runs->line);
	}
	if (lc.tap && !rtl_insight_end(&insight, lockstep_stats(ls)->cycles, why, sizeof why))
		goto done;
	result->served = model->memory ? model->memory->served(model->memory->self) : 0;
	result->cpu = cpu_seconds() - start;
	result->complaint = *lockstep_complaint(ls);
	if (result->ok && *random_wrong(source)) {
		result->ok = false;
		result->complaint.any = true;
		result->complaint.kind = CHECK_FAULTS;
		snprintf(result->complaint.text, sizeof result->complaint.text, "%s", random_wrong(source));
	}
	result->stats = *lockstep_stats(ls);
	result->has_memory = lockstep_memory(ls) != NULL;
	if (result->has_memory)
		result->memory = *lockstep_memory(ls);
	ran = true;
done:
	if (!ran)
		fprintf(stderr, "wlcosim: %s\n", why);
	lockstep_free(ls);
	random_free(source);
	free(mem);
	free(gmem.mem);
	return ran;
}

static void print_faults(const struct lockstep_stats *s)
{
	bool any = false;
	printf("\nfaults     ");
	for (unsigned c = 1; c < WL_FAULT_COUNT; c++)
		if (s->faults[c]) {
			printf(" %s:%llu", wl_fault_name((enum wl_fault)c), (unsigned long long)s->faults[c]);
			any = true;
		}
	puts(any ? " lanes" : " none");
}

void print_memory(const struct memory_stats *m)
{
	printf("memory      %llu reads, %llu stores, %llu conditional writes of which %llu were tried again, %llu "
	       "times "
	       "asked; %llu answers out of order, %llu about halves that are not there\n",
	       (unsigned long long)m->reads, (unsigned long long)m->stores, (unsigned long long)m->conditional,
	       (unsigned long long)m->retries, (unsigned long long)m->asked, (unsigned long long)m->overtaken,
	       (unsigned long long)m->absent);
	printf("            at most %u under way, held back for %llu cycles, %llu writes of others\n", m->most,
	       (unsigned long long)m->held, (unsigned long long)m->foreign);
}

static void print_counters(const struct random_result *r, const struct options *o)
{
	const struct lockstep_stats *s = &r->stats;
	uint64_t checked = 0;
	for (unsigned u = 0; u < WL_UNIT_COUNT; u++)
		checked += s->checked[u];
	printf("random      %s, sm_%d, seed %llu, %u lanes, %u banks, %u port%s%s\n", o->mix->name, (int)o->hw.arch,
	       (unsigned long long)o->hw.seed, o->hw.lanes, o->hw.banks, o->hw.ports, o->hw.ports > 1 ? "s" : "",
	       o->stall ? ", with back-pressure" : "");
	printf("retired     %llu instructions, %llu %s, in %llu cycles (%.2f a cycle) from cycle %llu on\n",
	       (unsigned long long)s->retired, (unsigned long long)checked,
	       o->unchecked ? "checked: THIS RUN CHECKS NOTHING" : "checked", (unsigned long long)lockstep_busy(s),
	       lockstep_busy(s) ? (double)s->retired / (double)lockstep_busy(s) : 0, (unsigned long long)s->started);
	printf("in flight   at most %u, %.2f on average\n", s->max_inflight, lockstep_mean_inflight(s));
	printf("events      %llu, memory compared %llu times\n", (unsigned long long)s->events,
	       (unsigned long long)s->memory_compares);
	if (s->waits)
		printf("waits       %llu begun, %llu ended by %llu releases, %llu gave up, at most %u at a time\n",
		       (unsigned long long)s->waits, (unsigned long long)s->released, (unsigned long long)s->releases,
		       (unsigned long long)s->choices, s->max_waiting);
	if (o->stop)
		printf("stops       %llu sources stopped in the middle of a request\n", (unsigned long long)s->stops);
	if (o->host)
		printf("host        %llu reads, %llu writes beside the traffic, one waited %llu cycles\n",
		       (unsigned long long)s->host_reads, (unsigned long long)s->host_writes,
		       (unsigned long long)s->host_longest);
	printf("passes     ");
	for (unsigned d = 0; d <= 32; d++)
		if (s->passes[d])
			printf(" %u:%llu", d, (unsigned long long)s->passes[d]);
	print_faults(s);
	for (const struct cosim_unit *const *u = cosim_units; *u; u++)
		if ((*u)->print_random && s->checked[(*u)->unit])
			(*u)->print_random(s);
	if (r->has_memory)
		print_memory(&r->memory);
	if (o->board_memory)
		printf("            %llu requests were answered on the board\n", (unsigned long long)r->served);
	printf("speed       %.0f instructions/s, %.0f cycles/s of CPU time\n",
	       r->cpu > 0 ? (double)s->retired / r->cpu : 0, r->cpu > 0 ? (double)lockstep_busy(s) / r->cpu : 0);
}

/* The same seed again on a traced model, for the cycles around the mismatch. */
static void keep_wave(const struct options *o, uint64_t cycle)
{
	char why[600], path[5000], root[4096];
	struct model model;
	struct options again = *o;
	struct random_result r;
	if (!model_load(&model, &o->hw, cosim_mix_units(o->mix), model_flags(o) | MODEL_WAVE, why, sizeof why)) {
		fprintf(stderr, "wlcosim: no wave: %s\n", why);
		return;
	}
	if (!model_root(root, sizeof root))
		snprintf(root, sizeof root, ".");
	snprintf(path, sizeof path, "%s/build/mismatch-%s-%llu.fst", root, o->mix->name,
	         (unsigned long long)o->hw.seed);
	again.wave = path;
	again.insight = (struct insight_options){0};
	again.wave_from = cycle > WAVE_BEFORE ? cycle - WAVE_BEFORE : 0;
	again.wave_to = cycle + WAVE_AFTER;
	if (random_once(&again, &model, &r) && write_gtkw(path, model.api, o->hw.arch, cycle))
		printf("wave        %s (cycles %llu to %llu)\n", path, (unsigned long long)again.wave_from,
		       (unsigned long long)again.wave_to);
	model_unload(&model);
}

int run_random(const struct options *asked)
{
	char why[600];
	struct model model;
	struct random_result r;
	struct options with = *asked;
	const struct options *o = &with;
	if (o->dut && o->mix == &stimulus_mix)
		return run_stimulus(o);
	if (!open_dut(&model, o, &with.hw, cosim_mix_units(o->mix), why, sizeof why)) {
		fprintf(stderr, "wlcosim: %s\n", why);
		return EXIT_BAD;
	}
	const bool ran = random_once(o, &model, &r);
	const bool shown = ran && o->wave && write_gtkw(o->wave, model.api, o->hw.arch, r.stats.started);
	close_dut(&model, o);
	if (!ran)
		return EXIT_BAD;
	print_counters(&r, o);
	if (shown)
		printf("wave        %s\n", o->wave);
	if (o->insight.konata)
		printf("konata      %s\n", o->insight.konata);
	if (rtl_insight_interrupted) {
		printf("interrupted: ended by SIGINT in cycle %llu; files hold the run so far\n",
		       (unsigned long long)r.stats.cycles);
		return EXIT_BAD;
	}
	if (r.ok && r.stats.deadlock) {
		printf("deadlock    every warp waits, and nothing is left that could end it\n");
		return EXIT_BAD;
	}
	if (r.ok) {
		if (o->board_memory && !r.served) {
			fprintf(stderr, "wlcosim: the memory on the board has answered nothing\n");
			return EXIT_BAD;
		}
		if (!o->unchecked &&
		    !random_floors(&r.config, &r.stats, r.has_memory && !o->board_memory ? &r.memory : NULL, o->stall,
		                   o->inflight, NULL, 0))
			return EXIT_BAD;
		printf("%s\n", o->unchecked ? "not checked" : "no mismatch");
		return o->wave && !shown ? EXIT_BAD : EXIT_GOOD;
	}
	print_mismatch(&r.complaint, o, NULL);
	if (!o->no_rerun && !o->wave && !o->dut)
		keep_wave(o, r.complaint.cycle);
	return EXIT_BAD;
}
