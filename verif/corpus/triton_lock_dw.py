# triton_lock_dw: Weight gradient of a layer norm: each row adds x*dy into one of three partial rows under a spin lock (atomic_cas to take, atomic_xchg to free).
# SPDX-License-Identifier: Apache-2.0
# launch   grid (12,1,1)  block (64,1,1)  dynamic shared memory 4 bytes
# archs    sm_75, sm_80, sm_90a
# made by  Triton 3.9.0, num_warps = 2; two null scratch pointers follow the arguments, as its launcher passes them
# outcome  pass
# arg      x              buffer f32  x 1200  initially random:102:0:20        expected (not checked)
# arg      dy             buffer f32  x 1200  initially random:103:0:9         expected (not checked)
# arg      dw             buffer f32  x 300   initially const:7                expected file:triton_lock_dw.dw.bin
# arg      lock           buffer s32  x 6     initially zero                   expected file:triton_lock_dw.lock.bin
# arg      cols           scalar s32  = 100
# arg      global_scratch scalar u64  = 0
# arg      profile_scratch scalar u64  = 0
# result rule in C (rnd, EXPECT, ACTUAL and FAILIF are defined in triton_lock_dw.expected.c):
#  float dw[300] = {0}; int32_t lock[6] = {0, 0, 0, 1, 1, 1};
#  for (int r = 0; r < 12; r++) for (int c = 0; c < 100; c++) dw[r % 3 * 100 + c] += (float)rnd(102, 0, 20, r * 100 + c) * (float)rnd(103, 0, 9, r * 100 + c);
#  EXPECT("dw", dw, sizeof dw); EXPECT("lock", lock, sizeof lock);

import triton
import triton.language as tl


@triton.jit
def triton_lock_dw(x_ptr, dy_ptr, dw_ptr, lock_ptr, cols, GROUPS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < cols
    x = tl.load(x_ptr + row * cols + c, mask=m, other=0.0)
    dy = tl.load(dy_ptr + row * cols + c, mask=m, other=0.0)
    part = x * dy
    group = row % GROUPS
    lock = lock_ptr + group          # 0 free, 1 taken
    used = lock_ptr + GROUPS + group # becomes 1 with the first row: until then dw holds rubbish
    dw = dw_ptr + group * cols + c
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    if tl.load(used) == 0:
        tl.atomic_xchg(used, 1)
    else:
        part += tl.load(dw, mask=m, other=0.0)
    tl.store(dw, part, mask=m)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


BUILD = dict(signature={"x_ptr": "*fp32", "dy_ptr": "*fp32", "dw_ptr": "*fp32", "lock_ptr": "*i32", "cols": "i32",
                        "GROUPS": "constexpr", "BLOCK": "constexpr"},
             constexprs={"GROUPS": 3, "BLOCK": 128}, divisible16=["x_ptr", "dy_ptr", "dw_ptr", "lock_ptr"], num_warps=2)
