// SPDX-License-Identifier: Apache-2.0
/* random.c -- the mix of toy_counter: additions, some too large; waits for numbers coming soon, never, or already
 * reached. */
#include <stdio.h>
#include <string.h>

#include "toy_counter.h"

enum { ADD, ADD_DROPPED, WAIT, KINDS };

struct draw {
	struct wl_word word[KINDS];
	struct wl_inst inst[KINDS];
	uint32_t sum[RANDOM_SLOTS]; /* of the additions: near the counter's value */
};

static bool encode(struct random_stream *r, unsigned kind, struct wl_inst in, char *why, size_t whyn)
{
	struct draw *d = r->own;
	const char *reason = "";
	in.src[0] = WL_SRC_REG;
	in.ra = 8;
	if (wl_encode(r->config->arch, &in, &d->word[kind], &reason) == WL_OK &&
	    wl_decode(r->config->arch, d->word[kind], &d->inst[kind]) == WL_OK)
		return true;
	snprintf(why, whyn, "%s has no encoding: %s", wl_uop_name((enum wl_uop)in.uop), reason);
	return false;
}

static bool start(struct random_stream *r, char *why, size_t whyn)
{
	struct wl_inst add = wl_inst_make(WL_UOP_TOY_ADD), wait = wl_inst_make(WL_UOP_TOY_WAIT);
	add.rd = 12;
	wait.pd[0] = 1;
	if (!encode(r, ADD, add, why, whyn) || !encode(r, WAIT, wait, why, whyn))
		return false;
	add.rd = WL_RZ;
	return encode(r, ADD_DROPPED, add, why, whyn);
}

static uint32_t draw_number(struct random_stream *r, unsigned kind, uint32_t *sum)
{
	if (kind == WAIT)
		return rng_one_in(r->rng, 8)   ? *sum + 0x4000
		       : rng_one_in(r->rng, 4) ? *sum / 2
		                               : *sum + 1 + rng_below(r->rng, 3);
	if (rng_one_in(r->rng, 50))
		return 0xffff;
	const uint32_t n = 1 + rng_below(r->rng, 3);
	*sum += n;
	return n;
}

static bool draw(struct random_stream *r, struct wl_req *q)
{
	struct draw *d = r->own;
	const unsigned die = rng_below(r->rng, 8), kind = die < 4 ? ADD : die < 5 ? ADD_DROPPED : WAIT;
	q->word = d->word[kind];
	q->inst = d->inst[kind];
	q->posted = false;
	q->mask = rng_one_in(r->rng, 4) ? rng_u32(r->rng) | 1u << rng_below(r->rng, 32) : UINT32_MAX;
	const uint32_t n = draw_number(r, kind, &d->sum[q->tag.slot]) & 0xffff;
	for (unsigned l = 0; l < WL_WARP_LANES; l++) /* only the lowest active lane's counts */
		q->ra[l] = rng_u32(r->rng);
	q->ra[__builtin_ctz(q->mask)] = (q->ra[__builtin_ctz(q->mask)] & ~UINT64_C(0xffff)) | n;
	memset(q->rb, 0, sizeof q->rb);
	memset(q->rc, 0, sizeof q->rc);
	return true;
}

static unsigned floors(const struct random_config *c, const struct lockstep_stats *s,
                       struct random_floor floor[RANDOM_FLOORS])
{
	const uint64_t *n = s->counter[WL_UNIT_toy_counter];
	unsigned rows = 0;
	(void)c;
	floor[rows++] = (struct random_floor){"additions", n[TOY_ADDS], 2000};
	floor[rows++] = (struct random_floor){"overflows", n[TOY_OVERFLOWS], 20};
	floor[rows++] = (struct random_floor){"waits answered at once", n[TOY_AT_ONCE], 200};
	floor[rows++] = (struct random_floor){"waits released", n[TOY_RELEASED], 300};
	floor[rows++] = (struct random_floor){"waits given up", n[TOY_GAVE_UP], 100};
	floor[rows++] = (struct random_floor){"warps released beside another", s->released - s->releases, 10};
	return rows;
}

static const struct cosim_mix toy = {.name = "toy",
                                     .what = "a counter with a wait (verif/toy)",
                                     .waits = true,
                                     .own_bytes = sizeof(struct draw),
                                     .start = start,
                                     .draw = draw,
                                     .floors = floors};

const struct cosim_mix *const toy_mixes[] = {&toy, NULL};
