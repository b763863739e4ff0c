// SPDX-License-Identifier: Apache-2.0
/* atomics_expected.c -- expected buffers of the kernels of atomics.cu, in host arithmetic: numbers exact in every
 * order. Thus their bits can be written down from floats.
 *
 *   atomics_expected DIR     writes DIR/<kernel>.<arg>.bin */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "../expected.h"

enum { THREADS = 480 };

/* Bits of a small number in a format of 16 bits: all numbers have at most 8 significant bits. */
static uint32_t bf16(float v)
{
	uint32_t bits;
	memcpy(&bits, &v, sizeof bits);
	return bits >> 16;
}
static uint32_t f16(float v)
{
	int exp;
	const float m = frexpf(fabsf(v), &exp); /* 0.5 <= m < 1 */
	const uint32_t sign = signbit(v) ? 0x8000 : 0;
	return v == 0 ? sign : sign | (uint32_t)(exp + 14) << 10 | ((uint32_t)(m * 2048) & 0x3ff);
}
static uint32_t pair(uint32_t low, uint32_t high)
{
	return low | high << 16;
}

static void halves(const char *dir)
{
	float h[5][2] = {{0}}, b[5][2] = {{0}}, v[5][4] = {{0}}, w[5][2] = {{0}};
	uint32_t hw[5], bw[5];
	for (int t = 0; t < THREADS; t++) {
		const int at = t % 5;
		h[at][0] += 1;
		h[at][1] += 0.25f * (float)(t % 3);
		b[at][0] -= 1;
		b[at][1] += 0.5f;
		v[at][0] += 1;
		v[at][1] += 2;
		v[at][2] += (float)(t % 7);
		v[at][3] -= 0.125f;
		w[at][0] += 1;
		w[at][1] += (float)(t % 4);
	}
	for (int i = 0; i < 5; i++) {
		hw[i] = pair(f16(h[i][0]), f16(h[i][1]));
		bw[i] = pair(bf16(b[i][0]), bf16(b[i][1]));
	}
	save(dir, "halves.h", hw, sizeof hw);
	save(dir, "halves.b", bw, sizeof bw);
	save(dir, "halves.v", v, sizeof v);
	save(dir, "halves.w", w, sizeof w);
}

static bool less(float a, float b)
{
	return a < b || (a == b && signbit(a) && !signbit(b));
}
static void take(float *best, float v, bool highest)
{
	if (highest ? less(*best, v) : less(v, *best))
		*best = v;
}

static void extremes(const char *dir)
{
	float low[3][4] = {{0}}, high[3][4] = {{0}};
	uint32_t lw[3][2], hw[3][4];
	for (int t = 0; t < THREADS; t++) {
		const float a[2] = {(float)(t % 41) - 20, (float)(t % 17)},
		            b[2] = {(float)(t % 29) - 14, -(float)(t % 23)};
		for (int i = 0; i < 4; i++) {
			take(&low[t % 3][i], i < 2 ? a[i] : -a[i - 2], false);
			take(&high[t % 3][i], i < 2 ? b[i] : -b[i - 2], true);
		}
	}
	for (int c = 0; c < 3; c++)
		for (int i = 0; i < 2; i++) {
			lw[c][i] = pair(f16(low[c][2 * i]), f16(low[c][2 * i + 1]));
			hw[c][i] = hw[c][i + 2] = pair(bf16(high[c][2 * i]), bf16(high[c][2 * i + 1]));
		}
	save(dir, "extremes.low", lw, sizeof lw);
	save(dir, "extremes.high", hw, sizeof hw);
}

static void wide(const char *dir)
{
	uint32_t cell[2][4] = {{0}}, torn = 0;
	for (uint32_t t = 0; t < 192; t++) {
		cell[t % 2][0]++;
		cell[t % 2][1] += t;
		cell[t % 2][2] += 3;
		cell[t % 2][3] ^= t;
	}
	save(dir, "wide.cell", cell, sizeof cell);
	save(dir, "wide.torn", &torn, sizeof torn);
}

/* Every thread's node is pushed once and popped once. */
static void list(const char *dir)
{
	uint32_t taken[192], sum = 0;
	uint64_t head[2] = {2 * 192, 0};
	for (uint32_t t = 0; t < 192; t++) {
		taken[t] = 1;
		sum += 3 * (t + 1);
	}
	save(dir, "list.head", head, sizeof head);
	save(dir, "list.taken", taken, sizeof taken);
	save(dir, "list.sum", &sum, sizeof sum);
}

static void least(const char *dir)
{
	float low[3], high[3];
	for (int i = 0; i < 3; i++) {
		low[i] = 3.40282347e38f;
		high[i] = -3.40282347e38f;
	}
	for (int t = 0; t < THREADS; t++) {
		const float v = t % 5 ? (float)(t * 37 % 480 - 240) * 0.25f : -0.0f;
		if (t % 2)
			high[t % 3] = fmaxf(high[t % 3], v);
		else
			low[t % 3] = fminf(low[t % 3], v);
	}
	save(dir, "least.low", low, sizeof low);
	save(dir, "least.high", high, sizeof high);
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: atomics_expected DIR\n");
		return 2;
	}
	halves(argv[1]);
	extremes(argv[1]);
	wide(argv[1]);
	list(argv[1]);
	least(argv[1]);
	return 0;
}
