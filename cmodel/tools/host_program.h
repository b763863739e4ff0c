// SPDX-License-Identifier: Apache-2.0
/* host_program.h -- runs a program of the host with our CUDA driver and runtime in the place of NVIDIA's. */
#ifndef WARPLOCK_HOST_PROGRAM_H
#define WARPLOCK_HOST_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

struct host_program {
	const char *tool;            /* "wlrun" */
	char **argv;                 /* NULL behind the last; argv[0] is the program */
	unsigned chip, sms, devices; /* devices 0: as the environment says */
	uint64_t seed, limit;
	bool seed_given, limit_given, sms_given, quiet;
	const char *misuse, *record;
	/* Not NULL: each launch is recorded, and then run again by the tool itself with these options. */
	char **options;
	unsigned noptions;
	const char *kernel; /* record launches of this kernel alone; NULL: all */
	uint64_t first;     /* ... at most so many; 0: all */
};

/* An executable of the host. Objects and libraries, loaded for their kernels, are none. */
bool host_program_is(const char *path);
/* Runs the program and prints a table of the launches. Returns the exit status: of the program, or EXIT_BAD when the
 * program said nothing of a failed launch. */
int host_program_run(const struct host_program *p);

#endif
