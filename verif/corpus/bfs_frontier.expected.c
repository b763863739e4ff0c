// SPDX-License-Identifier: Apache-2.0
// bfs_frontier: the result rules.
#define KERNEL "bfs_frontier"
#include "rules.h"

static void rules(void)
{
	int32_t d[256];
	uint32_t q[256], h = 0, t = 0, lv;
	for (int i = 0; i < 256; i++)
		d[i] = -1;
	d[0] = 0;
	q[t++] = 0;
	while (h < t) {
		uint32_t v = q[h++];
		for (int k = 0; k < 4; k++) {
			uint32_t w = rnd(31, 0, 255, v * 4 + k);
			if (d[w] < 0) {
				d[w] = d[v] + 1;
				q[t++] = w;
			}
		}
	}
	lv = d[q[t - 1]] + 1;
	EXPECT("dist", d, sizeof d);
	EXPECT("levels", &lv, 4);
}
