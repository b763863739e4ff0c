// smem_lock: Spin locks made of CAS and exchange in shared memory around plain shared data; 32, 16, 8, 4, 2 and 1 lanes of a warp want one lock (needs independent thread progress).
// SPDX-License-Identifier: Apache-2.0
// launch   grid (3,1,1)  block (80,1,1)  dynamic shared memory 0 bytes
// archs    sm_75, sm_90
// outcome  pass
// arg      count      buffer u32  x 96    initially zero                   expected file:smem_lock.count.bin
// arg      sum        buffer u32  x 96    initially zero                   expected file:smem_lock.sum.bin
// arg      locks      buffer u32  x 96    initially const:9                expected file:smem_lock.locks.bin
// arg      torn       buffer u32  x 1     initially zero                   expected file:smem_lock.torn.bin
// result rule in C (rnd, EXPECT, ACTUAL and FAILIF are defined in smem_lock.expected.c):
//  uint32_t n[96] = {0}, s[96] = {0}, l[96] = {0}, z = 0;
//  for (int b = 0; b < 3; b++) for (uint32_t m = 0; m < 32; m = 2 * m + 1) for (uint32_t t = 0; t < 80; t++)
//    if (!m || (t + m) % 5) { n[b * 32 + (t & m)]++; s[b * 32 + (t & m)] += t; }
//  EXPECT("count", n, sizeof n); EXPECT("sum", s, sizeof s); EXPECT("locks", l, sizeof l); EXPECT("torn", &z, 4);

extern "C" __global__ void smem_lock(unsigned *count, unsigned *sum, unsigned *locks, unsigned *torn) {
  __shared__ unsigned lock[32], a[32], b[32], c[32];
  unsigned t = threadIdx.x, bad = 0;
  if (t < 32) { lock[t] = 0; a[t] = 0; b[t] = 0; c[t] = 0; }
  __syncthreads();
  for (unsigned m = 0; m < 32; m = 2 * m + 1) {
    if (m && (t + m) % 5 == 0) continue;             // divergent: only four lanes in five
    unsigned k = t & m;
    bool done = false;
    while (!done) {
      if (atomicCAS(&lock[k], 0u, 1u) == 0u) {
        __threadfence_block();
        unsigned x = a[k];
        bad += b[k] != 3 * x;
        a[k] = x + 1;
        c[k] = c[k] + t;
        b[k] = 3 * x + 3;
        __threadfence_block();
        atomicExch(&lock[k], 0u);
        done = true;
      }
    }
  }
  if (bad) atomicAdd(torn, bad);
  __syncthreads();
  if (t < 32) {
    unsigned o = blockIdx.x * 32 + t;
    count[o] = a[t]; sum[o] = c[t]; locks[o] = lock[t];
  }
}
