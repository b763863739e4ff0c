// SPDX-License-Identifier: Apache-2.0
/* bench_cubin -- warp instructions a second of the C model on code of ptxas, run as by wlrun.
 *
 *   bench_cubin FILE.cubin     the kernel `bench` of bench_cubin.cu: 8 warps, the program linked and decoded once
 *
 * First compares the results of a run with the host's. Then prints `cubin_warp_instr_per_s VALUE`, the best of several
 * runs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "warplock/object.h"
#include "warplock/sm.h"

enum { Threads = 256, Runs = 20 };

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void fail(const char *what)
{
	fprintf(stderr, "bench_cubin: %s\n", what);
	exit(1);
}

static uint32_t input(uint32_t i)
{
	return 2654435761u * (i + 1);
}

static uint32_t *run(const struct wl_program *p, uint32_t turns, double *seconds, uint64_t *instructions)
{
	struct wl_gmem mem = {.bytes = 8 * Threads + 512};
	struct wl_config config = wl_config_default();
	uint8_t params[WL_PARAM_MOST] = {0};
	struct wl_launch launch = {.grid = {1, 1, 1}, .block = {Threads, 1, 1}, .params = params};
	uint32_t *out = malloc(4 * Threads);
	struct wl_gpu *gpu;
	char why[300];
	mem.mem = calloc(1, mem.bytes);
	if (!mem.mem || !out)
		fail("out of memory");
	uint64_t to = wl_gmem_add(&mem, 4 * Threads), from = wl_gmem_add(&mem, 4 * Threads);
	for (uint32_t i = 0; i < Threads; i++) {
		uint32_t v = input(i);
		memcpy(wl_gmem_at(&mem, from + 4 * i, 4), &v, 4);
	}
	memcpy(params + p->params[0].offset, &to, 8);
	memcpy(params + p->params[1].offset, &from, 8);
	memcpy(params + p->params[2].offset, &turns, 4);
	config.arch = p->arch;
	if (wl_gpu_create(&config, p, &mem, &launch, &gpu, why, sizeof why) != WL_OK)
		fail(why);
	double start = now();
	if (wl_gpu_run(gpu) != WL_ENDED) {
		wl_gpu_detail(gpu, why, sizeof why);
		fail(why);
	}
	*seconds = now() - start;
	*instructions = wl_gpu_warp_instructions(gpu);
	memcpy(out, wl_gmem_at(&mem, to, 4 * Threads), 4 * Threads);
	wl_gpu_free(gpu);
	free(mem.mem);
	return out;
}

/* One turn adds once to every bin: the atomics return 0 and the bins end at 1. */
static void check(const struct wl_program *p)
{
	double seconds;
	uint64_t n;
	uint32_t *out = run(p, 1, &seconds, &n);
	for (uint32_t t = 0; t < Threads; t++) {
		uint32_t h = input(t), sum;
		h ^= h << 13;
		h ^= h >> 17;
		h ^= h << 5;
		sum = (h & 0xff) * 3 + input(t);
		sum ^= sum & 1 ? 0x5a5a : 0;
		if (out[t] != sum + 1)
			fail("the kernel's results are wrong");
	}
	free(out);
}

int main(int argc, char **argv)
{
	struct wl_program p;
	static unsigned char bytes[1 << 20];
	FILE *f = argc == 2 ? fopen(argv[1], "rb") : NULL;
	size_t size = f ? fread(bytes, 1, sizeof bytes, f) : 0;
	char why[300];
	double best = 0, seconds;
	uint64_t n = 0;
	if (!f) {
		fputs("usage: bench_cubin FILE.cubin\n", stderr);
		return 2;
	}
	fclose(f);
	if (wl_object_load(bytes, size, "bench", &p, why, sizeof why) != WL_OK)
		fail(why);
	check(&p);
	for (unsigned i = 0; i < Runs; i++) {
		free(run(&p, 5000, &seconds, &n));
		best = (double)n / seconds > best ? (double)n / seconds : best;
	}
	wl_program_free(&p);
	printf("cubin_warp_instr_per_s %.0f\n", best);
	printf("best of %d runs of %llu warp instructions of %s\n", Runs, (unsigned long long)n, argv[1]);
	return 0;
}
