// SPDX-License-Identifier: Apache-2.0
#include "core_trace.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t bench_random(struct bench *b)
{
	return rng_next(&b->rng);
}

void bench_error(struct bench *b, const char *format, ...)
{
	if (b->errors++ < 10) {
		va_list args;
		va_start(args, format);
		printf("cycle %llu: ", (unsigned long long)b->cycle);
		vprintf(format, args);
		putchar('\n');
		va_end(args);
	}
	if (b->model.changed) { /* a changed model needs only a single error: the rest would take many times as long */
		printf("0 passed, 1 failed\n");
		exit(1);
	}
}

void bench_open(struct bench *b, const struct bench_args *a)
{
	memset(b, 0, sizeof *b);
	b->model = a->model;
	PINS_FIND(sync_core, &b->pin, &b->model);
	b->lanes = model_param(&b->model, "Lanes", 32);
	b->banks = model_param(&b->model, "Banks", 32);
	b->lean = model_param(&b->model, "Lean", 0);
	b->lean_pass = b->banks + b->lanes + 10;
	b->fp_stages = model_param(&b->model, "FpStages", 1);
	b->ports = model_param(&b->model, "Ports", 1);
	b->bytes = model_param(&b->model, "SmemBytes", 65536);
	b->beats = 32 / b->lanes;
	for (unsigned rows = b->bytes / 4 / b->banks; rows > 1; rows /= 2) {
		b->row_bits++;
	}
	b->rng = rng_seed(a->seed, 0);
	for (unsigned i = 0; i < BENCH_PORTS; i++) {
		b->port[i].in.rng = rng_seed(a->seed, 2 * i + 1);
		b->port[i].out.rng = rng_seed(a->seed, 2 * i + 2);
	}
}

static void tick(struct bench *b)
{
	*b->pin.clk_i = 1;
	b->model.eval(b->model.self);
	*b->pin.clk_i = 0;
	b->cycle++;
}

void bench_reset(struct bench *b)
{
	struct bench_pins *p = &b->pin;
	*p->req_valid_i = *p->rsp_ready_i = *p->cfg_valid_i = *p->host_valid_i = 0;
	*p->rst_i = 1;
	for (unsigned i = 0; i < 4; i++) {
		b->model.eval(b->model.self);
		tick(b);
	}
	*p->rst_i = 0;
	b->model.eval(b->model.self);
	for (unsigned i = 0; i < b->ports; i++) { /* everything under way is gone */
		struct bench_port *port = &b->port[i];
		port->sent = port->retired = port->queued;
		port->send_beat = port->recv_beat = 0;
		port->offering = false;
	}
	b->inflight = 0;
	memset(b->wrote, 0, sizeof b->wrote);
}

static bool held_back(struct stall *s, enum stall_kind kind)
{
	s->kind = kind;
	return stall_now(s);
}

void bench_queue(struct bench *b, unsigned port, const struct ref_req *req, const struct ref_rsp *rsp)
{
	struct bench_port *p = &b->port[port];
	if (p->queued - p->retired >= BENCH_QUEUE) {
		fprintf(stderr, "core_bench: queue of port %u is full\n", port);
		exit(2);
	}
	p->req[p->queued % BENCH_QUEUE] = *req;
	p->rsp[p->queued % BENCH_QUEUE] = *rsp;
	trace_forget(b, port, p->queued);
	p->queued++;
}

/* Puts the current beat of a port on its pins. Header fields of later beats are noise: the core must ignore the
 * fields. */
static void drive(struct bench *b, unsigned port)
{
	const struct bench_port *p = &b->port[port];
	const struct ref_req *r = &p->req[p->sent % BENCH_QUEUE];
	struct bench_pins *pin = &b->pin;
	uint32_t word[4], first = p->send_beat == 0, noise = (uint32_t)bench_random(b);
	ref_word(r, word);
	for (unsigned i = 0; i < 4; i++) {
		pin_set(pin->req_word_i, port * 128 + i * 32, 32, first ? word[i] : noise * (i + 3));
	}
	pin_set(pin->req_tag_i, port * 22, 22, first ? r->tag : noise & 0x3fffff);
	pin_set(pin->req_mask_i, port * 32, 32, first ? r->mask : noise);
	pin_set(pin->req_slot_i, port * 4, 4, first ? r->slot : noise & 15);
	pin_set(pin->req_ur_i, port * 64, 32, first ? r->ur : noise);
	pin_set(pin->req_ur_i, port * 64 + 32, 32, noise); /* addresses of shared memory have 32 bits */
	pin_set(pin->req_pred_i, port * 32, 32, noise);
	for (unsigned l = 0; l < b->lanes; l++) {
		unsigned lane = p->send_beat * b->lanes + l, at = port * b->lanes + l;
		memcpy(pin->req_ra_i + at * 8, &r->ra[lane], 8);
		memcpy(pin->req_rb_i + at * 16, r->rb[lane], 16);
		memcpy(pin->req_rc_i + at * 16, r->rc[lane], 16);
	}
}

/* EXIT has a single beat, any other request of these units a beat for each group of lanes. */
static unsigned beats_of(const struct bench *b, const struct ref_req *r)
{
	return r->kind == REF_EXIT ? 1 : b->beats;
}

static void offer(struct bench *b, unsigned port)
{
	struct bench_port *p = &b->port[port];
	bool held = held_back(&p->in, b->stall_in);
	held = held || (b->stopped >> port & 1 && p->send_beat == 1);
	if (!p->offering && p->sent != p->queued && !held) {
		p->offering = true;
		drive(b, port);
	}
	pin_set(b->pin.req_valid_i, port, 1, p->offering);
}

/* Compares the response beat of a port with the expected beat. */
static void compare(struct bench *b, unsigned port)
{
	struct bench_port *p = &b->port[port];
	const struct ref_rsp *e = &p->rsp[p->retired % BENCH_QUEUE];
	const struct ref_req *r = &p->req[p->retired % BENCH_QUEUE];
	const struct bench_pins *pin = &b->pin;
	bool last = p->recv_beat == beats_of(b, r) - 1;
	if (p->retired == p->sent && p->recv_beat >= p->send_beat) {
		bench_error(b, "port %u: a response that nothing asked for", port);
		return;
	}
	uint32_t tag = pin_get(pin->rsp_tag_o, port * 22, 22);
	if (tag != e->tag || pin_get(pin->rsp_last_o, port, 1) != last) {
		bench_error(b, "port %u: tag %x last %u, expected %x %d", port, tag, pin_get(pin->rsp_last_o, port, 1),
		            e->tag, last);
	}
	unsigned any_fault = 0;
	for (unsigned l = 0; l < b->lanes; l++) {
		unsigned lane = p->recv_beat * b->lanes + l, at = port * b->lanes + l;
		uint32_t data[4], mask = pin_get(pin->rsp_mask_o, at, 1), fault = pin_get(pin->rsp_fault_o, at * 6, 6);
		memcpy(data, pin->rsp_data_o + at * 16, 16);
		b->faults_seen += fault != 0;
		any_fault |= fault != 0;
		if (mask != (e->mask >> lane & 1) || fault != e->fault[lane] || memcmp(data, e->data[lane], 16) != 0 ||
		    pin_get(pin->rsp_pred_o, at, 1) != 0) {
			bench_error(b,
			            "tag %x (kind %d op %d size %u) lane %u: mask %u fault %u data %08x %08x %08x "
			            "%08x, expected "
			            "%u %u %08x %08x %08x %08x",
			            e->tag, r->kind, r->op, 1u << r->size, lane, mask, fault, data[3], data[2], data[1],
			            data[0], e->mask >> lane & 1, e->fault[lane], e->data[lane][3], e->data[lane][2],
			            e->data[lane][1], e->data[lane][0]);
		}
	}
	if (pin_get(pin->rsp_any_fault_o, port, 1) != any_fault) {
		bench_error(b, "tag %x: rsp_any_fault_o is not %u", e->tag, any_fault);
	}
	uint32_t passes = pin_get(pin->rsp_passes_o, port * 6, 6);
	if (last && passes != e->passes) {
		bench_error(b, "tag %x (kind %d size %u mask %08x): %u passes, expected %u", e->tag, r->kind,
		            1u << r->size, r->mask, passes, e->passes);
	}
	b->passes_seen += last ? passes : 0;
}

static void take_responses(struct bench *b, unsigned port)
{
	struct bench_port *p = &b->port[port];
	if (!(pin_get(b->pin.rsp_valid_o, port, 1) && pin_get(b->pin.rsp_ready_i, port, 1))) {
		return;
	}
	compare(b, port);
	b->beats_seen++;
	if (++p->recv_beat == beats_of(b, &p->req[p->retired % BENCH_QUEUE])) {
		p->recv_beat = 0;
		trace_retire(b, port);
		p->retired++;
		b->inflight--;
		b->retire_cycle[b->retires++ % BENCH_RETIRES] = b->cycle;
	}
}

static void take_requests(struct bench *b, unsigned port)
{
	struct bench_port *p = &b->port[port];
	if (!(p->offering && pin_get(b->pin.req_ready_o, port, 1))) {
		return;
	}
	if (p->send_beat == 0 && ++b->inflight > b->inflight_max) {
		b->inflight_max = b->inflight;
	}
	p->offering = false;
	if (++p->send_beat == beats_of(b, &p->req[p->sent % BENCH_QUEUE])) {
		p->send_beat = 0;
		p->sent++;
	}
}

/* The core is not idle while whole requests are in flight. A half-sent request may already be forgotten. */
static void check_idle(struct bench *b)
{
	unsigned half = 0;
	for (unsigned port = 0; port < b->ports; port++) {
		half += b->port[port].send_beat != 0;
	}
	if (b->inflight > half && *b->pin.idle_o) {
		bench_error(b, "idle_o with %u requests in flight", b->inflight);
	}
}

/* A COMMIT may call a word forwarded only if another pass wrote the word in the cycle of this pass's read, and must if
 * this pass writes the word, too. The cycle of the read is the cycle before the COMMIT; two cycles before for sums by
 * adders in two stages. The lean form has no such cycle: its passes are further apart than the kept cycles. No pass
 * commits in between. */
static void check_forwarding(struct bench *b)
{
	const struct bench_pins *p = &b->pin;
	uint32_t wrote = 0, row_now[32];
	if (*p->trace_atoms_pipe_commit_valid_o) {
		const unsigned ago = b->lean ? 2 : b->trace.sums && b->fp_stages == 2 ? 1 : 0;
		uint32_t fwd = pin_get(p->trace_atoms_pipe_commit_fwd_o, 0, b->banks);
		for (unsigned k = 0; k < b->banks; k++) {
			uint32_t row = pin_get(p->trace_atoms_pipe_commit_row_o, k * b->row_bits, b->row_bits);
			const bool behind = b->wrote[ago] >> k & 1 && b->wrote_row[ago][k] == row;
			if (pin_get(p->trace_atoms_pipe_commit_we_o, k, 1) && behind && !(fwd >> k & 1)) {
				bench_error(b, "bank %u, row %u: written by the pass before, but not forwarded", k,
				            row);
			}
			if (fwd >> k & 1 && !behind) {
				bench_error(b, "bank %u, row %u: said to be forwarded, but nothing wrote it", k, row);
			}
			row_now[k] = row;
		}
		wrote = pin_get(p->trace_atoms_pipe_commit_we_o, 0, b->banks);
		for (unsigned i = 0; i < ago; i++) {
			if (b->wrote[i]) {
				bench_error(b, "a pass commits %u cycles behind another one", i + 1);
			}
		}
	}
	memmove(b->wrote + 1, b->wrote, 2 * sizeof b->wrote[0]);
	memmove(b->wrote_row + 1, b->wrote_row, 2 * sizeof b->wrote_row[0]);
	b->wrote[0] = wrote;
	if (wrote) {
		memcpy(b->wrote_row[0], row_now, sizeof b->wrote_row[0]);
	}
}

void bench_cycle(struct bench *b)
{
	for (unsigned port = 0; port < b->ports; port++) {
		offer(b, port);
		bool held = held_back(&b->port[port].out, b->stall_out) || (b->deaf >> port & 1);
		pin_set(b->pin.rsp_ready_i, port, 1, !held);
	}
	b->model.eval(b->model.self);
	check_idle(b);
	trace_cycle(b);
	check_forwarding(b);
	if (b->watch) {
		b->watch(b);
	}
	for (unsigned port = 0; port < b->ports; port++) {
		take_responses(b, port);
		take_requests(b, port);
	}
	tick(b);
}

void bench_drain(struct bench *b)
{
	uint64_t bound = b->cycle + 2000;
	bool busy = true;
	for (unsigned port = 0; port < b->ports; port++) {
		bound += (uint64_t)(b->port[port].queued - b->port[port].retired) * 64 * b->beats *
		         (b->lean ? b->lean_pass : 1);
	}
	while (busy && b->cycle < bound) {
		bench_cycle(b);
		busy = false;
		for (unsigned port = 0; port < b->ports; port++) {
			busy = busy || b->port[port].retired != b->port[port].queued;
		}
	}
	if (busy) {
		bench_error(b, "requests do not retire");
		return;
	}
	/* The handshake of the last response was sampled before its edge; another cycle settles the outputs. */
	bench_cycle(b);
	b->model.eval(b->model.self);
	if (!*b->pin.idle_o || *b->pin.rsp_valid_o) {
		bench_error(b, "everything has retired, but idle_o is %u and rsp_valid_o %x", *b->pin.idle_o,
		            *b->pin.rsp_valid_o);
	}
}

void bench_window(struct bench *b, unsigned slot, const struct ref_window *w)
{
	struct bench_pins *p = &b->pin;
	pin_set(p->cfg_valid_i, 0, 1, 1);
	pin_set(p->cfg_slot_i, 0, 4, slot);
	pin_set(p->cfg_window_valid_i, 0, 1, w->valid);
	pin_set(p->cfg_base_i, 0, 17, w->base);
	pin_set(p->cfg_size_i, 0, 17, w->size);
	pin_set(p->cfg_rank_i, 0, 4, w->rank);
	bench_cycle(b);
	pin_set(p->cfg_valid_i, 0, 1, 0);
	pin_noise(p->cfg_slot_i, 4, &b->rng); /* without meaning from now on */
	pin_noise(p->cfg_window_valid_i, 1, &b->rng);
	pin_noise(p->cfg_base_i, 17, &b->rng);
	pin_noise(p->cfg_size_i, 17, &b->rng);
	pin_noise(p->cfg_rank_i, 4, &b->rng);
}

bool bench_host_ready(struct bench *b, bool write, uint32_t addr, uint32_t value)
{
	struct bench_pins *p = &b->pin;
	*p->host_valid_i = 1;
	*p->host_write_i = write;
	pin_set(p->host_addr_i, 0, 16, addr);
	pin_set(p->host_wdata_i, 0, 32, value);
	b->model.eval(b->model.self);
	return *p->host_ready_o;
}

/* Offers a host access until it is taken. */
static void host(struct bench *b, bool write, uint32_t addr, uint32_t value)
{
	struct bench_pins *p = &b->pin;
	*p->host_valid_i = 1;
	*p->host_write_i = write;
	pin_set(p->host_addr_i, 0, 16, addr);
	pin_set(p->host_wdata_i, 0, 32, value);
	bool taken = false;
	for (unsigned i = 0; i < 100000 && !taken; i++) {
		b->model.eval(b->model.self);
		taken = *p->host_ready_o;
		bench_cycle(b);
	}
	*p->host_valid_i = 0;
	pin_noise(p->host_write_i, 1, &b->rng);
	pin_noise(p->host_addr_i, 16, &b->rng);
	pin_noise(p->host_wdata_i, 32, &b->rng);
	if (!taken) {
		bench_error(b, "the host port is never ready");
	}
}

void bench_host_write(struct bench *b, uint32_t addr, uint32_t value)
{
	host(b, true, addr, value);
}

uint32_t bench_host_read(struct bench *b, uint32_t addr)
{
	host(b, false, addr, 0);
	bench_cycle(b); /* data comes two cycles after the handshake */
	b->model.eval(b->model.self);
	if (!*b->pin.host_rvalid_o) {
		bench_error(b, "no host_rvalid_o after a read");
	}
	return pin_get(b->pin.host_rdata_o, 0, 32);
}
