// SPDX-License-Identifier: Apache-2.0
/* mbarrier_engine.c -- cycles of mbarrier_engine: requests go through the stages of atoms_pipe, beside the requests of
 * atoms_pipe. A load begins with places for all answers. No beat of a TRYWAIT is answered before the last beat has been
 * judged. An ARRIVE.TMASK of several beats is collected before the first pass. */
#include "warplock/timing.h"

enum {
	FROM_FIRST = 2, /* cycles from the port to the stage of addresses: of the first beat ... */
	FROM_LAST = 1,  /* ... and at least of the last beat */
	TO_COMMIT = 2,  /* from the stage choosing passes */
};

/* The first cycle in which a collected request can choose passes. */
static uint64_t collected(struct wl_atoms_timing *t, uint64_t at_front, unsigned beats)
{
	return (at_front > t->front ? at_front : t->front) + beats + 1;
}

uint64_t wl_mbar_timing_request(struct wl_atoms_timing *t, uint64_t first_taken, uint64_t last_taken,
                                enum wl_mbar_timing_kind kind, unsigned beats,
                                const uint8_t passes[WL_MBAR_TIMING_BEATS], uint64_t commit[WL_MBAR_TIMING_BEATS])
{
	const uint64_t at_front =
	        first_taken + FROM_FIRST > last_taken + FROM_LAST ? first_taken + FROM_FIRST : last_taken + FROM_LAST;
	const uint64_t ready = kind == WL_MBAR_TIMING_GATHERED ? collected(t, at_front, beats) : at_front + 1;
	for (unsigned b = 0; b < beats; b++) {
		const bool loads = kind == WL_MBAR_TIMING_JUDGED || kind == WL_MBAR_TIMING_LOAD;
		const uint64_t first = wl_atoms_timing_begin(t, ready, loads && b == 0 ? beats : 1, beats);
		t->free = first + (passes[b] ? passes[b] : 1);
		t->front = first;
		commit[b] = first + TO_COMMIT;
		if (kind != WL_MBAR_TIMING_JUDGED)
			wl_atoms_timing_answer(t, t->free - 1);
	}
	for (unsigned b = 0; kind == WL_MBAR_TIMING_JUDGED && b < beats; b++)
		wl_atoms_timing_answer(t, t->free - 1);
	return t->free - 1 + TO_COMMIT;
}

uint64_t wl_mbar_timing_gives_up(uint64_t parked, unsigned warp, uint64_t turn, unsigned suspend, unsigned warps)
{
	const uint64_t from = parked + suspend,
	               looked = (from + warps - turn % warps) % warps; /* warp under inspection then */
	return from + (warp + warps - looked) % warps;
}
