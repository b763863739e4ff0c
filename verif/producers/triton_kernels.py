# SPDX-License-Identifier: Apache-2.0
"""Kernels in Triton: python3 triton_kernels.py FOLDER [KERNEL...]"""
import sys

import triton
import triton.language as tl
from triton.compiler import ASTSource

from triton_build import build, chosen


@triton.jit
def histogram(x, bins):
    o = tl.program_id(0) * 256 + tl.arange(0, 256)
    counts = tl.histogram(tl.load(x + o), 16)
    tl.atomic_add(bins + tl.arange(0, 16), counts, sem="relaxed")


@triton.jit
def block_sum(x, sums, total):
    b = tl.program_id(0)
    s = tl.sum(tl.load(x + b * 128 + tl.arange(0, 128)), 0)
    tl.store(sums + b, s)
    tl.atomic_add(total, s)


@triton.jit
def scan(x, y):
    o = tl.arange(0, 128)
    tl.store(y + o, tl.cumsum(tl.load(x + o), 0))


@triton.jit
def transpose(x, y):
    r = tl.arange(0, 64)[:, None]
    c = tl.arange(0, 64)[None, :]
    tl.store(y + r * 64 + c, tl.trans(tl.load(x + r * 64 + c)))


@triton.jit
def extremes(x, out):
    v = tl.load(x + tl.program_id(0) * 128 + tl.arange(0, 128))
    tl.atomic_min(out, tl.min(v, 0))
    tl.atomic_max(out + 1 + tl.zeros([128], tl.int32), v)
    tl.atomic_xor(out + 2, tl.xor_sum(v, 0))


@triton.jit
def lock(lock, counter):
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    tl.store(counter, tl.load(counter) + 3)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


@triton.jit
def last_block(x, parts, ticket, total):
    b = tl.program_id(0)
    tl.store(parts + b, tl.sum(tl.load(x + b * 128 + tl.arange(0, 128)), 0))
    tl.debug_barrier()
    if tl.atomic_add(ticket, 1, sem="acq_rel") == tl.num_programs(0) - 1:
        tl.store(total, tl.sum(tl.load(parts + tl.arange(0, 4), cache_modifier=".cg"), 0))


@triton.jit
def stages(x, y):
    o = tl.arange(0, 128)
    for i in tl.range(8, num_stages=3):
        v = tl.load(x + i * 128 + o)
        tl.store(y + i * 128 + o, 2 * v + tl.flip(v, 0))


@triton.jit
def product(a, b, c):
    """For tensor cores, which the model lacks."""
    o = tl.arange(0, 16)[:, None] * 16 + tl.arange(0, 16)[None, :]
    tl.store(c + o, tl.dot(tl.load(a + o), tl.load(b + o)))


for kernel, grid, archs in ((histogram, 4, (75, 90, 100)), (block_sum, 4, (80, 90)), (scan, 1, (90, 120)),
                            (transpose, 1, (75, 90, 100)), (extremes, 4, (90, 120)), (lock, 32, (90, 100)),
                            (last_block, 4, (80, 90, 100)), (stages, 1, (80, 90)), (product, 1, (80, 90))):
    if chosen(kernel.__name__):
        build("triton", ASTSource, sys.argv[1], kernel, kernel.__name__, grid, archs)
if chosen("block_sum_ctas"):
    build("triton", ASTSource, sys.argv[1], block_sum, "block_sum", 4, (90, 100), name="block_sum_ctas", ctas=2)
