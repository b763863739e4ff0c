// SPDX-License-Identifier: Apache-2.0
// triton_splitk_gemm: the result rules.
#define KERNEL "triton_splitk_gemm"
#include "rules.h"

static void rules(void)
{
	static float c[1024];
	for (int m = 0; m < 32; m++)
		for (int n = 0; n < 32; n++)
			for (int k = 0; k < 64; k++)
				c[m * 32 + n] += (float)rnd(107, 0, 7, m * 64 + k) * (float)rnd(108, 0, 7, k * 32 + n);
	EXPECT("c", c, sizeof c);
}
