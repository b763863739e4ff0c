// SPDX-License-Identifier: Apache-2.0
/* atom_unit.c -- loads, stores and atomics on global and generic memory: plan, apply, finish.
 * Source: docs/spec/global-memory.md, "Spaces"; docs/spec/global-memory.md, "Sectors"; docs/spec/global-memory.md,
 * "Passes". */
#include "warplock/atom_unit.h"

#include <assert.h>
#include <string.h>

#include "warplock/alu.h"
#include "warplock/cluster_windows.h"
#include "warplock/units.h"

bool wl_atom_has_result(const struct wl_inst *in)
{
	return in->uop != WL_UOP_RED && !wl_atom_is_store(in) && in->rd != WL_RZ;
}

/* ---- a lane's turn ---- */

uint64_t wl_atom_turn(const struct wl_inst *in, uint64_t old, uint64_t b, uint64_t c, uint64_t *result)
{
	const bool sgn = in->flags & WL_F_SIGNED;
	*result = in->uop == WL_UOP_ATOM_CAST ? old == b : old; /* 1 or 0, as wide as the compared word */
	if (wl_atom_is_cas(in))
		return wl_atomic_cas(old, b, c);
	if (in->type != WL_AT_INT)
		return wl_atomic_float((enum wl_atom_type)in->type, (enum wl_atom_op)in->op, in->size, old, b);
	return in->size == 8 ? wl_atomic_alu64((enum wl_atom_op)in->op, sgn, old, b)
	                     : wl_atomic_alu32((enum wl_atom_op)in->op, sgn, (uint32_t)old, (uint32_t)b);
}

static uint64_t part(const struct wl_lane *v, unsigned i)
{
	return v->w[2 * i] | (uint64_t)v->w[2 * i + 1] << 32;
}

static void set_part(struct wl_lane *v, unsigned i, uint64_t x)
{
	v->w[2 * i] = (uint32_t)x;
	v->w[2 * i + 1] = (uint32_t)(x >> 32);
}

/* The low `size` bytes. */
static struct wl_lane cut(const struct wl_lane *v, unsigned size)
{
	struct wl_lane w = {{0}};
	memcpy(&w, v, size);
	return w;
}

/* A word narrower than a register, extended to the register. */
static struct wl_lane extended(const struct wl_inst *in, struct wl_lane v)
{
	if (in->size < 4 && in->flags & WL_F_SIGNED) {
		const uint32_t sign = UINT32_C(1) << (8 * in->size - 1);
		v.w[0] = (v.w[0] ^ sign) - sign;
	}
	return v;
}

/* 128 bits: CAS and EXCH take all bits at once; each half of a vector is a turn of its own. */
static struct wl_lane turn128(const struct wl_inst *in, const struct wl_lane *old, const struct wl_lane *b,
                              const struct wl_lane *c, struct wl_lane *result)
{
	struct wl_lane now;
	const bool equal = memcmp(old, b, sizeof *old) == 0;
	*result = in->uop == WL_UOP_ATOM_CAST ? (struct wl_lane){{equal}} : *old;
	if (wl_atom_is_cas(in))
		return equal ? *c : *old;
	if (in->type == WL_AT_INT)
		return *b; /* EXCH; anything else is an illegal word */
	for (unsigned i = 0; i < 2; i++)
		set_part(&now, i,
		         wl_atomic_float((enum wl_atom_type)in->type, (enum wl_atom_op)in->op, 8, part(old, i),
		                         part(b, i)));
	return now;
}

struct wl_lane wl_atom_turn_wide(const struct wl_inst *in, const struct wl_lane *old, const struct wl_lane *b,
                                 const struct wl_lane *c, struct wl_lane *result)
{
	struct wl_lane now = {{0}};
	uint64_t got;
	*result = now;
	if (wl_atom_is_load(in)) {
		*result = extended(in, *old);
		return *old;
	}
	if (wl_atom_is_store(in))
		return cut(b, in->size);
	if (in->size == 16)
		return turn128(in, old, b, c, result);
	const struct wl_lane cb = cut(b, in->size), cc = cut(c, in->size);
	set_part(&now, 0, wl_atom_turn(in, part(old, 0), part(&cb, 0), part(&cc, 0), &got));
	set_part(result, 0, got);
	return now;
}

/* ---- spaces ---- */

bool wl_atom_shared_serves(const struct wl_inst *in)
{
	return wl_atom_is_load(in) || wl_atom_is_store(in) || wl_atom_is_cas(in) || in->op == WL_ATOM_EXCH ||
	       (in->type == WL_AT_INT && in->size == 4);
}

bool wl_atom_others_serve(const struct wl_inst *in)
{
	const bool packed = in->type == WL_AT_F16X2 || in->type == WL_AT_BF16X2;
	return in->uop == WL_UOP_ATOM && !wl_atom_shared_serves(in) &&
	       ((in->type == WL_AT_INT && in->size == 8) || (packed && in->size == 4 && in->op == WL_ATOM_ADD));
}

/* The space of the address does not serve the operation. Local memory never serves atomics: no other thread sees local
 * memory, and the following code does the operation. The front end does loads and stores of local memory. */
static bool unserved(const struct wl_units *u, const struct wl_req *req, uint64_t addr)
{
	const struct wl_inst *in = &req->inst;
	const enum wl_space space = wl_atom_is_generic(in) ? wl_space_of(addr) : WL_SPACE_GLOBAL;
	if (space != WL_SPACE_SHARED || wl_atom_shared_serves(in))
		return space == WL_SPACE_LOCAL;
	return !(wl_atom_others_serve(in) && wl_cluster_other(u, req->tag.slot, (uint32_t)addr));
}

/* Lanes left by the instruction to the following code. That code asks the predicate. */
static uint32_t refused_lanes(const struct wl_units *u, const struct wl_req *req, const uint64_t addr[WL_WARP_LANES])
{
	const struct wl_inst *in = &req->inst;
	uint32_t refused = 0;
	if (!wl_atom_is_generic(in) || wl_atom_is_load(in) || wl_atom_is_store(in) || in->pd[0] == WL_PT)
		return 0;
	for (uint32_t m = req->mask; m; m &= m - 1)
		refused |= (uint32_t)unserved(u, req, addr[wl_lowest(m)]) << wl_lowest(m);
	return refused;
}

static bool in_shared(const struct wl_inst *in, uint64_t addr)
{
	return wl_atom_is_generic(in) && wl_space_of(addr) == WL_SPACE_SHARED;
}

/* ---- lanes in shared memory: a request of atoms_pipe with the same tag ---- */

static enum wl_uop shared_uop(const struct wl_inst *in)
{
	switch (in->uop) {
	case WL_UOP_LD:
		return WL_UOP_LDS;
	case WL_UOP_ST:
		return WL_UOP_STS;
	case WL_UOP_ATOM_CAS:
		return WL_UOP_ATOMS_CAS;
	case WL_UOP_ATOM_CAST:
		return WL_UOP_ATOMS_CAST;
	default:
		return wl_atom_shared_serves(in) ? WL_UOP_ATOMS : WL_UOP_ATOMSN; /* memory of other CTAs serves these */
	}
}

/* The lanes of `lanes` naming other CTAs of the cluster. */
static uint32_t others(const struct wl_units *u, const struct wl_req *req, const uint64_t addr[WL_WARP_LANES],
                       uint32_t lanes)
{
	uint32_t far = 0;
	for (uint32_t m = lanes; m; m &= m - 1) {
		unsigned to;
		wl_cluster_slot(u, req->tag.slot, (uint32_t)addr[wl_lowest(m)], &to);
		far |= (uint32_t)(to != req->tag.slot) << wl_lowest(m);
	}
	return far;
}

/* Ra holds the addresses; nothing is added. */
void wl_atom_shared_request(const struct wl_units *u, const struct wl_req *req, const uint64_t addr[WL_WARP_LANES],
                            uint32_t lanes, struct wl_req *to)
{
	*to = *req;
	to->inst.uop = (uint16_t)shared_uop(&req->inst);
	to->inst.ra = 0;
	to->inst.ur = WL_NO_UR;
	to->inst.off = 0;
	to->inst.xn = 0;
	to->ur = 0;
	to->mask = lanes;
	for (unsigned lane = 0; lane < WL_WARP_LANES; lane++)
		to->ra[lane] = (uint32_t)addr[lane];
	if (!others(u, req, addr, lanes))
		return;
	to->tag.slot = WL_SMEM_WHOLE;
	for (uint32_t m = lanes; m; m &= m - 1) {
		unsigned cta;
		wl_cluster_slot(u, req->tag.slot, (uint32_t)addr[wl_lowest(m)], &cta);
		to->ra[wl_lowest(m)] = wl_cluster_place(u, cta, (uint32_t)addr[wl_lowest(m)]);
	}
}

/* Lanes with a missing CTA, or with an address beyond the window of the CTA. */
static uint32_t find_ctas(const struct wl_units *u, const struct wl_req *req, uint32_t lanes, struct wl_atom_plan *p)
{
	uint32_t bad = 0;
	for (uint32_t m = lanes; m; m &= m - 1) {
		const unsigned lane = wl_lowest(m);
		unsigned to;
		enum wl_fault fault = wl_cluster_slot(u, req->tag.slot, (uint32_t)p->addr[lane], &to);
		const struct wl_window *w = &u->smem.window[to];
		if (fault == WL_FAULT_NONE &&
		    (!w->valid || (uint64_t)((uint32_t)p->addr[lane] - w->origin) + req->inst.size > w->size))
			fault = WL_FAULT_SHARED_OUT_OF_RANGE;
		p->common.fault[lane] = (uint8_t)fault;
		bad |= (uint32_t)(fault != WL_FAULT_NONE) << lane;
	}
	p->common.faulted |= bad;
	p->common.ok &= ~bad;
	return bad;
}

/* The passes over the lanes `shared`. Some of these lanes may be outside of the window. */
static void plan_shared(const struct wl_units *u, const struct wl_req *req, uint32_t shared, struct wl_atom_plan *p)
{
	struct wl_req own;
	struct wl_atoms_plan s;
	shared &= ~find_ctas(u, req, shared, p);
	wl_atom_shared_request(u, req, p->addr, shared, &own);
	p->others = others(u, req, p->addr, shared);
	wl_atoms_plan(&u->smem, &own, &s);
	for (uint32_t m = s.common.faulted; m; m &= m - 1)
		p->common.fault[wl_lowest(m)] = s.common.fault[wl_lowest(m)];
	p->common.faulted |= s.common.faulted;
	p->common.ok &= ~s.common.faulted;
	p->shared = s.common.ok;
	p->shared_passes = p->passes = s.common.passes;
	memcpy(p->common.pass_lanes, s.common.pass_lanes, sizeof s.common.pass_lanes);
	p->common.passes = s.common.passes;
}

static void apply_shared(struct wl_units *u, const struct wl_req *req, const struct wl_atom_plan *p, uint32_t lanes,
                         struct wl_record *rec)
{
	struct wl_req own;
	struct wl_atoms_plan s;
	wl_atom_shared_request(u, req, p->addr, p->shared, &own);
	wl_atoms_plan(&u->smem, &own, &s);
	wl_atoms_apply(&u->smem, &own, &s, lanes, rec);
	if (own.inst.uop == WL_UOP_STS) /* STS for the banks only: a generic store makes no mbarrier */
		for (uint32_t m = lanes; m; m &= m - 1)
			wl_smem_wrote(&u->smem, (uint32_t)rec->addr[wl_lowest(m)], own.inst.size, false);
	for (uint32_t m = lanes; m; m &= m - 1) /* the record tells generic addresses */
		rec->addr[wl_lowest(m)] = p->addr[wl_lowest(m)];
}

/* ---- plan ---- */

/* Static faults. The unit does not know here where global memory exists: memory's answer tells. */
static enum wl_fault lane_fault(const struct wl_units *u, const struct wl_req *req, uint64_t addr)
{
	const struct wl_inst *in = &req->inst;
	if (in->flags & WL_F_ILLEGAL)
		return WL_FAULT_ILLEGAL_INSTRUCTION;
	if (addr & (in->size - 1u))
		return WL_FAULT_MISALIGNED_ADDRESS;
	return unserved(u, req, addr) ? WL_FAULT_BAD_SPACE : WL_FAULT_NONE;
}

/* Returns the lanes of ok for shared memory. */
static uint32_t plan_lanes(const struct wl_units *u, const struct wl_req *req, struct wl_atom_plan *p)
{
	const struct wl_inst *in = &req->inst;
	uint32_t shared = 0;
	for (uint32_t m = req->mask; m; m &= m - 1)
		p->addr[wl_lowest(m)] = wl_global_address(in, req->ra[wl_lowest(m)], wl_atom_ur(req));
	p->refused = in->flags & WL_F_ILLEGAL ? 0 : refused_lanes(u, req, p->addr);
	for (uint32_t m = req->mask & ~p->refused; m; m &= m - 1) {
		const unsigned lane = wl_lowest(m);
		const uint32_t bit = UINT32_C(1) << lane;
		const enum wl_fault fault = lane_fault(u, req, p->addr[lane]);
		p->common.fault[lane] = (uint8_t)fault;
		*(fault == WL_FAULT_NONE ? &p->common.ok : &p->common.faulted) |= bit;
		shared |= fault == WL_FAULT_NONE && in_shared(in, p->addr[lane]) ? bit : 0;
	}
	return shared;
}

bool wl_atom_combines(const struct wl_inst *in)
{
	if (wl_atom_is_load(in) || wl_atom_is_cas(in) || in->type != WL_AT_INT)
		return false;
	return wl_atom_is_store(in) || (in->size <= 8 && in->op != WL_ATOM_INC && in->op != WL_ATOM_DEC);
}

/* In a pass each bank serves its lowest lane. The words of the `words` lowest of these lanes take all lanes with the
 * same address. */
static unsigned combined_passes(const struct wl_atom_plan *p, unsigned shift, unsigned words, uint32_t lanes)
{
	unsigned passes = 0;
	for (; lanes; passes++) {
		uint32_t served = 0, gone = 0;
		unsigned n = 0;
		for (uint32_t m = lanes; m; m &= m - 1) {
			const uint64_t addr = p->addr[wl_lowest(m)];
			const uint32_t bank = UINT32_C(1) << (addr % WL_SECTOR >> shift);
			if (served & bank)
				continue;
			served |= bank;
			gone |= UINT32_C(1) << wl_lowest(m);
			for (uint32_t with = n++ < words ? m : 0; with; with &= with - 1)
				gone |= (uint32_t)(p->addr[wl_lowest(with)] == addr) << wl_lowest(with);
		}
		lanes &= ~gone;
	}
	return passes;
}

/* Passes over the lanes of a sector at 8 banks of 32 bits. A wide word takes several banks. In a pass each bank serves
 * one lane. Loads share, since a bank holds one word of the sector. Floats have WL_FP_LANES adders. */
unsigned wl_atom_sector_passes(const struct wl_inst *in, const struct wl_atom_plan *p, unsigned combine, uint32_t lanes)
{
	const unsigned shift = in->size <= 4 ? 2 : (unsigned)__builtin_ctz(in->size);
	uint8_t at_bank[WL_SECTOR / 4] = {0}, most = 0;
	if (wl_atom_is_load(in))
		return 1;
	if (combine && wl_atom_combines(in))
		return combined_passes(p, shift, combine, lanes);
	for (uint32_t m = lanes; m; m &= m - 1) {
		const unsigned bank = p->addr[wl_lowest(m)] % WL_SECTOR >> shift;
		most = ++at_bank[bank] > most ? at_bank[bank] : most;
	}
	if (in->type == WL_AT_INT || wl_atom_is_cas(in) || wl_atom_is_store(in))
		return most;
	unsigned passes = 0, pending = (unsigned)__builtin_popcount(lanes);
	for (; pending; passes++) { /* the lowest banks with lanes left go first */
		unsigned adders = WL_FP_LANES;
		for (unsigned bank = 0; bank < WL_SECTOR / 4 && adders; bank++) {
			if (!at_bank[bank])
				continue;
			at_bank[bank]--;
			adders--;
			pending--;
		}
	}
	return passes;
}

static void plan_sectors(const struct wl_inst *in, unsigned combine, uint32_t left, struct wl_atom_plan *p)
{
	while (left) {
		const uint64_t sector = p->addr[wl_lowest(left)] / WL_SECTOR;
		uint32_t lanes = 0;
		for (uint32_t m = left; m; m &= m - 1)
			lanes |= (uint32_t)(p->addr[wl_lowest(m)] / WL_SECTOR == sector) << wl_lowest(m);
		p->common.pass_lanes[p->common.passes++] = lanes;
		p->passes = (uint8_t)(p->passes + wl_atom_sector_passes(in, p, combine, lanes));
		left &= ~lanes;
	}
}

static void plan(const struct wl_units *u, const struct wl_req *req, struct wl_plan *common, struct wl_record *rec)
{
	struct wl_atom_plan *p = (struct wl_atom_plan *)common;
	wl_plan_all(req, common, rec);
	memset(p, 0, sizeof *p);
	const uint32_t shared = plan_lanes(u, req, p);
	if (shared)
		plan_shared(u, req, shared, p);
	plan_sectors(&req->inst, u->smem.combine, p->common.ok & ~shared, p);
	p->common.ordered = p->shared_passes;
	p->common.any_order = true;
}

/* ---- apply ---- */

/* Memory exists for whole halves of a sector. */
static bool exists(const struct wl_units *u, uint64_t addr)
{
	return u->gmem && wl_gmem_at(u->gmem, addr & ~(uint64_t)(WL_HALF_SECTOR - 1), WL_HALF_SECTOR);
}

static void apply_lane(struct wl_units *u, const struct wl_req *req, uint64_t addr, unsigned lane,
                       struct wl_record *rec)
{
	const struct wl_inst *in = &req->inst;
	const uint32_t bit = UINT32_C(1) << lane;
	uint8_t *at = wl_gmem_at(u->gmem, addr, in->size);
	struct wl_lane old = {{0}}, result;
	memcpy(&old, at, in->size);
	const struct wl_lane now = wl_atom_turn_wide(in, &old, &req->rb[lane], &req->rc[lane], &result);
	memcpy(at, &now, in->size);
	rec->addr[lane] = addr;
	rec->old[lane] = old;
	rec->now[lane] = now;
	if (!wl_atom_is_load(in) && !(wl_atom_is_cas(in) && memcmp(&old, &req->rb[lane], in->size) != 0))
		rec->stored |= bit;
	if (wl_atom_has_result(in)) {
		rec->result[lane] = result;
		rec->written |= bit;
	}
	rec->committed |= bit;
}

static uint32_t apply(struct wl_units *u, const struct wl_req *req, struct wl_plan *common, const struct wl_event *ev,
                      struct wl_record *rec)
{
	const struct wl_atom_plan *p = (const struct wl_atom_plan *)common;
	const uint32_t shared = ev->lanes & p->shared;
	uint32_t outside = 0;
	assert(!(ev->lanes & (~common->ok | rec->committed)) && "a lane takes effect once");
	if (shared)
		apply_shared(u, req, p, shared, rec);
	for (uint32_t m = ev->lanes & ~shared; m; m &= m - 1) {
		const unsigned lane = wl_lowest(m);
		if (exists(u, p->addr[lane]))
			apply_lane(u, req, p->addr[lane], lane, rec);
		else
			outside |= UINT32_C(1) << lane;
	}
	return wl_fault_lanes(rec, outside, WL_FAULT_GLOBAL_OUT_OF_RANGE);
}

/* The predicate result: the served lanes. */
static void finish(const struct wl_units *u, const struct wl_req *req, const struct wl_plan *common,
                   struct wl_record *rec)
{
	const struct wl_atom_plan *p = (const struct wl_atom_plan *)common;
	const struct wl_inst *in = &req->inst;
	wl_finish_plain(u, req, common, rec);
	rec->passes = p->passes;
	if (in->uop == WL_UOP_RED || wl_atom_is_load(in) || wl_atom_is_store(in) || in->pd[0] == WL_PT)
		return;
	rec->pred_written = req->mask & ~rec->faulted;
	rec->preds = rec->committed;
}

_Static_assert(sizeof(struct wl_atom_plan) <= WL_PLAN_MAX, "a plan fits the space that a flight has for it");
const struct wl_unit_ops wl_atom_unit_ops = {
        .plan_bytes = sizeof(struct wl_atom_plan), .plan = plan, .apply = apply, .finish = finish};
