// SPDX-License-Identifier: Apache-2.0
/* timing.h -- when things happen in the RTL: one small model a unit, beside the C units, which know no time. */
#ifndef WARPLOCK_TIMING_H
#define WARPLOCK_TIMING_H

#include <stdint.h>

/* atoms_pipe with one request port and nobody who holds results or memory back: beats go through one after the other,
 * each takes a cycle for every pass, at least one. */
struct wl_atoms_timing {
	uint64_t free; /* first cycle in which the next beat can begin */
};
/* The next beat, with so many passes, of a request whose first and last beat were taken in these cycles. Returns the
 * cycle of its first COMMIT; the others follow one a cycle. */
uint64_t wl_atoms_timing_beat(struct wl_atoms_timing *t, uint64_t first_taken, uint64_t last_taken, unsigned passes);

/* warp_collective, likewise: a request takes as many cycles as it has beats. */
struct wl_collective_timing {
	uint64_t free; /* first cycle in which the next request can begin */
};
/* The cycle of the COMMIT of the next request, whose first and last beat were taken in these cycles. */
uint64_t wl_collective_timing_request(struct wl_collective_timing *t, uint64_t first_taken, uint64_t last_taken,
                                      unsigned beats);

#endif
