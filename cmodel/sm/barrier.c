// SPDX-License-Identifier: Apache-2.0
/* barrier.c -- the unit `barrier_file` in C: 16 named barriers of each CTA: sync, arrive and reduce.
 *
 * A lane that executes BAR waits for the live lanes of its own warp, wherever they execute theirs; then the warp
 * arrives as 32 threads (PTX ISA, "bar, barrier"). A barrier without a count waits for all warps that still live. */
#include "exec.h"

/* Counted groups of a warp that wait at barrier id go on. */
static void wake_warp(struct wl_gpu *gpu, unsigned sm, unsigned warp, unsigned id)
{
	struct warp *w = gpu_warp(gpu, sm, warp);
	groups_wake_bar(w, id);
	warp_set_ready(gpu, sm, warp);
}

static void check(struct wl_gpu *gpu, unsigned sm, unsigned slot, unsigned id)
{
	struct cta *cta = &gpu_sm(gpu, sm)->cta[slot];
	struct named_bar *bar = &cta->bar[id];
	uint32_t need = bar->expected ? bar->expected : cta->live_warps * WL_WARP_LANES;
	if (!bar->active || bar->arrived < need)
		return;
	uint64_t warps = bar->warps;
	uint32_t result = bar->red == WL_RED_POPC  ? bar->yes
	                  : bar->red == WL_RED_AND ? bar->yes == bar->voters
	                                           : bar->yes != 0;
	for (uint64_t m = bar->reduce ? warps : 0; m; m &= m - 1)
		gpu_warp(gpu, sm, (unsigned)__builtin_ctzll(m))->bar_result = result;
	*bar = (struct named_bar){0};
	for (; warps; warps &= warps - 1)
		wake_warp(gpu, sm, (unsigned)__builtin_ctzll(warps), id);
}

void barrier_recheck(struct wl_gpu *gpu, unsigned sm, unsigned slot)
{
	if (gpu_sm(gpu, sm)->cta[slot].live_warps)
		for (unsigned id = 0; id < 16; id++)
			check(gpu, sm, slot, id);
}

enum flow barrier_arrive(struct exec *x)
{
	struct warp *w = x->w;
	const struct group *first = NULL;
	for (unsigned i = 0; i < w->ngroups; i++) {
		const struct group *g = &w->g[i];
		if (!first)
			first = g;
		else if (g->id != first->id || g->bar_op != first->bar_op || g->bar_count != first->bar_count ||
		         (g->bar_op == WL_BAR_RED && g->bar_red != first->bar_red))
			return stop_fault(x, WL_FAULT_BAD_BARRIER, g->mask, false, 0);
	}
	struct named_bar *bar = &x->sm->cta[w->slot].bar[first->id];
	unsigned id = first->id, op = first->bar_op;
	uint64_t bit = UINT64_C(1) << x->warp_index;
	if (bar->active && (bar->expected != first->bar_count || bar->warps & bit))
		return stop_fault(x, WL_FAULT_BAD_BARRIER, w->live, false, 0);
	x->gpu->unclear++;
	bar->active = true;
	bar->expected = first->bar_count;
	bar->arrived += WL_WARP_LANES;
	bar->warps |= bit;
	if (op == WL_BAR_RED) {
		bar->reduce = true;
		bar->red = first->bar_red;
		bar->yes += (uint32_t)__builtin_popcount(w->bar_yes & w->live);
		bar->voters += (uint32_t)__builtin_popcount(w->live);
	}
	for (unsigned i = 0; i < w->ngroups; i++)
		w->g[i].state = GROUP_BAR;
	if (op == WL_BAR_ARV)
		wake_warp(x->gpu, x->sm_index, x->warp_index, id);
	check(x->gpu, x->sm_index, w->slot, id);
	groups_set_current(x);
	return x->g->state == GROUP_READY ? FLOW_NEXT : FLOW_SWITCH;
}

/* The number and the count are those of the lowest active lane; .HI: both come from one register. */
enum flow exec_BAR(struct exec *x)
{
	unsigned lane = lowest(x->mask);
	bool packed = x->in->flags & WL_F_HI;
	uint32_t id = packed ? x->a[lane] & 0xffff : x->a[lane], count = packed ? x->a[lane] >> 16 : x->b[lane];
	uint32_t most = x->gpu->warps_per_cta * WL_WARP_LANES;
	if (must_drain(x))
		return FLOW_HOLD;
	if (id > 15 || count % WL_WARP_LANES || count > most || (count == 0 && x->in->op == WL_BAR_ARV))
		return stop_fault(x, WL_FAULT_BAD_BARRIER, x->mask, false, 0);
	x->g->bar_op = x->in->op;
	x->g->bar_count = count;
	x->g->bar_red = x->in->type;
	x->w->bar_yes = (x->w->bar_yes & ~x->mask) | (x->mask & read_pred(x, x->in->ps[0]));
	enum flow flow = groups_wait(x, x->mask, GROUP_BAR_WARP, id);
	return groups_waiting_at_bar(x->w) == x->w->live ? barrier_arrive(x) : flow;
}

enum flow exec_B2R(struct exec *x)
{
	ROW(d);
	FOR_LANES (i)
		d[i] = x->w->bar_result;
	write_pred(x, x->in->pd[0], x->w->bar_result ? ALL_LANES : 0);
	return write_rd(x, d);
}
