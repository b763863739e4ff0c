// SPDX-License-Identifier: Apache-2.0
/* runtime.c -- the start of the runtime, errors, devices. */
#include <stdio.h>
#include <string.h>

#include "runtime.h"

static _Thread_local cudaError_t last;
_Thread_local bool per_thread_now;
static _Thread_local bool per_thread_next;

void warplock_runtime_mark(void)
{
	per_thread_next = true;
}

/* ---- errors ---- */

cudaError_t done(cudaError_t r)
{
	per_thread_next = false;
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

static const struct {
	cudaError_t number;
	const char *name, *text;
} errors[] = {
#define ERROR(number, name, text) {number, #name, text},
#include "errors.def"
#undef ERROR
};

static const char *text_of(cudaError_t r, bool name)
{
	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
		if (errors[i].number == r)
			return name ? errors[i].name : errors[i].text;
	return "unrecognized error code";
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
static int first;                     /* of cudaSetValidDevices */
static _Thread_local int chosen = -1; /* device of the thread, where no context is current; -1: the first device */

static int usual(void)
{
	return chosen < 0 ? first : chosen;
}

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
	per_thread_now = per_thread_next;
	per_thread_next = false;
	const int r = cuCtxGetCurrent(&current);
	return !r && current ? OK : choose(usual());
}

int device_now(void)
{
	int device;
	return cuCtxGetDevice(&device) || device >= MOST_DEVICES ? usual() : device;
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
	if (!r)
		first = devices && n > 0 ? devices[0] : 0;
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
API cudaError_t cudaCtxResetPersistingL2Cache(void)
{
	READY();
	return done(cuCtxResetPersistingL2Cache());
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
	if (!entry_flags && per_thread_now)
		entry_flags = 2; /* the twins of calls */
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
