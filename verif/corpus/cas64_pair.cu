// cas64_pair: Argmax through a 64-bit CAS on (value, inverted index), beside the same result from 64-bit atomicMax.
// SPDX-License-Identifier: Apache-2.0
// launch   grid (4,1,1)  block (64,1,1)  dynamic shared memory 0 bytes
// archs    sm_75, sm_90
// outcome  pass
// arg      x          buffer u32  x 1024  initially random:22:0:500        expected (not checked)
// arg      best       buffer u64  x 1     initially zero                   expected file:cas64_pair.best.bin
// arg      best2      buffer u64  x 1     initially zero                   expected file:cas64_pair.best2.bin
// result rule in C (rnd, EXPECT, ACTUAL and FAILIF are defined in cas64_pair.expected.c):
//  uint64_t b = 0;
//  for (uint32_t i = 0; i < 1024; i++) { uint64_t m = (uint64_t)rnd(22, 0, 500, i) << 32 | (0xffffffffu - i); if (m > b) b = m; }
//  EXPECT("best", &b, 8); EXPECT("best2", &b, 8);

extern "C" __global__ void cas64_pair(const unsigned *x, unsigned long long *best, unsigned long long *best2) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < 1024u; i += gridDim.x * blockDim.x) {
    unsigned long long mine = (unsigned long long)x[i] << 32 | (0xffffffffu - i);
    unsigned long long old = *(volatile unsigned long long *)best, seen;
    do {
      seen = old;
      if (seen >= mine) break;
      old = atomicCAS(best, seen, mine);
    } while (old != seen);
    atomicMax(best2, mine);
  }
}
