// SPDX-License-Identifier: Apache-2.0
// smem_incdec: the result rules.
#define KERNEL "smem_incdec"
#include "rules.h"

static void rules(void)
{
	static uint32_t fin[3072], seq[4][112], got[4][112];
	uint32_t *r[4];
	r[0] = ACTUAL("up", 10752);
	r[1] = ACTUAL("down", 10752);
	r[2] = ACTUAL("up_flat", 10752);
	r[3] = ACTUAL("down_flat", 10752);
	for (int b = 0; b < 4; b++)
		for (int w = 0; w < 192; w++) {
			int n[4] = {0}, s = w / 32;
			uint32_t v[4] = {w & 1 ? 50 : 0, w & 1 ? 50 : 0, 1000, 5000};
			for (int t = 0; t < 112; t++) {
				if ((t >> s & 31) != w % 32)
					continue;
				int flat = t % 3 != s % 3 ? 2 : 3;
				for (int k = 0; k < 4; k++) {
					uint32_t x = r[k] ? r[k][s * 448 + b * 112 + t] : 0;
					if (k > 1 && k != flat) {
						FAILIF(r[k] && x != 77, "wrote for a lane that took the other branch");
						continue;
					}
					got[k][n[k]] = x;
					seq[k][n[k]++] = v[k];
					if (k == 0)
						v[0] = v[0] >= 6 ? 0 : v[0] + 1;
					if (k == 1)
						v[1] = v[1] == 0 || v[1] > 4 ? 4 : v[1] - 1;
					if (k == 2)
						v[2]++;
					if (k == 3)
						v[3]--;
				}
			}
			for (int k = 0; k < 4; k++) {
				fin[b * 768 + k * 192 + w] = v[k];
				FAILIF(r[k] && !same_multiset(got[k], seq[k], n[k]), "tickets of a word differ");
			}
		}
	EXPECT("last", fin, sizeof fin);
}
