// SPDX-License-Identifier: Apache-2.0
/* groups.c -- convergence: the groups of lanes of one warp that stand at different instructions.
 *
 * Groups take turns in the order of the array (step.c). Ready groups that meet at one pc become one. A lane that
 * exits leaves every set it is in, because sets are always looked at through warp->live. */
#include <assert.h>
#include <string.h>

#include "front.h"

void groups_start(struct warp *w, uint32_t mask)
{
	w->live = mask;
	w->ngroups = 1;
	w->cur = 0;
	w->uni_used = 1;
	w->g[0] = (struct group){.mask = mask};
}

void groups_set_current(struct exec *x)
{
	x->g = &x->w->g[x->w->cur];
	x->uni = x->w->uni[x->g->uni];
}

static void remove_group(struct warp *w, unsigned i)
{
	w->uni_used &= ~(1u << w->g[i].uni);
	w->ngroups--;
	memmove(&w->g[i], &w->g[i + 1], (w->ngroups - i) * sizeof w->g[0]);
	if (w->cur > i)
		w->cur--;
}

/* Group `from` becomes part of group `to`. */
static void join(struct warp *w, unsigned to, unsigned from)
{
	w->g[to].mask |= w->g[from].mask;
	if (w->cur == from)
		w->cur = (uint8_t)to;
	remove_group(w, from);
}

/* Takes lanes out of group i into a new group with the same state. Returns its index. */
static unsigned split(struct warp *w, unsigned i, uint32_t lanes)
{
	assert(lanes && !(lanes & ~w->g[i].mask) && lanes != w->g[i].mask && w->ngroups < WL_WARP_LANES);
	unsigned uni = lowest(~w->uni_used);
	struct group *n = &w->g[w->ngroups];
	*n = w->g[i];
	n->mask = lanes;
	n->uni = (uint8_t)uni;
	n->ran = 0;
	w->uni_used |= 1u << uni;
	memcpy(w->uni[uni], w->uni[w->g[i].uni], sizeof w->uni[0]);
	w->g[i].mask &= ~lanes;
	return w->ngroups++;
}

void groups_split(struct exec *x, uint32_t lanes, uint32_t pc)
{
	unsigned i = x->w->cur;
	if (lanes != x->g->mask)
		i = split(x->w, i, lanes);
	x->w->g[i].pc = pc;
}

/* Ready groups at the pc of group i join it. Returns where it is then. */
static unsigned merge_at(struct warp *w, unsigned i)
{
	for (unsigned j = w->ngroups; j-- > 0;) {
		if (j == i || w->g[j].state != GROUP_READY || w->g[j].pc != w->g[i].pc ||
		    w->g[j].apart != w->g[i].apart)
			continue;
		join(w, i, j);
		if (j < i)
			i--;
	}
	return i;
}

void groups_merge_here(struct exec *x)
{
	if (x->g->state == GROUP_READY)
		merge_at(x->w, x->w->cur);
	groups_set_current(x);
}

bool groups_pick(struct warp *w, bool after_current)
{
	for (unsigned k = 0; k < w->ngroups; k++) {
		unsigned i = (w->cur + after_current + k) % w->ngroups;
		if (w->g[i].state == GROUP_READY && w->g[i].wake <= w->time) {
			w->cur = (uint8_t)i;
			return true;
		}
	}
	return false;
}

bool groups_select(struct warp *w, unsigned lane)
{
	for (unsigned i = 0; i < w->ngroups; i++) {
		if (w->g[i].mask >> lane & 1) {
			w->cur = (uint8_t)i;
			return true;
		}
	}
	return false;
}

/* Lanes of group i, or those of them in `lanes`, are ready again and join who stands where they go on. */
static void wake(struct warp *w, unsigned i, uint32_t lanes)
{
	uint32_t set = w->g[i].state == GROUP_WARPSYNC && w->g[i].id == WARPSYNC_APART ? w->wait_for[lowest(lanes)] : 0;
	if (lanes != w->g[i].mask) {
		bool was_current = w->cur == i;
		i = split(w, i, lanes);
		if (was_current)
			w->cur = (uint8_t)i;
	}
	w->g[i].state = GROUP_READY;
	w->g[i].ran = 0;
	w->g[i].apart = set;
	merge_at(w, i);
}

/* Lanes of group g that wait for nobody any more. Who waits together has the same set of lanes: another set at the
 * same barrier number is another place in the code. */
static uint32_t complete_lanes(const struct warp *w, const struct group *g, uint32_t waiting)
{
	const uint32_t *set = g->state == GROUP_BSYNC ? w->cbar[g->id] : w->wait_for;
	uint32_t done = 0, left = g->mask;
	while (left) {
		uint32_t mine = set[lowest(left)], same = 0;
		for (uint32_t m = waiting; m; m &= m - 1)
			same |= (uint32_t)(set[lowest(m)] == mine) << lowest(m);
		if (!(mine & w->live & ~same))
			done |= same & g->mask;
		left &= ~same;
	}
	return done;
}

static uint32_t lanes_waiting(const struct warp *w, enum group_state state, unsigned id)
{
	uint32_t lanes = 0;
	for (unsigned i = 0; i < w->ngroups; i++)
		if (w->g[i].state == state && w->g[i].id == id)
			lanes |= w->g[i].mask;
	return lanes;
}

/* Of these lanes, those that wait for the same set as the lowest one. */
static uint32_t with_same_set(const uint32_t *set, uint32_t lanes)
{
	uint32_t same = 0;
	for (uint32_t m = lanes; m; m &= m - 1)
		same |= (uint32_t)(set[lowest(m)] == set[lowest(lanes)]) << lowest(m);
	return same;
}

void groups_release(struct warp *w)
{
	/* All sets are judged before anybody goes on: lanes of one barrier leave it together. */
	uint32_t any = 0;
	for (unsigned i = 0; i < w->ngroups; i++) {
		const struct group *g = &w->g[i];
		if (g->state != GROUP_BSYNC && g->state != GROUP_WARPSYNC)
			continue;
		any |= complete_lanes(w, g, lanes_waiting(w, g->state, g->id));
	}
	while (any) { /* wake moves groups about: look them up by lane */
		unsigned i = 0;
		while (!(w->g[i].mask & any) || w->g[i].state == GROUP_READY)
			i++;
		uint32_t lanes = w->g[i].mask & any;
		if (w->g[i].state == GROUP_WARPSYNC && w->g[i].id == WARPSYNC_APART)
			lanes = with_same_set(w->wait_for, lanes);
		if (w->g[i].state == GROUP_BSYNC)
			for (uint32_t m = lanes; m; m &= m - 1)
				w->cbar[w->g[i].id][lowest(m)] = 0;
		any &= ~lanes;
		wake(w, i, lanes);
	}
}

/* Lane `lane` waits at barrier `id`. When all that it waits for have yielded, it and those that wait with it are a set
 * of their own from now on. A lane that has put the set away (BMOV) or is elsewhere cannot be told, so it is waited
 * for. */
static void let_go(struct warp *w, unsigned id, unsigned lane, uint32_t waiting)
{
	uint32_t *set = w->cbar[id], mine = set[lane], same = 0, rest;
	for (uint32_t m = waiting; m; m &= m - 1)
		same |= (uint32_t)(set[lowest(m)] == mine) << lowest(m);
	rest = mine & w->live & ~same;
	if (!rest || rest & ~w->yielded)
		return;
	for (uint32_t m = rest; m; m &= m - 1)
		if (set[lowest(m)] != mine)
			return;
	for (uint32_t m = rest; m; m &= m - 1)
		set[lowest(m)] &= ~same;
	for (uint32_t m = same; m; m &= m - 1)
		set[lowest(m)] = same;
}

/* A lane that yields may spin for something that only a lane at BSYNC can do: who waits for yielding lanes alone goes
 * on, and is no longer waited for ("Execution of divergent threads using a convergence barrier", US patent application
 * 2016/0019066). */
void groups_yield(struct warp *w, uint32_t lanes)
{
	w->yielded |= lanes;
	for (unsigned i = 0; i < w->ngroups; i++) {
		const struct group *g = &w->g[i];
		uint32_t waiting = g->state == GROUP_BSYNC ? lanes_waiting(w, GROUP_BSYNC, g->id) : 0;
		for (uint32_t m = waiting & g->mask; m; m &= m - 1)
			let_go(w, g->id, lowest(m), waiting);
	}
	groups_release(w);
}

/* Lanes at BSYNC whose set can do without the lanes that run go on, as if those had yielded. */
bool groups_force(struct warp *w)
{
	uint32_t run = 0, now = 0;
	for (unsigned i = 0; i < w->ngroups; i++)
		run |= w->g[i].state == GROUP_READY ? w->g[i].mask : 0;
	groups_yield(w, run);
	for (unsigned i = 0; i < w->ngroups; i++)
		now |= w->g[i].state == GROUP_READY ? w->g[i].mask : 0;
	return now != run;
}

void groups_patience(struct warp *w)
{
	if (++w->switches % LEAST_PATIENCE)
		return;
	for (unsigned i = 0; i < w->ngroups; i++) {
		if (w->g[i].state == GROUP_BSYNC && w->switches - w->g[i].since >= w->patience) {
			if (groups_force(w) && w->patience > LEAST_PATIENCE)
				w->patience /= 2; /* it will happen again */
			return;
		}
	}
}

enum flow groups_wait(struct exec *x, uint32_t lanes, enum group_state state, unsigned id)
{
	struct warp *w = x->w;
	unsigned i = w->cur;
	w->yielded &= ~lanes;
	if (lanes != x->g->mask)
		i = split(w, i, lanes);
	w->g[i].state = (uint8_t)state;
	w->g[i].id = (uint8_t)id;
	w->g[i].since = w->switches;
	groups_release(w);
	groups_set_current(x);
	return x->g->state == GROUP_READY ? FLOW_NEXT : FLOW_SWITCH;
}

enum flow groups_exit(struct exec *x, uint32_t lanes)
{
	struct warp *w = x->w;
	bool gone = lanes == x->g->mask;
	x->gpu->changes++;
	w->live &= ~lanes;
	x->g->mask &= ~lanes;
	if (gone) {
		remove_group(w, w->cur);
		/* the one before, so that the next turn is that of the one behind the group that is gone */
		w->cur = (uint8_t)(w->ngroups ? (w->cur + w->ngroups - 1) % w->ngroups : 0);
	}
	if (!w->live) {
		grid_warp_exit(x);
		return FLOW_SWITCH;
	}
	groups_release(w);
	groups_set_current(x);
	return gone ? FLOW_SWITCH : FLOW_NEXT;
}

uint32_t groups_waiting_at_bar(const struct warp *w)
{
	uint32_t lanes = 0;
	for (unsigned i = 0; i < w->ngroups; i++)
		if (w->g[i].state == GROUP_BAR_WARP)
			lanes |= w->g[i].mask;
	return lanes;
}

void groups_wake_bar(struct warp *w, unsigned id)
{
	uint32_t lanes = lanes_waiting(w, GROUP_BAR, id);
	while (lanes) { /* wake moves groups about: look them up by lane */
		unsigned i = 0;
		while (!(w->g[i].mask & lanes))
			i++;
		uint32_t mine = w->g[i].mask & lanes;
		lanes &= ~mine;
		wake(w, i, mine);
	}
}
