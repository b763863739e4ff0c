# SPDX-License-Identifier: Apache-2.0
"""Lines of `wlas --words` and `wlobjdump --words`: each bad one is refused by line, an empty line in its place."""
import os
import random
import sys

from case import Case

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../cmodel/isa/gen"))
from archs import NAMES

TEXTS = ["FROB R1, R2 ;", "ATOMS.ADD", "ATOMS.ADD R1, [R2, R3 ;", "ATOMS.SHRED R1, [R2], R3 ;",
         "ATOMS.ADD R1, [R2], R256 ;", "ATOMS.ADD R1, [R2+0x1000000], R3 ;", "LDS R1, [R2] R3 ;", "LDS.U128 R1, [R2] ;",
         "@P8 LDS R1, [R2] ;", "@ LDS R1, [R2] ;", "LDS R1, [R2] ; LDS R1, [R2] ;", "MOV R1, 0x123456789 ;", "MOV R1 ;",
         ";", "@", "!", "0", "\x01\x02", "[" * 500, "R" * 900, "LDS R1, [" + "R2+" * 200 + "] ;"]
WORDS = ["0", "x" * 32, "0" * 31, "0" * 33, "0" * 31 + "g", "f" * 32, "-" + "0" * 31, "0x" * 16, "\x7f" * 32]
GOOD = "ATOMS.ADD R1, [R2], R3 ;\n"


def cases(everything):
    for i, text in enumerate(TEXTS):
        for arch in ("sm_75", "sm_120") if everything else ("sm_75",):
            yield Case("words: text %d, %s" % (i, arch), ["wlas", "-arch=" + arch, "--words"],
                       stdin="LDS R1, [R2] ;\n%s\nLDS R1, [R2] ;\n" % text, says=["standard input:2: "])
    for i, word in enumerate(WORDS):
        yield Case("words: word %d" % i, ["wlobjdump", "--words"], stdin=word + "\n", says=["standard input:1: "])
    long = "x" * 5000
    yield Case("words: a line of 5000 characters, wlas", ["wlas", "--words"], stdin=long + "\n\x00\nFROB ;\n",
               says=["standard input:1: ", "standard input:3: "], lines=None)
    yield Case("words: a line of 5000 characters, wlobjdump", ["wlobjdump", "--words"], stdin=long + "\nzz\n",
               says=["standard input:1: ", "standard input:2: "], lines=2)
    random.seed(78)
    for i in range(200 if everything else 20):
        noise = "".join(chr(random.randrange(256)) for _ in range(random.randrange(1, 300)))
        for tool in ("wlas", "wlobjdump"):
            yield Case("words: noise %d, %s" % (i, tool), [tool, "--words"], stdin=noise, status={0, 1}, lines=None)
    for i in range(50 if everything else 5):
        lines = "".join("%032x\n" % random.getrandbits(128) for _ in range(200))
        for arch in NAMES:
            yield Case("words: random words %d, %s" % (i, arch), ["wlobjdump", "-arch=" + arch, "--words"], stdin=lines,
                       status={0, 1}, lines=None)
        text = list(GOOD)
        for _ in range(3):
            text[random.randrange(len(text))] = chr(random.randrange(32, 127))
        yield Case("words: text changed %d" % i, ["wlas", "--words"], stdin="".join(text), status={0, 1}, lines=None)
    yield Case("words: controls of a terminal", ["wlas", "k.sass"], {"k.sass": "\x1b[31m\xff\n"}, ['found "\\x1b[31m'])
    for tool in ("wlas", "wlobjdump"):
        yield Case("words: missing file, " + tool, [tool, "--words", "none.txt"], says=["none.txt"])
        yield Case("words: a folder, " + tool, [tool, "--words", "folder"], {"folder": None}, says=["folder"])
