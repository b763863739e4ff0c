// SPDX-License-Identifier: Apache-2.0
/* progress.h -- a line on a terminal for a run of more than three seconds: name, progress, remaining time. Nothing
 * where standard error is no terminal, and nothing with --quiet or with WL_QUIET in the environment. */
#ifndef WARPLOCK_PROGRESS_H
#define WARPLOCK_PROGRESS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum { PROGRESS_EVERY = 1 << 14 /* cycles between two looks at the clock */ };

struct progress {
	const char *what, *unit; /* "random mixed", "instructions" */
	const char *inner;       /* of the second number: "cycles" */
	double began, shown;     /* seconds; 0 = not yet */
	bool off;
	/* of progress_watch */
	void (*look)(void *self, struct progress *p);
	void *self;
	bool watched, ends;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t ended;
};

void progress_start(struct progress *p, const char *what, const char *unit, bool quiet);
/* `done` of `total` units; total 0: nobody knows. `inner`: a second number, 0 = none. */
void progress_at(struct progress *p, uint64_t done, uint64_t total, uint64_t inner);
/* Instead of calls of progress_at, where a run has no place for the calls: `look` calls progress_at, in a separate
 * thread, twice a second. Between progress_start and progress_end. NULL: the time alone is known. */
void progress_watch(struct progress *p, void (*look)(void *self, struct progress *p), void *self);
/* Seconds since progress_start, with and without a line. */
double progress_took(const struct progress *p);
/* The line goes for output beside the line, and comes back a second later. */
void progress_hide(const struct progress *p);
/* The line goes. */
void progress_end(struct progress *p);

#endif
