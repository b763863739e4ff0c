// SPDX-License-Identifier: Apache-2.0
/* sweep.h -- seeds in wlrun and wlcosim: policies by name, and a sweep of seeds with a table.
 *
 * The tool runs each seed of the range and adds the outcome; sweep_end prints a row for each outcome with the number of
 * runs, the first seed, and the command to repeat the first run. */
#ifndef WARPLOCK_SWEEP_H
#define WARPLOCK_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "progress.h"
#include "warplock/schedule.h"

#define SCHEDULE_NAMES "steady, fair, random, pct, delay, explore"
/* True: `text` is a name of WL_SCHEDULES. */
bool schedule_parse(const char *text, unsigned *schedule);
const char *schedule_name(unsigned schedule);
/* A line for each policy, for --help. */
void schedule_print_help(void);

enum { SWEEP_OUTCOMES = 32, SWEEP_BUFFERS = 64, SWEEP_CONTENTS = 256, SWEEP_DETAIL = 400 };

struct seed_range {
	bool given;
	uint64_t first, last;
};
/* A..B, A not above B, at most 2^32 seeds. */
bool seed_range_parse(const char *text, struct seed_range *range);

struct sweep_row {
	char outcome[80], detail[SWEEP_DETAIL];
	uint64_t runs, first;
};
struct sweep_buffer {
	char name[64];
	unsigned contents;                          /* different contents, at most SWEEP_CONTENTS are told apart */
	uint64_t hash[SWEEP_CONTENTS], first_other; /* seed of the first run with contents unlike the first run */
};
struct sweep {
	const char *tool;
	struct seed_range range;
	uint64_t runs, failed, unnamed; /* unnamed: runs with an outcome beyond the last row */
	struct progress line;
	unsigned rows, buffers;
	struct sweep_row row[SWEEP_OUTCOMES];
	struct sweep_buffer buffer[SWEEP_BUFFERS];
};

/* From here to sweep_end or sweep_stop a terminal shows the progress of the sweep, unless `quiet`. */
void sweep_begin(struct sweep *s, const char *tool, struct seed_range range, bool quiet);
/* Instead of sweep_end: a run did not start. */
void sweep_stop(struct sweep *s);
/* `outcome` is the row; of the row's first run `detail` is kept. */
void sweep_add(struct sweep *s, uint64_t seed, const char *outcome, const char *detail, bool as_expected);
/* The content of the n-th buffer after a run; n counts from 0 in each run. */
void sweep_buffer(struct sweep *s, unsigned n, const char *name, uint64_t seed, const void *data, size_t size);
/* Prints the table; report: file for the table, NULL = none. Returns the exit status: 1 when a run was not as
 * expected. */
int sweep_end(struct sweep *s, int argc, char **argv, const char *report);

struct job;
struct job_verdict;
/* The same of a judged job: the name of a fault is part of the outcome; buffers count after ended runs.
 */
void sweep_add_job(struct sweep *s, uint64_t seed, struct job *job, const struct job_verdict *v);

#endif
