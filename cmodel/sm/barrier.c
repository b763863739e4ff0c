// SPDX-License-Identifier: Apache-2.0
/* barrier.c -- BAR, B2R, UCGABAR. This file gathers the lanes of a warp; the units (cmodel/units/barrier_file.c,
 * cluster_barrier.c) count warps.
 *
 * A lane at BAR waits for the live lanes of the same warp. These lanes may stand at a BAR with another program counter.
 * Then the warp arrives as a whole, with the word of the last lanes to come.
 * Source: docs/spec/barriers.md, "Gathering a warp"; docs/spec/clusters.md, "Arrivals and waits". */
#include "exec.h"
#include "barrier.h"
#include "cluster.h"
#include "exec_unit.h"
#include "groups.h"
#include "misuse.h"
#include "step.h"
#include "stop.h"
#include "observe.h"

/* No count means all threads of the CTA at launch. */
static uint32_t threads_of(const struct exec *x, const struct group *g)
{
	return g->bar_count ? g->bar_count : x->gpu->warps_per_cta * WL_WARP_LANES;
}

static bool same_bar(const struct exec *x, const struct group *a, const struct group *b)
{
	if (a->bar_op >= BAR_OF_CLUSTER)
		return a->bar_op == b->bar_op;
	return a->bar_id == b->bar_id && a->bar_op == b->bar_op && threads_of(x, a) == threads_of(x, b) &&
	       (a->bar_op != WL_BAR_RED || a->bar_red == b->bar_red);
}

/* The last group to come; NULL: the groups of the warp do not all stand at the same barrier. */
static const struct group *gathered(const struct exec *x)
{
	const struct warp *w = x->w;
	const struct group *last = &w->g[0];
	for (unsigned i = 1; i < w->ngroups; i++) {
		if (!same_bar(x, &w->g[0], &w->g[i]))
			return NULL;
		last = w->g[i].pc == w->bar_pc + 1 ? &w->g[i] : last;
	}
	return last;
}

static enum flow misuse(struct exec *x, enum wl_fault fault)
{
	x->pc = x->w->bar_pc;
	return stop_fault(x, fault, x->w->live, false, 0);
}

/* Lanes of the warp stand at different barriers: the fault names the lanes of the last place first. */
static enum flow apart(struct exec *x)
{
	uint32_t lanes = 0;
	for (unsigned i = 0; i < x->w->ngroups; i++)
		lanes |= x->w->g[i].pc == x->w->bar_pc + 1 ? x->w->g[i].mask : 0;
	x->pc = x->w->bar_pc;
	return stop_fault(x, WL_FAULT_BAR_NOT_CONVERGED, lanes, false, 0);
}

static bool in_dut(const struct exec *x, enum wl_unit unit)
{
	return __builtin_expect(x->gpu->dut != 0, 0) && x->gpu->dut >> unit & 1 && sm_in_dut(x->gpu, x->sm_index);
}

static bool bars_in_dut(const struct exec *x)
{
	return in_dut(x, WL_UNIT_barrier_file);
}

static void tell_counted(const struct exec *x, bool waits, uint64_t released)
{
	const struct group *g = &x->w->g[0];
	const bool cluster = g->bar_op >= BAR_OF_CLUSTER;
	const bool wait = g->bar_op == BAR_OF_CLUSTER + WL_CBAR_WAIT;
	observe_arrival(x,
	                !cluster ? WL_SEEN_BAR_ARRIVE
	                : wait   ? WL_SEEN_CLUSTER_WAIT
	                         : WL_SEEN_CLUSTER_ARRIVE,
	                cluster ? 0 : g->bar_id, cluster ? 0 : gathered(x)->bar_count, waits);
	observe_release(x->gpu, x->sm_index, cluster ? WL_SEEN_CLUSTER_RELEASE : WL_SEEN_BAR_RELEASE,
	                cluster ? 0 : g->bar_id, released);
}

/* The unit has counted the warp. A warp without a wait goes on, and so do the released warps. */
static enum flow counted(struct exec *x, bool waits, uint64_t released)
{
	struct warp *w = x->w;
	observe_meeting(x->gpu);
	if (x->gpu->observer)
		tell_counted(x, waits, released);
	for (unsigned i = 0; i < w->ngroups; i++)
		w->g[i].state = GROUP_BAR;
	if (!waits)
		unit_go_on(x->gpu, x->sm_index, UINT64_C(1) << x->warp_index);
	unit_go_on(x->gpu, x->sm_index, released);
	if (w->g[0].bar_op >= BAR_OF_CLUSTER) /* this CTA may be the last of the cluster */
		cluster_meet(x->gpu, x->sm_index, w->slot);
	groups_set_current(x);
	return x->g->state == GROUP_READY ? FLOW_NEXT : FLOW_SWITCH;
}

static enum flow arrive_at_cluster(struct exec *x, enum wl_cbar_op op)
{
	struct wl_cluster_barrier *b = &x->sm->units.cluster_barrier;
	struct wl_released r = {0};
	bool waits = false;
	const enum wl_fault fault = op == WL_CBAR_WAIT ? wl_cbar_wait(b, x->w->slot, x->warp_index, &waits)
	                                               : wl_cbar_arrive(b, x->w->slot, x->warp_index, &r);
	return fault == WL_FAULT_NONE ? counted(x, waits, r.warps) : misuse(x, fault);
}

enum flow barrier_arrive(struct exec *x)
{
	struct warp *w = x->w;
	struct wl_barrier_file *file = &x->sm->units.barrier_file;
	const struct group *last = gathered(x);
	struct wl_released r;
	if (!last)
		return apart(x);
	if (w->ngroups > 1 && !misuse_barrier(x))
		return FLOW_STOP;
	const bool cluster = last->bar_op >= BAR_OF_CLUSTER;
	if (in_dut(x, cluster ? WL_UNIT_cluster_barrier : WL_UNIT_barrier_file)) {
		warp_enter(w, WARP_MEETS);
		return FLOW_SWITCH;
	}
	if (cluster)
		return arrive_at_cluster(x, (enum wl_cbar_op)(last->bar_op - BAR_OF_CLUSTER));
	const struct wl_bar_arrival a = {last->bar_op,    last->bar_red, last->bar_id,
	                                 last->bar_count, w->live,       w->bar_yes};
	enum wl_fault fault = wl_bar_check(file, w->slot, &a);
	if (fault == WL_FAULT_NONE)
		fault = wl_bar_arrive(file, w->slot, x->warp_index, &a, &r);
	if (fault != WL_FAULT_NONE)
		return misuse(x, fault);
	return counted(x, a.op != WL_BAR_ARV, r.warps);
}

/* The lowest active lane gives number and count; .HI: both come from the same register. */
static enum flow bar(struct exec *x)
{
	unsigned lane = lowest(x->mask);
	bool packed = x->in->flags & WL_F_HI;
	if (!bars_in_dut(x) && must_drain(x))
		return FLOW_HOLD;
	x->g->bar_id = packed ? x->a[lane] & 0xffff : x->a[lane];
	x->g->bar_count = packed ? x->a[lane] >> 16 : x->b[lane];
	x->g->bar_op = x->in->op;
	x->g->bar_red = x->in->type;
	x->w->bar_pc = x->pc;
	x->w->bar_yes = (x->w->bar_yes & ~x->mask) | (x->mask & read_pred(x, x->in->ps[0]));
	enum flow flow = groups_wait(x, x->mask, GROUP_BAR_WARP, x->g->bar_id, 0);
	if (groups_waiting_at_bar(x->w) == x->w->live)
		flow = barrier_arrive(x);
	return bars_in_dut(x) && flow != FLOW_STOP ? FLOW_GATHER : flow;
}

enum flow exec_unit_cluster_barrier(struct exec *x)
{
	const bool elsewhere = in_dut(x, WL_UNIT_cluster_barrier);
	if (!elsewhere && must_drain(x))
		return FLOW_HOLD;
	x->g->bar_op = (uint8_t)(BAR_OF_CLUSTER + x->in->op);
	x->w->bar_pc = x->pc;
	enum flow flow = groups_wait(x, x->mask, GROUP_BAR_WARP, 0, 0);
	if (groups_waiting_at_bar(x->w) == x->w->live)
		flow = barrier_arrive(x);
	return elsewhere && flow != FLOW_STOP ? FLOW_GATHER : flow;
}

/* ---- SOURCE: the DUT counts the warps ---- */

/* The word comes from the last group, and so do the lanes for the registers of the word. */
void barrier_fetch(struct exec *x)
{
	const struct group *last = gathered(x);
	x->w->near_known = false;
	x->w->cur = (uint8_t)(last - x->w->g);
	groups_set_current(x);
	step_fetch(x, x->w->bar_pc);
	x->mask = last->mask;
}

void barrier_accepted(struct warp *w)
{
	for (unsigned i = 0; i < w->ngroups; i++)
		w->g[i].state = GROUP_BAR;
}

void barrier_answered(struct wl_gpu *gpu, unsigned sm, unsigned warp)
{
	observe_meeting(gpu);
	groups_wake_bar(gpu_warp(gpu, sm, warp));
	warp_set_ready(gpu, sm, warp);
}

static enum flow bar_result(struct exec *x)
{
	ROW(d);
	const uint32_t result = x->sm->units.barrier_file.result[x->warp_index];
	FOR_LANES (i)
		d[i] = result;
	write_pred(x, x->in->pd[0], result ? ALL_LANES : 0);
	return write_rd(x, d);
}

enum flow exec_unit_barrier_file(struct exec *x)
{
	if (x->in->uop == WL_UOP_BAR)
		return bar(x);
	return unit_in_dut(x) ? FLOW_REQUEST : bar_result(x);
}
