# SPDX-License-Identifier: Apache-2.0
"""mbarriers: steps on one object (init, script, random, bulk, edge) and whole warps, with the kernels of
suite/mbarrier.cu."""
import array
import os

from common import KERNELS

OPS = ["init", "arrive", "arrive_n", "arrive_nocomplete", "drop", "drop_n", "drop_nocomplete", "expect_tx", "complete_tx",
       "arrive_expect_tx", "drop_expect_tx", "test_wait", "test_wait_parity", "try_wait", "try_wait_parity",
       "pending_count", "inval", "bulk_copy", "remote_arrive_n", "poke", "cp_async_arrive", "cp_async_arrive_noinc",
       "remote_arrive_expect_tx", "remote_expect_tx", "remote_complete_tx", "pending_count_of_value", "test_wait_of_value"]
INTERP, WARP = "_Z8k_interpPK2OpP3LogiPKh", "_Z6k_warpP4WLogPKjS2_S2_PKhi"
PROGRAMS = ("mbarrier.ptx", "mbarrier.cubin")


def run(machine, program, steps):
    """Returns (status, text, log) of the steps; a record of the log: before, after, ret, clock."""
    ops = []
    for s in steps:
        ops += [OPS.index(s[2]) | int(s[4]) << 32, int(s[3], 16)]
    args = [("ops", ops), ("log", [0] * (4 * len(steps))), ("n", len(steps)), ("source", [0x5A5A5A5A5A5A5A5A] * 8192)]
    return machine.run(os.path.join(KERNELS, program), INTERP, 1, 32, args)


# Sequences of mbarrier_edge where the model faults on purpose: a step of the sequence that PTX forbids, and the fault.
MODEL_FAULTS = {
    "edge0": "MBAR_COUNT_RANGE",   # init with count 0; H200 faults at the arrival
    "edge1": "MBAR_COUNT_RANGE",
    "edge2": "MBAR_COUNT_RANGE",   # init with count 2^20: the low 20 bits are 0
    "edge10": "MBAR_NOCOMPLETE",   # arrive.noComplete ends the phase
    "edge12": "MBAR_NOCOMPLETE",
    "edge29": "MBAR_UNINIT",       # test_wait without init
    "edge33": "MBAR_UNINIT",       # inval without init
}
HIGH = 0xFFFFFFFF00000000
TOKENS = ("arrive", "drop")


def same_result(step, ret, program):
    """H200 writes the high register of a token alone: the low one is the compiler's choice, equal in code of nvcc alone."""
    want = int(step[7], 16)
    if step[0] == "edge38" and program.endswith(".ptx"):  # the copy may land later than the arrival: the bytes may lack
        ret, want = ret >> 43, want >> 43
    if step[2].startswith(TOKENS) and "nocomplete" not in step[2] and program.endswith(".ptx"):
        return ret & HIGH == want & HIGH
    return ret == want


def replay(machine, count, name, table):
    """Compares what each step returns, and the object after each inval: a GPU shows an object to loads only then."""
    sequences = {}
    for r in table:
        sequences.setdefault(r[0], []).append(r)
    for sequence, steps in sequences.items():
        faults = steps[-1][5] == "fault"
        for program in PROGRAMS:
            part = "mbarrier_%s %s" % (name, program.split(".")[1])
            status, text, out = run(machine, program, steps)
            if name == "edge" and sequence in MODEL_FAULTS:
                for s in steps:
                    count.row(part, status != 0 and "fault: " + MODEL_FAULTS[sequence] in text,
                              "%s: expected %s, model: %s" % (sequence, MODEL_FAULTS[sequence], text[-300:]))
                continue
            if faults:
                count.row(part, status != 0 and "fault" in text,
                          lambda s=steps, t=text: "%s: GPU faults at `%s %s`, model: %s" % (
                              s[-1][0], s[-1][2], s[-1][3], t[-200:]))
                if len(steps) == 1:
                    continue
                status, text, out = run(machine, program, steps[:-1])
            if status or "log" not in out:
                count.fail(part, "%s: %s" % (sequence, text[-400:]))
                continue
            for i, s in enumerate(steps[:-1] if faults else steps):
                after, ret = out["log"][4 * i + 1], out["log"][4 * i + 2]
                same = same_result(s, ret, program) and (s[2] != "inval" or after == int(s[6], 16))
                count.row(part, same, lambda s=s, a=after, r=ret: "%s step %s `%s %s`: GPU returns %s, object %s; model %x, %016x" % (
                    s[0], s[1], s[2], s[3], s[7], s[6], r, a))


KINDS = ["arrive", "arrive_lane+1", "arrive_expect_tx_lane+1", "drop"]


def warp(machine, count, table):
    """Up to 32 lanes arrive in one instruction. `before` of a row is object 0 as the inval of the row before left it."""
    n = len(table)
    which = bytes(int(d) for r in table for d in r[4])
    args = [("out", array.array("I", bytes(8 * n * 51))),
            ("masks", array.array("I", [int(r[3], 16) for r in table])),
            ("counts", array.array("I", [int(r[2]) for r in table])),
            ("kinds", array.array("I", [KINDS.index(r[1]) for r in table])),
            ("which", array.array("I", which)), ("n", n)]
    for program in PROGRAMS:
        part = "mbarrier_warp " + program.split(".")[1]
        status, text, out = machine.run(os.path.join(KERNELS, program), WARP, 1, 32, args)
        if status or "out" not in out:
            count.fail(part, text[-400:])
            continue
        log = array.array("Q")
        log.frombytes(out["out"].tobytes())
        words = out["out"]
        for i, r in enumerate(table):
            at = i * 51  # 64-bit words of struct WLog
            keep = HIGH if program.endswith(".ptx") else HIGH | 0xFFFFFFFF
            found = " ".join("%d=%016x/%x" % (lane, log[at + 2 + lane] & keep, words[2 * (at + 34) + lane])
                             for lane in range(32) if int(r[3], 16) >> lane & 1)
            left = table[i + 1][5] if i + 1 < n else None
            after = "%016x" % log[at + 1]
            count.row(part, found == r[8].strip() and (left is None or left == after),
                      lambda r=r, f=found, a=after, l=left: "row %s %s init %s mask %s objects %s\n   GPU   %s object %s\n   model %s object %s" % (
                          r[0], r[1], r[2], r[3], r[4], r[8], l, f, a))
