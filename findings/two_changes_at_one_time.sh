#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# pyvcd 0.5.1 as the writer of a waveform, vcdvcd 2.6.0 and pywellen 0.25.7 as readers. A signal changes more than once
# at one time, as a model without delta cycles reports a word that settles: the last change counts. pyvcd writes all
# changes below one time stamp, and both readers list all of them. One would guess that a question for the value at this
# time gives the last change. pywellen does so. vcdvcd gives the first change at exactly this time, and the last change
# at every later time. A word that goes to 5 and then to 1, both at time 10, reads as 5 at time 10 and as 1 at time 11.
# A check that samples at the times of the clock edges, where the changes are, sees values that no register takes. The
# same check half a cycle later passes.
set -euo pipefail
WRITER=0.5.1 VCDVCD=2.6.0 WELLEN=0.25.7
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check --no-deps "pyvcd==$WRITER" "typing_extensions==4.15.0" \
	"vcdvcd==$VCDVCD" "pywellen==$WELLEN"
cat >see.py <<'END_PY'
import sys

import pywellen
from vcd import VCDWriter
from vcdvcd import VCDVCD

# Changes of each signal: time and value.
CHANGES = {
    "once": [(10, 1), (20, 2)],
    "twice": [(10, 5), (10, 1), (20, 6), (20, 2)],
    "thrice": [(10, 5), (10, 7), (10, 1), (20, 2)],
    "back": [(10, 5), (10, 0), (20, 2)],
}
TIMES = (9, 10, 11, 20, 21)
# Values at these times: the last change of each time, and the first change at exactly this time.
LAST = {
    "once": [0, 1, 1, 2, 2],
    "twice": [0, 1, 1, 2, 2],
    "thrice": [0, 1, 1, 2, 2],
    "back": [0, 0, 0, 2, 2],
}
FIRST = {
    "once": [0, 1, 1, 2, 2],
    "twice": [0, 5, 1, 6, 2],
    "thrice": [0, 5, 1, 2, 2],
    "back": [0, 5, 0, 2, 2],
}

with open("w.vcd", "w") as file, VCDWriter(file, timescale="1 ns") as writer:
    variables = {name: writer.register_var("top", name, "wire", size=4, init=0) for name in CHANGES}
    for time in (10, 20):
        for name, changes in CHANGES.items():
            for when, value in changes:
                if when == time:
                    writer.change(variables[name], when, value)
    writer.close(30)

plain = VCDVCD("w.vcd")
wellen = {v.full_name: v.signal for v in pywellen.Waveform("w.vcd").all_vars()}
good = True
for name, changes in CHANGES.items():
    ours = plain[f"top.{name}"]
    theirs = wellen[f"top.{name}"]
    listed = [(t, int(v, 2)) for t, v in ours.tv][1:] == changes == [tuple(c) for c in theirs][1:]
    first = [int(ours[t], 2) for t in TIMES]
    last = [theirs.value_at(t) for t in TIMES]
    print(f"{name}: {changes}; both list all: {listed}")
    print(f"    at {TIMES}: vcdvcd {first}, pywellen {last}")
    good &= listed and first == FIRST[name] and last == LAST[name]
sys.exit(not good)
END_PY
venv/bin/python see.py
