// SPDX-License-Identifier: Apache-2.0
// Half of a program whose other half is linked2.cu: nvcc -rdc=true, then nvlink.
extern __device__ unsigned helper(unsigned x);
extern __device__ unsigned shared_count;
extern __constant__ unsigned adds[4];
typedef unsigned (*function)(unsigned);
extern __device__ function pick(unsigned i);
__device__ unsigned local_add(unsigned x) { return x + 5; }
__device__ function both[2] = {helper, local_add};
extern __shared__ unsigned dynamic[];

extern "C" __global__ void far_calls(unsigned *out, unsigned n)
{
	unsigned t = threadIdx.x;
	atomicAdd(&shared_count, 1u);
	dynamic[t] = t * n;
	__syncthreads();
	out[t] = helper(t) + adds[t & 3] + adds[1] + shared_count + both[t & 1](t) + pick(t)(t) + dynamic[31 - t];
}
