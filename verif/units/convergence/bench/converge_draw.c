// SPDX-License-Identifier: Apache-2.0
/* Inputs of converge_bench: CTAs come and go, EXITs, and requests drawn from the reference's state of each warp. */
#include <string.h>

#include "converge_bench.h"

enum { CTA_WARPS = 6, FLAG_RA = 3 }; /* CTA_WARPS: at most */

static uint32_t some_of(struct converge_bench *b, uint32_t lanes)
{
	const unsigned how = bench_below(b, 4);
	uint32_t m = how == 0   ? lanes
	             : how == 1 ? lanes & rng_u32(&b->rng)
	             : how == 2 ? lanes & rng_u32(&b->rng) & rng_u32(&b->rng)
	                        : lanes & UINT32_MAX << bench_below(b, 32);
	return m ? m : lanes & -lanes;
}

/* ---- CTAs ---- */

/* No request of the slot is under way, and no lane can go on; or the CTA ends all the same. */
static bool slot_over(struct converge_bench *b, unsigned slot)
{
	uint32_t ready = 0;
	if (b->offered && b->req.slot == slot) {
		return false;
	}
	for (unsigned w = 0; w < b->warps; w++) {
		if (b->warp[w].slot == slot) {
			if (b->warp[w].asked) {
				return false;
			}
			ready |= ref_ready(&b->warp[w].ref);
		}
	}
	return !ready || bench_below(b, 300) == 0;
}

void drop_cta(struct converge_bench *b, unsigned slot)
{
	for (unsigned w = 0; w < b->warps; w++) {
		if (b->warp[w].slot == slot) {
			b->warp[w] = (struct warp){.slot = SLOTS, .used = b->warp[w].used};
		}
	}
}

/* The last CTA of the slot is over. */
static void come(struct converge_bench *b, const struct cta *c)
{
	struct launched *seen = &b->launched;
	drop_cta(b, c->slot);
	for (unsigned w = c->first; w < c->first + c->warps; w++) {
		const bool used = b->warp[w].used;
		const unsigned lanes = w + 1 < c->first + c->warps ? REF_LANES : c->lanes;
		b->warp[w] = (struct warp){.slot = c->slot, .born = lanes, .fresh = true, .used = used};
		ref_launch(&b->warp[w].ref, REF_LANES, lanes);
		seen->again += used;
	}
	seen->of_slot[c->slot]++;
	seen->of_first[c->first]++;
	seen->of_count[c->warps]++;
	seen->of_lanes[c->lanes]++;
	b->launches++;
}

/* A slot a cycle, if no lane of the slot can go on: the next CTA may have other warps. */
static bool draw_cta(struct converge_bench *b, struct cta *c)
{
	const unsigned most = 1 + bench_below(b, CTA_WARPS);
	*c = (struct cta){.slot = bench_below(b, SLOTS), .first = bench_below(b, b->warps), .warps = most};
	c->lanes = bench_below(b, 2) ? 32 : 1 + bench_below(b, 32);
	if (b->settled || !slot_over(b, c->slot)) {
		return false;
	}
	drop_cta(b, c->slot);
	for (unsigned tries = 0; b->warp[c->first].slot != SLOTS; tries++) {
		if (tries == b->warps) {
			return false;
		}
		c->first = (c->first + 1) % b->warps;
	}
	for (c->warps = 0;
	     c->warps < most && c->first + c->warps < b->warps && b->warp[c->first + c->warps].slot == SLOTS;) {
		c->warps++;
	}
	return true;
}

void drive_launch(struct converge_bench *b)
{
	struct cta c;
	*b->cta_valid_i = draw_cta(b, &c) || b->next.due;
	if (b->next.due) {
		c = b->next;
		b->next.due = false;
	}
	/* without a launch random values */
	*b->cta_slot_i = (uint8_t)c.slot;
	*b->cta_first_i = (uint8_t)c.first;
	*b->cta_warps_i = (uint8_t)c.warps;
	*b->cta_lanes_i = (uint8_t)c.lanes;
	if (*b->cta_valid_i) {
		come(b, &c);
	}
}

static bool launching(struct converge_bench *b, unsigned w)
{
	return *b->cta_valid_i && *b->cta_slot_i == b->warp[w].slot;
}

/* Any warp not under way: do lanes of the warp stay after this EXIT? */
void drive_exit(struct converge_bench *b, unsigned p)
{
	const unsigned w = bench_below(b, b->warps / b->ports) * b->ports + p;
	const uint32_t live = ref_live(&b->warp[w].ref);
	const unsigned how = bench_below(b, 3); /* all lanes leave, or some; or one stays */
	const uint32_t mask = how == 0   ? live
	                      : how == 1 ? live & rng_u32(&b->rng)
	                                 : live & ~(UINT32_C(1) << bench_below(b, 32));
	const bool known = live && !b->warp[w].asked && !launching(b, w);
	pin_set(b->exit_warp_i, p * 6, 6, w);
	pin_set(b->exit_slot_i, p * 4, 4, b->warp[w].slot);
	pin_set(b->exit_mask_i, p * 32, 32, mask);
	b->model.eval(b->model.self);
	if (known) {
		bench_expect(b, "exit_stay_o", pin_get(b->exit_stay_o, p, 1), (live & ~mask) != 0);
		*(live & ~mask ? &b->stays : &b->goes) += 1;
	}
}

/* ---- inputs ---- */

static void draw_lanes(struct converge_bench *b, struct request *r, struct warp *w, uint32_t ready)
{
	r->mask = some_of(b, ready);
	if (r->op.kind == REF_BSSY) {
		w->plan = r->mask;
		w->plan_bar = bench_below(b, bench_below(b, 2) ? 3 : REF_BARS);
		r->op.bar = w->plan_bar;
	} else if (w->plan & ready && bench_below(b, 4)) {
		r->mask = bench_below(b, 2) ? w->plan & ready : some_of(b, w->plan & ready);
		r->op.bar = w->plan_bar;
	}
	if (r->op.kind == REF_WARPSYNC && bench_below(b, 8)) {
		w->meet = w->meet & ready ? w->meet : some_of(b, ready);
		r->mask = some_of(b, w->meet & ready);
		/* 0: all lanes have another mask, 1: some lanes, 2: some lanes are not in their own mask */
		const unsigned odd = bench_below(b, 8);
		const uint32_t wrong = w->meet ^ UINT32_C(1) << bench_below(b, REF_LANES);
		for (unsigned l = 0; l < REF_LANES; l++) {
			const bool other = odd == 0 || (odd == 1 && bench_below(b, 4) == 0);
			r->op.row[l] = other ? wrong | UINT32_C(1) << l : w->meet;
			r->op.row[l] &= odd == 2 && bench_below(b, 6) == 0 ? ~(UINT32_C(1) << l) : UINT32_MAX;
		}
	}
	if (r->op.kind == REF_R2B && bench_below(b, 4)) {
		for (unsigned l = 0; l < REF_LANES; l++) {
			r->op.row[l] = w->plan;
		}
	}
	if (r->op.kind == REF_YIELD && bench_below(b, 2)) { /* all awaited lanes, in two or three steps */
		r->mask = bench_below(b, 2) ? ready : some_of(b, ready);
	}
	const uint32_t waiting = ref_live(&w->ref) & ~ready;
	if (r->op.kind == REF_YIELD && waiting && (!ready || bench_below(b, 4) == 0)) { /* names also waiting lanes */
		r->mask = some_of(b, waiting) | (bench_below(b, 2) ? r->mask & ready : 0);
	}
	if (r->op.kind == REF_EXIT && bench_below(b, 3)) {
		r->mask = some_of(b, r->mask);
	}
}

/* Source of the row: registers, RZ, a constant (brought as registers), the word. */
static void draw_source(struct converge_bench *b, struct request *r)
{
	const bool takes = r->op.kind == REF_WARPSYNC || r->op.kind == REF_R2B;
	r->src = takes && bench_below(b, 3) == 0 ? SRC_IMM : bench_below(b, 4) ? SRC_REG : SRC_CONST;
	r->ra_used = r->src == SRC_REG && bench_below(b, 12);
	r->imm = r->op.row[__builtin_ctz(r->mask)];
	for (unsigned l = 0; l < REF_LANES; l++) {
		if (r->src == SRC_IMM) {
			r->op.row[l] = r->imm;
		} else if (r->src == SRC_REG && !r->ra_used) {
			r->op.row[l] = 0;
		}
	}
}

bool draw_request(struct converge_bench *b, struct request *r, unsigned w)
{
	static const uint8_t weight[REF_KINDS] = {20, 34, 8, 4, 6, 5, 12, 10, 3};
	struct warp *warp = &b->warp[w];
	const uint32_t ready = ref_ready(&warp->ref);
	if (!ref_live(&warp->ref) || warp->asked || launching(b, w)) {
		return false;
	}
	memset(r, 0, sizeof *r);
	unsigned kind = 0, at = bench_below(b, 102);
	while (at >= weight[kind]) {
		at -= weight[kind++];
	}
	if (!ready && bench_below(b, 2)) { /* a warp without ready lanes may as well be over */
		return false;
	}
	kind = ready ? kind : REF_YIELD;
	r->op.kind = (enum ref_kind)kind;
	r->op.bar = bench_below(b, REF_BARS);
	r->op.apart = bench_below(b, 2);
	r->slot = warp->slot;
	r->tag = w << 16 | (b->serial++ * 0x9e37 & 0xffff);
	for (unsigned l = 0; l < REF_LANES; l++) {
		r->op.row[l] = rng_u32(&b->rng);
	}
	draw_lanes(b, r, warp, ready);
	draw_source(b, r);
	if (kind == REF_EXIT && r->mask == ref_live(&warp->ref)) {
		return false; /* the warp's last EXIT: no request of this unit */
	}
	const bool chooses = kind == REF_BSYNC || kind == REF_BREAK;
	r->header = chooses || kind == REF_BSSY || kind == REF_YIELD || kind == REF_EXIT;
	r->to_rd = bench_below(b, 6) != 0;
	r->pred = chooses && bench_below(b, 2) ? UINT32_MAX : rng_u32(&b->rng);
	r->op.lanes = chooses ? r->mask & r->pred : r->mask;
	return true;
}

static void drive_beat(struct converge_bench *b)
{
	const struct request *r = &b->req;
	const unsigned at = b->beat * b->lanes;
	*b->beat_exit_i = r->op.kind == REF_EXIT;
	*b->beat_kind_i = r->op.kind == REF_EXIT ? (uint8_t)bench_below(b, 8) : (uint8_t)r->op.kind;
	*b->beat_header_i = r->header;
	*b->beat_slot_i = (uint8_t)r->slot;
	pin_set(b->beat_port_i, 0, b->ports == 4 ? 2 : 1, b->req_port);
	pin_set(b->beat_tag_i, 0, 22, r->tag);
	pin_set(b->beat_ctl_i, 0, 32, r->op.bar | (uint32_t)r->op.apart << 4 | r->src << 5 | (uint32_t)r->to_rd << 8);
	*b->beat_flags_i = (uint8_t)(r->ra_used << FLAG_RA);
	pin_set(b->beat_imm_i, 0, 32, r->src == SRC_IMM ? r->imm : rng_u32(&b->rng));
	*b->beat_index_i = (uint8_t)b->beat;
	*b->beat_last_i = r->header || b->beat + 1 == b->beats;
	pin_set(b->beat_mask_i, 0, 32, r->mask >> at);
	pin_set(b->beat_pred_i, 0, 32, r->pred >> at);
	for (unsigned l = 0; l < b->lanes; l++) {
		const bool named = r->src == SRC_CONST || (r->src == SRC_REG && r->ra_used);
		pin_set(b->beat_ra_i, l * 64, 32, named ? r->op.row[at + l] : rng_u32(&b->rng));
		pin_set(b->beat_ra_i, l * 64 + 32, 32, rng_u32(&b->rng));
	}
}

/* Without a beat the bus has random values, with some warp and port. */
static void drive_noise(struct converge_bench *b)
{
	*b->beat_exit_i = (uint8_t)bench_below(b, 2);
	*b->beat_header_i = (uint8_t)bench_below(b, 2);
	*b->beat_kind_i = (uint8_t)bench_below(b, 8);
	*b->beat_slot_i = (uint8_t)bench_below(b, SLOTS);
	*b->beat_flags_i = (uint8_t)bench_below(b, 128);
	*b->beat_index_i = (uint8_t)bench_below(b, b->beats);
	*b->beat_last_i = (uint8_t)bench_below(b, 2);
	pin_set(b->beat_port_i, 0, b->ports == 4 ? 2 : 1, bench_below(b, b->ports));
	pin_set(b->beat_tag_i, 0, 22, bench_below(b, b->warps) << 16 | (rng_u32(&b->rng) & 0xffff));
	pin_noise(b->beat_ctl_i, 32, &b->rng);
	pin_noise(b->beat_imm_i, 32, &b->rng);
	pin_noise(b->beat_mask_i, 32, &b->rng);
	pin_noise(b->beat_pred_i, 32, &b->rng);
	pin_noise(b->beat_ra_i, b->lanes * 64, &b->rng);
}

/* Drives the bus like the arbiter of sync_core: mostly requests with room begin. */
void drive_bus(struct converge_bench *b, bool more)
{
	const bool stalled = stall_now(&b->in);
	if (!b->offered && more && !stalled) {
		b->req_port = bench_below(b, b->ports);
		for (unsigned i = 0; i < b->ports && !pin_get(b->room_o, b->req_port, 1) && bench_below(b, 16); i++) {
			b->req_port = (b->req_port + 1) % b->ports;
		}
		for (unsigned tries = 0; tries < 16 && !b->offered; tries++) {
			b->offered =
			        draw_request(b, &b->req, bench_below(b, b->warps / b->ports) * b->ports + b->req_port);
		}
		b->beat = 0;
	}
	*b->beat_valid_i = b->offered && !(stalled && b->beat);
	if (*b->beat_valid_i) {
		drive_beat(b);
	} else {
		drive_noise(b);
	}
}
