// SPDX-License-Identifier: Apache-2.0
/* advance.c -- tells a warp in progress from a warp whose running lanes all poll.
 *
 * A program decides by comparisons and acts by accesses. Each leaves a hash at a place chosen by the pc: a hash of the
 * compared words, or of address and data. All places of a group are the state of the group. A loop in progress compares
 * a counter or a clock, or accesses other words: new states in each round. A loop that polls comes back to known states,
 * even if the loop counts rounds in a register, or delays by an inner loop. The table of states has a bit for each known
 * state. A full table is emptied.
 *
 * The result decides about waits (groups_patience), and depends on the order of a log alone: a request counts at the
 * ACCEPT, any other instruction when executed. Source: docs/spec/convergence.md, "Patience". */
#include <string.h>

#include "advance.h"
#include "exec.h"

enum { SEEN_BITS = 64 * ADVANCE_SEEN, SEEN_MOST = SEEN_BITS / 2 };

/* Words of the executing lanes of an instruction. */
struct words {
	uint32_t mask, hash;
};

static void forget(struct advance *a)
{
	memset(a->seen, 0, sizeof a->seen);
	a->states = 0;
}

void advance_begin(struct warp *w)
{
	forget(&w->advance);
	w->advance.since = w->switches;
	w->advance.polled = 0;
	w->advance.read = 0;
	w->advance.clocked = 0;
	memset(w->advance.place, 0, sizeof w->advance.place);
	w->advance.on = true;
}

void advance_split(struct warp *w, unsigned to, unsigned from)
{
	memcpy(w->advance.place[to], w->advance.place[from], sizeof w->advance.place[to]);
}

bool advance_none(const struct warp *w, uint32_t lanes, uint32_t changes)
{
	const struct advance *a = &w->advance;
	const uint32_t idle = w->switches - a->since;
	return idle >= changes && idle >= 2 * a->states && !(lanes & ~a->polled);
}

static void add(struct words *s, const uint32_t *row)
{
	uint32_t sum = 0;
	FOR_LANES (i) {
		uint32_t v = (row[i] ^ i * 0x9e3779b1u) * 0x85ebca6bu;
		v = (v ^ v >> 15) * 0xc2b2ae35u;
		sum += (v ^ v >> 13) & (0 - (s->mask >> i & 1));
	}
	s->hash = mix32(s->hash, sum);
}

static void add_compared(struct words *s, const struct exec *x)
{
	const uint32_t *row[3] = {x->a, x->b, x->c};
	for (unsigned i = 0; i < 3; i++) {
		if (x->in->src[i] == WL_SRC_NONE)
			continue;
		add(s, row[i]);
		if (x->op->wide >> i & 1)
			add(s, row[i] + WL_WARP_LANES);
	}
}

/* Some bits of a word: a count of rounds may decide by its low bits, again and again. */
static void add_bits(struct words *s, const struct exec *x)
{
	uint32_t d[WL_WARP_LANES] = {0};
	for (unsigned k = 0; k < 8; k++)
		for (unsigned i = 0; i < WL_WARP_LANES && x->in->lut >> k & 1; i++)
			d[i] |= (k & 4 ? x->a[i] : ~x->a[i]) & (k & 2 ? x->b[i] : ~x->b[i]) &
			        (k & 1 ? x->c[i] : ~x->c[i]);
	add(s, d);
}

static void add_uniform(struct words *s, const struct exec *x, unsigned i)
{
	const uint8_t ur[3] = {x->in->ra, x->in->rb, x->in->rc};
	if (x->in->src[i] != WL_SRC_IMM)
		s->hash = mix32(s->hash, read_ur(x, ur[i]) | (uint64_t)read_ur_hi(x, ur[i]) << 32);
}

/* Address and data of an access. A register that was a source and the destination counts with its new value. */
static void add_accessed(struct words *s, const struct exec *x)
{
	const uint32_t *row[3] = {x->a, x->b, x->c};
	const uint8_t reg[3] = {x->in->ra, x->in->rb, x->in->rc};
	const uint32_t uniform = wl_uop_traits((enum wl_uop)x->in->uop)->uniform_sources;
	for (unsigned i = 0; i < 3; i++) {
		if (uniform >> i & 1)
			add_uniform(s, x, i);
		else if (x->in->src[i] != WL_SRC_NONE)
			add(s, row[i]);
		else if (reg[i] != WL_RZ)
			add(s, x->r[reg[i]]);
	}
	s->hash = mix32(s->hash, read_ur(x, x->in->ur));
}

static uint64_t accesses(enum wl_uop uop)
{
	return wl_uop_traits(uop)->traits & (WL_TRAIT(READS_MEMORY) | WL_TRAIT(WRITES_MEMORY));
}

/* False: the instruction neither compares nor accesses memory. */
static bool tells(struct words *s, const struct exec *x)
{
	switch (x->in->uop) {
	case WL_UOP_ISETP:
	case WL_UOP_FSETP:
	case WL_UOP_DSETP:
	case WL_UOP_HSETP2:
	case WL_UOP_PLOP3_SIGN:
	case WL_UOP_R2P:
		add_compared(s, x);
		return true;
	case WL_UOP_LOP3:
		if (x->in->pd[0] == WL_PT)
			return false;
		add_bits(s, x);
		return true;
	case WL_UOP_UISETP:
	case WL_UOP_UFSETP:
	case WL_UOP_UPLOP3_SIGN:
	case WL_UOP_ULOP3:
		for (unsigned i = 0; i < 3; i++)
			add_uniform(s, x, i);
		return true;
	default:
		if (!accesses((enum wl_uop)x->in->uop))
			return false;
		add_accessed(s, x);
		return true;
	}
}

/* The group with this file of uniform registers is in another state, perhaps a new state. */
static void enter(struct warp *w, unsigned uni, uint32_t pc, struct words s, bool reads)
{
	struct advance *a = &w->advance;
	uint32_t state = 0;
	a->read |= reads ? s.mask : 0;
	a->place[uni][pc % ADVANCE_PLACES] = s.hash;
	for (unsigned i = 0; i < ADVANCE_PLACES; i++)
		state += a->place[uni][i];
	const uint32_t bit = mix32(state, 0) % SEEN_BITS;
	if (a->seen[bit / 64] >> bit % 64 & 1) {
		a->polled |= reads ? s.mask : 0;
		return;
	}
	if (a->states == SEEN_MOST)
		forget(a);
	a->seen[bit / 64] |= UINT64_C(1) << bit % 64;
	a->states++;
	a->since = w->switches;
	a->polled = 0;
}

static bool looks_at_clock(const struct exec *x)
{
	switch (x->in->uop) {
	case WL_UOP_S2R:
	case WL_UOP_CS2R:
	case WL_UOP_S2UR:
	case WL_UOP_CS2UR:
		return special_is_clock((uint32_t)x->in->imm);
	default:
		return false;
	}
}

/* One lane may read for all: lanes that exchange words with a reader have read, too. */
static void exchange(struct advance *a, uint32_t lanes)
{
	a->read |= a->read & lanes ? lanes : 0;
	a->clocked |= a->clocked & lanes ? lanes : 0;
	a->polled |= a->polled & lanes ? lanes : 0;
}

static bool exchanges(enum wl_uop uop)
{
	return wl_uop_has(uop, WL_TRAIT(COLLECTIVE)) && !accesses(uop);
}

void advance_note(const struct exec *x, uint32_t lanes)
{
	struct words s = {lanes, mix32(x->pc, lanes)};
	x->w->advance.clocked |= looks_at_clock(x) ? lanes : 0;
	if (exchanges((enum wl_uop)x->in->uop))
		exchange(&x->w->advance, lanes);
	else if (tells(&s, x))
		enter(x->w, x->g->uni, x->pc, s, wl_uop_has((enum wl_uop)x->in->uop, WL_TRAIT(READS_MEMORY)));
}

void advance_note_request(struct wl_gpu *gpu, struct warp *w, const struct wl_req *req)
{
	const uint32_t pc = req->pc / 16;
	const enum wl_uop uop = (enum wl_uop)gpu->program->insts[pc].uop;
	struct words s = {req->mask, mix32(pc, req->mask)};
	uint32_t addr[WL_WARP_LANES], data[WL_WARP_LANES];
	if (!w->advance.on)
		return;
	if (exchanges(uop))
		exchange(&w->advance, req->mask);
	if (!accesses(uop))
		return;
	FOR_LANES (i) {
		addr[i] = (uint32_t)req->ra[i];
		data[i] = req->rb[i].w[0];
	}
	add(&s, addr);
	add(&s, data);
	enter(w, w->g[w->cur].uni, pc, s, wl_uop_has(uop, WL_TRAIT(READS_MEMORY)));
}
