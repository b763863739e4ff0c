// SPDX-License-Identifier: Apache-2.0
/* walk.c -- warps divide and meet again: a single barrier, WARPSYNCs of lanes coming in turn, lanes breaking out,
 * yielding or leaving for good. Every waiting lane is met, so a warp without ready lanes is a mistake of both
 * models. */
#include <stdio.h>

#include "sync_core.h"

void walk_launch(struct walk *w)
{
	*w = (struct walk){.live = UINT32_MAX, .ready = UINT32_MAX};
}

static uint32_t some_of(struct rng *rng, uint32_t lanes)
{
	const uint32_t m = rng_below(rng, 3) ? lanes & rng_u32(rng) : lanes;
	return m ? m : lanes & -lanes;
}

static bool encode(struct random_stream *r, const struct wl_inst *in, struct wl_req *q)
{
	const char *reason = "";
	if (wl_encode(r->config->arch, in, &q->word, &reason) == WL_OK &&
	    wl_decode(r->config->arch, q->word, &q->inst) == WL_OK) {
		q->header = wl_uop_traits((enum wl_uop)q->inst.uop)->traits & WL_TRAIT(HEADER_ONLY);
		q->posted = false;
		return true;
	}
	if (!*r->wrong)
		snprintf(r->wrong, sizeof r->wrong, "%s has no encoding: %s", wl_uop_name((enum wl_uop)in->uop),
		         reason);
	return false;
}

static bool draw_warpsync(struct random_stream *r, struct walk *w, struct wl_req *q)
{
	struct wl_inst in = wl_inst_make(WL_UOP_WARPSYNC);
	if (!w->meet) {
		w->meet = some_of(r->rng, w->ready);
		w->come = 0;
		w->apart = r->config->arch > WL_SM75 && rng_one_in(r->rng, 3);
	}
	q->mask = some_of(r->rng, w->meet & ~w->come);
	w->come |= q->mask;
	in.op = w->apart;
	in.src[0] = WL_SRC_REG;
	in.ra = (uint8_t)rng_below(r->rng, 200);
	for (unsigned l = 0; l < WL_WARP_LANES; l++)
		q->ra[l] = w->meet;
	return encode(r, &in, q);
}

static bool draw_bsync(struct random_stream *r, const struct walk *w, struct wl_req *q, enum wl_uop uop)
{
	struct wl_inst in = wl_inst_make(uop);
	in.cbar = w->bar;
	in.ps[0] = rng_below(r->rng, 3) ? WL_PT : (uint8_t)rng_below(r->rng, 7);
	q->mask = some_of(r->rng, w->ready);
	q->pred = in.ps[0] == WL_PT ? UINT32_MAX : some_of(r->rng, q->mask);
	return encode(r, &in, q);
}

/* EXIT of some lanes; the lowest ready lane stays. */
static bool draw_leave(struct random_stream *r, struct walk *w, struct wl_req *q)
{
	const struct wl_inst in = wl_inst_make(WL_UOP_EXIT);
	q->mask = some_of(r->rng, w->ready & (w->ready - 1));
	w->live &= ~q->mask;
	return encode(r, &in, q);
}

static bool draw_begin(struct random_stream *r, struct walk *w, struct wl_req *q)
{
	struct wl_inst in = wl_inst_make(WL_UOP_BSSY);
	w->on = true;
	w->met = false;
	in.cbar = w->bar = (uint8_t)rng_below(r->rng, 16);
	in.target = 16 * (int32_t)rng_below(r->rng, 64);
	q->mask = w->live;
	return encode(r, &in, q);
}

bool walk_draw(struct random_stream *r, struct walk *w, struct wl_req *q)
{
	struct wl_inst in;
	const unsigned die = rng_below(r->rng, 100);
	const bool several = w->ready & (w->ready - 1);
	q->pred = UINT32_MAX;
	if (!w->on)
		return draw_begin(r, w, q);
	if (w->meet || (die < 12 && several))
		return draw_warpsync(r, w, q);
	if (die < 20)
		return draw_bsync(r, w, q, WL_UOP_BREAK);
	if (die < 25 && several)
		return draw_leave(r, w, q);
	if (die < 37) {
		in = wl_inst_make(WL_UOP_YIELD);
		q->mask = some_of(r->rng, w->ready);
		return encode(r, &in, q);
	}
	if (die < 43) {
		in = wl_inst_make(WL_UOP_BMOV_B2R);
		in.cbar = w->bar;
		in.rd = (uint8_t)rng_below(r->rng, 200);
		q->mask = w->ready;
		return encode(r, &in, q);
	}
	w->met = true;
	return draw_bsync(r, w, q, WL_UOP_BSYNC);
}

void walk_retired(struct random_stream *r, struct walk *w, const struct wl_record *rec)
{
	struct wl_inst in;
	if (wl_decode(r->config->arch, rec->word, &in) != WL_OK || in.uop == WL_UOP_BMOV_B2R || !rec->written)
		return;
	w->ready = rec->result[__builtin_ctz(rec->written)].w[0];
	if (w->come == w->meet)
		w->meet = w->come = 0;
	if (w->met && w->ready == w->live)
		w->on = false;
	if ((!w->ready || (w->ready & ~w->live) || (w->meet & ~w->come & ~w->ready)) && !*r->wrong)
		snprintf(r->wrong, sizeof r->wrong,
		         "warp %u, n=%u: lanes 0x%08x are ready in both models, and whoever waits will be met: 0x%08x "
		         "live, "
		         "0x%08x are on their way to a WARPSYNC",
		         rec->tag.warp, rec->tag.n, w->ready, w->live, w->meet & ~w->come);
}
