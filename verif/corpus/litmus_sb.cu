// litmus_sb: Store-buffering litmus test with seq_cst operations, 64 instances; both loads reading zero is forbidden.
// SPDX-License-Identifier: Apache-2.0
// launch   grid (2,1,1)  block (64,1,1)  dynamic shared memory 0 bytes
// archs    sm_75, sm_90
// outcome  pass
// arg      x          buffer u32  x 64    initially zero                   expected file:litmus_sb.x.bin
// arg      y          buffer u32  x 64    initially zero                   expected file:litmus_sb.y.bin
// arg      r0         buffer u32  x 64    initially const:9                expected rule:not_both_zero
// arg      r1         buffer u32  x 64    initially const:9                expected rule:not_both_zero
// result rule in C (rnd, EXPECT, ACTUAL and FAILIF are defined in litmus_sb.expected.c):
//  uint32_t one[64], *a, *b;
//  for (int i = 0; i < 64; i++) one[i] = 1;
//  EXPECT("x", one, 256); EXPECT("y", one, 256);
//  a = ACTUAL("r0", 256); b = ACTUAL("r1", 256);
//  if (a && b) for (int i = 0; i < 64; i++) { FAILIF(a[i] > 1 || b[i] > 1, "value out of thin air"); FAILIF(!a[i] && !b[i], "both loads read zero"); }

extern "C" __global__ void litmus_sb(unsigned *x, unsigned *y, unsigned *r0, unsigned *r1) {
  unsigned i = threadIdx.x;
  if (blockIdx.x == 0) {
    __nv_atomic_store_n(&x[i], 1u, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
    r0[i] = __nv_atomic_load_n(&y[i], __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
  } else {
    __nv_atomic_store_n(&y[i], 1u, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
    r1[i] = __nv_atomic_load_n(&x[i], __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
  }
}
