# SPDX-License-Identifier: Apache-2.0
"""Cubins of nvcc, spoilt: relocations, symbols, sections, code that no row knows, the wrong architecture."""
import os, struct

from case import Case, ROOT, launch
from case_object import patched

MODULES = os.path.join(ROOT, "verif/compiler/modules")
FAR = launch(kernel="far_calls", dynamic_shared=128, block=[32, 1, 1],
             args=[{"name": "out", "kind": "buffer", "type": "u32", "count": 32, "init": "zero", "expect": None},
                   {"name": "n", "kind": "scalar", "type": "u32", "value": 9}])


UNMODELLED = ("17924a04000280000000000000cb731c", "B2R.WARP R203")     # prints, and nothing executes it


class Elf:
    """Sections of a good ELF64 file: name -> (number, header's offset, offset, size)."""

    def __init__(self, data):
        self.data, self.sections = data, {}
        table, (size, count, names) = struct.unpack_from("<Q", data, 40)[0], struct.unpack_from("<3H", data, 58)
        head = lambda i: struct.unpack_from("<2I4Q2I2Q", data, table + i * size)
        strings = head(names)[4]
        for i in range(count):
            h = head(i)
            name = data[strings + h[0]:data.index(b"\0", strings + h[0])].decode()
            self.sections[name] = (i, table + i * size, h[4], h[5])

    def at(self, name):
        return self.sections[name][2]

    def symbol(self, wanted):
        """Offset of the symbol's entry."""
        symtab, strings = self.sections[".symtab"], self.at(".strtab")
        for at in range(symtab[2], symtab[2] + symtab[3], 24):
            name = strings + struct.unpack_from("<I", self.data, at)[0]
            if self.data[name:self.data.index(b"\0", name)].decode() == wanted:
                return at
        raise KeyError(wanted)


def spoilt():
    """name, bytes, what must be said, outcome"""
    good = open(os.path.join(MODULES, "linked.sm_75.cubin"), "rb").read()
    elf = Elf(good)
    rel = elf.at(".rel.text.far_calls")     # u64 offset, u32 kind, u32 symbol; the first: ABS32_LO_32 of shared_count at 0x50
    put = lambda at, fmt, value: patched(good, at, fmt, value)
    yield "good", good, [], "pass"
    yield "relocation of an unknown kind", put(rel + 8, "<I", 250), \
        ["relocation of an unknown kind (250) at 0x50 of section .text.far_calls"], "error"
    yield "relocation of a kind not built", put(rel + 8, "<I", 53), \
        ["R_CUDA_INSTRUCTION64 (53) at 0x50 of section .text.far_calls"], "error"
    yield "relocation outside", put(rel, "<Q", 0x7ffffff0), \
        ["R_CUDA_ABS32_LO_32 at 0x7ffffff0 of section .text.far_calls, which has", "bytes"], "error"
    yield "relocation far outside", put(rel, "<Q", 2**64 - 16), ["0xfffffffffffffff0", "which has"], "error"
    yield "relocation within a word", put(rel, "<Q", 0x51), ["R_CUDA_ABS32_LO_32 at 0x51 of section"], "error"
    yield "relocation for no symbol", put(rel + 12, "<I", 9999), ["relocation for symbol 9999 (there are"], "error"
    yield "relocation that does not fit", put(rel + 8, "<I", 59), ["R_CUDA_ABS16_32 at 0x50", "0x7000000", "does not fit"], "error"
    yield "relocation of a constant for a variable", put(rel + 8, "<I", 64), ["'shared_count', which is no constant"], "error"
    yield "symbol that is not there", put(elf.symbol("shared_count") + 6, "<H", 0), \
        ["kernel 'far_calls' uses 'shared_count', which the object does not hold"], "error"
    yield "symbol in a section that is not there", put(elf.symbol("shared_count") + 6, "<H", 0x7fff), ["'shared_count'"], "error"
    yield "relocations of half an entry", put(elf.sections[".rel.text.far_calls"][1] + 32, "<Q", 24), ["cut or damaged: section"], "error"
    yield "relocations for no section", put(elf.sections[".rel.text.far_calls"][1] + 44, "<I", 999), ["relocations in section"], "error"
    yield "symbols without their names", put(elf.sections[".symtab"][1] + 40, "<I", 999), ["table of symbols"], "error"
    yield "record for no symbol", put(elf.at(".nv.info") + 8, "<I", 0xffff), ["record in .nv.info of symbol 65535 (there are"], "error"
    yield "function of half a word", put(elf.sections[".text._Z6helperj"][1] + 32, "<Q", 0x188), ["code of '_Z6helperj' has 392 bytes"], "error"
    # what no row knows, in the kernel and in a function: place, word, function and kernel are named
    at = elf.at(".text.far_calls") + 0x20
    yield "unknown word", good[:at] + bytes(16) + good[at + 16:], \
        ["kernel far_calls, pc 0x20 (unknown word 00000000000000000000000000000000)"], "error"
    at, word = elf.at(".text._Z6helperj"), bytes.fromhex(UNMODELLED[0])[::-1]
    yield "instruction that is not built", good[:at] + word + good[at + 16:], \
        ["this instruction is not built yet", "kernel far_calls, pc 0x", "(0x0 of _Z6helperj) `%s`" % UNMODELLED[1]], "error"


def cases(everything, bindir):
    for name, data, says, outcome in spoilt():
        good = outcome == "pass"
        for tool in ("wlrun", "wlcosim") if everything or good else ("wlrun",):
            yield Case("cubin: %s, %s" % (name, tool), [tool, "--launch", "k.json", "--limit", "20000", "k.cubin"],
                       {"k.json": FAR, "k.cubin": data}, says, status=0 if good else 1, outcome=outcome)
        yield Case("cubin: %s, dumped" % name, ["wlobjdump", "k.cubin"], {"k.cubin": data}, status={0, 1}, lines=None)
    good = open(os.path.join(MODULES, "linked.sm_75.cubin"), "rb").read()
    files = {"k.json": FAR, "k.cubin": good}
    yield Case("cubin: another architecture", ["wlrun", "--arch", "sm_90", "--launch", "k.json", "k.cubin"], files,
               ["k.cubin: the program is for sm_75, expected sm_90 (--arch)"], outcome="error")
    yield Case("cubin: another chip of other words", ["wlrun", "--arch", "sm_103", "--launch", "k.json", "k.cubin"], files,
               ["k.cubin: the program is for sm_75, expected sm_103 (--arch)"], outcome="error")
    for option in ([], ["--raw"], ["--check-hazards"]):
        yield Case("cubin: another architecture, dumped %s" % " ".join(option), ["wlobjdump", "-arch=sm_90"] + option + ["k.cubin"],
                   files, ["k.cubin: the program is for sm_75, expected sm_90 (-arch)"])
    yield Case("cubin: its own architecture, dumped", ["wlobjdump", "-arch=sm_75", "k.cubin"], files, status=0, stdout=["EXIT"])
    yield Case("cubin: no such kernel", ["wlrun", "--launch", "k.json", "--entry", "far", "k.cubin"], files,
               ["k.cubin: object holds no kernel 'far'"], outcome="error")
    yield Case("cubin: a function, not a kernel", ["wlrun", "--launch", "k.json", "--entry", "_Z4pickj", "k.cubin"], files,
               ["object holds no kernel '_Z4pickj' (it is a function that kernels call)"], outcome="error")
    for argv in (["wlrun", "--launch", "k.json", "k.a"], ["wlobjdump", "k.a"]):
        yield Case("cubin: an archive, " + argv[0], argv, {"k.json": FAR, "k.a": b"!<arch>\n" + bytes(80)},
                   ["k.a: found an archive of objects, expected an object"])
    # Bit by bit in what the loader reads of the linked cubin: a result or one line, never a crash.
    elf = Elf(good)
    places = [at for name in (".rel.text.far_calls", ".rela.text.far_calls", ".symtab", ".nv.info", ".nv.info.far_calls",
                              ".rel.nv.global.init") for at in range(elf.at(name), elf.at(name) + elf.sections[name][3])]
    for i, at in enumerate(places[::1 if everything else 17]):
        data = bytearray(good)
        data[at] ^= 1 << i % 8
        for argv, outcome in ((["wlrun", "--launch", "k.json", "--limit", "20000", "k.cubin"],
                               {"pass", "wrong", "error", "fault", "limit", "deadlock"}), (["wlobjdump", "k.cubin"], None)):
            yield Case("cubin: bit %d of byte %d, %s" % (i % 8, at, argv[0]), argv, {"k.json": FAR, "k.cubin": bytes(data)},
                       status={0, 1}, outcome=outcome, lines=None)
