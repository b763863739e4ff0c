// SPDX-License-Identifier: Apache-2.0
// clang_ballot: the result rules.
#define KERNEL "clang_ballot"
#include "rules.h"

static void rules(void)
{
	uint32_t n = 0, flags[12] = {0}, *o;
	for (int b = 0; b < 4; b++) {
		uint32_t any = 0;
		for (int t = 0; t < 128; t++) {
			uint32_t v = rnd(122, 0, 9999, b * 128 + t);
			if (v % 5 < 2)
				n++, flags[b * 3]++;
			any |= v % 100 == 0;
			if (v > flags[b * 3 + 2])
				flags[b * 3 + 2] = v;
		}
		flags[b * 3 + 1] = any * 2 + 1;
	}
	EXPECT("count", &n, 4);
	EXPECT("flags", flags, sizeof flags);
	if ((o = ACTUAL("out", 2048))) {
		uint32_t done = 0, at = 0;
		while (at < n) { /* one run for each block, the blocks in any order */
			uint32_t b = o[at] >> 8 & 15;
			if (b > 3 || done >> b & 1) {
				FAILIF(1, "a block's run is torn or repeated");
				break;
			}
			done |= 1u << b;
			for (uint32_t t = 0; t < 128; t++) {
				uint32_t v = rnd(122, 0, 9999, b * 128 + t);
				if (v % 5 < 2) {
					FAILIF(at >= n || o[at] != (v << 12 | b << 8 | t), "wrong element in a run");
					at++;
				}
			}
		}
		for (int i = n; i < 512; i++)
			FAILIF(o[i] != 0xffffffffu, "wrote past the end");
	}
}
