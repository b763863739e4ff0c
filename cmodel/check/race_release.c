// SPDX-License-Identifier: Apache-2.0
/* race_release.c -- places of releases and acquires.
 *
 * A release in the code is a fence and then a strong write: the lane's knowledge at the fence goes with the write. An
 * acquire is a strong read and then a fence. CCTL.IVALL joins the knowledge found with the write; for writes of the
 * same CTA MEMBAR joins the knowledge. Within a CTA an acquiring load has no fence behind. A read of CTA scope, or of
 * shared memory, therefore acquires at once. */
#include "race_state.h"

#include <stddef.h>
#include <stdlib.h>

/* ---- places with releases ---- */

static uint64_t slot_of(const struct race *r, uint64_t at)
{
	return (at * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (r->room - 1);
}

struct release *release_find(const struct race *r, uint64_t at)
{
	for (uint64_t i = r->room ? slot_of(r, at) : 0; r->room && r->release[i].at; i = (i + 1) & (r->room - 1))
		if (r->release[i].at == at + 1)
			return &r->release[i];
	return NULL;
}

static struct release *insert(struct race *r, uint64_t at)
{
	uint64_t i = slot_of(r, at);
	while (r->release[i].at)
		i = (i + 1) & (r->room - 1);
	r->release[i].at = at + 1;
	return &r->release[i];
}

static void grow(struct race *r)
{
	struct release *old = r->release;
	const uint64_t n = r->room;
	r->room = n ? 2 * n : 256;
	r->release = calloc(r->room, sizeof *r->release);
	if (!r->release)
		abort();
	for (uint64_t i = 0; i < n; i++)
		if (old[i].at)
			*insert(r, old[i].at - 1) = old[i];
	free(old);
}

struct release *release_make(struct race *r, uint64_t at)
{
	struct release *l = release_find(r, at);
	if (l)
		return l;
	if (2 * (r->nreleases + 1) > r->room)
		grow(r);
	r->nreleases++;
	*shadow_flags(&r->shadow, at) |= PAGE_RELEASES;
	return insert(r, at);
}

void release_empty(struct release *l)
{
	clock_drop(l->near);
	clock_drop(l->far);
	clock_drop(l->now_near);
	clock_drop(l->now_far);
	*l = (struct release){.at = l->at};
}

void release_forget(struct race *r, uint64_t at, uint64_t bytes)
{
	for (uint64_t i = 0; i < r->room; i++)
		if (r->release[i].at && r->release[i].at - 1 >= at && r->release[i].at - 1 < at + bytes)
			release_empty(&r->release[i]);
}

/* ---- releases and acquires ---- */

void release_read(struct race *r, struct warp_state *w, unsigned lane, uint64_t at, bool wide, bool at_once)
{
	struct lane_state *l = &w->lane[lane];
	const struct release *x = release_find(r, at);
	w->has_fenced = true;
	if (!x && at & 4) { /* compilers load only the half in use of 64 bits */
		x = release_find(r, at - 4);
		x = x && x->both ? x : NULL;
	}
	if (!x)
		return;
	if (x->near && x->cta == w->cta) {
		if (at_once)
			lane_join(r, w, lane, x->near);
		else
			join_into(r, &l->near, x->near);
	}
	if (x->far && wide)
		join_into(r, &l->far, x->far);
}

struct clock *fenced(const struct race *r, const struct warp_state *w, unsigned lane, const struct fenced *f)
{
	const struct clock_entry own = {clock_key(CLOCK_PLAIN, LEVEL_LANE, (uint64_t)w->number * WL_WARP_LANES + lane),
	                                f->time};
	return f->time ? clock_add(f->c, &own, 1, warps_per_cta(r)) : NULL;
}

/* A read-modify-write goes on with the releases before the write; so does another write of the same lane. A store of
 * several words holds the flag and the flag's data: compilers put the fence before both. */
void release_written(struct race *r, struct warp_state *w, unsigned lane, uint64_t at, const struct release_kind *k)
{
	const struct lane_state *l = &w->lane[lane];
	const bool wide = k->wide, others = k->served & (k->served - 1);
	struct release *x = release_find(r, at);
	if (!x && !l->cta.time && !(others && w->has_fenced))
		return;
	x = x ? x : release_make(r, at);
	const bool own = x->warp == w->number && x->lane == lane;
	if (!k->atomic && !own) {
		replace(&x->near, NULL);
		replace(&x->far, NULL);
	}
	const struct fenced cta = {l->cta.c, l->cta.time && k->words ? r->time : l->cta.time};
	w->epoch += cta.time != l->cta.time;
	const bool same = wide && l->gpu.c == cta.c && l->gpu.time == cta.time && !others;
	struct clock *far = wide ? fenced(r, w, lane, &l->gpu) : NULL;
	struct clock *near = same ? clock_hold(far) : fenced(r, w, lane, &cta);
	if (others && wide)
		collect_fenced(r, w, k->served, offsetof(struct lane_state, gpu), &far);
	if (others)
		collect_fenced(r, w, k->served, offsetof(struct lane_state, cta), &near);
	if (x->cta != w->cta)
		replace(&x->near, NULL);
	x->both = k->both;
	x->cta = w->cta;
	x->warp = w->number;
	x->lane = lane;
	join_into(r, &x->far, far);
	join_into(r, &x->near, near);
	clock_drop(far);
	clock_drop(near);
}

void release_broken(struct race *r, uint64_t at)
{
	struct release *x = release_find(r, at);
	if (x)
		release_empty(x);
}
