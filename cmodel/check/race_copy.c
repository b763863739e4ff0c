// SPDX-License-Identifier: Apache-2.0
/* race_copy.c -- asynchronous copies. A copy is an access of its own, behind the thread's accesses before the request.
 * Nobody knows of the copy before somebody has waited for the copy. Bulk copies use the async proxy: writes of
 * instructions need a proxy fence before the copy. */
#include "race_state.h"

#include <stdlib.h>

enum { UNITED = 16 /* bytes of a bulk copy checked as a single access */ };

static unsigned lowest(uint32_t mask)
{
	return (unsigned)__builtin_ctz(mask);
}

static uint32_t what_of_copy(const struct wl_seen *e, enum stamp_of of, enum wl_race_deed deed)
{
	const uint32_t strong = deed == WL_RACE_ATOMIC ? 1u << WHAT_STRONG | 1u << WHAT_WIDE : 0;
	const uint32_t size = e->size ? (uint32_t)__builtin_ctz(e->size) : 4;
	return (e->pc & ((1u << WHAT_PC_BITS) - 1)) | (uint32_t)(deed + 1) << WHAT_DEED | strong |
	       (deed == WL_RACE_ATOMIC ? size : 4u) << WHAT_SIZE | (uint32_t)of << WHAT_OF;
}

static void by_lane(struct race *r, const struct wl_seen *e)
{
	struct touch t = {.w = warp_of(r, e)};
	for (uint32_t m = e->lanes; m; m &= m - 1) {
		t.lane = lowest(m);
		t.what = what_of_copy(e, STAMP_BY_LANE, WL_RACE_READ);
		t.record = 0;
		if (e->from[t.lane] != UINT64_MAX)
			race_touch(r, &t, e->from[t.lane], e->length[t.lane]);
		t.what = what_of_copy(e, STAMP_BY_LANE, WL_RACE_WRITE);
		t.record = 0;
		race_touch(r, &t, e->to[t.lane], e->size);
	}
}

static void values(struct race *r, const struct wl_seen *e)
{
	struct touch t = {.w = warp_of(r, e)};
	for (uint32_t m = e->lanes; m; m &= m - 1) {
		t.lane = lowest(m);
		t.what = what_of_copy(e, STAMP_BULK_IN, e->reduces ? WL_RACE_ATOMIC : WL_RACE_WRITE);
		race_touch(r, &t, e->to[t.lane], e->size);
	}
}

/* Each number of a reduction is atomic by itself. */
static void bulk_write(struct race *r, const struct wl_seen *e, struct touch *t, enum stamp_of of)
{
	const uint32_t step = e->reduces && e->size ? e->size : UNITED;
	t->what = what_of_copy(e, of, e->reduces ? WL_RACE_ATOMIC : WL_RACE_WRITE);
	t->record = 0;
	for (uint32_t i = 0; i < e->bytes; i += step)
		race_touch(r, t, e->to[0] + i, step);
}

static void bulk(struct race *r, const struct wl_seen *e, enum stamp_of of)
{
	struct touch t = {.w = warp_of(r, e), .lane = lowest(e->lanes), .proxy = true};
	const bool from_shared = e->from_space == WL_SEEN_SHARED;
	if (!e->bytes)
		return;
	t.proxy_of = from_shared ? CLOCK_PROXY_SHARED : CLOCK_PROXY_GLOBAL;
	t.what = what_of_copy(e, of, WL_RACE_READ);
	race_touch(r, &t, e->from[0], e->bytes);
	t.proxy_of = of == STAMP_BULK_IN ? CLOCK_PROXY_SHARED : CLOCK_PROXY_GLOBAL;
	bulk_write(r, e, &t, of);
}

/* The requesting thread uses the mbarrier of the copy. Arrivals behind copies are left out: for sm_80 compilers count
 * such an arrival with a 4-byte ATOMS.ADD on the object. That ATOMS.ADD does not race with the other arrivals. */
static void use_objects(struct race *r, const struct wl_seen *e)
{
	const bool of_lanes = e->copy == WL_SEEN_VALUE;
	if (e->copy != WL_SEEN_BULK_IN && !of_lanes)
		return;
	for (uint32_t m = of_lanes ? e->lanes : e->lanes & (0 - e->lanes); m; m &= m - 1)
		touch_object(r, e, lowest(m), e->at[of_lanes ? lowest(m) : 0], false);
}

static void asked_for(struct race *r, const struct wl_seen *e)
{
	use_objects(r, e);
	r->serial[e->sm][e->serial % SERIALS] = r->time;
	switch (e->copy) {
	case WL_SEEN_BY_LANE:
		by_lane(r, e);
		break;
	case WL_SEEN_VALUE:
		values(r, e);
		break;
	case WL_SEEN_BULK_IN:
		bulk(r, e, STAMP_BULK_IN);
		break;
	case WL_SEEN_BULK_OUT:
		bulk(r, e, STAMP_BULK_OUT);
		break;
	default:
		break;
	}
}

/* From now on waiters at the mbarrier know of the copy, or of all LDGSTS of the lane before the arrival. */
static void told(struct race *r, const struct wl_seen *e)
{
	const struct warp_state *w = warp_of(r, e);
	const enum clock_of of = e->copy == WL_SEEN_ARRIVAL ? CLOCK_BY_LANE : CLOCK_BULK_IN;
	struct release *x = release_make(r, e->at[0]);
	const uint32_t lanes = e->copy == WL_SEEN_BULK_IN ? e->lanes & (0 - e->lanes) : e->lanes;
	x->cta = e->owner[0];
	for (uint32_t m = lanes; m; m &= m - 1) {
		const struct clock_entry c = {
		        clock_key(of, LEVEL_LANE, (uint64_t)w->number * WL_WARP_LANES + lowest(m)),
		        r->serial[e->sm][e->serial % SERIALS]};
		struct clock **to = x->old_mbarrier ? &x->near : &x->now_near;
		struct clock *more = clock_add(*to, &c, 1, warps_per_cta(r));
		clock_drop(*to);
		*to = more;
	}
	mbar_phase(r, x, e->phases & 1);
}

static void commit(struct race *r, const struct wl_seen *e)
{
	struct warp_state *w = warp_of(r, e);
	if (e->id >= BOARDS)
		return;
	if (!w->group)
		w->group = calloc(BOARDS, sizeof *w->group);
	if (w->group)
		w->group[e->id][w->ngroups[e->id]++ % GROUPS_KEPT] = (struct group_of_copies){r->time, e->copy_kinds};
}

/* All groups but the youngest `most` are complete. The waiting lanes know. */
static void complete(struct race *r, const struct wl_seen *e)
{
	static const enum copied kind[] = {[WL_SEEN_BY_LANE] = COPIED_BY_LANE, [WL_SEEN_BULK_OUT] = COPIED_BULK_READ};
	struct warp_state *w = warp_of(r, e);
	const uint32_t n = e->id < BOARDS ? w->ngroups[e->id] : 0;
	const uint32_t oldest = n > GROUPS_KEPT ? n - GROUPS_KEPT : 0;
	uint32_t left = 1u << WL_SEEN_BY_LANE | 1u << WL_SEEN_BULK_OUT; /* youngest complete group of each kind */
	for (uint32_t i = n > e->most ? n - e->most : 0; i-- > oldest && left;) {
		const struct group_of_copies *g = &w->group[e->id][i % GROUPS_KEPT];
		const uint32_t kinds = g->kinds & left;
		left &= ~kinds;
		for (uint32_t m = kinds ? e->lanes : 0; m; m &= m - 1) {
			uint32_t *to = &w->lane[lowest(m)].copied[kind[lowest(kinds)]];
			*to = *to < g->time ? g->time : *to;
			w->has_copied = true;
		}
	}
}

void copy_event(struct race *r, const struct wl_seen *e)
{
	switch (e->kind) {
	case WL_SEEN_COPY:
		asked_for(r, e);
		break;
	case WL_SEEN_COPY_TOLD:
		told(r, e);
		break;
	case WL_SEEN_COMMIT:
		commit(r, e);
		break;
	case WL_SEEN_COPIES_DONE:
		complete(r, e);
		break;
	default:
		break;
	}
}
