// SPDX-License-Identifier: Apache-2.0
#include "insight.h"

#include <stdio.h>

#include "file.h"
#include "interrupt.h"

bool insight_names_fit(const struct insight *s, char *err, size_t errn)
{
	return (!s->trace_path ||
	        (trace_name_fits(s->trace_path, err, errn) && file_can_append(s->trace_path, err, errn))) &&
	       (!s->profile_path ||
	        (profile_name_fits(s->profile_path, err, errn) && file_can_append(s->profile_path, err, errn)));
}

static bool write_all(struct insight *s, char *err, size_t errn)
{
	bool ok = !s->trace || trace_end(s->trace, interrupt_came(), err, errn);
	s->trace = NULL;
	if (ok && s->profile)
		ok = profile_write(s->profile, s->job, s->profile_path, interrupt_came(), err, errn);
	profile_free(s->profile);
	s->profile = NULL;
	return ok;
}

static void on_event(void *self, const struct wl_seen *e)
{
	struct insight *s = self;
	if (s->next && (s->next->issues || e->kind != WL_SEEN_ISSUE))
		s->next->event(s->next->self, e);
	if (s->profile)
		profile_event(s->profile, e);
	if (s->trace)
		trace_event(s->trace, e);
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
	return true;
}

bool insight_end(struct insight *s, char *err, size_t errn)
{
	if (!s->trace && !s->profile)
		return true;
	return write_all(s, err, errn);
}
