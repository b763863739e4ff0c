# triton_streamk: Persistent programs draw work units from a global counter; units of one output tile meet in float atomic adds, and the last unit of a tile (counted with acq_rel) finishes it.
# SPDX-License-Identifier: Apache-2.0
# launch   grid (3,1,1)  block (128,1,1)  dynamic shared memory 4 bytes
# archs    sm_75, sm_80, sm_90a
# made by  Triton 3.9.0, num_warps = 4; two null scratch pointers follow the arguments, as its launcher passes them
# outcome  pass
# arg      x              buffer f32  x 8192  initially random:104:0:50        expected (not checked)
# arg      acc            buffer f32  x 512   initially zero                   expected file:triton_streamk.acc.bin
# arg      out            buffer f32  x 512   initially const:-1               expected file:triton_streamk.out.bin
# arg      done           buffer s32  x 4     initially zero                   expected file:triton_streamk.done.bin
# arg      ticket         buffer s32  x 1     initially zero                   expected file:triton_streamk.ticket.bin
# arg      units          scalar s32  = 16
# arg      global_scratch scalar u64  = 0
# arg      profile_scratch scalar u64  = 0
# result rule in C (rnd, EXPECT, ACTUAL and FAILIF are defined in triton_streamk.expected.c):
#  float acc[512] = {0}, out[512]; int32_t done[4] = {4, 4, 4, 4}, ticket = 16 + 3;
#  for (int u = 0; u < 16; u++) for (int k = 0; k < 4; k++) for (int i = 0; i < 128; i++) acc[u / 4 * 128 + i] += (float)rnd(104, 0, 50, (u * 4 + k) * 128 + i);
#  for (int i = 0; i < 512; i++) out[i] = acc[i] * 2 + 1;
#  EXPECT("acc", acc, sizeof acc); EXPECT("out", out, sizeof out); EXPECT("done", done, sizeof done); EXPECT("ticket", &ticket, 4);

import triton
import triton.language as tl


@triton.jit
def triton_streamk(x_ptr, acc_ptr, out_ptr, done_ptr, ticket_ptr, units, SPLITS: tl.constexpr, BLOCK: tl.constexpr, DEPTH: tl.constexpr):
    o = tl.arange(0, BLOCK)
    unit = tl.atomic_add(ticket_ptr, 1, sem="relaxed")
    while unit < units:
        tile = unit // SPLITS
        part = tl.zeros((BLOCK,), dtype=tl.float32)
        for k in range(DEPTH):
            part += tl.load(x_ptr + (unit * DEPTH + k) * BLOCK + o)
        tl.atomic_add(acc_ptr + tile * BLOCK + o, part, sem="relaxed")
        tl.debug_barrier()
        before = tl.atomic_add(done_ptr + tile, 1, sem="acq_rel", scope="gpu")
        if before == SPLITS - 1:
            total = tl.load(acc_ptr + tile * BLOCK + o, cache_modifier=".cg")
            tl.store(out_ptr + tile * BLOCK + o, total * 2.0 + 1.0)
        unit = tl.atomic_add(ticket_ptr, 1, sem="relaxed")


BUILD = dict(signature={"x_ptr": "*fp32", "acc_ptr": "*fp32", "out_ptr": "*fp32", "done_ptr": "*i32", "ticket_ptr": "*i32",
                        "units": "i32", "SPLITS": "constexpr", "BLOCK": "constexpr", "DEPTH": "constexpr"},
             constexprs={"SPLITS": 4, "BLOCK": 128, "DEPTH": 4},
             divisible16=["x_ptr", "acc_ptr", "out_ptr", "done_ptr", "ticket_ptr", "units"], num_warps=4)
