// SPDX-License-Identifier: Apache-2.0
// Stage R of atoms_pipe: lanes to banks; the RAM is read. Words to write go on to X.
`include "atoms_bundles.vh"
`include "wl_config.vh"
`include "wl_units.vh"
`default_nettype none

module atoms_read #(
  parameter int Lanes     = 32,
  parameter int Banks     = 32,
  parameter int PortBits  = 1,
  parameter int SlotBits  = 3,
  parameter int AddrBits  = 16,
  parameter int ShareBits = 2,
  parameter bit Wide      = 1'b0,
  parameter bit Adds      = 1'b0,
  parameter int Combine   = 0,
  parameter int FpLanes   = 4,
  parameter int BeatBits  = Lanes < 32 ? $clog2(32 / Lanes) : 1,   // derived, do not override, like all below
  parameter int LaneBits  = $clog2(Lanes),
  parameter int BankBits  = $clog2(Banks),
  parameter int LowBits   = BankBits + 2,
  parameter int RowBits   = AddrBits - LowBits,
  parameter int CtlBits   = `WL_ATOMS_PIPE_CTL_BITS,
  parameter int Words     = Combine > 0 ? Combine : 1
) (
`include "atoms_read_ports.vh"
);
  typedef `WL_ATOMS_CHOICE choice_t;
  typedef `WL_ATOMS_PASS   pass_t;
  typedef `WL_ATOMS_PART   part_t;
  choice_t choice;
  pass_t   p, r;
  part_t   p_part, r_part;
  assign choice = choice_i;
  assign p      = pass_i;
  assign pass_o = r;
  assign p_part = part_i;
  assign part_o = r_part;

`include "atoms_sizes.vh"

  logic                      r_valid_q, r_finish_q;
  logic [Lanes-1:0]          r_lanes_q, r_losers_q;
  logic [Banks-1:0]          r_banks_q;
  logic [Banks*LaneBits-1:0] r_win_q;
  logic [21:0]               r_tag_q;
  logic [PortBits-1:0]       r_port_q;
  logic [BeatBits-1:0]       r_index_q;
  logic [4:0]                r_kind_q;
  logic [CtlBits-1:0]        r_ctl_q;
  logic                      r_last_q, r_mbar_q, r_share_q;
  logic [ShareBits-1:0]      r_share_slot_q;
  logic [SlotBits-1:0]       r_slot_q;
  logic [Lanes*AddrBits-1:0] r_addr_q;
  logic [Lanes*128-1:0]      r_data_q, r_wide;

  always_ff @(posedge clk_i) begin
    if (rst_i) r_valid_q <= 1'b0;
    else r_valid_q <= fire_i;
  end
  always_ff @(posedge clk_i) begin
    if (fire_i) begin
      r_finish_q <= p_part.finish;
      r_lanes_q  <= p_part.lanes;
      r_losers_q <= p.losers;
      r_banks_q  <= choice.banks;
      r_win_q    <= choice.win;
    end
    if (begin_i) begin
      {r_tag_q, r_port_q, r_index_q, r_kind_q, r_ctl_q, r_last_q, r_mbar_q, r_share_q, r_share_slot_q} <=
      {p.tag, p.port, p.index, p.kind, p.ctl, p.last, p.mbar, p.share, p.share_slot};
      r_addr_q <= addr_i;
      r_data_q <= data_i;
      r_slot_q <= p_part.slot;
    end
  end

  if (Wide) begin : gen_wide
    logic [Lanes*128-1:0] r_wide_q;
    always_ff @(posedge clk_i) if (begin_i && p.ctl[`WL_ATOMS_PIPE_CTL_SIZE] == 3'd4 && !p.mbar) r_wide_q <= wide_i;
    assign r_wide = r_wide_q;
  end else begin : gen_no_wide
    assign r_wide = '0;
  end
  if (Adds) begin : gen_adds
    logic [FpLanes-1:0]          r_adds_q;
    logic [FpLanes*BankBits-1:0] r_adds_at_q;
    always_ff @(posedge clk_i) begin
      if (fire_i) r_adds_q <= choice.adds;
      if (fire_i && choice.adds != '0) r_adds_at_q <= choice.adds_at;
    end
    assign {adds_o, adds_at_o} = {r_adds_q, r_adds_at_q};
  end else begin : gen_no_adds
    assign {adds_o, adds_at_o} = '0;
  end

  always_comb begin
    low_o = 'x;
    if (r_valid_q) begin
      for (int l = 0; l < Lanes; l++) low_o[l*LowBits +: LowBits] = r_addr_q[l*AddrBits +: LowBits];
    end
  end
  lane_to_bank #(.Lanes(Lanes), .Banks(Banks), .AddrBits(AddrBits), .Wide(Wide)) u_to_bank (
    .valid_i(r_valid_q), .load_i(r_kind_q == `WL_ATOMS_PIPE_LDS && !r_mbar_q),
    .compare_i(is_compare(r_kind_q)),
    .size_i(r_ctl_q[`WL_ATOMS_PIPE_CTL_SIZE]), .group_i(group_of(r_ctl_q[`WL_ATOMS_PIPE_CTL_SIZE])),
    .banks_i(r_banks_q), .win_i(r_win_q), .addr_i(r_addr_q), .data_i(r_data_q), .wide_i(r_wide),
    .en_o, .row_o, .b_o, .c_o, .be_o
  );

  assign valid_o      = r_valid_q;
  assign rd_en_o      = en_o;
  assign data_o       = r_data_q;
  assign r.tag        = r_tag_q;
  assign r.port       = r_port_q;
  assign r.index      = r_index_q;
  assign r.kind       = r_kind_q;
  assign r.ctl        = r_ctl_q;
  assign r.last       = r_last_q;
  assign r.mbar       = r_mbar_q;
  assign r.share      = r_share_q;
  assign r.share_slot = r_share_slot_q;
  assign r_part.slot       = r_slot_q;
  assign r.losers     = r_losers_q;
  assign r_part.lanes      = r_lanes_q;
  assign r_part.finish     = r_finish_q;
  logic unused;
  assign unused = ^{choice, wide_i};
endmodule
`default_nettype wire
