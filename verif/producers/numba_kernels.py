# SPDX-License-Identifier: Apache-2.0
"""Kernels by numba-cuda: python3 numba_kernels.py FOLDER. An array is seven parameters."""
import sys

from numba import cuda, int32, uint32, void

from assemble import assemble
from cases import CASES
from fixture import Fixture, pointer, scalar

TYPES = {"s32": int32, "u32": uint32}
ARCHS = {"votes": ("sm_75", "sm_90", "sm_100")}  # the others: sm_90 and sm_120


def histogram(x, bins):
    here = cuda.shared.array(16, int32)
    t = cuda.threadIdx.x
    if t < 16:
        here[t] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        cuda.atomic.add(here, x[i], 1)
    cuda.syncthreads()
    if t < 16:
        cuda.atomic.add(bins, t, here[t])


def block_sum(x, sums, total):
    part = cuda.shared.array(128, int32)
    t = cuda.threadIdx.x
    part[t] = x[cuda.grid(1)]
    step = 64
    while step:
        cuda.syncthreads()
        if t < step:
            part[t] += part[t + step]
        step >>= 1
    if t == 0:
        sums[cuda.blockIdx.x] = part[0]
        cuda.atomic.add(total, 0, part[0])


def scan(x, y):
    sums = cuda.shared.array(4, int32)
    t = cuda.threadIdx.x
    lane, warp = cuda.laneid, t // 32
    v = x[t]
    d = 1
    while d < 32:
        up = cuda.shfl_up_sync(0xffffffff, v, d)
        if lane >= d:
            v += up
        d *= 2
    if lane == 31:
        sums[warp] = v
    cuda.syncthreads()
    for w in range(warp):
        v += sums[w]
    y[t] = v


def votes(x, y):
    t = cuda.threadIdx.x
    v = x[t]
    y[4 * t] = cuda.ballot_sync(0xffffffff, v & 1)
    y[4 * t + 1] = cuda.match_any_sync(0xffffffff, v)
    y[4 * t + 2] = cuda.any_sync(0xffffffff, v == 7)
    y[4 * t + 3] = cuda.shfl_down_sync(0xffffffff, v, 1)


def extremes(x, out):
    v = x[cuda.grid(1)]
    cuda.atomic.min(out, 0, v)
    cuda.atomic.max(out, 1, v)
    cuda.atomic.xor(out, 2, v)


def lock(lock, counter):
    if cuda.threadIdx.x == 0:
        while cuda.atomic.cas(lock, 0, 0, 1) != 0:
            cuda.nanosleep(20)
        cuda.threadfence()
        counter[0] += 3
        cuda.threadfence()
        cuda.atomic.exch(lock, 0, 0)


def last_block(x, parts, ticket, total):
    part = cuda.shared.array(1, int32)
    last = cuda.shared.array(1, int32)
    t = cuda.threadIdx.x
    if t == 0:
        part[0] = 0
    cuda.syncthreads()
    cuda.atomic.add(part, 0, x[cuda.grid(1)])
    cuda.syncthreads()
    if t == 0:
        parts[cuda.blockIdx.x] = part[0]
        cuda.threadfence()
        last[0] = cuda.atomic.inc(ticket, 0, uint32(1000))
    cuda.syncthreads()
    if last[0] == cuda.gridDim.x - 1 and t < 32:
        v = parts[t] if t < cuda.gridDim.x else int32(0)
        d = 16
        while d:
            v += cuda.shfl_xor_sync(0xffffffff, v, d)
            d //= 2
        if t == 0:
            total[0] = v


def array(name, kind, n):
    """meminfo, parent, elements, bytes of an element, data, shape, strides"""
    return [scalar(name + "_meminfo", "u64", 0), scalar(name + "_parent", "u64", 0), scalar(name + "_size", "u64", n),
            scalar(name + "_itemsize", "u64", 4), pointer(name), scalar(name + "_shape", "u64", n),
            scalar(name + "_stride", "u64", 4)]


for kernel, grid in ((histogram, 4), (block_sum, 4), (scan, 1), (votes, 1), (extremes, 4), (lock, 32), (last_block, 4)):
    buffers = CASES[kernel.__name__]()
    signature = void(*(TYPES[kind][::1] for kind, _, _ in buffers.values()))
    fixture = None
    for arch in ARCHS.get(kernel.__name__, ("sm_90", "sm_120")):
        number = int(arch[3:])
        ptx, _ = cuda.compile_ptx(kernel, signature, cc=(number // 10, number % 10))
        mangled = ptx.split(".entry ", 1)[1].split("(", 1)[0].strip()
        entry, types = mangled.split(kernel.__name__, 1)  # the types have a number in them that counts compilations
        entry += kernel.__name__
        ptx = ptx.replace(types, "")
        if fixture is None:
            args = [a for name, (kind, start, _) in buffers.items() for a in array(name, kind, len(start))]
            fixture = Fixture("numba-cuda", kernel.__name__, entry, [grid], [128], args)
        fixture.add(arch, ptx, assemble(arch, ptx))
    fixture.write(sys.argv[1])
