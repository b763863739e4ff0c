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

/* ---- what the PTX says of accesses to shared memory ---- */

static bool holds(const char *line, size_t size, const char *word)
{
	const size_t n = strlen(word);
	for (size_t i = 0; i + n <= size; i++)
		if (memcmp(line + i, word, n) == 0)
			return true;
	return false;
}

static void hint(const struct checks *c, uint32_t pc, const char *line, size_t size, bool load)
{
	const bool acquires = holds(line, size, ".acquire");
	const bool strong = acquires || holds(line, size, ".volatile") || holds(line, size, ".relaxed") ||
	                    holds(line, size, ".release") || holds(line, size, ".mmio");
	if (holds(line, size, load ? "ld." : "st.") && !holds(line, size, "mbarrier"))
		wl_race_hint(c->race, pc, strong, acquires || holds(line, size, ".volatile"));
}

/* Starts of the lines of the PTX; NULL: the program comes from no PTX, or memory is short. */
static const char **ptx_lines(const struct job *job, uint32_t *n)
{
	const char **start = NULL;
	uint32_t room = 0;
	*n = 0;
	for (const char *at = job->ptx; at && *at; at += strcspn(at, "\n"), at += *at != 0) {
		if (*n == room) {
			room = room ? 2 * room : 1024;
			const char **more = realloc(start, room * sizeof *start);
			if (!more)
				break;
			start = more;
		}
		start[(*n)++] = at;
	}
	return start;
}

/* The line has words of PTX that begin so, and each has .relaxed. */
static bool relaxed(const char *line, size_t size, const char *const *begins)
{
	unsigned words = 0, without = 0;
	for (size_t i = 0; i < size; i++)
		for (unsigned k = 0; begins[k]; k++) {
			if (size - i < strlen(begins[k]) || memcmp(line + i, begins[k], strlen(begins[k])) != 0)
				continue;
			const size_t word = strcspn(line + i, " \t\n;");
			words++;
			without += !holds(line + i, word < size - i ? word : size - i, ".relaxed");
		}
	return words && !without;
}

static void hint_race(const struct checks *c, const struct wl_program *p, const char **start, uint32_t n)
{
	static const char *const arrives[] = {"mbarrier.arrive", NULL};
	static const char *const waits[] = {"mbarrier.test_wait", "mbarrier.try_wait", NULL};
	for (uint32_t i = 0; i < p->ninst; i++) {
		const uint16_t u = p->insts[i].uop;
		const char *line = p->lines[i] && p->lines[i] <= n ? start[p->lines[i] - 1] : "";
		const size_t size = strcspn(line, "\n");
		if (u == WL_UOP_LDS || u == WL_UOP_STS)
			hint(c, i, line, size, u == WL_UOP_LDS);
		else if ((u == WL_UOP_SYNCS_ARRIVE && relaxed(line, size, arrives)) ||
		         (u == WL_UOP_SYNCS_PHASECHK && relaxed(line, size, waits)))
			wl_race_hint_relaxed(c->race, i);
	}
}

/* wlcc makes no word of fence.mbarrier_init. */
static void hint_sync(const struct checks *c, const struct wl_program *p, const char **start, uint32_t n)
{
	uint32_t first = n, last = 0;
	for (uint32_t i = 0; i < p->ninst; i++)
		if (p->lines[i] && p->lines[i] <= n) {
			first = p->lines[i] < first ? p->lines[i] : first;
			last = p->lines[i] > last ? p->lines[i] : last;
		}
	for (uint32_t k = first; k <= last; k++)
		if (holds(start[k - 1], strcspn(start[k - 1], "\n"), "fence.mbarrier_init"))
			wl_sync_hide_fences(c->checker[CHECK_BIT_sync]);
}

static void read_ptx(const struct checks *c, const struct job *job)
{
	uint32_t n;
	const char **start = ptx_lines(job, &n);
	if (start && job->program.lines && c->race)
		hint_race(c, &job->program, start, n);
	if (start && job->program.lines && c->checker[CHECK_BIT_sync])
		hint_sync(c, &job->program, start, n);
	free(start);
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

/* One checker sees the events at once; several by turns. */
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
	read_ptx(c, job);
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

/* Clean, finding, cannot tell; error of the run where that did not come to its end. */
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

/* The first finding in one line. */
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

static void tell(const struct checks *c, unsigned i, bool ended, void (*note)(void *self, const char *text), void *self)
{
	char line[400];
	const char *is = verdict(c, i, ended);
	for (unsigned k = 0; k < findings(c, i); k++)
		if (i == CHECK_BIT_race)
			wl_race_tell(c->race, wl_race_finding(c->race, k), note, self);
		else
			wl_checker_tell(c->checker[i], wl_checker_finding(c->checker[i], k), note, self);
	const bool unsure = strcmp(is, "cannot tell") == 0;
	snprintf(line, sizeof line, "%s: %s%s%s", label(i), is, unsure ? ": " : "", unsure ? doubt(c, i) : "");
	note(self, line);
}

/* The outcome of a run that has come to its end: that of the first check with a finding, and else a doubt. A run that
 * stopped by what a check is for has the check's outcome where the launch file expects that. */
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
	static const char *const deeds[] = {"read", "write", "atomic"};
	json_t *o = json_object();
	set_number(o, "cta", s->cta);
	set_number(o, "warp", s->warp);
	set_number(o, "lanes", s->lanes);
	set_number(o, "pc", 16 * (uint64_t)s->pc);
	json_object_set_new(o, "does", json_string(deeds[s->deed]));
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
