// SPDX-License-Identifier: Apache-2.0
// Stage W of atoms_pipe, lean form: a lane a cycle, up to the last lane with a result. The word of a lane goes to all
// lanes, and is written for this lane only. The registers of P, R and X belong to the pass in W.
`include "atoms_bundles.vh"
`include "wl_config.vh"
`include "wl_units.vh"
`default_nettype none

module atoms_write_lean #(
  parameter int Lanes     = 32,
  parameter int Banks     = 32,
  parameter int PortBits  = 1,
  parameter int SlotBits  = 3,
  parameter int ShareBits = 2,
  parameter bit Preds     = 1'b0,
  parameter int BeatBits  = Lanes < 32 ? $clog2(32 / Lanes) : 1,   // derived, do not override, like all below
  parameter int BankBits  = $clog2(Banks),
  parameter int LowBits   = BankBits + 2,
  parameter int CtlBits   = `WL_ATOMS_PIPE_CTL_BITS
) (
`include "atoms_write_ports.vh"
);
  typedef `WL_ATOMS_PASS   pass_t;
  typedef `WL_ATOMS_PART   part_t;
  typedef `WL_ATOMS_RESULT result_t;
  pass_t   x;
  part_t   x_part;
  result_t w;
  assign x        = pass_i;
  assign x_part   = part_i;
  assign result_o = w;

`include "atoms_sizes.vh"
`include "atoms_told.vh"

  logic               walk_q;
  logic [Lanes-1:0]   hot_q, left_q;       // the lane; lanes with a result from this lane on, lowest first
  logic [Lanes-1:0]   w_we, w_tells;
  logic [2:0]         size;
  logic [LowBits-1:0] low;
  logic [127:0]       word;
  always_ff @(posedge clk_i) begin
    walk_q <= !rst_i && (ends_i || (walk_q && !end_o));
    left_q <= ends_i ? lanes_i | x_told : left_q >> 1;
    hot_q  <= ends_i ? Lanes'(1) : hot_q << 1;
  end
  always_comb begin
    low = 'x;
    if (walk_q) begin
      low = '0;
      for (int l = 0; l < Lanes; l++) low = low | (low_i[l*LowBits +: LowBits] & {LowBits{hot_q[l]}});
    end
  end
  assign size = x.ctl[`WL_ATOMS_PIPE_CTL_SIZE];
  bank_to_lane #(.Lanes(1), .Banks(Banks)) u_to_lane (
    .lanes_i(walk_q), .losers_i((x.losers & hot_q) != '0), .cast_i(x_cast), .signed_i(signed_o), .size_i(size),
    .group_i(group_of(size)), .addr_i(low), .old_i, .match_i, .data_o(word)
  );
  assign word_o   = {Lanes{word}};
  assign signed_o = x.ctl[`WL_ATOMS_PIPE_CTL_SIGNED];
  assign valid_o  = walk_q;
  assign end_o    = walk_q && left_q >> 1 == '0;
  assign w_we     = walk_q ? lanes_i & hot_q : '0;
  assign w_tells  = walk_q ? x_told & hot_q : '0;

  assign w.warp       = x.tag[21:16];
  assign w.port       = x.port;
  assign w.index      = x.index;
  assign w.last       = x.last;
  assign w.share      = x.share;
  assign w.share_slot = x.share_slot;
  assign w.slot       = x_part.slot;
  assign w.finish     = x_part.finish;
  assign w.counts     = x_part.lanes != '0;
  assign w.we         = w_we;
  assign w.tells      = w_tells;
  logic unused;
  assign unused = ^x;
endmodule
`default_nettype wire
