// SPDX-License-Identifier: Apache-2.0
// ring_buffer: the result rules.
#define KERNEL "ring_buffer"
#include "rules.h"

static void rules(void)
{
	uint32_t s[16], o[256], n = 256;
	for (uint32_t i = 0; i < 256; i++) {
		s[i & 15] = rnd(37, 0, 100000, i) ^ 0x5a5a;
		o[i] = s[i & 15] + i;
	}
	EXPECT("slots", s, sizeof s);
	EXPECT("tail", &n, 4);
	EXPECT("head", &n, 4);
	EXPECT("out", o, sizeof o);
}
