// SPDX-License-Identifier: Apache-2.0
// generic.cu -- a 64-bit atomic by generic address: every value must come out once, in global and in shared memory. The
// cubins beside it: nvcc -arch=sm_75 -cubin generic.cu -o generic.sm_75.cubin (sm_90, sm_120 alike).
typedef unsigned long long u64;
extern "C" __global__ void exchange(u64 *word, u64 *old, int shared) {
  __shared__ u64 own[1];
  int i = threadIdx.x;
  if (i == 0) own[0] = 999;
  __syncthreads();
  u64 *p = shared ? own : word;
  old[i] = atomicExch(p, (u64)(i + 10));
  __syncthreads();
  if (shared && i == 0) word[0] = own[0];
}
