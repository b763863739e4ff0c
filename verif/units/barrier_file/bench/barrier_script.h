/* SPDX-License-Identifier: Apache-2.0
 * barrier_script.h -- random programs of CTAs that can always finish: rounds of warps that meet at barriers, in one
 * order for all warps of a CTA, and warps that exit in between.
 *
 * A round uses a barrier only for warps that are known to be past its last round there; otherwise a warp that
 * hurries ahead would be counted in the wrong phase. A warp knows so when it waited in that round, or later in one
 * with somebody who knows. */
#ifndef BARRIER_SCRIPT_H
#define BARRIER_SCRIPT_H

#include <stdbool.h>

#include "barrier_request.h"
#include "../../../common/rng.h"

#ifndef WL_SCRIPT_OPS
#define WL_SCRIPT_OPS 256 /* a program with little memory asks for rounds as it needs them */
#endif
enum { SCRIPT_OPS = WL_SCRIPT_OPS };

struct script_op {
	struct bar_request request; /* slot and mask are filled in when it is sent */
	bool faults;                /* whatever the others do */
	bool closed;                /* goes to a slot without CTA */
};

/* What a warp will do. */
struct script_warp {
	unsigned first, count; /* of the ring */
	struct script_op op[SCRIPT_OPS];
};

struct script_cta {
	unsigned barriers, launched, rounds; /* rounds still to be written */
	uint64_t live;                       /* warps that have not exited at the end of what is written */
	uint64_t member[BAR_BARRIERS];       /* of the last round at each barrier */
	uint64_t past[BAR_BARRIERS];         /* those known to be past it */
	bool ended;
};

void script_start(struct script_cta *c, unsigned barriers, uint64_t warps, unsigned rounds);
/* Writes one more round, or the end; `warp` are all 48. */
void script_round(struct script_cta *c, struct script_warp *warp, struct rng *rng);

/* One request of each live warp, at the same barrier; for benches. */
void script_same(struct script_cta *c, struct script_warp *warp, unsigned kind, unsigned id, unsigned threads);

#endif
