// SPDX-License-Identifier: Apache-2.0
// bug_lost_arrival: the result rules. Expected outcome of a run: deadlock.
#define KERNEL "bug_lost_arrival"
#include "rules.h"

static void rules(void)
{
	/* deadlock: 63 arrivals, 64 expected */
}
