#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# LLVM 20.1.8 and 22.1.0 (llvmlite 0.45.1 and 0.50.0 of PyPI), target nvptx64, sm_90. A function loads a word of its own, then
# a flag with acquire, then the neighbour of the word, which another thread writes before its release of the flag. The
# neighbour counts only if the flag is set. One would guess three loads in this order: no load may move up over an acquire.
# LLVM makes one ld.global.v2 of both words and puts it at the first one, in front of the flag: the flag can be set and the
# data old. seq_cst is no better, the pair stands before the fence.sc. A flag in shared memory and `load atomic volatile` give
# the same. With the word itself loaded twice, LLVM 22 drops the second load, LLVM 20 keeps it. A relaxed load with `fence
# acquire`, an atomicrmw and a cmpxchg keep both loads apart. A release store between two stores keeps both stores apart, in
# either version, so the sending side of a program is right. Without optimisation of the target all orders hold. LLVM's
# developers know the case (llvm-project, pull request 208631). So whether the receiving side is right depends on whether its
# words happen to be neighbours.
set -euo pipefail
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
cat >see.py <<'END_PY'
import re
import sys

import llvmlite.binding as llvm

llvm.initialize_all_targets()
llvm.initialize_all_asmprinters()
target = llvm.Target.from_triple("nvptx64-nvidia-cuda")
major = llvm.llvm_version_info[0]

FLAG = "load atomic i32, ptr addrspace(1) %flag"
LOOKS = {
    "acquire": f"%v = {FLAG} acquire, align 4",
    "acquire of the CTA": f'%v = {FLAG} syncscope("block") acquire, align 4',
    "acquire, shared": "%v = load atomic i32, ptr addrspace(3) %near acquire, align 4",
    "acquire, volatile": "%v = load atomic volatile i32, ptr addrspace(1) %flag acquire, align 4",
    "seq_cst": f"%v = {FLAG} seq_cst, align 4",
    "relaxed, fence": f"%v = {FLAG} monotonic, align 4\n  fence acquire",
    "atomicrmw": "%v = atomicrmw or ptr addrspace(1) %flag, i32 0 acquire",
    "cmpxchg": "%w = cmpxchg ptr addrspace(1) %flag, i32 1, i32 0 acquire monotonic\n  %v = extractvalue {i32, i1} %w, 0",
}


def words(body, level):
    """The accesses and fences in the code of a function, without the spaces and types."""
    text = f"""target triple = "nvptx64-nvidia-cuda"
define void @f(ptr addrspace(1) align 8 %p, ptr addrspace(1) noalias %flag,
    ptr addrspace(1) noalias %out, ptr addrspace(3) %near) {{
  %next = getelementptr i32, ptr addrspace(1) %p, i64 1
  {body}
  ret void
}}"""
    machine = target.create_target_machine(cpu="sm_90", features="+ptx83", opt=level)
    module = llvm.parse_assembly(text)
    module.verify()
    code = machine.emit_assembly(module)
    found = re.findall(r"\b(?:ld|st|atom|fence)\.(?!param)[a-z0-9_.]+", code)
    return " ".join(re.sub(r"\.(global|shared|sys|cta|[bu]32|cas|or)\b", "", word) for word in found)


def look(body, second, level=2):
    return words(f"""%x = load i32, ptr addrspace(1) %p, align 8
  {body}
  %y = load i32, ptr addrspace(1) {second}, align 4
  %set = icmp ne i32 %v, 0
  %r = select i1 %set, i32 %y, i32 %x
  store i32 %r, ptr addrspace(1) %out""", level).removesuffix(" st")


good = True
print("LLVM %d.%d.%d" % llvm.llvm_version_info)
for name, body in LOOKS.items():
    neighbour, same, plain = look(body, "%next"), look(body, "%p"), look(body, "%next", 0)
    print(f"{name}: neighbour: {neighbour}; same word: {same}; not optimised: {plain}")
    middle = plain.removeprefix("ld ").removesuffix(" ld")
    early = name.startswith(("acquire", "seq_cst"))
    good &= plain == f"ld {middle} ld" and middle != plain
    good &= neighbour == (f"ld.v2 {middle}" if early else plain)
    good &= same == (f"ld {middle}" if early and major == 22 else plain)
release = words("""store i32 1, ptr addrspace(1) %p, align 8
  store atomic i32 1, ptr addrspace(1) %flag release, align 4
  store i32 2, ptr addrspace(1) %next, align 4""", 2)
print(f"release between two stores: {release}")
sys.exit(not (good and release == "st st.release st"))
END_PY
look() { # VENV PACKAGE
	python3 -m venv "$1"
	"$1/bin/pip" -q install --disable-pip-version-check "$2"
	"$1/bin/python" see.py
}
look llvm-20 llvmlite==0.45.1
look llvm-22 llvmlite==0.50.0
