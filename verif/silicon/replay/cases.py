# SPDX-License-Identifier: Apache-2.0
"""Single questions: questions.tsv and extra.tsv, with the kernels of suite/questions.cu and suite/extra.cu."""
import array
import os
import struct

from common import KERNELS

# case: (entry, grid, block, cluster, words of the result, bits of a word, arguments of the parameter)
CASES = {
    "stack": ("_Z7k_stackPji", 1, 4, 12, 32, lambda p: [p]),
    "inval": ("_Z7k_invalPm", 1, 1, 5, 64, lambda p: []),
    "inval_arrive": ("_Z14k_inval_arrivePm", 1, 1, 3, 64, lambda p: []),
    "reinit": ("_Z8k_reinitPm", 1, 1, 4, 64, lambda p: []),
    "over": ("_Z6k_overPmjj", 1, 32, 33, 64, lambda p: [p // 100, p % 100]),
    "over_count": ("_Z12k_over_countPmjj", 1, 1, 2, 64, lambda p: [p // 100, p % 100]),
    "mismatch": ("_Z10k_mismatchPjjj", 1, 64, 64, 32, lambda p: [p // 1000, p % 1000]),
    "part": ("_Z6k_partPjji", 1, 64, 64, 32, lambda p: [0x00FF00FF, p]),
    "two_unaligned": ("_Z7k_two_uPj", 1, 64, 64, 32, lambda p: []),
    "exited": ("_Z8k_exitedPjji", 1, 64, 64, 32, lambda p: [p % 100, p // 100]),
    "gone_warp": ("_Z11k_gone_warpPj", 1, 64, 64, 32, lambda p: []),
    "lack": ("_Z6k_lackPji", 1, 32, 32, 32, lambda p: [p]),
    "exited_mask": ("_Z13k_exited_maskPji", 1, 32, 32, 32, lambda p: [p]),
    "masks_differ": ("_Z14k_masks_differPji", 1, 32, 32, 32, lambda p: [p]),
    "two_votes": ("_Z11k_two_votesPj", 1, 32, 32, 32, lambda p: []),
    "two_shfl": ("_Z10k_two_shflPj", 1, 32, 32, 32, lambda p: []),
    "left": ("_Z6k_leftPji", 2, 32, 1, 32, lambda p: [p]),
    "left_sync": ("_Z11k_left_syncPj", 2, 32, 1, 32, lambda p: []),
    "rank": ("_Z6k_rankPj", 2, 1, 2, 32, lambda p: []),
    "misaligned": ("_Z12k_misalignedPjS_ii", 1, 1, 1, 32, lambda p: [("g", 64), p // 10, p % 10]),
    "mbar_misaligned": ("_Z17k_mbar_misalignedPm", 1, 1, 3, 64, lambda p: []),
    "lock": ("_Z6k_lockPjS_", 1, 32, 33, 32, lambda p: []),
    "lock_naive": ("_Z12k_lock_naivePjS_", 1, 32, 33, 32, lambda p: []),
    "spin_plain": ("_Z12k_spin_plainPVjPj", 1, 32, 34, 32, lambda p: []),
    "spin_shared": ("_Z13k_spin_sharedPj", 1, 32, 32, 32, lambda p: []),
    "racy": ("_Z6k_racyPj", None, None, 1, 32, lambda p: []),
    "two_places": ("_Z5k_twoPji", 1, None, None, 32, lambda p: [p]),
    "count": ("_Z7k_countPjj", 1, 64, 64, 32, lambda p: [p]),
    "mbarrier_tag": ("_Z5k_tagPmjj", 1, 1, None, 64, lambda p: [p // 2, p % 2]),
    "remote_arrive": ("_Z8k_remotePmi", 2, 32, 3, 64, lambda p: [p]),
}
LOCK_FIRST = ("lock", "lock_naive", "spin_plain")
CLUSTERS = ("left", "left_sync", "rank", "remote_arrive")
QUESTIONS = ("two_places", "count", "mbarrier_tag", "remote_arrive")


def run(machine, case, p, form, options=()):
    """(status, text, list of result words)"""
    entry, grid, block, n, width, more = CASES[case]
    if case == "racy":
        grid, block = p // 1000, p % 1000
    if case == "two_places":
        block = n = 32 * p
    if case == "mbarrier_tag":
        n = 2 * (p // 2) + 4
    out = array.array("Q" if width == 64 else "I", bytes(65536))
    args = [("out", out)]
    lock = ("lock", array.array("I", bytes(4096)))
    if case in LOCK_FIRST:
        args = [lock, ("out", out)]
    for i, a in enumerate(more(p)):
        args.append(("g", array.array("I", bytes(4 * a[1]))) if isinstance(a, tuple) else ("p%d" % i, a))
    program = os.path.join(KERNELS, ("questions" if case in QUESTIONS else "extra") + "." + form)
    status, text, got = machine.run(program, entry, grid, block, args, cluster=2 if case in CLUSTERS else None,
                                    limit=60, options=list(options) + ["--limit", "3000000"])
    return status, text, list(got.get("out", []))[:n]


def parts(row):
    case, parameter = row[0], row[1]
    if parameter == "-":
        case, _, parameter = case.rpartition(":") if ":" in case else case.rpartition("_")
    return case, int(parameter)


LIVE = "bytes of a live mbarrier: H200 shows old bytes to loads"
HALVES = [0xFFFF] * 16 + [0xFFFF0000] * 16
# (case, parameter): what the models do on purpose, and why; a list: the words, a text: the fault.
OTHERWISE = {
    ("inval", 0): ([0x7fffe000001ffff8, 0x7fffe800001ffff8, 0x7fffe800001ffff8, 0, 0x7fffe800001ffff8], LIVE),
    ("inval_arrive", 0): ([0x7fffe000001ffff8, 0x7fffe00000000000, 0x7fffe800001ffff8], LIVE),
    ("reinit", 0): ([0x7ffff000001ffffa, 0x7ffff000001ffffc, 0x7ffff800001ffffc, 0xfffff000001ffffc], LIVE),
    ("over", 3232): ([0x7fff000000000000] * 32 + [0xffff0000001fffc0], LIVE),
    ("over", 808): ([0x7fffc00000000000] * 8 + [0] * 24 + [0xffffc000001ffff0], LIVE),
    ("over_count", 404): ([0x7fffe00000000004, 0xffffe000001ffff8], LIVE),
    ("two_votes", 0): (HALVES, "places of one collective stay apart: H200 runs them as one"),
    ("two_shfl", 0): ([0] * 32, "places of one collective stay apart: H200 runs them as one"),
}
for _p in range(2, 10):
    OTHERWISE["mbarrier_tag", _p] = ("MBAR_UNINIT", "a plain store ends the mbarrier here; H200 keeps the live object apart")
# Code of wlcc: a constant mask without the lane counts.
OTHERWISE_PTX = {
    ("lack", 0): ([0xFFFF] * 32, "the ballot of the mask"),
    ("lack", 3): ([0x1111, 0x2222, 0x4444, 0x8888] * 8, "the lanes of the mask"),
}
TOKENS = ("inval_arrive", "over", "over_count")
HIGH = 0xFFFFFFFF00000000


def masked(case, form, index, word):
    """The low register of a token is not written."""
    token = case == "over" and index < 32 or case == "over_count" and index == 0 or case == "inval_arrive" and index == 1
    return word & HIGH if token and (form == "ptx" or case == "inval_arrive") else word


# racy: an outcome that the order of the warps decides. two_places ends as a misuse by default.
FLAGS = {"racy": ("--schedule-policy", "fair", "--sms", "4"), "two_places": ("--misuse", "barrier-places=report")}
# Lanes that go on together, where the models differ: (case, rounds or 0 for all, form).
JOINED = {
    # a single round: the lanes that are done come to the BSYNC when one spinning lane has left its loop
    ("join_cas", 1, "cubin"): "ffffffff",
}
for _rounds in (1, 2, 4, 8, 16, 32, 64):
    # wlcc puts YIELD into each loop that waits; ptxas puts none beside NANOSLEEP
    JOINED[("join_nanosleep", _rounds, "ptx")] = "0000ffff,ffff0000"


def join(machine, sleep, rounds, form):
    """The masks of the lanes that go on together behind the branch, in the order of their clocks."""
    entry = "_Z6k_joinILi%dEEvPjPmS0_i" % sleep
    args = [("mask", array.array("I", bytes(128))), ("when", [0] * 32), ("token", array.array("I", bytes(4))), ("n", rounds)]
    status, text, out = machine.run(os.path.join(KERNELS, "questions." + form), entry, 1, 32, args, limit=60)
    if status:
        return text[-200:]
    groups = {}
    for lane in range(32):
        groups.setdefault(out["mask"][lane], out["when"][lane])
    return ",".join("%08x" % mask for mask, _ in sorted(groups.items(), key=lambda g: g[1]))


def same(case, p, row, form, status, text, found):
    known = OTHERWISE.get((case, p)) or (form == "ptx" and OTHERWISE_PTX.get((case, p)))
    if known and isinstance(known[0], str):
        return status != 0 and "fault: " + known[0] in text
    if row[2] == "fault":
        return status != 0 and "fault: " in text
    if status:
        return False
    if known:
        want = known[0]
    elif row[3].startswith("threads_passed"):
        return sum(x != 0 for x in found) == int(row[3].split("=")[1])
    else:
        want = [int(x, 16) for x in row[3].split("=")[1].split(",")]
    return [masked(case, form, i, w) for i, w in enumerate(found)] == [masked(case, form, i, w) for i, w in enumerate(want)]


def replay(machine, count, table):
    done = {}
    for row in table:
        case, p = parts(row)
        for form in ("ptx", "cubin"):
            name = "case " + case + " " + form
            if case.startswith("join"):
                key = (case, p, form)
                if key not in done:
                    done[key] = join(machine, int(case == "join_nanosleep"), p, form)
                want = JOINED.get(key) or ",".join(g.split("@")[0] for g in row[3].split("=")[1].split(","))
                count.row(name, done[key] == want, lambda p=p, w=want, d=done[key]: "%d rounds: GPU %s, model %s" % (p, w, d))
                continue
            key = (case, p, form)
            if key not in done:
                done[key] = run(machine, case, p, form, FLAGS.get(case, ()))
            status, text, found = done[key]
            count.row(name, same(case, p, row, form, status, text, found),
                      lambda r=row, s=status, t=text, f=found: "%s: GPU %s %s, model %s" % (
                          r[1], r[2], r[3][:200], t.strip()[-300:] if s else ["%x" % x for x in f][:34]))


# ---- forms of SYNCS.ARRIVE that the assembler does not write: act.tsv ----

def patched(form, to):
    """act.cubin with the form of its SYNCS.ARRIVE in bits 87:84."""
    with open(os.path.join(KERNELS, "act.cubin"), "rb") as f:
        data = bytearray(f.read())
    for at in range(0, len(data) - 15, 16):
        low, high = struct.unpack_from("<QQ", data, at)
        if low & 0xFFF == 0x9A7 and high >> 27 & 1:
            struct.pack_into("<Q", data, at + 8, high & ~(0xF << 20) | form << 20)
    with open(to, "wb") as f:
        f.write(data)


def forms(machine, count, table):
    """Tokens of each lane, or the error. The object itself is not compared: H200 shows none of a live mbarrier."""
    for name, number, lanes, outcome, told, *rest in table:
        program = os.path.join(machine.folder, name)
        patched(int(name[3]), program)
        status, text, out = machine.run(program, "act", 1, 32, [("out", [0] * 33), ("count", int(number)), ("lanes", int(lanes))])
        if outcome == "error":
            fault = "unknown word" if "ILLEGAL" in told else "MBAR_UNDERFLOW"  # no form of the table: the model refuses
            right, found = status != 0 and fault in text, text.strip()[-300:]
        else:
            found = ["%x" % w for w in list(out.get("out", []))[:32]] if status == 0 else text.strip()[-300:]
            right = status == 0 and found == rest[0].split(",")
        count.row("forms of SYNCS.ARRIVE", right, "%s count %s lanes %s: GPU %s %s %s, model %s" % (
            name, number, lanes, outcome, told, rest[:1], found))
