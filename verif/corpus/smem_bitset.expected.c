// SPDX-License-Identifier: Apache-2.0
// smem_bitset: the result rules.
#define KERNEL "smem_bitset"
#include "rules.h"

static void rules(void)
{
	static uint32_t o[768], a[768], x[768], m[768], times[768][8];
	uint32_t f[12] = {0};
	for (int i = 0; i < 768; i++)
		a[i] = 0xffffffffu;
	for (int s = 0; s < 6; s++)
		for (int g = 0; g < 288; g++) {
			int b = g / 72, w = b * 192 + s * 32 + ((g % 72) >> s & 31);
			uint32_t v = rnd(72, 0, 4294967294u, s * 288 + g);
			o[w] |= 1u << (v & 15);
			a[w] &= ~(1u << (v >> 4 & 15));
			if (v >> 12 & 3)
				times[w][v >> 8 & 7]++;
			else
				m[w] ^= v;
		}
	for (int w = 0; w < 768; w++) {
		f[w / 192 * 3] += __builtin_popcount(o[w]);
		f[w / 192 * 3 + 1] += 32 - __builtin_popcount(a[w]);
		for (int k = 0; k < 8; k++) {
			x[w] |= (times[w][k] & 1) << k;
			f[w / 192 * 3 + 2] += (times[w][k] + 1) / 2;
		}
	}
	EXPECT("sets", o, sizeof o);
	EXPECT("clears", a, sizeof a);
	EXPECT("flips", x, sizeof x);
	EXPECT("mixed", m, sizeof m);
	EXPECT("firsts", f, sizeof f);
}
