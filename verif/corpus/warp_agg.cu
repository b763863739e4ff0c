// warp_agg: Warp-aggregated append: the active lanes elect a leader that does one atomicAdd for all of them.
// SPDX-License-Identifier: Apache-2.0
// launch   grid (4,1,1)  block (96,1,1)  dynamic shared memory 0 bytes
// archs    sm_75, sm_90
// outcome  pass
// arg      in         buffer u32  x 1500  initially random:3:0:9999        expected (not checked)
// arg      n          scalar u32  = 1500
// arg      out        buffer u32  x 1500  initially const:4294967295       expected rule:multiset_prefix
// arg      count      buffer u32  x 1     initially zero                   expected file:warp_agg.count.bin
// result rule in C (rnd, EXPECT, ACTUAL and FAILIF are defined in warp_agg.expected.c):
//  uint32_t want[1500], n = 0, *got;
//  for (int i = 0; i < 1500; i++) { uint32_t v = rnd(3, 0, 9999, i); if (v % 3 == 0) want[n++] = v; }
//  EXPECT("count", &n, 4);
//  if ((got = ACTUAL("out", sizeof want))) {
//    for (int i = n; i < 1500; i++) FAILIF(got[i] != 0xffffffffu, "wrote past the end of the appended prefix");
//    FAILIF(!same_multiset(got, want, n), "appended prefix is not the multiset of multiples of three");
//  }

extern "C" __global__ void warp_agg(const unsigned *in, unsigned n, unsigned *out, unsigned *count) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned v = in[i];
    if (v % 3u == 0u) {
      unsigned mask = __activemask();
      int lane = threadIdx.x & 31;
      int leader = __ffs(mask) - 1;
      unsigned base = 0;
      if (lane == leader) base = atomicAdd(count, (unsigned)__popc(mask));
      base = __shfl_sync(mask, base, leader);
      out[base + __popc(mask & ((1u << lane) - 1u))] = v;
    }
  }
}
