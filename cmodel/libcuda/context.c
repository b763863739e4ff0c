// SPDX-License-Identifier: Apache-2.0
/* context.c -- the guard of every call, contexts and the stack of current contexts of a thread. */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver.h"

enum { STACK = 64, LIMITS = 16 };
static const uint64_t DefaultLimit[LIMITS] = {1024, 1 << 20, 8 << 20, 2, 2048, 128};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool initialized, forked;
static struct context *primary[MOST_DEVICES];
static uint64_t next_id = 1;
static _Thread_local void *stack[STACK]; /* handles: a context may be gone */
static _Thread_local unsigned depth;

/* ---- messages ---- */

void say(const char *format, ...)
{
	char text[4000];
	va_list ap;
	va_start(ap, format);
	vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	fflush(stdout);
	fprintf(stderr, "warplock: %s\n", text);
}

CUresult unbuilt(const char *name, const char *what)
{
	say("%s: %s is not built", name, what ? what : "the call");
	return CUDA_ERROR_NOT_SUPPORTED;
}

/* ---- the guard ---- */

static void in_child(void)
{
	forked = initialized;
	pthread_mutex_init(&lock, NULL);
}

void call_lock(void)
{
	pthread_mutex_lock(&lock);
}

void call_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

struct call call_begin(const char *name, enum need need)
{
	struct call c = {0};
	(void)name;
	pthread_mutex_lock(&lock);
	if (need >= NEED_INIT && (!initialized || forked))
		c.bad = CUDA_ERROR_NOT_INITIALIZED;
	else if (need >= NEED_CONTEXT && !(c.context = context_current()))
		c.bad = depth && stack[depth - 1] ? CUDA_ERROR_CONTEXT_IS_DESTROYED : CUDA_ERROR_INVALID_CONTEXT;
	else if (need == NEED_WHOLE)
		c.bad = c.context->broken;
	c.locked = !c.bad;
	if (c.bad) {
		default_of_thread = false;
		pthread_mutex_unlock(&lock);
	}
	return c;
}

void call_end(struct call *c)
{
	if (!c->locked)
		return;
	default_of_thread = false;
	pthread_mutex_unlock(&lock);
}

API CUresult cuInit(unsigned flags)
{
	GUARD(NEED_NOTHING);
	CHECK(!flags, INVALID_VALUE);
	CHECK(!forked, NOT_INITIALIZED);
	if (initialized)
		return CUDA_SUCCESS;
	CHECK(device_open(), NO_DEVICE);
	CHECK(memory_open() && streams_open(), OUT_OF_MEMORY);
	pthread_atfork(NULL, NULL, in_child);
	initialized = true;
	return CUDA_SUCCESS;
}

API CUresult cuDriverGetVersion(int *version)
{
	CHECK(version, INVALID_VALUE);
	*version = DRIVER_VERSION;
	return CUDA_SUCCESS;
}

static const struct {
	int number;
	const char *name, *text;
} errors[] = {
        {0, "CUDA_SUCCESS", "no error"},
#define ERROR(name, number, text) {number, "CUDA_ERROR_" #name, text},
#include "errors.def"
#undef ERROR
};

static CUresult error_text(CUresult error, const char **out, bool name)
{
	CHECK(out, INVALID_VALUE);
	*out = NULL;
	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
		if (errors[i].number == error)
			*out = name ? errors[i].name : errors[i].text;
	return *out ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

API CUresult cuGetErrorName(CUresult error, const char **out)
{
	return error_text(error, out, true);
}

API CUresult cuGetErrorString(CUresult error, const char **out)
{
	return error_text(error, out, false);
}

/* ---- contexts ---- */

struct context *context_current(void)
{
	return depth ? object_get(stack[depth - 1], KIND_CONTEXT) : NULL;
}

struct context *context_primary(CUdevice device)
{
	return primary[device];
}

static struct context *context_new(unsigned flags, CUdevice device)
{
	struct context *c = object_new(KIND_CONTEXT, sizeof *c);
	if (!c)
		return NULL;
	c->device = device;
	c->flags = flags;
	c->id = next_id++;
	memcpy(c->limit, DefaultLimit, sizeof c->limit);
	return c;
}

/* Everything owned by the context goes; the context itself stays. */
static void context_empty(struct context *c)
{
	streams_drop(c);
	modules_drop(c);
	arrays_drop(c);
	memory_drop(c);
	peers_drop(c);
	c->broken = CUDA_SUCCESS;
	c->heap = c->heap_bytes = c->workspace = 0;
	memcpy(c->limit, DefaultLimit, sizeof c->limit);
}

void context_release(struct context *c)
{
	context_empty(c);
	if (c == primary[c->device])
		primary[c->device] = NULL;
	object_free(c);
}

void context_fault(struct context *c, CUresult error)
{
	if (!c->broken)
		c->broken = error;
}

static CUresult push(struct context *c)
{
	CHECK(depth < STACK, OUT_OF_MEMORY);
	stack[depth++] = c;
	return CUDA_SUCCESS;
}

static CUresult create(struct context **out, unsigned flags, CUdevice device)
{
	GUARD(NEED_INIT);
	CHECK(out && !(flags & ~0xffu), INVALID_VALUE);
	CHECK(device_is(device), INVALID_DEVICE);
	struct context *c = context_new(flags, device);
	CHECK(c, OUT_OF_MEMORY);
	CUresult r = push(c);
	if (r)
		context_release(c);
	else
		*out = c;
	return r;
}

API CUresult cuCtxCreate_v2(struct context **out, unsigned flags, CUdevice device)
{
	return create(out, flags, device);
}
API CUresult cuCtxCreate_v3(struct context **out, const void *affinity, int n, unsigned flags, CUdevice device)
{
	if (affinity || n)
		return CUDA_ERROR_NOT_SUPPORTED;
	return create(out, flags, device);
}
API CUresult cuCtxCreate_v4(struct context **out, const void *params, unsigned flags, CUdevice device)
{
	if (params)
		return unbuilt(__func__, "a context with parameters");
	return create(out, flags, device);
}

API CUresult cuCtxDestroy_v2(void *context)
{
	GUARD(NEED_INIT);
	launch_settle();
	struct context *c = object_get(context, KIND_CONTEXT);
	CHECK(c, INVALID_CONTEXT);
	CHECK(!c->primary, INVALID_CONTEXT);
	if (depth && stack[depth - 1] == c)
		depth--;
	context_release(c);
	return CUDA_SUCCESS;
}

API CUresult cuCtxPushCurrent_v2(void *context)
{
	GUARD(NEED_INIT);
	struct context *c = object_get(context, KIND_CONTEXT);
	CHECK(c, INVALID_CONTEXT);
	return push(c);
}

API CUresult cuCtxPopCurrent_v2(void **out)
{
	GUARD(NEED_INIT);
	CHECK(depth, INVALID_CONTEXT);
	depth--;
	if (out)
		*out = stack[depth];
	return CUDA_SUCCESS;
}

API CUresult cuCtxSetCurrent(void *context)
{
	GUARD(NEED_INIT);
	CHECK(!context || object_get(context, KIND_CONTEXT), INVALID_CONTEXT);
	if (depth)
		depth--;
	return context ? push(context) : CUDA_SUCCESS;
}

API CUresult cuCtxGetCurrent(void **out)
{
	GUARD(NEED_INIT);
	CHECK(out, INVALID_VALUE);
	*out = context_current();
	return CUDA_SUCCESS;
}

API CUresult cuCtxGetDevice(CUdevice *out)
{
	GUARD(NEED_CONTEXT);
	CHECK(out, INVALID_VALUE);
	*out = call.context->device;
	return CUDA_SUCCESS;
}

API CUresult cuCtxGetDevice_v2(CUdevice *out, void *context)
{
	GUARD(NEED_INIT);
	CHECK(out, INVALID_VALUE);
	const struct context *c = context ? object_get(context, KIND_CONTEXT) : context_current();
	CHECK(c, INVALID_CONTEXT);
	*out = c->device;
	return CUDA_SUCCESS;
}

API CUresult cuCtxGetFlags(unsigned *flags)
{
	GUARD(NEED_CONTEXT);
	CHECK(flags, INVALID_VALUE);
	*flags = call.context->flags;
	return CUDA_SUCCESS;
}

API CUresult cuCtxSetFlags(unsigned flags)
{
	GUARD(NEED_CONTEXT);
	call.context->flags = flags;
	return CUDA_SUCCESS;
}

API CUresult cuCtxGetId(void *context, uint64_t *id)
{
	GUARD(NEED_INIT);
	CHECK(id, INVALID_VALUE);
	struct context *c = context ? object_get(context, KIND_CONTEXT) : context_current();
	CHECK(c, INVALID_CONTEXT);
	*id = c->id;
	return CUDA_SUCCESS;
}

API CUresult cuCtxGetApiVersion(void *context, unsigned *version)
{
	GUARD(NEED_INIT);
	CHECK(version, INVALID_VALUE);
	CHECK(context ? object_get(context, KIND_CONTEXT) : (void *)context_current(), INVALID_CONTEXT);
	*version = 3020;
	return CUDA_SUCCESS;
}

API CUresult cuCtxSynchronize(void)
{
	GUARD(NEED_WHOLE);
	return capture_allows_context(call.context);
}

API CUresult cuCtxSynchronize_v2(void *context)
{
	GUARD(NEED_INIT);
	struct context *c = context ? object_get(context, KIND_CONTEXT) : context_current();
	CHECK(c, INVALID_CONTEXT);
	const CUresult r = capture_allows_context(c);
	return r ? r : c->broken;
}

API CUresult cuCtxSetLimit(int limit, size_t value)
{
	GUARD(NEED_CONTEXT);
	CHECK(limit >= 0, INVALID_VALUE);
	CHECK(limit < 6, UNSUPPORTED_LIMIT);
	if (limit == 2) { /* malloc's heap: fixed after the first use by a kernel */
		CHECK(!call.context->heap_bytes, INVALID_VALUE);
		CHECK(value <= (size_t)1 << 32, OUT_OF_MEMORY);
	}
	if (limit == 0)
		CHECK(value <= 1 << 19, INVALID_VALUE);
	call.context->limit[limit] = value;
	return CUDA_SUCCESS;
}

API CUresult cuCtxGetLimit(size_t *value, int limit)
{
	GUARD(NEED_CONTEXT);
	CHECK(value && limit >= 0, INVALID_VALUE);
	CHECK(limit < 6, UNSUPPORTED_LIMIT);
	*value = call.context->limit[limit];
	return CUDA_SUCCESS;
}

API CUresult cuCtxGetCacheConfig(int *config)
{
	GUARD(NEED_CONTEXT);
	CHECK(config, INVALID_VALUE);
	*config = 0;
	return CUDA_SUCCESS;
}
API CUresult cuCtxSetCacheConfig(int config)
{
	GUARD(NEED_CONTEXT);
	CHECK(config >= 0 && config <= 3, INVALID_VALUE);
	return CUDA_SUCCESS;
}
API CUresult cuCtxGetSharedMemConfig(int *config)
{
	GUARD(NEED_CONTEXT);
	CHECK(config, INVALID_VALUE);
	*config = 1; /* banks of four bytes */
	return CUDA_SUCCESS;
}
API CUresult cuCtxSetSharedMemConfig(int config)
{
	GUARD(NEED_CONTEXT);
	CHECK(config >= 0 && config <= 2, INVALID_VALUE);
	return CUDA_SUCCESS;
}
API CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
	GUARD(NEED_CONTEXT);
	if (least)
		*least = 0;
	if (greatest)
		*greatest = -5;
	return CUDA_SUCCESS;
}
API CUresult cuCtxResetPersistingL2Cache(void)
{
	GUARD(NEED_CONTEXT);
	return CUDA_SUCCESS;
}

/* ---- primary contexts, one for each device ---- */

static struct context *primary_of(CUdevice device)
{
	struct context *c = primary[device] ? primary[device] : context_new(0, device);
	if (c)
		c->primary = true;
	return primary[device] = c;
}

struct context *context_or_primary(void)
{
	struct context *c = context_current();
	return c ? c : primary_of(0);
}

API CUresult cuDevicePrimaryCtxRetain(void **out, CUdevice device)
{
	GUARD(NEED_INIT);
	CHECK(out, INVALID_VALUE);
	CHECK(device_is(device), INVALID_DEVICE);
	struct context *c = primary_of(device);
	CHECK(c, OUT_OF_MEMORY);
	c->uses++;
	*out = c;
	return CUDA_SUCCESS;
}

API CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
	GUARD(NEED_INIT);
	CHECK(device_is(device), INVALID_DEVICE);
	launch_settle();
	struct context *c = primary[device];
	CHECK(c && c->uses, INVALID_CONTEXT);
	if (!--c->uses)
		context_empty(c); /* the handle lives on, for threads and for the next retain */
	return CUDA_SUCCESS;
}
API CUresult cuDevicePrimaryCtxRelease(CUdevice device)
{
	return cuDevicePrimaryCtxRelease_v2(device);
}

API CUresult cuDevicePrimaryCtxReset_v2(CUdevice device)
{
	GUARD(NEED_INIT);
	CHECK(device_is(device), INVALID_DEVICE);
	launch_settle();
	if (primary[device])
		context_empty(primary[device]);
	return CUDA_SUCCESS;
}
API CUresult cuDevicePrimaryCtxReset(CUdevice device)
{
	return cuDevicePrimaryCtxReset_v2(device);
}

API CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active)
{
	GUARD(NEED_INIT);
	CHECK(device_is(device), INVALID_DEVICE);
	CHECK(flags && active, INVALID_VALUE);
	const struct context *c = primary[device];
	*flags = c ? c->flags : 0;
	*active = c && c->uses;
	return CUDA_SUCCESS;
}

API CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags)
{
	GUARD(NEED_INIT);
	CHECK(device_is(device), INVALID_DEVICE);
	struct context *c = primary_of(device);
	CHECK(c, OUT_OF_MEMORY);
	c->flags = flags;
	return CUDA_SUCCESS;
}
API CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags)
{
	return cuDevicePrimaryCtxSetFlags_v2(device, flags);
}
