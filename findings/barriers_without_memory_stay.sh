#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# NVRTC and nvdisasm 13.5.37, sm_75, sm_90, sm_100, sm_120. Barriers of a CTA that order nothing: at the start of a kernel, at its
# end, two in a row, eight in a row, in a loop without any memory access. One would guess that the compiler drops them, or at
# least merges neighbours. Every barrier of the source stays, in PTX and in the code. A loop of four rounds with nothing but a
# barrier is unrolled to four barriers. So a macro or template that synchronises "to be sure" costs its full price each time.
set -euo pipefail
VERSION=13.5.37
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check --no-deps "nvidia-cuda-nvrtc==$VERSION" "nvidia-cuda-nvdisasm==$VERSION"
cat >see.py <<'END_PY'
import ctypes, glob, re, subprocess, sys
site = glob.glob("venv/lib/python3*/site-packages/nvidia/cu13")[0]
nvrtc = ctypes.CDLL(glob.glob(site + "/lib/libnvrtc.so.13")[0])

def counts(arch, body):
    """Barriers in PTX and in the code."""
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    source = 'extern "C" __global__ void k(unsigned *p) {' + body + "}"
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"k.cu", 0, None, None)
    options = [f"--gpu-architecture={arch}".encode()]
    assert nvrtc.nvrtcCompileProgram(program, 1, (ctypes.c_char_p * 1)(*options)) == 0
    def result(what):
        getattr(nvrtc, f"nvrtcGet{what}Size")(program, ctypes.byref(size))
        data = ctypes.create_string_buffer(size.value)
        getattr(nvrtc, f"nvrtcGet{what}")(program, data)
        return data.raw
    with open("k.cubin", "wb") as f:
        f.write(result("CUBIN"))
    sass = subprocess.run([site + "/bin/nvdisasm", "-c", "k.cubin"], capture_output=True, text=True, check=True).stdout
    return result("PTX").decode().count("bar.sync"), len(re.findall(r"BAR\.SYNC", sass))

cases = {"at the start": ("__syncthreads(); p[threadIdx.x] = 1;", 1),
         "at the end": ("p[threadIdx.x] = 1; __syncthreads();", 1),
         "two in a row": ("p[threadIdx.x] = 1; __syncthreads(); __syncthreads(); p[threadIdx.x ^ 1] += 2;", 2),
         "eight in a row": ("p[threadIdx.x] = 1;" + "__syncthreads();" * 8 + "p[threadIdx.x ^ 1] += 2;", 8),
         "loop of four rounds": ("for (int i = 0; i < 4; i++) __syncthreads();", 4),
         "nothing else": ("__syncthreads();", 1)}
right = 0
for arch in ("sm_75", "sm_90", "sm_100", "sm_120"):
    for name, (body, wanted) in cases.items():
        seen = counts(arch, body)
        print(f"{arch}, {name}: {wanted} in the source, {seen[0]} in PTX, {seen[1]} in the code")
        right += seen == (wanted, wanted)
sys.exit(right != 4 * len(cases))
END_PY
venv/bin/python see.py
