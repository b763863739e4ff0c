// SPDX-License-Identifier: Apache-2.0
/* record.c -- the report of launches. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "driver.h"

struct recording *record_begin(const struct launch *l, const struct wl_launch *start)
{
	(void)l, (void)start;
	return NULL;
}
void record_end(struct recording *r, const char *outcome)
{
	(void)r, (void)outcome;
}

void report_launch(const struct launch *l, const char *outcome, uint64_t instructions, double ms)
{
	static FILE *to;
	if (!Device.report)
		return;
	if (!to && !(to = fopen(Device.report, "a"))) {
		say("%s: cannot be written", Device.report);
		Device.report = NULL;
		return;
	}
	fprintf(to, "%s\t%u,%u,%u\t%u,%u,%u\t%s\t%" PRIu64 "\t%.3f\n", l->function->name, l->grid[0], l->grid[1],
	        l->grid[2], l->block[0], l->block[1], l->block[2], outcome, instructions, ms);
	fflush(to);
}
