// SPDX-License-Identifier: Apache-2.0
/* atoms_pipe.c -- shared-memory accesses and atomics of a warp: plan, apply, finish. */
#include <assert.h>
#include <string.h>

#include "atoms_pipe_inline.h"

/* ---- plan: everything that does not depend on the content of memory ---- */

static void plan_lanes(const struct wl_smem *s, const struct wl_req *req, struct wl_plan *plan)
{
	const struct wl_inst *in = &req->inst;
	const struct wl_window *w = &s->window[req->tag.slot];
	uint32_t addend = atoms_addend(in, req->ur);
	for (uint32_t left = req->mask; left; left &= left - 1) {
		unsigned lane = (unsigned)__builtin_ctz(left);
		plan->addr[lane] = atoms_lane_address(in, addend, (uint32_t)req->ra[lane]);
		enum wl_fault f = in->flags & WL_F_ILLEGAL ? WL_FAULT_ILLEGAL_INSTRUCTION
		                                           : atoms_lane_fault(w, plan->addr[lane], in->size);
		plan->fault[lane] = (uint8_t)f;
		if (f == WL_FAULT_NONE)
			plan->ok |= UINT32_C(1) << lane;
		else
			plan->faulted |= UINT32_C(1) << lane;
	}
}

/* Passes of one beat: `todo` are the lanes that need a bank, `losers` those that do not. A bank group serves one word
 * in a pass, lowest lane first; lanes that load the same word share its turn. */
static void plan_beat(const struct wl_smem *s, const struct wl_req *req, struct wl_plan *plan, unsigned beat,
                      uint32_t todo, uint32_t losers)
{
	const struct wl_inst *in = &req->inst;
	const uint32_t base = s->window[req->tag.slot].base;
	const unsigned groups = atoms_bank_groups(s, in->size);
	const unsigned first = plan->passes;
	uint8_t turns[WL_WARP_LANES] = {0};          /* turns taken in each bank group so far */
	uint32_t word[WL_WARP_LANES][WL_WARP_LANES]; /* word of each of them */
	for (uint32_t left = todo; left; left &= left - 1) {
		unsigned lane = (unsigned)__builtin_ctz(left);
		uint32_t addr = base + plan->addr[lane];
		unsigned group = addr / atoms_bank_bytes(in->size) % groups;
		unsigned turn = turns[group];
		if (in->uop == WL_UOP_LDS)
			for (turn = 0; turn < turns[group] && word[group][turn] != addr; turn++)
				;
		if (turn == turns[group])
			word[group][turns[group]++] = addr;
		plan->pass_lanes[first + turn] |= UINT32_C(1) << lane;
		if (first + turn >= plan->passes)
			plan->passes = (uint8_t)(first + turn + 1);
	}
	if (losers) {
		plan->pass_lanes[first] |= losers;
		if (plan->passes == first)
			plan->passes++;
	}
	for (unsigned p = first; p < plan->passes; p++)
		plan->pass_beat[p] = (uint8_t)beat;
}

void wl_atoms_plan(const struct wl_smem *s, const struct wl_req *req, struct wl_plan *plan)
{
	assert(req->tag.slot < WL_MAX_CTAS);
	memset(plan, 0, sizeof *plan);
	plan_lanes(s, req, plan);
	plan->spin_losers = atoms_spin_losers(&req->inst, plan->addr, plan->ok);
	const uint32_t beat_mask = UINT32_MAX >> (WL_WARP_LANES - s->lanes);
	for (unsigned beat = 0; beat < WL_WARP_LANES / s->lanes; beat++) {
		uint32_t lanes = plan->ok & beat_mask << beat * s->lanes;
		plan_beat(s, req, plan, beat, lanes & ~plan->spin_losers, lanes & plan->spin_losers);
	}
}

/* ---- apply: lanes take effect ---- */

void wl_atoms_start(const struct wl_req *req, const struct wl_plan *plan, struct wl_record *rec)
{
	memset(rec, 0, sizeof *rec);
	rec->tag = req->tag;
	rec->pc = req->pc;
	rec->word = req->word;
	rec->mask = req->mask;
	rec->size = req->inst.size;
	(void)plan;
}

void wl_atoms_apply(struct wl_smem *s, const struct wl_req *req, const struct wl_plan *plan, uint32_t lanes,
                    struct wl_record *rec)
{
	const struct wl_inst *in = &req->inst;
	const bool writes = in->uop != WL_UOP_STS && in->rd != WL_RZ;
	assert((lanes & ~plan->ok) == 0 && "only lanes that do not fault take effect");
	assert((lanes & rec->committed) == 0 && "a lane takes effect once");
	for (uint32_t left = lanes; left; left &= left - 1) {
		unsigned lane = (unsigned)__builtin_ctz(left);
		bool loser = plan->spin_losers >> lane & 1;
		uint32_t addr = s->window[req->tag.slot].base + plan->addr[lane];
		struct wl_lane result, old = atoms_load(s->mem + addr, in->size);
		struct wl_lane now =
		        atoms_lane_turn(in, in->size, &old, &req->rb[lane], &req->rc[lane], loser, &result);
		memcpy(s->mem + addr, &now, in->size);
		rec->addr[lane] = addr;
		rec->old[lane] = old;
		rec->now[lane] = now;
		if (writes)
			rec->result[lane] = result;
	}
	rec->committed |= lanes;
	if (writes)
		rec->written |= lanes;
}

/* ---- finish ---- */

void wl_atoms_finish(const struct wl_req *req, const struct wl_plan *plan, struct wl_record *rec)
{
	assert(rec->mask == req->mask && rec->committed == plan->ok && "every lane that does not fault took effect");
	(void)req;
	rec->faulted = plan->faulted;
	memcpy(rec->fault, plan->fault, sizeof rec->fault);
	rec->passes = plan->passes;
}
