// SPDX-License-Identifier: Apache-2.0
/* observe.c -- events of warplock/observe.h told by the front end itself, and questions of observers. */
#include "observe_event.h"
#include "warplock/warp_collective.h"

const struct wl_observer *wl_gpu_observer(const struct wl_gpu *gpu)
{
	return gpu->observer;
}

void wl_gpu_observe(struct wl_gpu *gpu, const struct wl_observer *o)
{
	gpu->observer = o;
}

void wl_gpu_shape(const struct wl_gpu *g, struct wl_seen_shape *out)
{
	*out = (struct wl_seen_shape){.ctas = g->ctas,
	                              .warps_per_cta = g->warps_per_cta,
	                              .threads = g->threads,
	                              .cluster_ctas = g->cluster_ctas,
	                              .global_bytes = shared_from(g),
	                              .shared_bytes = g->config.shared_bytes,
	                              .sms = g->config.sms,
	                              .local_bytes = g->local_bytes,
	                              .cta_shared = g->shared_per_cta,
	                              .heap = g->heap,
	                              .heap_bytes = g->heap_bytes,
	                              .program = g->program,
	                              .gmem = g->gmem};
}

/* No lane of the warp can go on. */
static bool stands(const struct warp *w)
{
	if (w->state == WARP_FREE || warp_is_held(w))
		return w->state != WARP_FREE;
	for (unsigned i = 0; i < w->ngroups; i++)
		if (w->g[i].state == GROUP_READY)
			return false;
	return true;
}

void observe_issue(const struct exec *x, uint32_t pc, uint32_t lanes)
{
	struct wl_seen e;
	if (!x->gpu->observer->issues)
		return;
	of_warp(x->gpu, x->sm_index, x->warp_index, &e);
	e.kind = WL_SEEN_ISSUE;
	e.lanes = lanes;
	e.pc = pc;
	e.inst = &x->gpu->program->insts[pc];
	e.passes = lanes ? x->gpu->passes : 0;
	e.waits = lanes && stands(x->w);
	e.time = sm_time(x->sm) + x->done;
	tell(x->gpu, &e);
}

/* Lanes that go on at once may have waited with several masks. */
void observe_lanes(const struct exec *x, uint32_t lanes)
{
	struct wl_seen e;
	for (uint32_t left = lanes, same; left; left &= ~same) {
		same = wl_conv_same_set(x->conv->wait_for, left);
		of_exec(x, WL_SEEN_LANES, same, &e);
		tell(x->gpu, &e);
	}
}

void observe_exit(const struct exec *x, uint32_t lanes)
{
	struct wl_seen e;
	of_exec(x, WL_SEEN_EXIT, lanes, &e);
	tell(x->gpu, &e);
}

void observe_fresh(const struct exec *x, uint64_t addr, uint32_t bytes)
{
	struct wl_seen e;
	of_exec(x, WL_SEEN_FRESH, x->mask, &e);
	e.at[0] = at_global(x->gpu, addr);
	e.bytes = bytes;
	tell(x->gpu, &e);
}

void observe_freed(const struct exec *x, uint64_t addr)
{
	struct wl_seen e;
	of_exec(x, WL_SEEN_FREED, x->mask, &e);
	e.at[0] = at_global(x->gpu, addr);
	tell(x->gpu, &e);
}

void observe_masks(const struct exec *x, const uint32_t *mask)
{
	struct wl_seen e;
	of_exec(x, WL_SEEN_MASKS, x->mask, &e);
	for (uint32_t m = e.lanes; m; m &= m - 1)
		e.addr[lowest(m)] = mask[lowest(m)];
	tell(x->gpu, &e);
}

void observe_shuffle(const struct exec *x)
{
	uint32_t from[WL_WARP_LANES];
	struct wl_seen e;
	of_exec(x, WL_SEEN_SHUFFLE, x->mask, &e);
	wl_shfl_sources((enum wl_shfl)x->in->op, x->b, x->c, from);
	for (uint32_t m = e.lanes; m; m &= m - 1)
		e.addr[lowest(m)] = from[lowest(m)];
	tell(x->gpu, &e);
}

void observe_misuse(const struct wl_gpu *g, const struct wl_misuse_found *f)
{
	const struct wl_seen e = {.kind = WL_SEEN_MISUSE,
	                          .sm = f->here.sm,
	                          .cta = f->here.cta,
	                          .warp = f->here.warp,
	                          .lanes = f->here.lanes,
	                          .pc = f->here.pc / 16,
	                          .inst = &g->program->insts[f->here.pc / 16],
	                          .id = f->kind,
	                          .found = f};
	tell(g, &e);
}

void observe_fault(const struct wl_gpu *g)
{
	const struct trouble *t = &g->trouble;
	struct wl_seen e = {.kind = WL_SEEN_FAULT,
	                    .sm = t->sm,
	                    .cta = t->cta,
	                    .warp = t->warp,
	                    .lanes = t->lanes,
	                    .pc = t->pc / 16,
	                    .id = t->fault,
	                    .has_addr = t->has_addr};
	e.inst = e.pc < g->program->ninst ? &g->program->insts[e.pc] : NULL;
	e.addr[0] = t->addr;
	e.warp_slot = t->warp_index;
	tell(g, &e);
}

void observe_cta(const struct wl_gpu *g, unsigned sm, unsigned slot)
{
	const struct wl_window *w = &gpu_sm(g, sm)->units.smem.window[slot];
	struct wl_seen e = {.kind = WL_SEEN_CTA_START,
	                    .sm = sm,
	                    .slot = slot,
	                    .cta = gpu_sm(g, sm)->cta[slot].number,
	                    .bytes = g->shared_per_cta};
	e.id = gpu_sm(g, sm)->cta[slot].cluster;
	e.at[0] = at_shared(g, sm, w->base);
	tell(g, &e);
}

void observe_arrival(const struct exec *x, enum wl_seen_kind kind, uint32_t id, uint32_t count, bool waits)
{
	struct wl_seen e;
	of_exec(x, kind, x->w->live, &e);
	e.pc = x->w->bar_pc;
	e.inst = &x->gpu->program->insts[x->w->bar_pc];
	e.id = id;
	e.count = count;
	e.waits = waits;
	tell(x->gpu, &e);
}

void observe_release(const struct wl_gpu *g, unsigned sm, enum wl_seen_kind kind, uint32_t id, uint64_t warps)
{
	struct wl_seen e;
	if (!warps)
		return;
	of_warp(g, sm, (unsigned)__builtin_ctzll(warps), &e);
	e.kind = kind;
	e.id = id;
	e.warps = warps;
	e.lanes = 0;
	tell(g, &e);
}
