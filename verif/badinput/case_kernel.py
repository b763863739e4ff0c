# SPDX-License-Identifier: Apache-2.0
"""Kernels that go wrong: faults, kernels that never end, deadlocks. Place and cause go to the output and the report."""
from case import BODY_LINE, Case, WANT, kernel, launch

LOAD = "\tld.param.u64 %rd1, [out];\n\tcvta.to.global.u64 %rd2, %rd1;\n\tmov.u32 %r1, %tid.x;\n\tmov.u32 %r2, sum;\n"
LINE = BODY_LINE + LOAD.count("\n")     # of the first instruction after LOAD

# name, body, line of the instruction that faults, what must be said
FAULTS = [
    ("misaligned shared load", "\tld.shared.u32 %r3, [%r2+2];\n\tst.global.u32 [%rd2], %r3;\n", 0, ["MISALIGNED_ADDRESS"]),
    ("misaligned shared atomic", "\tatom.shared.add.u32 %r3, [%r2+1], 1;\n\tst.global.u32 [%rd2], %r3;\n", 0, ["MISALIGNED_ADDRESS"]),
    ("misaligned 64-bit shared store", "\tst.shared.u64 [%r2+4], %rd1;\n", 0, ["MISALIGNED_ADDRESS"]),
    ("shared load out of range", "\tld.shared.u32 %r3, [%r2+65536];\n\tst.global.u32 [%rd2], %r3;\n", 0, ["SHARED_OUT_OF_RANGE"]),
    ("shared atomic out of range in one lane", "\tshl.b32 %r3, %r1, 3;\n\tadd.u32 %r3, %r3, %r2;\n"
     "\tatom.shared.add.u32 %r4, [%r3], 1;\n\tst.global.u32 [%rd2], %r4;\n", 2, ["SHARED_OUT_OF_RANGE"]),
    ("global load from address 0", "\tmov.u64 %rd3, 0;\n\tld.global.u32 %r3, [%rd3];\n\tst.global.u32 [%rd2], %r3;\n", 1,
     ["global", "0x0"]),
    ("global store past the buffers", "\tst.global.u32 [%rd2+1048576], %r1;\n", 0, ["global"]),
    ("misaligned global store", "\tst.global.u32 [%rd2+1], %r1;\n", 0, ["MISALIGNED_ADDRESS"]),
    ("global atomic past the buffers", "\tatom.global.add.u32 %r3, [%rd2+1048576], 1;\n", 0, ["global"]),
]
FOREVER = "AGAIN:\n\tld.shared.u32 %r3, [%r2];\n\tsetp.ne.u32 %p1, %r3, 77;\n\t@%p1 bra AGAIN;\n"
EMPTY_LOOP = "AGAIN:\n\tbra AGAIN;\n"
# Warp 0 waits for 64 threads at barrier 1, warp 1 does not come.
DEADLOCK = "\tsetp.gt.u32 %p1, %r1, 31;\n\t@%p1 bra DONE;\n\tbar.sync 1, 64;\nDONE:\n"
# Each warp waits at a barrier that the other has passed by.
CROSSED = "\tsetp.gt.u32 %p1, %r1, 31;\n\t@%p1 bra OTHER;\n\tbar.sync 1, 64;\n\tbra DONE;\nOTHER:\n\tbar.sync 2, 64;\nDONE:\n"


def files(body, **fields):
    fields.setdefault("grid", [2, 1, 1])
    return {"k.json": launch(**fields), "k.ptx": kernel(LOAD + body), "want.bin": WANT}


def cases(everything):
    where = lambda line: "k.ptx, line %d" % (LINE + line)
    for tool in ("wlrun", "wlcosim"):
        run = [tool, "--launch", "k.json"]
        for i, (name, body, line, words) in enumerate(FAULTS):
            if tool == "wlcosim" and not everything and i % 4:
                continue
            yield Case("kernel: %s, %s" % (name, tool), run, files(body), outcome="fault", lines=0,
                       stdout=words + [where(line), "total", "warp ", "CTA "])
            yield Case("kernel: %s, as expected, %s" % (name, tool), run, files(body, expect="fault"), outcome="fault",
                       status=0, lines=0, stdout=[where(line)])
        for name, body in (("spins for ever", FOREVER), ("an empty loop", EMPTY_LOOP)):
            warps = ["CTA %d warp %d" % (c, w) for c in range(2) for w in range(2)]
            limit = run + ["--limit", "3000"]
            yield Case("kernel: %s, %s" % (name, tool), limit, files(body), outcome="limit", lines=0,
                       stdout=warps + ["k.ptx, line", "3000"])
            yield Case("kernel: %s, as expected, %s" % (name, tool), limit, files(body, expect="limit"), outcome="limit",
                       status=0, lines=0)
        for name, body, words in (("a barrier that one warp skips", DEADLOCK, ["CTA 0 warp 0", where(2), "32 of 64"]),
                                  ("crossed barriers", CROSSED,
                                   ["CTA 0 warp 0", "CTA 0 warp 1", where(2), where(5), "barrier 1", "barrier 2"])):
            yield Case("kernel: %s, %s" % (name, tool), run, files(body), outcome="deadlock", lines=0, stdout=words)
            yield Case("kernel: %s, as expected, %s" % (name, tool), run, files(body, expect="deadlock"),
                       outcome="deadlock", status=0, lines=0)
