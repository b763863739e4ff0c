// SPDX-License-Identifier: Apache-2.0
// elect_leader: the result rules.
#define KERNEL "elect_leader"
#include "rules.h"

static void rules(void)
{
	uint32_t ones = 0, *l;
	for (int i = 0; i < 256; i++)
		ones += rnd(19, 0, 1, i);
	EXPECT("ones", &ones, 4);
	if ((l = ACTUAL("leaders", 32)))
		for (int w = 0; w < 8; w++)
			FAILIF(l[w] > 31, "no leader, or the elected lane id differs from the lane that ran");
}
