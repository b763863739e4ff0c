// SPDX-License-Identifier: Apache-2.0
/* barrier_drive.c -- inputs of the model in a cycle: CTAs, requests, status reads. */
#include "barrier_parts.h"

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

/* A count of a single bit, legal in no phase: no multiple of 32, or more than the CTA's threads. */
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

/* Completes the next request of a warp; false: the request is left out. */
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
	/* for a while every lane lives and votes yes: the greatest possible results */
	bool all = b->wholly || b->cycle >> 8 & 1;
	op->request.mask = all || below(b, 2) ? UINT32_MAX : rng_u32(&b->rng) | UINT32_C(1) << below(b, 32);
	/* votes of any lanes; or of the live lanes none, all, one, or all but one */
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
			/* each bit of a tag changes; no tag comes twice in four million */
			b->port[p].head.tag = b->serial++ * UINT32_C(0x9e3779b1) & 0x3fffff;
			return;
		}
	}
}

void drive_head(struct barrier_bench *b, unsigned p)
{
	bool stalled = stall_now(&b->head_stall[p]);
	if (!b->port[p].offered && !stalled) {
		offer(b, p);
	}
	/* pins of an idle port carry random values; the bench must see no effect */
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

/* A CTA without live warps ends, sometimes after a while only; or the next CTA follows at once. */
void come_and_go(struct barrier_bench *b, bool launches)
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

void write_scripts(struct barrier_bench *b)
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

void ask_status(struct barrier_bench *b)
{
	if (b->walk.busy && b->walk.status && b->cycle < b->walk.due) {
		return; /* the query stands until the unit takes the query */
	}
	*b->status_valid_i = below(b, 4) == 0;
	b->status_slot = below(b, b->slots);
	b->status_id = below(b, b->barriers);
	/* preferably a barrier expecting many warps */
	for (unsigned tries = 8; tries > 0 && ref_status(&b->ref, b->status_slot, b->status_id).expected < tries;
	     tries--) {
		b->status_slot = below(b, b->slots);
		b->status_id = below(b, b->barriers);
	}
	*b->status_slot_i = (uint8_t)b->status_slot;
	*b->status_id_i = (uint8_t)b->status_id;
}
