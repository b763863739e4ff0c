// hist_shared: Privatised shared-memory histogram: each block counts into shared bins, then adds them to the global ones.
// SPDX-License-Identifier: Apache-2.0
// launch   grid (4,1,1)  block (128,1,1)  dynamic shared memory 0 bytes
// archs    sm_75, sm_90
// outcome  pass
// arg      data       buffer u8   x 4096  initially random:1:0:255         expected (not checked)
// arg      n          scalar u32  = 4096
// arg      bins       buffer u32  x 64    initially zero                   expected file:hist_shared.bins.bin
// result rule in C (rnd, EXPECT, ACTUAL and FAILIF are defined in hist_shared.expected.c):
//  uint32_t bins[64] = {0};
//  for (int i = 0; i < 4096; i++) bins[(uint8_t)rnd(1, 0, 255, i) & 63]++;
//  EXPECT("bins", bins, sizeof bins);

extern "C" __global__ void hist_shared(const unsigned char *data, unsigned n, unsigned *bins) {
  __shared__ unsigned local[64];
  for (unsigned i = threadIdx.x; i < 64; i += blockDim.x) local[i] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&local[data[i] & 63u], 1u);
  __syncthreads();
  for (unsigned i = threadIdx.x; i < 64; i += blockDim.x)
    if (local[i]) atomicAdd(&bins[i], local[i]);
}
