// SPDX-License-Identifier: Apache-2.0
/* lockstep.c -- the cycle: inputs, the clock, outputs; and when a run is over. */
#include "lockstep.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flight.h"
#include "../../cmodel/tools/progress.h"
#include "../../cmodel/tools/unfinished.h"

const char *check_name(enum check c)
{
	static const char *const names[CHECK_KINDS] = {"order",  "protocol", "passes", "faults",
	                                               "values", "memory",   "waits",  "timing"};
	return names[c];
}

static bool heard(struct lockstep *ls, const char *fmt, va_list ap)
{
	struct complaint *c = &ls->complaint;
	if (c->any)
		return false;
	c->any = true;
	c->cycle = ls->when;
	vsnprintf(c->text, sizeof c->text, fmt, ap);
	return true;
}

void complain_always(struct lockstep *ls, const char *fmt, ...)
{
	va_list ap;
	late_drain(ls); /* may bring an earlier complaint */
	va_start(ap, fmt);
	if (heard(ls, fmt, ap))
		ls->complaint.kind = CHECK_PROTOCOL;
	va_end(ap);
}

/* State of a request so far, of REF and of the DUT. */
static void show_request(struct lockstep *ls, const struct flight *f)
{
	struct complaint *c = &ls->complaint;
	c->has_req = true;
	c->req = f->req;
	c->ref = f->ref;
	fill_record(ls, f, &c->ref);
	c->ref.faulted |= f->plan.faulted;
	for (uint32_t left = f->plan.faulted; left; left &= left - 1)
		c->ref.fault[__builtin_ctz(left)] = f->plan.fault[__builtin_ctz(left)];
	c->ref.passes = f->plan.passes;
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
	result_lanes(f, c->dut.result);
	if (f->unit && f->unit->show)
		f->unit->show(ls, f, ls->now, c);
	const unsigned shown = f->beats_out * ls->lanes;
	c->dut_shown = shown >= WL_WARP_LANES ? UINT32_MAX : (UINT32_C(1) << shown) - 1;
}

void complain(struct lockstep *ls, enum check kind, const struct flight *f, const char *fmt, ...)
{
	va_list ap;
	if (!(ls->config.checks >> kind & 1))
		return;
	late_drain(ls);
	va_start(ap, fmt);
	if (heard(ls, fmt, ap)) {
		ls->complaint.kind = kind;
		if (f)
			show_request(ls, f);
	}
	va_end(ap);
}

/* MON speaks about tags; the request behind a tag may be gone. */
static __attribute__((cold)) void heed_monitor(struct lockstep *ls)
{
	const struct mon_complaint *m = ls->mon_says;
	if (ls->complaint.any)
		return;
	const struct flight *f = late_flight(ls, m->tag.warp << 16 | (m->tag.n & 0xffff));
	if (m->lanes)
		complain(ls, CHECK_MON, f, "rule %c: %s (lanes 0x%08x)", m->rule, m->text, m->lanes);
	else
		complain(ls, CHECK_MON, f, "rule %c: %s", m->rule, m->text);
	ls->complaint.rule = m->rule;
}

/* ---- life ---- */

static struct mon *new_monitor(const struct lockstep *ls)
{
	const struct mon_unit *parts[WL_UNIT_COUNT];
	unsigned n = 0;
	for (const struct cosim_unit *const *u = cosim_units; *u; u++)
		if ((*u)->mon)
			parts[n++] = (*u)->mon;
	struct mon *m = mon_new(ls->lanes, ls->smem->combine, parts, n);
	if (m)
		mon_native(m, ls->smem->native);
	if (m)
		mon_lean(m, ls->api->lean);
	if (m)
		mon_reports(m, ls->config.arch == WL_SM107);
	if (m && (ls->api->lean || !ls->config.intrude)) /* kernels: threads meet at the same sector, in mixes hardly */
		mon_memory(m, ls->config.latency);
	return m;
}

static bool new_unit_state(struct lockstep *ls)
{
	for (const struct cosim_unit *const *u = cosim_units; *u; u++) {
		const unsigned bit = (unsigned)(*u)->unit - WL_UNIT_atoms_pipe;
		if ((*u)->ask && checking(ls) && bit < 32 && ls->api->units >> bit & 1)
			ls->status = *u;
		if ((*u)->state_bytes && !(ls->unit_state[(*u)->unit] = calloc(1, (*u)->state_bytes)))
			return false;
	}
	return true;
}

/* Global memory is REF's; a DUT without atom_unit never asks for memory. A lean form takes up to some 9000 cycles from
 * a read to the conditional write: writes of others are as rare. */
static bool new_memory(struct lockstep *ls)
{
	const struct memory_config mc = {.gmem = ls->ref->gmem,
	                                 .seed = ls->config.seed,
	                                 .latency = ls->config.latency,
	                                 .fixed = ls->config.timing,
	                                 .stall = ls->config.stall,
	                                 .intrude = ls->config.intrude * (ls->api->lean ? 48 : 1),
	                                 .rewrite = ls->config.rewrite,
	                                 .keeps = ls->api->atom_ids > 16,
	                                 .beside = ls->config.beside ? ls->config.beside->memory : NULL};
	if (!(ls->api->units >> WL_UNIT_atom_unit & 1) || !mc.gmem)
		return true;
	ls->memory = memory_new(&mc);
	return ls->memory != NULL;
}

void lockstep_store(struct lockstep *ls, uint64_t at, unsigned size)
{
	if (ls->memory)
		memory_store(ls->memory, at, size);
	board_memory_store(ls, at, size);
}

const struct memory_stats *lockstep_memory(const struct lockstep *ls)
{
	return ls->memory ? memory_statistics(ls->memory) : NULL;
}

/* The bug is chosen already: a bug may live in state that reset does not clear. */
static void reset(struct lockstep *ls)
{
	ls->in.bug = (uint16_t)ls->config.bug;
	ls->in.arch = (uint8_t)ls->config.arch;
	ls->in.shared_window = (uint32_t)(WL_SHARED_WINDOW >> 32);
	ls->in.local_window = (uint32_t)(WL_LOCAL_WINDOW >> 32);
	ls->in.rst = 1;
	for (unsigned i = 0; i < 4; i++)
		ls->api->cycle(ls->model, &ls->in, &ls->out);
	ls->in.rst = 0;
	ls->api->read_mem(ls->model, 0, ls->smem->bytes, ls->start);
}

struct lockstep *lockstep_new(const struct lockstep_config *config, struct wl_units *ref)
{
	struct lockstep *ls = calloc(1, sizeof *ls);
	if (!ls)
		return NULL;
	ls->config = *config;
	ls->api = config->model;
	ls->ref = ref;
	ls->smem = &ref->smem;
	ls->lanes = ls->api->lanes;
	ls->ports = ls->api->ports;
	ls->beats = WL_WARP_LANES / ls->lanes;
	assert(ls->smem->bytes == ls->api->smem_bytes && ls->smem->lanes == ls->lanes &&
	       ls->smem->banks == ls->api->banks);
	assert(config->inflight >= 1 && config->inflight <= LOCKSTEP_MAX_INFLIGHT);
	while (ls->nfree < config->inflight + ls->ports + WL_MAX_WARPS) {
		ls->free[ls->nfree] = ls->nfree;
		ls->nfree++;
	}
	memset(ls->find, NO_FLIGHT, sizeof ls->find);
	for (unsigned p = 0; p < SHIM_PORTS; p++) {
		ls->port[p].flight = ls->port[p].returning = NO_FLIGHT;
		ls->port[p].in.rng = rng_seed(config->seed, 100 + p);
		ls->port[p].out.rng = rng_seed(config->seed, 200 + p);
	}
	ls->rng = rng_seed(config->seed, 300);
	waits_start(ls);
	ls->model = ls->api->create((uint32_t)config->seed);
	if (config->checks >> CHECK_MON & 1)
		ls->mon = new_monitor(ls);
	if (!new_memory(ls) || !ls->model || !new_unit_state(ls) || (config->checks >> CHECK_MON & 1 && !ls->mon)) {
		lockstep_free(ls);
		return NULL;
	}
	if (ls->mon)
		ls->mon_says = mon_complaint(ls->mon);
	if (ls->mon && config->mon_rules)
		mon_rules(ls->mon, config->mon_rules);
	ls->next_compare = COMPARE_EVERY;
	late_start(ls);
	reset(ls);
	board_memory_open(ls);
	return ls;
}

static bool start_wave(struct lockstep *ls)
{
	const char *name = unfinished_begin(ls->config.wave);
	return name && ls->api->wave_open(ls->model, name);
}

static void end_wave(struct lockstep *ls)
{
	ls->api->wave_close(ls->model);
	ls->wave_on = false;
	if (!unfinished_end(ls->config.wave, true))
		perror(ls->config.wave);
}

void lockstep_free(struct lockstep *ls)
{
	if (!ls)
		return;
	if (ls->wave_on)
		end_wave(ls);
	if (ls->model)
		ls->api->destroy(ls->model);
	for (unsigned u = 0; u < WL_UNIT_COUNT; u++)
		free(ls->unit_state[u]);
	mon_free(ls->mon);
	memory_free(ls->memory);
	free(ls);
}

const struct complaint *lockstep_complaint(const struct lockstep *ls)
{
	return &ls->complaint;
}

bool lockstep_waits(const struct lockstep *ls, unsigned warp, struct lockstep_wait *w)
{
	struct shim_wait dut[SHIM_WARPS];
	if (warp >= SHIM_WARPS)
		return false;
	ls->api->read_waits(ls->model, dut);
	w->waits = dut[warp].waiting;
	w->unit = (enum wl_unit)(WL_UNIT_atoms_pipe + dut[warp].unit);
	w->id = dut[warp].id;
	w->mbarrier = dut[warp].id * 8u - ls->smem->window[dut[warp].slot % WL_MAX_CTAS].base;
	w->bars = ls->status && ls->status->view;
	w->bar = w->bars ? ls->status->view(ls, dut[warp].slot, dut[warp].id) : (struct shim_bar){0};
	return true;
}

bool lockstep_ready(const struct lockstep *ls, unsigned warp, uint32_t *lanes)
{
	for (const struct cosim_unit *const *u = cosim_units; *u; u++)
		if ((*u)->ready && (*u)->ready(ls, warp, lanes))
			return true;
	return false;
}

const struct lockstep_stats *lockstep_stats(const struct lockstep *ls)
{
	return &ls->stats;
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
	if (ls->config.host)
		drive_host(ls);
	/* last: SOURCE has done all stores. Memory stands still until REF has caught up with the DUT */
	ls->in.mem.rsp_valid = 0;
	if (ls->memory && !ls->out.settles)
		memory_drive(ls->memory, &ls->in);
	landing_drive(ls);
	if (ls->status)
		ls->sweep = ls->status->ask(ls, ls->sweep) && ls->sweep;
}

static void watch_wave(struct lockstep *ls)
{
	const struct lockstep_config *c = &ls->config;
	if (!c->wave)
		return;
	if (!ls->wave_on && ls->stats.cycles >= c->wave_from && (!c->wave_to || ls->stats.cycles < c->wave_to))
		ls->wave_on = start_wave(ls);
	if (ls->wave_on && c->wave_to && ls->stats.cycles >= c->wave_to) {
		end_wave(ls);
	}
}

static void look_at_requests(struct lockstep *ls)
{
	const struct shim_out *o = &ls->out;
	for (unsigned p = 0; p < ls->ports; p++)
		ls->port[p].accepted = NO_FLIGHT;
	for (unsigned p = 0; p < ls->ports; p++)
		if (o->req_taken >> p & 1)
			accept_beat(ls, p);
		else if (o->trace_accept >> p & 1)
			complain(ls, CHECK_PROTOCOL, NULL, "port %u: trace_accept without a handshake", p);
}

static void look_at_responses(struct lockstep *ls)
{
	const struct shim_out *o = &ls->out;
	for (unsigned p = 0; p < ls->ports; p++) {
		if (ls->config.stall && checking(ls))
			watch_hold(ls, p);
		if (o->rsp_taken >> p & 1)
			take_beat(ls, p);
		else if (o->trace_retire >> p & 1)
			complain(ls, CHECK_PROTOCOL, NULL, "port %u: trace_retire without a handshake", p);
	}
}

/* The DUT's requests to global memory. True while the DUT is owed an answer, or the memory holds a request back. */
static bool look_at_memory(struct lockstep *ls)
{
	const char *wrong = memory_take(ls->memory, &ls->out);
	if (ls->out.mem.valid && board_memory_holds(ls, ls->out.mem.addr))
		wrong = "memory: the board asks for a sector that it holds";
	if (wrong)
		complain(ls, CHECK_PROTOCOL, NULL, "%s", wrong);
	if (ls->in.mem.rsp_valid && !ls->out.mem.rsp_ready)
		complain(ls, CHECK_PROTOCOL, NULL, "memory: an answer is not taken");
	const bool held_back = ls->out.mem.valid && !ls->in.mem.req_ready;
	if (!memory_owes(ls->memory) && !held_back)
		return false;
	ls->last_sign = ls->stats.cycles;
	return true;
}

static void measure(struct lockstep *ls, bool stalled)
{
	ls->stats.stalled_out += stalled;
	ls->stats.sum_inflight += ls->inflight;
	if (ls->inflight > ls->stats.max_inflight)
		ls->stats.max_inflight = ls->inflight;
}

void check_cycle(struct lockstep *ls, bool stalled)
{
	if (!ls->mon)
		return;
	mon_cycle(ls->mon, stalled);
	if (ls->mon_says->rule)
		heed_monitor(ls);
}

static void step(struct lockstep *ls)
{
	const struct shim_out *o = &ls->out;
	drive(ls);
	watch_wave(ls);
	ls->api->cycle(ls->model, &ls->in, &ls->out);
	if (ls->config.corrupt)
		corrupt_outputs(ls);
	/* the memory and REF both hold the passes of the cycles before this cycle */
	if (ls->out.gone)
		complain_always(ls, "%s", ls->out.gone);
	const bool compares = ls->stats.events + ls->late.events >= ls->next_compare && !ls->jobs &&
	                      ls->stats.cycles >= ls->host_done && !(ls->api->ahead && ls->inflight) &&
	                      ls->config.checks >> CHECK_MEMORY & 1;
	if (compares) {
		compare_memory(ls);
		ls->last_compare = ls->stats.events;
		ls->next_compare = ls->last_compare + COMPARE_EVERY;
	}
	if (ls->mon && ls->api->ahead)
		mon_clock(ls->mon, ls->out.clock);
	if (ls->status)
		ls->status->answer(ls);
	look_at_requests(ls);
	for (unsigned i = 0; i < o->nevents; i++)
		on_event(ls, &o->event[i]);
	for (const struct cosim_unit *const *u = cosim_units; ls->config.timing && *u; u++)
		if ((*u)->cycle)
			(*u)->cycle(ls);
	landing_look(ls);
	if (compares) /* answers of this cycle have committed in this cycle, on both sides */
		compare_global(ls);
	const bool stalled = (o->rsp_valid & (uint8_t)~o->rsp_taken) != 0;
	look_at_responses(ls);
	advance_job(ls);
	if (ls->config.host)
		advance_host(ls);
	if (ls->ndue)
		releases_watch(ls);
	measure(ls, stalled);
	const bool owed = ls->memory && look_at_memory(ls);
	late_cycle(ls, stalled || owed);
	ls->when = ++ls->stats.cycles;
}

/* ---- the end of a run ---- */

static bool all_ports(const struct lockstep *ls, bool done)
{
	for (unsigned p = 0; p < ls->ports; p++)
		if (!(done ? ls->port[p].done : ls->port[p].idle))
			return false;
	return true;
}

/* SOURCE is done, and nothing is left but waits already given up by SOURCE. */
static bool finished(const struct lockstep *ls)
{
	if (ls->inflight || ls->offered || ls->jobs || !all_ports(ls, true) || !landing_idle(ls))
		return false;
	return !ls->nwaiting || waits_for_ever(ls);
}

/* Nothing is left but waits, and SOURCE has no request to end a wait, unless other SMs go on. SOURCE knows about other
 * SMs, and is then asked again. */
static void judge_waits(struct lockstep *ls)
{
	if (ls->was_stuck || !all_ports(ls, false) || all_ports(ls, true) || !waits_for_ever(ls))
		return;
	ls->stats.deadlock = true;
	if (ls->source->stuck) {
		ls->source->stuck(ls->source->self);
		return;
	}
	ls->was_stuck = true;
	for (unsigned p = 0; p < ls->ports; p++)
		ls->port[p].done = true;
}

void lockstep_prepare(struct lockstep *ls)
{
	while (ls->jobs && !ls->complaint.any)
		step(ls);
}

/* Lets the last pass reach the memory, then looks at all state. A lean form goes through the lanes of a last pass one
 * by one, after the request has retired. */
static void compare_state(struct lockstep *ls)
{
	const unsigned last = 2 + (ls->api->lean ? ls->lanes : 0);
	ls->config.host = false;
	ls->sweep = ls->status != NULL;
	for (unsigned i = 0; i < last || ls->stats.cycles <= ls->host_done || (ls->sweep && i < SWEEP_CYCLES); i++)
		step(ls);
	if (ls->sweep)
		complain(ls, CHECK_PROTOCOL, NULL, "the status port does not answer");
	if (ls->config.checks >> CHECK_MEMORY & 1)
		compare_memory(ls);
	if (ls->config.checks >> CHECK_MEMORY & 1)
		compare_global(ls);
	if (ls->config.checks >> CHECK_WAITS & 1)
		compare_waits(ls);
	if (checking(ls) && !ls->out.idle)
		complain(ls, CHECK_PROTOCOL, NULL, "everything has retired, but idle_o is low");
}

/* The cycle of the last sign of life of any DUT: while a DUT works, others may have nothing to do. */
static uint64_t last_sign(struct lockstep *const *ls, unsigned n)
{
	uint64_t last = 0;
	for (unsigned i = 0; i < n; i++)
		last = ls[i]->last_sign > last ? ls[i]->last_sign : last;
	return last;
}

static bool all_finished(struct lockstep *const *ls, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (!finished(ls[i]))
			return false;
	return true;
}

static bool any_complains(struct lockstep *const *ls, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (ls[i]->complaint.any)
			return true;
	return false;
}

static void cycle_of_all(struct lockstep *const *ls, unsigned n)
{
	for (unsigned i = 0; i < n && !any_complains(ls, n); i++) {
		step(ls[i]);
		if (ls[i]->nwaiting)
			judge_waits(ls[i]);
	}
	if (ls[0]->stats.cycles - last_sign(ls, n) > QUIET_CYCLES)
		complain_always(ls[0], "no result for %u cycles with %u requests in flight", QUIET_CYCLES,
		                ls[0]->inflight);
}

static bool is_interrupted(const struct lockstep *ls)
{
	return ls->config.interrupted && *ls->config.interrupted;
}

bool lockstep_run_all(struct lockstep *const *ls, struct wl_source *source, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		ls[i]->source = &source[i];
	while (!all_finished(ls, n) && !any_complains(ls, n)) {
		cycle_of_all(ls, n);
		if (ls[0]->stats.cycles % PROGRESS_EVERY == 0 && ls[0]->config.progress)
			ls[0]->config.progress(ls[0]->config.progress_self, &ls[0]->stats);
		if (is_interrupted(ls[0]))
			break;
		if (ls[0]->config.max_cycles && ls[0]->stats.cycles >= ls[0]->config.max_cycles)
			break;
	}
	for (unsigned i = 0; i < n; i++)
		late_drain(ls[i]);
	for (unsigned i = 0; i < n && !any_complains(ls, n) && !is_interrupted(ls[0]); i++)
		if (!ls[i]->inflight && !ls[i]->offered)
			compare_state(ls[i]);
	return !any_complains(ls, n);
}

bool lockstep_run(struct lockstep *ls, struct wl_source *source)
{
	return lockstep_run_all(&ls, source, 1);
}
