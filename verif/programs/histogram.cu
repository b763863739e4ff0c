// SPDX-License-Identifier: Apache-2.0
// Numbers counted in shared memory, then added to global memory; the host counts them again.
// prints: histogram: cudaSuccess, 0 wrong bins
#include <cstdio>
#include <vector>

constexpr int Bins = 64, N = 20000;

__global__ void histogram(const unsigned *in, int n, unsigned *bins)
{
	__shared__ unsigned local[Bins];
	for (int i = threadIdx.x; i < Bins; i += blockDim.x)
		local[i] = 0;
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		atomicAdd(&local[in[i] % Bins], 1u);
	__syncthreads();
	for (int i = threadIdx.x; i < Bins; i += blockDim.x)
		atomicAdd(&bins[i], local[i]);
}

int main()
{
	std::vector<unsigned> in(N), bins(Bins), expected(Bins);
	unsigned x = 1, wrong = 0;
	for (auto &v : in) {
		x = x * 1664525u + 1013904223u;
		v = x >> 16;
		expected[v % Bins]++;
	}
	unsigned *din, *dbins;
	if (cudaMalloc(&din, N * sizeof *din) || cudaMalloc(&dbins, Bins * sizeof *dbins))
		return 1;
	cudaMemcpy(din, in.data(), N * sizeof *din, cudaMemcpyHostToDevice);
	cudaMemset(dbins, 0, Bins * sizeof *dbins);
	histogram<<<8, 128>>>(din, N, dbins);
	cudaError_t r = cudaDeviceSynchronize();
	cudaMemcpy(bins.data(), dbins, Bins * sizeof *dbins, cudaMemcpyDeviceToHost);
	for (int i = 0; i < Bins; i++)
		wrong += bins[i] != expected[i];
	printf("histogram: %s, %u wrong bins\n", cudaGetErrorName(r), wrong);
	return r || wrong;
}
