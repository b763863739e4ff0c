// SPDX-License-Identifier: Apache-2.0
#include "progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE = 3 }; /* seconds before the first line */

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void progress_start(struct progress *p, const char *what, const char *unit, bool quiet)
{
	*p = (struct progress){.what = what, .unit = unit, .began = now(), .off = quiet || !isatty(STDERR_FILENO)};
}

void progress_at(struct progress *p, uint64_t done, uint64_t total, uint64_t cycles)
{
	if (p->off)
		return;
	const double t = now(), took = t - p->began;
	if (took < PATIENCE || t - p->shown < 1)
		return;
	p->shown = t;
	fprintf(stderr, "\r%s: %llu", p->what, (unsigned long long)done);
	if (total)
		fprintf(stderr, " of %llu", (unsigned long long)total);
	fprintf(stderr, " %s, %llu cycles, %.0f s", p->unit, (unsigned long long)cycles, took);
	if (total && done)
		fprintf(stderr, ", about %.0f s still", took * (double)(total - done) / (double)done);
	fputs("\033[K", stderr);
	fflush(stderr);
}

void progress_end(struct progress *p)
{
	if (!p->off && p->shown > 0)
		fputs("\r\033[K", stderr);
	p->off = true;
}
