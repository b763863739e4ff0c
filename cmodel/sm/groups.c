// SPDX-License-Identifier: Apache-2.0
/* groups.c -- the groups of lanes of a warp at different instructions.
 *
 * Groups take turns in the order of the array (step.c). Ready groups that meet at the same pc become a single group.
 * The unit (cmodel/units/convergence.c) knows the waits between lanes; this file keeps program counters.
 * Source: docs/spec/convergence.md, "Groups"; docs/spec/convergence.md, "Patience". */
#include <assert.h>
#include <string.h>

#include "advance.h"
#include "grid.h"
#include "groups.h"
#include "observe.h"

void groups_start(struct warp *w, uint32_t mask)
{
	w->live = mask;
	w->ngroups = 1;
	w->cur = 0;
	w->uni_used = 1;
	w->g[0] = (struct group){.mask = mask};
	w->near_known = false;
	w->advance.on = false;
}

static void remove_group(struct warp *w, unsigned i)
{
	w->near_known = false;
	w->uni_used &= ~(1u << w->g[i].uni);
	w->ngroups--;
	if (w->ngroups < 2)
		w->advance.on = false;
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

/* Takes lanes out of group i into a new group with the same state. Returns the new group's index. */
static unsigned split(struct warp *w, unsigned i, uint32_t lanes)
{
	assert(lanes && !(lanes & ~w->g[i].mask) && lanes != w->g[i].mask && w->ngroups < WL_WARP_LANES);
	w->near_known = false;
	unsigned uni = lowest(~w->uni_used);
	struct group *n = &w->g[w->ngroups];
	*n = w->g[i];
	n->mask = lanes;
	n->uni = (uint8_t)uni;
	n->ran = 0;
	w->uni_used |= 1u << uni;
	memcpy(w->uni[uni], w->uni[w->g[i].uni], sizeof w->uni[0]);
	if (w->advance.on)
		advance_split(w, uni, w->g[i].uni);
	w->g[i].mask &= ~lanes;
	return w->ngroups++;
}

void groups_split_off(struct exec *x, uint32_t lanes, uint32_t pc)
{
	x->w->g[split(x->w, x->w->cur, lanes)].pc = pc;
}

static bool same_uniforms(const struct warp *w, unsigned i, unsigned j)
{
	return memcmp(w->uni[w->g[i].uni], w->uni[w->g[j].uni], sizeof w->uni[0]) == 0;
}

/* Group j joins ready group i when group i has the turn: both are ready at the same pc, and the uniform registers are
 * equal. A group may have lost the turn between VOTEU and the use of the vote: the group must not get the vote of another
 * group. Lanes released together join with any uniform registers. */
static bool joins(const struct warp *w, unsigned i, unsigned j, uint32_t together)
{
	return w->g[j].state == GROUP_READY && w->g[j].pc == w->g[i].pc && w->g[j].apart == w->g[i].apart &&
	       (!(w->g[j].mask & ~together) || same_uniforms(w, i, j));
}

/* All groups that join group i. Returns the index of the group after the merge. */
static unsigned merge_at(struct warp *w, unsigned i, uint32_t together)
{
	for (unsigned j = w->ngroups; j-- > 0;) {
		if (j == i || !joins(w, i, j, together))
			continue;
		join(w, i, j);
		if (j < i)
			i--;
	}
	return i;
}

/* Places of the groups beside the current group, as a set of the low bits of the pcs. These groups stand still while
 * the current group runs: mostly a single look tells that the current group meets nobody. */
static void look_near(struct warp *w)
{
	w->near = 0;
	for (unsigned i = 0; i < w->ngroups; i++)
		w->near |= i == w->cur ? 0 : UINT64_C(1) << (w->g[i].pc & 63);
	w->near_known = true;
}

void groups_meet(struct exec *x)
{
	if (x->w->near_known && !(x->w->near >> (x->g->pc & 63) & 1))
		return;
	groups_merge_here(x);
	look_near(x->w);
}

void groups_merge_here(struct exec *x)
{
	if (x->g->state == GROUP_READY)
		merge_at(x->w, x->w->cur, 0);
	groups_set_current(x);
}

bool groups_pick(struct warp *w, bool after_current)
{
	unsigned i = w->cur + after_current;
	for (unsigned k = 0; k < w->ngroups; k++, i++) {
		if (i >= w->ngroups)
			i -= w->ngroups;
		if (w->g[i].state == GROUP_READY && w->g[i].wake <= w->time) {
			w->near_known = w->near_known && w->cur == i;
			w->cur = (uint8_t)i;
			return true;
		}
	}
	return false;
}

/* Of the groups that join group i: the group with the turn in lockstep. A sleeping group joins an awake group, so the
 * lane named by the log may be of a group that sleeps. */
static unsigned with_turn(const struct warp *w, unsigned i)
{
	for (unsigned k = 0; k < w->ngroups; k++) {
		const unsigned j = (w->cur + k) % w->ngroups;
		if (w->g[j].wake <= w->time && (j == i || joins(w, i, j, 0)))
			return j;
	}
	return i;
}

bool groups_select(struct warp *w, unsigned lane)
{
	for (unsigned i = 0; i < w->ngroups; i++) {
		if (w->g[i].mask >> lane & 1) {
			w->near_known = false;
			w->cur = (uint8_t)(w->g[i].state == GROUP_READY ? with_turn(w, i) : i);
			return true;
		}
	}
	return false;
}

/* Lanes `lanes` of group i are ready again. The lanes join ready groups at the same pc, and lanes released together;
 * apart: see struct group. */
static void wake(struct warp *w, unsigned i, uint32_t lanes, uint32_t apart, uint32_t together)
{
	if (lanes != w->g[i].mask) {
		bool was_current = w->cur == i;
		i = split(w, i, lanes);
		if (was_current)
			w->cur = (uint8_t)i;
	}
	w->near_known = false;
	w->g[i].state = GROUP_READY;
	w->g[i].ran = 0;
	w->g[i].apart = apart;
	merge_at(w, i, together);
}

void groups_go_on(struct warp *w, const struct wl_conv_warp *c, uint32_t any)
{
	const uint32_t together = any;
	while (any) { /* wake moves groups about: look groups up by lane */
		unsigned i = 0;
		while (!(w->g[i].mask & any) || w->g[i].state == GROUP_READY) {
			i++;
			assert(i < w->ngroups && "who goes on has waited");
		}
		bool apart = w->g[i].state == GROUP_WARPSYNC && w->g[i].id == WL_WARPSYNC_APART;
		uint32_t lanes = w->g[i].mask & any;
		if (apart)
			lanes = wl_conv_same_set(c->wait_for, lanes);
		any &= ~lanes;
		wake(w, i, lanes, apart ? c->wait_for[lowest(lanes)] : 0, together);
	}
}

void groups_yield(struct warp *w, struct wl_conv_warp *c, uint32_t lanes)
{
	groups_go_on(w, c, wl_conv_yield(c, lanes));
}

static uint32_t lanes_in(const struct warp *w, enum group_state state)
{
	uint32_t lanes = 0;
	for (unsigned i = 0; i < w->ngroups; i++)
		lanes |= w->g[i].state == state ? w->g[i].mask : 0;
	return lanes;
}

static bool lets_go(const struct wl_conv_warp *c, uint32_t yield)
{
	struct wl_conv_warp copy = *c;
	return yield && wl_conv_yield(&copy, yield);
}

/* All live lanes but the newest at BSYNC: the lanes of the last group to come that share a set. */
static uint32_t all_but_newest(const struct warp *w, const struct wl_conv_warp *c)
{
	const struct group *newest = NULL;
	for (unsigned i = 0; i < w->ngroups; i++)
		if (w->g[i].state == GROUP_BSYNC && (!newest || w->g[i].since - newest->since < UINT32_MAX / 2))
			newest = &w->g[i];
	return newest ? w->live & ~wl_conv_same_set(c->set[newest->id], newest->mask) : 0;
}

/* Lanes to be taken as yielded, for the sake of lanes at BSYNC: the ready lanes. If the ready lanes help nobody, also
 * the lanes at WARPSYNC or BAR: these come to no BSYNC before others have come to the WARPSYNC or BAR. Else all but the
 * last at BSYNC. */
static uint32_t who_yields(const struct warp *w, const struct wl_conv_warp *c)
{
	const uint32_t run = lanes_in(w, GROUP_READY);
	const uint32_t kept = run | lanes_in(w, GROUP_WARPSYNC) | lanes_in(w, GROUP_BAR_WARP);
	return lets_go(c, run) ? run : lets_go(c, kept) ? kept : all_but_newest(w, c);
}

bool groups_force(struct warp *w, struct wl_conv_warp *c)
{
	const uint32_t run = lanes_in(w, GROUP_READY);
	groups_yield(w, c, who_yields(w, c));
	return lanes_in(w, GROUP_READY) != run;
}

uint32_t groups_waiting(const struct warp *w)
{
	return lanes_in(w, GROUP_BSYNC) | lanes_in(w, GROUP_WARPSYNC);
}

/* The long wait will happen again. */
static void less_patience(struct warp *w)
{
	if (w->patience > LEAST_PATIENCE)
		w->patience /= 2;
}

void groups_forced(struct warp *w, const struct wl_conv_warp *c, uint32_t ready)
{
	const uint32_t go_on = ready & groups_waiting(w);
	groups_go_on(w, c, go_on);
	if (go_on)
		less_patience(w);
}

/* Changes of group in the longest wait at BSYNC; 0: no lane waits there. */
static uint32_t longest_wait(const struct warp *w)
{
	uint32_t longest = 0;
	for (unsigned i = 0; i < w->ngroups; i++)
		if (w->g[i].state == GROUP_BSYNC && w->switches - w->g[i].since > longest)
			longest = w->switches - w->g[i].since;
	return longest;
}

/* The warp is watched from a wait of some length on. */
static void watch(struct warp *w, uint32_t waited)
{
	if (waited >= LEAST_PATIENCE && !w->advance.on)
		advance_begin(w);
	if (!waited)
		w->advance.on = false;
}

/* Some lanes have waited at BSYNC for long while all running lanes poll; or no lane of the warp can go on, and nobody
 * else can help. The warp is watched only after a first wait: most waits are short. Polling lanes may meet at a BSYNC of
 * their own in each round: a moment when all of them run is the best. Lanes that poll with a clock get on by themselves:
 * they are told by looks at the clock and reads of memory alone, and after a longer time. */
static bool over(struct warp *w, const struct wl_conv_warp *c)
{
	const uint32_t run = lanes_in(w, GROUP_READY);
	w->switches++;
	if (!run)
		return lanes_in(w, GROUP_BSYNC) != 0;
	if (w->switches % LEAST_PATIENCE == 0)
		watch(w, longest_wait(w));
	if (!w->advance.on)
		return false;
	const uint32_t waited = longest_wait(w);
	if (waited >= CLOCKED * w->patience && !(run & ~(w->advance.read & w->advance.clocked)))
		return true;
	return waited >= w->patience && advance_none(w, run, w->patience) &&
	       (lets_go(c, run) || advance_none(w, run, w->patience + LEAST_PATIENCE));
}

void groups_patience(struct warp *w, struct wl_conv_warp *c, bool in_dut)
{
	if (!over(w, c) || (in_dut && w->state != WARP_RUNS)) /* the warp asks after its own wait */
		return;
	w->advance.on = false;
	if (!in_dut) {
		if (groups_force(w, c))
			less_patience(w);
		return;
	}
	w->forced = who_yields(w, c);
	if (w->forced)
		warp_enter(w, WARP_YIELDS);
}

enum flow groups_wait(struct exec *x, uint32_t lanes, enum group_state state, unsigned id, uint32_t go_on)
{
	struct warp *w = x->w;
	unsigned i = w->cur;
	if (lanes != x->g->mask)
		i = split(w, i, lanes);
	w->g[i].state = (uint8_t)state;
	w->g[i].id = (uint8_t)id;
	w->g[i].since = w->switches;
	groups_go_on(w, x->conv, go_on);
	groups_set_current(x);
	return x->g->state == GROUP_READY ? FLOW_NEXT : FLOW_SWITCH;
}

enum flow groups_exit(struct exec *x, uint32_t lanes)
{
	const uint32_t go_on = wl_conv_exit(x->conv, lanes);
	if (x->gpu->observer) {
		observe_exit(x, lanes);
		if (go_on & lanes_in(x->w, GROUP_WARPSYNC))
			observe_lanes(x, go_on & lanes_in(x->w, GROUP_WARPSYNC));
	}
	return groups_left(x, lanes, go_on);
}

/* The EXIT executed by lanes at `pc`: SOURCE leaves whole warps at the EXIT, all others stand behind the EXIT. */
static uint32_t exit_before(const struct wl_program *p, uint32_t pc)
{
	return pc && p->insts[pc - 1].uop == WL_UOP_EXIT ? pc - 1 : pc;
}

enum flow groups_left(struct exec *x, uint32_t lanes, uint32_t go_on)
{
	struct warp *w = x->w;
	bool gone = lanes == x->g->mask;
	observe_change(x->gpu, true);
	w->exited = lanes;
	w->exit_pc = exit_before(x->gpu->program, x->g->pc);
	w->live &= ~lanes;
	x->g->mask &= ~lanes;
	w->near_known = false;
	if (gone) {
		remove_group(w, w->cur);
		/* the group before, so the next turn goes to the group behind the removed group */
		w->cur = (uint8_t)(w->ngroups ? (w->cur + w->ngroups - 1) % w->ngroups : 0);
	}
	if (!w->live) {
		warp_enter(w, WARP_FREE);
		grid_warp_exit(x);
		return FLOW_SWITCH;
	}
	groups_go_on(w, x->conv, go_on);
	groups_set_current(x);
	return gone ? FLOW_SWITCH : FLOW_NEXT;
}

uint32_t groups_waiting_at_bar(const struct warp *w)
{
	return lanes_in(w, GROUP_BAR_WARP);
}

void groups_wake_bar(struct warp *w)
{
	if (w->ngroups == 1 && w->g[0].state == GROUP_BAR) { /* nearly always */
		w->g[0].state = GROUP_READY;
		w->g[0].ran = 0;
		w->g[0].apart = 0;
		return;
	}
	const uint32_t together = lanes_in(w, GROUP_BAR);
	uint32_t lanes = together;
	while (lanes) { /* wake moves groups about: look groups up by lane */
		unsigned i = 0;
		while (!(w->g[i].mask & lanes))
			i++;
		uint32_t mine = w->g[i].mask & lanes;
		lanes &= ~mine;
		wake(w, i, mine, 0, together);
	}
}
