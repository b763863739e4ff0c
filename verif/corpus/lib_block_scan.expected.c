// SPDX-License-Identifier: Apache-2.0
// lib_block_scan: the result rules.
#define KERNEL "lib_block_scan"
#include "rules.h"

static void rules(void)
{
	static uint32_t scan[1024], s[1024];
	for (int i = 0; i < 1024; i++) {
		s[i] = rnd(134, 0, 255, i);
		scan[i] = i % 512 ? scan[i - 1] + s[i - 1] : 0;
	}
	qsort(s, 512, 4, cmp_u32);
	qsort(s + 512, 512, 4, cmp_u32);
	EXPECT("scan", scan, sizeof scan);
	EXPECT("sorted", s, sizeof s);
}
