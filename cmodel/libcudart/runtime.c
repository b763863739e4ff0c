// SPDX-License-Identifier: Apache-2.0
/* runtime.c -- the start of the runtime, errors, devices. */
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
        {5, "cudaErrorProfilerDisabled", "profiler disabled"},
        {9, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
        {12, "cudaErrorInvalidPitchValue", "invalid pitch argument"},
        {13, "cudaErrorInvalidSymbol", "invalid device symbol"},
        {17, "cudaErrorInvalidDevicePointer", "invalid device pointer"},
        {20, "cudaErrorInvalidChannelDescriptor", "invalid channel descriptor"},
        {21, "cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"},
        {34, "cudaErrorStubLibrary", "stub library in the place of the driver"},
        {35, "cudaErrorInsufficientDriver", "CUDA driver version is insufficient for CUDA runtime version"},
        {36, "cudaErrorCallRequiresNewerDriver", "call needs a newer driver"},
        {46, "cudaErrorDevicesUnavailable", "device is busy or not available"},
        {52, "cudaErrorMissingConfiguration", "a launch without a configuration"},
        {98, "cudaErrorInvalidDeviceFunction", "invalid device function"},
        {100, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
        {101, "cudaErrorInvalidDevice", "invalid device ordinal"},
        {200, "cudaErrorInvalidKernelImage", "device kernel image is invalid"},
        {201, "cudaErrorDeviceUninitialized", "invalid device context"},
        {205, "cudaErrorMapBufferObjectFailed", "mapping failed"},
        {206, "cudaErrorUnmapBufferObjectFailed", "unmapping failed"},
        {208, "cudaErrorAlreadyMapped", "resource already mapped"},
        {209, "cudaErrorNoKernelImageForDevice", "no kernel image is available for execution on the device"},
        {211, "cudaErrorNotMapped", "resource not mapped"},
        {215, "cudaErrorUnsupportedLimit", "limit is not supported"},
        {216, "cudaErrorDeviceAlreadyInUse", "context is in use by another thread"},
        {217, "cudaErrorPeerAccessUnsupported", "peer access is not supported between the devices"},
        {218, "cudaErrorInvalidPtx", "a PTX JIT compilation failed"},
        {219, "cudaErrorInvalidGraphicsContext", "invalid graphics context"},
        {221, "cudaErrorJitCompilerNotFound", "PTX compiler not found"},
        {222, "cudaErrorUnsupportedPtxVersion", "PTX version is not known"},
        {223, "cudaErrorJitCompilationDisabled", "compilation of PTX is switched off"},
        {300, "cudaErrorInvalidSource", "invalid kernel source"},
        {301, "cudaErrorFileNotFound", "file not found"},
        {302, "cudaErrorSharedObjectSymbolNotFound", "symbol of a shared object not found"},
        {303, "cudaErrorSharedObjectInitFailed", "shared object failed to start"},
        {304, "cudaErrorOperatingSystem", "call of the operating system failed"},
        {400, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
        {401, "cudaErrorIllegalState", "the operation cannot be performed in the present state"},
        {500, "cudaErrorSymbolNotFound", "named symbol not found"},
        {600, "cudaErrorNotReady", "device not ready"},
        {700, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
        {701, "cudaErrorLaunchOutOfResources", "too many resources requested for launch"},
        {702, "cudaErrorLaunchTimeout", "the launch timed out and was terminated"},
        {704, "cudaErrorPeerAccessAlreadyEnabled", "peer access is already on"},
        {705, "cudaErrorPeerAccessNotEnabled", "peer access is not on"},
        {708, "cudaErrorSetOnActiveProcess", "primary context is active"},
        {709, "cudaErrorContextIsDestroyed", "context is destroyed"},
        {710, "cudaErrorAssert", "device-side assert triggered"},
        {712, "cudaErrorHostMemoryAlreadyRegistered", "part or all of the requested memory range is already mapped"},
        {713, "cudaErrorHostMemoryNotRegistered", "pointer does not correspond to a registered memory region"},
        {714, "cudaErrorHardwareStackError", "hardware stack error"},
        {715, "cudaErrorIllegalInstruction", "an illegal instruction was encountered"},
        {716, "cudaErrorMisalignedAddress", "misaligned address"},
        {717, "cudaErrorInvalidAddressSpace", "operation not supported on global or shared address space"},
        {718, "cudaErrorInvalidPc", "invalid program counter"},
        {719, "cudaErrorLaunchFailure", "unspecified launch failure"},
        {720, "cudaErrorCooperativeLaunchTooLarge", "too many blocks in cooperative launch"},
        {800, "cudaErrorNotPermitted", "operation not permitted"},
        {801, "cudaErrorNotSupported", "operation not supported"},
        {802, "cudaErrorSystemNotReady", "system not ready"},
        {900, "cudaErrorStreamCaptureUnsupported", "operation not permitted when stream is capturing"},
        {901, "cudaErrorStreamCaptureInvalidated", "operation failed due to a previous error during capture"},
        {902, "cudaErrorStreamCaptureMerge", "operation would result in a merge of separate capture sequences"},
        {903, "cudaErrorStreamCaptureUnmatched", "capture was not ended in the same stream as it began"},
        {904, "cudaErrorStreamCaptureUnjoined", "capturing stream has unjoined work"},
        {905, "cudaErrorStreamCaptureIsolation", "dependency created on uncaptured work in another stream"},
        {906, "cudaErrorStreamCaptureImplicit", "operation would make the legacy stream depend on a capture"},
        {907, "cudaErrorCapturedEvent", "operation not permitted on an event last recorded in a capturing stream"},
        {908, "cudaErrorStreamCaptureWrongThread", "capture was begun by another thread"},
        {909, "cudaErrorTimeout", "wait timed out"},
        {910, "cudaErrorGraphExecUpdateFailure", "graph update was refused"},
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

static void *primary[MOST_DEVICES];
static unsigned flags[MOST_DEVICES];
static _Thread_local int chosen; /* device of the thread, where no context is current */

cudaError_t primary_of(int device, void **out)
{
	int n = 0, r = cuInit(0);
	if (!r)
		r = cuDeviceGetCount(&n);
	if (!r && (device < 0 || device >= n || device >= MOST_DEVICES))
		r = INVALID_DEVICE;
	if (!r && !primary[device])
		r = cuDevicePrimaryCtxRetain(&primary[device], device);
	if (!r)
		*out = primary[device];
	return r;
}

static cudaError_t choose(int device)
{
	void *context;
	const int r = primary_of(device, &context);
	if (r)
		return r;
	chosen = device;
	return cuCtxSetCurrent(context);
}

cudaError_t ready(void)
{
	void *current = NULL;
	const int r = cuCtxGetCurrent(&current);
	return !r && current ? OK : choose(chosen);
}

int device_now(void)
{
	int device;
	return cuCtxGetDevice(&device) || device >= MOST_DEVICES ? chosen : device;
}

API cudaError_t cudaInitDevice(int device, unsigned device_flags, unsigned which)
{
	void *context;
	(void)device_flags, (void)which;
	return done(primary_of(device, &context));
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

/* ---- devices ---- */

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
	const int r = cuInit(0);
	if (!r)
		*device = device_now();
	return done(r);
}
API cudaError_t cudaSetDevice(int device)
{
	return done(choose(device));
}
API cudaError_t cudaSetValidDevices(int *devices, int n)
{
	int count = 0;
	const int r = cuInit(0) || cuDeviceGetCount(&count) ? NOT_INITIALIZED : OK;
	for (int i = 0; !r && devices && i < n; i++)
		NEED(devices[i] >= 0 && devices[i] < count, INVALID_DEVICE);
	return done(r);
}
API cudaError_t cudaChooseDevice(int *device, const void *properties)
{
	NEED(device && properties, INVALID_VALUE);
	*device = 0; /* all are alike */
	return OK;
}
API cudaError_t cudaSetDeviceFlags(unsigned f)
{
	int r = cuInit(0);
	const int device = device_now();
	if (!r)
		r = cuDevicePrimaryCtxSetFlags_v2(device, f);
	if (!r)
		flags[device] = f;
	return done(r);
}
API cudaError_t cudaGetDeviceFlags(unsigned *f)
{
	NEED(f, INVALID_VALUE);
	READY();
	*f = flags[device_now()] | 8; /* host memory may always be mapped */
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
	const int device = device_now();
	modules_forget(device);
	last = OK;
	return cuDevicePrimaryCtxReset_v2(device);
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
API cudaError_t cudaDeviceGetP2PAttribute(int *value, int attribute, int device, int peer)
{
	READY();
	return done(cuDeviceGetP2PAttribute(value, attribute, device, peer));
}
API cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned access_flags)
{
	void *context;
	READY();
	const cudaError_t r = primary_of(peer, &context);
	NEED(r || peer != device_now(), INVALID_DEVICE);
	return done(r ? r : cuCtxEnablePeerAccess(context, access_flags));
}
API cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
	void *context;
	READY();
	const cudaError_t r = primary_of(peer, &context);
	return done(r ? r : cuCtxDisablePeerAccess(context));
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

_Static_assert(sizeof(struct properties) == (CUDART == 12 ? 1032 : 1008), "size of cudaDeviceProp");

static void put(void *to, size_t size, unsigned count, int attribute, int device)
{
	for (unsigned i = 0; i < count; i++) {
		int v = 0;
		if (attribute > 0)
			cuDeviceGetAttribute(&v, attribute + (int)i, device);
		const size_t wide = (size_t)v;
		memcpy((char *)to + i * size, size == sizeof wide ? (const void *)&wide : &v, size < 4 ? 0 : size);
	}
}

static cudaError_t get_properties(struct properties *p, int device)
{
	NEED(p, INVALID_VALUE);
	READY();
	size_t bytes = 0;
	const int r = cuDeviceTotalMem_v2(&bytes, device);
	NEED(!r, r);
	memset(p, 0, sizeof *p);
	*p->totalGlobalMem = bytes;
#define PROPERTY(toolkits, type, name, count, attribute)                                                               \
	IN_##toolkits(if (attribute > 0) put(p->name, sizeof(type), count, attribute, device);)
#include "properties.def"
#undef PROPERTY
	cuDeviceGetName(p->name, sizeof p->name, device);
	return done(cuDeviceGetUuid_v2(p->uuid, device));
}
API cudaError_t cudaGetDeviceProperties(struct properties *p, int device)
{
	return get_properties(p, device);
}
#if CUDART == 12
API cudaError_t cudaGetDeviceProperties_v2(struct properties *p, int device)
{
	return get_properties(p, device);
}
#endif

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
