// SPDX-License-Identifier: Apache-2.0
// triton_hist: the result rules.
#define KERNEL "triton_hist"
#include "rules.h"

static void rules(void)
{
	int32_t bins[64] = {0};
	for (int i = 0; i < 2000; i++)
		bins[rnd(101, 0, 9999, i) % 64]++;
	EXPECT("bins", bins, sizeof bins);
}
