# SPDX-License-Identifier: Apache-2.0
"""Kernels in tilelang: python3 tilelang_kernels.py FOLDER [KERNEL...]. nvcc compiles the CUDA that tilelang writes."""
import os
import re
import subprocess
import sys
import tempfile
import traceback

import without_torch  # noqa: F401  before tilelang
import tilelang
import tilelang.language as T
from tilelang import tvm

from assemble import assemble
from fixture import Fixture, pointer


@T.prim_func
def histogram(x: T.Tensor((1024,), "int32"), bins: T.Tensor((16,), "int32")):
    with T.Kernel(4, threads=128) as b:
        here = T.alloc_shared((16,), "int32")
        T.clear(here)
        T.sync_threads()
        for i in T.Parallel(256):
            T.atomic_add(here[x[b * 256 + i]], 1)
        T.sync_threads()
        for i in T.Parallel(16):
            T.atomic_add(bins[i], here[i])


@T.prim_func
def block_sum(x: T.Tensor((512,), "int32"), sums: T.Tensor((4,), "int32"), total: T.Tensor((1,), "int32")):
    with T.Kernel(4, threads=128) as b:
        part = T.alloc_fragment((1, 128), "int32")
        whole = T.alloc_fragment((1,), "int32")
        for i, j in T.Parallel(1, 128):
            part[i, j] = x[b * 128 + j]
        T.reduce_sum(part, whole, dim=1)
        for i in T.Parallel(1):
            sums[b + i] = whole[i]
            T.atomic_add(total[i], whole[i])


@T.prim_func
def row_sums(x: T.Tensor((16, 64), "float32"), y: T.Tensor((16,), "float32")):
    with T.Kernel(1, threads=128) as b:
        tile = T.alloc_shared((16, 64), "float32")
        part = T.alloc_fragment((16, 64), "float32")
        whole = T.alloc_fragment((16,), "float32")
        T.copy(x, tile)
        T.copy(tile, part)
        T.reduce_sum(part, whole, dim=1)
        T.copy(whole, y)


@T.prim_func
def stages(x: T.Tensor((8, 128), "int32"), y: T.Tensor((8, 128), "int32")):
    with T.Kernel(1, threads=128) as b:
        tile = T.alloc_shared((1, 128), "int32")
        for k in T.Pipelined(8, num_stages=2):
            T.copy(x[k, 0], tile)
            for i in T.Parallel(128):
                y[k, i] = 2 * tile[0, i] + tile[0, 127 - i]


def compiled(kernel, arch):
    """(CUDA, PTX, cubin)"""
    target = {"kind": "cuda", "arch": arch}
    with tvm.target.Target(target):
        code = tilelang.lower(kernel, target=target, enable_device_compile=False).kernel_source
    home = os.path.dirname(tilelang.__file__)
    with tempfile.TemporaryDirectory() as tmp:
        source, ptx = os.path.join(tmp, "k.cu"), os.path.join(tmp, "k.ptx")
        open(source, "w").write(code)
        subprocess.run(["nvcc", "-O3", "-std=c++17", "-arch=" + arch, "-I", os.path.join(home, "src"),
                        "-I", os.path.join(home, "3rdparty/cutlass/include"), source, "-o", ptx, "-ptx"], check=True)
        text = open(ptx).read()
    return code, text, assemble(arch, text)


BUILDS = ((histogram, 4, ("sm_80", "sm_90")), (block_sum, 4, ("sm_90", "sm_120")), (row_sums, 1, ("sm_80", "sm_90a")),
          (stages, 1, ("sm_80", "sm_90a")))
for kernel, grid, archs in BUILDS:
    name = str(kernel.attrs["global_symbol"])
    if sys.argv[2:] and name not in sys.argv[2:]:
        continue
    fixtures = {}
    for arch in archs:
        try:
            code, ptx, cubin = compiled(kernel, arch)
        except Exception:
            traceback.print_exc()
            print("tilelang %s %s: not compiled" % (name, arch))
            continue
        entry = re.search(r"\.entry (\w+)\(", ptx)[1]
        order = re.findall(r"(\w+)[,)]", code.split(entry + "(", 2)[-1].split("{")[0])
        threads = int(re.search(r"__launch_bounds__\((\d+)", code)[1])
        # A launch of tilelang tells the bytes; the source does not.
        shared = 16384 if "extern __shared__" in code else 0
        # tilelang gives kernels that copy by roles more threads: a launch file for each number of threads.
        fixture = fixtures.setdefault(threads, Fixture("tilelang", name, entry, [grid], [threads], [pointer(b) for b in order],
                                                       shared=shared, name=name if threads == 128 else name + "_roles"))
        fixture.add(arch, ptx, cubin)
    for fixture in fixtures.values():
        fixture.write(sys.argv[1])
