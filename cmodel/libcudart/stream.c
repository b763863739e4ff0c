// SPDX-License-Identifier: Apache-2.0
/* stream.c -- streams, events and graphs of the runtime: the driver's objects, with unchanged handles. */
#include <string.h>

#include "../libcuda/copy3d.h"
#include "runtime.h"

/* ---- streams ---- */

API cudaError_t cudaStreamCreateWithPriority(void *out, unsigned flags, int priority)
{
	READY();
	return done(cuStreamCreateWithPriority(out, flags, priority));
}
API cudaError_t cudaStreamCreateWithFlags(void *out, unsigned flags)
{
	return cudaStreamCreateWithPriority(out, flags, 0);
}
API cudaError_t cudaStreamCreate(void *out)
{
	return cudaStreamCreateWithPriority(out, 0, 0);
}

/* Calls handed over to the driver: name, driver's name, parameters, arguments. */
#define PASS(name, driver, parameters, ...)                                                                            \
	API cudaError_t name parameters                                                                                \
	{                                                                                                              \
		READY();                                                                                               \
		return done(driver(__VA_ARGS__));                                                                      \
	}                                                                                                              \
	struct swallow
PASS(cudaStreamDestroy, cuStreamDestroy_v2, (void *s), s);
PASS(cudaStreamSynchronize, cuStreamSynchronize, (void *s), of(s));
PASS(cudaStreamQuery, cuStreamQuery, (void *s), of(s));
PASS(cudaStreamWaitEvent, cuStreamWaitEvent, (void *s, void *e, unsigned flags), of(s), e, flags);
PASS(cudaStreamGetFlags, cuStreamGetFlags, (void *s, unsigned *flags), of(s), flags);
PASS(cudaStreamGetPriority, cuStreamGetPriority, (void *s, int *priority), of(s), priority);
PASS(cudaStreamGetId, cuStreamGetId, (void *s, uint64_t *id), of(s), id);
PASS(cudaStreamGetDevice, cuStreamGetDevice, (void *s, int *device), of(s), device);
PASS(cudaStreamAddCallback, cuStreamAddCallback,
     (void *s, void (*call)(void *s, int r, void *self), void *self, unsigned flags), of(s), call, self, flags);
PASS(cudaStreamAttachMemAsync, cuStreamAttachMemAsync, (void *s, void *p, size_t bytes, unsigned flags), of(s),
     (uintptr_t)p, bytes, flags ? flags : 4);
PASS(cudaStreamBeginCapture, cuStreamBeginCapture_v2, (void *s, int mode), of(s), mode);
PASS(cudaStreamEndCapture, cuStreamEndCapture, (void *s, void *graph), of(s), graph);
PASS(cudaStreamIsCapturing, cuStreamIsCapturing, (void *s, int *status), of(s), status);
PASS(cudaThreadExchangeStreamCaptureMode, cuThreadExchangeStreamCaptureMode, (int *mode), mode);

#if CUDART == 12
PASS(cudaStreamGetCaptureInfo, cuStreamGetCaptureInfo_v2, (void *s, int *status, uint64_t *id), of(s), status, id, NULL,
     NULL, NULL);
PASS(cudaStreamGetCaptureInfo_v2, cuStreamGetCaptureInfo_v2,
     (void *s, int *status, uint64_t *id, void *graph, void *deps, size_t *n), of(s), status, id, graph, deps, n);
#else
API cudaError_t cudaStreamGetCaptureInfo(void *s, int *status, uint64_t *id, void *graph, void *deps,
                                         const void **edges, size_t *n)
{
	READY();
	if (edges)
		*edges = NULL;
	return done(cuStreamGetCaptureInfo_v2(of(s), status, id, graph, deps, n));
}
#endif

/* ---- events ---- */

PASS(cudaEventCreateWithFlags, cuEventCreate, (void *out, unsigned flags), out, flags);
PASS(cudaEventCreate, cuEventCreate, (void *out), out, 0);
PASS(cudaEventDestroy, cuEventDestroy_v2, (void *e), e);
PASS(cudaEventRecordWithFlags, cuEventRecordWithFlags, (void *e, void *s, unsigned flags), e, of(s), flags);
PASS(cudaEventRecord, cuEventRecordWithFlags, (void *e, void *s), e, of(s), 0);
PASS(cudaEventQuery, cuEventQuery, (void *e), e);
PASS(cudaEventSynchronize, cuEventSynchronize, (void *e), e);
PASS(cudaEventElapsedTime, cuEventElapsedTime_v2, (float *ms, void *a, void *b), ms, a, b);

/* ---- graphs ---- */

PASS(cudaGraphCreate, cuGraphCreate, (void *out, unsigned flags), out, flags);
PASS(cudaGraphDestroy, cuGraphDestroy, (void *g), g);
PASS(cudaGraphClone, cuGraphClone, (void *out, void *g), out, g);
PASS(cudaGraphGetNodes, cuGraphGetNodes, (void *g, void *out, size_t *n), g, out, n);
PASS(cudaGraphGetRootNodes, cuGraphGetRootNodes, (void *g, void *out, size_t *n), g, out, n);
PASS(cudaGraphNodeGetType, cuGraphNodeGetType, (void *node, int *type), node, type);
PASS(cudaGraphAddHostNode, cuGraphAddHostNode, (void *out, void *g, const void *deps, size_t n, const void *params),
     out, g, deps, n, params);
PASS(cudaGraphAddEmptyNode, cuGraphAddEmptyNode, (void *out, void *g, const void *deps, size_t n), out, g, deps, n);
PASS(cudaGraphAddChildGraphNode, cuGraphAddChildGraphNode,
     (void *out, void *g, const void *deps, size_t n, void *child), out, g, deps, n, child);
PASS(cudaGraphAddEventRecordNode, cuGraphAddEventRecordNode, (void *out, void *g, const void *deps, size_t n, void *e),
     out, g, deps, n, e);
PASS(cudaGraphAddEventWaitNode, cuGraphAddEventWaitNode, (void *out, void *g, const void *deps, size_t n, void *e), out,
     g, deps, n, e);
PASS(cudaGraphExecDestroy, cuGraphExecDestroy, (void *e), e);
PASS(cudaGraphUpload, cuGraphUpload, (void *e, void *s), e, of(s));
PASS(cudaGraphLaunch, cuGraphLaunch, (void *e, void *s), e, of(s));
PASS(cudaGraphInstantiateWithFlags, cuGraphInstantiateWithFlags, (void *out, void *g, uint64_t flags), out, g, flags);
PASS(cudaGraphInstantiate, cuGraphInstantiateWithFlags, (void *out, void *g, uint64_t flags), out, g, flags);
PASS(cudaGraphExecGetFlags, cuGraphExecGetFlags, (void *e, uint64_t *flags), e, flags);
PASS(cudaGraphInstantiateWithParams, cuGraphInstantiateWithParams, (void *out, void *g, void *params), out, g, params);
PASS(cudaGraphNodeGetEnabled, cuGraphNodeGetEnabled, (void *e, void *node, unsigned *on), e, node, on);
PASS(cudaGraphNodeSetEnabled, cuGraphNodeSetEnabled, (void *e, void *node, unsigned on), e, node, on);
#if CUDART == 12
PASS(cudaGraphNodeGetDependencies, cuGraphNodeGetDependencies, (void *node, void *out, size_t *n), node, out, n);
PASS(cudaGraphGetEdges, cuGraphGetEdges, (void *g, void *from, void *to, size_t *n), g, from, to, n);
PASS(cudaGraphAddDependencies, cuGraphAddDependencies, (void *g, const void *from, const void *to, size_t n), g, from,
     to, n);
#else
API cudaError_t cudaGraphNodeGetDependencies(void *node, void *out, void *data, size_t *n)
{
	NEED(!data, NOT_SUPPORTED);
	READY();
	return done(cuGraphNodeGetDependencies(node, out, n));
}
API cudaError_t cudaGraphGetEdges(void *g, void *from, void *to, void *data, size_t *n)
{
	NEED(!data, NOT_SUPPORTED);
	READY();
	return done(cuGraphGetEdges(g, from, to, n));
}
API cudaError_t cudaGraphAddDependencies(void *g, const void *from, const void *to, const void *data, size_t n)
{
	NEED(!data, NOT_SUPPORTED);
	READY();
	return done(cuGraphAddDependencies(g, from, to, n));
}
#endif

/* cudaKernelNodeParams, and the driver's. */
struct kernel_params {
	const void *func;
	struct dim3 grid, block;
	unsigned shared;
	void **args, **extra;
};
struct driver_params {
	void *function;
	unsigned grid[3], block[3], shared;
	void **args, **extra;
	void *kernel, *context;
};
static cudaError_t convert(const struct kernel_params *p, struct driver_params *d)
{
	NEED(p, INVALID_VALUE);
	*d = (struct driver_params){NULL,
	                            {p->grid.x, p->grid.y, p->grid.z},
	                            {p->block.x, p->block.y, p->block.z},
	                            p->shared,
	                            p->args,
	                            p->extra,
	                            NULL,
	                            NULL};
	return done(function_of(p->func, &d->function));
}
API cudaError_t cudaGraphAddKernelNode(void *out, void *g, const void *deps, size_t n, const struct kernel_params *p)
{
	struct driver_params d;
	READY();
	const cudaError_t r = convert(p, &d);
	return r ? r : done(cuGraphAddKernelNode_v2(out, g, deps, n, &d));
}
API cudaError_t cudaGraphExecKernelNodeSetParams(void *e, void *node, const struct kernel_params *p)
{
	struct driver_params d;
	READY();
	const cudaError_t r = convert(p, &d);
	return r ? r : done(cuGraphExecKernelNodeSetParams_v2(e, node, &d));
}

API cudaError_t cudaGraphKernelNodeSetParams(void *node, const struct kernel_params *p)
{
	struct driver_params d;
	READY();
	const cudaError_t r = convert(p, &d);
	return r ? r : done(cuGraphKernelNodeSetParams_v2(node, &d));
}

/* cudaMemsetParams, and the driver's. */
struct memset_params {
	void *dst;
	size_t pitch;
	unsigned value, bytes;
	size_t width, height;
};
API cudaError_t cudaGraphAddMemsetNode(void *out, void *g, const void *deps, size_t n, const struct memset_params *p)
{
	void *context = NULL;
	READY();
	cuCtxGetCurrent(&context);
	return done(cuGraphAddMemsetNode(out, g, deps, n, p, context));
}

API cudaError_t cudaGraphAddMemcpyNode(void *out, void *g, const void *deps, size_t n, const struct copy_3d *p)
{
	struct copy3d params;
	READY();
	const cudaError_t r = copy_params(p, &params);
	return r ? r : done(cuGraphAddMemcpyNode(out, g, deps, n, &params, NULL));
}
static cudaError_t add_line(void *out, void *g, const void *deps, size_t n, uint64_t dst, uint64_t src, size_t bytes)
{
	/* In the order of CUDA_MEMCPY3D: type 4 means: addresses tell the places of the bytes. */
	const uint64_t params[] = {0, 0, 0, 0, 4,   0, src, 0,     0, bytes, 1, 0, 0,
	                           0, 0, 4, 0, dst, 0, 0,   bytes, 1, bytes, 1, 1};
	return done(cuGraphAddMemcpyNode(out, g, deps, n, params, NULL));
}
API cudaError_t cudaGraphAddMemcpyNode1D(void *out, void *g, const void *deps, size_t n, void *dst, const void *src,
                                         size_t bytes, int kind)
{
	NEED(kind >= HOST_TO_HOST && kind <= BY_ADDRESS, INVALID_DIRECTION);
	READY();
	return add_line(out, g, deps, n, (uintptr_t)dst, (uintptr_t)src, bytes);
}

/* Behind READY: a part of a variable. */
static cudaError_t part_of(const void *symbol, size_t offset, size_t bytes, uint64_t *at)
{
	size_t have;
	const cudaError_t r = variable_of(symbol, at, &have);
	*at += offset;
	return r ? r : offset <= have && bytes <= have - offset ? OK : INVALID_VALUE;
}
API cudaError_t cudaGraphAddMemcpyNodeToSymbol(void *out, void *g, const void *deps, size_t n, const void *symbol,
                                               const void *src, size_t bytes, size_t offset, int kind)
{
	uint64_t at = 0;
	NEED(kind == HOST_TO_DEVICE || kind == DEVICE_TO_DEVICE || kind == BY_ADDRESS, INVALID_DIRECTION);
	READY();
	const cudaError_t r = part_of(symbol, offset, bytes, &at);
	return r ? done(r) : add_line(out, g, deps, n, at, (uintptr_t)src, bytes);
}
API cudaError_t cudaGraphAddMemcpyNodeFromSymbol(void *out, void *g, const void *deps, size_t n, void *dst,
                                                 const void *symbol, size_t bytes, size_t offset, int kind)
{
	uint64_t at = 0;
	NEED(kind == DEVICE_TO_HOST || kind == DEVICE_TO_DEVICE || kind == BY_ADDRESS, INVALID_DIRECTION);
	READY();
	const cudaError_t r = part_of(symbol, offset, bytes, &at);
	return r ? done(r) : add_line(out, g, deps, n, (uintptr_t)dst, at, bytes);
}
