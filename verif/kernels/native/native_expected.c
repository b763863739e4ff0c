// SPDX-License-Identifier: Apache-2.0
/* native_expected.c -- host arithmetic for the kernels of this folder: expected contents of the buffers.
 *
 *   native_expected DIR         writes DIR/<kernel>.<arg>.bin, raw little-endian */
#include <string.h>

#include "../expected.h"

enum { N = 200, CTAS = 2 };

static void float_hist(const char *dir)
{
	float hist[16] = {0}, far = 0, near = 0;
	uint32_t odd = 0, cell[2 * CTAS], ones[N * CTAS];
	struct {
		double sum;
		uint64_t umax;
		int64_t smin, smax;
		uint64_t umin, all, any, odds;
	} w = {0, 0, INT64_MAX, INT64_MIN, UINT64_MAX, UINT64_MAX, 0, 0}, wide[CTAS];
	float hists[16 * CTAS];
	for (uint32_t i = 0; i < N; i++) {
		const uint32_t v = rnd(4712, 0, 4294967294, i);
		const uint64_t key = (uint64_t)v << 32 | i;
		hist[v & 15] += (float)(v >> 4 & 255);
		w.sum += v;
		w.umax = key > w.umax ? key : w.umax;
		w.umin = key < w.umin ? key : w.umin;
		w.smin = (int64_t)key < w.smin ? (int64_t)key : w.smin;
		w.smax = (int64_t)key > w.smax ? (int64_t)key : w.smax;
		w.all &= ~(uint64_t)i;
		w.any |= (uint64_t)i << 29;
		w.odds ^= key;
		odd += v & 1;
		*(v & 32 ? &near : &far) += 1;
	}
	for (unsigned c = 0; c < CTAS; c++) {
		/* halves: N quarters are 50, plus a 1 for each odd number: a whole number from 64 to 127 */
		if (odd < 64 || odd > 127)
			abort();
		cell[2 * c] = (0x5400 | (odd - 64) << 4) << 16 | 0x5240;
		memcpy(&cell[2 * c + 1], &near, 4);
		memcpy(hists + 16 * c, hist, sizeof hist);
		wide[c] = w;
	}
	far *= CTAS;
	for (unsigned i = 0; i < N * CTAS; i++)
		ones[i] = 1; /* every ticket is drawn once */
	save(dir, "float_hist.hist", hists, sizeof hists);
	save(dir, "float_hist.cell", cell, sizeof cell);
	save(dir, "float_hist.wide", wide, sizeof wide);
	save(dir, "float_hist.ticket", ones, sizeof ones);
	save(dir, "float_hist.turn", ones, sizeof ones);
	save(dir, "float_hist.far", &far, sizeof far);
}

/* 8 threads of a kind on each word: 8 * (1, 0.5) + 8 * (-1, 2) = (0, 20); a cancelling sum is +0. */
static void bf16_sum(const char *dir)
{
	const uint32_t sum[4] = {0x41a00000, 0x41a00000, 0x41a00000, 0x41a00000};
	save(dir, "bf16_sum.out", sum, sizeof sum);
}

/* 16 rounds of 32 lanes on word 0. */
static void degree(const char *dir)
{
	const float out[32] = {512};
	save(dir, "degree.out", out, sizeof out);
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: native_expected DIR\n");
		return 2;
	}
	float_hist(argv[1]);
	bf16_sum(argv[1]);
	degree(argv[1]);
	return 0;
}
