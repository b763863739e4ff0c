// SPDX-License-Identifier: Apache-2.0
// One warp waits for the loaders; the barrier was sized for one loader (64 threads), now there are four.
#include <cstdint>
extern "C" __global__ void loaders(uint32_t *out, const uint32_t *in, uint32_t tiles) {
  __shared__ uint32_t s[128];
  uint32_t w = threadIdx.x / 32, sum = 0;
  if (w < 4) {
    s[threadIdx.x] = in[threadIdx.x];
    asm volatile("bar.arrive 2, 64;" ::: "memory");
  } else {
    asm volatile("bar.sync 2, 64;" ::: "memory");
    for (uint32_t i = 0; i < 4; i++) sum += s[i * 32 + (threadIdx.x & 31)];
    out[threadIdx.x & 31] = sum;
  }
}
