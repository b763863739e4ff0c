// smem_bitset: Bitmaps in shared memory by or, and, xor; the old values count who was first to set or clear a bit, which no order changes.
// SPDX-License-Identifier: Apache-2.0
// launch   grid (4,1,1)  block (72,1,1)  dynamic shared memory 0 bytes
// archs    sm_75, sm_90
// outcome  pass
// arg      in         buffer u32  x 1728  initially random:72:0:4294967294 expected (not checked)
// arg      n          scalar u32  = 288
// arg      sets       buffer u32  x 768   initially zero                   expected file:smem_bitset.sets.bin
// arg      clears     buffer u32  x 768   initially zero                   expected file:smem_bitset.clears.bin
// arg      flips      buffer u32  x 768   initially zero                   expected file:smem_bitset.flips.bin
// arg      mixed      buffer u32  x 768   initially zero                   expected file:smem_bitset.mixed.bin
// arg      firsts     buffer u32  x 12    initially zero                   expected file:smem_bitset.firsts.bin
// result rule in C (rnd, EXPECT, ACTUAL and FAILIF are defined in smem_bitset.expected.c):
//  static uint32_t o[768], a[768], x[768], m[768], times[768][8]; uint32_t f[12] = {0};
//  for (int i = 0; i < 768; i++) a[i] = 0xffffffffu;
//  for (int s = 0; s < 6; s++) for (int g = 0; g < 288; g++) {
//    int b = g / 72, w = b * 192 + s * 32 + ((g % 72) >> s & 31); uint32_t v = rnd(72, 0, 4294967294u, s * 288 + g);
//    o[w] |= 1u << (v & 15); a[w] &= ~(1u << (v >> 4 & 15));
//    if (v >> 12 & 3) times[w][v >> 8 & 7]++; else m[w] ^= v;
//  }
//  for (int w = 0; w < 768; w++) {
//    f[w / 192 * 3] += __builtin_popcount(o[w]); f[w / 192 * 3 + 1] += 32 - __builtin_popcount(a[w]);
//    for (int k = 0; k < 8; k++) { x[w] |= (times[w][k] & 1) << k; f[w / 192 * 3 + 2] += (times[w][k] + 1) / 2; }
//  }
//  EXPECT("sets", o, sizeof o); EXPECT("clears", a, sizeof a); EXPECT("flips", x, sizeof x); EXPECT("mixed", m, sizeof m); EXPECT("firsts", f, sizeof f);

extern "C" __global__ void smem_bitset(const unsigned *in, unsigned n, unsigned *sets, unsigned *clears, unsigned *flips, unsigned *mixed, unsigned *firsts) {
  __shared__ unsigned so[192], sa[192], sx[192], sm[192], cnt[3];
  unsigned t = threadIdx.x, g = blockIdx.x * blockDim.x + t;
  for (unsigned i = t; i < 192; i += blockDim.x) { so[i] = 0; sa[i] = 0xffffffffu; sx[i] = 0; sm[i] = 0; }
  if (t < 3) cnt[t] = 0;
  __syncthreads();
  for (unsigned s = 0; s < 6; s++) {
    unsigned w = s * 32 + (t >> s & 31u), v = in[s * n + g];
    unsigned bo = 1u << (v & 15u), ba = 1u << (v >> 4 & 15u), bx = 1u << (v >> 8 & 7u);
    if (!(atomicOr(&so[w], bo) & bo)) atomicAdd(&cnt[0], 1u);
    if (atomicAnd(&sa[w], ~ba) & ba) atomicAdd(&cnt[1], 1u);
    if (v >> 12 & 3u) {                              // three lanes in four
      if (!(atomicXor(&sx[w], bx) & bx)) atomicAdd(&cnt[2], 1u);
    } else {
      atomicXor(&sm[w], v);                          // the rest, many bits, old value not wanted
    }
  }
  __syncthreads();
  for (unsigned i = t; i < 192; i += blockDim.x) {
    unsigned o = blockIdx.x * 192 + i;
    sets[o] = so[i]; clears[o] = sa[i]; flips[o] = sx[i]; mixed[o] = sm[i];
  }
  if (t < 3) firsts[blockIdx.x * 3 + t] = cnt[t];
}
