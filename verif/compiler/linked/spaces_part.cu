// SPDX-License-Identifier: Apache-2.0
/* spaces_part.cu -- the other half: see spaces_main.cu. */
__constant__ int theirs[4] = {100, 200, 300, 400};
extern __constant__ int ours[4];
extern __shared__ int rest[];
static __constant__ unsigned char alone[4] = {7, 8, 9, 250};
__device__ __noinline__ int gathered(int i)
{
	__shared__ int inner[32];
	inner[i] = i + ours[i & 3];
	__syncthreads();
	const int r = inner[i ^ 1] + rest[31 - i] + alone[(i >> 2) & 3];
	__syncthreads();
	rest[i] = 1000 * i;
	return r;
}
__device__ __noinline__ const int *place(int i) /* a generic address of a constant */
{
	return i & 1 ? &ours[(i >> 1) & 3] : &theirs[(i >> 1) & 3];
}
