#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# LLVM 22.1.0 (llvmlite 0.50.0 of PyPI), target nvptx64, sm_90. One would guess that `volatile` on a relaxed atomic load gives
# ld.volatile, or ld.relaxed of the scope in the source. For an address known to be global, LLVM writes ld.mmio.relaxed.sys,
# the access meant for device registers, even where the source asks for the scope of one CTA. The same load without atomic
# is ld.volatile; with a generic address or in shared memory the atomic load is ld.volatile, too. With acquire, volatile
# only widens the scope: ld.acquire.sys for a source of one CTA. So the order of the source and the knowledge of the
# address space, which an optimiser can gain or lose, decide between four kinds of access.
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


def words(pointer, before, after):
    """The load of a function that loads one word through its first parameter."""
    text = f"""target triple = "nvptx64-nvidia-cuda"
define i32 @f({pointer} %p) {{
  %r = load {before} i32, {pointer} %p {after}
  ret i32 %r
}}"""
    module = llvm.parse_assembly(text)
    module.verify()
    found = re.findall(r"\bld\.[a-z0-9_.]+", machine.emit_assembly(module))
    return " ".join(name for name in found if not name.startswith("ld.param"))


GLOBAL, SHARED, GENERIC = "ptr addrspace(1)", "ptr addrspace(3)", "ptr"
BLOCK = 'syncscope("block")'
ROWS = [
    (GLOBAL, "atomic volatile", BLOCK + " monotonic, align 4", "ld.mmio.relaxed.sys.global.b32"),
    (GLOBAL, "atomic", BLOCK + " monotonic, align 4", "ld.relaxed.cta.global.b32"),
    (GLOBAL, "volatile", ", align 4", "ld.volatile.global.b32"),
    (SHARED, "atomic volatile", BLOCK + " monotonic, align 4", "ld.volatile.shared.b32"),
    (GENERIC, "atomic volatile", BLOCK + " monotonic, align 4", "ld.volatile.b32"),
    (GLOBAL, "atomic volatile", BLOCK + " acquire, align 4", "ld.acquire.sys.global.b32"),
    (GLOBAL, "atomic", BLOCK + " acquire, align 4", "ld.acquire.cta.global.b32"),
]
bad = 0
print("LLVM %d.%d.%d" % llvm.llvm_version_info)
for pointer, before, after, expected in ROWS:
    seen = words(pointer, before, after)
    print(f"load {before} i32, {pointer} {after}:   {seen}")
    bad |= seen != expected
raise SystemExit(bad)
END_PY
venv/bin/python see.py
