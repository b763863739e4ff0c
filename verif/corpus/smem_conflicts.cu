// smem_conflicts: One shared add under every conflict pattern: degree lanes on one word, or on degree words at distance stride (one bank if it is a multiple of 32), or only the lanes of a mask; degree 0 means that block b takes b % 32 + 1.
// SPDX-License-Identifier: Apache-2.0
// launch   grid (32,1,1)  block (80,1,1)  dynamic shared memory 0 bytes
// archs    sm_75, sm_90
// outcome  pass
// arg      degree     scalar u32  = 0
// arg      stride     scalar u32  = 32
// arg      lanes      scalar u32  = 2781044503
// arg      word       buffer u32  x 5120  initially const:4294967295       expected rule:permutation
// arg      bank       buffer u32  x 5120  initially const:4294967295       expected rule:permutation
// arg      part       buffer u32  x 5120  initially const:4294967295       expected rule:permutation
// arg      last       buffer u32  x 5120  initially zero                   expected file:smem_conflicts.last.bin
// result rule in C (rnd, EXPECT, ACTUAL and FAILIF are defined in smem_conflicts.expected.c):
//#ifndef DEGREE
//#define DEGREE 0u /* as in the launch file; other launches: cc -DDEGREE=7u -DSTRIDE=33u */
//#define STRIDE 32u
//#endif
//  const uint32_t lanes = 2781044503u;
//  static uint32_t fin[5120], cnt[32][2048]; uint32_t *r[3]; char *seen = calloc(2048, 160);
//  r[0] = ACTUAL("word", 20480); r[1] = ACTUAL("bank", 20480); r[2] = ACTUAL("part", 20480);
//  for (int pass = 0; pass < 2; pass++) for (int b = 0; b < 32; b++) {
//    uint32_t d = DEGREE ? DEGREE : b % 32 + 1; memset(seen, 0, 2048 * 160);
//    for (int i = 0; i < 160; i++) {
//      uint32_t t = i % 80, l = t % 32, g = b * 80 + t, at = i / 80 * 2560 + g, in = lanes >> l & 1;
//      uint32_t a[3] = {l / d, 1024 + ((l % d * STRIDE + l / d) & 1023), 32 + l / d};
//      if (!pass) { cnt[b][a[0]]++; cnt[b][a[1]]++; if (in) { cnt[b][a[2]]++; cnt[b][a[2] + 32] += g; } else cnt[b][a[2] + 64]++; }
//      else for (int k = 0; k < 3; k++) if (r[k]) { uint32_t x = r[k][at];
//        if (k == 2 && !in) FAILIF(x != 0xffffffffu, "wrote for a lane outside the mask");
//        else FAILIF(x >= cnt[b][a[k]] || seen[a[k] * 160 + x]++, "old values of a word are not 0 to n-1"); }
//    }
//    for (int i = 0; i < 128; i++) fin[b * 160 + i] = cnt[b][i];
//    for (uint32_t l = 0; l < 32; l++) fin[b * 160 + 128 + l] = cnt[b][1024 + ((l % d * STRIDE + l / d) & 1023)];
//  }
//  EXPECT("last", fin, sizeof fin);

extern "C" __global__ void smem_conflicts(unsigned degree, unsigned stride, unsigned lanes, unsigned *word, unsigned *bank, unsigned *part, unsigned *last) {
  __shared__ unsigned m[2048];
  unsigned t = threadIdx.x, lane = t & 31u, all = gridDim.x * blockDim.x, g = blockIdx.x * blockDim.x + t;
  unsigned d = degree ? degree : blockIdx.x % 32u + 1u;
  for (unsigned i = t; i < 2048; i += blockDim.x) m[i] = 0;
  __syncthreads();
  unsigned w = lane / d, b = (lane % d * stride + lane / d) & 1023u;
  for (unsigned r = 0; r < 2; r++) {
    word[r * all + g] = atomicAdd(&m[w], 1u);
    bank[r * all + g] = atomicAdd(&m[1024 + b], 1u);
    if (lanes >> lane & 1u) {
      part[r * all + g] = atomicAdd(&m[32 + w], 1u);
      atomicAdd(&m[64 + w], g);                      // old value not wanted
    } else {
      atomicAdd(&m[96 + w], 1u);                     // the other lanes; the constant 1, old value not wanted
    }
  }
  __syncthreads();
  for (unsigned i = t; i < 128; i += blockDim.x) last[blockIdx.x * 160 + i] = m[i];
  if (t < 32) last[blockIdx.x * 160 + 128 + t] = m[1024 + b];
}
