#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# NVRTC 13.5.37 with its builtin __nv_atomic_compare_exchange_n, and cuda::atomic_ref of CCCL 13.3.5.0.6. A push onto a
# lock-free list gives the link of its node as the expected value of compare_exchange. After success the node belongs to
# others. One would guess that the code stores the found value into the expected value after a failure alone, as C++ says and
# as compilers for CPUs do since 2014. Both write it after success, too: a plain store behind the atomic, on every path.
# The builtin also loads the expected value a second time behind the atomic and compares with that. If a thread has taken
# the node and changed the link by then, the comparison says "failed", and the node is pushed a second time.
# With the expected value in a local variable there is no memory access behind the atomic.
set -euo pipefail
NVRTC_VERSION=13.5.37 CCCL_VERSION=13.3.5.0.6
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check --no-deps \
	"nvidia-cuda-nvrtc==$NVRTC_VERSION" "nvidia-cuda-cccl==$CCCL_VERSION" "nvidia-cuda-runtime==$NVRTC_VERSION"
cat >see.py <<'END_PY'
import ctypes, glob, re, sys
site = glob.glob("venv/lib/python3*/site-packages/nvidia/cu13")[0]
nvrtc = ctypes.CDLL(glob.glob(site + "/lib/libnvrtc.so.13")[0])

def ptx(source):
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"k.cu", 0, None, None)
    options = [b"--gpu-architecture=sm_90", f"-I{site}/include".encode(), f"-I{site}/include/cccl".encode()]
    if nvrtc.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options)):
        nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
        log = ctypes.create_string_buffer(size.value)
        nvrtc.nvrtcGetProgramLog(program, log)
        sys.exit(log.value.decode())
    nvrtc.nvrtcGetPTXSize(program, ctypes.byref(size))
    text = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetPTX(program, text)
    return text.value.decode()

def behind(source):
    """The accesses to memory between the atomic and the branch back: executed on success and on failure."""
    loop = re.search(r"atom\.cas.*?\n(.*?)bra", ptx(source), re.S)[1]
    return [f"{op} {space}" for op, space in re.findall(r"\b(ld|st)\.(\w+)", loop)]

def push(include, expected, link, cas):
    return include + """
struct node { unsigned next, value; };
extern "C" __global__ void push(unsigned *head, node *all) {
    unsigned i = threadIdx.x; node *n = all + i; """ + expected + " = *head;\n" + "do { " + link + "; } while (!" + cas + ");}"

builtin = "__nv_atomic_compare_exchange_n(head, &%s, i, true, __NV_ATOMIC_RELEASE, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE)"
library = ("cuda::atomic_ref<unsigned, cuda::thread_scope_device>(*head).compare_exchange_weak(%s, i, "
           "cuda::memory_order_release, cuda::memory_order_relaxed)")
seen = {}
for name, include, cas in (("builtin", "", builtin), ("cuda::atomic_ref", "#include <cuda/atomic>", library)):
    seen[name, "link of the node"] = behind(push(include, "n->next", "", cas % "n->next"))
    seen[name, "local variable"] = behind(push(include, "unsigned old", "n->next = old", cas % "old"))
for (name, expected), accesses in seen.items():
    print(f"{name}, expected value in a {expected}: behind the atomic: {', '.join(accesses) or 'nothing'}")
sys.exit(list(seen.values()) != [["ld global", "st global"], [], ["st global"], []])
END_PY
venv/bin/python see.py
