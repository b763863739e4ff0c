// SPDX-License-Identifier: Apache-2.0
// In front of stage A of atoms_pipe: the beats of LDSM and STSM get their rows (matrix_operands), all others go through. Without `Matrix`
// the module is wires.
//
// LDSM and STSM come as loads and stores of 128 bits: matrix_operands gives rows to the lanes of STSM, matrix_result
// makes the lanes' results from the rows of LDSM. Lanes without a row need no bank, and the matrices go in turn.
`include "wl_config.vh"
`include "wl_units.vh"
`default_nettype none

module atoms_rows #(
  parameter int Lanes    = 32,
  parameter bit Matrix   = 1'b0,
  parameter bit Lean     = 1'b0,
  parameter int BeatBits = Lanes < 32 ? $clog2(32 / Lanes) : 1   // derived, do not override
) (
  input  logic                 clk_i,
  input  logic                 rst_i,

  // request beats, as in atoms_pipe
  input  logic                 mbar_i,
  input  logic                 share_i,
  input  logic [4:0]           kind_i,
  input  logic [31:0]          ctl_i,
  input  logic                 beat_valid_i,
  output logic                 beat_ready_o,
  input  logic [BeatBits-1:0]  beat_index_i,
  input  logic                 beat_last_i,
  input  logic [31:0]          beat_mask_i,
  input  logic [Lanes*32-1:0]  beat_ra_i,
  input  logic [Lanes*128-1:0] beat_rb_i,

  // the same beats, with rows
  output logic                 valid_o,
  input  logic                 ready_i,
  output logic [BeatBits-1:0]  index_o,
  output logic                 last_o,
  output logic [31:0]          mask_o,
  output logic [Lanes*32-1:0]  ra_o,
  output logic [Lanes*128-1:0] rb_o,
  output logic                 partial_o       // a lane of the warp is missing
);
  if (Matrix) begin : gen_operands
    logic loads, stores;
    assign loads  = !mbar_i && !share_i && kind_i == `WL_ATOMS_PIPE_LDSM;
    assign stores = !mbar_i && !share_i && kind_i == `WL_ATOMS_PIPE_STSM;
    matrix_operands #(.Lanes(Lanes), .RaBits(32)) u_operands (
      .clk_i, .rst_i, .matrix_i(loads || stores), .store_i(stores), .trans_i(ctl_i[`WL_ATOMS_PIPE_CTL_TYPE] != '0),
      .beat_valid_i, .beat_ready_o, .beat_index_i, .beat_last_i, .beat_mask_i, .beat_ra_i, .beat_rb_i,
      .valid_o, .ready_i, .index_o, .last_o, .mask_o, .ra_o, .rb_o, .partial_o
    );
    if (Lean) begin : gen_bad
      lean_atoms_pipe_has_no_matrices u_bad ();
    end
  end else begin : gen_no_operands
    assign {valid_o, index_o, last_o, mask_o, ra_o, rb_o} =
           {beat_valid_i, beat_index_i, beat_last_i, beat_mask_i, beat_ra_i, beat_rb_i};
    assign beat_ready_o = ready_i;
    assign partial_o    = 1'b0;
    logic unused_matrix;
    assign unused_matrix = ^{clk_i, rst_i, mbar_i, share_i, kind_i};
  end
  logic unused;
  assign unused = ^ctl_i;
endmodule
`default_nettype wire
