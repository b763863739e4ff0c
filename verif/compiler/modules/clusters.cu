// SPDX-License-Identifier: Apache-2.0
// Kernels that say how they want to be launched.
extern "C" __global__ void __cluster_dims__(2, 1, 1) pairs(unsigned *out) { out[threadIdx.x] = blockIdx.x; }
extern "C" __global__ void __launch_bounds__(96) bounded(unsigned *out) { out[threadIdx.x] = 1; }
