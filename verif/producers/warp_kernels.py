# SPDX-License-Identifier: Apache-2.0
"""Kernels in Warp: python3 warp_kernels.py FOLDER. The first parameter is the shape of the launch, an array a structure."""
import json
import os
import re
import sys
import tempfile

import warp as wp

from assemble import assemble
from cases import CASES
from fixture import Fixture, struct_of

wp.config.quiet = True
wp.set_module_options({"enable_backward": False, "block_dim": 128})
Ints = wp.array(dtype=wp.int32)
Floats = wp.array2d(dtype=wp.float32)


@wp.kernel
def histogram(x: Ints, bins: Ints):
    block, t = wp.tid()
    here = wp.tile_zeros(shape=16, dtype=wp.int32, storage="shared")
    wp.tile_scatter_add(here, x[block * 256 + t], 1, True)
    wp.tile_scatter_add(here, x[block * 256 + 128 + t], 1, True)
    wp.tile_atomic_add(bins, here)


@wp.kernel
def block_sum(x: Ints, sums: Ints, total: Ints):
    block, t = wp.tid()
    s = wp.tile_sum(wp.tile_load(x, 128, offset=block * 128))
    wp.tile_store(sums, s, offset=block)
    wp.tile_atomic_add(total, s)


@wp.kernel
def scan(x: Ints, y: Ints):
    wp.tile_store(y, wp.tile_scan_inclusive(wp.tile_load(x, 128)))


@wp.kernel
def extremes(x: Ints, out: Ints):
    v = x[wp.tid()]
    wp.atomic_min(out, 0, v)
    wp.atomic_max(out, 1, v)
    wp.atomic_xor(out, 2, v)


@wp.kernel
def lock(lock: Ints, counter: Ints):
    while wp.atomic_cas(lock, 0, 0, 1) == 1:
        pass
    wp.atomic_add(counter, 0, 3)
    wp.atomic_exch(lock, 0, 0)


@wp.kernel
def row_sums(x: Floats, y: wp.array(dtype=wp.float32)):
    row, t = wp.tid()
    wp.tile_store(y, wp.tile_sum(wp.tile_load(x, (1, 64), offset=(row, 0))), offset=row)


# kernel, blocks, threads of a block, shape of the launch, numbers of a row where the first array has rows
BUILDS = ((histogram, 4, 128, (4, 128), 0), (block_sum, 4, 128, (4, 128), 0), (scan, 1, 128, (1,), 0),
          (extremes, 4, 128, (512,), 0), (lock, 32, 1, (32,), 0), (row_sums, 16, 128, (16, 128), 64))


def array(name, n, row):
    shape, strides = ([n // row, row, 0, 0], [4 * row, 4, 0, 0]) if row else ([n, 0, 0, 0], [4, 0, 0, 0])
    return struct_of(name + "_array", {"buffer": name}, {"u64": 0}, {"s32": shape}, {"s32": strides},
                     {"u16": 2 if row else 1}, {"u16": 0})


def used(line, code):
    """Whether a line in front of the kernels is a directive, or declares what the kernel names."""
    named = re.match(r"\.(?:const|global|shared|extern)\b.*?([\w$]+)(?:\[\d*\])?(?: =.*)?;", line)
    return line.startswith((".version", ".target", ".address_size")) or bool(named and named[1] in code)


wp.init()
fixtures = {}
with tempfile.TemporaryDirectory() as tmp:
    for arch in (90, 120):
        wp.compile_aot_module(sys.modules[__name__], arch=arch, module_dir=tmp, use_ptx=True, strip_hash=True)
    files = os.listdir(tmp)
    meta = json.load(open(os.path.join(tmp, next(f for f in files if f.endswith(".meta")))))
    for arch in (90, 120):
        text = open(os.path.join(tmp, next(f for f in files if re.search(r"sm%d\.ptx$" % arch, f)))).read()
        entries = re.findall(r"(?ms)^\.visible \.entry .*?^}\n", text)
        head = re.sub(r"(?ms)^\.visible \.entry .*?^}\n", "", text).splitlines(True)
        for kernel, blocks, threads, shape, row in BUILDS:
            name = kernel.key.split(".")[-1]
            entry = name + "_cuda_kernel_forward"
            code = next(e for e in entries if re.match(r"\.visible \.entry %s\(" % entry, e))
            ptx = "".join(line for line in head if used(line, code)) + code
            if name not in fixtures:
                size = 1
                for extent in shape:
                    size *= extent
                bounds = struct_of("bounds", {"u32": list(shape)}, {"u64": size if shape != (1,) else 128},
                                   {"u64": 128 if shape == (1,) else 1})
                args = [array(b, len(start), row if i == 0 else 0) for i, (b, (_, start, _)) in enumerate(CASES[name]().items())]
                fixtures[name] = Fixture("warp", name, entry, [blocks], [threads], [bounds] + args,
                                         shared=meta.get(entry + "_smem_bytes", 0))
            fixtures[name].add("sm_%d" % arch, ptx, assemble("sm_%d" % arch, ptx))
for fixture in fixtures.values():
    fixture.write(sys.argv[1])
