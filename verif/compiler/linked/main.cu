// SPDX-License-Identifier: Apache-2.0
/* main.cu -- one half of a program of two objects: each calls functions of the other and names its variables.
 *   nvcc -arch=compute_75 -rdc=true -ptx main.cu */
extern __device__ int counter;
__device__ int table[4] = {1, 2, 3, 4};
extern __device__ int mixed(int x, long long y);
extern __device__ unsigned power(unsigned x, unsigned n);
__device__ __noinline__ int twist(int x)
{
	return x * 3 + table[x & 3];
}
extern "C" __global__ void k(int *out)
{
	__shared__ int own[32];
	const int i = threadIdx.x;
	own[i] = i * i;
	__syncthreads();
	out[i] = mixed(i, 5) + own[31 - i];
	out[32 + i] = (int)power(i, 5);
	if (i == 0)
		counter = 7;
	__syncthreads();
	out[64 + i] = counter + table[i & 3];
}
