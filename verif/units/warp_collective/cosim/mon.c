// SPDX-License-Identifier: Apache-2.0
/* mon.c -- the monitor's part for warp_collective. All lanes of an instruction take effect together. Instructions of
 * the same warp take effect in program order. Source: docs/spec/warp.md, "Members". */
#include "../../../cosim/mon_unit.h"

static void accept(struct mon *m, struct mon_item *it, const struct wl_req *req)
{
	(void)m, (void)it, (void)req; /* no lane can fault */
}

static void commit(struct mon *m, struct mon_item *it, uint32_t lanes)
{
	if (lanes != it->mask)
		mon_complain(m, 'a', &it->tag, lanes, "the lanes of a collective come together");
	for (const struct mon_item *older = mon_older(m, it); older; older = mon_older(m, older))
		if (older->unit == it->unit && older->committed != older->mask)
			mon_complain(m, 'c', &it->tag, 0, "commits before the warp's older collective n=%u",
			             older->tag.n);
}

const struct mon_unit mon_warp_collective = {.unit = WL_UNIT_warp_collective, .accept = accept, .commit = commit};
