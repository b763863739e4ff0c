#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cuTile Python (cuda-tile 1.7.0) with tileiras, ptxas and nvdisasm 13.5.37, sm_90, sm_100, sm_120. A tile program names no threads.
# By its manual a single thread of the block makes each scalar operation. A flag is loaded with acquire and device scope, item()
# makes a scalar of it, and the scalar decides about a loop or an if. One would guess one value in one look, and the whole block
# goes one way. In the code each thread loads the flag on its own, and each warp branches on what it has seen. No value is handed
# on between the warps: the barrier comes behind the loads. The flag may change between the loads of two
# warps. Then one warp leaves the loop and meets a barrier of ct.sum, the other goes round and meets the barrier of the loop.
# Both are barrier 0, so they release each other, and the sum is made of words of shared memory that nobody has written. With an
# `if`, warps that saw 0 end, and nobody writes their part of the sum. So each thread has its acquire, and the program is wrong.
# ct.atomic_or of 0 is made by one thread, and all others get the value through shared memory.
set -euo pipefail
VERSION=13.5.37
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check --no-compile --no-deps "cuda-tile==1.7.0" "typing_extensions==4.16.0" \
	"nvidia-cuda-tileiras==$VERSION" "nvidia-cuda-nvcc==$VERSION" "nvidia-nvvm==$VERSION" "nvidia-cuda-nvdisasm==$VERSION"
cat >see.py <<'END_PY'
import glob
import re
import subprocess
import sys

import cuda.tile as ct
from cuda.tile.compilation import ArrayConstraint, CallingConvention, KernelSignature, export_kernel

ACQUIRE, DEVICE = ct.MemoryOrder.ACQUIRE, ct.MemoryScope.DEVICE
NVDISASM = glob.glob("venv/lib/python3*/site-packages/nvidia/cu13/bin/nvdisasm")[0]


@ct.kernel
def load_in_a_loop(flag, data, out):
    while ct.load(flag, (0,), (1,), memory_order=ACQUIRE, memory_scope=DEVICE).item() == 0:
        pass
    ct.store(out, (0,), ct.sum(ct.load(data, (0,), (128,), allow_tma=False)))


@ct.kernel
def load_in_an_if(flag, data, out):
    if ct.load(flag, (0,), (1,), memory_order=ACQUIRE, memory_scope=DEVICE).item() != 0:
        ct.store(out, (0,), ct.sum(ct.load(data, (0,), (128,), allow_tma=False)))


@ct.kernel
def atomic_in_a_loop(flag, data, out):
    while ct.atomic_or(flag, (0,), 0, memory_order=ACQUIRE, memory_scope=DEVICE) == 0:
        pass
    ct.store(out, (0,), ct.sum(ct.load(data, (0,), (128,), allow_tma=False)))


# look: a load or an atomic at the flag; back: a branch back; out: an exit under a guard; STS, LDS: the shared memory.
SUM = "STS BAR0 LDS STS BAR0 LDS"
ROWS = (
    (load_in_a_loop, f"look BAR0 look BAR0 back {SUM}"),
    (load_in_an_if, f"look BAR0 out {SUM}"),
    (atomic_in_a_loop, f"look STS BAR0 LDS BAR0 look STS BAR0 LDS BAR0 back {SUM} BAR0"),
)
KINDS = ((r"LDG\.E\.STRONG|ATOMG", "look"), (r"STS", "STS"), (r"LDS", "LDS"), (r"BAR\.SYNC\S* 0x0", "BAR0"), (r"@\S+ EXIT", "out"))


def steps(code):
    labels, found = [], []
    for line in code.splitlines():
        if label := re.match(r"(\.L_x_\d+):", line):
            labels.append(label[1])
            continue
        text = re.sub(r"/\*.*?\*/", "", line).strip()
        if (branch := re.match(r"@\S+ BRA `\((\.L_x_\d+)\)", text)) and branch[1] in labels:
            found.append("back")
        found += [name for pattern, name in KINDS if re.match(rf"(@!?U?P\d )?({pattern})", text)]
    return " ".join(found)


array = ArrayConstraint(ct.int32, 1, index_dtype=ct.int32, stride_lower_bound_incl=0, alias_groups=(),
                        may_alias_internally=False, stride_constant=(1,), base_addr_divisible_by=16)
signature = KernelSignature([array] * 3, CallingConvention.cutile_python_v1(), "k")
good = True
for arch in ("sm_90", "sm_100", "sm_120"):
    for kernel, wanted in ROWS:
        export_kernel(kernel, [signature], "k.cubin", gpu_code=arch, output_format="cubin")
        code = subprocess.run([NVDISASM, "-c", "k.cubin"], capture_output=True, text=True, check=True).stdout
        seen = steps(code)
        print(f"{arch}, {kernel._annotated_function.pyfunc.__name__}: {seen}")
        if seen != wanted:
            print(f"   expected: {wanted}")
            good = False
sys.exit(not good)
END_PY
venv/bin/python see.py
