// SPDX-License-Identifier: Apache-2.0
/* devices_test.c -- several devices (WARPLOCK_DEVICES): contexts, memory, access of peers, streams and events of a
 * context, libraries, threads. Results: CUDA Driver API reference, and the CUDA C++ Programming Guide, "Multi-Device
 * System". */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver_api.h"

enum {
	OK,
	INVALID_VALUE = 1,
	INVALID_DEVICE = 101,
	INVALID_CONTEXT = 201,
	PEER_UNSUPPORTED = 217,
	INVALID_HANDLE = 400,
	ILLEGAL_ADDRESS = 700,
	ALREADY_ENABLED = 704,
	NOT_ENABLED = 705
};
enum { DEVICES = 3 };

static unsigned good, bad;
static void *context[DEVICES], *module[DEVICES], *count[DEVICES];

#define EXPECT(call, expected)                                                                                         \
	do {                                                                                                           \
		const CUresult got_ = (call);                                                                          \
		if (got_ == (expected))                                                                                \
			good++;                                                                                        \
		else                                                                                                   \
			bad++, printf("FAIL: line %d: " #call ": result %d, expected %d\n", __LINE__, got_, expected); \
	} while (0)
#define TRUE(condition)                                                                                                \
	do {                                                                                                           \
		if (condition)                                                                                         \
			good++;                                                                                        \
		else                                                                                                   \
			bad++, printf("FAIL: line %d: " #condition "\n", __LINE__);                                    \
	} while (0)

static void use(int device)
{
	EXPECT(cuCtxSetCurrent(context[device]), OK);
}

static CUresult launch(void *f, uint64_t to, void *stream)
{
	void *params[] = {&to};
	return cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, stream, params, NULL);
}

static uint32_t number(uint64_t at)
{
	uint32_t v = UINT32_MAX;
	EXPECT(cuMemcpyDtoH_v2(&v, at, sizeof v), OK);
	return v;
}

/* ---- devices and their contexts ---- */

static void check_devices(void)
{
	int n = 0, device, bus[DEVICES], value = 0, active;
	unsigned flags;
	unsigned char uuid[DEVICES][16];
	char id[32], other[32];
	EXPECT(cuDeviceGetCount(&n), OK);
	TRUE(n == DEVICES);
	EXPECT(cuDeviceGet(&device, DEVICES), INVALID_DEVICE);
	EXPECT(cuDeviceGet(&device, -1), INVALID_DEVICE);
	EXPECT(cuDeviceGetAttribute(&value, 16, DEVICES), INVALID_DEVICE);
	EXPECT(cuDevicePrimaryCtxRetain(&context[0], DEVICES), INVALID_DEVICE);
	for (int d = 0; d < DEVICES; d++) {
		EXPECT(cuDeviceGet(&device, d), OK);
		TRUE(device == d);
		EXPECT(cuDeviceGetAttribute(&bus[d], 33, d), OK);
		EXPECT(cuDeviceGetUuid_v2(uuid[d], d), OK);
		EXPECT(cuDeviceGetPCIBusId(id, sizeof id, d), OK);
		EXPECT(cuDeviceGetByPCIBusId(&device, id), OK);
		TRUE(device == d);
		EXPECT(cuDevicePrimaryCtxGetState(d, &flags, &active), OK);
		TRUE(!active);
		EXPECT(cuDevicePrimaryCtxRetain(&context[d], d), OK);
		EXPECT(cuDevicePrimaryCtxGetState(d, &flags, &active), OK);
		TRUE(active);
		use(d);
		EXPECT(cuCtxGetDevice(&device), OK);
		TRUE(device == d);
		for (int k = 0; k < d; k++) {
			TRUE(bus[k] != bus[d] && memcmp(uuid[k], uuid[d], 16) != 0 && context[k] != context[d]);
			EXPECT(cuDeviceGetPCIBusId(other, sizeof other, k), OK);
			TRUE(strcmp(id, other) != 0);
		}
	}
	EXPECT(cuDeviceGetByPCIBusId(&device, "0000:77:00.0"), INVALID_DEVICE);
	EXPECT(cuDeviceGetByPCIBusId(&device, "nonsense"), INVALID_VALUE);
	void *own;
	EXPECT(cuCtxCreate_v2(&own, 0, DEVICES), INVALID_DEVICE);
	EXPECT(cuCtxCreate_v2(&own, 0, 2), OK);
	EXPECT(cuCtxGetDevice(&device), OK);
	TRUE(device == 2);
	EXPECT(cuCtxDestroy_v2(own), OK);
}

/* ---- memory of each device, and of all ---- */

static void check_memory(void)
{
	size_t left[DEVICES], now, all;
	uint64_t at[DEVICES], managed;
	int ordinal;
	for (int d = 0; d < DEVICES; d++) {
		use(d);
		EXPECT(cuMemGetInfo_v2(&left[d], &all), OK);
		EXPECT(cuDeviceTotalMem_v2(&now, d), OK);
		TRUE(now == all);
	}
	for (int d = 0; d < DEVICES; d++) {
		use(d);
		EXPECT(cuMemAlloc_v2(&at[d], 1000 << d), OK);
		EXPECT(cuPointerGetAttribute(&ordinal, 9, at[d]), OK);
		TRUE(ordinal == d);
		for (int k = 0; k < d; k++)
			TRUE(at[k] + (1000 << k) <= at[d] || at[d] + (1000 << d) <= at[k]);
	}
	for (int d = 0; d < DEVICES; d++) {
		use(d);
		EXPECT(cuMemGetInfo_v2(&now, &all), OK);
		TRUE(left[d] - now == (size_t)1000 << d);
	}
	use(0);
	EXPECT(cuMemAllocManaged(&managed, 4, 1), OK);
	EXPECT(cuMemsetD32Async(managed, 0, 1, NULL), OK);
	for (int d = 0; d < DEVICES; d++) {
		use(d);
		EXPECT(launch(count[d], managed, NULL), OK);
	}
	TRUE(*(volatile uint32_t *)(uintptr_t)managed == DEVICES);
	EXPECT(cuMemFree_v2(managed), OK);
	void *host;
	EXPECT(cuMemHostAlloc(&host, 4, 0), OK);
	*(uint32_t *)host = 10;
	use(0);
	EXPECT(launch(count[0], (uintptr_t)host, NULL), OK);
	TRUE(*(volatile uint32_t *)host == 11);
	EXPECT(cuMemFreeHost(host), OK);
	EXPECT(cuDevicePrimaryCtxReset_v2(1), OK); /* the memory of device 1 goes, the other memory stays */
	use(1);
	EXPECT(cuModuleLoadData(&module[1], ptx), OK);
	EXPECT(cuModuleGetFunction(&count[1], module[1], "count"), OK);
	EXPECT(cuMemGetInfo_v2(&now, &all), OK);
	EXPECT(cuMemFree_v2(at[1]), INVALID_VALUE);
	EXPECT(cuMemFree_v2(at[2]), OK); /* from any context */
	EXPECT(cuMemFree_v2(at[0]), OK);
}

/* ---- peers ---- */

static void check_peers(void)
{
	int can = -1, value = -1;
	uint64_t at[2];
	EXPECT(cuDeviceCanAccessPeer(&can, 0, 1), OK);
	TRUE(can == 1);
	EXPECT(cuDeviceCanAccessPeer(&can, 1, 1), OK);
	TRUE(can == 0);
	EXPECT(cuDeviceCanAccessPeer(&can, 0, DEVICES), INVALID_DEVICE);
	EXPECT(cuDeviceGetP2PAttribute(&value, 2, 0, 1), OK);
	TRUE(value == 1);
	EXPECT(cuDeviceGetP2PAttribute(&value, 2, 1, 1), INVALID_DEVICE);
	EXPECT(cuDeviceGetP2PAttribute(&value, 0, 0, 1), INVALID_VALUE);
	for (int d = 0; d < 2; d++) {
		use(d);
		EXPECT(cuMemAlloc_v2(&at[d], 4), OK);
		EXPECT(cuMemsetD32Async(at[d], 100 * d, 1, NULL), OK);
	}
	/* Copies need no access. */
	EXPECT(cuMemcpyPeer(at[0], context[0], at[1], context[1], 4), OK);
	TRUE(number(at[0]) == 100);
	EXPECT(cuMemcpyPeer(at[0], context[1], at[1], context[1], 4), INVALID_VALUE);
	EXPECT(cuMemcpyPeer(at[0], (void *)(uintptr_t)8, at[1], context[1], 4), INVALID_CONTEXT);
	EXPECT(cuMemcpyDtoDAsync_v2(at[1], at[0], 4, NULL), OK);
	/* Kernels need access, in one direction. */
	use(0);
	EXPECT(cuCtxDisablePeerAccess(context[1]), NOT_ENABLED);
	EXPECT(cuCtxEnablePeerAccess(context[1], 1), INVALID_VALUE);
	EXPECT(cuCtxEnablePeerAccess(context[0], 0), INVALID_CONTEXT);
	EXPECT(cuCtxEnablePeerAccess(NULL, 0), INVALID_CONTEXT);
	EXPECT(cuCtxEnablePeerAccess(context[1], 0), OK);
	EXPECT(cuCtxEnablePeerAccess(context[1], 0), ALREADY_ENABLED);
	EXPECT(launch(count[0], at[1], NULL), OK);
	EXPECT(cuCtxSynchronize(), OK);
	TRUE(number(at[1]) == 101);
	use(1);
	EXPECT(launch(count[1], at[0], NULL), OK);
	EXPECT(cuCtxSynchronize(), ILLEGAL_ADDRESS);
	use(0);
	EXPECT(cuCtxSynchronize(), OK); /* the fault stays in the faulting context */
	TRUE(number(at[0]) == 100);
	EXPECT(cuCtxDisablePeerAccess(context[1]), OK);
	EXPECT(launch(count[0], at[1], NULL), OK);
	EXPECT(cuCtxSynchronize(), ILLEGAL_ADDRESS);
	for (int d = 0; d < 2; d++) {
		EXPECT(cuDevicePrimaryCtxReset_v2(d), OK);
		use(d);
		EXPECT(cuModuleLoadData(&module[d], ptx), OK);
		EXPECT(cuModuleGetFunction(&count[d], module[d], "count"), OK);
	}
	void *same;
	EXPECT(cuCtxCreate_v2(&same, 0, 1), OK);
	EXPECT(cuCtxEnablePeerAccess(context[1], 0), PEER_UNSUPPORTED);
	EXPECT(cuCtxDestroy_v2(same), OK);
}

/* ---- pools: the pool decides on access ---- */

static void check_pools(void)
{
	void *pool, *other;
	uint64_t at;
	int flags = -1;
	const int device1[] = {1, 1, 3}, none1[] = {1, 1, 0}, none0[] = {1, 0, 0}, device9[] = {1, 9, 3};
	EXPECT(cuDeviceGetDefaultMemPool(&pool, 0), OK);
	EXPECT(cuDeviceGetDefaultMemPool(&other, 1), OK);
	TRUE(pool != other);
	EXPECT(cuMemPoolGetAccess(&flags, pool, device1), OK);
	TRUE(flags == 0);
	EXPECT(cuMemPoolSetAccess(pool, device9, 1), INVALID_DEVICE);
	EXPECT(cuMemPoolSetAccess(pool, none0, 1), INVALID_DEVICE);
	EXPECT(cuMemPoolSetAccess(pool, device1, 1), OK);
	EXPECT(cuMemPoolGetAccess(&flags, pool, device1), OK);
	TRUE(flags == 3);
	use(1);
	EXPECT(cuMemAllocFromPoolAsync(&at, 4, pool, NULL), OK);
	EXPECT(cuPointerGetAttribute(&flags, 9, at), OK);
	TRUE(flags == 0);
	EXPECT(cuMemsetD32Async(at, 5, 1, NULL), OK);
	EXPECT(launch(count[1], at, NULL), OK);
	EXPECT(cuCtxSynchronize(), OK);
	TRUE(number(at) == 6);
	EXPECT(cuMemPoolSetAccess(pool, none1, 1), OK);
	EXPECT(launch(count[1], at, NULL), OK);
	EXPECT(cuCtxSynchronize(), ILLEGAL_ADDRESS);
	EXPECT(cuDevicePrimaryCtxReset_v2(1), OK);
	use(1);
	EXPECT(cuMemAllocAsync(&at, 4, NULL), OK);
	EXPECT(cuPointerGetAttribute(&flags, 9, at), OK);
	TRUE(flags == 1);
	EXPECT(cuMemFreeAsync(at, NULL), OK);
	EXPECT(cuModuleLoadData(&module[1], ptx), OK);
	EXPECT(cuModuleGetFunction(&count[1], module[1], "count"), OK);
}

/* ---- streams and events belong to a context ---- */

static void check_streams(void)
{
	void *stream[2], *event[2], *later[2];
	uint64_t at[2];
	uint32_t seven = 7;
	int device;
	float ms;
	for (int d = 0; d < 2; d++) {
		use(d);
		EXPECT(cuStreamCreate(&stream[d], 0), OK);
		EXPECT(cuEventCreate(&event[d], 0), OK);
		EXPECT(cuEventCreate(&later[d], 0), OK);
		EXPECT(cuMemAlloc_v2(&at[d], 4), OK);
		EXPECT(cuEventRecord(event[d], stream[d]), OK);
		EXPECT(cuEventRecord(later[d], stream[d]), OK);
	}
	use(0);
	EXPECT(cuStreamGetDevice(stream[1], &device), OK);
	TRUE(device == 1);
	EXPECT(launch(count[0], at[0], stream[1]), INVALID_HANDLE);
	EXPECT(launch(count[1], at[1], NULL), INVALID_HANDLE);
	EXPECT(launch(count[1], at[1], stream[0]), INVALID_HANDLE);
	EXPECT(launch(count[0], at[0], stream[0]), OK);
	EXPECT(cuMemcpyHtoDAsync_v2(at[0], &seven, 4, stream[1]), OK); /* a copy may */
	TRUE(number(at[0]) == 7);
	EXPECT(cuEventRecord(event[0], stream[1]), INVALID_HANDLE);
	EXPECT(cuEventRecord(event[1], NULL), INVALID_HANDLE);
	EXPECT(cuEventElapsedTime(&ms, event[0], later[1]), INVALID_HANDLE);
	EXPECT(cuEventElapsedTime(&ms, event[1], later[1]), OK);
	EXPECT(cuEventQuery(event[1]), OK);
	EXPECT(cuEventSynchronize(event[1]), OK);
	EXPECT(cuStreamWaitEvent(stream[0], event[1], 0), OK); /* across devices */
	EXPECT(cuStreamSynchronize(stream[1]), OK);
	for (int d = 0; d < 2; d++) {
		EXPECT(cuStreamDestroy_v2(stream[d]), OK);
		EXPECT(cuEventDestroy_v2(event[d]), OK);
		EXPECT(cuEventDestroy_v2(later[d]), OK);
		EXPECT(cuMemFree_v2(at[d]), OK);
	}
}

/* ---- a kernel of a library runs on the stream's device; each device has variables of its own ---- */

static void check_libraries(void)
{
	void *library, *kernel;
	uint64_t at[DEVICES], total[DEVICES];
	size_t bytes;
	use(0);
	EXPECT(cuLibraryLoadData(&library, ptx, NULL, NULL, 0, NULL, NULL, 0), OK);
	EXPECT(cuLibraryGetKernel(&kernel, library, "count"), OK);
	for (int d = 0; d < DEVICES; d++) {
		use(d);
		EXPECT(cuMemAlloc_v2(&at[d], 4), OK);
		EXPECT(cuMemsetD32Async(at[d], 0, 1, NULL), OK);
		for (int i = 0; i <= d; i++)
			EXPECT(launch(kernel, at[d], NULL), OK);
		EXPECT(cuCtxSynchronize(), OK);
		EXPECT(cuLibraryGetGlobal(&total[d], &bytes, library, "total"), OK);
	}
	for (int d = 0; d < DEVICES; d++) {
		TRUE(number(at[d]) == (uint32_t)d + 1);
		TRUE(number(total[d]) == (uint32_t)d + 1);
		EXPECT(cuMemFree_v2(at[d]), OK);
	}
	EXPECT(cuDevicePrimaryCtxReset_v2(2), OK);
	use(2);
	EXPECT(cuLibraryGetGlobal(&total[2], &bytes, library, "total"), OK); /* loaded anew */
	TRUE(number(total[2]) == 0);
	EXPECT(cuLibraryUnload(library), OK);
	EXPECT(launch(kernel, total[2], NULL), INVALID_HANDLE);
}

/* ---- threads: a context is current in one thread ---- */

enum { ROUNDS = 50 };
static void *run_thread(void *self)
{
	const int d = *(int *)self;
	uint64_t at;
	uint32_t got = 0;
	uintptr_t wrong = cuCtxSetCurrent(context[d]) || cuMemAlloc_v2(&at, 4) || cuMemsetD32Async(at, 0, 1, NULL);
	for (int i = 0; i < ROUNDS && !wrong; i++)
		wrong = launch(count[d], at, NULL);
	wrong = wrong || cuMemcpyDtoH_v2(&got, at, 4) || got != ROUNDS || cuMemFree_v2(at);
	return (void *)wrong;
}

static void check_threads(void)
{
	pthread_t thread[2];
	int which[2] = {0, 1};
	void *wrong;
	for (int d = 0; d < 2; d++)
		TRUE(!pthread_create(&thread[d], NULL, run_thread, &which[d]));
	for (int d = 0; d < 2; d++)
		TRUE(!pthread_join(thread[d], &wrong) && !wrong);
}

/* A cooperative launch has memory in the context. A reset takes the memory, and the next launch allocates again. */
static void check_reset(void)
{
	for (int i = 0; i < 2; i++) {
		uint64_t at;
		void *params[] = {&at};
		use(0);
		EXPECT(cuModuleLoadData(&module[0], ptx), OK);
		EXPECT(cuModuleGetFunction(&count[0], module[0], "count"), OK);
		EXPECT(cuMemAlloc_v2(&at, 4), OK);
		EXPECT(cuLaunchCooperativeKernel(count[0], 1, 1, 1, 1, 1, 1, 0, NULL, params), OK);
		EXPECT(cuDevicePrimaryCtxReset_v2(0), OK);
	}
	use(1);
	for (int d = 0; d < DEVICES; d++)
		EXPECT(cuDevicePrimaryCtxRelease_v2(d), OK);
	EXPECT(cuDevicePrimaryCtxRelease_v2(0), INVALID_CONTEXT);
}

int main(void)
{
	setenv("WARPLOCK_DEVICES", "3", 1);
	unsetenv("CUDA_VISIBLE_DEVICES");
	setenv("WARPLOCK_MEMORY_GIB", "1", 1);
	EXPECT(cuInit(0), OK);
	check_devices();
	for (int d = 0; d < DEVICES; d++) {
		use(d);
		EXPECT(cuModuleLoadData(&module[d], ptx), OK);
		EXPECT(cuModuleGetFunction(&count[d], module[d], "count"), OK);
	}
	check_memory();
	check_peers();
	check_pools();
	check_streams();
	check_threads();
	check_libraries();
	check_reset();
	printf("%u passed, %u failed\n", good, bad);
	return bad != 0;
}
