// SPDX-License-Identifier: Apache-2.0
/* job.h -- shared by the sources of the Python module: a launch with texts and events. */
#ifndef WARPLOCK_WLPY_JOB_H
#define WARPLOCK_WLPY_JOB_H

#include "../../cmodel/tools/checks.h"
#include "../../cmodel/tools/job.h"
#include "warplock/observe.h"
#include "wlpy.h"

struct wlpy_job {
	struct job job; /* the first member: keep_message finds the rest by the job's address */
	struct wl_config config;
	struct checks checks;
	uint8_t misuse[WL_MISUSE_COUNT];
	uint64_t limit;
	char *messages; /* of the compiler, a line each */
	char *text;     /* the last JSON text */
	char line[400];
	/* start contents of the buffers; order: after the arguments */
	unsigned nstart;
	uint8_t *start[LAUNCH_MAX_ARGS];
	/* events */
	uint64_t kinds, nevents, room;
	struct wlpy_event *event;
	const struct wl_observer *next;
	struct wl_observer observer;
	bool short_of_memory;
};

/* Notes a line in job.error; returns false. */
bool wlpy_fail(struct wlpy_job *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
