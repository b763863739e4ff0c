// SPDX-License-Identifier: Apache-2.0
// The barrier was cloned into both arms of a branch that divides a warp (what jump threading did).
// Warps 1..3 take another path; warp 0 meets itself only at two different instructions.
#include <cstdint>
extern "C" __global__ void clonebar(uint32_t *out) {
  __shared__ uint32_t v[32];
  uint32_t x;
  if (threadIdx.x < 32) {
    if (threadIdx.x & 1) {
      v[threadIdx.x] = 7 * threadIdx.x;
      asm volatile("bar.sync 14, 32;" ::: "memory");
      x = v[threadIdx.x ^ 1] + 1;
    } else {
      v[threadIdx.x] = 5 * threadIdx.x;
      asm volatile("bar.sync 14, 32;" ::: "memory");
      x = v[threadIdx.x ^ 1] * 2;
    }
    out[threadIdx.x] = x;
  }
}
