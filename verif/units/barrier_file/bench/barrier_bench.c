// SPDX-License-Identifier: Apache-2.0
#include "barrier_bench.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void error(struct barrier_bench *b, const char *what, unsigned port, uint64_t got, uint64_t want)
{
	if (b->errors++ < 10) {
		printf("cycle %lu, port %u: %s is %" PRIx64 ", expected %" PRIx64 "\n", b->cycle, port, what, got,
		       want);
	}
}

void bench_expect(struct barrier_bench *b, const char *what, unsigned port, uint64_t got, uint64_t want)
{
	if (got != want) {
		error(b, what, port, got, want);
	}
}

static uint64_t get_warps(const struct barrier_bench *b, const uint8_t *pin, unsigned at)
{
	uint64_t v = pin_get(pin, at, b->warps < 32 ? b->warps : 32);
	return b->warps > 32 ? v | (uint64_t)pin_get(pin, at + 32, b->warps - 32) << 32 : v;
}

static unsigned below(struct barrier_bench *b, unsigned n)
{
	return rng_below(&b->rng, n);
}

/* ---- what goes in ------------------------------------------------------------------------------------------------ */

static bool find_closed(struct barrier_bench *b, unsigned *slot)
{
	for (unsigned i = 0, at = below(b, b->slots); i < b->slots; i++, at = (at + 1) % b->slots) {
		if (!b->ref.cta[at].open) {
			*slot = at;
			return true;
		}
	}
	return false;
}

/* A count of a single bit that no phase can have: no multiple of 32, or more than the CTA's threads. */
static void misuse_of_one_bit(struct barrier_bench *b, unsigned slot, struct script_op *op)
{
	*op = (struct script_op){.faults = true};
	op->request.kind = (uint8_t)below(b, BAR_RESULT);
	op->request.form = BAR_COUNT_IN_RB;
	op->request.id = (uint8_t)below(b, b->barriers);
	do {
		op->request.rb = UINT32_C(1) << below(b, 32);
	} while (op->request.rb % 32 == 0 && op->request.rb / 32 <= b->ref.cta[slot].launched);
}

/* Makes the next request of a warp complete; false: it is left out. */
static bool next_op(struct barrier_bench *b, unsigned warp, struct script_op *op)
{
	struct script_warp *s = &b->script[warp];
	unsigned slot = b->slot_of[warp];
	if (b->mixed && below(b, 64) == 0) {
		misuse_of_one_bit(b, slot, op);
	} else {
		*op = s->op[s->first];
		s->first = (s->first + 1) % SCRIPT_OPS;
		s->count--;
	}
	if (op->closed && !find_closed(b, &slot)) {
		return false;
	}
	b->closed[slot] += op->closed;
	op->request.slot = (uint8_t)slot;
	op->request.warp = (uint8_t)warp;
	/* for a while everybody says yes, with all lanes: the greatest results there are */
	bool all = b->wholly || b->cycle >> 8 & 1;
	op->request.mask = all || below(b, 2) ? UINT32_MAX : rng_u32(&b->rng) | UINT32_C(1) << below(b, 32);
	/* any lanes; of those that live nobody, or everybody, or one, or all but one */
	uint32_t votes = rng_u32(&b->rng), live = op->request.mask, one = UINT32_C(1) << below(b, 32);
	switch (below(b, 8)) {
	case 0:
	case 1:
		votes &= ~live;
		break;
	case 2:
	case 3:
		votes |= live;
		break;
	case 4:
		votes = (votes & ~live) | one;
		break;
	case 5:
		votes = (votes | live) & ~one;
		break;
	default:
		break;
	}
	op->request.pred = all ? UINT32_MAX : votes;
	return true;
}

static void offer(struct barrier_bench *b, unsigned p)
{
	unsigned ports = b->ports, n = b->warps / ports;
	for (unsigned i = 0, k = below(b, n); i < n; i++, k = (k + 1) % n) {
		unsigned w = k * ports + p;
		if (b->state[w] == WARP_READY && b->script[w].count && next_op(b, w, &b->port[p].head.op)) {
			b->state[w] = WARP_OFFERED;
			b->port[p].offered = true;
			/* each bit of a tag changes, and none comes twice in four million */
			b->port[p].head.tag = b->serial++ * UINT32_C(0x9e3779b1) & 0x3fffff;
			return;
		}
	}
}

static void drive_head(struct barrier_bench *b, unsigned p)
{
	bool stalled = stall_now(&b->head_stall[p]);
	if (!b->port[p].offered && !stalled) {
		offer(b, p);
	}
	/* where nobody asks anything may stand, as long as the bench sees none of it */
	struct sent nobody = {.tag = rng_u32(&b->rng) & 0x3fffff};
	struct bar_request *any = &nobody.op.request;
	*any = (struct bar_request){.kind = (uint8_t)below(b, 7),
	                            .form = (uint8_t)below(b, 4),
	                            .slot = (uint8_t)below(b, b->slots),
	                            .warp = (uint8_t)(below(b, b->warps / b->ports) * b->ports + p),
	                            .id = (uint8_t)below(b, 16),
	                            .count = (uint16_t)below(b, 4096),
	                            .ra = rng_u32(&b->rng),
	                            .rb = rng_u32(&b->rng),
	                            .mask = rng_u32(&b->rng),
	                            .pred = rng_u32(&b->rng)};
	const struct sent *head = b->port[p].offered ? &b->port[p].head : &nobody;
	const struct bar_request *q = &head->op.request;
	pin_set(b->head_valid_i, p, 1, b->port[p].offered);
	pin_set(b->head_kind_i, p * 3, 3, q->kind);
	pin_set(b->head_form_i, p * 2, 2, q->form);
	pin_set(b->head_tag_i, p * 22, 22, head->tag);
	pin_set(b->head_warp_i, p * b->warp_bits, b->warp_bits, q->warp);
	pin_set(b->head_slot_i, p * b->slot_bits, b->slot_bits, q->slot);
	pin_set(b->head_id_i, p * 4, 4, q->id);
	pin_set(b->head_count_i, p * 12, 12, q->count);
	pin_set(b->head_ra_i, p * 32, 32, q->ra);
	pin_set(b->head_rb_i, p * 32, 32, q->rb);
	pin_set(b->head_mask_i, p * 32, 32, q->mask);
	pin_set(b->head_pred_i, p * 32, 32, q->pred);
}

void bench_launch(struct barrier_bench *b, unsigned slot, unsigned most, unsigned rounds)
{
	uint64_t warps = 0;
	unsigned n = 0;
	for (unsigned i = 0, w = below(b, b->warps); i < b->warps && n < most; i++, w = (w + 1) % b->warps) {
		if (b->state[w] == WARP_FREE) {
			warps |= UINT64_C(1) << w;
			b->state[w] = WARP_READY;
			b->slot_of[w] = slot;
			b->script[w].first = b->script[w].count = 0;
			n++;
		}
	}
	if (n == 0) {
		return;
	}
	script_start(&b->cta[slot], b->barriers, warps, rounds);
	b->alive[slot] = n;
	b->seen.launches++;
	ref_launch(&b->ref, slot, true, n);
	*b->cta_valid_i = *b->cta_open_i = 1;
	*b->cta_slot_i = (uint8_t)slot;
	*b->cta_warps_i = (uint8_t)n;
}

/* A CTA all of whose warps are gone ends, now and then only after a while; or the next one follows at once. */
static void come_and_go(struct barrier_bench *b, bool launches)
{
	unsigned slot = below(b, b->slots);
	*b->cta_valid_i = 0;
	*b->cta_open_i = below(b, 2) != 0;
	*b->cta_slot_i = (uint8_t)below(b, b->slots);
	*b->cta_warps_i = (uint8_t)below(b, b->warps);
	if (b->alive[slot] || b->closed[slot] || b->pending[slot].release.complete || below(b, 4)) {
		return;
	}
	if (b->ref.cta[slot].open && below(b, 2)) {
		ref_launch(&b->ref, slot, false, 0);
		*b->cta_valid_i = 1;
		*b->cta_open_i = 0;
		*b->cta_slot_i = (uint8_t)slot;
		*b->cta_warps_i = (uint8_t)below(b, b->warps);
	} else if (launches) {
		bench_launch(b, slot, 1 + below(b, below(b, 3) ? 6 : b->warps), below(b, 40));
	}
}

static void write_scripts(struct barrier_bench *b)
{
	for (unsigned slot = 0; slot < b->slots; slot++) {
		struct script_cta *c = &b->cta[slot];
		unsigned most = 0;
		if (!b->alive[slot] || c->ended) {
			continue;
		}
		for (uint64_t rest = c->live; rest; rest &= rest - 1) {
			unsigned n = b->script[__builtin_ctzll(rest)].count;
			most = n > most ? n : most;
		}
		if (most < 24) {
			script_round(c, b->script, &b->rng);
		}
	}
}

static void ask_status(struct barrier_bench *b)
{
	if (b->walk.busy && b->walk.status && b->cycle < b->walk.due) {
		return; /* it stands until it is taken */
	}
	*b->status_valid_i = below(b, 4) == 0;
	b->status_slot = below(b, b->slots);
	b->status_id = below(b, b->barriers);
	/* rather a barrier for which many are waited for */
	for (unsigned tries = 8; tries > 0 && ref_status(&b->ref, b->status_slot, b->status_id).expected < tries;
	     tries--) {
		b->status_slot = below(b, b->slots);
		b->status_id = below(b, b->barriers);
	}
	*b->status_slot_i = (uint8_t)b->status_slot;
	*b->status_id_i = (uint8_t)b->status_id;
}

/* ---- what comes out ---------------------------------------------------------------------------------------------- */

static bool same_barrier(const struct bar_request *a, const struct bar_request *q)
{
	return a->slot == q->slot && ref_index(a) == ref_index(q);
}

static bool is_arrival(const struct bar_request *q)
{
	return q->kind < BAR_RESULT;
}

static void check_release(struct barrier_bench *b, unsigned p, const struct ref_release *r)
{
	bench_expect(b, "rel_slot_o", p, pin_get(b->rel_slot_o, p * b->slot_bits, b->slot_bits), r->slot);
	bench_expect(b, "rel_id_o", p, pin_get(b->rel_id_o, p * b->id_bits, b->id_bits), r->id);
	bench_expect(b, "rel_warps_o", p, get_warps(b, b->rel_warps_o, p * b->warps), r->warps);
	bench_expect(b, "rel_value_o", p, pin_get(b->rel_value_o, p * 12, 12), r->value);
	for (uint64_t rest = r->warps; rest; rest &= rest - 1) {
		unsigned w = (unsigned)__builtin_ctzll(rest);
		if (b->state[w] != WARP_WAITS) {
			error(b, "state of a released warp", p, b->state[w], WARP_WAITS);
		}
		b->state[w] = WARP_READY;
	}
	b->seen.releases++;
	b->last_release = b->cycle;
}

static void answer_due(struct barrier_bench *b, unsigned p, uint32_t fault, uint32_t value)
{
	const struct bar_request *q = &b->port[p].now.op.request;
	b->port[p].answer = (struct answer){true, q->warp, b->port[p].now.tag, q->mask, fault, value};
}

/* A lower port has been counted at the barrier of this one, in this cycle: no fault by state is judged beside it. */
static bool counted_below(const struct barrier_bench *b, unsigned p)
{
	for (unsigned o = 0; o < p; o++) {
		if (b->counted[o] && same_barrier(&b->port[o].now.op.request, &b->port[p].now.op.request)) {
			return true;
		}
	}
	return false;
}

static void judge_arrival(struct barrier_bench *b, unsigned p, struct ref_release *done)
{
	const struct bar_request *q = &b->port[p].now.op.request;
	unsigned fault = ref_fault(&b->ref, q);
	bench_expect(b, "fault_o", p, pin_get(b->fault_o, p, 1), fault != WL_FAULT_NONE);
	if (b->port[p].now.op.faults) {
		bench_expect(b, "fault of a misuse", p, fault != WL_FAULT_NONE, 1);
	} else if (fault) {
		error(b, "fault of a good request", p, fault, 0);
	}
	if (fault) {
		bench_expect(b, "fault by an arrival of the same cycle", p,
		             fault > WL_FAULT_BAR_BAD_COUNT && counted_below(b, p), 0);
		bench_expect(b, "fault_code_o", p, pin_get(b->fault_code_o, p * 6, 6), fault);
		b->seen.fault[fault - WL_FAULT_SLOT_CLOSED]++;
		answer_due(b, p, fault, 0);
		return;
	}
	unsigned long *ended = &b->ended[q->slot][ref_index(q)];
	if (*ended == b->cycle) {
		error(b, "arrival in the cycle in which the phase before ended", p, 1, 0);
	}
	b->seen.reuse += *ended && *ended + 1 == b->cycle;
	b->seen.arrivals++;
	b->seen.mode[is_arrival(q) && q->kind > BAR_ARV ? q->kind - BAR_ARV : 0]++;
	bench_expect(b, "park_o", p, pin_get(b->park_o, p, 1), q->kind != BAR_ARV);
	*done = ref_arrive(&b->ref, q);
	b->counted[p] = true;
	if (q->kind == BAR_ARV) {
		answer_due(b, p, 0, 0);
	} else {
		b->state[q->warp] = WARP_WAITS;
	}
	if (done->complete) {
		*ended = b->cycle;
	}
}

/* May this request be left standing in this cycle? */
static bool may_wait(struct barrier_bench *b, unsigned p, bool answer_blocked)
{
	const struct bar_request *q = &b->port[p].now.op.request;
	unsigned fault = is_arrival(q) ? ref_fault(&b->ref, q) : 0;
	if (answer_blocked && (fault || q->kind == BAR_ARV || q->kind == BAR_RESULT)) {
		return true;
	}
	if (q->kind == BAR_RESULT || (fault && fault <= WL_FAULT_BAR_BAD_COUNT)) {
		return false;
	}
	if (fault && counted_below(b, p)) {
		return true;
	}
	for (unsigned o = 0; o < b->ports; o++) {
		const struct bar_request *other = &b->port[o].now.op.request;
		bool here = o != p && b->port[o].taken && is_arrival(other) && same_barrier(other, q);
		if (here && b->port[o].late) {
			return true;
		}
	}
	return b->ended[q->slot][ref_index(q)] == b->cycle;
}

/* The request comes behind the end of a phase, or would fault beside an arrival that counts: it is late. */
static bool is_behind(const struct barrier_bench *b, unsigned p)
{
	const struct bar_request *q = &b->port[p].now.op.request;
	unsigned fault = b->fault_of[p];
	if (!is_arrival(q) || (fault && fault <= WL_FAULT_BAR_BAD_COUNT)) {
		return false;
	}
	return b->ended[q->slot][ref_index(q)] == b->cycle || (ref_fault(&b->ref, q) && counted_below(b, p));
}

/* One that was never late must yield to one at its barrier that is late and has room for an answer. */
static bool must_yield(const struct barrier_bench *b, unsigned p)
{
	const struct bar_request *q = &b->port[p].now.op.request;
	if (b->port[p].behind || !is_arrival(q) || (b->fault_of[p] && b->fault_of[p] <= WL_FAULT_BAR_BAD_COUNT)) {
		return false;
	}
	for (unsigned o = 0; o < b->ports; o++) {
		if (o != p && b->was_late[o] && !b->blocked[o] && same_barrier(&b->port[o].now.op.request, q)) {
			return true;
		}
	}
	return false;
}

/* Judgements in port order, each with the RELEASE that it brings. */
static void check_judgements(struct barrier_bench *b)
{
	struct ref_release done[MAX_PORTS] = {{0}};
	bool late[MAX_PORTS] = {false};
	unsigned commits = 0;
	memset(b->counted, 0, sizeof b->counted);
	for (unsigned p = 0; p < b->ports; p++) {
		const struct bar_request *q = &b->port[p].now.op.request;
		b->was_late[p] = b->port[p].taken && b->port[p].behind;
		b->blocked[p] = pin_get(b->rsp_valid_o, p, 1) && !b->rsp_open[p];
		b->fault_of[p] = b->port[p].taken && is_arrival(q) ? ref_fault(&b->ref, q) : 0;
	}
	for (unsigned p = 0; p < b->ports; p++) {
		const struct bar_request *q = &b->port[p].now.op.request;
		bool commit = pin_get(b->commit_o, p, 1), fault = pin_get(b->fault_o, p, 1);
		bool blocked = b->blocked[p];
		if (!b->port[p].taken || b->port[p].leaving) {
			bench_expect(b, "judgement without request", p, commit || fault, 0);
			continue;
		}
		if (b->lean) {
			bench_expect(b, "judgement in its cycle", p, commit || fault, b->cycle == b->walk.due);
			late[p] = !commit && !fault;
			if (late[p]) {
				continue;
			}
		} else if (!commit && !fault) {
			late[p] = may_wait(b, p, blocked);
			bench_expect(b, "request not judged", p, !late[p], 0);
			b->port[p].waited += !blocked;
			bench_expect(b, "request passed over too often", p, b->port[p].waited > 2 * b->ports, 0);
			b->seen.late += !blocked;
			b->port[p].behind = b->port[p].behind || is_behind(b, p);
			b->seen.late_faults +=
			        is_arrival(q) && ref_fault(&b->ref, q) > WL_FAULT_BAR_BAD_COUNT && counted_below(b, p);
			continue;
		}
		if (blocked && (fault || q->kind == BAR_ARV || q->kind == BAR_RESULT)) {
			error(b, "answer without room", p, 1, 0);
		}
		bench_expect(b, "judged before one that is late", p, must_yield(b, p), 0);
		bench_expect(b, "judged_tag_o", p, pin_get(b->judged_tag_o, p * 22, 22), b->port[p].now.tag);
		bench_expect(b, "judged_mask_o", p, pin_get(b->judged_mask_o, p * 32, 32), q->mask);
		if (is_arrival(q)) {
			judge_arrival(b, p, &done[p]);
			commits += commit;
		} else {
			bench_expect(b, "park_o", p, pin_get(b->park_o, p, 1), 0);
			b->seen.results++;
			answer_due(b, p, 0, b->ref.result[q->warp]);
		}
	}
	for (unsigned p = 0; p < b->ports; p++) {
		bool valid = pin_get(b->rel_valid_o, p, 1), leaving = b->port[p].taken && b->port[p].leaving;
		unsigned slot = b->port[p].now.op.request.slot;
		if (done[p].complete && done[p].warps) {
			bench_expect(b, "rel_valid_o", p, valid, 1);
			check_release(b, p, &done[p]);
		} else if (valid && leaving && b->pending[slot].release.complete) {
			check_release(b, p, &b->pending[slot].release);
			if (b->lean) {
				bench_expect(b, "RELEASE of an EXIT in its cycle", p, b->cycle, b->walk.due);
			}
			b->pending[slot].release.complete = false;
			b->seen.exit_releases++;
		} else {
			bench_expect(b, "rel_valid_o", p, valid, 0);
		}
	}
	for (unsigned p = 0; p < b->ports; p++) {
		if (b->port[p].taken && (late[p] || pin_get(b->commit_o, p, 1) || pin_get(b->fault_o, p, 1))) {
			b->port[p].late = late[p];
			b->port[p].taken = late[p];
			b->closed[b->port[p].now.op.request.slot] -= !late[p] && b->port[p].now.op.closed;
		}
	}
	b->seen.together += commits > 1;
}

static void check_pending(struct barrier_bench *b)
{
	for (unsigned slot = 0; slot < b->slots; slot++) {
		const unsigned long last = b->lean ? b->walk.due : b->pending[slot].cycle;
		if (b->pending[slot].release.complete && last <= b->cycle) {
			error(b, "RELEASE of an EXIT missing, slot", slot, slot, slot);
			b->pending[slot].release.complete = false;
		}
	}
}

/* Answers leave in the order of their port; what is due now is shown from the next cycle on. */
static void check_answers(struct barrier_bench *b, const struct answer before[MAX_PORTS])
{
	for (unsigned p = 0; p < b->ports; p++) {
		bool valid = pin_get(b->rsp_valid_o, p, 1);
		bench_expect(b, "rsp_valid_o", p, valid, before[p].due);
		if (!valid || !before[p].due) {
			continue;
		}
		bench_expect(b, "rsp_tag_o", p, pin_get(b->rsp_tag_o, p * 22, 22), before[p].tag);
		bench_expect(b, "rsp_mask_o", p, pin_get(b->rsp_mask_o, p * 32, 32), before[p].mask);
		bench_expect(b, "rsp_fault_o", p, pin_get(b->rsp_fault_o, p * 6, 6), before[p].fault);
		bench_expect(b, "rsp_value_o", p, pin_get(b->rsp_value_o, p * 12, 12), before[p].value);
		if (b->rsp_open[p]) {
			unsigned w = before[p].warp;
			bench_expect(b, "state of an answered warp", p, b->state[w], WARP_TAKEN);
			b->state[w] = WARP_READY;
			b->seen.answers++;
			if (b->port[p].answer.tag == before[p].tag) {
				b->port[p].answer.due = false;
			}
		}
	}
}

/* Whether a phase of the CTA is open that warps which exit are taken off: the EXIT looks at it, a cycle longer. */
static bool shrinks(const struct barrier_bench *b, unsigned slot)
{
	for (unsigned id = 0; id < b->barriers; id++) {
		struct ref_status s = ref_status(&b->ref, slot, id);
		if (s.arrived && !s.counted) {
			return true;
		}
	}
	return false;
}

static void take_exit(struct barrier_bench *b, unsigned p)
{
	unsigned w = b->port[p].now.op.request.warp, slot = b->port[p].now.op.request.slot;
	b->seen.exits++;
	b->state[w] = WARP_FREE;
	b->alive[slot]--;
	struct ref_release r = ref_exit(&b->ref, slot);
	b->port[p].looks = r.complete || shrinks(b, slot);
	if (r.complete) {
		b->pending[slot].release = r;
		b->pending[slot].cycle = b->cycle + 2;
	}
}

static void check_takes(struct barrier_bench *b)
{
	for (unsigned p = 0; p < b->ports; p++) {
		bool ready = pin_get(b->head_ready_o, p, 1);
		bool leaving = b->port[p].taken && b->port[p].leaving;
		if (b->lean) {
			bench_expect(b, "head_ready_o", p, ready, !b->walk.busy);
			b->port[p].taken = b->port[p].taken && !(leaving && b->cycle == b->walk.due);
		} else if (leaving) {
			bool over = b->cycle == b->port[p].cycle + (b->port[p].looks ? 2 : 1);
			bench_expect(b, "head_ready_o after an EXIT", p, ready, over);
			b->port[p].taken = !over;
		}
		if (!b->lean && !leaving) {
			bench_expect(b, "head_ready_o", p, ready, !b->port[p].taken);
		}
		if (!ready || !b->port[p].offered) {
			continue;
		}
		b->port[p].offered = false;
		b->port[p].taken = true;
		b->port[p].now = b->port[p].head;
		b->port[p].late = false;
		b->port[p].waited = 0;
		b->port[p].behind = false;
		b->port[p].cycle = b->last_taken = b->cycle;
		b->port[p].leaving = b->port[p].now.op.request.kind == BAR_EXIT;
		b->state[b->port[p].now.op.request.warp] = WARP_TAKEN;
		if (b->port[p].leaving) {
			take_exit(b, p);
		}
	}
}

static void check_status(struct barrier_bench *b, bool asked, unsigned slot, unsigned id)
{
	bench_expect(b, "status_valid_o", 0, *b->status_valid_o, asked);
	bool changes = *b->cta_valid_i && *b->cta_slot_i == slot;
	if (!asked || changes || b->pending[slot].release.complete) {
		return;
	}
	struct ref_status s = ref_status(&b->ref, slot, id);
	bench_expect(b, "status_mode_o", 0, *b->status_mode_o, s.mode);
	bench_expect(b, "status_counted_o", 0, *b->status_counted_o, s.counted);
	bench_expect(b, "status_expected_o", 0, *b->status_expected_o, s.expected);
	bench_expect(b, "status_arrived_o", 0, *b->status_arrived_o, s.arrived);
	bench_expect(b, "status_warps_o", 0, get_warps(b, b->status_warps_o, 0), s.here);
	bench_expect(b, "status_waiting_o", 0, get_warps(b, b->status_waiting_o, 0), s.waiting);
	bench_expect(b, "status_votes_o", 0, pin_get(b->status_votes_o, 0, 12), s.votes);
	b->seen.statuses += s.arrived > 0;
}

/* barrier_file_lean, one cycle on: a CTA that comes or leaves from its step Read on lets it begin anew there, and a
 * judgement waits for the place of its answer. */
static void lean_step(struct barrier_bench *b)
{
	const struct bar_request *q = &b->port[0].now.op.request;
	if (!b->walk.busy || b->cycle + LEAN_ANEW - 1 < b->walk.due || b->cycle >= b->walk.due) {
		return;
	}
	if (*b->cta_valid_i) {
		b->walk.due = b->cycle + LEAN_ANEW;
		b->seen.anew++;
	} else if (b->cycle + 1 == b->walk.due && *b->rsp_valid_o && b->port[0].taken && !b->port[0].leaving &&
	           (q->kind == BAR_ARV || q->kind == BAR_RESULT || (is_arrival(q) && ref_fault(&b->ref, q)))) {
		b->walk.due++;
		b->seen.held++;
	}
}

/* What it begins in this cycle; a head goes before a status read. */
static void lean_begin(struct barrier_bench *b)
{
	const bool head = *b->head_valid_i & 1;
	if (b->walk.busy) {
		b->walk.busy = b->cycle < b->walk.due;
	} else if (head || *b->status_valid_i) {
		b->walk.busy = true;
		b->walk.status = !head;
		b->walk.due = b->cycle + LEAN_CYCLES;
	}
}

static bool status_ready(const struct barrier_bench *b)
{
	if (b->lean) {
		return b->walk.busy && b->walk.status && b->cycle + 1 == b->walk.due;
	}
	return pin_get(b->head_ready_o, 0, 1) && !pin_get(b->head_valid_i, 0, 1);
}

static void count_waiting_ctas(struct barrier_bench *b)
{
	uint32_t slots = 0;
	for (unsigned w = 0; w < b->warps; w++) {
		slots |= b->state[w] == WARP_WAITS ? UINT32_C(1) << b->slot_of[w] : 0;
	}
	b->seen.many_ctas += (unsigned)__builtin_popcount(slots) > 3;
}

/* Nothing is on its way: no request is judged, no status read, no answer stands. */
static void check_idle(struct barrier_bench *b, bool asked)
{
	bool busy = asked || b->walk.busy;
	for (unsigned p = 0; p < b->ports; p++) {
		busy = busy || b->port[p].taken || pin_get(b->rsp_valid_o, p, 1);
	}
	bench_expect(b, "idle_o", 0, *b->idle_o, !busy);
}

/* ---- cycles ------------------------------------------------------------------------------------------------------ */

static void edge(struct barrier_bench *b)
{
	*b->clk_i = 1;
	b->model.eval(b->model.self);
	*b->clk_i = 0;
	b->model.eval(b->model.self);
	b->cycle++;
}

void bench_cycle(struct barrier_bench *b)
{
	struct answer before[MAX_PORTS];
	bool asked = b->status_asked;
	unsigned slot = b->status_slot, id = b->status_id;
	for (unsigned p = 0; p < b->ports; p++) {
		drive_head(b, p);
		b->rsp_open[p] = !stall_now(&b->rsp_stall[p]);
		pin_set(b->rsp_ready_i, p, 1, b->rsp_open[p]);
		before[p] = b->port[p].answer;
	}
	ask_status(b);
	b->model.eval(b->model.self);
	if (b->lean) {
		lean_step(b);
	}
	check_idle(b, asked);
	check_status(b, asked, slot, id);
	check_judgements(b);
	check_pending(b);
	check_answers(b, before);
	bench_expect(b, "status_ready_o", 0, *b->status_ready_o, status_ready(b));
	b->status_asked = *b->status_ready_o && *b->status_valid_i;
	check_takes(b);
	if (b->lean) {
		lean_begin(b);
	}
	count_waiting_ctas(b);
	edge(b);
}

void bench_reset(struct barrier_bench *b)
{
	*b->rst_i = 1;
	*b->cta_valid_i = 0;
	/* whoever asks is not taken; whether somebody asks when it is over is another matter */
	pin_set(b->head_valid_i, 0, b->ports, below(b, 1u << b->ports));
	*b->status_valid_i = below(b, 2) != 0;
	b->model.eval(b->model.self);
	bench_expect(b, "head_ready_o in reset", 0, pin_get(b->head_ready_o, 0, b->ports), 0);
	bench_expect(b, "status_ready_o in reset", 0, *b->status_ready_o, 0);
	edge(b);
	*b->rst_i = 0;
	*b->head_valid_i = *b->status_valid_i = 0;
	memset(&b->ref, 0, sizeof b->ref);
	b->ref.barriers = b->barriers;
	memset(b->cta, 0, sizeof b->cta);
	memset(b->state, 0, sizeof b->state);
	memset(b->alive, 0, sizeof b->alive);
	memset(b->closed, 0, sizeof b->closed);
	memset(b->port, 0, sizeof b->port);
	memset(b->pending, 0, sizeof b->pending);
	memset(b->ended, 0, sizeof b->ended);
	b->status_asked = b->walk.busy = false;
}

void bench_stalls(struct barrier_bench *b, enum stall_kind head, enum stall_kind rsp)
{
	for (unsigned p = 0; p < b->ports; p++) {
		b->head_stall[p] = (struct stall){.kind = head, .rng = rng_seed(rng_next(&b->rng), p)};
		b->rsp_stall[p] = (struct stall){.kind = rsp, .rng = rng_seed(rng_next(&b->rng), p)};
	}
}

bool bench_busy(const struct barrier_bench *b)
{
	for (unsigned slot = 0; slot < b->slots; slot++) {
		if (b->alive[slot]) {
			return true;
		}
	}
	return false;
}

void bench_random_cycle(struct barrier_bench *b, bool launches)
{
	b->mixed = true;
	come_and_go(b, launches);
	write_scripts(b);
	bench_cycle(b);
}

static unsigned bits(unsigned values)
{
	unsigned n = 0;
	while (1u << n < values) {
		n++;
	}
	return n;
}

void bench_open(struct barrier_bench *b, const char *path)
{
	model_open(&b->model, path);
	b->lean = strstr(path, "barrier_file_lean") != NULL;
	b->ports = model_param(&b->model, "Ports", 1);
	b->warps = model_param(&b->model, "Warps", 48);
	b->slots = model_param(&b->model, "Slots", 16);
	b->barriers = model_param(&b->model, "Barriers", 16);
	b->warp_bits = bits(b->warps);
	b->slot_bits = bits(b->slots);
	b->id_bits = bits(b->barriers);
#define FIND(name) b->name = model_pin(&b->model, #name);
	PINS(FIND)
#undef FIND
}
