// SPDX-License-Identifier: Apache-2.0
/* expected.c -- host arithmetic for the C kernels of this folder: nvvm_expected DIR writes DIR/<kernel>.<arg>.bin,
 * raw little-endian. No code of the compiler or the models. */
#include <stdint.h>
#include <stdio.h>

#include "../../kernels/expected.h"

static void histogram(const char *dir)
{
	uint32_t bins[64] = {0};
	for (uint32_t i = 0; i < 4000; i++)
		bins[rnd(77, 0, 99999, i) * 7 % 61]++;
	save(dir, "nv_histogram.bins", bins, sizeof bins);
}

static void locks(const char *dir)
{
	uint32_t data[2] = {0}, state[4] = {8, 8, 24, 0}, log[8];
	for (uint32_t k = 0; k < 30; k++) {
		data[1] += data[0] & 3;
		data[0]++;
	}
	for (uint32_t k = 0; k < 8; k++)
		log[k] = k * k + 3 * k;
	save(dir, "nv_lock.data", data, sizeof data);
	save(dir, "nv_ticket.lock", state, sizeof state);
	save(dir, "nv_ticket.log", log, sizeof log);
}

static void orders(const char *dir)
{
	uint32_t count[30] = {0}, ops[6];
	uint64_t wide[2] = {5, 5};
	for (int i = 0; i < 6; i++)
		ops[i] = 5;
	for (uint32_t b = 0; b < 3; b++)
		for (uint32_t t = 1; t <= 64; t++) {
			int32_t v = (int32_t)(t * 37 % 101) - 50;
			for (int i = 0; i < 30; i++)
				count[i] += t;
			ops[0] -= t;
			ops[1] = v > (int32_t)ops[1] ? (uint32_t)v : ops[1];
			ops[2] = v < (int32_t)ops[2] ? (uint32_t)v : ops[2];
			ops[3] |= 1u << t % 31;
			ops[4] &= ~(1u << t % 29);
			ops[5] ^= t * 0x9e3779b1u;
			wide[0] += (uint64_t)t << 30;
			wide[1] = ((uint64_t)t << 40 | t) > wide[1] ? ((uint64_t)t << 40 | t) : wide[1];
		}
	save(dir, "nv_orders.count", count, sizeof count);
	save(dir, "nv_orders.ops", ops, sizeof ops);
	save(dir, "nv_orders.wide", wide, sizeof wide);
}

static void subword(const char *dir)
{
	uint8_t bytes[16] = {0};
	uint16_t halves[8] = {0};
	uint32_t words[100];
	for (uint32_t t = 0; t < 100; t++) {
		bytes[t % 7] = (uint8_t)(bytes[t % 7] + t + 3);
		bytes[8 + t % 4] ^= (uint8_t)(1 << t % 8);
		halves[t % 5] = (uint16_t)(halves[t % 5] - t * 5);
		halves[6] |= (uint16_t)(1 << t % 16);
		words[t] = ~(t & (0x0f0f0f0fu + t));
		bytes[15]++;
	}
	save(dir, "nv_subword.bytes", bytes, sizeof bytes);
	save(dir, "nv_subword.halves", halves, sizeof halves);
	save(dir, "nv_subword.words", words, sizeof words);
	uint16_t cas[8] = {100 * 2 * 3};
	save(dir, "nv_cas16.halves", cas, sizeof cas);
}

static void sm_90(const char *dir)
{
	uint64_t pair[2] = {0};
	uint32_t out[512], sums[256];
	for (uint64_t t = 0; t < 128; t++) {
		pair[0]++;
		pair[1] += t * t;
	}
	for (uint32_t b = 0; b < 8; b++)
		for (uint32_t t = 0; t < 64; t++)
			out[b * 64 + t] = (b / 4 * 4 + (b + 1) % 4) * 1000 + t;
	for (uint32_t b = 0; b < 2; b++)
		for (uint32_t t = 0; t < 128; t++) {
			sums[b * 128 + t] = 0;
			for (uint32_t i = 0; i < 4; i++)
				sums[b * 128 + t] += rnd(31, 0, 1000000, b * 512 + (4 * t + 5 * i + 4) % 512) * (i + 1);
		}
	save(dir, "nv_cas128.pair", pair, sizeof pair);
	save(dir, "nv_cluster.out", out, sizeof out);
	save(dir, "nv_async.out", sums, sizeof sums);
}

static void warp(const char *dir)
{
	uint32_t out[64 * 8];
	for (uint32_t w = 0; w < 2; w++) {
		uint32_t v[32], ballot = 0, any = 0, all = 1, low = 0, sum = 0;
		int32_t least = INT32_MAX;
		for (uint32_t i = 0; i < 32; i++) {
			v[i] = rnd(9, 0, 255, w * 32 + i);
			ballot |= (v[i] & 1) << i;
			any |= v[i] > 250;
			all &= v[i] < 256;
			low += v[i] < 128;
			sum += v[i];
			least = (int32_t)v[i] - 100 < least ? (int32_t)v[i] - 100 : least;
		}
		for (uint32_t i = 0; i < 32; i++) {
			uint32_t *o = out + (w * 32 + i) * 8, same = 0;
			for (uint32_t k = 0; k < 32; k++)
				same |= (uint32_t)(v[k] % 5 == v[i] % 5) << k;
			o[0] = ballot;
			o[1] = any | all << 1 | (uint32_t)(low == 0 || low == 32) << 2;
			o[2] = v[i * 7 % 32];
			o[3] = v[i < 3 ? i : i - 3] + v[i % 16 + 5 < 16 ? i + 5 : i];
			o[4] = v[i ^ 9];
			o[5] = same;
			o[6] = v[i ^ 1];
			o[7] = sum + (uint32_t)least;
		}
	}
	save(dir, "nv_warp.out", out, sizeof out);
}

static void barriers(const char *dir)
{
	uint32_t out[128];
	for (uint32_t t = 0; t < 128; t++) {
		out[t] = 43 * 1000000 + 200000; /* 43 threads with t % 3 == 1; a thread is 77; not all are below 127 */
		for (uint32_t r = 0; t >= 64 && r < 4; r++)
			out[t] += ((127 - t) * 3 + r) * (r + 1);
	}
	save(dir, "nv_barriers.out", out, sizeof out);
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: nvvm_expected DIR\n");
		return 2;
	}
	histogram(argv[1]);
	locks(argv[1]);
	orders(argv[1]);
	subword(argv[1]);
	sm_90(argv[1]);
	warp(argv[1]);
	barriers(argv[1]);
	return 0;
}
