// SPDX-License-Identifier: Apache-2.0
/* checks.h -- --check of wlrun: checkers beside the run, and their results. */
#ifndef WARPLOCK_CHECKS_H
#define WARPLOCK_CHECKS_H

#include <jansson.h>
#include <stdio.h>

#include "job.h"
#include "warplock/checker.h"
#include "warplock/race.h"

enum check_bit {
#define CHECK(name, what) CHECK_BIT_##name,
#include "checks.def"
#undef CHECK
	CHECKS
};

struct checks {
	unsigned set; /* 1 << enum check_bit */
	const struct wl_program *program;
	struct wl_race *race;
	struct wl_checker *checker[CHECKS]; /* NULL: not chosen, or the race checker */
	struct wl_observer all;             /* hands each event to every checker */
};

bool checks_is_name(const char *outcome); /* of a check */
/* "race,sync" or "all" to a set. False: `err` gets the wrong name, and a list of the names. */
bool checks_parse(const char *list, unsigned *set, char *err, size_t errn);
/* Before the run; a check named as the launch file's expected outcome is set, too. False: no memory. */
bool checks_start(struct checks *c, struct job *job);
/* After job_judge: the outcome becomes the check's name or "cannot tell" where a checker says so; findings go to
 * `note`. */
void checks_judge(const struct checks *c, const struct job *job, struct job_verdict *v,
                  void (*note)(void *self, const char *text), void *self);
/* Findings as an array for each check, by the check's name ("races" of race). NULL: nothing was checked. */
json_t *checks_json(const struct checks *c);
/* The names, each with the findings of the check, for --help. */
void checks_help(FILE *f);
void checks_free(struct checks *c);

/* checks_ptx.c, of checks_start: hints from the PTX, where the program comes from PTX. */
void checks_read_ptx(const struct checks *c, const struct job *job);

#endif
