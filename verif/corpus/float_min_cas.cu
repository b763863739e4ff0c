// float_min_cas: Float minimum and maximum: one through a CAS loop on the bit pattern, one through the signed/unsigned integer-order trick.
// SPDX-License-Identifier: Apache-2.0
// launch   grid (4,1,1)  block (64,1,1)  dynamic shared memory 0 bytes
// archs    sm_75, sm_90
// outcome  pass
// arg      x          buffer s32  x 512   initially random:21:0:4000       expected (not checked)
// arg      mn         buffer f32  x 1     initially const:1000000          expected file:float_min_cas.mn.bin
// arg      mx         buffer f32  x 1     initially const:-1000000         expected file:float_min_cas.mx.bin
// result rule in C (rnd, EXPECT, ACTUAL and FAILIF are defined in float_min_cas.expected.c):
//  float mn = 1e6f, mx = -1e6f;
//  for (int i = 0; i < 512; i++) { float f = (float)((int)rnd(21, 0, 4000, i) - 2000) * 0.25f; if (f < mn) mn = f; if (f > mx) mx = f; }
//  EXPECT("mn", &mn, 4); EXPECT("mx", &mx, 4);

extern "C" __global__ void float_min_cas(const int *x, float *mn, float *mx) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < 512; i += gridDim.x * blockDim.x) {
    float f = (float)(x[i] - 2000) * 0.25f;
    int *addr = (int *)mn;
    int old = *(volatile int *)addr, seen;
    do {
      seen = old;
      if (__int_as_float(seen) <= f) break;
      old = atomicCAS(addr, seen, __float_as_int(f));
    } while (old != seen);
    if (f >= 0.0f) atomicMax((int *)mx, __float_as_int(f));
    else atomicMin((unsigned *)mx, __float_as_uint(f));
  }
}
