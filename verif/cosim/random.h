// SPDX-License-Identifier: Apache-2.0
/* random.h -- the random generator: a SOURCE of warp instructions for atoms_pipe, a function of its seed.
 *
 * 48 warps in 16 CTA slots; a warp waits for its value, posted requests (at most 4) let it go on. Addresses are made so
 * that a beat conflicts to a wanted degree, in every address form that the instruction set has. */
#ifndef WARPLOCK_COSIM_RANDOM_H
#define WARPLOCK_COSIM_RANDOM_H

#include "lockstep.h"

enum mix {
	MIX_MIXED,         /* half conflict-free, a quarter degree 2-4, a quarter 5-32; some partial, some wide */
	MIX_CONFLICT_FREE, /* 32 bits, full warps, one pass a beat */
	MIX_FAULTS,        /* as mixed, with lanes that fault, closed windows and meaningless instructions */
	MIX_SPIN,          /* locks taken by CAST.SPIN and given back */
	MIX_DEGREE,        /* atomics of one conflict degree: cycles by degree (benchmark) */
	MIX_COUNT
};
const char *mix_name(enum mix m);

struct random_config {
	uint64_t seed, count;
	enum mix mix;
	unsigned degree; /* of MIX_DEGREE */
	unsigned lanes, banks, ports;
	enum wl_arch arch;
};

struct random_source;

/* Opens the windows in `ref` and fills them. NULL, with one line in `why`, when an instruction cannot be encoded. */
struct random_source *random_new(const struct random_config *c, struct wl_smem *ref, char *why, size_t whyn);
void random_free(struct random_source *r);

/* Tells the harness about the windows; before lockstep_run. */
void random_launch(struct random_source *r, struct lockstep *ls);
struct wl_source random_as_source(struct random_source *r);

/* Checks the counters of a run against the floors of the mix. Prints each counter that is too low to `f`; true when all
 * are high enough. `stats` of a run of at least 20,000 instructions: below that the floors would be chance. */
bool random_floors(const struct random_config *c, const struct lockstep_stats *stats, bool stalled, unsigned inflight);

#endif
