// SPDX-License-Identifier: Apache-2.0
/* atoms_pipe.c -- cycles of atoms_pipe: from the port through its queue and the address stage to the first pass, then
 * one pass a cycle; the word that a pass reads is there two cycles later, in the cycle of its COMMIT. */
#include "warplock/timing.h"

enum {
	TO_FIRST_PASS = 3, /* cycles from the port to the stage that chooses passes */
	TO_COMMIT = 2,     /* from there to COMMIT */
};

uint64_t wl_atoms_timing_beat(struct wl_atoms_timing *t, uint64_t taken, unsigned passes)
{
	const uint64_t ready = taken + TO_FIRST_PASS, first = ready > t->free ? ready : t->free;
	t->free = first + (passes ? passes : 1);
	return first + TO_COMMIT;
}
