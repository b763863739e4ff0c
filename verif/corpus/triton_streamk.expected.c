// SPDX-License-Identifier: Apache-2.0
// triton_streamk: the result rules.
#define KERNEL "triton_streamk"
#include "rules.h"

static void rules(void)
{
	float acc[512] = {0}, out[512];
	int32_t done[4] = {4, 4, 4, 4}, ticket = 16 + 3;
	for (int u = 0; u < 16; u++)
		for (int k = 0; k < 4; k++)
			for (int i = 0; i < 128; i++)
				acc[u / 4 * 128 + i] += (float)rnd(104, 0, 50, (u * 4 + k) * 128 + i);
	for (int i = 0; i < 512; i++)
		out[i] = acc[i] * 2 + 1;
	EXPECT("acc", acc, sizeof acc);
	EXPECT("out", out, sizeof out);
	EXPECT("done", done, sizeof done);
	EXPECT("ticket", &ticket, 4);
}
