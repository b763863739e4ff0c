// SPDX-License-Identifier: Apache-2.0
/* ports.c -- requests go out beat by beat, responses come back. */
#include <string.h>

#include "flight.h"

/* ---- requests ---- */

/* SOURCE writes straight into the slot of a new flight. */
static void ask_source(struct lockstep *ls, unsigned p)
{
	struct port *port = &ls->port[p];
	port->idle = port->done;
	if (port->done || ls->jobs || ls->offered + ls->inflight >= ls->config.inflight)
		return;
	if (board_memory_holds_source(ls))
		return;
	if (!ls->nfree)
		late_drain(ls);
	const uint8_t i = ls->free[ls->nfree - 1];
	switch (ls->source->next(ls->source->self, p, &ls->flight[i].req)) {
	case WL_OFFER_REQ:
		ls->nfree--;
		ls->offered++;
		port->flight = i;
		port->beat = 0;
		port->presented = false;
		tap_station(ls, &ls->flight[i], LOCKSTEP_OFFERED, 0);
		return;
	case WL_OFFER_WAIT: /* asked again next cycle: cheaper than the cycle, and FRONT goes on a turn at a time */
		port->idle = true;
		return;
	case WL_OFFER_DONE:
		port->done = port->idle = true;
	}
}

/* Now and then a source stops between two beats of a request. The stop is so long that all requests held up behind the
 * source would be late by rule f. For the stopped request itself the owed time does not count. */
static bool stopped(struct lockstep *ls, unsigned p)
{
	const struct port *port = &ls->port[p];
	if (ls->stats.cycles >= ls->stop.until) {
		if (!port->beat || !rng_one_in(&ls->rng, 20000))
			return false;
		ls->stop.port = p;
		ls->stop.until = ls->stats.cycles + 2u * 64u * (ls->config.inflight + 2u) * ls->beats;
		ls->stats.stops++;
	}
	if (ls->stop.port != p)
		return false;
	ls->last_sign = ls->stats.cycles;
	if (ls->mon)
		mon_owed(ls->mon, &ls->flight[port->flight].req.tag);
	return true;
}

void drive_port(struct lockstep *ls, unsigned p)
{
	struct port *port = &ls->port[p];
	struct shim_beat *b = &ls->in.req[p];
	if (port->flight == NO_FLIGHT && !ls->complaint.any)
		ask_source(ls, p);
	b->valid = b->fresh = 0;
	if (port->flight == NO_FLIGHT || (ls->jobs && port->beat == 0 && !port->presented))
		return;
	if (!port->presented) {
		if (ls->config.stop && stopped(ls, p))
			return;
		if (ls->config.stall && stall_now(&port->in)) {
			ls->stats.stalled_in++;
			return;
		}
		const struct wl_req *r = &ls->flight[port->flight].req;
		const unsigned lane = port->beat * ls->lanes;
		b->header = r->header;
		b->tag = hardware_tag(&r->tag);
		b->mask = r->mask;
		b->slot = r->tag.slot;
		b->pred = r->pred;
		b->ur = r->ur;
		memcpy(ls->words[p],
		       (uint32_t[4]){(uint32_t)r->word.lo, (uint32_t)(r->word.lo >> 32), (uint32_t)r->word.hi,
		                     (uint32_t)(r->word.hi >> 32)},
		       16);
		b->word = ls->words[p];
		b->ra = r->ra + lane;
		b->rb = r->rb[lane].w;
		b->rc = r->rc[lane].w;
		b->fresh = 1;
		port->presented = true;
	}
	b->valid = 1;
}

/* The DUT has taken the first beat. */
static void begin_flight(struct lockstep *ls, uint8_t i)
{
	struct flight *f = &ls->flight[i];
	uint8_t *cell = &ls->find[f->req.tag.warp % TAG_WARPS][f->req.tag.n % TAG_FIND];
	if (*cell != NO_FLIGHT)
		complain_always(ls, "warp %u has a request in flight that is %u older than its newest one",
		                f->req.tag.warp, TAG_FIND);
	*cell = i;
	if (!ls->stats.started)
		ls->stats.started = ls->stats.cycles;
	ls->offered--;
	ls->inflight++;
	f->committed = f->faulted = f->written = f->preds = 0;
	f->commits = f->beats_out = f->passes = 0;
	f->waits = f->wide = false;
	memset(f->fault, 0, sizeof f->fault);
	if (checking(ls)) {
		const enum wl_unit unit = wl_req_unit(&f->req);
		f->unit = cosim_unit(unit);
		f->ops = f->unit && f->unit->ref ? f->unit->ref : wl_unit_ops(unit);
	}
	if (may_be_late(ls, f)) {
		late_add(ls, LATE_ACCEPT, f);
	} else {
		late_drain(ls);
		check_accept(ls, f);
	}
	if (ls->source->accept)
		ls->source->accept(ls->source->self, &f->req);
}

void accept_beat(struct lockstep *ls, unsigned p)
{
	struct port *port = &ls->port[p];
	const bool first = port->beat == 0;
	if (first != (ls->out.trace_accept >> p & 1))
		complain(ls, CHECK_PROTOCOL, &ls->flight[port->flight], "port %u: trace_accept is %u on beat %u", p,
		         !first, port->beat);
	ls->last_sign = ls->stats.cycles;
	if (first) {
		begin_flight(ls, port->flight);
		port->accepted = port->flight;
	}
	const struct flight *f = &ls->flight[port->flight];
	if (ls->config.timing && f->unit && f->unit->beat)
		f->unit->beat(ls, f, port->beat);
	port->presented = false;
	if (++port->beat == (f->req.header ? 1 : ls->beats)) {
		port->flight = NO_FLIGHT;
		tap_station(ls, f, LOCKSTEP_SENT, 0);
	}
}

/* ---- responses ---- */

/* The request has retired: SOURCE is told, with the record unless checks are late. */
void flight_leave(struct lockstep *ls, struct flight *f)
{
	f->ref.tag = f->req.tag;
	if (checking(ls))
		tap_station(ls, f, LOCKSTEP_ENDED, 0);
	ls->stats.retired++;
	ls->last_sign = ls->stats.cycles;
	if (ls->source->retire && !ls->complaint.any)
		ls->source->retire(ls->source->self, &f->ref);
	ls->find[f->req.tag.warp % TAG_WARPS][f->req.tag.n % TAG_FIND] = NO_FLIGHT;
}

/* ... and the request's place is free. */
void flight_free(struct lockstep *ls, struct flight *f)
{
	flight_leave(ls, f);
	ls->free[ls->nfree++] = (uint8_t)(f - ls->flight);
}

static void keep_beat(struct flight *f, const struct shim_rsp *r, unsigned lane, unsigned lanes)
{
	result_keep(f, r->data, lane, lanes);
	f->written |= r->mask << lane;
	f->preds |= r->pred << lane;
	if (r->any_fault)
		memcpy(f->fault + lane, r->fault, lanes);
}

/* The only beat of a header-only request: lane 0 stands for every active lane. */
static void spread(struct flight *f, const struct shim_rsp *r)
{
	result_spread(f, r->data, f->req.mask);
	f->written = r->mask & 1 ? f->req.mask : 0;
	f->preds = r->pred & 1 ? f->req.mask : 0;
	for (uint32_t left = r->any_fault ? f->req.mask : 0; left; left &= left - 1)
		f->fault[__builtin_ctz(left)] = r->fault[0];
}

void take_beat(struct lockstep *ls, unsigned p)
{
	struct port *port = &ls->port[p];
	const struct shim_rsp *r = &ls->out.rsp[p];
	struct flight *f = must_find(ls, r->tag, "response");
	if (!f || f->beats_out == ls->beats)
		return;
	const unsigned beats = f->req.header ? 1 : ls->beats;
	const uint8_t i = (uint8_t)(f - ls->flight);
	if (port->returning != NO_FLIGHT && port->returning != i)
		complain(ls, CHECK_PROTOCOL, f, "port %u: response beats of two requests interleave", p);
	if (f->req.tag.warp % ls->ports != p)
		complain(ls, CHECK_PROTOCOL, f, "response on port %u, the request came on port %u", p,
		         f->req.tag.warp % ls->ports);
	const unsigned lane = f->beats_out++ * ls->lanes;
	const bool last = f->beats_out == beats;
	port->returning = last ? NO_FLIGHT : i;
	if (last != r->last)
		complain(ls, CHECK_PROTOCOL, f, "response beat %u of %u has last = %u", f->beats_out, beats, r->last);
	if (last != (ls->out.trace_retire >> p & 1))
		complain(ls, CHECK_PROTOCOL, f, "port %u: trace_retire is %u on beat %u of %u", p, !last, f->beats_out,
		         beats);
	if (f->req.header)
		spread(f, r);
	else
		keep_beat(f, r, lane, ls->lanes);
	if (!last)
		return;
	f->passes = r->passes;
	retire(ls, f);
}

/* A response offered and not taken must stand unchanged. */
static bool changed(const struct lockstep *ls, const struct port *port, const struct shim_rsp *r)
{
	return r->tag != port->held_tag || r->mask != port->held_mask || r->pred != port->held_pred ||
	       r->last != port->held_last || r->any_fault != port->held_any_fault ||
	       (r->last && r->passes != port->held_passes) ||
	       (r->any_fault && memcmp(r->fault, port->held_fault, ls->lanes) != 0) ||
	       memcmp(r->data, port->held_data, ls->lanes * sizeof(struct wl_lane)) != 0;
}

void watch_hold(struct lockstep *ls, unsigned p)
{
	struct port *port = &ls->port[p];
	const struct shim_rsp *r = &ls->out.rsp[p];
	const bool valid = ls->out.rsp_valid >> p & 1, taken = ls->out.rsp_taken >> p & 1;
	if (port->held && (!valid || changed(ls, port, r)))
		complain(ls, CHECK_PROTOCOL, flight_of(ls, port->held_tag),
		         "port %u: a response changed before it was taken", p);
	port->held = valid && !taken;
	if (!port->held)
		return;
	port->held_tag = r->tag;
	port->held_mask = r->mask;
	port->held_pred = r->pred;
	port->held_last = r->last;
	port->held_passes = r->passes;
	port->held_any_fault = r->any_fault;
	if (r->any_fault)
		memcpy(port->held_fault, r->fault, ls->lanes);
	memcpy(port->held_data, r->data, ls->lanes * sizeof(struct wl_lane));
}
