// SPDX-License-Identifier: Apache-2.0
/* barrier_judge.c -- the judgement of each request, and the RELEASE of a judgement. */
#include "barrier_parts.h"

#include <string.h>

static void check_release(struct barrier_bench *b, unsigned p, const struct ref_release *r)
{
	bench_expect(b, "rel_slot_o", p, pin_get(b->rel_slot_o, p * b->slot_bits, b->slot_bits), r->slot);
	bench_expect(b, "rel_id_o", p, pin_get(b->rel_id_o, p * b->id_bits, b->id_bits), r->id);
	bench_expect(b, "rel_warps_o", p, get_warps(b, b->rel_warps_o, p * b->warps), r->warps);
	bench_expect(b, "rel_value_o", p, pin_get(b->rel_value_o, p * 12, 12), r->value);
	for (uint64_t rest = r->warps; rest; rest &= rest - 1) {
		unsigned w = (unsigned)__builtin_ctzll(rest);
		if (b->state[w] != WARP_WAITS) {
			bench_error(b, "state of a released warp", p, b->state[w], WARP_WAITS);
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

/* A lower port has been counted at the same barrier in this cycle: beside a count no fault by state is judged. */
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
		bench_error(b, "fault of a good request", p, fault, 0);
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
		bench_error(b, "arrival in the cycle in which the phase before ended", p, 1, 0);
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

/* A request behind the end of a phase is late, and a request about to fault beside a counted arrival. */
static bool is_behind(const struct barrier_bench *b, unsigned p)
{
	const struct bar_request *q = &b->port[p].now.op.request;
	unsigned fault = b->fault_of[p];
	if (!is_arrival(q) || (fault && fault <= WL_FAULT_BAR_BAD_COUNT)) {
		return false;
	}
	return b->ended[q->slot][ref_index(q)] == b->cycle || (ref_fault(&b->ref, q) && counted_below(b, p));
}

/* A request never late must yield to a late request at the same barrier with room for an answer. */
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

/* Judgements in port order, each with its RELEASE. */
void check_judgements(struct barrier_bench *b)
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
			bench_error(b, "answer without room", p, 1, 0);
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
