#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Cooperative groups of the CUDA runtime headers 13.5.37, NVRTC 13.5.37, sm_90. A group has barrier_arrive and barrier_wait.
# One would guess that a thread block's arrival is an arrival, as bar.arrive or an mbarrier would make it. For a cluster and
# a grid it is: barrier.cluster.arrive, or a barrier of the CTA and one atomic. For a thread block, barrier_arrive has no
# code at all, and barrier_wait is the whole barrier.
# So a thread that arrives, waits for a flag and then calls barrier_wait stops every other thread at barrier_wait, although all
# have arrived: a program that sets the flag behind its barrier_wait never ends, while the same code on a cluster does.
set -euo pipefail
VERSION=13.5.37
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check --no-deps "nvidia-cuda-nvrtc==$VERSION" "nvidia-cuda-runtime==$VERSION" \
	"nvidia-cuda-cccl==13.3.5.0.6"
cat >see.py <<'END_PY'
import ctypes, glob, re, sys
site = glob.glob("venv/lib/python3*/site-packages/nvidia/cu13")[0]
nvrtc = ctypes.CDLL(glob.glob(site + "/lib/libnvrtc.so.13")[0])

def ptx(group):
    source = "#include <cooperative_groups.h>\nextern \"C\" __global__ void k(unsigned *p) { auto g = cooperative_groups::" + group + """();
        p[0] = 1; auto token = g.barrier_arrive(); p[1] = 2; g.barrier_wait(static_cast<decltype(token) &&>(token)); p[2] = 3; }"""
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"k.cu", 0, None, None)
    options = [b"--gpu-architecture=sm_90", f"-I{site}/include".encode(), f"-I{site}/include/cccl".encode()]
    assert nvrtc.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options)) == 0
    nvrtc.nvrtcGetPTXSize(program, ctypes.byref(size))
    text = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetPTX(program, text)
    return text.value.decode()

def parts(group):
    """What the arrival and the wait are: barriers and atomics behind the first store, and behind the second one."""
    words = re.findall(r"st\.global|barrier\.[\w.]+|bar\.[\w.]+|atom\.[\w.]+|red\.[\w.]+|ld\.acquire[\w.]*", ptx(group))
    stores = [i for i, word in enumerate(words) if word == "st.global"]
    return words[stores[0] + 1:stores[1]], words[stores[1] + 1:stores[2]]

seen = {group: parts(group) for group in ("this_thread_block", "this_cluster", "this_grid")}
for group, (arrive, wait) in seen.items():
    print(f"{group}: barrier_arrive: {' '.join(arrive) or 'nothing'}; barrier_wait: {' '.join(wait)}")
sys.exit(seen != {"this_thread_block": ([], ["barrier.sync"]),
                  "this_cluster": (["barrier.cluster.arrive"], ["barrier.cluster.wait"]),
                  "this_grid": (["barrier.sync", "atom.add.release.gpu.u32"], ["ld.acquire.gpu.u32", "barrier.sync"])})
END_PY
venv/bin/python see.py
