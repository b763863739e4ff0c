// SPDX-License-Identifier: Apache-2.0
/* random.c -- draws warp instructions for atoms_pipe: class, conflict pattern, addresses, operand values. Addresses
 * give a beat the wanted degree of conflict, in every address form of the instruction set. */
#include <assert.h>
#include <string.h>

#include "../../../cosim/link/stimulus_run.h"
#include "atoms_pipe.h"
#include "native.h"
#include "templates.h"

enum { HOT_WORDS = 32 /* at most, for the lanes of an instruction to meet on */ };

/* Differences of the mixes. */
enum style {
	STYLE_MIXED,
	STYLE_CONFLICT_FREE,
	STYLE_FAULTS,
	STYLE_SPIN,
	STYLE_DEGREE,
	STYLE_COMBINE,
	STYLE_ONE_WORD,
	STYLE_NATIVE,
	STYLE_MATRIX
};

/* State of the mix. */
struct draw {
	enum style style;
	struct templates templates;
};

/* Sources of a draw. */
struct random {
	struct random_stream *stream;
	struct rng rng; /* a copy, so that the state stays in registers */
	const struct random_config *config;
	const struct draw *own;
	enum style style;
};

/* ---- the instruction ---- */

static const struct template *any_of(struct random *r, enum template_class c)
{
	assert(r->own->templates.n[c]);
	return &r->own->templates.row[c][rng_below(&r->rng, r->own->templates.n[c])];
}

/* Mixes `mixed` and `faults`: ATOMS, LDS and STS are 3:3:2. Of each family 5 % are wide. Of LDS and STS 4 % are smaller
 * than a word; of ATOMS 7 % are CAST. */
static enum template_class draw_class(struct random *r)
{
	const enum style style = r->style;
	const unsigned family = rng_below(&r->rng, 8);
	if (style == STYLE_DEGREE || style == STYLE_ONE_WORD)
		return CLASS_ATOMS;
	if (style == STYLE_SPIN) {
		static const enum template_class of[8] = {CLASS_CAST, CLASS_CAST, CLASS_CAST, CLASS_CAST,
		                                          CLASS_STS,  CLASS_STS,  CLASS_LDS,  CLASS_ATOMS_WIDE};
		return of[family];
	}
	if (style == STYLE_NATIVE)
		return native_class(family, &r->rng);
	if (style == STYLE_MATRIX) {
		static const enum template_class of[8] = {CLASS_LDSM, CLASS_LDSM, CLASS_LDSM,     CLASS_STSM,
		                                          CLASS_STSM, CLASS_LDS,  CLASS_STS_WIDE, CLASS_ATOMS};
		return of[family] == CLASS_STSM && !r->own->templates.n[CLASS_STSM] ? CLASS_STS : of[family];
	}
	const unsigned die = style == STYLE_CONFLICT_FREE ? 99 : rng_below(&r->rng, 100);
	if (style == STYLE_COMBINE && die >= 10 && family != 5)
		return family < 5 ? CLASS_ATOMS : die < 30 ? CLASS_STS_SUB : die < 40 ? CLASS_STS_WIDE : CLASS_STS;
	if (style == STYLE_FAULTS && die >= 97)
		return CLASS_ILLEGAL;
	if (family < 3)
		return die < 5 ? CLASS_ATOMS_WIDE : die < 12 ? CLASS_CAST : CLASS_ATOMS;
	if (family < 6)
		return die < 5 ? CLASS_LDS_WIDE : die < 9 ? CLASS_LDS_SUB : CLASS_LDS;
	return die < 5 ? CLASS_STS_WIDE : die < 9 ? CLASS_STS_SUB : CLASS_STS;
}

/* A scale beyond the access size leaves the lanes only every other word. The conflicts are unwanted; a few are
 * enough. */
static const struct template *draw_template(struct random *r)
{
	const enum template_class c = draw_class(r);
	if (r->style == STYLE_ONE_WORD) {
		const struct template *one = any_of(r, c);
		while (one->inst.uop != WL_UOP_ATOMS || one->inst.op == WL_ATOM_INC || one->inst.op == WL_ATOM_DEC ||
		       one->far)
			one = any_of(r, c);
		return one;
	}
	const bool one_address = r->style != STYLE_CONFLICT_FREE && r->style != STYLE_DEGREE && rng_one_in(&r->rng, 24);
	const bool exact = r->style == STYLE_CONFLICT_FREE || r->style == STYLE_DEGREE || rng_below(&r->rng, 8);
	const struct template *t = any_of(r, c);
	while ((exact && t->inst.size < 1u << t->inst.xn && t->inst.size >= 4) || t->one_address != one_address ||
	       (t->far && r->style != STYLE_FAULTS && r->style != STYLE_NATIVE))
		t = any_of(r, c);
	return t;
}

/* Number of lanes of a beat on the same bank. */
static unsigned draw_degree(struct random *r)
{
	switch (r->style) {
	case STYLE_CONFLICT_FREE:
		return 1;
	case STYLE_DEGREE:
		return r->config->degree;
	default:
		break;
	}
	const unsigned die = rng_below(&r->rng, 4);
	return die < 2 ? 1 : die == 2 ? 2 + rng_below(&r->rng, 3) : 5 + rng_below(&r->rng, 28);
}

/* ---- addresses ---- */

/* Addresses in units of the access size (`groups` bank groups are a row of the banks). Without conflicts the lanes of a
 * beat take different groups. For a conflict `degree` lanes of a beat move to the same group. */
static void draw_units(struct random *r, unsigned size, unsigned degree, uint32_t units, uint32_t unit[WL_WARP_LANES])
{
	const struct random_config *c = r->config;
	const unsigned width = size < 4 ? 4 : size, groups = c->banks * 4 / width, per_word = width / size;
	const uint32_t rows = units / per_word / groups;
	const uint32_t bits = (uint32_t)rng_next(&r->rng);
	const uint32_t twist = bits & (groups - 1);
	/* half of the time a few hot rows, so that warps of a CTA meet */
	const uint32_t row = bits >> 8 & 1 ? bits >> 9 & 1 : (bits >> 9) % rows;
	const bool spread = bits >> 29 & 1; /* every lane has its own row */
	uint32_t group[WL_WARP_LANES], lane_row[WL_WARP_LANES];
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		group[l] = (l ^ twist) & (groups - 1);
		lane_row[l] = spread ? (row + l) % rows : row;
	}
	if (degree > c->lanes)
		degree = c->lanes;
	if (degree > 1) {
		const unsigned first = rng_below(&r->rng, WL_WARP_LANES), stride = rng_below(&r->rng, 16) * 2 + 1;
		const bool one_word = r->style != STYLE_DEGREE && bits >> 30 & 1;
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

/* Lanes meet on a few hot words, some on the same bank; each lane takes a hot word. A wide beat has more hot words.
 * Otherwise hardly any word would be shared by only a few lanes. */
static void draw_hot_words(struct random *r, unsigned size, uint32_t units, uint32_t unit[WL_WARP_LANES])
{
	const unsigned most = r->config->lanes > 8 ? r->config->lanes : 8;
	const unsigned hot = 1 + rng_below(&r->rng, rng_below(&r->rng, 2) ? most : 2);
	const unsigned row = r->config->banks * 4 / (size < 4 ? 4 : size) * (size < 4 ? 4 / size : 1);
	uint32_t word[HOT_WORDS];
	for (unsigned i = 0; i < hot; i++)
		word[i] = (rng_below(&r->rng, 4) * row + rng_below(&r->rng, row)) % units;
	if (hot > 1 && rng_below(&r->rng, 2))
		word[1] = (word[0] + row) % units; /* the same bank */
	for (unsigned l = 0; l < WL_WARP_LANES; l++)
		unit[l] = word[rng_below(&r->rng, hot)];
}

static void draw_one_word(struct random *r, uint32_t units, uint32_t unit[WL_WARP_LANES])
{
	const uint32_t word = rng_below(&r->rng, units);
	for (unsigned l = 0; l < WL_WARP_LANES; l++)
		unit[l] = word;
}

/* Moves the addresses of some lanes, so that the lanes fault. */
static void spoil(struct random *r, unsigned size, uint32_t window, uint32_t addr[WL_WARP_LANES])
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
			addr[l] = window - size; /* the last word in range */
	}
}

/* Registers for the addresses. A scaled Ra reaches only multiples of the scale above UR + offset: an address moves down
 * to the nearest multiple. */
static void make_registers(struct random *r, struct wl_req *q, uint32_t addr[WL_WARP_LANES])
{
	const struct wl_inst *in = &q->inst;
	if (in->ra == WL_RZ) { /* UR takes the lowest lane to the address; without UR the offset is the address */
		q->ur = in->ur == 255 ? 0 : addr[__builtin_ctz(q->mask)] - (uint32_t)in->off;
		return;
	}
	q->ur = in->ur == 255 ? 0 : (uint32_t)rng_next(&r->rng) & ~15u;
	const uint32_t add = (uint32_t)(in->off + q->ur), xn = in->xn;
	const struct wl_lane *junk = &r->stream->pool[FLAVOUR_RANDOM][rng_below(&r->rng, RANDOM_POOL)];
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		const uint32_t high = xn ? junk[l].w[1] << (32 - xn) : 0; /* shifted out */
		q->ra[l] = (uint64_t)junk[l].w[0] << 32 | ((addr[l] - add) >> xn | high);
	}
}

static bool rng_faults(struct random *r)
{
	return (r->style == STYLE_FAULTS && rng_below(&r->rng, 3) == 0) ||
	       ((r->style == STYLE_NATIVE || r->style == STYLE_MATRIX) && rng_below(&r->rng, 16) == 0);
}

static void draw_addresses(struct random *r, struct wl_req *q)
{
	const unsigned size = q->inst.size;
	const struct wl_window *w = &r->stream->smem->window[q->tag.slot];
	const uint32_t bytes = r->style == STYLE_SPIN                                 ? 512
	                       : r->style == STYLE_NATIVE || r->style == STYLE_MATRIX ? 1024
	                                                                              : w->size;
	const uint32_t scale = UINT32_C(1) << q->inst.xn;
	uint32_t addr[WL_WARP_LANES];
	const unsigned how = r->style == STYLE_NATIVE ? rng_below(&r->rng, 8) : 7;
	if (r->style == STYLE_ONE_WORD || how == 0)
		draw_one_word(r, bytes / size, addr);
	else if (how < 4 || (r->style == STYLE_COMBINE && rng_below(&r->rng, 4)))
		draw_hot_words(r, size, bytes / size, addr);
	else
		draw_units(r, size, draw_degree(r), bytes / size, addr);
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		addr[l] *= size;
		if (scale > size) { /* only every scale/size-th word is reachable */
			const uint32_t add = (uint32_t)q->inst.off & (scale - 1);
			addr[l] = (addr[l] & ~(scale - 1)) + add;
			if (addr[l] + size > bytes)
				addr[l] -= scale;
		}
	}
	if (rng_faults(r))
		spoil(r, size, w->size, addr);
	make_registers(r, q, addr);
}

/* ---- the request ---- */

static void draw_values(struct random *r, struct wl_req *q)
{
	if (r->style == STYLE_NATIVE) {
		native_values(&r->rng, q);
		return;
	}
	/* CTAs in odd slots (mix `spin`: all CTAs) see only small numbers, so that compares succeed */
	enum flavour f = (enum flavour)rng_below(&r->rng, FLAVOURS);
	if (q->tag.slot & 1 || r->style == STYLE_SPIN)
		f = FLAVOUR_SMALL;
	memcpy(q->rb, &r->stream->pool[f][rng_below(&r->rng, RANDOM_POOL)], sizeof q->rb);
	memcpy(q->rc, &r->stream->pool[f][rng_below(&r->rng, RANDOM_POOL)], sizeof q->rc);
}

static uint32_t draw_mask(struct random *r, const struct wl_inst *in)
{
	if (wl_atoms_is_matrix(in)) /* without all lanes the instruction has no meaning */
		return rng_one_in(&r->rng, 32) ? ~(UINT32_C(1) << rng_below(&r->rng, 32)) : UINT32_MAX;
	if (r->style == STYLE_CONFLICT_FREE || r->style == STYLE_DEGREE || r->style == STYLE_ONE_WORD ||
	    rng_below(&r->rng, 10))
		return UINT32_MAX;
	uint32_t m = (uint32_t)rng_next(&r->rng);
	if (rng_below(&r->rng, 4) == 0)
		m &= (uint32_t)rng_next(&r->rng) & (uint32_t)rng_next(&r->rng); /* sparse: some beats are empty */
	return m ? m : 1;
}

static bool draw(struct random_stream *stream, struct wl_req *q)
{
	const struct draw *own = stream->own;
	struct random r = {
	        .stream = stream, .rng = *stream->rng, .config = stream->config, .own = own, .style = own->style};
	const struct template *t = draw_template(&r);
	q->word = t->word;
	q->inst = t->inst;
	q->posted = t->posted;
	q->mask = draw_mask(&r, &t->inst);
	draw_addresses(&r, q);
	draw_values(&r, q);
	*stream->rng = r.rng;
	return true;
}

/* ---- the mixes ---- */

static bool start(struct random_stream *stream, enum style style, char *why, size_t whyn)
{
	struct draw *own = stream->own;
	own->style = style;
	return templates_fill(&own->templates, stream->config->arch, stream->rng, why, whyn);
}

#define START(name, style)                                                                                             \
	static bool name(struct random_stream *stream, char *why, size_t whyn)                                         \
	{                                                                                                              \
		return start(stream, style, why, whyn);                                                                \
	}
START(start_mixed, STYLE_MIXED)
START(start_conflict_free, STYLE_CONFLICT_FREE)
START(start_faults, STYLE_FAULTS)
START(start_spin, STYLE_SPIN)
START(start_degree, STYLE_DEGREE)
START(start_combine, STYLE_COMBINE)
START(start_one_word, STYLE_ONE_WORD)
START(start_native, STYLE_NATIVE)
START(start_matrix, STYLE_MATRIX)
#undef START

/* The last CTA has all of the memory; the window overlaps the windows of the other CTAs. */
static void wide_window(struct random_stream *stream, unsigned slot, uint32_t *base, uint32_t *size)
{
	if (slot == RANDOM_SLOTS - 1) {
		*base = 0;
		*size = stream->smem->bytes;
	}
}

/* Irregular bases and sizes. */
static void odd_window(struct random_stream *stream, unsigned slot, uint32_t *base, uint32_t *size)
{
	(void)slot;
	*base += 16 * rng_below(stream->rng, 8);
	*size -= 16 * (8 + rng_below(stream->rng, 8));
}

static const struct cosim_mix mixed = {
        .name = "mixed",
        .what = "half conflict-free, a quarter degree 2-4, a quarter 5-32; some partial, some wide",
        .own_bytes = sizeof(struct draw),
        .start = start_mixed,
        .window = wide_window,
        .draw = draw,
        .floors = atoms_pipe_floors,
};
static const struct cosim_mix conflict_free = {
        .name = "conflict_free",
        .what = "32 bits, full warps, one pass a beat",
        .own_bytes = sizeof(struct draw),
        .start = start_conflict_free,
        .draw = draw,
        .floors = atoms_pipe_floors,
};
static const struct cosim_mix faults = {
        .name = "faults",
        .what = "as mixed, with lanes that fault, closed windows and meaningless instructions",
        .own_bytes = sizeof(struct draw),
        .start = start_faults,
        .window = odd_window,
        .closed = UINT32_C(1) << (RANDOM_SLOTS - 1),
        .draw = draw,
        .floors = atoms_pipe_floors,
};
static const struct cosim_mix spin = {
        .name = "spin",
        .what = "locks taken by CAST.SPIN and given back",
        .own_bytes = sizeof(struct draw),
        .start = start_spin,
        .draw = draw,
        .floors = atoms_pipe_floors,
};
static const struct cosim_mix combine = {
        .name = "combine",
        .what = "stores and atomics of many lanes on a few words, for --combine (2 if not given)",
        .combine = 2,
        .own_bytes = sizeof(struct draw),
        .start = start_combine,
        .draw = draw,
        .floors = atoms_combine_floors,
};
static const struct cosim_mix native = {
        .name = "native",
        .what = "float and 64-bit atomics beyond silicon on words that LDS, STS and ATOMS meet, with --native",
        .native = true,
        .own_bytes = sizeof(struct draw),
        .start = start_native,
        .draw = draw,
        .floors = atoms_native_floors,
};
static const struct cosim_mix matrix = {
        .name = "matrix",
        .what = "LDSM and STSM of every shape on words that LDS, STS and ATOMS meet; rows that fault, lanes missing",
        .matrix = true,
        .own_bytes = sizeof(struct draw),
        .start = start_matrix,
        .draw = draw,
        .floors = atoms_matrix_floors,
};
static const struct cosim_mix one_word = {
        .name = "one_word",
        .what = "32-bit atomics that combine, all lanes of a warp on one word",
        .benchmark = true,
        .own_bytes = sizeof(struct draw),
        .start = start_one_word,
        .draw = draw,
};
static const struct cosim_mix degree = {
        .name = "degree",
        .what = "32-bit atomics of the conflict degree that --degree names",
        .benchmark = true,
        .own_bytes = sizeof(struct draw),
        .start = start_degree,
        .draw = draw,
};

const struct cosim_mix *const atoms_pipe_mixes[] = {
        &mixed, &conflict_free, &faults, &spin, &combine, &one_word, &degree, &native, &matrix, &stimulus_mix, NULL};
