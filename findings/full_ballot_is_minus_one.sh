#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# numba-cuda 0.30.4 with libNVVM 13.5.37, sm_90. A warp votes, and the kernel asks whether all lanes have voted yes: the ballot
# equals 0xffffffff, or equals the mask of active lanes. All these masks have 32 bits, so one would guess that they share one
# type, unsigned as in CUDA C++. activemask() and lanemask_lt() are unsigned. ballot_sync, match_any_sync and match_all_sync
# are signed, and Numba widens both kinds to int64 where they meet. So a full ballot is -1 and never equals 4294967295: the
# comparison with 0xffffffff is the constant 0 in the code, and the vote is made for nothing. activemask() == 0xffffffff works.
# A ballot equals activemask() unless lane 31 is in it. `ballot >> (lane + 1)`, the lanes above, shifts the sign of lane 31 down,
# and popc counts it up to 64 bits: more lanes than a warp has. popc of the ballot itself, and ballot & lanemask_lt(), are
# right. No warning is printed. numba.uint32(ballot) is right everywhere.
set -euo pipefail
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check --no-compile --no-deps "numba-cuda==0.30.4" "numba==0.68.1" "llvmlite==0.50.0" \
	"numpy==2.4.6" "cuda-bindings==13.5.0" "cuda-core==1.2.2" "cuda-pathfinder==1.9.1" "packaging==26.4" "nvidia-nvvm==13.5.37"
cat >see.py <<'END_PY'
import re
import sys

from numba import boolean, cuda, int32, uint32

ALL = 0xFFFFFFFF


def ballot_full(yes, out):
    out[0] = cuda.ballot_sync(ALL, yes) == ALL


def match_any_full(yes, out):
    out[0] = cuda.match_any_sync(ALL, int32(yes)) == ALL


def match_all_full(yes, out):
    out[0] = cuda.match_all_sync(ALL, int32(yes))[0] == ALL


def active_full(yes, out):
    out[0] = cuda.activemask() == ALL


def ballot_minus_one(yes, out):
    out[0] = cuda.ballot_sync(ALL, yes) == -1


def unsigned_full(yes, out):
    out[0] = uint32(cuda.ballot_sync(ALL, yes)) == ALL


def ballot_active(yes, out):
    out[0] = cuda.ballot_sync(ALL, yes) == cuda.activemask()


def lanes_above(yes, out):
    out[0] = cuda.popc(cuda.ballot_sync(ALL, yes) >> (cuda.laneid + 1))


def lanes_below(yes, out):
    out[0] = cuda.popc(cuda.ballot_sync(ALL, yes) & cuda.lanemask_lt())


# The instructions of the code that make the answer out of the masks.
ROWS = (
    (ballot_full, "vote.sync.ballot.b32"),
    (match_any_full, "match.any.sync.b32"),
    (match_all_full, "match.all.sync.b32"),
    (active_full, "activemask.b32 setp.eq.s32"),
    (ballot_minus_one, "vote.sync.ballot.b32 setp.eq.s32"),
    (unsigned_full, "vote.sync.ballot.b32 setp.eq.s32"),
    (ballot_active, "vote.sync.ballot.b32 activemask.b32 cvt.s64.s32 setp.eq.s64"),
    (lanes_above, "vote.sync.ballot.b32 cvt.s64.s32 shr.s64 popc.b64"),
    (lanes_below, "vote.sync.ballot.b32 and.b32 popc.b64"),
)
STEPS = r"(vote\.sync\.ballot\.b32|match\.\w+\.sync\.b32|activemask\.b32|setp\.eq\.\w+|cvt\.s64\.s32|shr\.\w+|and\.b32|popc\.\w+)\s"
good = True
for kernel, wanted in ROWS:
    ptx, _ = cuda.compile_ptx(kernel, (boolean, int32[::1]), cc=(9, 0))
    seen = " ".join(re.findall(STEPS, ptx))
    stored = re.search(r"st\.global\.\w+\s+\[%rd\d+\], (%\w+);", ptx)[1]
    constant = re.search(rf"mov\.\w+\s+{stored}, (\d+);", ptx)
    print(f"{kernel.__name__}: {seen}; the answer is {'the constant ' + constant[1] if constant else 'computed'}")
    good &= seen == wanted and bool(constant) == kernel.__name__.endswith(("ot_full", "any_full", "all_full"))
    good &= not constant or constant[1] == "0"
sys.exit(not good)
END_PY
venv/bin/python -W ignore see.py
