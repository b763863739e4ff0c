// SPDX-License-Identifier: Apache-2.0
// lib_cg_grid: the result rules.
#define KERNEL "lib_cg_grid"
#include "rules.h"

static void rules(void)
{
	uint32_t x[2][256];
	int s;
	for (int i = 0; i < 256; i++)
		x[0][i] = rnd(132, 0, 9, i);
	for (s = 0; s < 5; s++)
		for (int i = 0; i < 256; i++)
			x[~s & 1][i] = x[s & 1][i] + x[s & 1][(i + 65) % 256] * 2 + s;
	EXPECT("b", x[1], 1024); /* five steps: the last one writes b */
}
