// SPDX-License-Identifier: Apache-2.0
#include "insight.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "exit_code.h"
#include "file.h"
#include "report.h"

static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal)
{
	(void)signal;
	interrupted = 1;
}

bool insight_names_fit(const struct insight *s, char *err, size_t errn)
{
	return (!s->trace_path ||
	        (trace_name_fits(s->trace_path, err, errn) && file_can_append(s->trace_path, err, errn))) &&
	       (!s->profile_path ||
	        (profile_name_fits(s->profile_path, err, errn) && file_can_append(s->profile_path, err, errn)));
}

static bool write_all(struct insight *s, char *err, size_t errn)
{
	bool ok = !s->trace || trace_end(s->trace, interrupted, err, errn);
	s->trace = NULL;
	if (ok && s->profile)
		ok = profile_write(s->profile, s->job, s->profile_path, interrupted, err, errn);
	profile_free(s->profile);
	s->profile = NULL;
	return ok;
}

static void on_event(void *self, const struct wl_seen *e)
{
	struct insight *s = self;
	char err[JOB_ERROR] = "";
	if (s->next && (s->next->issues || e->kind != WL_SEEN_ISSUE))
		s->next->event(s->next->self, e);
	if (s->profile)
		profile_event(s->profile, e);
	if (s->trace)
		trace_event(s->trace, e);
	if (!interrupted)
		return;
	if (!write_all(s, err, sizeof err))
		fprintf(stderr, "wlrun: %s\n", err);
	const struct report rep = {.outcome = "interrupted",
	                           .detail = "ended by SIGINT; files hold the run so far",
	                           .gpu = s->job->gpu,
	                           .warp_instructions = wl_gpu_warp_instructions(s->job->gpu)};
	if (s->report && !report_write(s->report, &rep, err, sizeof err))
		fprintf(stderr, "wlrun: %s\n", err);
	fprintf(stderr, "wlrun: interrupted; trace and profile hold the run so far\n");
	fflush(stdout);
	_Exit(EXIT_BAD);
}

bool insight_start(struct insight *s, struct job *job)
{
	s->job = job;
	if (!s->trace_path && !s->profiles)
		return true;
	if (s->profiles && !(s->profile = profile_create(job, false))) {
		snprintf(job->error, sizeof job->error, "no memory for the profile");
		return false;
	}
	if (s->trace_path && !(s->trace = trace_begin(job, s->trace_path, job->error, sizeof job->error)))
		return false;
	s->next = wl_gpu_observer(job->gpu);
	s->observer = (struct wl_observer){.self = s, .event = on_event, .issues = true};
	wl_gpu_observe(job->gpu, &s->observer);
	signal(SIGINT, on_interrupt);
	return true;
}

bool insight_end(struct insight *s, char *err, size_t errn)
{
	if (!s->trace && !s->profile)
		return true;
	signal(SIGINT, SIG_DFL);
	return write_all(s, err, errn);
}
