// SPDX-License-Identifier: Apache-2.0
/* atoms_pipe.c -- cycles of atoms_pipe: a request goes on when all its beats are in the queue of the port, through the
 * address stage to its first pass, then one pass a cycle; the word that a pass reads is there two cycles later, in the
 * cycle of its COMMIT. */
#include "warplock/timing.h"

enum {
	FROM_FIRST = 3, /* cycles from the port to the stage that chooses passes: of the first beat ... */
	FROM_LAST = 2,  /* ... and of the last one at least */
	TO_COMMIT = 2,  /* from there to COMMIT */
};

uint64_t wl_atoms_timing_beat(struct wl_atoms_timing *t, uint64_t first_taken, uint64_t last_taken, unsigned passes)
{
	const uint64_t ready =
	        first_taken + FROM_FIRST > last_taken + FROM_LAST ? first_taken + FROM_FIRST : last_taken + FROM_LAST;
	const uint64_t first = ready > t->free ? ready : t->free;
	t->free = first + (passes ? passes : 1);
	return first + TO_COMMIT;
}
