// SPDX-License-Identifier: Apache-2.0
/* floors.h -- counters of events with floors: a run of a bench below a floor shows nothing. */
#ifndef VERIF_UNIT_FLOORS_H
#define VERIF_UNIT_FLOORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct floor {
	const char *what;
	unsigned long n;
};

/* True if a counter is below `least`; prints the counters below. */
static inline bool floors_missed(const struct floor *rows, size_t count, unsigned long least)
{
	bool missed = false;
	for (size_t i = 0; i < count; i++)
		if (rows[i].n < least) {
			printf("%s: %lu, at least %lu expected\n", rows[i].what, rows[i].n, least);
			missed = true;
		}
	return missed;
}

#endif
