// SPDX-License-Identifier: Apache-2.0
/* exec_memory.c -- global, local and generic memory (FRONT), atomics on them (`atom_unit`) and fences (`fence_unit`) in
 * C: one warp instruction at a time, lowest lane first, so that memory is sequentially consistent. */
#include "exec.h"

/* Lanes that faulted so far in one instruction: the first kind of fault met counts. */
struct faults {
	enum wl_fault kind;
	uint32_t lanes;
	uint64_t addr;
	bool unbuilt; /* generic access to shared memory that the hardware model holds */
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

static enum flow end(struct exec *x, const struct faults *f)
{
	if (f->unbuilt)
		return stop_error(x, "generic access to shared memory is not built yet in lockstep");
	return f->lanes ? stop_fault(x, f->kind, f->lanes, true, f->addr) : FLOW_NEXT;
}

/* LDGSTS has two uniform registers: that of its global address stands in urd. */
static uint64_t global_address(const struct exec *x, unsigned lane)
{
	const struct wl_inst *in = x->in;
	uint8_t ur = in->uop == WL_UOP_LDGSTS ? in->urd : in->ur;
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
	const struct wl_window *window = &x->sm->units.smem.window[x->w->slot];
	if (shared_in_dut(x)) {
		f->unbuilt = true;
		return NULL;
	}
	if (at & (x->in->size - 1u)) {
		note(f, WL_FAULT_MISALIGNED_ADDRESS, lane, at);
		return NULL;
	}
	if (!window->valid || (uint64_t)at + x->in->size > window->size) {
		note(f, WL_FAULT_SHARED_OUT_OF_RANGE, lane, at);
		return NULL;
	}
	return x->sm->units.smem.mem + window->base + at;
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

static void load_lane(struct exec *x, unsigned lane, const uint8_t *p)
{
	const struct wl_inst *in = x->in;
	uint32_t w[4] = {0};
	memcpy(w, p, in->size);
	if (in->rd == WL_RZ)
		return;
	if (in->size < 4 && in->flags & WL_F_SIGNED)
		w[0] = (uint32_t)((int32_t)(w[0] << (32 - 8 * in->size)) >> (32 - 8 * in->size));
	for (unsigned k = 0; k * 4 < in->size; k++)
		if (in->rd + k != WL_RZ)
			x->r[in->rd + k][lane] = w[k];
}

static void store_lane(struct exec *x, unsigned lane, uint8_t *p)
{
	const struct wl_inst *in = x->in;
	uint32_t w[4] = {0};
	for (unsigned k = 0; k * 4 < in->size && in->rb != WL_RZ; k++)
		w[k] = x->r[in->rb + k][lane];
	write_memory(x, p, w, in->size);
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
	for (uint32_t m = x->mask; m; m &= m - 1) {
		const uint8_t *p = at(x, lowest(m), &f);
		if (p && x->gpu->watch)
			note_read(x, lowest(m), p);
		if (p)
			load_lane(x, lowest(m), p);
	}
	return end(x, &f);
}

static enum flow store(struct exec *x, address_fn *at)
{
	struct faults f = {0};
	if (must_drain(x))
		return FLOW_HOLD;
	for (uint32_t m = x->mask; m; m &= m - 1) {
		uint8_t *p = at(x, lowest(m), &f);
		if (p)
			store_lane(x, lowest(m), p);
	}
	return end(x, &f);
}

/* The common case in one search: every active lane's access is aligned and lies in one buffer. False when it is not so:
 * then lane by lane, which finds the faults. */
LANE_LOOP static bool one_buffer(const struct exec *x, uint8_t *p[WL_WARP_LANES])
{
	const struct wl_inst *in = x->in;
	bool high = wl_global_ra_is_pair(in);
	const uint32_t *lo = in->ra == WL_RZ ? x->shared_rows[0] : x->r[in->ra];
	const uint32_t *hi = high ? x->r[in->ra + 1] : x->shared_rows[0];
	uint64_t fixed = (read_ur(x, in->ur) | (uint64_t)read_ur_hi(x, in->ur) << 32) + (uint64_t)(int64_t)in->off;
	unsigned first = lowest(x->mask);
	const struct wl_buf *b = wl_gmem_find(x->gpu->gmem, (lo[first] | (uint64_t)hi[first] << 32) + fixed);
	uint64_t bad = 0;
	if (!b || b->room < in->size)
		return false;
	for (unsigned i = 0; i < WL_WARP_LANES; i++) {
		uint64_t at = (lo[i] | (uint64_t)hi[i] << 32) + fixed, into = at - b->addr;
		uint64_t outside = (into > b->room - in->size) | (at & (in->size - 1u));
		bad |= outside & (0 - (uint64_t)(x->mask >> i & 1));
		/* As a number: what an inactive lane or a bad address makes of it is never used as a pointer. */
		p[i] = (uint8_t *)((uintptr_t)(x->gpu->gmem->mem + b->at) + (uintptr_t)into);
	}
	return !bad;
}

enum flow exec_LDG(struct exec *x)
{
	uint8_t *p[WL_WARP_LANES];
	if (x->gpu->watch || must_drain(x) || !one_buffer(x, p))
		return load(x, global);
	if (x->in->size != 4 || x->in->rd == WL_RZ) {
		for (uint32_t m = x->mask; m; m &= m - 1)
			load_lane(x, lowest(m), p[lowest(m)]);
		return FLOW_NEXT;
	}
	for (uint32_t m = x->mask; m; m &= m - 1)
		memcpy(&x->r[x->in->rd][lowest(m)], p[lowest(m)], 4);
	return FLOW_NEXT;
}
enum flow exec_STG(struct exec *x)
{
	uint8_t *p[WL_WARP_LANES];
	if (must_drain(x) || !one_buffer(x, p))
		return store(x, global);
	for (uint32_t m = x->mask; m; m &= m - 1)
		store_lane(x, lowest(m), p[lowest(m)]);
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

enum flow exec_LD(struct exec *x)
{
	return load(x, generic);
}
enum flow exec_ST(struct exec *x)
{
	return store(x, generic);
}

/* One lane of LDGSTS: the copy lands at once, which is before any wait for it can end. Bytes that .ZFILL or a false
 * predicate keep from being read are zeros. */
static void copy_lane(struct exec *x, unsigned lane, bool reads, struct faults *f)
{
	const struct wl_inst *in = x->in;
	uint32_t base = in->rb == WL_RZ ? 0 : x->r[in->rb][lane];
	uint8_t *to = shared_at(x, lane, base + read_ur(x, in->ur) + in->imm, f);
	uint64_t from = global_address(x, lane);
	unsigned zeros = in->op ? (unsigned)from & (in->size - 1u) : 0;
	uint8_t bytes[16] = {0};
	if (!to)
		return;
	if (!reads) {
		write_memory(x, to, bytes, in->size);
		return;
	}
	from -= zeros;
	const uint8_t *p = from & (in->size - 1u) ? NULL : wl_gmem_at(x->gpu->gmem, from, in->size - zeros);
	if (!p) {
		note(f, from & (in->size - 1u) ? WL_FAULT_MISALIGNED_ADDRESS : WL_FAULT_GLOBAL_OUT_OF_RANGE, lane,
		     from);
		return;
	}
	memcpy(bytes, p, in->size - zeros);
	write_memory(x, to, bytes, in->size);
}

enum flow exec_LDGSTS(struct exec *x)
{
	struct faults f = {0};
	uint32_t reads = read_pred(x, x->in->ps[0]);
	if (must_drain(x))
		return FLOW_HOLD;
	for (uint32_t m = x->mask; m; m &= m - 1)
		copy_lane(x, lowest(m), reads >> lowest(m) & 1, &f);
	return end(x, &f);
}

enum flow exec_ARRIVES(struct exec *x)
{
	return stop_error(x, "the unit of this instruction is not built yet");
}
enum flow exec_LDGDEPBAR(struct exec *x)
{
	(void)x;
	return FLOW_NEXT;
}

enum flow exec_QSPC(struct exec *x)
{
	uint32_t in_space = 0,
	         asked = x->in->op == 3 ? WL_SPACE_SHARED : x->in->op; /* 3: shared memory of the cluster */
	FOR_LANES (i)
		in_space |= (uint32_t)(wl_space_of(global_address(x, i)) == asked) << i;
	write_pred(x, x->in->pd[0], in_space);
	return FLOW_NEXT;
}

/* --- atom_unit --------------------------------------------------------------------------------------------- */

static uint64_t operand(const struct exec *x, uint8_t reg, unsigned lane)
{
	if (reg == WL_RZ)
		return 0;
	uint64_t v = x->r[reg][lane];
	return x->in->size == 8 ? v | (uint64_t)x->r[reg + 1][lane] << 32 : v;
}

static void write_result(struct exec *x, unsigned lane, uint64_t v)
{
	const struct wl_inst *in = x->in;
	if (!wl_atom_has_result(in))
		return;
	x->r[in->rd][lane] = (uint32_t)v;
	if (in->size == 8 && in->rd + 1 != WL_RZ)
		x->r[in->rd + 1][lane] = (uint32_t)(v >> 32);
}

/* Lanes that a generic atomic with a predicate leaves to the code behind it. */
static uint32_t refused(const struct exec *x)
{
	uint64_t addr[WL_WARP_LANES];
	if (x->in->pd[0] == WL_PT)
		return 0;
	for (uint32_t m = x->mask; m; m &= m - 1)
		addr[lowest(m)] = global_address(x, lowest(m));
	return wl_atom_refused(x->in, x->mask, addr);
}

static enum flow atomic(struct exec *x, address_fn *at)
{
	struct faults f = {0};
	if (must_drain(x))
		return FLOW_HOLD;
	uint32_t left = refused(x);
	for (uint32_t m = x->mask & ~left; m; m &= m - 1) {
		unsigned lane = lowest(m);
		uint8_t *p = at(x, lane, &f);
		if (!p)
			continue;
		uint64_t old = 0, now, result;
		memcpy(&old, p, x->in->size);
		now = wl_atom_turn(x->in, old, operand(x, x->in->rb, lane), operand(x, x->in->rc, lane), &result);
		if (x->gpu->watch)
			note_read(x, lane, p);
		write_memory(x, p, &now, x->in->size);
		write_result(x, lane, result);
	}
	if (x->in->uop != WL_UOP_RED)
		write_pred(x, x->in->pd[0], ~(f.lanes | left));
	return end(x, &f);
}

static bool is_generic(const struct wl_inst *in)
{
	return in->uop == WL_UOP_ATOM || in->uop == WL_UOP_ATOM_CAS || in->uop == WL_UOP_ATOM_CAST;
}

bool atom_is_local(const struct exec *x)
{
	if (!is_generic(x->in))
		return false;
	for (uint32_t m = x->mask; m; m &= m - 1)
		if (wl_space_of(global_address(x, lowest(m))) == WL_SPACE_LOCAL)
			return true;
	return false;
}

enum flow exec_unit_atom_unit(struct exec *x)
{
	if (unit_in_dut(x) && !atom_is_local(x))
		return FLOW_REQUEST;
	return atomic(x, is_generic(x->in) ? generic : global);
}

/* --- fence_unit: memory is sequentially consistent, so a fence only waits for what is on its way ------------ */

enum flow exec_unit_fence_unit(struct exec *x)
{
	if (unit_in_dut(x))
		return FLOW_REQUEST;
	return must_drain(x) ? FLOW_HOLD : FLOW_NEXT;
}
