// SPDX-License-Identifier: Apache-2.0
/* unroll.h -- loops that may be unrolled: who finds them, who counts their rounds, who copies them. */
#ifndef WLCC_LOWER_UNROLL_H
#define WLCC_LOWER_UNROLL_H

#include "mir.h"

struct counted_loop {
	uint32_t header, latch;
	uint32_t before;          /* the one block outside that leads to the header; NO_BLOCK: there are several */
	uint32_t nblocks, *block; /* in reverse post-order: the header first */
	uint32_t size;            /* instructions */
	uint32_t exit;            /* the block with the test: each round passes it once */
	bool stays_at_target;     /* the branch of the test leads to the next block of the loop */
	uint32_t rounds;          /* of each entry into the loop; 0: not known */
};

/* loop_count.c: finds a test that is arithmetic on registers alone, and counts the rounds where all values are known.
 * Block, nblocks, header, latch and before are given. False: there is no such test. */
bool loop_count(struct mfunc *f, struct counted_loop *l);

#endif
