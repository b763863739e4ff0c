// SPDX-License-Identifier: Apache-2.0
/* pointer.c -- attributes of addresses, and pools. */
#include <string.h>

#include "driver.h"

/* ---- attributes of pointers ---- */

static bool is_hosts(const struct block *b)
{
	return b->kind == MEMORY_HOST || b->kind == MEMORY_REGISTERED;
}

/* Numbers of CUpointer_attribute. */
enum {
	P_CONTEXT = 1,
	P_TYPE,
	P_DEVICE,
	P_HOST,
	P_TOKENS,
	P_SYNC,
	P_ID,
	P_MANAGED,
	P_ORDINAL,
	P_IPC,
	P_START,
	P_SIZE,
	P_MAPPED,
	P_HANDLES,
	P_RDMA,
	P_ACCESS,
	P_POOL,
	P_MAP_SIZE,
	P_MAP_BASE,
	P_BLOCK
};

static CUresult attribute_of(void *out, int attribute, uint64_t at, const struct block *b)
{
	const unsigned type = is_hosts(b) ? 1 : 2;
	const int ordinal = b->device, access = 3;
	const unsigned yes = 1, no = 0, managed = b->kind == MEMORY_MANAGED;
	const uint64_t none = 0;
	switch (attribute) {
	case P_CONTEXT:
		memcpy(out, &b->context, sizeof b->context);
		return CUDA_SUCCESS;
	case P_TYPE:
		memcpy(out, &type, sizeof type);
		return CUDA_SUCCESS;
	case P_DEVICE:
		memcpy(out, &at, sizeof at);
		return CUDA_SUCCESS;
	case P_HOST:
		if (!is_hosts(b) && !managed)
			return CUDA_ERROR_INVALID_VALUE;
		memcpy(out, &at, sizeof at);
		return CUDA_SUCCESS;
	case P_SYNC:
	case P_IPC:
	case P_RDMA:
		memcpy(out, &no, 1);
		return CUDA_SUCCESS;
	case P_ID:
	case P_BLOCK:
		memcpy(out, &b->id, sizeof b->id);
		return CUDA_SUCCESS;
	case P_MANAGED:
		memcpy(out, &managed, 1);
		return CUDA_SUCCESS;
	case P_ORDINAL:
		memcpy(out, &ordinal, sizeof ordinal);
		return CUDA_SUCCESS;
	case P_START:
	case P_MAP_BASE:
		memcpy(out, &b->base, sizeof b->base);
		return CUDA_SUCCESS;
	case P_SIZE:
	case P_MAP_SIZE:
		memcpy(out, &b->bytes, sizeof b->bytes);
		return CUDA_SUCCESS;
	case P_MAPPED:
		memcpy(out, &yes, 1);
		return CUDA_SUCCESS;
	case P_HANDLES:
		memcpy(out, &none, sizeof none);
		return CUDA_SUCCESS;
	case P_ACCESS:
		memcpy(out, &access, sizeof access);
		return CUDA_SUCCESS;
	case P_POOL:
		memcpy(out, &b->pool, sizeof b->pool);
		return CUDA_SUCCESS;
	default:
		return CUDA_ERROR_INVALID_VALUE;
	}
}

API CUresult cuPointerGetAttribute(void *out, int attribute, CUdeviceptr at)
{
	GUARD(NEED_INIT);
	const struct block *b = memory_find(at);
	CHECK(out && b, INVALID_VALUE);
	return attribute_of(out, attribute, at, b);
}

/* Unlike the single call, an address outside of all blocks is no error: the answers are zeros. */
API CUresult cuPointerGetAttributes(unsigned n, const int *attributes, void **out, CUdeviceptr at)
{
	static const unsigned bytes[] = {0, 8, 4, 8, 8, 16, 1, 8, 1, 4, 1, 8, 8, 1, 8, 1, 4, 8, 8, 8, 8, 1};
	GUARD(NEED_INIT);
	const struct block *b = memory_find(at);
	CHECK(n && attributes && out, INVALID_VALUE);
	for (unsigned i = 0; i < n; i++) {
		const int a = attributes[i];
		CHECK(out[i] && a >= 1 && a < (int)(sizeof bytes / sizeof *bytes), INVALID_VALUE);
		if (a != P_TOKENS)
			memset(out[i], 0, bytes[a]);
		if (!b && a == P_ORDINAL)
			memset(out[i], 0xfe, 4), ((unsigned char *)out[i])[1] = 0xff,
			                                         ((unsigned char *)out[i])[2] = 0xff,
			                                         ((unsigned char *)out[i])[3] = 0xff; /* -2 */
		if (!b && a == P_HOST)
			memcpy(out[i], &at, sizeof at);
		if (b)
			attribute_of(out[i], a, at, b);
	}
	return CUDA_SUCCESS;
}

API CUresult cuPointerSetAttribute(const void *value, int attribute, CUdeviceptr at)
{
	GUARD(NEED_INIT);
	CHECK(value && attribute == P_SYNC && memory_find(at), INVALID_VALUE);
	return CUDA_SUCCESS;
}

/* ---- pools: all pools of a device take from the device's memory ---- */

static struct pool *pool_new(CUdevice device)
{
	struct pool *p = object_new(KIND_POOL, sizeof *p);
	if (!p)
		return NULL;
	p->device = device;
	p->attribute[1] = p->attribute[2] = p->attribute[3] = 1;
	return p;
}

static struct pool *default_pool(CUdevice device)
{
	static struct pool *of[MOST_DEVICES];
	if (!of[device] && (of[device] = pool_new(device)))
		of[device]->is_default = true;
	return of[device];
}

API CUresult cuDeviceGetDefaultMemPool(void **out, CUdevice device)
{
	GUARD(NEED_INIT);
	CHECK(out, INVALID_VALUE);
	CHECK(device_is(device), INVALID_DEVICE);
	*out = default_pool(device);
	CHECK(*out, OUT_OF_MEMORY);
	return CUDA_SUCCESS;
}

static struct pool *chosen[MOST_DEVICES]; /* NULL: the default pool */

static struct pool *current_pool(CUdevice device)
{
	return chosen[device] ? chosen[device] : default_pool(device);
}

API CUresult cuDeviceGetMemPool(void **out, CUdevice device)
{
	GUARD(NEED_INIT);
	CHECK(out, INVALID_VALUE);
	CHECK(device_is(device), INVALID_DEVICE);
	*out = current_pool(device);
	return CUDA_SUCCESS;
}

API CUresult cuDeviceSetMemPool(CUdevice device, void *pool)
{
	GUARD(NEED_INIT);
	CHECK(device_is(device), INVALID_DEVICE);
	const struct pool *p = object_get(pool, KIND_POOL);
	CHECK(p && p->device == device, INVALID_VALUE);
	chosen[device] = pool;
	return CUDA_SUCCESS;
}

API CUresult cuMemPoolCreate(void **out, const int *props)
{
	GUARD(NEED_INIT);
	CHECK(out && props && props[0] == 1, INVALID_VALUE); /* pinned memory of a device */
	if (props[1])
		return unbuilt(__func__, "a pool to share with other processes");
	if (props[2] != 1)
		return unbuilt(__func__, "a pool of the host's memory");
	CHECK(device_is(props[3]), INVALID_VALUE); /* location: type, device */
	struct pool *p = pool_new(props[3]);
	CHECK(p, OUT_OF_MEMORY);
	*out = p;
	return CUDA_SUCCESS;
}

API CUresult cuMemPoolDestroy(void *pool)
{
	GUARD(NEED_INIT);
	struct pool *p = object_get(pool, KIND_POOL);
	CHECK(p && !p->is_default, INVALID_VALUE);
	if (chosen[p->device] == p)
		chosen[p->device] = NULL;
	object_free(p);
	return CUDA_SUCCESS;
}

API CUresult cuMemPoolTrimTo(void *pool, size_t keep)
{
	(void)keep;
	GUARD(NEED_INIT);
	CHECK(object_get(pool, KIND_POOL), INVALID_VALUE);
	return CUDA_SUCCESS;
}

/* Attributes of memory: reserved 5, high mark of reserved 6, used 7, high mark of used 8. Nothing is kept in
 * reserve. */
void pool_count(struct pool *pool, int64_t bytes)
{
	struct pool *p = object_get(pool, KIND_POOL);
	if (!p)
		return;
	p->attribute[5] = p->attribute[7] += (uint64_t)bytes;
	for (unsigned i = 6; i <= 8; i += 2)
		if (p->attribute[i] < p->attribute[7])
			p->attribute[i] = p->attribute[7];
}

API CUresult cuMemPoolGetAttribute(void *pool, int attribute, void *value)
{
	GUARD(NEED_INIT);
	struct pool *p = object_get(pool, KIND_POOL);
	CHECK(p && value && attribute >= 1 && attribute <= 8, INVALID_VALUE);
	memcpy(value, &p->attribute[attribute], attribute <= 3 ? 4 : 8);
	return CUDA_SUCCESS;
}

API CUresult cuMemPoolSetAttribute(void *pool, int attribute, const void *value)
{
	GUARD(NEED_INIT);
	struct pool *p = object_get(pool, KIND_POOL);
	CHECK(p && value && attribute >= 1 && attribute <= 8 && attribute != 5 && attribute != 7, INVALID_VALUE);
	uint64_t v = 0;
	memcpy(&v, value, attribute <= 3 ? 4 : 8);
	const bool mark = attribute == 6 || attribute == 8;
	CHECK(!mark || !v, INVALID_VALUE); /* a mark starts anew */
	p->attribute[attribute] = mark ? p->attribute[7] : v;
	return CUDA_SUCCESS;
}

/* CUmemAccessDesc. */
struct access {
	int type, id; /* location; type 1: a device */
	int flags;    /* none 0, read and write 3 */
};

bool pool_reaches(const struct pool *pool, const struct block *b, CUdevice device)
{
	const struct pool *p = object_get(pool, KIND_POOL);
	return b->device == device || (p && p->peers >> device & 1);
}

API CUresult cuMemPoolSetAccess(void *pool, const struct access *access, size_t n)
{
	GUARD(NEED_INIT);
	struct pool *p = object_get(pool, KIND_POOL);
	CHECK(p && (access || !n), INVALID_VALUE);
	for (size_t i = 0; i < n; i++) {
		CHECK(access[i].type == 1 && (access[i].flags == 0 || access[i].flags == 3), INVALID_VALUE);
		CHECK(device_is(access[i].id), INVALID_DEVICE);
		CHECK(access[i].flags || access[i].id != p->device, INVALID_DEVICE); /* the pool's own device stays */
	}
	for (size_t i = 0; i < n; i++) {
		const uint32_t bit = 1u << access[i].id;
		p->peers = access[i].flags ? p->peers | bit : p->peers & ~bit;
	}
	return CUDA_SUCCESS;
}

API CUresult cuMemPoolGetAccess(int *flags, void *pool, const int *location)
{
	GUARD(NEED_INIT);
	const struct pool *p = object_get(pool, KIND_POOL);
	CHECK(flags && location && p && location[0] == 1, INVALID_VALUE);
	CHECK(device_is(location[1]), INVALID_DEVICE);
	*flags = location[1] == p->device || p->peers >> location[1] & 1 ? 3 : 0;
	return CUDA_SUCCESS;
}

/* pool NULL: the pool of the stream's device. */
static CUresult allocate_async(uint64_t *out, size_t bytes, struct pool *pool, void *stream)
{
	struct stream *s = stream_get(stream);
	CHECK(s, INVALID_HANDLE);
	pool = pool ? pool : current_pool(s->context->device);
	CHECK(out && bytes, INVALID_VALUE);
	CHECK(pool, OUT_OF_MEMORY);
	if (s->capture) {
		capture_break(s);
		return unbuilt("cuMemAllocAsync", "an allocation in a capture");
	}
	const CUresult r = capture_allows_stream(s);
	if (r)
		return r;
	const uint64_t at = memory_new_in(pool, bytes, s->context);
	CHECK(at, OUT_OF_MEMORY);
	*out = at;
	return CUDA_SUCCESS;
}

API CUresult cuMemAllocAsync(CUdeviceptr *out, size_t bytes, void *stream)
{
	GUARD(NEED_WHOLE);
	return allocate_async(out, bytes, NULL, stream);
}

API CUresult cuMemAllocFromPoolAsync(CUdeviceptr *out, size_t bytes, void *pool, void *stream)
{
	GUARD(NEED_WHOLE);
	CHECK(object_get(pool, KIND_POOL), INVALID_VALUE);
	return allocate_async(out, bytes, pool, stream);
}

API CUresult cuMemFreeAsync(CUdeviceptr at, void *stream)
{
	GUARD(NEED_WHOLE);
	struct stream *s = stream_get(stream);
	CHECK(s, INVALID_HANDLE);
	if (s->capture) {
		capture_break(s);
		return unbuilt(__func__, "to free in a capture");
	}
	const CUresult r = capture_allows_stream(s);
	if (r)
		return r;
	const struct block *b = memory_find(at);
	CHECK(b && b->base == at && b->kind == MEMORY_DEVICE, INVALID_VALUE);
	memory_free(at);
	return CUDA_SUCCESS;
}
