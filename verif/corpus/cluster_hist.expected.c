// SPDX-License-Identifier: Apache-2.0
// cluster_hist: the result rules.
#define KERNEL "cluster_hist"
#include "rules.h"

static void rules(void)
{
	uint32_t bins[256] = {0};
	for (int i = 0; i < 2048; i++)
		bins[rnd(15, 0, 255, i) & 255]++;
	EXPECT("bins", bins, sizeof bins);
}
