// SPDX-License-Identifier: Apache-2.0
// nvcc: -gencode arch=compute_120,code=sm_120
// A program without an image for the chip that does not look at the results of its calls: the launch counts as failed.
// prints: no_image: no kernel image is available for execution on the device
// status: 1 (the kernel has no image for the chip)
#include <cstdio>

__global__ void store(int *p)
{
	*p = 1;
}

int main()
{
	int *p;
	cudaMalloc(&p, sizeof *p);
	store<<<1, 1>>>(p);
	printf("no_image: %s\n", cudaGetErrorString(cudaGetLastError()));
	cudaDeviceSynchronize();
	return 0;
}
