// SPDX-License-Identifier: Apache-2.0
/* open.c -- a job of the Python module: options, program, shape, arguments, start contents. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../cmodel/tools/elem.h"
#include "../../cmodel/tools/sweep.h"
#include "../../compiler/job_object.h"
#include "job.h"
#include "warplock/object.h"
#include "wlcc.h"

bool wlpy_fail(struct wlpy_job *w, const char *format, ...)
{
	va_list ap;
	va_start(ap, format);
	vsnprintf(w->job.error, sizeof w->job.error, format, ap);
	va_end(ap);
	return false;
}

const char *wlpy_version(void)
{
	return WL_VERSION;
}

const char *wlpy_why(const struct wlpy_job *w)
{
	return w->job.error;
}

const char *wlpy_messages(const struct wlpy_job *w)
{
	return w->messages ? w->messages : "";
}

/* ---- the compiler ---- */

static void keep_message(void *self, const struct wlcc_message *m)
{
	struct wlpy_job *w = self;
	char line[JOB_ERROR];
	const char *kind = m->severity == WLCC_ERROR ? "error" : m->severity == WLCC_WARNING ? "warning" : "info";
	if (m->line)
		snprintf(line, sizeof line, "%s, line %u: %s: %s", m->file, m->line, kind, m->text);
	else
		snprintf(line, sizeof line, "%s: %s: %s", m->file, kind, m->text);
	if (m->severity == WLCC_ERROR && !w->job.error[0])
		memcpy(w->job.error, line, sizeof w->job.error);
	const size_t had = w->messages ? strlen(w->messages) : 0;
	char *more = realloc(w->messages, had + strlen(line) + 2);
	if (!more)
		return;
	w->messages = more;
	sprintf(more + had, "%s\n", line);
}

bool job_compile(struct job *job, const struct wl_config *config, const char *path, const unsigned char *text,
                 size_t size, unsigned char **object, size_t *object_size)
{
	return job_object(job, config, path, text, size, object, object_size, keep_message);
}

/* ---- options ---- */

static bool take_chip(struct wlpy_job *w, const char *arch, unsigned own)
{
	w->config.chip = arch ? wl_chip_parse(arch, NULL) : own;
	w->config.arch = wl_arch_of_chip(w->config.chip);
	if (!w->config.arch)
		return wlpy_fail(w, "arch: expected one of " WL_CHIP_NAMES ", found '%s'", arch ? arch : "nothing");
	w->config.shared_bytes = wl_chip_shared_of_sm(w->config.chip);
	return true;
}

static bool take_options(struct wlpy_job *w, const struct wlpy_options *o)
{
	char why[300];
	w->config = wl_config_default();
	w->config.seed = o->seed;
	w->config.sms = o->sms;
	w->config.native = o->native;
	w->limit = o->limit;
	if (o->sms < 1 || o->sms > 256)
		return wlpy_fail(w, "sms: expected a number from 1 to 256, found %u", o->sms);
	if (o->schedule && !schedule_parse(o->schedule, &w->config.schedule))
		return wlpy_fail(w, "schedule: expected one of " SCHEDULE_NAMES ", found '%.60s'", o->schedule);
	if (o->misuse && !wl_misuse_parse(o->misuse, w->misuse))
		return wlpy_fail(w, "misuse: expected silicon, report, fault or KIND=MODE, found '%.60s'", o->misuse);
	if (o->checks && !checks_parse(o->checks, &w->checks.set, why, sizeof why))
		return wlpy_fail(w, "checks: %s", why);
	return true;
}

/* ---- program and launch ---- */

struct wlpy_job *wlpy_open_program(const char *name, const uint8_t *data, uint64_t size, const char *entry,
                                   const struct wlpy_options *o)
{
	struct wlpy_job *w = calloc(1, sizeof *w);
	unsigned char *copy = malloc(size + 1); /* PTX is read up to a byte 0 */
	if (!w || !copy) {
		free(w);
		free(copy);
		return NULL;
	}
	memcpy(copy, data, size);
	copy[size] = 0;
	w->job.quiet = true;
	launch_default(&w->job.launch);
	snprintf(w->job.launch.path, sizeof w->job.launch.path, "launch");
	w->job.launch.stack = o->stack;
	const unsigned own = o->arch ? 0 : job_chip_of(name, copy, size, entry);
	if (take_options(w, o) && take_chip(w, o->arch, own ? own : WL_SM75))
		job_open_bytes(&w->job, &w->config, name, copy, size, entry);
	free(copy);
	return w;
}

struct wlpy_job *wlpy_open_launch(const char *launch, const char *program, const char *entry,
                                  const struct wlpy_options *o)
{
	struct wlpy_job *w = calloc(1, sizeof *w);
	if (!w)
		return NULL;
	w->job.quiet = true;
	if (!take_options(w, o) || !take_chip(w, o->arch, o->arch ? 0 : job_chip(launch, program, entry)))
		return w;
	if (job_load(&w->job, &w->config, launch, program, entry, w->limit) && checks_start(&w->checks, &w->job))
		wl_gpu_set_misuse(w->job.gpu, w->misuse);
	return w;
}

void wlpy_close(struct wlpy_job *w)
{
	if (!w)
		return;
	checks_free(&w->checks);
	job_free(&w->job);
	for (unsigned i = 0; i < w->nstart; i++)
		free(w->start[i]);
	free(w->messages);
	free(w->text);
	free(w->event);
	free(w);
}

int wlpy_shape(struct wlpy_job *w, const uint32_t *grid, const uint32_t *block, const uint32_t *cluster,
               uint32_t dynamic_shared, int cooperative, uint64_t heap)
{
	struct launch_file *l = &w->job.launch;
	memcpy(l->grid, grid, sizeof l->grid);
	memcpy(l->block, block, sizeof l->block);
	memcpy(l->cluster, cluster, sizeof l->cluster);
	l->dynamic_shared = dynamic_shared;
	l->cooperative = l->all_resident = cooperative != 0;
	if (heap)
		l->heap = heap;
	return 1;
}

/* ---- arguments, then buffers ---- */

static struct launch_arg *add(struct wlpy_job *w, const char *name)
{
	struct launch_file *l = &w->job.launch;
	if (l->nall == LAUNCH_MAX_ARGS) {
		wlpy_fail(w, "arguments and buffers: at most %d", LAUNCH_MAX_ARGS);
		return NULL;
	}
	struct launch_arg *a = &l->arg[l->nall++];
	snprintf(a->name, sizeof a->name, "%s", name);
	return a;
}

int wlpy_next_argument(struct wlpy_job *w, uint32_t size)
{
	char name[20];
	snprintf(name, sizeof name, "%u", w->job.launch.nargs);
	struct launch_arg *a = add(w, name);
	if (!a)
		return 0;
	a->is_bytes = true;
	a->size = a->end = size;
	w->job.launch.nargs++;
	return 1;
}

/* A field of the last argument, of 8 bytes at most. buffer: adds the buffer's address; -1: none. */
int wlpy_argument(struct wlpy_job *w, uint32_t at, int32_t buffer, uint32_t bytes, uint64_t value)
{
	struct launch_file *l = &w->job.launch;
	struct launch_arg *a = &l->arg[l->nargs - 1];
	struct launch_field *more = realloc(a->field, (a->nfields + 1) * sizeof *more);
	if (!more)
		return wlpy_fail(w, "no memory for the arguments");
	a->field = more;
	more[a->nfields++] = (struct launch_field){at, (uint8_t)bytes, buffer, value};
	return 1;
}

int wlpy_buffer(struct wlpy_job *w, const char *name, const uint8_t *data, uint64_t bytes)
{
	struct launch_arg *a = add(w, name);
	uint8_t *copy = malloc(bytes ? bytes : 1);
	if (!a || !copy) {
		free(copy);
		return a ? wlpy_fail(w, "no memory for %llu bytes of buffers", (unsigned long long)bytes) : 0;
	}
	memcpy(copy, data, bytes);
	w->start[w->nstart++] = copy;
	a->is_buffer = true;
	a->type = elem_find("u8");
	a->count = bytes;
	a->init.kind = FILL_ZERO;
	return 1;
}

int wlpy_start(struct wlpy_job *w)
{
	struct job *job = &w->job;
	if (!job_start(job, &w->config, w->limit))
		return 0;
	for (unsigned i = 0; i < w->nstart; i++) {
		const unsigned arg = job->launch.nargs + i;
		memcpy(wl_gmem_at(&job->gmem, job->addr[arg], 1), w->start[i], job->launch.arg[arg].count);
	}
	if (!checks_start(&w->checks, job))
		return 0;
	wl_gpu_set_misuse(job->gpu, w->misuse);
	return 1;
}

/* ---- buffers of a started job ---- */

static int arg_of(const struct wlpy_job *w, uint32_t i)
{
	for (unsigned a = 0; a < w->job.launch.nall; a++)
		if (w->job.launch.arg[a].is_buffer && !i--)
			return (int)a;
	return -1;
}

uint32_t wlpy_buffers(const struct wlpy_job *w)
{
	uint32_t n = 0;
	while (arg_of(w, n) >= 0)
		n++;
	return n;
}

const char *wlpy_buffer_name(const struct wlpy_job *w, uint32_t i)
{
	return w->job.launch.arg[arg_of(w, i)].name;
}

uint64_t wlpy_buffer_bytes(const struct wlpy_job *w, uint32_t i)
{
	const struct launch_arg *a = &w->job.launch.arg[arg_of(w, i)];
	return a->count * a->type->bytes;
}

uint64_t wlpy_buffer_address(const struct wlpy_job *w, uint32_t i)
{
	return w->job.addr[arg_of(w, i)];
}

int wlpy_buffer_copy(const struct wlpy_job *w, uint32_t i, uint8_t *to)
{
	memcpy(to, wl_gmem_at(&w->job.gmem, wlpy_buffer_address(w, i), 1), wlpy_buffer_bytes(w, i));
	return 1;
}

int wlpy_buffer_write(struct wlpy_job *w, uint32_t i, const uint8_t *from)
{
	memcpy(wl_gmem_at(&w->job.gmem, wlpy_buffer_address(w, i), 1), from, wlpy_buffer_bytes(w, i));
	return 1;
}
