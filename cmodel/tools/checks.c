// SPDX-License-Identifier: Apache-2.0
#include "checks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source_json.h"

static const struct {
	const char *name, *what;
} names[] = {
#define CHECK(name, what) {#name, what},
#include "checks.def"
#undef CHECK
};

static void list_names(char *buf, size_t n)
{
	size_t len = 0;
	*buf = 0;
	for (unsigned i = 0; i < CHECKS && len < n; i++)
		len += (size_t)snprintf(buf + len, n - len, "%s, ", names[i].name);
	if (len < n)
		snprintf(buf + len, n - len, "all");
}

void checks_help(FILE *f)
{
	fputs("Checks of --check, which goes with docs/insight.md; all: every one\n", f);
	for (unsigned i = 0; i < CHECKS; i++)
		fprintf(f, "  %-6s %s\n", names[i].name, names[i].what);
}

static bool find(const char *name, size_t size, unsigned *i)
{
	for (*i = 0; *i < CHECKS; ++*i)
		if (strlen(names[*i].name) == size && memcmp(names[*i].name, name, size) == 0)
			return true;
	return false;
}

bool checks_is_name(const char *outcome)
{
	unsigned i;
	return find(outcome, strlen(outcome), &i);
}

bool checks_parse(const char *list, unsigned *set, char *err, size_t errn)
{
	char known[100];
	unsigned i;
	list_names(known, sizeof known);
	for (const char *p = list;; p++) {
		const size_t size = strcspn(p, ",");
		if (size == 3 && memcmp(p, "all", 3) == 0) {
			*set |= (1u << CHECKS) - 1;
		} else if (find(p, size, &i)) {
			*set |= 1u << i;
		} else {
			snprintf(err, errn, "expected a list of %s, found '%.*s'", known, (int)size, p);
			return false;
		}
		p += size;
		if (!*p)
			return true;
	}
}

/* ---- the checkers of a run ---- */

static void hand_on(void *self, const struct wl_seen *e)
{
	const struct checks *c = self;
	if (c->race) {
		const struct wl_observer *o = wl_race_observer(c->race);
		o->event(o->self, e);
	}
	for (unsigned i = 0; i < CHECKS; i++)
		if (c->checker[i]) {
			const struct wl_observer *o = wl_checker_observer(c->checker[i]);
			o->event(o->self, e);
		}
}

static bool has(const struct checks *c, unsigned bit)
{
	return c->set >> bit & 1;
}

static bool create(struct checks *c, const struct wl_seen_shape *shape)
{
	static struct wl_checker *(*const make[CHECKS])(const struct wl_seen_shape *) = {
	        [CHECK_BIT_sync] = wl_sync_create, [CHECK_BIT_init] = wl_init_create, [CHECK_BIT_mem] = wl_mem_create};
	if (has(c, CHECK_BIT_race) && !(c->race = wl_race_create(shape)))
		return false;
	for (unsigned i = 0; i < CHECKS; i++)
		if (has(c, i) && make[i] && !(c->checker[i] = make[i](shape)))
			return false;
	return true;
}

/* A single checker sees the events directly; several checkers by turns. */
static const struct wl_observer *observer_of(struct checks *c)
{
	for (unsigned i = 0; i < CHECKS; i++)
		if (c->set == 1u << i)
			return i == CHECK_BIT_race ? wl_race_observer(c->race) : wl_checker_observer(c->checker[i]);
	c->all = (struct wl_observer){c, hand_on, .issues = false};
	return &c->all;
}

static void mark_unwritten(const struct checks *c, const struct job *job)
{
	for (unsigned i = 0; i < job->launch.nall; i++) {
		const struct launch_arg *a = &job->launch.arg[i];
		if (a->is_buffer && a->init.kind == FILL_UNWRITTEN)
			wl_init_unwritten(c->checker[CHECK_BIT_init], job->addr[i], a->count * a->type->bytes);
	}
}

bool checks_start(struct checks *c, struct job *job)
{
	struct wl_seen_shape shape;
	unsigned i;
	if (find(job->launch.expect, strlen(job->launch.expect), &i))
		c->set |= 1u << i;
	if (!c->set)
		return true;
	wl_gpu_shape(job->gpu, &shape);
	if (!create(c, &shape)) {
		snprintf(job->error, sizeof job->error, "no memory for the checkers");
		return false;
	}
	c->program = &job->program;
	checks_read_ptx(c, job);
	if (c->checker[CHECK_BIT_init])
		mark_unwritten(c, job);
	wl_gpu_observe(job->gpu, observer_of(c));
	return true;
}

/* ---- verdicts ---- */

static unsigned findings(const struct checks *c, unsigned i)
{
	return i == CHECK_BIT_race ? wl_race_findings(c->race) : wl_checker_findings(c->checker[i]);
}

static const char *doubt(const struct checks *c, unsigned i)
{
	return i == CHECK_BIT_race ? wl_race_cannot_tell(c->race) : wl_checker_cannot_tell(c->checker[i]);
}

/* Clean, finding, cannot tell; error of the run where the run did not come to an end. */
static const char *verdict(const struct checks *c, unsigned i, bool ended)
{
	if (findings(c, i))
		return i == CHECK_BIT_race ? "race" : "finding";
	return !ended ? "error of the run" : doubt(c, i) ? "cannot tell" : "clean";
}

static void place(const struct job *job, const struct wl_race_site *s, char *buf, size_t n)
{
	const char *file;
	unsigned line;
	if (wl_program_line(&job->program, s->pc, &file, &line))
		snprintf(buf, n, "pc 0x%x (%s, line %u)", 16 * s->pc, file, line);
	else
		snprintf(buf, n, "pc 0x%x", 16 * s->pc);
}

/* The first finding in a line. */
static void detail(const struct checks *c, const struct job *job, char *buf, size_t n)
{
	const unsigned count = wl_race_findings(c->race);
	const struct wl_race_finding *f = wl_race_finding(c->race, 0);
	char what[300], before[300], behind[300];
	wl_race_variable(c->race, f, what, sizeof what);
	place(job, &f->before, before, sizeof before);
	place(job, &f->behind, behind, sizeof behind);
	snprintf(buf, n, "%s: %s and %s are not ordered; %u pair%s of places", what, before, behind, count,
	         count == 1 ? "" : "s");
}

static void detail_of(const struct checks *c, unsigned i, char *buf, size_t n)
{
	const unsigned count = wl_checker_findings(c->checker[i]);
	const struct wl_check_finding *f = wl_checker_finding(c->checker[i], 0);
	char what[300];
	wl_checker_variable(c->checker[i], f, what, sizeof what);
	snprintf(buf, n, "%s at %s, pc 0x%x: %s; %u pair%s of places", wl_check_option(f->reason), what,
	         16 * f->here.pc, wl_check_why(f->reason), count, count == 1 ? "" : "s");
}

static const char *label(unsigned i)
{
	return i == CHECK_BIT_race ? "races" : names[i].name;
}

/* The place of a finding in the source. An unrolled loop has the same finding at many pairs of instructions. */
struct lines {
	const char *file[2], *does[2];
	unsigned line[2], reason;
	uint64_t count;
	bool told;
};

static void source_of(const struct checks *c, struct lines *l, unsigned n, uint32_t pc, const char *does)
{
	l->does[n] = does;
	if (!wl_program_line(c->program, pc, &l->file[n], &l->line[n]))
		l->line[n] = 0;
}

static struct lines lines_of(const struct checks *c, unsigned i, unsigned k)
{
	struct lines l = {.line = {0, 0}};
	if (i == CHECK_BIT_race) {
		const struct wl_race_finding *f = wl_race_finding(c->race, k);
		l.reason = f->reason;
		l.count = f->count;
		source_of(c, &l, 0, f->before.pc, wl_race_deed_name(c->program, &f->before));
		source_of(c, &l, 1, f->behind.pc, wl_race_deed_name(c->program, &f->behind));
	} else {
		const struct wl_check_finding *f = wl_checker_finding(c->checker[i], k);
		l.reason = f->reason;
		l.count = f->count;
		source_of(c, &l, 0, f->before.lanes ? f->before.pc : f->here.pc, f->before.lanes ? f->before.does : "");
		source_of(c, &l, 1, f->here.pc, f->here.does);
	}
	return l;
}

static bool same_lines(const struct lines *a, const struct lines *b)
{
	bool same = a->reason == b->reason;
	for (unsigned n = 0; same && n < 2; n++)
		same = a->line[n] && a->line[n] == b->line[n] && strcmp(a->file[n], b->file[n]) == 0 &&
		       strcmp(a->does[n], b->does[n]) == 0;
	return same;
}

/* The finding, and the number of others at the same lines. */
static void tell_finding(const struct checks *c, unsigned i, unsigned k, struct lines *all,
                         void (*note)(void *self, const char *text), void *self)
{
	char line[200];
	unsigned further = 0;
	uint64_t times = 0;
	if (i == CHECK_BIT_race)
		wl_race_tell(c->race, wl_race_finding(c->race, k), note, self);
	else
		wl_checker_tell(c->checker[i], wl_checker_finding(c->checker[i], k), note, self);
	for (unsigned j = k + 1; all && j < findings(c, i); j++)
		if (!all[j].told && same_lines(&all[k], &all[j])) {
			all[j].told = true;
			further++;
			times += all[j].count;
		}
	if (!further)
		return;
	snprintf(line, sizeof line, "  also: %u further pair%s of instructions of these lines, %llu time%s", further,
	         further == 1 ? "" : "s", (unsigned long long)times, times == 1 ? "" : "s");
	note(self, line);
}

static void tell(const struct checks *c, unsigned i, bool ended, void (*note)(void *self, const char *text), void *self)
{
	char line[400];
	const char *is = verdict(c, i, ended);
	const unsigned n = findings(c, i);
	struct lines *all = n ? calloc(n, sizeof *all) : NULL; /* without: each finding is told */
	for (unsigned k = 0; all && k < n; k++)
		all[k] = lines_of(c, i, k);
	for (unsigned k = 0; k < n; k++)
		if (!all || !all[k].told)
			tell_finding(c, i, k, all, note, self);
	free(all);
	const bool unsure = strcmp(is, "cannot tell") == 0;
	snprintf(line, sizeof line, "%s: %s%s%s", label(i), is, unsure ? ": " : "", unsure ? doubt(c, i) : "");
	note(self, line);
}

/* The outcome of an ended run: the outcome of the first check with a finding, and else a doubt. A run not ended has the
 * outcome of a check with a finding where the launch file expects the check's outcome. */
static void settle(const struct checks *c, unsigned i, const struct job *job, bool ended, struct job_verdict *v)
{
	const bool asked_for = strcmp(job->launch.expect, names[i].name) == 0;
	if (findings(c, i) && (ended || asked_for)) {
		v->outcome = names[i].name;
		if (i == CHECK_BIT_race)
			detail(c, job, v->detail, sizeof v->detail);
		else
			detail_of(c, i, v->detail, sizeof v->detail);
	} else if (ended && doubt(c, i) && strcmp(v->outcome, "pass") == 0) {
		v->outcome = "cannot tell";
		snprintf(v->detail, sizeof v->detail, "%s: %s", label(i), doubt(c, i));
	}
}

void checks_judge(const struct checks *c, const struct job *job, struct job_verdict *v,
                  void (*note)(void *self, const char *text), void *self)
{
	const bool ended = wl_gpu_outcome(job->gpu) == WL_ENDED && strcmp(v->outcome, "error") != 0;
	unsigned expected;
	if (!c->set)
		return;
	for (unsigned i = 0; i < CHECKS; i++)
		if (has(c, i))
			tell(c, i, ended, note, self);
	if (find(job->launch.expect, strlen(job->launch.expect), &expected))
		settle(c, expected, job, ended, v);
	for (unsigned i = 0; i < CHECKS; i++)
		if (has(c, i) && !checks_is_name(v->outcome))
			settle(c, i, job, ended, v);
	v->as_expected = strcmp(v->outcome, job->launch.expect) == 0;
}

/* ---- for the report ---- */

static void set_number(json_t *o, const char *key, uint64_t v)
{
	json_object_set_new(o, key, json_integer((json_int_t)v));
}

static json_t *site_json(const struct checks *c, const struct wl_race_site *s)
{
	json_t *o = json_object();
	set_number(o, "cta", s->cta);
	set_number(o, "warp", s->warp);
	set_number(o, "lanes", s->lanes);
	set_number(o, "pc", 16 * (uint64_t)s->pc);
	json_object_set_new(o, "does", json_string(wl_race_deed_name(c->program, s)));
	json_object_set_new(o, "copy", json_boolean(s->copy));
	source_json(c->program, s->pc, o);
	return o;
}

static json_t *finding_json(const struct checks *c, const struct wl_race_finding *f)
{
	char what[300];
	json_t *o = json_object(), *name;
	wl_race_variable(c->race, f, what, sizeof what);
	name = json_string(what);
	json_object_set_new(o, "where", name ? name : json_string("?"));
	set_number(o, "bytes", f->bytes);
	set_number(o, "count", f->count);
	json_object_set_new(o, "first", site_json(c, &f->before));
	json_object_set_new(o, "then", site_json(c, &f->behind));
	json_object_set_new(o, "why", json_string(wl_race_why(f->reason)));
	json_object_set_new(o, "mend", json_string(wl_race_mend(f->reason)));
	return o;
}

static json_t *check_site_json(const struct checks *c, const struct wl_check_site *s)
{
	json_t *o = json_object();
	set_number(o, "cta", s->cta);
	set_number(o, "warp", s->warp);
	set_number(o, "lanes", s->lanes);
	set_number(o, "pc", 16 * (uint64_t)s->pc);
	json_object_set_new(o, "does", json_string(s->does));
	source_json(c->program, s->pc, o);
	return o;
}

static json_t *check_finding_json(const struct checks *c, const struct wl_checker *k, const struct wl_check_finding *f)
{
	char what[300];
	json_t *o = json_object(), *name;
	wl_checker_variable(k, f, what, sizeof what);
	name = json_string(what);
	json_object_set_new(o, "kind", json_string(wl_check_option(f->reason)));
	json_object_set_new(o, "where", name ? name : json_string("?"));
	set_number(o, "bytes", f->bytes);
	set_number(o, "count", f->count);
	if (f->before.lanes)
		json_object_set_new(o, "first", check_site_json(c, &f->before));
	json_object_set_new(o, f->before.lanes ? "then" : "at", check_site_json(c, &f->here));
	json_object_set_new(o, "why", json_string(wl_check_why(f->reason)));
	json_object_set_new(o, "mend", json_string(wl_check_mend(f->reason)));
	return o;
}

json_t *checks_json(const struct checks *c)
{
	json_t *o = NULL;
	for (unsigned i = 0; i < CHECKS; i++) {
		if (i == CHECK_BIT_race ? !c->race : !c->checker[i])
			continue;
		json_t *list = json_array();
		for (unsigned k = 0; k < findings(c, i); k++)
			json_array_append_new(list, i == CHECK_BIT_race
			                                    ? finding_json(c, wl_race_finding(c->race, k))
			                                    : check_finding_json(c, c->checker[i],
			                                                         wl_checker_finding(c->checker[i], k)));
		o = o ? o : json_object();
		json_object_set_new(o, label(i), list);
	}
	return o;
}

void checks_free(struct checks *c)
{
	wl_race_free(c->race);
	c->race = NULL;
	for (unsigned i = 0; i < CHECKS; i++) {
		wl_checker_free(c->checker[i]);
		c->checker[i] = NULL;
	}
}
