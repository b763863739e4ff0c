// SPDX-License-Identifier: Apache-2.0
// Host and kernel share memory: managed memory, a managed variable, a mapped host buffer, a registered vector; and the
// symbols of device and constant variables.
// prints: managed: cudaSuccess, 0 wrong, count 42, table 1, kinds 3 1
#include <cstdio>
#include <vector>

__managed__ int shared_count = 5;
__device__ int table[4] = {1, 2, 3, 4};
__constant__ int factor[2];

__global__ void work(int *managed, int *mapped, int *registered, int n)
{
	int i = threadIdx.x;
	if (i < n) {
		managed[i] *= factor[0];
		mapped[i] = managed[i] + factor[1];
		registered[i] += table[i % 4];
	}
	if (i == 0)
		shared_count++;
}

int main()
{
	constexpr int N = 40;
	int *managed, *mapped, *on_device, factors[2] = {3, 1000}, wrong = 0, first;
	std::vector<int> vec(N, 10);
	cudaMallocManaged(&managed, N * sizeof *managed);
	cudaHostAlloc(&mapped, N * sizeof *mapped, cudaHostAllocMapped);
	cudaHostGetDevicePointer(&on_device, mapped, 0);
	cudaHostRegister(vec.data(), N * sizeof vec[0], cudaHostRegisterDefault);
	for (int i = 0; i < N; i++)
		managed[i] = i;
	shared_count = 41;
	cudaMemcpyToSymbol(factor, factors, sizeof factors);
	int two = 20;
	cudaMemcpyToSymbol(table, &two, sizeof two, sizeof two);
	work<<<1, 64>>>(managed, on_device, vec.data(), N);
	cudaError_t r = cudaDeviceSynchronize();
	const int add[4] = {1, 20, 3, 4};
	for (int i = 0; i < N; i++)
		wrong += (managed[i] != 3 * i) + (mapped[i] != 3 * i + 1000) + (vec[i] != 10 + add[i % 4]);
	cudaMemcpyFromSymbol(&first, table, sizeof first);
	cudaPointerAttributes a, b;
	cudaPointerGetAttributes(&a, managed);
	cudaPointerGetAttributes(&b, vec.data() + 1);
	printf("managed: %s, %d wrong, count %d, table %d, kinds %d %d\n", cudaGetErrorName(r), wrong, shared_count, first,
	       a.type, b.type);
	return r || wrong || shared_count != 42 || first != 1 || a.type != cudaMemoryTypeManaged ||
	       b.type != cudaMemoryTypeHost;
}
