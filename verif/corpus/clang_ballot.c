// SPDX-License-Identifier: Apache-2.0
// clang-format off
// clang_ballot: Stream compaction by ballots: ranks from the lane mask, warp bases through shared memory, one atomic for a block; the block's elements stay in order.
// launch   grid (4,1,1)  block (128,1,1)  dynamic shared memory 0 bytes
// archs    sm_75, sm_90
// made by  clang 19 --target=nvptx64-nvidia-cuda -march=ARCH -O2 -S -ffreestanding -gline-tables-only
// outcome  pass
// arg      in             buffer u32  x 512   initially random:122:0:9999      expected (not checked)
// arg      out            buffer u32  x 512   initially const:4294967295       expected rule:runs
// arg      count          buffer u32  x 1     initially zero                   expected file:clang_ballot.count.bin
// arg      flags          buffer u32  x 12    initially zero                   expected file:clang_ballot.flags.bin
// result rule in C (rnd, EXPECT, ACTUAL and FAILIF are defined in clang_ballot.expected.c):
//  uint32_t n = 0, flags[12] = {0}, *o;
//  for (int b = 0; b < 4; b++) {
//    uint32_t any = 0;
//    for (int t = 0; t < 128; t++) {
//      uint32_t v = rnd(122, 0, 9999, b * 128 + t);
//      if (v % 5 < 2) n++, flags[b * 3]++;
//      any |= v % 100 == 0;
//      if (v > flags[b * 3 + 2]) flags[b * 3 + 2] = v;
//    }
//    flags[b * 3 + 1] = any * 2 + 1;
//  }
//  EXPECT("count", &n, 4); EXPECT("flags", flags, sizeof flags);
//  if ((o = ACTUAL("out", 2048))) {
//    uint32_t done = 0, at = 0;
//    while (at < n) { /* one run for each block, the blocks in any order */
//      uint32_t b = o[at] >> 8 & 15;
//      if (b > 3 || done >> b & 1) { FAILIF(1, "a block's run is torn or repeated"); break; }
//      done |= 1u << b;
//      for (uint32_t t = 0; t < 128; t++) {
//        uint32_t v = rnd(122, 0, 9999, b * 128 + t);
//        if (v % 5 < 2) { FAILIF(at >= n || o[at] != (v << 12 | b << 8 | t), "wrong element in a run"); at++; }
//      }
//    }
//    for (int i = n; i < 512; i++) FAILIF(o[i] != 0xffffffffu, "wrote past the end");
//  }
#define KERNEL __attribute__((nvptx_kernel))
#define SHARED __attribute__((address_space(3)))
static SHARED unsigned base[4];
static SHARED unsigned start;

KERNEL void clang_ballot(const unsigned *in, unsigned *out, unsigned *count, unsigned *flags) {
  unsigned t = __nvvm_read_ptx_sreg_tid_x(), b = __nvvm_read_ptx_sreg_ctaid_x();
  unsigned v = in[b * 128 + t];
  int keep = v % 5u < 2u;
  unsigned votes = __nvvm_vote_ballot_sync(0xffffffffu, keep);
  unsigned rank = __builtin_popcount(votes & __nvvm_read_ptx_sreg_lanemask_lt());
  int full = __nvvm_vote_all_sync(0xffffffffu, v < 10000u);
  int one = __nvvm_vote_any_sync(0xffffffffu, v % 100u == 0u);
  if (__nvvm_read_ptx_sreg_laneid() == 31) base[t >> 5] = __builtin_popcount(votes);
  int kept = __nvvm_bar0_popc(keep);
  if (t == 0) {
    unsigned sum = 0;
    for (int w = 0; w < 4; w++) { unsigned c = base[w]; base[w] = sum; sum += c; }
    start = __atomic_fetch_add(count, sum, __ATOMIC_ACQ_REL);
  }
  __nvvm_bar_sync(0);
  if (keep) out[start + base[t >> 5] + rank] = v << 12 | b << 8 | t;
  int any = __nvvm_bar0_or(one), all = __nvvm_bar0_and(full);
  unsigned top = __nvvm_shfl_sync_down_i32(0xffffffffu, v, 16, 31);
  top = top > v ? top : v;
  for (int d = 8; d; d >>= 1) {
    unsigned other = __nvvm_shfl_sync_bfly_i32(0xffffffffu, top, d, 31);
    if (other > top) top = other;
  }
  if ((t & 31) == 0) __atomic_fetch_max(&flags[b * 3 + 2], top, __ATOMIC_RELAXED);
  if (t == 1) { flags[b * 3] = kept; flags[b * 3 + 1] = any * 2 + all; }
}
