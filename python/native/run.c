// SPDX-License-Identifier: Apache-2.0
/* run.c -- a job of the Python module: running, events, report. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../cmodel/tools/report.h"
#include "job.h"

/* ---- events ---- */

static const char *const names[] = {
        [WL_SEEN_CTA_START] = "cta_start",
        [WL_SEEN_EXIT] = "exit",
        [WL_SEEN_FRESH] = "fresh",
        [WL_SEEN_ACCESS] = "access",
        [WL_SEEN_MBAR_INIT] = "mbar_init",
        [WL_SEEN_FENCE] = "fence",
        [WL_SEEN_INVALIDATE] = "invalidate",
        [WL_SEEN_PROXY] = "proxy",
        [WL_SEEN_LANES] = "lanes",
        [WL_SEEN_BAR_ARRIVE] = "bar_arrive",
        [WL_SEEN_BAR_RELEASE] = "bar_release",
        [WL_SEEN_CLUSTER_ARRIVE] = "cluster_arrive",
        [WL_SEEN_CLUSTER_WAIT] = "cluster_wait",
        [WL_SEEN_CLUSTER_RELEASE] = "cluster_release",
        [WL_SEEN_MBAR_ARRIVE] = "mbar_arrive",
        [WL_SEEN_MBAR_PASSED] = "mbar_passed",
        [WL_SEEN_COPY] = "copy",
        [WL_SEEN_COPY_TOLD] = "copy_told",
        [WL_SEEN_COPY_LANDED] = "copy_landed",
        [WL_SEEN_COMMIT] = "commit",
        [WL_SEEN_COPIES_DONE] = "copies_done",
        [WL_SEEN_MBAR_ASKED] = "mbar_asked",
        [WL_SEEN_MASKS] = "masks",
        [WL_SEEN_SHUFFLE] = "shuffle",
        [WL_SEEN_LOCAL] = "local",
        [WL_SEEN_FREED] = "freed",
        [WL_SEEN_MISUSE] = "misuse",
        [WL_SEEN_FAULT] = "fault",
        [WL_SEEN_ISSUE] = "issue",
};
enum { KINDS = sizeof names / sizeof names[0] };
_Static_assert(KINDS == WL_SEEN_ISSUE + 1 && KINDS <= 64, "every kind of observe.h has a name and a bit");

const char *wlpy_event_name(uint32_t kind)
{
	return kind < KINDS ? names[kind] : NULL;
}

uint64_t wlpy_size_of_event(void)
{
	return sizeof(struct wlpy_event);
}

static struct wlpy_event *next_event(struct wlpy_job *w)
{
	if (w->nevents == w->room) {
		const uint64_t room = w->room ? 2 * w->room : 256;
		struct wlpy_event *more = realloc(w->event, room * sizeof *more);
		if (!more) {
			w->short_of_memory = true;
			return NULL;
		}
		w->event = more;
		w->room = room;
	}
	return &w->event[w->nevents++];
}

static void on_event(void *self, const struct wl_seen *e)
{
	struct wlpy_job *w = self;
	if (w->next && (w->next->issues || e->kind != WL_SEEN_ISSUE))
		w->next->event(w->next->self, e);
	if (!(w->kinds >> e->kind & 1))
		return;
	struct wlpy_event *to = next_event(w);
	if (!to)
		return;
	*to = (struct wlpy_event){.kind = e->kind,
	                          .time = e->time,
	                          .sm = e->sm,
	                          .cta = e->cta,
	                          .warp = e->warp,
	                          .lanes = e->lanes,
	                          .live = e->live,
	                          .pc = 16 * e->pc,
	                          .reads = e->reads,
	                          .writes = e->writes,
	                          .atomic = e->atomic,
	                          .size = e->size,
	                          .shared = e->shared,
	                          .stored = e->stored,
	                          .id = e->id,
	                          .count = e->count,
	                          .waits = e->waits,
	                          .warps = e->warps,
	                          .phases = e->phases,
	                          .passes = e->passes,
	                          .bytes = e->bytes,
	                          .copy = e->copy,
	                          .serial = e->serial};
	memcpy(to->addr, e->addr, sizeof to->addr);
}

int wlpy_record(struct wlpy_job *w, uint64_t kinds)
{
	w->kinds = kinds;
	w->next = wl_gpu_observer(w->job.gpu);
	w->observer = (struct wl_observer){w, on_event, .issues = kinds >> WL_SEEN_ISSUE & 1};
	wl_gpu_observe(w->job.gpu, &w->observer);
	return 1;
}

uint64_t wlpy_events(const struct wlpy_job *w)
{
	return w->nevents;
}

const struct wlpy_event *wlpy_event(const struct wlpy_job *w, uint64_t i)
{
	return i < w->nevents ? &w->event[i] : NULL;
}

void wlpy_forget_events(struct wlpy_job *w)
{
	w->nevents = 0;
}

/* ---- running ---- */

int wlpy_over(const struct wlpy_job *w)
{
	return wl_gpu_outcome(w->job.gpu) != WL_RUNNING;
}

uint64_t wlpy_executed(const struct wlpy_job *w)
{
	return wl_gpu_warp_instructions(w->job.gpu);
}

/* Stops after `instructions` warp instructions, 0 = at the end, or with `events` events kept, 0 = any number. */
int wlpy_run(struct wlpy_job *w, uint64_t instructions, uint64_t events)
{
	const uint64_t most = instructions ? instructions : UINT64_MAX, begun = wlpy_executed(w);
	while (!wlpy_over(w) && wlpy_executed(w) - begun < most && (!events || w->nevents < events)) {
		wl_gpu_run_some(w->job.gpu, events ? 1 : most - (wlpy_executed(w) - begun));
		if (w->short_of_memory)
			return wlpy_fail(w, "no memory for %llu events", (unsigned long long)w->nevents + 1);
	}
	return 1;
}

/* ---- texts ---- */

static const char *keep(struct wlpy_job *w, json_t *o)
{
	free(w->text);
	w->text = json_dumps(o, JSON_COMPACT);
	json_decref(o);
	return w->text;
}

static void set_text(json_t *o, const char *key, const char *s)
{
	json_t *v = json_string(s);
	json_object_set_new(o, key, v ? v : json_string("?"));
}

const char *wlpy_info(struct wlpy_job *w)
{
	const struct wl_program *p = &w->job.program;
	json_t *o = json_object(), *params = json_array();
	for (uint32_t i = 0; i < p->nparams; i++)
		json_array_append_new(params, json_pack("{s:i s:i}", "offset", (int)p->params[i].offset, "size",
		                                        (int)p->params[i].size));
	set_text(o, "name", p->name);
	json_object_set_new(o, "params", params);
	json_object_set_new(o, "chip", json_integer(w->config.chip));
	json_object_set_new(o, "instructions", json_integer(p->ninst));
	json_object_set_new(o, "registers", json_integer(p->regs));
	json_object_set_new(o, "shared_bytes", json_integer(p->shared_bytes));
	json_object_set_new(o, "local_bytes", json_integer(p->local_bytes));
	json_object_set_new(o, "max_threads", json_integer(p->max_threads));
	return keep(w, o);
}

static void add_line(void *self, const char *text)
{
	json_t *s = json_string(text);
	json_array_append_new(self, s ? s : json_string("?"));
}

/* For each group the numbers of the groups waited for. */
static json_t *waits_for(const struct wl_waits *waits)
{
	json_t *rows = json_array();
	for (unsigned a = 0; a < waits->n; a++) {
		json_t *row = json_array();
		for (unsigned b = 0; b < waits->n; b++)
			if (a != b && wl_waits_for(waits, a, b))
				json_array_append_new(row, json_integer(b));
		json_array_append_new(rows, row);
	}
	return rows;
}

/* During a run: place of each group. */
static void look(struct job *job)
{
	job->waits = (struct waits_view){.program = &job->program, .gpu = job->gpu};
	job->stands = wl_gpu_waits(job->gpu, &job->waits.waits);
}

const char *wlpy_report(struct wlpy_job *w)
{
	struct job *job = &w->job;
	struct job_verdict v = {.outcome = "running"};
	struct report r = {.gpu = job->gpu, .warp_instructions = wlpy_executed(w)};
	json_t *lines = json_array();
	wl_waits_free(&job->waits.waits);
	memset(&job->waits, 0, sizeof job->waits);
	job->stands = false;
	if (wlpy_over(w)) {
		job_judge(job, &v, add_line, lines);
		checks_judge(&w->checks, job, &v, add_line, lines);
		r.checks = checks_json(&w->checks);
	} else {
		look(job);
	}
	for (unsigned u = 0; u < WL_UNIT_COUNT; u++)
		r.executed[u] = wl_gpu_executed(job->gpu, (enum wl_unit)u);
	r.outcome = v.outcome;
	r.detail = v.detail;
	r.printed = job->printed;
	r.waits = job->stands ? &job->waits : NULL;
	json_t *o = report_json(&r);
	json_object_del(o, "seconds"); /* not measured */
	json_object_set_new(o, "as_expected", json_boolean(wlpy_over(w) && v.as_expected));
	json_object_set_new(o, "lines", lines);
	if (job->stands)
		json_object_set_new(o, "waits_for", waits_for(&job->waits.waits));
	return keep(w, o);
}

const char *wlpy_instruction(struct wlpy_job *w, uint32_t pc)
{
	const struct wl_program *p = &w->job.program;
	if (pc % 16 || pc / 16 >= p->ninst || wl_print(p->arch, p->words[pc / 16], pc, w->line, sizeof w->line) < 0)
		return NULL;
	return w->line;
}

const char *wlpy_source(struct wlpy_job *w, uint32_t pc, uint32_t *line)
{
	const char *file;
	unsigned number;
	if (pc / 16 >= w->job.program.ninst || !wl_program_line(&w->job.program, pc / 16, &file, &number))
		return NULL;
	*line = number;
	return file;
}
