#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Cooperative groups of the CUDA runtime headers 13.5.37, NVRTC 13.5.37, sm_90. tiled_partition<64> makes groups of two
# warps, and sync() of such a group is a barrier of 64 threads. The hardware has such a barrier: bar.sync with a number and 64.
# One would guess that sync() takes one of these. It takes none. Each warp meets by bar.warp.sync, one lane sets the bit of
# its warp in a word of shared memory by atom.or.acq_rel, the last warp clears the word by red.and, and the other
# warp looks at the word in a loop of ld.acquire without a sleep. A group of 32 has bar.warp.sync alone, a thread block has
# barrier.sync.
# So a waiting warp of such a group issues loads all the time, where a warp at a hardware barrier issues nothing. A count of
# barriers misses these groups, and a tool that knows barriers alone takes the handover of data for a race.
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
SOURCE = """#include <cooperative_groups.h>
namespace groups = cooperative_groups;
template <class Group> __device__ void steps(Group group, unsigned *p) { p[0] = 1; group.sync(); p[1] = 2; }
extern "C" __global__ void block(unsigned *p) { steps(groups::this_thread_block(), p); }
extern "C" __global__ void tile_32(unsigned *p) { steps(groups::tiled_partition<32>(groups::this_thread_block()), p); }
extern "C" __global__ void tile_64(unsigned *p) {
    __shared__ groups::block_tile_memory<256> memory;
    steps(groups::tiled_partition<64>(groups::this_thread_block(memory)), p);
}
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


WANTED = {
    "block": ["barrier.sync"],
    "tile_32": ["bar.warp.sync"],
    "tile_64": ["bar.warp.sync", "atom.or.acq_rel.cta.b32", "red.and.relaxed.cta.b32", "ld.acquire.cta.u32", "bar.warp.sync"],
}
good = True
for part in ptx().split(".entry ")[1:]:
    name = re.match(r"\w+", part)[0]
    between = part.split("st.global.u32")[1]  # The steps of sync() stand between the two stores.
    words = re.findall(r"\b(?:barrier|bar|atom|red|ld|nanosleep)\.[\w.]+", between)
    # A loop: a branch behind the load goes back to the label in front of the load.
    loop, load = False, between.find("ld.acquire")
    if load >= 0:
        label = re.findall(r"\$\w+(?=:)", between[:load])[-1]
        loop = re.search(rf"\bbra(?:\.uni)?\s+{re.escape(label)};", between[load:]) is not None
    print(f"{name}: {' '.join(words)}; loop around ld.acquire: {loop}")
    good &= words == WANTED[name] and loop == (name == "tile_64")
sys.exit(not good)
END_PY
venv/bin/python see.py
