// named_bar_pc: Warp-specialised double buffering over four named barriers: full = 1+slot, empty = 3+slot, 96 participants each.
// SPDX-License-Identifier: Apache-2.0
// launch   grid (1,1,1)  block (96,1,1)  dynamic shared memory 0 bytes
// archs    sm_75, sm_90
// outcome  pass
// arg      in         buffer u32  x 512   initially random:12:0:99999      expected (not checked)
// arg      out        buffer u32  x 512   initially zero                   expected file:named_bar_pc.out.bin
// result rule in C (rnd, EXPECT, ACTUAL and FAILIF are defined in named_bar_pc.expected.c):
//  uint32_t out[512];
//  for (int r = 0; r < 8; r++) for (int t = 0; t < 64; t++) out[r * 64 + t] = (rnd(12, 0, 99999, r * 64 + 63 - t) + 1) * 3;
//  EXPECT("out", out, sizeof out);

__device__ __forceinline__ void nb_sync(int id, int n) { asm volatile("bar.sync %0, %1;" :: "r"(id), "r"(n) : "memory"); }
__device__ __forceinline__ void nb_arrive(int id, int n) { asm volatile("bar.arrive %0, %1;" :: "r"(id), "r"(n) : "memory"); }
extern "C" __global__ void named_bar_pc(const unsigned *in, unsigned *out) {
  __shared__ unsigned buf[2][64];
  const int rounds = 8;
  if (threadIdx.x < 32) {                              // producer warp
    for (int r = 0; r < rounds; r++) {
      int s = r & 1;
      if (r >= 2) nb_sync(3 + s, 96);                  // wait until the slot was drained
      buf[s][threadIdx.x] = in[r * 64 + threadIdx.x] + 1u;
      buf[s][threadIdx.x + 32] = in[r * 64 + 32 + threadIdx.x] + 1u;
      nb_arrive(1 + s, 96);
    }
  } else {                                             // two consumer warps
    int t = threadIdx.x - 32;
    for (int r = 0; r < rounds; r++) {
      int s = r & 1;
      nb_sync(1 + s, 96);
      out[r * 64 + t] = buf[s][63 - t] * 3u;
      if (r + 2 < rounds) nb_arrive(3 + s, 96);
    }
  }
}
