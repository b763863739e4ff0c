// SPDX-License-Identifier: Apache-2.0
// litmus_sb: the result rules.
#define KERNEL "litmus_sb"
#include "rules.h"

static void rules(void)
{
	uint32_t one[64], *a, *b;
	for (int i = 0; i < 64; i++)
		one[i] = 1;
	EXPECT("x", one, 256);
	EXPECT("y", one, 256);
	a = ACTUAL("r0", 256);
	b = ACTUAL("r1", 256);
	if (a && b)
		for (int i = 0; i < 64; i++) {
			FAILIF(a[i] > 1 || b[i] > 1, "value out of thin air");
			FAILIF(!a[i] && !b[i], "both loads read zero");
		}
}
