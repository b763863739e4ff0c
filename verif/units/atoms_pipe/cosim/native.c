// SPDX-License-Identifier: Apache-2.0
/* native.c -- the mix `native`: ATOMSN beside LDS, STS and ATOMS on the same words. */
#include "native.h"

#include <string.h>

#include "../../../cosim/flight.h"

/* Counters, from ATOMS_NATIVE on. */
enum {
	FORMS = 12,
	TYPES = 5, /* f32, f64, f16x2, bf16x2, integer */
	MEET = FORMS,
	CUT = MEET + TYPES,
	NANS = CUT + 1,
	SUBNORMALS = NANS + TYPES - 1,
	INFINITIES = SUBNORMALS + TYPES - 1,
	COUNTERS
};
_Static_assert(ATOMS_NATIVE + COUNTERS <= ATOMS_COUNTERS, "counters of native operations");

/* ---- draws ---- */

enum template_class native_class(unsigned family, struct rng *rng)
{
	switch (family) {
	case 0:
		return rng_below(rng, 2) ? CLASS_LDS : CLASS_LDS_WIDE;
	case 1:
		return CLASS_STS;
	case 2:
		return rng_below(rng, 2) ? CLASS_STS : CLASS_STS_WIDE;
	case 3:
		return rng_below(rng, 3) ? CLASS_ATOMS : CLASS_ATOMS_WIDE;
	default:
		return CLASS_NATIVE;
	}
}

/* Float32, two float16, two bfloat16, in each format: zeros, the least and the largest subnormal, the least normal
 * number, 1 and the number above 1, half a unit in the last place (of 1 and of the largest number), the largest number,
 * infinities, quiet and signalling NaNs with payloads. */
static const uint32_t words[] = {
        0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x80800000, 0x00800001,
        0x3f800000, 0xbf800000, 0x3f800001, 0x33800000, 0xb3800000, 0x7f7fffff, 0x73000000, 0xff7fffff,
        0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0xffc12345, 0x3c003c00, 0x3c011000, 0x9000bc00,
        0x000103ff, 0x84000400, 0x83ff8001, 0x7bff4c00, 0x4c007bff, 0x7c00fc00, 0xfc007e00, 0x7c01fe12,
        0x3f803f80, 0x3f813b80, 0xbb80bf80, 0x0001007f, 0x80800080, 0x807f8001, 0x7f7f7b00, 0x7b007f7f,
        0x7f80ff80, 0xff807fc0, 0x7f81ffc5, 0x8000803f, 0xffffffff, 0x7fffffff, 0x00000002, 0x00010001,
};
static const uint64_t doubles[] = {
        UINT64_C(0x0000000000000000), UINT64_C(0x8000000000000000), UINT64_C(0x0000000000000001),
        UINT64_C(0x8000000000000001), UINT64_C(0x000fffffffffffff), UINT64_C(0x0010000000000000),
        UINT64_C(0x8010000000000000), UINT64_C(0x0010000000000001), UINT64_C(0x3ff0000000000000),
        UINT64_C(0xbff0000000000000), UINT64_C(0x3ff0000000000001), UINT64_C(0x3ca0000000000000),
        UINT64_C(0xbca0000000000000), UINT64_C(0x7fefffffffffffff), UINT64_C(0x7c90000000000000),
        UINT64_C(0x7ff0000000000000), UINT64_C(0xfff0000000000000), UINT64_C(0x7ff8000000000000),
        UINT64_C(0x7ff0000000000001), UINT64_C(0xfff8123456789abc), UINT64_C(0xffffffffffffffff),
        UINT64_C(0x7fffffffffffffff), UINT64_C(0x00000000ffffffff), UINT64_C(0x0000000100000000),
};

/* A number at an edge; in a quarter of the draws with other low bits, up to all bits. */
static uint64_t some_number(struct rng *rng)
{
	const uint64_t die = rng_next(rng);
	const unsigned how = die >> 60 & 15;
	const uint64_t low = rng_next(rng) >> (die >> 54 & 63);
	uint64_t v = how & 1 ? doubles[die % (sizeof doubles / sizeof doubles[0])]
	                     : words[die % (sizeof words / sizeof words[0])] |
	                               (uint64_t)words[(die >> 16) % (sizeof words / sizeof words[0])] << 32;
	if (how < 4)
		v ^= low; /* a few low bits, or many */
	return v;
}

void native_values(struct rng *rng, struct wl_req *q)
{
	for (unsigned l = 0; l < WL_WARP_LANES; l++)
		for (unsigned k = 0; k < 2; k++) {
			const uint64_t b = some_number(rng), c = k ? b : some_number(rng);
			memcpy(&q->rb[l].w[2 * k], &b, sizeof b);
			memcpy(&q->rc[l].w[2 * k], &c, sizeof c);
		}
}

/* ---- counters of a run ---- */

/* f32, f64, f16x2, bf16x2, integer as 0 .. 4. */
static unsigned type_of(const struct wl_inst *in)
{
	static const uint8_t types[] = {
	        [WL_AT_INT] = 4, [WL_AT_F32] = 0, [WL_AT_F64] = 1, [WL_AT_F16X2] = 2, [WL_AT_BF16X2] = 3};
	return types[in->type];
}

static unsigned form_of(const struct wl_inst *in)
{
	if (in->type != WL_AT_INT)
		return type_of(in);
	if (in->op == WL_ATOM_ADD)
		return 4;
	if (in->op >= WL_ATOM_AND)
		return 5 + (in->op - WL_ATOM_AND);
	return (in->flags & WL_F_SIGNED ? 10 : 8) + (in->op == WL_ATOM_MAX);
}

/* Most lanes of the request on one word. */
static unsigned most_on_a_word(const struct wl_record *rec)
{
	unsigned most = 0;
	for (uint32_t left = rec->committed; left; left &= left - 1) {
		unsigned n = 0;
		for (uint32_t other = left; other; other &= other - 1)
			n += rec->addr[__builtin_ctz(other)] == rec->addr[__builtin_ctz(left)];
		most = n > most ? n : most;
	}
	return most;
}

/* A number of the type, with `man` bits of fraction. */
static void count_number(unsigned type, uint64_t v, uint64_t *counter)
{
	static const struct {
		uint8_t bits, man;
	} formats[] = {{32, 23}, {64, 52}, {16, 10}, {16, 7}};
	const unsigned bits = formats[type].bits, man = formats[type].man;
	const uint64_t most = (UINT64_C(1) << (bits - 1 - man)) - 1, exp = v >> man & most,
	               frac = v & ((UINT64_C(1) << man) - 1);
	counter[NANS + type] += exp == most && frac;
	counter[SUBNORMALS + type] += !exp && frac;
	counter[INFINITIES] += exp == most && !frac;
}

void native_count(const struct flight *f, uint64_t *counter)
{
	const struct wl_inst *in = &f->req.inst;
	const unsigned type = type_of(in);
	counter[form_of(in)]++;
	counter[MEET + type] += most_on_a_word(&f->ref) >= 8;
	for (uint32_t left = in->type == WL_AT_INT ? 0 : f->ref.committed; left; left &= left - 1) {
		uint64_t now;
		memcpy(&now, &f->ref.now[__builtin_ctz(left)], sizeof now);
		count_number(type, type == 1 ? now : type == 0 ? (uint32_t)now : now & 0xffff, counter);
		if (type >= 2)
			count_number(type, now >> 16 & 0xffff, counter);
	}
}

/* Full passes: a lane of the beat waits although the lane's banks are free in the pass. */
void native_commit(const struct lockstep *ls, const struct flight *f, uint32_t lanes, uint64_t *counter)
{
	const struct wl_atoms_plan *plan = (const struct wl_atoms_plan *)(const void *)&f->plan;
	const unsigned size = f->req.inst.size, per_beat = ls->smem->lanes;
	if (f->req.inst.uop != WL_UOP_ATOMSN || f->req.inst.type == WL_AT_INT || !lanes)
		return;
	const unsigned beat = (unsigned)__builtin_ctz(lanes) / per_beat, groups = ls->smem->banks * 4 / size;
	const uint32_t base = ls->smem->window[f->req.tag.slot].base;
	uint32_t taken = 0, free = 0;
	for (unsigned l = beat * per_beat; l < (beat + 1) * per_beat; l++) {
		const uint32_t group = UINT32_C(1) << ((base + plan->addr[l]) / size & (groups - 1));
		if (lanes >> l & 1)
			taken |= group;
		else if (plan->common.ok >> l & 1 && !(f->committed >> l & 1))
			free |= group;
	}
	counter[CUT] += (free & ~taken) != 0;
}

unsigned atoms_native_floors(const struct random_config *c, const struct lockstep_stats *s,
                             struct random_floor floor[RANDOM_FLOORS])
{
	static const char *const forms[FORMS] = {"ADD.F32", "ADD.F64", "ADD.F16x2", "ADD.BF16x2", "ADD.64",  "AND.64",
	                                         "OR.64",   "XOR.64",  "MIN.U64",   "MAX.U64",    "MIN.S64", "MAX.S64"};
	static const char *const meet[TYPES] = {"8 lanes and more on a word, f32", "f64", "f16x2", "bf16x2", "64 bits"};
	static const char *const nans[] = {"NaN results (lanes), f32", "f64", "f16", "bf16"};
	static const char *const subs[] = {"subnormal results (lanes), f32", "f64", "f16", "bf16"};
	const uint64_t *pipe = s->counter[WL_UNIT_atoms_pipe], *n = pipe + ATOMS_NATIVE;
	/* the floor for cut passes needs more than four lanes a beat and more than eight banks */
	const bool cuts = c->lanes > 4 && c->banks > 8;
	unsigned rows = 0;
	for (unsigned i = 0; i < FORMS; i++)
		floor[rows++] = (struct random_floor){forms[i], n[i], 250};
	for (unsigned i = 0; i < TYPES; i++)
		floor[rows++] = (struct random_floor){meet[i], n[MEET + i], i == TYPES - 1 ? 500 : 60};
	for (unsigned i = 0; i < TYPES - 1; i++)
		floor[rows++] = (struct random_floor){nans[i], n[NANS + i], 500};
	for (unsigned i = 0; i < TYPES - 1; i++)
		floor[rows++] = (struct random_floor){subs[i], n[SUBNORMALS + i], 100};
	floor[rows++] = (struct random_floor){"infinite results (numbers)", n[INFINITIES], 500};
	floor[rows++] = (struct random_floor){"passes cut at four lanes", n[CUT], cuts ? 500 : 0};
	floor[rows++] = (struct random_floor){"words forwarded", pipe[ATOMS_FORWARDS], 3000};
	floor[rows++] = (struct random_floor){"LDS", s->uops[WL_UOP_LDS], 800};
	floor[rows++] = (struct random_floor){"STS", s->uops[WL_UOP_STS], 1500};
	floor[rows++] = (struct random_floor){"ATOMS", s->uops[WL_UOP_ATOMS], 500};
	floor[rows++] = (struct random_floor){"lanes misaligned", s->faults[WL_FAULT_MISALIGNED_ADDRESS], 500};
	floor[rows++] = (struct random_floor){"lanes out of range", s->faults[WL_FAULT_SHARED_OUT_OF_RANGE], 500};
	return rows;
}
