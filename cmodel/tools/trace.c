// SPDX-License-Identifier: Apache-2.0
/* trace.c -- a process for each SM, in it a track for each CTA and each warp. The memory for the trace does not grow
 * with the run: a slice is written at the slice's end. */
#include "trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE = 4096, NAME = 160, NAMED_BARS = 16 };

struct track {
	bool used, waits;
	uint32_t cta, slot, track, pc;
	uint64_t begin, last, issues;
	char what[NAME];          /* text of the warp's wait */
	struct trace_point arrow; /* of the release */
	uint32_t load_pc;         /* the last load, and the address of the load */
	uint64_t load_at, load_time;
};

struct cta_track {
	bool used;
	uint32_t cta;
	uint64_t begin, last;
	struct trace_point arrival[NAMED_BARS],
	        exit; /* arrival: the last of each barrier; exit: of a warp, counts as an arrival */
};

struct trace {
	struct trace_file file;
	struct wl_seen_shape shape;
	struct track *warp;     /* [sms][WL_MAX_WARPS] */
	struct cta_track *slot; /* likewise */
	uint64_t *now;          /* [sms] */
	unsigned *waiting;      /* [sms] */
	struct trace_point store[TABLE], mbar[TABLE], cluster[TABLE];
};

static void trace_free(struct trace *t)
{
	free(t->warp), free(t->slot), free(t->now), free(t->waiting), free(t);
}

struct trace *trace_begin(const struct job *job, const char *path, char *err, size_t errn)
{
	struct trace *t = calloc(1, sizeof *t);
	if (!t) {
		snprintf(err, errn, "no memory for the trace");
		return NULL;
	}
	wl_gpu_shape(job->gpu, &t->shape);
	const size_t n = (size_t)t->shape.sms * WL_MAX_WARPS;
	t->warp = calloc(n, sizeof *t->warp);
	t->slot = calloc(n, sizeof *t->slot);
	t->now = calloc(t->shape.sms, sizeof *t->now);
	t->waiting = calloc(t->shape.sms, sizeof *t->waiting);
	const bool fits = t->warp && t->slot && t->now && t->waiting;
	if (!fits)
		snprintf(err, errn, "no memory for the trace");
	if (fits && trace_open(&t->file, path, t->shape.sms, err, errn))
		return t;
	trace_free(t);
	return NULL;
}

static uint32_t cta_tid(const struct trace *t, uint32_t cta)
{
	return 1 + cta * (t->shape.warps_per_cta + 1);
}

static void count_waiting(struct trace *t, uint32_t sm, int by)
{
	t->waiting[sm] = (unsigned)((int)t->waiting[sm] + by);
	trace_count(&t->file, sm, t->now[sm], "waiting warps", "warps", t->waiting[sm]);
}

static void slice(struct trace *t, uint32_t sm, uint32_t tid, const char *name, const char *kind, uint64_t begin,
                  uint64_t end, uint32_t pc, uint64_t issues)
{
	char more[60];
	snprintf(more, sizeof more, ",\"instructions\":%llu", (unsigned long long)issues);
	trace_slice(&t->file, sm, tid, name, kind, begin, end, 16 * pc, more);
}

/* The open slice of a warp ends. */
static void warp_stops(struct trace *t, uint32_t sm, struct track *w, uint64_t end)
{
	if (!w->used)
		return;
	if (w->waits) {
		slice(t, sm, w->track, w->what, "wait", w->begin, end, w->pc, 0);
		count_waiting(t, sm, -1);
	} else {
		slice(t, sm, w->track, "runs", "run", w->begin, end, w->pc, w->issues);
	}
}

static void cta_stops(struct trace *t, uint32_t sm, struct cta_track *c)
{
	char name[40];
	snprintf(name, sizeof name, "CTA %u", c->cta);
	if (c->used)
		slice(t, sm, cta_tid(t, c->cta), name, "cta", c->begin, c->last + 1, 0, 0);
	c->used = false;
}

static struct cta_track *slot_of(struct trace *t, uint32_t sm, uint32_t slot)
{
	return &t->slot[(size_t)sm * WL_MAX_WARPS + slot];
}

static void cta_starts(struct trace *t, const struct wl_seen *e)
{
	struct cta_track *c = slot_of(t, e->sm, e->slot);
	char name[40];
	cta_stops(t, e->sm, c);
	*c = (struct cta_track){.used = true, .cta = e->cta, .begin = t->now[e->sm], .last = t->now[e->sm]};
	snprintf(name, sizeof name, "CTA %u", e->cta);
	trace_track(&t->file, e->sm, cta_tid(t, e->cta), name);
}

static void warp_starts(struct trace *t, const struct wl_seen *e, struct track *w)
{
	char name[60];
	warp_stops(t, e->sm, w, w->last + 1);
	*w = (struct track){.used = true, .cta = e->cta, .slot = e->slot, .pc = e->pc, .begin = t->now[e->sm]};
	w->track = cta_tid(t, e->cta) + 1 + e->warp;
	snprintf(name, sizeof name, "CTA %u warp %u", e->cta, e->warp);
	trace_track(&t->file, e->sm, w->track, name);
}

/* Whether the track of a warp's place is the warp's own. */
static bool runs(const struct trace *t, const struct wl_seen *e, const struct track *w)
{
	return w->used && w->cta == e->cta && w->track == cta_tid(t, e->cta) + 1 + e->warp;
}

static void issue(struct trace *t, const struct wl_seen *e, struct track *w)
{
	t->now[e->sm] = e->time + 1;
	slot_of(t, e->sm, e->slot)->last = e->time;
	if (w->waits) {
		warp_stops(t, e->sm, w, e->time);
		w->waits = false;
		w->begin = e->time;
		w->issues = 0;
		w->pc = e->pc;
	}
	if (w->arrow.set)
		trace_arrow(&t->file, &w->arrow, e->sm, w->track, e->time, "release");
	w->arrow.set = false;
	w->last = e->time;
	w->issues++;
	if (!e->waits)
		return;
	warp_stops(t, e->sm, w, e->time + 1);
	w->waits = true;
	w->begin = e->time + 1;
	w->pc = e->pc;
	if (!w->what[0])
		snprintf(w->what, sizeof w->what, "waits for %s",
		         wl_unit_name((enum wl_unit)wl_uop_traits((enum wl_uop)e->inst->uop)->unit));
	count_waiting(t, e->sm, 1);
}

/* The last arrival at the barrier of a CTA's cluster. */
static struct trace_point *cluster_of(struct trace *t, uint32_t cta)
{
	const uint32_t size = t->shape.cluster_ctas ? t->shape.cluster_ctas : 1;
	return &t->cluster[cta / size % TABLE];
}

static const struct trace_point *later(const struct trace_point *a, const struct trace_point *b)
{
	return !a->set || (b->set && b->time > a->time) ? b : a;
}

/* Released warps of an SM: an arrow from the last arrival of the warp's own CTA, or own cluster. */
static void release(struct trace *t, const struct wl_seen *e)
{
	for (uint64_t m = e->warps; m; m &= m - 1) {
		struct track *w = &t->warp[(size_t)e->sm * WL_MAX_WARPS + (unsigned)__builtin_ctzll(m)];
		const struct cta_track *c = slot_of(t, e->sm, w->slot);
		const struct trace_point *from = e->kind == WL_SEEN_BAR_RELEASE
		                                         ? later(&c->arrival[e->id % NAMED_BARS], &c->exit)
		                                         : cluster_of(t, w->cta);
		if (from->set && w->used && (from->track != w->track || from->sm != e->sm))
			w->arrow = *from;
	}
}

static struct trace_point here(const struct trace *t, const struct wl_seen *e, const struct track *w, uint64_t at)
{
	return (struct trace_point){w->used, e->sm, w->track, at, t->now[e->sm]};
}

/* A flag: a warp reads the same bytes at the same place again, and finds another warp's store. */
static void touch(struct trace *t, const struct wl_seen *e, struct track *w)
{
	const uint64_t at = e->lanes ? e->at[__builtin_ctz(e->lanes)] : 0;
	struct trace_point *p = &t->store[at / 4 % TABLE];
	if (e->reads && w->used && w->load_pc == e->pc && w->load_at == at && p->set && p->at == at &&
	    p->time > w->load_time && p->track != w->track)
		trace_arrow(&t->file, p, e->sm, w->track, t->now[e->sm], "store to load");
	if (e->reads) {
		w->load_pc = e->pc;
		w->load_at = at;
		w->load_time = t->now[e->sm];
	}
	for (uint32_t m = e->stored; e->writes && m; m &= m - 1) {
		const uint64_t to = e->at[__builtin_ctz(m)];
		t->store[to / 4 % TABLE] = here(t, e, w, to);
	}
}

static void arrive(struct trace *t, const struct wl_seen *e, struct track *w)
{
	const bool cluster = e->kind != WL_SEEN_BAR_ARRIVE;
	if (cluster)
		snprintf(w->what, sizeof w->what, "waits for the cluster's barrier");
	else
		snprintf(w->what, sizeof w->what, "waits for barrier %u", e->id);
	*(cluster ? cluster_of(t, e->cta) : &slot_of(t, e->sm, e->slot)->arrival[e->id % NAMED_BARS]) =
	        here(t, e, w, 0);
}

static void mbarrier(struct trace *t, const struct wl_seen *e, struct track *w)
{
	for (uint32_t m = e->lanes; m; m &= m - 1) {
		const uint64_t at = e->at[__builtin_ctz(m)];
		struct trace_point *p = &t->mbar[at / 8 % TABLE];
		if (e->kind == WL_SEEN_MBAR_ARRIVE)
			*p = here(t, e, w, at);
		else if (p->set && p->at == at && p->track != w->track)
			w->arrow = *p;
	}
}

/* Events of copies name the place of a warp, perhaps after the warp's end. */
static bool of_a_warp(enum wl_seen_kind kind)
{
	return kind == WL_SEEN_ISSUE || kind == WL_SEEN_ACCESS || kind == WL_SEEN_EXIT || kind == WL_SEEN_BAR_ARRIVE ||
	       kind == WL_SEEN_CLUSTER_ARRIVE || kind == WL_SEEN_CLUSTER_WAIT || kind == WL_SEEN_MBAR_ARRIVE ||
	       kind == WL_SEEN_MBAR_PASSED;
}

void trace_event(struct trace *t, const struct wl_seen *e)
{
	struct track *w = &t->warp[(size_t)e->sm * WL_MAX_WARPS + e->warp_slot];
	if (of_a_warp(e->kind) && !runs(t, e, w))
		warp_starts(t, e, w);
	switch (e->kind) {
	case WL_SEEN_ISSUE:
		issue(t, e, w);
		if (!e->waits)
			w->what[0] = 0;
		break;
	case WL_SEEN_CTA_START:
		cta_starts(t, e);
		break;
	case WL_SEEN_ACCESS:
		touch(t, e, w);
		break;
	case WL_SEEN_BAR_ARRIVE:
	case WL_SEEN_CLUSTER_ARRIVE:
	case WL_SEEN_CLUSTER_WAIT:
		arrive(t, e, w);
		break;
	case WL_SEEN_EXIT:
		if (!(e->live & ~e->lanes))
			slot_of(t, e->sm, e->slot)->exit = here(t, e, w, 0);
		break;
	case WL_SEEN_BAR_RELEASE:
	case WL_SEEN_CLUSTER_RELEASE:
		release(t, e);
		break;
	case WL_SEEN_MBAR_ARRIVE:
	case WL_SEEN_MBAR_PASSED:
		mbarrier(t, e, w);
		break;
	default:
		break;
	}
}

bool trace_end(struct trace *t, bool interrupted, char *err, size_t errn)
{
	for (unsigned sm = 0; sm < t->shape.sms; sm++)
		for (unsigned i = 0; i < WL_MAX_WARPS; i++) {
			struct track *w = &t->warp[(size_t)sm * WL_MAX_WARPS + i];
			warp_stops(t, sm, w, w->waits ? t->now[sm] : w->last + 1);
			cta_stops(t, sm, &t->slot[(size_t)sm * WL_MAX_WARPS + i]);
		}
	const bool ok = trace_close(&t->file, "warp instructions of the SM", interrupted, err, errn);
	trace_free(t);
	return ok;
}
