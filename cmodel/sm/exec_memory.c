// SPDX-License-Identifier: Apache-2.0
/* exec_memory.c -- global and local memory (FRONT), global atomics (`atom_unit`) and fences (`fence_unit`) in C:
 * one warp instruction at a time, lowest lane first, so that memory is sequentially consistent. */
#include "exec.h"

/* Lanes that faulted so far in one instruction: the first kind of fault met counts. */
struct faults {
	enum wl_fault kind;
	uint32_t lanes;
	uint64_t addr;
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
	return f->lanes ? stop_fault(x, f->kind, f->lanes, true, f->addr) : FLOW_NEXT;
}

static uint64_t global_address(const struct exec *x, unsigned lane)
{
	const struct wl_inst *in = x->in;
	uint64_t a = 0;
	if (in->ra != WL_RZ) {
		a = x->r[in->ra][lane];
		if (in->flags & WL_F_E64)
			a |= (uint64_t)x->r[in->ra + 1][lane] << 32;
	}
	uint64_t u = read_ur(x, in->ur) | (uint64_t)read_ur_hi(x, in->ur) << 32;
	return a + u + (uint64_t)(int64_t)in->off;
}

/* Host pointer of the lane's access, NULL with the fault noted. */
static uint8_t *global(struct exec *x, unsigned lane, struct faults *f)
{
	uint64_t at = global_address(x, lane);
	if (at & (x->in->size - 1u)) {
		note(f, WL_FAULT_MISALIGNED_ADDRESS, lane, at);
		return NULL;
	}
	uint8_t *p = wl_gmem_at(x->gpu->gmem, at, x->in->size);
	if (!p)
		note(f, WL_FAULT_GLOBAL_OUT_OF_RANGE, lane, at);
	return p;
}

static uint8_t *local(struct exec *x, unsigned lane, struct faults *f)
{
	uint32_t base = x->in->ra == WL_RZ ? 0 : x->r[x->in->ra][lane], at = base + (uint32_t)x->in->off;
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
	memcpy(p, w, in->size);
}

typedef uint8_t *address_fn(struct exec *x, unsigned lane, struct faults *f);

static enum flow load(struct exec *x, address_fn *at)
{
	struct faults f = {0};
	if (must_drain(x))
		return FLOW_HOLD;
	for (uint32_t m = x->mask; m; m &= m - 1) {
		const uint8_t *p = at(x, lowest(m), &f);
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

enum flow exec_LDG(struct exec *x)
{
	return load(x, global);
}
enum flow exec_STG(struct exec *x)
{
	return store(x, global);
}
enum flow exec_LDL(struct exec *x)
{
	return load(x, local);
}
enum flow exec_STL(struct exec *x)
{
	return store(x, local);
}

/* --- atom_unit --------------------------------------------------------------------------------------------- */

/* 64-bit read-modify-write; INC and DEC exist on 32 bits only (prepare.c). */
static uint64_t alu64(enum wl_atom_op op, bool sgn, uint64_t old, uint64_t b)
{
	bool less = sgn ? (int64_t)b < (int64_t)old : b < old;
	switch (op) {
	case WL_ATOM_ADD:
		return old + b;
	case WL_ATOM_MIN:
		return less ? b : old;
	case WL_ATOM_MAX:
		return less ? old : b;
	case WL_ATOM_AND:
		return old & b;
	case WL_ATOM_OR:
		return old | b;
	case WL_ATOM_XOR:
		return old ^ b;
	default:
		return b;
	}
}

static uint64_t operand(const struct exec *x, uint8_t reg, unsigned lane)
{
	if (reg == WL_RZ)
		return 0;
	uint64_t v = x->r[reg][lane];
	return x->in->size == 8 ? v | (uint64_t)x->r[reg + 1][lane] << 32 : v;
}

static uint64_t rmw(const struct exec *x, unsigned lane, uint64_t old)
{
	const struct wl_inst *in = x->in;
	uint64_t b = operand(x, in->rb, lane);
	bool sgn = in->flags & WL_F_SIGNED;
	if (in->uop == WL_UOP_ATOMG_CAS)
		return wl_atomic_cas(old, b, operand(x, in->rc, lane));
	return in->size == 8 ? alu64(in->op, sgn, old, b) : wl_atomic_alu32(in->op, sgn, (uint32_t)old, (uint32_t)b);
}

static enum flow atomic(struct exec *x)
{
	struct faults f = {0};
	if (must_drain(x))
		return FLOW_HOLD;
	for (uint32_t m = x->mask; m; m &= m - 1) {
		unsigned lane = lowest(m);
		uint8_t *p = global(x, lane, &f);
		if (!p)
			continue;
		uint64_t old = 0, now;
		memcpy(&old, p, x->in->size);
		now = rmw(x, lane, old);
		memcpy(p, &now, x->in->size);
		if (x->in->uop != WL_UOP_RED && x->in->rd != WL_RZ) {
			x->r[x->in->rd][lane] = (uint32_t)old;
			if (x->in->size == 8)
				x->r[x->in->rd + 1][lane] = (uint32_t)(old >> 32);
		}
	}
	if (x->in->uop != WL_UOP_RED)
		write_pred(x, x->in->pd[0], ALL_LANES & ~f.lanes);
	return end(x, &f);
}

enum flow exec_ATOMG(struct exec *x)
{
	return atomic(x);
}
enum flow exec_ATOMG_CAS(struct exec *x)
{
	return atomic(x);
}
enum flow exec_RED(struct exec *x)
{
	return atomic(x);
}

/* --- fence_unit: memory is sequentially consistent, so a fence only waits for what is on its way ------------ */

enum flow exec_MEMBAR(struct exec *x)
{
	return must_drain(x) ? FLOW_HOLD : FLOW_NEXT;
}
enum flow exec_ERRBAR(struct exec *x)
{
	return must_drain(x) ? FLOW_HOLD : FLOW_NEXT;
}
enum flow exec_CCTL_IVALL(struct exec *x)
{
	return must_drain(x) ? FLOW_HOLD : FLOW_NEXT;
}
