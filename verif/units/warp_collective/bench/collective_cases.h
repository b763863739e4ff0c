/* SPDX-License-Identifier: Apache-2.0
 * collective_cases.h -- all communication of a few lanes. Eight lanes: every set of executing lanes, every operation,
 * distance, vote and pattern of equal values. Four lanes: every value of two bits, or of eight floats. Inactive lanes
 * hold values and votes visible in the result of a faulty unit. */
#ifndef COLLECTIVE_CASES_H
#define COLLECTIVE_CASES_H

#include "../../../common/rng.h"
#include "collective_ref.h"

enum { CASE_LANES = 8 };

struct cases {
	unsigned base;  /* the first lane: a multiple of 8 */
	bool all_forms; /* each shuffle in the four forms of its operands, else in one form */
	struct rng rng; /* for random fields */
	unsigned family, variant;
	uint32_t mask;
	uint32_t digit[CASE_LANES]; /* value or vote of each executing lane */
	bool begun;
	unsigned long made;
};

/* The next request, without a tag; false: no more requests. */
bool cases_next(struct cases *c, struct ref_req *r);
/* The number of requests. */
unsigned long cases_count(const struct cases *c);

#endif
