// SPDX-License-Identifier: Apache-2.0
#include "explore_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "interrupt.h"

enum { SHORTER_RUNS = 400 };

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double explorer_seconds(const struct explorer *x)
{
	return now() - x->began;
}

bool explorer_open(struct explorer *x)
{
	struct wl_seen_shape shape;
	wl_gpu_shape(x->job->gpu, &shape);
	x->began = now();
	x->order = order_create(&shape);
	x->image = malloc(x->job->gmem.bytes ? x->job->gmem.bytes : 1);
	if (x->image)
		memcpy(x->image, x->job->gmem.mem, x->job->gmem.bytes);
	return x->image != NULL;
}

void explorer_close(struct explorer *x)
{
	for (unsigned i = 0; i < x->buffers; i++)
		json_decref(x->buffer[i].shown);
	order_free(x->order);
	free(x->image);
}

static void print_line(void *self, const char *text)
{
	(void)self;
	printf("  %s\n", text);
}

static void no_line(void *self, const char *text)
{
	(void)self, (void)text;
}

static bool again(struct explorer *x, struct job_verdict *v)
{
	struct job *job = x->job;
	wl_gpu_free(job->gpu);
	job->gpu = NULL;
	free(job->printed);
	job->printed = NULL;
	job->printed_bytes = 0;
	job->stands = false;
	memcpy(job->gmem.mem, x->image, job->gmem.bytes);
	return wl_gpu_create(&x->config, &job->program, &job->gmem, &job->start, &job->gpu, v->detail,
	                     sizeof v->detail) == WL_OK;
}

void explorer_run(struct explorer *x, struct wl_guide *guide, struct job_verdict *v, bool notes)
{
	struct checks checks = {.set = x->checks};
	void (*line)(void *, const char *) = notes ? print_line : no_line;
	*v = (struct job_verdict){.outcome = "error"};
	if (!again(x, v) || !checks_start(&checks, x->job))
		return;
	order_begin(x->order, wl_gpu_observer(x->job->gpu));
	wl_gpu_observe(x->job->gpu, order_observer(x->order));
	if (!wl_gpu_guide(x->job->gpu, guide)) {
		snprintf(v->detail, sizeof v->detail, "no memory for the guide");
		return;
	}
	interrupt_run(x->job->gpu);
	wl_guide_done(guide);
	x->clocks += wl_gpu_clocks(x->job->gpu);
	if (wl_gpu_outcome(x->job->gpu) == WL_RUNNING) {
		v->outcome = "interrupted";
	} else {
		job_judge(x->job, v, line, NULL);
		checks_judge(&checks, x->job, v, line, NULL);
	}
	checks_free(&checks);
}

void explorer_outcome(const struct job_verdict *v, char *buf, size_t n)
{
	if (strcmp(v->outcome, "fault") == 0)
		snprintf(buf, n, "fault %.*s", (int)strcspn(v->detail, ":"), v->detail);
	else
		snprintf(buf, n, "%s", v->outcome);
}

/* ---- buffers ---- */

static uint64_t hash_of(const uint8_t *p, size_t n)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);
	for (size_t i = 0; i < n; i++)
		h = (h ^ p[i]) * UINT64_C(0x100000001b3);
	return h;
}

static void show(struct contents *b, const uint8_t *p, size_t size)
{
	char text[2 * EXPLORE_SHOWN + 1] = "";
	for (size_t i = 0; i < size && i < EXPLORE_SHOWN; i++)
		snprintf(text + 2 * i, 3, "%02x", p[i]);
	if (size <= EXPLORE_SHOWN)
		json_array_append_new(b->shown, json_string(text));
}

void explorer_contents(struct explorer *x)
{
	const struct job *job = x->job;
	unsigned n = 0;
	for (unsigned i = 0; i < job->launch.nargs && n < EXPLORE_BUFFERS; i++) {
		const struct launch_arg *a = &job->launch.arg[i];
		if (!a->is_buffer)
			continue;
		struct contents *b = &x->buffer[n++];
		const size_t size = a->count * a->type->bytes;
		const uint8_t *p = wl_gmem_at(&x->job->gmem, job->addr[i], 1);
		const uint64_t h = hash_of(p, size);
		unsigned k = 0;
		if (n > x->buffers) {
			x->buffers = n;
			b->name = a->name;
			b->shown = json_array();
		}
		while (k < b->n && b->hash[k] != h)
			k++;
		if (k == b->n && k < EXPLORE_CONTENTS) {
			b->hash[b->n++] = h;
			show(b, p, size);
		}
	}
}

void explorer_forget(struct explorer *x)
{
	for (unsigned i = 0; i < x->buffers; i++) {
		x->buffer[i].n = 0;
		json_array_clear(x->buffer[i].shown);
	}
}

/* ---- shorter ---- */

static bool still(struct explorer *x, const struct turns *t, const char *outcome)
{
	static const struct wl_guide_turn none = {0};
	struct wl_guide guide = {.turn = t->n ? t->turn : &none, .turns = t->n};
	struct job_verdict v;
	char is[120];
	explorer_run(x, &guide, &v, false);
	explorer_outcome(&v, is, sizeof is);
	return strcmp(is, outcome) == 0;
}

/* Without the turns from..from+n-1; neighbouring turns of the same warp become a single turn. */
static struct turns without(const struct turns *t, size_t from, size_t n)
{
	struct turns to = {.seed = t->seed};
	for (size_t i = 0; i < t->n; i++)
		if (i < from || i >= from + n)
			turns_add(&to, t->turn[i].cta, t->turn[i].warp, t->turn[i].count);
	return to;
}

void explorer_shorten(struct explorer *x, struct turns *t, const char *outcome)
{
	unsigned left = SHORTER_RUNS;
	size_t before, part = t->n;
	do {
		before = t->n;
		for (size_t end = t->n; end && left; left--) {
			const size_t n = part < end ? part : end;
			struct turns fewer = without(t, end - n, n);
			end -= n;
			if (still(x, &fewer, outcome)) {
				turns_free(t);
				*t = fewer;
				end = end < t->n ? end : t->n;
			} else {
				turns_free(&fewer);
			}
		}
		if (part == 1 && t->n == before)
			break;
		part = part > 1 ? (part + 1) / 2 : 1;
	} while (part && left);
}

/* ---- the command to repeat a schedule ---- */

void explore_command(int argc, char **argv, char *buf, size_t n)
{
	size_t at = (size_t)snprintf(buf, n, "wlrun");
	for (int i = 1; i < argc && at < n; i++) {
		const char *bare = argv[i] + strspn(argv[i], "-");
		const bool mine = *argv[i] == '-' && (!strncmp(bare, "explore", 7) || !strncmp(bare, "bound", 5) ||
		                                      !strncmp(bare, "report", 6) || !strncmp(bare, "seed", 4));
		if (mine)
			i += !strchr(argv[i], '=') && strcmp(bare, "explore");
		else
			at += (size_t)snprintf(buf + at, n - at, " %s", argv[i]);
	}
}
