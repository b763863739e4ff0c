// SPDX-License-Identifier: Apache-2.0
// tally: how many of the numbers fall into each of eight bins.
extern "C" __global__ void tally(const unsigned *numbers, unsigned *bins)
{
	__shared__ unsigned count[8];
	if (threadIdx.x < 8)
		count[threadIdx.x] = 0;
	__syncthreads();
	atomicAdd(&count[numbers[blockIdx.x * blockDim.x + threadIdx.x] % 8], 1);
	__syncthreads();
	if (threadIdx.x < 8)
		atomicAdd(&bins[threadIdx.x], count[threadIdx.x]);
}
