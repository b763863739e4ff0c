// SPDX-License-Identifier: Apache-2.0
// bug_divergent_sync: the result rules. Expected outcome of a run: deadlock.
#define KERNEL "bug_divergent_sync"
#include "rules.h"

static void rules(void)
{
	/* no run of this kernel ends: threads 64..127 never reach the barrier */
}
