// SPDX-License-Identifier: Apache-2.0
/* explore.h -- --explore of wlrun: runs of a kernel in different orders of the warps, up to the first failing run. */
#ifndef WARPLOCK_EXPLORE_H
#define WARPLOCK_EXPLORE_H

#include "checks.h"
#include "job.h"

enum { EXPLORE_BOUND = 2, EXPLORE_RUNS = 10000, EXPLORE_INSTRUCTIONS = 10000000 };
#define EXPLORE_LOG "explore.turns" /* without --explore-log */
enum explore_how { EXPLORE_NOT, EXPLORE_DPOR, EXPLORE_PCT };

struct explore_options {
	enum explore_how how;
	unsigned bound;      /* preemptions */
	uint64_t runs;       /* at most */
	double seconds;      /* at most; 0: no limit */
	const char *log;     /* file for the failing schedule */
	const char *command; /* command to repeat the schedule, without the file's name */
	const char *report;  /* NULL: none */
	bool quiet;          /* no line about the progress of the search */
};

/* "2000" runs or "30s". False: `text` is neither. */
bool explore_limit_parse(const char *text, struct explore_options *o);
bool explore_how_parse(const char *text, struct explore_options *o); /* NULL: dpor */
/* The command line without the options of exploration, and without the seed: a schedule has its own. */
void explore_command(int argc, char **argv, char *buf, size_t n);
/* The job is loaded. Returns the exit status. */
int explore(struct job *job, const struct wl_config *config, unsigned checks, const struct explore_options *o);

#endif
