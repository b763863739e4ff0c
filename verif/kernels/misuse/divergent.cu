// SPDX-License-Identifier: Apache-2.0
// Half of each warp stands at barrier 0, the other half at barrier 1.
extern "C" __global__ void divergent(unsigned *out, unsigned k)
{
	if (threadIdx.x % 32 < k) {
		out[threadIdx.x] = 1;
		__syncthreads();
		out[threadIdx.x] += 1;
	} else {
		out[threadIdx.x] = 2;
		asm volatile("bar.sync 1, 64;" ::: "memory");
	}
}
