// SPDX-License-Identifier: Apache-2.0
/* mbar_expected.c -- expected `out` of the kernels of mbar.cu and bulk/bulk.cu, computed thread after thread on the
 * host.
 *
 *   mbar_expected DIR     writes DIR/KERNEL.out.bin */
#include <string.h>

#include "../expected.h"

enum { THREADS = 128, CTAS = 3, MOST = 8192 };

static uint32_t in[MOST], out[MOST];

static void fill(uint32_t seed)
{
	memset(out, 0, sizeof out);
	for (uint32_t i = 0; i < MOST; i++)
		in[i] = rnd(seed, 0, 1000000, i);
}

static void rounds(void)
{
	for (uint32_t b = 0; b < CTAS; b++) {
		uint32_t *v = out + b * THREADS, next[THREADS];
		memcpy(v, in + b * THREADS, sizeof next);
		for (unsigned r = 0; r < 9; r++) {
			for (unsigned t = 0; t < THREADS; t++)
				next[t] = v[t] + 3 * v[(t + 1) % THREADS];
			memcpy(v, next, sizeof next);
		}
	}
}

static void handed_over(void)
{
	for (uint32_t b = 0; b < CTAS; b++)
		for (uint32_t t = 32; t < THREADS; t++) {
			uint32_t sum = 0;
			for (uint32_t r = 0; r < 12; r++)
				sum = sum * 5 + (in[(b * 12 + r) * 96 + (t * 7 + r) % 96] ^ r);
			out[b * 96 + t - 32] = sum;
		}
}

static void leavers(void)
{
	for (uint32_t b = 0; b < CTAS; b++)
		for (uint32_t r = 0, here = 0; r < 15; r++)
			out[b * 16 + r] = here += THREADS - 8 * (r + 1);
}

static void latched(void)
{
	for (uint32_t t = 0; t < THREADS; t += 2)
		out[t / 2] = 3 * in[THREADS - 1 - t] + 3 * in[t + 1];
}

static void permits(void)
{
	out[0] = 1;
	out[1] = THREADS * (THREADS - 1) / 2;
}

static void fetched(void)
{
	for (uint32_t b = 0; b < CTAS; b++)
		for (uint32_t t = 0; t < THREADS; t++) {
			const uint32_t *x = in + 4 * (b * THREADS + THREADS - 1 - t);
			out[b * THREADS + t] = x[0] + 2 * x[1] + 4 * x[2] + 8 * x[3] + in[(t + 5) % THREADS];
		}
}

static void staged(void)
{
	for (uint32_t b = 0; b < CTAS; b++)
		for (uint32_t t = 0; t < THREADS; t++)
			for (uint32_t r = 0; r < 20; r++)
				out[b * THREADS + t] =
				        out[b * THREADS + t] * 3 + in[(b * 20 + r) * THREADS + (t + r) % THREADS];
}

static void own_pipe(void)
{
	for (uint32_t t = 0; t < THREADS; t++)
		for (uint32_t r = 0; r < 10; r++)
			out[t] = out[t] * 7 + in[r * THREADS + t];
}

static void tile(void)
{
	for (uint32_t i = 0; i < CTAS * 512; i++)
		out[i] = in[i] * 3 + i % 512;
}

static void specialised(void)
{
	for (uint32_t b = 0; b < CTAS; b++)
		for (uint32_t t = 0; t < 96; t++)
			for (uint32_t r = 0; r < 21; r++)
				out[b * 96 + t] = out[b * 96 + t] * 5 + in[(b * 21 + r) * 96 + (t + 11 * r) % 96];
}

static void summed(void)
{
	for (uint32_t i = 0; i < CTAS * THREADS; i++)
		out[i % THREADS] += in[i];
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*make)(void);
		uint32_t words;
	} rows[] = {{"rounds", rounds, CTAS * THREADS},
	            {"handed_over", handed_over, CTAS * 96},
	            {"leavers", leavers, CTAS * 16},
	            {"latched", latched, 64},
	            {"permits", permits, 2},
	            {"fetched", fetched, CTAS * THREADS},
	            {"staged", staged, CTAS * THREADS},
	            {"own_pipe", own_pipe, THREADS},
	            {"tile", tile, CTAS * 512},
	            {"specialised", specialised, CTAS * 96},
	            {"summed", summed, THREADS}};
	if (argc != 2) {
		fprintf(stderr, "usage: mbar_expected DIR\n");
		return 2;
	}
	for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		char name[40];
		fill(40 + i);
		rows[i].make();
		snprintf(name, sizeof name, "%s.out", rows[i].name);
		save(argv[1], name, out, 4 * rows[i].words);
	}
	return 0;
}
