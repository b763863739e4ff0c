// SPDX-License-Identifier: Apache-2.0
/* copy3d.h -- the argument of cuMemcpy3D, for the driver and for the runtime above the driver. */
#ifndef WARPLOCK_LIBCUDA_COPY3D_H
#define WARPLOCK_LIBCUDA_COPY3D_H

#include <stddef.h>
#include <stdint.h>

/* Members in the order of CUDA_MEMCPY3D. Type 4: an address tells the place. */
struct copy3d {
	size_t src_x, src_y, src_z, src_lod;
	int src_type;
	const void *src_host;
	uint64_t src_device;
	void *src_array, *reserved0;
	size_t src_pitch, src_height, dst_x, dst_y, dst_z, dst_lod;
	int dst_type;
	void *dst_host;
	uint64_t dst_device;
	void *dst_array, *reserved1;
	size_t dst_pitch, dst_height, width, height, depth;
};

#endif
