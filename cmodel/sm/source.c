// SPDX-License-Identifier: Apache-2.0
/* source.c -- FRONT as the SOURCE of lockstep. SOURCE offers instructions for units of the DUT as requests, and writes
 * results back when requests retire. Instructions of units missing in the DUT run in C. SMs without a DUT run in C too:
 * the SOURCE of the first SM lets these SMs go on.
 *
 * A warp has at most one request with a result in flight, and then stands still (WARP_RESULT). Of posted requests a
 * warp has up to WL_MAX_POSTED in flight. Only results of the DUT count, never the DUT's time.
 * Source: docs/spec/lockstep.md, "Posted requests"; docs/spec/lockstep.md, "Order of one warp". */
#include <stdio.h>
#include <string.h>

#include "exec.h"
#include "advance.h"
#include "barrier.h"
#include "exec_calls.h"
#include "exec_unit.h"
#include "grid.h"
#include "groups.h"
#include "misuse.h"
#include "request.h"
#include "schedule.h"
#include "sleep.h"
#include "spin.h"
#include "stop.h"
#include "usyncs.h"

/* The `self` of a SOURCE is the SM. */
static struct wl_gpu *gpu_of(struct sm *s)
{
	return (struct wl_gpu *)((uint8_t *)s - s->from_gpu);
}

static unsigned index_of(struct sm *s)
{
	return (unsigned)(s - gpu_sm(gpu_of(s), 0));
}

static bool busy(const struct wl_gpu *g)
{
	return g->inflight || g->offered;
}

/* Once the run is over, warps in wait in the DUT wait for ever. */
static enum wl_offer nothing(const struct wl_gpu *g)
{
	return g->outcome == WL_RUNNING || gpu_busy(g) ? WL_OFFER_WAIT : WL_OFFER_DONE;
}

/* The harness still has copies to land: the run is not over before. */
static bool copies_outside(const struct wl_gpu *g)
{
	for (unsigned sm = 0; sm < g->dut_sms; sm++)
		if (gpu_sm(g, sm)->async.outside && gpu_sm(g, sm)->async.n)
			return true;
	return false;
}

static bool any_not_stuck(const struct wl_gpu *g)
{
	for (unsigned sm = 0; sm < g->config.sms; sm++)
		if (sm_not_stuck(gpu_sm(g, sm)) || gpu_sm(g, sm)->async.n)
			return true;
	return false;
}

enum wl_outcome wl_gpu_settle(struct wl_gpu *g)
{
	if (g->outcome != WL_RUNNING || busy(g) || copies_outside(g))
		return g->outcome;
	if (g->done_ctas == g->ctas)
		g->outcome = WL_ENDED;
	else if (!any_not_stuck(g) && !g->refill)
		stop_deadlock(g);
	return g->outcome;
}

static void offer(struct wl_gpu *g, struct warp *w)
{
	warp_enter(w, WARP_OFFERED);
	g->offered++;
}

/* A turn of `warp`; true: the warp now stands at the request *req. */
static bool turn(struct wl_gpu *g, unsigned sm, unsigned warp, struct wl_req *req)
{
	const unsigned n = step_turn(g);
	if (!n) {
		g->outcome = WL_LIMIT;
		return false;
	}
	const enum step_end how = schedule_draws(g) ? schedule_run(g, sm, warp) : spin_turn(g, sm, warp, n);
	if (how != STEP_REQUEST)
		return false;
	if (!wl_gpu_request(g, sm, warp, req)) { /* too many posted requests are on the way */
		warp_enter(gpu_warp(g, sm, warp), WARP_SLOT);
		warp_set_ready(g, sm, warp);
		return false;
	}
	offer(g, gpu_warp(g, sm, warp));
	warp_set_ready(g, sm, warp);
	return true;
}

static uint64_t port_warps(const struct wl_gpu *g, unsigned port)
{
	static const uint64_t every[WL_MAX_PORTS + 1] = {0, ~UINT64_C(0), UINT64_C(0x5555555555555555), 0,
	                                                 UINT64_C(0x1111111111111111)};
	return every[g->config.ports] << port;
}

/* The next of these ready warps, by the policy. */
static int next_warp(struct wl_gpu *g, unsigned sm, uint64_t ready, unsigned last)
{
	return schedule_draws(g) ? schedule_next(g, sm, ready, last) : step_next_warp(ready, last);
}

/* Each ready warp of the port gets a turn, until a warp stands at a request; some policies give fewer turns. */
static bool sweep(struct wl_gpu *g, unsigned sm, unsigned port, struct wl_req *req, bool *any)
{
	struct sm *s = gpu_sm(g, sm);
	uint64_t left = port_warps(g, port);
	if (sm_time(s) >= s->next_wake)
		sleep_end(g, sm);
	int w;
	while (g->outcome == WL_RUNNING && (w = next_warp(g, sm, s->ready & left, s->last_of_port[port])) >= 0) {
		s->last_of_port[port] = (uint32_t)w;
		left &= ~(UINT64_C(1) << w);
		*any = true;
		if (turn(g, sm, (unsigned)w, req))
			return true;
		if (schedule_draws(g) && schedule_rests(g))
			break;
	}
	return false;
}

static enum wl_offer next(void *self, unsigned port, struct wl_req *req)
{
	struct wl_gpu *g = gpu_of(self);
	const unsigned own = index_of(self);
	gpu_set_pointers(g);
	for (;;) {
		bool any = false;
		if (g->outcome != WL_RUNNING || g->fault_seen)
			return nothing(g);
		if (!spin_source(g))
			return nothing(g);
		if (g->refill)
			grid_fill(g);
		if (sweep(g, own, port, req, &any))
			return WL_OFFER_REQ;
		for (unsigned sm = g->dut_sms; !own && sm < g->config.sms && g->outcome == WL_RUNNING; sm++)
			any |= g->watch            ? spin_step_sm(g, sm)
			       : schedule_draws(g) ? schedule_step_sm(g, sm)
			                           : step_sm(g, sm);
		if (g->config.sms > 1)
			sleep_idle(g);
		if (!gpu_busy(g) && !any && !g->refill && sleep_jump(g))
			continue;
		/* each other SM with a DUT gets turns from its own SOURCE: a warp here may spin for another SM */
		if (busy(g) || (!any && !g->refill) || g->dut_sms > 1) {
			wl_gpu_settle(g);
			return nothing(g);
		}
	}
}

static void waits(void *self, const struct wl_tag *tag)
{
	struct wl_gpu *g = gpu_of(self);
	warp_enter(gpu_warp(g, tag->sm, tag->warp), WARP_PARKED);
	g->waits++;
}

/* All requests in flight wait in the DUT for other warps. */
static void stuck(void *self)
{
	struct wl_gpu *g = gpu_of(self);
	if (g->outcome == WL_RUNNING && !gpu_busy(g) && !any_not_stuck(g) && !g->refill)
		stop_deadlock(g);
}

/* The first fault is reported; nothing more is offered then. */
static void fault(void *self, const struct wl_tag *tag)
{
	struct wl_gpu *g = gpu_of(self);
	if (g->fault_seen)
		return;
	g->fault_seen = true;
	g->first_fault = *tag;
}

static bool is_first_fault(const struct wl_gpu *g, const struct wl_tag *tag)
{
	const struct wl_tag *t = &g->first_fault;
	return !g->fault_seen || (t->sm == tag->sm && t->warp == tag->warp && t->n == tag->n);
}

/* Misuses: REF's objects are the objects met by the request. An earlier fault of the DUT stays the first. */
static void applies(void *self, const struct wl_req *req, uint32_t lanes, uint32_t before)
{
	struct wl_gpu *g = gpu_of(self);
	if (wl_req_unit(req) == WL_UNIT_mbarrier_engine && g->outcome == WL_RUNNING && is_first_fault(g, &req->tag))
		misuse_mbarrier(g, req, lanes, before, sm_time(self));
}

/* Notes the address operands of a posted request, for a fault. */
static void note_posted(struct warp *w, const struct wl_req *req)
{
	struct posted *p = &w->post[w->n % WL_MAX_POSTED];
	p->n = w->n;
	p->lane = req->lane;
	p->ur = req->ur;
	memcpy(p->ra, req->ra, sizeof p->ra);
	w->posted++;
}

/* The group goes on behind the instruction; an ending warp stands still until the DUT has answered. `meets`: all lanes
 * of the warp stand at a BAR. */
static void pass_instruction(struct wl_gpu *g, struct warp *w, const struct wl_req *req, bool meets)
{
	const bool ends = req->inst.uop == WL_UOP_EXIT && req->posted;
	warp_enter(w, ends ? WARP_EXIT : req->posted ? WARP_RUNS : WARP_RESULT);
	if (ends || w->forced) {
		return;
	} else if (meets) {
		barrier_accepted(w);
		observe_meeting(g);
	} else {
		w->g[w->cur].pc++;
		w->g[w->cur].ran++;
	}
}

static void accept(void *self, const struct wl_req *req)
{
	struct wl_gpu *g = gpu_of(self);
	struct warp *w = gpu_warp(g, req->tag.sm, req->tag.warp);
	const bool meets = groups_waiting_at_bar(w) == w->live;
	if (w->state != WARP_OFFERED) /* replay asks for the request, and gets no offer */
		offer(g, w);
	g->offered--;
	if (!meets && !w->forced)
		advance_note_request(g, w, req);
	g->inflight++;
	g->issued += !meets; /* counted where the groups of the warp met */
	const enum wl_unit unit = wl_req_unit(req);
	g->executed[unit == WL_UNIT_sync_core ? WL_UNIT_FRONT : unit]++;
	gpu_sm(g, req->tag.sm)->issued++;
	w->time++;
	w->ran_at = sm_time(gpu_sm(g, req->tag.sm));
	pass_instruction(g, w, req, meets);
	if (req->posted)
		note_posted(w, req);
	else
		w->wait = (struct wait){.pc = req->pc / 16, .lanes = req->mask, .n = w->n};
	w->n++;
	warp_set_ready(g, req->tag.sm, req->tag.warp);
}

/* Address operands of a faulted request: registers of a warp that stood still, or the noted operands. */
static void report_fault(struct wl_gpu *g, const struct wl_record *rec, bool posted)
{
	const struct warp *w = gpu_warp(g, rec->tag.sm, rec->tag.warp);
	const struct posted *p = &w->post[rec->tag.n % WL_MAX_POSTED];
	struct exec x;
	struct wl_req req;
	const struct wl_inst *in = &g->program->insts[rec->pc / 16];
	if (usyncs_is_multicast(in->uop)) { /* lanes of the request are CTAs */
		uint8_t fault[WL_WARP_LANES];
		memset(fault, rec->fault[lowest(rec->faulted)], sizeof fault);
		stop_lanes_fault(g, rec->tag.sm, rec->tag.warp, rec->pc, 1u << p->lane, fault, p->ra, p->ur);
		return;
	}
	if (!posted && (request_has_address(in) || usyncs_is_one(in->uop))) {
		exec_init(&x, g, rec->tag.sm, rec->tag.warp);
		step_fetch(&x, rec->pc / 16);
		x.mask = rec->mask;
		usyncs_make(&x);
		request_build(&x, rec->mask, &req);
	}
	stop_lanes_fault(g, rec->tag.sm, rec->tag.warp, rec->pc, rec->faulted, rec->fault, posted ? p->ra : req.ra,
	                 posted ? p->ur : req.ur);
}

/* The last lanes of the warp are gone, in the DUT too, and no request of the warp is on the way. */
static void end_warp(struct wl_gpu *g, unsigned sm, unsigned warp)
{
	struct exec x;
	exec_init(&x, g, sm, warp);
	groups_exit(&x, x.w->live);
}

static void retire_posted(struct wl_gpu *g, struct warp *w, const struct wl_record *rec)
{
	w->posted--;
	if ((w->state == WARP_DRAIN && !w->posted) || w->state == WARP_SLOT)
		warp_enter(w, WARP_RUNS);
	if (w->state == WARP_EXIT && !w->posted && !rec->faulted)
		end_warp(g, rec->tag.sm, rec->tag.warp);
}

/* Requests answered by the DUT with the ready lanes. */
static bool converges(const struct wl_inst *in)
{
	return wl_uop_unit(in->uop) == WL_UNIT_convergence || in->uop == WL_UOP_EXIT || in->uop == WL_UOP_NANOSLEEP;
}

static void retire(void *self, const struct wl_record *rec)
{
	struct wl_gpu *g = gpu_of(self);
	struct warp *w = gpu_warp(g, rec->tag.sm, rec->tag.warp);
	const struct wl_inst *in = &g->program->insts[rec->pc / 16];
	const bool answers = w->state == WARP_RESULT || w->state == WARP_PARKED;
	const bool posted = !(answers && w->wait.n == rec->tag.n);
	g->inflight--;
	g->answers += !posted;
	if (w->state == WARP_PARKED && !posted) {
		g->gave_up += usyncs_asks(in->uop) && !(rec->preds & rec->mask);
		g->waits--;
	}
	if (wl_uop_unit(in->uop) == WL_UNIT_atoms_pipe)
		g->conflicts[rec->passes]++;
	if (request_has_address(in) || usyncs_is(in->uop))
		spin_note_record(g, rec);
	if (rec->faulted && g->outcome == WL_RUNNING && is_first_fault(g, &rec->tag))
		report_fault(g, rec, posted);
	if (posted) {
		retire_posted(g, w, rec);
	} else {
		warp_enter(w, WARP_RUNS);
		if ((in->uop == WL_UOP_BAR || in->uop == WL_UOP_UCGABAR) && !w->forced)
			barrier_answered(g, rec->tag.sm, rec->tag.warp);
		else if (w->forced || converges(in))
			converge_answered(g, rec);
		else
			request_write_back(g, rec, w, w->uni[w->g[w->cur].uni]);
	}
	warp_set_ready(g, rec->tag.sm, rec->tag.warp);
}

static enum wl_piece piece(void *self, uint64_t cycle, struct wl_landing *l)
{
	return async_piece(gpu_of(self), index_of(self), cycle, l);
}

static void landed(void *self, const struct wl_landing *l, const uint8_t *data, enum wl_fault fault)
{
	async_landed(gpu_of(self), index_of(self), l, data, fault);
}

static struct wl_source begin_source(struct wl_gpu *g, unsigned sm)
{
	struct sm *s = gpu_sm(g, sm);
	struct async *a = &s->async;
	const uint32_t row = 4 * g->config.banks, beat = 16 * g->config.lanes;
	s->from_gpu = (uint64_t)((uint8_t *)s - (uint8_t *)g);
	s->units.elsewhere = ~g->dut;
	a->outside = g->dut >> WL_UNIT_atoms_pipe & 1;
	a->piece = row < beat ? row : beat;
	return (struct wl_source){s, next, accept, retire, waits, stuck, fault, applies, piece, landed};
}

void wl_gpu_sources(struct wl_gpu *g, uint32_t units, const struct wl_host *host, unsigned n, struct wl_source *source)
{
	g->source = true;
	g->dut = units;
	g->dut_sms = n;
	if (host)
		g->host = *host;
	if (g->dut && g->cluster_ctas > g->cta_slots) { /* only these clusters are spread (grid.c) */
		g->outcome = WL_ERROR;
		snprintf(g->trouble.text, sizeof g->trouble.text,
		         "in lockstep all CTAs of a cluster share one SM, which holds %u of this kernel; a cluster has "
		         "%u",
		         g->cta_slots, g->cluster_ctas);
	}
	for (unsigned sm = 0; sm < n; sm++)
		source[sm] = begin_source(g, sm);
}

struct wl_source wl_gpu_source(struct wl_gpu *g, uint32_t units, const struct wl_host *host)
{
	struct wl_source source;
	wl_gpu_sources(g, units, host, 1, &source);
	return source;
}

/* --- replay ------------------------------------------------------------------------------------------------ */

static enum wl_status impossible(char *why, size_t whyn, const char *text)
{
	snprintf(why, whyn, "%s", text);
	return WL_ERR_RANGE;
}

enum wl_status wl_gpu_launch_cta(struct wl_gpu *g, unsigned sm, unsigned slot, uint32_t cta, char *why, size_t whyn)
{
	gpu_set_pointers(g);
	if (sm >= g->config.sms || slot >= g->cta_slots)
		return impossible(why, whyn, "there is no such SM or CTA slot");
	if (gpu_sm(g, sm)->cta[slot].state != CTA_FREE)
		return impossible(why, whyn, "the CTA slot is not free");
	if (g->next_cta >= g->ctas || cta != grid_next_number(g))
		return impossible(why, whyn, "it is not this CTA's turn");
	grid_launch(g, sm, slot);
	g->refill = false;
	return WL_OK;
}

enum wl_status wl_gpu_end_cta(struct wl_gpu *g, unsigned sm, unsigned slot, uint32_t cta, char *why, size_t whyn)
{
	gpu_set_pointers(g);
	if (sm >= g->config.sms || slot >= g->cta_slots)
		return impossible(why, whyn, "there is no such SM or CTA slot");
	const struct cta *c = &gpu_sm(g, sm)->cta[slot];
	if (c->state != CTA_ENDED || c->number != cta)
		return impossible(why, whyn, "this CTA has not ended in this slot");
	grid_retire(g, sm, slot);
	return WL_OK;
}

/* A request may have been the last instruction of a group's turn: the log does not show the end of the turn. */
static void end_turn(struct exec *x)
{
	const struct warp *w = x->w;
	if (w->state != WARP_RUNS || x->g->state != GROUP_READY || x->g->wake > w->time)
		return;
	groups_merge_here(x);
	if (x->g->ran >= GROUP_TURN)
		step_turned(x, FLOW_NEXT, 0);
}

enum wl_status wl_gpu_step(struct wl_gpu *g, unsigned sm, unsigned warp, unsigned lane, unsigned count, char *why,
                           size_t whyn)
{
	gpu_set_pointers(g);
	if (g->outcome != WL_RUNNING && count) /* an offered request may still be accepted */
		return impossible(why, whyn, "the run is over");
	if (sm >= g->config.sms || warp >= g->config.warps_per_sm || lane >= WL_WARP_LANES)
		return impossible(why, whyn, "there is no such SM, warp or lane");
	struct warp *w = gpu_warp(g, sm, warp);
	struct exec x;
	exec_init(&x, g, sm, warp);
	if (w->live)
		end_turn(&x);
	if (!(w->live >> lane & 1) || !groups_select(w, lane))
		return impossible(why, whyn, "the lane is not live");
	if (warp_asks(w) ? count : warp_is_held(w) || w->g[w->cur].state != GROUP_READY)
		return impossible(why, whyn, "the lane waits");
	if (gpu_sm(g, sm)->asleep >> warp & 1) /* the warp went on because time had jumped */
		sleep_until(g, sm, w->wake);
	unsigned done = 0;
	exec_init(&x, g, sm, warp);
	groups_merge_here(&x);
	x.follow = 1u << lane;
	if (count) {
		const enum flow flow = step_group(&x, count, &done);
		step_turned(&x, flow, done);
	}
	step_count(&x, done);
	warp_set_ready(g, sm, warp);
	return done == count ? WL_OK : impossible(why, whyn, "the group cannot execute so many instructions");
}

enum wl_status wl_gpu_land(struct wl_gpu *g, unsigned sm, uint32_t copy, uint32_t kind, uint32_t addr, uint32_t bytes,
                           char *why, size_t whyn)
{
	struct wl_landing l;
	uint8_t data[WL_LANDING_MOST];
	gpu_set_pointers(g);
	if (!async_find(g, sm, copy, kind, addr, bytes, &l))
		return impossible(why, whyn, "no copy under way has such a piece now");
	uint8_t *read = gpu_sm(g, sm)->async.copy[l.index].read;
	if (l.from == WL_LANDING_READ)
		memcpy(data, read, sizeof gpu_sm(g, sm)->async.copy[l.index].read);
	else
		wl_landing_fetch(g->gmem, &l, data);
	const enum wl_fault fault = wl_land(&gpu_sm(g, sm)->units, &l, data);
	if (kind == WL_LAND_READ)
		memcpy(read, data, l.bytes < 16 ? l.bytes : 16);
	async_landed(g, sm, &l, data, fault);
	return WL_OK;
}

/* Lanes of the group with a request at the present instruction; 0: no request. */
static uint32_t requesting(struct exec *x)
{
	const struct op *op = &gpu_ops(x->gpu)[x->g->pc];
	const uint32_t p = op->guard_uniform ? x->uni[op->guard] : x->w->preds[op->guard];
	x->mask = x->g->mask & (p ^ op->guard_inv);
	step_fetch(x, x->g->pc);
	if (x->mask)
		usyncs_make(x);
	if (op->uop == WL_UOP_EXIT && exit_in_dut(x->gpu, x->sm_index)) {
		x->mask &= read_pred(x, x->in->ps[0]);
		return x->mask == x->w->live || converges_in_dut(x->gpu, x->sm_index) ? x->mask : 0;
	}
	if (op->uop == WL_UOP_NANOSLEEP && converges_in_dut(x->gpu, x->sm_index))
		return x->mask;
	if (!unit_in_dut(x) || atom_stays(x))
		return 0;
	if (op->uop == WL_UOP_WARPSYNC)
		misuse_warp_mask(x, true);
	return x->mask;
}

static bool accesses(const struct exec *x)
{
	return x->op->unit == WL_UNIT_atoms_pipe || x->op->unit == WL_UNIT_atom_unit;
}

bool wl_gpu_request(struct wl_gpu *g, unsigned sm, unsigned warp, struct wl_req *req)
{
	struct exec x;
	if (sm >= g->config.sms || warp >= g->config.warps_per_sm)
		return false;
	const struct warp *w = gpu_warp(g, sm, warp);
	if (w->state != WARP_RUNS && !warp_asks(w))
		return false;
	exec_init(&x, g, sm, warp);
	if (w->state == WARP_YIELDS) {
		x.pc = x.g->pc;
		return converge_as_yield(&x, w->forced, req);
	}
	uint32_t mask = w->live;
	if (w->state == WARP_MEETS)
		barrier_fetch(&x);
	else if (x.g->state != GROUP_READY || x.g->pc >= g->program->ninst || !(mask = requesting(&x)))
		return false;
	if (x.in->uop == WL_UOP_NANOSLEEP)
		return converge_as_yield(&x, mask, req);
	const bool partial = x.in->uop == WL_UOP_EXIT && mask != w->live;
	if (wl_inst_posted(x.in) && !partial && w->posted == WL_MAX_POSTED)
		return false;
	x.done = 0;
	if (g->copies && w->state == WARP_RUNS && accesses(&x) && !misuse_copies(&x))
		return false;
	request_build(&x, mask, req);
	req->posted &= !partial; /* the remaining lanes are told the ready lanes */
	if (w->state == WARP_MEETS)
		req->pred = w->bar_yes;
	return true;
}
