// SPDX-License-Identifier: Apache-2.0
/* Launches of all possible CTAs: any first warp, any number of warps, a last warp of any size, in any slot, over warps
 * used and left by other CTAs. After each launch the bench asks exit_stay_o of all warps: only this output shows the
 * live lanes of a warp before the first request. */
#include "converge_bench.h"

/* The warps before and behind the CTA must not change; CTAs hit by the launch are over. */
static void launch(struct converge_bench *b, struct cta c)
{
	for (unsigned w = c.first; w < c.first + c.warps; w++) {
		if (b->warp[w].slot != SLOTS) {
			drop_cta(b, b->warp[w].slot);
		}
	}
	c.due = true;
	b->next = c;
	bench_cycle(b, false);
}

static struct cta any_cta(struct converge_bench *b)
{
	struct cta c = {.slot = bench_below(b, SLOTS), .first = bench_below(b, b->warps)};
	const unsigned how = bench_below(b, 8), most = how < 4 ? 4 : how < 6 ? 16 : b->warps;
	if (how == 7) { /* from the first warps on, to leave room for many */
		c.first = bench_below(b, 2) ? 0 : bench_below(b, 8);
	}
	c.warps = 1 + bench_below(b, most < b->warps - c.first ? most : b->warps - c.first);
	if (how == 6) { /* up to the last warp */
		c.warps = b->warps - c.first;
	}
	c.lanes = bench_below(b, 4) ? 1 + bench_below(b, 31) : 32;
	return c;
}

/* A warp at each port: does a lane stay after this EXIT? */
static void ask_ports(struct converge_bench *b, const unsigned warp[], const uint32_t mask[])
{
	for (unsigned p = 0; p < b->ports; p++) {
		pin_set(b->exit_warp_i, p * 6, 6, warp[p]);
		pin_set(b->exit_slot_i, p * 4, 4, b->warp[warp[p]].slot);
		pin_set(b->exit_mask_i, p * 32, 32, mask[p]);
	}
	b->model.eval(b->model.self);
	for (unsigned p = 0; p < b->ports; p++) {
		if (b->warp[warp[p]].slot != SLOTS) {
			const bool stays = ref_live(&b->warp[warp[p]].ref) & ~mask[p];
			bench_expect(b, "exit_stay_o", pin_get(b->exit_stay_o, p, 1), stays);
			b->launched.asked[warp[p]][stays]++;
		}
	}
}

void ask_who_stays(struct converge_bench *b)
{
	const unsigned apart = 1 + bench_below(b, b->warps - 1), lane = bench_below(b, REF_LANES);
	for (unsigned w = 0; w < b->warps && b->errors == 0; w++) {
		unsigned warp[MAX_PORTS];
		uint32_t mask[MAX_PORTS];
		bool tail = false;
		for (unsigned p = 0; p < b->ports; p++) {
			warp[p] = (w + p * apart) % b->warps;
			mask[p] = ref_live(&b->warp[warp[p]].ref);
			tail |= b->warp[warp[p]].fresh && b->warp[warp[p]].born < REF_LANES;
		}
		ask_ports(b, warp, mask);
		/* one lane stays: in a last warp each lane in turn, else any live lane */
		for (unsigned i = 0; i < (tail ? REF_LANES : 1); i++) {
			for (unsigned p = 0; p < b->ports; p++) {
				mask[p] = ~(UINT32_C(1) << (lane + i + w) % REF_LANES);
			}
			ask_ports(b, warp, mask);
		}
		b->launched.tails += tail;
	}
}

/* Half of a warp leaves, in the first request or later. */
static void leave_half(struct converge_bench *b, unsigned w)
{
	const uint32_t ready = ref_ready(&b->warp[w].ref), half = ready & rng_u32(&b->rng);
	if (half && half != ref_live(&b->warp[w].ref)) {
		b->launched.halves += b->warp[w].fresh;
		bench_ask(b, w, REF_EXIT, 0, half);
	}
}

/* Some lanes of a warp leave, others wait, in either order; or the warp does nothing at all. */
static void use(struct converge_bench *b, unsigned w)
{
	const unsigned how = bench_below(b, 4);
	if (how == 0) {
		return;
	}
	if (how == 1) {
		leave_half(b, w);
	}
	for (unsigned i = 0; i < 2 + how && b->errors == 0; i++) {
		bench_ask_any(b, w);
	}
	if (how == 2) {
		leave_half(b, w);
	}
}

/* After a reset all lanes live, also of a CTA's former last warp. */
static void reset_all(struct converge_bench *b)
{
	unsigned slot[WARPS];
	for (unsigned w = 0; w < b->warps; w++) {
		slot[w] = b->warp[w].slot;
		b->launched.kept_tails += slot[w] != SLOTS && b->warp[w].born < REF_LANES;
	}
	bench_reset(b);
	for (unsigned w = 0; w < b->warps; w++) {
		b->warp[w].slot = slot[w];
	}
	ask_who_stays(b);
}

void launch_everywhere(struct converge_bench *b, unsigned rounds)
{
	bench_stalls(b, STALL_NEVER, STALL_NEVER);
	bench_reset(b);
	b->settled = true;
	for (unsigned i = 0; i < rounds && b->errors == 0; i++) {
		for (unsigned n = 1 + bench_below(b, 8); n && b->errors == 0; n--) {
			launch(b, any_cta(b));
		}
		ask_who_stays(b);
		for (unsigned w = 0; w < b->warps && b->errors == 0; w++) {
			if (b->warp[w].slot != SLOTS) {
				use(b, w);
			}
		}
		ask_who_stays(b);
		if (i % 8 == 7) {
			reset_all(b);
		}
	}
	b->settled = false;
}
