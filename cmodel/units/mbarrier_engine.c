// SPDX-License-Identifier: Apache-2.0
/* mbarrier_engine.c -- mbarriers: arrivals, transactions, phases, and warps waiting for phases.
 * Source: docs/spec/mbarrier.md, "Operations"; docs/spec/mbarrier.md, "Completion"; docs/spec/mbarrier.md, "Faults";
 * docs/spec/mbarrier.md, "Waits". */
#include "warplock/mbarrier_engine.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "mbarrier_layout.h"
#include "warplock/address.h"
#include "warplock/cluster_windows.h"
#include "warplock/units.h"

enum { OBJECT = 8 /* bytes */ };

static uint64_t load(const struct wl_smem *s, uint32_t addr)
{
	uint64_t v;
	memcpy(&v, s->mem + addr, sizeof v);
	return v;
}

static void store(struct wl_smem *s, uint32_t addr, uint64_t v)
{
	memcpy(s->mem + addr, &v, sizeof v);
}

/* ---- a single operation on an object ---- */

/* The object has the fields of layout v1 of sm_107. */
static bool is_v1(const struct wl_smem *s, uint64_t word)
{
	return s->reports && word & MBAR_TAG;
}

static struct mbar unpack(const struct wl_smem *s, uint64_t word)
{
	return mbar_unpack(word, is_v1(s, word));
}

struct change {
	int64_t arrivals, tx;
	bool drop;  /* the expected count of later phases falls too */
	bool stays; /* must not complete the phase */
};

/* *was: the object before, *now: the object after. */
static enum wl_fault change_object(uint64_t *word, bool v1, const struct change *c, struct mbar *was, struct mbar *now)
{
	struct mbar m = mbar_unpack(*word, v1);
	*was = m;
	if (v1 && (mbar_v1_impossible(*word) || c->arrivals > MBAR_V1_COUNT_MOST))
		return WL_FAULT_MBAR_COUNT_RANGE;
	if (!m.expected && !m.pending && !m.tx)
		return WL_FAULT_MBAR_DRAINED;
	m.tx += c->tx;
	if (c->tx < -MBAR_COUNT_MOST || c->tx > MBAR_COUNT_MOST ||
	    (c->tx && (m.tx < MBAR_TX_LEAST || m.tx > MBAR_TX_MOST)))
		return WL_FAULT_MBAR_TX_RANGE;
	if (c->drop && c->arrivals > m.expected)
		return WL_FAULT_MBAR_DROP_RANGE;
	if (c->drop)
		m.expected -= c->arrivals;
	if (c->arrivals > m.pending)
		return WL_FAULT_MBAR_UNDERFLOW;
	m.pending -= c->arrivals;
	const bool complete = !m.pending && !m.tx;
	if (complete && c->stays)
		return WL_FAULT_MBAR_NOCOMPLETE;
	if (complete) {
		m.conditional ^= !m.open.failed && !m.open.value;
		m.phase = !m.phase;
		m.pending = m.expected;
		m.last = m.open;
		m.open = (struct mbar_report){0};
	}
	*now = m;
	*word = mbar_pack(m, *word, v1);
	return WL_FAULT_NONE;
}

/* ---- arrivals by warp, for reports ---- */

static uint32_t seen_key(unsigned slot, uint32_t addr)
{
	return UINT32_C(1) << 31 | slot << 16 | addr / OBJECT;
}

static unsigned seen_at(uint32_t addr)
{
	return addr / OBJECT % WL_MBAR_SEEN;
}

const struct wl_mbar_seen *wl_mbar_seen(const struct wl_mbarrier_engine *e, unsigned slot, uint32_t addr)
{
	return e->seen_at[seen_at(addr)] == seen_key(slot, addr) ? &e->seen[seen_at(addr)] : NULL;
}

static struct wl_mbar_seen *remember(struct wl_mbarrier_engine *e, unsigned slot, uint32_t addr)
{
	const uint32_t key = seen_key(slot, addr);
	const unsigned at = seen_at(addr);
	if (e->seen_at[at] != key)
		e->seen[at] = (struct wl_mbar_seen){0};
	e->seen_at[at] = key;
	return &e->seen[at];
}

static uint8_t layout_of(uint64_t word)
{
	return word & MBAR_TAG ? 2 : 1;
}

static void made(struct wl_mbarrier_engine *e, unsigned slot, uint32_t addr, uint64_t word)
{
	*remember(e, slot, addr) = (struct wl_mbar_seen){.made = true, .layout = layout_of(word)};
}

static void forget_layout(struct wl_mbarrier_engine *e, unsigned slot, uint32_t addr)
{
	if (wl_mbar_seen(e, slot, addr))
		remember(e, slot, addr)->layout = 0;
}

void wl_mbar_take_layout(struct wl_units *u, unsigned slot, uint32_t addr)
{
	remember(&u->mbarrier_engine, slot, addr)->layout = layout_of(load(&u->smem, addr));
}

bool wl_mbar_relaid(const struct wl_units *u, unsigned slot, uint32_t addr)
{
	const struct wl_mbar_seen *s = wl_mbar_seen(&u->mbarrier_engine, slot, addr);
	return s && s->layout && s->layout != layout_of(load(&u->smem, addr));
}

/* `warp`: the arriving warp; WL_MAX_WARPS: no warp of this SM. */
static void note_change(struct wl_mbarrier_engine *e, unsigned slot, uint32_t addr, unsigned warp,
                        const struct change *c, bool flips, uint64_t word)
{
	struct wl_mbar_seen *s = remember(e, slot, addr);
	if (!s->layout) /* another layout stays to be told: a copy or another CTA may come ahead of the first use */
		s->layout = layout_of(word);
	if (c->arrivals && warp < WL_MAX_WARPS)
		s->now[warp] = (uint16_t)(s->now[warp] + c->arrivals);
	if (c->tx < 0)
		s->landed -= (uint32_t)c->tx;
	if (!flips)
		return;
	s->landed = 0;
	s->ended = true;
	s->phases++;
	memcpy(s->before, s->now, sizeof s->before);
	memset(s->now, 0, sizeof s->now);
}

/* ---- waits ---- */

/* Answer to a wait: bit 0 the phase is complete, bit 1 and bits 15:8 the report of the phase. */
static uint32_t told(const struct mbar *m, bool complete)
{
	return complete | (complete && m->last.failed) << 1 | (complete ? (uint32_t)m->last.value << 8 : 0);
}

/* A phase is complete, perhaps the conditional phase, too: the waiting warps go on. */
static void release(struct wl_mbarrier_engine *e, unsigned slot, uint32_t addr, const struct mbar *was,
                    const struct mbar *now)
{
	struct wl_released r = {.unit = WL_UNIT_mbarrier_engine,
	                        .slot = (uint16_t)slot,
	                        .id = (uint16_t)(addr / OBJECT),
	                        .phase = was->phase,
	                        .value = told(now, true)};
	e->flips++;
	for (unsigned warp = 0; warp < WL_MAX_WARPS; warp++) {
		struct wl_mbar_wait *w = &e->wait[warp];
		if (!w->on || w->id != r.id || w->parity != (w->conditional ? was->conditional : was->phase) ||
		    (w->conditional && was->conditional == now->conditional))
			continue;
		w->on = false;
		r.warps |= UINT64_C(1) << warp;
	}
	if (!r.warps)
		return;
	assert(e->nfixed < WL_MBAR_FIXED && "a warp waits at one mbarrier");
	e->fixed[e->nfixed++] = r;
}

static enum wl_fault change_at(struct wl_units *u, unsigned slot, uint32_t addr, unsigned warp, const struct change *c)
{
	uint64_t word = load(&u->smem, addr);
	struct mbar was, now;
	const enum wl_fault fault = change_object(&word, is_v1(&u->smem, word), c, &was, &now);
	if (fault != WL_FAULT_NONE)
		return fault;
	store(&u->smem, addr, word);
	note_change(&u->mbarrier_engine, slot, addr, warp, c, was.phase != now.phase, word);
	if (was.phase != now.phase)
		release(&u->mbarrier_engine, slot, addr, &was, &now);
	return WL_FAULT_NONE;
}

/* A copy with a validity check reports on the copied bytes. `report`: bit 8 for a match, bits 7:0 the value. */
static enum wl_fault report_at(struct wl_units *u, uint32_t addr, uint32_t report)
{
	const uint64_t word = load(&u->smem, addr);
	struct mbar m;
	if (!is_v1(&u->smem, word))
		return WL_FAULT_MBAR_LAYOUT;
	if (mbar_v1_impossible(word))
		return WL_FAULT_MBAR_COUNT_RANGE;
	m = mbar_unpack(word, true);
	if (!(report >> 8))
		return WL_FAULT_NONE;
	m.open.failed = true;
	m.open.value |= (uint8_t)report;
	store(&u->smem, addr, mbar_pack(m, word, true));
	return WL_FAULT_NONE;
}

enum wl_fault wl_mbar_land(struct wl_units *u, unsigned slot, uint32_t addr, enum wl_land kind, uint32_t amount)
{
	const struct change tx = {.tx = -(int64_t)amount}, arrival = {.arrivals = 1};
	if (!u->smem.has_marks) {
		assert(kind == WL_LAND_ARRIVE && "layout A counts no transactions");
		store(&u->smem, addr, mbar_a_arrive(load(&u->smem, addr)));
		return WL_FAULT_NONE;
	}
	if (!wl_smem_marked(&u->smem, addr))
		return WL_FAULT_MBAR_UNINIT;
	if (kind == WL_LAND_REPORT)
		return report_at(u, addr, amount);
	return change_at(u, slot, addr, WL_MAX_WARPS, kind == WL_LAND_TX ? &tx : &arrival);
}

/* ---- plan ---- */

static uint32_t operand(const struct wl_req *req, unsigned lane)
{
	return req->rb[lane].w[0];
}

static uint64_t exchanged(const struct wl_req *req)
{
	const struct wl_lane *b = &req->rb[wl_lowest(req->mask)];
	return b->w[0] | (uint64_t)b->w[1] << 32;
}

/* Objects of other CTAs take arrivals and transactions without a result. */
static bool serves_others(const struct wl_inst *in)
{
	return in->uop == WL_UOP_SYNCS_ARRIVE && (in->type == WL_MBAR_RED || in->rd == WL_RZ);
}

/* `addr`: in window w of the named CTA; `found`: the fault of a missing CTA. */
static enum wl_fault lane_fault(const struct wl_units *u, const struct wl_window *w, const struct wl_req *req,
                                unsigned lane, uint32_t addr, enum wl_fault found, bool own)
{
	const struct wl_inst *in = &req->inst;
	if (in->flags & WL_F_ILLEGAL)
		return WL_FAULT_ILLEGAL_INSTRUCTION;
	if (addr % OBJECT)
		return WL_FAULT_MISALIGNED_ADDRESS;
	if (found != WL_FAULT_NONE)
		return found;
	if (!own && !serves_others(in))
		return WL_FAULT_BAD_SPACE;
	if (!w->valid || (uint64_t)addr + OBJECT > w->size)
		return WL_FAULT_SHARED_OUT_OF_RANGE;
	if (in->uop == WL_UOP_SYNCS_ARRIVE && in->op == WL_MBAR_ART0 && operand(req, lane) > MBAR_COUNT_MOST)
		return WL_FAULT_MBAR_COUNT_RANGE;
	if (in->uop == WL_UOP_SYNCS_EXCH && !mbar_possible(exchanged(req), is_v1(&u->smem, exchanged(req))))
		return WL_FAULT_MBAR_COUNT_RANGE;
	return WL_FAULT_NONE;
}

static void plan_lanes(const struct wl_units *u, const struct wl_req *req, struct wl_mbar_plan *p)
{
	const struct wl_window *own = &u->smem.window[req->tag.slot];
	const uint32_t origin = wl_shared_origin(&req->inst, own->origin);
	for (uint32_t m = req->mask; m; m &= m - 1) {
		const unsigned lane = wl_lowest(m);
		const uint32_t named = wl_shared_address(&req->inst, (uint32_t)req->ra[lane], (uint32_t)req->ur) -
		                       origin + own->origin;
		unsigned to;
		const enum wl_fault found = wl_cluster_slot(u, req->tag.slot, named, &to);
		const struct wl_window *w = &u->smem.window[to];
		const enum wl_fault fault = lane_fault(u, w, req, lane, named - w->origin, found, to == req->tag.slot);
		p->slot[lane] = (uint8_t)to;
		p->addr[lane] = wl_cluster_place(u, to, named) - own->base;
		p->common.fault[lane] = (uint8_t)fault;
		*(fault == WL_FAULT_NONE ? &p->common.ok : &p->common.faulted) |= UINT32_C(1) << lane;
	}
}

static void plan_mates(struct wl_mbar_plan *p)
{
	for (uint32_t left = p->common.ok; left;) {
		const uint32_t addr = p->addr[wl_lowest(left)];
		uint32_t mates = 0;
		for (uint32_t m = left; m; m &= m - 1)
			mates |= (uint32_t)(p->addr[wl_lowest(m)] == addr) << wl_lowest(m);
		for (uint32_t m = mates; m; m &= m - 1)
			p->mates[wl_lowest(m)] = mates;
		left &= ~mates;
	}
}

/* A TRYWAIT of all lanes for one phase of one object. */
static bool asks_one_thing(const struct wl_req *req, const struct wl_mbar_plan *p)
{
	if (req->inst.uop != WL_UOP_SYNCS_PHASECHK || !req->inst.op || !p->common.ok)
		return false;
	const unsigned first = wl_lowest(p->common.ok);
	bool one = p->mates[first] == p->common.ok;
	for (uint32_t m = p->common.ok; m; m &= m - 1)
		one &= operand(req, wl_lowest(m)) >> 31 == operand(req, first) >> 31;
	return one;
}

static void plan(const struct wl_units *u, const struct wl_req *req, struct wl_plan *common, struct wl_record *rec)
{
	struct wl_mbar_plan *p = (struct wl_mbar_plan *)common;
	const struct wl_smem *s = &u->smem;
	const uint32_t beat_mask = UINT32_MAX >> (WL_WARP_LANES - s->lanes);
	wl_plan_all(req, common, rec);
	rec->size = OBJECT;
	memset(p, 0, sizeof *p);
	plan_lanes(u, req, p);
	if (req->inst.uop == WL_UOP_SYNCS_EXCH) { /* uniform: a single exchange for all lanes */
		common->whole = true;
		common->passes = common->ok != 0;
		common->pass_lanes[0] = common->ok;
		return;
	}
	plan_mates(p);
	for (unsigned beat = 0; beat < WL_WARP_LANES / s->lanes; beat++)
		wl_smem_plan_beat(s, s->window[req->tag.slot].base, OBJECT,
		                  req->inst.uop == WL_UOP_SYNCS_PHASECHK ? WL_SMEM_LOADS : WL_SMEM_APART, p->addr,
		                  common->ok & beat_mask << beat * s->lanes, 0, common);
	p->one = asks_one_thing(req, p);
	common->waits = common->gives_up = p->one;
	common->wait_id =
	        p->one ? (uint16_t)((s->window[req->tag.slot].base + p->addr[wl_lowest(common->ok)]) / OBJECT) : 0;
}

/* ---- apply ---- */

static void put(struct wl_record *rec, unsigned lane, uint64_t v)
{
	rec->result[lane] = (struct wl_lane){{(uint32_t)v, (uint32_t)(v >> 32)}};
	rec->written |= UINT32_C(1) << lane;
}

/* The lane's memory effect: the object before and after. */
static void note(struct wl_record *rec, unsigned lane, uint32_t addr, uint64_t old, uint64_t now, bool stored)
{
	rec->addr[lane] = addr;
	rec->old[lane] = (struct wl_lane){{(uint32_t)old, (uint32_t)(old >> 32)}};
	rec->now[lane] = (struct wl_lane){{(uint32_t)now, (uint32_t)(now >> 32)}};
	rec->stored |= (uint32_t)stored << lane;
	rec->committed |= UINT32_C(1) << lane;
}

static void exchange(struct wl_units *u, const struct wl_req *req, const struct wl_mbar_plan *p, uint32_t lanes,
                     struct wl_record *rec)
{
	const uint32_t addr = u->smem.window[req->tag.slot].base + p->addr[wl_lowest(lanes)];
	const uint64_t old = load(&u->smem, addr), now = exchanged(req);
	store(&u->smem, addr, now);
	wl_smem_mark(&u->smem, addr);
	made(&u->mbarrier_engine, req->tag.slot, addr, now);
	for (uint32_t m = lanes; m; m &= m - 1) {
		note(rec, wl_lowest(m), addr, old, now, true);
		if (req->inst.urd != WL_NO_UR)
			put(rec, wl_lowest(m), old);
	}
}

static struct change amounts(enum wl_mbar_op op, int64_t b)
{
	switch (op) {
	case WL_MBAR_A1TR:
		return (struct change){.arrivals = 1, .tx = b};
	case WL_MBAR_A1T0:
		return (struct change){.arrivals = 1};
	case WL_MBAR_A0T1:
		return (struct change){.tx = 1};
	case WL_MBAR_A0TR:
		return (struct change){.tx = b};
	case WL_MBAR_A0TX:
		return (struct change){.tx = -b};
	case WL_MBAR_ART0:
		return (struct change){.arrivals = b};
	case WL_MBAR_ACT0: /* FRONT has turned ACT0 into ART0 */
		break;
	}
	assert(!"an operation of SYNCS.ARRIVE");
	return (struct change){0};
}

static struct change change_of(const struct wl_req *req, unsigned lane)
{
	struct change c = amounts((enum wl_mbar_op)req->inst.op, operand(req, lane));
	c.drop = req->inst.flags & WL_F_OPTOUT;
	c.stays = req->inst.type == WL_MBAR_TMASK;
	return c;
}

static enum wl_fault arrive(struct wl_units *u, const struct wl_req *req, struct wl_mbar_plan *p, unsigned lane,
                            uint32_t addr, struct wl_record *rec)
{
	const struct change c = change_of(req, lane);
	const uint64_t old = load(&u->smem, addr);
	const unsigned leader = wl_lowest(p->mates[lane]);
	if (lane == leader)
		p->before[lane] = (uint32_t)(old >> 32);
	if (!wl_smem_marked(&u->smem, addr))
		return WL_FAULT_MBAR_UNINIT;
	const enum wl_fault fault = change_at(u, p->slot[lane], addr, req->tag.warp, &c);
	if (fault != WL_FAULT_NONE)
		return fault;
	note(rec, lane, addr, old, load(&u->smem, addr), true);
	if (req->inst.type != WL_MBAR_RED && req->inst.rd != WL_RZ)
		put(rec, lane, c.stays ? (uint64_t)p->before[leader] << 32 | p->mates[lane] : old);
	return WL_FAULT_NONE;
}

/* Answer to PHASECHK of the lane from the present object. */
static uint32_t asked(const struct wl_units *u, const struct wl_req *req, unsigned lane, uint32_t addr)
{
	const struct mbar m = unpack(&u->smem, load(&u->smem, addr));
	const bool at = req->inst.type == WL_MBAR_CONDITIONAL ? m.conditional : m.phase;
	return told(&m, at != operand(req, lane) >> 31);
}

/* The predicate, and for .PRIMARY the report: both are undefined while the phase is incomplete, here false and 0. */
static void answer_lanes(const struct wl_req *req, uint32_t lanes, uint32_t value, struct wl_record *rec)
{
	if (req->inst.pd[0] != WL_PT) {
		rec->pred_written |= lanes;
		rec->preds |= value & 1 ? lanes : 0;
	}
	for (uint32_t m = req->inst.type == WL_MBAR_PRIMARY ? lanes : 0; m; m &= m - 1)
		put(rec, wl_lowest(m), value >> 1);
}

static enum wl_fault check(const struct wl_units *u, const struct wl_req *req, const struct wl_mbar_plan *p,
                           unsigned lane, uint32_t addr, struct wl_record *rec)
{
	const uint64_t word = load(&u->smem, addr);
	if (!wl_smem_marked(&u->smem, addr))
		return WL_FAULT_MBAR_UNINIT;
	note(rec, lane, addr, word, word, false);
	if (p->one) /* judged for all lanes together */
		return WL_FAULT_NONE;
	answer_lanes(req, UINT32_C(1) << lane, asked(u, req, lane, addr), rec);
	return WL_FAULT_NONE;
}

static enum wl_fault lane_turn(struct wl_units *u, const struct wl_req *req, struct wl_mbar_plan *p, unsigned lane,
                               struct wl_record *rec)
{
	const uint32_t addr = u->smem.window[req->tag.slot].base + p->addr[lane];
	const uint64_t old = load(&u->smem, addr);
	switch (req->inst.uop) {
	case WL_UOP_SYNCS_ARRIVE:
		return arrive(u, req, p, lane, addr, rec);
	case WL_UOP_SYNCS_PHASECHK:
		return check(u, req, p, lane, addr, rec);
	case WL_UOP_SYNCS_CCTL:
		if (!wl_smem_marked(&u->smem, addr))
			return WL_FAULT_MBAR_UNINIT;
		note(rec, lane, addr, old, old, false); /* mark and bits stay, as on silicon */
		forget_layout(&u->mbarrier_engine, p->slot[lane], addr);
		return WL_FAULT_NONE;
	case WL_UOP_ATOMS_ARRIVE:
		store(&u->smem, addr, mbar_a_arrive(old));
		note(rec, lane, addr, old, mbar_a_arrive(old), true);
		if (req->inst.rd != WL_RZ)
			put(rec, lane, old);
		return WL_FAULT_NONE;
	default:
		assert(!"a micro-operation of mbarrier_engine");
		return WL_FAULT_NONE;
	}
}

static void answer_all(const struct wl_req *req, uint32_t lanes, uint32_t value, struct wl_record *rec)
{
	rec->pred_written = rec->preds = 0;
	answer_lanes(req, lanes, value, rec);
}

void wl_mbar_park(struct wl_units *u, unsigned slot, uint32_t addr, unsigned warp, bool parity)
{
	u->mbarrier_engine.wait[warp] = (struct wl_mbar_wait){
	        .on = true, .parity = parity, .slot = (uint16_t)slot, .id = (uint16_t)(addr / OBJECT)};
}

void wl_mbar_unpark(struct wl_units *u, unsigned warp)
{
	u->mbarrier_engine.wait[warp].on = false;
}

/* The last pass of a TRYWAIT with a single question. `faulted`: lanes of this pass with a fault. */
static void judge(struct wl_units *u, const struct wl_req *req, struct wl_mbar_plan *p, uint32_t faulted,
                  struct wl_record *rec)
{
	const unsigned first = wl_lowest(p->common.ok);
	const uint32_t addr = u->smem.window[req->tag.slot].base + p->addr[first];
	const uint32_t value = asked(u, req, first, addr);
	if (!(value & 1) && !faulted) {
		wl_mbar_park(u, req->tag.slot, addr, req->tag.warp, operand(req, first) >> 31);
		u->mbarrier_engine.wait[req->tag.warp].conditional = req->inst.type == WL_MBAR_CONDITIONAL;
		return;
	}
	p->common.waits = p->common.gives_up = false;
	answer_all(req, rec->committed, faulted ? 0 : value, rec);
}

static uint32_t apply(struct wl_units *u, const struct wl_req *req, struct wl_plan *common, const struct wl_event *ev,
                      struct wl_record *rec)
{
	struct wl_mbar_plan *p = (struct wl_mbar_plan *)common;
	uint32_t faulted = 0;
	if (ev->kind == WL_EV_CHOICE) { /* gives up: no flip has come before */
		wl_mbar_unpark(u, req->tag.warp);
		common->waits = common->gives_up = false;
		answer_all(req, common->ok & ~rec->faulted, 0, rec);
		return 0;
	}
	assert((ev->lanes & ~common->ok) == 0 && (ev->lanes & p->turns) == 0 && "every lane has one turn");
	p->turns |= ev->lanes;
	if (req->inst.uop == WL_UOP_SYNCS_EXCH) {
		exchange(u, req, p, ev->lanes, rec);
		return 0;
	}
	for (uint32_t m = ev->lanes; m; m &= m - 1) {
		const unsigned lane = wl_lowest(m);
		const enum wl_fault fault = lane_turn(u, req, p, lane, rec);
		if (fault != WL_FAULT_NONE)
			faulted |= wl_fault_lanes(rec, UINT32_C(1) << lane, fault);
	}
	if (p->one && p->turns == common->ok)
		judge(u, req, p, faulted, rec);
	return faulted;
}

/* ---- the fast path ---- */

/* Among several lanes only the last lane can end the phase: after earlier lanes, arrivals are missing. So all lanes
 * together are one change, as long as enough arrivals are pending. Transactions could end the phase earlier, or leave
 * their range: then the fast path does nothing. */
bool wl_mbar_bring(struct wl_units *u, unsigned slot, uint32_t addr, unsigned warp, enum wl_mbar_op op, uint32_t b,
                   unsigned lanes, uint64_t *old)
{
	struct change c = amounts(op, b);
	if ((lanes > 1 && (c.tx || !c.arrivals)) || !wl_smem_marked(&u->smem, addr) ||
	    (op == WL_MBAR_ART0 && (!b || b > MBAR_COUNT_MOST)))
		return false;
	*old = load(&u->smem, addr);
	c.arrivals *= lanes;
	return change_at(u, slot, addr, warp, &c) == WL_FAULT_NONE;
}

bool wl_mbar_look(const struct wl_units *u, uint32_t addr, bool parity, bool *complete)
{
	*complete = mbar_phase(load(&u->smem, addr)) != parity;
	return wl_smem_marked(&u->smem, addr);
}

/* ---- events, answers, state ---- */

static void event(struct wl_units *u, const struct wl_event *ev)
{
	if (ev->kind == WL_EV_LAND &&
	    (ev->land == WL_LAND_TX || ev->land == WL_LAND_ARRIVE || ev->land == WL_LAND_REPORT))
		wl_mbar_land(u, ev->tag.slot, ev->addr, (enum wl_land)ev->land, ev->bytes);
}

static bool released(struct wl_units *u, struct wl_released *r)
{
	struct wl_mbarrier_engine *e = &u->mbarrier_engine;
	if (!e->nfixed)
		return false;
	*r = e->fixed[0];
	memmove(e->fixed, e->fixed + 1, --e->nfixed * sizeof e->fixed[0]);
	return true;
}

static void answer(const struct wl_units *u, const struct wl_req *req, const struct wl_plan *common,
                   const struct wl_released *r, struct wl_record *rec)
{
	(void)u;
	answer_all(req, common->ok & ~rec->faulted, r->value, rec);
}

static void close_cta(struct wl_units *u, unsigned slot)
{
	for (unsigned warp = 0; warp < WL_MAX_WARPS; warp++)
		if (u->mbarrier_engine.wait[warp].slot == slot)
			u->mbarrier_engine.wait[warp].on = false;
	for (unsigned i = 0; i < WL_MBAR_SEEN; i++)
		if ((u->mbarrier_engine.seen_at[i] >> 16 & 15) == slot)
			u->mbarrier_engine.seen_at[i] = 0;
}

/* dut: a struct wl_mbarrier_engine. Compares the waits. Objects are compared as shared memory. */
static bool compare(const struct wl_units *u, const void *dut, char *why, size_t n)
{
	const struct wl_mbarrier_engine *ref = &u->mbarrier_engine, *other = dut;
	for (unsigned warp = 0; warp < WL_MAX_WARPS; warp++) {
		const struct wl_mbar_wait *a = &ref->wait[warp], *b = &other->wait[warp];
		if (a->on == b->on && (!a->on || (a->id == b->id && a->parity == b->parity && a->slot == b->slot &&
		                                  a->conditional == b->conditional)))
			continue;
		snprintf(why, n,
		         "warp %u: wait %d, mbarrier at 0x%x, parity %d, CTA slot %u; REF has wait %d, 0x%x, %d, %u",
		         warp, b->on, b->id * OBJECT, b->parity, b->slot, a->on, a->id * OBJECT, a->parity, a->slot);
		return false;
	}
	return true;
}

struct wl_mbar_state wl_mbar_state(const struct wl_smem *s, uint32_t addr)
{
	const struct mbar m = unpack(s, load(s, addr));
	return (struct wl_mbar_state){m.phase, (uint32_t)m.pending, (uint32_t)m.expected, (int32_t)m.tx};
}

void wl_mbar_describe(const struct wl_smem *s, uint32_t addr, char *buf, size_t n)
{
	const struct mbar m = unpack(s, load(s, addr));
	int len = snprintf(buf, n, "phase %d, %lld of %lld arrivals are missing", m.phase, (long long)m.pending,
	                   (long long)m.expected);
	if (m.tx && len > 0 && (size_t)len < n)
		len += snprintf(buf + len, n - (size_t)len, ", %lld bytes are %s", (long long)(m.tx < 0 ? -m.tx : m.tx),
		                m.tx < 0 ? "complete that nobody expects yet" : "outstanding");
	if (m.last.failed && len > 0 && (size_t)len < n)
		snprintf(buf + len, n - (size_t)len,
		         "; the phase before ended with a report of failure: its conditional phase is still open");
}

static uint64_t waiters(const struct wl_mbarrier_engine *e, unsigned slot, uint32_t addr)
{
	uint64_t warps = 0;
	for (unsigned warp = 0; warp < WL_MAX_WARPS; warp++)
		if (e->wait[warp].on && e->wait[warp].slot == slot && e->wait[warp].id == addr / OBJECT)
			warps |= UINT64_C(1) << warp;
	return warps;
}

static void explain(const struct wl_units *u, unsigned slot, void (*line)(void *self, const char *text), void *self)
{
	const struct wl_window *w = &u->smem.window[slot];
	char text[320], state[240];
	for (uint32_t at = 0; w->valid && u->smem.nmarks && at < w->size; at += OBJECT) {
		if (!wl_smem_marked(&u->smem, w->base + at))
			continue;
		const uint64_t warps = waiters(&u->mbarrier_engine, slot, w->base + at);
		wl_mbar_describe(&u->smem, w->base + at, state, sizeof state);
		snprintf(text, sizeof text, "mbarrier at 0x%x: %s, warps 0x%llx wait", at, state,
		         (unsigned long long)warps);
		line(self, text);
	}
}

_Static_assert(sizeof(struct wl_mbar_plan) <= WL_PLAN_MAX, "a plan fits the space that a flight has for it");
const struct wl_unit_ops wl_mbarrier_engine_ops = {.plan_bytes = sizeof(struct wl_mbar_plan),
                                                   .close = close_cta,
                                                   .plan = plan,
                                                   .apply = apply,
                                                   .event = event,
                                                   .released = released,
                                                   .answer = answer,
                                                   .finish = wl_finish_plain,
                                                   .compare = compare,
                                                   .explain = explain};
