// SPDX-License-Identifier: Apache-2.0
/* result.c -- results of the DUT, kept until the request retires. Mostly everything but the low word of each lane is 0:
 * a row of low words then says everything, and is a quarter as long. */
#include <string.h>

#include "flight.h"
#include "lane_row.h"

static void widen(struct flight *f, unsigned lanes)
{
	for (unsigned l = 0; l < lanes; l++)
		f->result[l] = (struct wl_lane){{f->low[l]}};
	f->wide = true;
}

LANE_LOOP void result_keep(struct flight *f, const uint32_t *words, unsigned lane, unsigned lanes)
{
	if (!f->wide) {
		const bool wide = lanes == WL_WARP_LANES ? row_low(words, WL_WARP_LANES, f->low) /* without decisions */
		                                         : row_low(words, lanes, f->low + lane);
		if (!wide)
			return;
		widen(f, lane);
	}
	memcpy(f->result + lane, words, lanes * sizeof f->result[0]);
}

void result_spread(struct flight *f, const uint32_t *words, uint32_t lanes)
{
	memset(f->result, 0, sizeof f->result);
	f->wide = true;
	for (; lanes; lanes &= lanes - 1)
		memcpy(&f->result[__builtin_ctz(lanes)], words, sizeof f->result[0]);
}

void result_lanes(const struct flight *f, struct wl_lane lane[WL_WARP_LANES])
{
	for (unsigned l = 0; l < WL_WARP_LANES; l++)
		lane[l] = f->wide ? f->result[l] : (struct wl_lane){{f->low[l]}};
}

LANE_LOOP bool result_equal(const struct flight *f, const struct wl_lane want[WL_WARP_LANES])
{
	uint32_t differ = 0;
	if (f->wide)
		return memcmp(f->result, want, sizeof f->result) == 0;
	for (unsigned l = 0; l < WL_WARP_LANES; l++)
		differ |= (f->low[l] ^ want[l].w[0]) | want[l].w[1] | want[l].w[2] | want[l].w[3];
	return !differ;
}
