// SPDX-License-Identifier: Apache-2.0
/* observe_access.c -- addresses touched by an instruction. The addresses are noted before the execution, since results
 * may overwrite addresses. */
#include "cluster.h"
#include "observe_event.h"

static uint32_t ra_of(const struct exec *x, unsigned lane)
{
	return x->in->ra == WL_RZ ? 0 : x->r[x->in->ra][lane];
}

bool shared_lane(const struct exec *x, struct wl_seen *e, unsigned lane, uint32_t named)
{
	struct place p;
	if (cluster_find(x, named, &p) != WL_FAULT_NONE)
		return false;
	const struct wl_window *w = &gpu_sm(x->gpu, p.sm)->units.smem.window[p.slot];
	e->addr[lane] = named - w->origin;
	e->at[lane] = at_shared(x->gpu, p.sm, w->base + e->addr[lane]);
	e->owner[lane] = gpu_sm(x->gpu, p.sm)->cta[p.slot].number;
	e->shared |= 1u << lane;
	return e->addr[lane] < w->size;
}

/* Without clusters all lanes are at the own CTA. */
static void own_shared_access(const struct exec *x, struct wl_seen *e, uint32_t origin, uint32_t ur)
{
	const struct wl_window *w = &x->sm->units.smem.window[x->w->slot];
	const uint64_t from = at_shared(x->gpu, x->sm_index, w->base);
	const uint32_t number = x->sm->cta[x->w->slot].number, addend = wl_shared_addend(x->in, ur) - origin;
	const uint32_t *ra = x->in->ra == WL_RZ ? NULL : x->r[x->in->ra];
	uint32_t bad = 0;
	for (uint32_t m = e->lanes; m; m &= m - 1) {
		const unsigned lane = lowest(m);
		const uint32_t addr = wl_shared_base(x->in, ra ? ra[lane] : 0) + addend;
		e->addr[lane] = addr;
		e->at[lane] = from + addr;
		e->owner[lane] = number;
		bad |= (uint32_t)(addr >= w->size) << lane;
	}
	e->shared = e->lanes;
	e->lanes &= ~bad;
}

static void shared_access(const struct exec *x, struct wl_seen *e)
{
	const uint32_t own = x->sm->units.smem.window[x->w->slot].origin;
	const uint32_t ur = read_ur(x, x->in->ur);
	uint32_t bad = 0;
	if (cluster_is_one(x->gpu)) {
		own_shared_access(x, e, wl_shared_origin(x->in, own), ur);
		return;
	}
	for (uint32_t m = e->lanes; m; m &= m - 1) {
		const unsigned lane = lowest(m);
		const uint32_t at = wl_shared_address(x->in, ra_of(x, lane), ur) + own - wl_shared_origin(x->in, own);
		bad |= (uint32_t)!shared_lane(x, e, lane, at) << lane;
	}
	e->lanes &= ~bad;
}

/* Parts of global addresses: registers of the lanes, NULL for zeros, and the part common to all lanes. */
struct parts {
	const uint32_t *lo, *hi;
	uint64_t common;
};

static struct parts parts_of(const struct exec *x)
{
	const struct wl_inst *in = x->in;
	struct parts p = {NULL, NULL, 0};
	if (in->uop == WL_UOP_USTG) {
		p.common = (read_ur(x, in->ra) | (uint64_t)read_ur_hi(x, in->ra) << 32) + (uint64_t)(int64_t)in->off;
		return p;
	}
	if (in->ra != WL_RZ)
		p.lo = x->r[in->ra];
	if (wl_global_ra_is_pair(in))
		p.hi = x->r[in->ra + 1];
	p.common = wl_global_address(in, 0, read_ur(x, in->ur) | (uint64_t)read_ur_hi(x, in->ur) << 32);
	return p;
}

static inline uint64_t address_of(const struct parts *p, unsigned lane)
{
	return p->common + (p->lo ? p->lo[lane] : 0) + (p->hi ? (uint64_t)p->hi[lane] << 32 : 0);
}

static void global_access(const struct exec *x, struct wl_seen *e, bool generic)
{
	uint32_t bad = 0;
	const struct wl_buf *b = NULL;
	const struct parts p = parts_of(x);
	for (uint32_t m = e->lanes; m; m &= m - 1) {
		const unsigned lane = lowest(m);
		const uint64_t a = address_of(&p, lane);
		const enum wl_space space = generic ? wl_space_of(a) : WL_SPACE_GLOBAL;
		if (space == WL_SPACE_SHARED) {
			bad |= (uint32_t)!shared_lane(x, e, lane, (uint32_t)a) << lane;
			continue;
		}
		if (space == WL_SPACE_LOCAL) {
			e->excluded |= 1u << lane;
			continue;
		}
		if (!b || a - b->addr >= b->room)
			b = wl_gmem_find(x->gpu->gmem, a);
		e->addr[lane] = a;
		e->at[lane] = b ? b->at + (a - b->addr) : 0;
		bad |= (uint32_t)!b << lane;
	}
	e->lanes &= ~(bad | e->excluded);
}

static bool is_copy(enum wl_uop u)
{
	return u == WL_UOP_LDGSTS || u == WL_UOP_UBLKCP || u == WL_UOP_UBLKCP_CHECK || u == WL_UOP_UBLKRED ||
	       u == WL_UOP_STAS || u == WL_UOP_REDAS || u == WL_UOP_UGETNEXTWORKID;
}

bool plan_access(const struct exec *x, struct wl_seen *e)
{
	const enum wl_uop u = (enum wl_uop)x->in->uop;
	const uint64_t t = wl_uop_traits(u)->traits;
	if (!(t & (WL_TRAIT(READS_MEMORY) | WL_TRAIT(WRITES_MEMORY))) || t & WL_TRAIT(LOCAL) || is_copy(u) ||
	    u == WL_UOP_UMEMSETS)
		return false;
	of_exec(x, WL_SEEN_ACCESS, x->mask & wl_atoms_rows(x->in), e);
	e->reads = t & WL_TRAIT(READS_MEMORY);
	e->writes = t & WL_TRAIT(WRITES_MEMORY);
	e->atomic = t & WL_TRAIT(ATOMIC);
	e->size = x->in->size ? x->in->size : 8;
	e->shared = e->excluded = 0;
	if (t & WL_TRAIT(SHARED))
		shared_access(x, e);
	else
		global_access(x, e, t & WL_TRAIT(GENERIC));
	return true;
}

bool plan_local(const struct exec *x, struct wl_seen *e)
{
	const uint64_t t = wl_uop_traits((enum wl_uop)x->in->uop)->traits;
	if (!(t & WL_TRAIT(LOCAL)) || !(t & (WL_TRAIT(READS_MEMORY) | WL_TRAIT(WRITES_MEMORY))))
		return false;
	of_exec(x, WL_SEEN_LOCAL, x->mask, e);
	for (uint32_t m = e->lanes; m; m &= m - 1)
		e->addr[lowest(m)] = ra_of(x, lowest(m)) + read_ur(x, x->in->ur) + (uint32_t)x->in->off;
	return true;
}

void plan_excluded(const struct exec *x, uint32_t lanes, struct wl_seen *e)
{
	const struct parts p = parts_of(x);
	of_exec(x, WL_SEEN_LOCAL, lanes, e);
	for (uint32_t m = lanes; m; m &= m - 1)
		e->addr[lowest(m)] = (uint32_t)address_of(&p, lowest(m));
}
