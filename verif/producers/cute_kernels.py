# SPDX-License-Identifier: Apache-2.0
"""Kernels in CUTLASS DSL: python3 cute_kernels.py FOLDER [KERNEL...]"""
import os
import re
import sys
import traceback

import cutlass
import cutlass.cute as cute
from cutlass import Int32, Uint16
from cutlass.cute.runtime import make_ptr

from cases import CASES
from fixture import Fixture, pointer

arch = cute.arch


@cute.kernel
def histogram(x: cute.Pointer, bins: cute.Pointer):
    t, b = arch.thread_idx()[0], arch.block_idx()[0]
    here = arch.alloc_smem(Int32, 16)
    if t < 16:
        arch.store(here + t, Int32(0))
    arch.sync_threads()
    for i in cutlass.range(2):
        arch.atomic_add(here + arch.load(x + b * 256 + i * 128 + t, Int32), Int32(1), sem="relaxed", scope="cta")
    arch.sync_threads()
    if t < 16:
        arch.atomic_add(bins + t, arch.load(here + t, Int32), sem="relaxed", scope="gpu")


@cute.kernel
def scan(x: cute.Pointer, y: cute.Pointer):
    t = arch.thread_idx()[0]
    lane, warp = arch.lane_idx(), arch.warp_idx()
    sums = arch.alloc_smem(Int32, 4)
    v = arch.load(x + t, Int32)
    for i in cutlass.range_constexpr(5):
        up = arch.shuffle_sync_up(v, 1 << i, mask_and_clamp=0)
        if lane >= (1 << i):
            v = v + up
    if lane == 31:
        arch.store(sums + warp, v)
    arch.barrier(barrier_id=3, number_of_threads=128)
    for w in cutlass.range(warp):
        v = v + arch.load(sums + w, Int32)
    arch.store(y + t, v)


@cute.kernel
def votes(x: cute.Pointer, y: cute.Pointer):
    t = arch.thread_idx()[0]
    v = arch.load(x + t, Int32)
    arch.store(y + 4 * t, Int32(arch.vote_ballot_sync((v & 1) == 1)))
    same = Int32(0)
    for l in cutlass.range(32):
        if arch.shuffle_sync(v, l) == v:
            same = same | (Int32(1) << l)
    arch.store(y + 4 * t + 1, same)
    seven = Int32(0)
    if arch.vote_any_sync(v == 7):
        seven = Int32(1)
    arch.store(y + 4 * t + 2, seven)
    arch.store(y + 4 * t + 3, arch.shuffle_sync_down(v, 1))


@cute.kernel
def stages(x: cute.Pointer, y: cute.Pointer):
    """Bulk copies that an mbarrier counts; two tiles in flight."""
    t = arch.thread_idx()[0]
    tiles = arch.alloc_smem(Int32, 256, alignment=128)
    full = arch.alloc_smem(cutlass.Int64, 2, alignment=8)
    copy = cute.make_copy_atom(cute.nvgpu.cpasync.CopyBulkG2SOp(), Int32)
    if t == 0:
        arch.mbarrier_init(full, 1)
        arch.mbarrier_init(full + 1, 1)
        arch.mbarrier_init_fence()
    arch.sync_threads()
    for i in cutlass.range(9):
        if i < 8 and t < 32:
            with arch.elect_one():
                arch.mbarrier_arrive_and_expect_tx(full + i % 2, 512)
            source = cute.make_tensor((x + i * 128).align(16), cute.make_layout(128))
            tile = cute.make_tensor((tiles + i % 2 * 128).align(16), cute.make_layout(128))
            with arch.elect_one():
                cute.copy(copy, source, tile, mbar_ptr=full + i % 2)
        if i > 0:
            k = i - 1
            arch.mbarrier_wait(full + k % 2, k // 2 % 2)
            v = arch.load(tiles + k % 2 * 128 + t, Int32)
            w = arch.load(tiles + k % 2 * 128 + 127 - t, Int32)
            arch.store(y + k * 128 + t, 2 * v + w)
            arch.sync_threads()


@cute.kernel
def lock(lock: cute.Pointer, counter: cute.Pointer):
    if arch.thread_idx()[0] == 0:
        held = Int32(1)
        while held == 1:
            held = arch.atomic_cas(lock, cmp=Int32(0), val=Int32(1), sem="acquire", scope="gpu")
        arch.store(counter, arch.load(counter, Int32) + 3)
        arch.atomic_exch(lock, Int32(0), sem="release", scope="gpu")


@cute.kernel
def last_block(x: cute.Pointer, parts: cute.Pointer, ticket: cute.Pointer, total: cute.Pointer):
    t, b = arch.thread_idx()[0], arch.block_idx()[0]
    part = arch.alloc_smem(Int32, 2)
    if t == 0:
        arch.store(part, Int32(0))
    arch.sync_threads()
    v = arch.warp_redux_sync(arch.load(x + b * 128 + t, Int32), kind="add")
    if arch.lane_idx() == 0:
        arch.atomic_add(part, v, sem="relaxed", scope="cta")
    arch.sync_threads()
    if t == 0:
        arch.store(parts + b, arch.load(part, Int32))
        arch.fence_acq_rel_gpu()
        arch.store(part + 1, arch.atomic_add(ticket, Int32(1), sem="acq_rel", scope="gpu"))
    arch.sync_threads()
    if t == 0 and arch.load(part + 1, Int32) == arch.grid_dim()[0] - 1:
        s = Int32(0)
        for k in cutlass.range(4):
            s = s + arch.load(parts + k, Int32)
        arch.store(total, s)


def compiled(kernel, buffers, grid, chip):
    """(PTX, cubin)"""
    if len(buffers) == 2:
        @cute.jit
        def host(a: cute.Pointer, b: cute.Pointer):
            kernel(a, b).launch(grid=[grid, 1, 1], block=[128, 1, 1])
    else:
        @cute.jit
        def host(a: cute.Pointer, b: cute.Pointer, c: cute.Pointer, d: cute.Pointer):
            kernel(a, b, c, d).launch(grid=[grid, 1, 1], block=[128, 1, 1])
    places = [make_ptr(Int32, 4096 * (i + 1), cute.AddressSpace.gmem, assumed_align=16) for i in range(len(buffers))]
    code = cute.compile(host, *places, options="--gpu-arch %s --keep-ptx --keep-cubin --dump-dir %s" % (chip, os.getcwd()))
    return code.__ptx__, code.__cubin__


BUILDS = ((histogram, 4, ("sm_90a", "sm_100a")), (scan, 1, ("sm_80", "sm_90a")), (votes, 1, ("sm_90a", "sm_120a")),
          (stages, 1, ("sm_90a", "sm_100a")), (lock, 32, ("sm_90a",)), (last_block, 4, ("sm_90a", "sm_100a")))
for kernel, grid, chips in BUILDS:
    name = kernel.__name__
    if sys.argv[2:] and name not in sys.argv[2:]:
        continue
    buffers, fixture = CASES[name](), None
    for chip in chips:
        try:
            ptx, cubin = compiled(kernel, buffers, grid, chip)
        except Exception:
            traceback.print_exc()
            print("cutlass-dsl %s %s: not compiled" % (name, chip))
            continue
        entry = re.search(r"\.entry (\w+)\(", ptx)[1]
        fixture = fixture or Fixture("cutlass-dsl", name, entry, [grid], [128], [pointer(b) for b in buffers])
        fixture.add(chip, ptx, cubin)
    if fixture:
        fixture.write(sys.argv[1])
