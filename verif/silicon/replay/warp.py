# SPDX-License-Identifier: Apache-2.0
"""Warp collectives: warp_ops.tsv and activemask_walk.tsv, with the kernels of suite/warp_ops.cu."""
import array
import os

from common import KERNELS

ENTRY = {"vote.all": "vote_all", "vote.any": "vote_any", "vote.uni": "vote_uni", "vote.ballot": "vote_ballot",
         "match.any.b32": "match_any32", "match.any.b64": "match_any64", "match.all.b32": "match_all32",
         "match.all.b64": "match_all64", "elect": "elect_one", "activemask": "act_mask"}
MODES = ["full", "sub", "two", "div"]
ROW, OUT = 98, 34  # 32-bit words of struct Row and of struct Out


def entry(op):
    name = ENTRY.get(op) or op.replace(".", "_")
    return "_Z1kI%d%sEvPK3RowP3Outii" % (len(name), name)


def packed(row):
    """struct Row of the kernel."""
    op, number, mode, mask, text = row[0], int(row[1]), row[2], int(row[3], 16), row[4]
    a, b, c = [0] * 32, [0] * 32, [0] * 32
    if op.startswith("vote"):
        a = [int(text, 16) >> lane & 1 for lane in range(32)]
    elif op.startswith("shfl"):
        for lane, pair in enumerate(text.split(",")):
            b[lane], c[lane] = (int(x, 16) for x in pair.split(":"))
            a[lane] = 0x5A000000 | (number & 0xFFFF) << 8 | lane
    elif text != "-":
        for lane, x in enumerate(text.split(",")):
            a[lane], b[lane] = int(x, 16) & 0xFFFFFFFF, int(x, 16) >> 32
    return [MODES.index(mode), mask] + a + b + c


def shown(op, number, mask, mode, out):
    """The columns result and pred, in the form of the table."""
    executing = mask if mode == "sub" else 0xFFFFFFFF
    groups = []
    for lanes in (mask, executing & ~mask):
        values = [out[lane] for lane in range(32) if lanes >> lane & 1]
        if not values:
            continue
        if op.startswith("shfl"):
            tag = 0x5A000000 | (number & 0xFFFF) << 8
            groups.append(",".join("%x" % (v & 0xFF) if v & 0xFFFFFF00 == tag else "!%08x" % v for v in values))
        elif len(set(values)) == 1:
            groups.append("=%x" % values[0])
        else:
            groups.append(",".join("%x" % v for v in values))
    return " | ".join(groups), "%08x" % (out[32] & executing)


def replay(machine, count, table):
    parts = {}
    for r in table:
        parts.setdefault((r[0], r[2] == "two"), []).append(r)
    for (op, two), part in parts.items():
        rows, out = array.array("I"), array.array("I", bytes(4 * OUT * len(part)))
        for r in part:
            # The kernel tags the value of a lane with the place of the row: so does packed() with the number of the table.
            rows.extend(packed(r))
        for program in ("warp_ops.ptx", "warp_ops.cubin"):
            name = "%s %s" % (op, program.split(".")[1])
            status, text, got = machine.run(os.path.join(KERNELS, program), entry(op), (len(part) + 3) // 4, 128,
                                            [("rows", rows), ("out", out), ("n", len(part)), ("two", int(two))])
            if status or "out" not in got:
                count.fail(name, text[-400:])
                continue
            for i, r in enumerate(part):
                found = shown(op, int(r[1]), int(r[3], 16), r[2], got["out"][i * OUT:(i + 1) * OUT])
                done = got["out"][i * OUT + 33] == int(r[7])
                count.row(name, found == (r[5], r[6]) and done,
                          lambda r=r, found=found: "row %s %s %s %s: GPU %s / %s, model %s / %s" % (
                              r[1], r[2], r[3], r[4][:200], r[5], r[6], found[0], found[1]))
