// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "../../../verif/units/barrier_file/bench/barrier_script.h"
#include "draw.h"

enum { AHEAD = 8, /* operations written for a warp ahead of need */ ROUNDS = 6 };
_Static_assert((int)SCRIPT_OPS >= (int)AHEAD + 8, "a round writes at most eight operations for a warp");

static struct script_cta cta[SLOTS];
static struct script_warp script[WARPS];
static bool left[WARPS];
static struct rng rng;

void arrivals_start(uint32_t seed, uint32_t window)
{
	rng = rng_seed(seed, window);
}

void arrivals_open(unsigned slot)
{
	const uint64_t warps = ((UINT64_C(1) << SLOT_WARPS) - 1) << slot * SLOT_WARPS;
	for (unsigned w = slot * SLOT_WARPS; w < (slot + 1) * SLOT_WARPS; w++) {
		script[w].first = script[w].count = 0;
		left[w] = false;
	}
	script_start(&cta[slot], BAR_BARRIERS, warps, rng_below(&rng, ROUNDS));
}

bool arrivals_left(unsigned warp)
{
	return left[warp];
}

/* Writes a round more, unless a warp of the CTA is far ahead. */
static void write_more(unsigned slot)
{
	if (cta[slot].ended)
		return;
	for (unsigned w = slot * SLOT_WARPS; w < (slot + 1) * SLOT_WARPS; w++)
		if (script[w].count >= AHEAD)
			return;
	script_round(&cta[slot], script, &rng);
}

static bool next_op(unsigned warp, struct script_op *op)
{
	struct script_warp *s = &script[warp];
	if (!s->count)
		write_more(warp / SLOT_WARPS);
	if (!s->count)
		return false;
	*op = s->op[s->first];
	s->first = (s->first + 1) % SCRIPT_OPS;
	s->count--;
	return true;
}

/* Some slot without CTA; SLOTS: none. */
static unsigned closed_slot(void)
{
	unsigned slot = 0;
	while (slot < SLOTS && sm_is_open(slot))
		slot++;
	return slot;
}

/* Numbers in the word go to their places. Numbers that the word does not read stay as drawn. */
static void put_numbers(struct flight *f, const struct bar_request *b)
{
	struct wl_req *q = &f->req;
	if (!(b->form & BAR_ID_IN_RA)) {
		q->word.lo |= (uint64_t)b->id << f->entry->id_at;
		q->inst.imm = b->id;
	}
	if (!(b->form & BAR_COUNT_IN_RB)) {
		q->word.lo |= (uint64_t)b->count << f->entry->count_at;
		q->inst.imm2 = b->count;
	}
	q->ra[0] = b->ra | (uint64_t)draw_u32() << 32;
	q->rb[0].w[0] = b->rb;
}

static uint32_t draw_votes(uint32_t lanes)
{
	const uint32_t votes = draw_u32(), how = draw_u32() >> 30;
	return how == 0 ? ~lanes & votes : how == 1 ? lanes | votes : votes;
}

bool arrivals_next(struct flight *f, unsigned warp)
{
	struct wl_req *q = &f->req;
	struct script_op op;
	if (!next_op(warp, &op))
		return false;
	const struct bar_request *b = &op.request;
	if (op.closed && closed_slot() == SLOTS)
		return false; /* no closed slot now: the misuse is left out */
	if (op.closed)
		q->tag.slot = (uint16_t)closed_slot();
	f->judged = b->kind != BAR_EXIT;
	f->faults = op.faults;
	q->mask = draw_u32() >> 31 ? UINT32_MAX : draw_u32() | 1u << draw_u32() % 32;
	q->pred = b->kind >= BAR_POPC && b->kind <= BAR_OR ? draw_votes(q->mask) : 0;
	left[warp] = b->kind == BAR_EXIT;
	if (b->kind == BAR_EXIT || b->kind == BAR_RESULT) {
		draw_use(f, draw_entry(b->kind == BAR_EXIT ? GROUP_LEAVE : GROUP_RESULT));
		return true;
	}
	draw_use(f, draw_arrival(b->kind, b->form));
	put_numbers(f, b);
	return true;
}
