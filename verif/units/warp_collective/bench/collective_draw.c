// SPDX-License-Identifier: Apache-2.0
#include "collective_draw.h"

#include <string.h>

const unsigned collective_ops[REF_KINDS] = {3, 3, 4, 2, 6, 1, 4};

static uint32_t draw_mask(struct collective_draw *d)
{
	uint32_t m = rng_u32(d->rng);
	switch (rng_below(d->rng, 6)) {
	case 0:
		return m ? m : 1;
	case 1:
		m &= rng_u32(d->rng) & rng_u32(d->rng);
		return m ? m : UINT32_C(1) << 31;
	case 2:
		return UINT32_C(1) << rng_below(d->rng, 32);
	default:
		return UINT32_MAX;
	}
}

/* Values often equal, in a half, or in all bits except one; or at the ends of the ranges. */
static void draw_values(struct collective_draw *d, uint64_t v[REF_LANES])
{
	static const uint32_t edge[8] = {0, 1, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0x55555555};
	const uint64_t base = rng_next(d->rng);
	const unsigned how = rng_below(d->rng, 6), odd = rng_below(d->rng, 32);
	for (unsigned l = 0; l < REF_LANES; l++) {
		const uint32_t bits = rng_u32(d->rng);
		v[l] = how == 0   ? rng_next(d->rng)
		       : how == 1 ? (uint64_t)edge[bits >> 3 & 7] << 32 | edge[bits & 7]
		       : how == 2 ? base ^ (uint64_t)(bits & 3) << (bits >> 4 & 1 ? 32 : 0)
		       : how == 3 ? base ^ (l == odd ? UINT64_C(1) << rng_below(d->rng, 64) : 0)
		       : how == 4 ? base ^ (uint64_t)(bits & 1) << rng_below(d->rng, 64)
		                  : base;
	}
}

/* Floats: zeros, infinities and NaNs of both signs among others; or NaNs alone: in all lanes, in all except one, or in
 * a single lane. */
static void draw_floats(struct collective_draw *d, uint64_t v[REF_LANES])
{
	static const uint32_t edge[8] = {0,          0x80000000, 0x7f800000, 0xff800000,
	                                 0x7f800001, 0xff800001, 0x3f800000, 0xbf800000};
	const unsigned how = rng_below(d->rng, 6), odd = rng_below(d->rng, 32);
	for (unsigned l = 0; l < REF_LANES; l++) {
		const uint32_t bits = rng_u32(d->rng), nan = bits | 0x7f800001;
		const bool special = how == 0 || (how == 1 && bits >> 3 & 1);
		v[l] = how == 2 || (how == 3 && l != odd)  ? nan
		       : how == 4 && l == odd              ? nan
		       : special                           ? edge[bits & 7]
		       : (bits & 0x7f800000) == 0x7f800000 ? bits ^ 0x40000000
		                                           : bits;
	}
}

/* Usual shuffles of a part of the warp, or anything. */
static void draw_operands(struct collective_draw *d, struct ref_req *r)
{
	const uint32_t width = UINT32_C(1) << rng_below(d->rng, 6), high = rng_u32(d->rng) << 13;
	const uint32_t usual = (32 - width) << 8 | (r->op == REF_UP ? 0 : 31), same = rng_below(d->rng, 32);
	const unsigned how = rng_below(d->rng, 3);
	for (unsigned l = 0; l < REF_LANES; l++) {
		const uint32_t bits = rng_u32(d->rng);
		r->rb[l] = how == 0 ? bits : same | (bits & ~31u);
		r->rc[l] = how == 2 ? bits : usual | (bits & 0xe0) | high;
	}
	r->imm_b = r->rb[0] & 31;
	r->imm_c = r->rc[0] & 0x1fff;
}

uint32_t collective_tag(struct collective_draw *d, unsigned port)
{
	return (rng_below(d->rng, 48 / d->ports) * d->ports + port) << 16 | (d->serial++ * 0x9e37 & 0xffff);
}

void collective_draw(struct collective_draw *d, struct ref_req *r, unsigned port)
{
	memset(r, 0, sizeof *r);
	r->kind = (enum ref_kind)rng_below(d->rng, REF_KINDS);
	r->op = rng_below(d->rng, collective_ops[r->kind]);
	r->sgn = r->kind == REF_REDUX && rng_below(d->rng, 2);
	r->wide = r->kind == REF_MATCH && rng_below(d->rng, 2);
	r->nan = r->kind == REF_FREDUX && rng_below(d->rng, 2);
	r->ra_used = rng_below(d->rng, 16) != 0;
	r->rb_used = r->kind == REF_SHFL && rng_below(d->rng, 2);
	r->rc_used = r->kind == REF_SHFL && rng_below(d->rng, 2);
	r->to_pd = rng_below(d->rng, 4) != 0 && r->kind != REF_REDUX && r->kind != REF_FREDUX;
	r->to_rd = rng_below(d->rng, 8) != 0 && (r->kind == REF_VOTE || r->kind == REF_SHFL || r->kind == REF_MATCH);
	r->to_urd = rng_below(d->rng, 8) != 0 &&
	            (r->kind == REF_VOTEU || r->kind == REF_REDUX || r->kind == REF_ELECT || r->kind == REF_FREDUX);
	r->tag = collective_tag(d, port);
	r->mask = draw_mask(d);
	r->pred = rng_below(d->rng, 4) == 0   ? r->mask
	          : rng_below(d->rng, 4) == 0 ? ~r->mask
	          : rng_below(d->rng, 3)      ? rng_u32(d->rng)
	                                      : 0;
	if (r->kind == REF_ELECT && rng_below(d->rng, 2)) { /* any lane leads, beside other executing lanes */
		r->pred = (rng_u32(d->rng) | 1) << rng_below(d->rng, 32);
	}
	if (r->kind == REF_FREDUX && rng_below(d->rng, 8)) {
		draw_floats(d, r->ra);
	} else {
		draw_values(d, r->ra);
	}
	draw_operands(d, r);
}
