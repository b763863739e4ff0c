#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Triton 3.9.0, compiled for sm_90. A program reads a block, turns the block round, and writes the block. tl.flip and
# tl.gather with the index N - 1 - i give the same block. One would guess that flip, which knows the permutation, costs at most
# what gather costs, which takes any index: one way through shared memory with a barrier, or one shuffle in a warp. The reverse is
# true. Of 128 words in four warps, gather has one barrier, and flip has seven barriers, four ways through shared memory
# and seven shuffles: flip turns round one bit of the index at a time. Of 32 words flip has five shuffles, gather one.
# With all 128 words in one warp flip has 20 shuffles and gather 16. So the special operation costs more than the general one.
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
def flip(x, y, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(y + i, tl.flip(tl.load(x + i)))


@triton.jit
def gather(x, y, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(y + i, tl.gather(tl.load(x + i), N - 1 - i, 0))


def counts(kernel, words, warps):
    source = ASTSource(kernel, {"x": "*i32", "y": "*i32", "N": "constexpr"}, constexprs={"N": words})
    ptx = triton.compile(source, target=GPUTarget("cuda", 90, 32), options={"num_warps": warps}).asm["ptx"]
    return tuple(len(re.findall(rf"^\s*(?:@\S+\s+)?{word}\b", ptx, re.M)) for word in (r"bar\.sync", r"st\.shared", r"shfl\.sync"))


ROWS = [
    (flip, 128, 4, (7, 4, 7)),
    (gather, 128, 4, (1, 1, 0)),
    (flip, 32, 1, (0, 0, 5)),
    (gather, 32, 1, (0, 0, 1)),
    (flip, 128, 1, (0, 0, 20)),
    (gather, 128, 1, (0, 0, 16)),
]
good = True
for kernel, words, warps, wanted in ROWS:
    seen = counts(kernel, words, warps)
    print(f"{kernel.fn.__name__} of {words} words, warps: {warps}: barriers, shared stores, shuffles: {seen}")
    good &= seen == wanted
sys.exit(not good)
END_PY
TRITON_CACHE_DIR=$PWD/cache venv/bin/python see.py 2>/dev/null
