// SPDX-License-Identifier: Apache-2.0
// hist_shared: the result rules.
#define KERNEL "hist_shared"
#include "rules.h"

static void rules(void)
{
	uint32_t bins[64] = {0};
	for (int i = 0; i < 4096; i++)
		bins[(uint8_t)rnd(1, 0, 255, i) & 63]++;
	EXPECT("bins", bins, sizeof bins);
}
