// SPDX-License-Identifier: Apache-2.0
/* array.c -- arrays of the runtime: the driver's arrays, and copies of rows. */
#include <string.h>

#include "../libcuda/copy3d.h"
#include "runtime.h"

/* cudaChannelFormatDesc: bits of each channel; kind: signed 0, unsigned 1, float 2. */
struct channels {
	int bits[4], kind;
};
/* CUDA_ARRAY3D_DESCRIPTOR. */
struct shape {
	struct extent extent;
	int format;
	unsigned channels, flags;
};

/* Numbers of CUarray_format by kind and by bytes of a channel: 1, 2, 4. */
static const int formats[3][3] = {{0x08, 0x09, 0x0a}, {0x01, 0x02, 0x03}, {0, 0x10, 0x20}};

static bool shape_of(const struct channels *c, struct shape *s)
{
	const int bits = c->bits[0], size = bits == 8 ? 0 : bits == 16 ? 1 : bits == 32 ? 2 : -1;
	unsigned n = 0;
	while (n < 4 && c->bits[n] == bits)
		n++;
	for (unsigned i = n; i < 4; i++)
		if (c->bits[i])
			return false;
	if (size < 0 || c->kind < 0 || c->kind > 2 || !formats[c->kind][size] || n == 3)
		return false;
	s->format = formats[c->kind][size];
	s->channels = n;
	return true;
}

static bool channels_of(const struct shape *s, struct channels *c)
{
	*c = (struct channels){{0}, 0};
	for (int kind = 0; kind < 3; kind++)
		for (int size = 0; size < 3; size++)
			if (s->format && formats[kind][size] == s->format) {
				c->kind = kind;
				for (unsigned i = 0; i < s->channels; i++)
					c->bits[i] = 8 << size;
				return true;
			}
	return false;
}

size_t array_element(void *array)
{
	struct shape s;
	struct channels c;
	if (cuArray3DGetDescriptor_v2(&s, array) || !channels_of(&s, &c))
		return 0;
	return (size_t)c.bits[0] / 8 * s.channels;
}

API cudaError_t cudaMalloc3DArray(void *out, const struct channels *c, struct extent e, unsigned flags)
{
	struct shape s = {.extent = e, .flags = flags};
	NEED(out && c, INVALID_VALUE);
	NEED(shape_of(c, &s), INVALID_CHANNEL);
	READY();
	return done(cuArray3DCreate_v2(out, &s));
}
API cudaError_t cudaMallocArray(void *out, const struct channels *c, size_t width, size_t height, unsigned flags)
{
	return cudaMalloc3DArray(out, c, (struct extent){width, height, 0}, flags);
}
API cudaError_t cudaFreeArray(void *array)
{
	READY();
	return array ? done(cuArrayDestroy(array)) : OK;
}
API cudaError_t cudaArrayGetInfo(struct channels *c, struct extent *e, unsigned *flags, void *array)
{
	struct shape s;
	struct channels of;
	READY();
	const int r = cuArray3DGetDescriptor_v2(&s, array);
	if (r)
		return done(r);
	channels_of(&s, &of);
	if (c)
		*c = of;
	if (e)
		*e = s.extent;
	if (flags)
		*flags = s.flags;
	return OK;
}
API cudaError_t cudaGetChannelDesc(struct channels *c, void *array)
{
	NEED(c, INVALID_VALUE);
	return cudaArrayGetInfo(c, NULL, NULL, array);
}
API struct channels cudaCreateChannelDesc(int x, int y, int z, int w, int kind)
{
	return (struct channels){{x, y, z, w}, kind};
}

/* ---- copies of rows: offsets and widths in bytes ---- */

struct place {
	void *array; /* NULL: memory */
	uint64_t at;
	size_t x, y, pitch;
};

static cudaError_t copy(struct place dst, struct place src, size_t width, size_t height, int kind, void *stream)
{
	NEED(kind >= HOST_TO_HOST && kind <= BY_ADDRESS, INVALID_DIRECTION);
	NEED((dst.array || dst.pitch >= width) && (src.array || src.pitch >= width), 12); /* invalid pitch */
	READY();
	const struct copy3d c = {.src_x = src.x,
	                         .src_y = src.y,
	                         .src_type = src.array ? 3 : 4,
	                         .src_array = src.array,
	                         .src_device = src.at,
	                         .src_pitch = src.pitch,
	                         .dst_x = dst.x,
	                         .dst_y = dst.y,
	                         .dst_type = dst.array ? 3 : 4,
	                         .dst_array = dst.array,
	                         .dst_device = dst.at,
	                         .dst_pitch = dst.pitch,
	                         .width = width,
	                         .height = height,
	                         .depth = 1};
	return done(cuMemcpy3DAsync_v2(&c, of(stream)));
}

API cudaError_t cudaMemcpy2DToArrayAsync(void *array, size_t x, size_t y, const void *src, size_t pitch, size_t width,
                                         size_t height, int kind, void *stream)
{
	NEED(array, INVALID_HANDLE);
	return copy((struct place){array, 0, x, y, 0}, (struct place){NULL, (uintptr_t)src, 0, 0, pitch}, width, height,
	            kind, stream);
}
API cudaError_t cudaMemcpy2DToArray(void *array, size_t x, size_t y, const void *src, size_t pitch, size_t width,
                                    size_t height, int kind)
{
	return cudaMemcpy2DToArrayAsync(array, x, y, src, pitch, width, height, kind, NULL);
}
API cudaError_t cudaMemcpy2DFromArrayAsync(void *dst, size_t pitch, void *array, size_t x, size_t y, size_t width,
                                           size_t height, int kind, void *stream)
{
	NEED(array, INVALID_HANDLE);
	return copy((struct place){NULL, (uintptr_t)dst, 0, 0, pitch}, (struct place){array, 0, x, y, 0}, width, height,
	            kind, stream);
}
API cudaError_t cudaMemcpy2DFromArray(void *dst, size_t pitch, void *array, size_t x, size_t y, size_t width,
                                      size_t height, int kind)
{
	return cudaMemcpy2DFromArrayAsync(dst, pitch, array, x, y, width, height, kind, NULL);
}
API cudaError_t cudaMemcpy2DArrayToArray(void *dst, size_t dst_x, size_t dst_y, void *src, size_t src_x, size_t src_y,
                                         size_t width, size_t height, int kind)
{
	NEED(dst && src, INVALID_HANDLE);
	return copy((struct place){dst, 0, dst_x, dst_y, 0}, (struct place){src, 0, src_x, src_y, 0}, width, height,
	            kind, NULL);
}
