// SPDX-License-Identifier: Apache-2.0
/* record.c -- the report of launches, and launch files of launches: a launch becomes a file with the buffers before and
 * after the run. wlrun and wlcosim repeat the file.
 *
 * A launch does not name the buffers read by the kernel. The record takes the buffers with an address in the
 * parameters, and, in turn, in the bytes of a taken buffer: every 8 bytes at a multiple of 8. A pointer computed by the
 * kernel in another way is missed; the repetition then ends in a fault, not in a wrong result. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "driver.h"

enum { MOST_BUFFERS = 200, PATH = 1200 };

struct saved {
	uint64_t base, bytes;
	uint8_t *before;
};
struct recording {
	const struct launch *launch;
	char path[PATH];
	FILE *to;
	unsigned number, n;
	bool full;
	struct saved saved[MOST_BUFFERS];
};

/* ---- the report ---- */

void report_launch(const struct launch *l, const char *outcome, uint64_t instructions, double ms)
{
	static FILE *to;
	if (!Device.report)
		return;
	if (!to && !(to = fopen(Device.report, "a"))) {
		say("%s: cannot be written: %s", Device.report, strerror(errno));
		Device.report = NULL;
		return;
	}
	const int n = fprintf(to, "%s\t%u,%u,%u\t%u,%u,%u\t%s\t%" PRIu64 "\t%.3f\n", l->function->name, l->grid[0],
	                      l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2], outcome, instructions, ms);
	if (n >= 0 && !fflush(to))
		return;
	say("%s: cannot be written: %s", Device.report, strerror(errno));
	Device.report = NULL;
}

/* ---- choice of buffers ---- */

static void take(struct recording *r, uint64_t address)
{
	const struct block *b = memory_find(address);
	if (b && !memory_reaches(r->launch->function->module->context, b))
		return;
	for (unsigned i = 0; b && i < r->n; i++)
		if (r->saved[i].base == b->base)
			return;
	if (!b)
		return;
	if (r->n == MOST_BUFFERS) {
		r->full = true;
		return;
	}
	r->saved[r->n++] = (struct saved){b->base, b->bytes, NULL};
}

static void scan(struct recording *r, const uint8_t *bytes, uint64_t n)
{
	for (uint64_t i = 0; i + 8 <= n; i += 8) {
		uint64_t v;
		memcpy(&v, bytes + i, sizeof v);
		if (v >> 32)
			take(r, v);
	}
}

static int by_base(const void *a, const void *b)
{
	const struct saved *x = a, *y = b;
	return x->base < y->base ? -1 : x->base > y->base;
}

static void find_buffers(struct recording *r, const struct wl_launch *start)
{
	const struct launch *l = r->launch;
	const struct module *m = l->function->module;
	scan(r, l->params, l->function->program.param_bytes);
	if (m->data)
		take(r, m->bases.data);
	if (m->constants)
		take(r, m->bases.constants);
	if (start->heap)
		take(r, start->heap);
	for (unsigned i = 0; i < r->n; i++)
		scan(r, memory_at(r->saved[i].base, r->saved[i].bytes), r->saved[i].bytes);
	qsort(r->saved, r->n, sizeof *r->saved, by_base);
}

/* ---- files ---- */

static bool write_bytes(const char *path, const void *bytes, uint64_t n)
{
	FILE *f = fopen(path, "wb");
	bool good = f && fwrite(bytes, 1, n, f) == n;
	if (good && fflush(f))
		good = false;
	if (!good)
		say("%s: cannot be written: %s", path, strerror(errno));
	if (f)
		fclose(f);
	return good;
}

static bool write_module(const struct module *m, char name[64])
{
	char path[PATH];
	snprintf(name, 64, "module_%016" PRIxPTR ".cubin", (uintptr_t)m->bytes);
	snprintf(path, sizeof path, "%s/%s", Device.record, name);
	FILE *f = fopen(path, "rb");
	if (f)
		fclose(f);
	return f || write_bytes(path, m->bytes, m->size);
}

static void text(FILE *to, const char *s)
{
	fputc('"', to);
	for (; *s; s++)
		fprintf(to, *s == '"' || *s == '\\' ? "\\%c" : "%c", *s);
	fputc('"', to);
}

static void write_params(const struct recording *r)
{
	const struct wl_program *p = &r->launch->function->program;
	fprintf(r->to, " \"args\": [");
	for (uint32_t i = 0; i < p->nparams; i++) {
		fprintf(r->to, "%s\n  {\"name\": \"param_%u\", \"kind\": \"bytes\", \"size\": %u, \"hex\": \"",
		        i ? "," : "", i, p->params[i].size);
		for (uint32_t k = 0; k < p->params[i].size; k++)
			fprintf(r->to, "%02x", r->launch->params[p->params[i].offset + k]);
		fprintf(r->to, "\"}");
	}
	fprintf(r->to, "],\n");
}

static void write_head(const struct recording *r, const struct wl_launch *start, const char *module, unsigned sms)
{
	const struct launch *l = r->launch;
	const struct module *m = l->function->module;
	fprintf(r->to, "{\n \"kernel\": ");
	text(r->to, l->function->name);
	fprintf(r->to, ",\n \"doc\": \"launch %u; --sms %u\"", r->number, sms);
	fprintf(r->to, ",\n \"grid\": [%u, %u, %u],\n \"block\": [%u, %u, %u],\n", l->grid[0], l->grid[1], l->grid[2],
	        l->block[0], l->block[1], l->block[2]);
	if (l->cluster[0])
		fprintf(r->to, " \"cluster\": [%u, %u, %u],\n", l->cluster[0], l->cluster[1], l->cluster[2]);
	fprintf(r->to, " \"dynamic_shared\": %u,\n \"stack\": %u,\n", l->shared, l->function->program.local_bytes);
	if (l->cooperative)
		fprintf(r->to, " \"cooperative\": true,\n");
	if (m->data)
		fprintf(r->to, " \"variables_at\": \"0x%" PRIx64 "\",\n", m->bases.data);
	if (m->constants)
		fprintf(r->to, " \"constants_at\": \"0x%" PRIx64 "\",\n", m->bases.constants);
	if (start->heap)
		fprintf(r->to, " \"heap_at\": \"0x%" PRIx64 "\",\n", start->heap);
	fprintf(r->to, " \"ptx\": {\"sm_%u\": \"%s\"},\n", Device.chip, module);
	write_params(r);
}

struct recording *record_begin(const struct launch *l, const struct wl_launch *start, unsigned sms)
{
	static unsigned number;
	char module[64], path[PATH];
	if ((Device.record_kernel && strcmp(Device.record_kernel, l->function->name) != 0) ||
	    (Device.record_first && number >= Device.record_first))
		return NULL;
	struct recording *r = calloc(1, sizeof *r);
	if (!r)
		return NULL;
	r->launch = l;
	r->number = ++number;
	mkdir(Device.record, 0777);
	find_buffers(r, start);
	snprintf(r->path, sizeof r->path, "%.1000s/%05u", Device.record, r->number);
	snprintf(path, sizeof path, "%.1100s.json", r->path);
	if (r->full)
		say("record: launch %u takes more than %d buffers: not recorded", r->number, MOST_BUFFERS);
	else if (write_module(l->function->module, module) && !(r->to = fopen(path, "w")))
		say("%s: %s", path, strerror(errno));
	if (!r->to) {
		free(r);
		return NULL;
	}
	write_head(r, start, module, sms);
	for (unsigned i = 0; i < r->n; i++) {
		struct saved *s = &r->saved[i];
		s->before = malloc(s->bytes);
		if (s->before)
			memcpy(s->before, memory_at(s->base, s->bytes), s->bytes);
		snprintf(path, sizeof path, "%.1100s.%u.in", r->path, i);
		write_bytes(path, memory_at(s->base, s->bytes), s->bytes);
	}
	return r;
}

/* Of a buffer without writes the start contents are expected: no second file. */
void record_end(struct recording *r, const char *outcome)
{
	const char *name = strrchr(r->path, '/') + 1;
	char path[PATH];
	const bool passed = strcmp(outcome, "pass") == 0;
	fprintf(r->to, " \"buffers\": [");
	for (unsigned i = 0; i < r->n; i++) {
		struct saved *s = &r->saved[i];
		const uint8_t *now = memory_at(s->base, s->bytes);
		const bool same = s->before && memcmp(s->before, now, s->bytes) == 0;
		snprintf(path, sizeof path, "%.1100s.%u.out", r->path, i);
		if (!same && passed)
			write_bytes(path, now, s->bytes);
		fprintf(r->to, "%s\n  {\"name\": \"m%" PRIx64 "\", \"type\": \"u8\", \"count\": %" PRIu64, i ? "," : "",
		        s->base, s->bytes);
		fprintf(r->to, ", \"address\": \"0x%" PRIx64 "\", \"init\": \"file:%s.%u.in\"", s->base, name, i);
		if (passed)
			fprintf(r->to, ", \"expect\": \"file:%s.%u.%s\"", name, i, same ? "in" : "out");
		fprintf(r->to, "}");
		free(s->before);
	}
	fprintf(r->to, "],\n \"expect\": \"%s\"\n}\n", outcome);
	snprintf(path, sizeof path, "%.1100s.json", r->path);
	if (ferror(r->to) || fflush(r->to))
		say("%s: cannot be written: %s", path, strerror(errno));
	fclose(r->to);
	free(r);
}
