// SPDX-License-Identifier: Apache-2.0
/* rtl_trace.c -- a process for each SM in the RTL, with a track for each CTA and each warp. A slice is written when the
 * slice ends, so memory does not grow with the run. Posted requests overlap: each is a pair of asynchronous events. */
#include "rtl_trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../cmodel/tools/trace_file.h"
#include "options.h"

enum { TABLE = 4096, NAME = 100 };

struct warp_track {
	bool used;
	uint32_t cta, track;
	uint64_t since, front;       /* of the slice between two requests: cycle, instructions run in C */
	uint32_t load_pc;            /* the last load, */
	uint64_t load_at, load_time; /* the load's address, and the load's first pass */
};

struct cta_track {
	bool used;
	uint32_t cta;
	uint64_t begin;
};

struct rtl_trace {
	struct trace_file file;
	enum wl_arch arch;
	unsigned sms;
	uint32_t warps_per_cta;
	unsigned inflight[MOST_RTL_SMS], waiting[MOST_RTL_SMS];
	struct warp_track warp[MOST_RTL_SMS][WL_MAX_WARPS];
	struct cta_track slot[MOST_RTL_SMS][WL_MAX_CTAS];
	struct trace_point store[TABLE];
};

struct rtl_trace *rtl_trace_begin(const struct job *job, const char *path, unsigned sms, char *err, size_t errn)
{
	struct wl_seen_shape shape;
	struct rtl_trace *t = calloc(1, sizeof *t);
	if (!t) {
		snprintf(err, errn, "no memory for the trace");
		return NULL;
	}
	wl_gpu_shape(job->gpu, &shape);
	t->arch = job->program.arch;
	t->sms = sms;
	t->warps_per_cta = shape.warps_per_cta;
	if (trace_open(&t->file, path, sms, err, errn))
		return t;
	free(t);
	return NULL;
}

static uint32_t cta_tid(const struct rtl_trace *t, uint32_t cta)
{
	return 1 + cta * (t->warps_per_cta + 1);
}

/* ---- CTAs ---- */

static void cta_stops(struct rtl_trace *t, unsigned sm, struct cta_track *c, uint64_t cycle)
{
	char name[40];
	snprintf(name, sizeof name, "CTA %u", c->cta);
	if (c->used)
		trace_slice(&t->file, sm, cta_tid(t, c->cta), name, "cta", c->begin, cycle, 0, "");
	c->used = false;
}

void rtl_trace_cta(struct rtl_trace *t, bool starts, unsigned sm, unsigned slot, uint32_t cta, uint64_t cycle)
{
	char name[40];
	if (sm >= t->sms)
		return;
	struct cta_track *c = &t->slot[sm][slot % WL_MAX_CTAS];
	cta_stops(t, sm, c, cycle);
	if (!starts)
		return;
	*c = (struct cta_track){true, cta, cycle};
	snprintf(name, sizeof name, "CTA %u", cta);
	trace_track(&t->file, sm, cta_tid(t, cta), name);
	for (unsigned k = 0; k < t->warps_per_cta; k++) {
		struct warp_track *w = &t->warp[sm][(slot * t->warps_per_cta + k) % WL_MAX_WARPS];
		*w = (struct warp_track){.used = true, .cta = cta, .track = cta_tid(t, cta) + 1 + k, .since = cycle};
		snprintf(name, sizeof name, "CTA %u warp %u", cta, k);
		trace_track(&t->file, sm, w->track, name);
	}
}

void rtl_trace_front(struct rtl_trace *t, unsigned sm, unsigned warp)
{
	if (sm < t->sms)
		t->warp[sm][warp % WL_MAX_WARPS].front++;
}

/* ---- requests ---- */

/* ATOMS.ADD of `@P0 ATOMS.ADD RZ, [R3], R4`. */
static void mnemonic(const struct rtl_trace *t, const struct life *l, char *buf, size_t n)
{
	char inst[400];
	if (wl_print(t->arch, l->word, l->pc, inst, sizeof inst) < 0)
		snprintf(inst, sizeof inst, "?");
	const char *from = inst[0] == '@' && strchr(inst, ' ') ? strchr(inst, ' ') + 1 : inst;
	snprintf(buf, n, "%.*s", (int)strcspn(from, " ,;\"\\"), from);
}

static void count(struct rtl_trace *t, const struct life *l, enum life_step step, uint64_t at)
{
	unsigned *inflight = &t->inflight[l->tag.sm], *waiting = &t->waiting[l->tag.sm];
	const bool waited = l->waits != LIFE_NEVER;
	*inflight += step == LIFE_ACCEPTED;
	*inflight -= step == LIFE_WAITS || (step == LIFE_ENDED && !waited);
	*waiting += step == LIFE_WAITS;
	*waiting -= step == LIFE_ENDED && waited;
	trace_count(&t->file, l->tag.sm, at, "requests in flight", "requests", *inflight);
	if (step == LIFE_WAITS || waited)
		trace_count(&t->file, l->tag.sm, at, "waiting warps", "warps", *waiting);
}

/* Up to this request. */
static void runs(struct rtl_trace *t, const struct life *l, struct warp_track *w)
{
	char more[60];
	snprintf(more, sizeof more, ",\"instructions\":%llu", (unsigned long long)w->front);
	if (l->offered > w->since || w->front)
		trace_slice(&t->file, l->tag.sm, w->track, "runs", "run", w->since, l->offered, l->pc, more);
	w->front = 0;
	w->since = l->offered;
}

static void posted(struct rtl_trace *t, const struct life *l, struct warp_track *w, const char *name)
{
	if (l->inst.uop == WL_UOP_EXIT)
		runs(t, l, w);
	for (unsigned end = 0; end < 2; end++)
		trace_put(&t->file,
		          "{\"ph\":\"%s\",\"name\":\"%s\",\"cat\":\"posted\",\"id\":%llu,\"pid\":%u,\"tid\":%u,"
		          "\"ts\":%llu,\"args\":{\"pc\":\"0x%x\",\"passes\":%u}}",
		          end ? "e" : "b", name, (unsigned long long)l->id, l->tag.sm, w->track,
		          (unsigned long long)(end ? l->ended + 1 : l->offered), l->pc, l->passes);
}

static void object(const struct life *l, char *buf, size_t n)
{
	switch (l->unit) {
	case WL_UNIT_barrier_file:
		snprintf(buf, n, "waits for a barrier");
		break;
	case WL_UNIT_cluster_barrier:
		snprintf(buf, n, "waits for the cluster's barrier");
		break;
	case WL_UNIT_mbarrier_engine:
		snprintf(buf, n, "waits for an mbarrier");
		break;
	default:
		snprintf(buf, n, "waits for %s", wl_unit_name(l->unit));
		break;
	}
}

static void request(struct rtl_trace *t, const struct life *l, struct warp_track *w, const char *name)
{
	char more[200];
	runs(t, l, w);
	w->since = l->ended + 1;
	snprintf(more, sizeof more, ",\"passes\":%u,\"port\":%llu,\"behind others\":%u", l->passes,
	         (unsigned long long)(l->accepted - l->offered), l->others);
	trace_slice(&t->file, l->tag.sm, w->track, name, "request", l->offered, l->ended + 1, l->pc, more);
	if (!life_waited(l))
		return;
	object(l, more, sizeof more);
	trace_slice(&t->file, l->tag.sm, w->track, more, "wait", l->waits, l->ended + 1, l->pc, "");
}

/* A flag: a warp has read the same bytes at the same place before, and now finds another warp's store. */
static void touch(struct rtl_trace *t, const struct life *l, struct warp_track *w, const struct wl_record *rec)
{
	const bool shared = l->unit == WL_UNIT_atoms_pipe;
	if ((!shared && l->unit != WL_UNIT_atom_unit) || !rec->committed)
		return;
	const uint64_t salt = shared ? (uint64_t)(l->tag.sm + 1) << 56 : 0;
	const uint64_t at = salt | rec->addr[wl_lowest(rec->committed)];
	struct trace_point *p = &t->store[at / 4 % TABLE];
	if (w->load_pc == l->pc && w->load_at == at && p->set && p->at == at && p->time > w->load_time &&
	    p->time <= l->last && p->track != w->track && !l->posted)
		trace_arrow(&t->file, p, l->tag.sm, w->track, l->last, "store to load");
	if (!l->posted)
		w->load_pc = l->pc, w->load_at = at, w->load_time = l->first;
	for (uint32_t m = rec->stored; m; m &= m - 1) {
		const uint64_t to = salt | rec->addr[wl_lowest(m)];
		t->store[to / 4 % TABLE] = (struct trace_point){true, l->tag.sm, w->track, to, l->last};
	}
}

static void moved(void *self, struct life *l, enum life_step step, const struct wl_record *rec,
                  const struct life_arrival *from)
{
	struct rtl_trace *t = self;
	struct warp_track *w = &t->warp[l->tag.sm][l->tag.warp % WL_MAX_WARPS];
	char name[NAME];
	if (l->tag.sm >= t->sms)
		return;
	if (step == LIFE_ACCEPTED)
		count(t, l, step, l->accepted);
	else if (step == LIFE_WAITS)
		count(t, l, step, l->waits);
	if (step != LIFE_ENDED)
		return;
	count(t, l, step, l->ended);
	mnemonic(t, l, name, sizeof name);
	if (l->posted)
		posted(t, l, w, name);
	else
		request(t, l, w, name);
	touch(t, l, w, rec);
	if (!from)
		return;
	const struct trace_point begin = {
	        true, from->tag.sm, cta_tid(t, from->tag.cta) + 1 + from->tag.warp % t->warps_per_cta, 0, from->cycle};
	trace_arrow(&t->file, &begin, l->tag.sm, w->track, l->ended, "release");
}

static void left(void *self, struct life *l, uint64_t cycle)
{
	struct rtl_trace *t = self;
	char name[NAME];
	if (l->tag.sm >= t->sms || l->accepted == LIFE_NEVER)
		return;
	mnemonic(t, l, name, sizeof name);
	l->ended = cycle;
	struct warp_track *w = &t->warp[l->tag.sm][l->tag.warp % WL_MAX_WARPS];
	if (l->posted)
		posted(t, l, w, name);
	else
		request(t, l, w, name);
}

struct life_sink rtl_trace_sink(struct rtl_trace *t)
{
	return (struct life_sink){.self = t, .moved = moved, .left = left};
}

bool rtl_trace_end(struct rtl_trace *t, uint64_t cycle, bool interrupted, char *err, size_t errn)
{
	for (unsigned sm = 0; sm < t->sms; sm++)
		for (unsigned i = 0; i < WL_MAX_CTAS; i++)
			cta_stops(t, sm, &t->slot[sm][i], cycle);
	const bool ok = trace_close(&t->file, "cycles of the RTL", interrupted, err, errn);
	free(t);
	return ok;
}
