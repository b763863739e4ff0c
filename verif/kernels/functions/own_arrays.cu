// SPDX-License-Identifier: Apache-2.0
/* own_arrays.cu -- arrays on the stack whose sizes each thread computes, at each level of a recursion, beside fixed ones
 * and beside calls whose arguments do not fit the registers. PTX: nvcc -Xcicc -O1. */
#define MANY                                                                                                           \
	unsigned a, unsigned b, unsigned c, unsigned d, unsigned e, unsigned f, unsigned g, unsigned h, unsigned i,    \
	        unsigned j, unsigned k, unsigned l, unsigned m, unsigned n, unsigned o, unsigned p

/* Four of its arguments come on the stack. */
__device__ __noinline__ unsigned mix(MANY)
{
	return a + 2 * b + 3 * c + 5 * d + 7 * e + 11 * f + 13 * g + 17 * h + 19 * i + 23 * j + 29 * k + 31 * l + 37 * m +
	       41 * n + 43 * o + 47 * p;
}

__device__ __noinline__ unsigned level(unsigned depth, unsigned n)
{
	unsigned fixed[8], sum = 0;
	unsigned *first = (unsigned *)__builtin_alloca(n * 4);
	unsigned *second = 0;
	for (unsigned i = 0; i < n; i++)
		first[i] = depth * 1000 + i;
	for (unsigned i = 0; i < 8; i++)
		fixed[i] = n ^ i * depth;
	if (n & 1) {
		second = (unsigned *)__builtin_alloca((n + 50) * 4);
		for (unsigned i = 0; i < n + 50; i++)
			second[i] = i * n;
	}
	if (depth)
		sum = level(depth - 1, n + 37);
	sum += mix(first[0], first[n - 1], fixed[n & 7], sum, n, depth, first[n / 2], 8, 9, fixed[depth], 11, 12,
	           first[n / 3], fixed[1], 15, first[n / 4]);
	for (unsigned i = 0; i < n; i++)
		sum = sum * 3 + first[i];
	for (unsigned i = 0; second && i < n + 50; i++)
		sum ^= second[i];
	return sum + fixed[sum & 7];
}

extern "C" __global__ void own_arrays(unsigned *out)
{
	out[threadIdx.x] = level(threadIdx.x % 5, 1 + threadIdx.x * 2 / 3);
}
