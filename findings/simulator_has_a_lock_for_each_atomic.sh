#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The simulator of numba-cuda 0.30.4, four threads, one word of 64 bits. Half of the threads add to the word, the others use
# another atomic of the same word: max with 0, sub, or exch to take what has gathered. An atomic is one step for every other
# atomic of its word, whatever the operation, so one would guess that the simulator, whose threads are threads of Python
# behind locks, loses no addition. It has one lock for each operation, not one for each word. Two additions exclude each other.
# An addition and a max do not: max reads the word, the addition comes and goes, max writes the old value back. It is
# the same with an addition and a subtraction, an addition and an exchange, and with inc and dec.
# Loops of 5,000 steps lose additions in the first launches, with Python's usual change of threads every 5 ms and with the
# quick one below. Loops of some hundred steps mostly pass. Additions of 1 and of -1 in place of add and sub lose nothing.
# So a test in the simulator fails by chance although the kernel is right, and the failure looks like a race of the kernel.
set -euo pipefail
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check --no-compile --no-deps "numba-cuda==0.30.4" "numba==0.68.1" "llvmlite==0.50.0" \
	"numpy==2.4.6" "cuda-bindings==13.5.0" "cuda-core==1.2.2" "cuda-pathfinder==1.9.1" "packaging==26.4"
cat >see.py <<'END_PY'
import sys

import numpy as np
from numba import cuda

STEPS, LAUNCHES, THREADS = 5000, 200, 4
MANY = 1 << 40


@cuda.jit
def add_and_max(word):
    for _ in range(STEPS):
        if cuda.threadIdx.x % 2:
            cuda.atomic.add(word, 0, 1)
        else:
            cuda.atomic.max(word, 0, 0)


@cuda.jit
def add_and_sub(word):
    for _ in range(STEPS):
        if cuda.threadIdx.x % 2:
            cuda.atomic.add(word, 0, 1)
        else:
            cuda.atomic.sub(word, 0, 1)


@cuda.jit
def add_and_exch(word):
    for _ in range(STEPS):
        if cuda.threadIdx.x % 2:
            cuda.atomic.add(word, 0, 1)
        else:
            cuda.atomic.add(word, 1, cuda.atomic.exch(word, 0, 0))


@cuda.jit
def inc_and_dec(word):
    for _ in range(STEPS):
        if cuda.threadIdx.x % 2:
            cuda.atomic.inc(word, 0, MANY)
        else:
            cuda.atomic.dec(word, 0, MANY)


@cuda.jit
def add_and_add(word):
    for _ in range(STEPS):
        if cuda.threadIdx.x % 2:
            cuda.atomic.add(word, 0, 1)
        else:
            cuda.atomic.add(word, 0, -1)


# Kernel, type, word at the start, sum of both words at the end, whether additions are lost. Half of the threads add.
START = 1 << 20
ADDED = STEPS * THREADS // 2
ROWS = (
    (add_and_max, np.int64, 0, ADDED, True),
    (add_and_sub, np.int64, 0, 0, True),
    (add_and_exch, np.int64, 0, ADDED, True),
    (inc_and_dec, np.uint64, START, START, True),
    (add_and_add, np.int64, 0, 0, False),
)
sys.setswitchinterval(1e-6)
good = True
for kernel, kind, start, wanted, loses in ROWS:
    found = []
    while len(found) < (LAUNCHES if loses else 20) and not (found and found[-1] != wanted):
        word = np.array([start, 0], dtype=kind)
        kernel[1, THREADS](word)
        found.append(int(word.sum()))
    name = kernel.fn.__name__
    print(f"{name}: {len(found)} launches, the last gives {found[-1]}, without a loss {wanted}")
    good &= (found[-1] != wanted) == loses
sys.exit(not good)
END_PY
NUMBA_ENABLE_CUDASIM=1 venv/bin/python see.py
