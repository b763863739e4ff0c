// SPDX-License-Identifier: Apache-2.0
/* barrier_checks.c -- checks of a cycle's outputs: answers, requests taken, status reads, and the rest. */
#include "barrier_parts.h"

void check_pending(struct barrier_bench *b)
{
	for (unsigned slot = 0; slot < b->slots; slot++) {
		const unsigned long last = b->lean ? b->walk.due : b->pending[slot].cycle;
		if (b->pending[slot].release.complete && last <= b->cycle) {
			bench_error(b, "RELEASE of an EXIT missing, slot", slot, slot, slot);
			b->pending[slot].release.complete = false;
		}
	}
}

/* A port's answers leave in order. An answer due now is shown from the next cycle on. */
void check_answers(struct barrier_bench *b, const struct answer before[MAX_PORTS])
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

/* Whether the CTA has an open shrinking phase. Then the EXIT looks at the phase, a cycle longer. */
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

void check_takes(struct barrier_bench *b)
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

void check_status(struct barrier_bench *b, bool asked, unsigned slot, unsigned id)
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

void count_waiting_ctas(struct barrier_bench *b)
{
	uint32_t slots = 0;
	for (unsigned w = 0; w < b->warps; w++) {
		slots |= b->state[w] == WARP_WAITS ? UINT32_C(1) << b->slot_of[w] : 0;
	}
	b->seen.many_ctas += (unsigned)__builtin_popcount(slots) > 3;
}

/* Nothing is under way: no request waits for a judgement, no status read is open, no answer stands. */
void check_idle(struct barrier_bench *b, bool asked)
{
	bool busy = asked || b->walk.busy;
	for (unsigned p = 0; p < b->ports; p++) {
		busy = busy || b->port[p].taken || pin_get(b->rsp_valid_o, p, 1);
	}
	bench_expect(b, "idle_o", 0, *b->idle_o, !busy);
}
