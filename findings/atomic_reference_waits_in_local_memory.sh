#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# CCCL 13.3.5.0.6 (PyPI) with NVRTC 13.5.37, sm_90. A word in global memory, and a thread that waits until the word is not 0.
# cuda::atomic and cuda::atomic_ref both have wait(). A reference is an address, so one would guess that both wait alike,
# with the address in a register. For the object that is so. For the reference the address is put in local memory, and each
# look loads the address by ld.volatile.local before the word: two loads a look, and the second waits for the first. There are
# 18 places that look and two that sleep. A loop around load() has no access of local memory, and one place that looks.
# Without an order in the call, each of the 18 looks has a fence.sc in front, of the object as well; with acquire there is none.
# So the reference, which is meant for a word that already exists, makes the waiting dearer. A thread that waits
# shows up as local traffic, as a register spill does, in a kernel that spills nothing.
set -euo pipefail
VERSION=13.5.37
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check --no-deps "nvidia-cuda-nvrtc==$VERSION" "nvidia-cuda-runtime==$VERSION" \
	"nvidia-cuda-cccl==13.3.5.0.6"
cat >see.py <<'END_PY'
import ctypes
import glob
import re
import sys

site = glob.glob("venv/lib/python3*/site-packages/nvidia/cu13")[0]
nvrtc = ctypes.CDLL(glob.glob(site + "/lib/libnvrtc.so.13")[0])
SOURCE = """#include <cuda/atomic>
using word = cuda::atomic<unsigned, cuda::thread_scope_device>;
using reference = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;
extern "C" __global__ void reference_default(unsigned *p) { reference r(*p); r.wait(0); }
extern "C" __global__ void reference_acquire(unsigned *p) { reference r(*p); r.wait(0, cuda::memory_order_acquire); }
extern "C" __global__ void reference_by_hand(unsigned *p) { reference r(*p); while (r.load() == 0) ; }
extern "C" __global__ void object_default(word *p) { p->wait(0); }
extern "C" __global__ void object_acquire(word *p) { p->wait(0, cuda::memory_order_acquire); }
"""


def ptx():
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), SOURCE.encode(), b"k.cu", 0, None, None)
    options = [b"--gpu-architecture=sm_90", f"-I{site}/include".encode(), f"-I{site}/include/cccl".encode()]
    assert nvrtc.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options)) == 0
    nvrtc.nvrtcGetPTXSize(program, ctypes.byref(size))
    text = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetPTX(program, text)
    return text.value.decode()


# Kernel: fences, loads of the word, loads of the address in local memory, stores of that address, sleeps.
WANTED = {
    "reference_default": [18, 18, 18, 1, 2],
    "reference_acquire": [0, 18, 18, 1, 2],
    "reference_by_hand": [1, 1, 0, 0, 0],
    "object_default": [18, 18, 0, 0, 2],
    "object_acquire": [0, 18, 0, 0, 2],
}
WORDS = (r"fence\.sc\.gpu", r"ld\.acquire\.gpu\.b32", r"ld\.volatile\.local\.u64", r"st\.local\.u64", r"nanosleep\.u32")
good = True
for part in ptx().split(".entry ")[1:]:
    name = re.match(r"\w+", part)[0]
    seen = [len(re.findall(rf"\b{word}[\s;]", part)) for word in WORDS]
    print(f"{name}: fence.sc {seen[0]}, ld.acquire {seen[1]}, ld.volatile.local {seen[2]}, st.local {seen[3]}, nanosleep {seen[4]}")
    good &= seen == WANTED.pop(name)
sys.exit(not good or bool(WANTED))
END_PY
venv/bin/python see.py
