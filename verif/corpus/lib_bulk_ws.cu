// lib_bulk_ws: Warp-specialised pipeline: one thread of warp 0 fills a two-stage ring by bulk copies that complete on mbarriers, four warps consume, results leave by bulk store groups.
// SPDX-License-Identifier: Apache-2.0
// launch   grid (2,1,1)  block (160,1,1)  dynamic shared memory 0 bytes
// archs    sm_90, sm_100
// made by  nvcc 13.0 -O3 -std=c++17 -arch=ARCH -ptx
// outcome  pass
// arg      in             buffer u32  x 6144  initially random:133:0:100000    expected (not checked)
// arg      out            buffer u32  x 6144  initially zero                   expected file:lib_bulk_ws.out.bin
// arg      sum            buffer u32  x 2     initially zero                   expected file:lib_bulk_ws.sum.bin
// result rule in C (rnd, EXPECT, ACTUAL and FAILIF are defined in lib_bulk_ws.expected.c):
//  static uint32_t out[6144]; uint32_t sum[2] = {0};
//  for (int i = 0; i < 6144; i++) { uint32_t v = rnd(133, 0, 100000, i); sum[i / 3072] += v; out[i] = v * 3 + i / 512 % 6; }
//  EXPECT("out", out, sizeof out); EXPECT("sum", sum, sizeof sum);

#include <cuda/ptx>
namespace ptx = cuda::ptx;
enum : unsigned { Tiles = 6, Words = 512, Bytes = Words * 4 };

extern "C" __global__ void lib_bulk_ws(const unsigned *in, unsigned *out, unsigned *sum) {
  __shared__ alignas(128) unsigned ring[2][Words];
  __shared__ alignas(128) unsigned res[Words];
  __shared__ unsigned long long full[2], empty[2];
  if (threadIdx.x == 0) {
    for (int s = 0; s < 2; s++) {
      ptx::mbarrier_init((uint64_t *)&full[s], 1);
      ptx::mbarrier_init((uint64_t *)&empty[s], 4);
    }
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  const unsigned *src = in + blockIdx.x * Tiles * Words;
  unsigned *dst = out + blockIdx.x * Tiles * Words;
  if (threadIdx.x < 32) {
    if (threadIdx.x != 0) return;
    for (unsigned t = 0; t < Tiles; t++) {
      uint64_t *f = (uint64_t *)&full[t & 1], *e = (uint64_t *)&empty[t & 1];
      if (t >= 2) while (!ptx::mbarrier_try_wait_parity(e, (t >> 1) - 1 & 1)) ;
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, f, Bytes);
      ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, ring[t & 1], src + t * Words, Bytes, f);
    }
    return;
  }
  unsigned c = threadIdx.x - 32, part = 0;
  for (unsigned t = 0; t < Tiles; t++) {
    while (!ptx::mbarrier_try_wait_parity((uint64_t *)&full[t & 1], t >> 1 & 1)) ;
    if (c == 0) ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    asm volatile("barrier.sync 1, 128;" ::: "memory");
    for (unsigned i = c; i < Words; i += 128) {
      unsigned v = ring[t & 1][i];
      part += v;
      res[i] = v * 3u + t;
    }
    ptx::fence_proxy_async(ptx::space_shared);
    __syncwarp();
    if ((c & 31) == 0) ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cta, ptx::space_shared, (uint64_t *)&empty[t & 1]);
    asm volatile("barrier.sync 1, 128;" ::: "memory");
    if (c == 0) {
      ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, dst + t * Words, res, Bytes);
      ptx::cp_async_bulk_commit_group();
    }
  }
  if (c == 0) ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
  part = __reduce_add_sync(0xffffffffu, part);
  if ((c & 31) == 0) atomicAdd(&sum[blockIdx.x], part);
}
