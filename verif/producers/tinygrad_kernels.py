# SPDX-License-Identifier: Apache-2.0
"""Kernels of tinygrad, by its PTX renderer: python3 tinygrad_kernels.py FOLDER"""
import sys

from tinygrad.codegen import to_program
from tinygrad.codegen.opt import Opt, OptOps
from tinygrad.dtype import AddrSpace, dtypes
from tinygrad.helpers import Target
from tinygrad.renderer.ptx import PTXRenderer
from tinygrad.uop.ops import AxisType, KernelInfo, Ops, UOp

from assemble import assemble
from cases import CASES
from fixture import Fixture, pointer

TYPES = {"s32": dtypes.int32, "u16": dtypes.uint16, "f32": dtypes.float32}
SPLIT = (Opt(OptOps.GROUPTOP, 0, 16), Opt(OptOps.LOCAL, 0, 4))  # 16 threads for a row, their parts in shared memory


def rows(x, y, op, name):
    row, column = UOp.range(16, 0), UOp.range(64, 1, axis_type=AxisType.REDUCE)
    whole = x.index(row * 64 + column).reduce(column, arg=op, dtype=x.dtype)
    return y.index(row).store(whole).end(row).sink(arg=KernelInfo(name=name, opts_to_apply=SPLIT))


def row_sums(x, y):
    return rows(x, y, Ops.ADD, "row_sums")


def row_maxima(x, y):
    return rows(x, y, Ops.MAX, "row_maxima")


for kernel in (row_sums, row_maxima):
    buffers, fixture = CASES[kernel.__name__](), None
    places = [UOp.placeholder((len(start),), TYPES[kind], slot) for slot, (kind, start, _) in enumerate(buffers.values())]
    for arch in ("sm_75", "sm_90", "sm_120"):
        program = to_program(kernel(*places), PTXRenderer(Target("CUDA", "PTX", arch)))
        ptx = program.src[-1].arg.decode()
        grid, block = program.arg.launch_dims({})
        fixture = fixture or Fixture("tinygrad", kernel.__name__, program.arg.function_name, grid, block,
                                     [pointer(name) for name in buffers])
        fixture.add(arch, ptx, assemble(arch, ptx))
    fixture.write(sys.argv[1])
