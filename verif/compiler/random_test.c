// SPDX-License-Identifier: Apache-2.0
/* random_test.c -- random kernels, compiled at -O0 and -O2, with few registers (for many spills), and for every
 * architecture. Each kernel runs on the C model. An interpreter of the same program checks every thread.
 *
 *   wlcc_random_test [--count N] [--seed S] [--print]     one program for each seed S, S + 1, ... */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random_program.h"
#include "run_ptx.h"

enum { Threads = 64, Words = NUM_W + NUM_D + NUM_P, TEXT_BYTES = 1 << 20 };

static uint64_t mix(uint64_t x)
{
	x ^= x >> 33;
	x *= UINT64_C(0xff51afd7ed558ccd);
	x ^= x >> 33;
	x *= UINT64_C(0xc4ceb9fe1a85ec53);
	return x ^ x >> 33;
}

static uint64_t input(uint64_t seed, unsigned thread, unsigned word)
{
	uint64_t r = mix(seed * 4096 + thread * 64 + word), s = mix(r);
	if (word >= NUM_W + NUM_D)
		return r & 1;
	r = s & 4 ? r >> (s % 64) : s & 8 ? s >> 58 : r;
	return word < NUM_W ? r & 0xffffffff : r;
}

static bool same(uint64_t seed, const struct program *p, uint64_t out[Threads][Words], char *why, size_t n)
{
	for (unsigned t = 0; t < Threads; t++) {
		struct values v;
		uint64_t want;
		memset(&v, 0, sizeof v);
		for (unsigned i = 0; i < Words; i++)
			*(i < NUM_W           ? &v.w[i]
			  : i < NUM_W + NUM_D ? &v.d[i - NUM_W]
			                      : &v.p[i - NUM_W - NUM_D]) = input(seed, t, i);
		program_run(p, &v);
		for (unsigned i = 0; i < Words; i++) {
			want = i < NUM_W ? v.w[i] : i < NUM_W + NUM_D ? v.d[i - NUM_W] : v.p[i - NUM_W - NUM_D];
			if (out[t][i] == want)
				continue;
			snprintf(why, n, "thread %u, v%c%u: found 0x%llx, expected 0x%llx", t,
			         i < NUM_W           ? 'w'
			         : i < NUM_W + NUM_D ? 'd'
			                             : 'p',
			         i < NUM_W           ? i
			         : i < NUM_W + NUM_D ? i - NUM_W
			                             : i - NUM_W - NUM_D,
			         (unsigned long long)out[t][i], (unsigned long long)want);
			return false;
		}
	}
	return true;
}

static bool try_one(uint64_t seed, bool print)
{
	struct program *p = program_new(seed, 6 + (unsigned)(mix(seed) % 24));
	char *text = malloc(TEXT_BYTES), *few = malloc(TEXT_BYTES), why[1024];
	static uint64_t in[Threads][Words], out[Threads][Words];
	bool good = true;
	program_print(p, text, TEXT_BYTES);
	/* the same with .maxnreg, placed between the parameters and the body */
	snprintf(few, TEXT_BYTES, "%.*s\n.maxnreg 16\n%s", (int)(strstr(text, "{\n") - text), text,
	         strstr(text, "{\n"));
	for (unsigned t = 0; t < Threads; t++)
		for (unsigned i = 0; i < Words; i++)
			in[t][i] = input(seed, t, i);
	for (unsigned variant = 0; variant < 2 + NUM_ARCHS && good; variant++) {
		struct run_setup s = {.ptx = variant == 2 ? few : text,
		                      .arch = all_archs[variant < 3 ? 0 : variant - 2],
		                      .opt = variant == 0 ? 0 : 2,
		                      .grid = 1,
		                      .block = Threads,
		                      .nbufs = 2,
		                      .buf = {{in, sizeof in}, {out, sizeof out}}};

		memset(out, 0, sizeof out);
		good = run_ptx(&s, why, sizeof why) && same(seed, p, out, why, sizeof why);
		if (!good)
			printf("seed %llu %s: %s\n", (unsigned long long)seed,
			       variant == 0   ? "-O0"
			       : variant == 1 ? "-O2"
			       : variant == 2 ? "-O2 with 16 registers"
			                      : "-O2 for another architecture",
			       why);
	}
	if (!good || print)
		printf("%s", print ? text : "");
	program_free(p);
	free(text);
	free(few);
	return good;
}

int main(int argc, char **argv)
{
	unsigned long long seed = 1, count = 200, failed = 0;
	bool print = false;
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--print") == 0)
			print = true;
		else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc)
			seed = strtoull(argv[++i], NULL, 0);
		else if (strcmp(argv[i], "--count") == 0 && i + 1 < argc)
			count = strtoull(argv[++i], NULL, 0);
		else {
			fprintf(stderr, "usage: wlcc_random_test [--count N] [--seed S] [--print]\n");
			return 2;
		}
	}
	for (unsigned long long k = 0; k < count; k++)
		failed += !try_one(seed + k, print);
	if (failed)
		printf("repeat one with: build/test/wlcc_random_test --count 1 --seed SEED --print\n");
	printf("%llu passed, %llu failed\n", count - failed, failed);
	return failed != 0;
}
