// SPDX-License-Identifier: Apache-2.0
/* spaces_main.cu -- one half of a program of two objects: constants and shared memory of both, of a function, of a kernel
 * alone, and as much as the launch says.
 *   nvcc -arch=compute_75 -rdc=true -ptx spaces_main.cu */
extern __constant__ int theirs[4];
__constant__ int ours[4] = {10, 20, 30, 40};
static __constant__ long long alone = 5;
extern __shared__ int rest[];
extern __device__ int gathered(int i);
extern __device__ const int *place(int i);
extern "C" __global__ void k(int *out)
{
	__shared__ int own[32];
	const int i = threadIdx.x;
	own[i] = 2 * i;
	rest[i] = 3 * i;
	__syncthreads();
	out[i] = gathered(i) + own[31 - i];
	__syncthreads();
	out[32 + i] = rest[i] + theirs[i & 3] + (int)alone;
	out[64 + i] = *place(i) + own[i];
}
