// SPDX-License-Identifier: Apache-2.0
/* mon.c -- the monitor's part for cluster_barrier, rule d. The part keeps of each warp whether the warp has arrived,
 * waits, or may go on. So the part knows the warps to release, and the time.
 * Source: docs/spec/clusters.md, "Arrivals and waits". */
#include <string.h>

#include "../../../cosim/mon_unit.h"
#include "cluster_barrier.h"

enum { LATEST = 4 /* cycles from the end of a phase to its RELEASE */, WARPS = 64 };

struct state {
	struct {
		enum { GONE, AWAY, HERE, WAITS, DONE } is; /* AWAY: has to arrive; DONE: the warp's phase has ended */
		uint8_t slot;
	} warp[WARPS];
	struct {
		uint64_t owed, since; /* owed: to be released; since: cycle in which the phase ended */
		uint16_t phase, ended;
	} cluster[WL_MAX_CTAS];
};

struct arrival {
	bool waits, parks;
};

static struct state *state_of(struct mon *m)
{
	return mon_state(m, WL_UNIT_cluster_barrier);
}

static struct arrival *arrival_of(struct mon_item *it)
{
	return (struct arrival *)(void *)it->own;
}

static bool in_cluster(struct mon *m, unsigned warp, unsigned cluster)
{
	const struct state *s = state_of(m);
	return s->warp[warp].is != GONE && mon_window_of(m, s->warp[warp].slot)->cluster == cluster;
}

static void open(struct mon *m, unsigned slot)
{
	struct state *s = state_of(m);
	const struct mon_window *w = mon_window_of(m, slot);
	for (unsigned i = 0; i < WARPS; i++) {
		if (s->warp[i].slot == slot)
			s->warp[i].is = GONE;
		if (w->valid && i >= w->first && i < (unsigned)w->first + w->warps) {
			s->warp[i].is = AWAY;
			s->warp[i].slot = (uint8_t)slot;
		}
	}
	if (w->valid)
		memset(&s->cluster[w->cluster], 0, sizeof s->cluster[0]);
}

static void accept(struct mon *m, struct mon_item *it, const struct wl_req *req)
{
	*arrival_of(it) = (struct arrival){.waits = req->inst.op == 1};
	if (!mon_window_of(m, req->tag.slot)->valid)
		it->faulting = req->mask;
}

static void end_if_complete(struct mon *m, unsigned cluster)
{
	struct state *s = state_of(m);
	uint64_t owed = 0;
	bool any = false;
	for (unsigned i = 0; i < WARPS; i++) {
		if (!in_cluster(m, i, cluster))
			continue;
		if (s->warp[i].is == AWAY || s->warp[i].is == DONE)
			return;
		any = true;
		owed |= (uint64_t)(s->warp[i].is == WAITS) << i;
	}
	if (!any)
		return;
	for (unsigned i = 0; i < WARPS; i++)
		if (in_cluster(m, i, cluster))
			s->warp[i].is = s->warp[i].is == WAITS ? AWAY : DONE;
	if (owed) {
		s->cluster[cluster].owed = owed;
		s->cluster[cluster].since = mon_now(m);
		s->cluster[cluster].ended = s->cluster[cluster].phase;
	}
	s->cluster[cluster].phase++;
}

static enum wl_fault misuse(struct mon *m, const struct mon_item *it, bool waits)
{
	const int is = state_of(m)->warp[it->tag.warp % WARPS].is;
	if (!waits)
		return is == HERE || is == WAITS ? WL_FAULT_CBAR_DOUBLE_ARRIVE : WL_FAULT_NONE;
	return is == AWAY ? WL_FAULT_CBAR_WAIT_NO_ARRIVE : WL_FAULT_NONE;
}

static void fault(struct mon *m, struct mon_item *it, const struct wl_event *ev)
{
	const enum wl_fault due = misuse(m, it, arrival_of(it)->waits);
	if (ev->fault != due)
		mon_complain(m, 'd', &it->tag, 0, "FAULT %s at the cluster's barrier, due is %s",
		             wl_fault_name(ev->fault), wl_fault_name(due));
}

static void commit(struct mon *m, struct mon_item *it, uint32_t lanes)
{
	struct state *s = state_of(m);
	struct arrival *a = arrival_of(it);
	const unsigned w = it->tag.warp % WARPS;
	if (lanes != it->mask)
		mon_complain(m, 'a', &it->tag, lanes, "COMMIT of a part of the warp");
	if (misuse(m, it, a->waits) != WL_FAULT_NONE)
		mon_complain(m, 'd', &it->tag, 0, "what must fault at the cluster's barrier commits");
	if (a->waits) {
		a->parks = s->warp[w].is == HERE;
		s->warp[w].is = a->parks ? WAITS : AWAY;
	} else {
		s->warp[w].is = HERE;
		end_if_complete(m, mon_window_of(m, it->tag.slot)->cluster);
	}
}

static enum wl_unit waits(struct mon *m, struct mon_item *it)
{
	(void)m;
	return arrival_of(it)->parks ? WL_UNIT_cluster_barrier : (enum wl_unit)MON_NO_WAIT;
}

static void release(struct mon *m, const struct wl_event *ev)
{
	struct state *s = state_of(m);
	const unsigned cluster = mon_window_of(m, ev->tag.slot)->cluster;
	if (ev->warps != s->cluster[cluster].owed || ev->id != s->cluster[cluster].ended || ev->phase != ev->id)
		mon_complain(m, 'd', &ev->tag, 0, "RELEASE of warps %llx, phase %u (%u), due are %llx, phase %u",
		             (unsigned long long)ev->warps, ev->phase, ev->id,
		             (unsigned long long)s->cluster[cluster].owed, s->cluster[cluster].ended);
	s->cluster[cluster].owed = 0;
}

static void waiting(struct mon *m, const struct mon_item *it)
{
	const struct state *s = state_of(m);
	const unsigned cluster = mon_window_of(m, it->tag.slot)->cluster;
	if (s->cluster[cluster].owed >> it->tag.warp & 1 && mon_now(m) > s->cluster[cluster].since + LATEST)
		mon_complain(m, 'd', &it->tag, 0,
		             "waits at the barrier of its cluster, whose phase ended %u cycles ago",
		             (unsigned)(mon_now(m) - s->cluster[cluster].since));
}

static void on_exit(struct mon *m, const struct wl_event *ev)
{
	struct state *s = state_of(m);
	if (s->warp[ev->tag.warp % WARPS].is == GONE)
		return;
	s->warp[ev->tag.warp % WARPS].is = GONE;
	end_if_complete(m, mon_window_of(m, ev->tag.slot)->cluster);
}

const struct mon_unit mon_cluster_barrier = {.unit = WL_UNIT_cluster_barrier,
                                             .state_bytes = sizeof(struct state),
                                             .state_faults = true,
                                             .several_slots = true,
                                             .accept = accept,
                                             .commit = commit,
                                             .fault = fault,
                                             .waits = waits,
                                             .release = release,
                                             .waiting = waiting,
                                             .exit = on_exit,
                                             .open = open};
