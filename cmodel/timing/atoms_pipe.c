// SPDX-License-Identifier: Apache-2.0
/* atoms_pipe.c -- cycles of atoms_pipe. A request goes on when all beats are in the queue of the port: through the
 * address stage to the first pass, then a pass a cycle. The word of a pass is read two cycles later, in the cycle of
 * the COMMIT. */
#include "warplock/timing.h"

/* Answers leave in order, a single answer a cycle. */
uint64_t wl_atoms_timing_begin(struct wl_atoms_timing *t, uint64_t ready, unsigned places, unsigned beats)
{
	const unsigned all = beats > 2 ? WL_TIMING_ANSWERS : 8;
	const unsigned stay = all - places; /* answers allowed to be still in the queue */
	uint64_t begin = ready > t->free ? ready : t->free;
	if (t->answers > stay) {
		const uint64_t leaves = t->leaves[(t->answers - 1 - stay) % WL_TIMING_ANSWERS];
		begin = begin > leaves ? begin : leaves + 1;
	}
	return begin;
}

void wl_atoms_timing_answer(struct wl_atoms_timing *t, uint64_t end)
{
	enum { TO_ANSWER = 4 /* cycles from the last pass to the answer */ };
	const uint64_t before = t->answers ? t->leaves[(t->answers - 1) % WL_TIMING_ANSWERS] : 0;
	t->leaves[t->answers++ % WL_TIMING_ANSWERS] = end + TO_ANSWER > before ? end + TO_ANSWER : before + 1;
}

enum {
	FROM_FIRST = 3, /* cycles from the port to the stage choosing passes: of the first beat ... */
	FROM_LAST = 2,  /* ... and at least of the last beat */
	TO_COMMIT = 2,  /* from the stage choosing passes to COMMIT */
};

uint64_t wl_atoms_timing_beat(struct wl_atoms_timing *t, uint64_t first_taken, uint64_t last_taken, unsigned passes,
                              unsigned needs, unsigned beats)
{
	const uint64_t ready =
	        first_taken + FROM_FIRST > last_taken + FROM_LAST ? first_taken + FROM_FIRST : last_taken + FROM_LAST;
	const uint64_t first = wl_atoms_timing_begin(t, ready, needs, beats);
	t->free = first + (passes ? passes : 1);
	t->front = first;
	wl_atoms_timing_answer(t, t->free - 1);
	return first + TO_COMMIT;
}
