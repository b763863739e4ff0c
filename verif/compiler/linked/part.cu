// SPDX-License-Identifier: Apache-2.0
/* part.cu -- the other half: see main.cu. */
__device__ int counter = -1;
extern __device__ int table[4];
extern __device__ int twist(int x);
__device__ __noinline__ int mixed(int x, long long y)
{
	int some[8];
	for (int k = 0; k < 8; k++)
		some[(k + x) & 7] = k;
	return twist(x) * (int)y + table[0] + some[x & 7] * 1000;
}
__device__ unsigned power(unsigned x, unsigned n)
{
	return n == 0 ? 1 : x * power(x, n - 1); /* calls itself */
}
