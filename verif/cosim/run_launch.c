// SPDX-License-Identifier: Apache-2.0
/* run_launch.c -- wlcosim --launch: a kernel with FRONT as SOURCE, and the kernel's instructions for units in lockstep.
 * Each of the first `--rtl-sms` SMs has a DUT, a REF, a monitor and a comparator. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../cmodel/tools/checks.h"
#include "../../cmodel/tools/job.h"
#include "../../cmodel/tools/report.h"
#include "options.h"
#include "order.h"

enum { WAVE_BEFORE = 200, WAVE_AFTER = 50, BAR = 40, LATENCY = 40, REWRITE = 16 /* cycles */ };

/* A kernel at work. */
struct run {
	const struct options *o;
	const struct model *model;
	struct job *job;
	struct lockstep *ls[MOST_RTL_SMS]; /* of each SM in the RTL */
	struct order_log order;
	struct lockstep_tap order_tap;
	struct rtl_insight insight;
	struct progress line;
	double seconds, cpu; /* wall, and of CPU time */
};

static double seconds_of(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Of an SM; NULL: an SM in C. */
static struct lockstep *lockstep_of(const struct run *r, unsigned sm)
{
	return sm < r->o->rtl_sms ? r->ls[sm] : NULL;
}

/* The first SM in the RTL with a complaint; NULL: none. */
static struct lockstep *complaining(const struct run *r)
{
	for (unsigned sm = 0; sm < r->o->rtl_sms; sm++)
		if (lockstep_complaint(r->ls[sm])->any)
			return r->ls[sm];
	return NULL;
}

/* ---- FRONT's calls to the host ---- */

static void cta_launch(void *self, unsigned sm, unsigned slot, uint32_t cta, uint32_t base, uint32_t size)
{
	struct run *r = self;
	(void)base, (void)size; /* FRONT has opened REF's window already */
	order_cta(&r->order, true, sm, slot, cta);
	if (!lockstep_of(r, sm))
		return;
	rtl_insight_cta(&r->insight, true, sm, slot, cta, lockstep_stats(lockstep_of(r, sm))->cycles);
	lockstep_open(lockstep_of(r, sm), slot);
}

static void cta_exit(void *self, unsigned sm, unsigned slot, uint32_t cta)
{
	struct run *r = self;
	order_cta(&r->order, false, sm, slot, cta);
	if (!lockstep_of(r, sm))
		return;
	rtl_insight_cta(&r->insight, false, sm, slot, cta, lockstep_stats(lockstep_of(r, sm))->cycles);
	lockstep_close(lockstep_of(r, sm), slot);
}

static void step(void *self, unsigned sm, unsigned warp, unsigned lane, unsigned count)
{
	struct run *r = self;
	order_step(&r->order, sm, warp, lane, count);
}

static void store(void *self, uint64_t at, unsigned size)
{
	struct run *r = self;
	lockstep_store(r->ls[0], at, size); /* one image for all SMs */
}

/* ---- one run ---- */

static void run_close(struct run *r)
{
	for (unsigned sm = 0; sm < MOST_RTL_SMS; sm++) {
		lockstep_free(r->ls[sm]);
		r->ls[sm] = NULL;
	}
	if (r->job)
		job_free(r->job);
	free(r->job);
	r->job = NULL;
}

/* Most cycles of an access to global memory. Policies with a random order draw the latency, too. */
static unsigned latency_of(const struct options *o)
{
	static const unsigned drawn[] = {2, 10, LATENCY, LATENCY, 150, 600};
	struct rng rng = rng_seed(o->hw.seed, 400);
	if (o->latency_given)
		return o->latency;
	return o->hw.schedule < WL_SCHEDULE_RANDOM ? LATENCY : drawn[rng_below(&rng, sizeof drawn / sizeof *drawn)];
}

static void show_progress(void *self, const struct lockstep_stats *s)
{
	struct run *r = self;
	uint64_t ctas;
	const uint64_t done = wl_gpu_ctas_done(r->job->gpu, &ctas);
	progress_at(&r->line, done, ctas, s->cycles);
}

static struct lockstep *new_lockstep(struct run *r, unsigned sm)
{
	const struct options *o = r->o;
	const struct lockstep_config lc = {.model = r->model->api,
	                                   .arch = o->hw.arch,
	                                   .inflight = o->inflight,
	                                   .checks = CHECK_ALL,
	                                   .bug = sm == o->rtl_sms - 1 ? o->bug : 0,
	                                   .stall = o->stall,
	                                   .poke = !o->stall,
	                                   .latency = latency_of(o),
	                                   .rewrite = o->stall ? REWRITE : 0,
	                                   .seed = o->hw.seed + ((uint64_t)sm << 32),
	                                   .wave = sm == o->wave_sm ? o->wave : NULL,
	                                   .wave_from = o->wave_from,
	                                   .wave_to = o->wave_to,
	                                   .beside = sm ? r->ls[0] : NULL,
	                                   .tap = insight_wanted(&o->insight) ? &r->insight.tap
	                                          : o->order                  ? &r->order_tap
	                                                                      : NULL,
	                                   .interrupted = &rtl_insight_interrupted,
	                                   .progress = show_progress,
	                                   .progress_self = r,
	                                   .board_memory = r->model->memory};
	return lockstep_new(&lc, wl_gpu_units(r->job->gpu, sm));
}

/* Outcomes of checks are wlrun's alone. */
static bool needs_check(const struct job *job, char *why, size_t whyn)
{
	if (!checks_is_name(job->launch.expect))
		return false;
	snprintf(why, whyn, "field 'expect' is \"%s\": wlcosim runs no checks; wlrun --check=%s does",
	         job->launch.expect, job->launch.expect);
	return true;
}

/* Loads the kernel. False, with the reason in `why`, on failure. */
static bool run_load(struct run *r, const struct options *o, bool quiet, char *why, size_t whyn)
{
	*r = (struct run){.o = o, .job = calloc(1, sizeof *r->job)};
	if (!r->job) {
		snprintf(why, whyn, "out of memory");
		return false;
	}
	r->job->quiet = quiet;
	if (!job_load(r->job, &o->hw, o->launch, o->program, o->entry, o->limit)) {
		snprintf(why, whyn, "%s", r->job->error);
		return false;
	}
	wl_gpu_set_misuse(r->job->gpu, o->misuse);
	return !needs_check(r->job, why, whyn);
}

/* Units of the DUT without --units: all units the kernel can need. Every EXIT asks convergence, if in the model. So
 * beside other units convergence is always in the model: one model serves all kernels. */
static uint32_t units_for(const struct run *r)
{
	const uint32_t pipe = 1u << WL_UNIT_atoms_pipe;
	const uint32_t needs = r->o->units | (wl_gpu_needs(r->job->gpu) & model_every_unit());
	return r->o->units_given ? r->o->units : needs == pipe ? pipe : needs | 1u << WL_UNIT_convergence;
}

/* Runs the loaded kernel. False, with the reason in `why`, when no run was possible; the caller asks about a
 * mismatch. */
static bool run_open(struct run *r, const struct model *model, char *why, size_t whyn)
{
	const struct options *o = r->o;
	r->model = model;
	struct origin origin;
	if (o->order)
		origin_take(&origin, r->job, &o->hw);
	if (!order_open(&r->order, o->order, &origin)) {
		snprintf(why, whyn, "cannot write %s: %s", o->order, strerror(errno));
		return false;
	}
	if (model->api->units != 1u << WL_UNIT_atoms_pipe)
		order_units(&r->order, model->api->units);
	r->order_tap = order_tap(&r->order);
	if (insight_wanted(&o->insight) && !rtl_insight_start(&r->insight, &o->insight, r->job, o->hw.arch, o->rtl_sms,
	                                                      o->order ? &r->order_tap : NULL, why, whyn))
		return false;
	for (unsigned sm = 0; sm < o->rtl_sms; sm++)
		if (!(r->ls[sm] = new_lockstep(r, sm))) {
			snprintf(why, whyn, "out of memory");
			return false;
		}
	const struct wl_host host = {
	        .self = r, .cta_launch = cta_launch, .cta_exit = cta_exit, .step = step, .store = store};
	struct wl_source source[MOST_RTL_SMS];
	wl_gpu_sources(r->job->gpu, model->api->units, &host, o->rtl_sms, source);
	const double start = seconds_of(CLOCK_MONOTONIC), cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
	progress_start(&r->line, r->job->program.name, "CTAs", o->quiet);
	lockstep_run_all(r->ls, source, o->rtl_sms);
	progress_end(&r->line);
	r->seconds = seconds_of(CLOCK_MONOTONIC) - start;
	r->cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	if (insight_wanted(&o->insight) && !rtl_insight_end(&r->insight, lockstep_stats(r->ls[0])->cycles, why, whyn))
		return false;
	if (rtl_insight_interrupted)
		order_drop(&r->order);
	if (!order_close(&r->order)) {
		snprintf(why, whyn, "cannot write %s: %s", o->order, strerror(errno));
		return false;
	}
	return true;
}

/* ---- output ---- */

static void print_line(void *self, const char *text)
{
	(void)self;
	printf("  %s\n", text);
}

static void print_histogram(const struct lockstep_stats *s)
{
	uint64_t most = 1;
	for (unsigned d = 0; d <= 32; d++)
		most = s->passes[d] > most ? s->passes[d] : most;
	printf("passes      instructions\n");
	for (unsigned d = 0; d <= 32; d++) {
		if (!s->passes[d])
			continue;
		printf("  %2u %10llu  ", d, (unsigned long long)s->passes[d]);
		for (uint64_t i = 0; i < (s->passes[d] * BAR + most - 1) / most; i++)
			putchar('#');
		putchar('\n');
	}
}

static void print_units(const char *label, const uint64_t count[WL_UNIT_COUNT])
{
	printf("%-12s", label);
	for (unsigned u = 0; u < WL_UNIT_COUNT; u++)
		if (count[u])
			printf("%s %llu  ", wl_unit_name((enum wl_unit)u), (unsigned long long)count[u]);
	putchar('\n');
}

/* Why instructions of a unit ran in C only. */
static const char *reason(const struct run *r, enum wl_unit unit)
{
	if (unit == WL_UNIT_FRONT)
		return "registers, branches, local memory, copies that are asked for: no unit's";
	if (!(r->model->api->units >> unit & 1))
		return r->o->dut ? "the board does not have it" : "not among --units (--units all checks it)";
	if (r->o->hw.sms > r->o->rtl_sms)
		return "of SMs that run in C (--rtl-sms)";
	return "under way when the run ended";
}

static void print_reasons(const struct run *r, const struct report *rep)
{
	for (unsigned u = 0; u < WL_UNIT_COUNT; u++)
		if (rep->unchecked[u])
			printf("            %s: %s\n", wl_unit_name((enum wl_unit)u), reason(r, (enum wl_unit)u));
}

/* Of all SMs in the RTL together. */
static void sum_passes(const struct run *r, struct lockstep_stats *sum)
{
	*sum = (struct lockstep_stats){.retired = 0};
	for (unsigned sm = 0; sm < r->o->rtl_sms; sm++) {
		const struct lockstep_stats *s = lockstep_stats(r->ls[sm]);
		sum->retired += s->retired;
		for (unsigned d = 0; d <= 32; d++)
			sum->passes[d] += s->passes[d];
	}
}

/* Of a single SM. */
static void print_rtl(const struct run *r, unsigned sm)
{
	const struct lockstep_stats *s = lockstep_stats(r->ls[sm]);
	char who[16] = "RTL";
	if (r->o->rtl_sms > 1)
		snprintf(who, sizeof who, "RTL SM %u", sm);
	printf("%-12s%llu cycles, %llu passes", who, (unsigned long long)s->cycles, (unsigned long long)s->commits);
	for (const struct cosim_unit *const *u = cosim_units; *u; u++)
		if ((*u)->print_launch)
			(*u)->print_launch(s);
	putchar('\n');
	if (r->o->rtl_sms > 1)
		print_units("  checked", s->checked);
	printf("overlap     at most %u in flight, %.2f on average\n", s->max_inflight, lockstep_mean_inflight(s));
	if (lockstep_memory(r->ls[sm]))
		print_memory(lockstep_memory(r->ls[sm]));
}

static void print_figures(const struct run *r, const struct report *rep)
{
	struct lockstep_stats sum;
	sum_passes(r, &sum);
	printf("kernel      %s, sm_%d, seed %llu, %u lanes, %u banks, %u port%s\n", r->job->program.name,
	       (int)r->o->hw.arch, (unsigned long long)r->o->hw.seed, r->o->hw.lanes, r->o->hw.banks, r->o->hw.ports,
	       r->o->hw.ports > 1 ? "s" : "");
	if (r->o->hw.schedule != WL_SCHEDULE_STEADY)
		printf("schedule    %s, memory answers within %u cycles\n", schedule_name(wl_gpu_schedule(r->job->gpu)),
		       latency_of(r->o));
	printf("issued      %llu warp instructions in %.3f s\n", (unsigned long long)rep->warp_instructions,
	       rep->seconds);
	print_units("checked", rep->checked);
	print_units("in C only", rep->unchecked);
	print_reasons(r, rep);
	if (sum.retired)
		print_histogram(&sum);
	for (unsigned sm = 0; sm < r->o->rtl_sms; sm++)
		print_rtl(r, sm);
	if (r->o->wave)
		printf("wave        %s\n", r->o->wave);
	if (r->o->order)
		printf("order       %s\n", r->o->order);
	if (r->o->insight.trace)
		printf("trace       %s\n", r->o->insight.trace);
	if (r->o->insight.konata)
		printf("konata      %s\n", r->o->insight.konata);
}

/* Of several SMs: counts of all together; cycles and requests in flight of the SM with most. */
static void measure(const struct run *r, struct report *rep)
{
	rep->warp_instructions = wl_gpu_warp_instructions(r->job->gpu);
	rep->seconds = r->seconds;
	rep->cpu_seconds = r->cpu;
	for (unsigned sm = 0; sm < r->o->rtl_sms; sm++) {
		const struct lockstep_stats *s = lockstep_stats(r->ls[sm]);
		const double mean = lockstep_mean_inflight(s);
		for (unsigned u = 0; u < WL_UNIT_COUNT; u++)
			rep->checked[u] += s->checked[u];
		rep->rtl_cycles = s->cycles > rep->rtl_cycles ? s->cycles : rep->rtl_cycles;
		rep->max_inflight = s->max_inflight > rep->max_inflight ? s->max_inflight : rep->max_inflight;
		rep->mean_inflight = mean > rep->mean_inflight ? mean : rep->mean_inflight;
	}
	for (unsigned u = 0; u < WL_UNIT_COUNT; u++)
		rep->executed[u] = wl_gpu_executed(r->job->gpu, (enum wl_unit)u);
	/* The front end also executes an EXIT answered by the DUT, and accesses to local memory. */
	rep->executed[WL_UNIT_sync_core] = rep->checked[WL_UNIT_sync_core];
	rep->executed[WL_UNIT_FRONT] -= rep->checked[WL_UNIT_sync_core];
	rep->executed[WL_UNIT_FRONT] += wl_gpu_local_generic(r->job->gpu);
	rep->executed[WL_UNIT_atom_unit] -= wl_gpu_local_generic(r->job->gpu);
	for (unsigned u = 0; u < WL_UNIT_COUNT; u++)
		rep->unchecked[u] = rep->executed[u] - rep->checked[u];
	rep->mismatches = complaining(r) != NULL;
}

/* The same launch again on a traced model, for the cycles around the mismatch. */
static void keep_wave(const struct options *o, const char *kernel, unsigned sm, uint64_t cycle)
{
	char why[JOB_ERROR], path[5000], root[4096];
	struct model model;
	struct options again = *o;
	struct run r;
	if (!model_load(&model, &o->hw, o->units, model_flags(o) | MODEL_WAVE, why, sizeof why)) {
		fprintf(stderr, "wlcosim: no wave: %s\n", why);
		return;
	}
	if (!model_root(root, sizeof root))
		snprintf(root, sizeof root, ".");
	snprintf(path, sizeof path, "%s/build/mismatch-%s-%llu.fst", root, kernel, (unsigned long long)o->hw.seed);
	again.wave = path;
	again.order = NULL;
	again.insight = (struct insight_options){0};
	again.wave_sm = sm;
	again.wave_from = cycle > WAVE_BEFORE ? cycle - WAVE_BEFORE : 0;
	again.wave_to = cycle + WAVE_AFTER;
	const bool ran = run_load(&r, &again, true, why, sizeof why) && run_open(&r, &model, why, sizeof why);
	run_close(&r);
	if (ran && write_gtkw(path, model.api, o->hw.arch, cycle))
		printf("wave        %s (cycles %llu to %llu)\n", path, (unsigned long long)again.wave_from,
		       (unsigned long long)again.wave_to);
	model_unload(&model);
}

/* A cluster's barrier has the number of the phase. */
static bool at_the_same(const struct wl_waiting *g, const struct lockstep_wait *w)
{
	switch (g->what) {
	case WL_WAIT_MBAR:
		return w->unit == WL_UNIT_mbarrier_engine && w->mbarrier == g->addr;
	case WL_WAIT_CLUSTER:
		return w->unit == WL_UNIT_cluster_barrier && w->id == (g->phase & 0xffff);
	default:
		return w->unit == WL_UNIT_barrier_file && w->id == g->id;
	}
}

/* For the report; false: the RTL does not know. */
static bool rtl_wait(void *self, const struct wl_waiting *g, struct waits_rtl *rtl)
{
	const struct run *r = self;
	const struct lockstep *ls = lockstep_of(r, g->sm);
	struct lockstep_wait w;
	uint32_t lanes;
	if (g->what == WL_WAIT_BSYNC || g->what == WL_WAIT_WARPSYNC) {
		const bool known = ls && lockstep_ready(ls, g->warp_slot, &lanes);
		*rtl = (struct waits_rtl){.waits = known && !(lanes & g->lanes)};
		return known;
	}
	if (!ls || !lockstep_waits(ls, g->warp_slot, &w) || (g->what == WL_WAIT_BARRIER && !w.bars))
		return false;
	*rtl = (struct waits_rtl){.waits = w.waits && at_the_same(g, &w),
	                          .arrived = w.bar.arrived * WL_WARP_LANES,
	                          .expected = w.bar.expected * WL_WARP_LANES};
	return true;
}

/* The RTL's state of warps waiting at barriers, a line for each warp. */
static void print_rtl_waits(struct run *r)
{
	for (unsigned i = 0; i < r->job->waits.waits.n; i++) {
		const struct wl_waiting *g = &r->job->waits.waits.group[i];
		struct waits_rtl rtl;
		if (g->what == WL_WAIT_BARRIER && rtl_wait(r, g, &rtl))
			printf("  RTL: CTA %u warp %u %s at barrier %u: %u of %u threads arrived\n", g->cta, g->warp,
			       rtl.waits ? "waits" : "does not wait", g->id, rtl.arrived, rtl.expected);
	}
}

/* After a run: the verdict, the buffers. Returns the exit status. */
static int conclude(struct run *r, struct job_verdict *v)
{
	struct lockstep *wrong = complaining(r);
	const struct options *o = r->o;
	int status;
	if (wrong) {
		const struct complaint *c = lockstep_complaint(wrong);
		unsigned sm = 0;
		while (r->ls[sm] != wrong)
			sm++;
		v->outcome = "error";
		snprintf(v->detail, sizeof v->detail, "C model and RTL differ in cycle %llu: %s",
		         (unsigned long long)c->cycle, c->text);
		if (o->rtl_sms > 1)
			printf("SM %u: its RTL and its C model differ\n", sm);
		print_mismatch(c, o, &r->job->program);
		if (!o->no_rerun && !o->wave && !o->dut)
			keep_wave(o, r->job->program.name, sm, c->cycle);
		return EXIT_BAD;
	}
	if (rtl_insight_interrupted) {
		v->outcome = "interrupted";
		snprintf(v->detail, sizeof v->detail, "ended by SIGINT in cycle %llu; files hold the run so far",
		         (unsigned long long)lockstep_stats(r->ls[0])->cycles);
		printf("interrupted: %s\n", v->detail);
		return EXIT_BAD;
	}
	job_judge(r->job, v, print_line, NULL);
	if (r->job->stands) {
		r->job->waits.rtl = rtl_wait;
		r->job->waits.self = r;
		print_rtl_waits(r);
	}
	status = v->as_expected ? EXIT_GOOD : EXIT_BAD;
	job_print_verdict(r->job, v, "wlcosim");
	if (o->dump && !job_dump(r->job, o->dump)) {
		fprintf(stderr, "wlcosim: %s\n", r->job->error);
		status = EXIT_BAD;
	}
	if (o->wave && !write_gtkw(o->wave, r->model->api, o->hw.arch, lockstep_stats(r->ls[o->wave_sm])->started))
		status = EXIT_BAD;
	return status;
}

bool launch_needs(struct options *o)
{
	char why[JOB_ERROR];
	struct run r;
	const bool loaded = run_load(&r, o, false, why, sizeof why);
	if (loaded) {
		o->units = units_for(&r);
		o->matrix |= wl_gpu_moves_matrices(r.job->gpu);
	} else if (!r.job || !r.job->told)
		fprintf(stderr, "wlcosim: %s\n", why);
	run_close(&r);
	return loaded;
}

bool launch_once(struct sweep *s, const struct options *o, const struct model *model)
{
	struct job_verdict v = {.outcome = "error"};
	struct run r;
	const bool quiet = true; /* warnings came when the units were asked for */
	const bool ran =
	        run_load(&r, o, quiet, v.detail, sizeof v.detail) && run_open(&r, model, v.detail, sizeof v.detail);
	const struct lockstep *wrong = ran ? complaining(&r) : NULL;
	if (wrong) {
		sweep_add(s, o->hw.seed, "mismatch", lockstep_complaint(wrong)->text, false);
	} else if (ran) {
		job_judge(r.job, &v, NULL, NULL);
		sweep_add_job(s, o->hw.seed, r.job, &v);
	} else if (!r.job || !r.job->told) {
		fprintf(stderr, "wlcosim: %s\n", v.detail);
	}
	run_close(&r);
	return ran;
}

int run_launch(const struct options *asked)
{
	struct report rep = {.outcome = "error", .lockstep = true};
	struct job_verdict v = {.outcome = "error"};
	char err[JOB_ERROR];
	struct model model = {0};
	struct run r = {0};
	int status = EXIT_BAD;
	struct options with = *asked;
	const struct options *o = &with;
	bool ran;
	if (o->dut) { /* the kernel is loaded for the parameters of the board */
		ran = open_dut(&model, o, &with.hw, o->units, v.detail, sizeof v.detail) &&
		      run_load(&r, o, false, v.detail, sizeof v.detail);
	} else {
		ran = run_load(&r, o, false, v.detail, sizeof v.detail);
		with.units = ran ? units_for(&r) : o->units;
		with.matrix |= ran && wl_gpu_moves_matrices(r.job->gpu);
		ran = ran && open_dut(&model, o, &with.hw, o->units, v.detail, sizeof v.detail);
	}
	if (ran && wl_gpu_moves_matrices(r.job->gpu) && model.api->lean) {
		snprintf(v.detail, sizeof v.detail,
		         "the small form of the RTL has no LDSM and STSM, which the kernel has");
		ran = false;
	}
	ran = ran && run_open(&r, &model, v.detail, sizeof v.detail);
	if (ran) {
		measure(&r, &rep);
		print_figures(&r, &rep);
		status = conclude(&r, &v);
	} else if (!r.job || !r.job->told) {
		fprintf(stderr, "wlcosim: %s\n", v.detail);
	}
	rep.outcome = v.outcome;
	rep.detail = v.detail;
	rep.gpu = r.job ? r.job->gpu : NULL;
	rep.printed = r.job ? r.job->printed : NULL;
	rep.waits = r.job && r.job->stands ? &r.job->waits : NULL;
	if (o->dot && rep.waits && !waits_write_dot(o->dot, rep.waits, err, sizeof err)) {
		fprintf(stderr, "wlcosim: %s\n", err);
		status = EXIT_BAD;
	}
	if (o->report && !report_write(o->report, &rep, err, sizeof err)) {
		fprintf(stderr, "wlcosim: %s\n", err);
		status = EXIT_BAD;
	}
	run_close(&r);
	close_dut(&model, o);
	return status;
}
