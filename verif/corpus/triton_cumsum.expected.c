// SPDX-License-Identifier: Apache-2.0
// triton_cumsum: the result rules.
#define KERNEL "triton_cumsum"
#include "rules.h"

static void rules(void)
{
	static int32_t sums[3072], peaks[3072];
	for (int r = 0; r < 12; r++) {
		int s = 0, p = 0;
		for (int c = 0; c < 256; c++)
			sums[r * 256 + c] = s += (int)rnd(106, 0, 1000, r * 256 + c);
		for (int c = 255; c >= 0; c--) {
			int v = (int)rnd(106, 0, 1000, r * 256 + c);
			peaks[r * 256 + c] = p = v > p ? v : p;
		}
	}
	EXPECT("sums", sums, sizeof sums);
	EXPECT("peaks", peaks, sizeof peaks);
}
