// bug_mbar_noinit: BUG: arrives and waits on an mbarrier object that nobody initialised (undefined contents; a model should report it).
// SPDX-License-Identifier: Apache-2.0
// launch   grid (1,1,1)  block (64,1,1)  dynamic shared memory 0 bytes
// archs    sm_90
// outcome  fault
// arg      out        buffer u32  x 64    initially zero                   expected (not checked)
// result rule in C (rnd, EXPECT, ACTUAL and FAILIF are defined in bug_mbar_noinit.expected.c):
//  /* undefined: with an initialised count of 64 the result would be out[i] = 3 * (63 - i) */

__device__ __forceinline__ unsigned long long mb_arrive(unsigned a) { unsigned long long t; asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(t) : "r"(a) : "memory"); return t; }
__device__ __forceinline__ unsigned mb_test(unsigned a, unsigned long long t) { unsigned p; asm volatile("{ .reg .pred q; mbarrier.test_wait.shared.b64 q, [%1], %2; selp.u32 %0, 1, 0, q; }" : "=r"(p) : "r"(a), "l"(t) : "memory"); return p; }
extern "C" __global__ void bug_mbar_noinit(unsigned *out) {
  __shared__ unsigned long long bar;
  __shared__ unsigned cell[64];
  unsigned a = (unsigned)__cvta_generic_to_shared(&bar);
  cell[threadIdx.x] = threadIdx.x * 3u;
  unsigned long long t = mb_arrive(a);
  while (!mb_test(a, t)) { }
  out[threadIdx.x] = cell[63 - threadIdx.x];
}
