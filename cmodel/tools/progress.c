// SPDX-License-Identifier: Apache-2.0
#include "progress.h"
#include "unfinished.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE = 3 /* seconds before the first line */, DAY = 86400 /* seconds */ };

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void progress_start(struct progress *p, const char *what, const char *unit, bool quiet)
{
	const char *env = getenv("WL_QUIET");
	quiet |= (env && *env) || !isatty(STDERR_FILENO);
	*p = (struct progress){.what = what, .unit = unit, .inner = "cycles", .began = now(), .off = quiet};
}

void progress_at(struct progress *p, uint64_t done, uint64_t total, uint64_t inner)
{
	if (p->off)
		return;
	const double t = now(), took = t - p->began;
	if (took < PATIENCE || t - p->shown < 1)
		return;
	p->shown = t;
	unfinished_line(true);
	fprintf(stderr, "\r%s:", p->what);
	if (p->unit)
		fprintf(stderr, " %llu", (unsigned long long)done);
	if (p->unit && total)
		fprintf(stderr, " of %llu", (unsigned long long)total);
	if (p->unit)
		fprintf(stderr, " %s,", p->unit);
	if (inner)
		fprintf(stderr, " %llu %s,", (unsigned long long)inner, p->inner);
	fprintf(stderr, " %.0f s", took);
	const double left = total && done ? took * (double)(total - done) / (double)done : 0;
	if (left > DAY)
		fputs(", more than a day still", stderr);
	else if (total && done)
		fprintf(stderr, ", about %.0f s still", left);
	fputs("\033[K\r", stderr);
	fflush(stderr);
}

double progress_took(const struct progress *p)
{
	return now() - p->began;
}

static void time_alone(void *self, struct progress *p)
{
	(void)self;
	progress_at(p, 0, 0, 0);
}

static void *watch(void *arg)
{
	struct progress *p = arg;
	pthread_mutex_lock(&p->lock);
	while (!p->ends) {
		struct timespec until;
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += 500000000;
		until.tv_sec += until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
		pthread_cond_timedwait(&p->ended, &p->lock, &until);
		if (!p->ends)
			p->look(p->self, p);
	}
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

void progress_watch(struct progress *p, void (*look)(void *self, struct progress *p), void *self)
{
	if (p->off)
		return;
	p->look = look ? look : time_alone;
	p->self = self;
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->ended, NULL);
	p->watched = pthread_create(&p->thread, NULL, watch, p) == 0;
}

void progress_hide(const struct progress *p)
{
	if (p->off || p->shown <= 0)
		return;
	fputs("\r\033[K", stderr);
	unfinished_line(false);
}

void progress_end(struct progress *p)
{
	if (p->watched) {
		pthread_mutex_lock(&p->lock);
		p->ends = true;
		pthread_cond_signal(&p->ended);
		pthread_mutex_unlock(&p->lock);
		pthread_join(p->thread, NULL);
		p->watched = false;
	}
	progress_hide(p);
	p->off = true;
}
