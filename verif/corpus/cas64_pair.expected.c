// SPDX-License-Identifier: Apache-2.0
// cas64_pair: the result rules.
#define KERNEL "cas64_pair"
#include "rules.h"

static void rules(void)
{
	uint64_t b = 0;
	for (uint32_t i = 0; i < 1024; i++) {
		uint64_t m = (uint64_t)rnd(22, 0, 500, i) << 32 | (0xffffffffu - i);
		if (m > b)
			b = m;
	}
	EXPECT("best", &b, 8);
	EXPECT("best2", &b, 8);
}
