// SPDX-License-Identifier: Apache-2.0
// CTA 1 arrives on CTA 0's mbarrier by the local form of the instruction with the mapped address.
#include <cstdint>
extern "C" __global__ void __cluster_dims__(2, 1, 1) localform(uint32_t *out) {
  __shared__ alignas(8) uint64_t bar;
  uint32_t a = (uint32_t)__cvta_generic_to_shared(&bar), rank, r, ok = 0;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(a) : "memory");
  asm volatile("barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;" ::: "memory");
  if (rank == 1 && threadIdx.x == 0) {
    asm("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(r) : "r"(a));
#ifdef FIX
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(r) : "memory");
#else
    asm volatile("{ .reg .b64 t; mbarrier.arrive.shared.b64 t, [%0]; }" ::"r"(r) : "memory");
#endif
  }
  if (rank == 0) while (!ok) asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }" : "=r"(ok) : "r"(a) : "memory");
  asm volatile("barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;" ::: "memory");
  out[rank * 32 + threadIdx.x] = 1;
}
