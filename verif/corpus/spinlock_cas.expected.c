// SPDX-License-Identifier: Apache-2.0
// spinlock_cas: the result rules.
#define KERNEL "spinlock_cas"
#include "rules.h"

static void rules(void)
{
	uint32_t lock = 0, c[2] = {4 * 64 * 4, 0};
	for (int t = 0; t < 64; t++)
		c[1] += 16 * t;
	EXPECT("lock", &lock, 4);
	EXPECT("counter", c, sizeof c);
}
