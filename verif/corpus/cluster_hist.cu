// cluster_hist: Histogram whose bins are spread over the shared memory of a four-block cluster (DSMEM atomics).
// SPDX-License-Identifier: Apache-2.0
// launch   grid (8,1,1)  block (64,1,1)  cluster (4,1,1)  dynamic shared memory 0 bytes
// archs    sm_90
// outcome  pass
// arg      data       buffer u32  x 2048  initially random:15:0:255        expected (not checked)
// arg      n          scalar u32  = 2048
// arg      bins       buffer u32  x 256   initially zero                   expected file:cluster_hist.bins.bin
// result rule in C (rnd, EXPECT, ACTUAL and FAILIF are defined in cluster_hist.expected.c):
//  uint32_t bins[256] = {0};
//  for (int i = 0; i < 2048; i++) bins[rnd(15, 0, 255, i) & 255]++;
//  EXPECT("bins", bins, sizeof bins);

#include <cooperative_groups.h>
extern "C" __global__ void __cluster_dims__(4, 1, 1) cluster_hist(const unsigned *data, unsigned n, unsigned *bins) {
  namespace cg = cooperative_groups;
  cg::cluster_group cl = cg::this_cluster();
  __shared__ unsigned part[64];                        // this block holds bins rank*64 .. rank*64+63
  part[threadIdx.x] = 0;
  cl.sync();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned v = data[i] & 255u;
    unsigned *remote = cl.map_shared_rank(part, v >> 6);
    atomicAdd(remote + (v & 63u), 1u);
  }
  cl.sync();
  unsigned c = part[threadIdx.x];
  if (c) atomicAdd(&bins[cl.block_rank() * 64u + threadIdx.x], c);
}
