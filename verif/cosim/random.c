// SPDX-License-Identifier: Apache-2.0
/* random.c -- draws warp instructions: class, conflict pattern, addresses, operand values. */
#include "random.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "templates.h"

enum {
	WARPS = WL_MAX_WARPS,
	SLOTS = WL_MAX_CTAS,
	PER_SLOT = WARPS / SLOTS, /* neighbours share a CTA, so that their passes meet */
	POOL = 4096,              /* lanes of ready-made operand values, of each flavour */
};

const char *mix_name(enum mix m)
{
	static const char *const names[MIX_COUNT] = {"mixed", "conflict_free", "faults", "spin", "degree"};
	return names[m];
}

enum flavour { FLAVOUR_RANDOM, FLAVOUR_SMALL, FLAVOUR_EXTREME, FLAVOURS };

struct warp {
	uint32_t n;
	uint32_t waits_for; /* number of the request that blocks the warp */
	bool waits;
	uint8_t posted;
};

struct random_source {
	struct random_config config;
	struct rng rng;
	struct templates templates;
	struct wl_smem *smem; /* windows only: a source never looks at the content */
	uint64_t given;
	unsigned last[WL_MAX_PORTS]; /* warp that each port served last */
	struct warp warp[WARPS];
	struct wl_lane pool[FLAVOURS][POOL + WL_WARP_LANES];
};

/* ---- the instruction ---- */

static const struct template *any_of(struct random_source *r, enum template_class c)
{
	assert(r->templates.n[c]);
	return &r->templates.row[c][rng_below(&r->rng, r->templates.n[c])];
}

/* ATOMS, LDS and STS are 3:3:2; one in twenty is wide, one in twenty-five of the rest smaller than a word. */
static enum template_class draw_class(struct random_source *r)
{
	const enum mix mix = r->config.mix;
	const unsigned family = rng_below(&r->rng, 8);
	if (mix == MIX_DEGREE)
		return CLASS_ATOMS;
	if (mix == MIX_SPIN) {
		static const enum template_class of[8] = {CLASS_CAST, CLASS_CAST, CLASS_CAST, CLASS_CAST,
		                                          CLASS_STS,  CLASS_STS,  CLASS_LDS,  CLASS_ATOMS_WIDE};
		return of[family];
	}
	const unsigned die = mix == MIX_CONFLICT_FREE ? 99 : rng_below(&r->rng, 100);
	if (mix == MIX_FAULTS && die >= 97)
		return CLASS_ILLEGAL;
	if (family < 3)
		return die < 5 ? CLASS_ATOMS_WIDE : die < 12 ? CLASS_CAST : CLASS_ATOMS;
	if (family < 6)
		return die < 5 ? CLASS_LDS_WIDE : die < 9 ? CLASS_LDS_SUB : CLASS_LDS;
	return die < 5 ? CLASS_STS_WIDE : die < 9 ? CLASS_STS_SUB : CLASS_STS;
}

/* A scale beyond the access size leaves lanes only every other word: conflicts that were not asked for. A few will do.
 */
static const struct template *draw_template(struct random_source *r)
{
	const enum template_class c = draw_class(r);
	const bool exact = r->config.mix == MIX_CONFLICT_FREE || r->config.mix == MIX_DEGREE || rng_below(&r->rng, 8);
	const struct template *t = any_of(r, c);
	while (exact && t->inst.size < 1u << t->inst.xn && t->inst.size >= 4)
		t = any_of(r, c);
	return t;
}

/* How many lanes of a beat meet in one bank. */
static unsigned draw_degree(struct random_source *r)
{
	switch (r->config.mix) {
	case MIX_CONFLICT_FREE:
		return 1;
	case MIX_DEGREE:
		return r->config.degree;
	default:
		break;
	}
	const unsigned die = rng_below(&r->rng, 4);
	return die < 2 ? 1 : die == 2 ? 2 + rng_below(&r->rng, 3) : 5 + rng_below(&r->rng, 28);
}

/* ---- addresses ---- */

/* Units of the access size: `groups` of them make a row of the banks. Without conflicts the lanes of a beat take
 * different groups; then `degree` of its lanes are moved onto one. */
static void draw_units(struct random_source *r, unsigned size, unsigned degree, uint32_t units,
                       uint32_t unit[WL_WARP_LANES])
{
	const struct random_config *c = &r->config;
	const unsigned width = size < 4 ? 4 : size, groups = c->banks * 4 / width, per_word = width / size;
	const uint32_t rows = units / per_word / groups;
	const uint32_t bits = (uint32_t)rng_next(&r->rng);
	const uint32_t twist = bits & (groups - 1);
	/* half of the time a few hot rows, so that warps of one CTA meet */
	const uint32_t row = bits >> 8 & 1 ? bits >> 9 & 1 : (bits >> 9) % rows;
	const bool spread = bits >> 29 & 1; /* a row of its own for every lane */
	uint32_t group[WL_WARP_LANES], lane_row[WL_WARP_LANES];
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		group[l] = (l ^ twist) & (groups - 1);
		lane_row[l] = spread ? (row + l) % rows : row;
	}
	if (degree > c->lanes)
		degree = c->lanes;
	if (degree > 1) {
		const unsigned first = rng_below(&r->rng, WL_WARP_LANES), stride = rng_below(&r->rng, 16) * 2 + 1;
		const bool one_word = c->mix != MIX_DEGREE && bits >> 30 & 1;
		const unsigned beat = first / c->lanes * c->lanes;
		for (unsigned k = 0; k < degree; k++) {
			const unsigned l = beat + ((first + k * stride) & (c->lanes - 1));
			group[l] = group[first];
			lane_row[l] = one_word ? lane_row[first] : (row + k) % rows;
		}
	}
	const unsigned part = per_word > 1 ? rng_below(&r->rng, per_word) : 0;
	for (unsigned l = 0; l < WL_WARP_LANES; l++)
		unit[l] =
		        (lane_row[l] * groups + group[l]) * per_word + (per_word > 1 ? (part + l) & (per_word - 1) : 0);
}

/* Moves the address of some lanes to where they fault. */
static void spoil(struct random_source *r, unsigned size, uint32_t window, uint32_t addr[WL_WARP_LANES])
{
	const uint32_t lanes = rng_below(&r->rng, 4) ? 1u << rng_below(&r->rng, 32) | 1u << rng_below(&r->rng, 32)
	                                             : (uint32_t)rng_next(&r->rng);
	const unsigned how = rng_below(&r->rng, 4);
	for (uint32_t left = lanes; left; left &= left - 1) {
		const unsigned l = (unsigned)__builtin_ctz(left);
		if (how != 1)
			addr[l] = rng_below(&r->rng, 8) ? window + addr[l] % 64 : (uint32_t)rng_next(&r->rng) & ~15u;
		if (how != 0 && size > 1)
			addr[l] += 1 + rng_below(&r->rng, size - 1);
		if (how == 3 && l & 1)
			addr[l] = window - size; /* the last word that is in range */
	}
}

/* Registers that give the addresses. With a scaled Ra an address keeps its distance to what the scale can reach. */
static void make_registers(struct random_source *r, struct wl_req *q, uint32_t addr[WL_WARP_LANES])
{
	const struct wl_inst *in = &q->inst;
	q->ur = in->ur == 255 ? 0 : (uint32_t)rng_next(&r->rng) & ~15u;
	const uint32_t add = (uint32_t)in->off + q->ur, xn = in->xn;
	const struct wl_lane *junk = &r->pool[FLAVOUR_RANDOM][rng_below(&r->rng, POOL)];
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		const uint32_t high = xn ? junk[l].w[1] << (32 - xn) : 0; /* is shifted out */
		q->ra[l] = (uint64_t)junk[l].w[0] << 32 | ((addr[l] - add) >> xn | high);
	}
}

static void draw_addresses(struct random_source *r, struct wl_req *q)
{
	const struct random_config *c = &r->config;
	const unsigned size = q->inst.size;
	const struct wl_window *w = &r->smem->window[q->tag.slot];
	const uint32_t bytes = c->mix == MIX_SPIN ? 512 : w->size;
	const uint32_t scale = UINT32_C(1) << q->inst.xn;
	uint32_t addr[WL_WARP_LANES];
	draw_units(r, size, draw_degree(r), bytes / size, addr);
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		addr[l] *= size;
		if (scale > size) { /* only every scale/size-th word can be reached */
			const uint32_t add = (uint32_t)q->inst.off & (scale - 1);
			addr[l] = (addr[l] & ~(scale - 1)) + add;
			if (addr[l] + size > bytes)
				addr[l] -= scale;
		}
	}
	if (c->mix == MIX_FAULTS && rng_below(&r->rng, 3) == 0)
		spoil(r, size, w->size, addr);
	make_registers(r, q, addr);
}

/* ---- the request ---- */

static void draw_values(struct random_source *r, struct wl_req *q)
{
	/* every other CTA sees small numbers mostly, so that compares succeed there */
	enum flavour f = (enum flavour)rng_below(&r->rng, FLAVOURS);
	if (q->tag.slot & 1 || r->config.mix == MIX_SPIN)
		f = FLAVOUR_SMALL;
	memcpy(q->rb, &r->pool[f][rng_below(&r->rng, POOL)], sizeof q->rb);
	memcpy(q->rc, &r->pool[f][rng_below(&r->rng, POOL)], sizeof q->rc);
}

static uint32_t draw_mask(struct random_source *r)
{
	if (r->config.mix == MIX_CONFLICT_FREE || r->config.mix == MIX_DEGREE || rng_below(&r->rng, 10))
		return UINT32_MAX;
	uint32_t m = (uint32_t)rng_next(&r->rng);
	if (rng_below(&r->rng, 4) == 0)
		m &= (uint32_t)rng_next(&r->rng) & (uint32_t)rng_next(&r->rng); /* sparse: some beats are empty */
	return m ? m : 1;
}

static enum wl_offer next(void *self, unsigned port, struct wl_req *q)
{
	struct random_source *r = self;
	const unsigned ports = r->config.ports;
	if (r->given == r->config.count)
		return WL_OFFER_DONE;
	unsigned w = r->last[port];
	/* after a posted request the same warp often goes on: its requests then follow each other in the queue */
	if (r->warp[w].posted && rng_below(&r->rng, 4) == 0)
		w = w >= ports ? w - ports : WARPS - ports + port;
	for (unsigned tries = 0;; tries++) {
		if (tries == WARPS / ports)
			return WL_OFFER_WAIT;
		w += ports;
		if (w >= WARPS)
			w = port;
		if (!r->warp[w].waits && r->warp[w].posted < WL_MAX_POSTED)
			break;
	}
	r->last[port] = w;
	const struct template *t = draw_template(r);
	q->tag = (struct wl_tag){
	        .sm = 0, .slot = (uint16_t)(w / PER_SLOT), .cta = w / PER_SLOT, .warp = w, .n = r->warp[w].n++};
	q->pc = (uint32_t)(r->given++ << 4);
	q->word = t->word;
	q->inst = t->inst;
	q->posted = t->posted;
	q->mask = draw_mask(r);
	draw_addresses(r, q);
	draw_values(r, q);
	return WL_OFFER_REQ;
}

/* Called at the offer's acceptance; until then the warp was not asked again, for its port held the request. */
static void accepted(void *self, const struct wl_req *q)
{
	struct random_source *r = self;
	struct warp *w = &r->warp[q->tag.warp];
	if (q->posted) {
		w->posted++;
	} else {
		w->waits = true;
		w->waits_for = q->tag.n;
	}
}

static void retired(void *self, const struct wl_record *rec)
{
	struct random_source *r = self;
	struct warp *w = &r->warp[rec->tag.warp];
	if (w->waits && w->waits_for == rec->tag.n)
		w->waits = false;
	else
		w->posted--;
}

struct wl_source random_as_source(struct random_source *r)
{
	return (struct wl_source){.self = r, .next = next, .accept = accepted, .retire = retired};
}

/* ---- life ---- */

static void fill_pools(struct random_source *r)
{
	static const uint32_t edge[8] = {0, 1, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0x55555555};
	for (unsigned i = 0; i < POOL + WL_WARP_LANES; i++)
		for (unsigned k = 0; k < 4; k++) {
			const uint32_t bits = (uint32_t)(rng_next(&r->rng) >> 20);
			r->pool[FLAVOUR_RANDOM][i].w[k] = bits;
			r->pool[FLAVOUR_SMALL][i].w[k] = k ? bits >> 3 & 1 : bits & 3;
			r->pool[FLAVOUR_EXTREME][i].w[k] = edge[bits & 7];
		}
}

struct random_source *random_new(const struct random_config *c, struct wl_smem *ref, char *why, size_t whyn)
{
	struct random_source *r = calloc(1, sizeof *r);
	if (!r) {
		snprintf(why, whyn, "out of memory");
		return NULL;
	}
	r->config = *c;
	r->smem = ref;
	r->rng = rng_seed(c->seed, 1);
	if (!templates_fill(&r->templates, c->arch, &r->rng, why, whyn)) {
		free(r);
		return NULL;
	}
	fill_pools(r);
	for (unsigned p = 0; p < c->ports; p++)
		r->last[p] = p;
	const uint32_t share = ref->bytes / SLOTS;
	for (unsigned s = 0; s < SLOTS; s++) {
		uint32_t base = s * share, size = share;
		if (c->mix == MIX_FAULTS) { /* odd places and sizes, one window closed */
			base += 16 * rng_below(&r->rng, 8);
			size -= 16 * (8 + rng_below(&r->rng, 8));
		}
		wl_smem_open(ref, s, base, size, c->seed, s);
	}
	return r;
}

void random_launch(struct random_source *r, struct lockstep *ls)
{
	for (unsigned s = 0; s < SLOTS; s++)
		lockstep_open(ls, s);
	if (r->config.mix == MIX_FAULTS) {
		wl_smem_close(r->smem, SLOTS - 1);
		lockstep_close(ls, SLOTS - 1);
	}
}

void random_free(struct random_source *r)
{
	free(r);
}
