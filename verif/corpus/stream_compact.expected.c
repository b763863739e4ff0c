// SPDX-License-Identifier: Apache-2.0
// stream_compact: the result rules.
#define KERNEL "stream_compact"
#include "rules.h"

static void rules(void)
{
	uint32_t n = 0, want[1024], *o, *st;
	for (int i = 0; i < 1024; i++) {
		uint32_t v = rnd(26, 0, 9999, i);
		if ((v & 3) == 1)
			want[n++] = v;
	}
	EXPECT("count", &n, 4);
	o = ACTUAL("out", 4096);
	st = ACTUAL("start", 32);
	if (o && st) {
		FAILIF(!same_multiset(o, want, n), "kept values differ");
		for (int i = n; i < 1024; i++)
			FAILIF(o[i] != 0xffffffffu, "wrote past the kept values");
		for (int b = 0; b < 8; b++) {
			uint32_t p = st[b];
			for (int t = 0; t < 128; t++) {
				uint32_t v = rnd(26, 0, 9999, b * 128 + t);
				if ((v & 3) == 1) {
					FAILIF(p >= n || o[p] != v, "a block's range is out of order");
					p++;
				}
			}
		}
	}
}
