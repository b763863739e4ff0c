// SPDX-License-Identifier: Apache-2.0
/* conditions.h -- conditions that hold wherever an instruction runs. */
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

/* Of branches that dominate the instruction, and of its own guard; added to those that are there. */
void conditions_of(const struct analysis *a, uint32_t instr, struct conditions *to);
/* What the conditions say of a predicate: 1 true, 0 false, -1 nothing. */
int condition_known(const struct analysis *a, const struct conditions *c, uint32_t value);

#endif
