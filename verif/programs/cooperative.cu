// SPDX-License-Identifier: Apache-2.0
// All blocks meet at the barrier of the grid; the largest grid that fits is taken from the occupancy.
// prints: cooperative: cudaSuccess, 72 of 72 arrivals, 0 early; too large: cudaErrorCooperativeLaunchTooLarge
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

__global__ void rounds(int *count, int *bad, int n)
{
	cg::grid_group grid = cg::this_grid();
	for (int i = 1; i <= n; i++) {
		if (threadIdx.x == 0)
			atomicAdd(count, 1);
		grid.sync();
		if (threadIdx.x == 0 && *(volatile int *)count != i * (int)gridDim.x)
			atomicAdd(bad, 1);
		grid.sync();
	}
}

int main()
{
	int *d, got[2], per_sm, blocks = 24, n = 3;
	cudaMalloc(&d, sizeof got);
	cudaMemset(d, 0, sizeof got);
	int *count = d, *bad = d + 1;
	void *args[] = {&count, &bad, &n};
	cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, rounds, 64, 0);
	cudaError_t r = cudaLaunchCooperativeKernel(rounds, dim3(blocks), dim3(64), args, 0, 0);
	r = r ? r : cudaDeviceSynchronize();
	cudaMemcpy(got, d, sizeof got, cudaMemcpyDeviceToHost);
	cudaError_t large = cudaLaunchCooperativeKernel(rounds, dim3(1 << 20), dim3(64), args, 0, 0);
	printf("cooperative: %s, %d of %d arrivals, %d early; too large: %s\n", cudaGetErrorName(r), got[0], n * blocks,
	       got[1], cudaGetErrorName(large));
	return r || got[0] != n * blocks || got[1] || large != cudaErrorCooperativeLaunchTooLarge || per_sm < 1;
}
