// SPDX-License-Identifier: Apache-2.0
// lib_bulk_ws: the result rules.
#define KERNEL "lib_bulk_ws"
#include "rules.h"

static void rules(void)
{
	static uint32_t out[6144];
	uint32_t sum[2] = {0};
	for (int i = 0; i < 6144; i++) {
		uint32_t v = rnd(133, 0, 100000, i);
		sum[i / 3072] += v;
		out[i] = v * 3 + i / 512 % 6;
	}
	EXPECT("out", out, sizeof out);
	EXPECT("sum", sum, sizeof sum);
}
