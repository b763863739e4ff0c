// SPDX-License-Identifier: Apache-2.0
/* launch.c -- launches, kernels and occupancy of the runtime. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime.h"

/* ---- launches ---- */

static bool fits(struct dim3 grid, struct dim3 block)
{
	const uint64_t threads = (uint64_t)block.x * block.y * block.z;
	return grid.x && grid.y && grid.z && grid.x <= INT32_MAX && grid.y <= 65535 && grid.z <= 65535 && threads &&
	       block.x <= 1024 && block.y <= 1024 && block.z <= 64 && threads <= 1024;
}

/* The driver gives a single result for wrong arguments; the runtime has its own result for sizes beyond every
 * kernel. */
static cudaError_t launched(int r, struct dim3 grid, struct dim3 block)
{
	return done(r == INVALID_VALUE && !fits(grid, block) ? INVALID_CONFIGURATION : r);
}

/* The report line of a launch with an unloadable module. The driver writes the report, but never gets the launch. */
static cudaError_t refused(int r, const void *func, struct dim3 g, struct dim3 b)
{
	const char *path = getenv("WARPLOCK_REPORT");
	const bool unread = r == INVALID_IMAGE || r == INVALID_PTX || r == UNSUPPORTED_PTX || r == NOT_SUPPORTED;
	if ((!unread && r != NO_IMAGE) || !path || !*path)
		return done(r);
	FILE *f = fopen(path, "a");
	bool good = f && fprintf(f, "%s\t%u,%u,%u\t%u,%u,%u\t%s\t0\t0.000\n", kernel_name(func), g.x, g.y, g.z, b.x,
	                         b.y, b.z, r == NO_IMAGE ? "no-image" : "unreadable") > 0;
	good = good && fflush(f) == 0;
	if (!good)
		fprintf(stderr, "warplock: %s: cannot be written: %s\n", path, strerror(errno));
	if (f)
		fclose(f);
	return done(r);
}

API cudaError_t cudaLaunchKernel(const void *func, struct dim3 grid, struct dim3 block, void **args, size_t shared,
                                 void *stream)
{
	void *f;
	READY();
	const cudaError_t r = function_of(func, &f);
	if (r)
		return refused(r, func, grid, block);
	NEED(shared <= UINT32_MAX, INVALID_VALUE);
	return launched(cuLaunchKernel(f, grid.x, grid.y, grid.z, block.x, block.y, block.z, (unsigned)shared,
	                               of(stream), args, NULL),
	                grid, block);
}
/* CUDA 13: the handle of __cudaGetKernel. The handle is the host function: modules may be loaded anew. */
API cudaError_t __cudaLaunchKernel(const void *kernel, struct dim3 grid, struct dim3 block, void **args, size_t shared,
                                   void *stream)
{
	return cudaLaunchKernel(kernel, grid, block, args, shared, stream);
}
API cudaError_t __cudaGetKernel(const void **out, const void *host)
{
	NEED(out, INVALID_VALUE);
	*out = host;
	return OK;
}
API cudaError_t cudaLaunchCooperativeKernel(const void *func, struct dim3 grid, struct dim3 block, void **args,
                                            size_t shared, void *stream)
{
	void *f;
	READY();
	const cudaError_t r = function_of(func, &f);
	if (r)
		return refused(r, func, grid, block);
	NEED(shared <= UINT32_MAX, INVALID_VALUE);
	return launched(cuLaunchCooperativeKernel(f, grid.x, grid.y, grid.z, block.x, block.y, block.z,
	                                          (unsigned)shared, of(stream), args),
	                grid, block);
}

/* cudaLaunchConfig_t and the driver's CUlaunchConfig; attributes have the same layout. */
struct config {
	struct dim3 grid, block;
	size_t shared;
	void *stream;
	const void *attributes;
	unsigned n;
};
struct driver_config {
	unsigned grid[3], block[3], shared;
	void *stream;
	const void *attributes;
	unsigned n;
};
static struct driver_config of_driver(const struct config *c)
{
	return (struct driver_config){{c->grid.x, c->grid.y, c->grid.z},
	                              {c->block.x, c->block.y, c->block.z},
	                              (unsigned)c->shared,
	                              of(c->stream),
	                              c->attributes,
	                              c->n};
}
API cudaError_t cudaLaunchKernelExC(const struct config *c, const void *func, void **args)
{
	void *f;
	NEED(c && c->shared <= UINT32_MAX, INVALID_VALUE);
	READY();
	const cudaError_t r = function_of(func, &f);
	if (r)
		return refused(r, func, c->grid, c->block);
	const struct driver_config d = of_driver(c);
	return launched(cuLaunchKernelEx(&d, f, args, NULL), c->grid, c->block);
}

API cudaError_t cudaLaunchHostFunc(void *stream, void (*function)(void *self), void *self)
{
	READY();
	return done(cuLaunchHostFunc(of(stream), function, self));
}

/* ---- kernels ---- */

/* cudaFuncAttributes, as far as both toolkits have the members; a reserve of 16 numbers follows. */
struct attributes {
	size_t shared, constants, local;
	int threads, regs, ptx, binary, cache, dynamic, carveout, must, width, height, depth, policy, nonportable;
};
API cudaError_t cudaFuncGetAttributes(struct attributes *a, const void *func)
{
	void *f;
	int v[16] = {0};
	NEED(a, INVALID_VALUE);
	READY();
	cudaError_t r = function_of(func, &f);
	for (int i = 0; i < 16 && !r; i++)
		r = cuFuncGetAttribute(&v[i], i, f);
	if (r)
		return done(r);
	*a = (struct attributes){(size_t)v[1], (size_t)v[2], (size_t)v[3], v[0],  v[4],  v[5],  v[6],  v[7],
	                         v[8],         v[9],         v[10],        v[11], v[12], v[13], v[15], v[14]};
	return OK;
}
API cudaError_t cudaFuncSetAttribute(const void *func, int attribute, int value)
{
	void *f;
	READY();
	const cudaError_t r = function_of(func, &f);
	return done(r ? r : cuFuncSetAttribute(f, attribute, value));
}
API cudaError_t cudaKernelSetAttributeForDevice(void *kernel, int attribute, int value, int device)
{
	READY();
	return done(cuKernelSetAttribute(attribute, value, kernel, device));
}
API cudaError_t cudaFuncSetCacheConfig(const void *func, int config)
{
	void *f;
	(void)config;
	READY();
	return done(function_of(func, &f));
}
API cudaError_t cudaFuncSetSharedMemConfig(const void *func, int config)
{
	return cudaFuncSetCacheConfig(func, config);
}
API cudaError_t cudaFuncGetName(const char **name, const void *func)
{
	void *f;
	READY();
	const cudaError_t r = function_of(func, &f);
	return done(r ? r : cuFuncGetName(name, f));
}
API cudaError_t cudaFuncGetParamInfo(const void *func, size_t i, size_t *offset, size_t *size)
{
	void *f;
	READY();
	const cudaError_t r = function_of(func, &f);
	return done(r ? r : cuFuncGetParamInfo(f, i, offset, size));
}
API cudaError_t cudaGetFuncBySymbol(void **out, const void *func)
{
	NEED(out, INVALID_VALUE);
	READY();
	return done(function_of(func, out));
}
API cudaError_t cudaGetKernel(void **out, const void *func)
{
	return cudaGetFuncBySymbol(out, func);
}

API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *func, int threads,
                                                                       size_t dynamic, unsigned flags)
{
	void *f;
	READY();
	const cudaError_t r = function_of(func, &f);
	return done(r ? r : cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, f, threads, dynamic, flags));
}
API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *func, int threads,
                                                              size_t dynamic)
{
	return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, func, threads, dynamic, 0);
}
API cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *func, int blocks, int threads)
{
	void *f;
	READY();
	const cudaError_t r = function_of(func, &f);
	return done(r ? r : cuOccupancyAvailableDynamicSMemPerBlock(bytes, f, blocks, threads));
}
static cudaError_t clusters(int (*call)(int *, void *, const void *), int *out, const void *func,
                            const struct config *c)
{
	void *f;
	NEED(c, INVALID_VALUE);
	READY();
	const cudaError_t r = function_of(func, &f);
	const struct driver_config d = of_driver(c);
	return done(r ? r : call(out, f, &d));
}
API cudaError_t cudaOccupancyMaxActiveClusters(int *out, const void *func, const struct config *c)
{
	return clusters(cuOccupancyMaxActiveClusters, out, func, c);
}
API cudaError_t cudaOccupancyMaxPotentialClusterSize(int *out, const void *func, const struct config *c)
{
	return clusters(cuOccupancyMaxPotentialClusterSize, out, func, c);
}

/* ---- libraries ---- */

API cudaError_t cudaLibraryLoadData(void *out, const void *code, const int *options, void **values, unsigned n,
                                    const int *library_options, void **library_values, unsigned m)
{
	READY();
	return done(cuLibraryLoadData(out, code, options, values, n, library_options, library_values, m));
}
API cudaError_t cudaLibraryLoadFromFile(void *out, const char *path, const int *options, void **values, unsigned n,
                                        const int *library_options, void **library_values, unsigned m)
{
	READY();
	return done(cuLibraryLoadFromFile(out, path, options, values, n, library_options, library_values, m));
}
API cudaError_t cudaLibraryUnload(void *library)
{
	READY();
	return done(cuLibraryUnload(library));
}
API cudaError_t cudaLibraryGetKernel(void *out, void *library, const char *name)
{
	READY();
	return done(cuLibraryGetKernel(out, library, name));
}
API cudaError_t cudaLibraryGetGlobal(uint64_t *at, size_t *bytes, void *library, const char *name)
{
	READY();
	return done(cuLibraryGetGlobal(at, bytes, library, name));
}
API cudaError_t cudaLibraryGetManaged(uint64_t *at, size_t *bytes, void *library, const char *name)
{
	READY();
	return done(cuLibraryGetManaged(at, bytes, library, name));
}
API cudaError_t cudaLibraryGetKernelCount(unsigned *count, void *library)
{
	READY();
	return done(cuLibraryGetKernelCount(count, library));
}
API cudaError_t cudaLibraryEnumerateKernels(void *out, unsigned most, void *library)
{
	READY();
	return done(cuLibraryEnumerateKernels(out, most, library));
}
