// SPDX-License-Identifier: Apache-2.0
// triton_lock_dw: the result rules.
#define KERNEL "triton_lock_dw"
#include "rules.h"

static void rules(void)
{
	float dw[300] = {0};
	int32_t lock[6] = {0, 0, 0, 1, 1, 1};
	for (int r = 0; r < 12; r++)
		for (int c = 0; c < 100; c++)
			dw[r % 3 * 100 + c] += (float)rnd(102, 0, 20, r * 100 + c) * (float)rnd(103, 0, 9, r * 100 + c);
	EXPECT("dw", dw, sizeof dw);
	EXPECT("lock", lock, sizeof lock);
}
