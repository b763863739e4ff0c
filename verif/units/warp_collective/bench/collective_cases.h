/* SPDX-License-Identifier: Apache-2.0
 * collective_cases.h -- all that a few lanes can tell each other: eight lanes, every set of them that executes, every
 * operation, distance, vote and way to have equal values; four lanes with every value of two bits, or of eight floats.
 * Lanes that do not execute hold and say what would be seen if they were heard. */
#ifndef COLLECTIVE_CASES_H
#define COLLECTIVE_CASES_H

#include "../../../common/rng.h"
#include "collective_ref.h"

enum { CASE_LANES = 8 };

struct cases {
	unsigned base;  /* the first of the lanes: a multiple of 8 */
	bool all_forms; /* each shuffle in the four forms of its operands, else in one of them */
	struct rng rng; /* of what may be anything */
	unsigned family, variant;
	uint32_t mask;
	uint32_t digit[CASE_LANES]; /* of each lane that executes: its value or vote */
	bool begun;
	unsigned long made;
};

/* The next request, but for its tag; false: there are no more. */
bool cases_next(struct cases *c, struct ref_req *r);
/* How many there are. */
unsigned long cases_count(const struct cases *c);

#endif
