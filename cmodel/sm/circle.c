// SPDX-License-Identifier: Apache-2.0
/* circle.c -- waits as a graph: edges between rows, and a circle of edges that nothing outside can open. */
#include <stdlib.h>
#include <string.h>

#include "waiting.h"
#include "warplock/waiting.h"

bool wl_waits_for(const struct wl_waits *w, unsigned a, unsigned b)
{
	const struct wl_waiting *x = &w->group[a], *y = &w->group[b];
	if (x->what == WL_WAIT_CLUSTER)
		return a != b && x->cluster == y->cluster && !y->at_cluster;
	if (a == b || x->sm != y->sm)
		return false;
	if (x->what == WL_WAIT_BARRIER || x->what == WL_WAIT_MBAR)
		return x->slot == y->slot && x->missing >> y->warp & 1;
	return x->warp_slot == y->warp_slot && (x->missing_lanes & y->lanes) != 0;
}

unsigned wl_waits_needed(const struct wl_waiting *g)
{
	const unsigned all = (unsigned)__builtin_popcountll(g->missing);
	const unsigned needed = g->what == WL_WAIT_BARRIER && g->expected > g->arrived
	                                ? (g->expected - g->arrived) / WL_WARP_LANES
	                                : all;
	return needed < all ? needed : all;
}

struct search {
	struct wl_waits *w;
	unsigned *trail, depth;
	uint8_t *state; /* 0 new, 1 on the trail, 2 leads to no circle */
};

/* ---- rows in wait for each other ---- */

/* Candidates for a wait of row `a`: rows of the same SM; at a cluster's barrier, all rows. */
static void neighbours(const struct wl_waits *w, unsigned a, unsigned *from, unsigned *to)
{
	*from = 0;
	*to = w->n;
	if (w->group[a].what == WL_WAIT_CLUSTER)
		return;
	for (*from = a; *from && w->group[*from - 1].sm == w->group[a].sm; --*from)
		;
	for (*to = a; *to < w->n && w->group[*to].sm == w->group[a].sm; ++*to)
		;
}

/* Does `a` wait in vain while the rows outside `free_row` stand still? A barrier with a count takes any warps, and so
 * does an mbarrier. The missing warps of an mbarrier are an estimate: a single free warp is enough. A single exited
 * warp is enough, too: the exited warp may owe the arrival. */
static bool is_held(const struct wl_waits *w, unsigned a, const uint8_t *free_row)
{
	const struct wl_waiting *x = &w->group[a];
	uint64_t free_warps = 0, held = 0;
	unsigned from, to, edges = 0;
	neighbours(w, a, &from, &to);
	for (unsigned b = from; b < to; b++) {
		if (!wl_waits_for(w, a, b))
			continue;
		edges += !free_row[b];
		*(free_row[b] ? &free_warps : &held) |= UINT64_C(1) << w->group[b].warp;
	}
	if (x->what == WL_WAIT_MBAR)
		return edges && !free_warps && !x->exited;
	if (x->what != WL_WAIT_BARRIER)
		return edges;
	return edges && (unsigned)__builtin_popcountll(free_warps & ~held) < wl_waits_needed(x);
}

/* Marks the rows that may get on: a polled value may change, and a wait for a polling warp may end. */
static void mark_free(const struct wl_waits *w, uint8_t *free_row)
{
	for (bool more = true; more;) {
		more = false;
		for (unsigned a = 0; a < w->n; a++)
			if (!free_row[a] && !is_held(w, a, free_row))
				free_row[a] = more = true;
	}
}

static bool visit(struct search *s, unsigned a)
{
	s->state[a] = 1;
	s->trail[s->depth++] = a;
	for (unsigned b = 0; b < s->w->n; b++) {
		if (s->state[b] == 2 || !wl_waits_for(s->w, a, b))
			continue;
		if (s->state[b] == 1) {
			unsigned from = 0;
			while (s->trail[from] != b)
				from++;
			s->w->ncircle = s->depth - from;
			memmove(s->trail, s->trail + from, s->w->ncircle * sizeof *s->trail);
			return true;
		}
		if (visit(s, b))
			return true;
	}
	s->depth--;
	s->state[a] = 2;
	return false;
}

bool waiting_circle(struct wl_waits *w)
{
	struct search s = {w, calloc(w->n + 1, sizeof *s.trail), 0, calloc(w->n + 1, 1)};
	w->circle = s.trail;
	if (s.state)
		mark_free(w, s.state);
	for (unsigned i = 0; s.state && i < w->n; i++)
		s.state[i] *= 2;
	for (unsigned i = 0; s.trail && s.state && i < w->n && !w->ncircle; i++)
		if (!s.state[i])
			visit(&s, i);
	const bool good = s.trail && s.state;
	free(s.state);
	return good;
}
