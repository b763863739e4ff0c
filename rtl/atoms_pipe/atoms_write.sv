// SPDX-License-Identifier: Apache-2.0
// Stage W of atoms_pipe: banks to lanes, all in the same cycle.
`include "atoms_bundles.vh"
`include "wl_config.vh"
`include "wl_units.vh"
`default_nettype none

module atoms_write #(
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

  logic                     w_valid_q, w_signed_q;
  logic                     w_finish_q, w_last_q, w_share_q, w_counts_q;
  logic [ShareBits-1:0]     w_share_slot_q;
  logic [BeatBits-1:0]      w_index_q;
  logic [5:0]               w_warp_q;
  logic [Lanes-1:0]         w_lanes_q, w_losers_q;
  logic [Lanes-1:0]         w_told_q;        // lanes with a predicate
  logic [Banks-1:0]         w_match_q;
  logic [PortBits-1:0]      w_port_q;
  logic                     w_cast_q;
  logic [2:0]               w_size_q;
  logic [SlotBits-1:0]      w_slot_q;
  logic [Banks*32-1:0]      w_old_q;
  logic [Lanes*LowBits-1:0] w_low_q;
  always_ff @(posedge clk_i) begin
    if (rst_i) w_valid_q <= 1'b0;
    else w_valid_q <= ends_i;
  end
  always_ff @(posedge clk_i) begin
    if (ends_i) begin
      {w_finish_q, w_last_q, w_share_q, w_share_slot_q, w_index_q, w_port_q, w_slot_q, w_losers_q, w_match_q, w_low_q, w_old_q} <=
      {x_part.finish, x.last, x.share, x.share_slot, x.index, x.port, x_part.slot, x.losers, match_i, low_i, old_i};
      w_warp_q   <= x.tag[21:16];
      w_counts_q <= x_part.lanes != '0;
      w_lanes_q  <= lanes_i;
      w_told_q   <= x_told;
      w_cast_q   <= x_cast;
      w_signed_q <= x.ctl[`WL_ATOMS_PIPE_CTL_SIGNED];
      w_size_q   <= x.ctl[`WL_ATOMS_PIPE_CTL_SIZE];
    end
  end
  bank_to_lane #(.Lanes(Lanes), .Banks(Banks)) u_to_lane (
    .lanes_i(w_valid_q ? w_lanes_q | w_told_q : {Lanes{1'b0}}), .losers_i(w_losers_q), .cast_i(w_cast_q), .signed_i(w_signed_q),
    .size_i(w_size_q), .group_i(group_of(w_size_q)), .addr_i(w_low_q), .old_i(w_old_q), .match_i(w_match_q), .data_o(word_o)
  );

  assign valid_o      = w_valid_q;
  assign end_o        = w_valid_q;
  assign signed_o     = w_signed_q;
  assign w.warp       = w_warp_q;
  assign w.port       = w_port_q;
  assign w.index      = w_index_q;
  assign w.last       = w_last_q;
  assign w.share      = w_share_q;
  assign w.share_slot = w_share_slot_q;
  assign w.slot       = w_slot_q;
  assign w.finish     = w_finish_q;
  assign w.counts     = w_counts_q;
  assign w.we         = w_valid_q ? w_lanes_q : '0;
  assign w.tells      = w_valid_q ? w_told_q : '0;
  logic unused;
  assign unused = ^x;
endmodule
`default_nettype wire
