// SPDX-License-Identifier: Apache-2.0
/* lockstep.c -- the cycle: requests to the ports, outputs to events, events to REF, comparator and MON. */
#include "lockstep.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flight.h"

const char *check_name(enum check c)
{
	static const char *const names[CHECK_KINDS] = {"order", "protocol", "passes", "faults", "values", "memory"};
	return names[c];
}

/* The DUT's words of the lanes that stored: earlier passes were equal to REF's, those of this one are on the trace. */
static void show_stores(const struct lockstep *ls, const struct flight *f, struct complaint *c)
{
	const struct trace_atoms_pipe_commit *v =
	        ls->now && ls->now->kind == WL_EV_COMMIT && f->ref.size >= 4 ? ls->now->values : NULL;
	memcpy(c->dut.old, f->ref.old, sizeof c->dut.old);
	memcpy(c->dut.now, f->ref.now, sizeof c->dut.now);
	c->dut_stored = f->ref.stored;
	for (uint32_t left = v ? ls->now->lanes & f->ref.stored : 0; left; left &= left - 1) {
		const unsigned l = (unsigned)__builtin_ctz(left);
		for (unsigned k = 0; k < f->ref.size / 4u; k++) {
			const uint32_t bank = ((f->ref.addr[l] >> 2) + k) & (ls->ref->banks - 1u);
			c->dut.old[l].w[k] = v->old[bank];
			c->dut.now[l].w[k] = v->now[bank];
		}
	}
}

void complain(struct lockstep *ls, enum check kind, const struct flight *f, const char *fmt, ...)
{
	struct complaint *c = &ls->complaint;
	if (c->any || !(ls->config.checks >> kind & 1))
		return;
	c->any = true;
	c->kind = kind;
	c->cycle = ls->stats.cycles;
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(c->text, sizeof c->text, fmt, ap);
	va_end(ap);
	if (!f)
		return;
	c->has_req = true;
	c->req = f->req;
	c->ref = f->ref;
	c->ref.faulted = f->plan.common.faulted;
	memcpy(c->ref.fault, f->plan.common.fault, sizeof c->ref.fault);
	c->ref.passes = f->plan.common.passes;
	c->dut = (struct wl_record){.tag = f->req.tag,
	                            .pc = f->req.pc,
	                            .word = f->req.word,
	                            .mask = f->req.mask,
	                            .committed = f->committed,
	                            .written = f->written,
	                            .preds = f->preds,
	                            .faulted = f->faulted,
	                            .passes = f->beats_out == ls->beats ? f->passes : f->commits,
	                            .size = f->ref.size};
	memcpy(c->dut.fault, f->fault, sizeof c->dut.fault);
	memcpy(c->dut.result, f->result, sizeof c->dut.result);
	show_stores(ls, f, c);
	const unsigned shown = f->beats_out * ls->lanes;
	c->dut_shown = shown >= WL_WARP_LANES ? UINT32_MAX : (UINT32_C(1) << shown) - 1;
}

/* MON speaks about tags; the request behind one may be gone. */
static void heed_monitor(struct lockstep *ls)
{
	const struct mon_complaint *m = mon_complaint(ls->mon);
	if (!m->rule || ls->complaint.any)
		return;
	const struct flight *f = flight_of(ls, m->tag.warp << 16 | (m->tag.n & 0xffff));
	if (m->lanes)
		complain(ls, CHECK_MON, f, "rule %c: %s (lanes 0x%08x)", m->rule, m->text, m->lanes);
	else
		complain(ls, CHECK_MON, f, "rule %c: %s", m->rule, m->text);
	ls->complaint.rule = m->rule;
}

/* ---- life ---- */

struct lockstep *lockstep_new(const struct lockstep_config *config, struct wl_smem *ref)
{
	struct lockstep *ls = calloc(1, sizeof *ls);
	if (!ls)
		return NULL;
	ls->config = *config;
	ls->api = config->model;
	ls->ref = ref;
	ls->lanes = ls->api->lanes;
	ls->ports = ls->api->ports;
	ls->beats = WL_WARP_LANES / ls->lanes;
	ls->bank_bits = (unsigned)__builtin_ctz(ls->api->banks);
	assert(ref->bytes == ls->api->smem_bytes && ref->lanes == ls->lanes && ref->banks == ls->api->banks);
	assert(config->inflight >= 1 && config->inflight <= LOCKSTEP_MAX_INFLIGHT);
	for (unsigned i = 0; i < config->inflight + ls->ports; i++)
		ls->free[ls->nfree++] = (uint8_t)i;
	memset(ls->find, NO_FLIGHT, sizeof ls->find);
	for (unsigned p = 0; p < SHIM_PORTS; p++) {
		ls->port[p].flight = ls->port[p].returning = NO_FLIGHT;
		ls->port[p].in.rng = rng_seed(config->seed, 100 + p);
		ls->port[p].out.rng = rng_seed(config->seed, 200 + p);
	}
	ls->model = ls->api->create();
	if (config->checks >> CHECK_MON & 1)
		ls->mon = mon_new(ls->lanes, ref->combine);
	if (!ls->model || (config->checks >> CHECK_MON & 1 && !ls->mon)) {
		lockstep_free(ls);
		return NULL;
	}
	if (ls->mon && config->mon_rules)
		mon_rules(ls->mon, config->mon_rules);
	ls->next_compare = COMPARE_EVERY;
	/* reset: the bug is chosen already, so that it may live in what reset does not clear */
	ls->in.bug = (uint8_t)config->bug;
	ls->in.arch = (uint8_t)config->arch;
	ls->in.rst = 1;
	for (unsigned i = 0; i < 4; i++)
		ls->api->cycle(ls->model, &ls->in, &ls->out);
	ls->in.rst = 0;
	return ls;
}

void lockstep_free(struct lockstep *ls)
{
	if (!ls)
		return;
	if (ls->wave_on)
		ls->api->wave_close(ls->model);
	if (ls->model)
		ls->api->destroy(ls->model);
	mon_free(ls->mon);
	free(ls);
}

const struct complaint *lockstep_complaint(const struct lockstep *ls)
{
	return &ls->complaint;
}

const struct lockstep_stats *lockstep_stats(const struct lockstep *ls)
{
	return &ls->stats;
}

/* ---- windows ---- */

static void add_job(struct lockstep *ls, unsigned slot, bool open)
{
	const struct wl_window *w = &ls->ref->window[slot];
	assert(slot < WL_MAX_CTAS && ls->jobs < SLOT_JOBS && "a slot is opened and closed between requests");
	ls->job[ls->jobs++] = (struct slot_job){.slot = (uint8_t)slot, .open = open, .base = w->base, .size = w->size};
	if (ls->mon)
		mon_window(ls->mon, slot, w->size, open);
}

void lockstep_open(struct lockstep *ls, unsigned slot)
{
	add_job(ls, slot, true);
}

void lockstep_close(struct lockstep *ls, unsigned slot)
{
	add_job(ls, slot, false);
}

/* The configuration and host ports of this cycle: the window first, then its words, one for each free cycle. */
static void drive_job(struct lockstep *ls)
{
	ls->in.cfg.valid = ls->in.host.valid = 0;
	if (!ls->jobs)
		return;
	struct slot_job *j = &ls->job[0];
	if (!j->sent) {
		ls->in.cfg.valid = 1;
		ls->in.cfg.slot = j->slot;
		ls->in.cfg.open = j->open;
		ls->in.cfg.base = j->base;
		ls->in.cfg.size = j->size;
	} else {
		ls->in.host.valid = 1;
		ls->in.host.write = 1;
		ls->in.host.addr = (uint16_t)(j->base + j->at);
		ls->in.host.data = wl_smem_read(ls->ref, j->base + j->at);
	}
}

static void advance_job(struct lockstep *ls)
{
	if (!ls->jobs)
		return;
	struct slot_job *j = &ls->job[0];
	ls->last_sign = ls->stats.cycles;
	if (!j->sent)
		j->sent = true;
	else if (ls->out.host_taken)
		j->at += 4;
	if (j->open && j->at < j->size)
		return;
	memmove(ls->job, ls->job + 1, --ls->jobs * sizeof ls->job[0]);
	if (!ls->jobs)
		ls->next_compare = 0; /* the new content is checked before it is used */
}

/* ---- requests ---- */

/* SOURCE writes straight into the slot of a new flight. */
static void ask_source(struct lockstep *ls, unsigned p)
{
	struct port *port = &ls->port[p];
	if (port->done || ls->jobs || ls->offered + ls->inflight >= ls->config.inflight)
		return;
	const uint8_t i = ls->free[ls->nfree - 1];
	switch (ls->source->next(ls->source->self, p, &ls->flight[i].req)) {
	case WL_OFFER_REQ:
		ls->nfree--;
		ls->offered++;
		port->flight = i;
		port->beat = 0;
		port->presented = false;
		return;
	case WL_OFFER_WAIT: /* asked again next cycle: it costs less than the cycle, and FRONT goes on a turn at a time
	                     */
		return;
	case WL_OFFER_DONE:
		port->done = true;
	}
}

static uint32_t hardware_tag(const struct wl_tag *t)
{
	return t->warp << 16 | (t->n & 0xffff);
}

static void drive_port(struct lockstep *ls, unsigned p)
{
	struct port *port = &ls->port[p];
	struct shim_beat *b = &ls->in.req[p];
	if (port->flight == NO_FLIGHT && !ls->complaint.any)
		ask_source(ls, p);
	b->valid = b->fresh = 0;
	if (port->flight == NO_FLIGHT || (ls->jobs && port->beat == 0 && !port->presented))
		return;
	if (!port->presented) {
		if (ls->config.stall && stall_now(&port->in)) {
			ls->stats.stalled_in++;
			return;
		}
		const struct wl_req *r = &ls->flight[port->flight].req;
		const unsigned lane = port->beat * ls->lanes;
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

static void accept(struct lockstep *ls, unsigned p)
{
	struct port *port = &ls->port[p];
	struct flight *f = &ls->flight[port->flight];
	const bool first = port->beat == 0;
	if (first != (ls->out.trace_accept >> p & 1))
		complain(ls, CHECK_PROTOCOL, f, "port %u: trace_accept is %u on beat %u", p, !first, port->beat);
	if (first) {
		uint8_t *cell = &ls->find[f->req.tag.warp % TAG_WARPS][f->req.tag.n % TAG_FIND];
		assert(*cell == NO_FLIGHT && "a warp has at most 16 requests in flight, with consecutive numbers");
		*cell = port->flight;
		if (!ls->stats.started)
			ls->stats.started = ls->stats.cycles;
		ls->offered--;
		ls->inflight++;
		f->committed = f->faulted = f->written = f->preds = 0;
		f->commits = f->beats_out = f->passes = 0;
		memset(f->fault, 0, sizeof f->fault);
		if (checking(ls))
			compare_accept(ls, f);
		if (ls->mon)
			mon_accept(ls->mon, &f->req);
		if (ls->config.tap.accept)
			ls->config.tap.accept(ls->config.tap.self, &f->req);
		if (ls->source->accept)
			ls->source->accept(ls->source->self, &f->req);
	}
	port->presented = false;
	if (++port->beat == ls->beats)
		port->flight = NO_FLIGHT;
}

/* ---- events ---- */

/* Announces an event to MON and the tap. */
static void announce(struct lockstep *ls, const struct flight *f, struct wl_event *e)
{
	ls->stats.events++;
	e->cycle = ls->stats.cycles;
	if (f)
		e->tag = f->req.tag;
	if (ls->mon)
		mon_event(ls->mon, e);
	if (ls->config.tap.event)
		ls->config.tap.event(ls->config.tap.self, e);
}

static struct flight *must_find(struct lockstep *ls, uint32_t tag, const char *what)
{
	struct flight *f = flight_of(ls, tag);
	if (!f)
		complain(ls, CHECK_PROTOCOL, NULL, "%s of warp %u, n=%u, which is not in flight", what, tag >> 16,
		         tag & 0xffff);
	return f;
}

/* The event as MON and the order log get it: without its values. */
static struct wl_event plain_event(const struct shim_event *s)
{
	return (struct wl_event){.kind = (enum wl_event_kind)s->kind,
	                         .unit = (enum wl_unit)(WL_UNIT_atoms_pipe + s->unit),
	                         .tag = {.warp = s->tag >> 16, .n = s->tag & 0xffff, .slot = s->slot},
	                         .lanes = s->lanes,
	                         .fault = s->kind == WL_EV_FAULT ? (enum wl_fault)s->code : WL_FAULT_NONE};
}

static void on_event(struct lockstep *ls, const struct shim_event *s)
{
	static const char *const name[WL_EV_COUNT] = {"FAULT", "EXIT", "COMMIT", "LAND", "RELEASE", "CHOICE", "RETIRE"};
	if (s->kind != WL_EV_FAULT && s->kind != WL_EV_COMMIT) {
		complain(ls, CHECK_PROTOCOL, NULL, "%s, which no unit built so far has",
		         s->kind < WL_EV_COUNT ? name[s->kind] : "an event of unknown kind");
		return;
	}
	struct flight *f = must_find(ls, s->tag, name[s->kind]);
	struct wl_event e = plain_event(s);
	announce(ls, f, &e);
	ls->stats.commits += s->kind == WL_EV_COMMIT;
	if (!f || !checking(ls))
		return;
	ls->now = s;
	if (s->kind == WL_EV_FAULT)
		compare_fault(ls, f, s);
	else
		compare_commit(ls, f, s);
	ls->now = NULL;
}

static void retire(struct lockstep *ls, struct flight *f)
{
	struct wl_event e = {.kind = WL_EV_RETIRE, .unit = wl_uop_unit((enum wl_uop)f->req.inst.uop)};
	announce(ls, f, &e);
	if (checking(ls))
		compare_retire(ls, f);
	else
		f->ref.tag = f->req.tag;
	ls->stats.retired++;
	ls->inflight--;
	ls->last_sign = ls->stats.cycles;
	if (ls->source->retire && !ls->complaint.any)
		ls->source->retire(ls->source->self, &f->ref);
	ls->find[f->req.tag.warp % TAG_WARPS][f->req.tag.n % TAG_FIND] = NO_FLIGHT;
	ls->free[ls->nfree++] = (uint8_t)(f - ls->flight);
}

static void take_beat(struct lockstep *ls, unsigned p)
{
	struct port *port = &ls->port[p];
	const struct shim_rsp *r = &ls->out.rsp[p];
	struct flight *f = must_find(ls, r->tag, "response");
	if (!f || f->beats_out == ls->beats)
		return;
	const uint8_t i = (uint8_t)(f - ls->flight);
	if (port->returning != NO_FLIGHT && port->returning != i)
		complain(ls, CHECK_PROTOCOL, f, "port %u: response beats of two requests interleave", p);
	if (f->req.tag.warp % ls->ports != p)
		complain(ls, CHECK_PROTOCOL, f, "response on port %u, the request came on port %u", p,
		         f->req.tag.warp % ls->ports);
	const unsigned lane = f->beats_out++ * ls->lanes;
	const bool last = f->beats_out == ls->beats;
	port->returning = last ? NO_FLIGHT : i;
	if (last != r->last)
		complain(ls, CHECK_PROTOCOL, f, "response beat %u of %u has last = %u", f->beats_out, ls->beats,
		         r->last);
	if (last != (ls->out.trace_retire >> p & 1))
		complain(ls, CHECK_PROTOCOL, f, "port %u: trace_retire is %u on beat %u of %u", p, !last, f->beats_out,
		         ls->beats);
	memcpy(f->result + lane, r->data, ls->lanes * sizeof(struct wl_lane));
	f->written |= r->mask << lane;
	f->preds |= r->pred << lane;
	if (r->any_fault)
		memcpy(f->fault + lane, r->fault, ls->lanes);
	if (!last)
		return;
	f->passes = r->passes;
	retire(ls, f);
}

/* A response that was offered and not taken must stand as it was. */
static void watch_hold(struct lockstep *ls, unsigned p)
{
	struct port *port = &ls->port[p];
	const struct shim_rsp *r = &ls->out.rsp[p];
	const bool valid = ls->out.rsp_valid >> p & 1, taken = ls->out.rsp_taken >> p & 1;
	const size_t bytes = ls->lanes * sizeof(struct wl_lane);
	if (port->held && (!valid || r->tag != port->held_tag || r->mask != port->held_mask ||
	                   memcmp(r->data, port->held_data, bytes) != 0))
		complain(ls, CHECK_PROTOCOL, flight_of(ls, port->held_tag),
		         "port %u: a response changed before it was taken", p);
	port->held = valid && !taken;
	if (!port->held)
		return;
	port->held_tag = r->tag;
	port->held_mask = r->mask;
	memcpy(port->held_data, r->data, bytes);
}

/* ---- the cycle ---- */

static void drive(struct lockstep *ls)
{
	const uint64_t cycle = ls->stats.cycles;
	if (ls->config.stall && cycle % SEGMENT == 0)
		for (unsigned p = 0; p < ls->ports; p++) {
			ls->port[p].in.kind = (enum stall_kind)(cycle / SEGMENT % STALL_KINDS);
			ls->port[p].out.kind = (enum stall_kind)(cycle / SEGMENT / STALL_KINDS % STALL_KINDS);
		}
	ls->in.rsp_ready = 0;
	for (unsigned p = 0; p < ls->ports; p++) {
		drive_port(ls, p);
		ls->in.rsp_ready |= (uint8_t)(!(ls->config.stall && stall_now(&ls->port[p].out)) << p);
	}
	drive_job(ls);
}

static void watch_wave(struct lockstep *ls)
{
	const struct lockstep_config *c = &ls->config;
	if (!c->wave)
		return;
	if (!ls->wave_on && ls->stats.cycles >= c->wave_from && (!c->wave_to || ls->stats.cycles < c->wave_to))
		ls->wave_on = ls->api->wave_open(ls->model, c->wave) != 0;
	if (ls->wave_on && c->wave_to && ls->stats.cycles >= c->wave_to) {
		ls->api->wave_close(ls->model);
		ls->wave_on = false;
	}
}

static void step(struct lockstep *ls)
{
	const struct shim_out *o = &ls->out;
	drive(ls);
	watch_wave(ls);
	ls->api->cycle(ls->model, &ls->in, &ls->out);
	if (ls->config.corrupt)
		corrupt_outputs(ls);
	/* the memory holds the passes of the cycles before this one, and so does REF */
	if (ls->stats.events >= ls->next_compare && !ls->jobs && ls->config.checks >> CHECK_MEMORY & 1) {
		compare_memory(ls);
		ls->next_compare = ls->stats.events + COMPARE_EVERY;
	}
	for (unsigned p = 0; p < ls->ports; p++)
		if (o->req_taken >> p & 1)
			accept(ls, p);
		else if (o->trace_accept >> p & 1)
			complain(ls, CHECK_PROTOCOL, NULL, "port %u: trace_accept without a handshake", p);
	for (unsigned i = 0; i < o->nevents; i++)
		on_event(ls, &o->event[i]);
	const uint8_t stalled = o->rsp_valid & (uint8_t)~o->rsp_taken;
	for (unsigned p = 0; p < ls->ports; p++) {
		if (ls->config.stall && checking(ls))
			watch_hold(ls, p);
		if (o->rsp_taken >> p & 1)
			take_beat(ls, p);
		else if (o->trace_retire >> p & 1)
			complain(ls, CHECK_PROTOCOL, NULL, "port %u: trace_retire without a handshake", p);
	}
	advance_job(ls);
	ls->stats.stalled_out += stalled != 0;
	ls->stats.sum_inflight += ls->inflight;
	if (ls->inflight > ls->stats.max_inflight)
		ls->stats.max_inflight = ls->inflight;
	if (ls->mon) {
		mon_cycle(ls->mon, stalled != 0);
		heed_monitor(ls);
	}
	ls->stats.cycles++;
}

static bool finished(const struct lockstep *ls)
{
	if (ls->inflight || ls->offered || ls->jobs)
		return false;
	for (unsigned p = 0; p < ls->ports; p++)
		if (!ls->port[p].done)
			return false;
	return true;
}

void lockstep_prepare(struct lockstep *ls)
{
	while (ls->jobs && !ls->complaint.any)
		step(ls);
}

bool lockstep_run(struct lockstep *ls, struct wl_source *source)
{
	ls->source = source;
	while (!finished(ls) && !ls->complaint.any) {
		step(ls);
		if (ls->stats.cycles - ls->last_sign > QUIET_CYCLES) {
			ls->complaint.any = true; /* whatever checks are on: there is no going on */
			ls->complaint.kind = CHECK_PROTOCOL;
			ls->complaint.cycle = ls->stats.cycles;
			snprintf(ls->complaint.text, sizeof ls->complaint.text,
			         "no result for %u cycles with %u requests in flight", QUIET_CYCLES, ls->inflight);
		}
		if (ls->config.max_cycles && ls->stats.cycles >= ls->config.max_cycles)
			break;
	}
	if (!ls->complaint.any && !ls->inflight && !ls->offered) {
		/* let the last pass reach the memory, then look at all of it */
		for (unsigned i = 0; i < 2; i++)
			step(ls);
		if (ls->config.checks >> CHECK_MEMORY & 1)
			compare_memory(ls);
		if (checking(ls) && !ls->out.idle)
			complain(ls, CHECK_PROTOCOL, NULL, "everything has retired, but idle_o is low");
	}
	return !ls->complaint.any;
}
