# SPDX-License-Identifier: Apache-2.0
"""Runs a cubin of each fixture by the module warplock, and compares each buffer with what cases.py works out, in numpy.

  from_python [PRODUCER...]     Prints what differs, and 'N passed, N failed'.
"""
import glob
import json
import os
import sys

import numpy
import warplock

from cases import CASES
from refused import REFUSED

HERE = os.path.dirname(os.path.abspath(__file__))
TYPES = {"s32": "<i4", "u32": "<u4", "u16": "<u2", "f16": "<f2", "f32": "<f4"}


def judge(launch, case, cubin):
    """Names of the buffers that are not right, with the first element."""
    arch = cubin.split(".")[-2]
    run = warplock.launch_file(launch, cubin, arch=arch)
    report = run.run()
    if report.outcome != "pass":
        return ["outcome %s" % report.outcome]
    wrong = []
    for name, (kind, _, end) in CASES[case]().items():
        found = numpy.frombuffer(run[name], TYPES[kind])
        if end is not None and not numpy.array_equal(found, numpy.array(end, TYPES[kind])):
            at = int(numpy.argmax(found != numpy.array(end, TYPES[kind])))
            wrong.append("buffer '%s': element %d is %s, expected %s" % (name, at, found[at], end[at]))
    return wrong


def main():
    good = bad = 0
    for launch in sorted(glob.glob(os.path.join(HERE, "fixtures/*/*.json"))):
        name = "/".join(launch[:-5].split("/")[-2:])
        if name in REFUSED or sys.argv[1:] and name.split("/")[0] not in sys.argv[1:]:
            continue
        with open(launch) as f:
            case = json.load(f)["doc"].split(",")[0]
        wrong = judge(launch, case, sorted(glob.glob(launch[:-5] + ".*.cubin"))[-1])
        good, bad = good + (not wrong), bad + bool(wrong)
        for w in wrong:
            print("%s: %s" % (name, w))
    print("%d passed, %d failed" % (good, bad))
    return bad != 0 or good == 0


sys.exit(main())
