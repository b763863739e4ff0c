// SPDX-License-Identifier: Apache-2.0
// rw_lock: the result rules.
#define KERNEL "rw_lock"
#include "rules.h"

static void rules(void)
{
	int32_t s = 0, c[2] = {32, 32};
	uint32_t v = 0, r = 32;
	EXPECT("state", &s, 4);
	EXPECT("cells", c, 8);
	EXPECT("violations", &v, 4);
	EXPECT("reads", &r, 4);
}
