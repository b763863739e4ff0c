// SPDX-License-Identifier: Apache-2.0
// smem_f32_sum: the result rules.
#define KERNEL "smem_f32_sum"
#include "rules.h"

static void rules(void)
{
	static float f[576], z[576];
	static double d[576];
	static uint32_t a[576], b[576];
	static uint16_t h[1152];
	float *o;
	for (int s = 0; s < 6; s++)
		for (int g = 0; g < 252; g++) {
			int w = g / 84 * 192 + s * 32 + ((g % 84) >> s & 31);
			uint32_t v = rnd(73, 0, 1023, s * 252 + g), r = v * 2654435761u >> 8;
			f[w] += ((int)v - 512) / 8.0f;
			if (v & 6) {
				d[w] += v * 1024.0 + r / 16777216.0;
				a[w] += v & 7;
				b[w] += v >> 3 & 3;
			}
		}
	for (int i = 0; i < 576; i++) {
		h[2 * i] = f16bits(a[i]);
		h[2 * i + 1] = f16bits(b[i]);
	}
	EXPECT("sum32", f, sizeof f);
	EXPECT("nil32", z, sizeof z);
	EXPECT("sum64", d, sizeof d);
	EXPECT("sum16", h, sizeof h);
	o = ACTUAL("olds", 6048);
	if (o)
		for (int block = 0; block < 3; block++)
			for (int w = 0; w < 192; w++) {
				char seen[84] = {0};
				int n = 0, s = w / 32;
				for (int t = 0; t < 84; t++)
					n += (t >> s & 31) == w % 32;
				for (int t = 0; t < 84; t++)
					if ((t >> s & 31) == w % 32) {
						float x = o[s * 252 + block * 84 + t];
						int i = x >= 0 && x < n ? (int)x : 0;
						FAILIF(!(x >= 0 && x < n) || x != (float)i ||
						               (!i && (*(uint32_t *)&o[s * 252 + block * 84 + t])) ||
						               seen[i]++,
						       "old values of a counter are not 0 to n-1");
					}
			}
}
