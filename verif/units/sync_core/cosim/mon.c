// SPDX-License-Identifier: Apache-2.0
/* mon.c -- the monitor's part for requests answered by sync_core: EXIT, a single event and nothing else. */
#include "../../../cosim/mon_unit.h"

static void accept(struct mon *m, struct mon_item *it, const struct wl_req *req)
{
	(void)m, (void)it, (void)req;
}

const struct mon_unit mon_sync_core = {.unit = WL_UNIT_sync_core, .one_event = true, .accept = accept};
