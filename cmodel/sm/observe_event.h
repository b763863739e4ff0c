// SPDX-License-Identifier: Apache-2.0
/* observe_event.h -- private: shared parts of the files of observers' events.
 *
 *   observe.c          events told by the front end           observe_access.c   addresses touched by an instruction
 *   observe_exec.c     an instruction at work                 observe_values.c   values before and after execution
 *   observe_copy.c     asynchronous copies */
#ifndef WARPLOCK_SM_OBSERVE_EVENT_H
#define WARPLOCK_SM_OBSERVE_EVENT_H

#include "observe.h"

#include "exec.h"

static inline uint64_t shared_from(const struct wl_gpu *g)
{
	return (g->gmem->bytes + 255) & ~UINT64_C(255);
}

static inline uint64_t at_shared(const struct wl_gpu *g, unsigned sm, uint64_t offset)
{
	return shared_from(g) + (uint64_t)sm * g->config.shared_bytes + offset;
}

/* UINT64_MAX: no buffer. */
static inline uint64_t at_global(const struct wl_gpu *g, uint64_t addr)
{
	const struct wl_buf *b = wl_gmem_find(g->gmem, addr);
	return b ? b->at + (addr - b->addr) : UINT64_MAX;
}

static inline void tell(const struct wl_gpu *g, const struct wl_seen *e)
{
	g->observer->event(g->observer->self, e);
}

static inline void of_warp(const struct wl_gpu *g, unsigned sm, unsigned warp, struct wl_seen *e)
{
	const struct warp *w = gpu_warp(g, sm, warp);
	e->sm = sm;
	e->warp_slot = warp;
	e->slot = w->slot;
	e->cta = w->cta;
	e->warp = w->thread0 / WL_WARP_LANES;
	e->live = w->live;
	e->convergence = NULL;
	e->inst = NULL;
	e->pc = 0;
}

static inline void of_exec(const struct exec *x, enum wl_seen_kind kind, uint32_t lanes, struct wl_seen *e)
{
	of_warp(x->gpu, x->sm_index, x->warp_index, e);
	e->kind = kind;
	e->lanes = lanes;
	e->group = x->g ? x->g->mask : lanes;
	e->convergence = x->conv;
	e->pc = x->pc;
	e->inst = x->in;
}

static inline bool phase_at(const struct wl_gpu *g, uint64_t at)
{
	const uint64_t in = at - shared_from(g);
	const uint8_t *mem = gpu_sm(g, (unsigned)(in / g->config.shared_bytes))->units.smem.mem;
	return mem[in % g->config.shared_bytes + 7] >> 7;
}

/* ---- observe_access.c ---- */
/* False: the address lies in no CTA of the cluster. The instruction is about to find this out. */
bool shared_lane(const struct exec *x, struct wl_seen *e, unsigned lane, uint32_t named);
/* False: the instruction is no access to memory shared with others. */
bool plan_access(const struct exec *x, struct wl_seen *e);
/* False: the instruction is not of a local form. */
bool plan_local(const struct exec *x, struct wl_seen *e);
/* Lanes of a generic access with an address in local memory. */
void plan_excluded(const struct exec *x, uint32_t lanes, struct wl_seen *e);

/* ---- observe_values.c ---- */
/* Compare values of a compare-and-swap, before the instruction. */
struct expected {
	bool is_cas;
	uint32_t w[4][WL_WARP_LANES];
};

void note_expected(const struct exec *x, struct expected *c);
/* Lanes with a compare-and-swap that stored. */
uint32_t stored_of(const struct exec *x, const struct expected *c, uint32_t lanes);
/* Lanes with memory equal to the value to store; of stores without arithmetic. */
uint32_t holds(const struct exec *x, const struct wl_seen *e);

#endif
