# triton_splitk_gemm: C += A x B with the K range split over the grid's z: plain f32 multiply-adds (no tensor cores), software pipelined loads, results joined by float atomic adds.
# SPDX-License-Identifier: Apache-2.0
# launch   grid (2,2,2)  block (64,1,1)  dynamic shared memory 2048 bytes
# archs    sm_75, sm_80, sm_90a
# made by  Triton 3.9.0, num_warps = 2; two null scratch pointers follow the arguments, as its launcher passes them
# outcome  pass
# arg      a              buffer f32  x 2048  initially random:107:0:7         expected (not checked)
# arg      b              buffer f32  x 2048  initially random:108:0:7         expected (not checked)
# arg      c              buffer f32  x 1024  initially zero                   expected file:triton_splitk_gemm.c.bin
# arg      k              scalar s32  = 64
# arg      global_scratch scalar u64  = 0
# arg      profile_scratch scalar u64  = 0
# result rule in C (rnd, EXPECT, ACTUAL and FAILIF are defined in triton_splitk_gemm.expected.c):
#  static float c[1024];
#  for (int m = 0; m < 32; m++) for (int n = 0; n < 32; n++) for (int k = 0; k < 64; k++)
#    c[m * 32 + n] += (float)rnd(107, 0, 7, m * 64 + k) * (float)rnd(108, 0, 7, k * 32 + n);
#  EXPECT("c", c, sizeof c);

import triton
import triton.language as tl


@triton.jit
def triton_splitk_gemm(a_ptr, b_ptr, c_ptr, k, N: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, SPLIT: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    kk = tl.program_id(2) * BK + tl.arange(0, BK)
    a = a_ptr + m[:, None] * k + kk[None, :]
    b = b_ptr + kk[:, None] * N + n[None, :]
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for _ in range(0, k, BK * SPLIT):
        acc = tl.dot(tl.load(a), tl.load(b), acc, input_precision="ieee")
        a += BK * SPLIT
        b += BK * SPLIT * N
    tl.atomic_add(c_ptr + m[:, None] * N + n[None, :], acc, sem="relaxed")


BUILD = dict(signature={"a_ptr": "*fp32", "b_ptr": "*fp32", "c_ptr": "*fp32", "k": "i32", "N": "constexpr", "BM": "constexpr",
                        "BN": "constexpr", "BK": "constexpr", "SPLIT": "constexpr"},
             constexprs={"N": 32, "BM": 16, "BN": 16, "BK": 16, "SPLIT": 2}, divisible16=["a_ptr", "b_ptr", "c_ptr", "k"],
             num_warps=2, num_stages=2)
