// SPDX-License-Identifier: Apache-2.0
/* progress.h -- one line on a terminal for a run that takes more than three seconds: what, how far, how long still.
 * Nothing where standard error is no terminal, and nothing with --quiet. */
#ifndef WARPLOCK_COSIM_PROGRESS_H
#define WARPLOCK_COSIM_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

enum { PROGRESS_EVERY = 1 << 14 /* cycles between two looks at the clock */ };

struct progress {
	const char *what, *unit; /* "random mixed", "instructions" */
	double began, shown;     /* seconds; 0 = not yet */
	bool off;
};

void progress_start(struct progress *p, const char *what, const char *unit, bool quiet);
/* `done` of `total` units; total 0: nobody knows. */
void progress_at(struct progress *p, uint64_t done, uint64_t total, uint64_t cycles);
/* The line goes. */
void progress_end(struct progress *p);

#endif
