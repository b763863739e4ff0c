// SPDX-License-Identifier: Apache-2.0
/* profile_write.c -- a profile as a table, as JSON, for callgrind_annotate; profile_html.c has the page. */
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "profile.h"

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

static uint64_t cost(const struct profile_row *r)
{
	return r->issues + r->waited + (r->passes > r->issues ? r->passes - r->issues : 0);
}

static const struct profile *sorted;
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

static void table(const struct profile *p, const struct job *job, FILE *f)
{
	uint32_t *order = profile_order(p, job);
	fprintf(f, "profile: %9s %6s %9s %8s %9s %9s  instruction\n", "issues", "lanes", "passes", "sectors", "retries",
	        "waited");
	for (uint32_t k = 0; order && k < job->program.ninst && k < TOP; k++) {
		const struct profile_row *r = profile_row(p, order[k]);
		char inst[200];
		const char *file;
		unsigned line;
		if (!r->issues)
			break;
		text_of(&job->program, order[k], inst, sizeof inst);
		fprintf(f, "  0x%04x %9llu %6.1f %9llu %8llu %9llu %9llu  %s", 16 * order[k],
		        (unsigned long long)r->issues, (double)r->lanes / (double)r->issues,
		        (unsigned long long)r->passes, (unsigned long long)r->sectors, (unsigned long long)r->retries,
		        (unsigned long long)r->waited, inst);
		if (wl_program_line(&job->program, order[k], &file, &line))
			fprintf(f, "  (line %u)", line);
		fputc('\n', f);
	}
	free(order);
}

static json_t *row_json(const struct wl_program *program, const struct profile_row *r, uint32_t i)
{
	char inst[200];
	const char *file;
	unsigned line;
	text_of(program, i, inst, sizeof inst);
	json_t *o = json_pack("{s:I,s:s,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I}", "pc", (json_int_t)(16 * (uint64_t)i), "inst",
	                      inst, "issues", (json_int_t)r->issues, "idle", (json_int_t)r->idle, "lanes",
	                      (json_int_t)r->lanes, "passes", (json_int_t)r->passes, "sectors", (json_int_t)r->sectors,
	                      "retries", (json_int_t)r->retries, "waits", (json_int_t)r->waits, "waited",
	                      (json_int_t)r->waited);
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
	return o;
}

static void as_json(const struct profile *p, const struct job *job, bool interrupted, FILE *f)
{
	json_t *root = json_pack("{s:s,s:b,s:s}", "kernel", job->program.name, "interrupted", interrupted, "unit",
	                         "warp instructions of the SM");
	json_t *rows = json_array();
	for (uint32_t i = 0; i < job->program.ninst; i++)
		json_array_append_new(rows, row_json(&job->program, profile_row(p, i), i));
	json_object_set_new(root, "instructions", rows);
	json_dumpf(root, f, JSON_INDENT(1));
	fputc('\n', f);
	json_decref(root);
}

static void as_callgrind(const struct profile *p, const struct job *job, FILE *f)
{
	const char *now = "";
	fprintf(f,
	        "# callgrind format\nversion: 1\ncreator: wlrun\npid: 1\ncmd: %s\npart: 1\n\npositions: instr line\n"
	        "events: Issues Lanes Passes Sectors Retries Waited\n",
	        job->program.name);
	struct profile_row sum = {0};
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
		fprintf(f, "0x%x %u %llu %llu %llu %llu %llu %llu\n", 16 * i, line, (unsigned long long)r->issues,
		        (unsigned long long)r->lanes, (unsigned long long)r->passes, (unsigned long long)r->sectors,
		        (unsigned long long)r->retries, (unsigned long long)r->waited);
		sum.issues += r->issues, sum.lanes += r->lanes, sum.passes += r->passes;
		sum.sectors += r->sectors, sum.retries += r->retries, sum.waited += r->waited;
	}
	fprintf(f, "\ntotals: %llu %llu %llu %llu %llu %llu\n", (unsigned long long)sum.issues,
	        (unsigned long long)sum.lanes, (unsigned long long)sum.passes, (unsigned long long)sum.sectors,
	        (unsigned long long)sum.retries, (unsigned long long)sum.waited);
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
