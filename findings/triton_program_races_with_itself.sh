#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Triton 3.9.0, compiled for sm_90, four warps. A Triton program is written for a whole block, one step behind the other, and
# the compiler puts barriers around its use of shared memory. One would guess that a load sees what a store above it, in the same
# program, has written to the same address of global memory. The PTX has no barrier between the two. A store of one
# word is made by one thread, and the load of that very word is made by all threads, so three warps may read the old word.
# A store of a block and a load of the block backwards is a race between the warps as well, and so is a relaxed
# atomic with a load behind it. tl.debug_barrier() in between gives bar.sync 0; an atomic with acq_rel has barriers of its own.
# A load of the same elements in the same layout is safe, since each thread reads what the thread has written.
set -euo pipefail
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check --no-deps "triton==3.9.0"
cat >see.py <<'END_PY'
import re
import sys

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def one_word(x, y, N: tl.constexpr):
    tl.store(x, 5)
    word = tl.load(x)
    tl.store(y + tl.arange(0, N), word)


@triton.jit
def backwards(x, y, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(x + i, i)
    tl.store(y + i, tl.load(x + (N - 1 - i)))


@triton.jit
def with_barrier(x, y, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(x + i, i)
    tl.debug_barrier()
    tl.store(y + i, tl.load(x + (N - 1 - i)))


@triton.jit
def relaxed(x, y, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.atomic_add(x + i, 1, sem="relaxed")
    tl.store(y + i, tl.load(x + (N - 1 - i)))


@triton.jit
def acq_rel(x, y, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.atomic_add(x + i, 1, sem="acq_rel")
    tl.store(y + i, tl.load(x + (N - 1 - i)))


def steps(kernel):
    """Global accesses and barriers of the kernel; * marks an access under a guard."""
    source = ASTSource(kernel, {"x": "*i32", "y": "*i32", "N": "constexpr"}, constexprs={"N": 128})
    ptx = triton.compile(source, target=GPUTarget("cuda", 90, 32), options={"num_warps": 4}).asm["ptx"]
    found = re.findall(r"^\s*(@\S+)?\s*(bar\.sync|(?:ld|st|red|atom)\.global)", ptx, re.M)
    return " ".join(word.removesuffix(".global") + "*" * (guard != "" and word != "bar.sync") for guard, word in found)


WANTED = {
    one_word: "st* ld st",
    backwards: "st ld st",
    with_barrier: "st bar.sync ld st",
    relaxed: "red* ld st",
    acq_rel: "bar.sync atom* bar.sync ld st",
}
good = True
for kernel, wanted in WANTED.items():
    seen = steps(kernel)
    print(f"{kernel.fn.__name__}: {seen}")
    good &= seen == wanted
sys.exit(not good)
END_PY
TRITON_CACHE_DIR=$PWD/cache venv/bin/python see.py 2>/dev/null
