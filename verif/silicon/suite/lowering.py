#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which PTX atomics become one instruction and which become a sequence with branches (compare-and-swap loop).
Needs only ptxas. Counts instructions and branches of a one-atomic kernel; the opcode field is the low 12 bits of
each 16-byte instruction, labels were assigned by comparing kernels. usage: lowering.py [sm_90 ...] > table.tsv"""
import collections, os, struct, subprocess, sys, tempfile
HEAD = """.version 9.0
.target %s
.address_size 64
.visible .entry k(.param .u64 p,.param .u64 q,.param .u64 o){ .reg .b64 a<8>; .reg .b32 r<16>; .reg .b16 h<32>; .reg .b128 q<4>;
.reg .b64 po,pi,x0,x1,y0,y1; .reg .b32 ad,t; .reg .b64 tl;
mov.u32 t,%%tid.x; mul.wide.u32 tl,t,64; ld.param.u64 a0,[p]; add.u64 a0,a0,tl; ld.param.u64 pi,[q]; add.u64 pi,pi,tl;
ld.param.u64 po,[o]; add.u64 po,po,tl; ld.global.b32 ad,[pi];
%s
ret; }
"""
NAMES = {0x38c: "ATOMS", 0x38d: "ATOMS.CAS", 0x38a: "ATOM", 0x38b: "ATOM.CAS", 0x3a8: "ATOMG", 0x3a9: "ATOMG.CAS", 0x9A8: "ATOMG", 0x9A3: "ATOMG.FP", 0x98e: "RED", 0x9A6: "RED.FP", 0x984: "LDS"}
WIDTH = dict(b16="h", f16="h", bf16="h", b32="r", u32="r", s32="r", f16x2="r", bf16x2="r", f32="r", b64="a", u64="a", s64="a", f64="a")
OPS = {"add": "u32 u64 f32 f64 f16 bf16 f16x2 bf16x2", "inc": "u32", "dec": "u32", "min": "u32 s32 u64 s64", "max": "u32 s32 u64 s64",
       "and": "b32 b64", "or": "b32 b64", "xor": "b32 b64", "exch": "b32 b64 b128", "cas": "b16 b32 b64 b128"}
SPACES = {"shared::cta": ("ad", "cta"), "shared::cluster": ("ad", "cluster"), "global": ("a0", "gpu")}


def code(kind, space, op, ty):
    ad, sc = SPACES[space]
    nz = ".noftz" if ty in ("f16", "bf16", "f16x2", "bf16x2") else ""
    if ty == "b128":
        return ("ld.global.v2.u64 {x0,x1},[pi+16]; mov.b128 q1,{x0,x1}; ld.global.v2.u64 {y0,y1},[pi+32]; mov.b128 q2,{y0,y1};"
                f"atom.relaxed.{sc}.{space}.{op}.b128 q0,[{ad}],q1{',q2' if op == 'cas' else ''}; mov.b128 {{x0,x1}},q0; st.global.v2.u64 [po],{{x0,x1}};")
    c = WIDTH[ty]
    w = {"h": "b16", "r": "b32", "a": "b64"}[c]
    s = f"ld.global.{w} {c}1,[pi+16]; ld.global.{w} {c}2,[pi+32];"
    if kind == "red":
        return s + f"red.relaxed.{sc}.{space}.{op}{nz}.{ty} [{ad}],{c}1;"
    return s + f"atom.relaxed.{sc}.{space}.{op}{nz}.{ty} {c}3,[{ad}],{c}1{',' + c + '2' if op == 'cas' else ''}; st.global.{w} [po],{c}3;"


def assemble(body, arch):
    with tempfile.TemporaryDirectory() as d:
        cub = os.path.join(d, "k.cubin")
        if subprocess.run(["ptxas", "-arch", arch, "-o", cub, "-"], input=HEAD % (arch, body), text=True, capture_output=True).returncode:
            return None
        e = open(cub, "rb").read()
    off, = struct.unpack_from("<Q", e, 0x28)
    size, num, strs = struct.unpack_from("<HHH", e, 0x3A)
    sec = [struct.unpack_from("<IIQQQQIIQQ", e, off + i * size) for i in range(num)]
    for s in sec:
        if e[sec[strs][4] + s[0]:].split(b"\0")[0] == b".text.k":
            t = e[s[4]:s[4] + s[5]]
            return [struct.unpack_from("<Q", t, i)[0] & 0xFFF for i in range(0, len(t), 16)]


print("arch\tspace\tkind\top\ttype\tinstructions\tbranches\tmemory_opcodes")
for arch in sys.argv[1:] or ["sm_90"]:
    for space in SPACES:
        for op, tys in OPS.items():
            for ty in tys.split():
                for kind in ("atom", "red"):
                    if kind == "red" and op in ("exch", "cas"):
                        continue
                    ops = assemble(code(kind, space, op, ty), arch)
                    if ops is None:
                        print(arch, space, kind, op, ty, "absent", "-", "-", sep="\t")
                        continue
                    ops = [x for x in ops if x != 0x918]                      # padding
                    mem = collections.Counter(NAMES.get(x, "op%03x" % x) for x in ops if x in NAMES or 0x3A0 <= x <= 0x3AF)
                    print(arch, space, kind, op, ty, len(ops), ops.count(0x947) - 1, " ".join(f"{k}:{v}" for k, v in mem.items()) or "-", sep="\t")
