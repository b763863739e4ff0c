// SPDX-License-Identifier: Apache-2.0
// float_min_cas: the result rules.
#define KERNEL "float_min_cas"
#include "rules.h"

static void rules(void)
{
	float mn = 1e6f, mx = -1e6f;
	for (int i = 0; i < 512; i++) {
		float f = (float)((int)rnd(21, 0, 4000, i) - 2000) * 0.25f;
		if (f < mn)
			mn = f;
		if (f > mx)
			mx = f;
	}
	EXPECT("mn", &mn, 4);
	EXPECT("mx", &mx, 4);
}
