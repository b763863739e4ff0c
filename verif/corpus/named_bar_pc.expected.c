// SPDX-License-Identifier: Apache-2.0
// named_bar_pc: the result rules.
#define KERNEL "named_bar_pc"
#include "rules.h"

static void rules(void)
{
	uint32_t out[512];
	for (int r = 0; r < 8; r++)
		for (int t = 0; t < 64; t++)
			out[r * 64 + t] = (rnd(12, 0, 99999, r * 64 + 63 - t) + 1) * 3;
	EXPECT("out", out, sizeof out);
}
