// SPDX-License-Identifier: Apache-2.0
// smem_max_s32: the result rules.
#define KERNEL "smem_max_s32"
#include "rules.h"

static void rules(void)
{
	static int32_t a[768], b[768];
	uint32_t z = 0;
	for (int i = 0; i < 768; i++) {
		a[i] = INT32_MIN;
		b[i] = INT32_MAX;
	}
	for (int s = 0; s < 6; s++)
		for (int g = 0; g < 400; g++) {
			int w = g / 100 * 192 + s * 32 + ((g % 100) >> s & 31);
			int32_t v = (int32_t)rnd(71, 0, 4294967294u, s * 400 + g);
			if (v > a[w])
				a[w] = v;
			if ((v & 3) && v < b[w])
				b[w] = v;
		}
	EXPECT("top", a, sizeof a);
	EXPECT("low", b, sizeof b);
	EXPECT("fell", &z, 4);
}
