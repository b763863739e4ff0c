// SPDX-License-Identifier: Apache-2.0
/* copies.c -- the mix `async`: the mix of mbarriers, while a memory system lands copies beside the requests. Pieces are
 * written to, read from and reduced in the words loaded and stored by other warps. Objects get reports of bytes: of
 * expected bytes, of bytes not expected yet, of more bytes than legal.
 *
 * A copy lives from its first piece, some hundred cycles after the draw, to the last piece. The last piece may report
 * bytes or an arrival to an object. On sm_80 objects only get arrivals. */
#include <stdio.h>
#include <string.h>

#include "mbarrier_engine.h"
#include "warplock/gmem.h"
#include "warplock/landing.h"

enum {
	COPIES = 12,
	SLOW = 300, /* cycles until the first piece, at most */
	FORM_A0TX = 4,
	MOST = (1 << 20) - 1,
};

struct piece_copy {
	bool on, reads, reduces, reading, lands; /* reading: a READ has been asked for */
	bool waits;                              /* ... and the READ has not landed */
	bool tells, arrives;
	bool reports, reported; /* result of a validity check, ahead of the copy's bytes (sm_107) */
	uint8_t slot, object, size, op;
	bool sgn;
	uint32_t from, to, bytes, next, number; /* window offsets; bytes under way; of LAND events */
	uint64_t source, due;
	bool global;
	uint32_t amount; /* of transactions */
};

struct async_draw {
	struct mbars_draw mbars; /* must be first: the mix of mbarriers works on this member */
	struct piece_copy copy[COPIES];
	uint32_t numbers;
};

static bool one_in(struct rng *r, unsigned n)
{
	return rng_below(r, n) == 0;
}

static uint32_t data_word(struct random_stream *s, unsigned slot, uint32_t bytes)
{
	const uint32_t size = s->smem->window[slot].size, last = MBARS_DATA + MBARS_DATA_BYTES;
	return MBARS_DATA + 16 * rng_below(s->rng, ((last < size ? last : size) - MBARS_DATA - bytes) / 16 + 1);
}

static uint32_t amount_for(struct random_stream *s, const struct mbars_object *o)
{
	if (one_in(s->rng, 30))
		return one_in(s->rng, 2) ? MOST : 0;
	if (o->live && o->tx > 0 && !one_in(s->rng, 3))
		return one_in(s->rng, 3) ? 1 + rng_below(s->rng, (uint32_t)o->tx) : (uint32_t)o->tx;
	return 16 * (1 + rng_below(s->rng, 32));
}

/* A slot with a waiting warp, if soon found. */
static unsigned waited_for(struct random_stream *s, const struct mbars_draw *d)
{
	unsigned slot = rng_below(s->rng, RANDOM_SLOTS);
	for (unsigned tries = 0; tries < RANDOM_SLOTS && !d->waiters[slot]; tries++)
		slot = (slot + 1) % RANDOM_SLOTS;
	return slot;
}

static void start(struct random_stream *s, struct piece_copy *c, uint64_t cycle)
{
	static const uint8_t ops[] = {WL_ATOM_ADD, WL_ATOM_MIN, WL_ATOM_MAX, WL_ATOM_INC,
	                              WL_ATOM_DEC, WL_ATOM_AND, WL_ATOM_OR,  WL_ATOM_XOR};
	struct async_draw *d = s->own;
	const bool lacks = mbars_lacks_copies(&d->mbars);
	const unsigned kind = lacks && one_in(s->rng, 2) ? 7 : rng_below(s->rng, 8);
	const unsigned slot = lacks ? waited_for(s, &d->mbars) : rng_below(s->rng, RANDOM_SLOTS);
	const bool layout_b = s->config->arch >= WL_SM90;
	*c = (struct piece_copy){.on = true,
	                         .slot = (uint8_t)slot,
	                         .object = (uint8_t)rng_below(s->rng, MBARS_OBJECTS),
	                         .number = ++d->numbers,
	                         .reads = kind == 0 || kind == 1,
	                         .reduces = kind == 1 || kind == 2,
	                         .lands = kind != 0,
	                         .global = kind > 4,
	                         .tells = kind != 0 && !one_in(s->rng, 4),
	                         .size = 4,
	                         .op = ops[rng_below(s->rng, sizeof ops)],
	                         .sgn = one_in(s->rng, 2),
	                         .due = cycle + (one_in(s->rng, 4) ? 0 : rng_below(s->rng, SLOW))};
	c->arrives = !layout_b || one_in(s->rng, 6);
	c->reports = s->config->arch == WL_SM107 && c->tells && !one_in(s->rng, 3);
	if (c->reduces && one_in(s->rng, 4)) {
		c->size = 8;
		c->op = WL_ATOM_ADD;
	}
	c->bytes = kind == 7 ? 0 : one_in(s->rng, 2) ? 16 : 16 * (1 + rng_below(s->rng, 12));
	c->from = data_word(s, slot, c->bytes);
	c->to = one_in(s->rng, 40) ? 0 : data_word(s, slot, c->bytes);
	const struct wl_buf *b = &s->gmem->buf[s->gmem->nbuf - 1];
	c->source = b->addr + 16 * rng_below(s->rng, 64);
	c->amount = amount_for(s, &d->mbars.object[slot][c->object]);
}

/* Bytes from `at` on within a row of the banks, and no more than a beat's. */
static uint32_t in_row(const struct random_stream *s, uint32_t at, uint32_t left)
{
	const uint32_t row = s->config->banks * 4, beat = s->config->lanes * 16, room = row - at % row;
	uint32_t n = room < beat ? room : beat;
	n = n < left ? n : left;
	return one_in(s->rng, 3) && n > 16 ? 16 : n;
}

static bool data_piece(struct random_stream *s, struct piece_copy *c, struct wl_landing *l)
{
	const uint32_t base = s->smem->window[c->slot].base, left = c->bytes - c->next;
	const uint32_t from = base + c->from + c->next, to = base + c->to + c->next;
	l->bytes = left < 16 ? left : 16;
	if (c->reads && !c->reading) {
		l->kind = WL_LAND_READ;
		l->addr = from;
		if (!c->lands)
			c->next += l->bytes;
		c->reading = c->waits = c->lands;
		return true;
	}
	l->kind = c->reduces ? WL_LAND_REDUCE : WL_LAND_WRITE;
	l->addr = to;
	l->from = c->reading ? WL_LANDING_READ : c->global ? WL_LANDING_GLOBAL : WL_LANDING_VALUE;
	if (l->from == WL_LANDING_GLOBAL)
		l->bytes = in_row(s, to, left);
	l->source = c->source + c->next;
	l->zeros = l->from == WL_LANDING_GLOBAL && one_in(s->rng, 4) ? (uint8_t)rng_below(s->rng, l->bytes + 1) : 0;
	for (unsigned k = 0; k < 4; k++)
		l->value[k] = one_in(s->rng, 3) ? rng_below(s->rng, 4) : rng_u32(s->rng);
	c->reading = false;
	c->next += l->bytes;
	return true;
}

/* Often aims at the missing part of an awaited phase. */
static void aim(struct random_stream *s, struct piece_copy *c)
{
	const struct mbars_draw *d = &((const struct async_draw *)s->own)->mbars;
	const struct mbars_object *o = &d->object[c->slot][d->awaited[c->slot]];
	if (!d->waiters[c->slot] || !o->live || (!mbars_lacks_copies(d) && one_in(s->rng, 4)))
		return;
	if (!c->arrives && o->tx > 0)
		c->amount = (uint32_t)o->tx;
	else if (o->pending != 1 || o->tx)
		return;
	else
		c->arrives = true;
	c->object = d->awaited[c->slot];
}

/* The value counts only with a match. */
static void report(struct random_stream *s, struct piece_copy *c, struct wl_landing *l)
{
	c->reports = false;
	c->reported = true;
	l->kind = WL_LAND_REPORT;
	l->addr = s->smem->window[c->slot].base + mbars_address(s->config, c->object);
	l->bytes = (one_in(s->rng, 3) ? 0 : 0x100) | (one_in(s->rng, 2) ? 0 : rng_below(s->rng, 256));
}

static bool piece_of(struct random_stream *s, struct piece_copy *c, struct wl_landing *l)
{
	const struct async_draw *d = s->own;
	*l = (struct wl_landing){.slot = c->slot,
	                         .copy = c->number,
	                         .index = (uint8_t)(c - d->copy),
	                         .op = c->op,
	                         .size = c->size,
	                         .sgn = c->sgn};
	if (c->next < c->bytes)
		return data_piece(s, c, l);
	if (!c->tells)
		return false;
	if (!c->reported || c->object == d->mbars.awaited[c->slot])
		aim(s, c);
	if (c->reports) {
		report(s, c, l);
		return true;
	}
	c->tells = false;
	l->kind = c->arrives ? WL_LAND_ARRIVE : WL_LAND_TX;
	l->addr = s->smem->window[c->slot].base + mbars_address(s->config, c->object);
	l->bytes = c->arrives ? 1 : c->amount;
	return true;
}

static enum wl_piece piece(struct random_stream *s, uint64_t cycle, struct wl_landing *l)
{
	struct async_draw *d = s->own;
	const unsigned first = rng_below(s->rng, COPIES);
	bool any = false;
	for (unsigned k = 0; k < COPIES; k++) {
		struct piece_copy *c = &d->copy[(first + k) % COPIES];
		if (!c->on && one_in(s->rng, mbars_lacks_copies(&d->mbars) ? 60 : 150))
			start(s, c, cycle);
		any |= c->on;
		if (!c->on || c->waits || c->due > cycle)
			continue;
		if (piece_of(s, c, l)) {
			c->due = cycle + (one_in(s->rng, 8) ? rng_below(s->rng, 60) : 3);
			return WL_PIECE_LANDS;
		}
		c->on = false;
	}
	return any ? WL_PIECE_LATER : WL_PIECE_NONE;
}

/* A copy has reported to an object. Has the report ended a phase, by the mix's account, and did a warp wait for the
 * phase? */
static void note_told(struct async_draw *d, const struct wl_landing *l, unsigned form, uint32_t r)
{
	const unsigned object = d->copy[l->index].object;
	struct mbars_object *o = &d->mbars.object[l->slot][object];
	const bool phase = o->phase;
	mbars_account(o, form, r, false);
	if (o->phase == phase)
		return;
	d->mbars.seen[MBARS_RARE_COPY_FLIPS]++;
	d->mbars.seen[MBARS_RARE_COPY_RELEASES] += d->mbars.waiters[l->slot] && d->mbars.awaited[l->slot] == object;
}

static void landed(struct random_stream *s, const struct wl_landing *l, enum wl_fault fault)
{
	struct async_draw *d = s->own;
	struct mbars_object *o = d->mbars.object[l->slot];
	if (l->kind == WL_LAND_READ)
		d->copy[l->index].waits = false;
	if (l->kind == WL_LAND_TX && fault == WL_FAULT_NONE)
		note_told(d, l, FORM_A0TX, l->bytes);
	else if (l->kind == WL_LAND_ARRIVE && fault == WL_FAULT_NONE)
		note_told(d, l, 1, 0);
	else if (l->kind == WL_LAND_REPORT && fault == WL_FAULT_NONE)
		o[d->copy[l->index].object].failed |= l->bytes >> 8;
	else if (l->kind != WL_LAND_READ && l->kind != WL_LAND_REPORT &&
	         l->addr - s->smem->window[l->slot].base < MBARS_DATA)
		for (unsigned k = 0; k < MBARS_OBJECTS; k++)
			o[k].live = false;
}

/* Sometimes a warp reads or writes the landing words of copies. */
static bool draw(struct random_stream *s, struct wl_req *q)
{
	if (!one_in(s->rng, 4))
		return mbars_draw(s, q);
	((struct async_draw *)s->own)->mbars.drawn++;
	return mbars_draw_data(s, q);
}

static unsigned floors(const struct random_config *c, const struct lockstep_stats *s,
                       struct random_floor floor[RANDOM_FLOORS])
{
	const uint64_t *n = s->counter[WL_UNIT_mbarrier_engine];
	const double a = c->arch == WL_SM80, b = c->arch > WL_SM80, v = c->arch == WL_SM107;
	unsigned rows = 0;
#define FLOOR(what, events, least) floor[rows++] = (struct random_floor){what, events, least};
#include "async_floors.def"
#undef FLOOR
	return rows;
}

/* Windows hold the landing words of copies. The memory of a board may be too small. */
static bool async_start(struct random_stream *s, char *why, size_t whyn)
{
	const uint32_t least = MBARS_DATA + MBARS_DATA_BYTES;
	if (s->smem->bytes / RANDOM_SLOTS >= least)
		return mbars_start(s, why, whyn);
	snprintf(why, whyn, "random copies need %u bytes of shared memory, and there are %u", least * RANDOM_SLOTS,
	         s->smem->bytes);
	return false;
}

const struct cosim_mix mbars_async = {
        .name = "async",
        .what = "operations on mbarriers while copies land: bytes written, read, reduced, and told of",
        .waits = true,
        .own_bytes = sizeof(struct async_draw),
        .start = async_start,
        .draw = draw,
        .retired = mbars_retired,
        .piece = piece,
        .landed = landed,
        .floors = floors,
};
