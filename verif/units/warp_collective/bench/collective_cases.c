// SPDX-License-Identifier: Apache-2.0
#include "collective_cases.h"

#include <string.h>

enum { OPS_VOTE = 3, OPS_SHFL = 4, DISTANCES = 32, WIDTHS = 5, FORMS = 4, PLACES = 3 };

/* A float of each kind. */
static const uint32_t floats[8] = {0,          0x80000000, 0x3f800000, 0xbf800001,
                                   0x7f800000, 0xff800000, 0x7f800001, 0xffffffff};

static void say(struct cases *c, struct ref_req *r, uint32_t votes)
{
	const uint32_t all = c->mask << c->base;
	r->pred = (votes << c->base & all) | (rng_u32(&c->rng) & ~all);
}

static uint32_t votes(const struct cases *c)
{
	uint32_t yes = 0;
	for (unsigned l = 0; l < CASE_LANES; l++) {
		yes |= c->digit[l] << l;
	}
	return yes;
}

/* ---- families: the request of a variant, with the digits of the executing lanes ---- */

static void vote(struct cases *c, struct ref_req *r)
{
	r->kind = c->variant / OPS_VOTE ? REF_VOTEU : REF_VOTE;
	r->op = c->variant % OPS_VOTE;
	r->to_pd = true;
	r->to_rd = r->kind == REF_VOTE;
	r->to_urd = r->kind == REF_VOTEU;
	say(c, r, votes(c));
}

static void elect(struct cases *c, struct ref_req *r)
{
	r->kind = REF_ELECT;
	r->to_pd = r->to_urd = true;
	say(c, r, votes(c));
}

/* Segments of 32, 16, 8, 4, 2 lanes, like the compiler's intrinsics. */
static void shuffle(struct cases *c, struct ref_req *r)
{
	unsigned rest = c->variant;
	r->kind = REF_SHFL;
	r->op = rest % OPS_SHFL;
	rest /= OPS_SHFL;
	const uint32_t b = rest % DISTANCES;
	rest /= DISTANCES;
	const uint32_t width = UINT32_C(32) >> rest % WIDTHS;
	const uint32_t how = (32 - width) << 8 | (r->op == REF_UP ? 0 : 31);
	const unsigned form = c->all_forms ? rest / WIDTHS : (unsigned)(c->made % FORMS);
	r->rb_used = form & 1;
	r->rc_used = form >> 1;
	r->to_rd = r->to_pd = true;
	r->imm_b = r->rb_used ? rng_u32(&c->rng) & 31 : b;
	r->imm_c = r->rc_used ? rng_u32(&c->rng) & 0x1fff : how;
	for (unsigned l = 0; l < REF_LANES; l++) {
		r->ra[l] = rng_next(&c->rng);
		r->rb[l] = b | (rng_u32(&c->rng) & ~UINT32_C(31));
		r->rc[l] = how | (rng_u32(&c->rng) & ~UINT32_C(0x1f1f));
	}
}

/* Values differing in a bit of the lower word, of the upper word, or of both words. */
static void match(struct cases *c, struct ref_req *r)
{
	static const uint8_t at[PLACES][3] = {{0, 13, 31}, {0, 13, 31}, {32, 47, 63}};
	const unsigned place = c->variant / 2;
	r->kind = REF_MATCH;
	r->op = c->variant % 2;
	r->wide = place > 0;
	r->to_rd = r->to_pd = true;
	const uint64_t base = rng_next(&c->rng);
	for (unsigned l = 0; l < REF_LANES; l++) {
		const unsigned i = l - c->base;
		const uint32_t digit = i < CASE_LANES && c->mask >> i & 1 ? c->digit[i] : rng_below(&c->rng, 8);
		r->ra[l] = base;
		for (unsigned bit = 0; bit < 3; bit++) {
			r->ra[l] ^= (uint64_t)(digit >> bit & 1) << at[place][bit];
		}
	}
}

/* Two bits at the lower end, in the middle, at the upper end of the word. */
static void reduce(struct cases *c, struct ref_req *r)
{
	static const uint8_t at[PLACES] = {0, 15, 30};
	r->kind = REF_REDUX;
	r->op = c->variant % 6;
	r->sgn = c->variant / 6 % 2;
	r->to_urd = true;
	for (unsigned l = 0; l < REF_LANES; l++) {
		const unsigned i = l - c->base;
		const uint32_t digit = i < CASE_LANES && c->mask >> i & 1 ? c->digit[i] : rng_below(&c->rng, 4);
		r->ra[l] = digit << at[c->variant / 12];
	}
}

static void reduce_floats(struct cases *c, struct ref_req *r)
{
	r->kind = REF_FREDUX;
	r->op = c->variant % 4;
	r->nan = c->variant / 4;
	r->to_urd = true;
	for (unsigned l = 0; l < REF_LANES; l++) {
		const unsigned i = l - c->base;
		r->ra[l] = floats[i < CASE_LANES && c->mask >> i & 1 ? c->digit[i] : rng_below(&c->rng, 8)];
	}
}

/* `digits`: values of each executing lane; `classes`: only equality of digits counts. */
static const struct family {
	void (*make)(struct cases *c, struct ref_req *r);
	unsigned lanes, digits;
	bool classes;
	unsigned variants;
} families[] = {
        {shuffle, CASE_LANES, 1, false, OPS_SHFL *DISTANCES *WIDTHS},
        {vote, CASE_LANES, 2, false, 2 * OPS_VOTE},
        {elect, CASE_LANES, 2, false, 1},
        {match, CASE_LANES, CASE_LANES, true, 2 * PLACES},
        {match, 4, 4, false, 2 * PLACES},
        {reduce, 4, 4, false, 6 * 2 * PLACES},
        {reduce_floats, 4, 8, false, 4 * 2},
};
enum { FAMILIES = sizeof families / sizeof families[0] };

static unsigned variants(const struct cases *c, const struct family *f)
{
	return f->variants * (f->make == shuffle && c->all_forms ? FORMS : 1);
}

/* ---- enumeration ---- */

/* The highest digit of a lane; of classes one more than the lanes before. */
static uint32_t most(const struct cases *c, const struct family *f, unsigned lane)
{
	uint32_t first = 0;
	for (unsigned l = 0; l < lane && f->classes; l++) {
		first = c->mask >> l & 1 && c->digit[l] >= first ? c->digit[l] + 1 : first;
	}
	return f->classes ? first : f->digits - 1;
}

/* The next digits of the lanes in the mask; false: no digits are left. */
static bool next_digits(struct cases *c, const struct family *f)
{
	for (unsigned l = f->lanes; l-- > 0;) {
		if (c->mask >> l & 1 && c->digit[l] < most(c, f, l)) {
			c->digit[l]++;
			for (unsigned i = l + 1; i < f->lanes; i++) {
				c->digit[i] = 0;
			}
			return true;
		}
	}
	memset(c->digit, 0, sizeof c->digit);
	return false;
}

static bool go_on(struct cases *c)
{
	const struct family *f = &families[c->family];
	if (!c->begun) {
		c->begun = true;
		c->mask = 1;
		return true;
	}
	if (++c->variant < variants(c, f)) {
		return true;
	}
	c->variant = 0;
	if (next_digits(c, f)) {
		return true;
	}
	if (++c->mask < UINT32_C(1) << f->lanes) {
		return true;
	}
	c->mask = 1;
	return ++c->family < FAMILIES;
}

bool cases_next(struct cases *c, struct ref_req *r)
{
	if (!go_on(c)) {
		return false;
	}
	memset(r, 0, sizeof *r);
	r->ra_used = true;
	r->mask = c->mask << c->base;
	r->pred = rng_u32(&c->rng);
	families[c->family].make(c, r);
	c->made++;
	return true;
}

static unsigned long power(unsigned long x, unsigned n)
{
	return n ? x * power(x, n - 1) : 1;
}

/* By closed forms: all sets of lanes with their values. Classes: 21,146 ways to divide eight lanes and the inactive
 * lanes, less the empty set (Bell's number of 9, less 1). */
unsigned long cases_count(const struct cases *c)
{
	unsigned long all = 0;
	for (unsigned i = 0; i < FAMILIES; i++) {
		const struct family *f = &families[i];
		all += variants(c, f) * (f->classes ? 21146 : power(f->digits + 1, f->lanes) - 1);
	}
	return all;
}
