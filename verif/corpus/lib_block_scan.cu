// lib_block_scan: Block-wide exclusive scan and radix ranking written like a block-primitives library: predicated shuffles in inline asm, warp totals through shared memory, packed 16-bit digit counters, template code.
// SPDX-License-Identifier: Apache-2.0
// launch   grid (2,1,1)  block (128,1,1)  dynamic shared memory 0 bytes
// archs    sm_75, sm_90, sm_100
// made by  nvcc 13.0 -O3 -std=c++17 -arch=ARCH -ptx -lineinfo
// outcome  pass
// arg      x              buffer u32  x 1024  initially random:134:0:255       expected (not checked)
// arg      scan           buffer u32  x 1024  initially zero                   expected file:lib_block_scan.scan.bin
// arg      sorted         buffer u32  x 1024  initially zero                   expected file:lib_block_scan.sorted.bin
// result rule in C (rnd, EXPECT, ACTUAL and FAILIF are defined in lib_block_scan.expected.c):
//  static uint32_t scan[1024], s[1024];
//  for (int i = 0; i < 1024; i++) { s[i] = rnd(134, 0, 255, i); scan[i] = i % 512 ? scan[i - 1] + s[i - 1] : 0; }
//  qsort(s, 512, 4, cmp_u32); qsort(s + 512, 512, 4, cmp_u32);
//  EXPECT("scan", scan, sizeof scan); EXPECT("sorted", s, sizeof s);

__device__ __forceinline__ unsigned add_from_below(unsigned v, int delta) {
  unsigned r;
  asm volatile("{\n\t.reg .u32 got;\n\t.reg .pred ok;\n\tshfl.sync.up.b32 got|ok, %1, %2, 0, 0xffffffff;\n\t@ok add.u32 got, got, %1;\n\tmov.u32 %0, got;\n\t}"
               : "=r"(r) : "r"(v), "r"(delta));
  return r;
}

template <int Warps> struct BlockScan {
  struct Storage { unsigned totals[Warps]; };
  Storage &st;
  __device__ unsigned exclusive(unsigned v, unsigned &all) {
    unsigned lane, incl = v;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
#pragma unroll
    for (int d = 1; d < 32; d <<= 1) incl = add_from_below(incl, d);
    if (lane == 31) st.totals[threadIdx.x / 32] = incl;
    __syncthreads();
    unsigned before = 0;
    all = 0;
#pragma unroll
    for (int w = 0; w < Warps; w++) {
      if (w == threadIdx.x / 32) before = all;
      all += st.totals[w];
    }
    __syncthreads();
    return before + incl - v;
  }
};

extern "C" __global__ void lib_block_scan(const uint4 *x, uint4 *scan, unsigned *sorted) {
  __shared__ typename BlockScan<4>::Storage st;
  __shared__ unsigned keys[512];
  BlockScan<4> bs{st};
  uint4 v = x[blockIdx.x * 128 + threadIdx.x];
  unsigned all, at = bs.exclusive(v.x + v.y + v.z + v.w, all);
  scan[blockIdx.x * 128 + threadIdx.x] = make_uint4(at, at + v.x, at + v.x + v.y, at + v.x + v.y + v.z);
  *reinterpret_cast<uint4 *>(&keys[threadIdx.x * 4]) = v;
  for (int bit = 0; bit < 8; bit++) {         // one-bit radix passes; zeros count in the low half, ones in the high half
    unsigned k[4], c = 0;
    for (int j = 0; j < 4; j++) { k[j] = keys[threadIdx.x * 4 + j]; c += k[j] >> bit & 1 ? 0x10000u : 1u; }
    unsigned r = bs.exclusive(c, all);
    __syncthreads();
    for (int j = 0; j < 4; j++) {
      bool one = k[j] >> bit & 1;
      keys[one ? (all & 0xffffu) + (r >> 16) : r & 0xffffu] = k[j];
      r += one ? 0x10000u : 1u;
    }
    __syncthreads();
  }
  for (int i = threadIdx.x; i < 512; i += 128) sorted[blockIdx.x * 512 + i] = keys[i];
}
