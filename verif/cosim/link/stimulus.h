// SPDX-License-Identifier: Apache-2.0
/* stimulus.h -- twin of a board's on-chip stimulus (docs/fpga-link.md): the requests, and the expected results. */
#ifndef WARPLOCK_COSIM_STIMULUS_H
#define WARPLOCK_COSIM_STIMULUS_H

#include <stddef.h>

#include "warplock/lockstep.h"

enum { STIMULUS_ENTRIES = 16, STIMULUS_WARPS = 48, STIMULUS_PER_SLOT = 3 };

struct stimulus_entry {
	struct wl_word word;
	struct wl_inst inst;
	uint16_t addresses; /* mask */
};

struct stimulus {
	unsigned lanes;
	uint64_t given;
	uint64_t generator[1 + WL_WARP_LANES]; /* headers, lanes of a beat */
	struct stimulus_entry entry[STIMULUS_ENTRIES];
};

/* The 16 words are for `arch`. False, with a line in `why`, when a word has no encoding on `arch`. */
bool stimulus_start(struct stimulus *s, enum wl_arch arch, unsigned lanes, uint32_t seed, char *why, size_t whyn);
/* The next request. Sets all of *q but sm, cta and pc. */
void stimulus_next(struct stimulus *s, struct wl_req *q);

/* Content of RESULT; the clocks are the board's own. */
struct stimulus_found {
	uint32_t given, retired, responses, commits, committed; /* responses, committed: CRCs */
	uint64_t clocks;
	uint32_t sum[STIMULUS_WARPS];
};

void stimulus_expect(struct stimulus_found *e);
/* A further request has come back with this record; passes in the order of the plan. */
void stimulus_count(struct stimulus_found *e, unsigned lanes, const struct wl_plan *plan, const struct wl_record *rec);

#endif
