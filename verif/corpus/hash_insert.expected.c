// SPDX-License-Identifier: Apache-2.0
// hash_insert: the result rules.
#define KERNEL "hash_insert"
#include "rules.h"

static void rules(void)
{
	uint32_t cnt[301] = {0}, *k, *v, seen[301] = {0};
	for (int i = 0; i < 1024; i++)
		cnt[rnd(9, 1, 300, i)]++;
	k = ACTUAL("keys", 4096);
	v = ACTUAL("vals", 4096);
	if (k && v) {
		for (int i = 0; i < 1024; i++) {
			if (k[i] == 0xffffffffu) {
				FAILIF(v[i], "count in an empty slot");
				continue;
			}
			FAILIF(k[i] < 1 || k[i] > 300, "foreign key");
			FAILIF(seen[k[i]]++, "key stored twice");
			FAILIF(v[i] != cnt[k[i]], "wrong count");
		}
		for (int i = 1; i <= 300; i++)
			FAILIF(cnt[i] && !seen[i], "key missing");
	}
}
