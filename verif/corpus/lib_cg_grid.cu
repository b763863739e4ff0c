// lib_cg_grid: Cooperative grid launch: cooperative_groups grid.sync() between the steps of a ring relaxation over two buffers.
// SPDX-License-Identifier: Apache-2.0
// launch   grid (4,1,1)  block (64,1,1)  dynamic shared memory 0 bytes  cooperative
// archs    sm_75, sm_90, sm_100
// made by  nvcc 13.0 -O3 -std=c++17 -arch=ARCH -ptx
// outcome  pass
// arg      a              buffer u32  x 256   initially random:132:0:9         expected (not checked)
// arg      b              buffer u32  x 256   initially zero                   expected file:lib_cg_grid.b.bin
// arg      steps          scalar u32  = 5
// result rule in C (rnd, EXPECT, ACTUAL and FAILIF are defined in lib_cg_grid.expected.c):
//  uint32_t x[2][256]; int s;
//  for (int i = 0; i < 256; i++) x[0][i] = rnd(132, 0, 9, i);
//  for (s = 0; s < 5; s++) for (int i = 0; i < 256; i++) x[~s & 1][i] = x[s & 1][i] + x[s & 1][(i + 65) % 256] * 2 + s;
//  EXPECT("b", x[1], 1024); /* five steps: the last one writes b */

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void lib_cg_grid(unsigned *a, unsigned *b, unsigned steps) {
  cg::grid_group grid = cg::this_grid();
  unsigned i = (unsigned)grid.thread_rank(), n = (unsigned)grid.size();
  for (unsigned s = 0; s < steps; s++) {
    b[i] = a[i] + a[(i + 65) % n] * 2u + s;
    grid.sync();
    unsigned *t = a; a = b; b = t;
  }
}
