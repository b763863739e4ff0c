// SPDX-License-Identifier: Apache-2.0
#include "collective_bench.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { FLAG_RA = 3, FLAG_RB = 4, FLAG_RC = 5, PATIENCE = 5000 };

static void error(struct collective_bench *b, const char *what, uint64_t got, uint64_t want)
{
	if (b->errors++ < 10) {
		printf("cycle %lu: %s is %" PRIx64 ", expected %" PRIx64 "\n", b->cycle, what, got, want);
	}
}

void bench_expect(struct collective_bench *b, const char *what, uint64_t got, uint64_t want)
{
	if (got != want) {
		error(b, what, got, want);
	}
}

/* Operands have 64 or 128 bits a lane; operands not named are random. */
static void drive_beat(struct collective_bench *b)
{
	const struct ref_req *r = &b->req;
	const unsigned at = b->beat * b->lanes;
	const uint32_t b_field = r->rb_used ? (uint32_t)rng_below(&b->rng, 32) : r->imm_b;
	const uint32_t c_field = r->rc_used ? (uint32_t)rng_below(&b->rng, 8192) : r->imm_c;
	const uint32_t size = r->wide ? 3 : r->tag % 3; /* every size except 64 bits means 32 */
	*b->beat_kind_i = (uint8_t)r->kind;
	pin_set(b->beat_port_i, 0, b->ports == 4 ? 2 : 1, b->req_port);
	pin_set(b->beat_tag_i, 0, 22, r->tag);
	pin_set(b->beat_ctl_i, 0, 32,
	        r->op | (uint32_t)r->sgn << 3 | size << 4 | b_field << 6 | c_field << 11 | (uint32_t)r->to_rd << 24 |
	                (uint32_t)r->to_urd << 25 | (uint32_t)r->to_pd << 26 |
	                (uint32_t)(r->kind == REF_FREDUX ? r->nan : rng_below(&b->rng, 2)) << 27);
	*b->beat_flags_i = (uint8_t)(r->ra_used << FLAG_RA | r->rb_used << FLAG_RB | r->rc_used << FLAG_RC);
	*b->beat_index_i = (uint8_t)b->beat;
	*b->beat_last_i = b->beat + 1 == b->beats;
	pin_set(b->beat_mask_i, 0, 32, r->mask >> at);
	pin_set(b->beat_pred_i, 0, 32, r->pred >> at);
	for (unsigned l = 0; l < b->lanes; l++) {
		pin_set(b->beat_ra_i, l * 64, 32, (uint32_t)r->ra[at + l]);
		pin_set(b->beat_ra_i, l * 64 + 32, 32, (uint32_t)(r->ra[at + l] >> 32));
		pin_set(b->beat_rb_i, l * 128, 32, r->rb[at + l]);
		pin_set(b->beat_rc_i, l * 128, 32, r->rc[at + l]);
		pin_set(b->beat_rb_i, l * 128 + 64, 32, rng_u32(&b->rng));
		pin_set(b->beat_rc_i, l * 128 + 32, 32, rng_u32(&b->rng));
	}
}

/* No beat: random values, with a kind of the unit. */
static void drive_nothing(struct collective_bench *b)
{
	*b->beat_kind_i = (uint8_t)rng_below(&b->rng, REF_KINDS);
	pin_noise(b->beat_tag_i, 22, &b->rng);
	pin_noise(b->beat_ctl_i, 28, &b->rng);
	pin_noise(b->beat_index_i, b->beats > 1 ? (unsigned)__builtin_ctz(b->beats) : 0, &b->rng);
	*b->beat_last_i = rng_below(&b->rng, 2) != 0;
	pin_noise(b->beat_mask_i, b->lanes, &b->rng);
	pin_noise(b->beat_pred_i, b->lanes, &b->rng);
	pin_noise(b->beat_ra_i, b->lanes * 64, &b->rng);
	pin_noise(b->beat_rb_i, b->lanes * 128, &b->rng);
	pin_noise(b->beat_rc_i, b->lanes * 128, &b->rng);
}

/* Drives the bus like the arbiter of sync_core: with several ports only requests with room begin. Sometimes a request
 * without room is offered all the same, and must stand. */
static void drive_bus(struct collective_bench *b, bool more)
{
	const bool stalled = stall_now(&b->in);
	if (!b->offered && more && !stalled) {
		b->req_port = rng_below(&b->rng, b->ports);
		for (unsigned i = 0; i < b->ports && !pin_get(b->room_o, b->req_port, 1) && rng_below(&b->rng, 16);
		     i++) {
			b->req_port = (b->req_port + 1) % b->ports;
		}
		b->offered = b->next(b->self, b->req_port, &b->req);
		b->no_more = !b->offered;
		b->beat = 0;
	}
	*b->beat_valid_i = b->offered && !(stalled && b->beat);
	if (*b->beat_valid_i) {
		drive_beat(b);
	} else {
		drive_nothing(b);
	}
}

static void check_commit(struct collective_bench *b)
{
	const bool commit = *b->trace_commit_valid_o;
	const bool due = b->first_commit != b->last_commit && b->commit[b->first_commit % QUEUE].cycle == b->cycle;
	bench_expect(b, "trace_commit_valid_o", commit, due);
	bench_expect(b, "done_valid_o", *b->done_valid_o, due);
	if (commit && due) {
		bench_expect(b, "trace_commit_tag_o", pin_get(b->trace_commit_tag_o, 0, 22),
		             b->commit[b->first_commit % QUEUE].tag);
		bench_expect(b, "trace_commit_lanes_o", pin_get(b->trace_commit_lanes_o, 0, 32),
		             b->commit[b->first_commit % QUEUE].mask);
		bench_expect(b, "done_warp_o", *b->done_warp_o, b->commit[b->first_commit % QUEUE].tag >> 16);
	}
	b->first_commit += due;
}

/* Timing of the lean form: cycles from a beat of answers, or the COMMIT, to the next beat. An executing lane takes a
 * cycle for each value read, and another cycle; any other lane takes a cycle. */
static unsigned lean_cycles(const struct collective_bench *b, unsigned kind, uint32_t mask, unsigned beat)
{
	const unsigned each = kind == REF_SHFL ? 3 : kind == REF_MATCH ? 3 + REF_LANES : 1;
	unsigned cycles = 0;
	for (unsigned l = beat * b->lanes; l < (beat + 1) * b->lanes; l++) {
		cycles += mask >> l & 1 ? each : 1;
	}
	return cycles;
}

unsigned long bench_lean_period(const struct collective_bench *b, const struct ref_req *r)
{
	unsigned long cycles = TO_COMMIT + LEAN_FOLD + REF_LANES - 1; /* lanes of the next request come in turn, too */
	for (unsigned beat = 0; beat < b->beats; beat++) {
		cycles += lean_cycles(b, r->kind, r->mask, beat) + 1;
	}
	return cycles;
}

/* A beat of answers against its part of the record. */
static void check_beat(struct collective_bench *b, unsigned p, const struct owed *o)
{
	const unsigned at = p * (30 + b->lanes * 8), lanes = b->lanes, first = b->out_beat[p] * lanes;
	const uint32_t part = lanes == 32 ? UINT32_MAX : (UINT32_C(1) << lanes) - 1;
	bench_expect(b, "tag of the answer", pin_get(b->rsp_o, at, 22), o->rsp.tag);
	bench_expect(b, "last", pin_get(b->rsp_o, at + 22, 1), b->out_beat[p] + 1 == b->beats);
	bench_expect(b, "passes", pin_get(b->rsp_o, at + 23, 6), 1);
	bench_expect(b, "written lanes", pin_get(b->rsp_o, at + 29, lanes), o->rsp.written >> first & part);
	bench_expect(b, "predicates", pin_get(b->rsp_o, at + 29 + lanes, lanes), o->rsp.preds >> first & part);
	bench_expect(b, "any fault", pin_get(b->rsp_o, at + 29 + 2 * lanes, 1), 0);
	for (unsigned l = 0; l < lanes; l++) {
		bench_expect(b, "fault", pin_get(b->rsp_o, at + 30 + 2 * lanes + l * 6, 6), 0);
		bench_expect(b, "word", pin_get(b->rsp_data_o, (p * lanes + l) * 128, 32), o->rsp.word[first + l]);
		for (unsigned k = 1; k < 4; k++) {
			bench_expect(b, "upper words", pin_get(b->rsp_data_o, (p * lanes + l) * 128 + k * 32, 32), 0);
		}
	}
}

static void check_answers(struct collective_bench *b)
{
	for (unsigned p = 0; p < b->ports; p++) {
		struct owed *o = &b->owed[p][b->first[p] % QUEUE];
		const bool valid = pin_get(b->rsp_valid_o, p, 1);
		const bool open = !stall_now(&b->out[p]);
		pin_set(b->rsp_take_i, p, 1, valid && open);
		if (b->lean) {
			bench_expect(b, "rsp_valid_o", valid, b->first[p] != b->last[p] && b->cycle >= b->due);
		}
		if (!valid) {
			if (!b->lean && b->first[p] != b->last[p] && b->cycle > o->taken + TO_ANSWER && o->alone) {
				bench_expect(b, "cycle of an answer", b->cycle, o->taken + TO_ANSWER);
			}
			continue;
		}
		if (b->first[p] == b->last[p]) {
			error(b, "an answer that nobody asked for", pin_get(b->rsp_o, p * (30 + b->lanes * 8), 22), 0);
			continue;
		}
		if (!b->lean && !o->seen && b->cycle < o->taken + TO_ANSWER) {
			bench_expect(b, "cycle of an answer", b->cycle, o->taken + TO_ANSWER);
		}
		o->seen = true;
		check_beat(b, p, o);
		if (!open) {
			continue;
		}
		b->promised[p]--;
		b->out_beat[p] = (b->out_beat[p] + 1) % b->beats;
		b->due = b->cycle + 1 + lean_cycles(b, o->kind, o->mask, b->out_beat[p]);
		b->first[p] += b->out_beat[p] == 0;
		b->answered += b->out_beat[p] == 0;
	}
}

static void check_take(struct collective_bench *b)
{
	const bool ready = *b->beat_ready_o;
	if (!*b->beat_valid_i) {
		return;
	}
	if (b->lean) {
		b->shown += !b->busy;
		bench_expect(b, "beat_ready_o", ready, !b->busy && b->shown == b->lanes);
		b->shown %= b->lanes;
		b->refused += b->busy;
	} else if (b->beat) {
		bench_expect(b, "beat_ready_o of a request that was let in", ready, 1);
	} else {
		bench_expect(b, "beat_ready_o", ready, pin_get(b->room_o, b->req_port, 1));
		b->refused += !ready;
	}
	if (!ready) {
		return;
	}
	b->beats_taken++;
	b->promised[b->req_port] += b->beat ? 0 : b->beats;
	if (++b->beat < b->beats) {
		return;
	}
	struct owed *o = &b->owed[b->req_port][b->last[b->req_port] % QUEUE];
	o->alone = b->first[b->req_port] == b->last[b->req_port] && b->out[b->req_port].kind == STALL_NEVER;
	o->seen = false;
	o->taken = b->cycle;
	o->mask = b->req.mask;
	o->kind = b->req.kind;
	b->due = b->cycle + TO_COMMIT + LEAN_FOLD + lean_cycles(b, b->req.kind, b->req.mask, 0);
	ref_run(&b->req, &o->rsp);
	collective_count(&b->seen, &b->req, &o->rsp);
	b->last[b->req_port]++;
	b->commit[b->last_commit % QUEUE].cycle = b->cycle + TO_COMMIT;
	b->commit[b->last_commit % QUEUE].tag = b->req.tag;
	b->commit[b->last_commit++ % QUEUE].mask = b->req.mask;
	b->offered = false;
	b->taken++;
}

bool bench_owes(const struct collective_bench *b)
{
	for (unsigned p = 0; p < b->ports; p++) {
		if (b->first[p] != b->last[p]) {
			return true;
		}
	}
	return false;
}

static void edge(struct collective_bench *b)
{
	*b->clk_i = 1;
	b->model.eval(b->model.self);
	*b->clk_i = 0;
	b->model.eval(b->model.self);
	b->cycle++;
}

/* A run without progress ends. */
static void watch(struct collective_bench *b)
{
	b->still = b->moved == b->taken + b->answered ? b->still + 1 : 0;
	b->moved = b->taken + b->answered;
	if (b->still > PATIENCE) {
		error(b, "cycles in which nothing was taken and nothing answered", b->still, 0);
		b->still = 0;
	}
}

/* A request may enter while all its answers have room; in the lean form, while no request is under way. */
static void check_room(struct collective_bench *b)
{
	for (unsigned p = 0; p < b->ports; p++) {
		bench_expect(b, "room_o", pin_get(b->room_o, p, 1),
		             b->lean ? !b->busy : b->promised[p] + b->beats <= b->depth);
	}
}

void bench_cycle(struct collective_bench *b, bool more)
{
	watch(b);
	drive_bus(b, more);
	b->model.eval(b->model.self);
	b->busy = bench_owes(b);
	check_room(b);
	bench_expect(b, "idle_o", *b->idle_o, !b->busy);
	check_commit(b);
	check_answers(b);
	b->model.eval(b->model.self);
	check_take(b);
	edge(b);
}

void bench_reset(struct collective_bench *b)
{
	*b->rst_i = 1;
	*b->beat_valid_i = 0;
	pin_set(b->rsp_take_i, 0, b->ports, 0);
	edge(b);
	*b->rst_i = 0;
	b->offered = false;
	b->shown = 0;
	memset(b->first, 0, sizeof b->first);
	memset(b->last, 0, sizeof b->last);
	memset(b->out_beat, 0, sizeof b->out_beat);
	memset(b->promised, 0, sizeof b->promised);
	b->first_commit = b->last_commit = 0;
}

void bench_stalls(struct collective_bench *b, enum stall_kind in, enum stall_kind out)
{
	b->in = (struct stall){.kind = in, .rng = rng_seed(rng_next(&b->rng), 9)};
	for (unsigned p = 0; p < b->ports; p++) {
		b->out[p] = (struct stall){.kind = out, .rng = rng_seed(rng_next(&b->rng), p)};
	}
}

void bench_drain(struct collective_bench *b)
{
	for (unsigned i = 0; (bench_owes(b) || b->offered) && b->errors == 0; i++) {
		if (i > PATIENCE) {
			error(b, "requests without an answer", 1, 0);
		}
		bench_cycle(b, false);
	}
}

void bench_open(struct collective_bench *b, const struct bench_args *a)
{
	b->model = a->model;
	b->rng = rng_seed(a->seed, 0);
	b->lean = strstr(a->path, "warp_collective_lean") != NULL;
	b->lanes = model_param(&b->model, "Lanes", 32);
	b->ports = model_param(&b->model, "Ports", 1);
	b->beats = 32 / b->lanes;
	b->depth = model_param(&b->model, "Answers", (b->lanes < 16 ? 128 : 256) / b->lanes);
	PINS_FIND(warp_collective, b, &b->model);
	b->model.eval(b->model.self); /* with the clock low: else the model misses the first edge, and so the reset */
}
