// SPDX-License-Identifier: Apache-2.0
// late_commit.cu -- a pipeline of three cp.async stages. Without FIX a group is committed behind the wait, so that the
// wait counts one group less than the author thinks: a stage is read while its copy is under way.
//   nvcc -O3 -lineinfo -arch=sm_80 -cubin -o late_commit.sm_80.cubin late_commit.cu
//   nvcc -O3 -arch=sm_90 -ptx -o late_commit.sm_90.ptx late_commit.cu; with -DFIX: late_commit_fix.sm_90.ptx
#include <cstdint>

constexpr int stages = 3;

__device__ __forceinline__ void fetch(uint32_t *to, const uint32_t *from) {
  const uint32_t at = (uint32_t)__cvta_generic_to_shared(to);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(from) : "memory");
}
__device__ __forceinline__ void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
__device__ __forceinline__ void wait() { asm volatile("cp.async.wait_group 1;" ::: "memory"); }

extern "C" __global__ void late_commit(const uint32_t *in, uint32_t *out, int rounds) {
  __shared__ uint32_t stage[stages][128];
  const int t = threadIdx.x;
  uint32_t sum = 0;
  for (int i = 0; i < stages - 1; i++) {
    fetch(&stage[i][t], in + 128 * i + t);
    commit();
  }
  wait();
  __syncthreads();
  for (int i = 0; i < rounds; i++) {
    const int next = i + stages - 1;
    if (next < rounds) fetch(&stage[next % stages][t], in + 128 * next + t);
#ifdef FIX
    commit();
#endif
    sum = sum * 3 + stage[i % stages][(t + 1) & 127];
    wait();
#ifndef FIX
    commit();
#endif
    __syncthreads();
  }
  out[t] = sum;
}
