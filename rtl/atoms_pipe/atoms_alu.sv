// SPDX-License-Identifier: Apache-2.0
// New words of a pass in stage X of atoms_pipe: the banks' ALU (atomic_alu), the adders of floats, the unchanged bytes.
`include "wl_config.vh"
`include "wl_units.vh"
`default_nettype none

module atoms_alu #(
  parameter int Banks    = 32,
  parameter bit Wide     = 1'b0,
  parameter bit Adds     = 1'b0,
  parameter bit Native   = 1'b0,
  parameter int FpStages = 1,
  parameter bit Lean     = 1'b0,
  parameter int FpLanes  = 4,
  parameter int BankBits = $clog2(Banks),                         // derived, do not override, like all below
  parameter int CtlBits  = `WL_ATOMS_PIPE_CTL_BITS
) (
  input  logic                      clk_i,
  input  logic                      valid_i,         // a pass comes from R
  input  logic [FpLanes-1:0]        adds_i,          // ... with these adders
  input  logic [FpLanes*BankBits-1:0] adds_at_i,
  output logic [FpLanes-1:0]        adds_o,          // adders of the pass in X

  input  logic                      works_i,         // the pass is at work
  input  logic                      second_i,        // ... in the second cycle, of floats
  input  logic                      mbar_i,          // ... of mbarrier_engine
  input  logic [4:0]                kind_i,
  input  logic [CtlBits-1:0]        ctl_i,
  input  logic [3:0]                op_i,
  input  logic [Banks*32-1:0]       words_i,
  input  logic [Banks*32-1:0]       b_i,
  input  logic [Banks*32-1:0]       c_i,
  input  logic [Banks*4-1:0]        be_i,
  output logic [Banks*32-1:0]       made_o,          // by the banks' ALU
  output logic [Banks-1:0]          match_o,

  input  logic [Banks*32-1:0]       made_i,          // the same, of the lean form a cycle later
  input  logic                      other_i,         // another block makes the words
  input  logic [Banks*32-1:0]       other_new_i,
  output logic [Banks*32-1:0]       now_o            // by the ALU, the adders or another block, with unchanged bytes
);
`include "atoms_sizes.vh"

  logic                x_compare, x_quad;
  logic [FpLanes-1:0]  x_adds_q;
  logic [Banks*32-1:0] x_done;
  assign x_compare = is_compare(kind_i);
  assign x_quad    = ctl_i[`WL_ATOMS_PIPE_CTL_SIZE] == 3'd4;
  atomic_alu #(.Pairs(Banks / 2), .Quads(Wide), .Longs(Adds)) u_alu (
    .valid_i(works_i && !mbar_i), .op_i, .signed_i(ctl_i[`WL_ATOMS_PIPE_CTL_SIGNED]), .cas_i(x_compare),
    .wide_i(ctl_i[`WL_ATOMS_PIPE_CTL_SIZE] >= 3'd3), .quad_i(x_quad), .old_i(words_i), .b_i, .c_i, .new_o(made_o), .match_o
  );
  if (Adds) begin : gen_adders
    logic [FpLanes*BankBits-1:0] x_adds_at_q;
    always_ff @(posedge clk_i) begin
      if (valid_i) x_adds_q <= adds_i;
      if (valid_i && adds_i != '0) x_adds_at_q <= adds_at_i;
    end
    fp_lanes #(.Banks(Banks), .Places(FpLanes), .Scalars(Native), .Lean(Lean), .Stages(FpStages)) u_adders (
      .clk_i, .type_i(ctl_i[`WL_ATOMS_PIPE_CTL_TYPE]), .used_i(works_i || second_i ? x_adds_q : '0), .at_i(x_adds_at_q),
      .old_i(words_i), .b_i, .new_i(made_i), .new_o(x_done)
    );
  end else begin : gen_no_adders
    assign x_adds_q = '0;
    assign x_done   = made_i;
    logic unused_adds;
    assign unused_adds = ^{clk_i, valid_i, adds_i, adds_at_i, x_adds_q, second_i};
  end
  assign adds_o = x_adds_q;

  // Only stores of 8 and 16 bits write part of a word.
  always_comb begin
    now_o = other_i ? other_new_i : x_done;
    if (works_i && ctl_i[`WL_ATOMS_PIPE_CTL_SIZE] < 3'd2) begin
      for (int k = 0; k < Banks * 4; k++) begin
        if (!be_i[k]) now_o[k*8 +: 8] = words_i[k*8 +: 8];
      end
    end
  end
  logic unused;
  assign unused = ^{ctl_i, group_of(3'd0)};
endmodule
`default_nettype wire
