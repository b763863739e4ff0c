# SPDX-License-Identifier: Apache-2.0
"""Lane order: lane_order.tsv. All lanes of a mask in one instruction, some of them on one word."""
import re
import struct

from atoms import HEAD, CLASS, SIZES, SPACE, access, params, pointers, registers, words

FORM = re.compile(r"(shared|global|cluster)\.(red\.)?(\w+)\.(\w+)")


def kernel(op):
    space, red, name, kind = FORM.match(op).groups()
    size = SIZES[kind]
    at, reg = (1, "q") if size == 16 else (8, CLASS[size][1])
    text = HEAD + ".visible .entry k(\n%s)\n{\n%s" % (params(["final", "index", "b", "old", "on"]), registers())
    text += "\t.shared .align 16 .b8 mine[512];\n\tmov.u32 %r0, %tid.x;\n"
    text += "\tmov.u32 %r1, " + ("%ctaid.x") + ";\n"
    text += "\tshl.b32 %r1, %r1, 5;\n\tadd.u32 %r0, %r0, %r1;\n\tmul.wide.u32 %d0, %r0, 16;\n"
    text += pointers(["final", "index", "b", "old", "on"])
    text += "\tld.global.u32 %r2, [%d11];\n\tshl.b32 %r2, %r2, 4;\n"  # byte of the word that the lane names
    if size == 16:
        text += "\tld.global.v2.b64 {%d30, %d31}, [%d12];\n\tmov.b128 %q1, {%d30, %d31};\n\tmov.b128 %q2, {%d30, %d31};\n"
    elif name == "cas":  # compare with 0, swap in the value
        text += "\tmov.b32 %r8, 0;\n\tld.global.b32 %r16, [%d12];\n"
    else:
        text += "\tld.global.%s %%%s8, [%%d12];\n" % (CLASS[size][0], reg)
    text += "\tmov.u32 %r3, %tid.x;\n\tshl.b32 %r3, %r3, 4;\n\tmov.u32 %r4, mine;\n\tadd.u32 %r5, %r4, %r3;\n"
    text += "\tmov.b64 %d22, 0;\n\tst.shared.v2.b64 [%r5], {%d22, %d22};\n\tadd.u32 %r10, %r4, %r2;\n"
    if space == "cluster":
        text += "\tmov.u32 %r7, %cluster_ctarank;\n\tmapa.shared::cluster.u32 %r10, %r10, %r7;\n"
    # the words of the row in global memory: the row's first slot
    text += "\tmul.wide.u32 %d24, %r1, 16;\n\tld.param.u64 %d25, [p_final];\n\tadd.u64 %d25, %d25, %d24;\n"
    text += "\tcvt.u64.u32 %d26, %r2;\n\tadd.u64 %d20, %d25, %d26;\n"
    text += "\tld.global.u32 %r6, [%d14];\n\tsetp.ne.u32 %p1, %r6, 0;\n\tbar.warp.sync 0xffffffff;\n"
    line = access("%s_%s" % (name, kind), space, bool(red))
    text += "\t@!%p1 bra S;\n" + line
    if not red:
        if size == 16:
            text += "\tmov.b128 {%d30, %d31}, %q3;\n\tst.global.v2.b64 [%d13], {%d30, %d31};\n"
        else:
            text += "\tst.global.%s [%%d13], %%%s24;\n" % (CLASS[size][0], reg)
    text += "S:\n\tbar.warp.sync 0xffffffff;\n"
    if space != "global":
        text += "\tld.shared.v2.b64 {%d22, %d23}, [%r5];\n\tst.global.v2.b64 [%d10], {%d22, %d23};\n"
    return text + "\tret;\n}\n", space, size


def table_values(op, row):
    """(value of each lane, what the GPU tells) of a row."""
    values = [lane + 1 for lane in range(32)]
    if row[5] == "-":
        return values
    for item in row[4].split():
        lane, rest = item.split("=")
        values[int(lane)] = int(rest.split("/")[0], 16)
    return values


def visits(index, mask, old, final):
    """Lanes at each word in the order of their turns, from what exchanges returned: the column of the table."""
    text = []
    for word in range(32):
        lanes, at = [], final[word] & 0xFF
        while at and len(lanes) < 33:
            lanes.append(at - 1)
            at = old[at - 1] & 0xFF
        if lanes:
            text.append("w%d:%s" % (word, ",".join(str(lane) for lane in reversed(lanes))))
    return " ".join(text)


# Lanes whose words share a bank leave the loop of a 64-bit sum in another order than on H200: rows where that shows.
OTHER_ORDER = {"shared.add.f64": 8}


def float_of(bits):
    return struct.unpack("<d", struct.pack("<Q", bits))[0]


def is_serial(row, returned, final):
    """Whether returned values and last words are those of the lanes one after the other, in some order: 64-bit sums."""
    words_of = {}
    for lane, (value, old) in returned.items():
        words_of.setdefault(int(row[3][2 * lane:2 * lane + 2], 16), []).append((old, value))
    for word, turns in words_of.items():
        at = 0
        while turns:
            here = [t for t in turns if t[0] == at]
            if not here:
                return False
            turns.remove(here[0])
            at = struct.unpack("<Q", struct.pack("<d", float_of(at) + float_of(here[0][1])))[0]
        if at != final[word]:
            return False
    return True


def parsed(lanes, words_text):
    returned = {int(t.split("=")[0]): tuple(int(x, 16) for x in t.split("=")[1].split("/")) for t in lanes.split()}
    return returned, {int(w.split("=")[0][1:]): int(w.split("=")[1], 16) for w in words_text.split()}


def replay(machine, count, table):
    """Returned values and last words, which tell the order of the lanes."""
    parts, others = {}, dict(OTHER_ORDER)
    for r in table:
        parts.setdefault(r[0], []).append(r)
    for op, part in parts.items():
        text, space, size = kernel(op)
        part = part if len(part) % 2 == 0 else part + part[:1]  # two CTAs a cluster
        index, b, on = [], [], []
        for r in part:
            values = table_values(op, r)
            for lane in range(32):
                index += [int(r[3][2 * lane:2 * lane + 2], 16), 0]
                b += [values[lane], ~values[lane] & (1 << 64) - 1]
                on += [int(r[2], 16) >> lane & 1, 0]
        zero = [0] * (64 * len(part))
        status, said, out = machine.run(text, "k", len(part), 32,
                                        [("final", zero), ("index", index), ("b", b), ("old", zero), ("on", on)],
                                        cluster=2 if space == "cluster" else None)
        if status or "final" not in out:
            count.fail(op, said[-400:])
            continue
        mask = (1 << min(8 * size, 64)) - 1
        for i, r in enumerate(part):
            old = [out["old"][64 * i + 2 * lane] & mask for lane in range(32)]
            final = [out["final"][64 * i + 2 * lane] & mask for lane in range(32)]
            if r[5] == "-":
                found, want = visits(index, r[2], old, final), r[4]
                count.row(op, found == want, lambda r=r, f=found: "row %s %s: GPU %s, model %s" % (r[1], r[2], r[4], f))
                continue
            lanes = [lane for lane in range(32) if int(r[2], 16) >> lane & 1]
            found = " ".join("%d=%x/%x" % (lane, table_values(op, r)[lane], old[lane]) for lane in lanes)
            used = sorted({int(r[3][2 * lane:2 * lane + 2], 16) for lane in lanes})
            last = " ".join("w%d=%x" % (w, final[w]) for w in used)
            same = (".red." in op or found == r[4].strip()) and last == r[5].strip()
            if not same and others.get(op, 0) and is_serial(r, *parsed(r[4], r[5])) and is_serial(r, *parsed(found, last)):
                others[op] -= 1
                same = True
            count.row(op, same,
                      lambda r=r, f=found, l=last: "row %s %s %s\n   GPU   %s -> %s\n   model %s -> %s" % (
                          r[1], r[2], r[3], r[4][:700], r[5], f[:700], l))
