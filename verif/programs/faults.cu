// SPDX-License-Identifier: Apache-2.0
// printf and malloc in kernels, then kernels that go wrong: each result, its stay with the context, and the reset.
// prints: faults: printf     cudaSuccess
// prints: faults: outside    cudaErrorIllegalAddress
// prints: faults: misaligned cudaErrorMisalignedAddress
// prints: faults: assert     cudaErrorAssert
// prints: faults: trap       cudaErrorLaunchFailure
// prints: faults: hang       cudaErrorLaunchTimeout
// prints: faults: after      cudaSuccess
// prints: faults: too many threads: cudaErrorInvalidConfiguration; 0 wrong
// status: 1 (launches end in faults)
#include <cassert>
#include <cstdio>

__global__ void hello(int n)
{
	int *p = (int *)malloc(16);
	*p = threadIdx.x;
	if (threadIdx.x < 2)
		printf("hello from thread %d of %d, %s %.2f\n", *p, n, "text", 1.5);
	free(p);
}
__global__ void outside(int *p)
{
	p[threadIdx.x + (1 << 28)] = 1;
}
__global__ void crooked(char *p)
{
	*(volatile int *)(p + 1) = 1;
}
__global__ void asserts(int x)
{
	assert(x == 1);
}
__global__ void traps()
{
	__trap();
}
__global__ void hangs()
{
	if (threadIdx.x < 32)
		__syncthreads();
	else
		asm volatile("bar.sync 1, 64;");
}

static int check(const char *what, cudaError_t expected)
{
	cudaError_t launched = cudaGetLastError(), r = cudaDeviceSynchronize();
	void *p;
	cudaError_t later = cudaMalloc(&p, 4);
	bool good = launched == cudaSuccess && r == expected && later == expected && cudaDeviceReset() == cudaSuccess;
	good = good && cudaMalloc(&p, 4) == cudaSuccess && cudaFree(p) == cudaSuccess;
	printf("faults: %-10s %s%s\n", what, cudaGetErrorName(r), good ? "" : " WRONG");
	fflush(stdout);
	return !good;
}

int main()
{
	int wrong = 0;
	char *p;
	hello<<<1, 32>>>(32);
	wrong += check("printf", cudaSuccess);
	cudaMalloc(&p, 64);
	outside<<<1, 32>>>((int *)p);
	wrong += check("outside", cudaErrorIllegalAddress);
	cudaMalloc(&p, 64);
	crooked<<<1, 1>>>(p);
	wrong += check("misaligned", cudaErrorMisalignedAddress);
	asserts<<<1, 32>>>(2);
	wrong += check("assert", cudaErrorAssert);
	traps<<<1, 32>>>();
	wrong += check("trap", cudaErrorLaunchFailure);
	hangs<<<1, 64>>>();
	wrong += check("hang", cudaErrorLaunchTimeout);
	asserts<<<1, 32>>>(1);
	wrong += check("after", cudaSuccess);
	asserts<<<1, 2048>>>(1);
	cudaError_t r = cudaGetLastError();
	wrong += r != cudaErrorInvalidConfiguration || cudaDeviceSynchronize() != cudaSuccess;
	printf("faults: too many threads: %s; %d wrong\n", cudaGetErrorName(r), wrong);
	return wrong;
}
