// SPDX-License-Identifier: Apache-2.0
/* explore.c -- systematic exploration of orders.
 *
 * Each run starts at the kernel's start. A schedule is the list of choices different from the default: the warp of the
 * last choice goes on while possible. Schedules with fewer listed choices run first. A choice stands before each
 * instruction with a race in some run; a new race begins the search anew. A known partial order of events, with the
 * same warp and no more preemptions, ends the run: the continuations are known
 * (M. Musuvathi, S. Qadeer, "Partial-order reduction for context-bounded state exploration", 2007). */
#include "explore.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_code.h"
#include "explore_run.h"
#include "file.h"
#include "interrupt.h"
#include "progress.h"

enum { MOST_NODES = 1 << 24, LONGEST_RUN = 2000, NO_NODE = -1 };

/* A choice different from the default, and the link to the choices before. */
struct node {
	int32_t parent;
	uint32_t depth, warp; /* number of the choice; of the warp in the grid */
	uint32_t preempts;    /* up to here */
};
struct slot {
	uint64_t key; /* 0: free */
	uint32_t preempts;
};
struct table {
	struct slot *slot;
	uint64_t n, room;
};
struct search {
	struct explorer x;
	struct node *node;
	size_t nodes, room, next;
	struct table seen, orders;
	/* the run */
	uint32_t *forced; /* depth and warp of the choices of the node, in order */
	unsigned nforced, at;
	int32_t parent;
	uint32_t depth, preempts, streak, last;
	bool pruned, cut, full;
	struct turns turns;
	struct origin origin;
};

bool explore_how_parse(const char *text, struct explore_options *o)
{
	o->how = !text || !strcmp(text, "dpor") ? EXPLORE_DPOR : !strcmp(text, "pct") ? EXPLORE_PCT : EXPLORE_NOT;
	return o->how != EXPLORE_NOT;
}

bool explore_limit_parse(const char *text, struct explore_options *o)
{
	char *end;
	errno = 0;
	const unsigned long long v = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || errno || !v || v > UINT32_MAX || (*end && strcmp(end, "s")))
		return false;
	if (*end)
		o->seconds = (double)v;
	else
		o->runs = v;
	return true;
}

/* ---- tables ---- */

static struct slot *slot_of(const struct table *t, uint64_t key)
{
	uint64_t i = (key * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (t->room - 1);
	while (t->slot[i].key && t->slot[i].key != key)
		i = (i + 1) & (t->room - 1);
	return &t->slot[i];
}

static struct slot *table_add(struct table *t, uint64_t key, bool *fresh)
{
	if (2 * (t->n + 1) > t->room) {
		struct table old = *t;
		t->room = old.room ? 2 * old.room : 1024;
		t->slot = calloc(t->room, sizeof *t->slot);
		if (!t->slot)
			abort();
		for (uint64_t i = 0; i < old.room; i++)
			if (old.slot[i].key)
				*slot_of(t, old.slot[i].key) = old.slot[i];
		free(old.slot);
	}
	struct slot *s = slot_of(t, key + !key);
	*fresh = !s->key;
	t->n += *fresh;
	s->key = key + !key;
	return s;
}

static void table_free(struct table *t)
{
	free(t->slot);
	*t = (struct table){0};
}

/* ---- choices ---- */

static uint64_t mix(uint64_t a, uint64_t b)
{
	uint64_t z = (a ^ (b + 1) * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xbf58476d1ce4e5b9);
	return z ^ (z >> 31);
}

static uint32_t uid(const struct search *s, const struct wl_guide_warp *w)
{
	struct wl_seen_shape shape;
	wl_gpu_shape(s->x.job->gpu, &shape);
	return w->cta * shape.warps_per_cta + w->warp;
}

/* Seen before with no more preemptions: nothing new can follow. */
static bool known(struct search *s, const struct wl_guide_warp *of, unsigned n, int last)
{
	uint64_t key = mix(order_state(s->x.order), last < 0 ? 0 : 1 + (uint64_t)uid(s, &of[last]));
	bool fresh;
	for (unsigned i = 0; i < n; i++)
		key += mix(of[i].pc, uid(s, &of[i]));
	struct slot *slot = table_add(&s->seen, key, &fresh);
	if (!fresh && slot->preempts <= s->preempts)
		return true;
	slot->preempts = s->preempts;
	return false;
}

static void push(struct search *s, uint32_t warp, uint32_t preempts)
{
	if (s->nodes == MOST_NODES) {
		s->full = true;
		return;
	}
	if (s->nodes == s->room) {
		s->room = s->room ? 2 * s->room : 1024;
		s->node = realloc(s->node, s->room * sizeof *s->node);
		if (!s->node)
			abort();
	}
	s->node[s->nodes++] = (struct node){s->parent, s->depth, warp, preempts};
}

/* The default: go on; a warp after a very long stretch makes room for the next warp. */
static int usual(struct search *s, const struct wl_guide_warp *of, unsigned n, int last)
{
	unsigned i = 0;
	if (last >= 0 && s->streak < LONGEST_RUN)
		return last;
	s->cut |= last >= 0 && n > 1;
	while (i < n && uid(s, &of[i]) <= s->last)
		i++;
	return i < n ? (int)i : 0;
}

static int branch(struct search *s, const struct wl_guide_warp *of, unsigned n, int last)
{
	if (known(s, of, n, last)) {
		s->pruned = true;
		return -1;
	}
	const int take = usual(s, of, n, last);
	for (int i = 0; i < (int)n; i++) {
		const uint32_t preempts = s->preempts + (last >= 0 && i != last);
		if (i != take && preempts <= s->x.o->bound)
			push(s, uid(s, &of[i]), preempts);
	}
	return take;
}

static int choose(void *self, const struct wl_guide_warp *of, unsigned n, int last)
{
	struct search *s = self;
	int take = -1;
	if (s->at < s->nforced && s->forced[2 * s->at] == s->depth) {
		for (unsigned i = 0; i < n; i++)
			if (uid(s, &of[i]) == s->forced[2 * s->at + 1])
				take = (int)i;
		s->at++;
		s->preempts += last >= 0 && take != last;
		s->pruned |= take < 0;
	} else {
		take = s->at < s->nforced ? usual(s, of, n, last) : branch(s, of, n, last);
	}
	s->depth++;
	if (take >= 0) {
		s->streak = uid(s, &of[take]) == s->last ? s->streak + 1 : 0;
		s->last = uid(s, &of[take]);
	}
	return take;
}

static bool stops(void *self, uint32_t pc)
{
	const struct search *s = self;
	return order_races(s->x.order, pc);
}

static void ran(void *self, uint32_t cta, uint32_t warp, unsigned count)
{
	struct search *s = self;
	turns_add(&s->turns, cta, warp, count);
}

/* ---- runs ---- */

static void begin(struct search *s, int32_t node)
{
	unsigned n = 0;
	for (int32_t i = node; i >= 0; i = s->node[i].parent)
		n++;
	s->forced = realloc(s->forced, (2 * (size_t)n + 2) * sizeof *s->forced);
	if (!s->forced)
		abort();
	s->nforced = n;
	for (int32_t i = node; i >= 0; i = s->node[i].parent) {
		s->forced[2 * --n] = s->node[i].depth;
		s->forced[2 * n + 1] = s->node[i].warp;
	}
	s->parent = node;
	s->at = 0;
	s->depth = s->preempts = s->streak = 0;
	s->last = UINT32_MAX;
	s->pruned = false;
	turns_free(&s->turns);
	s->turns.seed = s->x.config.seed;
}

static bool limit_reached(const struct search *s)
{
	const struct explore_options *o = s->x.o;
	return interrupt_came() || s->x.runs >= o->runs || (o->seconds > 0 && explorer_seconds(&s->x) >= o->seconds);
}

static bool fails(const struct job_verdict *v)
{
	return strcmp(v->outcome, "pass") != 0 && strcmp(v->outcome, "interrupted") != 0;
}

/* True: the search is over, and v failed. When a run has shown a new race, the run had no choice before the accesses of
 * the race, and the run did not count preemptions at the accesses: the search begins anew, and finds a failure within
 * the bound again. */
static bool search_dpor(struct search *s, struct job_verdict *v)
{
	struct wl_guide guide = {.self = s, .stops = stops, .choose = choose, .ran = ran};
	bool fresh;
	int32_t node = NO_NODE;
	for (;;) {
		begin(s, node);
		explorer_run(&s->x, &guide, v, false);
		s->x.runs++;
		const bool failed = !s->pruned && fails(v), grew = order_grew(s->x.order);
		if (failed && (!grew || s->x.clocks || limit_reached(s)))
			return true;
		if (strcmp(v->outcome, "interrupted") == 0)
			return false;
		if (!s->pruned && !failed) {
			table_add(&s->orders, order_state(s->x.order), &fresh);
			explorer_contents(&s->x);
		}
		if (grew) {
			s->nodes = s->next = 0;
			explorer_forget(&s->x);
			table_free(&s->seen);
			table_free(&s->orders);
			node = NO_NODE;
		} else if (s->next < s->nodes) {
			node = (int32_t)s->next++;
		} else {
			return false;
		}
		if (s->x.clocks || limit_reached(s))
			return false;
	}
}

static bool search_pct(struct search *s, struct job_verdict *v)
{
	struct wl_guide guide = {.self = s, .ran = ran};
	const uint64_t first = s->x.config.seed;
	bool fresh;
	s->x.config.schedule = WL_SCHEDULE_PCT;
	while (!limit_reached(s)) {
		s->x.config.seed = first + s->x.runs;
		begin(s, NO_NODE);
		explorer_run(&s->x, &guide, v, false);
		s->x.runs++;
		if (fails(v))
			return true;
		if (strcmp(v->outcome, "interrupted") == 0)
			return false;
		table_add(&s->orders, order_state(s->x.order), &fresh);
		explorer_contents(&s->x);
	}
	return false;
}

/* ---- results ---- */

static bool complete(const struct search *s)
{
	return !interrupt_came() && s->x.o->how == EXPLORE_DPOR && s->next == s->nodes && !s->cut && !s->full &&
	       !order_copies(s->x.order);
}

static void print_cover(const struct search *s, bool failed)
{
	const unsigned long long orders = s->orders.n, runs = s->x.runs;
	const unsigned bound = s->x.o->bound;
	const double t = explorer_seconds(&s->x);
	const char *s_of_bound = bound == 1 ? "" : "s";
	if (s->x.o->how == EXPLORE_PCT)
		printf("explored: %llu schedules by priorities, %llu different orders, of an unknown number; %.2f s\n",
		       runs, orders, t);
	else if (failed)
		printf("explored: %llu schedules up to the first that fails, at most %u preemption%s; %.2f s\n", runs,
		       bound, s_of_bound, t);
	else if (complete(s))
		printf("explored: all %llu orders up to %u preemption%s; %llu schedules, %.2f s\n", orders, bound,
		       s_of_bound, runs, t);
	else if (s->next < s->nodes || interrupt_came())
		printf("explored: %llu orders up to %u preemption%s, not all: %s; %llu schedules, at least "
		       "%llu choices are left, %.2f s\n",
		       orders, bound, s_of_bound, interrupt_came() ? "interrupted" : "limit reached", runs,
		       (unsigned long long)(s->nodes - s->next), t);
	else
		printf("explored: %llu orders up to %u preemption%s, not all: %s; %llu schedules, %.2f s\n", orders,
		       bound, s_of_bound,
		       order_copies(s->x.order) ? "asynchronous copies land when the seed says so"
		                                : "a warp goes round without end, and others waited for their turn",
		       runs, t);
	for (unsigned i = 0; i < s->x.buffers; i++) {
		const struct contents *b = &s->x.buffer[i];
		if (b->n > 1)
			printf("buffer '%s' has %u%s different contents\n", b->name, b->n,
			       b->n == EXPLORE_CONTENTS ? " or more" : "");
	}
}

static bool write_report(const struct search *s, const char *outcome, const char *detail)
{
	json_t *o = json_pack("{s:s,s:s,s:{s:s,s:i,s:I,s:I,s:b}}", "outcome", outcome, "detail", detail, "explore",
	                      "by", s->x.o->how == EXPLORE_PCT ? "pct" : "dpor", "bound", (int)s->x.o->bound, "orders",
	                      (json_int_t)s->orders.n, "schedules", (json_int_t)s->x.runs, "all", complete(s));
	json_t *contents = json_object();
	char err[400];
	for (unsigned i = 0; i < s->x.buffers; i++)
		json_object_set(contents, s->x.buffer[i].name, s->x.buffer[i].shown);
	json_object_set_new(json_object_get(o, "explore"), "contents", contents);
	char *text = json_dumps(o, JSON_INDENT(1));
	const bool ok = text && file_write(s->x.o->report, text, strlen(text), err, sizeof err);
	if (!ok)
		fprintf(stderr, "wlrun: %s\n", text ? err : "no memory for the report");
	free(text);
	json_decref(o);
	return ok;
}

/* The schedule is shortened, written, and run once more for the explanation. */
static bool keep_failing(struct search *s, struct job_verdict *v)
{
	static const struct wl_guide_turn none = {0};
	char outcome[120], err[400];
	explorer_outcome(v, outcome, sizeof outcome);
	const size_t before = s->turns.n;
	s->x.config.schedule = WL_SCHEDULE_STEADY;
	if (strcmp(outcome, "limit")) /* each try would last as long */
		explorer_shorten(&s->x, &s->turns, outcome);
	struct wl_guide guide = {.turn = s->turns.n ? s->turns.turn : &none, .turns = s->turns.n};
	explorer_run(&s->x, &guide, v, true);
	printf("schedule: %zu turns, shortened to %zu", before, s->turns.n);
	if (!turns_write(s->x.o->log, &s->turns, &s->origin, outcome, err, sizeof err)) {
		printf("\n");
		fprintf(stderr, "wlrun: %s\n", err);
		return false;
	}
	printf("; repeat with: %s --schedule %s\n", s->x.o->command, s->x.o->log);
	return true;
}

static int tell(struct search *s, struct job_verdict *v, bool failed)
{
	bool ok = true;
	if (!failed && s->x.clocks) {
		fprintf(stderr,
		        "wlrun: --explore cannot tell: the kernel reads a clock, whose value depends on the order; "
		        "%llu "
		        "schedules have run\n",
		        (unsigned long long)s->x.runs);
		return EXIT_BAD;
	}
	if (failed)
		ok = keep_failing(s, v);
	print_cover(s, failed);
	if (failed)
		job_print_verdict(s->x.job, v, "wlrun");
	else
		printf("%s: no schedule failed\n", interrupt_came()                          ? "interrupted"
		                                   : strcmp(s->x.job->launch.expect, "pass") ? "not as expected"
		                                                                             : "pass");
	if (s->x.o->report)
		ok &= write_report(s,
		                   failed             ? v->outcome
		                   : interrupt_came() ? "interrupted"
		                                      : "pass",
		                   failed ? v->detail : "");
	return ok && (failed || !interrupt_came()) && !strcmp(failed ? v->outcome : "pass", s->x.job->launch.expect)
	               ? EXIT_GOOD
	               : EXIT_BAD;
}

/* Progress of the search, against the most runs: the search may end earlier. */
static void look(void *self, struct progress *line)
{
	const struct search *s = self;
	progress_at(line, s->x.runs, s->x.o->seconds > 0 ? 0 : s->x.o->runs, 0);
}

static bool searched(struct search *s, struct job_verdict *v)
{
	struct progress line;
	progress_start(&line, "wlrun --explore", "schedules", s->x.o->quiet);
	progress_watch(&line, look, s);
	interrupt_watch();
	const bool failed = s->x.o->how == EXPLORE_PCT ? search_pct(s, v) : search_dpor(s, v);
	interrupt_over();
	progress_end(&line);
	return failed;
}

int explore(struct job *job, const struct wl_config *config, unsigned checks, const struct explore_options *o)
{
	struct search *s = calloc(1, sizeof *s);
	struct job_verdict v = {.outcome = "error"};
	int status = EXIT_BAD;
	if (s) {
		s->x.job = job;
		s->x.config = *config;
		s->x.checks = checks;
		s->x.o = o;
		origin_take(&s->origin, job, config);
		job->quiet = true;
	}
	if (!s || !explorer_open(&s->x))
		fprintf(stderr, "wlrun: no memory for --explore\n");
	else
		status = tell(s, &v, searched(s, &v));
	if (s) {
		explorer_close(&s->x);
		table_free(&s->seen);
		table_free(&s->orders);
		turns_free(&s->turns);
		free(s->node);
		free(s->forced);
		free(s);
	}
	return status;
}
