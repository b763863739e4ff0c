// SPDX-License-Identifier: Apache-2.0
/* race_meet.c -- order between threads: meetings of lanes, barriers, fences, mbarriers.
 *
 * An arrival at an mbarrier of the same CTA releases by itself, unless the PTX says .relaxed. */
#include "race_state.h"

#include <stddef.h>
#include <stdlib.h>

static unsigned lowest(uint32_t mask)
{
	return (unsigned)__builtin_ctz(mask);
}

static void join(struct race *r, struct clock **to, struct clock *c)
{
	join_into(r, to, c);
}

/* ---- fences ---- */

static void set_fenced(struct fenced *f, struct clock *c, uint32_t time)
{
	struct clock *old = f->c;
	f->c = clock_hold(c);
	f->time = time;
	clock_drop(old);
}

/* Each lane acquires the reads of all of the lanes. */
static void acquire(struct race *r, struct warp_state *w, uint32_t lanes, bool far)
{
	struct clock *all = NULL, *beyond = NULL;
	for (uint32_t m = lanes; m; m &= m - 1) {
		struct lane_state *l = &w->lane[lowest(m)];
		join(r, &all, l->near);
		replace(&l->near, NULL);
		if (!far)
			continue;
		join(r, &beyond, l->far);
		replace(&l->far, NULL);
	}
	join(r, &all, beyond);
	for (uint32_t m = all ? lanes : 0; m; m &= m - 1) {
		struct lane_state *l = &w->lane[lowest(m)];
		const bool fencing = w->fencing >> lowest(m) & 1;
		lane_join(r, w, lowest(m), all);
		if (fencing && l->gpu.time)
			join(r, &l->gpu.c, all);
		if (fencing)
			join(r, &l->cta.c, all);
	}
	clock_drop(all);
	clock_drop(beyond);
}

/* together: an elected lane has read for the other lanes. */
static void acquired(struct race *r, struct warp_state *w, uint32_t lanes, bool together, bool far)
{
	if (together)
		acquire(r, w, lanes, far);
	for (uint32_t m = together ? 0 : lanes; m; m &= m - 1)
		acquire(r, w, m & (0 - m), far);
}

uint32_t lanes_served(const struct race *r, const struct wl_seen *e)
{
	const unsigned elected = r->elected[e->pc];
	uint32_t others = 0;
	if (e->lanes & (e->lanes - 1))
		return e->lanes;
	if (elected == ELECTED_BY_GUARD)
		others = e->group;
	else if (elected != NOT_ELECTED && e->convergence && e->lanes)
		others = e->convergence->set[elected - ELECTED_IN_REGION][lowest(e->lanes)];
	return e->lanes | (others & e->live);
}

/* c: knowledge of each lane at the fence; NULL: the lane's own. */
static void fence_lanes(const struct race *r, struct warp_state *w, uint32_t lanes, struct clock *c, bool narrow)
{
	for (uint32_t m = lanes; m; m &= m - 1) {
		struct lane_state *l = &w->lane[lowest(m)];
		set_fenced(&l->cta, c ? c : w->c[lowest(m)], r->time);
		if (!narrow)
			set_fenced(&l->gpu, c ? c : w->c[lowest(m)], r->time);
	}
}

/* Beyond the CTA CCTL.IVALL is the acquire side. A release by itself has no CCTL.IVALL. */
static void fence(struct race *r, const struct wl_seen *e)
{
	struct warp_state *w = warp_of(r, e);
	const bool narrow = e->inst->scope == WL_SCOPE_CTA || e->inst->scope == WL_SCOPE_SM;
	const uint32_t lanes = lanes_served(r, e);
	const bool elected = lanes != e->lanes;
	w->has_fenced = true;
	if (narrow) /* before `fencing`: an older fence beyond the CTA learns nothing of it */
		acquired(r, w, lanes, elected, false);
	w->fencing |= lanes;
	fence_lanes(r, w, lanes, NULL, narrow);
	if (!elected)
		return;
	struct clock *all = publish(r, w, lanes);
	fence_lanes(r, w, e->lanes, all, narrow);
	clock_drop(all);
}

static void invalidate(struct race *r, const struct wl_seen *e)
{
	struct warp_state *w = warp_of(r, e);
	const uint32_t lanes = lanes_served(r, e);
	acquired(r, w, lanes, lanes != e->lanes, true);
	for (uint32_t m = w->has_copied ? lanes : 0; m; m &= m - 1) {
		uint32_t *copied = w->lane[lowest(m)].copied;
		copied[COPIED_BULK_WRITTEN] = copied[COPIED_BULK_READ];
	}
}

/* All known accesses of the lanes, and the lanes' own accesses, are ordered for the async proxy from now on. */
static struct clock *proxied(struct race *r, const struct warp_state *w, uint32_t lanes, struct clock *c,
                             enum clock_of of)
{
	struct clock *all = publish(r, w, lanes), *to;
	struct clock_entry *e = calloc(all->n, sizeof *e);
	uint32_t n = 0;
	if (!e)
		abort();
	for (uint32_t i = 0; i < all->n; i++)
		if (all->e[i].key >> 48 == CLOCK_PLAIN)
			e[n++] = (struct clock_entry){all->e[i].key | (uint64_t)of << 48, all->e[i].time};
	to = clock_add(c, e, n, warps_per_cta(r));
	free(e);
	clock_drop(all);
	return to;
}

static void proxy_fence(struct race *r, const struct wl_seen *e)
{
	static const enum clock_of of[] = {CLOCK_PROXY_SHARED, CLOCK_PROXY_GLOBAL};
	static const uint32_t space[] = {WL_SEEN_SHARED, WL_SEEN_GLOBAL};
	struct warp_state *w = warp_of(r, e);
	for (unsigned k = 0; k < 2; k++) {
		if (!(e->space & space[k]))
			continue;
		for (uint32_t left = e->lanes, same; left; left &= ~same) {
			struct clock *c = clock_hold(w->c[lowest(left)]);
			same = 0;
			for (uint32_t m = left; m; m &= m - 1)
				same |= (uint32_t)(w->c[lowest(m)] == c) << lowest(m);
			struct clock *to = proxied(r, w, same, c, of[k]);
			for (uint32_t m = same; m; m &= m - 1)
				lane_set(r, w, lowest(m), clock_hold(to));
			clock_drop(to);
			clock_drop(c);
		}
	}
}

/* ---- lanes, named barriers ---- */

static void drop_handed(struct handed *h)
{
	clock_drop(h->cta);
	clock_drop(h->gpu);
	clock_drop(h->near);
	clock_drop(h->far);
	*h = (struct handed){NULL, NULL, NULL, NULL};
}

void collect_fenced(struct race *r, const struct warp_state *w, uint32_t lanes, size_t which, struct clock **to)
{
	for (uint32_t left = lanes, same; left; left &= ~same) {
		struct clock_entry own[WL_WARP_LANES];
		uint32_t n = 0;
		const struct fenced *f = (const struct fenced *)((const char *)&w->lane[lowest(left)] + which);
		same = 0;
		for (uint32_t m = left; m; m &= m - 1) {
			const struct fenced *g = (const struct fenced *)((const char *)&w->lane[lowest(m)] + which);
			same |= (uint32_t)(g->c == f->c && g->time == f->time) << lowest(m);
		}
		if (!f->time)
			continue;
		const bool all = is_whole(w, same);
		if (all)
			own[n++] = (struct clock_entry){clock_key(CLOCK_PLAIN, LEVEL_WARP, w->number), f->time};
		for (uint32_t m = all ? 0 : same; m; m &= m - 1)
			own[n++] = (struct clock_entry){
			        clock_key(CLOCK_PLAIN, LEVEL_LANE, (uint64_t)w->number * WL_WARP_LANES + lowest(m)),
			        f->time};
		struct clock *c = clock_add(f->c, own, n, warps_per_cta(r));
		join(r, to, c);
		clock_drop(c);
	}
}

/* A fence of one thread and a barrier behind the fence are a fence for all threads leaving the barrier. */
static void collect(struct race *r, const struct warp_state *w, uint32_t lanes, struct handed *h)
{
	if (!w->has_fenced)
		return;
	collect_fenced(r, w, lanes, offsetof(struct lane_state, cta), &h->cta);
	collect_fenced(r, w, lanes, offsetof(struct lane_state, gpu), &h->gpu);
	for (uint32_t m = lanes; m; m &= m - 1) {
		const struct lane_state *l = &w->lane[lowest(m)];
		join(r, &h->near, l->near);
		join(r, &h->far, l->far);
	}
}

static void hand_fenced(struct race *r, struct fenced *f, struct clock *c)
{
	if (!c)
		return;
	join(r, &f->c, c);
	f->time += !f->time; /* the lane has fenced no access of its own */
}

static void hand_out(struct race *r, struct warp_state *w, uint32_t lanes, const struct handed *h)
{
	if (!h->cta && !h->gpu && !h->near && !h->far)
		return;
	w->has_fenced = true;
	for (uint32_t m = lanes; m; m &= m - 1) {
		struct lane_state *l = &w->lane[lowest(m)];
		hand_fenced(r, &l->cta, h->cta);
		hand_fenced(r, &l->gpu, h->gpu);
		join(r, &l->near, h->near);
		join(r, &l->far, h->far);
	}
}

/* The lanes `to` get all knowledge of the lanes `from`. */
static void hand_on(struct race *r, struct warp_state *w, uint32_t from, uint32_t to)
{
	struct handed h = {NULL, NULL, NULL, NULL};
	struct clock *c = publish(r, w, from);
	collect(r, w, from, &h);
	lanes_join(r, w, to, c);
	hand_out(r, w, to, &h);
	drop_handed(&h);
	clock_drop(c);
}

static void lanes_meet(struct race *r, const struct wl_seen *e)
{
	struct warp_state *w = warp_of(r, e);
	const uint32_t lanes = e->lanes & w->live;
	if (lanes & (lanes - 1))
		hand_on(r, w, lanes, lanes);
}

static unsigned window_of(const struct race *r, const struct wl_seen *e)
{
	return e->sm * r->slots + e->slot;
}

static struct bar_state *bar_of(const struct race *r, const struct wl_seen *e)
{
	return &r->bar[window_of(r, e) * NAMED_BARS + (e->id & (NAMED_BARS - 1))];
}

void bar_forget(struct bar_state *b)
{
	clock_drop(b->c);
	drop_handed(&b->handed);
	b->c = NULL;
	b->waiting = 0;
}

/* The end of a lane orders nothing, and no barrier waits for the lane from then on. At an EXIT of an election the lanes
 * have met: see race_words.c. */
void lanes_end(struct race *r, const struct wl_seen *e)
{
	struct warp_state *w = warp_of(r, e);
	if (r->elected[e->pc] == ELECTED_BY_GUARD)
		hand_on(r, w, e->lanes, e->group & w->live & ~e->lanes);
	w->live &= ~e->lanes;
	w->lost |= e->lanes & w->touched;
	r->lost[window_of(r, e)] |= w->lost != 0;
	if (!w->live)
		r->exited_warps[window_of(r, e)] |= UINT64_C(1) << e->warp;
}

/* The lanes of the warp have also waited for one another. */
static void bar_arrive(struct race *r, const struct wl_seen *e)
{
	struct warp_state *w = warp_of(r, e);
	struct bar_state *b = bar_of(r, e);
	publish_into(r, &b->c, w, e->lanes);
	collect(r, w, e->lanes, &b->handed);
	if (e->waits) /* a warp without waiting goes on; later accesses of the warp are not ordered */
		b->waiting |= UINT64_C(1) << e->warp;
}

static void forget_touched(const struct race *r, const struct wl_seen *e)
{
	for (unsigned k = 0; k < warps_per_cta(r); k++)
		r->warp[e->sm * WL_MAX_WARPS + e->slot * warps_per_cta(r) + k]->touched = 0;
}

static void bar_release(struct race *r, const struct wl_seen *e)
{
	struct bar_state *b = bar_of(r, e);
	const uint64_t all = warps_per_cta(r) < 64 ? (UINT64_C(1) << warps_per_cta(r)) - 1 : UINT64_MAX;
	if ((b->waiting | r->exited_warps[window_of(r, e)]) == all && !r->lost[window_of(r, e)]) {
		const struct clock_entry cta = {clock_key(CLOCK_PLAIN, LEVEL_CTA, e->cta), r->time};
		struct clock *c = clock_add(b->c, &cta, 1, warps_per_cta(r));
		replace(&b->c, c);
		forget_touched(r, e);
	}
	for (uint64_t m = e->warps; m; m &= m - 1) {
		struct warp_state *w = r->warp[e->sm * WL_MAX_WARPS + (unsigned)__builtin_ctzll(m)];
		lanes_join(r, w, w->live, b->c);
		hand_out(r, w, w->live, &b->handed);
	}
	bar_forget(b);
}

/* ---- the barrier of a cluster: arrivals release by a MEMBAR in front ---- */

static void cluster_arrive(struct race *r, const struct wl_seen *e)
{
	struct warp_state *w = warp_of(r, e);
	struct cluster_state *b = &r->cluster[w->cluster];
	w->cluster_phase++;
	for (uint32_t m = e->lanes; m; m &= m - 1) {
		struct clock *c = fenced(r, w, lowest(m), &w->lane[lowest(m)].gpu);
		join(r, &b->now, c);
		clock_drop(c);
	}
}

static void cluster_pass(struct race *r, struct warp_state *w)
{
	struct cluster_state *b = &r->cluster[w->cluster];
	if (b->phase < w->cluster_phase) {
		replace(&b->done, b->now);
		b->now = NULL;
		b->phase = w->cluster_phase;
	}
	w->cluster_passed = w->cluster_phase;
	lanes_join(r, w, w->live, b->done);
}

static void cluster_release(struct race *r, const struct wl_seen *e)
{
	for (uint64_t m = e->warps; m; m &= m - 1)
		cluster_pass(r, r->warp[e->sm * WL_MAX_WARPS + (unsigned)__builtin_ctzll(m)]);
}

/* ---- mbarriers ---- */

void touch_object(struct race *r, const struct wl_seen *e, unsigned lane, uint64_t at, bool makes)
{
	struct touch t = {.w = warp_of(r, e), .lane = lane};
	t.w->touched |= 1u << lane;
	t.what = (e->pc & ((1u << WHAT_PC_BITS) - 1)) | 3u << WHAT_SIZE;
	t.what |= makes ? (uint32_t)(1 + WL_RACE_WRITE) << WHAT_DEED
	                : (uint32_t)(1 + WL_RACE_ATOMIC) << WHAT_DEED | 1u << WHAT_STRONG | 1u << WHAT_WIDE;
	race_touch(r, &t, at, 8);
}

/* A phase ends: waiters for the phase know all that the arrivals knew. */
void mbar_phase(struct race *r, struct release *x, bool phase)
{
	if (x->phase == phase)
		return;
	x->phase = phase;
	join(r, &x->near, x->now_near);
	join(r, &x->far, x->now_far);
	replace(&x->now_near, NULL);
	replace(&x->now_far, NULL);
}

static void mbar_init(struct race *r, const struct wl_seen *e)
{
	struct release *x = release_make(r, e->at[lowest(e->lanes)]);
	touch_object(r, e, lowest(e->lanes), e->at[lowest(e->lanes)],
	             true); /* mbarrier.inval, too: every use comes before */
	release_empty(x);
	x->made_cluster = warp_of(r, e)->cluster;
	x->made_phase = warp_of(r, e)->cluster_phase;
}

/* Lanes at one object. */
static void arrive_at(struct race *r, const struct wl_seen *e, uint32_t lanes)
{
	struct warp_state *w = warp_of(r, e);
	const unsigned first = lowest(lanes);
	struct release *x = release_make(r, e->at[first]);
	const bool own = e->owner[first] == w->cta;
	x->cta = e->owner[first];
	mbar_phase(r, x, e->phases >> first & 1);
	const bool relaxed = r->relaxed[e->pc];
	if (own && !relaxed) {
		struct clock *c = publish(r, w, lanes);
		join(r, &x->now_near, c);
		clock_drop(c);
	}
	for (uint32_t m = lanes; m; m &= m - 1) {
		const struct lane_state *l = &w->lane[lowest(m)];
		struct clock *c = own && !relaxed ? NULL : fenced(r, w, lowest(m), own ? &l->cta : &l->gpu);
		touch_object(r, e, lowest(m), e->at[lowest(m)], false);
		join(r, own ? &x->now_near : &x->now_far, c);
		clock_drop(c);
	}
}

static void mbar_arrive(struct race *r, const struct wl_seen *e)
{
	for (uint32_t left = e->lanes, same; left; left &= ~same) {
		same = 0;
		for (uint32_t m = left; m; m &= m - 1)
			same |= (uint32_t)(e->at[lowest(m)] == e->at[lowest(left)]) << lowest(m);
		arrive_at(r, e, same);
	}
}

static void mbar_passed(struct race *r, const struct wl_seen *e)
{
	struct warp_state *w = warp_of(r, e);
	for (uint32_t m = e->lanes; m; m &= m - 1) {
		const unsigned lane = lowest(m);
		struct release *x = release_find(r, e->at[lane]);
		touch_object(r, e, lane, e->at[lane], false);
		if (!x)
			continue;
		mbar_phase(r, x, e->phases >> lane & 1);
		if (r->relaxed[e->pc]) { /* a later fence acquires */
			w->has_fenced = true;
			join(r, &w->lane[lane].near, x->near);
			join(r, &w->lane[lane].far, x->far);
			continue;
		}
		lane_join(r, w, lane, x->near);
		lane_join(r, w, lane, x->far); /* waits have CTA scope by default, and programs use the default */
	}
}

void meet_event(struct race *r, const struct wl_seen *e)
{
	switch (e->kind) {
	case WL_SEEN_FENCE:
		fence(r, e);
		break;
	case WL_SEEN_INVALIDATE:
		invalidate(r, e);
		break;
	case WL_SEEN_PROXY:
		proxy_fence(r, e);
		break;
	case WL_SEEN_LANES:
		lanes_meet(r, e);
		break;
	case WL_SEEN_BAR_ARRIVE:
		bar_arrive(r, e);
		break;
	case WL_SEEN_BAR_RELEASE:
		bar_release(r, e);
		break;
	case WL_SEEN_CLUSTER_ARRIVE:
		cluster_arrive(r, e);
		break;
	case WL_SEEN_CLUSTER_WAIT:
		if (!e->waits)
			cluster_pass(r, warp_of(r, e));
		break;
	case WL_SEEN_CLUSTER_RELEASE:
		cluster_release(r, e);
		break;
	case WL_SEEN_MBAR_INIT:
		mbar_init(r, e);
		break;
	case WL_SEEN_MBAR_ARRIVE:
		mbar_arrive(r, e);
		break;
	case WL_SEEN_MBAR_PASSED:
		mbar_passed(r, e);
		break;
	default:
		break;
	}
}
