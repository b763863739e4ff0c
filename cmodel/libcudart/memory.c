// SPDX-License-Identifier: Apache-2.0
/* memory.c -- allocations, copies and memsets of the runtime. */
#include <string.h>

#include "../libcuda/copy3d.h"
#include "runtime.h"

/* ---- allocations ---- */

static cudaError_t give(int r, const uint64_t *at, void **out)
{
	if (!r)
		*out = (void *)(uintptr_t)*at;
	return done(r);
}

API cudaError_t cudaMalloc(void **out, size_t bytes)
{
	uint64_t at = 0;
	NEED(out, INVALID_VALUE);
	READY();
	if (bytes)
		return give(cuMemAlloc_v2(&at, bytes), &at, out);
	*out = NULL;
	return OK;
}
API cudaError_t cudaFree(void *p)
{
	READY();
	return done(cuMemFree_v2((uintptr_t)p));
}
API cudaError_t cudaMallocManaged(void **out, size_t bytes, unsigned flags)
{
	uint64_t at = 0;
	NEED(out, INVALID_VALUE);
	READY();
	return give(cuMemAllocManaged(&at, bytes, flags), &at, out);
}
API cudaError_t cudaHostAlloc(void **out, size_t bytes, unsigned flags)
{
	READY();
	if (!bytes && out) {
		*out = NULL;
		return OK;
	}
	return done(cuMemHostAlloc(out, bytes, flags));
}
API cudaError_t cudaMallocHost(void **out, size_t bytes)
{
	return cudaHostAlloc(out, bytes, 0);
}
API cudaError_t cudaFreeHost(void *p)
{
	READY();
	return done(cuMemFreeHost(p));
}
API cudaError_t cudaHostRegister(void *p, size_t bytes, unsigned flags)
{
	READY();
	return done(cuMemHostRegister_v2(p, bytes, flags));
}
API cudaError_t cudaHostUnregister(void *p)
{
	READY();
	return done(cuMemHostUnregister(p));
}
API cudaError_t cudaHostGetDevicePointer(void **out, void *p, unsigned flags)
{
	uint64_t at = 0;
	NEED(out, INVALID_VALUE);
	READY();
	return give(cuMemHostGetDevicePointer_v2(&at, p, flags), &at, out);
}
API cudaError_t cudaHostGetFlags(unsigned *flags, void *p)
{
	READY();
	return done(cuMemHostGetFlags(flags, p));
}
API cudaError_t cudaMallocPitch(void **out, size_t *pitch, size_t width, size_t height)
{
	uint64_t at = 0;
	NEED(out && pitch, INVALID_VALUE);
	READY();
	return give(cuMemAllocPitch_v2(&at, pitch, width, height, 4), &at, out);
}

API cudaError_t cudaMalloc3D(struct pitched *out, struct extent e)
{
	uint64_t at = 0;
	size_t pitch = 0;
	NEED(out, INVALID_VALUE);
	READY();
	const int r = cuMemAllocPitch_v2(&at, &pitch, e.width, e.height * e.depth, 4);
	if (!r)
		*out = (struct pitched){(void *)(uintptr_t)at, pitch, e.width, e.height};
	return done(r);
}

API cudaError_t cudaMemGetInfo(size_t *left, size_t *total)
{
	READY();
	return done(cuMemGetInfo_v2(left, total));
}
API cudaError_t cudaMallocAsync(void **out, size_t bytes, void *stream)
{
	uint64_t at = 0;
	NEED(out, INVALID_VALUE);
	READY();
	return give(cuMemAllocAsync(&at, bytes, of(stream)), &at, out);
}
API cudaError_t cudaMallocFromPoolAsync(void **out, size_t bytes, void *pool, void *stream)
{
	uint64_t at = 0;
	NEED(out, INVALID_VALUE);
	READY();
	return give(cuMemAllocFromPoolAsync(&at, bytes, pool, of(stream)), &at, out);
}
API cudaError_t cudaFreeAsync(void *p, void *stream)
{
	READY();
	return done(cuMemFreeAsync((uintptr_t)p, of(stream)));
}
API cudaError_t cudaMemPoolCreate(void *out, const void *props)
{
	READY();
	return done(cuMemPoolCreate(out, props));
}
API cudaError_t cudaMemPoolDestroy(void *pool)
{
	READY();
	return done(cuMemPoolDestroy(pool));
}
API cudaError_t cudaMemPoolTrimTo(void *pool, size_t keep)
{
	READY();
	return done(cuMemPoolTrimTo(pool, keep));
}
API cudaError_t cudaMemPoolGetAttribute(void *pool, int attribute, void *value)
{
	READY();
	return done(cuMemPoolGetAttribute(pool, attribute, value));
}
API cudaError_t cudaMemPoolSetAttribute(void *pool, int attribute, void *value)
{
	READY();
	return done(cuMemPoolSetAttribute(pool, attribute, value));
}
API cudaError_t cudaMemPoolGetAccess(int *access, void *pool, const void *location)
{
	READY();
	return done(cuMemPoolGetAccess(access, pool, location));
}
API cudaError_t cudaMemPoolSetAccess(void *pool, const void *access, size_t n)
{
	READY();
	return done(cuMemPoolSetAccess(pool, access, n));
}

/* cudaPointerAttributes: type (unregistered 0, host 1, device 2, managed 3), device, two addresses. Later members stay
 * untouched: CUDA 12 has none. */
struct pointer {
	int type, device;
	void *on_device, *on_host;
};
API cudaError_t cudaPointerGetAttributes(struct pointer *out, const void *p)
{
	static const int which[] = {2, 8, 3, 9};
	unsigned type = 0;
	int device = 0;
	unsigned char managed = 0;
	uint64_t at = 0;
	void *values[] = {&type, &managed, &at, &device};
	NEED(out, INVALID_VALUE);
	READY();
	const int r = cuPointerGetAttributes(4, which, values, (uintptr_t)p);
	if (r)
		return done(r);
	*out = (struct pointer){managed ? 3 : (int)type, type ? device : -2, NULL, (void *)(uintptr_t)p};
	if (type)
		out->on_device = (void *)(uintptr_t)at;
	if (type == 2 && !managed)
		out->on_host = NULL;
	return OK;
}

/* ---- hints ---- */

struct location {
	int type, id; /* type 1: a device */
};
#if CUDART == 12
API cudaError_t cudaMemAdvise(const void *p, size_t bytes, int advice, int device)
{
	READY();
	return done(cuMemAdvise((uintptr_t)p, bytes, advice, device));
}
API cudaError_t cudaMemPrefetchAsync(const void *p, size_t bytes, int device, void *stream)
{
	READY();
	return done(cuMemPrefetchAsync((uintptr_t)p, bytes, device, of(stream)));
}
API cudaError_t cudaMemAdvise_v2(const void *p, size_t bytes, int advice, struct location where)
#else
API cudaError_t cudaMemAdvise(const void *p, size_t bytes, int advice, struct location where)
#endif
{
	READY();
	return done(cuMemAdvise((uintptr_t)p, bytes, advice, where.type == 1 ? where.id : -1));
}
#if CUDART == 12
API cudaError_t cudaMemPrefetchAsync_v2(const void *p, size_t bytes, struct location where, unsigned flags,
                                        void *stream)
#else
API cudaError_t cudaMemPrefetchAsync(const void *p, size_t bytes, struct location where, unsigned flags, void *stream)
#endif
{
	(void)flags;
	READY();
	return done(cuMemPrefetchAsync((uintptr_t)p, bytes, where.type == 1 ? where.id : -1, of(stream)));
}
API cudaError_t cudaMemRangeGetAttributes(void **out, const size_t *sizes, const int *attributes, size_t n,
                                          const void *p, size_t bytes)
{
	READY();
	return done(cuMemRangeGetAttributes(out, sizes, attributes, n, (uintptr_t)p, bytes));
}
API cudaError_t cudaMemRangeGetAttribute(void *out, size_t size, int attribute, const void *p, size_t bytes)
{
	READY();
	return done(cuMemRangeGetAttribute(out, size, attribute, (uintptr_t)p, bytes));
}

/* ---- copies ---- */

/* Behind READY. */
static cudaError_t copy_line(void *dst, const void *src, size_t bytes, int kind, void *stream)
{
	if (!bytes)
		return OK;
	const uint64_t to = (uintptr_t)dst, from = (uintptr_t)src;
	switch (kind) {
	case HOST_TO_DEVICE:
		return done(cuMemcpyHtoDAsync_v2(to, src, bytes, of(stream)));
	case DEVICE_TO_HOST:
		return done(cuMemcpyDtoHAsync_v2(dst, from, bytes, of(stream)));
	case DEVICE_TO_DEVICE:
		return done(cuMemcpyDtoDAsync_v2(to, from, bytes, of(stream)));
	default:
		return done(cuMemcpyAsync(to, from, bytes, of(stream)));
	}
}
static cudaError_t copy(void *dst, const void *src, size_t bytes, int kind, void *stream)
{
	NEED(kind >= HOST_TO_HOST && kind <= BY_ADDRESS, INVALID_DIRECTION);
	READY();
	return copy_line(dst, src, bytes, kind, stream);
}
API cudaError_t cudaMemcpy(void *dst, const void *src, size_t bytes, int kind)
{
	return copy(dst, src, bytes, kind, NULL);
}
API cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t bytes, int kind, void *stream)
{
	return copy(dst, src, bytes, kind, stream);
}
API cudaError_t cudaMemcpyPeerAsync(void *dst, int to, const void *src, int from, size_t bytes, void *stream)
{
	void *of[2];
	READY();
	cudaError_t r = primary_of(to, &of[0]);
	if (!r)
		r = primary_of(from, &of[1]);
	if (!r && bytes)
		r = cuMemcpyPeerAsync((uintptr_t)dst, of[0], (uintptr_t)src, of[1], bytes, stream);
	return done(r);
}
API cudaError_t cudaMemcpyPeer(void *dst, int to, const void *src, int from, size_t bytes)
{
	return cudaMemcpyPeerAsync(dst, to, src, from, bytes, NULL);
}

static cudaError_t copy_2d(void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width, size_t height,
                           int kind, void *stream)
{
	NEED(kind >= HOST_TO_HOST && kind <= BY_ADDRESS, INVALID_DIRECTION);
	NEED(width <= dst_pitch && width <= src_pitch, 12); /* invalid pitch */
	READY();
	const struct copy3d c = {.src_type = 4,
	                         .src_device = (uintptr_t)src,
	                         .src_pitch = src_pitch,
	                         .dst_type = 4,
	                         .dst_device = (uintptr_t)dst,
	                         .dst_pitch = dst_pitch,
	                         .width = width,
	                         .height = height,
	                         .depth = 1};
	return done(cuMemcpy3DAsync_v2(&c, of(stream)));
}
API cudaError_t cudaMemcpy2D(void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width,
                             size_t height, int kind)
{
	return copy_2d(dst, dst_pitch, src, src_pitch, width, height, kind, NULL);
}
API cudaError_t cudaMemcpy2DAsync(void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width,
                                  size_t height, int kind, void *stream)
{
	return copy_2d(dst, dst_pitch, src, src_pitch, width, height, kind, stream);
}

/* ---- symbols ---- */

API cudaError_t cudaGetSymbolAddress(void **out, const void *symbol)
{
	uint64_t at = 0;
	size_t bytes;
	NEED(out, INVALID_VALUE);
	READY();
	return give(variable_of(symbol, &at, &bytes), &at, out);
}
API cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol)
{
	uint64_t at;
	NEED(bytes, INVALID_VALUE);
	READY();
	return done(variable_of(symbol, &at, bytes));
}
API cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t bytes, size_t offset, int kind,
                                        void *stream)
{
	uint64_t at;
	size_t have;
	NEED(kind == HOST_TO_DEVICE || kind == DEVICE_TO_DEVICE || kind == BY_ADDRESS, INVALID_DIRECTION);
	READY();
	const cudaError_t r = variable_of(symbol, &at, &have);
	if (r)
		return done(r);
	NEED(offset <= have && bytes <= have - offset, INVALID_VALUE);
	return copy_line((void *)(uintptr_t)(at + offset), src, bytes, kind, stream);
}
API cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t bytes, size_t offset, int kind,
                                          void *stream)
{
	uint64_t at;
	size_t have;
	NEED(kind == DEVICE_TO_HOST || kind == DEVICE_TO_DEVICE || kind == BY_ADDRESS, INVALID_DIRECTION);
	READY();
	const cudaError_t r = variable_of(symbol, &at, &have);
	if (r)
		return done(r);
	NEED(offset <= have && bytes <= have - offset, INVALID_VALUE);
	return copy_line(dst, (const void *)(uintptr_t)(at + offset), bytes, kind, stream);
}
API cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t bytes, size_t offset, int kind)
{
	return cudaMemcpyToSymbolAsync(symbol, src, bytes, offset, kind, NULL);
}
API cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t bytes, size_t offset, int kind)
{
	return cudaMemcpyFromSymbolAsync(dst, symbol, bytes, offset, kind, NULL);
}

/* ---- memsets ---- */

API cudaError_t cudaMemsetAsync(void *p, int value, size_t bytes, void *stream)
{
	READY();
	return bytes ? done(cuMemsetD8Async((uintptr_t)p, (unsigned char)value, bytes, of(stream))) : OK;
}
API cudaError_t cudaMemset(void *p, int value, size_t bytes)
{
	return cudaMemsetAsync(p, value, bytes, NULL);
}
API cudaError_t cudaMemset2DAsync(void *p, size_t pitch, int value, size_t width, size_t height, void *stream)
{
	READY();
	return done(cuMemsetD2D8Async((uintptr_t)p, pitch, (unsigned char)value, width, height, of(stream)));
}
API cudaError_t cudaMemset2D(void *p, size_t pitch, int value, size_t width, size_t height)
{
	return cudaMemset2DAsync(p, pitch, value, width, height, NULL);
}
API cudaError_t cudaMemset3DAsync(struct pitched p, int value, struct extent e, void *stream)
{
	READY();
	for (size_t z = 0; z < e.depth; z++) {
		const int r = cuMemsetD2D8Async((uintptr_t)p.at + z * p.pitch * p.height, p.pitch, (unsigned char)value,
		                                e.width, e.height, of(stream));
		if (r)
			return done(r);
	}
	return OK;
}
API cudaError_t cudaMemset3D(struct pitched p, int value, struct extent e)
{
	return cudaMemset3DAsync(p, value, e, NULL);
}
