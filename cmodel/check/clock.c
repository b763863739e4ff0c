// SPDX-License-Identifier: Apache-2.0
#include "clock.h"

#include <stdlib.h>
#include <string.h>

enum { WARP_LANES = 32 };
static _Thread_local uint64_t last_serial;

struct clock *clock_hold(struct clock *c)
{
	if (c)
		c->refs++;
	return c;
}

void clock_drop(struct clock *c)
{
	if (c && !--c->refs)
		free(c);
}

uint32_t clock_from(const struct clock *c, uint64_t key)
{
	uint32_t low = 0, high = c ? c->n : 0;
	while (low < high) {
		const uint32_t middle = (low + high) / 2;
		if (c->e[middle].key < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint32_t clock_at(const struct clock *c, uint64_t key)
{
	const uint32_t i = clock_from(c, key);
	return c && i < c->n && c->e[i].key == key ? c->e[i].time : 0;
}

/* Positions among the wider entries of one kind, during a walk over the narrower entries in their order. */
struct wider {
	uint64_t of;
	const struct clock_entry *level[2], *end[2]; /* CTAs, warps: from here on */
};

static void wider_start(struct wider *w, const struct clock_entry *e, const struct clock_entry *end, uint64_t key)
{
	w->of = key >> 48;
	for (unsigned level = LEVEL_CTA; level <= LEVEL_WARP; level++) {
		while (e < end && e->key < clock_key((enum clock_of)w->of, (enum clock_level)level, 0))
			e++;
		w->level[level] = e;
		while (e < end && e->key < clock_key((enum clock_of)w->of, (enum clock_level)(level + 1), 0))
			e++;
		w->end[level] = e;
	}
}

/* Does the entry of this level say so? Callers ask for ids in rising order. */
static bool wider_says(struct wider *w, unsigned level, uint64_t id, uint32_t time)
{
	while (w->level[level] < w->end[level] && CLOCK_ID(w->level[level]->key) < id)
		w->level[level]++;
	return w->level[level] < w->end[level] && CLOCK_ID(w->level[level]->key) == id && w->level[level]->time >= time;
}

/* The wider entries lie in [from, end). */
static bool is_said(struct wider *w, const struct clock_entry *from, const struct clock_entry *end,
                    const struct clock_entry *e, uint32_t warps_per_cta)
{
	const enum clock_level level = (enum clock_level)(e->key >> 44 & 15);
	const uint64_t warp = level == LEVEL_LANE ? CLOCK_ID(e->key) / WARP_LANES : CLOCK_ID(e->key);
	if (level == LEVEL_CTA)
		return false;
	if (w->of != e->key >> 48)
		wider_start(w, from, end, e->key);
	if (w->level[LEVEL_CTA] == w->end[LEVEL_CTA] && w->level[LEVEL_WARP] == w->end[LEVEL_WARP])
		return false;
	if (level == LEVEL_LANE && wider_says(w, LEVEL_WARP, warp, e->time))
		return true;
	return w->level[LEVEL_CTA] < w->end[LEVEL_CTA] && wider_says(w, LEVEL_CTA, warp / warps_per_cta, e->time);
}

static struct clock *new_clock(uint32_t room)
{
	struct clock *c = malloc(sizeof *c + room * sizeof c->e[0]);
	if (!c)
		abort(); /* the checker's knowledge would be wrong from here on */
	c->serial = ++last_serial;
	c->refs = 1;
	c->n = 0;
	return c;
}

/* Adds a single entry of a lane. Wider entries stay. */
static struct clock *add_lane(struct clock *a, const struct clock_entry *e, uint32_t warps_per_cta)
{
	const uint64_t of = e->key >> 48, lane = CLOCK_ID(e->key), warp = lane / WARP_LANES;
	const uint32_t n = a ? a->n : 0, i = clock_from(a, e->key);
	const bool there = i < n && a->e[i].key == e->key;
	if ((there && a->e[i].time >= e->time) ||
	    clock_at(a, clock_key((enum clock_of)of, LEVEL_WARP, warp)) >= e->time ||
	    clock_at(a, clock_key((enum clock_of)of, LEVEL_CTA, warp / warps_per_cta)) >= e->time)
		return clock_hold(a);
	struct clock *c = new_clock(n + 1);
	c->n = n + !there;
	if (n) {
		memcpy(c->e, a->e, i * sizeof c->e[0]);
		memcpy(&c->e[i + 1], &a->e[i + there], (n - i - there) * sizeof c->e[0]);
	}
	c->e[i] = *e;
	return c;
}

/* All n entries at e say nothing new. */
static bool covers(const struct clock *a, const struct clock_entry *e, uint32_t n, uint32_t warps_per_cta)
{
	const uint32_t na = a ? a->n : 0;
	struct wider w = {.of = UINT64_MAX};
	for (uint32_t i = 0, k = 0; k < n; k++) {
		while (i < na && a->e[i].key < e[k].key)
			i++;
		if (i < na && a->e[i].key == e[k].key && a->e[i].time >= e[k].time)
			continue;
		if (!na)
			return false;
		/* a level begins anew: ids begin anew, too */
		if (k && e[k].key >> 44 != e[k - 1].key >> 44)
			w.of = UINT64_MAX;
		if (!is_said(&w, a->e, a->e + na, &e[k], warps_per_cta))
			return false;
	}
	return true;
}

/* Takes out each entry said by a wider entry, too. Wider entries of a kind come first. */
static void tidy(struct clock *c, uint32_t warps_per_cta)
{
	const uint32_t n = c->n;
	struct wider w = {.of = UINT64_MAX};
	uint64_t level = UINT64_MAX;
	c->n = 0;
	for (uint32_t i = 0; i < n; i++) {
		const struct clock_entry e = c->e[i];
		if (e.key >> 44 != level)
			w.of = UINT64_MAX;
		level = e.key >> 44;
		if (!is_said(&w, c->e, c->e + c->n, &e, warps_per_cta))
			c->e[c->n++] = e;
	}
}

struct clock *clock_add(struct clock *a, const struct clock_entry *e, uint32_t n, uint32_t warps_per_cta)
{
	const uint32_t na = a ? a->n : 0;
	uint32_t i = 0, k = 0;
	if (n == 1 && e->time && (e->key >> 44 & 15) == LEVEL_LANE)
		return add_lane(a, e, warps_per_cta);
	if (covers(a, e, n, warps_per_cta))
		return clock_hold(a);
	struct clock *c = new_clock(na + n);
	while (i < na || k < n) {
		struct clock_entry *to = &c->e[c->n++];
		if (k == n || (i < na && a->e[i].key < e[k].key)) {
			*to = a->e[i++];
		} else if (i == na || e[k].key < a->e[i].key) {
			*to = e[k++];
		} else {
			*to = a->e[i].time > e[k].time ? a->e[i] : e[k];
			i++;
			k++;
		}
	}
	tidy(c, warps_per_cta);
	return c;
}

struct clock *clock_join(struct clock *a, struct clock *b, uint32_t warps_per_cta)
{
	if (!b || a == b)
		return clock_hold(a);
	if (a && a->n <= b->n && covers(b, a->e, a->n, warps_per_cta))
		return clock_hold(b);
	return clock_add(a, b->e, b->n, warps_per_cta);
}
