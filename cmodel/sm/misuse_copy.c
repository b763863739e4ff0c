// SPDX-License-Identifier: Apache-2.0
/* misuse_copy.c -- accesses of threads to bytes in shared memory still to come by an asynchronous copy. A thread that
 * has waited finds no such copy: a wait ends when the copy has landed. */
#include "cluster.h"
#include "exec.h"
#include "misuse.h"

/* Accesses of an instruction's lanes to the shared memory of a single SM. */
struct span {
	uint32_t lanes, sm, low, high;
	uint32_t at[WL_WARP_LANES];
};

/* The lane's address as clusters name shared memory; false: in another space. */
static bool named_by(const struct exec *x, unsigned lane, uint32_t *named)
{
	const struct wl_inst *in = x->in;
	const uint32_t ra = in->ra == WL_RZ ? 0 : x->r[in->ra][lane];
	const uint32_t own = x->sm->units.smem.window[x->w->slot].origin;
	if (x->op->unit == WL_UNIT_atoms_pipe) {
		*named = wl_shared_address(in, ra, read_ur(x, in->ur)) + own - wl_shared_origin(in, own);
		return true;
	}
	const uint64_t high = wl_global_ra_is_pair(in) ? (uint64_t)x->r[in->ra + 1][lane] << 32 : 0;
	const uint64_t ur = read_ur(x, in->ur) | (uint64_t)read_ur_hi(x, in->ur) << 32;
	const uint64_t addr = wl_global_address(in, ra | high, ur);
	*named = (uint32_t)addr;
	return wl_atom_is_generic(in) && wl_space_of(addr) == WL_SPACE_SHARED;
}

/* Of `lanes` the lanes with an access to the SM of the lowest accessing lane. */
static struct span span_of(const struct exec *x, uint32_t lanes)
{
	struct span s = {.low = UINT32_MAX};
	for (uint32_t m = lanes; m; m &= m - 1) {
		const unsigned lane = lowest(m);
		struct place p;
		uint32_t named;
		if (!named_by(x, lane, &named) || cluster_find(x, named, &p) != WL_FAULT_NONE ||
		    (s.lanes && p.sm != s.sm))
			continue;
		const struct wl_window *w = &gpu_sm(x->gpu, p.sm)->units.smem.window[p.slot];
		s.sm = p.sm;
		s.lanes |= 1u << lane;
		s.at[lane] = w->base + (named - w->origin);
		s.low = s.at[lane] < s.low ? s.at[lane] : s.low;
		s.high = s.at[lane] + x->in->size > s.high ? s.at[lane] + x->in->size : s.high;
	}
	return s;
}

static bool overlap(uint32_t a, uint32_t na, uint32_t b, uint32_t nb)
{
	return a < b + nb && b < a + na;
}

/* The copy still brings some of these bytes. */
static bool brings(const struct copy *c, uint32_t at, uint32_t n)
{
	if (c->kind == COPY_IN)
		return c->landed < c->pieces && overlap((uint32_t)c->to, c->bytes, at, n);
	for (uint32_t m = c->lanes; m; m &= m - 1)
		if (overlap(c->at[lowest(m)], c->size, at, n))
			return true;
	return false;
}

static uint32_t touched(const struct exec *x, const struct span *s, const struct copy *c)
{
	uint32_t lanes = 0;
	if (c->there.sm != s->sm || c->kind == COPY_OUT || c->kind == COPY_ARRIVE ||
	    !overlap(c->low, c->high - c->low, s->low, s->high - s->low))
		return 0;
	for (uint32_t m = s->lanes; m; m &= m - 1)
		lanes |= (uint32_t)brings(c, s->at[lowest(m)], x->in->size) << lowest(m);
	return lanes;
}

static bool tell(struct exec *x, const struct span *s, unsigned sm, const struct copy *c, uint32_t lanes)
{
	const struct warp *w = gpu_warp(x->gpu, sm, c->warp);
	const bool in_group = c->board != ASYNC_NO_GROUP;
	struct wl_misuse_found f = {.kind = WL_MISUSE_COPY_EARLY,
	                            .has_addr = true,
	                            .addr = s->at[lowest(lanes)] - x->sm->units.smem.window[x->w->slot].base,
	                            .there = {.pc = c->pc,
	                                      .sm = sm,
	                                      .cta = w->cta,
	                                      .warp = w->thread0 / WL_WARP_LANES,
	                                      .lanes = c->lanes,
	                                      .time = c->began},
	                            .grouped = c->kind == COPY_THREADS,
	                            .group = in_group ? c->group : 0,
	                            .groups = in_group ? w->async.groups[c->board] : 0};
	return misuse_tell(x, &f, lanes);
}

bool misuse_copies(struct exec *x)
{
	const struct span s = span_of(x, x->mask);
	for (unsigned sm = 0; s.lanes && sm < x->gpu->config.sms; sm++) {
		const struct async *a = &gpu_sm(x->gpu, sm)->async;
		const struct copy *c;
		FOR_COPIES(a, c)
		{
			const uint32_t lanes = touched(x, &s, c);
			if (lanes)
				return tell(x, &s, sm, c, lanes);
		}
	}
	return true;
}
