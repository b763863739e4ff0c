# SPDX-License-Identifier: Apache-2.0
"""Compiles kernels of Triton and of Gluon without a GPU and writes their fixtures."""
import re
import sys
import traceback

import triton
from triton.backends.compiler import GPUTarget

from cases import CASES
from fixture import Fixture, pointer, scalar

TYPES = {"s32": "*i32", "u32": "*i32", "u16": "*i16", "f16": "*fp16", "f32": "*fp32"}


def build(producer, source, folder, fn, case, grid, archs, constants=None, name=None, warps=4, ctas=1):
    """source: class of the source, ASTSource or GluonASTSource."""
    buffers, constants = CASES[case](), constants or {}
    names = [n for n in fn.arg_names if n not in constants]
    signature = {n: TYPES[buffers[n][0]] if n in names else "constexpr" for n in fn.arg_names}
    aligned = {(i,): [["tt.divisibility", 16]] for i, n in enumerate(fn.arg_names) if n in names}
    fixture = Fixture(producer, case, fn.__name__, [grid], None,
                      [pointer(n) for n in names] + [scalar(n, "u64", 0) for n in ("global_scratch", "profile_scratch")],
                      cluster=[ctas] if ctas > 1 else None, name=name)
    for arch in archs:
        try:
            code = triton.compile(source(fn=fn, signature=signature, constexprs=constants, attrs=aligned),
                                  target=GPUTarget("cuda", arch, 32), options={"num_warps": warps, "num_ctas": ctas})
        except Exception:
            traceback.print_exc()
            print("%s %s sm_%d: not compiled" % (producer, fixture.name, arch))
            continue
        ptx = code.asm["ptx"]
        threads = int(re.search(r"\.reqntid (\d+)", ptx)[1])
        assert fixture.spec["block"] in (None, [threads, 1, 1]) and not code.metadata.global_scratch_size
        fixture.spec["block"] = [threads, 1, 1]
        fixture.spec["grid"] = [grid * ctas, 1, 1]
        fixture.spec["dynamic_shared"] = max(fixture.spec["dynamic_shared"], code.metadata.shared)
        fixture.add(re.search(r"\.target (\w+)", ptx)[1], ptx, code.asm["cubin"])
    if fixture.codes:
        fixture.write(folder)


def chosen(name):
    """Whether the command line names no kernel, or this one: python3 PROGRAM FOLDER [KERNEL...]"""
    return not sys.argv[2:] or name in sys.argv[2:]
