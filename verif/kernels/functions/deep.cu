// SPDX-License-Identifier: Apache-2.0
/* deep.cu -- recursion below a kernel with a large frame. The cubin is ptxas -O0's: it does not say how much stack that
 * takes. PTX: nvcc -Xcicc -O1. */
__device__ __noinline__ unsigned leaf(unsigned v)
{
	unsigned b[100];
	for (unsigned i = 0; i < 100; i++)
		b[i] = v * i + 1;
	return b[v % 100] ^ b[(v >> 8) % 100];
}

__device__ __noinline__ unsigned walk(unsigned n, unsigned v)
{
	unsigned a[20];
	for (unsigned i = 0; i < 20; i++)
		a[i] = v + i * n;
	return n ? a[v % 20] ^ walk(n - 1, v * 3 + 1) : leaf(v) + a[19];
}

extern "C" __global__ void deep(unsigned *out)
{
	unsigned big[500];
	for (unsigned i = 0; i < 500; i++)
		big[i] = i * (threadIdx.x + 3);
	out[threadIdx.x] = walk(threadIdx.x % 4, big[threadIdx.x * 7]);
}
