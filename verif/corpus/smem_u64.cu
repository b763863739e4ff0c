// smem_u64: 64-bit atomics in shared memory: add with a carry out of the low half, unsigned and signed maximum, exchange, and a packed count and sum by compare-and-swap.
// SPDX-License-Identifier: Apache-2.0
// launch   grid (3,1,1)  block (88,1,1)  dynamic shared memory 0 bytes
// archs    sm_75, sm_90
// outcome  pass
// arg      in         buffer u32  x 1584  initially random:74:1:4294967294 expected (not checked)
// arg      n          scalar u32  = 264
// arg      sum        buffer u64  x 576   initially zero                   expected file:smem_u64.sum.bin
// arg      top        buffer u64  x 576   initially zero                   expected file:smem_u64.top.bin
// arg      stop       buffer u64  x 576   initially zero                   expected file:smem_u64.stop.bin
// arg      pack       buffer u64  x 576   initially zero                   expected file:smem_u64.pack.bin
// arg      tick       buffer u64  x 1584  initially zero                   expected rule:tickets
// arg      swaps      buffer u64  x 1584  initially zero                   expected rule:chain
// arg      last       buffer u64  x 576   initially zero                   expected rule:chain
// result rule in C (rnd, EXPECT, ACTUAL and FAILIF are defined in smem_u64.expected.c):
//  static uint64_t a[576], m[576], p[576]; static int64_t q[576]; uint64_t *k, *x, *l;
//  for (int i = 0; i < 576; i++) q[i] = INT64_MIN;
//  for (int s = 0; s < 6; s++) for (int g = 0; g < 264; g++) {
//    int w = g / 88 * 192 + s * 32 + ((g % 88) >> s & 31); uint32_t v = rnd(74, 1, 4294967294u, s * 264 + g); uint64_t big = v * 0x9E3779B97F4A7C15ull;
//    a[w] += big; if (big > m[w]) m[w] = big;
//    if ((v & 3) && (int64_t)big > q[w]) q[w] = (int64_t)big;
//    if (v & 12) p[w] += (1ull << 40) + (v & 0xffffff);
//  }
//  EXPECT("sum", a, sizeof a); EXPECT("top", m, sizeof m); EXPECT("stop", q, sizeof q); EXPECT("pack", p, sizeof p);
//  k = ACTUAL("tick", 12672); x = ACTUAL("swaps", 12672); l = ACTUAL("last", 4608);
//  if (k && x && l) for (int b = 0; b < 3; b++) for (int w = 0; w < 192; w++) {
//    char seen[88] = {0}, left[89] = {0}; int n = 0, s = w / 32, first = 0; uint64_t old;
//    for (int t = 0; t < 88; t++) n += (t >> s & 31) == w % 32;
//    for (int t = 0; t <= 88; t++) { /* every value written is returned once, but the last one; the first one returned is the initial one */
//      if (t < 88 && (t >> s & 31) != w % 32) continue;
//      int i = s * 264 + b * 88 + t;
//      if (t < 88) { uint64_t d = k[i] - 0xfffffff0u; FAILIF(d >= (uint64_t)n || seen[d % 88]++, "64-bit tickets are not consecutive"); }
//      old = t < 88 ? x[i] : l[b * 192 + w];
//      if (old == 0xabcdef0123456789ull) { FAILIF(first++ || (t == 88 && n), "the initial value came twice"); continue; }
//      uint32_t u = (uint32_t)(old >> 32) - b * 88;
//      if (u >= 88 || (u >> s & 31) != (uint32_t)(w % 32) || (uint32_t)old != rnd(74, 1, 4294967294u, s * 264 + b * 88 + u)) FAILIF(1, "foreign value from exchange");
//      else FAILIF(left[u]++, "a value came twice from exchange");
//    }
//    FAILIF(!first, "the initial value is lost");
//  }

extern "C" __global__ void smem_u64(const unsigned *in, unsigned n, unsigned long long *sum, unsigned long long *top, unsigned long long *stop, unsigned long long *pack,
                                    unsigned long long *tick, unsigned long long *swaps, unsigned long long *last) {
  __shared__ unsigned long long a[192], k[192], m[192], x[192], p[192];
  __shared__ long long q[192];
  unsigned t = threadIdx.x, g = blockIdx.x * blockDim.x + t;
  for (unsigned i = t; i < 192; i += blockDim.x) {
    a[i] = 0; k[i] = 0xfffffff0ull; m[i] = 0; q[i] = (long long)0x8000000000000000ull; x[i] = 0xabcdef0123456789ull; p[i] = 0;
  }
  __syncthreads();
  for (unsigned s = 0; s < 6; s++) {
    unsigned w = s * 32 + (t >> s & 31u), v = in[s * n + g];
    unsigned long long big = v * 0x9E3779B97F4A7C15ull;
    atomicAdd(&a[w], big);
    tick[s * n + g] = atomicAdd(&k[w], 1ull);
    atomicMax(&m[w], big);
    if (v & 3u) atomicMax(&q[w], (long long)big);
    swaps[s * n + g] = atomicExch(&x[w], (unsigned long long)g << 32 | v);
    if (v & 12u) {
      unsigned long long old = 0, want;
      do { want = old; old = atomicCAS(&p[w], want, want + (1ull << 40) + (v & 0xffffffu)); } while (old != want);
    }
  }
  __syncthreads();
  for (unsigned i = t; i < 192; i += blockDim.x) {
    unsigned o = blockIdx.x * 192 + i;
    sum[o] = a[i]; top[o] = m[i]; stop[o] = (unsigned long long)q[i]; pack[o] = p[i]; last[o] = x[i];
  }
}
