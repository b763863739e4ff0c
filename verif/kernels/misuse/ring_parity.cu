// SPDX-License-Identifier: Apache-2.0
// Four barriers, one bulk copy each. The wait takes its parity from the loop counter although
// every barrier is used once: for odd s it asks for the phase "before" and returns at once.
#include <cstdint>
extern "C" __global__ void ringparity(const uint32_t *in, uint32_t *out) {
  __shared__ alignas(128) uint32_t tile[4][256];
  __shared__ alignas(8) uint64_t bars[4];
  if (threadIdx.x == 0) {
    for (int s = 0; s < 4; s++)
      asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"((uint32_t)__cvta_generic_to_shared(&bars[s])) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  for (int s = 0; s < 4; s++) tile[s][threadIdx.x] = 0xdeadu;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  for (int s = 0; s < 4; s++) {
    uint32_t bar = (uint32_t)__cvta_generic_to_shared(&bars[s]);
    if (threadIdx.x == 0) {
      asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 1024;" ::"r"(bar) : "memory");
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 1024, [%2];"
                   ::"r"((uint32_t)__cvta_generic_to_shared(tile[s])), "l"(in + 256 * s), "r"(bar) : "memory");
    }
    uint32_t ok = 0;
    while (!ok)
      asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                   : "=r"(ok) : "r"(bar), "r"(s & 1) : "memory");
    out[256 * s + threadIdx.x] = tile[s][threadIdx.x];
  }
}
