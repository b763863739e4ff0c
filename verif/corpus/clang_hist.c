// SPDX-License-Identifier: Apache-2.0
// clang-format off
// clang_hist: Histogram in address_space(3) memory; the bucket comes from a function that is not inlined, block totals go out by 64-bit atomics.
// launch   grid (3,1,1)  block (96,1,1)  dynamic shared memory 0 bytes
// archs    sm_75, sm_90
// made by  clang 19 --target=nvptx64-nvidia-cuda -march=ARCH -O2 -S -ffreestanding
// outcome  pass
// arg      data           buffer u8   x 3000  initially random:121:0:255       expected (not checked)
// arg      n              scalar u32  = 3000
// arg      bins           buffer u32  x 48    initially zero                   expected file:clang_hist.bins.bin
// arg      total          buffer u64  x 1     initially zero                   expected file:clang_hist.total.bin
// result rule in C (rnd, EXPECT, ACTUAL and FAILIF are defined in clang_hist.expected.c):
//  uint32_t bins[48] = {0}; uint64_t total = 0;
//  for (int i = 0; i < 3000; i++) { uint32_t c = rnd(121, 0, 255, i); bins[(c * 3 >> 4) % 48]++; total += c % 7; }
//  EXPECT("bins", bins, sizeof bins); EXPECT("total", &total, 8);
#define KERNEL __attribute__((nvptx_kernel))
#define SHARED __attribute__((address_space(3)))
static SHARED unsigned local[48];
static SHARED unsigned long long weight;

__attribute__((noinline)) static unsigned bucket(unsigned char c, unsigned *extra) {
  *extra = c % 7u;
  return (c * 3u >> 4) % 48u;
}

KERNEL void clang_hist(const unsigned char *data, unsigned n, unsigned *bins, unsigned long long *total) {
  unsigned t = __nvvm_read_ptx_sreg_tid_x(), size = __nvvm_read_ptx_sreg_ntid_x(), extra;
  if (t < 48) local[t] = 0;
  if (t == 0) weight = 0;
  __nvvm_bar_sync(0);
  for (unsigned i = __nvvm_read_ptx_sreg_ctaid_x() * size + t; i < n; i += size * __nvvm_read_ptx_sreg_nctaid_x()) {
    __atomic_fetch_add(&local[bucket(data[i], &extra)], 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&weight, extra, __ATOMIC_RELAXED);
  }
  __nvvm_barrier_sync(0);
  if (t < 48) __atomic_fetch_add(&bins[t], local[t], __ATOMIC_RELAXED);
  if (t == 50) __atomic_fetch_add(total, weight, __ATOMIC_SEQ_CST);
}
