// SPDX-License-Identifier: Apache-2.0
/* profile_write.c -- a profile as a table, as JSON, for callgrind_annotate; profile_html.c has the page. */
#include <errno.h>
#include <jansson.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "profile.h"
#include "source_json.h"

enum { TOP = 12 };

static bool ends_with(const char *s, const char *end)
{
	const size_t n = strlen(s), k = strlen(end);
	return n > k && strcmp(s + n - k, end) == 0;
}

static bool is_callgrind(const char *path)
{
	const char *slash = strrchr(path, '/');
	return strncmp(slash ? slash + 1 : path, "callgrind.out", 13) == 0;
}

bool profile_name_fits(const char *path, char *err, size_t errn)
{
	if (ends_with(path, ".html") || ends_with(path, ".json") || is_callgrind(path) ||
	    strncmp(path, "/dev/", 5) == 0)
		return true;
	snprintf(err, errn, "--profile: expected f.html, f.json or callgrind.out*, found '%s'", path);
	return false;
}

static const struct profile *sorted;
static uint64_t cost(const struct profile_row *r)
{
	if (profile_is_rtl(sorted))
		return r->cycles;
	return r->issues + r->waited + (r->passes > r->issues ? r->passes - r->issues : 0);
}

static int dearer(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	const uint64_t cx = cost(profile_row(sorted, x)), cy = cost(profile_row(sorted, y));
	return cx < cy ? 1 : cx > cy ? -1 : x < y ? -1 : x > y;
}

uint32_t *profile_order(const struct profile *p, const struct job *job)
{
	const uint32_t n = job->program.ninst;
	uint32_t *order = malloc((n ? n : 1) * sizeof *order);
	for (uint32_t i = 0; order && i < n; i++)
		order[i] = i;
	sorted = p;
	if (order)
		qsort(order, n, sizeof *order, dearer);
	return order;
}

static void text_of(const struct wl_program *p, uint32_t i, char *buf, size_t n)
{
	if (wl_print(p->arch, p->words[i], 16 * (uint64_t)i, buf, n) < 0)
		snprintf(buf, n, "?");
}

/* ---- columns ---- */

const struct profile_column profile_columns[] = {
#define COLUMN(member, title, shown, rtl) {#member, title, shown, rtl, offsetof(struct profile_row, member)},
#include "profile_columns.def"
#undef COLUMN
        {NULL, NULL, false, false, 0},
};

/* The next column of this profile, from `c` on. */
static const struct profile_column *has(const struct profile *p, const struct profile_column *c)
{
	while (c->name && c->rtl && !profile_is_rtl(p))
		c++;
	return c->name ? c : NULL;
}
#define EACH_COLUMN(c, p)                                                                                              \
	const struct profile_column *c = has(p, profile_columns);                                                      \
	c;                                                                                                             \
	c = has(p, c + 1)

static void table(const struct profile *p, const struct job *job, FILE *f)
{
	uint32_t *order = profile_order(p, job);
	fputs("profile:", f);
	for (EACH_COLUMN(c, p))
		if (c->shown)
			fprintf(f, " %9s", c->name);
	fputs("  instruction\n", f);
	for (uint32_t k = 0; order && k < job->program.ninst && k < TOP; k++) {
		const struct profile_row *r = profile_row(p, order[k]);
		char inst[200];
		const char *file;
		unsigned line;
		if (!r->issues)
			break;
		text_of(&job->program, order[k], inst, sizeof inst);
		fprintf(f, "  0x%04x", 16 * order[k]);
		for (EACH_COLUMN(c, p)) {
			if (c->at == offsetof(struct profile_row, lanes))
				fprintf(f, " %9.1f", (double)r->lanes / (double)r->issues);
			else if (c->shown)
				fprintf(f, " %9llu", (unsigned long long)profile_value(r, c));
		}
		fprintf(f, "  %s", inst);
		if (wl_program_line(&job->program, order[k], &file, &line))
			fprintf(f, "  (line %u)", line);
		fputc('\n', f);
	}
	free(order);
}

static json_t *row_json(const struct profile *p, const struct wl_program *program, uint32_t i)
{
	const struct profile_row *r = profile_row(p, i);
	char inst[200];
	const char *file;
	unsigned line;
	text_of(program, i, inst, sizeof inst);
	json_t *o = json_pack("{s:I,s:s}", "pc", (json_int_t)(16 * (uint64_t)i), "inst", inst);
	for (EACH_COLUMN(c, p))
		json_object_set_new(o, c->name, json_integer((json_int_t)profile_value(r, c)));
	json_t *degree = json_object();
	for (unsigned d = 1; d <= WL_WARP_LANES; d++) {
		char key[8];
		snprintf(key, sizeof key, "%u", d);
		if (r->degree[d])
			json_object_set_new(degree, key, json_integer((json_int_t)r->degree[d]));
	}
	json_object_set_new(o, "degree", degree);
	if (wl_program_line(program, i, &file, &line)) {
		json_object_set_new(o, "file", json_string(file ? file : ""));
		json_object_set_new(o, "line", json_integer(line));
	}
	inlined_json(program, i, o);
	return o;
}

static void as_json(const struct profile *p, const struct job *job, bool interrupted, FILE *f)
{
	json_t *root = json_pack("{s:s,s:b,s:s}", "kernel", job->program.name, "interrupted", interrupted, "unit",
	                         profile_unit(p));
	json_t *rows = json_array();
	for (uint32_t i = 0; i < job->program.ninst; i++)
		json_array_append_new(rows, row_json(p, &job->program, i));
	json_object_set_new(root, "instructions", rows);
	json_dumpf(root, f, JSON_INDENT(1));
	fputc('\n', f);
	json_decref(root);
}

static void as_callgrind(const struct profile *p, const struct job *job, FILE *f)
{
	const char *now = "";
	fprintf(f,
	        "# callgrind format\nversion: 1\ncreator: Warplock\npid: 1\ncmd: %s\npart: 1\n\npositions: instr "
	        "line\n",
	        job->program.name);
	fputs("events:", f);
	for (EACH_COLUMN(c, p))
		if (c->shown)
			fprintf(f, " %s", c->title);
	fputc('\n', f);
	for (uint32_t i = 0; i < job->program.ninst; i++) {
		const struct profile_row *r = profile_row(p, i);
		const char *file = "";
		unsigned line = 0;
		if (!r->issues)
			continue;
		if (!wl_program_line(&job->program, i, &file, &line) || !file)
			file = "???";
		if (strcmp(file, now) != 0)
			fprintf(f, "\nfl=%s\nfn=%s\n", file, job->program.name);
		now = file;
		fprintf(f, "0x%x %u", 16 * i, line);
		for (EACH_COLUMN(c, p))
			if (c->shown)
				fprintf(f, " %llu", (unsigned long long)profile_value(r, c));
		fputc('\n', f);
	}
	fputs("\ntotals:", f);
	for (EACH_COLUMN(c, p)) {
		uint64_t sum = 0;
		for (uint32_t i = 0; i < job->program.ninst; i++)
			sum += profile_value(profile_row(p, i), c);
		if (c->shown)
			fprintf(f, " %llu", (unsigned long long)sum);
	}
	fputc('\n', f);
}

bool profile_write(const struct profile *p, const struct job *job, const char *path, bool interrupted, char *err,
                   size_t errn)
{
	if (!path) {
		table(p, job, stdout);
		return true;
	}
	FILE *f = fopen(path, "w");
	if (!f) {
		snprintf(err, errn, "cannot write %s: %s", path, strerror(errno));
		return false;
	}
	if (is_callgrind(path))
		as_callgrind(p, job, f);
	else if (ends_with(path, ".html"))
		profile_html(p, job, interrupted, f);
	else
		as_json(p, job, interrupted, f);
	const bool bad = ferror(f) != 0;
	errno = 0;
	if (fclose(f) == 0 && !bad)
		return true;
	snprintf(err, errn, "cannot write %s: %s", path, errno ? strerror(errno) : "write error");
	return false;
}
