# SPDX-License-Identifier: Apache-2.0
"""Objects: cut, damaged, foreign. The good one comes from wlcc."""
import os, random, struct, subprocess, tempfile

from case import Case, PTX, WANT, kernel, launch


def compile(bindir, text):
    with tempfile.TemporaryDirectory() as tmp:
        open(os.path.join(tmp, "k.ptx"), "w").write(text)
        subprocess.run([os.path.join(bindir, "wlcc"), "k.ptx", "-o", "k.wlo"], cwd=tmp, check=True)
        return open(os.path.join(tmp, "k.wlo"), "rb").read()


def patched(data, at, fmt, value):
    data = bytearray(data)
    struct.pack_into(fmt, data, at, value)
    return bytes(data)


def foreign(good):
    """name, bytes, what must be said besides the file's name. Offsets are those of the ELF header."""
    yield "empty", b"", ""
    yield "text", b"this is no object\n" * 20, ""
    yield "PTX named object", PTX.encode(), ""
    yield "four bytes", good[:4], ""
    yield "a header alone", good[:64], ""
    yield "32-bit ELF", patched(good, 4, "B", 1), "64-bit"
    yield "big-endian ELF", patched(good, 5, "B", 2), "little-endian"
    yield "x86 ELF", patched(good, 18, "<H", 62), "62"
    yield "other architecture", patched(good, 48, "<I", struct.unpack_from("<I", good, 48)[0] & ~0xff00 | 70 << 8), "70"
    yield "ABI of a later toolkit", patched(good, 8, "B", 9), "found ABI 65 version 9, expected ABI 65 version 8"
    yield "another ABI", patched(good, 7, "B", 3), "found ABI 3 version 8"
    yield "no sections", patched(good, 60, "<H", 0), ""
    yield "sections outside", patched(good, 40, "<Q", len(good)), ""
    yield "sections far outside", patched(good, 40, "<Q", 2**64 - 64), ""
    count = good.index(b"\x04\x2f\x08\x00") + 8  # EIATTR_REGCOUNT: format, attribute, size, symbol, value
    yield "too many registers", patched(good, count, "<I", 256), "256 registers"
    yield "no section names", patched(good, 62, "<H", 0xffff), ""
    for program in ("/bin/true", "/usr/bin/true"):
        if os.path.exists(program):
            yield program, open(program, "rb").read(), "machine"
            break


def runs(tool, good):
    return [tool, "--launch", "k.json", "--limit", "20000", "k.wlo"]


def cases(everything, bindir):
    good = compile(bindir, PTX)
    other = compile(bindir, kernel("\tmov.u32 %r1, 5;\n").replace("total", "other"))
    files = lambda data: {"k.json": launch(), "k.wlo": data, "want.bin": WANT}
    for tool in ("wlrun", "wlcosim"):
        yield Case("object: good, " + tool, runs(tool, good), files(good), status=0, outcome="pass")
        yield Case("object: other kernel, " + tool, runs(tool, good), files(other), ["k.wlo", "total"], outcome="error")
        yield Case("object: a folder, " + tool, runs(tool, good), files(None), ["k.wlo", "irectory"], outcome="error")
    yield Case("object: good, dumped", ["wlobjdump", "k.wlo"], files(good), status=0, stdout=["total", "EXIT", "ATOMS.ADD"])
    yield Case("object: a folder, dumped", ["wlobjdump", "k.wlo"], files(None), ["k.wlo"])
    yield Case("object: missing, dumped", ["wlobjdump", "k.wlo"], {}, ["k.wlo"])
    for name, data, word in foreign(good):
        yield Case("object: " + name, runs("wlrun", good), files(data), ["k.wlo", word], outcome="error")
        yield Case("object: %s, dumped" % name, ["wlobjdump", "k.wlo"], files(data), ["k.wlo", word])
        if everything:
            yield Case("object: %s, wlcosim" % name, runs("wlcosim", good), files(data), ["k.wlo", word], outcome="error")
    # The section headers come last, so every cut loses some.
    for at in range(1, len(good), 37 if everything else 401):
        yield Case("object: cut after %d bytes" % at, runs("wlrun", good), files(good[:at]), ["k.wlo"], outcome="error")
        yield Case("object: cut after %d bytes, dumped" % at, ["wlobjdump", "k.wlo"], files(good[:at]), ["k.wlo"])
    # A changed bit may change the kernel: any outcome is right, but there is one, and never a crash.
    random.seed(77)
    for i in range(600 if everything else 60):
        data = bytearray(good)
        data[random.randrange(len(data))] ^= 1 << random.randrange(8)
        for argv, outcome in ((runs("wlrun", good), {"pass", "wrong", "error", "fault", "limit", "deadlock"}),
                              (["wlobjdump", "k.wlo"], None)):
            yield Case("object: bit changed %d, %s" % (i, argv[0]), argv, files(bytes(data)), status={0, 1},
                       outcome=outcome, lines=None)
