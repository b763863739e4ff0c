// SPDX-License-Identifier: Apache-2.0
/* random.c -- the mix of warp_collective: every form of the architecture, values often equal, masks of divergent warps,
 * and shuffles naming inactive or missing lanes. */
#include <stdio.h>
#include <string.h>

#include "collective.h"

enum { VARIANTS = 6 };

/* An instruction to encode. */
struct kind {
	enum wl_uop uop;
	uint8_t op, size;
	uint32_t flags;
	uint8_t srcs;       /* of SHFL: 2 = b in a register, 1 = c in a register */
	enum wl_arch since; /* the first architecture with the instruction; of FREDUX the only architecture */
};

#define SHUFFLES(op)                                                                                                   \
	{WL_UOP_SHFL, op, 0, 0, 0, WL_SM75}, {WL_UOP_SHFL, op, 0, 0, 1, WL_SM75}, {WL_UOP_SHFL, op, 0, 0, 2, WL_SM75}, \
	{                                                                                                              \
		WL_UOP_SHFL, op, 0, 0, 3, WL_SM75                                                                      \
	}
static const struct kind kinds[] = {
        {WL_UOP_VOTE, WL_VOTE_ALL, 0, 0, 0, WL_SM75},
        {WL_UOP_VOTE, WL_VOTE_ANY, 0, 0, 0, WL_SM75},
        {WL_UOP_VOTE, WL_VOTE_EQ, 0, 0, 0, WL_SM75},
        {WL_UOP_VOTEU, WL_VOTE_ALL, 0, 0, 0, WL_SM75},
        {WL_UOP_VOTEU, WL_VOTE_ANY, 0, 0, 0, WL_SM75},
        {WL_UOP_VOTEU, WL_VOTE_EQ, 0, 0, 0, WL_SM75},
        SHUFFLES(WL_SHFL_IDX),
        SHUFFLES(WL_SHFL_UP),
        SHUFFLES(WL_SHFL_DOWN),
        SHUFFLES(WL_SHFL_BFLY),
        {WL_UOP_MATCH, 0, 0, 0, 0, WL_SM75},
        {WL_UOP_MATCH, 0, 8, 0, 0, WL_SM75},
        {WL_UOP_MATCH, 1, 0, 0, 0, WL_SM75},
        {WL_UOP_MATCH, 1, 8, 0, 0, WL_SM75},
        {WL_UOP_REDUX, WL_REDUX_AND, 0, 0, 0, WL_SM80},
        {WL_UOP_REDUX, WL_REDUX_OR, 0, 0, 0, WL_SM80},
        {WL_UOP_REDUX, WL_REDUX_XOR, 0, 0, 0, WL_SM80},
        {WL_UOP_REDUX, WL_REDUX_SUM, 0, 0, 0, WL_SM80},
        {WL_UOP_REDUX, WL_REDUX_MIN, 0, 0, 0, WL_SM80},
        {WL_UOP_REDUX, WL_REDUX_MAX, 0, 0, 0, WL_SM80},
        {WL_UOP_REDUX, WL_REDUX_MIN, 0, WL_F_SIGNED, 0, WL_SM80},
        {WL_UOP_REDUX, WL_REDUX_MAX, 0, WL_F_SIGNED, 0, WL_SM80},
        {WL_UOP_ELECT, 0, 0, 0, 0, WL_SM90},
        {WL_UOP_FREDUX, 0, 0, 0, 0, WL_SM100},
        {WL_UOP_FREDUX, 1, 0, 0, 0, WL_SM100},
        {WL_UOP_FREDUX, 2, 0, 0, 0, WL_SM100},
        {WL_UOP_FREDUX, 3, 0, 0, 0, WL_SM100},
        {WL_UOP_FREDUX, 0, 0, WL_F_NAN, 0, WL_SM100},
        {WL_UOP_FREDUX, 1, 0, WL_F_NAN, 0, WL_SM100},
        {WL_UOP_FREDUX, 2, 0, WL_F_NAN, 0, WL_SM100},
        {WL_UOP_FREDUX, 3, 0, WL_F_NAN, 0, WL_SM100},
};
#undef SHUFFLES

struct row {
	struct wl_word word;
	struct wl_inst inst;
};

struct draw {
	struct row row[sizeof kinds / sizeof kinds[0]][VARIANTS];
	unsigned n[sizeof kinds / sizeof kinds[0]];
	uint8_t have[sizeof kinds / sizeof kinds[0]]; /* kinds of this architecture */
	unsigned nhave;
};

/* ---- words ---- */

static uint8_t some_register(struct rng *rng, unsigned one_in)
{
	return rng_one_in(rng, one_in) ? WL_RZ : (uint8_t)(rng_below(rng, 120) * 2);
}

/* Every destination is sometimes left out, and every register is sometimes RZ. */
static struct wl_inst draw_inst(const struct kind *k, struct rng *rng)
{
	struct wl_inst in = wl_inst_make(k->uop);
	const bool reduces = k->uop == WL_UOP_REDUX || k->uop == WL_UOP_FREDUX;
	const bool uniform = k->uop == WL_UOP_VOTEU || reduces || k->uop == WL_UOP_ELECT;
	in.op = k->op;
	in.size = k->size;
	in.flags = k->flags;
	if (uniform && rng_below(rng, 6))
		in.urd = (uint8_t)rng_below(rng, 60);
	else if (!uniform)
		in.rd = some_register(rng, 6);
	if (!reduces && !(k->uop == WL_UOP_MATCH && k->op) && rng_below(rng, 4))
		in.pd[0] = (uint8_t)rng_below(rng, 7);
	if (k->uop == WL_UOP_VOTE || k->uop == WL_UOP_VOTEU || k->uop == WL_UOP_ELECT) {
		in.ps[0] = (uint8_t)rng_below(rng, 16);
		return in;
	}
	in.src[0] = WL_SRC_REG;
	in.ra = some_register(rng, 12);
	if (k->uop != WL_UOP_SHFL)
		return in;
	in.src[1] = k->srcs & 2 ? WL_SRC_REG : WL_SRC_IMM;
	in.src[2] = k->srcs & 1 ? WL_SRC_REG : WL_SRC_IMM;
	in.rb = k->srcs & 2 ? some_register(rng, 8) : WL_RZ;
	in.rc = k->srcs & 1 ? some_register(rng, 4) : WL_RZ;
	in.imm = k->srcs & 2 ? 0 : rng_below(rng, 32);
	const uint32_t width = 32 - (UINT32_C(1) << rng_below(rng, 6));
	in.imm2 = k->srcs & 1         ? 0
	          : rng_below(rng, 3) ? width << 8 | (k->op == WL_SHFL_UP ? 0 : 31)
	                              : rng_below(rng, 8192);
	return in;
}

static bool start(struct random_stream *r, char *why, size_t whyn)
{
	struct draw *d = r->own;
	for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		const struct kind *k = &kinds[i];
		const char *reason = "";
		for (unsigned tries = 0; tries < 4 * VARIANTS && d->n[i] < VARIANTS; tries++) {
			const struct wl_inst in = draw_inst(k, r->rng);
			struct row *row = &d->row[i][d->n[i]];
			/* not every form has a word, e.g. a form without a result */
			if (wl_encode(r->config->arch, &in, &row->word, &reason) == WL_OK &&
			    wl_decode(r->config->arch, row->word, &row->inst) == WL_OK)
				d->n[i]++;
		}
		if (d->n[i]) {
			d->have[d->nhave++] = (uint8_t)i;
		} else if (r->config->arch >= k->since && (k->uop != WL_UOP_FREDUX || r->config->arch == k->since)) {
			snprintf(why, whyn, "%s, operation %u, has no encoding: %s", wl_uop_name(k->uop), k->op,
			         reason);
			return false;
		}
	}
	return true;
}

/* ---- operands ---- */

static uint32_t draw_mask(struct rng *rng)
{
	uint32_t m = rng_u32(rng);
	switch (rng_below(rng, 8)) {
	case 0:
		m &= rng_u32(rng) & rng_u32(rng); /* sparse: some beats are empty */
		break;
	case 1:
		m = UINT32_C(1) << rng_below(rng, 32);
		break;
	case 2:
		m = rng_below(rng, 2) ? UINT32_MAX << rng_below(rng, 32) : UINT32_MAX >> rng_below(rng, 32);
		break;
	case 3:
		break;
	default:
		m = UINT32_MAX;
	}
	return m ? m : UINT32_C(1) << rng_below(rng, 32);
}

/* The same value in all lanes, except in one lane, or except a bit here and there; or random values. */
static void draw_values(struct random_stream *r, struct wl_req *q)
{
	struct rng *rng = r->rng;
	const struct wl_lane *pool = &r->pool[rng_below(rng, FLAVOURS)][rng_below(rng, RANDOM_POOL)];
	const unsigned how = rng_below(rng, 4), odd = rng_below(rng, 32), bit = rng_below(rng, 64);
	const uint64_t base = rng_next(rng), bits = rng_next(rng);
	for (unsigned l = 0; l < WL_WARP_LANES; l++)
		q->ra[l] = how == 0   ? pool[l].w[0] | (uint64_t)pool[l].w[1] << 32
		           : how == 1 ? base ^ (bits >> l & 1) << bit
		           : how == 2 ? base ^ (uint64_t)(l == odd) << bit
		                      : base;
}

/* Floats with zeros, infinities and NaNs among them, or with NaNs alone. */
static void draw_floats(struct random_stream *r, struct wl_req *q)
{
	static const uint32_t edge[4] = {0, 0x7f800000, 0x7f800001, 0x3f800000};
	const unsigned how = rng_below(r->rng, 4), odd = rng_below(r->rng, 32);
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		const uint32_t bits = rng_u32(r->rng);
		const bool nan = how == 0 || (how == 1 && l == odd);
		q->ra[l] = nan ? bits | 0x7f800001 : how == 2 ? edge[bits & 3] | (bits & 0x80000000) : bits;
	}
}

static void zero_words(struct wl_lane *v)
{
	memset(v, 0, WL_WARP_LANES * sizeof *v);
}

static void draw_shuffle(struct random_stream *r, struct wl_req *q)
{
	struct rng *rng = r->rng;
	const uint32_t width = 32 - (UINT32_C(1) << rng_below(rng, 6)), same = rng_u32(rng);
	const bool usual = rng_below(rng, 3), uniform = rng_below(rng, 2);
	memcpy(q->rb, &r->pool[FLAVOUR_RANDOM][rng_below(rng, RANDOM_POOL)], sizeof q->rb);
	memcpy(q->rc, &r->pool[FLAVOUR_RANDOM][rng_below(rng, RANDOM_POOL)], sizeof q->rc);
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		if (usual)
			q->rc[l].w[0] =
			        (q->rc[l].w[0] & ~UINT32_C(0x1f1f)) | width << 8 | (q->inst.op == WL_SHFL_UP ? 0 : 31);
		if (uniform)
			q->rb[l].w[0] = same;
	}
}

static bool draw(struct random_stream *r, struct wl_req *q)
{
	const struct draw *d = r->own;
	const unsigned kind = d->have[rng_below(r->rng, d->nhave)];
	const struct row *row = &d->row[kind][rng_below(r->rng, d->n[kind])];
	q->word = row->word;
	q->inst = row->inst;
	q->posted = false;
	q->mask = draw_mask(r->rng);
	q->pred = rng_one_in(r->rng, 4) ? q->mask : rng_one_in(r->rng, 4) ? ~q->mask : rng_u32(r->rng);
	draw_values(r, q);
	if (q->inst.uop == WL_UOP_FREDUX && rng_below(r->rng, 8))
		draw_floats(r, q);
	draw_shuffle(r, q);
	/* unused registers hold nothing, and RZ is 0 */
	if (q->inst.ra == WL_RZ)
		memset(q->ra, 0, sizeof q->ra);
	if (q->inst.src[1] == WL_SRC_REG && q->inst.rb == WL_RZ)
		zero_words(q->rb);
	if (q->inst.src[2] == WL_SRC_REG && q->inst.rc == WL_RZ)
		zero_words(q->rc);
	return true;
}

/* ---- floors ---- */

static unsigned floors(const struct random_config *c, const struct lockstep_stats *s,
                       struct random_floor floor[RANDOM_FLOORS])
{
	static const char *const names[COLL_COUNTERS] = {
	        "VOTE.ALL",
	        "VOTE.ANY",
	        "VOTE.EQ",
	        "VOTEU.ALL",
	        "VOTEU.ANY",
	        "VOTEU.EQ",
	        "SHFL.IDX",
	        "SHFL.UP",
	        "SHFL.DOWN",
	        "SHFL.BFLY",
	        "SHFL with b and c in the word",
	        "SHFL with c in a register",
	        "SHFL with b in a register",
	        "SHFL with both in registers",
	        "MATCH.ALL",
	        "MATCH.ANY",
	        "MATCH.ALL.U64",
	        "MATCH.ANY.U64",
	        "REDUX",
	        "REDUX.OR",
	        "REDUX.XOR",
	        "REDUX.SUM",
	        "REDUX.MIN",
	        "REDUX.MAX",
	        [COLL_REDUX + 6 + WL_REDUX_MIN] = "REDUX.MIN.S32",
	        [COLL_REDUX + 6 + WL_REDUX_MAX] = "REDUX.MAX.S32",
	        [COLL_FREDUX] = "CREDUX.MAX.F32",
	        [COLL_FREDUX + 1] = "CREDUX.MAXABS.F32",
	        [COLL_FREDUX + 2] = "CREDUX.MIN.F32",
	        [COLL_FREDUX + 3] = "CREDUX.MINABS.F32",
	        [COLL_FREDUX + 4] = "CREDUX.MAX.F32.NAN",
	        [COLL_FREDUX + 5] = "CREDUX.MAXABS.F32.NAN",
	        [COLL_FREDUX + 6] = "CREDUX.MIN.F32.NAN",
	        [COLL_FREDUX + 7] = "CREDUX.MINABS.F32.NAN",
	        [COLL_NAN] = "CREDUX.F32 that comes to NaN",
	        [COLL_ELECT] = "ELECT",
	        [COLL_UNELECTED] = "elections without a candidate",
	        [COLL_INACTIVE] = "lanes that read one which does not execute",
	        [COLL_OUT_OF_RANGE] = "choices out of range",
	        [COLL_ALL_EQUAL] = "MATCH.ALL of one value",
	        [COLL_LONELY] = "instructions of one lane",
	};
	const uint64_t *n = s->counter[WL_UNIT_warp_collective];
	unsigned rows = 0;
	for (unsigned i = 0; i < COLL_COUNTERS; i++) {
		const bool redux = i >= COLL_REDUX && i < COLL_FREDUX, elect = i == COLL_ELECT || i == COLL_UNELECTED;
		const bool floats = i >= COLL_FREDUX && i <= COLL_NAN;
		const bool has = redux    ? c->arch >= WL_SM80
		                 : floats ? c->arch == WL_SM100
		                 : elect  ? c->arch >= WL_SM90
		                          : true;
		if (names[i] && has)
			floor[rows++] = (struct random_floor){names[i], n[i], i == COLL_UNELECTED ? 20 : 100};
	}
	floor[rows++] = (struct random_floor){"partial masks", s->partial, 3000};
	return rows;
}

static const struct cosim_mix collective = {.name = "collective",
                                            .what = "votes, shuffles, matches, reductions, elections",
                                            .overlap = 4, /* no request waits for another */
                                            .own_bytes = sizeof(struct draw),
                                            .start = start,
                                            .draw = draw,
                                            .floors = floors};

const struct cosim_mix *const collective_mixes[] = {&collective, NULL};
