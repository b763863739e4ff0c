// SPDX-License-Identifier: Apache-2.0
// Words served with all lanes in a single pass of atoms_pipe. For each word a lane_scan folds the lanes' operands in R
// and X. The bank takes the fold as operand. W derives from the old word the word read by each lane in turn. POPC.INC
// adds a 1 for each lane.
`include "wl_units.vh"
`default_nettype none

module atoms_combine #(
  parameter int Lanes    = 32,
  parameter int Banks    = 32,
  parameter int Combine  = 1,                             // words of a pass serving all lanes: 1, 2
  parameter int CtlBits  = `WL_ATOMS_PIPE_CTL_BITS,       // derived, do not override, like all below
  parameter int BankBits = $clog2(Banks)
) (
  input  logic                        clk_i,
  input  logic                        rst_i,

  // P: the pass that goes to R combines
  input  logic                        take_i,
  input  logic [Combine*Lanes-1:0]    with_i,             // lanes of each word
  input  logic [Combine*BankBits-1:0] lead_i,             // bank of each word

  // R
  input  logic                        r_valid_i,          // a pass, but not of mbarrier_engine
  input  logic [4:0]                  r_kind_i,
  input  logic [CtlBits-1:0]          r_ctl_i,
  input  logic [Lanes*128-1:0]        r_data_i,

  // X
  input  logic                        x_valid_i,
  input  logic [4:0]                  x_kind_i,
  input  logic [CtlBits-1:0]          x_ctl_i,
  input  logic [Lanes-1:0]            x_lanes_i,          // lanes with a result
  input  logic [3:0]                  x_op_i,
  input  logic [Banks*32-1:0]         x_b_i,
  output logic [3:0]                  x_op_o,             // operation and operands of the banks
  output logic [Banks*32-1:0]         x_b_o,

  // W: for each lane the word read by the pass, and the word read by the lane in turn
  input  logic                        w_valid_i,
  input  logic                        w_signed_i,
  input  logic [Lanes*128-1:0]        w_word_i,
  output logic [Lanes*128-1:0]        w_data_o
);
  localparam logic [3:0] OpAdd = 4'd0, OpInc = 4'd3, OpDec = 4'd4, OpPopc = 4'd9;   // of atomic_alu
  logic [Lanes-1:0]            x_has;       // lanes behind other lanes of the pass on the same word
  logic [Lanes*32-1:0]         x_prefix;    // ... operands of the other lanes, folded
  logic [Combine-1:0]          r_scans, x_scans_q;
  logic [Combine*Lanes-1:0]    r_with_q, x_with_q, has;
  logic [Combine*BankBits-1:0] r_lead_q, x_lead_q;
  logic [Combine*32-1:0]       total;
  logic [Combine*Lanes*32-1:0] prefix;
  logic [Lanes*32-1:0]         r_words;
  logic                        r_folds, r_popc, x_popc;

  always_ff @(posedge clk_i) begin
    if (take_i) begin
      r_with_q <= with_i;
      r_lead_q <= lead_i;
    end
  end

  // ---- R: fold ---------------------------------------------------------------------------------------------
  // Stores need no fold: the last store stays, and has won the word.
  assign r_folds = r_valid_i && r_kind_i == `WL_ATOMS_PIPE_ATOMS && r_ctl_i[`WL_ATOMS_PIPE_CTL_SIZE] == 3'd2 &&
                   r_ctl_i[`WL_ATOMS_PIPE_CTL_OP] != OpInc && r_ctl_i[`WL_ATOMS_PIPE_CTL_OP] != OpDec;
  assign r_popc  = r_ctl_i[`WL_ATOMS_PIPE_CTL_OP] == OpPopc;
  assign x_popc  = x_ctl_i[`WL_ATOMS_PIPE_CTL_OP] == OpPopc && x_kind_i == `WL_ATOMS_PIPE_ATOMS;
  always_comb begin
    r_words = 'x;
    if (r_folds) begin
      for (int l = 0; l < Lanes; l++) r_words[l*32 +: 32] = r_popc ? 32'd1 : r_data_i[l*128 +: 32];
    end
  end
  for (genvar c = 0; c < Combine; c++) begin : gen_word
    assign r_scans[c] = r_folds && r_with_q[c*Lanes +: Lanes] != '0;
    lane_scan #(.Lanes(Lanes)) u_scan (
      .clk_i, .valid_i(r_scans[c]), .op_i(r_popc ? OpAdd : r_ctl_i[`WL_ATOMS_PIPE_CTL_OP]),
      .signed_i(r_ctl_i[`WL_ATOMS_PIPE_CTL_SIGNED]), .use_i(r_with_q[c*Lanes +: Lanes]), .b_i(r_words),
      .total_o(total[c*32 +: 32]), .has_o(has[c*Lanes +: Lanes]), .prefix_o(prefix[c*Lanes*32 +: Lanes*32])
    );
  end
  always_ff @(posedge clk_i) begin
    x_scans_q <= rst_i ? '0 : r_scans;
    if (r_folds) begin
      x_lead_q <= r_lead_q;
      x_with_q <= r_with_q;
    end
  end

  // ---- X: the bank gets the fold ----------------------------------------------------------------------------
  assign x_op_o = x_popc ? OpAdd : x_op_i;
  always_comb begin
    x_b_o = x_b_i;
    if (x_valid_i && x_popc) x_b_o = {Banks{32'd1}};
    for (int c = 0; c < Combine; c++) begin
      if (x_scans_q[c]) x_b_o[x_lead_q[c*BankBits +: BankBits]*32 +: 32] = total[c*32 +: 32];
    end
  end
  // A lane is on a single word. Lanes behind no other lane read the word itself.
  always_comb begin
    x_has    = '0;
    x_prefix = 'x;
    if (x_scans_q != '0) begin
      for (int c = 0; c < Combine; c++) begin
        for (int l = 0; l < Lanes; l++) begin
          if (x_scans_q[c] && x_with_q[c*Lanes + l] && has[c*Lanes + l]) begin
            x_has[l]             = 1'b1;
            x_prefix[l*32 +: 32] = prefix[(c*Lanes + l)*32 +: 32];
          end
        end
      end
    end
  end

  // ---- W: the lanes in turn --------------------------------------------------------------------------------
  logic [Lanes-1:0]    w_has_q;
  logic [Lanes*32-1:0] w_prefix_q, w_old, w_turn;
  logic [3:0]          w_op_q;
  logic                w_turns;
  logic [Lanes-1:0]    unused_match;
  always_ff @(posedge clk_i) begin
    if (x_valid_i) begin
      w_has_q <= x_has & x_lanes_i;
      w_op_q  <= x_op_o;
    end
    if (x_has != '0) w_prefix_q <= x_prefix;
  end
  assign w_turns = w_valid_i && w_has_q != '0;
  always_comb begin
    w_old = 'x;
    if (w_turns) begin
      for (int l = 0; l < Lanes; l++) w_old[l*32 +: 32] = w_word_i[l*128 +: 32];
    end
  end
  atomic_alu #(.Pairs(Lanes / 2)) u_turns (
    .valid_i(w_turns), .op_i(w_op_q), .signed_i(w_signed_i), .cas_i(1'b0), .wide_i(1'b0), .quad_i(1'b0),
    .old_i(w_old), .b_i(w_prefix_q), .c_i({Lanes{32'd0}}), .new_o(w_turn), .match_o(unused_match)
  );
  always_comb begin
    w_data_o = w_word_i;
    if (w_turns) begin
      for (int l = 0; l < Lanes; l++) begin
        if (w_has_q[l]) w_data_o[l*128 +: 32] = w_turn[l*32 +: 32];
      end
    end
  end

  logic unused;
  assign unused = ^{r_ctl_i, x_ctl_i, r_data_i};
endmodule
`default_nettype wire
