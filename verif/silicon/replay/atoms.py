# SPDX-License-Identifier: Apache-2.0
"""Atomic operations, one lane a row: scalar.tsv, vector.tsv and async.tsv."""
HEAD = ".version 8.6\n.target sm_90\n.address_size 64\n"
WORDS = 2  # 64-bit words of a slot of 16 bytes

# format of an operand: PTX type, register class, bytes
SIZES = {"u32": 4, "s32": 4, "b32": 4, "f32": 4, "f16x2": 4, "bf16x2": 4, "u64": 8, "s64": 8, "b64": 8, "f64": 8,
         "f16": 2, "bf16": 2, "b16": 2, "b128": 16}
CLASS = {2: ("b16", "h"), 4: ("b32", "r"), 8: ("b64", "d"), 16: ("b128", "q")}


def split(op):
    """add_v2_f16 -> (add, 2, f16); add_f32 -> (add, 1, f32)"""
    parts = op.split("_")
    return (parts[0], int(parts[1][1:]) if len(parts) == 3 else 1, parts[-1])


def ptx_op(op):
    name, n, kind = split(op)
    half = ".noftz" if kind in ("f16", "bf16", "f16x2", "bf16x2") else ""
    return "%s%s%s.%s" % (name, half, ".v%d" % n if n > 1 else "", kind)


def registers():
    return ("\t.reg .b16 %h<40>;\n\t.reg .b32 %r<40>;\n\t.reg .b64 %d<40>;\n\t.reg .b128 %q<8>;\n"
            "\t.reg .pred %p<4>;\n")


PROLOGUE = """	mov.u32 %r0, %tid.x;
	mov.u32 %r1, {CTA};
	shl.b32 %r1, %r1, 5;
	add.u32 %r0, %r0, %r1;
	mul.wide.u32 %d0, %r0, 16;
"""


def params(names):
    return ",\n".join("\t.param .u64 p_%s" % n for n in names)


def pointers(names):
    """%d10, %d11, ...: the row of each buffer."""
    return "".join("\tld.param.u64 %%d%d, [p_%s];\n\tadd.u64 %%d%d, %%d%d, %%d0;\n" % (10 + i, n, 10 + i, 10 + i)
                   for i, n in enumerate(names))


def load(kind, n, pointer, first):
    """n operands of a kind from memory into registers from number `first`."""
    size = SIZES[kind]
    if size == 16:
        return ("\tld.global.v2.b64 {%%d30, %%d31}, [%s];\n\tmov.b128 %%q%d, {%%d30, %%d31};\n" % (pointer, first), None)
    text, names = "", []
    for i in range(n):
        reg = "%%%s%d" % (CLASS[size][1], first + i)
        text += "\tld.global.%s %s, [%s+%d];\n" % (CLASS[size][0], reg, pointer, i * size)
        names.append(reg)
    return text, names


def store(kind, n, pointer, first):
    size = SIZES[kind]
    if size == 16:
        return "\tmov.b128 {%%d30, %%d31}, %%q%d;\n\tst.global.v2.b64 [%s], {%%d30, %%d31};\n" % (first, pointer)
    return "".join("\tst.global.%s [%s+%d], %%%s%d;\n" % (CLASS[size][0], pointer, i * size, CLASS[size][1], first + i)
                   for i in range(n))


def braces(kind, n, first):
    size = SIZES[kind]
    regs = ["%%%s%d" % (CLASS[size][1], first + i) for i in range(n)]
    return "{%s}" % ", ".join(regs) if n > 1 else regs[0]


SPACE = {"global": ("relaxed.gpu.global", "%d20"), "shared": ("relaxed.cta.shared::cta", "%r10"),
         "cluster": ("relaxed.cluster.shared::cluster", "%r10")}


def access(op, space, red):
    """The one instruction under test. b in registers from 8, c from 16, result from 24 (b128: 1, 2, 3)."""
    name, n, kind = split(op)
    order, address = SPACE[space]
    at = (1, 2, 3) if kind == "b128" else (8, 16, 24)
    b = braces(kind, n, at[0])
    c = ", " + braces(kind, n, at[1]) if name == "cas" else ""
    if red:
        return "\tred.%s.%s [%s], %s;\n" % (order, ptx_op(op), address, b)
    return "\tatom.%s.%s %s, [%s], %s%s;\n" % (order, ptx_op(op), braces(kind, n, at[2]), address, b, c)


def kernel(op, space, red):
    """A slot of 16 bytes a row: copied to the space, changed there at byte `off`, copied back."""
    name, n, kind = split(op)
    at = (1, 2, 3) if kind == "b128" else (8, 16, 24)
    bufs = ["slot", "off", "b", "c", "old"]
    cta = "%clusterid.x" if space == "cluster" else "%ctaid.x"
    text = HEAD + ".visible .entry k(\n%s)\n{\n%s" % (params(bufs), registers())
    if space != "global":
        text += "\t.shared .align 16 .b8 mine[512];\n"
    text += PROLOGUE.replace("{CTA}", cta) + pointers(bufs)
    text += "\tld.global.u32 %r2, [%d11];\n"
    text += load(kind, n, "%d12", at[0])[0]
    if name == "cas":
        text += load(kind, n, "%d13", at[1])[0]
    if space == "global":
        text += "\tcvt.u64.u32 %d21, %r2;\n\tadd.u64 %d20, %d10, %d21;\n"
        text += access(op, space, red)
        if not red:
            text += store(kind, n, "%d14", at[2])
        return text + "\tret;\n}\n"
    text += "\tmov.u32 %r3, %tid.x;\n\tshl.b32 %r3, %r3, 4;\n\tmov.u32 %r4, mine;\n\tadd.u32 %r4, %r4, %r3;\n"
    fill = "\tld.global.v2.b64 {%d22, %d23}, [%d10];\n\tst.shared.v2.b64 [%r4], {%d22, %d23};\n"
    back = "\tld.shared.v2.b64 {%d22, %d23}, [%r4];\n\tst.global.v2.b64 [%d10], {%d22, %d23};\n"
    if space == "shared":
        text += fill + "\tadd.u32 %r10, %r4, %r2;\n" + access(op, space, red)
        if not red:
            text += store(kind, n, "%d14", at[2])
        return text + back + "\tret;\n}\n"
    sync = "\tbarrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;\n"
    text += "\tmov.u32 %r5, %cluster_ctarank;\n\tsetp.eq.u32 %p1, %r5, 1;\n"
    text += "\t@!%p1 bra F;\n" + fill + "F:\n" + sync
    text += "\t@%p1 bra G;\n\tmapa.shared::cluster.u32 %r10, %r4, 1;\n\tadd.u32 %r10, %r10, %r2;\n"
    text += access(op, space, red)
    if not red:
        text += store(kind, n, "%d14", at[2])
    return text + "G:\n" + sync + "\t@!%p1 bra H;\n" + back + "H:\n\tret;\n}\n"


def number(text):
    """A column of elements, lowest address first, as one number."""
    if text == "-":
        return 0
    value = at = 0
    for part in text.split(","):
        value |= int(part, 16) << at
        at += 4 * len(part)
    return value


def bits(text):
    return 0 if text == "-" else 4 * len(text.replace(",", ""))


def words(numbers):
    out = []
    for n in numbers:
        out += [n & (1 << 64) - 1, n >> 64]
    return out


GUARD = 0x5ac3_96f0_1e87_d24b_b42d_78e1_0f69_3ca5


def pairs_as_integers(row, gpu, model, in_global):
    """Other CTAs' shared memory, pairs of halves: H200 adds the two words as integers. PTX asks for the sums of the halves,
    which the model makes, and H200 in global memory."""
    return (number(row[2]) + number(row[3])) & 0xFFFFFFFF == number(gpu) and model == number(in_global)


def replay(machine, count, op, space, table, expected, red, in_global=None):
    """table: rows as [row, off, mem, b, c]; expected: the new element of each."""
    n = (len(table) + 31) // 32 * 32
    mask = (1 << bits(table[0][2])) - 1
    slots, want = [], []
    for (_, off, mem, _, _), new in zip(table, expected):
        shift = 8 * int(off)
        rest = GUARD & ~(mask << shift)
        slots.append(rest | number(mem) << shift)
        want.append(rest | number(new) << shift)
    pad = [0] * (n - len(table))
    args = [("slot", words(slots + pad)), ("off", words([int(r[1]) for r in table] + pad)),
            ("b", words([number(r[3]) for r in table] + pad)), ("c", words([number(r[4]) for r in table] + pad)),
            ("old", [0] * (2 * n))]
    part = "%s %s%s" % (space, "red " if red else "", op)
    status, text, out = machine.run(kernel(op, space, red), "k", n // 32 * (2 if space == "cluster" else 1), 32, args,
                                    cluster=2 if space == "cluster" else None)
    if status or "slot" not in out:
        count.fail(part, text[-400:])
        return
    for i, r in enumerate(table):
        new = out["slot"][2 * i] | out["slot"][2 * i + 1] << 64
        old = out["old"][2 * i] | out["old"][2 * i + 1] << 64
        right = new == want[i] and (red or old == number(r[2]))
        if in_global:
            right = pairs_as_integers(r, expected[i], new >> 8 * int(r[1]) & mask, in_global[i])
        count.row(part, right, lambda r=r, new=new, i=i, old=old: "row %s: [%s] %s %s %s: GPU leaves %s, model %x (returns %x)" % (
            r[0], r[1], r[2], r[3], r[4], expected[i], new >> 8 * int(r[1]) & mask, old))


def has_red(op):
    return split(op)[0] not in ("exch", "cas")


def scalar(machine, count, table):
    ops = {}
    for r in table:
        ops.setdefault(r[0], []).append(r)
    for op, part in ops.items():
        for at, space in ((6, "global"), (7, "shared"), (8, "cluster")):
            for red in (False, True):
                if red and not has_red(op):
                    continue
                known = space == "cluster" and op in ("add_f16x2", "add_bf16x2")
                replay(machine, count, op, space, [r[1:6] for r in part], [r[at] for r in part], red,
                       [r[6] for r in part] if known else None)


def vector(machine, count, table):
    ops = {}
    for r in table:
        ops.setdefault(r[1], []).append(r)
    for op, part in ops.items():
        replay(machine, count, op, "global", [r[2:7] for r in part], [r[8] for r in part], False)
