// SPDX-License-Identifier: Apache-2.0
// scan_shfl: the result rules.
#define KERNEL "scan_shfl"
#include "rules.h"

static void rules(void)
{
	uint32_t out[512];
	for (int b = 0; b < 2; b++) {
		uint32_t s = 0;
		for (int t = 0; t < 256; t++)
			out[b * 256 + t] = s += rnd(16, 0, 100, b * 256 + t);
	}
	EXPECT("out", out, sizeof out);
}
