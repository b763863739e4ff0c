// SPDX-License-Identifier: Apache-2.0
// lib_atomic_ref: the result rules.
#define KERNEL "lib_atomic_ref"
#include "rules.h"

static void rules(void)
{
	uint32_t u[4] = {0}, flag[2] = {3, 0};
	uint64_t w[3] = {0};
	float f[2] = {144, 0};
	double s = 0;
	for (int i = 0; i < 288; i++) {
		uint32_t v = rnd(131, 0, 1000, i);
		u[0] += v;
		if (v > u[1])
			u[1] = v;
		u[2] ^= v;
		w[0] += (uint64_t)v << 30;
		w[1] += v % 10 * 0x100000001ull;
		s += v;
		if (v * 0.25f > f[1])
			f[1] = v * 0.25f;
	}
	u[3] = flag[1] = u[0];
	memcpy(&w[2], &s, 8);
	EXPECT("u", u, sizeof u);
	EXPECT("w", w, sizeof w);
	EXPECT("f", f, sizeof f);
	EXPECT("flag", flag, sizeof flag);
}
