// bug_divergent_sync: BUG: half of the block waits at __syncthreads for threads that spin on a flag which is only set after that barrier.
// SPDX-License-Identifier: Apache-2.0
// launch   grid (1,1,1)  block (128,1,1)  dynamic shared memory 0 bytes
// archs    sm_75, sm_90
// outcome  deadlock
// arg      flag       buffer u32  x 1     initially zero                   expected (not checked)
// arg      out        buffer u32  x 128   initially zero                   expected (not checked)
// result rule in C (rnd, EXPECT, ACTUAL and FAILIF are defined in bug_divergent_sync.expected.c):
//  /* no run of this kernel ends: threads 64..127 never reach the barrier */

extern "C" __global__ void bug_divergent_sync(volatile unsigned *flag, unsigned *out) {
  if (threadIdx.x < 64) {
    __syncthreads();
    if (threadIdx.x == 0) *flag = 1u;
  } else {
    while (*flag == 0u) { }
    __syncthreads();
  }
  out[threadIdx.x] = *flag;
}
