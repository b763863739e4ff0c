// SPDX-License-Identifier: Apache-2.0
/* warp_collective.c -- cycles of warp_collective. A request goes on when all beats are in the queue of the port, a beat
 * a cycle. Every request COMMITs two cycles after the last beat has gone. */
#include "warplock/timing.h"

enum {
	FROM_FIRST = 2, /* cycles from the port to the bus: of the first beat ... */
	FROM_LAST = 1,  /* ... and at least of the last beat */
	TO_COMMIT = 2,  /* from the bus to COMMIT */
};

uint64_t wl_collective_timing_request(struct wl_collective_timing *t, uint64_t first_taken, uint64_t last_taken,
                                      unsigned beats)
{
	const uint64_t ready =
	        first_taken + FROM_FIRST > last_taken + FROM_LAST ? first_taken + FROM_FIRST : last_taken + FROM_LAST;
	const uint64_t first = ready > t->free ? ready : t->free;
	t->free = first + beats;
	return first + beats - 1 + TO_COMMIT;
}
