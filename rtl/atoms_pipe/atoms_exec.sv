// SPDX-License-Identifier: Apache-2.0
// Stage X of atoms_pipe: read-modify-write; the RAM is written at the end of the cycle. With adders in two stages a
// pass of floats is at work in two cycles, and ends with the second cycle.
`include "atoms_bundles.vh"
`include "wl_config.vh"
`include "wl_units.vh"
`default_nettype none

module atoms_exec #(
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
  typedef `WL_ATOMS_PART part_t;
  pass_t r, x;
  part_t r_part, x_part;
  assign r      = pass_i;
  assign pass_o = x;
  assign r_part = part_i;
  assign part_o = x_part;

`include "atoms_sizes.vh"

  logic                     x_valid_q, x_finish_q;
  logic [Lanes-1:0]         x_lanes_q, x_losers_q;
  logic [Banks-1:0]         x_en_q, x_we;
  logic [21:0]              x_tag_q;
  logic [PortBits-1:0]      x_port_q;
  logic [BeatBits-1:0]      x_index_q;
  logic [4:0]               x_kind_q;
  logic [CtlBits-1:0]       x_ctl_q;
  logic                     x_last_q, x_mbar_q, x_share_q;
  logic [ShareBits-1:0]     x_share_slot_q;
  logic [SlotBits-1:0]      x_slot_q;
  logic [Banks*RowBits-1:0] x_row_q;
  logic [Banks*32-1:0]      x_b_q, x_c_q, x_old, x_made, x_now;
  logic [Banks*4-1:0]       x_be_q;
  logic [Lanes*LowBits-1:0] x_low_q;
  logic [FpLanes-1:0]       x_adds;
  logic                     x_second, x_ends, x_compare;
  always_ff @(posedge clk_i) begin
    if (rst_i) x_valid_q <= 1'b0;
    else x_valid_q <= valid_i;
  end
  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      {x_finish_q, x_lanes_q, x_losers_q, x_tag_q, x_port_q, x_index_q, x_kind_q, x_ctl_q, x_last_q, x_mbar_q, x_share_q,
       x_share_slot_q, x_slot_q, x_low_q} <=
      {r_part.finish, r_part.lanes, r.losers, r.tag, r.port, r.index, r.kind, r.ctl, r.last, r.mbar, r.share, r.share_slot, r_part.slot, low_i};
      {x_en_q, x_row_q, x_b_q, x_c_q, x_be_q} <= {en_i, row_i, b_i, c_i, be_i};
    end
  end

  if (Adds && FpStages == 2) begin : gen_second
    logic                second_q;
    logic [Banks*32-1:0] old_q;   // no read follows, but a forwarded word is gone
    logic [Banks-1:0]    fwd_q;
    always_ff @(posedge clk_i) begin
      second_q <= !rst_i && x_valid_q && x_adds != '0;
      if (x_valid_q && x_adds != '0) {old_q, fwd_q} <= {rd_data_i, rd_fwd_i};
    end
    assign x_second = second_q;
    assign x_ends   = second_q || (x_valid_q && x_adds == '0);
    assign x_old    = second_q ? old_q : rd_data_i;
    assign fwd_o    = second_q ? fwd_q : rd_fwd_i;
  end else begin : gen_first
    assign x_second = 1'b0;
    assign x_ends   = x_valid_q;
    assign x_old    = rd_data_i;
    assign fwd_o    = rd_fwd_i;
    logic unused_adds;
    assign unused_adds = ^x_adds;
  end
  atoms_alu #(.Banks(Banks), .Wide(Wide), .Adds(Adds), .Native(Native), .FpStages(FpStages), .FpLanes(FpLanes)) u_words (
    .clk_i, .valid_i, .adds_i, .adds_at_i, .adds_o(x_adds), .works_i(x_valid_q), .second_i(x_second), .mbar_i(x_mbar_q),
    .kind_i(x_kind_q), .ctl_i(x_ctl_q), .op_i, .words_i(rd_data_i), .b_i(folded_i), .c_i(x_c_q), .be_i(x_be_q), .made_o(x_made),
    .match_o, .made_i(x_made), .other_i(x_mbar_q), .other_new_i(mbar_new_i), .now_o(x_now)
  );
  assign x_compare = is_compare(x_kind_q);
  assign x_we = !x_ends ? '0 : x_mbar_q ? mbar_we_i : x_kind_q == `WL_ATOMS_PIPE_LDS ? '0 :
                x_compare ? x_en_q & match_o : x_en_q;

  assign own_op_o     = x_kind_q == `WL_ATOMS_PIPE_STS ? 4'd8 : x_ctl_q[`WL_ATOMS_PIPE_CTL_OP];   // a store: EXCH of atomic_alu
  assign own_b_o      = x_b_q;
  assign valid_o      = x_valid_q;
  assign begins_o     = x_valid_q;
  assign works_o      = x_valid_q;
  assign ends_o       = x_ends;
  assign busy_o       = x_valid_q || x_second;
  assign low_o        = x_low_q;
  assign en_o         = x_en_q;
  assign row_o        = x_row_q;
  assign words_o      = rd_data_i;
  assign marks_o      = rd_mark_i;
  assign old_o        = x_old;
  assign we_o         = x_we;
  assign new_o        = x_now;
  assign x.tag        = x_tag_q;
  assign x.port       = x_port_q;
  assign x.index      = x_index_q;
  assign x.kind       = x_kind_q;
  assign x.ctl        = x_ctl_q;
  assign x.last       = x_last_q;
  assign x.mbar       = x_mbar_q;
  assign x.share      = x_share_q;
  assign x.share_slot = x_share_slot_q;
  assign x_part.slot       = x_slot_q;
  assign x.losers     = x_losers_q;
  assign x_part.lanes      = x_lanes_q;
  assign x_part.finish     = x_finish_q;
endmodule
`default_nettype wire
