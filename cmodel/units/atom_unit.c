// SPDX-License-Identifier: Apache-2.0
/* atom_unit.c -- atomics on global and generic memory. */
#include "warplock/atom_unit.h"

#include <assert.h>
#include <string.h>

#include "warplock/alu.h"
#include "warplock/units.h"

static bool is_generic(const struct wl_inst *in)
{
	return in->uop == WL_UOP_ATOM || in->uop == WL_UOP_ATOM_CAS || in->uop == WL_UOP_ATOM_CAST;
}

static bool is_cas(const struct wl_inst *in)
{
	return in->uop == WL_UOP_ATOMG_CAS || in->uop == WL_UOP_ATOM_CAS || in->uop == WL_UOP_ATOM_CAST;
}

bool wl_atom_has_result(const struct wl_inst *in)
{
	return in->uop != WL_UOP_RED && in->rd != WL_RZ;
}

uint64_t wl_atom_turn(const struct wl_inst *in, uint64_t old, uint64_t b, uint64_t c, uint64_t *result)
{
	const bool sgn = in->flags & WL_F_SIGNED;
	*result = in->uop == WL_UOP_ATOM_CAST ? old == b : old; /* 1 or 0, as wide as what was compared */
	if (is_cas(in))
		return wl_atomic_cas(old, b, c);
	if (in->type != WL_AT_INT)
		return wl_atomic_float_add((enum wl_atom_type)in->type, old, b);
	return in->size == 8 ? wl_atomic_alu64((enum wl_atom_op)in->op, sgn, old, b)
	                     : wl_atomic_alu32((enum wl_atom_op)in->op, sgn, (uint32_t)old, (uint32_t)b);
}

/* Whether shared memory does the operation: integers of 32 bits, and what compares or exchanges whatever its width. */
static bool shared_serves(const struct wl_inst *in)
{
	return is_cas(in) || in->op == WL_ATOM_EXCH || (in->type == WL_AT_INT && in->size == 4);
}

/* Local memory never: no other thread sees it, and the code behind does it. */
uint32_t wl_atom_refused(const struct wl_inst *in, uint32_t lanes, const uint64_t addr[WL_WARP_LANES])
{
	uint32_t refused = 0;
	if (!is_generic(in) || in->pd[0] == WL_PT)
		return 0;
	const bool shared = shared_serves(in);
	for (uint32_t m = lanes; m; m &= m - 1) {
		const enum wl_space space = wl_space_of(addr[wl_lowest(m)]);
		if (space == WL_SPACE_LOCAL || (space == WL_SPACE_SHARED && !shared))
			refused |= UINT32_C(1) << wl_lowest(m);
	}
	return refused;
}

/* ---- plan ---- */

static enum wl_fault shared_fault(const struct wl_units *u, const struct wl_req *req, uint32_t addr)
{
	const struct wl_window *w = &u->smem.window[req->tag.slot];
	const bool inside = w->valid && (uint64_t)addr + req->inst.size <= w->size;
	return inside ? WL_FAULT_NONE : WL_FAULT_SHARED_OUT_OF_RANGE;
}

/* Faults that are known at the request. What global memory holds is not: its answer tells. */
static enum wl_fault lane_fault(const struct wl_units *u, const struct wl_req *req, uint64_t addr)
{
	const struct wl_inst *in = &req->inst;
	const enum wl_space space = is_generic(in) ? wl_space_of(addr) : WL_SPACE_GLOBAL;
	if (in->flags & WL_F_ILLEGAL)
		return WL_FAULT_ILLEGAL_INSTRUCTION;
	if (addr & (in->size - 1u))
		return WL_FAULT_MISALIGNED_ADDRESS;
	if (space == WL_SPACE_LOCAL)
		return WL_FAULT_BAD_SPACE;
	return space == WL_SPACE_SHARED ? shared_fault(u, req, (uint32_t)addr) : WL_FAULT_NONE;
}

static void plan_lanes(const struct wl_units *u, const struct wl_req *req, struct wl_atom_plan *p)
{
	for (uint32_t m = req->mask; m; m &= m - 1) {
		const unsigned lane = wl_lowest(m);
		p->addr[lane] = wl_global_address(&req->inst, req->ra[lane], req->ur);
	}
	p->refused = wl_atom_refused(&req->inst, req->mask, p->addr);
	for (uint32_t m = req->mask & ~p->refused; m; m &= m - 1) {
		const unsigned lane = wl_lowest(m);
		const uint32_t bit = UINT32_C(1) << lane;
		const enum wl_fault fault = lane_fault(u, req, p->addr[lane]);
		p->common.fault[lane] = (uint8_t)fault;
		*(fault == WL_FAULT_NONE ? &p->common.ok : &p->common.faulted) |= bit;
		if (fault == WL_FAULT_NONE && is_generic(&req->inst) && wl_space_of(p->addr[lane]) == WL_SPACE_SHARED)
			p->shared |= bit;
	}
}

/* Turns of one sector's lanes at its 8 banks of 32 bits: one lane a word and turn; floats have WL_FP_LANES adders. */
static unsigned sector_turns(const struct wl_inst *in, const struct wl_atom_plan *p, uint32_t lanes)
{
	const unsigned shift = in->size == 8 ? 3 : 2;
	uint8_t at_bank[WL_SECTOR / 4] = {0}, most = 0;
	for (uint32_t m = lanes; m; m &= m - 1) {
		const unsigned bank = p->addr[wl_lowest(m)] % WL_SECTOR >> shift;
		most = ++at_bank[bank] > most ? at_bank[bank] : most;
	}
	if (in->type == WL_AT_INT || is_cas(in))
		return most;
	unsigned turns = 0, pending = (unsigned)__builtin_popcount(lanes);
	for (; pending; turns++) { /* the lowest banks that have lanes left go first */
		unsigned adders = WL_FP_LANES;
		for (unsigned bank = 0; bank < WL_SECTOR / 4 && adders; bank++) {
			if (!at_bank[bank])
				continue;
			at_bank[bank]--;
			adders--;
			pending--;
		}
	}
	return turns;
}

static void add_commit(struct wl_atom_plan *p, uint32_t lanes)
{
	p->common.pass_lanes[p->common.passes++] = lanes;
}

static void plan_sectors(const struct wl_inst *in, struct wl_atom_plan *p)
{
	uint32_t left = p->common.ok & ~p->shared;
	if (p->shared)
		add_commit(p, p->shared);
	while (left) {
		const uint64_t sector = p->addr[wl_lowest(left)] / WL_SECTOR;
		uint32_t lanes = 0;
		for (uint32_t m = left; m; m &= m - 1)
			lanes |= (uint32_t)(p->addr[wl_lowest(m)] / WL_SECTOR == sector) << wl_lowest(m);
		add_commit(p, lanes);
		p->turns = (uint8_t)(p->turns + sector_turns(in, p, lanes));
		left &= ~lanes;
	}
}

static void plan(const struct wl_units *u, const struct wl_req *req, struct wl_plan *common, struct wl_record *rec)
{
	struct wl_atom_plan *p = (struct wl_atom_plan *)common;
	wl_plan_all(req, common, rec);
	memset(p, 0, sizeof *p);
	plan_lanes(u, req, p);
	plan_sectors(&req->inst, p);
}

/* ---- apply ---- */

static uint8_t *lane_memory(struct wl_units *u, const struct wl_req *req, const struct wl_atom_plan *p, unsigned lane)
{
	if (p->shared >> lane & 1)
		return u->smem.mem + u->smem.window[req->tag.slot].base + (uint32_t)p->addr[lane];
	return u->gmem ? wl_gmem_at(u->gmem, p->addr[lane], req->inst.size) : NULL;
}

static uint64_t operand(const struct wl_lane *v, unsigned size)
{
	return size == 8 ? v->w[0] | (uint64_t)v->w[1] << 32 : v->w[0];
}

static struct wl_lane to_lane(uint64_t v)
{
	return (struct wl_lane){{(uint32_t)v, (uint32_t)(v >> 32)}};
}

static uint32_t apply(struct wl_units *u, const struct wl_req *req, struct wl_plan *common, const struct wl_event *ev,
                      struct wl_record *rec)
{
	const struct wl_atom_plan *p = (const struct wl_atom_plan *)common;
	const struct wl_inst *in = &req->inst;
	uint32_t outside = 0;
	assert(!(ev->lanes & (~common->ok | rec->committed)) && "a lane takes effect once");
	for (uint32_t m = ev->lanes; m; m &= m - 1) {
		const unsigned lane = wl_lowest(m);
		const uint32_t bit = UINT32_C(1) << lane;
		uint8_t *at = lane_memory(u, req, p, lane);
		if (!at) {
			outside |= bit;
			continue;
		}
		uint64_t old = 0, result;
		memcpy(&old, at, in->size);
		const uint64_t now = wl_atom_turn(in, old, operand(&req->rb[lane], in->size),
		                                  operand(&req->rc[lane], in->size), &result);
		memcpy(at, &now, in->size);
		rec->addr[lane] = p->addr[lane];
		rec->old[lane] = to_lane(old);
		rec->now[lane] = to_lane(now);
		rec->stored |= is_cas(in) && old != operand(&req->rb[lane], in->size) ? 0 : bit;
		if (wl_atom_has_result(in))
			rec->result[lane] = to_lane(result);
	}
	rec->committed |= ev->lanes & ~outside;
	rec->written |= wl_atom_has_result(in) ? ev->lanes & ~outside : 0;
	return wl_fault_lanes(rec, outside, WL_FAULT_GLOBAL_OUT_OF_RANGE);
}

/* A predicate result tells which lanes were served. */
static void finish(const struct wl_units *u, const struct wl_req *req, const struct wl_plan *common,
                   struct wl_record *rec)
{
	const struct wl_atom_plan *p = (const struct wl_atom_plan *)common;
	wl_finish_plain(u, req, common, rec);
	rec->passes = p->turns;
	if (req->inst.uop == WL_UOP_RED || req->inst.pd[0] == WL_PT)
		return;
	rec->pred_written = req->mask & ~rec->faulted;
	rec->preds = rec->committed;
}

const struct wl_unit_ops wl_atom_unit_ops = {
        .plan_bytes = sizeof(struct wl_atom_plan), .plan = plan, .apply = apply, .finish = finish};
