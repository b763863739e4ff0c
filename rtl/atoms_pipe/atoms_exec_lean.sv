// SPDX-License-Identifier: Apache-2.0
// Stage X of atoms_pipe, lean form. A pass stands in X for six cycles. The words go into registers; the work on the
// words takes four cycles (of floats; all other work needs part of the four); the new words are written. The registers
// of P and R belong to the pass in X.
`include "atoms_bundles.vh"
`include "wl_config.vh"
`include "wl_units.vh"
`default_nettype none

module atoms_exec_lean #(
  parameter int Lanes     = 32,
  parameter int Banks     = 32,
  parameter int PortBits  = 1,
  parameter int SlotBits  = 3,
  parameter int ShareBits = 2,
  parameter int RowBits   = 9,
  parameter bit Wide      = 1'b0,
  parameter bit Adds      = 1'b0,
  parameter bit Native    = 1'b0,
  parameter int FpStages  = 1,
  parameter int FpLanes   = 4,
  parameter int BeatBits  = Lanes < 32 ? $clog2(32 / Lanes) : 1,   // derived, do not override, like all below
  parameter int BankBits  = $clog2(Banks),
  parameter int LowBits   = BankBits + 2,
  parameter int CtlBits   = `WL_ATOMS_PIPE_CTL_BITS
) (
`include "atoms_exec_ports.vh"
);
  typedef `WL_ATOMS_PASS pass_t;
  pass_t x;
  assign x      = pass_i;
  assign pass_o = pass_i;
  assign part_o = part_i;

`include "atoms_sizes.vh"

  logic                x_valid_q, x_begins, x_works, x_ends;
  logic [4:0]          step_q;
  logic [Banks*32-1:0] words_q, made_q, now_q, x_made, x_now;
  logic [Banks-1:0]    marks_q, fwd_q, match_q, x_match;
  logic [FpLanes-1:0]  x_adds;
  always_ff @(posedge clk_i) begin
    if (rst_i) x_valid_q <= 1'b0;
    else x_valid_q <= valid_i;
  end
  always_ff @(posedge clk_i) begin
    step_q <= rst_i ? '0 : {step_q[3:0], x_valid_q};
    if (x_valid_q) {words_q, marks_q, fwd_q} <= {rd_data_i, rd_mark_i, rd_fwd_i};
    if (step_q[0]) {made_q, match_q} <= {x_made, x_match};
    if (step_q[3]) now_q <= x_now;
  end
  assign x_begins = step_q[3];
  assign x_works  = step_q != '0;
  assign x_ends   = step_q[4];
  atoms_alu #(.Banks(Banks), .Wide(Wide), .Adds(Adds), .Native(Native), .FpStages(FpStages), .Lean(1'b1), .FpLanes(FpLanes)) u_words (
    .clk_i, .valid_i, .adds_i, .adds_at_i, .adds_o(x_adds), .works_i(x_works), .second_i(step_q[1]), .mbar_i(x.mbar),
    .kind_i(x.kind), .ctl_i(x.ctl), .op_i, .words_i(words_q), .b_i(folded_i), .c_i, .be_i, .made_o(x_made),
    .match_o(x_match), .made_i(made_q), .other_i(1'b0), .other_new_i({Banks{32'd0}}), .now_o(x_now)
  );

  assign own_op_o = x.kind == `WL_ATOMS_PIPE_STS ? 4'd8 : x.ctl[`WL_ATOMS_PIPE_CTL_OP];   // a store: EXCH of atomic_alu
  assign own_b_o  = b_i;
  assign valid_o  = x_valid_q;
  assign begins_o = x_begins;
  assign works_o  = x_works;
  assign ends_o   = x_ends;
  assign busy_o   = x_valid_q || x_works;
  assign low_o    = low_i;
  assign en_o     = en_i;
  assign row_o    = row_i;
  assign words_o  = words_q;
  assign marks_o  = marks_q;
  assign old_o    = words_q;
  assign fwd_o    = fwd_q;
  assign match_o  = match_q;
  assign we_o     = !x_ends ? '0 : x.mbar ? mbar_we_i : x.kind == `WL_ATOMS_PIPE_LDS ? '0 : is_compare(x.kind) ? en_i & match_q : en_i;
  assign new_o    = x.mbar ? mbar_new_i : now_q;
  logic unused;
  assign unused = ^{x, x_adds};
endmodule
`default_nettype wire
