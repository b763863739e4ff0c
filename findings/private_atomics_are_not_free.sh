#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# CCCL 13.3.5.0.6 with NVRTC and nvdisasm 13.5.37, sm_90. Two atomics that no other thread can take part in. One would
# guess that both cost what a plain addition costs.
# - cuda::atomic_ref with thread_scope_thread, seq_cst: the code has fence.sc.cta and an atomic of CTA scope, the same words
#   as with thread_scope_block. Only cuda::atomic_thread_fence knows that scope: with it the fence is no instruction.
# - cuda::atomic_ref with thread_scope_device on a local variable: PTX has no atomic on local memory, so the library takes
#   plain accesses, and it adds a `nanosleep 0`, which stays in the code as NANOSLEEP RZ. The variable stays in memory.
# So an atomic that the compiler can know to be private still fences the CTA or executes a sleep.
set -euo pipefail
VERSION=13.5.37 CCCL_VERSION=13.3.5.0.6
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check --no-deps "nvidia-cuda-nvrtc==$VERSION" \
	"nvidia-cuda-nvdisasm==$VERSION" "nvidia-cuda-runtime==$VERSION" "nvidia-cuda-cccl==$CCCL_VERSION"
cat >see.py <<'END_PY'
import ctypes, glob, re, subprocess, sys
site = glob.glob("venv/lib/python3*/site-packages/nvidia/cu13")[0]
nvrtc = ctypes.CDLL(glob.glob(site + "/lib/libnvrtc.so.13")[0])

def sass(body):
    source = "#include <cuda/atomic>\nextern \"C\" __global__ void k(unsigned *p, unsigned n) {" + body + "}"
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"k.cu", 0, None, None)
    options = [b"--gpu-architecture=sm_90", f"-I{site}/include".encode(), f"-I{site}/include/cccl".encode()]
    assert nvrtc.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options)) == 0
    nvrtc.nvrtcGetCUBINSize(program, ctypes.byref(size))
    cubin = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetCUBIN(program, cubin)
    with open("k.cubin", "wb") as f:
        f.write(cubin.raw)
    text = subprocess.run([site + "/bin/nvdisasm", "-c", "k.cubin"], capture_output=True, text=True, check=True).stdout
    return re.findall(r"\b(MEMBAR\.[\w.]*|ATOM\w*\.[\w.]*|RED\w*\.[\w.]*|NANOSLEEP \w+|[LS][DT]L[.\w]*)", text)

ref = "cuda::atomic_ref<unsigned, cuda::thread_scope_%s> a(%s); "
cases = {"addition, scope thread": ref % ("thread", "*p") + "p[1] = a.fetch_add(n);",
         "addition, scope block": ref % ("block", "*p") + "p[1] = a.fetch_add(n);",
         "fence, scope thread": "cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_thread); *p = n;",
         "fence, scope block": "cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_block); *p = n;",
         "addition, local variable": "unsigned l = n; " + ref % ("device", "l") + "a.fetch_add(p[0]); p[1] = l;"}
seen = {name: sass(body) for name, body in cases.items()}
for name, words in seen.items():
    print(f"{name}: {' '.join(words) or 'nothing'}")
same = seen["addition, scope thread"] == seen["addition, scope block"] and any("MEMBAR.SC.CTA" in w for w in seen["addition, scope thread"])
fence = seen["fence, scope thread"] == [] and seen["fence, scope block"] == ["MEMBAR.SC.CTA"]
sleeps = "NANOSLEEP RZ" in seen["addition, local variable"]
sys.exit(not (same and fence and sleeps))
END_PY
venv/bin/python see.py
