// SPDX-License-Identifier: Apache-2.0
/* cluster_expected.c -- expected buffers of the kernels of cluster.cu, computed thread after thread on the host.
 *
 *   cluster_expected DIR     writes DIR/KERNEL.BUFFER.bin */
#include <string.h>

#include "../expected.h"

enum { THREADS = 96, MOST = 8192 };

static uint32_t in[MOST], out[MOST];

static void fill(uint32_t seed)
{
	memset(out, 0, sizeof out);
	for (uint32_t i = 0; i < MOST; i++)
		in[i] = rnd(seed, 0, 1000000, i);
}

/* Grid of 16 in clusters of 8. */
static void spread(void)
{
	for (uint32_t i = 0; i < 5000; i++)
		out[in[i] % 256]++;
}

/* Clusters of [2, 2] in a grid of [4, 4]: rank 0 is the corner, 1 lies beside it, 2 below. */
static uint32_t ring_block(uint32_t cx, uint32_t cy, uint32_t rank)
{
	return (2 * cy + rank / 2) * 4 + 2 * cx + rank % 2;
}

static void ring(void)
{
	for (uint32_t c = 0; c < 4; c++) {
		uint32_t v[4][THREADS], next[4][THREADS];
		for (uint32_t r = 0; r < 4; r++)
			memcpy(v[r], in + ring_block(c % 2, c / 2, r) * THREADS, sizeof v[r]);
		for (unsigned round = 0; round < 5; round++) {
			for (uint32_t r = 0; r < 4; r++)
				for (uint32_t t = 0; t < THREADS; t++) {
					out[ring_block(c % 2, c / 2, r) * THREADS + t] += v[r][t];
					next[(r + 1) % 4][(t + 1) % THREADS] = v[r][t] * 5 + r;
				}
			memcpy(v, next, sizeof v);
		}
		for (uint32_t r = 0; r < 4; r++)
			for (uint32_t t = 0; t < THREADS; t++)
				out[ring_block(c % 2, c / 2, r) * THREADS + t] ^= v[r][t];
	}
}

/* Clusters of [3, 1, 2] in a grid of [6, 2, 4]. */
static void numbers(void)
{
	for (uint32_t z = 0; z < 4; z++)
		for (uint32_t y = 0; y < 2; y++)
			for (uint32_t x = 0; x < 6; x++) {
				uint32_t *o = out + 16 * ((z * 2 + y) * 6 + x);
				o[0] = x % 3 + 3 * (z % 2);
				o[1] = 6;
				o[2] = x % 3 | (z % 2) << 16;
				o[3] = 3 | 1 << 8 | 2 << 16;
				o[4] = x / 3 | y << 8 | (z / 2) << 16;
				o[5] = 2 | 2 << 8 | 2 << 16;
				o[6] = 1;
			}
}

static void reached(float *sums, uint64_t *wide)
{
	float sum = 0;
	uint64_t total = 0;
	for (uint32_t t = 0; t < THREADS; t++) {
		sum += (float)(t % 8);
		total += 0x100000001ull * t;
	}
	for (uint32_t b = 0; b < 8; b++) {
		const uint32_t rank = b % 4, other = (rank + 3) % 4, from = (rank + 1) % 4;
		for (uint32_t t = 0; t < THREADS; t++) {
			const uint32_t first = 1000 * other + t / 4 * 4;
			const uint32_t four = first ^ (first + 1) ^ (first + 2) ^ (first + 3);
			out[b * THREADS + t] =
			        (other | 32 | 64) + four + (other + t) + 3 * (1000 * other + t) + 7 * from;
		}
		sums[b] = sum + 0.5f * THREADS;
		wide[b] = total ^ ((uint64_t)from << 40 | (THREADS - 1));
	}
}

/* A whole number, exact in a format with `mantissa` bits of mantissa. */
static uint32_t number(uint32_t n, unsigned mantissa, unsigned bias)
{
	unsigned e = 0;
	while (n >> e > 1)
		e++;
	return n ? (e + bias) << mantissa | ((n << (mantissa - e)) & ((1u << mantissa) - 1)) : 0;
}

static uint32_t f16_pair(uint32_t low, uint32_t high)
{
	return number(low, 10, 15) | number(high, 10, 15) << 16;
}

static void packed(uint64_t *wide)
{
	for (uint32_t b = 0; b < 8; b++) {
		const uint32_t rank = b % 4, other = (rank + 1) % 4, from = (rank + 3) % 4;
		int64_t low = 0, high = 0;
		uint64_t all = UINT64_MAX, some = 0, odd = 0;
		uint32_t sum[2] = {0, rank}, bsum[2] = {rank, 0};
		for (uint32_t t = 0; t < THREADS; t++) {
			const int64_t down = (int64_t)t - 0x4000000000ll * from, up = 0x300000000ll * t - from;
			sum[0]++, sum[1] += t % 4;
			bsum[0]++, bsum[1] += t % 2;
			low = down < low ? down : low;
			high = up > high ? up : high;
			all &= ~(UINT64_C(1) << (t / 2 + from));
			some |= UINT64_C(1) << (t / 3 + 8 * from);
			odd ^= 0x200000001ull * t;
			out[b * THREADS + t] = f16_pair(rank + t % 8, t + from) + 3 * f16_pair(other, t);
			wide[b * THREADS + t] = (0x700000000ull + t) ^ (0x100000000ull * other + t) << 8;
		}
		out[b * THREADS] ^= f16_pair(sum[0], sum[1]) ^ (number(bsum[0], 7, 127) | number(bsum[1], 7, 127) << 16)
		                                                       << 1;
		wide[b * THREADS] ^= ((uint64_t)low ^ (uint64_t)high << 2) ^ (all ^ some << 4) ^ odd << 6;
	}
}

static void tiles(void)
{
	for (uint32_t b = 0; b < 8; b++)
		for (uint32_t t = 0; t < THREADS; t++)
			for (uint32_t k = 0; k < 6; k++)
				for (uint32_t i = t; i < 256; i += THREADS)
					out[b * THREADS + t] += in[(b / 4 * 6 + k) * 256 + i] * (b % 4 + 1) + k;
}

static void posted(void)
{
	for (uint32_t b = 0; b < 6; b++) {
		const uint32_t *v = in + (b ^ 1) * THREADS;
		uint32_t sum = 0;
		for (uint32_t t = 0; t < THREADS; t++)
			sum += v[t];
		for (uint32_t t = 0; t < THREADS; t++)
			out[b * THREADS + t] = v[t] + v[t] * 3 + (v[t] + 1) * 5 + (v[t] ^ 0xff) * 7 + t * 11 + sum;
	}
}

/* The data of each CTA; words 5 and 6 are the number of the CTA's arrivals. */
static void named(void)
{
	for (uint32_t b = 0; b < 6; b++)
		for (uint32_t t = 0; t < THREADS; t++)
			out[b * THREADS + t] = t == 5 || t == 6 ? THREADS : in[b * THREADS + t];
}

/* Warps of the CTAs: 3, then 2, of 24 lanes, 23, 22, 21; the CTA of rank 3 takes part in two rounds. */
static void leaving(void)
{
	for (uint32_t c = 0; c < 2; c++) {
		const uint32_t two = 3 * 24 + 2 * 23, all = two + 2 * 22 + 2 * 21;
		out[4 * c] = 2 * all + two;
		out[4 * c + 2] = all;
	}
}

int main(int argc, char **argv)
{
	float sums[8];
	uint64_t wide[8];
	static uint64_t pairs[8 * THREADS];
	if (argc != 2) {
		fprintf(stderr, "usage: cluster_expected DIR\n");
		return 2;
	}
	const char *dir = argv[1];
	fill(61);
	spread();
	save(dir, "spread.out", out, 256 * 4);
	fill(62);
	ring();
	save(dir, "ring.out", out, 16 * THREADS * 4);
	fill(0);
	numbers();
	save(dir, "numbers.out", out, 48 * 16 * 4);
	fill(0);
	reached(sums, wide);
	save(dir, "reached.out", out, 8 * THREADS * 4);
	save(dir, "reached.sums", sums, sizeof sums);
	save(dir, "reached.wide", wide, sizeof wide);
	fill(0);
	packed(pairs);
	save(dir, "packed.out", out, 8 * THREADS * 4);
	save(dir, "packed.wide", pairs, sizeof pairs);
	fill(63);
	tiles();
	save(dir, "tiles.out", out, 8 * THREADS * 4);
	fill(64);
	posted();
	save(dir, "posted.out", out, 6 * THREADS * 4);
	fill(65);
	named();
	save(dir, "named.out", out, 6 * THREADS * 4);
	fill(0);
	leaving();
	save(dir, "leaving.out", out, 8 * 4);
	return 0;
}
