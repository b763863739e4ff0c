// smem_max_s32: Block-wide signed maximum and minimum of several shared words; 1, 2, 4, 8, 16 and 32 lanes of a warp name one word, part of the lanes for the minimum.
// SPDX-License-Identifier: Apache-2.0
// launch   grid (4,1,1)  block (100,1,1)  dynamic shared memory 0 bytes
// archs    sm_75, sm_90
// outcome  pass
// arg      in         buffer u32  x 2400  initially random:71:0:4294967294 expected (not checked)
// arg      n          scalar u32  = 400
// arg      top        buffer s32  x 768   initially zero                   expected file:smem_max_s32.top.bin
// arg      low        buffer s32  x 768   initially zero                   expected file:smem_max_s32.low.bin
// arg      fell       buffer u32  x 1     initially zero                   expected file:smem_max_s32.fell.bin
// result rule in C (rnd, EXPECT, ACTUAL and FAILIF are defined in smem_max_s32.expected.c):
//  static int32_t a[768], b[768]; uint32_t z = 0;
//  for (int i = 0; i < 768; i++) { a[i] = INT32_MIN; b[i] = INT32_MAX; }
//  for (int s = 0; s < 6; s++) for (int g = 0; g < 400; g++) {
//    int w = g / 100 * 192 + s * 32 + ((g % 100) >> s & 31); int32_t v = (int32_t)rnd(71, 0, 4294967294u, s * 400 + g);
//    if (v > a[w]) a[w] = v;
//    if ((v & 3) && v < b[w]) b[w] = v;
//  }
//  EXPECT("top", a, sizeof a); EXPECT("low", b, sizeof b); EXPECT("fell", &z, 4);

extern "C" __global__ void smem_max_s32(const unsigned *in, unsigned n, int *top, int *low, unsigned *fell) {
  __shared__ int mx[192], mn[192];
  unsigned t = threadIdx.x, g = blockIdx.x * blockDim.x + t, bad = 0;
  for (unsigned i = t; i < 192; i += blockDim.x) { mx[i] = (int)0x80000000u; mn[i] = 0x7fffffff; }
  __syncthreads();
  for (unsigned s = 0; s < 6; s++) {
    unsigned w = s * 32 + (t >> s & 31u);            // 2^s neighbouring lanes, and other warps, share a word
    int v = (int)in[s * n + g];
    int old = atomicMax(&mx[w], v);
    int now = atomicMax(&mx[w], (int)0x80000000u);   // an atomic read
    bad += now < v || now < old;
    if (v & 3) atomicMin(&mn[w], v);
  }
  if (bad) atomicAdd(fell, bad);
  __syncthreads();
  for (unsigned i = t; i < 192; i += blockDim.x) { top[blockIdx.x * 192 + i] = mx[i]; low[blockIdx.x * 192 + i] = mn[i]; }
}
