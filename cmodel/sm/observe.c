// SPDX-License-Identifier: Apache-2.0
/* observe.c -- the events of warplock/observe.h: what an instruction touches is noted before the instruction is
 * executed, since results may overwrite addresses, and told afterwards. */
#include "observe.h"
#include "cluster.h"

#include "exec.h"

const struct wl_observer *wl_gpu_observer(const struct wl_gpu *gpu)
{
	return gpu->observer;
}

void wl_gpu_observe(struct wl_gpu *gpu, const struct wl_observer *o)
{
	gpu->observer = o;
}

static uint64_t shared_from(const struct wl_gpu *g)
{
	return (g->gmem->bytes + 255) & ~UINT64_C(255);
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
	                              .heap = g->heap,
	                              .heap_bytes = g->heap_bytes,
	                              .program = g->program,
	                              .gmem = g->gmem};
}

static uint64_t at_shared(const struct wl_gpu *g, unsigned sm, uint64_t offset)
{
	return shared_from(g) + (uint64_t)sm * g->config.shared_bytes + offset;
}

/* UINT64_MAX: there is nothing. */
static uint64_t at_global(const struct wl_gpu *g, uint64_t addr)
{
	const struct wl_buf *b = wl_gmem_find(g->gmem, addr);
	return b ? b->at + (addr - b->addr) : UINT64_MAX;
}

static void tell(const struct wl_gpu *g, const struct wl_seen *e)
{
	g->observer->event(g->observer->self, e);
}

static void of_warp(const struct wl_gpu *g, unsigned sm, unsigned warp, struct wl_seen *e)
{
	const struct warp *w = gpu_warp(g, sm, warp);
	e->sm = sm;
	e->warp_slot = warp;
	e->slot = w->slot;
	e->cta = w->cta;
	e->warp = w->thread0 / WL_WARP_LANES;
	e->live = w->live;
	e->inst = NULL;
	e->pc = 0;
}

static void of_exec(const struct exec *x, enum wl_seen_kind kind, uint32_t lanes, struct wl_seen *e)
{
	of_warp(x->gpu, x->sm_index, x->warp_index, e);
	e->kind = kind;
	e->lanes = lanes;
	e->group = x->g ? x->g->mask : lanes;
	e->pc = x->pc;
	e->inst = x->in;
}

/* ---- accesses ---- */

static uint32_t ra_of(const struct exec *x, unsigned lane)
{
	return x->in->ra == WL_RZ ? 0 : x->r[x->in->ra][lane];
}

/* False: the address is of no CTA of the cluster, which the instruction is about to find out. */
static bool shared_lane(const struct exec *x, struct wl_seen *e, unsigned lane, uint32_t named)
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

/* Parts of global addresses: registers of the lanes, NULL for zeros, and what all lanes have in common. */
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

/* What a compare-and-swap compares with, before the instruction. */
struct expected {
	bool is_cas;
	uint32_t w[4][WL_WARP_LANES];
};

static bool compares(enum wl_uop u)
{
	return u == WL_UOP_ATOMS_CAS || u == WL_UOP_ATOMG_CAS || u == WL_UOP_ATOM_CAS;
}

static void note_expected(const struct exec *x, struct expected *c)
{
	c->is_cas = compares((enum wl_uop)x->in->uop) && x->in->rd != WL_RZ;
	for (unsigned k = 0; c->is_cas && k * 4 < x->in->size && k < 4; k++) {
		if (x->in->rb == WL_RZ)
			memset(c->w[k], 0, sizeof c->w[k]);
		else
			memcpy(c->w[k], x->r[x->in->rb + k], sizeof c->w[k]);
	}
}

/* Lanes whose compare-and-swap has stored. */
static uint32_t stored_of(const struct exec *x, const struct expected *c, uint32_t lanes)
{
	uint32_t stored = lanes;
	if (x->in->uop == WL_UOP_ATOMS_CAST)
		for (uint32_t m = x->in->rd == WL_RZ ? 0 : lanes; m; m &= m - 1)
			stored &= x->r[x->in->rd][lowest(m)] ? ALL_LANES : ~(1u << lowest(m));
	if (x->in->uop == WL_UOP_ATOMS_CAST_P || x->in->uop == WL_UOP_ATOM_CAST)
		stored &= x->in->pd[0] == WL_PT ? ALL_LANES : x->w->preds[x->in->pd[0]];
	for (unsigned k = 0; c->is_cas && k * 4 < x->in->size && x->in->rd + k < WL_RZ; k++)
		for (uint32_t m = lanes; m; m &= m - 1)
			if (x->r[x->in->rd + k][lowest(m)] != c->w[k][lowest(m)])
				stored &= ~(1u << lowest(m));
	return stored;
}

static bool is_copy(enum wl_uop u)
{
	return u == WL_UOP_LDGSTS || u == WL_UOP_UBLKCP || u == WL_UOP_UBLKRED || u == WL_UOP_STAS ||
	       u == WL_UOP_REDAS || u == WL_UOP_UGETNEXTWORKID;
}

/* False: the instruction is no access to memory that others reach. */
static bool plan_access(const struct exec *x, struct wl_seen *e)
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

/* Bytes [from, from + n) of `at` stand at mem. */
struct host {
	uint64_t from, n;
	const uint8_t *mem;
};

static const uint8_t *host_at(const struct wl_gpu *g, uint64_t at, struct host *last)
{
	if (at - last->from < last->n)
		return last->mem + (at - last->from);
	const uint64_t from = shared_from(g);
	if (at < from) {
		*last = (struct host){0, from, g->gmem->mem};
	} else {
		const unsigned sm = (unsigned)((at - from) / g->config.shared_bytes);
		*last = (struct host){at_shared(g, sm, 0), g->config.shared_bytes, gpu_sm(g, sm)->units.smem.mem};
	}
	return last->mem + (at - last->from);
}

static bool lane_holds(const struct exec *x, unsigned lane, const uint8_t *there, unsigned size)
{
	uint32_t v[4] = {0};
	for (unsigned k = 0; k * 4 < size && x->in->rb != WL_RZ; k++)
		v[k] = x->r[x->in->rb + k][lane];
	return !memcmp(there, v, size);
}

/* Lanes whose value stands in memory; of stores without arithmetic. */
static uint32_t holds(const struct exec *x, const struct wl_seen *e)
{
	uint32_t lanes = 0, now;
	struct host last = {0, 0, NULL};
	const uint32_t *word = e->size == 4 && x->in->rb != WL_RZ ? x->r[x->in->rb] : NULL;
	if (e->atomic || !e->writes || e->size > 16 || x->in->uop == WL_UOP_USTG || x->in->uop == WL_UOP_STSM)
		return 0;
	for (uint32_t m = e->lanes; m; m &= m - 1) {
		const unsigned lane = lowest(m);
		const uint8_t *there = host_at(x->gpu, e->at[lane], &last);
		if (word) {
			memcpy(&now, there, sizeof now);
			lanes |= (uint32_t)(now == word[lane]) << lane;
		} else {
			lanes |= (uint32_t)lane_holds(x, lane, there, e->size) << lane;
		}
	}
	return lanes;
}

/* ---- mbarriers ---- */

static bool phase_at(const struct wl_gpu *g, uint64_t at)
{
	const uint64_t in = at - shared_from(g);
	const uint8_t *mem = gpu_sm(g, (unsigned)(in / g->config.shared_bytes))->units.smem.mem;
	return mem[in % g->config.shared_bytes + 7] >> 7;
}

static uint32_t phases_of(const struct wl_gpu *g, const struct wl_seen *e)
{
	uint32_t phases = 0;
	for (uint32_t m = e->lanes; m; m &= m - 1)
		phases |= (uint32_t)phase_at(g, e->at[lowest(m)]) << lowest(m);
	return phases;
}

static bool is_mbarrier(const struct exec *x)
{
	return x->op->unit == WL_UNIT_mbarrier_engine && x->in->uop != WL_UOP_ATOMS_ARRIVE;
}

static void tell_mbarrier(const struct exec *x, struct wl_seen *e)
{
	if (!e->lanes)
		return;
	e->phases = phases_of(x->gpu, e);
	switch (x->in->uop) {
	case WL_UOP_SYNCS_ARRIVE: /* has been told of */
		return;
	case WL_UOP_SYNCS_PHASECHK:
		e->kind = WL_SEEN_MBAR_PASSED;
		e->lanes &= x->w->hold == HOLD_UNIT || x->in->pd[0] == WL_PT ? 0 : x->w->preds[x->in->pd[0]];
		break;
	default:
		e->kind = WL_SEEN_MBAR_INIT;
		break;
	}
	if (e->lanes)
		tell(x->gpu, e);
}

/* Before it is executed: by that, waits may succeed. */
static void tell_arrival(const struct exec *x, struct wl_seen *e)
{
	if (!e->lanes)
		return;
	e->phases = phases_of(x->gpu, e);
	e->kind = WL_SEEN_MBAR_ARRIVE;
	tell(x->gpu, e);
}

/* Before it is executed. */
static void tell_asked(const struct exec *x, const struct wl_seen *access)
{
	struct wl_seen e = *access;
	if (!e.lanes)
		return;
	e.kind = WL_SEEN_MBAR_ASKED;
	e.phases = phases_of(x->gpu, &e);
	e.parity = 0;
	for (uint32_t m = x->in->rb == WL_RZ ? 0 : e.lanes; m; m &= m - 1)
		e.parity |= x->r[x->in->rb][lowest(m)] >> 31 << lowest(m);
	tell(x->gpu, &e);
}

/* Waited for it, and has been let go since its phase is complete. */
void observe_passed(struct exec *x)
{
	struct wl_seen e;
	if (!plan_access(x, &e) || !e.lanes)
		return;
	e.kind = WL_SEEN_MBAR_PASSED;
	e.phases = phases_of(x->gpu, &e);
	tell(x->gpu, &e);
}

/* ---- local memory ---- */

static void tell_local(const struct exec *x, struct wl_seen *e)
{
	const uint64_t t = wl_uop_traits((enum wl_uop)x->in->uop)->traits;
	e->kind = WL_SEEN_LOCAL;
	e->reads = t & WL_TRAIT(READS_MEMORY);
	e->writes = t & WL_TRAIT(WRITES_MEMORY);
	e->size = x->in->size ? x->in->size : 4;
	tell(x->gpu, e);
}

/* False: the instruction is no access to local memory by its own words. */
static bool plan_local(const struct exec *x, struct wl_seen *e)
{
	const uint64_t t = wl_uop_traits((enum wl_uop)x->in->uop)->traits;
	if (!(t & WL_TRAIT(LOCAL)) || !(t & (WL_TRAIT(READS_MEMORY) | WL_TRAIT(WRITES_MEMORY))))
		return false;
	of_exec(x, WL_SEEN_LOCAL, x->mask, e);
	for (uint32_t m = e->lanes; m; m &= m - 1)
		e->addr[lowest(m)] = ra_of(x, lowest(m)) + read_ur(x, x->in->ur) + (uint32_t)x->in->off;
	return true;
}

/* Lanes of a generic access whose address is local memory. */
static void plan_excluded(const struct exec *x, uint32_t lanes, struct wl_seen *e)
{
	const struct parts p = parts_of(x);
	of_exec(x, WL_SEEN_LOCAL, lanes, e);
	for (uint32_t m = lanes; m; m &= m - 1)
		e->addr[lowest(m)] = (uint32_t)address_of(&p, lowest(m));
}

/* ---- all else ---- */

static void tell_kind(const struct exec *x, enum wl_seen_kind kind, uint32_t id)
{
	struct wl_seen e;
	of_exec(x, kind, x->mask, &e);
	e.id = id;
	tell(x->gpu, &e);
}

/* FENCE.VIEW.ASYNC names the memory in bits 73:72: shared 0, global 1, both 2 or more. */
static void tell_proxy(const struct exec *x)
{
	const unsigned which = x->gpu->program->words[x->pc].hi >> 8 & 3;
	struct wl_seen e;
	of_exec(x, WL_SEEN_PROXY, x->mask, &e);
	e.space = which == 0 ? WL_SEEN_SHARED : which == 1 ? WL_SEEN_GLOBAL : WL_SEEN_SHARED | WL_SEEN_GLOBAL;
	tell(x->gpu, &e);
}

static void tell_other(const struct exec *x)
{
	struct wl_seen e;
	switch (x->in->uop) {
	case WL_UOP_MEMBAR:
		tell_kind(x, WL_SEEN_FENCE, 0);
		break;
	case WL_UOP_CCTL_IVALL:
		tell_kind(x, WL_SEEN_INVALIDATE, 0);
		break;
	case WL_UOP_NOP: /* what ptxas leaves of a WARPSYNC of lanes that are together */
		if (wl_inst_traits(x->in) & WL_TRAIT(FENCE))
			tell_proxy(x);
		else
			tell_kind(x, WL_SEEN_LANES, 0);
		break;
	case WL_UOP_DEPBAR:
		of_exec(x, WL_SEEN_COPIES_DONE, x->mask, &e);
		e.id = x->in->imm;
		e.most = x->in->imm2;
		tell(x->gpu, &e);
		break;
	default:
		break;
	}
}

enum flow observe_exec(struct exec *x, enum flow (*execute)(struct exec *x))
{
	struct wl_seen e, local;
	struct expected c;
	const bool memory =
	        wl_uop_traits((enum wl_uop)x->in->uop)->traits & (WL_TRAIT(READS_MEMORY) | WL_TRAIT(WRITES_MEMORY));
	const bool access = memory && plan_access(x, &e);
	bool has_local = memory && !access && plan_local(x, &local);
	const uint32_t pc = x->pc;
	x->gpu->passes = 0;
	if (access) {
		note_expected(x, &c);
		e.unchanged = holds(x, &e);
		if (x->in->uop == WL_UOP_SYNCS_ARRIVE)
			tell_arrival(x, &e);
		else if (x->in->uop == WL_UOP_SYNCS_PHASECHK)
			tell_asked(x, &e);
		has_local = e.excluded != 0;
		if (__builtin_expect(has_local, 0))
			plan_excluded(x, e.excluded, &local);
	}
	const enum flow flow = execute(x);
	if (flow == FLOW_REQUEST || flow == FLOW_HOLD || flow == FLOW_STOP || x->pc != pc)
		return flow;
	if (__builtin_expect(has_local, 0))
		tell_local(x, &local);
	if (!access) {
		tell_other(x);
	} else if (is_mbarrier(x)) {
		tell_mbarrier(x, &e);
	} else {
		e.kept = holds(x, &e);
		if (x->in->uop == WL_UOP_ATOM &&
		    x->in->pd[0] != WL_PT) /* the others are served by the code behind it */
			e.lanes &= x->w->preds[x->in->pd[0]];
		e.stored = e.writes ? e.atomic ? stored_of(x, &c, e.lanes) : e.lanes : 0;
		if (e.lanes)
			tell(x->gpu, &e);
	}
	return flow;
}

/* No lane of the warp can go on. */
static bool stands(const struct warp *w)
{
	if (!w->live || w->hold != HOLD_NONE)
		return w->live != 0;
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

void observe_arrival(const struct exec *x, enum wl_seen_kind kind, uint32_t id, bool waits)
{
	struct wl_seen e;
	of_exec(x, kind, x->w->live, &e);
	e.pc = x->w->bar_pc;
	e.inst = &x->gpu->program->insts[x->w->bar_pc];
	e.id = id;
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
