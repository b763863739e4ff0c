// SPDX-License-Identifier: Apache-2.0
// What the programs of this folder share: how a kernel is declared. Each takes numbers and leaves numbers; what `out`
// holds in the end does not depend on who came first.
#ifndef CCCL_COMMON_H
#define CCCL_COMMON_H

#define KERNEL(name) extern "C" __global__ void name(const unsigned *in, unsigned *out)
// An object in shared memory that nobody constructs: the kernel does, by placement new or its own function.
#define ROOM(type, name)                                                                                               \
	__shared__ alignas(type) char name##_room[sizeof(type)];                                                       \
	type &name = *reinterpret_cast<type *>(name##_room)
#define T     threadIdx.x
#define BLOCK blockIdx.x
#define ALL   (blockDim.x * gridDim.x)
#define ID    (blockIdx.x * blockDim.x + threadIdx.x)

#endif
