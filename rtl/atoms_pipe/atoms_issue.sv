// SPDX-License-Identifier: Apache-2.0
// When a pass of the beat in P may be issued: at once. With adders in two stages a pass of floats stands in X for two
// cycles: in the cycle behind the pass neither atoms_pipe nor smem_inject issues.
`include "atoms_bundles.vh"
`default_nettype none

module atoms_issue #(
  parameter int Lanes    = 32,
  parameter int Banks    = 32,
  parameter int Combine  = 0,
  parameter bit Adds     = 1'b0,
  parameter int FpStages = 1,
  parameter int FpLanes  = 4,
  parameter int LaneBits = $clog2(Lanes),                         // derived, do not override, like all below
  parameter int BankBits = $clog2(Banks),
  parameter int Words    = Combine > 0 ? Combine : 1
) (
`include "atoms_issue_ports.vh"
);
  assign choice_o = choice_i;
  assign open_o   = valid_i;
  assign over_o   = Combine == 0 && !Adds ? all_i && left_i == '0 : rest_i == '0;
  assign free_o   = !valid_i || leave_i;
  assign done_o   = leave_i;
  if (Adds && FpStages == 2) begin : gen_gap
    logic gap_q;
    always_ff @(posedge clk_i) gap_q <= !rst_i && fire_i && floats_i;
    assign gap_o = gap_q;
  end else begin : gen_no_gap
    assign gap_o = 1'b0;
  end
  logic unused;
  assign unused = ^{clk_i, rst_i, fire_i, floats_i, end_i, pending_i, rest_i, left_i, all_i};
endmodule
`default_nettype wire
