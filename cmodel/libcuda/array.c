// SPDX-License-Identifier: Apache-2.0
/* array.c -- arrays as memory for copies: rows of elements in layers. No model runs the words for reads of textures and
 * surfaces; hence the calls for textures and surfaces of an array are not built. */
#include <string.h>

#include "driver.h"

enum { PITCH = 512 };
enum { LAYERED = 1, SURFACE = 2, CUBEMAP = 4, GATHER = 8, PLAIN_FLAGS = 15, ALL_FLAGS = 0xff };

/* CUDA_ARRAY_DESCRIPTOR and CUDA_ARRAY3D_DESCRIPTOR. */
struct plane {
	size_t width, height;
	int format;
	unsigned channels;
};
struct volume {
	size_t width, height, depth;
	int format;
	unsigned channels, flags;
};

struct array {
	struct object object;
	struct context *context;
	struct volume shape;
	uint64_t at, pitch, rows, layers;
	unsigned element; /* bytes */
};

/* Bytes of a channel by CUarray_format; 0: packed, planar or compressed formats. */
static unsigned channel_bytes(int format)
{
	switch (format) {
	case 0x01: /* unsigned, signed */
	case 0x08:
		return 1;
	case 0x02:
	case 0x09:
	case 0x10: /* half */
		return 2;
	case 0x03:
	case 0x0a:
	case 0x20: /* float */
		return 4;
	default:
		return 0;
	}
}

static CUresult check(const char *call, const struct volume *v)
{
	CHECK(v->width && !(v->flags & ~ALL_FLAGS), INVALID_VALUE);
	CHECK(v->channels == 1 || v->channels == 2 || v->channels == 4, INVALID_VALUE);
	if (!channel_bytes(v->format)) {
		CHECK(v->format > 0, INVALID_VALUE);
		return unbuilt(call, "a packed, planar or compressed format");
	}
	if (v->flags & ~PLAIN_FLAGS)
		return unbuilt(call, "a sparse, deferred, depth or color array");
	CHECK(!v->depth || v->height || v->flags & LAYERED, INVALID_VALUE);
	CHECK(!(v->flags & LAYERED) || v->depth, INVALID_VALUE);
	CHECK(!(v->flags & CUBEMAP) ||
	              (v->width == v->height && v->depth && v->depth % 6 == 0 && (v->flags & LAYERED || v->depth == 6)),
	      INVALID_VALUE);
	CHECK(!(v->flags & GATHER) || (v->height && !v->depth), INVALID_VALUE);
	return CUDA_SUCCESS;
}

static CUresult create(const char *call, void **out, const struct volume *v, struct context *c)
{
	uint64_t row, bytes;
	CHECK(out && v, INVALID_VALUE);
	const CUresult r = check(call, v);
	if (r)
		return r;
	const unsigned element = channel_bytes(v->format) * v->channels;
	const uint64_t rows = v->height ? v->height : 1, layers = v->depth ? v->depth : 1;
	CHECK(!__builtin_mul_overflow(v->width, (uint64_t)element, &row) && row <= UINT64_MAX - PITCH, INVALID_VALUE);
	const uint64_t pitch = (row + PITCH - 1) / PITCH * PITCH;
	CHECK(!__builtin_mul_overflow(pitch, rows, &bytes) && !__builtin_mul_overflow(bytes, layers, &bytes),
	      INVALID_VALUE);
	struct array *a = object_new(KIND_ARRAY, sizeof *a);
	CHECK(a, OUT_OF_MEMORY);
	a->at = memory_new(bytes, MEMORY_MODULE, 0, c);
	if (!a->at) {
		object_free(a);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	a->context = c;
	a->shape = *v;
	a->pitch = pitch;
	a->rows = rows;
	a->layers = layers;
	a->element = element;
	*out = a;
	return CUDA_SUCCESS;
}

static void array_free(struct array *a)
{
	memory_free(a->at);
	object_free(a);
}

static void drop(void *object, void *self)
{
	struct array *a = object;
	if (a->context == self)
		array_free(a);
}

void arrays_drop(struct context *c)
{
	objects_each(KIND_ARRAY, drop, c);
}

CUresult array_part(const void *array, const size_t at[3], const size_t size[3], uint64_t *address, uint64_t *pitch,
                    uint64_t *slice)
{
	const struct array *a = object_get(array, KIND_ARRAY);
	CHECK(a, INVALID_HANDLE);
	const uint64_t room[3] = {(uint64_t)a->shape.width * a->element, a->rows, a->layers};
	for (unsigned d = 0; d < 3; d++)
		CHECK(at[d] <= room[d] && size[d] <= room[d] - at[d], INVALID_VALUE);
	*pitch = a->pitch;
	*slice = a->pitch * a->rows;
	*address = a->at + at[2] * *slice + at[1] * *pitch + at[0];
	return CUDA_SUCCESS;
}

/* ---- calls ---- */

API CUresult cuArrayCreate_v2(void **out, const struct plane *p)
{
	GUARD(NEED_WHOLE);
	CHECK(p, INVALID_VALUE);
	const struct volume v = {p->width, p->height, 0, p->format, p->channels, 0};
	return create(__func__, out, &v, call.context);
}

API CUresult cuArray3DCreate_v2(void **out, const struct volume *v)
{
	GUARD(NEED_WHOLE);
	return create(__func__, out, v, call.context);
}

API CUresult cuArrayDestroy(void *array)
{
	GUARD(NEED_WHOLE);
	struct array *a = object_get(array, KIND_ARRAY);
	CHECK(a, INVALID_HANDLE);
	array_free(a);
	return CUDA_SUCCESS;
}

API CUresult cuArrayGetDescriptor_v2(struct plane *out, void *array)
{
	GUARD(NEED_WHOLE);
	const struct array *a = object_get(array, KIND_ARRAY);
	CHECK(a, INVALID_HANDLE);
	CHECK(out, INVALID_VALUE);
	*out = (struct plane){a->shape.width, a->shape.height, a->shape.format, a->shape.channels};
	return CUDA_SUCCESS;
}

API CUresult cuArray3DGetDescriptor_v2(struct volume *out, void *array)
{
	GUARD(NEED_WHOLE);
	const struct array *a = object_get(array, KIND_ARRAY);
	CHECK(a, INVALID_HANDLE);
	CHECK(out, INVALID_VALUE);
	*out = a->shape;
	return CUDA_SUCCESS;
}

/* ---- copies of one-dimensional arrays: an offset in bytes, and a size ---- */

static CUresult place(void *array, size_t offset, size_t bytes, uint64_t *at)
{
	const struct array *a = object_get(array, KIND_ARRAY);
	const size_t from[3] = {offset, 0, 0}, size[3] = {bytes, 1, 1};
	uint64_t pitch, slice;
	CHECK(a, INVALID_HANDLE);
	CHECK(!a->shape.height && !a->shape.depth, INVALID_VALUE);
	return array_part(array, from, size, at, &pitch, &slice);
}

static CUresult copy(uint64_t dst, uint64_t src, size_t bytes, void *stream)
{
	struct stream *s = stream_get(stream);
	CHECK(s, INVALID_HANDLE);
	struct work w = {.kind = WORK_COPY, .copy = {src, dst, bytes, bytes, 0, 0, bytes, 1, 1}};
	const CUresult r = copy_check(&w.copy);
	return r || !bytes ? r : stream_do(s, &w);
}

static CUresult into(void *array, size_t offset, uint64_t src, size_t bytes, void *stream)
{
	uint64_t dst;
	const CUresult r = place(array, offset, bytes, &dst);
	return r ? r : copy(dst, src, bytes, stream);
}

static CUresult out_of(uint64_t dst, void *array, size_t offset, size_t bytes, void *stream)
{
	uint64_t src;
	const CUresult r = place(array, offset, bytes, &src);
	return r ? r : copy(dst, src, bytes, stream);
}

API CUresult cuMemcpyHtoA_v2(void *array, size_t offset, const void *src, size_t bytes)
{
	GUARD(NEED_WHOLE);
	return into(array, offset, (uintptr_t)src, bytes, NULL);
}
API CUresult cuMemcpyHtoAAsync_v2(void *array, size_t offset, const void *src, size_t bytes, void *stream)
{
	GUARD(NEED_WHOLE);
	return into(array, offset, (uintptr_t)src, bytes, stream);
}
API CUresult cuMemcpyAtoH_v2(void *dst, void *array, size_t offset, size_t bytes)
{
	GUARD(NEED_WHOLE);
	return out_of((uintptr_t)dst, array, offset, bytes, NULL);
}
API CUresult cuMemcpyAtoHAsync_v2(void *dst, void *array, size_t offset, size_t bytes, void *stream)
{
	GUARD(NEED_WHOLE);
	return out_of((uintptr_t)dst, array, offset, bytes, stream);
}
API CUresult cuMemcpyDtoA_v2(void *array, size_t offset, CUdeviceptr src, size_t bytes)
{
	GUARD(NEED_WHOLE);
	CHECK(!bytes || memory_of_device(src, bytes), INVALID_VALUE);
	return into(array, offset, src, bytes, NULL);
}
API CUresult cuMemcpyAtoD_v2(CUdeviceptr dst, void *array, size_t offset, size_t bytes)
{
	GUARD(NEED_WHOLE);
	CHECK(!bytes || memory_of_device(dst, bytes), INVALID_VALUE);
	return out_of(dst, array, offset, bytes, NULL);
}
API CUresult cuMemcpyAtoA_v2(void *dst, size_t to, void *src, size_t from, size_t bytes)
{
	uint64_t at;
	GUARD(NEED_WHOLE);
	const CUresult r = place(src, from, bytes, &at);
	return r ? r : into(dst, to, at, bytes, NULL);
}
