// smem_incdec: Wrap-around increments and decrements as ring tickets in shared memory: with wrap (odd words start above the limit), and without wrap.
// SPDX-License-Identifier: Apache-2.0
// launch   grid (4,1,1)  block (112,1,1)  dynamic shared memory 0 bytes
// archs    sm_75, sm_90
// outcome  pass
// arg      inc_limit  scalar u32  = 6
// arg      dec_limit  scalar u32  = 4
// arg      never      scalar u32  = 4294967295
// arg      up         buffer u32  x 2688  initially const:99               expected rule:ring_up
// arg      down       buffer u32  x 2688  initially const:99               expected rule:ring_down
// arg      up_flat    buffer u32  x 2688  initially const:99               expected rule:permutation_up
// arg      down_flat  buffer u32  x 2688  initially const:99               expected rule:permutation_down
// arg      last       buffer u32  x 3072  initially zero                   expected file:smem_incdec.last.bin
// result rule in C (rnd, EXPECT, ACTUAL and FAILIF are defined in smem_incdec.expected.c):
//  static uint32_t fin[3072], seq[4][112], got[4][112]; uint32_t *r[4];
//  r[0] = ACTUAL("up", 10752); r[1] = ACTUAL("down", 10752); r[2] = ACTUAL("up_flat", 10752); r[3] = ACTUAL("down_flat", 10752);
//  for (int b = 0; b < 4; b++) for (int w = 0; w < 192; w++) {
//    int n[4] = {0}, s = w / 32;
//    uint32_t v[4] = {w & 1 ? 50 : 0, w & 1 ? 50 : 0, 1000, 5000};
//    for (int t = 0; t < 112; t++) {
//      if ((t >> s & 31) != w % 32) continue;
//      int flat = t % 3 != s % 3 ? 2 : 3;
//      for (int k = 0; k < 4; k++) {
//        uint32_t x = r[k] ? r[k][s * 448 + b * 112 + t] : 0;
//        if (k > 1 && k != flat) { FAILIF(r[k] && x != 77, "wrote for a lane that took the other branch"); continue; }
//        got[k][n[k]] = x; seq[k][n[k]++] = v[k];
//        if (k == 0) v[0] = v[0] >= 6 ? 0 : v[0] + 1;
//        if (k == 1) v[1] = v[1] == 0 || v[1] > 4 ? 4 : v[1] - 1;
//        if (k == 2) v[2]++;
//        if (k == 3) v[3]--;
//      }
//    }
//    for (int k = 0; k < 4; k++) { fin[b * 768 + k * 192 + w] = v[k]; FAILIF(r[k] && !same_multiset(got[k], seq[k], n[k]), "tickets of a word differ"); }
//  }
//  EXPECT("last", fin, sizeof fin);

extern "C" __global__ void smem_incdec(unsigned inc_limit, unsigned dec_limit, unsigned never, unsigned *up, unsigned *down,
                                       unsigned *up_flat, unsigned *down_flat, unsigned *last) {
  __shared__ unsigned c[768];
  unsigned t = threadIdx.x, n = gridDim.x * blockDim.x, g = blockIdx.x * blockDim.x + t;
  for (unsigned i = t; i < 192; i += blockDim.x) {
    c[i] = i & 1u ? 50u : 0u; c[192 + i] = i & 1u ? 50u : 0u; c[384 + i] = 1000u; c[576 + i] = 5000u;
  }
  __syncthreads();
  for (unsigned s = 0; s < 6; s++) {
    unsigned w = s * 32 + (t >> s & 31u), o = s * n + g;
    up[o] = atomicInc(&c[w], inc_limit);
    down[o] = atomicDec(&c[192 + w], dec_limit);
    if (t % 3 != s % 3) {                            // two lanes in three, then one in three
      up_flat[o] = atomicInc(&c[384 + w], never);
      down_flat[o] = 77u;
    } else {
      down_flat[o] = atomicDec(&c[576 + w], never);
      up_flat[o] = 77u;
    }
  }
  __syncthreads();
  for (unsigned i = t; i < 768; i += blockDim.x) last[blockIdx.x * 768 + i] = c[i];
}
