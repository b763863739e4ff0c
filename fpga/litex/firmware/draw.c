// SPDX-License-Identifier: Apache-2.0
#include "draw.h"

#include <string.h>

static const struct entry entries[] = {
#include "entries.inc"
};
enum { ENTRIES = sizeof entries / sizeof *entries };

static uint32_t state;
static uint16_t given[WARPS]; /* number of the next request */
static unsigned last;         /* warp of the last request */
static uint8_t closed[SLOTS]; /* turns still to come without CTA in the slot */

uint32_t draw_u32(void)
{
	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	return state;
}

/* Entries of a group follow each other. */
const struct entry *draw_entry(enum entry_group group)
{
	unsigned first = 0, n = 0;
	while (first < ENTRIES && entries[first].group != group)
		first++;
	while (first + n < ENTRIES && entries[first + n].group == group)
		n++;
	return &entries[first + draw_u32() % n];
}

const struct entry *draw_nth(enum entry_group group, unsigned i)
{
	unsigned first = 0;
	while (first < ENTRIES && entries[first].group != group)
		first++;
	return &entries[first + i];
}

const struct entry *draw_arrival(unsigned kind, unsigned form)
{
	unsigned i = 0;
	while (i + 1 < ENTRIES &&
	       (entries[i].group != GROUP_ARRIVAL || entries[i].kind != kind || entries[i].form != form))
		i++;
	return &entries[i];
}

void draw_use(struct flight *f, const struct entry *entry)
{
	f->entry = entry;
	f->req.word = entry->word;
	memcpy(&f->req.inst, entry->inst, sizeof f->req.inst);
	f->req.posted = entry->posted;
	f->req.header = entry->header;
}

/* ---- accesses and collectives ---- */

static void draw_access(struct flight *f)
{
	struct wl_req *q = &f->req;
	draw_use(f, draw_entry(GROUP_ACCESS));
	const uint32_t spread = draw_u32() % 2 ? SLOT_BYTES / 4 - 1 : 7, base = draw_u32();
	const unsigned size = q->inst.size ? q->inst.size : 4;
	/* operand words that the instruction does not read are 0, except in a request in eight */
	const bool all = draw_u32() % 8 == 0;
	const unsigned words = all ? 4 : (size + 3) / 4, more = all ? 4 : f->entry->compares ? words : 0;
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		const uint32_t r = draw_u32(), at = (base + (r >> 16 & spread)) * 4;
		/* one lane in 64 is anywhere: out of range or misaligned */
		q->ra[l] = r % 64 ? (at & (SLOT_BYTES - 1)) & ~(uint32_t)(size - 1)
		                  : (at & (2 * SLOT_BYTES - 1)) + (r >> 6) % 8;
		for (unsigned w = 0; w < words; w++)
			q->rb[l].w[w] = draw_u32() >> (r >> (8 + 2 * w) & 3 ? 29 : 0);
		for (unsigned w = 0; w < more; w++)
			q->rc[l].w[w] = draw_u32();
	}
}

/* Lanes meet in sectors and on words; a lane in 64 is anywhere. */
static void draw_global(struct flight *f)
{
	struct wl_req *q = &f->req;
	draw_use(f, draw_entry(GROUP_GLOBAL));
	const uint32_t spread = draw_u32() % 2 ? GLOBAL / 4 - 1 : 15, base = draw_u32();
	const unsigned size = q->inst.size, words = size > 4 ? size / 4 : 1;
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		const uint32_t r = draw_u32(), at = (base + (r >> 16 & spread)) * 4;
		q->ra[l] = GLOBAL_BASE + (r % 64 ? (at & (GLOBAL - 1)) & ~(uint32_t)(size - 1)
		                                 : (at & (2 * GLOBAL - 1)) + (r >> 6) % 8);
		for (unsigned w = 0; w < words && q->inst.uop != WL_UOP_LDG; w++)
			q->rb[l].w[w] = draw_u32() >> (r >> (8 + 2 * w) & 3 ? 29 : 0);
		for (unsigned w = 0; w < words && f->entry->compares; w++)
			q->rc[l].w[w] = draw_u32();
	}
}

/* The same value in all lanes, but for a single lane or a bit here and there; or any values. */
static void draw_collective(struct flight *f)
{
	struct wl_req *q = &f->req;
	const uint32_t how = draw_u32() % 4, base = draw_u32(), bits = draw_u32(), odd = draw_u32() % 32,
	               bit = draw_u32() % 32, usual = draw_u32() % 3, width = 32 - (1u << draw_u32() % 6);
	draw_use(f, draw_entry(GROUP_COLLECTIVE));
	q->pred = how == 0 ? q->mask : how == 1 ? ~q->mask : bits;
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		const uint32_t differs = how == 1 ? bits >> l & 1 : how == 2 ? l == odd : 0;
		q->ra[l] = how == 0 ? draw_u32() : base ^ differs << bit;
		if (q->inst.size == 8)
			q->ra[l] |= (uint64_t)(base ^ differs) << 32;
		if (q->inst.src[1] == WL_SRC_REG)
			q->rb[l].w[0] = draw_u32() >> (usual ? 27 : 0);
		if (f->entry->compares)
			q->rc[l].w[0] = usual ? width << 8 | 31 : draw_u32();
	}
}

/* ---- warps in turn ---- */

static bool draw_for(struct flight *f, unsigned warp)
{
	struct wl_req *q = &f->req;
	const uint32_t what = draw_u32() % 8, where = draw_u32() % 4;
	f->judged = false;
	q->tag = (struct wl_tag){.slot = (uint16_t)(warp / SLOT_WARPS), .warp = warp, .n = given[warp]};
	q->pc = (uint32_t)given[warp] << 4;
	q->pred = 0;
	q->ur = 0;
	q->mask = draw_u32() % 4 ? UINT32_MAX : draw_u32() | 1u << draw_u32() % 32;
	memset(q->ra, 0, sizeof q->ra);
	memset(q->rb, 0, sizeof q->rb);
	memset(q->rc, 0, sizeof q->rc);
	if (SM_HAS(barrier_file) && what < 4) {
		if (!arrivals_next(f, warp))
			return false;
	} else if (SM_HAS(warp_collective) && what < 6) {
		draw_collective(f);
	} else if (SM_HAS(mbarrier_engine) && where < 2) {
		mbarrier_draw(f);
	} else if (SM_HAS(atom_unit) && where % 2) {
		draw_global(f);
	} else {
		draw_access(f);
	}
	given[warp]++;
	return true;
}

bool draw_next(struct flight *f)
{
	for (unsigned tries = 0; tries < WARPS; tries++) {
		last = (last + 1) % WARPS;
		if (!sm_is_open(last / SLOT_WARPS) || flights_block(last) || waits_block(last) ||
		    (SM_HAS(barrier_file) && arrivals_left(last)))
			continue;
		if (draw_for(f, last))
			return true;
	}
	return false;
}

/* ---- CTAs ---- */

static void open_slot(unsigned slot)
{
	sm_open(slot);
	if (SM_HAS(barrier_file))
		arrivals_open(slot);
}

static bool all_left(unsigned slot)
{
	for (unsigned w = slot * SLOT_WARPS; w < (slot + 1) * SLOT_WARPS; w++)
		if (!arrivals_left(w))
			return false;
	return true;
}

void draw_turn(void)
{
	for (unsigned slot = 0; SM_HAS(barrier_file) && slot < SLOTS; slot++) {
		if (flights_name(slot))
			continue;
		if (!sm_is_open(slot)) {
			if (closed[slot])
				closed[slot]--;
			else
				open_slot(slot);
		} else if (all_left(slot)) {
			sm_close(slot);
			closed[slot] = (uint8_t)(draw_u32() % 8);
		}
	}
}

void draw_start(uint32_t seed, uint32_t window)
{
	state = ((seed * 0x9e3779b9u) ^ (window * 0x85ebca6bu)) * 0xc2b2ae35u | 1;
	last = 0;
	memset(given, 0, sizeof given);
	memset(closed, 0, sizeof closed);
	sm_reset(seed, window);
	if (SM_HAS(barrier_file))
		arrivals_start(seed, window);
	for (unsigned slot = 0; slot < SLOTS; slot++)
		open_slot(slot);
}
