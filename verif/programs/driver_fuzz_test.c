// SPDX-License-Identifier: Apache-2.0
/* driver_fuzz_test.c -- calls of the driver with drawn arguments, and many launches.
 *
 *   driver_fuzz_test [CALLS [LAUNCHES [SEED]]]
 *
 * Handles are drawn from live handles, dead handles, small numbers and other addresses; sizes and counts from edges.
 * Two devices: the current context changes. Each result must be in the table. After a reset the contexts must be
 * usable again, with all memory free.
 * Launches: the kernel counts the launches, and the process must not grow. Built with the driver inside, for
 * sanitizers. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../cmodel/libcuda/copy3d.h"
#include "../common/sanitized.h"
#include "driver_api.h"

static uint64_t state = 1;
static uint32_t draw(uint32_t n)
{
	state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (uint32_t)(state >> 33) % n;
}

/* ---- arguments ---- */

enum { POOL = 64, DEVICES = 2 };
static void *primary[DEVICES];
static void *pool[POOL]; /* handles, live and dead */
static uint64_t memory[POOL];
static unsigned char scratch[4096];

static void keep(CUresult r, void *handle)
{
	if (!r)
		pool[draw(POOL)] = handle;
}

static void *handle(void)
{
	switch (draw(10)) {
	case 0:
		return NULL;
	case 1:
		return (void *)(uintptr_t)draw(5);
	case 2:
		return scratch + draw(4096);
	case 3:
		return (void *)(uintptr_t)(0xdead0000u + draw(65536));
	default:
		return pool[draw(POOL)];
	}
}

static uint64_t address(void)
{
	const uint64_t m = memory[draw(POOL)];
	switch (draw(8)) {
	case 0:
		return draw(3);
	case 1:
		return UINT64_MAX - draw(64);
	case 2:
		return UINT64_C(0x200000000000) + draw(1 << 20);
	case 3:
		return m + draw(64);
	default:
		return m;
	}
}

static size_t size(void)
{
	static const size_t edges[] = {0, 1, 4, 16, 255, 256, 4096, 65536, (size_t)1 << 33, SIZE_MAX, SIZE_MAX - 15};
	return edges[draw(sizeof edges / sizeof *edges)];
}

static unsigned small(void)
{
	static const unsigned edges[] = {0, 1, 1, 1, 2, 4, 32, 33, 1024, 1025, 65536, UINT32_MAX};
	return edges[draw(sizeof edges / sizeof *edges)];
}

static size_t small_size(void) /* for copies from and to scratch */
{
	return draw(sizeof scratch + 1);
}

/* ---- one drawn call ---- */

static CUresult launch(void)
{
	uint64_t to = address();
	void *params[] = {&to};
	/* Grids stay small: large grids are legal, and only slow. */
	return cuLaunchKernel(handle(), small() % 70, small() % 3, 1, small(), small() % 3, 1, draw(4) ? 0 : small(),
	                      draw(3) ? NULL : handle(), draw(8) ? params : NULL, NULL);
}

/* Contexts, peers, libraries. */
static CUresult call_context(void)
{
	void *h = NULL;
	uint64_t m;
	size_t n;
	int v;
	CUresult r;
	switch (draw(10)) {
	case 0:
	case 1:
		return cuCtxSetCurrent(primary[draw(DEVICES)]);
	case 2:
		return cuCtxSetCurrent(draw(2) ? handle() : primary[0]);
	case 3:
		return cuCtxEnablePeerAccess(draw(2) ? handle() : primary[draw(DEVICES)], draw(8) == 0);
	case 4:
		return cuCtxDisablePeerAccess(draw(2) ? handle() : primary[draw(DEVICES)]);
	case 5:
		return cuDeviceCanAccessPeer(&v, (int)draw(4) - 1, (int)draw(4) - 1);
	case 6:
		return cuMemcpyPeer(address(), primary[draw(DEVICES)], address(),
		                    draw(8) ? primary[draw(DEVICES)] : handle(), small_size());
	case 7:
		if (draw(10))
			return cuLibraryGetGlobal(&m, &n, handle(), "total");
		r = cuLibraryLoadData(&h, ptx, NULL, NULL, 0, NULL, NULL, 0);
		keep(r, h);
		return r;
	case 8:
		r = cuLibraryGetKernel(&h, handle(), "count");
		keep(r, h);
		return r;
	default:
		return cuLibraryUnload(handle());
	}
}

/* Numbers inside and outside the rules of tensor maps. */
static CUresult call_tensor_map(void)
{
	static _Alignas(128) unsigned char map[256];
	static const uint64_t edges[] = {0, 1, 16, 64, 128, 256, 300, 4096, UINT64_C(1) << 32, UINT64_C(1) << 40};
	uint64_t dims[5], strides[5];
	uint32_t box[5], steps[5];
	int lower[3], upper[3];
	unsigned char *at = draw(8) ? map : draw(2) ? map + 8 : NULL;
	for (unsigned i = 0; i < 5; i++) {
		dims[i] = edges[draw(4) ? 3 + draw(4) : draw(10)];
		strides[i] = edges[draw(4) ? 2 + draw(4) : draw(10)];
		box[i] = draw(8) ? 1u << draw(9) : draw(300);
		steps[i] = draw(8) ? 1 : draw(10);
	}
	for (unsigned i = 0; i < 3; i++) {
		lower[i] = (int)draw(16) - 8;
		upper[i] = draw(8) ? (int)draw(16) - 8 : (int)draw(100000) - 50000;
	}
	const unsigned type = draw(17), rank = draw(7), interleave = draw(4) ? 0 : draw(4), swizzle = draw(8);
	void *to = (void *)(uintptr_t)(draw(8) ? address() & ~UINT64_C(31) : address());
	switch (draw(4)) {
	case 0:
		return cuTensorMapEncodeTiled(at, type, rank, to, dims, strides, box, steps, interleave, swizzle,
		                              draw(5), draw(3));
	case 1:
		return cuTensorMapEncodeIm2col(at, type, rank, to, dims, strides, lower, upper, box[0], box[1], steps,
		                               interleave, swizzle, draw(5), draw(3));
	case 2:
		return cuTensorMapEncodeIm2colWide(at, type, rank, to, dims, strides, lower[0], upper[0], box[0],
		                                   box[1], steps, interleave, draw(3), swizzle, draw(5), draw(3));
	default:
		return cuTensorMapReplaceAddress(at, to);
	}
}

/* One end of a copy in three dimensions. Host memory is scratch; a copy never leaves scratch. */
static void draw_end(int *type, void **host, uint64_t *device, void **array, size_t *x, size_t *y, size_t *z)
{
	*type = (int)draw(5);
	*host = scratch;
	*device = memory[draw(POOL)];
	*array = handle();
	*x = draw(17);
	*y = draw(3);
	*z = draw(3);
	if (*type == 4 && !*device)
		*type = 2;
}

static CUresult copy_volume(void)
{
	struct copy3d c = {.src_pitch = 96, .src_height = 3, .dst_pitch = 96, .dst_height = 3};
	void *from = NULL;
	draw_end(&c.src_type, &from, &c.src_device, &c.src_array, &c.src_x, &c.src_y, &c.src_z);
	draw_end(&c.dst_type, &c.dst_host, &c.dst_device, &c.dst_array, &c.dst_x, &c.dst_y, &c.dst_z);
	c.src_host = from;
	c.width = draw(65);
	c.height = draw(4);
	c.depth = draw(4);
	return cuMemcpy3D_v2(&c);
}

static CUresult call_array(void)
{
	static const int formats[] = {1, 2, 3, 8, 9, 10, 16, 32, 0, 0xb0};
	struct array_shape s = {size(), draw(2) ? 0 : small(), draw(2) ? 0 : small(), formats[draw(10)], draw(6), 0};
	void *h = NULL;
	CUresult r;
	switch (draw(7)) {
	case 0:
	case 1:
		s.flags = draw(3) ? 0 : draw(40);
		r = cuArray3DCreate_v2(&h, &s);
		keep(r, h);
		return r;
	case 2:
		return cuArrayDestroy(handle());
	case 3:
		return cuMemcpyHtoA_v2(handle(), small_size(), scratch, small_size());
	case 4:
		return cuMemcpyAtoH_v2(scratch, handle(), size(), small_size());
	case 5:
		return cuMemcpyAtoA_v2(handle(), size(), handle(), size(), size());
	default:
		return draw(2) ? copy_volume() : cuArray3DGetDescriptor_v2(&s, handle());
	}
}

/* Hints for memory, and the mode of the thread for captures. */
static CUresult call_hint(void)
{
	int mode = (int)draw(4);
	switch (draw(4)) {
	case 0:
		return cuMemAdvise(address(), size(), (int)draw(8), (int)draw(5) - 3);
	case 1:
		return cuMemPrefetchAsync(address(), size(), (int)draw(5) - 3, handle());
	case 2:
		return cuMemRangeGetAttribute(scratch, small_size(), (int)draw(10), address(), size());
	default:
		return cuThreadExchangeStreamCaptureMode(&mode);
	}
}

static CUresult call(void)
{
	void *h = NULL;
	uint64_t m = 0;
	size_t n;
	int v;
	float ms;
	CUresult r;
	switch (draw(46)) {
	case 0:
	case 1:
		r = cuMemAlloc_v2(&m, size());
		break;
	case 2:
		r = cuMemAllocManaged(&m, size(), small());
		break;
	case 3:
		r = cuMemHostAlloc(&h, size(), small());
		m = (uintptr_t)h;
		h = NULL;
		break;
	case 4:
		return cuMemFreeHost((void *)(uintptr_t)address());
	case 5:
	case 6:
		return cuMemFree_v2(address());
	case 7:
		return cuMemcpyHtoD_v2(address(), scratch, small_size());
	case 8:
		return cuMemcpyDtoH_v2(scratch, address(), small_size());
	case 9:
		return cuMemcpyDtoDAsync_v2(address(), address(), size(), handle());
	case 10:
		return cuMemsetD32Async(address(), small(), size(), handle());
	case 11:
		return cuMemsetD2D8_v2(address(), size(), 7, size(), size());
	case 12:
		return cuMemGetAddressRange_v2(&m, &n, address());
	case 13:
		return cuPointerGetAttribute(scratch, (int)draw(30) - 2, address());
	case 14:
		r = cuStreamCreate(&h, small());
		break;
	case 15:
		return cuStreamDestroy_v2(handle());
	case 16:
		return cuStreamSynchronize(handle());
	case 17:
		return cuStreamBeginCapture_v2(handle(), (int)draw(4));
	case 18:
		r = cuStreamEndCapture(handle(), &h);
		break;
	case 19:
		return cuStreamWaitEvent(handle(), handle(), draw(2));
	case 20:
		r = cuEventCreate(&h, draw(9));
		break;
	case 21:
		return cuEventDestroy_v2(handle());
	case 22:
		return cuEventRecord(handle(), handle());
	case 23:
		return cuEventElapsedTime(&ms, handle(), handle());
	case 24:
		r = cuGraphCreate(&h, draw(2));
		break;
	case 25:
		return cuGraphDestroy(handle());
	case 26:
		r = cuGraphClone(&h, handle());
		break;
	case 27: {
		void *deps[] = {handle(), handle()};
		r = cuGraphAddEmptyNode(&h, handle(), deps, draw(3));
		break;
	}
	case 28:
		r = cuGraphAddChildGraphNode(&h, handle(), NULL, 0, handle());
		break;
	case 29:
		r = cuGraphInstantiateWithFlags(&h, handle(), draw(3));
		break;
	case 30:
		return cuGraphLaunch(handle(), handle());
	case 31:
		return cuGraphExecDestroy(handle());
	case 32:
		return cuModuleUnload(handle());
	case 33:
		r = cuModuleGetFunction(&h, handle(), draw(3) ? "count" : "missing");
		break;
	case 34:
		return cuModuleGetGlobal_v2(&m, &n, handle(), draw(3) ? "total" : "missing");
	case 35:
		return cuFuncGetAttribute(&v, (int)draw(20) - 2, handle());
	case 36:
		return cuFuncSetAttribute(handle(), (int)draw(20) - 2, (int)small());
	case 37:
		if (draw(20))
			return cuCtxSynchronize();
		r = cuModuleLoadData(&h, ptx);
		break;
	case 38:
	case 39:
		return call_context();
	case 40:
		return call_tensor_map();
	case 41:
	case 42:
		return call_array();
	case 43:
		return call_hint();
	default:
		return launch();
	}
	keep(r, h ? h : pool[draw(POOL)]);
	if (!r && m)
		memory[draw(POOL)] = m;
	return r;
}

static int fail(const char *what, uint64_t n, CUresult r)
{
	printf("FAIL: %s at %" PRIu64 ": result %d\n", what, n, r);
	return 1;
}

static int fuzz(uint64_t calls)
{
	const char *name;
	uint64_t by_result[1000] = {0};
	for (uint64_t i = 0; i < calls; i++) {
		const CUresult r = call();
		if (r < 0 || r >= 1000 || cuGetErrorName(r, &name))
			return fail("a result of no name", i, r);
		by_result[r]++;
		if (r >= 700 && r < 720 && r != 701 && (cuDevicePrimaryCtxReset_v2(0) || cuDevicePrimaryCtxReset_v2(1)))
			return fail("reset", i, r);
		if (i % 500 == 0)
			keep(cuModuleLoadData(&pool[0], ptx), pool[0]);
	}
	for (unsigned r = 0; r < 1000; r++)
		if (by_result[r] && !cuGetErrorName((CUresult)r, &name))
			printf("%8" PRIu64 "  %s\n", by_result[r], name);
	return !(by_result[0] > calls / 20 && by_result[400] && by_result[1]);
}

/* ---- launches ---- */

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static long resident(void)
{
	long pages = 0, all;
	FILE *f = fopen("/proc/self/statm", "r");
	if (f && fscanf(f, "%ld %ld", &all, &pages) != 2)
		pages = 0;
	if (f)
		fclose(f);
	return pages;
}

static int launches(uint64_t n)
{
	void *module, *count;
	uint64_t to, total;
	uint32_t got[2] = {0};
	size_t bytes, left[2], all;
	long before = 0;
	double began = 0;
	void *params[] = {&to};
	for (int d = DEVICES - 1; d >= 0; d--)
		if (cuCtxSetCurrent(primary[d]) || cuDevicePrimaryCtxReset_v2(d) || cuMemGetInfo_v2(&left[0], &all) ||
		    left[0] != all)
			return fail("memory that a reset leaves", (uint64_t)d, 0);
	if (cuModuleLoadData(&module, ptx) || cuModuleGetFunction(&count, module, "count") || cuMemAlloc_v2(&to, 4) ||
	    cuMemsetD32Async(to, 0, 1, NULL) || cuModuleGetGlobal_v2(&total, &bytes, module, "total") || bytes != 4)
		return fail("start", 0, 0);
	for (uint64_t i = 0; i < n; i++) {
		if (i == n / 10) {
			before = resident();
			began = now();
		}
		const CUresult r = cuLaunchKernel(count, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL);
		if (r)
			return fail("launch", i, r);
	}
	const double us = (now() - began) * 1e6 / (double)(n - n / 10);
	const long grown = resident() - before;
	if (cuMemcpyDtoH_v2(&got[0], to, 4) || cuMemcpyDtoH_v2(&got[1], total, 4) || got[0] != n || got[1] != n)
		return fail("count", got[0], 0);
	printf("%" PRIu64 " launches, %.1f us of CPU each, grown by %ld pages\n", n, us, grown);
	if (cuModuleUnload(module) || cuMemFree_v2(to) || cuMemGetInfo_v2(&left[1], &all) || left[1] != left[0])
		return fail("memory that is left", left[1], 0);
#if SANITIZED
	return 0; /* freed memory is kept aside */
#else
	return grown > 64 ? fail("growth", (uint64_t)grown, 0) : 0;
#endif
}

int main(int argc, char **argv)
{
	const uint64_t calls = argc > 1 ? strtoull(argv[1], NULL, 0) : 20000;
	const uint64_t n = argc > 2 ? strtoull(argv[2], NULL, 0) : 2000;
	setenv("WARPLOCK_DEVICES", "2", 1);
	unsetenv("CUDA_VISIBLE_DEVICES");
	state = argc > 3 ? strtoull(argv[3], NULL, 0) : 1;
	if (cuMemAlloc_v2(&(uint64_t){0}, 4) != 3)
		return fail("a call before cuInit", 0, 0);
	if (cuInit(0) || cuMemAlloc_v2(&(uint64_t){0}, 4) != 201 || cuDevicePrimaryCtxRetain(&primary[0], 0) ||
	    cuDevicePrimaryCtxRetain(&primary[1], 1) || cuCtxSetCurrent(primary[0]))
		return fail("start", 0, 0);
	const int bad = fuzz(calls) + launches(n);
	printf("%d passed, %d failed\n", 2 - bad, bad);
	return bad != 0;
}
