// SPDX-License-Identifier: Apache-2.0
// Addresses of device functions live in variables from kernel to kernel: a table, a pointer that a kernel stores, and
// objects with virtual functions that one kernel makes and another one uses.
// prints: pointers: cudaSuccess, 0 wrong
#include <cstdio>
#include <new>

__device__ __noinline__ int twice(int x)
{
	return 2 * x;
}
__device__ __noinline__ int square(int x)
{
	return x * x;
}
__device__ int (*table[2])(int) = {twice, square};
__device__ int (*stored)(int);

struct Shape {
	int side;
	__device__ virtual int area() const = 0;
};
struct Square : Shape {
	__device__ int area() const override { return side * side; }
};
struct Half : Shape {
	__device__ int area() const override { return side * side / 2; }
};

__global__ void make(void *room, int which, int pad)
{
	stored = pad > 100 ? twice : square;
	if (which)
		(new (room) Square)->side = 6;
	else
		(new (room) Half)->side = 6;
}

__global__ void use(const Shape *shape, int *out)
{
	out[0] = table[threadIdx.x % 2](7) + shape->area();
	out[1] = stored(5);
}

int main()
{
	void *room;
	int *d, got[2], wrong = 0;
	cudaMalloc(&room, 64);
	cudaMalloc(&d, sizeof got);
	cudaError_t r = cudaSuccess;
	for (int which = 0; which < 2; which++) {
		make<<<1, 1>>>(room, which, which * 200);
		use<<<1, 1>>>(static_cast<Shape *>(room), d);
		r = cudaMemcpy(got, d, sizeof got, cudaMemcpyDeviceToHost);
		wrong += got[0] != 14 + (which ? 36 : 18);
		wrong += got[1] != (which ? 10 : 25);
	}
	printf("pointers: %s, %d wrong\n", cudaGetErrorName(r), wrong);
	return r || wrong;
}
