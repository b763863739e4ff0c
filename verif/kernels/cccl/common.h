// SPDX-License-Identifier: Apache-2.0
// Shared by the programs of this folder: the declaration of a kernel. Each kernel takes numbers and leaves numbers; the
// final `out` does not depend on the order of threads.
#ifndef CCCL_COMMON_H
#define CCCL_COMMON_H

#define KERNEL(name) extern "C" __global__ void name(const unsigned *in, unsigned *out)
// An object in shared memory without automatic construction: the kernel constructs, by placement new or a function.
#define ROOM(type, name)                                                                                               \
	__shared__ alignas(type) char name##_room[sizeof(type)];                                                       \
	type &name = *reinterpret_cast<type *>(name##_room)
#define T     threadIdx.x
#define BLOCK blockIdx.x
#define ALL   (blockDim.x * gridDim.x)
#define ID    (blockIdx.x * blockDim.x + threadIdx.x)

#endif
