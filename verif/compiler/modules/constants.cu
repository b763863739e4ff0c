// SPDX-License-Identifier: Apache-2.0
// A variable that holds the generic address of a constant, and a constant reached by way of it.
__constant__ int values[4] = {5, 60, 700, 8000};
__device__ const int *second = values + 1;

extern "C" __global__ void constants(unsigned *out)
{
	out[threadIdx.x] = second[threadIdx.x % 3] + values[threadIdx.x & 3];
}
