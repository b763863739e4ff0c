// SPDX-License-Identifier: Apache-2.0
// clang_hist: the result rules.
#define KERNEL "clang_hist"
#include "rules.h"

static void rules(void)
{
	uint32_t bins[48] = {0};
	uint64_t total = 0;
	for (int i = 0; i < 3000; i++) {
		uint32_t c = rnd(121, 0, 255, i);
		bins[(c * 3 >> 4) % 48]++;
		total += c % 7;
	}
	EXPECT("bins", bins, sizeof bins);
	EXPECT("total", &total, 8);
}
