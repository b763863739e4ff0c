// SPDX-License-Identifier: Apache-2.0
/* reach.c -- requests of the mix `reach`: warps of a cluster access each other's shared memory. Words by generic
 * addresses: the lanes name several CTAs at once, and some accesses are wide or packed. Mbarriers: other CTAs bring
 * arrivals and bytes, on sm_107 also one arrival at the objects of a set of CTAs (.MULTICAST). Also ranks missing in
 * the cluster, ended CTAs, and operations for the own CTA alone. */
#include <stdio.h>

#include "../../atom_unit/cosim/atom_unit.h"
#include "../../mbarrier_engine/cosim/mbarrier_engine.h"
#include "cluster_barrier.h"

enum {
	WORDS = 64,   /* bytes of each window for words, from its beginning; behind the words: */
	OBJECTS = 4,  /* mbarriers */
	ABSENT = 150, /* one lane in ABSENT names no CTA of the cluster, as many are misaligned or beyond the window */
};
_Static_assert(WORDS + OBJECTS * 8 == REACH_WINDOW, "words and mbarriers fill the window");

static bool one_in(struct random_stream *r, unsigned n)
{
	return rng_below(r->rng, n) == 0;
}

static bool encode(struct random_stream *r, const struct wl_inst *in, struct wl_req *q)
{
	const char *reason = "";
	if (wl_encode(r->config->arch, in, &q->word, &reason) == WL_OK &&
	    wl_decode(r->config->arch, q->word, &q->inst) == WL_OK) {
		q->posted = wl_inst_posted(&q->inst);
		return true;
	}
	if (!*r->wrong)
		snprintf(r->wrong, sizeof r->wrong, "%s has no encoding: %s", wl_uop_name((enum wl_uop)in->uop),
		         reason);
	return false;
}

/* Rank << 24 of the own CTA, or of a CTA of the cluster, or sometimes a missing rank; then often a rank of another
 * cluster of the SM. */
static uint32_t some_rank(struct random_stream *r, const struct reach_cluster *c)
{
	if (one_in(r, ABSENT))
		return (c->ctas + rng_below(r->rng, (one_in(r, 2) ? 256 : RANDOM_SLOTS + 1) - c->ctas)) << 24;
	return (one_in(r, 3) ? c->rank : rng_below(r->rng, c->ctas)) << 24;
}

static uint32_t spoilt(struct random_stream *r, uint32_t offset)
{
	if (one_in(r, ABSENT))
		return offset + 1 + rng_below(r->rng, 3);
	return one_in(r, ABSENT) ? REACH_WINDOW + 16 * rng_below(r->rng, 4) : offset;
}

/* ---- words ---- */

static struct wl_inst some_access(struct random_stream *r)
{
	static const enum wl_uop uops[] = {WL_UOP_LD,   WL_UOP_ST,       WL_UOP_ATOM,
	                                   WL_UOP_ATOM, WL_UOP_ATOM_CAS, WL_UOP_ATOM_CAST};
	struct wl_inst in = wl_inst_make(uops[rng_below(r->rng, 6)]);
	const bool plain = in.uop == WL_UOP_LD || in.uop == WL_UOP_ST;
	in.size = plain ? (uint8_t)(1u << rng_below(r->rng, 5)) : 4;
	in.flags = WL_F_E64 | (in.uop == WL_UOP_ATOM_CAST && one_in(r, 2) ? WL_F_SPIN : 0);
	in.op = in.uop == WL_UOP_ATOM ? (uint8_t)rng_below(r->rng, WL_ATOM_EXCH + 1u) : 0;
	in.ra = 8;
	in.rb = in.uop == WL_UOP_LD ? WL_RZ : 12;
	in.rc = in.uop == WL_UOP_ATOM_CAS || in.uop == WL_UOP_ATOM_CAST ? 16 : WL_RZ;
	in.rd = in.uop == WL_UOP_ST ? WL_RZ : 20;
	return in;
}

static bool draw_words(struct random_stream *r, const struct reach_cluster *c, struct wl_req *q)
{
	const struct wl_inst in = some_access(r);
	const uint32_t all = some_rank(r, c);
	const bool spread = !one_in(r, 3), one_word = one_in(r, 6);
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		const uint32_t at = one_word ? 0 : rng_below(r->rng, WORDS / in.size) * in.size;
		q->ra[l] = WL_SHARED_WINDOW + (spread ? some_rank(r, c) : all) + spoilt(r, at);
		q->rb[l] = r->pool[FLAVOUR_SMALL][rng_below(r->rng, RANDOM_POOL)];
		q->rc[l] = r->pool[FLAVOUR_SMALL][rng_below(r->rng, RANDOM_POOL)];
	}
	return encode(r, &in, q);
}

/* Operations served by shared memory of other CTAs but not of the own CTA, and the wide compares and exchanges served
 * by both. Half of the words leave the own lanes to the code behind. */
static struct wl_inst some_wide(struct random_stream *r)
{
	static const struct {
		uint8_t uop, size, type, op;
	} kinds[] = {{WL_UOP_ATOM, 8, WL_AT_INT, WL_ATOM_ADD},     {WL_UOP_ATOM, 8, WL_AT_INT, WL_ATOM_MIN},
	             {WL_UOP_ATOM, 8, WL_AT_INT, WL_ATOM_MAX},     {WL_UOP_ATOM, 8, WL_AT_INT, WL_ATOM_AND},
	             {WL_UOP_ATOM, 8, WL_AT_INT, WL_ATOM_OR},      {WL_UOP_ATOM, 8, WL_AT_INT, WL_ATOM_XOR},
	             {WL_UOP_ATOM, 4, WL_AT_F16X2, WL_ATOM_ADD},   {WL_UOP_ATOM, 4, WL_AT_F16X2, WL_ATOM_ADD},
	             {WL_UOP_ATOM, 4, WL_AT_BF16X2, WL_ATOM_ADD},  {WL_UOP_ATOM, 4, WL_AT_BF16X2, WL_ATOM_ADD},
	             {WL_UOP_ATOM, 8, WL_AT_INT, WL_ATOM_EXCH},    {WL_UOP_ATOM, 16, WL_AT_INT, WL_ATOM_EXCH},
	             {WL_UOP_ATOM_CAS, 8, WL_AT_INT, WL_ATOM_ADD}, {WL_UOP_ATOM_CAS, 16, WL_AT_INT, WL_ATOM_ADD},
	             {WL_UOP_ATOM_CAST, 8, WL_AT_INT, WL_ATOM_ADD}};
	const unsigned k = rng_below(r->rng, sizeof kinds / sizeof kinds[0]);
	struct wl_inst in = wl_inst_make((enum wl_uop)kinds[k].uop);
	const bool ordered = in.uop == WL_UOP_ATOM && (kinds[k].op == WL_ATOM_MIN || kinds[k].op == WL_ATOM_MAX);
	in.size = kinds[k].size;
	in.type = kinds[k].type;
	in.op = kinds[k].op;
	in.flags = WL_F_E64 | (in.uop == WL_UOP_ATOM_CAST && one_in(r, 2) ? WL_F_SPIN : 0) |
	           (ordered && one_in(r, 2) ? WL_F_SIGNED : 0);
	in.ra = 8;
	in.rb = 12;
	in.rc = in.uop == WL_UOP_ATOM ? WL_RZ : 16;
	in.rd = one_in(r, 4) ? WL_RZ : 20;
	if (one_in(r, 2))
		in.pd[0] = 2;
	return in;
}

/* Special numbers of f16 or bf16: ends of the formats, neighbours of the ends, NaN, infinities, a few small numbers. */
static uint16_t some_half(struct random_stream *r)
{
	static const uint16_t edge[] = {0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x0400, 0x3c00, 0xbc00, 0x3f80, 0xbf80,
	                                0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7c01, 0xffff};
	const uint32_t bits = rng_u32(r->rng);
	return bits >> 16 & 1 ? edge[rng_below(r->rng, sizeof edge / sizeof edge[0])] : (uint16_t)bits;
}

static void draw_values(struct random_stream *r, const struct wl_inst *in, struct wl_req *q, unsigned lane)
{
	const enum flavour flavour = one_in(r, 3) ? FLAVOUR_SMALL : one_in(r, 2) ? FLAVOUR_RANDOM : FLAVOUR_EXTREME;
	q->rb[lane] = r->pool[flavour][rng_below(r->rng, RANDOM_POOL)];
	q->rc[lane] = r->pool[flavour][rng_below(r->rng, RANDOM_POOL)];
	if (in->type != WL_AT_INT)
		q->rb[lane].w[0] = some_half(r) | (uint32_t)some_half(r) << 16;
}

static bool draw_wide(struct random_stream *r, const struct reach_cluster *c, struct wl_req *q)
{
	const struct wl_inst in = some_wide(r);
	const uint32_t all = some_rank(r, c);
	const bool spread = one_in(r, 2), one_word = one_in(r, 4);
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		const uint32_t at = one_word ? 0 : rng_below(r->rng, WORDS / in.size) * in.size;
		q->ra[l] = WL_SHARED_WINDOW + (spread ? some_rank(r, c) : all) + spoilt(r, at);
		draw_values(r, &in, q, l);
	}
	return encode(r, &in, q);
}

/* Operations reaching the own CTA alone, with a rank all the same. */
static bool draw_own_words(struct random_stream *r, const struct reach_cluster *c, struct wl_req *q)
{
	static const enum wl_uop uops[] = {WL_UOP_LDS, WL_UOP_STS, WL_UOP_ATOMS};
	struct wl_inst in = wl_inst_make(uops[rng_below(r->rng, 3)]);
	in.size = 4;
	in.ra = 8;
	in.rb = in.uop == WL_UOP_LDS ? WL_RZ : 12;
	in.rd = in.uop == WL_UOP_LDS ? 16 : WL_RZ;
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		q->ra[l] = (one_in(r, 30) ? some_rank(r, c) : c->rank << 24) + 4 * rng_below(r->rng, WORDS / 4);
		q->rb[l].w[0] = rng_u32(r->rng);
	}
	return encode(r, &in, q);
}

/* ---- mbarriers ---- */

static uint32_t object(unsigned i)
{
	return WORDS + i * 8;
}

static bool draw_exch(struct random_stream *r, const struct reach_cluster *c, struct wl_req *q)
{
	struct wl_inst in = wl_inst_make(WL_UOP_SYNCS_EXCH);
	const uint32_t n = 1 + rng_below(r->rng, 3), t = 0x100000 - n;
	const bool v1 = r->config->arch == WL_SM107 && one_in(r, 2);
	const uint32_t low = v1 ? (0x200 - n) << 4 | 1 : t << 1, high = v1 ? (0x200 - n) << 11 : t << 11;
	in.guard_uniform = true;
	in.urd = 255;
	in.ur = 4;
	in.rb = 6;
	q->ur = (one_in(r, 40) ? some_rank(r, c) : c->rank << 24) + object(rng_below(r->rng, OBJECTS));
	for (unsigned l = 0; l < WL_WARP_LANES; l++)
		q->rb[l] = (struct wl_lane){{low, high, 0, 0}};
	return encode(r, &in, q);
}

/* Few lanes: with many lanes the counts soon leave their range. */
static bool draw_arrive(struct random_stream *r, const struct reach_cluster *c, struct wl_req *q)
{
	struct wl_inst in = wl_inst_make(WL_UOP_SYNCS_ARRIVE);
	static const uint8_t forms[] = {1, 1, 1, 5, 3, 4}; /* A1T0 ART0 A0TR A0TX */
	const bool answered = one_in(r, 8), all = one_in(r, 20);
	const uint32_t rank = some_rank(r, c);
	in.op = forms[rng_below(r->rng, 6)];
	in.type = answered ? (uint8_t)rng_below(r->rng, 2) : one_in(r, 2) ? 2 : 0;
	in.rd = answered ? 20 : WL_RZ;
	in.ra = 8;
	in.rb = 12;
	q->mask = all ? UINT32_MAX : UINT32_C(1) << rng_below(r->rng, 32);
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		q->ra[l] = (all ? some_rank(r, c) : rank) + spoilt(r, object(rng_below(r->rng, OBJECTS)));
		q->rb[l].w[0] = one_in(r, 30) ? 0 : 1 + rng_below(r->rng, 2);
	}
	return encode(r, &in, q);
}

/* FRONT's request for USYNCS and SYNCSU with .MULTICAST: lane r is for the CTA of rank r. All lanes name the same
 * offset, have the same operand, and get no answer. */
static bool draw_multicast(struct random_stream *r, const struct reach_cluster *c, struct wl_req *q)
{
	static const uint8_t forms[] = {1, 1, 5, 5, 0, 2, 3, 4}; /* A1T0 ART0 A1TR A0T1 A0TR A0TX */
	struct wl_inst in = wl_inst_make(WL_UOP_SYNCS_ARRIVE);
	const uint32_t at = spoilt(r, object(rng_below(r->rng, OBJECTS))), all = (UINT32_C(1) << c->ctas) - 1;
	const uint32_t operand = 1 + rng_below(r->rng, 2);
	in.op = forms[rng_below(r->rng, sizeof forms)];
	in.type = 2;
	in.flags = one_in(r, 30) ? WL_F_OPTOUT : 0;
	in.rd = WL_RZ;
	in.ra = 8;
	in.rb = 12;
	q->mask = one_in(r, 2) ? all : rng_u32(r->rng) & all;
	q->mask |= q->mask ? 0 : UINT32_C(1) << rng_below(r->rng, c->ctas);
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		q->ra[l] = l << 24 | at;
		q->rb[l].w[0] = operand;
	}
	return encode(r, &in, q);
}

static bool draw_check(struct random_stream *r, const struct reach_cluster *c, struct wl_req *q)
{
	struct wl_inst in = wl_inst_make(WL_UOP_SYNCS_PHASECHK);
	const uint32_t at = (one_in(r, 20) ? some_rank(r, c) : c->rank << 24) + object(rng_below(r->rng, OBJECTS));
	const uint32_t phase = rng_below(r->rng, 2) << 31;
	in.op = (uint8_t)one_in(r, 2);
	in.pd[0] = 1;
	in.ra = 8;
	in.rb = 12;
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		q->ra[l] = at;
		q->rb[l].w[0] = phase;
	}
	return encode(r, &in, q);
}

bool reach_draw(struct random_stream *r, const struct reach_cluster *c, struct wl_req *q)
{
	if (r->config->arch == WL_SM107 && one_in(r, 8))
		return draw_multicast(r, c, q);
	const unsigned kind = rng_below(r->rng, 25);
	q->mask = one_in(r, 2) ? UINT32_MAX : rng_u32(r->rng) | UINT32_C(1) << rng_below(r->rng, 32);
	if (kind < 8)
		return draw_words(r, c, q);
	if (kind < 10)
		return draw_own_words(r, c, q);
	if (kind < 12)
		return draw_exch(r, c, q);
	if (kind < 18)
		return draw_arrive(r, c, q);
	return kind < 20 ? draw_check(r, c, q) : draw_wide(r, c, q);
}

/* ---- floors ---- */

unsigned reach_floors(const struct random_config *c, const struct lockstep_stats *s,
                      struct random_floor floor[RANDOM_FLOORS])
{
	const uint64_t *mbars = s->counter[WL_UNIT_mbarrier_engine], *atoms = s->counter[WL_UNIT_atom_unit];
	const double v = c->arch == WL_SM107;
	unsigned rows = 0;
#define FLOOR(what, events, least) floor[rows++] = (struct random_floor){what, events, least};
#include "reach_floors.def"
#undef FLOOR
	return rows;
}
