// SPDX-License-Identifier: Apache-2.0
// A module that uses what a loader has to place: variables, constants, strings, tables of pointers, jumps and functions.
// ../run_modules computes what each kernel must write.
#include <stdio.h>
#include <assert.h>

__device__ unsigned table[8] = {1, 2, 3, 5, 7, 11, 13, 17};
__device__ unsigned counter;
__device__ unsigned squares[64];
__device__ unsigned *where = &table[2];
__constant__ int coeff[4] = {10, 20, 30, 40};
__device__ const char *const names[4] = {"alpha", "beta", "gamma", "delta"};

extern "C" __global__ void globals(unsigned *out)
{
	unsigned t = threadIdx.x;
	atomicAdd(&counter, t);
	squares[t] = table[t & 7] * coeff[t & 3];
	out[t] = squares[t] + *where;
	__syncthreads();
	if (t == 0)
		out[32] = counter;
}

extern "C" __global__ void strings(unsigned *out)
{
	unsigned t = threadIdx.x, h = 0;
	for (const char *s = names[t & 3]; *s; s++)
		h = h * 31 + (unsigned char)*s;
	out[t] = h;
}

extern "C" __global__ void jumps(unsigned *out, unsigned n)
{
	unsigned t = threadIdx.x, v;
	switch ((t + n) % 9) {
	case 0: v = t * 3; break;
	case 1: v = t ^ 0x55; out[t + 64] = 1; break;
	case 2: v = t << 4; break;
	case 3: v = ~t; out[t + 64] = v + 3; break;
	case 4: v = __popc(t); break;
	case 5: v = __clz(t); out[t + 64] = v * 5; break;
	case 6: v = __brev(t); break;
	case 7: v = atomicAdd(&counter, 0) + t; out[t + 64] = v ^ n; break;
	default: v = 99;
	}
	out[t] = v;
}

__device__ __noinline__ unsigned twice(unsigned x) { return x * 2 + 1; }
__device__ __noinline__ unsigned square(unsigned x) { return x * x; }
__device__ __noinline__ unsigned fib(unsigned n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
typedef unsigned (*function)(unsigned);
__device__ function functions[3] = {twice, square, fib};

extern "C" __global__ void pointers(unsigned *out)
{
	unsigned t = threadIdx.x;
	out[t] = functions[t % 3](t % 10);
}

extern "C" __global__ void calls(unsigned *out)
{
	unsigned t = threadIdx.x;
	out[t] = twice(t) + fib(t % 8);
}

extern "C" __global__ void __launch_bounds__(64) locals(unsigned *out, int k)
{
	unsigned a[40], s = 0;
#pragma unroll 1
	for (int i = 0; i < 40; i++)
		a[i] = i * threadIdx.x + k;
#pragma unroll 1
	for (int i = 0; i < 40; i++)
		s += a[(i * k + threadIdx.x) % 40] * (i + 1);
	out[threadIdx.x] = s;
}

__shared__ unsigned fixed[64];
extern "C" __global__ void shared(unsigned *out)
{
	extern __shared__ unsigned dynamic[];
	unsigned t = threadIdx.x;
	fixed[t] = t * 7;
	dynamic[t] = t + 100;
	__syncthreads();
	out[t] = fixed[63 - t] + dynamic[(t + 1) & 63];
}

// Functions of the runtime: the kernel runs unless it calls one.
extern "C" __global__ void runtime(unsigned *out, unsigned n)
{
	if (n > 5)
		printf("hello %u\n", threadIdx.x);
	assert(n != 3);
	out[threadIdx.x] = n;
}
