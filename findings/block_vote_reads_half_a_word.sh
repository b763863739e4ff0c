#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# numba-cuda 0.30.4 with libNVVM 13.5.37, sm_90. A kernel asks whether any thread of the block, or of the warp, has a word
# that is not 0. Integers of Python are int64 in Numba. One would guess that syncthreads_or and any_sync read one word
# in one way: true unless 0, as `if` does. any_sync, all_sync and ballot_sync compare all 64 bits with 0. syncthreads_or,
# syncthreads_and and syncthreads_count take the lower 32 bits and compare those, without a warning. The kernel does not even
# load the upper half. The simulator of the same package reads the whole word. A word of 32 bits is the same in both.
# So a set of flags above bit 31, or a difference that is a multiple of 2**32, is true for the warp and false for the block,
# and a loop that runs until no thread has work left ends early. The block functions refuse `word != 0`, which is a bool;
# numba.int32(word != 0) is right everywhere.
set -euo pipefail
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check --no-compile --no-deps "numba-cuda==0.30.4" "numba==0.68.1" "llvmlite==0.50.0" \
	"numpy==2.4.6" "cuda-bindings==13.5.0" "cuda-core==1.2.2" "cuda-pathfinder==1.9.1" "packaging==26.4" "nvidia-nvvm==13.5.37"
cat >see.py <<'END_PY'
import os
import re
import subprocess
import sys

from numba import cuda, int32, int64

ALL = 0xFFFFFFFF


def syncthreads_or(words, out):
    out[0] = cuda.syncthreads_or(words[cuda.threadIdx.x])


def syncthreads_and(words, out):
    out[0] = cuda.syncthreads_and(words[cuda.threadIdx.x])


def syncthreads_count(words, out):
    out[0] = cuda.syncthreads_count(words[cuda.threadIdx.x])


def any_sync(words, out):
    out[0] = cuda.any_sync(ALL, words[cuda.threadIdx.x])


def all_sync(words, out):
    out[0] = cuda.all_sync(ALL, words[cuda.threadIdx.x])


def ballot_sync(words, out):
    out[0] = cuda.ballot_sync(ALL, words[cuda.threadIdx.x])


def compared(words, out):
    out[0] = cuda.syncthreads_or(int32(words[cuda.threadIdx.x] != 0))


# Bits that the code loads and compares with 0, of a word of 64 bits.
ROWS = (
    (syncthreads_or, 32),
    (syncthreads_and, 32),
    (syncthreads_count, 32),
    (any_sync, 64),
    (all_sync, 64),
    (ballot_sync, 64),
    (compared, 64),
)
SIMULATED = """
import numpy
from numba import cuda
@cuda.jit
def votes(words, out):
    word = words[cuda.threadIdx.x]
    out[0] = cuda.syncthreads_or(word)
    out[1] = cuda.syncthreads_and(word)
    out[2] = cuda.syncthreads_count(word)
out = numpy.zeros(3, numpy.int64)
votes[1, 4](numpy.array([1 << 32, 1 << 40, 3 << 50, 1 << 33]), out)
print(*out)
"""
good = True
for kernel, wanted in ROWS:
    bits = []
    for word in (int64, int32):
        ptx, _ = cuda.compile_ptx(kernel, (word[::1], int32[::1]), cc=(9, 0))
        loaded = re.search(r"ld\.global\.\w(\d+)", ptx)[1]
        compared_with_zero = re.search(r"setp\.(?:ne|eq)\.\w(\d+)\s+%p\d+, %r\w*\d+, 0;", ptx)[1]
        bits.append((int(loaded), int(compared_with_zero)))
    print(f"{kernel.__name__}: bits loaded and compared with 0: of int64 {bits[0]}, of int32 {bits[1]}")
    good &= bits == [(wanted, wanted), (32, 32)]
simulator = subprocess.run([sys.executable, "-c", SIMULATED], env=os.environ | {"NUMBA_ENABLE_CUDASIM": "1"},
                           capture_output=True, text=True, check=True).stdout.strip()
print("simulator, four words whose lower halves are 0: or, and, count:", simulator)
good &= simulator == "1 1 4"
sys.exit(not good)
END_PY
venv/bin/python -W ignore see.py
