/* SPDX-License-Identifier: Apache-2.0
 * barrier_script.h -- random programs of CTAs, always able to finish: rounds of warps meeting at barriers, in the same
 * order for all warps of a CTA, and exits in between.
 *
 * A round uses a barrier only for warps known to be past its last round there. Otherwise a fast warp would be counted
 * in the wrong phase. A warp knows after waiting in the last round, or later in a round with a warp that knows. */
#ifndef BARRIER_SCRIPT_H
#define BARRIER_SCRIPT_H

#include <stdbool.h>

#include "barrier_request.h"
#include "../../../common/rng.h"

#ifndef WL_SCRIPT_OPS
#define WL_SCRIPT_OPS 256 /* a program with little memory asks for rounds on demand */
#endif
enum { SCRIPT_OPS = WL_SCRIPT_OPS };

struct script_op {
	struct bar_request request; /* slot and mask are filled in when the request is sent */
	bool faults;                /* in any state of the barrier */
	bool closed;                /* goes to a slot without CTA */
};

/* The program of a warp. */
struct script_warp {
	unsigned first, count; /* of the ring */
	struct script_op op[SCRIPT_OPS];
};

struct script_cta {
	unsigned barriers, launched, rounds; /* rounds still to be written */
	uint64_t live;                       /* warps not exited at the end of the written part */
	uint64_t member[BAR_BARRIERS];       /* of the last round at each barrier */
	uint64_t past[BAR_BARRIERS];         /* warps known to be past the last round */
	bool ended;
};

void script_start(struct script_cta *c, unsigned barriers, uint64_t warps, unsigned rounds);
/* Writes another round, or the end; `warp` has all 48 warps. */
void script_round(struct script_cta *c, struct script_warp *warp, struct rng *rng);

/* A request of each live warp, at the same barrier; for benches. */
void script_same(struct script_cta *c, struct script_warp *warp, unsigned kind, unsigned id, unsigned threads);

#endif
