// SPDX-License-Identifier: Apache-2.0
// __syncthreads in both arms of a branch inside of every warp.
#include <cstdint>
extern "C" __global__ void arms(uint32_t *out, const uint32_t *in) {
  __shared__ uint32_t v[128];
  uint32_t t = threadIdx.x, x = in[t];
  if (t & 1) { float f = (float)x; v[t] = (uint32_t)(f * 1.5f); __syncthreads(); x += v[(t + 2) & 127]; __syncthreads(); v[t] = x * 3; }
  else { v[t] = x ^ 5; __syncthreads(); x ^= v[(t + 3) & 127]; __syncthreads(); v[t] = x - 1; }
  __syncthreads();
  out[t] = v[(t + 1) & 127];
}
