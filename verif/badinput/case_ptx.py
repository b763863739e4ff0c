# SPDX-License-Identifier: Apache-2.0
"""PTX that is no PTX, or not what wlcc takes."""
import os, random

from case import BODY, BODY_LINE, Case, HEAD, Link, PTX, TAIL, kernel, launch

# What is wrong with one instruction, the first one of the kernel: name, text, what the message must name.
WRONG_LINE = [
    ("unknown instruction", "frob.u32 %r1, %r2;", "frob"),
    ("misspelt instruction", "atom.shred.add.u32 %r1, [%r2], 1;", "shred"),
    ("unknown type", "add.q32 %r1, %r2, %r3;", "q32"),
    ("unknown modifier", "add.sideways.u32 %r1, %r2, %r3;", "sideways"),
    ("type that the instruction lacks", "mul24.lo.u64 %rd1, %rd2, %rd3;", "mul24"),
    ("operation that no atomic has", "atom.shared.mul.u32 %r1, [%r2], 1;", "mul"),
    ("too few operands", "add.u32 %r1, %r2;", "add"),
    ("too many operands", "add.u32 %r1, %r2, %r3, %r4;", "add"),
    ("no operands", "add.u32;", "add"),
    ("register of another size", "add.u32 %rd1, %r2, %r3;", "add"),
    ("unknown register", "add.u32 %r1, %r2, %zz;", "Unknown symbol '%zz'"),
    ("register beyond its range", "add.u32 %r1, %r2, %r19;", "%r19"),
    ("destination is a number", "mov.u32 5, %r1;", "mov"),
    ("destination is a special register", "mov.u32 %tid.x, %r1;", "mov"),
    ("unknown special register", "mov.u32 %r1, %tidy.x;", "Unknown symbol '%tidy'"),
    ("selector that a register lacks", "mov.u32 %r1, %tid.q;", "Unknown vector selector: 'q'"),
    ("unknown label", "bra NOWHERE;", "NOWHERE"),
    ("unknown variable", "mov.u32 %r1, nothing;", "nothing"),
    ("unknown parameter", "ld.param.u32 %r1, [nothing];", "nothing"),
    ("guard is no predicate", "@%r1 bra SKIP;\nSKIP:", "redicate"),
    ("address without brackets", "ld.shared.u32 %r1, %r2;", "ld"),
    ("brackets left open", "ld.shared.u32 %r1, [%r2;", ""),
    ("semicolon missing", "add.u32 %r1, %r2, %r3\n\tadd.u32 %r4, %r5, %r6;", ""),
    ("number too large", "mov.u64 %rd1, 0x1ffffffffffffffff;", "0x1ffffffffffffffff"),
    ("number that is none", "mov.u32 %r1, 0xzz;", ""),
    ("stray character", "mov.u32 %r1, `7`;", "`"),
    ("unknown directive", ".frobnicate 3;", ".frobnicate"),
    ("unknown directive of a variable", ".hared .u32 x;", ".hared"),
    ("barrier number", "bar.sync 99;", "99"),
    ("barrier count", "bar.sync 0, 33;", "multiple"),
    ("instruction of a newer target", "mbarrier.init.shared.b64 [%r1], 1;", "sm_80"),
    ("call of nobody", "call nobody;", "nobody"),
    ("variable larger than memory", ".shared .align 4 .b8 huge[1000000];\n\tmov.u32 %r1, huge;", "huge"),
    ("label twice", "A:\nA:\n\tadd.u32 %r1, %r1, 1;", "A"),
]
# An unknown name has two messages, as from the assembler: the name, and what the name makes of the instruction.
UNKNOWN = ("unknown register", "register beyond its range", "unknown special register", "unknown variable",
           "unknown parameter", "call of nobody")
# Legal PTX that is not built: must be an error that names it, not wrong code.
LATER = [
    ("texture", "tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1}];", "tex"),
]


def whole_files():
    yield "empty", "", "version"
    yield "blank", "\n\n \t\n", "version"
    yield "a comment only", "// nothing here\n", "version"
    yield "no version", PTX.replace(".version 7.8\n", ""), ".version"
    yield "no target", PTX.replace(".target sm_75\n", ""), ".target"
    yield "version of no number", PTX.replace("7.8", "seven"), ".version"
    yield "unknown target", PTX.replace("sm_75", "sm_7x"), "sm_7x"
    yield "newer target", PTX.replace("sm_75", "sm_90"), "sm_90"
    yield "32-bit addresses", PTX.replace("size 64", "size 32"), "32"
    yield "comment left open", PTX + "/* and so on", "line %d; error   : Parsing error near '': syntax error: comment" % (PTX.count("\n") + 1)
    yield "comment left open over lines", PTX.replace("{", "{ /*\n\n"), "line %d; error   : Parsing error near '': syntax error: comment" % (PTX[:PTX.index("{")].count("\n") + 1)
    yield "string left open", PTX.replace(".address_size 64", '.address_size 64\n.file 1 "a.cu'), ""
    yield "kernel twice", PTX + HEAD.split(".address_size 64\n")[1] + TAIL, "total"
    yield "parameter twice", PTX.replace(".param .u32 n", ".param .u32 in"), "in"
    yield "NUL in the text", PTX.replace("bar.sync", "bar\0sync"), ""
    yield "no text at all", bytes(range(128, 256)) * 8, ""
    yield "ELF named PTX", b"\x7fELF\x02\x01\x01" + bytes(300), ""
    yield "a very long word", kernel("\tadd.u32 %r1, %r2, " + "x" * 200000 + ";\n"), "line %d" % BODY_LINE
    yield "many open braces", HEAD + "{" * 200000, ""
    yield "many open parentheses", kernel("\tmov.u32 %r1, " + "(" * 200000 + "1" + ")" * 200000 + ";\n"), ""
    yield "many signs", kernel("\tmov.u32 %r1, " + "-" * 200000 + "1;\n"), None
    yield "many modifiers", kernel("\tadd" + ".u32" * 50000 + " %r1, %r2, %r3;\n"), ""
    yield "unknown section", PTX + ".frob { }\n", ".frob"


def spoilt(everything):
    """Cut anywhere in the kernel, garbage, single bytes changed. All from fixed seeds."""
    step = 7 if everything else 61
    for at in range(len(HEAD) - 150, len(PTX) - 2, step):
        yield "cut after %d bytes" % at, PTX[:at]
    random.seed(75)
    for i in range(40 if everything else 6):
        yield "garbage %d" % i, bytes(random.randrange(256) for _ in range(random.randrange(1, 2000)))
    words = (HEAD + BODY + TAIL).replace("\t", " \t ").split(" ")
    for i in range(40 if everything else 6):
        random.shuffle(words)
        yield "shuffled words %d" % i, " ".join(words)


def mutants(everything):
    """One byte changed: any verdict is right, but never a crash and never two of them."""
    random.seed(76)
    for i in range(300 if everything else 30):
        data = bytearray(PTX.encode())
        data[random.randrange(len(data))] = random.randrange(256)
        yield "byte changed %d" % i, bytes(data)


def cases(everything):
    place = "k.ptx, line "
    compile = ["wlcc", "-arch=sm_75", "k.ptx"]
    files = lambda text: {"k.ptx": text}
    yield Case("ptx: for a later chip, wlrun", ["wlrun", "--arch", "sm_80", "k.ptx"], files(kernel("").replace(".target sm_75", ".target sm_90")),
               ["k.ptx, line 2; error", "version assumed: 'sm_90', 'sm_80'"], outcome="error")
    for name, text, word in WRONG_LINE:
        body = "\t" + text + "\n"
        yield Case("ptx: " + name, compile, files(kernel(body)), ["k.ptx, line ", "; error", word],
                   lines=None if text.count("\n") else 2 if name in UNKNOWN else 1)
        exact = name not in ("semicolon missing", "label twice", "variable larger than memory")
        if exact:
            yield Case("ptx: %s, its line" % name, compile, files(kernel(body)), ["k.ptx, line %d;" % BODY_LINE], lines=None)
    for name, text, word in LATER:
        text = kernel("\t.reg .f32 %f<9>;\n\t" + text + "\n")
        yield Case("ptx: not built: " + name, compile, files(text), [place, word], lines=None)
    for name, text, word in whole_files():
        yield Case("ptx: " + name, compile, files(text), [place, word] if word is not None else [],
                   status=1 if word is not None else {0, 1}, lines=None, left=["k.wlo"])
    for name, text in spoilt(everything):
        yield Case("ptx: " + name, compile, files(text), [place, "error"], lines=None)
    for name, text in mutants(everything):
        yield Case("ptx: " + name, compile, files(text), status={0, 1}, lines=None, left=["k.wlo"])
    yield Case("ptx: column of a comment left open", compile + ["--message-format=human"], files("// x\n  /* and\nso on\n"), ["k.ptx:2:3: error"], lines=None)
    two = kernel("\tfrob.u32 %r1;\n\tadd.u32 %r1, %r2, %r3;\n\tgrob.u32 %r1;\n")
    yield Case("ptx: all errors of a file", compile, files(two),
               ["line %d" % BODY_LINE, "frob", "line %d" % (BODY_LINE + 2), "grob"], lines=2)
    yield Case("ptx: version of the future", compile, files(PTX.replace("7.8", "99.1")), ["line 1; warning", "99.1"],
               status=0, lines=None, left=["k.wlo"])
    yield Case("ptx: check only", ["wlcc", "--check-only", "k.ptx"], files(two), ["frob"], lines=2)
    bad = kernel("\tfrob.u32 %r1, %r2;\n")
    for tool in ("wlrun", "wlcosim"):
        yield Case("ptx: bad program of a launch, " + tool, [tool, "--launch", "k.json"],
                   {"k.json": launch(), "k.ptx": bad}, ["k.ptx, line %d" % BODY_LINE, "frob"], outcome="error")
        yield Case("ptx: bad program without a launch, " + tool, [tool, "k.ptx"], files(bad),
                   ["k.ptx, line %d" % BODY_LINE, "frob"], outcome="error")
    yield Case("ptx: missing", compile, {}, ["k.ptx", "No such file"])
    yield Case("ptx: a folder", compile, {"k.ptx": None}, ["k.ptx", "directory"])
    yield Case("ptx: old output stays", compile, {"k.ptx": bad, "k.wlo": "old"}, ["frob"])
    yield Case("ptx: no folder for the output", compile + ["-o", "none/k.wlo"], files(PTX), ["none/k.wlo", "No such file"])
    yield Case("ptx: output is a folder", compile + ["-o", "out"], {"k.ptx": PTX, "out": None}, ["out", "irectory"])
    # by a link in the test's own folder: a device that is replaced by a file must not be the machine's
    if os.path.exists("/dev/full"):
        yield Case("ptx: output on a full device", compile + ["-o", "full"], {"k.ptx": PTX, "full": Link("/dev/full")},
                   ["full", "No space left"])
