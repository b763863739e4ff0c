// SPDX-License-Identifier: Apache-2.0
// block_reduce_barred: the result rules.
#define KERNEL "block_reduce_barred"
#include "rules.h"

static void rules(void)
{
	uint32_t out[8];
	for (int b = 0; b < 2; b++) {
		uint32_t c = 0, all = 1, any = 0, s = 0;
		for (int t = 0; t < 128; t++) {
			int v = rnd(2, 0, 100, b * 128 + t);
			c += v > 50;
			all &= v <= 100;
			any |= v == 77;
			s += v;
		}
		out[b * 4] = c;
		out[b * 4 + 1] = all;
		out[b * 4 + 2] = any;
		out[b * 4 + 3] = s;
	}
	EXPECT("out", out, sizeof out);
}
