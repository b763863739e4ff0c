// SPDX-License-Identifier: Apache-2.0
// bug_mbar_noinit: the result rules. Expected outcome of a run: fault.
#define KERNEL "bug_mbar_noinit"
#include "rules.h"

static void rules(void)
{
	/* undefined: with an initialised count of 64 the result would be out[i] = 3 * (63 - i) */
}
