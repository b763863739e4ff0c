// SPDX-License-Identifier: Apache-2.0
// The other half of linked1.cu.
__device__ unsigned shared_count = 1000;
__constant__ unsigned adds[4] = {7, 8, 9, 10};
__shared__ unsigned scratch[32];
typedef unsigned (*function)(unsigned);
__device__ unsigned helper(unsigned x)
{
	scratch[x & 31] = x;
	__syncwarp();
	return scratch[(x + 1) & 31] * 3;
}
__device__ unsigned thousand(unsigned x) { return x * 1000; }
__device__ unsigned million(unsigned x) { return x * 1000000; }
__device__ function pick(unsigned i) { return i & 2 ? thousand : million; }
