// SPDX-License-Identifier: Apache-2.0
/* volume.c -- copies in three dimensions, of memory and arrays, within a device and between devices. */
#include "../libcuda/copy3d.h"
#include "runtime.h"

/* cudaMemcpy3DParms. */
struct copy_3d {
	void *src_array;
	struct {
		size_t x, y, z;
	} src_at;
	struct pitched src;
	void *dst_array;
	struct {
		size_t x, y, z;
	} dst_at;
	struct pitched dst;
	struct extent extent;
	int kind;
};

/* An end of a copy: positions and widths count in elements of the array, if any. */
struct end {
	void *array;
	const struct pitched *memory;
	size_t x, element;
};

static cudaError_t end_of(struct end *e)
{
	NEED(!e->array || !e->memory->at, INVALID_VALUE);
	e->element = e->array ? array_element(e->array) : 1;
	NEED(e->element, INVALID_HANDLE);
	return OK;
}

/* For graphs too. */
cudaError_t copy_params(const struct copy_3d *p, struct copy3d *out)
{
	NEED(p, INVALID_VALUE);
	struct end src = {p->src_array, &p->src, p->src_at.x, 1}, dst = {p->dst_array, &p->dst, p->dst_at.x, 1};
	cudaError_t r = end_of(&src);
	if (!r)
		r = end_of(&dst);
	if (r)
		return r;
	NEED(!src.array || !dst.array || src.element == dst.element, INVALID_VALUE);
	*out = (struct copy3d){.src_x = p->src_at.x * src.element,
	                       .src_y = p->src_at.y,
	                       .src_z = p->src_at.z,
	                       .src_type = src.array ? 3 : 4,
	                       .src_array = src.array,
	                       .src_device = (uintptr_t)p->src.at,
	                       .src_pitch = p->src.pitch,
	                       .src_height = p->src.height,
	                       .dst_x = p->dst_at.x * dst.element,
	                       .dst_y = p->dst_at.y,
	                       .dst_z = p->dst_at.z,
	                       .dst_type = dst.array ? 3 : 4,
	                       .dst_array = dst.array,
	                       .dst_device = (uintptr_t)p->dst.at,
	                       .dst_pitch = p->dst.pitch,
	                       .dst_height = p->dst.height,
	                       .width = p->extent.width * (src.array ? src.element : dst.element),
	                       .height = p->extent.height,
	                       .depth = p->extent.depth};
	return OK;
}
static cudaError_t copy(const struct copy_3d *p, void *stream)
{
	struct copy3d c;
	const cudaError_t r = copy_params(p, &c);
	return r ? r : done(cuMemcpy3DAsync_v2(&c, of(stream)));
}
API cudaError_t cudaMemcpy3DAsync(const struct copy_3d *p, void *stream)
{
	READY();
	return copy(p, stream);
}
API cudaError_t cudaMemcpy3D(const struct copy_3d *p)
{
	return cudaMemcpy3DAsync(p, NULL);
}

/* cudaMemcpy3DPeerParms. */
struct copy_3d_peer {
	void *src_array;
	size_t src_at[3];
	struct pitched src;
	int src_device;
	void *dst_array;
	size_t dst_at[3];
	struct pitched dst;
	int dst_device;
	struct extent extent;
};
API cudaError_t cudaMemcpy3DPeerAsync(const struct copy_3d_peer *p, void *stream)
{
	void *context;
	NEED(p, INVALID_VALUE);
	READY();
	cudaError_t r = primary_of(p->src_device, &context);
	if (!r)
		r = primary_of(p->dst_device, &context);
	if (r)
		return done(r);
	const struct copy_3d plain = {.src_array = p->src_array,
	                              .src_at = {p->src_at[0], p->src_at[1], p->src_at[2]},
	                              .src = p->src,
	                              .dst_array = p->dst_array,
	                              .dst_at = {p->dst_at[0], p->dst_at[1], p->dst_at[2]},
	                              .dst = p->dst,
	                              .extent = p->extent,
	                              .kind = BY_ADDRESS};
	return copy(&plain, stream);
}
API cudaError_t cudaMemcpy3DPeer(const struct copy_3d_peer *p)
{
	return cudaMemcpy3DPeerAsync(p, NULL);
}
