#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# numba-cuda 0.30.4, its simulator and its code for sm_90 (libNVVM 13.5.37). A kernel takes a mask of lanes apart with popc, clz,
# ffs and brev. One would guess that simulator and code agree, and that all four functions go by the type of the word. Neither is
# so. The simulator writes the number down in base 2 and counts digits, behind a minus sign for a negative number. All
# ones of int32 are -1: the code counts 32 bits, the simulator counts one. clz of int64 1 is 63 in code and 31 in the
# simulator, of int8 1 it is 7 and 31; ffs of int64 1 << 40 is 41 and 8.
# The code is not of one mind either. popc, clz and ffs of int64 read 64 bits. brev of int64 reads the lower 32, without a
# warning, and brev of uint64 reads all 64. brev of int8 1 is 1 << 31, although clz takes the same word for 8 bits.
# Integers of Python are int64 in Numba, so a kernel that passes its tests in the simulator takes other bits on the chip.
# A word of uint32 gives the same in both.
set -euo pipefail
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check --no-compile --no-deps "numba-cuda==0.30.4" "numba==0.68.1" "llvmlite==0.50.0" \
	"numpy==2.4.6" "cuda-bindings==13.5.0" "cuda-core==1.2.2" "cuda-pathfinder==1.9.1" "packaging==26.4" "nvidia-nvvm==13.5.37"
cat >rows.py <<'END_PY'
import numpy as np
from numba import cuda


def popc(words, out):
    out[0] = cuda.popc(words[0])


def clz(words, out):
    out[0] = cuda.clz(words[0])


def ffs(words, out):
    out[0] = cuda.ffs(words[0])


def brev(words, out):
    out[0] = cuda.brev(words[0])


# Function, type, word, value in the simulator, value in the code, bits of the word that the code loads.
ROWS = (
    (popc, np.uint32, 0xFFFFFFFF, 32, 32, 32),
    (popc, np.int32, -1, 1, 32, 32),
    (popc, np.int64, -1, 1, 64, 64),
    (clz, np.uint32, 1, 31, 31, 32),
    (clz, np.int8, 1, 31, 7, 8),
    (clz, np.int64, 1, 31, 63, 64),
    (clz, np.int64, 1 << 40, 0, 23, 64),
    (ffs, np.int64, 1 << 40, 8, 41, 64),
    (brev, np.uint32, 1, 1 << 31, 1 << 31, 32),
    (brev, np.int8, 1, 1 << 31, 1 << 31, 8),
    (brev, np.int64, 1, 1 << 31, 1 << 31, 32),
    (brev, np.int64, 1 << 40, 1, 0, 32),
    (brev, np.uint64, 1, 1 << 31, 1 << 63, 64),
)
END_PY
cat >simulator.py <<'END_PY'
import sys

import numpy as np
from numba import cuda
from rows import ROWS

good = True
for function, kind, word, wanted, _, _ in ROWS:
    out = np.zeros(1, dtype=np.uint64)
    cuda.jit(function)[1, 1](np.array([word], dtype=kind), out)
    print(f"simulator: {function.__name__} of {kind.__name__} {word} is {out[0]}")
    good &= out[0] == wanted
sys.exit(not good)
END_PY
cat >code.py <<'END_PY'
import re
import sys
import warnings

import numpy as np
from numba import cuda, from_dtype, uint64
from rows import ROWS

OUT = uint64[::1]


def of_a_constant(name, kind, word):
    space = {"cuda": cuda, "kind": from_dtype(np.dtype(kind))}
    exec(f"def kernel(out):\n    out[0] = cuda.{name}(kind({word}))", space)
    return cuda.compile_ptx(space["kernel"], (OUT,), cc=(9, 0))[0]


good = True
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    for function, kind, word, _, value, bits in ROWS:
        name = function.__name__
        folded = of_a_constant(name, kind, word)
        register = re.search(r"st\.global\.\w+\s+\[.*?\], (%\w+);", folded)[1]
        stored = int(re.search(rf"mov\.\w+\s+{register}, (-?\d+);", folded)[1]) % 2**64
        ptx = cuda.compile_ptx(function, (from_dtype(np.dtype(kind))[::1], OUT), cc=(9, 0))[0]
        loaded = int(re.search(r"ld\.global\.[a-z](\d+)", ptx)[1])
        print(f"code: {name} of {kind.__name__} {word} is {stored}, loads {loaded} bits")
        good &= (stored, loaded) == (value, bits)
good &= not said
sys.exit(not good)
END_PY
NUMBA_ENABLE_CUDASIM=1 venv/bin/python simulator.py
venv/bin/python code.py
