// SPDX-License-Identifier: Apache-2.0
/* async.c -- the agent of asynchronous copies: when copies land, and which warps wait for copies.
 * Source: docs/spec/async.md, "Copies"; docs/spec/async.md, "Groups". */
#include "async.h"
#include "exec_unit.h"
#include "step.h"
#include "stop.h"

#include <assert.h>

#include "exec.h"
#include "observe.h"

enum {
	PIECE = 16 * WL_WARP_LANES, /* bytes of a bulk copy landed at once, at most */
	PIECES_AT_ONCE = 8,
	SOONEST = 8, /* instructions of the SM until something lands, at least */
	VARY = 400,  /* and up to VARY more, by seed */
};

void async_init(struct async *a)
{
	memset(a, 0, sizeof *a);
	a->next = UINT64_MAX;
}

static struct async *of(const struct wl_gpu *g, unsigned sm)
{
	return &gpu_sm(g, sm)->async;
}

uint64_t async_later(const struct wl_gpu *g, uint64_t now, uint64_t salt)
{
	return now + SOONEST + mix32(g->config.seed ^ salt << 20, now) % VARY;
}

/* Time of the next landing; the SM's time stops at this time. */
static void find_next(struct sm *s)
{
	s->async.next = UINT64_MAX;
	if (s->async.outside)
		return;
	const struct copy *c;
	FOR_COPIES(&s->async, c)
	if (c->due < s->async.next)
		s->async.next = c->due;
	if (s->async.next < s->next_wake)
		s->next_wake = s->async.next;
}

/* ---- landing ---- */

void async_store(struct wl_gpu *g, uint8_t *p, const void *v, uint32_t n)
{
	if (memcmp(p, v, n) == 0)
		return;
	memcpy(p, v, n);
	observe_change(g, true);
	observe_store(g, p, n);
}

static void store_shared(struct wl_gpu *g, struct wl_smem *s, uint32_t at, const void *v, uint32_t n)
{
	async_store(g, s->mem + at, v, n);
	wl_smem_wrote(s, at, n, false);
}

/* Numbers of M = op(M, B). */
void async_reduce(const struct copy *c, const uint8_t *m, const uint8_t *b, uint8_t *to, uint32_t n)
{
	for (uint32_t i = 0; i < n; i += c->size) {
		uint64_t old = 0, v = 0, now;
		memcpy(&old, m + i, c->size);
		memcpy(&v, b + i, c->size);
		if (c->type != WL_AT_INT)
			now = wl_atomic_float((enum wl_atom_type)c->type, (enum wl_atom_op)c->op, c->size, old, v);
		else if (c->size == 8)
			now = wl_atomic_alu64((enum wl_atom_op)c->op, c->sgn, old, v);
		else
			now = wl_atomic_alu32((enum wl_atom_op)c->op, c->sgn, (uint32_t)old, (uint32_t)v);
		memcpy(to + i, &now, c->size);
	}
}

/* Units at the landing: of the CTA's own SM, or of the SM of another CTA of the cluster. */
static struct wl_units *target(const struct wl_gpu *g, const struct copy *c)
{
	return &gpu_sm(g, c->there.sm)->units;
}

void async_fault(struct wl_gpu *g, unsigned sm, const struct copy *c, uint32_t lanes, enum wl_fault fault,
                 uint32_t addr)
{
	const struct wl_window *w = &target(g, c)->smem.window[c->there.slot];
	stop_landing(g, sm, c->warp, c->pc, lanes, fault, addr - w->base + w->origin);
}

/* The copy would land in an ended CTA. Copies within the own CTA all land at the end of the CTA. */
bool async_late(struct wl_gpu *g, unsigned sm, const struct copy *c)
{
	const bool own = c->there.sm == sm && c->there.slot == c->slot;
	if (own || gpu_sm(g, c->there.sm)->cta[c->there.slot].state == CTA_RUNS)
		return false;
	async_fault(g, sm, c, c->lanes, WL_FAULT_CLUSTER_TARGET,
	            c->kind == COPY_IN ? (uint32_t)c->to : c->at[lowest(c->lanes)]);
	return true;
}

/* An mbarrier is told of the landing. False: a fault. */
static bool tell(struct wl_gpu *g, unsigned sm, const struct copy *c, uint32_t lanes, uint32_t addr, enum wl_land kind,
                 uint32_t amount)
{
	const enum wl_fault fault = wl_mbar_land(target(g, c), c->there.slot, addr, kind, amount);
	observe_change(g, true);
	if (fault != WL_FAULT_NONE)
		async_fault(g, sm, c, lanes, fault, addr);
	else if (g->observer)
		observe_told(g, sm, c, lanes, addr);
	unit_releases(g, c->there.sm, WL_UNIT_mbarrier_engine);
	return fault == WL_FAULT_NONE;
}

static void land_lane(struct wl_gpu *g, struct wl_smem *s, const struct copy *c, unsigned lane)
{
	uint8_t bytes[16] = {0};
	const uint32_t n = c->size - c->zeros[lane];
	const uint8_t *from = n ? wl_gmem_at(g->gmem, c->source[lane], n) : NULL;
	if (from)
		memcpy(bytes, from, n);
	store_shared(g, s, c->at[lane], bytes, c->size);
}

static void land_value(struct wl_gpu *g, unsigned sm, struct copy *c, unsigned lane)
{
	struct wl_smem *s = &target(g, c)->smem;
	uint8_t now[16];
	memcpy(now, c->value[lane], sizeof now);
	if (c->reduces)
		async_reduce(c, s->mem + c->at[lane], (const uint8_t *)c->value[lane], now, c->size);
	store_shared(g, s, c->at[lane], now, c->size);
	launch_answered(g, sm, c, lane);
	tell(g, sm, c, 1u << lane, c->bar[lane], WL_LAND_TX, c->size);
}

/* Some of the lanes land, at least one lane: the order of lanes is free. */
static void land_lanes(struct wl_gpu *g, unsigned sm, struct copy *c, bool all)
{
	struct wl_smem *s = &gpu_sm(g, sm)->units.smem;
	uint32_t some = c->lanes & mix32(g->config.seed ^ c->serial, c->lanes);
	if (all || !some)
		some = c->lanes;
	for (uint32_t m = some; m; m &= m - 1) {
		if (c->kind == COPY_THREADS)
			land_lane(g, s, c, lowest(m));
		else
			land_value(g, sm, c, lowest(m));
	}
	c->lanes &= ~some;
}

/* Do these bytes hold the value of the copy's validity check? The places within 16 bytes are a choice:
 * docs/spec/async.md, "Validity checks". */
bool async_matches(const struct copy *c, const uint8_t *p, uint32_t n)
{
	static const struct {
		uint32_t mask, value;
	} of[] = {{0, 1}, {UINT32_MAX, 0x80000000}, {0xffff, 0x8000}, {0xff, 0x80}, {0xf, 8}};
	bool found = false;
	for (uint32_t i = 0; i < n; i += 16) {
		uint32_t last;
		memcpy(&last, p + i + 12, sizeof last);
		found |= c->validity < 5 ? (last & of[c->validity].mask) == of[c->validity].value
		                         : memchr(p + i, 0xff, 16) != NULL;
	}
	return found;
}

static void land_piece(struct wl_gpu *g, struct wl_smem *s, struct copy *c, uint32_t at, uint32_t n)
{
	uint8_t now[PIECE];
	static const uint8_t zeros[PIECE];
	const uint8_t *from = c->fills           ? zeros
	                      : c->shared_source ? s->mem + c->from + at
	                                         : wl_gmem_at(g->gmem, c->from + at, n);
	uint8_t *to = c->kind == COPY_IN ? target(g, c)->smem.mem + c->to + at : wl_gmem_at(g->gmem, c->to + at, n);
	assert(from && to && "the whole copy was in range when it began");
	if (c->reduces)
		async_reduce(c, to, from, now, n);
	else
		memcpy(now, from, n);
	c->matched |= c->validity && async_matches(c, now, n);
	for (uint32_t i = 0; c->mask != 0xffff && i < n; i++)
		now[i] = c->mask >> i % 16 & 1 ? now[i] : to[i];
	if (c->kind == COPY_IN)
		store_shared(g, &target(g, c)->smem, (uint32_t)(c->to + at), now, n);
	else
		async_store(g, to, now, n);
}

static void land_pieces(struct wl_gpu *g, unsigned sm, struct copy *c, bool all)
{
	struct wl_smem *s = &gpu_sm(g, sm)->units.smem;
	uint32_t n = all ? UINT32_MAX : 1 + mix32(g->config.seed + c->serial, c->landed) % PIECES_AT_ONCE;
	for (; n && c->landed < c->pieces; n--) {
		const uint32_t at = c->next * PIECE, left = c->bytes - at;
		land_piece(g, s, c, at, left < PIECE ? left : PIECE);
		c->next = (c->next + c->step) % c->pieces;
		c->landed++;
	}
	if (c->landed != c->pieces || c->kind != COPY_IN || c->fills) /* bytes are told behind the last piece */
		return;
	if (!c->validity || tell(g, sm, c, c->lanes, c->mbarrier, WL_LAND_REPORT, (uint32_t)c->matched << 8))
		tell(g, sm, c, c->lanes, c->mbarrier, WL_LAND_TX, c->bytes);
}

/* Lanes of the warp with older copies still to land. */
uint32_t async_behind(const struct async *a, const struct copy *c)
{
	uint32_t lanes = 0;
	for (unsigned i = 0; i < ASYNC_MOST; i++)
		if (a->copy[i].kind == COPY_THREADS && a->copy[i].warp == c->warp && a->copy[i].serial < c->serial)
			lanes |= a->copy[i].lanes;
	return lanes;
}

static void land_arrivals(struct wl_gpu *g, unsigned sm, struct copy *c)
{
	const uint32_t now = c->lanes & ~async_behind(of(g, sm), c);
	for (uint32_t m = now; m && g->outcome == WL_RUNNING; m &= m - 1)
		tell(g, sm, c, 1u << lowest(m), c->bar[lowest(m)], c->op == 2 ? WL_LAND_TX : WL_LAND_ARRIVE, 1);
	c->lanes &= ~now;
	c->due = UINT64_MAX;
}

/* ---- waiting warps ---- */

static bool outstanding(const struct async *a, const struct warp *w, unsigned warp, unsigned board, uint32_t most)
{
	const struct copy *c;
	FOR_COPIES(a, c)
	if (c->warp == warp && c->board == board && c->group + most <= w->async.groups[board])
		return true;
	return false;
}

/* A copy of the warp has landed, or lanes of an LDGSTS: arrivals behind the copy become due, and the warp may go on. */
static void landed(struct wl_gpu *g, unsigned sm, unsigned warp, uint64_t now)
{
	struct async *a = of(g, sm);
	struct warp *w = gpu_warp(g, sm, warp);
	struct copy *c;
	FOR_COPIES(a, c)
	if (c->kind == COPY_ARRIVE && c->warp == warp && c->due == UINT64_MAX)
		c->due = async_later(g, now, c->serial);
	if (w->state != WARP_COPIES || outstanding(a, w, warp, w->async.board, w->async.most))
		return;
	warp_enter(w, WARP_RUNS);
	warp_set_ready(g, sm, warp);
}

void async_done(struct wl_gpu *g, unsigned sm, struct copy *c, uint64_t now)
{
	if (g->observer && !c->fills)
		observe_landed(g, sm, c);
	of(g, sm)->n--;
	of(g, sm)->of_warp[c->warp]--;
	g->copies--;
	c->kind = COPY_FREE;
	of(g, sm)->under_way[(c - of(g, sm)->copy) / 64] &= ~(UINT64_C(1) << (c - of(g, sm)->copy) % 64);
	landed(g, sm, c->warp, now);
}

/* One step of a copy; `all`: the whole rest. */
static void land(struct wl_gpu *g, unsigned sm, struct copy *c, bool all, uint64_t now)
{
	bool done;
	if (async_late(g, sm, c))
		return;
	if (c->kind == COPY_ARRIVE) {
		land_arrivals(g, sm, c);
		done = !c->lanes;
	} else if (c->kind == COPY_THREADS || c->kind == COPY_STORE) {
		land_lanes(g, sm, c, all);
		done = !c->lanes;
	} else {
		land_pieces(g, sm, c, all);
		done = c->landed == c->pieces;
	}
	if (c->kind != COPY_ARRIVE)
		c->due = async_later(g, now, c->serial);
	if (done)
		async_done(g, sm, c, now);
	else if (c->kind == COPY_THREADS)
		landed(g, sm, c->warp, now);
}

void async_land(struct wl_gpu *g, unsigned sm)
{
	struct sm *s = gpu_sm(g, sm);
	const uint64_t now = sm_time(s);
	if (s->async.outside)
		return;
	while (s->async.next <= now && g->outcome == WL_RUNNING) {
		struct copy *first = NULL, *c;
		FOR_COPIES(&s->async, c)
		if (!first || c->due < first->due)
			first = c;
		land(g, sm, first, false, now);
		find_next(s);
	}
	find_next(s);
}

/* The oldest copy; slot >= 0: the oldest copy of this CTA. */
static struct copy *oldest(struct async *a, int slot)
{
	struct copy *first = NULL, *c;
	FOR_COPIES(a, c)
	if ((slot < 0 || c->slot == slot) && (!first || c->serial < first->serial))
		first = c;
	return first;
}

bool async_stays(const struct wl_gpu *g, unsigned sm, unsigned slot)
{
	const struct async *a = of(g, sm);
	for (unsigned i = 0; i < ASYNC_MOST && a->n && a->outside; i++)
		if (a->copy[i].kind != COPY_FREE && a->copy[i].slot == slot)
			return true;
	return false;
}

void async_drain(struct wl_gpu *g, unsigned sm, unsigned slot)
{
	struct async *a = of(g, sm);
	struct copy *c;
	if (a->outside)
		return;
	while (a->n && g->outcome == WL_RUNNING && (c = oldest(a, (int)slot)))
		land(g, sm, c, true, sm_time(gpu_sm(g, sm)));
	find_next(gpu_sm(g, sm));
}

/* ---- new copies ---- */

struct copy *async_new(struct exec *x, enum copy_kind kind)
{
	struct async *a = &x->sm->async;
	struct copy *c = a->copy;
	assert(!(a->outside && a->n == ASYNC_MOST) && "nobody asks where async_full");
	while (a->n == ASYNC_MOST) /* the oldest first: an arrival is behind the copies of the arrival */
		land(x->gpu, x->sm_index, oldest(a, -1), true, sm_time(x->sm));
	while (c->kind != COPY_FREE)
		c++;
	*c = (struct copy){.kind = (uint8_t)kind,
	                   .board = ASYNC_NO_GROUP,
	                   .size = x->in->size,
	                   .op = x->in->op,
	                   .type = x->in->type,
	                   .sgn = x->in->flags & WL_F_SIGNED,
	                   .mask = 0xffff,
	                   .slot = x->w->slot,
	                   .there = {(uint16_t)x->sm_index, x->w->slot},
	                   .warp = x->warp_index,
	                   .pc = x->pc * 16,
	                   .lanes = x->mask,
	                   .serial = ++a->serial};
	return c;
}

/* A step without a common divisor visits all pieces. */
static uint32_t some_step(const struct wl_gpu *g, const struct copy *c)
{
	uint32_t step = 1 + mix32(g->config.seed, c->serial) % c->pieces, a, b;
	do {
		step = step % c->pieces + 1;
		for (a = step, b = c->pieces; b;) {
			const uint32_t rest = a % b;
			a = b;
			b = rest;
		}
	} while (a != 1);
	return step;
}

/* `skew`: bytes missing from the first piece. */
static void cut(const struct wl_gpu *g, struct copy *c, uint32_t piece, uint32_t skew)
{
	c->pieces = c->bytes ? (skew + c->bytes + piece - 1) / piece : 0;
	c->step = c->pieces ? some_step(g, c) : 1;
	c->next = c->pieces ? mix32(c->serial, g->config.seed) % c->pieces : 0;
}

static void find_bounds(struct copy *c)
{
	if (c->kind == COPY_IN) {
		c->low = (uint32_t)c->to;
		c->high = c->low + c->bytes;
	} else if (c->kind == COPY_THREADS || c->kind == COPY_STORE) {
		c->low = UINT32_MAX;
		for (uint32_t m = c->lanes; m; m &= m - 1) {
			const uint32_t at = c->at[lowest(m)];
			c->low = at < c->low ? at : c->low;
			c->high = at + c->size > c->high ? at + c->size : c->high;
		}
	}
}

void async_go(struct exec *x, struct copy *c)
{
	const struct async *a = &x->sm->async;
	c->began = sm_time(x->sm) + x->done;
	find_bounds(c);
	c->due = async_later(x->gpu, a->outside ? a->cycle : sm_time(x->sm) + x->done, c->serial);
	c->reports = c->validity != 0;
	c->tells = c->kind == COPY_STORE ? c->lanes : c->kind == COPY_IN && !c->fills;
	if (c->kind == COPY_IN || c->kind == COPY_OUT) {
		const uint32_t piece = a->outside ? async_cut(a, c) : PIECE;
		cut(x->gpu, c, piece, a->outside ? async_skew(a, c) : 0);
	}
	if (x->gpu->observer && !c->fills)
		observe_copy(x, c);
	x->sm->async.n++;
	x->sm->async.of_warp[c->warp]++;
	x->sm->async.under_way[(c - a->copy) / 64] |= UINT64_C(1) << (c - a->copy) % 64;
	x->gpu->copies++;
	find_next(x->sm);
}

void async_commit(struct exec *x, uint32_t kinds, unsigned board)
{
	struct async *a = &x->sm->async;
	if (board >= ASYNC_BOARDS) /* nobody can wait for this scoreboard */
		return;
	const uint32_t group = ++x->w->async.groups[board];
	if (x->gpu->observer)
		observe_commit(x, kinds, board);
	for (unsigned i = 0; i < ASYNC_MOST && a->n; i++) {
		struct copy *c = &a->copy[i];
		if (!(kinds >> c->kind & 1) || c->warp != x->warp_index || c->board != ASYNC_NO_GROUP)
			continue;
		c->board = (uint8_t)board;
		c->group = group;
	}
}

static bool wait_for(struct exec *x, unsigned board, uint32_t most)
{
	struct async_warp *w = &x->w->async;
	if (!outstanding(&x->sm->async, x->w, x->warp_index, board, most))
		return false;
	w->board = (uint8_t)board;
	w->most = most;
	warp_enter(x->w, WARP_COPIES);
	return true;
}

bool async_wait(struct exec *x, unsigned board, uint32_t most)
{
	return board < ASYNC_BOARDS && wait_for(x, board, most);
}

bool async_fill(struct exec *x, struct copy *c)
{
	c->board = ASYNC_FILLS;
	c->group = ++x->w->async.groups[ASYNC_FILLS];
	async_go(x, c);
	if (x->sm->async.outside)
		return wait_for(x, ASYNC_FILLS, 0);
	land(x->gpu, x->sm_index, c, true, sm_time(x->sm));
	find_next(x->sm);
	return false;
}

bool async_wait_boards(struct exec *x, unsigned boards)
{
	for (unsigned board = 0; board < ASYNC_BOARDS; board++)
		if (boards >> board & 1 && async_wait(x, board, 0))
			return true;
	return false;
}
