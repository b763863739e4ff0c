// SPDX-License-Identifier: Apache-2.0
/* sectors.cu -- what vectors of 32 bytes are for: every thread moves a whole sector, and the last block to come adds up
 * what all of them have left.
 *
 *   nvcc -arch=sm_100 -cubin sectors.cu -o sectors.sm_100.cubin      (and sm_120; -ptx: sectors.sm_100.ptx) */
__device__ ulonglong4_32a turned(ulonglong4_32a v)
{
	ulonglong4_32a r = {v.w + 1, v.z ^ v.x, v.y * 3, v.x};
	return r;
}

extern "C" __global__ void sectors(const ulonglong4_32a *from, ulonglong4_32a *to, unsigned *arrived, ulonglong4_32a *sums)
{
	__shared__ bool last;
	const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
	to[i] = turned(from[i]);
	__threadfence();
	__syncthreads();
	if (threadIdx.x == 0)
		last = atomicAdd(arrived, 1) == gridDim.x - 1;
	__syncthreads();
	if (!last)
		return;
	__threadfence();
	ulonglong4_32a sum = {0, 0, 0, 0};
	for (unsigned k = threadIdx.x; k < all; k += blockDim.x) {
		const ulonglong4_32a v = to[k];
		sum.x += v.x;
		sum.y += v.y;
		sum.z += v.z;
		sum.w += v.w;
	}
	sums[threadIdx.x] = sum;
}
