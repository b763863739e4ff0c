// SPDX-License-Identifier: Apache-2.0
// Producer/consumer warpgroups that trade registers. MINB is the occupancy hint that the reporter added.
#include <cstdint>
#ifndef MINB
#define MINB 2
#endif
extern "C" __global__ void __launch_bounds__(384, MINB) regtrade(uint32_t *out) {
  __shared__ uint32_t box[128];
  if (threadIdx.x < 128) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
    box[threadIdx.x] = threadIdx.x * 3;
    asm volatile("bar.sync 1, 384;" ::: "memory");
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
    asm volatile("bar.sync 1, 384;" ::: "memory");
    out[threadIdx.x - 128] = box[threadIdx.x & 127] + 1;
  }
}
