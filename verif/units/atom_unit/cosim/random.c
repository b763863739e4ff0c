// SPDX-License-Identifier: Apache-2.0
/* random.c -- draws warp instructions for atom_unit: every operation, type and size of the architecture, lanes that
 * meet in sectors and on words to wanted degrees, faults, and generic addresses. */
#include <stdio.h>
#include <string.h>

#include "atom_unit.h"
#include "warplock/address.h"

enum style { STYLE_ATOM, STYLE_GLOBAL, STYLE_GENERIC, STYLE_COMBINE };

/* CLASS_SHARED: of atoms_pipe, on words within reach of generic addresses, too */
enum class {
	CLASS_LOAD,
	CLASS_STORE,
	CLASS_ATOMIC,
	CLASS_CAS,
	CLASS_FLOAT,
	CLASS_RED,
	CLASS_ILLEGAL,
	CLASS_SHARED,
	CLASSES
};
enum { PER_CLASS = 160, TRIES = 400, FORMS = 4 /* of each kind, at most */ };

struct kind {
	enum class class;
	enum wl_uop uop;
	uint8_t op, size, type;
	uint32_t flags;
};

struct row {
	struct wl_word word;
	struct wl_inst inst;
};

struct draw {
	enum style style;
	unsigned n[CLASSES];
	struct row row[CLASSES][PER_CLASS];
};

/* ---- the instructions ---- */

/* The architecture may lack the kind, or some forms. */
static void add_kind(struct draw *d, enum wl_arch arch, const struct kind *k, struct rng *rng)
{
	unsigned found = 0;
	for (unsigned i = 0; i < TRIES && found < FORMS && d->n[k->class] < PER_CLASS; i++) {
		struct row *row = &d->row[k->class][d->n[k->class]];
		struct wl_inst in = wl_inst_make(k->uop);
		const char *reason;
		const bool alone = rng_one_in(rng, 12),
		           returns = k->uop != WL_UOP_STG && k->uop != WL_UOP_ST && k->uop != WL_UOP_RED;
		const bool casts =
		        k->uop == WL_UOP_ATOMG_CAS || k->uop == WL_UOP_ATOM_CAS || k->uop == WL_UOP_ATOM_CAST;
		const bool loads = k->uop == WL_UOP_LDG || k->uop == WL_UOP_LD;
		const unsigned words = k->size > 4 ? k->size / 4 : 1;
		in.op = k->op;
		in.size = k->size;
		in.type = k->type;
		in.flags = k->flags | (rng_one_in(rng, 6) ? 0 : WL_F_E64) | (rng_one_in(rng, 4) ? WL_F_A32 : 0);
		in.ra = alone ? WL_RZ : (uint8_t)(2 * rng_below(rng, 60));
		if (!loads)
			in.rb = (uint8_t)(words * rng_below(rng, 240 / words));
		if (casts)
			in.rc = (uint8_t)(words * rng_below(rng, 240 / words));
		if (returns)
			in.rd = rng_one_in(rng, 4) && !loads ? WL_RZ : (uint8_t)(words * rng_below(rng, 240 / words));
		if (returns && !loads && rng_one_in(rng, 2))
			in.pd[0] = (uint8_t)rng_below(rng, 7);
		in.ur = rng_one_in(rng, 2) ? (uint8_t)(2 * rng_below(rng, 28)) : 255;
		if (rng_one_in(rng, 2))
			in.desc = (uint16_t)(2 * rng_below(rng, 28));
		in.off = rng_one_in(rng, 2) ? 0 : ((int32_t)rng_below(rng, 1 << 20) - (1 << 19)) * 16;
		in.order = rng_one_in(rng, 3) ? WL_MEM_WEAK : WL_MEM_STRONG;
		in.scope = (uint8_t)rng_below(rng, 4);
		if (wl_encode(arch, &in, &row->word, &reason) != WL_OK ||
		    wl_decode(arch, row->word, &row->inst) != WL_OK)
			continue;
		const struct wl_inst *is = &row->inst;
		const bool wide = is->flags & WL_F_E64 && !(is->flags & WL_F_A32) && is->ra != WL_RZ;
		if (is->uop != k->uop || (!wide && is->ur == 255))
			continue; /* the address must reach the buffers */
		if ((is->flags & WL_F_ILLEGAL) != (k->flags & WL_F_ILLEGAL))
			continue;
		d->n[k->class]++;
		found++;
	}
}

static void add_memory(struct draw *d, enum wl_arch arch, bool generic, struct rng *rng)
{
	const enum wl_uop load = generic ? WL_UOP_LD : WL_UOP_LDG, store = generic ? WL_UOP_ST : WL_UOP_STG;
	for (uint8_t size = 1; size <= 16; size = (uint8_t)(2 * size)) {
		add_kind(d, arch, &(struct kind){CLASS_LOAD, load, 0, size, 0, 0}, rng);
		add_kind(d, arch, &(struct kind){CLASS_STORE, store, 0, size, 0, 0}, rng);
		if (size < 4)
			add_kind(d, arch, &(struct kind){CLASS_LOAD, load, 0, size, 0, WL_F_SIGNED}, rng);
	}
}

static void add_atomics(struct draw *d, enum wl_arch arch, bool generic, struct rng *rng)
{
	const enum wl_uop atom = generic ? WL_UOP_ATOM : WL_UOP_ATOMG,
	                  cas = generic ? WL_UOP_ATOM_CAS : WL_UOP_ATOMG_CAS;
	for (uint8_t size = 4; size <= 16; size = (uint8_t)(2 * size)) {
		for (uint8_t op = 0; op <= WL_ATOM_EXCH; op++)
			for (unsigned sgn = 0; sgn < 2; sgn++) {
				const uint32_t flags = sgn ? WL_F_SIGNED : 0;
				add_kind(d, arch, &(struct kind){CLASS_ATOMIC, atom, op, size, 0, flags}, rng);
				if (!generic)
					add_kind(d, arch, &(struct kind){CLASS_RED, WL_UOP_RED, op, size, 0, flags},
					         rng);
			}
		add_kind(d, arch, &(struct kind){CLASS_CAS, cas, 0, size, 0, 0}, rng);
		if (generic) {
			add_kind(d, arch, &(struct kind){CLASS_CAS, WL_UOP_ATOM_CAST, 0, size, 0, 0}, rng);
			add_kind(d, arch, &(struct kind){CLASS_CAS, WL_UOP_ATOM_CAST, 0, size, 0, WL_F_SPIN}, rng);
		}
		for (uint8_t type = 1; type <= WL_AT_BF16X2; type++)
			for (uint8_t op = 0; op <= WL_ATOM_MAX; op++) {
				add_kind(d, arch, &(struct kind){CLASS_FLOAT, atom, op, size, type, 0}, rng);
				if (!generic)
					add_kind(d, arch, &(struct kind){CLASS_FLOAT, WL_UOP_RED, op, size, type, 0},
					         rng);
			}
	}
	add_kind(d, arch, &(struct kind){CLASS_ILLEGAL, atom, WL_ATOM_INC, 8, 0, WL_F_ILLEGAL}, rng);
}

static void add_shared(struct draw *d, enum wl_arch arch)
{
	static const enum wl_uop uops[] = {WL_UOP_LDS, WL_UOP_STS, WL_UOP_ATOMS};
	for (unsigned i = 0; i < sizeof uops / sizeof uops[0]; i++) {
		struct row *row = &d->row[CLASS_SHARED][d->n[CLASS_SHARED]];
		struct wl_inst in = wl_inst_make(uops[i]);
		const char *reason;
		in.size = 4;
		in.ra = 2;
		in.rb = uops[i] == WL_UOP_LDS ? WL_RZ : 8;
		in.rd = uops[i] == WL_UOP_LDS ? 10 : WL_RZ;
		if (wl_encode(arch, &in, &row->word, &reason) == WL_OK &&
		    wl_decode(arch, row->word, &row->inst) == WL_OK)
			d->n[CLASS_SHARED]++;
	}
}

static bool start(struct random_stream *r, enum style style, char *why, size_t whyn)
{
	struct draw *d = r->own;
	const enum wl_arch arch = r->config->arch;
	d->style = style;
	add_memory(d, arch, style == STYLE_GENERIC, r->rng);
	add_atomics(d, arch, style == STYLE_GENERIC, r->rng);
	if (style == STYLE_GENERIC)
		add_shared(d, arch);
	for (unsigned c = 0; c < CLASSES; c++)
		if (!d->n[c] && c != (style == STYLE_GENERIC ? CLASS_RED : CLASS_SHARED) && c != CLASS_ILLEGAL) {
			snprintf(why, whyn, "atom_unit: nothing of class %u can be encoded", c);
			return false;
		}
	return true;
}

static const struct row *draw_row(struct draw *d, struct rng *rng)
{
	static const uint8_t parts[][CLASSES] = {
	        [STYLE_ATOM] = {1, 1, 8, 5, 6, 5, 1, 0},
	        [STYLE_GLOBAL] = {8, 6, 2, 1, 1, 2, 0, 0},
	        [STYLE_GENERIC] = {5, 4, 6, 4, 4, 0, 1, 4},
	        [STYLE_COMBINE] = {1, 5, 12, 1, 1, 8, 0, 0},
	};
	unsigned total = 0, c = 0;
	for (unsigned i = 0; i < CLASSES; i++)
		total += d->n[i] ? parts[d->style][i] : 0u;
	unsigned die = rng_below(rng, total);
	while (!d->n[c] || die >= parts[d->style][c])
		die -= d->n[c] ? parts[d->style][c] : 0u, c++;
	return &d->row[c][rng_below(rng, d->n[c])];
}

/* ---- addresses ---- */

/* A place where all warps meet, few sectors, or anywhere: in units of the size, so that lanes share words to any
 * degree. */
static void draw_places(struct random_stream *r, uint64_t base, uint64_t bytes, unsigned size,
                        uint64_t addr[WL_WARP_LANES])
{
	struct rng *rng = r->rng;
	const struct draw *d = r->own;
	const bool crowd = d->style == STYLE_COMBINE && !rng_one_in(rng, 4);
	const unsigned how = crowd ? 6 : rng_below(rng, 6), units = (unsigned)(bytes / size);
	const unsigned hot = 64 / size < units ? 64 / size : units, first = rng_below(rng, units);
	const unsigned degree = 1 + rng_below(rng, 32), stride = 1 + rng_below(rng, 8);
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		unsigned at;
		switch (how) {
		case 0: /* a row */
			at = first + l;
			break;
		case 1: /* `degree` lanes on the same word */
			at = l < degree ? first : first + l * stride;
			break;
		case 2: /* the first sectors, common to all warps */
			at = rng_below(rng, hot);
			break;
		case 3:
			at = first + l / 4 * stride;
			break;
		case 4:
			at = first + rng_below(rng, 2 * stride);
			break;
		case 6: /* few words */
			at = first + rng_below(rng, 1 + stride / 2);
			break;
		default:
			at = rng_below(rng, units);
		}
		addr[l] = base + (uint64_t)(at % units) * size;
	}
}

/* Moves some lanes to addresses that fault. */
static void spoil(struct random_stream *r, const struct wl_buf *b, unsigned size, uint64_t addr[WL_WARP_LANES])
{
	struct rng *rng = r->rng;
	const uint32_t lanes = rng_one_in(rng, 2) ? 1u << rng_below(rng, 32) : rng_u32(rng);
	const unsigned how = rng_below(rng, 5);
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		if (!(lanes >> l & 1))
			continue;
		if (how == 0 && size > 1)
			addr[l] += 1 + rng_below(rng, size - 1);
		else if (how == 1) /* behind the buffer, perhaps in the last sector */
			addr[l] = b->addr + b->room + (uint64_t)size * rng_below(rng, 32 / size);
		else if (how == 2)
			addr[l] = (uint64_t)rng_below(rng, 64) * size;
		else if (how == 3)
			addr[l] += UINT64_C(1) << (48 + rng_below(rng, 16));
		else
			addr[l] = ((uint64_t)rng_u32(rng) << 32 | rng_u32(rng)) & ~(uint64_t)(size - 1);
	}
	/* no lane in local memory: the front end serves local memory */
	for (unsigned l = 0; l < WL_WARP_LANES; l++)
		if (wl_space_of(addr[l]) == WL_SPACE_LOCAL)
			addr[l] = b->addr;
}

static void make_registers(struct random_stream *r, struct wl_req *q, const uint64_t addr[WL_WARP_LANES])
{
	const struct wl_inst *in = &q->inst;
	const uint64_t lowest = addr[__builtin_ctz(q->mask)];
	const bool wide = wl_global_ra_is_pair(in);
	q->ur = 0;
	if (in->ur != 255)
		q->ur = in->ra == WL_RZ ? lowest - (uint64_t)(int64_t)in->off
		        : wide          ? (uint64_t)rng_u32(r->rng) << 32 | rng_u32(r->rng)
		                        : (lowest & ~(uint64_t)UINT32_MAX) - (UINT64_C(1) << 31);
	const uint64_t base = q->ur;
	if (in->desc != WL_NO_DESC) /* no part of the address */
		q->ur = in->desc == 255 ? 0 : (uint64_t)rng_u32(r->rng) << 32 | rng_u32(r->rng);
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		const uint64_t ra = addr[l] - base - (uint64_t)(int64_t)in->off;
		q->ra[l] = wide ? ra : (ra & UINT32_MAX) | (uint64_t)rng_u32(r->rng) << 32;
	}
}

/* The first words of the window, mostly in a row. */
static void draw_shared(struct random_stream *r, struct wl_req *q)
{
	const unsigned first = rng_below(r->rng, 16), stride = rng_below(r->rng, 3);
	for (unsigned l = 0; l < WL_WARP_LANES; l++)
		q->ra[l] = 4 * (first + stride * l) - (uint32_t)q->inst.off;
}

static void draw_addresses(struct random_stream *r, struct wl_req *q)
{
	const struct draw *d = r->own;
	const struct wl_gmem *g = r->gmem;
	const struct wl_window *w = &r->smem->window[q->tag.slot];
	uint64_t addr[WL_WARP_LANES];
	/* 3/4 of the compares and 1/3 of the other accesses go to the first buffer, so that some compares succeed */
	const bool small = wl_atom_is_cas(&q->inst) ? !rng_one_in(r->rng, 4) : rng_one_in(r->rng, 3);
	const struct wl_buf *b = &g->buf[small ? 0 : 1 + rng_below(r->rng, g->nbuf - 1)];
	draw_places(r, b->addr, b->room, q->inst.size, addr);
	if (d->style == STYLE_GENERIC && !rng_one_in(r->rng, 3)) {
		uint64_t in_shared[WL_WARP_LANES];
		const uint32_t lanes = rng_one_in(r->rng, 2) ? UINT32_MAX : rng_u32(r->rng);
		/* few words of the window, so that compares match; at times beyond the end of the window */
		const uint64_t few = small ? 128 : 1024, whole = w->size < few ? few : w->size;
		const uint64_t bytes = rng_one_in(r->rng, 20)             ? 2 * whole
		                       : rng_one_in(r->rng, 4) && w->size ? w->size
		                                                          : few;
		draw_places(r, WL_SHARED_WINDOW, bytes, q->inst.size, in_shared);
		for (unsigned l = 0; l < WL_WARP_LANES; l++)
			addr[l] = lanes >> l & 1 ? in_shared[l] : addr[l];
	}
	if (rng_one_in(r->rng, 12))
		spoil(r, b, q->inst.size, addr);
	make_registers(r, q, addr);
}

/* ---- values ---- */

/* Words with numbers of every interesting format: halves, float32, high words of float64. */
static uint32_t some_word(struct rng *rng, unsigned type)
{
	static const uint16_t halves[] = {0,      0x8000, 0x3c00, 0xbc00, 0x3f80, 0xbf80, 1,
	                                  0x8001, 0x03ff, 0x0400, 0x7bff, 0x7c00, 0xfc00, 0x7c01,
	                                  0x7fff, 0xffff, 0x7f80, 0xff80, 0x007f, 0x0080};
	static const uint32_t singles[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 1,          0x80000001,
	                                   0x007fffff, 0x00800000, 0x80800000, 0x7f7fffff, 0x7f800000, 0xff800000,
	                                   0x7fc00000, 0x7f800001, 0x3f800001, 0x33800000, 0x3ff00000, 0x7ff00000};
	const uint32_t bits = rng_u32(rng);
	if (rng_one_in(rng, 2)) { /* near each other, so that sums round */
		if (type == WL_AT_F16X2 || type == WL_AT_BF16X2)
			return (bits & 0x83ff83ff) | 0x3c003c00 | (bits & 0x0c000c00);
		return (bits & 0x807fffff) | (0x3f800000 + ((bits >> 23 & 15) << 23));
	}
	if (rng_one_in(rng, 3))
		return bits;
	if (type == WL_AT_F16X2 || type == WL_AT_BF16X2)
		return halves[bits % 20] | (uint32_t)halves[(bits >> 8) % 20] << 16;
	return singles[bits % 18];
}

static void draw_values(struct random_stream *r, struct wl_req *q)
{
	enum flavour f = (enum flavour)rng_below(r->rng, FLAVOURS);
	if (q->tag.slot & 1 || wl_atom_is_cas(&q->inst))
		f = FLAVOUR_SMALL;
	memcpy(q->rb, &r->pool[f][rng_below(r->rng, RANDOM_POOL)], sizeof q->rb);
	memcpy(q->rc, &r->pool[FLAVOUR_SMALL][rng_below(r->rng, RANDOM_POOL)], sizeof q->rc);
	/* at times the least normal numbers: differences are flushed */
	const bool least = q->inst.type == WL_AT_F32_FTZ && rng_one_in(r->rng, 4);
	for (unsigned l = 0; q->inst.type != WL_AT_INT && l < WL_WARP_LANES; l++)
		for (unsigned k = 0; k < 4; k++) {
			const uint32_t word = some_word(r->rng, q->inst.type);
			q->rb[l].w[k] = least ? (word & 0x80ffffff) | 0x00800000 : word;
		}
	if (wl_atom_is_cas(&q->inst) && rng_one_in(r->rng, 2)) /* only the low word of wide operands is not 0 */
		for (unsigned l = 0; l < WL_WARP_LANES; l++)
			q->rb[l].w[1] = q->rb[l].w[2] = q->rb[l].w[3] = 0;
}

static bool draw(struct random_stream *r, struct wl_req *q)
{
	const struct row *row = draw_row(r->own, r->rng);
	q->word = row->word;
	q->inst = row->inst;
	q->posted = wl_inst_posted(&q->inst);
	q->mask = rng_below(r->rng, 4) ? UINT32_MAX : rng_u32(r->rng) | 1u << rng_below(r->rng, 32);
	if (wl_uop_unit((enum wl_uop)q->inst.uop) == WL_UNIT_atoms_pipe)
		draw_shared(r, q);
	else
		draw_addresses(r, q);
	draw_values(r, q);
	return true;
}

/* ---- floors ---- */

static unsigned floors(const struct random_config *c, const struct lockstep_stats *s, struct random_floor *f)
{
	static const struct {
		const char *name;
		unsigned counter;
		double atom, global, generic, combine;
	} rows[] = {
	        {"sectors of one lane", ATOM_SECTORS_1, 2000, 2000, 2000, 1000},
	        {"sectors of 2 to 7 lanes", ATOM_SECTORS_2, 3000, 3000, 2000, 2000},
	        {"sectors of 8 lanes and more", ATOM_SECTORS_8, 1000, 1000, 500, 1000},
	        {"2 to 4 lanes on a word", ATOM_SAME_2, 1000, 1000, 500, 1000},
	        {"more lanes on a word", ATOM_SAME_5, 500, 500, 300, 1000},
	        {"loads", ATOM_LOADS, 100, 3000, 800, 0},
	        {"stores", ATOM_STORES, 100, 2000, 800, 500},
	        {"8 and 16 bits", ATOM_SUB_WORD, 50, 1500, 300, 200},
	        {"64 bits", ATOM_64, 1000, 1000, 1000, 1000},
	        {"128 bits", ATOM_128, 50, 1000, 300, 0},
	        {"ADD", ATOM_INT + WL_ATOM_ADD, 100, 20, 50, 100},
	        {"MIN", ATOM_INT + WL_ATOM_MIN, 100, 20, 50, 100},
	        {"MAX", ATOM_INT + WL_ATOM_MAX, 100, 20, 50, 100},
	        {"INC", ATOM_INT + WL_ATOM_INC, 50, 10, 20, 50},
	        {"DEC", ATOM_INT + WL_ATOM_DEC, 50, 10, 20, 50},
	        {"AND", ATOM_INT + WL_ATOM_AND, 100, 20, 50, 100},
	        {"OR", ATOM_INT + WL_ATOM_OR, 100, 20, 50, 100},
	        {"XOR", ATOM_INT + WL_ATOM_XOR, 100, 20, 50, 100},
	        {"EXCH", ATOM_INT + WL_ATOM_EXCH, 50, 10, 50, 100},
	        {"compares that store (lanes)", ATOM_CAS, 500, 50, 500, 0},
	        {"compares that fail (lanes)", ATOM_CAS_FAILED, 5000, 500, 5000, 0},
	        {"float32, flushed", ATOM_TYPE + WL_AT_F32_FTZ, 100, 10, 30, 0},
	        {"lanes whose sum .FTZ makes another one", ATOM_FLUSHED, 500, 200, 200, 0},
	        {"float16", ATOM_TYPE + WL_AT_F16X2, 100, 10, 30, 0},
	        {"float64", ATOM_TYPE + WL_AT_F64, 100, 10, 30, 0},
	        {"lanes that are refused", ATOM_REFUSED, 0, 0, 500, 0},
	        {"lanes in shared memory", ATOM_SHARED, 0, 0, 50000, 0},
	        {"shared and global lanes in one", ATOM_BOTH, 0, 0, 1000, 0},
	        {"compares in shared memory that store (lanes)", ATOM_SHARED_SWAPPED, 0, 0, 300, 0},
	        {"lanes beyond the window", ATOM_SHARED_OUT, 0, 0, 500, 0},
	        {"lanes where there is no memory", ATOM_ABSENT, 300, 300, 300, 0},
	        {"combined sectors, 2 to 4 lanes on a word", ATOM_COMBINED_2, 0, 0, 0, 1000},
	        {"combined sectors, more lanes", ATOM_COMBINED_5, 0, 0, 0, 1000},
	        {"combined sectors of 64-bit words", ATOM_COMBINED_64, 0, 0, 0, 500},
	        {"combined stores", ATOM_COMBINED_STORES, 0, 0, 0, 500},
	};
	/* from sm_90 on: vectors came with the 16-bit formats; floors for the additional kinds */
	static const struct {
		const char *name;
		unsigned counter;
		double least;
	} later[] = {
	        {"bfloat16", ATOM_TYPE + WL_AT_BF16X2, 100},
	        {"float32", ATOM_TYPE + WL_AT_F32, 50},
	        {"MIN and MAX of floats", ATOM_MIN_MAX, 100},
	        {"128 bits in shared memory", ATOM_SHARED_128, 0}, /* of `generic` only */
	};
	const uint64_t *n = s->counter[WL_UNIT_atom_unit];
	const bool generic = strcmp(c->mix->name, "generic") == 0, global = strcmp(c->mix->name, "global") == 0,
	           combine = c->mix->combine != 0;
	unsigned k = 0;
	for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
		f[k++] = (struct random_floor){rows[i].name, n[rows[i].counter],
		                               combine   ? rows[i].combine
		                               : generic ? rows[i].generic
		                               : global  ? rows[i].global
		                                         : rows[i].atom};
	if (c->arch >= WL_SM80)
		f[k++] = (struct random_floor){"accesses with a policy of the L2", n[ATOM_POLICY], 1000};
	for (unsigned i = 0; c->arch >= WL_SM90 && !global && !combine && i < sizeof later / sizeof later[0]; i++)
		f[k++] = (struct random_floor){later[i].name, n[later[i].counter],
		                               generic && later[i].counter == ATOM_SHARED_128 ? 50 : later[i].least};
	return k;
}

/* ---- the mixes ---- */

#define START(name, style)                                                                                             \
	static bool name(struct random_stream *r, char *why, size_t whyn)                                              \
	{                                                                                                              \
		return start(r, style, why, whyn);                                                                     \
	}
START(start_atom, STYLE_ATOM)
START(start_global, STYLE_GLOBAL)
START(start_generic, STYLE_GENERIC)
START(start_combine, STYLE_COMBINE)
#undef START

static const struct cosim_mix atom = {.name = "atom",
                                      .what = "atomics on global memory: every operation, type and size",
                                      .own_bytes = sizeof(struct draw),
                                      .start = start_atom,
                                      .draw = draw,
                                      .floors = floors};
static const struct cosim_mix global = {.name = "global",
                                        .what = "loads and stores of global memory, some atomics",
                                        .own_bytes = sizeof(struct draw),
                                        .start = start_global,
                                        .draw = draw,
                                        .floors = floors};
static const struct cosim_mix generic = {
        .name = "generic",
        .what = "generic addresses: of global memory, of shared memory, of both in one",
        .untimed = true,
        .own_bytes = sizeof(struct draw),
        .start = start_generic,
        .draw = draw,
        .floors = floors};

static const struct cosim_mix combine = {.name = "atom_combine",
                                         .what = "stores and atomics of many lanes on a few words of global memory, "
                                                 "for --combine (2 if not given)",
                                         .combine = 2,
                                         .own_bytes = sizeof(struct draw),
                                         .start = start_combine,
                                         .draw = draw,
                                         .floors = floors};

const struct cosim_mix *const atom_unit_mixes[] = {&atom, &global, &generic, &combine, NULL};
