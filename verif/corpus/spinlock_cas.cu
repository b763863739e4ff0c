// spinlock_cas: Every thread takes a test-and-set lock four times around a plain read-modify-write (needs independent thread progress).
// SPDX-License-Identifier: Apache-2.0
// launch   grid (4,1,1)  block (64,1,1)  dynamic shared memory 0 bytes
// archs    sm_75, sm_90
// outcome  pass
// arg      lock       buffer u32  x 1     initially zero                   expected file:spinlock_cas.lock.bin
// arg      counter    buffer u32  x 2     initially zero                   expected file:spinlock_cas.counter.bin
// result rule in C (rnd, EXPECT, ACTUAL and FAILIF are defined in spinlock_cas.expected.c):
//  uint32_t lock = 0, c[2] = {4 * 64 * 4, 0};
//  for (int t = 0; t < 64; t++) c[1] += 16 * t;
//  EXPECT("lock", &lock, 4);
//  EXPECT("counter", c, sizeof c);

extern "C" __global__ void spinlock_cas(unsigned *lock, unsigned *counter) {
  volatile unsigned *c = counter;
  for (int r = 0; r < 4; r++) {
    bool done = false;
    while (!done) {
      if (atomicCAS(lock, 0u, 1u) == 0u) {
        __threadfence();
        c[0] = c[0] + 1u;
        c[1] = c[1] + threadIdx.x;
        __threadfence();
        atomicExch(lock, 0u);
        done = true;
      }
    }
  }
}
