// SPDX-License-Identifier: Apache-2.0
/* mbarriers.c -- a few mbarriers at the begin of each CTA's window, where accesses meet mbarriers, too. The draw
 * depends on the state of the C unit, so waits and ends of phases are frequent. A wait ends after some thousand clocks
 * at last. */
#include "draw.h"

enum { OBJECTS = 3, OBJECT = 8, ODD = 32 /* a value in so many is any */ };

/* Counts are stored negated (docs/spec/mbarrier.md, "Layouts"). */
static void draw_object(struct wl_req *q, uint32_t at)
{
	const uint32_t n = 0x100000 - (draw_u32() % ODD ? 1 + draw_u32() % 4 : draw_u32());
	q->ur = at;
	for (unsigned l = 0; l < WL_WARP_LANES; l++)
		q->rb[l] = (struct wl_lane){{n << 1, n << 11, 0, 0}};
}

/* Waits are as frequent as all else. */
static unsigned draw_kind(bool made)
{
	if (!made)
		return draw_u32() % 8 ? MBAR_MAKE : draw_u32() % MBARS;
	return draw_u32() % 2 ? MBAR_WAIT : draw_u32() % 8 ? 1 + draw_u32() % (MBARS - 1) : MBAR_MAKE;
}

/* The amount that the phase lacks, or any amount. */
static uint32_t draw_amount(unsigned kind, const struct wl_mbar_state *s)
{
	const uint32_t lacks = kind == MBAR_ARRIVALS   ? s->pending
	                       : kind == MBAR_COMPLETE ? (uint32_t)s->tx
	                       : kind == MBAR_EXPECT   ? (uint32_t)-s->tx
	                                               : 0;
	return draw_u32() % ODD == 0                         ? draw_u32()
	       : lacks && lacks < 0x100000 && draw_u32() % 4 ? lacks
	                                                     : draw_u32() % 4;
}

void mbarrier_draw(struct flight *f)
{
	struct wl_req *q = &f->req;
	const uint32_t hot = draw_u32() % OBJECTS, at = q->tag.slot * SLOT_BYTES + hot * OBJECT, one = draw_u32() % 8;
	const struct wl_mbar_state s = wl_mbar_state(&units.smem, at);
	const unsigned kind = draw_kind(wl_smem_marked(&units.smem, at));
	const uint32_t phase = (uint32_t)(s.phase ^ (draw_u32() % 8 == 0)) << 31;
	draw_use(f, draw_nth(GROUP_MBARRIER, kind));
	if (kind == MBAR_MAKE) {
		draw_object(q, hot * OBJECT);
		return;
	}
	if (kind < MBAR_TEST && draw_u32() % 8)
		q->mask &= -q->mask;
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		const uint32_t r = draw_u32();
		/* one lane in 256 is misaligned */
		q->ra[l] = (one ? hot : r % OBJECTS) * OBJECT + (r >> 24 ? 0 : r >> 8 & 7);
		q->rb[l].w[0] = kind < MBAR_TEST ? draw_amount(kind, &s) : one ? phase : r & 0x80000000;
	}
}
