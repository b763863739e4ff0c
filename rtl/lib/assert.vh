// SPDX-License-Identifier: Apache-2.0
// Assertions accepted by all three front ends: immediate, in a clocked block, off during reset. Assertions are on with
// --assert in Verilator and with -formal (FORMAL) in Yosys; elsewhere assertions vanish.
`ifndef WL_ASSERT_VH
`define WL_ASSERT_VH
`ifdef WL_PLANTED
// A planted bug must reach the ports, not end the simulation.
`define ASSERT(name, expr)
`elsif VERILATOR
`define ASSERT(name, expr) \
  always_ff @(posedge clk_i) begin : name \
    if (!rst_i) assert (expr); \
  end
`elsif FORMAL
`define ASSERT(name, expr) \
  always_ff @(posedge clk_i) begin : name \
    if (!rst_i) assert (expr); \
  end
`else
`define ASSERT(name, expr)
`endif
`endif
