// SPDX-License-Identifier: Apache-2.0
// smem_cas_hash: the result rules.
#define KERNEL "smem_cas_hash"
#include "rules.h"

static void rules(void)
{
	uint32_t *k = ACTUAL("keys", 2048), *v = ACTUAL("vals", 2048);
	uint64_t *t = ACTUAL("both", 4096);
	if (k && v && t)
		for (int b = 0; b < 2; b++) {
			uint32_t cnt[151] = {0}, one[151] = {0}, two[151] = {0};
			for (int i = 0; i < 432; i++) {
				uint32_t x = rnd(75, 1, 150, b * 432 + i);
				cnt[b && x % 16 ? 7 : x]++;
			}
			for (int i = 0; i < 256; i++) {
				uint32_t x = k[b * 256 + i], y = (uint32_t)(t[b * 256 + i] >> 32), j;
				if (x == 0)
					FAILIF(v[b * 256 + i], "count in an empty slot");
				else if (x > 150)
					FAILIF(1, "foreign key");
				else {
					FAILIF(one[x]++, "key stored twice");
					FAILIF(v[b * 256 + i] != cnt[x], "wrong count");
					for (j = x * 2654435761u >> 24; j != (uint32_t)i; j = (j + 1) & 255)
						FAILIF(!k[b * 256 + j], "a gap before a key");
				}
				if (y == 0)
					FAILIF(t[b * 256 + i] != 0, "count without a key");
				else if (y > 150)
					FAILIF(1, "foreign key");
				else {
					FAILIF(two[y]++, "key stored twice");
					FAILIF((uint32_t)t[b * 256 + i] != cnt[y], "wrong count");
					for (j = y * 2246822519u >> 24; j != (uint32_t)i; j = (j + 1) & 255)
						FAILIF(!t[b * 256 + j], "a gap before a key");
				}
			}
			for (int x = 1; x <= 150; x++)
				FAILIF(cnt[x] && (!one[x] || !two[x]), "key missing");
		}
}
