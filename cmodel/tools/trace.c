// SPDX-License-Identifier: Apache-2.0
/* trace.c -- a process for each SM, in it a track for each CTA and each warp. What is kept does not grow with the run:
 * a slice is written when the slice ends. */
#include "trace.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { TABLE = 4096, NAME = 160, NAMED_BARS = 16 };

/* Where an arrow begins. */
struct point {
	bool set;
	uint32_t sm, track;
	uint64_t at, time;
};

struct track {
	bool used, waits;
	uint32_t cta, slot, track, pc;
	uint64_t begin, last, issues;
	char what[NAME];    /* that the warp waits for */
	struct point arrow; /* of the release */
	uint32_t load_pc;   /* the last load, and its address */
	uint64_t load_at, load_time;
};

struct cta_track {
	bool used;
	uint32_t cta;
	uint64_t begin, last;
	struct point arrival[NAMED_BARS], exit; /* the last of each barrier; of a warp, which counts as an arrival */
};

struct trace {
	gzFile file;
	const char *path;
	const struct wl_program *program;
	struct wl_seen_shape shape;
	bool bad, any;
	uint64_t flows;
	struct track *warp;     /* [sms][WL_MAX_WARPS] */
	struct cta_track *slot; /* likewise */
	uint64_t *now;          /* [sms] */
	unsigned *waiting;      /* [sms] */
	struct point store[TABLE], mbar[TABLE], cluster[TABLE];
};

static bool ends_with(const char *s, const char *end)
{
	const size_t n = strlen(s), k = strlen(end);
	return n > k && strcmp(s + n - k, end) == 0;
}

bool trace_name_fits(const char *path, char *err, size_t errn)
{
	if (ends_with(path, ".json") || ends_with(path, ".json.gz") || strncmp(path, "/dev/", 5) == 0)
		return true;
	snprintf(err, errn, "--trace: expected a name that ends with .json or .json.gz, found '%s'", path);
	return false;
}

static __attribute__((format(printf, 2, 3))) void put(struct trace *t, const char *format, ...)
{
	char line[600];
	va_list ap;
	va_start(ap, format);
	const int n = vsnprintf(line, sizeof line, format, ap);
	va_end(ap);
	if (t->bad || n < 0 || (size_t)n >= sizeof line)
		return;
	if (t->any)
		t->bad |= gzputs(t->file, ",\n") < 0;
	t->any = true;
	t->bad |= gzwrite(t->file, line, (unsigned)n) != n;
}

static void name_sm(struct trace *t, unsigned sm)
{
	put(t, "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%u,\"tid\":0,\"args\":{\"name\":\"SM %u\"}}", sm, sm);
}

struct trace *trace_begin(const struct job *job, const char *path, char *err, size_t errn)
{
	struct trace *t = calloc(1, sizeof *t);
	if (!t) {
		snprintf(err, errn, "no memory for the trace");
		return NULL;
	}
	t->path = path;
	t->program = &job->program;
	wl_gpu_shape(job->gpu, &t->shape);
	const size_t n = (size_t)t->shape.sms * WL_MAX_WARPS;
	t->warp = calloc(n, sizeof *t->warp);
	t->slot = calloc(n, sizeof *t->slot);
	t->now = calloc(t->shape.sms, sizeof *t->now);
	t->waiting = calloc(t->shape.sms, sizeof *t->waiting);
	t->file = t->warp && t->slot && t->now && t->waiting ? gzopen(path, ends_with(path, ".gz") ? "wb6" : "wbT")
	                                                     : NULL;
	if (!t->file) {
		snprintf(err, errn, "cannot write %s: %s", path, strerror(errno ? errno : ENOMEM));
		free(t->warp), free(t->slot), free(t->now), free(t->waiting), free(t);
		return NULL;
	}
	t->bad = gzputs(t->file, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n") < 0;
	for (unsigned sm = 0; sm < t->shape.sms; sm++)
		name_sm(t, sm);
	return t;
}

static uint32_t cta_tid(const struct trace *t, uint32_t cta)
{
	return 1 + cta * (t->shape.warps_per_cta + 1);
}

static void count_waiting(struct trace *t, uint32_t sm, int by)
{
	t->waiting[sm] = (unsigned)((int)t->waiting[sm] + by);
	put(t, "{\"ph\":\"C\",\"name\":\"waiting warps\",\"pid\":%u,\"tid\":0,\"ts\":%llu,\"args\":{\"warps\":%u}}", sm,
	    (unsigned long long)t->now[sm], t->waiting[sm]);
}

static void slice(struct trace *t, uint32_t sm, uint32_t tid, const char *name, const char *kind, uint64_t begin,
                  uint64_t end, uint32_t pc, uint64_t issues)
{
	put(t,
	    "{\"ph\":\"X\",\"name\":\"%s\",\"cat\":\"%s\",\"pid\":%u,\"tid\":%u,\"ts\":%llu,\"dur\":%llu,"
	    "\"args\":{\"pc\":\"0x%x\",\"instructions\":%llu}}",
	    name, kind, sm, tid, (unsigned long long)begin, (unsigned long long)(end - begin), 16 * pc,
	    (unsigned long long)issues);
}

static void arrow(struct trace *t, const struct point *from, uint32_t sm, uint32_t tid, uint64_t time, const char *kind)
{
	const unsigned long long id = ++t->flows;
	put(t, "{\"ph\":\"s\",\"name\":\"%s\",\"cat\":\"flow\",\"id\":%llu,\"pid\":%u,\"tid\":%u,\"ts\":%llu}", kind,
	    id, from->sm, from->track, (unsigned long long)from->time);
	put(t,
	    "{\"ph\":\"f\",\"bp\":\"e\",\"name\":\"%s\",\"cat\":\"flow\",\"id\":%llu,\"pid\":%u,\"tid\":%u,\"ts\":%"
	    "llu}",
	    kind, id, sm, tid, (unsigned long long)time);
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
	cta_stops(t, e->sm, c);
	*c = (struct cta_track){.used = true, .cta = e->cta, .begin = t->now[e->sm], .last = t->now[e->sm]};
	put(t, "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%u,\"tid\":%u,\"args\":{\"name\":\"CTA %u\"}}", e->sm,
	    cta_tid(t, e->cta), e->cta);
}

static void warp_starts(struct trace *t, const struct wl_seen *e, struct track *w)
{
	warp_stops(t, e->sm, w, w->last + 1);
	*w = (struct track){.used = true, .cta = e->cta, .slot = e->slot, .pc = e->pc, .begin = t->now[e->sm]};
	w->track = cta_tid(t, e->cta) + 1 + e->warp;
	put(t, "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%u,\"tid\":%u,\"args\":{\"name\":\"CTA %u warp %u\"}}",
	    e->sm, w->track, e->cta, e->warp);
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
		arrow(t, &w->arrow, e->sm, w->track, e->time, "release");
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

/* Where the last arrival at the barrier of a CTA's cluster is kept. */
static struct point *cluster_of(struct trace *t, uint32_t cta)
{
	const uint32_t size = t->shape.cluster_ctas ? t->shape.cluster_ctas : 1;
	return &t->cluster[cta / size % TABLE];
}

static const struct point *later(const struct point *a, const struct point *b)
{
	return !a->set || (b->set && b->time > a->time) ? b : a;
}

/* The warps of one SM that go on: an arrow from the last arrival of their own CTA, or of their own cluster. */
static void release(struct trace *t, const struct wl_seen *e)
{
	for (uint64_t m = e->warps; m; m &= m - 1) {
		struct track *w = &t->warp[(size_t)e->sm * WL_MAX_WARPS + (unsigned)__builtin_ctzll(m)];
		const struct cta_track *c = slot_of(t, e->sm, w->slot);
		const struct point *from = e->kind == WL_SEEN_BAR_RELEASE
		                                   ? later(&c->arrival[e->id % NAMED_BARS], &c->exit)
		                                   : cluster_of(t, w->cta);
		if (from->set && w->used && (from->track != w->track || from->sm != e->sm))
			w->arrow = *from;
	}
}

static struct point here(const struct trace *t, const struct wl_seen *e, const struct track *w, uint64_t at)
{
	return (struct point){w->used, e->sm, w->track, at, t->now[e->sm]};
}

/* A flag: a warp that has read the same bytes at the same place before finds another warp's store. */
static void touch(struct trace *t, const struct wl_seen *e, struct track *w)
{
	const uint64_t at = e->lanes ? e->at[__builtin_ctz(e->lanes)] : 0;
	struct point *p = &t->store[at / 4 % TABLE];
	if (e->reads && w->used && w->load_pc == e->pc && w->load_at == at && p->set && p->at == at &&
	    p->time > w->load_time && p->track != w->track)
		arrow(t, p, e->sm, w->track, t->now[e->sm], "store to load");
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
		struct point *p = &t->mbar[at / 8 % TABLE];
		if (e->kind == WL_SEEN_MBAR_ARRIVE)
			*p = here(t, e, w, at);
		else if (p->set && p->at == at && p->track != w->track)
			w->arrow = *p;
	}
}

/* Events of copies name the place of a warp that may have ended. */
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
	char last[600];
	snprintf(last, sizeof last,
	         "\n],\"otherData\":{\"unit\":\"warp instructions of the SM\",\"interrupted\":%s}}\n",
	         interrupted ? "true" : "false");
	t->bad |= gzputs(t->file, last) < 0;
	errno = 0;
	const int closed = gzclose(t->file);
	const bool ok = closed == Z_OK && !t->bad;
	if (!ok)
		snprintf(err, errn, "cannot write %s: %s", t->path, errno ? strerror(errno) : "write error");
	free(t->warp), free(t->slot), free(t->now), free(t->waiting), free(t);
	return ok;
}
