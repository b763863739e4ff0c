// SPDX-License-Identifier: Apache-2.0
#include "sweep.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_code.h"
#include "file.h"
#include "job.h"

/* ---- policies ---- */

static const struct {
	const char *name, *what;
} schedules[WL_SCHEDULE_COUNT] = {
#define ROW(constant, name, what) {name, what},
        WL_SCHEDULES(ROW)
#undef ROW
};

bool schedule_parse(const char *text, unsigned *schedule)
{
	for (unsigned i = 0; i < WL_SCHEDULE_COUNT; i++)
		if (strcmp(schedules[i].name, text) == 0) {
			*schedule = i;
			return true;
		}
	return false;
}

const char *schedule_name(unsigned schedule)
{
	return schedules[schedule].name;
}

void schedule_print_help(void)
{
	for (unsigned i = 0; i < WL_SCHEDULE_COUNT; i++)
		printf("  %-15s %s\n", schedules[i].name, schedules[i].what);
}

/* ---- the range ---- */

static bool seed(const char *text, char **end, uint64_t *out)
{
	errno = 0;
	*out = strtoull(text, end, 0);
	return *text >= '0' && *text <= '9' && !errno;
}

bool seed_range_parse(const char *text, struct seed_range *r)
{
	char *end;
	if (!seed(text, &end, &r->first) || strncmp(end, "..", 2) != 0 || !seed(end + 2, &end, &r->last) || *end)
		return false;
	r->given = true;
	return r->first <= r->last && r->last - r->first < UINT64_C(1) << 32;
}

/* ---- runs ---- */

/* Numbers of the running thread, at an arbitrary time. */
static void look(void *self, struct progress *line)
{
	const struct sweep *s = self;
	progress_at(line, s->runs, s->range.last - s->range.first + 1, s->failed);
}

void sweep_begin(struct sweep *s, const char *tool, struct seed_range range, bool quiet)
{
	*s = (struct sweep){.tool = tool, .range = range};
	progress_start(&s->line, tool, "seeds", quiet);
	s->line.inner = "not as expected";
	progress_watch(&s->line, look, s);
}

void sweep_stop(struct sweep *s)
{
	progress_end(&s->line);
}

void sweep_add(struct sweep *s, uint64_t number, const char *outcome, const char *detail, bool as_expected)
{
	unsigned i = 0;
	s->runs++;
	s->failed += !as_expected;
	while (i < s->rows && strcmp(s->row[i].outcome, outcome) != 0)
		i++;
	if (i == SWEEP_OUTCOMES) {
		s->unnamed++;
		return;
	}
	struct sweep_row *r = &s->row[i];
	if (i == s->rows) {
		s->rows++;
		r->first = number;
		snprintf(r->outcome, sizeof r->outcome, "%s", outcome);
		snprintf(r->detail, sizeof r->detail, "%s", detail);
	}
	r->runs++;
}

void sweep_buffer(struct sweep *s, unsigned n, const char *name, uint64_t number, const void *data, size_t size)
{
	const unsigned char *p = data;
	uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
	if (n >= SWEEP_BUFFERS)
		return;
	struct sweep_buffer *b = &s->buffer[n];
	for (size_t i = 0; i < size; i++)
		hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
	if (n == s->buffers) {
		s->buffers++;
		snprintf(b->name, sizeof b->name, "%s", name);
	}
	for (unsigned i = 0; i < b->contents; i++)
		if (b->hash[i] == hash)
			return;
	if (b->contents == 1)
		b->first_other = number;
	if (b->contents < SWEEP_CONTENTS)
		b->hash[b->contents++] = hash;
}

void sweep_add_job(struct sweep *s, uint64_t number, struct job *job, const struct job_verdict *v)
{
	char outcome[80];
	unsigned n = 0;
	snprintf(outcome, sizeof outcome, "%s", v->outcome);
	if (strcmp(v->outcome, "fault") == 0)
		snprintf(outcome, sizeof outcome, "fault %.*s", (int)strcspn(v->detail, ":"), v->detail);
	sweep_add(s, number, outcome, v->detail, v->as_expected);
	if (wl_gpu_outcome(job->gpu) != WL_ENDED)
		return;
	for (unsigned i = 0; i < job->launch.nargs; i++) {
		const struct launch_arg *a = &job->launch.arg[i];
		if (a->is_buffer)
			sweep_buffer(s, n++, a->name, number, wl_gmem_at(&job->gmem, job->addr[i], 1),
			             a->count * a->type->bytes);
	}
}

/* ---- the table ---- */

/* A word, quoted for a shell. */
static size_t add_word(char *to, size_t n, size_t at, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=,:+@%";
	const bool quote = !*word || word[strspn(word, plain)];
	if (at < n)
		at += (size_t)snprintf(to + at, n - at, "%s%s", at ? " " : "", quote ? "'" : "");
	for (; *word && at + 5 < n; word++)
		at += (size_t)snprintf(to + at, n - at, *word == '\'' ? "'\\''" : "%c", *word);
	if (quote && at < n)
		at += (size_t)snprintf(to + at, n - at, "'");
	return at;
}

/* The command line of the sweep with a single seed in place of --seeds, without --report. */
static void repeat(char *to, size_t n, int argc, char **argv, uint64_t number)
{
	char text[24];
	size_t at = 0;
	snprintf(text, sizeof text, "%llu", (unsigned long long)number);
	for (int i = 0; i < argc; i++) {
		const char *option = argv[i][0] != '-' ? "" : argv[i] + (argv[i][1] == '-' ? 2 : 1);
		const size_t bare = strcspn(option, "=");
		const bool seeds = bare == 5 && strncmp(option, "seeds", 5) == 0,
		           report = bare == 6 && strncmp(option, "report", 6) == 0;
		if (!seeds && !report) {
			at = add_word(to, n, at, argv[i]);
			continue;
		}
		i += !option[bare];
		if (seeds) {
			at = add_word(to, n, at, "--seed");
			at = add_word(to, n, at, text);
		}
	}
}

static json_t *json_of(const struct sweep *s, int argc, char **argv)
{
	char command[2000];
	json_t *o = json_object(), *rows = json_array(), *buffers = json_object();
	json_object_set_new(o, "seeds", json_pack("[I,I]", (json_int_t)s->range.first, (json_int_t)s->range.last));
	json_object_set_new(o, "runs", json_integer((json_int_t)s->runs));
	json_object_set_new(o, "not_as_expected", json_integer((json_int_t)s->failed));
	for (unsigned i = 0; i < s->rows; i++) {
		const struct sweep_row *r = &s->row[i];
		repeat(command, sizeof command, argc, argv, r->first);
		json_array_append_new(rows, json_pack("{s:s,s:I,s:I,s:s,s:s}", "outcome", r->outcome, "runs",
		                                      (json_int_t)r->runs, "first_seed", (json_int_t)r->first,
		                                      "command", command, "detail", r->detail));
	}
	for (unsigned i = 0; i < s->buffers; i++)
		json_object_set_new(buffers, s->buffer[i].name, json_integer(s->buffer[i].contents));
	json_object_set_new(o, "outcomes", rows);
	json_object_set_new(o, "buffer_contents", buffers);
	return o;
}

static bool write_json(const struct sweep *s, int argc, char **argv, const char *path)
{
	char err[400];
	json_t *o = json_of(s, argc, argv);
	char *dump = json_dumps(o, JSON_INDENT(1));
	json_decref(o);
	const bool ok = dump && file_write(path, dump, strlen(dump), err, sizeof err);
	if (!ok)
		fprintf(stderr, "%s: %s\n", s->tool, dump ? err : "no memory for the report");
	free(dump);
	return ok;
}

static void print_buffers(const struct sweep *s)
{
	for (unsigned i = 0; i < s->buffers; i++) {
		const struct sweep_buffer *b = &s->buffer[i];
		if (b->contents > 1)
			printf("buffer '%s' has %u%s different contents, the second one at seed %llu\n", b->name,
			       b->contents, b->contents == SWEEP_CONTENTS ? " or more" : "",
			       (unsigned long long)b->first_other);
	}
}

int sweep_end(struct sweep *s, int argc, char **argv, const char *report)
{
	char command[2000];
	progress_end(&s->line);
	printf("%-28s %8s  %10s  %s\n", "outcome", "runs", "first seed", "repeat with");
	for (unsigned i = 0; i < s->rows; i++) {
		const struct sweep_row *r = &s->row[i];
		repeat(command, sizeof command, argc, argv, r->first);
		printf("%-28s %8llu  %10llu  %s\n", r->outcome, (unsigned long long)r->runs,
		       (unsigned long long)r->first, command);
		if (*r->detail)
			printf("  %s\n", r->detail);
	}
	if (s->unnamed)
		printf("%-28s %8llu\n", "further outcomes", (unsigned long long)s->unnamed);
	print_buffers(s);
	printf("%s: %llu of %llu runs as expected, %.2f s\n", s->tool, (unsigned long long)(s->runs - s->failed),
	       (unsigned long long)s->runs, progress_took(&s->line));
	if (report && !write_json(s, argc, argv, report))
		return EXIT_BAD;
	return s->failed ? EXIT_BAD : EXIT_GOOD;
}
