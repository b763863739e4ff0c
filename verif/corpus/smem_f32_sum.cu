// smem_f32_sum: Floating sums in shared memory: f32, f64 and f16x2 (by a shared and by a generic address); every partial sum is representable, so every order gives the same bits. f64 results are stored as their bits.
// SPDX-License-Identifier: Apache-2.0
// launch   grid (3,1,1)  block (84,1,1)  dynamic shared memory 0 bytes
// archs    sm_75, sm_90
// outcome  pass
// arg      in         buffer u32  x 1512  initially random:73:0:1023       expected (not checked)
// arg      n          scalar u32  = 252
// arg      sum32      buffer f32  x 576   initially zero                   expected file:smem_f32_sum.sum32.bin
// arg      nil32      buffer f32  x 576   initially const:1                expected file:smem_f32_sum.nil32.bin
// arg      sum64      buffer u64  x 576   initially zero                   expected file:smem_f32_sum.sum64.bin
// arg      sum16      buffer f16  x 1152  initially zero                   expected file:smem_f32_sum.sum16.bin
// arg      olds       buffer f32  x 1512  initially zero                   expected rule:counts
// result rule in C (rnd, EXPECT, ACTUAL and FAILIF are defined in smem_f32_sum.expected.c):
//  static float f[576], z[576]; static double d[576]; static uint32_t a[576], b[576]; static uint16_t h[1152]; float *o;
//  for (int s = 0; s < 6; s++) for (int g = 0; g < 252; g++) {
//    int w = g / 84 * 192 + s * 32 + ((g % 84) >> s & 31); uint32_t v = rnd(73, 0, 1023, s * 252 + g), r = v * 2654435761u >> 8;
//    f[w] += ((int)v - 512) / 8.0f;
//    if (v & 6) { d[w] += v * 1024.0 + r / 16777216.0; a[w] += v & 7; b[w] += v >> 3 & 3; }
//  }
//  for (int i = 0; i < 576; i++) { h[2 * i] = f16bits(a[i]); h[2 * i + 1] = f16bits(b[i]); }
//  EXPECT("sum32", f, sizeof f); EXPECT("nil32", z, sizeof z); EXPECT("sum64", d, sizeof d); EXPECT("sum16", h, sizeof h);
//  o = ACTUAL("olds", 6048);
//  if (o) for (int b = 0; b < 3; b++) for (int w = 0; w < 192; w++) {
//    char seen[84] = {0}; int n = 0, s = w / 32;
//    for (int t = 0; t < 84; t++) n += (t >> s & 31) == w % 32;
//    for (int t = 0; t < 84; t++) if ((t >> s & 31) == w % 32) { float x = o[s * 252 + b * 84 + t]; int i = x >= 0 && x < n ? (int)x : 0;
//      FAILIF(!(x >= 0 && x < n) || x != (float)i || (!i && (*(uint32_t *)&o[s * 252 + b * 84 + t])) || seen[i]++, "old values of a counter are not 0 to n-1"); }
//  }

#include <cuda_fp16.h>
__device__ __forceinline__ void add_shared(__half2 *p, __half2 v) { asm volatile("red.shared.add.noftz.f16x2 [%0], %1;" :: "r"((unsigned)__cvta_generic_to_shared(p)), "r"(*(unsigned *)&v) : "memory"); }
extern "C" __global__ void smem_f32_sum(const unsigned *in, unsigned n, float *sum32, float *nil32, unsigned long long *sum64, __half2 *sum16, float *olds) {
  __shared__ float f[192], z[192], c[192];
  __shared__ double d[192];
  __shared__ __half2 h[192];
  unsigned t = threadIdx.x, g = blockIdx.x * blockDim.x + t;
  for (unsigned i = t; i < 192; i += blockDim.x) {
    f[i] = 0.0f; z[i] = 0.0f; c[i] = 0.0f; d[i] = 0.0; h[i] = __halves2half2(__uint2half_rn(0u), __uint2half_rn(0u));
  }
  __syncthreads();
  for (unsigned s = 0; s < 6; s++) {
    unsigned w = s * 32 + (t >> s & 31u), v = in[s * n + g], r = v * 2654435761u >> 8;
    atomicAdd(&f[w], (float)((int)v - 512) * 0.125f);
    olds[s * n + g] = atomicAdd(&c[w], 1.0f);
    if (v & 6u) {                                    // three lanes in four
      atomicAdd(&d[w], (double)v * 1024.0 + (double)r * 0.000000059604644775390625);   // 20 bits and 24 behind the point
      __half2 y = __halves2half2(__uint2half_rn(v & 7u), __uint2half_rn(v >> 3 & 3u));
      if (s & 1u) atomicAdd(&h[w], y); else add_shared(&h[w], y);   // cuda_fp16.h uses a generic address
    }
    float k = (float)((t >> 1) * 3u + 1u);           // lanes 2j and 2j+1 cancel where they share a word
    if (s) atomicAdd(&z[w], t & 1u ? -k : k);
  }
  __syncthreads();
  for (unsigned i = t; i < 192; i += blockDim.x) {
    unsigned o = blockIdx.x * 192 + i;
    sum32[o] = f[i]; nil32[o] = z[i]; sum64[o] = (unsigned long long)__double_as_longlong(d[i]); sum16[o] = h[i];
  }
}
