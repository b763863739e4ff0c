// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "barrier_script.h"

void script_start(struct script_cta *c, unsigned barriers, uint64_t warps, unsigned rounds)
{
	*c = (struct script_cta){.barriers = barriers, .live = warps, .rounds = rounds};
	c->launched = (unsigned)__builtin_popcountll(warps);
	for (unsigned i = 0; i < barriers; i++) {
		c->past[i] = warps;
	}
}

static unsigned count(uint64_t warps)
{
	return (unsigned)__builtin_popcountll(warps);
}

static struct script_op *append(struct script_warp *w)
{
	struct script_op *op = &w->op[(w->first + w->count++) % SCRIPT_OPS];
	*op = (struct script_op){0};
	return op;
}

/* Any n of a set. */
static uint64_t choose(struct rng *rng, uint64_t from, unsigned n)
{
	uint64_t chosen = 0;
	while (n > 0) {
		unsigned skip = rng_below(rng, count(from));
		uint64_t rest = from;
		while (skip-- > 0) {
			rest &= rest - 1;
		}
		uint64_t one = rest & -rest;
		chosen |= one;
		from &= ~one;
		n--;
	}
	return chosen;
}

/* Barrier and count in any of the four encodings; operands not read by an encoding are random. */
static void operands(struct rng *rng, struct bar_request *q, uint32_t id, uint32_t threads)
{
	bool id_in_word = id < 16, count_in_word = threads < 4096, packs = id < 65536 && threads < 65536;
	do {
		q->form = (uint8_t)rng_below(rng, 4);
	} while ((q->form == 0 && !(id_in_word && count_in_word)) || (q->form == BAR_COUNT_IN_RB && !id_in_word) ||
	         (q->form == BAR_ID_IN_RA && !count_in_word) || (q->form == BAR_PACKED && !packs));
	q->id = (uint8_t)rng_below(rng, 16);
	q->count = (uint16_t)rng_below(rng, 4096);
	q->ra = rng_u32(rng);
	q->rb = rng_u32(rng);
	if (q->form == BAR_PACKED) {
		q->ra = threads << 16 | id;
		return;
	}
	if (q->form & BAR_ID_IN_RA) {
		q->ra = id;
	} else {
		q->id = (uint8_t)id;
	}
	if (q->form & BAR_COUNT_IN_RB) {
		q->rb = threads;
	} else {
		q->count = (uint16_t)threads;
	}
}

static void append_arrival(struct rng *rng, struct script_warp *w, unsigned kind, uint32_t id, uint32_t threads)
{
	struct script_op *op = append(w);
	op->request.kind = (uint8_t)kind;
	operands(rng, &op->request, id, threads);
}

/* After a round at `id`: all `members` arrived before any of `waiters` went on. */
static void learn(struct script_cta *c, unsigned id, uint64_t members, uint64_t waiters, bool everyone)
{
	for (unsigned i = 0; i < c->barriers; i++) {
		if (i != id && (everyone || (members & c->past[i]) || (c->member[i] & ~members) == 0)) {
			c->past[i] |= waiters;
		}
	}
	c->member[id] = members;
	c->past[id] = waiters;
}

static bool find_barrier(struct script_cta *c, struct rng *rng, uint64_t members, unsigned not, unsigned *id)
{
	for (unsigned tries = 0; tries < 64; tries++) {
		*id = rng_below(rng, c->barriers);
		if (*id != not &&(members & ~c->past[*id]) == 0) {
			return true;
		}
	}
	return false;
}

static unsigned any_kind(struct rng *rng)
{
	return rng_below(rng, 2) ? BAR_SYNC : BAR_POPC + rng_below(rng, 3);
}

/* All live warps, without a count: the phase does not wait for exited warps. Before the first exit some warps may give
 * the count. A warp with a count may also just arrive. */
static void round_all(struct script_cta *c, struct script_warp *warp, struct rng *rng)
{
	unsigned id, kind = any_kind(rng);
	bool counts = count(c->live) == c->launched && rng_one_in(rng, 3);
	if (!find_barrier(c, rng, c->live, c->barriers, &id)) {
		return;
	}
	uint64_t waiters = c->live;
	for (uint64_t rest = c->live; rest; rest &= rest - 1) {
		unsigned w = (unsigned)__builtin_ctzll(rest);
		bool given = counts && rng_below(rng, 2);
		unsigned own = given && kind == BAR_SYNC && rng_one_in(rng, 3) ? BAR_ARV : kind;
		append_arrival(rng, &warp[w], own, id, given ? c->launched * 32 : 0);
		waiters &= ~(own == BAR_ARV ? UINT64_C(1) << w : 0);
	}
	learn(c, id, c->live, waiters, !counts);
}

/* Some warps with a count: `groups` groups in any order, so that phases follow at once. */
static void round_some(struct script_cta *c, struct script_warp *warp, struct rng *rng, unsigned groups)
{
	unsigned id, kind = any_kind(rng), n = 1 + rng_below(rng, count(c->live) / groups);
	uint64_t members = choose(rng, c->live, n * groups);
	if (!find_barrier(c, rng, members, c->barriers, &id)) {
		return;
	}
	uint64_t waiters = members;
	for (uint64_t rest = members; rest; rest &= rest - 1) {
		unsigned w = (unsigned)__builtin_ctzll(rest);
		unsigned own = kind == BAR_SYNC && rng_one_in(rng, 3) ? BAR_ARV : kind;
		append_arrival(rng, &warp[w], own, id, n * 32);
		waiters &= ~(own == BAR_ARV ? UINT64_C(1) << w : 0);
	}
	if (groups == 1) {
		learn(c, id, members, waiters, false);
	} else {
		c->member[id] = members;
		c->past[id] = 0;
	}
}

/* Requests with a fault in any state. */
static void misuse_of_operands(struct script_cta *c, struct script_warp *w, struct rng *rng)
{
	unsigned kind = rng_below(rng, 5);
	uint32_t id = rng_below(rng, c->barriers), threads = 32 * (1 + rng_below(rng, c->launched));
	struct script_op *op = append(w);
	op->faults = true;
	switch (rng_below(rng, 6)) {
	case 0:
		id = c->barriers + (rng_below(rng, 2) ? 0 : rng_below(rng, 20));
		threads = rng_below(rng, 2) ? threads : rng_below(rng, 4096);
		break;
	case 1:
		id = UINT32_C(1) << (4 + rng_below(rng, 28));
		break;
	case 2:
		threads += 1 + rng_below(rng, 31);
		break;
	case 3:
		/* often just too many for the CTA, or for an SM */
		threads = 32 * (rng_one_in(rng, 4)  ? BAR_WARPS + 1
		                : rng_below(rng, 2) ? c->launched + 1
		                                    : c->launched + 1 + rng_below(rng, 64));
		break;
	case 4:
		threads = rng_below(rng, 2)
		                  ? rng_u32(rng) | UINT32_C(1) << (16 + rng_below(rng, 16))
		                  : (rng_below(rng, 2) ? threads : 0) | UINT32_C(1) << (11 + rng_below(rng, 21));
		break;
	default:
		op->closed = true;
		id = rng_below(rng, 20);
		threads = rng_below(rng, 2) ? threads : rng_below(rng, 5000);
	}
	if (rng_one_in(rng, 8) && !op->closed) {
		kind = BAR_ARV;
		threads = 0;
	}
	op->request.kind = (uint8_t)kind;
	operands(rng, &op->request, id, threads);
}

/* A warp arrives and stays: all its further arrivals there fault. Another warp then completes the phase. */
static void misuse_of_phase(struct script_cta *c, struct script_warp *warp, struct rng *rng)
{
	unsigned id, other;
	if (count(c->live) < 2) {
		return;
	}
	uint64_t pair = choose(rng, c->live, 2);
	unsigned a = (unsigned)__builtin_ctzll(pair), b = 63 - (unsigned)__builtin_clzll(pair);
	if (!find_barrier(c, rng, pair, c->barriers, &id) || !find_barrier(c, rng, pair, id, &other)) {
		return;
	}
	append_arrival(rng, &warp[a], BAR_ARV, id, 64);
	for (unsigned n = 1 + rng_below(rng, 4); n > 0; n--) {
		unsigned kind = rng_below(rng, 5);
		append_arrival(rng, &warp[a], kind, id, 32 * (rng_below(rng, 2) ? 2 : 1 + rng_below(rng, c->launched)));
		warp[a].op[(warp[a].first + warp[a].count - 1) % SCRIPT_OPS].faults = true;
	}
	append_arrival(rng, &warp[a], BAR_SYNC, other, 64);
	append_arrival(rng, &warp[b], BAR_SYNC, other, 64);
	learn(c, other, pair, pair, false);
	append_arrival(rng, &warp[b], BAR_SYNC, id, 64);
	learn(c, id, pair, UINT64_C(1) << b, false);
}

/* Some warps arrive. An odd warp, not expected by the phase, comes beside the arrivals with another count or a vote.
 * All but the last warp meet after the first arrival. The last warp waits for the odd warp. */
static void misuse_beside(struct script_cta *c, struct script_warp *warp, struct rng *rng)
{
	unsigned id, before, behind, n = count(c->live);
	if (n < 4) {
		return;
	}
	uint64_t all = choose(rng, c->live, 4 + rng_below(rng, n - 3)), rest = all;
	unsigned role[3]; /* the first, the last, the odd warp */
	for (unsigned i = 0; i < 3; i++) {
		uint64_t one = choose(rng, rest, 1);
		rest &= ~one;
		role[i] = (unsigned)__builtin_ctzll(one);
	}
	uint64_t last = UINT64_C(1) << role[1], odd = UINT64_C(1) << role[2];
	uint64_t members = all & ~odd, waiters = last;
	unsigned wanted = count(members);
	if (!find_barrier(c, rng, members, c->barriers, &id) || !find_barrier(c, rng, all & ~last, id, &before) ||
	    !find_barrier(c, rng, last | odd, id, &behind) || before == behind) {
		return;
	}
	append_arrival(rng, &warp[role[0]], BAR_ARV, id, 32 * wanted);
	for (uint64_t meet = all & ~last; meet; meet &= meet - 1) {
		append_arrival(rng, &warp[__builtin_ctzll(meet)], BAR_SYNC, before, 32 * wanted);
	}
	learn(c, before, all & ~last, all & ~last, false);
	for (unsigned k = 1 + rng_below(rng, 6); k > 0; k--) {
		struct script_warp *w = &warp[role[2]];
		bool votes = rng_below(rng, 2) || wanted == c->launched;
		append_arrival(rng, w,
		               votes               ? BAR_POPC + rng_below(rng, 3)
		               : rng_below(rng, 2) ? BAR_SYNC
		                                   : BAR_ARV,
		               id, 32 * (votes ? wanted : wanted + 1));
		w->op[(w->first + w->count - 1) % SCRIPT_OPS].faults = true;
	}
	for (; rest; rest &= rest - 1) {
		bool waits = rng_below(rng, 2);
		waiters |= waits ? rest & -rest : 0;
		append_arrival(rng, &warp[__builtin_ctzll(rest)], waits ? BAR_SYNC : BAR_ARV, id, 32 * wanted);
	}
	append_arrival(rng, &warp[role[2]], BAR_SYNC, behind, 64);
	append_arrival(rng, &warp[role[1]], BAR_SYNC, behind, 64);
	learn(c, behind, last | odd, last | odd, false);
	append_arrival(rng, &warp[role[1]], BAR_SYNC, id, 32 * wanted);
	learn(c, id, members, waiters, false);
}

static void append_kind(struct script_warp *w, unsigned kind)
{
	append(w)->request.kind = (uint8_t)kind;
}

/* Some warps exit; at the very end all exit. An exiting warp may leave an arrival behind; no warp will meet the
 * arrival. */
static void exits(struct script_cta *c, struct script_warp *warp, struct rng *rng, uint64_t leaving)
{
	unsigned id;
	for (uint64_t rest = leaving; rest; rest &= rest - 1) {
		unsigned w = (unsigned)__builtin_ctzll(rest);
		if (leaving == c->live && c->launched > 1 && rng_one_in(rng, 2) &&
		    find_barrier(c, rng, UINT64_C(1) << w, c->barriers, &id)) {
			append_arrival(rng, &warp[w], BAR_ARV, id, 64);
			c->past[id] = 0;
		}
		append_kind(&warp[w], BAR_EXIT);
	}
	c->live &= ~leaving;
	c->ended = c->live == 0;
}

void script_same(struct script_cta *c, struct script_warp *warp, unsigned kind, unsigned id, unsigned threads)
{
	for (uint64_t rest = c->live; rest; rest &= rest - 1) {
		struct script_op *op = append(&warp[__builtin_ctzll(rest)]);
		op->request =
		        (struct bar_request){.kind = (uint8_t)kind, .id = (uint8_t)id, .count = (uint16_t)threads};
	}
}

void script_round(struct script_cta *c, struct script_warp *warp, struct rng *rng)
{
	if (c->rounds == 0) {
		exits(c, warp, rng, c->live);
		return;
	}
	c->rounds--;
	uint64_t one = choose(rng, c->live, 1);
	struct script_warp *w = &warp[__builtin_ctzll(one)];
	switch (rng_below(rng, 12)) {
	case 0:
	case 1:
	case 2:
		round_all(c, warp, rng);
		break;
	case 3:
	case 4:
		round_some(c, warp, rng, 1);
		break;
	case 5:
	case 6:
		round_some(c, warp, rng, 1 + rng_below(rng, count(c->live)));
		break;
	case 7:
		misuse_of_operands(c, w, rng);
		break;
	case 8:
		if (rng_below(rng, 2)) {
			misuse_of_phase(c, warp, rng);
		} else {
			misuse_beside(c, warp, rng);
		}
		break;
	case 9:
		if (count(c->live) > 1) {
			exits(c, warp, rng, choose(rng, c->live, 1 + rng_below(rng, count(c->live) / 2)));
		}
		break;
	default:
		append_kind(w, BAR_RESULT);
	}
}
