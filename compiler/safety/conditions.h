// SPDX-License-Identifier: Apache-2.0
/* conditions.h -- conditions known to hold at an instruction. */
#ifndef WLCC_SAFETY_CONDITIONS_H
#define WLCC_SAFETY_CONDITIONS_H

#include "analysis.h"

enum { MAX_CONDITIONS = 24 };

struct condition {
	uint32_t value; /* the predicate */
	bool holds;
	struct vary vary;
};

struct conditions {
	unsigned n;
	struct condition list[MAX_CONDITIONS];
};

/* Adds the conditions of branches that dominate the instruction, and of its own guard. */
void conditions_of(const struct analysis *a, uint32_t instr, struct conditions *to);
/* Value of a predicate under the conditions: 1 true, 0 false, -1 unknown. */
int condition_known(const struct analysis *a, const struct conditions *c, uint32_t value);

#endif
