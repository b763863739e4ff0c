// SPDX-License-Identifier: Apache-2.0
/* driver_speed_test.c -- cost of the driver: a launch, the load of a cubin of 1 MB, a copy.
 *
 *   driver_speed_test
 *
 * Times are of the CPU, the best of five. Limits: a launch LAUNCH_MOST times a memset of 1 MiB in the same run, as
 * machines differ by more than a limit in us allows; 30 ms a load; twice the time of memcpy a copy.
 * Prints the numbers, and 'N passed, N failed'. Under a sanitizer the limits are off. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../common/sanitized.h"
#include "driver_api.h"

CUresult cuFuncLoad(void *);
CUresult cuLinkCreate_v2(unsigned, int *, void **, void **);
CUresult cuLinkAddData_v2(void *, int, void *, size_t, const char *, unsigned, const int *, void **);
CUresult cuLinkComplete(void *, void **, size_t *);
CUresult cuLinkDestroy(void *);

enum {
	KERNELS = 56,
	INSTRUCTIONS = 500,
	LAUNCHES = 4000,
	BYTES = 64 << 20,
	PTX_INPUT = 1,
	ROUNDS = 5,
	LAUNCH_MOST = 6
};

static unsigned good, bad;

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void must(CUresult r, const char *what)
{
	if (!r)
		return;
	printf("%s: result %d\n", what, r);
	exit(1);
}
#define MUST(call) must(call, #call)

static void judge(double value, double most, const char *unit, const char *what)
{
#if SANITIZED
	const int fits = 1;
#else
	const int fits = value <= most;
#endif
	good += fits != 0;
	bad += !fits;
	printf("%8.2f %-10s at most %.0f  %s\n", value, unit, most, what);
}

/* Seconds of a memset of 1 MiB. */
static double yardstick(void)
{
	static unsigned char room[1 << 20];
	double best = 1e9;
	for (unsigned k = 0; k < ROUNDS; k++) {
		const double began = now();
		for (unsigned i = 0; i < 400; i++) {
			memset(room, (int)i, sizeof room);
			__asm__ volatile("" : : "r"(room) : "memory");
		}
		const double each = (now() - began) / 400;
		best = each < best ? each : best;
	}
	return best;
}

static void launches(void)
{
	void *module, *count;
	uint64_t to;
	double best = 1e9;
	MUST(cuModuleLoadData(&module, ptx));
	MUST(cuModuleGetFunction(&count, module, "count"));
	MUST(cuMemAlloc_v2(&to, 4));
	void *params[] = {&to};
	for (unsigned k = 0; k < ROUNDS; k++) {
		const double began = now();
		for (unsigned i = 0; i < LAUNCHES; i++)
			MUST(cuLaunchKernel(count, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
		const double each = (now() - began) / LAUNCHES;
		best = each < best ? each : best;
	}
	printf("%8.2f us a launch\n", best * 1e6);
	judge(best / yardstick(), LAUNCH_MOST, "x 1 MiB", "a launch, against a memset of 1 MiB");
}

/* Kernels with long bodies. */
static char *many_kernels(void)
{
	char *text = malloc((size_t)KERNELS * (INSTRUCTIONS * 64 + 400) + 100), *at = text;
	if (!text)
		exit(2);
	at += sprintf(at, ".version 8.0\n.target sm_90\n.address_size 64\n");
	for (unsigned k = 0; k < KERNELS; k++) {
		at += sprintf(at,
		              ".visible .entry k%u(.param .u64 p)\n{\n.reg .b32 %%r<3>;\n.reg .b64 %%d;\n"
		              "ld.param.u64 %%d, [p];\nld.global.u32 %%r1, [%%d];\nld.global.u32 %%r2, [%%d+4];\n",
		              k);
		for (unsigned i = 0; i < INSTRUCTIONS; i++)
			at += sprintf(at, "mad.lo.u32 %%r1, %%r1, %%r2, %%r1;\nxor.b32 %%r2, %%r2, %%r1;\n");
		at += sprintf(at, "st.global.u32 [%%d], %%r1;\nret;\n}\n");
	}
	return text;
}

static void loads(void)
{
	void *linker, *cubin, *module, *kernel;
	size_t bytes;
	double best[2] = {1e9, 1e9};
	char *text = many_kernels(), what[80];
	MUST(cuLinkCreate_v2(0, NULL, NULL, &linker));
	MUST(cuLinkAddData_v2(linker, PTX_INPUT, text, strlen(text) + 1, "many", 0, NULL, NULL));
	MUST(cuLinkComplete(linker, &cubin, &bytes));
	for (unsigned k = 0; k < ROUNDS; k++) {
		const double began = now();
		MUST(cuModuleLoadData(&module, cubin));
		const double loaded = now();
		for (unsigned i = 0; i < KERNELS; i++) {
			snprintf(what, sizeof what, "k%u", i);
			MUST(cuModuleGetFunction(&kernel, module, what));
			MUST(cuFuncLoad(kernel));
		}
		const double each[2] = {loaded - began, now() - began};
		for (unsigned i = 0; i < 2; i++)
			best[i] = each[i] < best[i] ? each[i] : best[i];
		MUST(cuModuleUnload(module));
	}
	snprintf(what, sizeof what, "the load of a cubin of %zu bytes", bytes);
	judge(best[0] * 1e3, 30, "ms", what);
	snprintf(what, sizeof what, "the same, with its %d kernels", KERNELS);
	judge(best[1] * 1e3, 30, "ms", what);
	if (bytes < 1000000) {
		printf("the cubin has %zu bytes, expected 1000000\n", bytes);
		bad++;
	}
	MUST(cuLinkDestroy(linker));
	free(text);
}

static void copies(void)
{
	char *from = malloc(BYTES), *to = malloc(BYTES);
	uint64_t device;
	double best[3] = {1e9, 1e9, 1e9};
	if (!from || !to)
		exit(2);
	memset(from, 1, BYTES);
	memset(to, 2, BYTES);
	MUST(cuMemAlloc_v2(&device, BYTES));
	MUST(cuMemcpyHtoD_v2(device, from, BYTES));
	for (unsigned k = 0; k < ROUNDS; k++) {
		const double a = now();
		memcpy(to, from, BYTES);
		__asm__ volatile("" ::: "memory");
		const double b = now();
		MUST(cuMemcpyHtoD_v2(device, from, BYTES));
		const double c = now();
		MUST(cuMemcpyDtoH_v2(to, device, BYTES));
		const double each[3] = {b - a, c - b, now() - c};
		for (unsigned i = 0; i < 3; i++)
			best[i] = each[i] < best[i] ? each[i] : best[i];
	}
	judge(best[1] / best[0], 2, "x memcpy", "a copy to the device");
	judge(best[2] / best[0], 2, "x memcpy", "a copy to the host");
	MUST(cuMemFree_v2(device));
	free(from);
	free(to);
}

int main(void)
{
	void *context;
	setenv("WARPLOCK_ARCH", "sm_90", 1);
	MUST(cuInit(0));
	MUST(cuCtxCreate_v2(&context, 0, 0));
	launches();
	loads();
	copies();
	printf("%u passed, %u failed\n", good, bad);
	return bad != 0;
}
