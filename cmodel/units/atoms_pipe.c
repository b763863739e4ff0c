// SPDX-License-Identifier: Apache-2.0
/* atoms_pipe.c -- shared-memory accesses and atomics of a warp: plan, apply, finish.
 * Source: docs/spec/shared-memory.md, "Faults"; docs/spec/shared-memory.md, "Results"; docs/spec/shared-memory.md,
 * "SPIN". */
#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "atoms_pipe_inline.h"
#include "atoms_pipe_matrix.h"
#include "lane_row.h"
#include "warplock/units.h"

/* The library's memset: for known sizes the compiler makes `rep stos`, a slow starter. */
static __attribute__((noipa)) void clear(void *at, size_t bytes)
{
	memset(at, 0, bytes);
}

static bool compares(const struct wl_inst *in)
{
	return in->uop == WL_UOP_ATOMS_CAS || atoms_is_cast(in);
}

static bool writes_rd(const struct wl_inst *in)
{
	return in->uop != WL_UOP_STS && in->uop != WL_UOP_STSM && in->rd != WL_RZ;
}

/* ---- plan: independent of the content of memory ---- */

static void plan_lane(const struct wl_window *w, const struct wl_inst *in, bool illegal, struct wl_atoms_plan *plan,
                      unsigned lane)
{
	const bool named = wl_atoms_rows(in) >> lane & 1;
	enum wl_fault f = illegal ? WL_FAULT_ILLEGAL_INSTRUCTION
	                  : named ? atoms_lane_fault(w, plan->addr[lane], in->size)
	                          : WL_FAULT_NONE;
	plan->common.fault[lane] = (uint8_t)f;
	if (f == WL_FAULT_NONE)
		plan->common.ok |= UINT32_C(1) << lane;
	else
		plan->common.faulted |= UINT32_C(1) << lane;
}

INLINE void plan_lanes(const struct wl_smem *s, const struct wl_req *req, struct wl_atoms_plan *plan)
{
	const struct wl_inst *in = &req->inst;
	const unsigned xn = in->xn; /* a byte: for all the compiler knows, each address overwrites xn */
	const struct wl_window *w = &s->window[req->tag.slot];
	const uint32_t addend = wl_shared_addend(in, (uint32_t)req->ur) - wl_shared_origin(in, w->origin);
	const bool partial = wl_atoms_is_matrix(in) && req->mask != UINT32_MAX;
	const bool illegal =
	        partial || (req->tag.slot != WL_SMEM_WHOLE && atoms_illegal(s, in)); /* WHOLE: judged before */
	if (req->mask == UINT32_MAX && in->ra != WL_RZ &&
	    !wl_atoms_is_matrix(in)) { /* nearly all requests: one loop without decisions */
		for (unsigned lane = 0; lane < WL_WARP_LANES; lane++)
			plan->addr[lane] = ((uint32_t)req->ra[lane] << xn) + addend;
		if (!illegal && atoms_all_in_range(w, in->size, plan->addr)) {
			plan->common.ok = UINT32_MAX;
			return;
		}
	} else {
		clear(plan->addr, sizeof plan->addr);
	}
	for (uint32_t left = req->mask; left; left &= left - 1) {
		unsigned lane = (unsigned)__builtin_ctz(left);
		plan->addr[lane] = wl_shared_base(in, (uint32_t)req->ra[lane]) + addend;
		plan_lane(w, in, illegal, plan, lane);
	}
}

LANE_LOOP void wl_atoms_plan(const struct wl_smem *s, const struct wl_req *req, struct wl_atoms_plan *plan)
{
	assert(req->tag.slot <= WL_SMEM_WHOLE);
	clear(plan, offsetof(struct wl_atoms_plan, addr));
	plan_lanes(s, req, plan);
	const uint32_t rows = wl_atoms_rows(&req->inst);
	const bool loads = req->inst.uop == WL_UOP_LDS || req->inst.uop == WL_UOP_LDSM;
	plan->spin_losers = atoms_spin_losers(&req->inst, plan->addr, plan->common.ok) | (plan->common.ok & ~rows);
	plan->stores = compares(&req->inst) || loads ? 0 : rows;
	plan->writes = writes_rd(&req->inst) ? UINT32_MAX : 0;
	if (wl_atoms_is_matrix(&req->inst)) {
		matrix_passes(s, s->window[req->tag.slot].base, rows, plan);
		return;
	}
	const uint32_t beat_mask = UINT32_MAX >> (WL_WARP_LANES - s->lanes);
	for (unsigned beat = 0; beat < WL_WARP_LANES / s->lanes; beat++) {
		uint32_t lanes = plan->common.ok & beat_mask << beat * s->lanes;
		const unsigned first = plan->common.passes;
		wl_smem_plan_beat(s, s->window[req->tag.slot].base, req->inst.size, atoms_share(&req->inst), plan->addr,
		                  lanes & ~plan->spin_losers, lanes & plan->spin_losers, &plan->common);
		for (unsigned p = first; p < plan->common.passes; p++)
			plan->pass_beat[p] = (uint8_t)beat;
	}
}

/* ---- apply: lanes take effect ---- */

/* The record's header. The first `bytes` bytes of the record become 0; for matrices the results, too, because matrix
 * results come in parts. */
static void start(const struct wl_req *req, struct wl_record *rec, size_t bytes)
{
	clear(rec, bytes);
	if (wl_atoms_is_matrix(&req->inst))
		clear(rec->result, sizeof rec->result);
	rec->tag = req->tag;
	rec->pc = req->pc;
	rec->word = req->word;
	rec->mask = req->mask;
	rec->size = req->inst.size;
}

void wl_atoms_start(const struct wl_req *req, const struct wl_atoms_plan *plan, struct wl_record *rec)
{
	(void)plan;
	start(req, rec, sizeof *rec);
}

/* A lane of a 32-bit access. Returns the lane's bit if a compare hits. Callers pass constants; only a few instructions
 * of the body remain. */
INLINE uint32_t turn32(uint8_t *window, const struct wl_req *req, const uint32_t *addr, struct wl_atoms_words *words,
                       enum wl_uop uop, enum wl_atom_op op, bool sgn, unsigned lane)
{
	const uint32_t b = req->rb[lane].w[0];
	uint8_t *at = window + addr[lane];
	uint32_t old, now;
	memcpy(&old, at, 4);
	words->old[lane] = old;
	if (uop == WL_UOP_LDS)
		return 0;
	if (uop == WL_UOP_STS)
		now = b;
	else if (uop == WL_UOP_ATOMS)
		now = atomic_alu32(op, sgn, old, b);
	else
		now = old == b ? req->rc[lane].w[0] : old;
	memcpy(at, &now, 4);
	words->now[lane] = now;
	return uop == WL_UOP_ATOMS_CAS || uop == WL_UOP_ATOMS_CAST ? (uint32_t)(old == b) << lane : 0;
}

INLINE uint32_t loop32(struct wl_smem *s, const struct wl_req *req, const uint32_t *addr, uint32_t lanes,
                       struct wl_atoms_words *words, enum wl_uop uop, enum wl_atom_op op, bool sgn)
{
	uint8_t *window = s->mem + s->window[req->tag.slot].base;
	uint32_t hits = 0;
	if (lanes == UINT32_MAX)
		UNROLLED_LANES (lane)
			hits |= turn32(window, req, addr, words, uop, op, sgn, lane);
	else
		for (; lanes; lanes &= lanes - 1)
			hits |= turn32(window, req, addr, words, uop, op, sgn, (unsigned)__builtin_ctz(lanes));
	return hits;
}

/* Plain 32-bit accesses, a loop for each operation. Returns the lanes with a hit of the compare. */
static uint32_t apply32(struct wl_smem *s, const struct wl_req *req, const uint32_t *addr, uint32_t lanes,
                        struct wl_atoms_words *words)
{
	const bool sgn = req->inst.flags & WL_F_SIGNED;
	switch (req->inst.uop) {
#define LOOP(UOP, OP, SGN) return loop32(s, req, addr, lanes, words, WL_UOP_##UOP, WL_ATOM_##OP, SGN)
	case WL_UOP_LDS:
		LOOP(LDS, ADD, false);
	case WL_UOP_STS:
		LOOP(STS, ADD, false);
	case WL_UOP_ATOMS_CAS:
		LOOP(ATOMS_CAS, ADD, false);
	case WL_UOP_ATOMS_CAST:
		LOOP(ATOMS_CAST, ADD, false);
	default:
		break;
	}
	switch (req->inst.op) {
#define ROW(OP, SGN)                                                                                                   \
	case WL_ATOM_##OP:                                                                                             \
		LOOP(ATOMS, OP, SGN);
		ROW(ADD, false)
		ROW(MIN, sgn)
		ROW(MAX, sgn)
		ROW(INC, false)
		ROW(DEC, false)
		ROW(AND, false)
		ROW(OR, false)
		ROW(XOR, false)
		ROW(EXCH, false)
#undef ROW
#undef LOOP
	default:
		assert(!"a 32-bit operation");
		return 0;
	}
}

/* Any access with the size known at compile time. */
INLINE void apply_size(struct wl_smem *s, const struct wl_req *req, const struct wl_atoms_plan *plan, uint32_t lanes,
                       struct wl_record *rec, bool writes, uint32_t size)
{
	static const struct wl_lane one = {{1}};
	const struct wl_inst *in = &req->inst;
	for (; lanes; lanes &= lanes - 1) {
		unsigned lane = (unsigned)__builtin_ctz(lanes);
		bool loser = plan->spin_losers >> lane & 1;
		uint32_t addr = s->window[req->tag.slot].base + plan->addr[lane];
		struct wl_lane result, old = atoms_load(s->mem + addr, size);
		struct wl_lane now = atoms_lane_turn(in, size, &old, in->flags & WL_F_ONE ? &one : &req->rb[lane],
		                                     &req->rc[lane], loser, &result);
		memcpy(s->mem + addr, &now, size);
		rec->addr[lane] = addr;
		rec->old[lane] = old;
		rec->now[lane] = now;
		if (compares(in))
			rec->stored |= (uint32_t)(!loser && memcmp(&old, &req->rb[lane], size) == 0) << lane;
		if (writes)
			rec->result[lane] = result;
	}
}

static void apply_any(struct wl_smem *s, const struct wl_req *req, const struct wl_atoms_plan *plan, uint32_t lanes,
                      struct wl_record *rec, bool writes)
{
	switch (req->inst.size) {
#define SIZE(n)                                                                                                        \
	case n:                                                                                                        \
		apply_size(s, req, plan, lanes, rec, writes, n);                                                       \
		return;
		SIZE(1)
		SIZE(2)
		SIZE(4)
		SIZE(8)
		SIZE(16)
#undef SIZE
	}
	assert(!"an access size");
}

static void begin_apply(const struct wl_atoms_plan *plan, uint32_t lanes, const struct wl_record *rec)
{
	(void)plan, (void)lanes, (void)rec;
	assert((lanes & ~plan->common.ok) == 0 && "only lanes that do not fault take effect");
	assert((lanes & rec->committed) == 0 && "a lane takes effect once");
}

/* The record's part for lanes after their turn. rec->stored already has the lanes with a compare. */
static void end_apply(struct wl_smem *s, const struct wl_req *req, const struct wl_atoms_plan *plan, uint32_t lanes,
                      struct wl_record *rec)
{
	const struct wl_inst *in = &req->inst;
	rec->stored |= lanes & plan->stores;
	if (s->nmarks || s->store_marks)
		for (uint32_t left = rec->stored & lanes; left; left &= left - 1)
			wl_smem_wrote(s, s->window[req->tag.slot].base + plan->addr[__builtin_ctz(left)], in->size,
			              in->uop == WL_UOP_STS || in->uop == WL_UOP_STSM);
	rec->committed |= lanes;
	rec->written |= lanes & plan->writes;
	if (in->uop == WL_UOP_ATOMS_CAST_P && in->pd[0] != WL_PT) {
		rec->pred_written |= lanes;
		rec->preds |= rec->stored & lanes;
	}
}

/* The record's part for lanes of a plain 32-bit access, after their turn. */
static void fill_lanes(const struct wl_smem *s, const struct wl_req *req, const struct wl_atoms_plan *plan,
                       uint32_t lanes, const struct wl_atoms_words *words, struct wl_record *rec)
{
	const enum wl_uop uop = (enum wl_uop)req->inst.uop;
	const uint32_t base = s->window[req->tag.slot].base;
	const bool writes = writes_rd(&req->inst);
	for (; lanes; lanes &= lanes - 1) {
		const unsigned lane = (unsigned)__builtin_ctz(lanes);
		rec->addr[lane] = base + plan->addr[lane];
		rec->old[lane].w[0] = words->old[lane];
		rec->now[lane].w[0] = uop == WL_UOP_LDS ? words->old[lane] : words->now[lane];
		if (writes)
			rec->result[lane].w[0] = uop == WL_UOP_ATOMS_CAST ? rec->stored >> lane & 1 : words->old[lane];
	}
}

void wl_atoms_apply(struct wl_smem *s, const struct wl_req *req, const struct wl_atoms_plan *plan, uint32_t lanes,
                    struct wl_record *rec)
{
	begin_apply(plan, lanes, rec);
	if (wl_atoms_is_matrix(&req->inst)) {
		matrix_apply(s, req, plan, lanes, rec);
	} else if (atoms_is_plain32(&req->inst, plan->spin_losers)) {
		struct wl_atoms_words words;
		rec->stored |= apply32(s, req, plan->addr, lanes, &words);
		fill_lanes(s, req, plan, lanes, &words, rec);
	} else {
		apply_any(s, req, plan, lanes, rec, writes_rd(&req->inst));
	}
	end_apply(s, req, plan, lanes, rec);
}

/* ---- finish ---- */

void wl_atoms_finish(const struct wl_req *req, const struct wl_atoms_plan *plan, struct wl_record *rec)
{
	assert(rec->mask == req->mask && rec->committed == plan->common.ok &&
	       "every lane that does not fault took effect");
	(void)req;
	rec->faulted = plan->common.faulted;
	memcpy(rec->fault, plan->common.fault, sizeof rec->fault);
	rec->passes = plan->common.passes;
}

/* ---- behind the interface ---- */

static void open_cta(struct wl_units *u, const struct wl_cta_start *start)
{
	wl_smem_open(&u->smem, start->slot, start->base, start->size, start->seed, start->cta);
	u->smem.window[start->slot].origin = start->rank << WL_RANK_SHIFT;
}

static void close_cta(struct wl_units *u, unsigned slot)
{
	wl_smem_close(&u->smem, slot);
}

static void plan_request(const struct wl_units *u, const struct wl_req *req, struct wl_plan *p, struct wl_record *rec)
{
	struct wl_atoms_plan *plan = (struct wl_atoms_plan *)p;
	wl_atoms_plan(&u->smem, req, plan);
	start(req, rec, offsetof(struct wl_record, addr)); /* the rest counts only in committed lanes */
}

static uint32_t apply(struct wl_units *u, const struct wl_req *req, struct wl_plan *p, const struct wl_event *ev,
                      struct wl_record *rec)
{
	wl_atoms_apply(&u->smem, req, (const struct wl_atoms_plan *)p, ev->lanes, rec);
	return 0;
}

static void finish(const struct wl_units *u, const struct wl_req *req, const struct wl_plan *p, struct wl_record *rec)
{
	(void)u;
	wl_atoms_finish(req, (const struct wl_atoms_plan *)p, rec);
}

/* dut: the words of the SM's shared memory. Outside of the windows nobody has written. */
static bool compare(const struct wl_units *u, const void *dut, char *why, size_t n)
{
	const uint32_t *words = dut;
	for (unsigned slot = 0; slot < WL_MAX_CTAS; slot++) {
		const struct wl_window *w = &u->smem.window[slot];
		for (uint32_t at = w->base; w->valid && at < w->base + w->size; at += 4) {
			if (words[at / 4] == wl_smem_read(&u->smem, at))
				continue;
			snprintf(why, n, "shared memory at 0x%x: 0x%08x, REF has 0x%08x", at, words[at / 4],
			         wl_smem_read(&u->smem, at));
			return false;
		}
	}
	return true;
}

/* ---- narrow: lanes are kept in rows ---- */

static void plan_narrow(const struct wl_units *u, const struct wl_req *req, struct wl_plan *p, struct wl_record *rec)
{
	struct wl_atoms_plan *plan = (struct wl_atoms_plan *)p;
	wl_atoms_plan(&u->smem, req, plan);
	plan->narrow = atoms_is_plain32(&req->inst, plan->spin_losers);
	start(req, rec, plan->narrow ? offsetof(struct wl_record, result) : offsetof(struct wl_record, addr));
}

static uint32_t apply_narrow(struct wl_units *u, const struct wl_req *req, struct wl_plan *p, const struct wl_event *ev,
                             struct wl_record *rec)
{
	struct wl_atoms_narrow *n = (struct wl_atoms_narrow *)p;
	if (!n->plan.narrow) {
		wl_atoms_apply(&u->smem, req, &n->plan, ev->lanes, rec);
		return 0;
	}
	begin_apply(&n->plan, ev->lanes, rec);
	rec->stored |= apply32(&u->smem, req, n->plan.addr, ev->lanes, &n->words);
	end_apply(&u->smem, req, &n->plan, ev->lanes, rec);
	return 0;
}

static void fill(const struct wl_units *u, const struct wl_req *req, const struct wl_plan *p, struct wl_record *rec)
{
	const struct wl_atoms_narrow *n = (const struct wl_atoms_narrow *)p;
	if (!n->plan.narrow)
		return;
	memset(rec->result, 0, sizeof rec->result);
	fill_lanes(&u->smem, req, &n->plan, rec->committed, &n->words, rec);
}

_Static_assert(sizeof(struct wl_atoms_narrow) <= WL_PLAN_MAX, "a plan fits the space that a flight has for it");
const struct wl_unit_ops wl_atoms_narrow_ops = {.plan_bytes = sizeof(struct wl_atoms_narrow),
                                                .open = open_cta,
                                                .close = close_cta,
                                                .plan = plan_narrow,
                                                .apply = apply_narrow,
                                                .finish = finish,
                                                .fill = fill,
                                                .compare = compare};

_Static_assert(sizeof(struct wl_atoms_plan) <= WL_PLAN_MAX, "a plan fits the space that a flight has for it");
const struct wl_unit_ops wl_atoms_pipe_ops = {.plan_bytes = sizeof(struct wl_atoms_plan),
                                              .open = open_cta,
                                              .close = close_cta,
                                              .plan = plan_request,
                                              .apply = apply,
                                              .finish = finish,
                                              .compare = compare};
