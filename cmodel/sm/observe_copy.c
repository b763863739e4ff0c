// SPDX-License-Identifier: Apache-2.0
/* observe_copy.c -- the events of asynchronous copies. */
#include "observe_event.h"

/* ---- copies ---- */

static void of_copy(const struct wl_gpu *g, unsigned sm, const struct copy *c, enum wl_seen_kind kind,
                    struct wl_seen *e)
{
	static const uint8_t kinds[] = {[COPY_THREADS] = WL_SEEN_BY_LANE,
	                                [COPY_STORE] = WL_SEEN_VALUE,
	                                [COPY_IN] = WL_SEEN_BULK_IN,
	                                [COPY_OUT] = WL_SEEN_BULK_OUT,
	                                [COPY_ARRIVE] = WL_SEEN_ARRIVAL};
	of_warp(g, sm, c->warp, e);
	e->kind = kind;
	e->lanes = c->lanes;
	e->pc = c->pc / 16;
	e->inst = &g->program->insts[e->pc];
	e->copy = (enum wl_seen_copy)kinds[c->kind];
	e->serial = c->serial;
	e->reduces = c->reduces;
	e->size = c->size;
	e->bytes = c->bytes;
	e->owner[0] = gpu_sm(g, c->there.sm)->cta[c->there.slot].number;
}

static void of_lanes(const struct wl_gpu *g, const struct copy *c, struct wl_seen *e)
{
	for (uint32_t m = c->lanes; m; m &= m - 1) {
		const unsigned lane = lowest(m);
		const uint32_t n = c->kind == COPY_THREADS ? (uint32_t)c->size - c->zeros[lane] : 0;
		e->to[lane] = at_shared(g, c->there.sm, c->kind == COPY_ARRIVE ? c->bar[lane] : c->at[lane]);
		if (c->kind != COPY_THREADS)
			e->at[lane] = at_shared(g, c->there.sm, c->bar[lane]);
		e->from[lane] = n ? at_global(g, c->source[lane]) : UINT64_MAX;
		e->length[lane] = n;
	}
}

/* Each lane stores the same zeros. */
void observe_fill(const struct exec *x, uint32_t to, uint32_t bytes)
{
	struct wl_seen e;
	of_exec(x, WL_SEEN_ACCESS, x->mask, &e);
	e.reads = e.atomic = false;
	e.writes = true;
	e.size = 8;
	e.stored = e.unchanged = e.kept = e.lanes;
	e.excluded = 0;
	for (uint32_t n = 0; n < bytes; n += 8) {
		e.shared = 0;
		FOR_LANES (lane)
			shared_lane(x, &e, lane, to + n);
		tell(x->gpu, &e);
	}
}

void observe_copy(const struct exec *x, const struct copy *c)
{
	const struct wl_gpu *g = x->gpu;
	struct wl_seen e;
	of_copy(g, x->sm_index, c, WL_SEEN_COPY, &e);
	e.from_space = c->shared_source ? WL_SEEN_SHARED : WL_SEEN_GLOBAL;
	if (c->kind == COPY_IN || c->kind == COPY_OUT) {
		e.from[0] = c->shared_source ? at_shared(g, x->sm_index, c->from) : at_global(g, c->from);
		e.to[0] = c->kind == COPY_IN ? at_shared(g, c->there.sm, c->to) : at_global(g, c->to);
		e.length[0] = c->bytes;
		if (c->kind == COPY_IN)
			e.at[0] = at_shared(g, c->there.sm, c->mbarrier);
	} else {
		of_lanes(g, c, &e);
	}
	tell(g, &e);
}

void observe_told(const struct wl_gpu *g, unsigned sm, const struct copy *c, uint32_t lanes, uint32_t addr)
{
	struct wl_seen e;
	of_copy(g, sm, c, WL_SEEN_COPY_TOLD, &e);
	e.lanes = lanes;
	e.at[0] = at_shared(g, c->there.sm, addr);
	e.phases = phase_at(g, e.at[0]);
	tell(g, &e);
}

void observe_landed(const struct wl_gpu *g, unsigned sm, const struct copy *c)
{
	struct wl_seen e;
	of_copy(g, sm, c, WL_SEEN_COPY_LANDED, &e);
	tell(g, &e);
}

void observe_commit(const struct exec *x, uint32_t kinds, unsigned board)
{
	struct wl_seen e;
	of_exec(x, WL_SEEN_COMMIT, x->mask, &e);
	e.copy_kinds = (kinds >> COPY_THREADS & 1) << WL_SEEN_BY_LANE | (kinds >> COPY_OUT & 1) << WL_SEEN_BULK_OUT;
	e.id = board;
	tell(x->gpu, &e);
}
