// SPDX-License-Identifier: Apache-2.0
// mbar_cuda_barrier: the result rules.
#define KERNEL "mbar_cuda_barrier"
#include "rules.h"

static void rules(void)
{
	uint32_t out[256];
	for (int b = 0; b < 2; b++)
		for (int t = 0; t < 128; t++) {
			uint32_t a = 0;
			for (int r = 0; r < 4; r++)
				a += rnd(13, 0, 1000, b * 128 + t) * (r + 1) +
				     rnd(13, 0, 1000, b * 128 + ((t + 17 * (r + 1)) & 127)) + r;
			out[b * 128 + t] = a;
		}
	EXPECT("out", out, sizeof out);
}
