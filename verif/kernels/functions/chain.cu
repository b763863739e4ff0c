// SPDX-License-Identifier: Apache-2.0
/* chain.cu -- calls of functions with large frames, no recursion: the object says how deep the stack gets (2 KB).
 * PTX: nvcc -Xcicc -O1. */
__device__ __noinline__ unsigned inner(unsigned v)
{
	unsigned a[300];
	for (unsigned i = 0; i < 300; i++)
		a[i] = v * i + 2;
	return a[v % 300] ^ a[(v >> 7) % 300];
}

__device__ __noinline__ unsigned middle(unsigned v)
{
	unsigned b[200];
	for (unsigned i = 0; i < 200; i++)
		b[i] = v + i * 5;
	return b[v % 200] + inner(b[199 - v % 200]);
}

extern "C" __global__ void chain(unsigned *out)
{
	out[threadIdx.x] = middle(threadIdx.x * 37 + 11);
}
