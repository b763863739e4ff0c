// SPDX-License-Identifier: Apache-2.0
/* leak_test.c -- a process with repeated calls of the driver does not grow.
 *
 *   leak_test [COUNT [NAME]]    each row, or the row NAME, COUNT times (10000)
 *
 * A row makes objects and gives the objects back. Memory after one part in a hundred of the rounds is compared with the
 * end. The resident memory may grow by 1 MiB, the heap in use by 4 KiB. 100000 launches are compared from the 1000th
 * on. */
#include <inttypes.h>
#include <malloc.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../common/sanitized.h"
#include "driver_api.h"

CUresult cuLinkCreate_v2(unsigned, int *, void **, void **);
CUresult cuLinkAddData_v2(void *, int, void *, size_t, const char *, unsigned, const int *, void **);
CUresult cuLinkComplete(void *, void **, size_t *);
CUresult cuLinkDestroy(void *);

enum { RESIDENT = 1 << 20, HEAP = 1 << 12, PTX_INPUT = 1 };

static void *cubin, *context[2], *count;
static uint64_t to;

#define TRY(call)                                                                                                      \
	do {                                                                                                           \
		const CUresult r_ = (call);                                                                            \
		if (r_)                                                                                                \
			return r_;                                                                                     \
	} while (0)

/* ---- the rows: one round each ---- */

static CUresult launch_in(void *stream)
{
	void *params[] = {&to};
	return cuLaunchKernel(count, 1, 1, 1, 1, 1, 1, 0, stream, params, NULL);
}

static CUresult round_launch(void)
{
	return launch_in(NULL);
}

static CUresult round_module(void)
{
	void *m, *f;
	TRY(cuModuleLoadData(&m, cubin));
	TRY(cuModuleGetFunction(&f, m, "count"));
	void *params[] = {&to};
	TRY(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
	return cuModuleUnload(m);
}

static CUresult round_library(void)
{
	void *l, *k;
	uint64_t at;
	size_t bytes;
	TRY(cuLibraryLoadData(&l, cubin, NULL, NULL, 0, NULL, NULL, 0));
	TRY(cuLibraryGetKernel(&k, l, "count"));
	TRY(cuCtxSetCurrent(context[1])); /* a copy for a second context */
	TRY(cuLibraryGetGlobal(&at, &bytes, l, "total"));
	TRY(cuCtxSetCurrent(context[0]));
	return cuLibraryUnload(l);
}

static CUresult round_stream(void)
{
	void *s;
	TRY(cuStreamCreate(&s, 1));
	TRY(launch_in(s));
	return cuStreamDestroy_v2(s);
}

static CUresult round_event(void)
{
	void *a, *b;
	float ms;
	TRY(cuEventCreate(&a, 0));
	TRY(cuEventCreate(&b, 0));
	TRY(cuEventRecord(a, NULL));
	TRY(cuEventRecord(b, NULL));
	TRY(cuEventElapsedTime(&ms, a, b));
	TRY(cuEventDestroy_v2(a));
	return cuEventDestroy_v2(b);
}

/* Captured over two streams: events hold nodes. */
static CUresult round_graph(void)
{
	void *s[2], *e[2], *g, *x;
	for (unsigned i = 0; i < 2; i++) {
		TRY(cuStreamCreate(&s[i], 1));
		TRY(cuEventCreate(&e[i], 0));
	}
	TRY(cuStreamBeginCapture_v2(s[0], 0));
	TRY(launch_in(s[0]));
	TRY(cuEventRecord(e[0], s[0]));
	TRY(cuStreamWaitEvent(s[1], e[0], 0));
	TRY(cuMemsetD32Async(to, 1, 1, s[1]));
	TRY(cuEventRecord(e[1], s[1]));
	TRY(cuStreamWaitEvent(s[0], e[1], 0));
	TRY(cuStreamEndCapture(s[0], &g));
	TRY(cuGraphInstantiateWithFlags(&x, g, 0));
	TRY(cuGraphLaunch(x, s[0]));
	TRY(cuGraphExecDestroy(x));
	TRY(cuGraphDestroy(g));
	for (unsigned i = 0; i < 2; i++) {
		TRY(cuStreamDestroy_v2(s[i]));
		TRY(cuEventDestroy_v2(e[i]));
	}
	return 0;
}

static CUresult round_memory(void)
{
	uint64_t a, b, c;
	void *h;
	TRY(cuMemAlloc_v2(&a, 3 << 20));
	TRY(cuMemAllocManaged(&b, 5000, 1));
	TRY(cuMemHostAlloc(&h, 100000, 0));
	TRY(cuMemAllocAsync(&c, 700, NULL));
	TRY(cuMemsetD2D8_v2(a, 4096, 7, 1, 768)); /* touched pages go back */
	TRY(cuMemFree_v2(a));
	TRY(cuMemFree_v2(b));
	TRY(cuMemFreeHost(h));
	return cuMemFreeAsync(c, NULL);
}

static CUresult round_array(void)
{
	const struct array_shape s = {100, 10, 0, 1, 4, 0};
	void *a;
	TRY(cuArray3DCreate_v2(&a, &s));
	return cuArrayDestroy(a);
}

/* A context frees the program's leftovers in the context. */
static CUresult round_context(void)
{
	void *c, *m, *f, *s, *e, *a;
	uint64_t at;
	const struct array_shape shape = {100, 0, 0, 1, 1, 0};
	TRY(cuCtxCreate_v2(&c, 0, 0));
	TRY(cuModuleLoadData(&m, cubin));
	TRY(cuModuleGetFunction(&f, m, "count"));
	TRY(cuStreamCreate(&s, 0));
	TRY(cuEventCreate(&e, 0));
	TRY(cuMemAlloc_v2(&at, 1000));
	TRY(cuArray3DCreate_v2(&a, &shape));
	TRY(cuCtxEnablePeerAccess(context[1], 0));
	void *params[] = {&at};
	TRY(cuLaunchCooperativeKernel(f, 1, 1, 1, 1, 1, 1, 0, s, params));
	return cuCtxDestroy_v2(c);
}

static CUresult round_peer(void)
{
	TRY(cuCtxEnablePeerAccess(context[1], 0));
	return cuCtxDisablePeerAccess(context[1]);
}

/* A thread with its own default stream. */
static void *launch_in_thread(void *r)
{
	*(CUresult *)r = cuCtxSetCurrent(context[0]);
	if (!*(CUresult *)r)
		*(CUresult *)r = launch_in((void *)2);
	return NULL;
}

static CUresult round_thread(void)
{
	CUresult r = 0;
	pthread_t id;
	if (pthread_create(&id, NULL, launch_in_thread, &r))
		return 2;
	pthread_join(id, NULL);
	return r;
}

/* ---- the measure ---- */

static const struct row {
	const char *name;
	CUresult (*round)(void);
	unsigned share; /* divisor of the count, for slow rounds */
} rows[] = {{"launch", round_launch, 1}, {"module", round_module, 1}, {"library", round_library, 5},
            {"stream", round_stream, 1}, {"event", round_event, 1},   {"graph", round_graph, 1},
            {"memory", round_memory, 5}, {"array", round_array, 1},   {"context", round_context, 5},
            {"peer", round_peer, 1},     {"thread", round_thread, 5}};

static int64_t resident(void)
{
	long pages = 0, all;
	FILE *f = fopen("/proc/self/statm", "r");
	if (f && fscanf(f, "%ld %ld", &all, &pages) != 2)
		pages = 0;
	if (f)
		fclose(f);
	return (int64_t)pages * sysconf(_SC_PAGESIZE);
}

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool run(const struct row *row, uint64_t n)
{
	int64_t pages = 0, heap = 0;
	const double began = now();
	for (uint64_t i = 0; i < n; i++) {
		if (i == n / 100) {
			pages = resident();
			heap = (int64_t)mallinfo2().uordblks;
		}
		const CUresult r = row->round();
		if (r) {
			printf("FAIL: %s: round %" PRIu64 ": result %d\n", row->name, i, r);
			return false;
		}
	}
	pages = resident() - pages;
	heap = (int64_t)mallinfo2().uordblks - heap;
#if SANITIZED
	pages = heap = 0; /* freed memory is kept aside */
#endif
	const bool good = pages <= RESIDENT && heap <= HEAP;
	printf("%-8s %7" PRIu64 " times, %5.1f us each, resident %+" PRId64 " KiB, heap %+" PRId64 " bytes%s\n",
	       row->name, n, (now() - began) * 1e6 / (double)n, pages / 1024, heap, good ? "" : "  FAIL");
	return good;
}

/* PTX is compiled once: the rows measure loading. */
static CUresult start(void)
{
	void *linker, *out, *module;
	size_t size;
	TRY(cuInit(0));
	for (int d = 0; d < 2; d++)
		TRY(cuDevicePrimaryCtxRetain(&context[d], d));
	TRY(cuCtxSetCurrent(context[0]));
	TRY(cuLinkCreate_v2(0, NULL, NULL, &linker));
	TRY(cuLinkAddData_v2(linker, PTX_INPUT, (void *)(uintptr_t)ptx, sizeof ptx, "count", 0, NULL, NULL));
	TRY(cuLinkComplete(linker, &out, &size));
	cubin = malloc(size);
	if (!cubin)
		return 2;
	memcpy(cubin, out, size);
	TRY(cuLinkDestroy(linker));
	TRY(cuModuleLoadData(&module, cubin));
	TRY(cuModuleGetFunction(&count, module, "count"));
	return cuMemAlloc_v2(&to, 4);
}

int main(int argc, char **argv)
{
	const uint64_t n = argc > 1 ? strtoull(argv[1], NULL, 0) : 10000;
	const char *name = argc > 2 ? argv[2] : NULL;
	unsigned good = 0, bad = 0;
	setenv("WARPLOCK_DEVICES", "2", 1);
	unsetenv("CUDA_VISIBLE_DEVICES");
	const CUresult r = n < 1000 ? 1 : start();
	if (r) {
		printf("FAIL: start: result %d, or a count below 1000\n", r);
		return 1;
	}
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
		if (!name || strcmp(name, rows[i].name) == 0) {
			const bool passed = run(&rows[i], n / rows[i].share);
			good += passed;
			bad += !passed;
		}
	free(cubin);
	printf("%u passed, %u failed\n", good, bad);
	return bad || !good;
}
