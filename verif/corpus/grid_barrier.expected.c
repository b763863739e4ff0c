// SPDX-License-Identifier: Apache-2.0
// grid_barrier: the result rules.
#define KERNEL "grid_barrier"
#include "rules.h"

static void rules(void)
{
	uint32_t x[2][256], z = 0, g = 4;
	for (int i = 0; i < 256; i++) {
		x[0][i] = rnd(11, 0, 1000, i);
		x[1][i] = 0;
	}
	for (int s = 0; s < 4; s++)
		for (int i = 0; i < 256; i++)
			x[(s + 1) & 1][i] = x[s & 1][(i + 255) % 256] + 2 * x[s & 1][i] + x[s & 1][(i + 1) % 256];
	EXPECT("a", x[0], 1024);
	EXPECT("b", x[1], 1024);
	EXPECT("arrived", &z, 4);
	EXPECT("gen", &g, 4);
}
