// SPDX-License-Identifier: Apache-2.0
/* unroll.h -- loops that may be unrolled: shared by the search, the count of rounds and the copies. */
#ifndef WLCC_LOWER_UNROLL_H
#define WLCC_LOWER_UNROLL_H

#include "mir.h"

struct counted_loop {
	uint32_t header, latch;
	uint32_t before;          /* the only block outside with a way to the header; NO_BLOCK: several */
	uint32_t nblocks, *block; /* in reverse post-order: the header first */
	uint32_t size;            /* instructions */
	uint32_t exit;            /* the block with the test, passed once in each round */
	bool stays_at_target;     /* the branch of the test leads to the next block of the loop */
	uint32_t rounds;          /* of each entry into the loop; 0: not known */
};

/* loop_count.c: finds a test of arithmetic on registers alone, and counts the rounds where all values are known. Block,
 * nblocks, header, latch and before are given. False: no test found. */
bool loop_count(struct mfunc *f, struct counted_loop *l);

#endif
