#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Warp 1.19.0 (warp-lang 1.19.0 of PyPI), compiled for sm_90. In a kernel of Warp, a[i] += v is an atomic: the manual says that
# the text stands for wp.atomic_add. wp.atomic_add refuses arrays of 8 and 16 bits with an error. One would guess that += of
# such an array is refused as well, or becomes a loop of compare-exchange. Neither is so: the code has a plain load, an addition
# and a plain store, and no warning is printed. -=, &=, |= and ^= are alike, and so are a field of 8 bits in a struct and a
# vector of 16 bits. float16 has 16 bits too, and is an atomic. bool is refused. *= and <<= are plain for 32 bits as well.
# So a histogram that moves from uint32 to uint16 to save memory compiles as before and can lose counts. Of one struct, s[i].y of
# 32 bits is counted by an atomic, and s[i].x of 8 bits, by the same statement, is not.
set -euo pipefail
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check --no-compile --no-deps "warp-lang==1.19.0" "numpy==2.4.6"
cat >see.py <<'END_PY'
import contextlib
import glob
import io
import os
import re
import sys

import warp as wp

wp.config.kernel_cache_dir = os.path.abspath("cache")
wp.config.enable_backward = False


@wp.struct
class Pair:
    x: wp.uint8
    y: wp.int32


def plus(t):
    @wp.kernel(module="unique")
    def kernel(a: wp.array(dtype=t), v: t):
        a[0] += v

    return kernel


def minus(t):
    @wp.kernel(module="unique")
    def kernel(a: wp.array(dtype=t), v: t):
        a[0] -= v

    return kernel


def bits_and(t):
    @wp.kernel(module="unique")
    def kernel(a: wp.array(dtype=t), v: t):
        a[0] &= v

    return kernel


def bits_or(t):
    @wp.kernel(module="unique")
    def kernel(a: wp.array(dtype=t), v: t):
        a[0] |= v

    return kernel


def bits_xor(t):
    @wp.kernel(module="unique")
    def kernel(a: wp.array(dtype=t), v: t):
        a[0] ^= v

    return kernel


def times(t):
    @wp.kernel(module="unique")
    def kernel(a: wp.array(dtype=t), v: t):
        a[0] *= v

    return kernel


def shift(t):
    @wp.kernel(module="unique")
    def kernel(a: wp.array(dtype=t), v: t):
        a[0] <<= v

    return kernel


def by_name(t):
    @wp.kernel(module="unique")
    def kernel(a: wp.array(dtype=t), v: t):
        wp.atomic_add(a, 0, v)

    return kernel


def field_x(t):
    @wp.kernel(module="unique")
    def kernel(a: wp.array(dtype=t), v: wp.uint8):
        a[0].x += v

    return kernel


def field_y(t):
    @wp.kernel(module="unique")
    def kernel(a: wp.array(dtype=t), v: wp.int32):
        a[0].y += v

    return kernel


PLAIN, ATOM, REFUSED = "load store", "atom", "refused"
NARROW = (wp.int8, wp.uint8, wp.int16, wp.uint16)
WIDE = (wp.int32, wp.uint32, wp.int64, wp.uint64)
ROWS = (
    (plus, NARROW, PLAIN),
    (minus, NARROW, PLAIN),
    (bits_and, NARROW, PLAIN),
    (bits_or, NARROW, PLAIN),
    (bits_xor, NARROW, PLAIN),
    (by_name, NARROW, REFUSED),
    (plus, WIDE, ATOM),
    (minus, WIDE, ATOM),
    (bits_and, WIDE, ATOM),
    (bits_or, WIDE, ATOM),
    (bits_xor, WIDE, ATOM),
    (by_name, WIDE, ATOM),
    (plus, (wp.float16, wp.bfloat16, wp.float32, wp.float64), ATOM),
    (bits_or, (wp.bool,), REFUSED),
    (times, (wp.uint16, wp.int32, wp.float32), PLAIN),
    (shift, (wp.uint16, wp.int32), PLAIN),
    (plus, (wp.types.vector(2, wp.int16),), f"load {PLAIN} store"),
    (plus, (wp.vec2i,), f"{ATOM} {ATOM}"),
    (field_x, (Pair,), PLAIN),
    (field_y, (Pair,), ATOM),
)


def accesses(kernel, folder):
    """Accesses of the array in the PTX, in order, or `refused`."""
    try:
        wp.compile_aot_module(kernel.module, arch=90, module_dir=folder, use_ptx=True)
    except Exception as error:
        assert "atomic_" in str(error) and "operations only work on arrays" in str(error), error
        return REFUSED
    ptx = open(glob.glob(folder + "/*.ptx")[0]).read()
    kinds = {"ld": "load", "st": "store", "atom": "atom", "red": "atom"}
    return " ".join(kinds[word] for word in re.findall(r"\b(atom|red|(?:ld|st)(?=\.global))\.", ptx))


said = io.StringIO()
with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
    seen = [[accesses(make(t), f"m{i}_{j}") for j, t in enumerate(types)] for i, (make, types, _) in enumerate(ROWS)]
good = "Warning" not in said.getvalue()
for (make, types, wanted), found in zip(ROWS, seen, strict=True):
    names = " ".join(getattr(t, "__name__", "Pair") for t in types)
    print(f"{make.__name__} of {names}: {'; '.join(dict.fromkeys(found))}")
    good &= set(found) == {wanted}
sys.exit(not good)
END_PY
venv/bin/python see.py
