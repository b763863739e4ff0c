// SPDX-License-Identifier: Apache-2.0
/* random.c -- the mix of mbarrier_engine: few objects in each CTA, operations mostly legal and often ending a phase,
 * warps waiting for the end; some of every illegal operation.
 *
 * The mix keeps a rough account of each object, to draw useful operations. The account may be wrong (several ports,
 * faulting lanes). The only effect is more faulting lanes. */
#include <stdio.h>
#include <string.h>

#include "mbarrier_engine.h"

enum { OBJECTS = MBARS_OBJECTS, FORM_ART0 = 5, MOST = (1 << 20) - 1, MOST_V1 = 511 };

/* Inputs of the draw of an instruction. */
struct random {
	struct random_stream *stream;
	struct rng *rng;
	struct mbars_draw *own;
	struct wl_req *q;
	unsigned slot, hot; /* hot: the object of most lanes */
	uint8_t of[WL_WARP_LANES];
};

static bool one_in(struct random *r, unsigned n)
{
	return rng_below(r->rng, n) == 0;
}

/* Two objects share banks, two are neighbours. */
uint32_t mbars_address(const struct random_config *c, unsigned object)
{
	return object < 2 ? object * c->banks * 4 : 16 + object * 8;
}

static uint32_t address(const struct random *r, unsigned object)
{
	return mbars_address(r->stream->config, object);
}

static bool encode(struct random *r, const struct wl_inst *in)
{
	const char *reason = "";
	const enum wl_arch arch = r->stream->config->arch;
	if (wl_encode(arch, in, &r->q->word, &reason) == WL_OK && wl_decode(arch, r->q->word, &r->q->inst) == WL_OK) {
		r->q->posted = wl_inst_posted(&r->q->inst);
		return true;
	}
	if (!*r->stream->wrong)
		snprintf(r->stream->wrong, sizeof r->stream->wrong, "%s has no encoding: %s",
		         wl_uop_name((enum wl_uop)in->uop), reason);
	return false;
}

/* ---- operands ---- */

static void draw_lanes(struct random *r)
{
	const unsigned shape = rng_below(r->rng, 8);
	r->hot = rng_below(r->rng, OBJECTS);
	r->q->mask = shape < 4   ? UINT32_C(1) << rng_below(r->rng, 32)
	             : shape < 6 ? (uint32_t)rng_next(r->rng) & (uint32_t)rng_next(r->rng)
	                         : (uint32_t)rng_next(r->rng);
	if (one_in(r, 8))
		r->q->mask = UINT32_MAX;
	r->q->mask |= r->q->mask == 0;
	const bool several = one_in(r, 4);
	for (unsigned l = 0; l < WL_WARP_LANES; l++)
		r->of[l] = (uint8_t)(several ? rng_below(r->rng, OBJECTS) : r->hot);
}

/* Addresses by register, with or without an offset and a uniform register; sometimes an illegal address. */
static void draw_addresses(struct random *r, struct wl_inst *in)
{
	const uint32_t off = one_in(r, 2) ? 0 : rng_below(r->rng, 4096) * 8,
	               ur = one_in(r, 2) ? 0 : (uint32_t)rng_next(r->rng);
	in->ra = (uint8_t)rng_below(r->rng, 200);
	in->off = (int32_t)off;
	in->ur = ur ? (uint8_t)rng_below(r->rng, 60) : 255;
	r->q->ur = ur;
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		uint32_t at = address(r, r->of[l]);
		if (one_in(r, 400))
			at += 1 + rng_below(r->rng, 7);
		else if (one_in(r, 400))
			at = r->stream->smem->window[r->slot].size + rng_below(r->rng, 3) * 8;
		r->q->ra[l] = (at - off - ur) | rng_next(r->rng) << 32;
	}
}

static void set_operand(struct random *r, unsigned lane, uint32_t value)
{
	r->q->rb[lane] = (struct wl_lane){{value, (uint32_t)rng_next(r->rng), 0, 0}};
}

static uint32_t odd_value(struct random *r)
{
	static const uint32_t value[] = {0, 1, MOST, MOST + 1, 0x80000000, 0xffffffff};
	return value[rng_below(r->rng, 6)];
}

/* ---- instructions ---- */

static void exch_operands(struct random *r, struct wl_inst *in, uint32_t low, uint32_t high)
{
	in->guard_uniform = true;
	in->urd = one_in(r, 2) ? 255 : (uint8_t)(2 * rng_below(r->rng, 20));
	in->ur = (uint8_t)rng_below(r->rng, 60);
	in->rb = (uint8_t)(2 * rng_below(r->rng, 20));
	in->off = (int32_t)(rng_below(r->rng, 64) * 8);
	r->q->ur = address(r, r->hot) - (uint32_t)in->off;
	for (unsigned l = 0; l < WL_WARP_LANES; l++)
		r->q->rb[l] = (struct wl_lane){{low, high, 0, 0}};
}

/* An object of layout v1 of sm_107, sometimes as left by earlier phases. The count may be impossible. */
static void exch_v1(struct random *r, struct wl_inst *in, struct mbars_object *o)
{
	static const unsigned counts[] = {1, 2, 2, 3, 4, 8, 33, MOST_V1};
	const uint32_t n = one_in(r, 12) ? odd_value(r) : counts[rng_below(r->rng, 8)], t = 0x200 - n;
	const bool used = one_in(r, 2), odd = one_in(r, 20);
	const bool failed = used && one_in(r, 2), last = used && one_in(r, 2), conditional = used && one_in(r, 2);
	const uint32_t value = failed && one_in(r, 2) ? rng_below(r->rng, 256) : 0;
	const uint32_t last_value = last && one_in(r, 2) ? rng_below(r->rng, 256) : 0;
	uint32_t low = t << 4 | 1, high = t << 11;
	if (used) {
		low = (low & 0x1ff1) | (uint32_t)failed << 1 | (uint32_t)last << 2 | (uint32_t)conditional << 3 |
		      value << 13;
		high = (high & 0xff800) | last_value << 20;
	}
	if (odd)
		*(one_in(r, 2) ? &low : &high) ^= UINT32_C(2) << rng_below(r->rng, 31);
	exch_operands(r, in, low, high);
	if (n && n <= MOST_V1 && !odd)
		*o = (struct mbars_object){.live = true,
		                           .v1 = true,
		                           .expected = (int32_t)n,
		                           .pending = (int32_t)n,
		                           .conditional = conditional,
		                           .failed = failed};
}

static bool draw_exch(struct random *r)
{
	static const unsigned counts[] = {1, 2, 2, 3, 4, 8, 33, MOST};
	struct wl_inst in = wl_inst_make(WL_UOP_SYNCS_EXCH);
	struct mbars_object *o = &r->own->object[r->slot][r->hot];
	if (r->stream->config->arch == WL_SM107 && !one_in(r, 3)) {
		exch_v1(r, &in, o);
		return encode(r, &in);
	}
	const uint32_t n = one_in(r, 12) ? odd_value(r) : counts[rng_below(r->rng, 8)], t = 0x100000 - n;
	exch_operands(r, &in, t << 1 | (r->stream->config->arch != WL_SM107 && one_in(r, 2)), t << 11);
	if (n && n <= MOST)
		*o = (struct mbars_object){.live = true, .expected = (int32_t)n, .pending = (int32_t)n};
	return encode(r, &in);
}

/* A step of a script. */
static bool draw_step(struct random *r, const struct mbars_step *s)
{
	struct wl_inst in = wl_inst_make(s->exch ? WL_UOP_SYNCS_EXCH : WL_UOP_SYNCS_ARRIVE);
	struct mbars_object *o = &r->own->object[r->slot][s->object];
	const uint32_t expected = 0x100000 - s->expected, pending = 0x100000 - s->pending;
	r->hot = s->object;
	memset(r->of, (int)s->object, sizeof r->of);
	if (s->one_lane)
		r->q->mask &= -r->q->mask;
	if (s->exch) {
		exch_operands(r, &in, expected << 1, pending << 11);
		*o = (struct mbars_object){
		        .live = true, .expected = (int32_t)s->expected, .pending = (int32_t)s->pending};
		return encode(r, &in);
	}
	in.op = s->op;
	in.type = s->type;
	in.flags = s->flags;
	in.rd = one_in(r, 4) ? WL_RZ : (uint8_t)(2 * rng_below(r->rng, 100));
	in.rb = (uint8_t)rng_below(r->rng, 200);
	draw_addresses(r, &in);
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		set_operand(r, l, s->value);
		if (r->q->mask >> l & 1 && !s->type)
			mbars_account(o, s->op, s->value, s->flags & WL_F_OPTOUT);
	}
	return encode(r, &in);
}

/* The rough account of a lane. */
void mbars_account(struct mbars_object *o, unsigned form, uint32_t r, bool drop)
{
	const int64_t n = form == FORM_ART0 ? r : form < 2, tx = form == 0 || form == 3 ? r
	                                                         : form == 4            ? -(int64_t)r
	                                                                                : form == 2;
	if (!o->live || n > o->pending || tx > MOST || o->tx + tx > MOST + 1 || tx < -MOST || o->tx + tx < -MOST ||
	    (drop && n > o->expected))
		return;
	o->pending -= (int32_t)n;
	o->tx += (int32_t)tx;
	o->expected -= drop ? (int32_t)n : 0;
	if (o->pending || o->tx)
		return;
	o->pending = o->expected;
	o->phase = !o->phase;
	o->conditional = !o->v1 ? o->phase : o->conditional ^ !o->failed;
	o->failed = false;
}

static uint32_t amount(struct random *r, const struct mbars_object *o, unsigned form, unsigned lanes)
{
	if (one_in(r, 40))
		return odd_value(r);
	if (form == FORM_ART0)
		return o->pending > 0 && one_in(r, 2)
		               ? (uint32_t)o->pending / lanes + (o->pending / (int32_t)lanes == 0)
		               : 1;
	if (form == 4 && o->tx > 0)
		return one_in(r, 2) ? (uint32_t)o->tx : 1 + rng_below(r->rng, (uint32_t)o->tx);
	if ((form == 0 || form == 3) && o->tx < 0)
		return (uint32_t)-o->tx;
	return rng_below(r->rng, 1024);
}

static bool draw_arrive(struct random *r)
{
	struct wl_inst in = wl_inst_make(WL_UOP_SYNCS_ARRIVE);
	struct mbars_object *hot = &r->own->object[r->slot][r->hot];
	unsigned lanes = (unsigned)__builtin_popcount(r->q->mask);
	in.op = (uint8_t)rng_below(r->rng, 6);
	if (hot->tx && one_in(r, 2))
		in.op = hot->tx > 0 ? 4 : 3;
	if (in.op != 2 && in.op != 3 && in.op != 4 && hot->pending < (int32_t)lanes && !one_in(r, 8)) {
		r->q->mask &= -r->q->mask; /* a single arrival */
		lanes = 1;
	}
	in.type = one_in(r, 6) ? 1 : one_in(r, 3) ? 2 : 0;
	in.flags = one_in(r, 10) ? WL_F_OPTOUT : 0;
	in.rd = in.type == 2 || one_in(r, 4) ? WL_RZ : (uint8_t)(2 * rng_below(r->rng, 100));
	in.rb = (uint8_t)rng_below(r->rng, 200);
	draw_addresses(r, &in);
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		struct mbars_object *o = &r->own->object[r->slot][r->of[l]];
		const uint32_t value = amount(r, o, in.op, lanes);
		set_operand(r, l, value);
		if (r->q->mask >> l & 1)
			mbars_account(o, in.op, value, in.flags & WL_F_OPTOUT);
	}
	return encode(r, &in);
}

/* The missing part of the object's phase, in one or two operations of one lane. */
static bool draw_finish(struct random *r, unsigned object)
{
	struct wl_inst in = wl_inst_make(WL_UOP_SYNCS_ARRIVE);
	struct mbars_object *o = &r->own->object[r->slot][object];
	const bool bytes = o->tx && (o->pending == 0 || one_in(r, 2));
	const uint32_t value = (uint32_t)(!bytes ? o->pending : o->tx > 0 ? o->tx : -o->tx);
	in.op = !bytes ? FORM_ART0 : o->tx > 0 ? 4 : 3;
	in.type = one_in(r, 2) ? 2 : 0;
	in.flags = one_in(r, 20) ? WL_F_OPTOUT : 0;
	in.rd = in.type == 2 ? WL_RZ : (uint8_t)(2 * rng_below(r->rng, 100));
	in.rb = (uint8_t)rng_below(r->rng, 200);
	r->q->mask &= -r->q->mask;
	memset(r->of, (int)object, sizeof r->of);
	draw_addresses(r, &in);
	for (unsigned l = 0; l < WL_WARP_LANES; l++)
		set_operand(r, l, value);
	mbars_account(o, in.op, value, in.flags & WL_F_OPTOUT);
	return encode(r, &in);
}

static bool draw_check(struct random *r, bool tries)
{
	struct wl_inst in = wl_inst_make(WL_UOP_SYNCS_PHASECHK);
	struct mbars_draw *d = r->own;
	const struct mbars_object *o = &d->object[r->slot][r->hot];
	const unsigned warp = r->q->tag.warp;
	const bool one = tries && !one_in(r, 8);
	in.op = tries;
	if (r->stream->config->arch == WL_SM107 && one_in(r, 2))
		in.type = one_in(r, 2) ? WL_MBAR_CONDITIONAL : WL_MBAR_PRIMARY;
	if (in.type == WL_MBAR_PRIMARY)
		in.pd[1] = (uint8_t)rng_below(r->rng, 7);
	in.pd[0] = (uint8_t)rng_below(r->rng, 7);
	in.rb = (uint8_t)rng_below(r->rng, 200);
	if (one)
		memset(r->of, (int)r->hot, sizeof r->of);
	draw_addresses(r, &in);
	const bool open = in.type == WL_MBAR_CONDITIONAL ? o->conditional : o->phase;
	const bool phase = one_in(r, 10) ? !open : open;
	for (unsigned l = 0; l < WL_WARP_LANES; l++)
		set_operand(r, l,
		            (uint32_t)(one ? phase : rng_below(r->rng, 2)) << 31 |
		                    ((uint32_t)rng_next(r->rng) & 0x7fffffff));
	if (one && o->live && phase == open) {
		d->waiting[warp] = r->q->tag.n + 1;
		d->waiters[r->slot]++;
		d->awaited[r->slot] = (uint8_t)r->hot;
	}
	return encode(r, &in);
}

static bool draw_plain(struct random *r)
{
	static const enum wl_uop uops[] = {WL_UOP_LDS, WL_UOP_LDS, WL_UOP_STS, WL_UOP_ATOMS};
	struct wl_inst in = wl_inst_make(uops[rng_below(r->rng, one_in(r, 3) ? 4 : 2)]);
	in.size = in.uop == WL_UOP_ATOMS || one_in(r, 4) ? 4 : 8;
	in.rd = in.uop == WL_UOP_STS ? WL_RZ : (uint8_t)(2 * rng_below(r->rng, 100));
	in.rb = in.uop == WL_UOP_LDS ? WL_RZ : (uint8_t)(2 * rng_below(r->rng, 100));
	in.op = in.uop == WL_UOP_ATOMS ? WL_ATOM_ADD : 0;
	draw_addresses(r, &in);
	in.ur = 255;
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		const uint32_t t = 0x100000 - 1 - rng_below(r->rng, 3);
		r->q->ra[l] += (uint32_t)r->q->ur;
		r->q->rb[l] =
		        (struct wl_lane){{t << 1, t << 11, 0, 0}}; /* an object of sm_100, where stores make objects */
	}
	r->q->ur = 0;
	if (in.uop != WL_UOP_LDS)
		for (unsigned l = 0; l < WL_WARP_LANES; l++)
			if (r->q->mask >> l & 1)
				r->own->object[r->slot][r->of[l]].live = false;
	return encode(r, &in);
}

static bool draw_invalid(struct random *r)
{
	struct wl_inst in = wl_inst_make(WL_UOP_SYNCS_CCTL);
	draw_addresses(r, &in);
	for (unsigned l = 0; l < WL_WARP_LANES; l++)
		if (r->q->mask >> l & 1)
			r->own->object[r->slot][r->of[l]].live = false;
	return encode(r, &in);
}

/* sm_80: objects are made by stores. */
static bool draw_layout_a(struct random *r)
{
	struct wl_inst in = wl_inst_make(one_in(r, 10) ? WL_UOP_STS : one_in(r, 10) ? WL_UOP_LDS : WL_UOP_ATOMS_ARRIVE);
	in.size = in.uop == WL_UOP_ATOMS_ARRIVE ? 0 : 8;
	in.rd = in.uop == WL_UOP_STS || one_in(r, 4) ? WL_RZ : (uint8_t)(2 * rng_below(r->rng, 100));
	if (in.uop == WL_UOP_STS)
		in.rb = (uint8_t)(2 * rng_below(r->rng, 100));
	draw_addresses(r, &in);
	if (in.uop != WL_UOP_ATOMS_ARRIVE) {
		for (unsigned l = 0; l < WL_WARP_LANES; l++)
			r->q->ra[l] += (uint32_t)r->q->ur;
		in.ur = 255;
		r->q->ur = 0;
	}
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		const uint32_t n = 1 + rng_below(r->rng, 40);
		r->q->rb[l] = (struct wl_lane){{0x40000000 - n, 0x80000000 - n, 0, 0}};
	}
	return encode(r, &in);
}

bool mbars_draw(struct random_stream *stream, struct wl_req *q)
{
	struct random r = {.stream = stream, .rng = stream->rng, .own = stream->own, .q = q, .slot = q->tag.slot};
	draw_lanes(&r);
	if (stream->config->arch < WL_SM90)
		return draw_layout_a(&r);
	r.own->drawn++;
	struct mbars_step step;
	if (mbars_script(stream, r.slot, &step))
		return draw_step(&r, &step);
	const struct mbars_object *o = &r.own->object[r.slot][r.hot];
	const unsigned kind = rng_below(r.rng, 100);
	if ((!o->live || (!o->pending && !o->tx)) && !one_in(&r, 6))
		return draw_exch(&r);
	const unsigned awaited = r.own->awaited[r.slot];
	if (r.own->waiters[r.slot] && kind >= 50 && r.own->object[r.slot][awaited].live)
		return draw_finish(&r, awaited);
	if (kind < 2)
		return draw_exch(&r);
	if (kind < 3)
		return draw_invalid(&r);
	if (kind < 12)
		return draw_plain(&r);
	if (kind < 22)
		return draw_check(&r, false);
	/* at least one warp of the CTA must go on, or all warps have to give up */
	if (kind < 50 && (r.own->waiters[r.slot] + 1 < RANDOM_PER_SLOT || one_in(&r, 40)))
		return draw_check(&r, true);
	return draw_arrive(&r);
}

/* Landing words of copies, of any size. */
bool mbars_draw_data(struct random_stream *stream, struct wl_req *q)
{
	static const enum wl_uop uops[] = {WL_UOP_LDS, WL_UOP_LDS, WL_UOP_STS, WL_UOP_ATOMS};
	struct random r = {.stream = stream, .rng = stream->rng, .own = stream->own, .q = q, .slot = q->tag.slot};
	struct wl_inst in = wl_inst_make(uops[rng_below(r.rng, 4)]);
	draw_lanes(&r);
	in.size = in.uop == WL_UOP_ATOMS ? 4 : (uint8_t)(4u << rng_below(r.rng, 3));
	in.rd = in.uop == WL_UOP_STS ? WL_RZ : (uint8_t)(4 * rng_below(r.rng, 50));
	in.rb = in.uop == WL_UOP_LDS ? WL_RZ : (uint8_t)(4 * rng_below(r.rng, 50));
	in.op = in.uop == WL_UOP_ATOMS ? WL_ATOM_ADD : 0;
	in.ra = (uint8_t)rng_below(r.rng, 200);
	in.ur = 255;
	const uint32_t at = MBARS_DATA + 16 * rng_below(r.rng, MBARS_DATA_BYTES / 16),
	               step = in.size * rng_below(r.rng, 3);
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		q->ra[l] = MBARS_DATA + (at - MBARS_DATA + l * step) % MBARS_DATA_BYTES;
		q->rb[l] = stream->pool[FLAVOUR_RANDOM][rng_below(r.rng, RANDOM_POOL)];
	}
	return encode(&r, &in);
}

void mbars_retired(struct random_stream *stream, const struct wl_record *rec)
{
	struct mbars_draw *d = stream->own;
	mbars_note(d, rec);
	if (d->waiting[rec->tag.warp] != rec->tag.n + 1)
		return;
	d->waiting[rec->tag.warp] = 0;
	d->waiters[rec->tag.slot]--;
}

bool mbars_start(struct random_stream *stream, char *why, size_t whyn)
{
	if (stream->config->arch >= WL_SM80)
		return true;
	snprintf(why, whyn, "there are no mbarriers before sm_80");
	return false;
}

static unsigned floors(const struct random_config *c, const struct lockstep_stats *s,
                       struct random_floor floor[RANDOM_FLOORS])
{
	const uint64_t *n = s->counter[WL_UNIT_mbarrier_engine];
	const double a = c->arch == WL_SM80, b = c->arch > WL_SM80, v = c->arch == WL_SM107;
	unsigned rows = 0;
#define FLOOR(what, events, least) floor[rows++] = (struct random_floor){what, events, least};
#include "floors.def"
#undef FLOOR
	return rows;
}

static const struct cosim_mix mbarrier = {
        .name = "mbarrier",
        .what = "operations on mbarriers, mostly legal, and warps that wait for their phases",
        .waits = true,
        .own_bytes = sizeof(struct mbars_draw),
        .start = mbars_start,
        .draw = mbars_draw,
        .retired = mbars_retired,
        .floors = floors,
};

const struct cosim_mix *const mbarrier_engine_mixes[] = {&mbarrier, &mbars_async, NULL};
