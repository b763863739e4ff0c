// SPDX-License-Identifier: Apache-2.0
/* race_find.c -- findings, each pair of places once; text of findings. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "race_state.h"

enum { TEXT = 400 };

static const struct {
	const char *why, *mend;
} reasons[] = {
#define REASON(NAME, why, mend) [WL_RACE_##NAME] = {why, mend},
#include "race_reasons.def"
#undef REASON
};

const char *wl_race_why(enum wl_race_reason reason)
{
	return reasons[reason].why;
}

const char *wl_race_mend(enum wl_race_reason reason)
{
	return reasons[reason].mend;
}

/* ---- place of a finding ---- */

/* CTAs are numbered along x first; a cluster is a box of CTAs. */
static bool same_cluster(const struct race *r, uint32_t cta, const struct warp_state *w)
{
	for (unsigned i = 0; r->shape.cluster_ctas > 1 && i < r->shape.sms * WL_MAX_WARPS; i++) {
		const struct warp_state *x = r->warp[i];
		if (x && x->first == cta * warps_per_cta(r) && x->cta == cta)
			return x->cluster == w->cluster;
	}
	return false;
}

/* Have the lanes of a warp ended? No other warp takes the place of a warp before the end of the CTA. */
static bool have_ended(const struct race *r, uint32_t number, uint32_t lanes)
{
	for (unsigned i = 0; i < r->shape.sms * WL_MAX_WARPS; i++)
		if (r->warp[i] && r->warp[i]->number == number)
			return !(r->warp[i]->live & lanes);
	return false;
}

/* For a copy to global memory: the touch knows that the source is read. */
static bool source_read(struct race *r, const struct touch *t, struct stamp old)
{
	old.what = (old.what & ~(3u << WHAT_DEED)) | (uint32_t)(WL_RACE_READ + 1) << WHAT_DEED;
	return what_of(old.what) == STAMP_BULK_OUT && !race_unordered(r, t, &old);
}

static enum wl_race_reason reason_of(struct race *r, const struct touch *t, const struct stamp *old, uint32_t lanes,
                                     bool ordered)
{
	const uint32_t cta = old->warp / warps_per_cta(r);
	const bool both_strong = what_strong(t->what) && what_strong(old->what);
	if (ordered)
		return t->constant ? WL_RACE_CONSTANT : WL_RACE_PROXY;
	if (what_of(old->what) != STAMP_PLAIN)
		return source_read(r, t, *old) ? WL_RACE_WRITTEN : WL_RACE_COPY;
	if (both_strong)
		return cta != t->w->cta && !(what_wide(t->what) && what_wide(old->what)) ? WL_RACE_SCOPE : WL_RACE_SIZE;
	if (old->warp == t->w->number && old->time == r->time)
		return WL_RACE_SAME_INSTRUCTION;
	if (old->warp == t->w->number)
		return have_ended(r, old->warp, lanes) ? WL_RACE_ENDED_LANE : WL_RACE_LANES;
	if (cta == t->w->cta)
		return have_ended(r, old->warp, lanes) ? WL_RACE_ENDED : WL_RACE_CTA;
	return same_cluster(r, cta, t->w) ? WL_RACE_CLUSTER : WL_RACE_GRID;
}

static struct wl_race_site site_of(const struct race *r, uint32_t warp, uint32_t lanes, uint32_t what)
{
	return (struct wl_race_site){.cta = warp / warps_per_cta(r),
	                             .warp = warp % warps_per_cta(r),
	                             .lanes = lanes,
	                             .pc = what_pc(what),
	                             .deed = what_deed(what),
	                             .strong = what_strong(what),
	                             .narrow = what_strong(what) && !what_wide(what),
	                             .copy = what_of(what) != STAMP_PLAIN,
	                             .size = 1u << what_size(what)};
}

/* The owner of the byte's memory, and the address in that memory. */
static void locate(const struct race *r, uint64_t at, struct wl_race_finding *f)
{
	const struct wl_gmem *g = r->shape.gmem;
	f->shared = at >= r->shape.global_bytes;
	if (f->shared) {
		const uint64_t sm = (at - r->shape.global_bytes) / r->shape.shared_bytes;
		for (unsigned slot = 0; slot < r->slots; slot++) {
			const uint64_t base = r->window_at[sm * r->slots + slot];
			if (!base || base > at || (f->addr && at - base >= f->addr))
				continue;
			f->owner = r->window_cta[sm * r->slots + slot];
			f->addr = at - base;
			if (!f->addr)
				return;
		}
		return;
	}
	const struct wl_buf *b = wl_gmem_buffers(g);
	for (uint32_t i = 0; i < g->nbuf; i++)
		if (at >= b[i].at && at - b[i].at < b[i].room)
			f->addr = b[i].addr + (at - b[i].at);
}

/* The same thread may race before its end and after. */
static enum wl_race_reason while_live(enum wl_race_reason reason)
{
	return reason == WL_RACE_ENDED ? WL_RACE_CTA : reason == WL_RACE_ENDED_LANE ? WL_RACE_LANES : reason;
}

static struct wl_race_finding *known(struct race *r, enum wl_race_reason reason, uint32_t pc, uint32_t other)
{
	for (unsigned i = 0; i < r->nfindings; i++) {
		struct wl_race_finding *f = &r->finding[i];
		if (while_live(f->reason) == while_live(reason) &&
		    ((f->before.pc == pc && f->behind.pc == other) || (f->before.pc == other && f->behind.pc == pc)))
			return f;
	}
	return NULL;
}

void race_found(struct race *r, const struct touch *t, const struct stamp *old, uint32_t lanes, uint64_t at,
                unsigned bytes, bool ordered)
{
	const enum wl_race_reason reason = reason_of(r, t, old, lanes, ordered);
	struct wl_race_finding *f = known(r, reason, what_pc(old->what), what_pc(t->what));
	if (f) {
		f->count++;
		return;
	}
	if (r->nfindings == r->finding_room) {
		r->finding_room = r->finding_room ? 2 * r->finding_room : 16;
		r->finding = realloc(r->finding, r->finding_room * sizeof *r->finding);
		if (!r->finding)
			abort();
	}
	f = &r->finding[r->nfindings++];
	*f = (struct wl_race_finding){.reason = reason, .count = 1, .bytes = bytes};
	f->before = site_of(r, old->warp, lanes, old->what);
	f->behind = site_of(r, t->w->number, 1u << t->lane, t->what);
	locate(r, at, f);
}

/* ---- text ---- */

void wl_race_variable(const struct wl_race *race, const struct wl_race_finding *f, char *buf, size_t n)
{
	const struct race *r = (const struct race *)race;
	const struct wl_program *p = r->shape.program;
	const struct wl_buf *b;
	if (f->shared) {
		for (uint32_t i = 0; i < p->nshared; i++) {
			const struct wl_shared_var *v = &p->shared[i];
			if (f->addr >= v->at && f->addr - v->at < v->size) {
				snprintf(buf, n, "shared variable %s+%llu of CTA %u", v->shown,
				         (unsigned long long)(f->addr - v->at), f->owner);
				return;
			}
		}
		char object[120];
		if (wl_program_shared_object(p, r->shape.cta_shared, f->addr, object, sizeof object))
			snprintf(buf, n, "%s of CTA %u", object, f->owner);
		else
			snprintf(buf, n, "shared memory 0x%llx of CTA %u", (unsigned long long)f->addr, f->owner);
		return;
	}
	for (uint32_t i = 0; i < p->nglobals; i++) {
		const struct wl_global_var *v = &p->globals[i];
		if (f->addr >= v->at && f->addr - v->at < v->size) {
			snprintf(buf, n, "variable %s+%llu", v->shown, (unsigned long long)(f->addr - v->at));
			return;
		}
	}
	b = wl_gmem_find(r->shape.gmem, f->addr);
	if (b && b->name)
		snprintf(buf, n, "buffer %s+%llu", b->name, (unsigned long long)(f->addr - b->addr));
	else
		snprintf(buf, n, "global memory 0x%llx", (unsigned long long)f->addr);
}

const char *wl_race_deed_name(const struct wl_program *p, const struct wl_race_site *s)
{
	static const char *const deeds[] = {"read", "write", "atomic"};
	switch (s->pc < p->ninst ? p->insts[s->pc].uop : WL_UOP_NOP) {
	case WL_UOP_SYNCS_PHASECHK:
		return "mbarrier wait";
	case WL_UOP_SYNCS_ARRIVE:
		return "mbarrier arrival";
	default:
		return deeds[s->deed];
	}
}

static void tell_site(const struct race *r, const struct wl_race_site *s, const char *which, char *buf, size_t n)
{
	const struct wl_program *p = r->shape.program;
	char inst[160] = "an unknown word", place[WL_WHERE];
	if (s->pc < p->ninst && wl_print(p->arch, p->words[s->pc], 16 * (uint64_t)s->pc, inst, sizeof inst) < 0)
		snprintf(inst, sizeof inst, "an unknown word");
	wl_program_where(p, s->pc, place, sizeof place);
	snprintf(buf, n, "  %s: %s%s by CTA %u, warp %u, lanes 0x%08x at pc 0x%x `%s`%s", which,
	         s->copy ? "asynchronous " : "", wl_race_deed_name(p, s), s->cta, s->warp, s->lanes, 16 * s->pc, inst,
	         place);
}

void wl_race_tell(const struct wl_race *race, const struct wl_race_finding *f,
                  void (*line)(void *self, const char *text), void *self)
{
	const struct race *r = (const struct race *)race;
	char text[2 * TEXT + WL_WHERE], what[TEXT];
	wl_race_variable(race, f, what, sizeof what);
	snprintf(text, sizeof text, "race at %s, %u byte%s; %llu time%s", what, f->bytes, f->bytes == 1 ? "" : "s",
	         (unsigned long long)f->count, f->count == 1 ? "" : "s");
	line(self, text);
	tell_site(r, &f->before, "first", text, sizeof text);
	line(self, text);
	tell_site(r, &f->behind, "then", text, sizeof text);
	line(self, text);
	snprintf(text, sizeof text, "  why: %s", wl_race_why(f->reason));
	line(self, text);
	snprintf(text, sizeof text, "  mend: %s", wl_race_mend(f->reason));
	line(self, text);
}
