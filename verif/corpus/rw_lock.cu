// rw_lock: Reader-writer lock (state -1 = writer, k = readers): readers must never see the two cells differ.
// SPDX-License-Identifier: Apache-2.0
// launch   grid (4,1,1)  block (64,1,1)  dynamic shared memory 0 bytes
// archs    sm_75, sm_90
// outcome  pass
// arg      state      buffer s32  x 1     initially zero                   expected file:rw_lock.state.bin
// arg      cells      buffer s32  x 2     initially zero                   expected file:rw_lock.cells.bin
// arg      violations buffer u32  x 1     initially zero                   expected file:rw_lock.violations.bin
// arg      reads      buffer u32  x 1     initially zero                   expected file:rw_lock.reads.bin
// result rule in C (rnd, EXPECT, ACTUAL and FAILIF are defined in rw_lock.expected.c):
//  int32_t s = 0, c[2] = {32, 32}; uint32_t v = 0, r = 32;
//  EXPECT("state", &s, 4); EXPECT("cells", c, 8); EXPECT("violations", &v, 4); EXPECT("reads", &r, 4);

extern "C" __global__ void rw_lock(int *state, int *cells, unsigned *violations, unsigned *reads) {
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  if ((threadIdx.x & 31) != 0) return;
  volatile int *c = cells;
  for (int r = 0; r < 8; r++) {
    if (warp & 1) {
      while (atomicCAS(state, 0, -1) != 0) __nanosleep(32);
      __threadfence();
      c[0] = c[0] + 1;
      __threadfence();
      c[1] = c[1] + 1;
      __threadfence();
      atomicExch(state, 0);
    } else {
      for (;;) {
        int s = atomicAdd(state, 0);
        if (s >= 0 && atomicCAS(state, s, s + 1) == s) break;
        __nanosleep(32);
      }
      __threadfence();
      int a = c[0], b = c[1];
      if (a != b) atomicAdd(violations, 1u);
      atomicAdd(reads, 1u);
      __threadfence();
      atomicSub(state, 1);
    }
  }
}
