// SPDX-License-Identifier: Apache-2.0
/* wlrun_options.h -- the options of wlrun. */
#ifndef WLRUN_OPTIONS_H
#define WLRUN_OPTIONS_H

#include "explore.h"
#include "insight.h"
#include "once.h"
#include "sweep.h"
#include "warplock/misuse.h"
#include "warplock/sm.h"

struct options {
	struct wl_config config;
	const char *launch, *program, *entry, *dump, *report, *schedule, *dot;
	const char *schedule_path; /* of --schedule, with or without turns in the file */
	struct insight insight;
	uint64_t limit;
	unsigned checks;
	uint8_t misuse[WL_MISUSE_COUNT];
	const char *misuse_text;
	char **host;         /* a program of the host and the program's arguments */
	char **host_options; /* the words in front of the program */
	int host_noptions;
	const char *record;
	unsigned devices;
	bool arch_given, seed_given, sms_given, policy_given, limit_given, template, quiet;
	struct explore_options explore;
	bool has_turns; /* --schedule names a file of turns; `schedule` is NULL then */
	struct seed_range seeds;
	struct once files;
};

/* A line about misuse; `value` may be NULL. Returns the exit status. */
int wlrun_misuse(const char *what, const char *value);
/* -1: go on; otherwise the exit status. */
int wlrun_parse(struct options *o, int argc, char **argv);
/* Options with need of a launch file: each launch is recorded, and run again with the options. */
bool wlrun_is_of_kernel(const struct options *o);

#endif
