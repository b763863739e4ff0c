#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compare the models with the tables that a GPU wrote (verif/silicon/README.md).

usage: replay.py [options] PART...
parts: scalar vector async lane_order warp_ops mbarrier cases forms litmus
  --tool wlrun|wlcosim  the C model (default), or the RTL in lockstep
  --flags 'FLAGS'       more flags of the tool
  --ptxas PATH          the kernels of scalar, vector, async and lane_order as cubins of ptxas
  --every N             every Nth row of the large tables
  --tables FOLDER       other tables
  --self-test           change one expected word of each part: each part must fail
Status 0 when no row differs, 1 otherwise.
"""
import argparse
import contextlib
import io
import shutil
import sys
import tempfile

import asynchronous
import atoms
import cases
import litmus
import mbar
import order
import warp
from common import TABLES, Count, Machine, rows


# The column of a table that the self-test changes: what the GPU wrote.
RESULT = {"scalar": 7, "vector": 8, "async": 8, "lane_order": 4, "warp_ops": 5, "mbarrier_init": 7, "mbarrier_script": 7,
          "mbarrier_random": 7, "mbarrier_bulk": 7, "mbarrier_edge": 7, "mbarrier_warp": 8, "questions": 3, "extra": 3, "act": 5,
          "litmus": 8}


def nothing(name, table):
    return table


def changed(name, table):
    """A copy with one wrong number: the last digit of the result in the first row behind the middle that ends with one."""
    column = RESULT[name]
    at = next(i for i in range(len(table) // 2, len(table)) if len(table[i]) > column and table[i][column].strip()[-1:] in "0123456789abcdef")
    row = list(table[at])
    text = row[column].strip()
    row[column] = text[:-1] + ("5" if text[-1] != "5" else "6")
    return table[:at] + [row] + table[at + 1:]


# part: tables that every N thins, and the comparison
PARTS = {
    "scalar": lambda m, c, t: atoms.scalar(m, c, t("scalar")),
    "vector": lambda m, c, t: atoms.vector(m, c, t("vector")),
    "async": lambda m, c, t: asynchronous.replay(m, c, t("async")),
    "lane_order": lambda m, c, t: order.replay(m, c, t("lane_order")),
    "warp_ops": lambda m, c, t: warp.replay(m, c, t("warp_ops")),
    "cases": lambda m, c, t: cases.replay(m, c, t("questions") + t("extra")),
    "forms": lambda m, c, t: cases.forms(m, c, t("act")),
    "litmus": lambda m, c, t: litmus.replay(c, t("litmus")),
}


def mbarriers(machine, count, tables):
    for name in ("init", "script", "random", "bulk", "edge"):
        mbar.replay(machine, count, name, tables("mbarrier_" + name))
    mbar.warp(machine, count, tables("mbarrier_warp"))


PARTS["mbarrier"] = mbarriers
WHOLE = ("mbarrier_", "questions", "extra", "act", "litmus")  # every row says what the rows behind it find


def main():
    p = argparse.ArgumentParser(usage=__doc__)
    p.add_argument("--tool", default="wlrun", choices=("wlrun", "wlcosim"))
    p.add_argument("--flags", default="")
    p.add_argument("--ptxas")
    p.add_argument("--every", type=int, default=1)
    p.add_argument("--tables", default=TABLES)
    p.add_argument("--self-test", action="store_true")
    p.add_argument("parts", nargs="+", choices=sorted(PARTS))
    a = p.parse_args()
    folder = tempfile.mkdtemp()
    machine = Machine(folder, a.tool, a.ptxas, options=a.flags.split())

    def tables(change):
        def read(name):
            table = rows(name, a.tables)
            if not name.startswith(WHOLE):
                table = table[::a.every]
            return change(name, table)
        return read

    try:
        if a.self_test:
            return self_test(machine, a.parts, tables)
        count = Count()
        for part in a.parts:
            PARTS[part](machine, count, tables(nothing))
    finally:
        shutil.rmtree(folder)
    return count.report("silicon")


def self_test(machine, parts, tables):
    passed = 0
    for part in parts:
        count = Count()
        with contextlib.redirect_stdout(io.StringIO()):
            PARTS[part](machine, count, tables(changed))
        passed += count.bad > 0
        print("%s with a wrong number: %d differ" % (part, count.bad))
    print("%d passed, %d failed" % (passed, len(parts) - passed))
    return passed != len(parts)


if __name__ == "__main__":
    sys.exit(main())
