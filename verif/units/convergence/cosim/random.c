// SPDX-License-Identifier: Apache-2.0
/* random.c -- the mix of convergence: warps divide, meet, break, yield and leave, sometimes with misuse. A warp keeps
 * to a few barriers at a time, so that the lanes meet. A warp without ready lanes begins anew with its CTA. */
#include <stdio.h>
#include <string.h>

#include "convergence.h"

enum { VARIANTS = 24, PLANS = 3, WINDOW = 64 };

struct row {
	struct wl_word word;
	struct wl_inst inst;
};

/* Lanes of a planned meeting at a barrier. */
struct plan {
	uint32_t lanes;
	uint8_t bar;
};

struct warp {
	uint32_t live, ready;
	uint32_t meet; /* the mask of lanes waiting at WARPSYNC; 0 = none */
	bool apart;
	bool asked, left; /* asked: a request is under way; left: by the last EXIT */
	struct plan plan[PLANS];
};

struct draw {
	struct row row[CONV_EXIT + 1][VARIANTS];
	unsigned n[CONV_EXIT + 1];
	struct warp warp[RANDOM_WARPS];
};

static const uint8_t weight[CONV_EXIT + 1] = {
        [CONV_BSSY] = 22, [CONV_BSYNC] = 36,   [CONV_BREAK] = 7, [CONV_CLEAR] = 4, [CONV_B2R] = 6,
        [CONV_R2B] = 4,   [CONV_WARPSYNC] = 8, [CONV_APART] = 6, [CONV_YIELD] = 9, [CONV_EXIT] = 4,
};

/* ---- words ---- */

static struct wl_inst draw_inst(unsigned kind, struct rng *rng)
{
	static const enum wl_uop uops[CONV_EXIT + 1] = {
	        [CONV_BSSY] = WL_UOP_BSSY,         [CONV_BSYNC] = WL_UOP_BSYNC,    [CONV_BREAK] = WL_UOP_BREAK,
	        [CONV_CLEAR] = WL_UOP_BMOV_CLEAR,  [CONV_B2R] = WL_UOP_BMOV_B2R,   [CONV_R2B] = WL_UOP_BMOV_R2B,
	        [CONV_WARPSYNC] = WL_UOP_WARPSYNC, [CONV_APART] = WL_UOP_WARPSYNC, [CONV_YIELD] = WL_UOP_YIELD,
	        [CONV_EXIT] = WL_UOP_EXIT};
	struct wl_inst in = wl_inst_make(uops[kind]);
	if (kind <= CONV_R2B)
		in.cbar = (uint8_t)rng_below(rng, 16);
	if (kind == CONV_BSSY)
		in.target = 16 * (int32_t)rng_below(rng, 64);
	if (kind == CONV_BSYNC || kind == CONV_BREAK)
		in.ps[0] = (uint8_t)rng_below(rng, 16);
	if (kind == CONV_CLEAR || kind == CONV_B2R)
		in.rd = rng_one_in(rng, 6) ? WL_RZ : (uint8_t)rng_below(rng, 200);
	if (kind != CONV_R2B && kind != CONV_WARPSYNC && kind != CONV_APART)
		return in;
	in.op = kind == CONV_APART;
	in.src[0] = WL_SRC_REG;
	in.ra = rng_one_in(rng, 12) ? WL_RZ : (uint8_t)rng_below(rng, 200);
	if (kind == CONV_WARPSYNC && rng_below(rng, 3) == 0) {
		in.src[0] = WL_SRC_IMM;
		in.ra = WL_RZ;
		in.imm = UINT32_MAX;
	}
	return in;
}

static bool start(struct random_stream *r, char *why, size_t whyn)
{
	struct draw *d = r->own;
	const char *reason = "";
	for (unsigned kind = 0; kind <= CONV_EXIT; kind++) {
		for (unsigned tries = 0; tries < 4 * VARIANTS && d->n[kind] < VARIANTS; tries++) {
			const struct wl_inst in = draw_inst(kind, r->rng);
			struct row *row = &d->row[kind][d->n[kind]];
			if (wl_encode(r->config->arch, &in, &row->word, &reason) == WL_OK &&
			    wl_decode(r->config->arch, row->word, &row->inst) == WL_OK)
				d->n[kind]++;
		}
		if (!d->n[kind] && !(kind == CONV_APART && r->config->arch == WL_SM75)) {
			snprintf(why, whyn, "an instruction of convergence, kind %u, has no encoding: %s", kind,
			         reason);
			return false;
		}
	}
	for (unsigned w = 0; w < RANDOM_WARPS; w++)
		d->warp[w].live = d->warp[w].ready = UINT32_MAX;
	return true;
}

/* ---- CTAs come and go ---- */

/* No lane of the warp can go on. */
static bool over(const struct warp *w)
{
	return !w->ready && !w->asked;
}

/* A CTA without ready lanes, or from time to time with a warp without ready lanes. */
static void turn(struct random_stream *r)
{
	struct draw *d = r->own;
	for (unsigned slot = 0; slot < RANDOM_SLOTS; slot++) {
		struct warp *w = &d->warp[slot * RANDOM_PER_SLOT];
		unsigned n = 0;
		bool busy = false;
		for (unsigned i = 0; i < RANDOM_PER_SLOT; i++) {
			n += over(&w[i]);
			busy |= w[i].asked;
		}
		if (busy || !n || (n < RANDOM_PER_SLOT && !rng_one_in(r->rng, 400)))
			continue;
		const unsigned warps = 1 + rng_below(r->rng, RANDOM_PER_SLOT), lanes = 1 + rng_below(r->rng, 32);
		random_cta(r, slot, 0);
		random_cta_at(r, slot, slot * RANDOM_PER_SLOT, warps, lanes);
		memset(w, 0, RANDOM_PER_SLOT * sizeof *w);
		for (unsigned i = 0; i < warps; i++)
			w[i].live = w[i].ready = i + 1 < warps || lanes == 32 ? UINT32_MAX : (UINT32_C(1) << lanes) - 1;
	}
}

/* ---- requests ---- */

static uint32_t some_of(struct rng *rng, uint32_t lanes)
{
	const unsigned how = rng_below(rng, 4);
	uint32_t m = how == 0   ? lanes
	             : how == 1 ? lanes & rng_u32(rng)
	             : how == 2 ? lanes & rng_u32(rng) & rng_u32(rng)
	                        : lanes & (rng_below(rng, 2) ? UINT32_MAX << rng_below(rng, 32)
	                                                     : UINT32_MAX >> rng_below(rng, 32));
	return m ? m : lanes & -lanes;
}

/* The lanes of WARPSYNC, and each lane's mask: mostly the same reachable mask; or anything. */
static void draw_warpsync(struct random_stream *r, struct warp *w, struct wl_req *q)
{
	struct rng *rng = r->rng;
	if (!(w->meet & w->ready) || w->apart != (q->inst.op != 0))
		w->meet = some_of(rng, w->ready);
	w->apart = q->inst.op != 0;
	const bool wild = rng_one_in(rng, 12);
	if (!wild)
		q->mask = some_of(rng, w->meet & w->ready);
	/* misuse: these lanes have another mask than earlier lanes; some lanes have; some lanes are not in their own
	 * mask */
	const unsigned how = rng_below(rng, 10);
	const uint32_t other = w->meet ^ 1u << rng_below(rng, 32);
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		const bool odd = how == 0 || (how == 1 && rng_one_in(rng, 4));
		q->ra[l] = wild  ? rng_u32(rng) & (rng_below(rng, 2) ? w->live : UINT32_MAX)
		           : odd ? other | 1u << l
		                 : w->meet;
		if (how == 2 && rng_one_in(rng, 6))
			q->ra[l] &= ~(UINT64_C(1) << l);
	}
	if (q->inst.ra == WL_RZ && q->inst.src[0] == WL_SRC_REG)
		memset(q->ra, 0, sizeof q->ra);
}

static void set_bar(struct random_stream *r, struct wl_req *q, unsigned bar)
{
	q->inst.cbar = (uint8_t)bar;
	const char *why;
	struct wl_word word;
	if (wl_encode(r->config->arch, &q->inst, &word, &why) == WL_OK)
		q->word = word;
	wl_decode(r->config->arch, q->word, &q->inst);
}

/* The barrier, and the executing lanes: three times of four as planned. */
static void draw_barrier(struct random_stream *r, struct warp *w, unsigned kind, struct wl_req *q)
{
	struct plan *p = &w->plan[rng_below(r->rng, PLANS)];
	if (kind == CONV_BSSY) {
		*p = (struct plan){q->mask, (uint8_t)rng_below(r->rng, 4 << 2 * rng_below(r->rng, 2))};
		set_bar(r, q, p->bar);
		return;
	}
	if (!(p->lanes & w->ready) || rng_one_in(r->rng, 4))
		return;
	if (kind != CONV_YIELD)
		set_bar(r, q, p->bar);
	q->mask = rng_below(r->rng, 3) ? p->lanes & w->ready : some_of(r->rng, p->lanes & w->ready);
	if (kind == CONV_BREAK)
		q->mask = some_of(r->rng, q->mask);
}

/* Sometimes a YIELD names waiting lanes, like the front end for a warp with no other way to go on. */
static void draw_yield(struct random_stream *r, const struct warp *w, struct wl_req *q)
{
	const uint32_t waiting = w->live & ~w->ready;
	if (waiting && (!w->ready || rng_one_in(r->rng, 4)))
		q->mask = some_of(r->rng, waiting) | (rng_below(r->rng, 2) ? q->mask : 0);
}

static void draw_exit(struct random_stream *r, struct warp *w, struct wl_req *q)
{
	if (rng_below(r->rng, 4))
		q->mask = some_of(r->rng, q->mask & rng_u32(r->rng) ? q->mask : w->ready);
	q->posted = q->mask == w->live;
	w->left = q->posted;
	w->live &= ~q->mask;
}

static unsigned draw_kind(const struct draw *d, struct rng *rng)
{
	unsigned sum = 0;
	for (unsigned k = 0; k <= CONV_EXIT; k++)
		sum += weight[k];
	for (;;) {
		unsigned k = 0, at = rng_below(rng, sum);
		while (at >= weight[k])
			at -= weight[k++];
		if (d->n[k])
			return k;
	}
}

static bool draw(struct random_stream *r, struct wl_req *q)
{
	struct draw *d = r->own;
	struct warp *w = &d->warp[q->tag.warp];
	if (!w->live || w->asked || (!w->ready && rng_below(r->rng, 4)))
		return false;
	const unsigned kind = w->ready ? draw_kind(d, r->rng) : CONV_YIELD;
	const struct row *row = &d->row[kind][rng_below(r->rng, d->n[kind])];
	q->word = row->word;
	q->inst = row->inst;
	q->posted = false;
	q->mask = some_of(r->rng, w->ready);
	q->header = wl_uop_traits((enum wl_uop)q->inst.uop)->traits & WL_TRAIT(HEADER_ONLY);
	q->ur = rng_next(r->rng);
	memcpy(q->rb, &r->pool[FLAVOUR_RANDOM][rng_below(r->rng, RANDOM_POOL)], sizeof q->rb);
	memcpy(q->rc, &r->pool[FLAVOUR_RANDOM][rng_below(r->rng, RANDOM_POOL)], sizeof q->rc);
	for (unsigned l = 0; l < WL_WARP_LANES; l++)
		q->ra[l] = rng_next(r->rng);
	if (kind == CONV_WARPSYNC || kind == CONV_APART)
		draw_warpsync(r, w, q);
	else if (kind == CONV_EXIT)
		draw_exit(r, w, q);
	else
		draw_barrier(r, w, kind, q);
	if (kind == CONV_YIELD)
		draw_yield(r, w, q);
	if (kind == CONV_R2B) /* sets of some lanes, and other sets */
		for (unsigned l = 0; l < WL_WARP_LANES; l++)
			q->ra[l] = rng_below(r->rng, 4) ? w->plan[rng_below(r->rng, PLANS)].lanes : q->ra[l];
	if (kind == CONV_R2B && q->inst.ra == WL_RZ)
		memset(q->ra, 0, sizeof q->ra);
	const bool chooses = (kind == CONV_BSYNC || kind == CONV_BREAK) && q->inst.ps[0] != WL_PT;
	q->pred = kind == CONV_EXIT || !chooses ? UINT32_MAX : rng_below(r->rng, 3) ? q->mask : rng_u32(r->rng);
	if (chooses && rng_one_in(r->rng, 30))
		q->pred = ~q->mask;
	w->asked = true;
	return true;
}

static void retired(struct random_stream *r, const struct wl_record *rec)
{
	struct draw *d = r->own;
	struct warp *w = &d->warp[rec->tag.warp];
	struct wl_inst in;
	w->asked = false;
	if (w->left) {
		w->ready = w->left = 0;
		return;
	}
	if (wl_decode(r->config->arch, rec->word, &in) == WL_OK && in.uop != WL_UOP_BMOV_CLEAR &&
	    in.uop != WL_UOP_BMOV_B2R && rec->written)
		w->ready = rec->result[__builtin_ctz(rec->written)].w[0];
}

static void window(struct random_stream *r, unsigned slot, uint32_t *base, uint32_t *size)
{
	(void)r, (void)slot, (void)base;
	*size = WINDOW;
}

/* ---- floors ---- */

static unsigned floors(const struct random_config *c, const struct lockstep_stats *s,
                       struct random_floor floor[RANDOM_FLOORS])
{
	const uint64_t *n = s->counter[WL_UNIT_convergence];
	const double apart = c->arch > WL_SM75 ? 1 : 0;
	unsigned rows = 0;
#define FLOOR(what, events, least) floor[rows++] = (struct random_floor){what, events, least};
#include "floors.def"
#undef FLOOR
	return rows;
}

static const struct cosim_mix converge = {
        .name = "converge",
        .what = "convergence barriers: warps that divide, meet, yield and leave, and misuse",
        .overlap = 4, /* no request waits for another */
        .own_bytes = sizeof(struct draw),
        .start = start,
        .window = window,
        .turn = turn,
        .draw = draw,
        .retired = retired,
        .floors = floors};

const struct cosim_mix *const convergence_mixes[] = {&converge, NULL};
