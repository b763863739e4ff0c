# SPDX-License-Identifier: Apache-2.0
"""Kernels in Gluon, the lower language of Triton: python3 gluon_kernels.py FOLDER [KERNEL...]"""
import sys

from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon._runtime import GluonASTSource
from triton.experimental.gluon.language.nvidia.ampere import async_copy
from triton.experimental.gluon.language.nvidia.blackwell import clc
from triton.experimental.gluon.language.nvidia.hopper import fence_async_shared, mbarrier

from triton_build import build, chosen

LANES = gl.constexpr(gl.BlockedLayout([1], [32], [4], [0]))
FLAT = gl.constexpr(gl.SwizzledSharedLayout(1, 1, 1, [0]))


@gluon.jit
def histogram(x, bins):
    o = gl.arange(0, 128, layout=LANES)
    here = gl.allocate_shared_memory(gl.int32, [128], FLAT, gl.zeros([128], gl.int32, layout=LANES))
    gl.barrier()
    for i in gl.static_range(2):
        v = gl.load(x + gl.program_id(0) * 256 + i * 128 + o)
        here.atomic_scatter_add(gl.full([128], 1, gl.int32, layout=LANES), v, 0)
    gl.barrier()
    gl.atomic_add(bins + o % 16, here.load(LANES), mask=o < 16)


@gluon.jit
def fetch(x, tiles, full, empty):
    o = gl.arange(0, 128, layout=LANES)
    for i in range(8):
        mbarrier.wait(empty.index(i % 2), i // 2 % 2 ^ 1)
        tiles.index(i % 2).store(gl.load(x + i * 128 + o))
        mbarrier.arrive(full.index(i % 2))


@gluon.jit
def use(y, tiles, full, empty):
    o = gl.arange(0, 128, layout=LANES)
    for i in range(8):
        mbarrier.wait(full.index(i % 2), i // 2 % 2)
        v = tiles.index(i % 2).load(LANES)
        w = tiles.index(i % 2).gather(127 - o, 0)
        mbarrier.arrive(empty.index(i % 2))
        gl.store(y + i * 128 + o, 2 * v + w)


@gluon.jit
def stages(x, y):
    """Four warps fetch, four others use."""
    tiles = gl.allocate_shared_memory(gl.int32, [2, 128], FLAT)
    full = mbarrier.allocate_mbarrier(batch=2)
    empty = mbarrier.allocate_mbarrier(batch=2)
    for i in gl.static_range(2):
        mbarrier.init(full.index(i), count=1)
        mbarrier.init(empty.index(i), count=1)
    gl.warp_specialize([(use, (y, tiles, full, empty)), (fetch, (x, tiles, full, empty))], [4], [24])
    for i in gl.static_range(2):
        mbarrier.invalidate(full.index(i))
        mbarrier.invalidate(empty.index(i))


@gluon.jit
def stages_async(x, y):
    """Copies by threads, which arrive when their bytes are there."""
    o = gl.arange(0, 128, layout=LANES)
    tiles = gl.allocate_shared_memory(gl.int32, [2, 128], FLAT)
    full = mbarrier.allocate_mbarrier(batch=2)
    for i in gl.static_range(2):
        mbarrier.init(full.index(i), count=128)
    gl.barrier()
    async_copy.async_load(tiles.index(0), x + o)
    async_copy.mbarrier_arrive(full.index(0), increment_count=False)
    for i in range(8):
        if i < 7:
            async_copy.async_load(tiles.index((i + 1) % 2), x + (i + 1) * 128 + o)
            async_copy.mbarrier_arrive(full.index((i + 1) % 2), increment_count=False)
        mbarrier.wait(full.index(i % 2), i // 2 % 2)
        v = tiles.index(i % 2).load(LANES)
        w = tiles.index(i % 2).gather(127 - o, 0)
        gl.store(y + i * 128 + o, 2 * v + w)
        gl.barrier()


@gluon.jit
def transpose(x, y):
    """Through the layout of matrix fragments."""
    rows: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0])
    fragments: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [4, 1], [16, 8])
    tile: gl.constexpr = gl.NVMMASharedLayout(128, 16, 2)
    r = gl.arange(0, 64, layout=gl.SliceLayout(1, rows))[:, None]
    c = gl.arange(0, 64, layout=gl.SliceLayout(0, rows))[None, :]
    a = gl.allocate_shared_memory(gl.int16, [64, 64], tile, gl.load(x + r * 64 + c))
    gl.barrier()
    v = a.permute((1, 0)).load(fragments)
    b = gl.allocate_shared_memory(gl.int16, [64, 64], tile, v)
    gl.barrier()
    gl.store(y + r * 64 + c, b.load(rows))


@gluon.jit
def stages_stolen(x, y):
    """A CTA takes its tile, and then those of CTAs that have not started."""
    o = gl.arange(0, 128, layout=LANES)
    answer = gl.allocate_shared_memory(gl.int64, [2], FLAT)
    ready = mbarrier.allocate_mbarrier()
    mbarrier.init(ready, count=1)
    tile = gl.program_id(0)
    phase = 0
    more = True
    while more:
        mbarrier.expect(ready, 16)
        clc.try_cancel(answer, ready)
        v = gl.load(x + tile * 128 + o)
        w = gl.load(x + tile * 128 + 127 - o)
        gl.store(y + tile * 128 + o, 2 * v + w)
        mbarrier.wait(ready, phase)
        result = clc.load_result(answer)
        more = result.is_canceled()
        tile = result.program_id(0)
        phase ^= 1
        gl.barrier()
    mbarrier.invalidate(ready)


BUILDS = ((histogram, "histogram", 4, (80, 90, 100)), (stages, "stages", 1, (90, 100)),
          (stages_async, "stages", 1, (80, 90, 120)), (transpose, "transpose", 1, (80, 90, 120)),
          (stages_stolen, "stages", 8, (100, 120)))
for kernel, case, grid, archs in BUILDS:
    if chosen(kernel.__name__):
        build("gluon", GluonASTSource, sys.argv[1], kernel, case, grid, archs, name=kernel.__name__)
