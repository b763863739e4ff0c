// bug_lost_arrival: BUG: thread 13 leaves early without arriving on an mbarrier that expects every thread, so the phase never completes.
// SPDX-License-Identifier: Apache-2.0
// launch   grid (1,1,1)  block (64,1,1)  dynamic shared memory 0 bytes
// archs    sm_90
// outcome  deadlock
// arg      in         buffer u32  x 64    initially iota                   expected (not checked)
// arg      out        buffer u32  x 64    initially zero                   expected (not checked)
// result rule in C (rnd, EXPECT, ACTUAL and FAILIF are defined in bug_lost_arrival.expected.c):
//  /* deadlock: 63 arrivals, 64 expected */

__device__ __forceinline__ void mb_init(unsigned a, unsigned n) { asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(a), "r"(n) : "memory"); }
__device__ __forceinline__ unsigned long long mb_arrive(unsigned a) { unsigned long long t; asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(t) : "r"(a) : "memory"); return t; }
__device__ __forceinline__ unsigned mb_try(unsigned a, unsigned long long t) { unsigned p; asm volatile("{ .reg .pred q; mbarrier.try_wait.shared.b64 q, [%1], %2; selp.u32 %0, 1, 0, q; }" : "=r"(p) : "r"(a), "l"(t) : "memory"); return p; }
extern "C" __global__ void bug_lost_arrival(const unsigned *in, unsigned *out) {
  __shared__ unsigned long long bar;
  __shared__ unsigned cell[64];
  unsigned a = (unsigned)__cvta_generic_to_shared(&bar);
  if (threadIdx.x == 0) mb_init(a, 64u);
  __syncthreads();
  if (in[threadIdx.x] == 13u) return;                   // leaves without arriving
  cell[threadIdx.x] = threadIdx.x;
  unsigned long long t = mb_arrive(a);
  while (!mb_try(a, t)) { }
  out[threadIdx.x] = cell[threadIdx.x ^ 1u];
}
