// SPDX-License-Identifier: Apache-2.0
// smem_lock: the result rules.
#define KERNEL "smem_lock"
#include "rules.h"

static void rules(void)
{
	uint32_t n[96] = {0}, s[96] = {0}, l[96] = {0}, z = 0;
	for (int b = 0; b < 3; b++)
		for (uint32_t m = 0; m < 32; m = 2 * m + 1)
			for (uint32_t t = 0; t < 80; t++)
				if (!m || (t + m) % 5) {
					n[b * 32 + (t & m)]++;
					s[b * 32 + (t & m)] += t;
				}
	EXPECT("count", n, sizeof n);
	EXPECT("sum", s, sizeof s);
	EXPECT("locks", l, sizeof l);
	EXPECT("torn", &z, 4);
}
