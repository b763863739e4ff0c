// SPDX-License-Identifier: Apache-2.0
/* wlrun.c -- runs a kernel on the C model. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "checks.h"
#include "explore.h"
#include "exit_code.h"
#include "figures.h"
#include "file.h"
#include "follow.h"
#include "host_program.h"
#include "insight.h"
#include "interrupt.h"
#include "job.h"
#include "output.h"
#include "overwrite.h"
#include "progress.h"
#include "report.h"
#include "sweep.h"
#include "template.h"
#include "tool.h"
#include "wlrun_options.h"

static double seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void print_line(void *self, const char *text)
{
	(void)self;
	printf("  %s\n", text);
}

static void measure(const struct job *job, struct report *r)
{
	r->warp_instructions = wl_gpu_warp_instructions(job->gpu);
	for (unsigned u = 0; u < WL_UNIT_COUNT; u++)
		r->executed[u] = wl_gpu_executed(job->gpu, (enum wl_unit)u);
}

/* Numbers of a run under way, for a person: numbers of another thread, at an arbitrary time. */
static void look(void *job, struct progress *line)
{
	const struct wl_gpu *gpu = ((struct job *)job)->gpu;
	uint64_t ctas;
	const uint64_t done = wl_gpu_ctas_done(gpu, &ctas);
	progress_at(line, done, ctas, wl_gpu_warp_instructions(gpu));
}

/* PTX is compiled here; compilation may take long. */
static bool load(struct job *job, const struct options *o)
{
	struct progress line;
	progress_start(&line, o->program ? o->program : o->launch, NULL, o->quiet || o->seeds.given);
	progress_watch(&line, NULL, NULL);
	const bool ok = job_load(job, &o->config, o->launch, o->program, o->entry, o->limit);
	progress_end(&line);
	return ok;
}

/* `interrupts`: an interrupt ends the run, since the run has more to tell than the outcome; else an interrupt ends the
 * tool. */
static void run_stretches(struct wl_gpu *gpu, bool interrupts)
{
	if (interrupts)
		interrupt_watch();
	interrupt_run(gpu);
	if (interrupts)
		interrupt_over();
}

/* Loads and runs; false with job->error without an outcome to judge. */
static bool execute(struct job *job, const struct options *o, struct report *r, struct checks *checks,
                    struct insight *insight)
{
	if (!load(job, o))
		return false;
	if (!o->schedule && !checks_start(checks, job))
		return false;
	if (insight && !insight_start(insight, job))
		return false;
	wl_gpu_set_misuse(job->gpu, o->misuse);
	const bool interrupts = insight && (checks->set || o->report || insight->trace_path || insight->profiles);
	double start = seconds();
	bool ok = true;
	struct progress line;
	progress_start(&line, job->program.name, "CTAs", o->quiet || o->seeds.given);
	line.inner = "warp instructions";
	progress_watch(&line, look, job);
	if (o->schedule)
		ok = follow_log(job, &o->config, o->schedule);
	else if (o->has_turns)
		ok = follow_turns(job, &o->config, o->schedule_path);
	else
		run_stretches(job->gpu, interrupts);
	progress_end(&line);
	r->seconds = seconds() - start;
	measure(job, r);
	return ok;
}

/* Whether the outputs beside the report can be written: told before the run. */
static bool outputs_fit(const struct options *o, char *err, size_t errn)
{
	return (!o->dot || file_can_write(o->dot, err, errn)) && (!o->dump || file_can_fill(o->dump, err, errn)) &&
	       insight_names_fit(&o->insight, err, errn);
}

/* Whether an output is an input of the run. */
static bool replaces_input(const struct options *o, char *why, size_t n)
{
	const char *log = o->explore.how && !o->explore.log ? EXPLORE_LOG : o->explore.log;
	const struct overwrite all = {.launch = o->launch,
	                              .program = o->program,
	                              .schedule = o->schedule_path,
	                              .dump = o->dump,
	                              .out = {{"--report", o->report},
	                                      {"--dot", o->dot},
	                                      {"--trace", o->insight.trace_path},
	                                      {"--profile", o->insight.profile_path},
	                                      {"--explore-log", log}}};
	return overwrites(&all, why, n);
}

static int print_template(struct job *job, const struct options *o)
{
	if (template_print(job, &o->config, o->program, o->entry, stdout))
		return EXIT_GOOD;
	if (!job->told)
		fprintf(stderr, "wlrun: %s\n", job->error);
	return EXIT_BAD;
}

/* An interrupted run is not judged; the findings of the checks so far are told. */
static void judge(struct job *job, const struct checks *checks, struct job_verdict *v)
{
	const bool interrupted = interrupt_came();
	if (!interrupted)
		job_judge(job, v, print_line, NULL);
	checks_judge(checks, job, v, print_line, NULL);
	if (!interrupted)
		return;
	*v = (struct job_verdict){.outcome = "interrupted"};
	snprintf(v->detail, sizeof v->detail, "ended by SIGINT; findings and files are those of the run so far");
	fprintf(stderr, "wlrun: interrupted; findings and files are those of the run so far\n");
}

/* Runs, judges, writes the outputs. Returns the exit status. */
static int run(struct job *job, const struct options *o)
{
	struct report r = {.outcome = "error"};
	struct job_verdict v = {.outcome = "error"};
	struct checks checks = {.set = o->checks};
	struct insight insight = o->insight;
	char err[JOB_ERROR];
	int status = EXIT_BAD;
	if (o->report && !file_can_write(o->report, err, sizeof err)) {
		fprintf(stderr, "wlrun: %s\n", err);
		return EXIT_BAD;
	}
	if (outputs_fit(o, job->error, sizeof job->error) && execute(job, o, &r, &checks, &insight)) {
		judge(job, &checks, &v);
		figures_print(job, &r);
		const bool told = insight_end(&insight, err, sizeof err);
		if (!told)
			fprintf(stderr, "wlrun: %s\n", err);
		status = v.as_expected && told ? EXIT_GOOD : EXIT_BAD;
		job_print_verdict(job, &v, "wlrun");
		if (o->dump && !job_dump(job, o->dump)) {
			fprintf(stderr, "wlrun: %s\n", job->error);
			status = EXIT_BAD;
		}
	} else {
		snprintf(v.detail, sizeof v.detail, "%s", job->error);
		if (!job->told)
			fprintf(stderr, "wlrun: %s\n", job->error);
	}
	r.outcome = v.outcome;
	r.detail = v.detail;
	r.printed = job->printed;
	r.checks = checks_json(&checks);
	r.gpu = job->gpu;
	r.waits = job->stands ? &job->waits : NULL;
	if (o->dot && job->stands && !waits_write_dot(o->dot, &job->waits, err, sizeof err)) {
		fprintf(stderr, "wlrun: %s\n", err);
		status = EXIT_BAD;
	}
	if (o->report && !report_write(o->report, &r, err, sizeof err)) {
		fprintf(stderr, "wlrun: %s\n", err);
		status = EXIT_BAD;
	}
	checks_free(&checks);
	return status;
}

static void no_line(void *self, const char *text)
{
	(void)self, (void)text;
}

static int sweep(struct job *job, struct options *o, int argc, char **argv)
{
	static struct sweep s;
	struct report r;
	char err[JOB_ERROR];
	if (o->report && !file_can_write(o->report, err, sizeof err)) {
		fprintf(stderr, "wlrun: %s\n", err);
		return EXIT_BAD;
	}
	sweep_begin(&s, "wlrun", o->seeds, o->quiet);
	for (uint64_t left = o->seeds.last - o->seeds.first + 1; left; left--) {
		struct job_verdict v = {.outcome = "error"};
		struct checks checks = {.set = o->checks};
		o->config.seed = o->seeds.last - left + 1;
		r = (struct report){.outcome = "error"};
		if (!execute(job, o, &r, &checks, NULL)) {
			sweep_stop(&s);
			if (!job->told)
				fprintf(stderr, "wlrun: %s\n", job->error);
			return EXIT_BAD;
		}
		job_judge(job, &v, NULL, NULL);
		checks_judge(&checks, job, &v, no_line, NULL);
		checks_free(&checks);
		sweep_add_job(&s, o->config.seed, job, &v);
		job_free(job);
		job->quiet = true;
	}
	return sweep_end(&s, argc, argv, o->report);
}

static int start_explore(struct job *job, struct options *o, int argc, char **argv)
{
	char command[2000], err[JOB_ERROR];
	explore_command(argc, argv, command, sizeof command);
	o->explore.command = command;
	o->explore.report = o->report;
	o->explore.log = o->explore.log ? o->explore.log : EXPLORE_LOG;
	o->config.schedule = WL_SCHEDULE_STEADY;
	o->limit = o->limit_given ? o->limit : EXPLORE_INSTRUCTIONS;
	if (!file_can_write(o->explore.log, err, sizeof err) ||
	    (o->report && !file_can_write(o->report, err, sizeof err))) {
		fprintf(stderr, "wlrun: %s\n", err);
		return EXIT_BAD;
	}
	o->explore.quiet = o->quiet;
	if (load(job, o))
		return explore(job, &o->config, o->checks, &o->explore);
	if (!job->told)
		fprintf(stderr, "wlrun: %s\n", job->error);
	return EXIT_BAD;
}

int main(int argc, char **argv)
{
	struct options o = {.config = wl_config_default(), .limit = 1000000000};
	o.explore = (struct explore_options){.bound = EXPLORE_BOUND, .runs = EXPLORE_RUNS};
	output_guard("wlrun");
	int status = wlrun_parse(&o, argc, argv);
	if (status >= 0)
		return status;
	if (o.host)
		return host_program_run(
		        &(struct host_program){.tool = "wlrun",
		                               .argv = o.host,
		                               .chip = o.arch_given ? o.config.chip : 0,
		                               .sms = o.config.sms,
		                               .sms_given = o.sms_given,
		                               .devices = o.devices,
		                               .seed = o.config.seed,
		                               .seed_given = o.seed_given,
		                               .limit = o.limit,
		                               .limit_given = o.limit_given,
		                               .quiet = o.quiet,
		                               .misuse = o.misuse_text,
		                               .record = o.record,
		                               .options = wlrun_is_of_kernel(&o) ? o.host_options : NULL,
		                               .noptions = (unsigned)o.host_noptions});
	char why[JOB_ERROR];
	if (!o.template && replaces_input(&o, why, sizeof why))
		return wlrun_misuse(why, NULL);
	struct job *job = calloc(1, sizeof *job);
	if (!job) {
		fprintf(stderr, "wlrun: no memory\n");
		return EXIT_BAD;
	}
	if (o.template)
		status = print_template(job, &o);
	else if (o.explore.how)
		status = start_explore(job, &o, argc, argv);
	else
		status = o.seeds.given ? sweep(job, &o, argc, argv) : run(job, &o);
	job_free(job);
	free(job);
	return status;
}
