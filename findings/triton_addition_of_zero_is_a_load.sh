#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Triton 3.9.0, compiled for sm_80 and sm_90. An addition of zero is a usual way to look at a word by an atomic: the look takes its
# place among the changes of the word. One would guess that Triton keeps tl.atomic_add(p, 0) as an atomic, since
# both the order and the cost of an atomic are what the author has asked for. For one word Triton writes ld.relaxed or
# ld.acquire instead, of integers and of floats. The place, the order and the use of the result decide: with release or acq_rel
# the atomic stays, a block of words keeps atomics, and a relaxed addition without a use of the result stays a red of zero.
# The other operations that change nothing, or 0 and and -1, stay atomics with every order.
# So in a spin loop "atomic_add of 0" and "atomic_or of 0" are two kinds of access, and one of them asks the L2 for no change.
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
def add(f, y, ORDER: tl.constexpr):
    tl.store(y, tl.atomic_add(f, 0, sem=ORDER))


@triton.jit
def add_block(f, y, ORDER: tl.constexpr):
    i = tl.arange(0, 128)
    tl.store(y + i, tl.atomic_add(f + i, 0, sem=ORDER))


@triton.jit
def add_unused(f, y, ORDER: tl.constexpr):
    tl.atomic_add(f, 0, sem=ORDER)


@triton.jit
def or_(f, y, ORDER: tl.constexpr):
    tl.store(y, tl.atomic_or(f, 0, sem=ORDER))


@triton.jit
def and_(f, y, ORDER: tl.constexpr):
    tl.store(y, tl.atomic_and(f, -1, sem=ORDER))


def access(kernel, arch, order, word):
    source = ASTSource(kernel, {"f": word, "y": word, "ORDER": "constexpr"}, constexprs={"ORDER": order})
    ptx = triton.compile(source, target=GPUTarget("cuda", arch, 32)).asm["ptx"]
    return " ".join(re.findall(r"\b(ld|red|atom)\.global", ptx))


ORDERS = ("relaxed", "acquire", "release", "acq_rel")
ROWS = [
    (add, "*i32", ("ld", "ld", "atom", "atom")),
    (add, "*fp32", ("ld", "ld", "atom", "atom")),
    (add_unused, "*i32", ("red", "ld", "red", "atom")),
    (add_block, "*i32", ("atom",) * 4),
    (or_, "*i32", ("atom",) * 4),
    (and_, "*i32", ("atom",) * 4),
]
good = True
for arch in (80, 90):
    for kernel, word, wanted in ROWS:
        seen = tuple(access(kernel, arch, order, word) for order in ORDERS)
        print(f"sm_{arch} {kernel.fn.__name__} of {word}: " + ", ".join(map(" ".join, zip(ORDERS, seen))))
        good &= seen == wanted
sys.exit(not good)
END_PY
TRITON_CACHE_DIR=$PWD/cache venv/bin/python see.py 2>/dev/null
