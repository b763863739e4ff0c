// SPDX-License-Identifier: Apache-2.0
#include "checks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	bool built;
} names[] = {
#define CHECK(name, built, what) {#name, built},
#include "checks.def"
#undef CHECK
};
enum { NAMES = sizeof names / sizeof names[0] };

static void list_names(char *buf, size_t n)
{
	size_t len = 0;
	*buf = 0;
	for (unsigned i = 0; i < NAMES && len < n; i++)
		if (names[i].built)
			len += (size_t)snprintf(buf + len, n - len, "%s%s", len ? ", " : "", names[i].name);
}

static bool find(const char *name, size_t size, unsigned *i)
{
	for (*i = 0; *i < NAMES; ++*i)
		if (strlen(names[*i].name) == size && memcmp(names[*i].name, name, size) == 0)
			return true;
	return false;
}

bool checks_parse(const char *list, unsigned *set, char *err, size_t errn)
{
	char known[100];
	unsigned i;
	list_names(known, sizeof known);
	*set = 0;
	for (const char *p = list;; p++) {
		const size_t size = strcspn(p, ",");
		if (!find(p, size, &i)) {
			snprintf(err, errn, "expected a list of %s, found '%.*s'", known, (int)size, p);
			return false;
		}
		if (!names[i].built) {
			snprintf(err, errn, "the check '%s' is not built yet; there are: %s", names[i].name, known);
			return false;
		}
		*set |= 1u << i;
		p += size;
		if (!*p)
			return true;
	}
}

/* ---- what the PTX says of accesses to shared memory ---- */

static bool has(const char *line, size_t size, const char *word)
{
	const size_t n = strlen(word);
	for (size_t i = 0; i + n <= size; i++)
		if (memcmp(line + i, word, n) == 0)
			return true;
	return false;
}

static void hint(const struct checks *c, uint32_t pc, const char *line, size_t size, bool load)
{
	const bool acquires = has(line, size, ".acquire");
	const bool strong = acquires || has(line, size, ".volatile") || has(line, size, ".relaxed") ||
	                    has(line, size, ".release") || has(line, size, ".mmio");
	if (has(line, size, load ? "ld." : "st.") && !has(line, size, "mbarrier"))
		wl_race_hint(c->race, pc, strong, acquires || has(line, size, ".volatile"));
}

static void read_ptx(const struct checks *c, const struct job *job)
{
	const struct wl_program *p = &job->program;
	const char **start = NULL;
	uint32_t n = 0, room = 0;
	for (const char *at = job->ptx; at && *at; at += strcspn(at, "\n"), at += *at != 0) {
		if (n == room) {
			room = room ? 2 * room : 1024;
			const char **more = realloc(start, room * sizeof *start);
			if (!more)
				break;
			start = more;
		}
		start[n++] = at;
	}
	for (uint32_t i = 0; start && p->lines && i < p->ninst; i++) {
		const bool load = p->insts[i].uop == WL_UOP_LDS;
		if ((load || p->insts[i].uop == WL_UOP_STS) && p->lines[i] && p->lines[i] <= n)
			hint(c, i, start[p->lines[i] - 1], strcspn(start[p->lines[i] - 1], "\n"), load);
	}
	free(start);
}

bool checks_start(struct checks *c, struct job *job)
{
	struct wl_seen_shape shape;
	if (strcmp(job->launch.expect, "race") == 0)
		c->set |= 1u << CHECK_BIT_race;
	if (!(c->set >> CHECK_BIT_race & 1))
		return true;
	wl_gpu_shape(job->gpu, &shape);
	c->race = wl_race_create(&shape);
	if (!c->race) {
		snprintf(job->error, sizeof job->error, "no memory for the race checker");
		return false;
	}
	read_ptx(c, job);
	wl_gpu_observe(job->gpu, wl_race_observer(c->race));
	return true;
}

/* Clean, race, cannot tell; error of the run where that did not come to its end. */
static const char *verdict(const struct checks *c, bool ended)
{
	if (wl_race_findings(c->race))
		return "race";
	return !ended ? "error of the run" : wl_race_cannot_tell(c->race) ? "cannot tell" : "clean";
}

static void place(const struct job *job, const struct wl_race_site *s, char *buf, size_t n)
{
	const struct wl_program *p = &job->program;
	if (p->lines && s->pc < p->ninst && p->lines[s->pc])
		snprintf(buf, n, "pc 0x%x (%s, line %u)", 16 * s->pc, p->source ? p->source : "source",
		         p->lines[s->pc]);
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

void checks_judge(const struct checks *c, const struct job *job, struct job_verdict *v,
                  void (*note)(void *self, const char *text), void *self)
{
	char line[400];
	const bool ended = wl_gpu_outcome(job->gpu) == WL_ENDED && strcmp(v->outcome, "error") != 0;
	if (!c->race)
		return;
	for (unsigned i = 0; i < wl_race_findings(c->race); i++)
		wl_race_tell(c->race, wl_race_finding(c->race, i), note, self);
	const char *is = verdict(c, ended);
	snprintf(line, sizeof line, "races: %s%s%s", is, strcmp(is, "cannot tell") ? "" : ": ",
	         strcmp(is, "cannot tell") ? "" : wl_race_cannot_tell(c->race));
	note(self, line);
	if (ended && wl_race_findings(c->race)) {
		v->outcome = "race";
		detail(c, job, v->detail, sizeof v->detail);
	} else if (ended && strcmp(is, "cannot tell") == 0 && strcmp(v->outcome, "pass") == 0) {
		v->outcome = "cannot tell";
		snprintf(v->detail, sizeof v->detail, "races: %s", wl_race_cannot_tell(c->race));
	}
	v->as_expected = strcmp(v->outcome, job->launch.expect) == 0;
}

/* ---- for the report ---- */

static void set_number(json_t *o, const char *key, uint64_t v)
{
	json_object_set_new(o, key, json_integer((json_int_t)v));
}

static json_t *site_json(const struct wl_race_site *s)
{
	static const char *const deeds[] = {"read", "write", "atomic"};
	json_t *o = json_object();
	set_number(o, "cta", s->cta);
	set_number(o, "warp", s->warp);
	set_number(o, "lanes", s->lanes);
	set_number(o, "pc", 16 * (uint64_t)s->pc);
	json_object_set_new(o, "does", json_string(deeds[s->deed]));
	json_object_set_new(o, "copy", json_boolean(s->copy));
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
	json_object_set_new(o, "first", site_json(&f->before));
	json_object_set_new(o, "then", site_json(&f->behind));
	json_object_set_new(o, "why", json_string(wl_race_why(f->reason)));
	json_object_set_new(o, "mend", json_string(wl_race_mend(f->reason)));
	return o;
}

json_t *checks_json(const struct checks *c)
{
	if (!c->race)
		return NULL;
	json_t *list = json_array();
	for (unsigned i = 0; i < wl_race_findings(c->race); i++)
		json_array_append_new(list, finding_json(c, wl_race_finding(c->race, i)));
	return list;
}

void checks_free(struct checks *c)
{
	wl_race_free(c->race);
	c->race = NULL;
}
