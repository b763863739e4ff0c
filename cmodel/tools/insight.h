// SPDX-License-Identifier: Apache-2.0
/* insight.h -- --trace and --profile of wlrun: observers beside the run, behind whoever looks on already. */
#ifndef WARPLOCK_INSIGHT_H
#define WARPLOCK_INSIGHT_H

#include "job.h"
#include "profile.h"
#include "trace.h"

struct insight {
	const char *trace_path, *profile_path; /* NULL: none; for a profile: a table */
	bool profiles;
	struct job *job;
	struct profile *profile;
	struct trace *trace;
	const struct wl_observer *next;
	struct wl_observer observer;
};

/* Endings of names, and whether the files can be written. */
bool insight_names_fit(const struct insight *s, char *err, size_t errn);
/* After the checkers have started. After an interrupt the files say so. */
bool insight_start(struct insight *s, struct job *job);
bool insight_end(struct insight *s, char *err, size_t errn);

#endif
