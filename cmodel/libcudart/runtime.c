// SPDX-License-Identifier: Apache-2.0
/* runtime.c -- the start of the runtime, errors, the device. */
#include <stdio.h>
#include <string.h>

#include "runtime.h"

static _Thread_local cudaError_t last;

/* ---- errors ---- */

cudaError_t done(cudaError_t r)
{
	if (r && r != NOT_READY)
		last = r;
	return r;
}

cudaError_t unbuilt(const char *name)
{
	fprintf(stderr, "warplock: %s is not built\n", name);
	return done(NOT_SUPPORTED);
}

API cudaError_t cudaGetLastError(void)
{
	const cudaError_t r = last;
	last = OK;
	return r;
}
API cudaError_t cudaPeekAtLastError(void)
{
	return last;
}

/* Errors of the runtime alone, and those whose name differs from the driver's. */
static const struct {
	cudaError_t number;
	const char *name, *text;
} own[] = {
        {0, "cudaSuccess", "no error"},
        {1, "cudaErrorInvalidValue", "invalid argument"},
        {2, "cudaErrorMemoryAllocation", "out of memory"},
        {3, "cudaErrorInitializationError", "initialization error"},
        {4, "cudaErrorCudartUnloading", "driver shutting down"},
        {9, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
        {12, "cudaErrorInvalidPitchValue", "invalid pitch argument"},
        {13, "cudaErrorInvalidSymbol", "invalid device symbol"},
        {17, "cudaErrorInvalidDevicePointer", "invalid device pointer"},
        {21, "cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"},
        {35, "cudaErrorInsufficientDriver", "CUDA driver version is insufficient for CUDA runtime version"},
        {52, "cudaErrorMissingConfiguration", "a launch without a configuration"},
        {98, "cudaErrorInvalidDeviceFunction", "invalid device function"},
        {100, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
        {101, "cudaErrorInvalidDevice", "invalid device ordinal"},
        {200, "cudaErrorInvalidKernelImage", "device kernel image is invalid"},
        {201, "cudaErrorDeviceUninitialized", "invalid device context"},
        {209, "cudaErrorNoKernelImageForDevice", "no kernel image is available for execution on the device"},
        {218, "cudaErrorInvalidPtx", "a PTX JIT compilation failed"},
        {400, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
        {401, "cudaErrorIllegalState", "the operation cannot be performed in the present state"},
        {500, "cudaErrorSymbolNotFound", "named symbol not found"},
        {600, "cudaErrorNotReady", "device not ready"},
        {700, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
        {701, "cudaErrorLaunchOutOfResources", "too many resources requested for launch"},
        {702, "cudaErrorLaunchTimeout", "the launch timed out and was terminated"},
        {709, "cudaErrorContextIsDestroyed", "context is destroyed"},
        {710, "cudaErrorAssert", "device-side assert triggered"},
        {712, "cudaErrorHostMemoryAlreadyRegistered", "part or all of the requested memory range is already mapped"},
        {713, "cudaErrorHostMemoryNotRegistered", "pointer does not correspond to a registered memory region"},
        {715, "cudaErrorIllegalInstruction", "an illegal instruction was encountered"},
        {716, "cudaErrorMisalignedAddress", "misaligned address"},
        {717, "cudaErrorInvalidAddressSpace", "operation not supported on global or shared address space"},
        {718, "cudaErrorInvalidPc", "invalid program counter"},
        {719, "cudaErrorLaunchFailure", "unspecified launch failure"},
        {720, "cudaErrorCooperativeLaunchTooLarge", "too many blocks in cooperative launch"},
        {800, "cudaErrorNotPermitted", "operation not permitted"},
        {801, "cudaErrorNotSupported", "operation not supported"},
        {900, "cudaErrorStreamCaptureUnsupported", "operation not permitted when stream is capturing"},
        {901, "cudaErrorStreamCaptureInvalidated", "operation failed due to a previous error during capture"},
        {902, "cudaErrorStreamCaptureMerge", "operation would result in a merge of separate capture sequences"},
        {903, "cudaErrorStreamCaptureUnmatched", "capture was not ended in the same stream as it began"},
        {904, "cudaErrorStreamCaptureUnjoined", "capturing stream has unjoined work"},
        {905, "cudaErrorStreamCaptureIsolation", "dependency created on uncaptured work in another stream"},
        {907, "cudaErrorCapturedEvent", "operation not permitted on an event last recorded in a capturing stream"},
        {912, "cudaErrorInvalidClusterSize", "cluster is too large or does not divide the grid"},
        {999, "cudaErrorUnknown", "unknown error"},
};

static const char *text_of(cudaError_t r, bool name)
{
	const char *text = NULL;
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		if (own[i].number == r)
			return name ? own[i].name : own[i].text;
	if (name ? cuGetErrorName(r, &text) : cuGetErrorString(r, &text))
		return "unrecognized error code";
	return text;
}
API const char *cudaGetErrorName(cudaError_t r)
{
	return text_of(r, true);
}
API const char *cudaGetErrorString(cudaError_t r)
{
	return text_of(r, false);
}

/* ---- start ---- */

static void *primary;
static unsigned flags;

cudaError_t ready(void)
{
	void *current = NULL;
	int r = cuCtxGetCurrent(&current);
	if (!r && current)
		return OK;
	r = cuInit(0);
	if (!r && !primary)
		r = cuDevicePrimaryCtxRetain(&primary, 0);
	if (!r)
		r = cuCtxSetCurrent(primary);
	return r;
}

API cudaError_t cudaInitDevice(int device, unsigned device_flags, unsigned which)
{
	(void)device_flags, (void)which;
	NEED(device == 0, INVALID_DEVICE);
	return done(ready());
}

API cudaError_t cudaDriverGetVersion(int *version)
{
	return done(cuDriverGetVersion(version));
}
API cudaError_t cudaRuntimeGetVersion(int *version)
{
	NEED(version, INVALID_VALUE);
	*version = CUDART == 12 ? 12090 : 13000;
	return OK;
}

/* ---- the device ---- */

API cudaError_t cudaGetDeviceCount(int *count)
{
	int r = cuInit(0);
	if (!r)
		r = cuDeviceGetCount(count);
	return done(r);
}
API cudaError_t cudaGetDevice(int *device)
{
	NEED(device, INVALID_VALUE);
	READY();
	*device = 0;
	return OK;
}
API cudaError_t cudaSetDevice(int device)
{
	NEED(device == 0, INVALID_DEVICE);
	return done(ready());
}
API cudaError_t cudaSetValidDevices(int *devices, int n)
{
	for (int i = 0; devices && i < n; i++)
		NEED(devices[i] == 0, INVALID_DEVICE);
	return OK;
}
API cudaError_t cudaChooseDevice(int *device, const void *properties)
{
	NEED(device && properties, INVALID_VALUE);
	*device = 0;
	return OK;
}
API cudaError_t cudaSetDeviceFlags(unsigned f)
{
	flags = f;
	int r = cuInit(0);
	return done(r ? r : cuDevicePrimaryCtxSetFlags_v2(0, f));
}
API cudaError_t cudaGetDeviceFlags(unsigned *f)
{
	NEED(f, INVALID_VALUE);
	READY();
	*f = flags | 8; /* host memory may always be mapped */
	return OK;
}
API cudaError_t cudaDeviceSynchronize(void)
{
	READY();
	return done(cuCtxSynchronize());
}
API cudaError_t cudaDeviceReset(void)
{
	READY();
	modules_forget();
	last = OK;
	return cuDevicePrimaryCtxReset_v2(0);
}
API cudaError_t cudaDeviceGetAttribute(int *value, int attribute, int device)
{
	READY();
	return done(cuDeviceGetAttribute(value, attribute, device));
}
API cudaError_t cudaDeviceGetLimit(size_t *value, int limit)
{
	READY();
	return done(cuCtxGetLimit(value, limit));
}
API cudaError_t cudaDeviceSetLimit(int limit, size_t value)
{
	READY();
	return done(cuCtxSetLimit(limit, value));
}
API cudaError_t cudaDeviceGetCacheConfig(int *config)
{
	NEED(config, INVALID_VALUE);
	*config = 0;
	return OK;
}
API cudaError_t cudaDeviceSetCacheConfig(int config)
{
	(void)config;
	return OK;
}
API cudaError_t cudaDeviceGetSharedMemConfig(int *config)
{
	NEED(config, INVALID_VALUE);
	*config = 1;
	return OK;
}
API cudaError_t cudaDeviceSetSharedMemConfig(int config)
{
	(void)config;
	return OK;
}
API cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
	READY();
	return done(cuCtxGetStreamPriorityRange(least, greatest));
}
API cudaError_t cudaDeviceGetPCIBusId(char *id, int n, int device)
{
	READY();
	return done(cuDeviceGetPCIBusId(id, n, device));
}
API cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id)
{
	READY();
	return done(cuDeviceGetByPCIBusId(device, id));
}
API cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
	READY();
	return done(cuDeviceCanAccessPeer(can, device, peer));
}
API cudaError_t cudaDeviceGetDefaultMemPool(void *pool, int device)
{
	READY();
	return done(cuDeviceGetDefaultMemPool(pool, device));
}
API cudaError_t cudaDeviceGetMemPool(void *pool, int device)
{
	READY();
	return done(cuDeviceGetMemPool(pool, device));
}
API cudaError_t cudaDeviceSetMemPool(int device, void *pool)
{
	READY();
	return done(cuDeviceSetMemPool(device, pool));
}
API cudaError_t cudaProfilerStart(void)
{
	return OK;
}
API cudaError_t cudaProfilerStop(void)
{
	return OK;
}

struct properties {
#define IN_both(x) x
#if CUDART == 12
#define IN_twelve(x) x
#else
#define IN_twelve(x)
#endif
#define PROPERTY(toolkits, type, name, count, attribute) IN_##toolkits(type name[count];)
#include "properties.def"
#undef PROPERTY
};

static void put(void *to, size_t size, unsigned count, int attribute)
{
	for (unsigned i = 0; i < count; i++) {
		int v = 0;
		if (attribute > 0)
			cuDeviceGetAttribute(&v, attribute + (int)i, 0);
		const size_t wide = (size_t)v;
		memcpy((char *)to + i * size, size == sizeof wide ? (const void *)&wide : &v, size < 4 ? 0 : size);
	}
}

static cudaError_t get_properties(struct properties *p, int device)
{
	NEED(p, INVALID_VALUE);
	READY();
	NEED(device == 0, INVALID_DEVICE);
	memset(p, 0, sizeof *p);
#define PROPERTY(toolkits, type, name, count, attribute)                                                               \
	IN_##toolkits(if (attribute > 0) put(p->name, sizeof(type), count, attribute);)
#include "properties.def"
#undef PROPERTY
	cuDeviceGetName(p->name, sizeof p->name, 0);
	cuDeviceGetUuid_v2(p->uuid, 0);
	return done(cuDeviceTotalMem_v2(p->totalGlobalMem, 0));
}
API cudaError_t cudaGetDeviceProperties(struct properties *p, int device)
{
	return get_properties(p, device);
}
API cudaError_t cudaGetDeviceProperties_v2(struct properties *p, int device)
{
	return get_properties(p, device);
}

static cudaError_t entry_point(const char *name, void **out, unsigned version, uint64_t entry_flags, int *status)
{
	NEED(name && out, INVALID_VALUE);
	READY();
	return done(cuGetProcAddress_v2(name, out, (int)version, entry_flags, status));
}
API cudaError_t cudaGetDriverEntryPoint(const char *name, void **out, uint64_t entry_flags, int *status)
{
	return entry_point(name, out, CUDART == 12 ? 12090 : 13000, entry_flags, status);
}
API cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **out, unsigned version, uint64_t entry_flags,
                                                 int *status)
{
	return entry_point(name, out, version, entry_flags, status);
}
API cudaError_t __cudaGetProcAddress(const char *name, void **out, int version, uint64_t entry_flags, int *status);
API cudaError_t __cudaGetProcAddress(const char *name, void **out, int version, uint64_t entry_flags, int *status)
{
	return entry_point(name, out, (unsigned)version, entry_flags, status);
}
API cudaError_t cudaGetExportTable(const void **table, const void *id)
{
	(void)id;
	NEED(table, INVALID_VALUE);
	*table = NULL;
	return unbuilt("cudaGetExportTable");
}
