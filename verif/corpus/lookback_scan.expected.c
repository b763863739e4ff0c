// SPDX-License-Identifier: Apache-2.0
// lookback_scan: the result rules.
#define KERNEL "lookback_scan"
#include "rules.h"

static void rules(void)
{
	uint32_t out[1024], s = 0, t = 8;
	uint64_t st[8];
	for (int i = 0; i < 1024; i++) {
		out[i] = s += rnd(24, 0, 50, i);
		if (i % 128 == 127)
			st[i / 128] = 2ull << 32 | s;
	}
	EXPECT("out", out, sizeof out);
	EXPECT("status", st, sizeof st);
	EXPECT("ticket", &t, 4);
}
