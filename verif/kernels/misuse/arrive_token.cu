// SPDX-License-Identifier: Apache-2.0
// As k.cu, but the token of the local arrive is used.
#include <cstdint>
extern "C" __global__ void __cluster_dims__(2, 1, 1) localtoken(uint64_t *out) {
  __shared__ alignas(8) uint64_t bar;
  uint32_t a = (uint32_t)__cvta_generic_to_shared(&bar), rank, r; uint64_t t = 0;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(a) : "memory");
  asm volatile("barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;" ::: "memory");
  if (rank == 1 && threadIdx.x == 0) {
    asm("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(r) : "r"(a));
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(t) : "r"(r) : "memory");
  }
  asm volatile("barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;" ::: "memory");
  out[rank * 32 + threadIdx.x] = t;
}
