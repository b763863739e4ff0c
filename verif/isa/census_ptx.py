# SPDX-License-Identifier: Apache-2.0
"""Kernels for the census: each ordinary PTX instruction with its types and modifiers, its operands from a register that
differs by thread, from a parameter (so that it may be uniform or a constant bank), as an immediate, negated, absolute."""
import itertools, random, re

# Kinds of operands: registers by size, predicates, float ones apart for their immediates.
BITS = {"h": "b16", "w": "b32", "d": "b64", "p": "pred", "e": "b16", "f": "b32", "g": "b64", "u": "b16", "q": "b32", "i": "b32", "k": "b32"}
NEGATE = {"e": "neg.f16", "f": "neg.f32", "g": "neg.f64", "q": "neg.f16x2", "u": "neg.bf16", "w": "neg.s32", "d": "neg.s64"}
ABSOLUTE = {"e": "abs.f16", "f": "abs.f32", "g": "abs.f64", "q": "abs.f16x2", "u": "abs.bf16", "w": "abs.s32"}
IMMEDIATE = {"h": ["5", "-7"], "w": ["7", "-3", "0x12345678", "1", "0"], "d": ["9", "-1", "0x123456789abcdef"], "f": ["0f3FC00000", "0f00000000", "0fBF800000"],
             "g": ["0d3FF8000000000000", "0d0000000000000000"], "i": ["5"], "k": ["0", "1", "2", "3"]}
CMP, FCMP = "{eq|ne|lt|le|gt|ge|lo|hs}", "{eq|ne|lt|le|gt|ge|equ|neu|ltu|gtu|geu|num|nan}"
RND = "{rn|rz|rm|rp}"
# mnemonic with alternatives, result, sources
TABLE = """
{add|sub}.{u32|s32|s32@add.sat.s32}; w ww
{add|sub}.{u64}; d dd
{add|sub|mul.lo}.{u16|s16}; h hh
add.{u16x2|s16x2}; w ww
{add|sub}.cc.{u32|u64@add.cc.u32}; w ww
mul.{lo|hi}.{u32|s32}; w ww
mul.{hi}.{u16|s16}; h hh
mul.{lo|hi}.{u64|s64}; d dd
mul.wide.{u32|s32}; d ww
mul.wide.{u16|s16}; w hh
mul24.{lo|hi}.{u32|s32}; w ww
mad.{lo|hi}.{u32|s32}; w www
mad.lo.{u64|s64}; d ddd
mad.wide.{u32|s32}; d wwd
mad.wide.{u16|s16}; w hhw
mad.lo.{u16}; h hhh
mad.hi.sat.s32; w www
mad24.{lo|hi}.{u32|s32}; w www
sad.{u32|s32}; w www
sad.{u16|s16}; h hhh
sad.{u64|s64}; d ddd
{div|rem}.{u32|s32}; w ww
{div|rem}.{u16|s16}; h hh
{min|max}.{u32|s32|s32@min.relu.s32|s32@max.relu.s32}; w ww
{min|max}.{u64|s64}; d dd
{min|max}.{u16|s16}; h hh
{min|max}.{u16x2|s16x2|relu.s16x2}; w ww
{abs|neg}.{s32}; w w
{abs|neg}.{s64}; d d
{abs|neg}.{s16}; h h
popc.b32; w w
popc.b64; w d
clz.b32; w w
clz.b64; w d
bfind{|.shiftamt}.{u32|s32}; w w
bfind{|.shiftamt}.{u64|s64}; w d
fns.b32; w www
brev.b32; w w
brev.b64; d d
bfe.{u32|s32}; w www
bfe.{u64|s64}; d dww
bfi.b32; w wwww
bfi.b64; d ddww
szext.{clamp|wrap}.{u32|s32}; w ww
bmsk.{clamp|wrap}.b32; w ww
dp4a.{u32|s32}.{u32|s32}; w www
dp2a.{lo|hi}.{u32|s32}.{u32|s32}; w www
{and|or|xor}.b32; w ww
{and|or|xor}.b64; d dd
{and|or|xor}.b16; h hh
not.b32; w w
not.b64; d d
not.b16; h h
cnot.b32; w w
lop3.b32@lop3.b32 {,0x1e|,0xca|,0x96|,0xe8|,0x40}; w www
shf.{l|r}.{clamp|wrap}.b32; w www
shl.b32; w ww
shl.b64; d dw
shl.b16; h hw
shr.{u32|s32}; w ww
shr.{u64|s64}; d dw
shr.{u16|s16}; h hw
prmt.b32{|.f4e|.b4e|.rc8|.ecl|.ecr|.rc16}; w www
selp.b32; w wwp
selp.b64; d ddp
selp.b16; h hhp
slct.{u32|f32}.{s32|f32}; w www
set.CMP.u32.{u32|s32}; w ww
set.{eq|lt|gtu}.{u32|f32}.f32; w ff
setp.CMP.{u32|s32}; p ww
setp.CMP.{u64|s64}; p dd
setp.CMP.{u16|s16}; p hh
setp.CMP.{and|or|xor}.{u32|s32}; p wwp
setp.{eq|lt|ge}.{and|or|xor}.{u64|s64}; p ddp
setp.FCMP{|.ftz}.f32; p ff
setp.FCMP.{and|or|xor}.f32; p ffp
setp.FCMP.f64; p gg
setp.FCMP.{and|xor}.f64; p ggp
setp.FCMP{|.ftz}.f16; p ee
setp.FCMP.bf16; p uu
{and|or|xor}.pred; p pp
not.pred; p p
{add|sub|mul}.RND{|.ftz}{|.sat}.f32; f ff
fma.RND{|.ftz}{|.sat}.f32; f fff
{add|sub|mul}.RND.f64; g gg
fma.RND.f64; g ggg
div.{approx|full}{|.ftz}.f32; f ff
div.RND.f32; f ff
div.rn.f64; g gg
rcp.RND.f32; f f
{rcp|sqrt|rsqrt|sin|cos|lg2|ex2}.approx{|.ftz}.f32; f f
{rcp|rsqrt}.approx.ftz.f64; g g
sqrt.RND.f32; f f
sqrt.rn.f64; g g
rcp.rn.f64; g g
tanh.approx.f32; f f
{abs|neg}{|.ftz}.f32; f f
{abs|neg}.f64; g g
{min|max}{|.ftz}{|.NaN}{|.xorsign.abs}.f32; f ff
{min|max}{|.NaN}{|.abs}.f32; f fff
{min|max}.f64; g gg
copysign.f32; f ff
copysign.f64; g gg
testp.{finite|infinite|number|notanumber|normal|subnormal}.f32; p f
testp.{finite|infinite|number|notanumber|normal|subnormal}.f64; p g
{add|sub|mul}{.rn|}{|.ftz}{|.sat}.f16; e ee
{add|sub|mul}{.rn|}{|.ftz}{|.sat}.f16x2; q qq
{add|sub|mul}.rn.bf16; u uu
{add|sub|mul}.rn.bf16x2; q qq
fma.rn{|.ftz}{|.sat|.relu}.f16; e eee
fma.rn{|.ftz}{|.sat|.relu}.f16x2; q qqq
fma.rn{|.relu|.oob}.bf16; u uuu
fma.rn{|.relu|.oob.relu}.bf16x2; q qqq
fma.rn.oob.f16; e eee
{min|max}{|.ftz}{|.NaN}{|.xorsign.abs}.f16; e ee
{min|max}{|.ftz}{|.NaN}{|.xorsign.abs}.f16x2; q qq
{min|max}{|.NaN}{|.xorsign.abs}.bf16; u uu
{min|max}{|.NaN}{|.xorsign.abs}.bf16x2; q qq
{abs|neg}{|.ftz}.f16; e e
{abs|neg}.f16x2; q q
{abs|neg}.bf16; u u
{abs|neg}.bf16x2; q q
{tanh.approx|ex2.approx}.f16; e e
{tanh.approx|ex2.approx}.f16x2; q q
ex2.approx.ftz.bf16; u u
tanh.approx.bf16x2; q q
set.{eq|lt|geu|nan}.{f16|u32@set.lt.u32.f16}.f16; e ee
set.{eq|lt|geu|nan}.f16x2.f16x2; q qq
set.{eq|gt}.bf16x2.bf16x2; q qq
fma.rn{|.ftz}.f32x2; d ddd
{add|mul}.RND{|.ftz}.f32x2; d dd
add.{rn|rz}.f32.{f16|bf16}; f ef
cvt.{u8|s8|u16|s16}.{u32|s32}; w w
cvt{|.sat}.{u8|s8|u16|s16}.{u32|s32}; w w
cvt.sat.{u32|s32}.{s32|u32}; w w
cvt{|.sat}.{u32|s32}.{u64|s64}; w d
cvt{|.sat}.{u64|s64}.{u32|s32}; d w
cvt{|.sat}.{u32|s32}.{u8|s8|u16|s16}; w h
cvt{|.sat}.{u8|s8}.{u16|s16|s64@cvt.sat.s8.s64}; h h
cvt.RND.f32.{u32|s32}; f w
cvt.RND.f32.{u64|s64}; f d
cvt.RND.f32.{u16|s16|u8|s8}; f h
cvt.RND.f64.{u32|s32}; g w
cvt.RND.f64.{u64|s64}; g d
cvt.RND.f64.{u16|s8}; g h
cvt.RND.f16.{u32|s32}; e w
cvt.RND.f16.{u64|s64}; e d
cvt.RND.f16.{u16|s16|u8|s8}; e h
cvt.rn.bf16.{u32|s32}; u w
cvt.rn.bf16.{u64|s64}; u d
cvt.rn.bf16.{u16|s16|u8|s8}; u h
cvt.{rni|rzi|rmi|rpi}{|.ftz}.{u32|s32}.f32; w f
cvt.{rni|rzi|rmi|rpi}{|.ftz}.{u64|s64}.f32; d f
cvt.{rni|rzi|rmi|rpi}{|.ftz}.{u16|s16|u8|s8}.f32; h f
cvt.{rni|rzi|rmi|rpi}.{u32|s32}.f64; w g
cvt.{rni|rzi|rmi|rpi}.{u64|s64}.f64; d g
cvt.{rni|rzi|rmi|rpi}.{u16|s16|u8|s8}.f64; h g
cvt.{rni|rzi|rmi|rpi}.{u32|s32}.f16; w e
cvt.{rni|rzi|rmi|rpi}.{u64|s64}.f16; d e
cvt.{rni|rzi|rmi|rpi}.{u16|s16|u8|s8}.f16; h e
cvt.{rni|rzi|rmi|rpi}.{u32|s32}.bf16; w u
cvt.{rni|rzi}.{u64|s16|u8}.bf16; d u
cvt.{rni|rzi|rmi|rpi}{|.ftz}{|.sat}.f32.f32; f f
cvt.{rni|rzi|rmi|rpi}{|.sat}.f64.f64; g g
cvt.{rni|rzi|rmi|rpi}{|.sat}.f16.f16; e e
cvt.{rni|rzi|rmi|rpi}.bf16.bf16; u u
cvt.{rn|rz}{|.ftz}{|.sat}.f16.f32; e f
cvt.{rn|rz}.relu.f16.f32; e f
cvt.{rn|rz|rm|rp}.f16.f64; e g
cvt{|.ftz}{|.sat}.f32.f16; f e
cvt.f64.f16; g e
cvt.{rn|rz}{|.relu}.bf16.f32; u f
cvt.rn.bf16.{f16|f64@cvt.rz.bf16.f16}; u e
cvt.rn.bf16.f64; u g
cvt.f32.bf16; f u
cvt.f64.bf16; g u
cvt.rn.f16.bf16; e u
cvt.RND{|.ftz}{|.sat}.f32.f64; f g
cvt{|.ftz}.f64.f32; g f
cvt.{rn|rz}{|.relu}.{f16x2|bf16x2}.f32; q ff
cvt.rna.tf32.f32; f f
cvt.{rn|rz}{|.relu}.tf32.f32; f f
cvt.rn.satfinite{|.relu}.{e4m3x2|e5m2x2}.f32; h ff
cvt.rn.satfinite{|.relu}.{e4m3x2|e5m2x2}.f16x2; h q
cvt.rn{|.relu}.f16x2.{e4m3x2|e5m2x2}; q h
{add|sub|mul}{|.rz}{|.ftz}.f32x2; d dd
fma.{rn|rp}{|.ftz}.f32x2; d ddd
cvt.rs{|.relu}{|.satfinite}.{f16x2|bf16x2}.f32; q ffw
cvt.{rz|rp}{|.satfinite}.ue8m0x2.f32; h ff
cvt.{rz|rp}{|.satfinite}.ue8m0x2.bf16x2; h q
cvt.rn.bf16x2.ue8m0x2; q h
cvt.pack.sat.{u16|s16}.s32; w ww
cvt.pack.sat.{u8|s8}.s32.b32; w www
v{add|sub|absdiff|min|max}{|2@vadd2|4@vadd4}.{u32|s32}.{u32|s32}.{u32|s32}{|.sat}; w ww
v{add|sub|absdiff|min|max|avrg}2.{u32|s32}.{u32|s32}.{u32|s32}{|.sat|.add}; w www
v{add|sub|absdiff|min|max|avrg}4.{u32|s32}.{u32|s32}.{u32|s32}{|.sat|.add}; w www
v{shl|shr}.{u32|s32}.{u32|s32}.u32.{clamp|wrap}; w ww
vmad.{u32|s32}.{u32|s32}.{u32|s32}{|.sat}{|.shr7|.shr15}; w www
vset.{u32|s32}.{u32|s32}.{lt|eq|ge}; w ww
vset{2|4}.{u32|s32}.{u32|s32}.{lt|eq|ge}{|.add}; w www
mov.b32; w w
mov.b64; d d
mov.b16; h h
shfl.sync.{up|down|bfly|idx}.b32@shfl; w wwww
vote.sync.{all|any|uni}.pred@vote; p pw
vote.sync.ballot.b32; w pw
match.any.sync.b32; w ww
match.any.sync.b64; w dw
redux.sync.{add|min|max}.{u32|s32}; w ww
redux.sync.{and|or|xor}.b32; w ww
redux.sync.{min|max}{|.abs}{|.NaN}.f32; f fw
atom.global.{add|min|max|and|or|xor|exch|inc|dec}.{u32|s32|b32}@atom; w aw
atom.global.{add|min|max|and|or|xor|exch}.{u64|s64|b64}@atom; d ad
atom.shared.{add|min|max|and|or|xor|exch|inc|dec}.{u32|s32|b32}@atom; w sw
atom.shared.{add|min|max|and|or|xor|exch}.{u64|s64|b64}@atom; d sd
atom.{add|min|max|exch}.{u32|s32|b32|f32}@atom; w aw
atom.global.cas.b32; w aww
atom.shared.cas.b32; w sww
atom.shared.cas.b64; d sdd
atom.global.cas.b16; h ahh
atom.global.add.{f32}; f af
atom.global.add.f64; g ag
atom.shared.add.f32; f sf
atom.shared.add.f64; g sg
atom.global.add.noftz.{f16x2|bf16x2}; q aq
atom.global.add.noftz.f16; e ae
ld.{global|shared@shared|local@local}; w a
"""
PREAMBLE = """.reg .b16 %h<9>; .reg .b32 %w<9>; .reg .b64 %d<9>; .reg .pred %p<9>; .reg .b64 %at; .reg .b32 %t; .reg .b64 %o; .reg .b32 %sa;
.shared .align 8 .b8 room[512];
ld.param.b64 %at, [p]; mov.u32 %t, %tid.x; mul.wide.u32 %o, %t, 64; add.u64 %o, %at, %o; mov.u32 %sa, room;
"""
LETTER = {"b16": "h", "b32": "w", "b64": "d", "pred": "p"}


def expand(text):
    """All choices of {a|b}; a choice with @ replaces the whole text."""
    text = text.replace("CMP", CMP if "FCMP" not in text else "CMP").replace("FCMP", FCMP).replace("F" + CMP, FCMP).replace("RND", RND)
    parts = re.split(r"\{([^{}]*)\}", text)
    for choice in itertools.product(*[[x] if i % 2 == 0 else x.split("|") for i, x in enumerate(parts)]):
        whole = [x for x in choice if "@" in x]
        yield whole[0].split("@")[1] if whole and whole[0].split("@")[1].count(".") else "".join(x.split("@")[0] for x in choice)


def kernel(mnemonic, result, sources, ways):
    """The body of a kernel with one such instruction; None where a source cannot be had in that way."""
    body, names = [PREAMBLE], []
    for i, (kind, way) in enumerate(zip(sources, ways)):
        bits, n = BITS.get(kind, "b64"), i + 1
        if kind in "as":
            names.append({"a": "[%o]", "s": "[%sa]"}[kind])
            continue
        name = "%%%s%d" % (LETTER[bits], n)
        if way == "I":
            if kind not in IMMEDIATE:
                return None
            names.append(IMMEDIATE[kind][(sum(map(ord, mnemonic)) + i) % len(IMMEDIATE[kind])])
            continue
        if bits == "pred":
            body.append("ld.%s.b32 %%w%d, %s; setp.gt.s32 %s, %%w%d, 3;" % (("param", n, "[w%d]" % (n % 3), name, n) if way == "U" else ("global", n, "[%%o+%d]" % (8 * i), name, n)))
        else:
            body.append("ld.%s.%s %s, %s;" % (("param", bits, name, "[%s%d]" % (LETTER[bits], i % 3)) if way in "UM" else ("global", bits, name, "[%%o+%d]" % (8 * i))))
        if way in "NM" or way == "A":
            how = (ABSOLUTE if way == "A" else NEGATE).get(kind)
            if how is None and bits == "pred" and way != "A":
                how = "not.pred"
            if how is None:
                return None
            body.append("%s %s, %s;" % (how, name, name))
        names.append(name)
    bits = BITS[result]
    name = "%%%s0" % LETTER[bits]
    tail = ""
    if " " in mnemonic:
        mnemonic, tail = mnemonic.split(" ", 1)
        tail = tail.replace(",", ", ")
    body.append("%s %s, %s%s;" % (mnemonic, name, ", ".join(names), tail))
    if bits == "pred":
        body.append("selp.b32 %%w0, 1, 2, %s; st.global.b32 [%%o+32], %%w0;" % name)
    else:
        body.append("st.global.%s [%%o+32], %s;" % (bits, name))
    return "\n".join(body)


def forms():
    """[(body, "")], each with the ways in which its sources come."""
    out, rng = [], random.Random(7)
    for line in TABLE.strip().splitlines():
        text, kinds = line.split(";")
        result, sources = kinds.split()
        for mnemonic in dict.fromkeys(expand(text.split("@shfl")[0].split("@vote")[0].split("@atom")[0].replace("lop3.b32@", ""))):
            every = list(itertools.product("VUINAM", repeat=len(sources)))
            plain = [w for w in every if set(w) <= set("VU")]
            rest = [w for w in every if w not in plain]
            for ways in dict.fromkeys(plain[:8] + rng.sample(rest, min(len(rest), 8))):
                body = kernel(mnemonic, result, sources, ways)
                if body:
                    out.append((body, ""))
    return out


if __name__ == "__main__":
    print(len(forms()))
