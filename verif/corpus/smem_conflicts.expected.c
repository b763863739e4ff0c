// SPDX-License-Identifier: Apache-2.0
// smem_conflicts: the result rules.
#define KERNEL "smem_conflicts"
#include "rules.h"

static void rules(void)
{
#ifndef DEGREE
#define DEGREE 0u /* as in the launch file; other launches: cc -DDEGREE=7u -DSTRIDE=33u */
#define STRIDE 32u
#endif
	const uint32_t lanes = 2781044503u;
	static uint32_t fin[5120], cnt[32][2048];
	uint32_t *r[3];
	char *seen = calloc(2048, 160);
	r[0] = ACTUAL("word", 20480);
	r[1] = ACTUAL("bank", 20480);
	r[2] = ACTUAL("part", 20480);
	for (int pass = 0; pass < 2; pass++)
		for (int b = 0; b < 32; b++) {
			uint32_t d = DEGREE ? DEGREE : b % 32u + 1;
			memset(seen, 0, 2048 * 160);
			for (int i = 0; i < 160; i++) {
				uint32_t t = i % 80, l = t % 32, g = b * 80 + t, at = i / 80 * 2560 + g,
				         in = lanes >> l & 1;
				uint32_t a[3] = {l / d, 1024 + ((l % d * STRIDE + l / d) & 1023), 32 + l / d};
				if (!pass) {
					cnt[b][a[0]]++;
					cnt[b][a[1]]++;
					if (in) {
						cnt[b][a[2]]++;
						cnt[b][a[2] + 32] += g;
					} else
						cnt[b][a[2] + 64]++;
				} else
					for (int k = 0; k < 3; k++)
						if (r[k]) {
							uint32_t x = r[k][at];
							if (k == 2 && !in)
								FAILIF(x != 0xffffffffu,
								       "wrote for a lane outside the mask");
							else
								FAILIF(x >= cnt[b][a[k]] || seen[a[k] * 160 + x]++,
								       "old values of a word are not 0 to n-1");
						}
			}
			for (int i = 0; i < 128; i++)
				fin[b * 160 + i] = cnt[b][i];
			for (uint32_t l = 0; l < 32; l++)
				fin[b * 160 + 128 + l] = cnt[b][1024 + ((l % d * STRIDE + l / d) & 1023)];
		}
	EXPECT("last", fin, sizeof fin);
}
