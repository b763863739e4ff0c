// SPDX-License-Identifier: Apache-2.0
/* function.c -- kernels: loading, attributes, occupancy. A kernel of a library (CUkernel) is the same handle. */
#include <stdlib.h>
#include <string.h>

#include "driver.h"

enum { WARP = 32, REGISTERS = 65536, PARTS = 4, PER_WARP = 256, PLAIN_SHARED = 48 * 1024, PORTABLE_CLUSTER = 8 };

struct function *function_get(const void *handle)
{
	return object_get(handle, KIND_FUNCTION);
}

CUresult function_load(struct function *f)
{
	struct module *m = f->module;
	struct wl_program *p = &f->program;
	char why[600];
	if (f->loaded)
		return CUDA_SUCCESS;
	enum wl_status s = wl_object_program_at(m->elf, f->name, &m->bases, p, why, sizeof why);
	if (s == WL_OK && (s = wl_object_program_lines(m->elf, p)) != WL_OK)
		wl_program_free(p);
	if (s != WL_OK) {
		say("kernel %s: %s", f->name, why);
		return s == WL_ERR_UNSUPPORTED ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_INVALID_IMAGE;
	}
	/* All kernels share the module's constants, and the host may write the constants. */
	free(p->cbank[3]);
	p->cbank[3] = m->constants;
	p->cbank_bytes[3] = m->constant_bytes;
	free(p->data);
	p->data = NULL;
	for (uint32_t i = 0; i < p->nfunctions; i++) {
		const char *name = p->functions[i].external ? p->functions[i].name : "";
		f->uses_heap |= strcmp(name, "malloc") == 0 || strcmp(name, "free") == 0;
		f->prints |= strcmp(name, "vprintf") == 0;
	}
	f->max_dynamic = p->shared_bytes < PLAIN_SHARED ? (int)(PLAIN_SHARED - p->shared_bytes) : 0;
	f->loaded = true;
	return CUDA_SUCCESS;
}

/* ---- resources of a kernel ---- */

static unsigned round_up(unsigned n, unsigned to)
{
	return (n + to - 1) / to * to;
}

static unsigned registers_of_warp(const struct function *f)
{
	return round_up(f->program.regs ? f->program.regs : 1, 8) * WARP;
}

/* Each part of an SM has a quarter of the registers, and a warp lies in a single part. */
static unsigned warps_by_registers(const struct function *f)
{
	return REGISTERS / PARTS / round_up(registers_of_warp(f), PER_WARP) * PARTS;
}

static unsigned most_threads(const struct function *f)
{
	unsigned warps = warps_by_registers(f);
	unsigned threads = warps * WARP > 1024 ? 1024 : warps * WARP;
	return f->program.max_threads && f->program.max_threads < threads ? f->program.max_threads : threads;
}

/* From sm_90 on the object's bytes hold the system's. */
static uint64_t shared_of(const struct function *f)
{
	const uint64_t kept = Device.chip >= 80 ? 1024 : 0, own = f->program.shared_bytes;
	return Device.chip >= 90 && own >= kept ? own - kept : own;
}

unsigned function_blocks_per_sm(const struct function *f, unsigned threads, uint64_t dynamic)
{
	const struct chip_facts *c = device_facts();
	const unsigned warps = (threads + WARP - 1) / WARP, kept = Device.chip >= 80 ? 1024 : 0;
	if (!threads || threads > most_threads(f))
		return 0;
	const uint64_t unit = Device.chip >= 80 ? 128 : 256;
	const uint64_t shared = (shared_of(f) + dynamic + kept + unit - 1) / unit * unit;
	unsigned n = c->threads_per_sm / (warps * WARP);
	const unsigned by_registers = warps_by_registers(f) / warps;
	n = n < c->blocks_per_sm ? n : c->blocks_per_sm;
	n = n < by_registers ? n : by_registers;
	if (shared_of(f) + dynamic > wl_chip_shared_of_cta(Device.chip))
		return 0;
	if (shared && wl_chip_shared_of_sm(Device.chip) / shared < n)
		n = (unsigned)(wl_chip_shared_of_sm(Device.chip) / shared);
	return n;
}

/* ---- attributes: numbers of CUfunction_attribute ---- */

enum {
	F_THREADS,
	F_SHARED,
	F_CONST,
	F_LOCAL,
	F_REGS,
	F_PTX,
	F_BINARY,
	F_CACHE_CA,
	F_DYNAMIC,
	F_CARVEOUT,
	F_MUST,
	F_WIDTH,
	F_HEIGHT,
	F_DEPTH,
	F_NONPORTABLE,
	F_POLICY,
	F_COUNT
};

static CUresult get(int *value, int attribute, struct function *f)
{
	const struct wl_program *p = &f->program;
	CHECK(value && attribute >= 0 && attribute < F_COUNT, INVALID_VALUE);
	CHECK(f, INVALID_HANDLE);
	const CUresult r = function_load(f);
	if (r)
		return r;
	const int values[F_COUNT] = {[F_THREADS] = (int)most_threads(f),
	                             [F_SHARED] = (int)shared_of(f),
	                             [F_CONST] = (int)f->module->constant_bytes,
	                             [F_LOCAL] = (int)p->local_bytes,
	                             [F_REGS] = (int)p->regs,
	                             [F_PTX] = (int)(f->module->ptx_version ? f->module->ptx_version : Device.chip),
	                             [F_BINARY] = (int)Device.chip,
	                             [F_DYNAMIC] = f->max_dynamic,
	                             [F_CARVEOUT] = f->carveout,
	                             [F_MUST] = f->must_cluster,
	                             [F_WIDTH] = p->required_cluster[0] ? (int)p->required_cluster[0] : f->cluster[0],
	                             [F_HEIGHT] = p->required_cluster[0] ? (int)p->required_cluster[1] : f->cluster[1],
	                             [F_DEPTH] = p->required_cluster[0] ? (int)p->required_cluster[2] : f->cluster[2],
	                             [F_NONPORTABLE] = f->nonportable,
	                             [F_POLICY] = f->policy};
	*value = values[attribute];
	return CUDA_SUCCESS;
}

static CUresult set(struct function *f, int attribute, int value)
{
	CHECK(f, INVALID_HANDLE);
	const CUresult r = function_load(f);
	if (r)
		return r;
	switch (attribute) {
	case F_DYNAMIC:
		CHECK(value >= 0 && (uint64_t)value + shared_of(f) <= wl_chip_shared_of_cta(Device.chip),
		      INVALID_VALUE);
		f->max_dynamic = value;
		return CUDA_SUCCESS;
	case F_CARVEOUT:
		CHECK(value >= -1 && value <= 100, INVALID_VALUE);
		f->carveout = value;
		return CUDA_SUCCESS;
	case F_MUST:
		f->must_cluster = value;
		return CUDA_SUCCESS;
	case F_WIDTH:
	case F_HEIGHT:
	case F_DEPTH:
		CHECK(value >= 0 && !f->program.required_cluster[0] && Device.chip >= 90, INVALID_VALUE);
		f->cluster[attribute - F_WIDTH] = value;
		return CUDA_SUCCESS;
	case F_NONPORTABLE:
		f->nonportable = value;
		return CUDA_SUCCESS;
	case F_POLICY:
		f->policy = value;
		return CUDA_SUCCESS;
	default:
		return CUDA_ERROR_INVALID_VALUE;
	}
}

API CUresult cuFuncGetAttribute(int *value, int attribute, void *function)
{
	GUARD(NEED_WHOLE);
	struct function *f = function_get(function);
	CHECK(f, INVALID_HANDLE);
	return get(value, attribute, f);
}
API CUresult cuFuncSetAttribute(void *function, int attribute, int value)
{
	GUARD(NEED_WHOLE);
	return set(function_get(function), attribute, value);
}
CUresult function_in(struct function *f, struct context *c, struct function **out)
{
	struct library *l = f->module->library;
	struct module *m;
	*out = f;
	if (!l || f->module->context == c)
		return CUDA_SUCCESS;
	const CUresult r = library_in(l, c, &m);
	return r ? r : module_function(m, f->name, out);
}

/* In the primary context of a device, where the device has one. */
static CUresult function_on(struct function *f, CUdevice device, struct function **out)
{
	struct context *c = context_primary(device);
	*out = f;
	const struct context *own = f->module->context; /* NULL: of a library without its first context */
	return !c || (own && own->device == device) ? CUDA_SUCCESS : function_in(f, c, out);
}

API CUresult cuKernelGetAttribute(int *value, int attribute, void *kernel, CUdevice device)
{
	GUARD(NEED_INIT);
	CHECK(device_is(device), INVALID_DEVICE);
	struct function *f = function_get(kernel);
	CHECK(f, INVALID_HANDLE);
	const CUresult r = function_on(f, device, &f);
	return r ? r : get(value, attribute, f);
}
API CUresult cuKernelSetAttribute(int attribute, int value, void *kernel, CUdevice device)
{
	GUARD(NEED_INIT);
	CHECK(device_is(device), INVALID_DEVICE);
	struct function *f = function_get(kernel);
	CHECK(f, INVALID_HANDLE);
	const CUresult r = function_on(f, device, &f);
	return r ? r : set(f, attribute, value);
}
API CUresult cuFuncSetCacheConfig(void *function, int config)
{
	GUARD(NEED_WHOLE);
	CHECK(function_get(function), INVALID_HANDLE);
	CHECK(config >= 0 && config <= 3, INVALID_VALUE);
	return CUDA_SUCCESS;
}
API CUresult cuKernelSetCacheConfig(void *kernel, int config, CUdevice device)
{
	CHECK(device_is(device), INVALID_DEVICE);
	return cuFuncSetCacheConfig(kernel, config);
}
API CUresult cuFuncSetSharedMemConfig(void *function, int config)
{
	GUARD(NEED_WHOLE);
	CHECK(function_get(function), INVALID_HANDLE);
	CHECK(config >= 0 && config <= 2, INVALID_VALUE);
	return CUDA_SUCCESS;
}
API CUresult cuFuncGetModule(void **out, void *function)
{
	GUARD(NEED_WHOLE);
	struct function *f = function_get(function);
	CHECK(f, INVALID_HANDLE);
	CHECK(out, INVALID_VALUE);
	*out = f->module;
	return CUDA_SUCCESS;
}
API CUresult cuFuncGetName(const char **name, void *function)
{
	GUARD(NEED_INIT);
	struct function *f = function_get(function);
	CHECK(f, INVALID_HANDLE);
	CHECK(name, INVALID_VALUE);
	*name = f->name;
	return CUDA_SUCCESS;
}
API CUresult cuKernelGetName(const char **name, void *kernel)
{
	return cuFuncGetName(name, kernel);
}
API CUresult cuFuncGetParamInfo(void *function, size_t i, size_t *offset, size_t *size)
{
	GUARD(NEED_INIT);
	struct function *f = function_get(function);
	CHECK(f, INVALID_HANDLE);
	CHECK(offset, INVALID_VALUE);
	const CUresult r = function_load(f);
	if (r)
		return r;
	CHECK(i < f->program.nparams, INVALID_VALUE);
	*offset = f->program.params[i].offset;
	if (size)
		*size = f->program.params[i].size;
	return CUDA_SUCCESS;
}
API CUresult cuKernelGetParamInfo(void *kernel, size_t i, size_t *offset, size_t *size)
{
	return cuFuncGetParamInfo(kernel, i, offset, size);
}
API CUresult cuFuncIsLoaded(int *state, void *function)
{
	GUARD(NEED_INIT);
	struct function *f = function_get(function);
	CHECK(f, INVALID_HANDLE);
	CHECK(state, INVALID_VALUE);
	*state = f->loaded;
	return CUDA_SUCCESS;
}
API CUresult cuFuncLoad(void *function)
{
	GUARD(NEED_WHOLE);
	struct function *f = function_get(function);
	CHECK(f, INVALID_HANDLE);
	return function_load(f);
}
API CUresult cuKernelGetFunction(void **out, void *kernel)
{
	GUARD(NEED_CONTEXT);
	struct function *f = function_get(kernel);
	CHECK(f, INVALID_HANDLE);
	CHECK(out, INVALID_VALUE);
	const CUresult r = function_in(f, call.context, &f);
	if (!r)
		*out = f;
	return r;
}
API CUresult cuKernelGetLibrary(void **out, void *kernel)
{
	GUARD(NEED_INIT);
	struct function *f = function_get(kernel);
	CHECK(f && f->module->library, INVALID_HANDLE);
	CHECK(out, INVALID_VALUE);
	*out = f->module->library;
	return CUDA_SUCCESS;
}

/* ---- occupancy ---- */

API CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, void *function, int threads,
                                                                  size_t dynamic, unsigned flags)
{
	GUARD(NEED_WHOLE);
	struct function *f = function_get(function);
	CHECK(f, INVALID_HANDLE);
	CHECK(blocks && threads > 0 && flags <= 1, INVALID_VALUE);
	const CUresult r = function_load(f);
	if (!r)
		*blocks = (int)function_blocks_per_sm(f, (unsigned)threads, dynamic);
	return r;
}
API CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *function, int threads, size_t dynamic)
{
	return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, dynamic, 0);
}

/* The size of block with the most threads of an SM at a time; of several the largest. */
API CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, void *function,
                                                       size_t (*dynamic_of)(int threads), size_t dynamic, int limit,
                                                       unsigned flags)
{
	GUARD(NEED_WHOLE);
	struct function *f = function_get(function);
	CHECK(f, INVALID_HANDLE);
	CHECK(grid && block && limit >= 0 && flags <= 1, INVALID_VALUE);
	const CUresult r = function_load(f);
	if (r)
		return r;
	unsigned top = most_threads(f), best = 0;
	top = limit && (unsigned)limit < top ? (unsigned)limit : top;
	*grid = *block = 0;
	for (unsigned n = round_up(top, WARP); n; n -= WARP) {
		const unsigned threads = n < top ? n : top;
		const unsigned blocks =
		        function_blocks_per_sm(f, threads, dynamic_of ? dynamic_of((int)threads) : dynamic);
		if (blocks * threads > best) {
			best = blocks * threads;
			*block = (int)threads;
			*grid = (int)(blocks * Device.sms);
		}
	}
	return CUDA_SUCCESS;
}
API CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *block, void *function, size_t (*dynamic_of)(int threads),
                                              size_t dynamic, int limit)
{
	return cuOccupancyMaxPotentialBlockSizeWithFlags(grid, block, function, dynamic_of, dynamic, limit, 0);
}

API CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, void *function, int blocks, int threads)
{
	GUARD(NEED_WHOLE);
	struct function *f = function_get(function);
	CHECK(f, INVALID_HANDLE);
	CHECK(bytes && blocks > 0 && threads > 0, INVALID_VALUE);
	const CUresult r = function_load(f);
	if (r)
		return r;
	CHECK((unsigned)blocks <= function_blocks_per_sm(f, (unsigned)threads, 0), INVALID_VALUE);
	const uint64_t kept = Device.chip >= 80 ? 1024 : 0, most = wl_chip_shared_of_cta(Device.chip);
	uint64_t each = wl_chip_shared_of_sm(Device.chip) / (unsigned)blocks & ~UINT64_C(127);
	each = each > kept + shared_of(f) ? each - kept - shared_of(f) : 0;
	*bytes = each + shared_of(f) > most ? most - shared_of(f) : each;
	return CUDA_SUCCESS;
}
