# triton_cumsum: Two scans of a 4 x 256 tile along its rows: sums from the left, and running maxima from the right with a user combine function.
# SPDX-License-Identifier: Apache-2.0
# launch   grid (3,1,1)  block (128,1,1)  dynamic shared memory 32 bytes
# archs    sm_75, sm_80, sm_90a
# made by  Triton 3.9.0, num_warps = 4; two null scratch pointers follow the arguments, as its launcher passes them
# outcome  pass
# arg      x              buffer s32  x 3072  initially random:106:0:1000      expected (not checked)
# arg      sums           buffer s32  x 3072  initially zero                   expected file:triton_cumsum.sums.bin
# arg      peaks          buffer s32  x 3072  initially zero                   expected file:triton_cumsum.peaks.bin
# arg      global_scratch scalar u64  = 0
# arg      profile_scratch scalar u64  = 0
# result rule in C (rnd, EXPECT, ACTUAL and FAILIF are defined in triton_cumsum.expected.c):
#  static int32_t sums[3072], peaks[3072];
#  for (int r = 0; r < 12; r++) {
#    int s = 0, p = 0;
#    for (int c = 0; c < 256; c++) sums[r * 256 + c] = s += (int)rnd(106, 0, 1000, r * 256 + c);
#    for (int c = 255; c >= 0; c--) { int v = (int)rnd(106, 0, 1000, r * 256 + c); peaks[r * 256 + c] = p = v > p ? v : p; }
#  }
#  EXPECT("sums", sums, sizeof sums); EXPECT("peaks", peaks, sizeof peaks);

import triton
import triton.language as tl


@triton.jit
def larger(a, b):
    return tl.maximum(a, b)


@triton.jit
def triton_cumsum(x_ptr, sums_ptr, peaks_ptr, ROWS: tl.constexpr, COLS: tl.constexpr):
    r = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    o = r[:, None] * COLS + tl.arange(0, COLS)[None, :]
    x = tl.load(x_ptr + o)
    tl.store(sums_ptr + o, tl.cumsum(x, axis=1))
    tl.store(peaks_ptr + o, tl.associative_scan(x, 1, larger, reverse=True))


BUILD = dict(signature={"x_ptr": "*i32", "sums_ptr": "*i32", "peaks_ptr": "*i32", "ROWS": "constexpr", "COLS": "constexpr"},
             constexprs={"ROWS": 4, "COLS": 256}, divisible16=["x_ptr", "sums_ptr", "peaks_ptr"], num_warps=4)
