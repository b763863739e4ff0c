# SPDX-License-Identifier: Apache-2.0
"""Kernels of cuda-tile, compiled by tileiras: python3 tile_kernels.py FOLDER [KERNEL...]. There is no PTX."""
import os
import subprocess
import sys
import tempfile
import traceback

import cuda.tile as ct
from cuda.tile.compilation import ArrayConstraint, CallingConvention, KernelSignature, export_kernel

from cases import CASES
from fixture import Fixture, pointer, scalar

TYPES = {"s32": ct.int32, "u32": ct.uint32, "u16": ct.uint16, "f32": ct.float32}


@ct.kernel
def histogram(x, bins):
    v = ct.load(x, (ct.bid(0),), shape=(256,), allow_tma=False)
    ct.atomic_add(bins, (v,), 1)


@ct.kernel
def block_sum(x, sums, total):
    s = ct.sum(ct.load(x, (ct.bid(0),), shape=(128,), allow_tma=False))
    ct.scatter(sums, (ct.bid(0),), s)
    ct.atomic_add(total, (0,), s)


@ct.kernel
def block_sum_tma(x, sums, total):
    """Loads by tensor copies, which the model lacks."""
    s = ct.sum(ct.load(x, (ct.bid(0),), shape=(128,)))
    ct.scatter(sums, (ct.bid(0),), s)
    ct.atomic_add(total, (0,), s)


@ct.kernel
def scan(x, y):
    ct.store(y, (0,), ct.cumsum(ct.load(x, (0,), shape=(128,))))


@ct.kernel
def extremes(x, out):
    v = ct.load(x, (ct.bid(0),), shape=(128,), allow_tma=False)
    ct.atomic_min(out, (0,), ct.min(v))
    ct.atomic_max(out, (1,), ct.max(v))
    ct.atomic_xor(out, (ct.full((128,), 2, dtype=ct.int32),), v)


@ct.kernel
def lock(lock, counter):
    while ct.atomic_cas(lock, (0,), 0, 1) == 1:
        pass
    ct.atomic_add(counter, (0,), 3)
    ct.atomic_xchg(lock, (0,), 0)


@ct.kernel
def transpose(x, y):
    ct.store(y, (0, 0), ct.transpose(ct.load(x, (0, 0), shape=(64, 64))))


@ct.kernel
def row_sums(x, y):
    ct.store(y, (0,), ct.sum(ct.load(x, (0, 0), shape=(16, 64), allow_tma=False), axis=1), allow_tma=False)


def compiled(kernel, signature, arch):
    """A cubin without lines: cuda-tile itself always asks tileiras for line information, which names files."""
    with tempfile.TemporaryDirectory() as tmp:
        code, out = os.path.join(tmp, "k.bc"), os.path.join(tmp, "k.cubin")
        export_kernel(kernel, [signature], code, gpu_code=arch, output_format="tileir_bytecode")
        subprocess.run(["tileiras", code, "-o", out, "--gpu-name", arch, "-O3"], check=True)
        return open(out, "rb").read()


SHAPES = {"transpose": {"x": (64, 64), "y": (64, 64)}, "row_sums": {"x": (16, 64)}}
# kernel, case, blocks, architectures
BUILDS = ((histogram, "histogram", 4, ("sm_90", "sm_100")), (block_sum, "block_sum", 4, ("sm_80", "sm_90", "sm_120")),
          (scan, "scan", 1, ("sm_90", "sm_100")), (extremes, "extremes", 4, ("sm_90", "sm_100")),
          (lock, "lock", 32, ("sm_80", "sm_100")), (transpose, "transpose", 1, ("sm_90", "sm_120")),
          (row_sums, "row_sums", 1, ("sm_90", "sm_100")), (block_sum_tma, "block_sum", 4, ("sm_90",)))
for kernel, case, grid, archs in BUILDS:
    name = kernel._annotated_function.pyfunc.__name__
    if sys.argv[2:] and name not in sys.argv[2:]:
        continue
    args, constraints = [], []
    for buffer, (kind, start, _) in CASES[case]().items():
        shape = SHAPES.get(case, {}).get(buffer, (len(start),))
        strides = [shape[1], 1] if len(shape) == 2 else [1]
        constraints.append(ArrayConstraint(TYPES[kind], len(shape), index_dtype=ct.int32, stride_lower_bound_incl=0,
                                           alias_groups=(), may_alias_internally=False,
                                           stride_constant=[None] * (len(shape) - 1) + [1], base_addr_divisible_by=16))
        args += [pointer(buffer)] + [scalar("%s_shape%d" % (buffer, i), "s32", n) for i, n in enumerate(shape)]
        args += [scalar("%s_stride%d" % (buffer, i), "s32", n) for i, n in enumerate(strides)]
    fixture = Fixture("cuda-tile", case, name, [grid], [1], args, name=name)  # the compiler chooses the block
    for arch in archs:
        try:
            signature = KernelSignature(constraints, CallingConvention.cutile_python_v1(), symbol=name)
            fixture.add(arch, None, compiled(kernel, signature, arch))
        except Exception:
            traceback.print_exc()
            print("%s %s: not compiled" % (name, arch))
    if fixture.codes:
        fixture.write(sys.argv[1])
