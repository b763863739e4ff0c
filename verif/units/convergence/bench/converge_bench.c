// SPDX-License-Identifier: Apache-2.0
#include "converge_bench.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
	PATIENCE = 5000,
	WARP_MASK_SELF = 24, /* codes: "Faults" of docs/units/convergence.md */
	WARP_MASK_MISMATCH = 25
};

void bench_error(struct converge_bench *b, const char *what, uint64_t got, uint64_t want)
{
	if (b->errors++ < 10) {
		printf("cycle %lu: %s is %" PRIx64 ", expected %" PRIx64 "\n", b->cycle, what, got, want);
	}
}

void bench_expect(struct converge_bench *b, const char *what, uint64_t got, uint64_t want)
{
	if (got != want) {
		bench_error(b, what, got, want);
	}
}

unsigned bench_below(struct converge_bench *b, unsigned n)
{
	return rng_below(&b->rng, n);
}

/* ---- outputs ---- */

static void check_commit(struct converge_bench *b)
{
	const struct request *r = &b->commit;
	const bool due = b->commits && b->cycle == r->due;
	const uint32_t bad = r->bad.self | r->bad.mismatch;
	bench_expect(b, "trace_commit_valid_o", *b->trace_commit_valid_o, due && r->mask & ~bad);
	bench_expect(b, "trace_fault_valid_o", *b->trace_fault_valid_o, due && bad);
	bench_expect(b, "done_valid_o", *b->done_valid_o, due && !r->header);
	if (!due) {
		return;
	}
	if (bad) {
		bench_expect(b, "trace_fault_tag_o", pin_get(b->trace_fault_tag_o, 0, 22), r->tag);
		bench_expect(b, "trace_fault_lanes_o: self", pin_get(b->trace_fault_lanes_o, 0, 32), r->bad.self);
		bench_expect(b, "trace_fault_lanes_o: mismatch", pin_get(b->trace_fault_lanes_o, 32, 32),
		             r->bad.mismatch);
	}
	if (r->mask & ~bad) {
		bench_expect(b, "trace_commit_tag_o", pin_get(b->trace_commit_tag_o, 0, 22), r->tag);
		bench_expect(b, "trace_commit_lanes_o", pin_get(b->trace_commit_lanes_o, 0, 32), r->mask & ~bad);
		bench_expect(b, "trace_commit_value_o", pin_get(b->trace_commit_value_o, 0, 32), r->ready);
	}
	if (!r->header) {
		bench_expect(b, "done_warp_o", *b->done_warp_o, r->tag >> 16);
	}
	b->commits = false;
	b->filled = b->cycle + b->lanes + LEAN_START;
}

static void check_beat(struct converge_bench *b, unsigned p, const struct request *r)
{
	const unsigned at = p * (30 + b->lanes * 8), lanes = b->lanes, first = b->out_beat[p] * lanes;
	const uint32_t part = lanes == 32 ? UINT32_MAX : (UINT32_C(1) << lanes) - 1;
	const bool reads = r->op.kind == REF_CLEAR || r->op.kind == REF_B2R;
	const uint32_t self = r->bad.self >> first & part, mismatch = r->bad.mismatch >> first & part;
	const uint32_t taken = r->mask >> first & part & ~(self | mismatch);
	const uint32_t written = r->header ? 1 : reads && !r->to_rd ? 0 : taken;
	bench_expect(b, "tag of the answer", pin_get(b->rsp_o, at, 22), r->tag);
	bench_expect(b, "last", pin_get(b->rsp_o, at + 22, 1), r->header || b->out_beat[p] + 1 == b->beats);
	bench_expect(b, "passes", pin_get(b->rsp_o, at + 23, 6), 1);
	bench_expect(b, "written lanes", pin_get(b->rsp_o, at + 29, lanes), written);
	bench_expect(b, "predicates", pin_get(b->rsp_o, at + 29 + lanes, lanes), 0);
	bench_expect(b, "any fault", pin_get(b->rsp_o, at + 29 + 2 * lanes, 1), (self | mismatch) != 0);
	for (unsigned l = 0; l < lanes; l++) {
		const uint32_t word = !(written >> l & 1) ? 0 : reads ? r->old[first + l] : r->ready;
		const unsigned code = self >> l & 1 ? WARP_MASK_SELF : mismatch >> l & 1 ? WARP_MASK_MISMATCH : 0;
		bench_expect(b, "fault", pin_get(b->rsp_o, at + 30 + 2 * lanes + l * 6, 6), code);
		bench_expect(b, "word", pin_get(b->rsp_data_o, (p * lanes + l) * 128, 32), word);
		for (unsigned k = 1; k < 4; k++) {
			bench_expect(b, "upper words", pin_get(b->rsp_data_o, (p * lanes + l) * 128 + k * 32, 32), 0);
		}
	}
}

static void check_answers(struct converge_bench *b)
{
	for (unsigned p = 0; p < b->ports; p++) {
		struct request *o = &b->owed[p][b->first[p] % WARPS];
		const bool valid = pin_get(b->rsp_valid_o, p, 1);
		const bool open = !stall_now(&b->out[p]);
		const unsigned long soon = o->due + TO_ANSWER - TO_COMMIT;
		pin_set(b->rsp_take_i, p, 1, valid && open);
		if (b->lean && b->first[p] != b->last[p]) {
			bench_expect(b, "rsp_valid_o", valid, !b->commits && b->cycle >= b->filled);
		}
		if (!valid) {
			/* beats of a lone answer come one a cycle, and are taken at once */
			if (!b->lean && b->first[p] != b->last[p] && o->alone && b->cycle >= soon + b->out_beat[p]) {
				bench_expect(b, "cycle of an answer", b->cycle, soon + b->out_beat[p]);
			}
			continue;
		}
		if (b->first[p] == b->last[p]) {
			bench_error(b, "an answer that nobody asked for",
			            pin_get(b->rsp_o, p * (30 + b->lanes * 8), 22), 0);
			continue;
		}
		if (!o->seen && b->cycle < soon) {
			bench_expect(b, "cycle of an answer", b->cycle, soon);
		}
		o->seen = true;
		check_beat(b, p, o);
		if (!open) {
			continue;
		}
		b->promised[p]--;
		b->filled = b->cycle + b->lanes + LEAN_START;
		b->out_beat[p] = o->header ? 0 : (b->out_beat[p] + 1) % b->beats;
		if (b->out_beat[p] == 0) {
			b->first[p]++;
			b->answered++;
			b->warp[o->tag >> 16].asked = false;
		}
	}
}

/* Barriers with waiting lanes at a YIELD. */
static uint32_t walks(const struct ref_warp *w)
{
	uint32_t bars = 0;
	for (unsigned l = 0; l < REF_LANES; l++) {
		bars |= w->lane[l].waits && !w->lane[l].at_warpsync ? UINT32_C(1) << w->lane[l].place : 0;
	}
	return (uint32_t)__builtin_popcount(bars);
}

static void count_misuse(struct converge_bench *b, const struct request *r)
{
	const uint32_t bad = r->bad.self | r->bad.mismatch;
	b->self += r->bad.self != 0;
	b->mismatch += r->bad.mismatch != 0;
	b->before += r->bad.waiting;
	b->both += r->bad.self && r->bad.mismatch;
	b->all_bad += bad && bad == r->mask;
	b->some_bad += bad && bad != r->mask;
}

/* convergence_lean handles a lane a cycle. Each group of lanes waiting together is judged alone. */
static unsigned long lean_cycles(const struct request *r, const struct ref_seen *before, const struct ref_seen *after)
{
	const unsigned long look = LEAN_LOOK + LEAN_GROUP * (unsigned long)(after->groups - before->groups) +
	                           LEAN_PASS * (unsigned long)(after->rows - before->rows);
	const uint32_t come = r->op.lanes & ~r->bad.self;
	unsigned long masks = 0; /* different masks of a WARPSYNC: all masks are compared */
	for (unsigned l = 0; l < REF_LANES; l++) {
		bool first = come >> l & 1;
		for (unsigned i = 0; i < l && first; i++) {
			first = !(come >> i & 1 && r->op.row[i] == r->op.row[l]);
		}
		masks += first;
	}
	switch (r->op.kind) {
	case REF_BSSY:
		return LEAN_PASS;
	case REF_BSYNC:
		return LEAN_PASS + 1 + look;
	case REF_BREAK:
		return 2 * LEAN_PASS + 1 + look;
	case REF_WARPSYNC:
		return LEAN_LOOK + LEAN_GROUP * masks + 1 + look;
	case REF_YIELD:
	case REF_EXIT:
		return 1 + look;
	default:
		return 0;
	}
}

/* Lean: the words of a beat are taken one by one, after a cycle for the request. */
static bool held_long_enough(const struct converge_bench *b)
{
	const bool words = b->req.op.kind == REF_R2B || b->req.op.kind == REF_WARPSYNC;
	return !b->lean || !words || b->held == (b->beat ? b->lanes - 1 : b->lanes);
}

static void check_take(struct converge_bench *b)
{
	const bool ready = *b->beat_ready_o;
	if (!*b->beat_valid_i) {
		return;
	}
	/* a request begins when the port has room, and ends after the request before has left S */
	const bool room = b->beat != 0 || pin_get(b->room_o, b->req_port, 1);
	bench_expect(b, "beat_ready_o", ready,
	             room && (!*b->beat_last_i || b->cycle >= b->step_free) && held_long_enough(b));
	b->refused += !room;
	b->held += room;
	if (!ready) {
		return;
	}
	b->held = 0;
	b->promised[b->req_port] += b->beat ? 0 : b->req.header ? 1 : b->beats;
	if (!*b->beat_last_i) {
		b->beat++;
		return;
	}
	struct request *o = &b->owed[b->req_port][b->last[b->req_port] % WARPS];
	struct warp *w = &b->warp[b->req.tag >> 16];
	b->req.alone = b->first[b->req_port] == b->last[b->req_port] && b->out[b->req_port].kind == STALL_NEVER;
	b->req.taken = b->cycle;
	b->req.walks = b->req.op.kind == REF_YIELD ? walks(&w->ref) : 0;
	b->req.bad = ref_misused(&w->ref, &b->req.op);
	b->launched.anew[b->req.op.kind] += w->fresh && w->used;
	const struct ref_seen before = b->seen;
	ref_step(&w->ref, &b->req.op, b->req.old, &b->seen);
	b->req.due = b->lean ? b->cycle + LEAN_START + lean_cycles(&b->req, &before, &b->seen)
	                     : b->cycle + TO_COMMIT + b->req.walks;
	b->step_free = b->lean ? 0 : b->req.due + (b->req.header ? 0 : b->beats - 1);
	count_misuse(b, &b->req);
	b->req.ready = ref_ready(&w->ref);
	w->asked = true;
	w->fresh = false;
	w->used = b->req.ready != UINT32_MAX;
	b->kinds[b->req.op.kind]++;
	b->apart += b->req.op.kind == REF_WARPSYNC && b->req.op.apart;
	b->nobody += !b->req.op.lanes;
	b->widest_walk = b->req.walks > b->widest_walk ? b->req.walks : b->widest_walk;
	bench_expect(b, "requests whose COMMIT is still due", b->commits, 0);
	b->commits = true;
	b->commit = *o = b->req;
	b->last[b->req_port]++;
	b->offered = false;
	b->taken++;
}

/* ---- cycles ---- */

static bool owes(struct converge_bench *b)
{
	for (unsigned p = 0; p < b->ports; p++) {
		if (b->first[p] != b->last[p]) {
			return true;
		}
	}
	return false;
}

static void edge(struct converge_bench *b)
{
	*b->clk_i = 1;
	b->model.eval(b->model.self);
	*b->clk_i = 0;
	b->model.eval(b->model.self);
	b->cycle++;
}

/* A run without progress ends. */
static void watch(struct converge_bench *b)
{
	b->still = b->moved == b->taken + b->answered ? b->still + 1 : 0;
	b->moved = b->taken + b->answered;
	if (b->still > PATIENCE) {
		bench_error(b, "cycles in which nothing was taken and nothing answered", b->still, 0);
		b->still = 0;
	}
}

void bench_cycle(struct converge_bench *b, bool more)
{
	watch(b);
	drive_launch(b);
	drive_bus(b, more);
	b->model.eval(b->model.self);
	for (unsigned p = 0; p < b->ports; p++) {
		drive_exit(b, p);
	}
	for (unsigned p = 0; p < b->ports; p++) {
		bench_expect(b, "room_o", pin_get(b->room_o, p, 1), b->promised[p] + b->beats <= b->room);
	}
	bench_expect(b, "idle_o", *b->idle_o, !owes(b));
	check_commit(b);
	check_answers(b);
	b->model.eval(b->model.self);
	check_take(b);
	edge(b);
}

void bench_open(struct converge_bench *b, const struct bench_args *a)
{
	b->model = a->model;
	b->lean = bench_has(a, "--lean");
	b->lanes = model_param(&b->model, "Lanes", 32);
	b->ports = model_param(&b->model, "Ports", 1);
	b->warps = model_param(&b->model, "Warps", WARPS);
	b->beats = 32 / b->lanes;
	b->room = b->lean ? b->beats : model_param(&b->model, "Answers", (b->lanes < 16 ? 64 : 128) / b->lanes);
	PINS_FIND(convergence, b, &b->model);
	b->rng = rng_seed(a->seed, 0);
	b->model.eval(b->model.self); /* clock low, ready for the next edge */
}

void bench_reset(struct converge_bench *b)
{
	*b->rst_i = 1;
	*b->beat_valid_i = *b->cta_valid_i = 0;
	pin_set(b->rsp_take_i, 0, b->ports, 0);
	edge(b);
	*b->rst_i = 0;
	b->offered = b->commits = false;
	memset(b->first, 0, sizeof b->first);
	memset(b->last, 0, sizeof b->last);
	memset(b->out_beat, 0, sizeof b->out_beat);
	memset(b->promised, 0, sizeof b->promised);
	b->next.due = false;
	b->step_free = 0;
	b->held = 0;
	for (unsigned w = 0; w < b->warps; w++) {
		const bool used = b->warp[w].used;
		b->warp[w] = (struct warp){.slot = w * SLOTS / b->warps, .born = REF_LANES, .used = used};
		ref_launch(&b->warp[w].ref, REF_LANES, 32);
	}
}

void bench_stalls(struct converge_bench *b, enum stall_kind in, enum stall_kind out)
{
	b->in = (struct stall){.kind = in, .rng = rng_seed(rng_next(&b->rng), 9)};
	for (unsigned p = 0; p < b->ports; p++) {
		b->out[p] = (struct stall){.kind = out, .rng = rng_seed(rng_next(&b->rng), p)};
	}
}

void bench_drain(struct converge_bench *b)
{
	for (unsigned i = 0; (owes(b) || b->offered) && b->errors == 0; i++) {
		if (i > PATIENCE) {
			bench_error(b, "requests without an answer", 1, 0);
		}
		bench_cycle(b, false);
	}
}

/* BMOV brings the row, the same for all lanes; without a row each lane gets a random word. */
static void ask(struct converge_bench *b, unsigned w, enum ref_kind kind, unsigned bar, uint32_t lanes,
                const uint32_t *row)
{
	b->req = (struct request){.op = {.kind = kind, .bar = bar, .lanes = lanes}, .mask = lanes, .pred = UINT32_MAX};
	b->req.tag = w << 16 | (b->serial++ & 0xffff);
	b->req.slot = b->warp[w].slot;
	b->req.header = kind != REF_B2R && kind != REF_R2B && kind != REF_CLEAR;
	b->req.to_rd = true;
	for (unsigned l = 0; l < REF_LANES && kind == REF_R2B; l++) {
		b->req.op.row[l] = row ? *row : rng_u32(&b->rng);
		b->req.src = SRC_REG;
		b->req.ra_used = true;
	}
	b->req_port = w % b->ports;
	b->beat = 0;
	b->offered = true;
}

void bench_do(struct converge_bench *b, unsigned w, const struct ref_op *op)
{
	const bool chooses = op->kind == REF_BSYNC || op->kind == REF_BREAK;
	ask(b, w, op->kind, op->bar, op->lanes, op->row);
	b->req.op = *op;
	b->req.mask = chooses ? ref_ready(&b->warp[w].ref) : op->lanes;
	b->req.pred = chooses ? op->lanes : UINT32_MAX;
	if (op->kind == REF_WARPSYNC) {
		b->req.header = false;
		b->req.src = SRC_REG;
		b->req.ra_used = true;
	}
	bench_drain(b);
}

void bench_ask(struct converge_bench *b, unsigned w, enum ref_kind kind, unsigned bar, uint32_t lanes)
{
	ask(b, w, kind, bar, lanes, NULL);
	bench_drain(b);
}

void bench_put(struct converge_bench *b, unsigned w, unsigned bar, uint32_t lanes, uint32_t set)
{
	ask(b, w, REF_R2B, bar, lanes, &set);
	bench_drain(b);
}

void bench_offer(struct converge_bench *b, unsigned w, enum ref_kind kind, unsigned bar, uint32_t lanes)
{
	ask(b, w, kind, bar, lanes, NULL);
}

void bench_renew(struct converge_bench *b, unsigned w)
{
	drop_cta(b, b->warp[w].slot);
	b->next = (struct cta){.due = true, .slot = w % SLOTS, .first = w, .warps = 1, .lanes = REF_LANES};
	bench_cycle(b, false);
}

unsigned bench_warp(struct converge_bench *b, unsigned n)
{
	if (n >= b->warps) {
		bench_renew(b, n % b->warps);
	}
	return n % b->warps;
}

void bench_ask_any(struct converge_bench *b, unsigned w)
{
	struct request r;
	for (unsigned tries = 0; tries < 4; tries++) {
		if (draw_request(b, &r, w)) {
			b->req = r;
			b->req_port = w % b->ports;
			b->beat = 0;
			b->offered = true;
			bench_drain(b);
			return;
		}
	}
}
