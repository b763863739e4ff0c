// SPDX-License-Identifier: Apache-2.0
// Blocks of a cluster read each other's shared memory; the size of the cluster comes from the launch.
// prints: cluster: cudaSuccess, 0 wrong; three in eight: cudaErrorInvalidClusterSize
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

__global__ void ring(int *out)
{
	__shared__ int mine;
	cg::cluster_group cluster = cg::this_cluster();
	if (threadIdx.x == 0)
		mine = 100 + blockIdx.x;
	cluster.sync();
	int next = (cluster.block_rank() + 1) % cluster.num_blocks();
	if (threadIdx.x == 0)
		out[blockIdx.x] = *cluster.map_shared_rank(&mine, next);
	cluster.sync();
}

int main()
{
	constexpr int Blocks = 8, Size = 4;
	int *d, got[Blocks], wrong = 0;
	cudaMalloc(&d, sizeof got);
	cudaLaunchAttribute size = {};
	size.id = cudaLaunchAttributeClusterDimension;
	size.val.clusterDim.x = Size;
	size.val.clusterDim.y = size.val.clusterDim.z = 1;
	cudaLaunchConfig_t config = {};
	config.gridDim = Blocks;
	config.blockDim = 32;
	config.attrs = &size;
	config.numAttrs = 1;
	cudaError_t r = cudaLaunchKernelEx(&config, ring, d);
	r = r ? r : cudaDeviceSynchronize();
	cudaMemcpy(got, d, sizeof got, cudaMemcpyDeviceToHost);
	for (int i = 0; i < Blocks; i++)
		wrong += got[i] != 100 + i / Size * Size + (i + 1) % Size;
	size.val.clusterDim.x = 3;
	cudaError_t odd = cudaLaunchKernelEx(&config, ring, d);
	printf("cluster: %s, %d wrong; three in eight: %s\n", cudaGetErrorName(r), wrong, cudaGetErrorName(odd));
	return r || wrong || odd != cudaErrorInvalidClusterSize;
}
