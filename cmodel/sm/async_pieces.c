// SPDX-License-Identifier: Apache-2.0
/* async_pieces.c -- copies with shared memory in the DUT: the piece to bring next, by the seed, and the consequences of
 * a landed piece. The DUT takes pieces one after the other, and pieces land in this order. So "behind another piece" is
 * enough as a rule: an mbarrier is told of bytes behind the last piece.
 * Source: docs/spec/async.md, "Landing". */
#include <assert.h>

#include "async.h"
#include "step.h"
#include "exec.h"

enum { SOON = 4, PAUSE = 300 /* cycles between two pieces of a copy: mostly below SOON, now and then below PAUSE */ };

static bool within(const struct copy *c)
{
	return c->kind == COPY_IN && c->shared_source;
}

/* Within shared memory, rows of the banks begin at different bytes of source and target. */
uint32_t async_cut(const struct async *a, const struct copy *c)
{
	return within(c) ? 16 : a->piece;
}

uint32_t async_skew(const struct async *a, const struct copy *c)
{
	return (uint32_t)(c->kind == COPY_IN ? c->to : c->from) % async_cut(a, c);
}

/* Piece k of the copy: bytes [*at, *at + n). */
static uint32_t piece_bytes(const struct async *a, const struct copy *c, uint32_t k, uint32_t *at)
{
	const uint32_t most = async_cut(a, c), skew = async_skew(a, c);
	const uint32_t end = (k + 1) * most - skew;
	*at = k ? k * most - skew : 0;
	return (end < c->bytes ? end : c->bytes) - *at;
}

/* Slot of the shared memory of a piece of this kind. */
static uint16_t slot_of(const struct copy *c, const struct wl_landing *l)
{
	return l->kind == WL_LAND_READ ? c->slot : c->there.slot;
}

/* ---- a piece of the rest of a copy ---- */

static void by_lane(const struct copy *c, unsigned lane, struct wl_landing *l)
{
	l->kind = c->reduces ? WL_LAND_REDUCE : WL_LAND_WRITE;
	l->lane = (uint8_t)lane;
	l->addr = c->at[lane];
	l->bytes = c->size;
	l->from = c->kind == COPY_THREADS ? WL_LANDING_GLOBAL : WL_LANDING_VALUE;
	l->source = c->source[lane];
	l->zeros = c->zeros[lane];
	memcpy(l->value, c->value[lane], sizeof l->value);
}

static void tell_lane(const struct copy *c, unsigned lane, struct wl_landing *l)
{
	const bool arrives = c->kind == COPY_ARRIVE;
	l->kind = arrives && c->op != 2 ? WL_LAND_ARRIVE : WL_LAND_TX;
	l->lane = (uint8_t)lane;
	l->addr = c->bar[lane];
	l->bytes = arrives ? 1 : c->size;
}

static void part(const struct copy *c, uint32_t at, uint32_t bytes, struct wl_landing *l)
{
	l->at = at;
	l->bytes = bytes;
	l->kind = c->shared_source ? WL_LAND_READ : c->reduces ? WL_LAND_REDUCE : WL_LAND_WRITE;
	l->addr = (uint32_t)(c->shared_source ? c->from : c->to) + l->at;
	l->from = WL_LANDING_GLOBAL;
	l->source = c->from + l->at;
	l->zeros = (uint8_t)(c->fills ? bytes : 0);
}

/* The write of the bytes brought by a READ within shared memory. */
static void written_back(const struct copy *c, struct wl_landing *l, uint32_t bytes)
{
	l->bytes = bytes;
	l->at = c->read_at;
	l->kind = c->reduces ? WL_LAND_REDUCE : WL_LAND_WRITE;
	l->addr = (uint32_t)c->to + l->at;
	l->from = WL_LANDING_READ;
}

/* A report goes ahead of the bytes. */
static void told(struct copy *c, struct wl_landing *l)
{
	l->kind = c->reports ? WL_LAND_REPORT : WL_LAND_TX;
	l->addr = c->mbarrier;
	l->bytes = c->reports ? (uint32_t)c->matched << 8 : c->bytes;
	if (!c->reports)
		c->tells = 0;
	c->reports = false;
}

static uint32_t read_bytes(const struct async *a, const struct copy *c)
{
	uint32_t at;
	return piece_bytes(a, c, (c->read_at + async_skew(a, c)) / async_cut(a, c), &at);
}

static unsigned some_lane(const struct wl_gpu *g, const struct copy *c, uint32_t lanes, uint64_t cycle)
{
	const unsigned turn = mix32(g->config.seed ^ c->serial, cycle) % WL_WARP_LANES;
	const uint32_t turned = turn ? lanes >> turn | lanes << (WL_WARP_LANES - turn) : lanes;
	return (lowest(turned) + turn) % WL_WARP_LANES;
}

static bool lane_piece(struct wl_gpu *g, const struct async *a, struct copy *c, struct wl_landing *l)
{
	uint32_t lanes = c->kind == COPY_ARRIVE  ? c->lanes & ~async_behind(a, c)
	                 : c->kind == COPY_STORE ? c->lanes | c->tells
	                                         : c->lanes;
	if (!lanes)
		return false;
	const unsigned lane = some_lane(g, c, lanes, a->cycle);
	if (c->kind == COPY_ARRIVE || !(c->lanes >> lane & 1)) {
		tell_lane(c, lane, l);
		c->tells &= ~(1u << lane);
	} else {
		by_lane(c, lane, l);
	}
	c->lanes &= ~(1u << lane);
	return true;
}

static bool bulk_piece(const struct async *a, struct copy *c, struct wl_landing *l)
{
	if (c->reading == 2) {
		written_back(c, l, read_bytes(a, c));
		c->reading = 0;
		return true;
	}
	if (c->reading)
		return false;
	if (c->landed < c->pieces) {
		uint32_t at;
		const uint32_t bytes = piece_bytes(a, c, c->next, &at);
		part(c, at, bytes, l);
		c->next = (c->next + c->step) % c->pieces;
		c->landed++;
		c->reading = within(c);
		c->read_at = l->at;
		return true;
	}
	if (!c->tells || (c->validity && c->flying)) /* the result is known behind the last piece; a fault ends all */
		return false;
	told(c, l);
	return true;
}

static bool take(struct wl_gpu *g, const struct async *a, struct copy *c, struct wl_landing *l)
{
	*l = (struct wl_landing){.copy = (uint32_t)c->serial,
	                         .index = (uint8_t)(c - a->copy),
	                         .op = c->op,
	                         .size = c->size,
	                         .sgn = c->sgn};
	const bool any = c->kind == COPY_IN || c->kind == COPY_OUT ? bulk_piece(a, c, l) : lane_piece(g, a, c, l);
	l->slot = slot_of(c, l);
	c->flying += any;
	return any;
}

static uint64_t pause(const struct wl_gpu *g, const struct copy *c, uint64_t cycle)
{
	const uint32_t draw = mix32(g->config.seed + c->serial, cycle);
	return cycle + (draw % 16 ? draw / 16 % SOON : draw / 16 % PAUSE);
}

/* ---- questions and answers of the memory system ---- */

static bool finished(const struct copy *c)
{
	const bool given =
	        c->kind == COPY_IN || c->kind == COPY_OUT ? c->landed == c->pieces && !c->reading : !c->lanes;
	return given && !c->tells && !c->flying;
}

/* An instruction asks for at most a copy for each CTA of the cluster. Nobody can force other copies to land
 * meanwhile. */
bool async_full(const struct wl_gpu *g, unsigned sm)
{
	const struct async *a = &gpu_sm(g, sm)->async;
	return a->outside && a->n + g->cluster_ctas > ASYNC_MOST;
}

/* Room for another copy may be free. */
static void wake_those_who_ask(struct wl_gpu *g, unsigned sm)
{
	for (unsigned w = 0; w < g->config.warps_per_sm; w++) {
		struct warp *v = gpu_warp(g, sm, w);
		if (v->state != WARP_DRAIN || v->posted)
			continue;
		warp_enter(v, WARP_RUNS);
		warp_set_ready(g, sm, w);
	}
}

static void end_copy(struct wl_gpu *g, unsigned sm, struct copy *c)
{
	const struct async *a = &gpu_sm(g, sm)->async;
	const unsigned slot = c->slot;
	const bool full = async_full(g, sm);
	async_done(g, sm, c, a->cycle);
	if (full)
		wake_those_who_ask(g, sm);
	if (gpu_sm(g, sm)->cta[slot].state == CTA_ENDED)
		g->refill = true;
}

enum wl_piece async_piece(struct wl_gpu *g, unsigned sm, uint64_t cycle, struct wl_landing *l)
{
	struct async *a = &gpu_sm(g, sm)->async;
	a->cycle = cycle;
	if (!a->n || g->outcome != WL_RUNNING)
		return WL_PIECE_NONE;
	const unsigned first = mix32(g->config.seed, cycle) % ASYNC_MOST;
	for (unsigned k = 0; k < ASYNC_MOST; k++) {
		struct copy *c = &a->copy[(first + k) % ASYNC_MOST];
		if (c->kind == COPY_FREE || c->due > cycle)
			continue;
		if (finished(c)) { /* a copy of no lanes or no bytes */
			end_copy(g, sm, c);
			continue;
		}
		if (async_late(g, sm, c))
			return WL_PIECE_NONE;
		if (!take(g, a, c, l))
			continue;
		c->due = pause(g, c, cycle);
		return WL_PIECE_LANDS;
	}
	return WL_PIECE_LATER;
}

/* Bytes of shared memory for global memory. */
static void store_out(struct wl_gpu *g, const struct copy *c, const struct wl_landing *l, const uint8_t *data)
{
	uint8_t now[WL_LANDING_MOST], *to = wl_gmem_at(g->gmem, c->to + l->at, l->bytes);
	assert(to && "the whole copy was in range when it began");
	if (c->reduces)
		async_reduce(c, to, data, now, l->bytes);
	else
		memcpy(now, data, l->bytes);
	for (uint32_t i = 0; c->mask != 0xffff && i < l->bytes; i++)
		now[i] = c->mask >> (l->at + i) % 16 & 1 ? now[i] : to[i];
	async_store(g, to, now, l->bytes);
}

void async_landed(struct wl_gpu *g, unsigned sm, const struct wl_landing *l, const uint8_t *data, enum wl_fault fault)
{
	struct async *a = &gpu_sm(g, sm)->async;
	struct copy *c = &a->copy[l->index];
	gpu_set_pointers(g);
	observe_change(g, true);
	c->flying--;
	c->matched |= c->validity && l->kind == WL_LAND_WRITE && async_matches(c, data, l->bytes);
	if (fault != WL_FAULT_NONE)
		async_fault(g, sm, c, c->kind == COPY_IN ? c->lanes : 1u << l->lane, fault, l->addr);
	if (l->kind == WL_LAND_TX)
		launch_answered(g, sm, c, l->lane);
	if (l->kind == WL_LAND_READ && c->kind == COPY_OUT)
		store_out(g, c, l, data);
	else if (l->kind == WL_LAND_READ)
		c->reading = 2;
	if (finished(c))
		end_copy(g, sm, c);
}

/* ---- a piece by name, in the order of a log ---- */

static bool find_lane(struct copy *c, uint32_t kind, uint32_t addr, struct wl_landing *l)
{
	for (unsigned lane = 0; lane < WL_WARP_LANES; lane++) {
		const bool tells = c->kind == COPY_ARRIVE || !(c->lanes >> lane & 1);
		if (!((tells && c->kind != COPY_ARRIVE ? c->tells : c->lanes) >> lane & 1))
			continue;
		if (tells)
			tell_lane(c, lane, l);
		else
			by_lane(c, lane, l);
		if (l->kind != kind || l->addr != addr)
			continue;
		c->lanes &= ~(1u << lane);
		c->tells &= ~(tells ? 1u << lane : 0);
		return true;
	}
	return false;
}

/* The logged run may have cut the copy in another way: `landed` counts bytes here. */
static bool find_bulk(struct copy *c, uint32_t kind, uint32_t addr, uint32_t bytes, struct wl_landing *l)
{
	const uint32_t at = addr - (uint32_t)(c->shared_source ? c->from : c->to);
	if (c->step) {
		c->step = 0;
		c->pieces = c->bytes;
	}
	if (c->reading == 2) {
		written_back(c, l, bytes);
		c->reading = 0;
	} else if (c->landed < c->pieces) {
		if (bytes > c->pieces - c->landed || at > c->bytes - bytes || bytes > WL_LANDING_MOST)
			return false;
		part(c, at, bytes, l);
		c->landed += bytes;
		c->reading = within(c);
		c->read_at = at;
	} else if (c->tells) {
		told(c, l);
	}
	return l->kind == kind && l->addr == addr;
}

bool async_find(struct wl_gpu *g, unsigned sm, uint32_t copy, uint32_t kind, uint32_t addr, uint32_t bytes,
                struct wl_landing *l)
{
	struct async *a = &gpu_sm(g, sm)->async;
	for (unsigned i = 0; i < ASYNC_MOST; i++) {
		struct copy *c = &a->copy[i];
		if (c->kind == COPY_FREE || (uint32_t)c->serial != copy)
			continue;
		*l = (struct wl_landing){
		        .copy = copy, .index = (uint8_t)i, .op = c->op, .size = c->size, .sgn = c->sgn};
		const bool bulk = c->kind == COPY_IN || c->kind == COPY_OUT;
		const bool found = bulk ? find_bulk(c, kind, addr, bytes, l) : find_lane(c, kind, addr, l);
		l->slot = slot_of(c, l);
		c->flying += found;
		return found && l->bytes == bytes;
	}
	return false;
}
