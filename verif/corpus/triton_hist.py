# triton_hist: Histogram by masked global atomic adds, 256 elements for each program; the last program is partly masked off.
# SPDX-License-Identifier: Apache-2.0
# launch   grid (8,1,1)  block (128,1,1)  dynamic shared memory 2048 bytes
# archs    sm_75, sm_80, sm_90a
# made by  Triton 3.9.0, num_warps = 4; two null scratch pointers follow the arguments, as its launcher passes them
# outcome  pass
# arg      x              buffer s32  x 2000  initially random:101:0:9999      expected (not checked)
# arg      bins           buffer s32  x 64    initially zero                   expected file:triton_hist.bins.bin
# arg      n              scalar s32  = 2000
# arg      global_scratch scalar u64  = 0
# arg      profile_scratch scalar u64  = 0
# result rule in C (rnd, EXPECT, ACTUAL and FAILIF are defined in triton_hist.expected.c):
#  int32_t bins[64] = {0};
#  for (int i = 0; i < 2000; i++) bins[rnd(101, 0, 9999, i) % 64]++;
#  EXPECT("bins", bins, sizeof bins);

import triton
import triton.language as tl


@triton.jit
def triton_hist(x_ptr, bins_ptr, n, BLOCK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = o < n
    x = tl.load(x_ptr + o, mask=m, other=0)
    tl.atomic_add(bins_ptr + x % 64, 1, mask=m)


BUILD = dict(signature={"x_ptr": "*i32", "bins_ptr": "*i32", "n": "i32", "BLOCK": "constexpr"},
             constexprs={"BLOCK": 256}, divisible16=["x_ptr", "bins_ptr", "n"], num_warps=4)
