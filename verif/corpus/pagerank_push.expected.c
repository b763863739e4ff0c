// SPDX-License-Identifier: Apache-2.0
// pagerank_push: the result rules.
#define KERNEL "pagerank_push"
#include "rules.h"

static void rules(void)
{
	static uint64_t r[128], n[128];
	for (int i = 0; i < 128; i++)
		r[i] = 1ull << 32;
	for (int it = 0; it < 3; it++) {
		memset(n, 0, sizeof n);
		for (int v = 0; v < 128; v++)
			for (int k = 0; k < 4; k++)
				n[rnd(35, 0, 127, v * 4 + k)] += (r[v] * 7 / 8) / 4;
		for (int v = 0; v < 128; v++)
			r[v] = n[v] + (1ull << 29);
	}
	EXPECT("rank", r, sizeof r);
	EXPECT("next", n, sizeof n);
}
