// SPDX-License-Identifier: Apache-2.0
// lib_nv_atomic: the result rules.
#define KERNEL "lib_nv_atomic"
#include "rules.h"

static void rules(void)
{
	uint32_t u[12] = {0}, turn[2] = {1, 77};
	int32_t s[4] = {-100, 27, 0, 0};
	uint64_t w[6] = {0}, x;
	float f[2] = {4032, 0};
	double d = 16;
	uint8_t b[8] = {0, 1, 2, 3};
	uint16_t h[4] = {160, 160, 160, 160};
	for (uint32_t i = 0; i < 128; i++) {
		u[0] += i;
		u[1] -= i;
		u[4] ^= i * i;
		u[6 + i / 64] += i % 64;
		w[0] += (uint64_t)i << 32;
	}
	u[3] = 0xffffffffu;
	u[5] = 127;
	w[1] = 67;
	w[2] = ~0ull;
	memcpy(&w[3], &d, 8);
	for (uint64_t i = x = 0; i < 128; i++)
		x ^= i << 40;
	w[4] = x + 128 * 3; /* the low part never reaches bit 40 */
	memcpy(u + 8, h, 8);
	u[10] = 77;
	u[11] = 9;
	EXPECT("u", u, sizeof u);
	EXPECT("s", s, sizeof s);
	EXPECT("w", w, sizeof w);
	EXPECT("f", f, sizeof f);
	EXPECT("b", b, sizeof b);
	EXPECT("turn", turn, sizeof turn);
}
