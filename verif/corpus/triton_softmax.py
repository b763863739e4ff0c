# triton_softmax: Row softmax: block-wide max and sum (shuffles inside a warp, shared memory and a barrier between warps).
# SPDX-License-Identifier: Apache-2.0
# launch   grid (6,1,1)  block (128,1,1)  dynamic shared memory 16 bytes
# archs    sm_75, sm_80, sm_90a
# made by  Triton 3.9.0, num_warps = 4; two null scratch pointers follow the arguments, as its launcher passes them
# outcome  pass
# arg      x              buffer f32  x 1800  initially random:105:0:12        expected (not checked)
# arg      y              buffer f32  x 1800  initially const:-1               expected rule:close
# arg      cols           scalar s32  = 300
# arg      global_scratch scalar u64  = 0
# arg      profile_scratch scalar u64  = 0
# result rule in C (rnd, EXPECT, ACTUAL and FAILIF are defined in triton_softmax.expected.c):
#  /* e^-k for k = 0..12 by repeated multiplication: no math library needed */
#  double en[13] = {1}; float *y = ACTUAL("y", 7200);
#  for (int k = 1; k < 13; k++) en[k] = en[k - 1] * 0.36787944117144232;
#  if (y) for (int r = 0; r < 6; r++) {
#    uint32_t mx = 0; double s = 0;
#    for (int c = 0; c < 300; c++) { uint32_t v = rnd(105, 0, 12, r * 300 + c); if (v > mx) mx = v; }
#    for (int c = 0; c < 300; c++) s += en[mx - rnd(105, 0, 12, r * 300 + c)];
#    for (int c = 0; c < 300; c++) {
#      double want = en[mx - rnd(105, 0, 12, r * 300 + c)] / s, got = y[r * 300 + c];
#      FAILIF(!(got >= want * (1 - 4e-6) && got <= want * (1 + 4e-6)), "softmax is off by more than four parts in a million");
#    }
#  }

import triton
import triton.language as tl


@triton.jit
def triton_softmax(x_ptr, y_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < cols
    x = tl.load(x_ptr + row * cols + c, mask=m, other=-float("inf"))
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(y_ptr + row * cols + c, e / tl.sum(e, axis=0), mask=m)


BUILD = dict(signature={"x_ptr": "*fp32", "y_ptr": "*fp32", "cols": "i32", "BLOCK": "constexpr"},
             constexprs={"BLOCK": 512}, divisible16=["x_ptr", "y_ptr"], num_warps=4)
