// SPDX-License-Identifier: Apache-2.0
// warp_agg: the result rules.
#define KERNEL "warp_agg"
#include "rules.h"

static void rules(void)
{
	uint32_t want[1500], n = 0, *got;
	for (int i = 0; i < 1500; i++) {
		uint32_t v = rnd(3, 0, 9999, i);
		if (v % 3 == 0)
			want[n++] = v;
	}
	EXPECT("count", &n, 4);
	if ((got = ACTUAL("out", sizeof want))) {
		for (int i = n; i < 1500; i++)
			FAILIF(got[i] != 0xffffffffu, "wrote past the end of the appended prefix");
		FAILIF(!same_multiset(got, want, n), "appended prefix is not the multiset of multiples of three");
	}
}
