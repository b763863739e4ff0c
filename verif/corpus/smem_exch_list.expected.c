// SPDX-License-Identifier: Apache-2.0
// smem_exch_list: the result rules.
#define KERNEL "smem_exch_list"
#include "rules.h"

static void rules(void)
{
	static uint32_t len[768], sum[768];
	uint32_t *h, *l;
	for (int b = 0; b < 4; b++)
		for (int s = 0; s < 6; s++)
			for (uint32_t t = 0; t < 90; t++)
				if (s == 5 || (t * 7 + s) % 6) {
					uint32_t i = b * 192 + s * 32 + (t >> s & 31), p = s * 90 + t;
					len[i]++;
					sum[i] += p * p;
				}
	EXPECT("length", len, sizeof len);
	EXPECT("total", sum, sizeof sum);
	h = ACTUAL("head", 3072);
	l = ACTUAL("link", 8640);
	if (h && l)
		for (int b = 0; b < 4; b++) {
			char seen[540] = {0};
			for (int i = 0; i < 192; i++) {
				uint32_t p = h[b * 192 + i], n = 0;
				for (; p != 0xffffffffu; p = l[b * 540 + p]) {
					if (p >= 540 || seen[p] || (p < 450 && (p % 90 * 7 + p / 90) % 6 == 0) ||
					    p / 90 * 32 + ((p % 90) >> (p / 90) & 31) != (uint32_t)i) {
						FAILIF(1, "a list holds a foreign node");
						break;
					}
					seen[p] = 1;
					n++;
				}
				FAILIF(n != len[b * 192 + i], "a list has lost nodes");
			}
			for (uint32_t p = 0; p < 540; p++)
				FAILIF(!seen[p] && l[b * 540 + p] != 7777, "link of a node that was not pushed");
		}
}
