#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# LLVM 22.1.0 (llvmlite 0.50.0 of PyPI), target nvptx64, sm_90. One would guess that an atomicrmw keeps its order and its scope
# in PTX, as cmpxchg, atomic loads and atomic stores do. LLVM writes `atom.global.add.u32` for seq_cst and for release, of
# the whole system and of one CTA alike. PTX reads that text as relaxed and of device scope. So a seq_cst addition orders
# nothing, and an atomic of the whole system does not reach the host. No warning is printed.
# The operation decides: nand and 8-bit addition become a loop around atom.cas, and that loop keeps order and scope.
# Seen: `atom.global.add.u32` four times; with cas: fence.sc.sys with .acquire.sys, .release.sys, .acq_rel.cta.
set -euo pipefail
VERSION=0.50.0
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check "llvmlite==$VERSION"
cat >see.py <<'END_PY'
import re
import llvmlite.binding as llvm

llvm.initialize_all_targets()
llvm.initialize_all_asmprinters()
target = llvm.Target.from_triple("nvptx64-nvidia-cuda")
machine = target.create_target_machine(cpu="sm_90", features="+ptx83")


def words(kind, instruction):
    """The atomics and fences of a function that returns the result of one instruction."""
    text = f"""target triple = "nvptx64-nvidia-cuda"
define void @f(ptr addrspace(1) %p, ptr %q) {{
  %r = {instruction}
  store {kind} %r, ptr %q
  ret void
}}"""
    module = llvm.parse_assembly(text)
    module.verify()
    return " ".join(re.findall(r"\b(?:atom|fence)\.[a-z0-9_.]+", machine.emit_assembly(module)))


ROWS = [
    ("i32", "atomicrmw add ptr addrspace(1) %p, i32 1 seq_cst", "atom.global.add.u32"),
    ("i32", "atomicrmw add ptr addrspace(1) %p, i32 1 release", "atom.global.add.u32"),
    ("i32", 'atomicrmw add ptr addrspace(1) %p, i32 1 syncscope("block") acq_rel', "atom.global.add.u32"),
    ("i32", "atomicrmw add ptr addrspace(1) %p, i32 1 monotonic", "atom.global.add.u32"),
    ("{i32, i1}", "cmpxchg ptr addrspace(1) %p, i32 1, i32 2 seq_cst monotonic",
     "fence.sc.sys atom.acquire.sys.global.cas.b32"),
    ("i32", "atomicrmw nand ptr addrspace(1) %p, i32 1 release", "atom.release.sys.global.cas.b32"),
    ("i8", 'atomicrmw add ptr addrspace(1) %p, i8 1 syncscope("block") acq_rel', "atom.acq_rel.cta.global.cas.b32"),
]
bad = 0
print("LLVM %d.%d.%d" % llvm.llvm_version_info)
for kind, instruction, expected in ROWS:
    seen = words(kind, instruction)
    print(f"{instruction}:   {seen}")
    bad |= seen != expected
raise SystemExit(bad)
END_PY
venv/bin/python see.py
