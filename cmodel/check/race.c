// SPDX-License-Identifier: Apache-2.0
/* race.c -- events to state; knowledge of lanes.
 *
 * A lane's access is ordered behind an older access when the lane's clock says so. Accesses of the same lane are in
 * program order. Lanes of a warp are in no order by themselves, like any two threads. */
#include "race_state.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void race_doubt(struct race *r, const char *format, ...)
{
	va_list ap;
	if (r->doubt[0])
		return;
	va_start(ap, format);
	vsnprintf(r->doubt, sizeof r->doubt, format, ap);
	va_end(ap);
}

struct warp_state *warp_of(const struct race *r, const struct wl_seen *e)
{
	return r->warp[e->sm * WL_MAX_WARPS + e->warp_slot];
}

struct clock *join_of(struct race *r, struct clock *a, struct clock *b)
{
	if (!a || !b || a == b)
		return clock_hold(a ? a : b);
	for (unsigned i = 0; i < JOINS; i++)
		if (r->joined[i].a == a && r->joined[i].b == b)
			return clock_hold(r->joined[i].to);
	struct joined *j = &r->joined[r->next_joined++ % JOINS];
	clock_drop(j->a);
	clock_drop(j->b);
	clock_drop(j->to);
	*j = (struct joined){clock_hold(a), clock_hold(b), clock_join(a, b, warps_per_cta(r))};
	return clock_hold(j->to);
}

void join_into(struct race *r, struct clock **to, struct clock *b)
{
	if (!b || *to == b)
		return;
	struct clock *c = join_of(r, *to, b);
	clock_drop(*to);
	*to = c;
}

void lane_set(struct race *r, struct warp_state *w, unsigned lane, struct clock *c)
{
	if (w->c[lane] == c) {
		clock_drop(c);
		return;
	}
	clock_drop(w->c[lane]);
	w->c[lane] = c;
	w->changed = true;
	if (!c || r->set.serial != c->serial || r->set.cta != w->cta) {
		r->set.serial = c ? c->serial : 0;
		r->set.cta = w->cta;
		r->set.time = clock_at(c, clock_key(CLOCK_PLAIN, LEVEL_CTA, w->cta));
	}
	w->cta_time[lane] = r->set.time;
}

void lane_join(struct race *r, struct warp_state *w, unsigned lane, struct clock *c)
{
	if (c && c != w->c[lane])
		lane_set(r, w, lane, join_of(r, w->c[lane], c));
}

/* Lanes with the same clock get the same clock. */
void lanes_join(struct race *r, struct warp_state *w, uint32_t lanes, struct clock *c)
{
	const struct clock *from = NULL;
	struct clock *to = NULL;
	for (uint32_t m = c ? lanes : 0; m; m &= m - 1) {
		const unsigned lane = (unsigned)__builtin_ctz(m);
		if (w->c[lane] == c || (to && w->c[lane] == to))
			continue;
		if (!to || w->c[lane] != from) {
			from = w->c[lane];
			clock_drop(to);
			to = join_of(r, w->c[lane], c);
		}
		lane_set(r, w, lane, clock_hold(to));
	}
	clock_drop(to);
}

/* ---- publication ---- */

struct entries {
	struct clock_entry e[(1 + COPIES) * WL_WARP_LANES];
	uint32_t n;
};

/* The time of each of the lanes, as a single entry if the lanes are the whole warp and have the same time. */
static void add_times(const struct warp_state *w, uint32_t lanes, enum clock_of of, const uint32_t *time, size_t step,
                      bool whole, struct entries *to)
{
	const unsigned first = (unsigned)__builtin_ctz(lanes);
	bool same = whole;
	for (uint32_t m = lanes; m && same; m &= m - 1)
		same = time[(unsigned)__builtin_ctz(m) * step] == time[first * step];
	if (same) {
		if (time[first * step])
			to->e[to->n++] = (struct clock_entry){clock_key(of, LEVEL_WARP, w->number), time[first * step]};
		return;
	}
	for (uint32_t m = lanes; m; m &= m - 1) {
		const unsigned lane = (unsigned)__builtin_ctz(m);
		const uint64_t id = (uint64_t)w->number * WL_WARP_LANES + lane;
		if (time[lane * step])
			to->e[to->n++] = (struct clock_entry){clock_key(of, LEVEL_LANE, id), time[lane * step]};
	}
}

static void own_times(const struct race *r, const struct warp_state *w, uint32_t lanes, struct entries *own)
{
	const uint32_t now = r->time;
	own->n = 0;
	/* accesses of ended lanes that are not lost come before the lanes' clocks already */
	add_times(w, lanes, CLOCK_PLAIN, &now, 0, lanes == w->live && !w->lost, own);
	for (unsigned k = 0; w->has_copied && k < COPIES; k++)
		add_times(w, lanes, CLOCK_BY_LANE + k, &w->lane[0].copied[k],
		          sizeof w->lane[0] / sizeof w->lane[0].copied[k], is_whole(w, lanes), own);
}

void publish_into(struct race *r, struct clock **to, const struct warp_state *w, uint32_t lanes)
{
	struct entries own;
	own_times(r, w, lanes, &own);
	const struct clock *last = NULL; /* lanes mostly have the same clock */
	for (uint32_t m = lanes; m; m &= m - 1) {
		struct clock *c = w->c[__builtin_ctz(m)];
		if (c != last)
			join_into(r, to, c);
		last = c;
	}
	struct clock *all = clock_add(*to, own.e, own.n, warps_per_cta(r));
	clock_drop(*to);
	*to = all;
}

struct clock *publish(struct race *r, const struct warp_state *w, uint32_t lanes)
{
	struct clock *all = NULL;
	publish_into(r, &all, w, lanes);
	return all;
}

/* ---- CTAs ---- */

static void drop_fenced(struct fenced *f)
{
	clock_drop(f->c);
	*f = (struct fenced){0};
}

static void forget_warp(struct warp_state *w)
{
	for (unsigned i = 0; i < WL_WARP_LANES; i++) {
		struct lane_state *l = &w->lane[i];
		clock_drop(w->c[i]);
		if (!w->has_fenced)
			continue;
		clock_drop(l->near);
		clock_drop(l->far);
		drop_fenced(&l->cta);
		drop_fenced(&l->gpu);
	}
	free(w->group);
	memset(w, 0, sizeof *w);
}

static struct warp_state *new_warp(struct race *r, uint32_t slot)
{
	struct warp_state *w = r->warp[slot];
	if (w) {
		forget_warp(w);
		return w;
	}
	w = r->warp[slot] = calloc(1, sizeof *w);
	if (!w)
		abort();
	return w;
}

static void cta_start(struct race *r, const struct wl_seen *e)
{
	const unsigned window = e->sm * r->slots + e->slot;
	for (unsigned k = 0; k < warps_per_cta(r); k++) {
		const unsigned left = r->shape.threads - k * WL_WARP_LANES;
		struct warp_state *w = new_warp(r, e->sm * WL_MAX_WARPS + e->slot * warps_per_cta(r) + k);
		w->changed = true;
		w->cta = e->cta;
		w->cluster = e->id;
		w->first = e->cta * warps_per_cta(r);
		w->number = w->first + k;
		w->begun = w->live = left < WL_WARP_LANES ? (1u << left) - 1 : UINT32_MAX;
	}
	for (unsigned id = 0; id < NAMED_BARS; id++) {
		bar_forget(&r->bar[window * NAMED_BARS + id]);
	}
	r->exited_warps[window] = 0;
	r->lost[window] = false;
	r->window_cta[window] = e->cta;
	r->window_at[window] = e->at[0];
	shadow_forget(&r->shadow, e->at[0], e->bytes);
	release_forget(r, e->at[0], e->bytes);
}

/* False: no room for the accesses of the event. */
static bool collect(struct race *r)
{
	shadow_collect(&r->shadow);
	r->memo = (struct memo){.number = 1};
	for (unsigned i = 0; i < r->shape.sms * WL_MAX_WARPS; i++)
		if (r->warp[i])
			r->warp[i]->epoch++;
	if (!shadow_has_records(&r->shadow))
		race_doubt(r, "the run keeps more than %u accesses apart", UINT32_C(1) << 26);
	return shadow_has_records(&r->shadow);
}

/* From this event on clocks may get times for accesses of these warps. Later accesses need another record. */
static void end_epochs(struct race *r, const struct wl_seen *e)
{
	struct warp_state *const *w = &r->warp[e->sm * WL_MAX_WARPS];
	if (w[e->warp_slot])
		w[e->warp_slot]->epoch++;
	for (unsigned k = 0; e->kind == WL_SEEN_BAR_RELEASE && k < warps_per_cta(r); k++)
		w[e->slot * warps_per_cta(r) + k]->epoch++;
}

static void event(void *self, const struct wl_seen *e)
{
	struct race *r = self;
	if (__builtin_expect(r->time == UINT32_MAX, 0)) {
		race_doubt(r, "the run has more than %u events", UINT32_MAX);
		return;
	}
	r->time++;
	if (__builtin_expect(!shadow_has_records(&r->shadow), 0) && !collect(r))
		return;
	if (e->kind == WL_SEEN_SHUFFLE) /* orders nothing */
		return;
	if (e->kind != WL_SEEN_ACCESS && e->kind != WL_SEEN_LOCAL)
		end_epochs(r, e);
	switch (e->kind) {
	case WL_SEEN_ACCESS:
		access_event(r, e);
		break;
	case WL_SEEN_CTA_START:
		cta_start(r, e);
		break;
	case WL_SEEN_FRESH:
		shadow_forget(&r->shadow, e->at[0], e->bytes);
		release_forget(r, e->at[0], e->bytes);
		break;
	case WL_SEEN_EXIT:
		lanes_end(r, e);
		break;
	case WL_SEEN_COPY:
	case WL_SEEN_COPY_TOLD:
	case WL_SEEN_COPY_LANDED:
	case WL_SEEN_COMMIT:
	case WL_SEEN_COPIES_DONE:
		copy_event(r, e);
		break;
	default:
		meet_event(r, e);
	}
}

/* ---- the checker itself ---- */

struct wl_race *wl_race_create(const struct wl_seen_shape *shape)
{
	struct race *r = calloc(1, sizeof *r);
	if (!r)
		return NULL;
	const size_t slots = (size_t)shape->sms * WL_MAX_CTAS;
	r->shape = *shape;
	r->slots = WL_MAX_CTAS;
	r->memo.number = 1;
	r->observer = (struct wl_observer){r, event, false};
	r->warp = calloc((size_t)shape->sms * WL_MAX_WARPS, sizeof(struct warp_state *));
	r->bar = calloc(slots * NAMED_BARS, sizeof *r->bar);
	r->window_cta = calloc(slots, sizeof *r->window_cta);
	r->window_at = calloc(slots, sizeof *r->window_at);
	r->lost = calloc(slots, sizeof *r->lost);
	r->exited_warps = calloc(slots, sizeof *r->exited_warps);
	r->cluster = calloc(shape->ctas / shape->cluster_ctas + 1, sizeof *r->cluster);
	r->serial = calloc(shape->sms, sizeof *r->serial);
	r->polls = calloc(shape->program->ninst + 1u, 1);
	r->relaxed = calloc(shape->program->ninst + 1u, sizeof *r->relaxed);
	r->element = calloc(shape->program->ninst + 1u, 1);
	r->elected = calloc(shape->program->ninst + 1u, sizeof *r->elected);
	const bool opened = shadow_open(&r->shadow, shape->global_bytes + shape->sms * shape->shared_bytes);
	if (!opened || !r->warp || !r->bar || !r->cluster || !r->serial || !r->polls || !r->relaxed || !r->element ||
	    !r->elected || !r->window_cta || !r->window_at || !r->lost || !r->exited_warps) {
		wl_race_free((struct wl_race *)r);
		return NULL;
	}
	find_polls(r);
	find_elected(r);
	return (struct wl_race *)r;
}

const struct wl_observer *wl_race_observer(const struct wl_race *r)
{
	return &((const struct race *)r)->observer;
}

void wl_race_free(struct wl_race *race)
{
	struct race *r = (struct race *)race;
	if (!r)
		return;
	for (unsigned i = 0; r->warp && i < r->shape.sms * WL_MAX_WARPS; i++) {
		if (r->warp[i])
			forget_warp(r->warp[i]);
		free(r->warp[i]);
	}
	for (unsigned i = 0; r->bar && i < r->shape.sms * r->slots * NAMED_BARS; i++)
		bar_forget(&r->bar[i]);
	for (uint32_t i = 0; r->cluster && i < r->shape.ctas / r->shape.cluster_ctas; i++) {
		clock_drop(r->cluster[i].now);
		clock_drop(r->cluster[i].done);
	}
	release_forget(r, 0, UINT64_MAX / 2);
	shadow_close(&r->shadow);
	free(r->warp);
	free(r->bar);
	free(r->window_cta);
	free(r->window_at);
	free(r->lost);
	free(r->exited_warps);
	free(r->cluster);
	free(r->serial);
	free(r->polls);
	free(r->relaxed);
	free(r->element);
	free(r->elected);
	free(r->release);
	for (unsigned i = 0; i < JOINS; i++) {
		clock_drop(r->joined[i].a);
		clock_drop(r->joined[i].b);
		clock_drop(r->joined[i].to);
	}
	free(r->finding);
	free(r);
}

unsigned wl_race_findings(const struct wl_race *r)
{
	return ((const struct race *)r)->nfindings;
}

const struct wl_race_finding *wl_race_finding(const struct wl_race *r, unsigned i)
{
	return &((const struct race *)r)->finding[i];
}

const char *wl_race_cannot_tell(const struct wl_race *r)
{
	const struct race *race = (const struct race *)r;
	return race->doubt[0] ? race->doubt : NULL;
}

uint64_t wl_race_shadow_bytes(const struct wl_race *r)
{
	return shadow_bytes(&((const struct race *)r)->shadow);
}

uint64_t wl_race_watched_bytes(const struct wl_race *r)
{
	return shadow_watched(&((const struct race *)r)->shadow);
}
