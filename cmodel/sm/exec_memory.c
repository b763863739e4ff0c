// SPDX-License-Identifier: Apache-2.0
/* exec_memory.c -- memory in C: local memory and copies (FRONT), global and generic memory with atomics (`atom_unit`),
 * fences (`fence_unit`). Warp instructions run one at a time, lowest lane first, so memory is sequentially consistent.
 * Source: docs/spec/memory-model.md, "What the models here show". */
#include "exec.h"
#include "cluster.h"
#include "exec_unit.h"
#include "misuse.h"
#include "request.h"
#include "spin.h"
#include "stop.h"

/* Faulted lanes of an instruction so far: the first kind of fault met counts. */
struct faults {
	enum wl_fault kind;
	uint32_t lanes;
	uint64_t addr;
	bool unbuilt; /* generic access to shared memory in the DUT */
};

static void note(struct faults *f, enum wl_fault kind, unsigned lane, uint64_t addr)
{
	if (!f->lanes) {
		f->kind = kind;
		f->addr = addr;
	}
	if (f->kind == kind)
		f->lanes |= 1u << lane;
}

/* Shared memory lies in the RTL, but this instruction is executed in C. */
static enum flow generic_elsewhere(struct exec *x)
{
	return stop_error(
	        x, unit_in_dut(x)
	                   ? "a generic access to shared and to local memory at once is not built yet in lockstep"
	                   : "generic access to shared memory needs atom_unit in the RTL (--units atom_unit)");
}

static enum flow end(struct exec *x, const struct faults *f)
{
	if (f->unbuilt)
		return generic_elsewhere(x);
	return f->lanes ? stop_fault(x, f->kind, f->lanes, true, f->addr) : FLOW_NEXT;
}

static uint64_t global_address(const struct exec *x, unsigned lane)
{
	const struct wl_inst *in = x->in;
	const uint8_t ur = in->ur;
	uint64_t ra = in->ra == WL_RZ ? 0 : x->r[in->ra][lane];
	if (wl_global_ra_is_pair(in))
		ra |= (uint64_t)x->r[in->ra + 1][lane] << 32;
	return wl_global_address(in, ra, read_ur(x, ur) | (uint64_t)read_ur_hi(x, ur) << 32);
}

/* Host pointer of the lane's access, NULL with the fault noted. */
static uint8_t *global_at(struct exec *x, unsigned lane, uint64_t at, struct faults *f)
{
	if (at & (x->in->size - 1u)) {
		note(f, WL_FAULT_MISALIGNED_ADDRESS, lane, at);
		return NULL;
	}
	uint8_t *p = wl_gmem_at(x->gpu->gmem, at, x->in->size);
	if (!p)
		note(f, WL_FAULT_GLOBAL_OUT_OF_RANGE, lane, at);
	return p;
}

static uint8_t *global(struct exec *x, unsigned lane, struct faults *f)
{
	return global_at(x, lane, global_address(x, lane), f);
}

static uint8_t *local_at(struct exec *x, unsigned lane, uint32_t at, struct faults *f)
{
	if (at & (x->in->size - 1u)) {
		note(f, WL_FAULT_MISALIGNED_ADDRESS, lane, at);
		return NULL;
	}
	if ((uint64_t)at + x->in->size > x->gpu->local_bytes) {
		note(f, WL_FAULT_LOCAL_OUT_OF_RANGE, lane, at);
		return NULL;
	}
	return gpu_local(x->gpu, x->sm_index, x->warp_index, lane) + at;
}

static uint8_t *local(struct exec *x, unsigned lane, struct faults *f)
{
	uint32_t base = x->in->ra == WL_RZ ? 0 : x->r[x->in->ra][lane];
	return local_at(x, lane, base + read_ur(x, x->in->ur) + (uint32_t)x->in->off, f);
}

static uint8_t *shared_at(struct exec *x, unsigned lane, uint32_t at, struct faults *f)
{
	struct place p;
	const enum wl_fault fault = cluster_find(x, at, &p);
	const struct wl_smem *smem = &gpu_sm(x->gpu, p.sm)->units.smem;
	const struct wl_window *window = &smem->window[p.slot];
	const uint32_t offset = at - window->origin;
	if (shared_in_dut(x)) {
		f->unbuilt = true;
		return NULL;
	}
	if (at & (x->in->size - 1u)) {
		note(f, WL_FAULT_MISALIGNED_ADDRESS, lane, at);
		return NULL;
	}
	if (fault != WL_FAULT_NONE) {
		note(f, fault, lane, at);
		return NULL;
	}
	if (!window->valid || (uint64_t)offset + x->in->size > window->size) {
		note(f, WL_FAULT_SHARED_OUT_OF_RANGE, lane, at);
		return NULL;
	}
	return smem->mem + window->base + offset;
}

static uint8_t *generic(struct exec *x, unsigned lane, struct faults *f)
{
	uint64_t at = global_address(x, lane);
	switch (wl_space_of(at)) {
	case WL_SPACE_SHARED:
		return shared_at(x, lane, (uint32_t)at, f);
	case WL_SPACE_LOCAL:
		return local_at(x, lane, (uint32_t)at, f);
	default:
		return global_at(x, lane, at, f);
	}
}

/* For the lanes in `lanes`. With size and sign known at compile time, copies are no calls. */
static inline void load_known(struct exec *x, uint32_t lanes, uint8_t *const *p, unsigned size, bool sgn)
{
	const uint8_t rd = x->in->rd;
	for (; lanes; lanes &= lanes - 1) {
		const unsigned lane = lowest(lanes);
		uint32_t w[4] = {0};
		memcpy(w, p[lane], size);
		if (size < 4 && sgn)
			w[0] = (uint32_t)((int32_t)(w[0] << (32 - 8 * size)) >> (32 - 8 * size));
		for (unsigned k = 0; k * 4 < size; k++)
			if (rd + k != WL_RZ)
				x->r[rd + k][lane] = w[k];
	}
}

/* Lane i of `lanes` gets the value at p[i]. */
static void load_lanes(struct exec *x, uint32_t lanes, uint8_t *const *p)
{
	const bool sgn = x->in->flags & WL_F_SIGNED;
	if (x->in->rd == WL_RZ)
		return;
	switch (x->in->size) {
	case 1:
		load_known(x, lanes, p, 1, sgn);
		break;
	case 2:
		load_known(x, lanes, p, 2, sgn);
		break;
	case 4:
		load_known(x, lanes, p, 4, false);
		break;
	case 8:
		load_known(x, lanes, p, 8, false);
		break;
	default:
		load_known(x, lanes, p, 16, false);
	}
}

/* A lane of a generic access has stored: an mbarrier in shared memory is none any more. Unlike STS, a generic store
 * never makes an mbarrier. */
static void wrote_generic(const struct exec *x, unsigned lane)
{
	const uint64_t at = global_address(x, lane);
	struct place p;
	if (wl_space_of(at) != WL_SPACE_SHARED || cluster_find(x, (uint32_t)at, &p) != WL_FAULT_NONE)
		return;
	struct wl_smem *s = &gpu_sm(x->gpu, p.sm)->units.smem;
	const struct wl_window *w = &s->window[p.slot];
	wl_smem_wrote(s, w->base + (uint32_t)at - w->origin, x->in->size, false);
}

static inline void store_known(struct exec *x, unsigned lane, uint8_t *p, unsigned size)
{
	const unsigned rb = x->in->rb;
	uint32_t w[4] = {0};
	for (unsigned k = 0; k * 4 < size && rb != WL_RZ; k++)
		w[k] = x->r[rb + k][lane];
	write_memory(x, p, w, size);
}

static void store_lane(struct exec *x, unsigned lane, uint8_t *p)
{
	switch (x->in->size) {
	case 4:
		store_known(x, lane, p, 4);
		break;
	case 8:
		store_known(x, lane, p, 8);
		break;
	default:
		store_known(x, lane, p, x->in->size);
	}
}

typedef uint8_t *address_fn(struct exec *x, unsigned lane, struct faults *f);

static void note_read(const struct exec *x, unsigned lane, const uint8_t *p)
{
	uint64_t v = 0;
	memcpy(&v, p, x->in->size < 8 ? x->in->size : 8);
	spin_note_read(x, lane, global_address(x, lane), v);
}

static enum flow load(struct exec *x, address_fn *at)
{
	struct faults f = {0};
	if (must_drain(x))
		return FLOW_HOLD;
	uint8_t *p[WL_WARP_LANES];
	uint32_t good = 0;
	for (uint32_t m = x->mask; m; m &= m - 1) {
		const unsigned lane = lowest(m);
		p[lane] = at(x, lane, &f);
		good |= (uint32_t)(p[lane] != NULL) << lane;
		if (p[lane] && x->gpu->watch)
			note_read(x, lane, p[lane]);
	}
	load_lanes(x, good, p);
	return end(x, &f);
}

static enum flow store(struct exec *x, address_fn *at)
{
	struct faults f = {0};
	if (must_drain(x))
		return FLOW_HOLD;
	for (uint32_t m = x->mask; m; m &= m - 1) {
		uint8_t *p = at(x, lowest(m), &f);
		if (!p)
			continue;
		store_lane(x, lowest(m), p);
		if (at == generic)
			wrote_generic(x, lowest(m));
	}
	return end(x, &f);
}

/* Places of the lanes' words in global memory. */
struct places {
	uint8_t *p[WL_WARP_LANES];
	bool row; /* of all 32 lanes, consecutive: only p[0] is set */
};

/* Are the addresses in two rows of registers `size` bytes apart, lane by lane? */
LANE_LOOP static bool in_row(const uint32_t *lo, const uint32_t *hi, uint32_t size)
{
	uint32_t strays = 0;
	for (unsigned i = 0; i < WL_WARP_LANES; i++)
		strays |= (lo[i] ^ (lo[0] + size * i)) | (hi[i] ^ hi[0]);
	return !strays;
}

LANE_LOOP static bool all_inside(const struct exec *x, const struct wl_buf *b, const uint32_t *lo, const uint32_t *hi,
                                 uint64_t fixed, uint8_t *p[WL_WARP_LANES])
{
	const uint32_t size = x->in->size;
	uint64_t bad = 0;
	for (unsigned i = 0; i < WL_WARP_LANES; i++) {
		uint64_t at = (lo[i] | (uint64_t)hi[i] << 32) + fixed, into = at - b->addr;
		uint64_t outside = (into > b->room - size) | (at & (size - 1u));
		bad |= outside & (0 - (uint64_t)(x->mask >> i & 1));
		/* As a number: the value of an inactive lane or a bad address is never used as a pointer. */
		p[i] = (uint8_t *)((uintptr_t)wl_gmem_bytes(x->gpu->gmem, b) + (uintptr_t)into);
	}
	return !bad;
}

/* The same for few lanes, without the work for all lanes. */
static bool few_inside(const struct exec *x, const struct wl_buf *b, const uint32_t *lo, const uint32_t *hi,
                       uint64_t fixed, uint8_t *p[WL_WARP_LANES])
{
	const uint32_t size = x->in->size;
	for (uint32_t m = x->mask; m; m &= m - 1) {
		const unsigned i = lowest(m);
		const uint64_t at = (lo[i] | (uint64_t)hi[i] << 32) + fixed, into = at - b->addr;
		if (into > b->room - size || at & (size - 1u))
			return false;
		p[i] = wl_gmem_bytes(x->gpu->gmem, b) + into;
	}
	return true;
}

static bool are_few(uint32_t lanes)
{
	lanes &= lanes - 1;
	lanes &= lanes - 1;
	return !(lanes & (lanes - 1));
}

/* The common case, with a single search: each active lane's access is aligned, and all lie in the same buffer. False
 * otherwise: the access then goes lane by lane and finds the faults. */
static bool one_buffer(const struct exec *x, struct places *to)
{
	const struct wl_inst *in = x->in;
	const uint32_t size = in->size;
	bool high = wl_global_ra_is_pair(in);
	const uint32_t *lo = in->ra == WL_RZ ? x->shared_rows[0] : x->r[in->ra];
	const uint32_t *hi = high ? x->r[in->ra + 1] : x->shared_rows[0];
	uint64_t fixed = (read_ur(x, in->ur) | (uint64_t)read_ur_hi(x, in->ur) << 32) + (uint64_t)(int64_t)in->off;
	unsigned first = lowest(x->mask);
	const uint64_t at = (lo[first] | (uint64_t)hi[first] << 32) + fixed;
	const struct wl_buf *b = wl_gmem_find(x->gpu->gmem, at);
	if (!b || b->room < size)
		return false;
	const uint32_t whole = WL_WARP_LANES * size;
	to->row = x->mask == ALL_LANES && b->room >= whole && at - b->addr <= b->room - whole && !(at & (size - 1u)) &&
	          lo[0] <= UINT32_MAX - whole && in_row(lo, hi, size);
	if (!to->row)
		return are_few(x->mask) ? few_inside(x, b, lo, hi, fixed, to->p)
		                        : all_inside(x, b, lo, hi, fixed, to->p);
	to->p[0] = wl_gmem_bytes(x->gpu->gmem, b) + (at - b->addr);
	return true;
}

/* The place of every lane, for an access lane by lane. */
static void spread(struct places *to, uint32_t size)
{
	for (unsigned i = 1; to->row && i < WL_WARP_LANES; i++)
		to->p[i] = to->p[0] + i * size;
}

static enum flow load_global(struct exec *x)
{
	struct places at;
	if (x->gpu->watch || must_drain(x) || !one_buffer(x, &at))
		return load(x, global);
	if (at.row && x->in->size == 4 && x->in->rd != WL_RZ) {
		memcpy(x->r[x->in->rd], at.p[0], sizeof(lane_row));
	} else {
		spread(&at, x->in->size);
		load_lanes(x, x->mask, at.p);
	}
	return FLOW_NEXT;
}

static enum flow store_global(struct exec *x)
{
	struct places at;
	if (must_drain(x) || !one_buffer(x, &at))
		return store(x, global);
	if (at.row && x->in->size == 4 && x->in->rb != WL_RZ) {
		write_memory(x, at.p[0], x->r[x->in->rb], sizeof(lane_row));
		return FLOW_NEXT;
	}
	spread(&at, x->in->size);
	for (uint32_t m = x->mask; m; m &= m - 1)
		store_lane(x, lowest(m), at.p[lowest(m)]);
	return FLOW_NEXT;
}

enum flow exec_LDL(struct exec *x)
{
	return load(x, local);
}
enum flow exec_STL(struct exec *x)
{
	return store(x, local);
}

/* In a cluster WL_SPACE_SHARED is the CTA's own part. Number 3 asks for the shared memory of all CTAs. */
static bool lies_in(const struct exec *x, uint64_t addr, unsigned asked)
{
	const uint32_t rank = (uint32_t)addr >> WL_RANK_SHIFT;
	const bool whole = asked == 3;
	if (wl_space_of(addr) != (whole ? WL_SPACE_SHARED : asked))
		return false;
	if (wl_space_of(addr) != WL_SPACE_SHARED || cluster_is_one(x->gpu))
		return true;
	return whole ? rank < x->gpu->cluster_ctas : rank == x->sm->cta[x->w->slot].rank;
}

/* A hint; the address may be any. */
enum flow exec_CCTL(struct exec *x)
{
	(void)x;
	return FLOW_NEXT;
}

enum flow exec_QSPC(struct exec *x)
{
	uint32_t in_space = 0;
	FOR_LANES (i)
		in_space |= (uint32_t)lies_in(x, global_address(x, i), x->in->op) << i;
	write_pred(x, x->in->pd[0], in_space);
	return FLOW_NEXT;
}

/* --- atom_unit --------------------------------------------------------------------------------------------- */

/* Lanes of a generic address in this space. */
static uint32_t lanes_in(const struct exec *x, enum wl_space space)
{
	uint32_t lanes = 0;
	for (uint32_t m = x->mask; m; m &= m - 1)
		lanes |= (uint32_t)(wl_space_of(global_address(x, lowest(m))) == space) << lowest(m);
	return lanes;
}

/* Takes these lanes through the unit: plan, all commits, the record. `at`: the CTA named by the lanes in shared
 * memory. */
static enum flow lanes_by_unit(struct exec *x, uint32_t lanes, struct place at)
{
	const struct wl_unit_ops *ops = wl_unit_ops(WL_UNIT_atom_unit);
	struct wl_units *u = &gpu_sm(x->gpu, at.sm)->units;
	struct wl_atom_plan plan;
	struct wl_req req;
	struct wl_record rec;
	request_build(x, lanes, &req);
	req.tag.slot = at.slot;
	ops->plan(u, &req, &plan.common, &rec);
	if (plan.shared && shared_in_dut(x))
		return generic_elsewhere(x);
	for (unsigned pass = 0; pass < plan.common.passes; pass++) {
		const struct wl_event ev = {.kind = WL_EV_COMMIT,
		                            .unit = WL_UNIT_atom_unit,
		                            .tag = req.tag,
		                            .lanes = plan.common.pass_lanes[pass]};
		ops->apply(u, &req, &plan.common, &ev, &rec);
	}
	ops->finish(u, &req, &plan.common, &rec);
	spin_note_record(x->gpu, &rec);
	for (uint32_t m = rec.stored & ~plan.shared; m; m &= m - 1)
		observe_store(x->gpu, wl_gmem_at(x->gpu->gmem, rec.addr[lowest(m)], rec.size), rec.size);
	if (rec.faulted) {
		stop_lanes_fault(x->gpu, x->sm_index, x->warp_index, req.pc, rec.faulted, rec.fault, req.ra, req.ur);
		return FLOW_STOP;
	}
	request_write_back(x->gpu, &rec, x->w, x->uni);
	return FLOW_NEXT;
}

/* Accesses served by shared memory of other CTAs alone: the unit's plan is for CTAs of the same SM. */
static enum flow far_lanes(struct exec *x, uint32_t lanes)
{
	struct faults f = {0};
	struct wl_req req;
	struct wl_record rec = {.pc = x->pc * 16, .pred_written = lanes};
	request_build(x, lanes, &req);
	rec.tag = req.tag;
	for (uint32_t m = lanes; m; m &= m - 1) {
		const unsigned lane = lowest(m);
		uint8_t *p = shared_at(x, lane, (uint32_t)global_address(x, lane), &f);
		struct wl_lane old = {{0}};
		if (!p)
			continue;
		if (x->gpu->watch)
			note_read(x, lane, p);
		memcpy(&old, p, x->in->size);
		const struct wl_lane now =
		        wl_atom_turn_wide(x->in, &old, &req.rb[lane], &req.rc[lane], &rec.result[lane]);
		write_memory(x, p, &now, x->in->size);
		wrote_generic(x, lane);
		rec.preds |= 1u << lane;
	}
	if (f.lanes)
		return end(x, &f);
	rec.written = lanes;
	request_write_back(x->gpu, &rec, x->w, x->uni);
	return FLOW_NEXT;
}

/* Lanes in local memory: no other thread sees the words. A word with a predicate leaves these lanes to the code
 * behind. */
static enum flow local_lanes(struct exec *x, uint32_t lanes)
{
	struct faults f = {0};
	struct wl_req req;
	struct wl_record rec = {.pc = x->pc * 16};
	if (!misuse_local_atomic(x, lanes, global_address(x, lowest(lanes))))
		return FLOW_STOP;
	request_build(x, lanes, &req);
	rec.tag = req.tag;
	for (uint32_t m = lanes; m; m &= m - 1) {
		const unsigned lane = lowest(m);
		uint8_t *p = local_at(x, lane, (uint32_t)global_address(x, lane), &f);
		struct wl_lane old = {{0}};
		if (!p)
			continue;
		memcpy(&old, p, x->in->size);
		const struct wl_lane now =
		        wl_atom_turn_wide(x->in, &old, &req.rb[lane], &req.rc[lane], &rec.result[lane]);
		write_memory(x, p, &now, x->in->size);
	}
	if (f.lanes)
		return end(x, &f);
	rec.written = wl_atom_has_result(x->in) ? lanes : 0;
	request_write_back(x->gpu, &rec, x->w, x->uni);
	return FLOW_NEXT;
}

static uint32_t own_local_lanes(const struct exec *x)
{
	const bool asks = x->in->uop != WL_UOP_RED && x->in->pd[0] != WL_PT;
	return wl_atom_is_generic(x->in) && !asks && !(x->in->flags & WL_F_ILLEGAL) ? lanes_in(x, WL_SPACE_LOCAL) : 0;
}

/* The way for lanes with faults, in shared memory, or left to the code behind; for accesses of 128 bits; and while
 * reads are noted. Lanes in shared memory of other CTAs go as if each of these CTAs had asked. */
static __attribute__((noinline)) enum flow by_unit(struct exec *x)
{
	const struct place own = {(uint16_t)x->sm_index, x->w->slot};
	uint32_t addr[WL_WARP_LANES] = {0}, shared = 0;
	const uint32_t local = own_local_lanes(x);
	if (local && local_lanes(x, local) != FLOW_NEXT)
		return FLOW_STOP;
	x->mask &= ~local;
	if (!x->mask)
		return FLOW_NEXT;
	if (cluster_is_one(x->gpu) || !wl_atom_is_generic(x->in))
		return lanes_by_unit(x, x->mask, own);
	shared = lanes_in(x, WL_SPACE_SHARED);
	for (uint32_t m = shared; m; m &= m - 1)
		addr[lowest(m)] = (uint32_t)global_address(x, lowest(m));
	enum flow flow = shared == x->mask ? FLOW_NEXT : lanes_by_unit(x, x->mask & ~shared, own);
	while (shared && flow == FLOW_NEXT) {
		const uint32_t lanes = cluster_mates(x->gpu, shared, addr);
		struct place at;
		const enum wl_fault fault = cluster_find(x, addr[lowest(lanes)], &at);
		if (fault != WL_FAULT_NONE)
			flow = stop_fault(
			        x, addr[lowest(lanes)] & (x->in->size - 1u) ? WL_FAULT_MISALIGNED_ADDRESS : fault,
			        lanes, true, global_address(x, lowest(lanes)));
		else if (wl_atom_others_serve(x->in) && !cluster_is_own(x, at))
			flow = far_lanes(x, lanes);
		else
			flow = lanes_by_unit(x, lanes, at);
		shared &= ~lanes;
	}
	return flow;
}

/* Commonly all lanes lie in the same buffer of global memory. */
static enum flow atomic(struct exec *x)
{
	struct places at;
	bool changed;
	if (must_drain(x))
		return FLOW_HOLD;
	if (x->gpu->watch || x->in->size == 16 || !one_buffer(x, &at))
		return by_unit(x);
	if (!(at.row && wl_atom_row_exec(x->in, at.p[0], x->r, &changed))) {
		spread(&at, x->in->size);
		changed = wl_atom_exec(x->in, at.p, x->r, x->mask);
	}
	observe_change(x->gpu, changed);
	if (__builtin_expect(x->gpu->host.store != NULL, 0)) {
		spread(&at, x->in->size);
		for (uint32_t m = x->mask; m; m &= m - 1)
			observe_store(x->gpu, at.p[lowest(m)], x->in->size);
	}
	if (x->in->uop != WL_UOP_RED)
		write_pred(x, x->in->pd[0], ALL_LANES);
	return FLOW_NEXT;
}

/* Local memory belongs to the front end. */
bool atom_stays(const struct exec *x)
{
	return x->op->unit == WL_UNIT_atom_unit && wl_atom_is_generic(x->in) && lanes_in(x, WL_SPACE_LOCAL);
}

/* Some lane names the shared memory of another CTA. */
static bool names_others(const struct exec *x)
{
	const uint32_t shared = cluster_is_one(x->gpu) || !wl_atom_is_generic(x->in) ? 0 : lanes_in(x, WL_SPACE_SHARED);
	uint32_t addr[WL_WARP_LANES];
	for (uint32_t m = shared; m; m &= m - 1)
		addr[lowest(m)] = (uint32_t)global_address(x, lowest(m));
	return shared && cluster_names_others(x, shared, addr);
}

static enum flow access_memory(struct exec *x)
{
	if (__builtin_expect(x->gpu->copies != 0, 0) && !must_drain(x) && !misuse_copies(x))
		return FLOW_STOP;
	switch (x->in->uop) {
	case WL_UOP_LDG:
		return load_global(x);
	case WL_UOP_STG:
		return store_global(x);
	case WL_UOP_LD:
		return load(x, generic);
	case WL_UOP_ST:
		return store(x, generic);
	default:
		return atomic(x);
	}
}

enum flow exec_unit_atom_unit(struct exec *x)
{
	if (!unit_in_dut(x))
		return access_memory(x);
	if (!atom_stays(x))
		return names_others(x) && !cluster_in_dut(x) ? stop_error(x, NO_CLUSTER_IN_DUT) : FLOW_REQUEST;
	const enum flow flow = access_memory(x);
	x->gpu->local_generic += flow == FLOW_NEXT;
	return flow;
}

/* --- fence_unit: memory is sequentially consistent, so a fence only waits for posted requests ------------ */

enum flow exec_unit_fence_unit(struct exec *x)
{
	if (unit_in_dut(x))
		return FLOW_REQUEST;
	return must_drain(x) ? FLOW_HOLD : FLOW_NEXT;
}
