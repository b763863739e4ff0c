// SPDX-License-Identifier: Apache-2.0
/* copy.c -- copies and memsets of all shapes become a three-dimensional copy, or a two-dimensional fill. */
#include <string.h>

#include "copy3d.h"
#include "driver.h"

/* ---- copies ---- */

/* Bytes from the first to the last byte. False: the numbers do not fit. */
static bool extent(uint64_t width, uint64_t height, uint64_t depth, uint64_t pitch, uint64_t slice, uint64_t *out)
{
	uint64_t rows, slices, sum;
	*out = 0;
	if (__builtin_mul_overflow(height - 1, pitch, &rows) || __builtin_mul_overflow(depth - 1, slice, &slices) ||
	    __builtin_add_overflow(rows, slices, &sum) || __builtin_add_overflow(sum, width, out))
		return false;
	return true;
}

static bool is_empty(const struct copy *c)
{
	return !c->width || !c->height || !c->depth;
}

CUresult copy_check(const struct copy *c)
{
	uint64_t from = 0, to = 0;
	if (is_empty(c))
		return CUDA_SUCCESS;
	CHECK(extent(c->width, c->height, c->depth, c->src_pitch, c->src_slice, &from) &&
	              extent(c->width, c->height, c->depth, c->dst_pitch, c->dst_slice, &to),
	      INVALID_VALUE);
	CHECK((c->height == 1 || (c->src_pitch >= c->width && c->dst_pitch >= c->width)), INVALID_VALUE);
	CHECK(memory_at(c->src, from) && memory_at(c->dst, to), INVALID_VALUE);
	return CUDA_SUCCESS;
}

CUresult copy_run(const struct copy *c)
{
	uint64_t from = 0, to = 0;
	const CUresult r = copy_check(c);
	if (r || is_empty(c))
		return r;
	extent(c->width, c->height, c->depth, c->src_pitch, c->src_slice, &from);
	extent(c->width, c->height, c->depth, c->dst_pitch, c->dst_slice, &to);
	const uint8_t *src = memory_at(c->src, from);
	uint8_t *dst = memory_at(c->dst, to);
	if (c->height == 1 && c->depth == 1) {
		memmove(dst, src, c->width);
		return CUDA_SUCCESS;
	}
	for (uint64_t z = 0; z < c->depth; z++)
		for (uint64_t y = 0; y < c->height; y++)
			memmove(dst + z * c->dst_slice + y * c->dst_pitch, src + z * c->src_slice + y * c->src_pitch,
			        c->width);
	return CUDA_SUCCESS;
}

/* DEVICE: the address must be device memory. */
enum side { ANY, DEVICE };

static CUresult line(uint64_t dst, enum side to, uint64_t src, enum side from, size_t bytes, void *stream)
{
	struct stream *s = stream_get(stream);
	CHECK(s, INVALID_HANDLE);
	struct work w = {.kind = WORK_COPY, .copy = {src, dst, bytes, bytes, 0, 0, bytes, 1, 1}};
	if (bytes && to == DEVICE)
		CHECK(memory_of_device(dst, bytes), INVALID_VALUE);
	if (bytes && from == DEVICE)
		CHECK(memory_of_device(src, bytes), INVALID_VALUE);
	const CUresult r = copy_check(&w.copy);
	return r || !bytes ? r : stream_do(s, &w);
}

#define LINE(name, dst_type, dst_side, src_type, src_side)                                                             \
	API CUresult name(dst_type dst, src_type src, size_t bytes)                                                    \
	{                                                                                                              \
		GUARD(NEED_WHOLE);                                                                                     \
		return line((uint64_t)dst, dst_side, (uint64_t)src, src_side, bytes, NULL);                            \
	}                                                                                                              \
	struct swallow
#define LINE_ASYNC(name, dst_type, dst_side, src_type, src_side)                                                       \
	API CUresult name(dst_type dst, src_type src, size_t bytes, void *stream)                                      \
	{                                                                                                              \
		GUARD(NEED_WHOLE);                                                                                     \
		return line((uint64_t)dst, dst_side, (uint64_t)src, src_side, bytes, stream);                          \
	}                                                                                                              \
	struct swallow
LINE(cuMemcpy, CUdeviceptr, ANY, CUdeviceptr, ANY);
LINE(cuMemcpyHtoD_v2, CUdeviceptr, DEVICE, const void *, ANY);
LINE(cuMemcpyDtoH_v2, void *, ANY, CUdeviceptr, DEVICE);
LINE(cuMemcpyDtoD_v2, CUdeviceptr, DEVICE, CUdeviceptr, DEVICE);
LINE_ASYNC(cuMemcpyAsync, CUdeviceptr, ANY, CUdeviceptr, ANY);
LINE_ASYNC(cuMemcpyHtoDAsync_v2, CUdeviceptr, DEVICE, const void *, ANY);
LINE_ASYNC(cuMemcpyDtoHAsync_v2, void *, ANY, CUdeviceptr, DEVICE);
LINE_ASYNC(cuMemcpyDtoDAsync_v2, CUdeviceptr, DEVICE, CUdeviceptr, DEVICE);

/* The memory of a copy between contexts belongs to the context's device, or is shared. */
static CUresult check_peer(CUdeviceptr at, const void *context)
{
	const struct context *c = object_get(context, KIND_CONTEXT);
	const struct block *b = memory_find(at);
	CHECK(c, INVALID_CONTEXT);
	CHECK(!b || b->device == c->device || (b->kind != MEMORY_DEVICE && b->kind != MEMORY_MODULE), INVALID_VALUE);
	return CUDA_SUCCESS;
}

static CUresult peer(CUdeviceptr dst, void *to, CUdeviceptr src, void *from, size_t bytes, void *stream)
{
	CUresult r = check_peer(dst, to);
	if (!r)
		r = check_peer(src, from);
	return r ? r : line(dst, DEVICE, src, DEVICE, bytes, stream);
}

API CUresult cuMemcpyPeer(CUdeviceptr dst, void *to, CUdeviceptr src, void *from, size_t bytes)
{
	GUARD(NEED_WHOLE);
	return peer(dst, to, src, from, bytes, NULL);
}
API CUresult cuMemcpyPeerAsync(CUdeviceptr dst, void *to, CUdeviceptr src, void *from, size_t bytes, void *stream)
{
	GUARD(NEED_WHOLE);
	return peer(dst, to, src, from, bytes, stream);
}

/* CUmemorytype: host 1, device 2, array 3, unified 4. */
struct end {
	size_t x, y, z;
	int type;
	const void *host;
	CUdeviceptr device;
	void *array;
};

/* An array has its own pitch and slice. */
static CUresult end_of(const struct end *e, const struct copy *c, uint64_t *pitch, uint64_t *slice, uint64_t *out)
{
	const size_t at[3] = {e->x, e->y, e->z}, size[3] = {c->width, c->height, c->depth};
	if (e->type == 3)
		return array_part(e->array, at, size, out, pitch, slice);
	CHECK(e->type == 1 || e->type == 2 || e->type == 4, INVALID_VALUE);
	*out = (e->type == 1 ? (uintptr_t)e->host : e->device) + e->z * *slice + e->y * *pitch + e->x;
	return CUDA_SUCCESS;
}

static CUresult ends_of(const struct end *src, const struct end *dst, struct copy *c)
{
	const CUresult r = end_of(src, c, &c->src_pitch, &c->src_slice, &c->src);
	return r ? r : end_of(dst, c, &c->dst_pitch, &c->dst_slice, &c->dst);
}

static CUresult submit(const struct end *src, const struct end *dst, struct copy *c, void *stream)
{
	struct stream *s = stream_get(stream);
	CHECK(s, INVALID_HANDLE);
	CUresult r = ends_of(src, dst, c);
	if (!r)
		r = copy_check(c);
	if (r || is_empty(c))
		return r;
	if (src->type == 2)
		CHECK(memory_find(c->src), INVALID_VALUE);
	if (dst->type == 2)
		CHECK(memory_find(c->dst), INVALID_VALUE);
	struct work w = {.kind = WORK_COPY, .copy = *c};
	return stream_do(s, &w);
}

/* Members in the order of CUDA_MEMCPY2D. */
struct copy2d {
	size_t src_x, src_y;
	int src_type;
	const void *src_host;
	CUdeviceptr src_device;
	void *src_array;
	size_t src_pitch, dst_x, dst_y;
	int dst_type;
	void *dst_host;
	CUdeviceptr dst_device;
	void *dst_array;
	size_t dst_pitch, width, height;
};

static CUresult copy_2d(const struct copy2d *p, void *stream)
{
	CHECK(p, INVALID_VALUE);
	const struct end src = {p->src_x, p->src_y, 0, p->src_type, p->src_host, p->src_device, p->src_array};
	const struct end dst = {p->dst_x, p->dst_y, 0, p->dst_type, p->dst_host, p->dst_device, p->dst_array};
	struct copy c = {.src_pitch = p->src_pitch ? p->src_pitch : p->width,
	                 .dst_pitch = p->dst_pitch ? p->dst_pitch : p->width,
	                 .width = p->width,
	                 .height = p->height,
	                 .depth = 1};
	return submit(&src, &dst, &c, stream);
}

API CUresult cuMemcpy2D_v2(const struct copy2d *p)
{
	GUARD(NEED_WHOLE);
	return copy_2d(p, NULL);
}
API CUresult cuMemcpy2DUnaligned_v2(const struct copy2d *p)
{
	GUARD(NEED_WHOLE);
	return copy_2d(p, NULL);
}
API CUresult cuMemcpy2DAsync_v2(const struct copy2d *p, void *stream)
{
	GUARD(NEED_WHOLE);
	return copy_2d(p, stream);
}

static void make_3d(const struct copy3d *p, struct end *src, struct end *dst, struct copy *c)
{
	*src = (struct end){p->src_x, p->src_y, p->src_z, p->src_type, p->src_host, p->src_device, p->src_array};
	*dst = (struct end){p->dst_x, p->dst_y, p->dst_z, p->dst_type, p->dst_host, p->dst_device, p->dst_array};
	*c = (struct copy){.src_pitch = p->src_pitch ? p->src_pitch : p->width,
	                   .dst_pitch = p->dst_pitch ? p->dst_pitch : p->width,
	                   .width = p->width,
	                   .height = p->height,
	                   .depth = p->depth};
	c->src_slice = c->src_pitch * (p->src_height ? p->src_height : p->height);
	c->dst_slice = c->dst_pitch * (p->dst_height ? p->dst_height : p->height);
}

CUresult copy_of_3d(const void *params, struct copy *c)
{
	struct end src, dst;
	make_3d(params, &src, &dst, c);
	return ends_of(&src, &dst, c);
}

static CUresult copy_3d(const struct copy3d *p, void *stream)
{
	struct end src, dst;
	struct copy c;
	CHECK(p && !p->src_lod && !p->dst_lod, INVALID_VALUE);
	make_3d(p, &src, &dst, &c);
	return submit(&src, &dst, &c, stream);
}

API CUresult cuMemcpy3D_v2(const struct copy3d *p)
{
	GUARD(NEED_WHOLE);
	return copy_3d(p, NULL);
}
API CUresult cuMemcpy3DAsync_v2(const struct copy3d *p, void *stream)
{
	GUARD(NEED_WHOLE);
	return copy_3d(p, stream);
}
/* CUDA_MEMCPY3D_PEER has contexts in the place of the reserved members. */
static CUresult copy_3d_peer(const struct copy3d *p, void *stream)
{
	CHECK(p, INVALID_VALUE);
	CUresult r = p->src_type == 2 ? check_peer(p->src_device, p->reserved0) : CUDA_SUCCESS;
	if (!r && p->dst_type == 2)
		r = check_peer(p->dst_device, p->reserved1);
	return r ? r : copy_3d(p, stream);
}
API CUresult cuMemcpy3DPeer(const struct copy3d *p)
{
	GUARD(NEED_WHOLE);
	return copy_3d_peer(p, NULL);
}
API CUresult cuMemcpy3DPeerAsync(const struct copy3d *p, void *stream)
{
	GUARD(NEED_WHOLE);
	return copy_3d_peer(p, stream);
}

/* ---- memsets ---- */

CUresult fill_check(const struct fill *f)
{
	uint64_t bytes, row;
	if (!f->width || !f->height)
		return CUDA_SUCCESS;
	CHECK(!__builtin_mul_overflow(f->width, (uint64_t)f->bytes, &row) &&
	              extent(row, f->height, 1, f->pitch, 0, &bytes),
	      INVALID_VALUE);
	CHECK(f->dst % f->bytes == 0 && (f->height == 1 || (f->pitch >= row && f->pitch % f->bytes == 0)),
	      INVALID_VALUE);
	CHECK(memory_of_device(f->dst, bytes), INVALID_VALUE);
	return CUDA_SUCCESS;
}

CUresult fill_run(const struct fill *f)
{
	const CUresult r = fill_check(f);
	if (r || !f->width || !f->height)
		return r;
	uint8_t *to = memory_of_device(f->dst, (f->height - 1) * f->pitch + f->width * f->bytes);
	for (uint64_t y = 0; y < f->height; y++) {
		uint8_t *const row = to + y * f->pitch; // the pitch of a single row may be any number
		if (f->bytes == 1)
			memset(row, (int)f->value, f->width);
		else
			for (uint64_t x = 0; x < f->width; x++)
				memcpy(row + x * f->bytes, &f->value, f->bytes);
	}
	return CUDA_SUCCESS;
}

static CUresult set(uint64_t dst, uint64_t pitch, uint32_t value, unsigned bytes, size_t width, size_t height,
                    void *stream)
{
	struct stream *s = stream_get(stream);
	CHECK(s, INVALID_HANDLE);
	struct work w = {.kind = WORK_FILL, .fill = {dst, pitch, width, height, value, bytes}};
	const CUresult r = fill_check(&w.fill);
	return r ? r : stream_do(s, &w);
}

#define SET(name, type, bytes)                                                                                         \
	API CUresult cuMemset##name##_v2(CUdeviceptr dst, type value, size_t n)                                        \
	{                                                                                                              \
		GUARD(NEED_WHOLE);                                                                                     \
		return set(dst, 0, value, bytes, n, 1, NULL);                                                          \
	}                                                                                                              \
	API CUresult cuMemset##name##Async(CUdeviceptr dst, type value, size_t n, void *stream)                        \
	{                                                                                                              \
		GUARD(NEED_WHOLE);                                                                                     \
		return set(dst, 0, value, bytes, n, 1, stream);                                                        \
	}                                                                                                              \
	API CUresult cuMemsetD2##name##_v2(CUdeviceptr dst, size_t pitch, type value, size_t width, size_t height)     \
	{                                                                                                              \
		GUARD(NEED_WHOLE);                                                                                     \
		return set(dst, pitch, value, bytes, width, height, NULL);                                             \
	}                                                                                                              \
	API CUresult cuMemsetD2##name##Async(CUdeviceptr dst, size_t pitch, type value, size_t width, size_t height,   \
	                                     void *stream)                                                             \
	{                                                                                                              \
		GUARD(NEED_WHOLE);                                                                                     \
		return set(dst, pitch, value, bytes, width, height, stream);                                           \
	}                                                                                                              \
	struct swallow
SET(D8, unsigned char, 1);
SET(D16, unsigned short, 2);
SET(D32, unsigned, 4);
