// SPDX-License-Identifier: Apache-2.0
// Stage R of atoms_pipe, lean form. The pass stands in R for Banks + 2 cycles. Bank after bank asks for a lane in a
// cycle, and gets the words of the lane in the next cycle; in the last cycle the RAM is read. The registers of P belong
// to the beat in R. The words stand here until the pass has left X.
`include "atoms_bundles.vh"
`include "wl_config.vh"
`include "wl_units.vh"
`default_nettype none

module atoms_read_lean #(
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

  logic                      r_finish_q;
  logic [Lanes-1:0]          r_lanes_q;
  logic [Banks-1:0]          r_banks_q;
  logic [Banks*LaneBits-1:0] r_win_q;
  always_ff @(posedge clk_i) begin
    if (fire_i) begin
      r_finish_q <= p_part.finish;
      r_lanes_q  <= p_part.lanes;
      r_banks_q  <= choice.banks;
      r_win_q    <= choice.win;
    end
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

  for (genvar l = 0; l < Lanes; l++) begin : gen_low
    assign low_o[l*LowBits +: LowBits] = addr_i[l*AddrBits +: LowBits];
  end

  logic                walk_q, takes_q, read_q;   // a bank asks for a lane; a bank gets the words; all banks have words
  logic [BankBits-1:0] ask_q, bank_q;
  logic [Lanes-1:0]    lanes, lanes_q;
  logic [Banks-1:0]    en_q;
  logic [Banks*RowBits-1:0] row_q;
  logic [Banks*32-1:0] b_q, c_q;
  logic [Banks*4-1:0]  be_q;
  logic                en;
  logic [RowBits-1:0]  row;
  logic [31:0]         b, c;
  logic [3:0]          be;
  lane_to_bank_lean #(.Lanes(Lanes), .Banks(Banks), .AddrBits(AddrBits), .Wide(Wide)) u_to_bank (
    .ask_i(ask_q), .lanes_o(lanes), .bank_i(bank_q), .lanes_i(lanes_q), .size_i(p.ctl[`WL_ATOMS_PIPE_CTL_SIZE]),
    .group_i(group_of(p.ctl[`WL_ATOMS_PIPE_CTL_SIZE])), .banks_i(r_banks_q), .win_i(r_win_q), .addr_i, .data_i, .wide_i,
    .en_o(en), .row_o(row), .b_o(b), .c_o(c), .be_o(be)
  );
  always_ff @(posedge clk_i) begin
    walk_q  <= !rst_i && (fire_i || (walk_q && ask_q != '1));
    takes_q <= !rst_i && walk_q;
    read_q  <= !rst_i && takes_q && bank_q == '1;
    ask_q   <= walk_q ? ask_q + 1'b1 : '0;
    {bank_q, lanes_q} <= {ask_q, lanes};
    for (int k = 0; k < Banks; k++) begin
      if (takes_q && bank_q == k[BankBits-1:0]) begin
        {en_q[k], row_q[k*RowBits +: RowBits], b_q[k*32 +: 32], c_q[k*32 +: 32], be_q[k*4 +: 4]} <= {en, row, b, c, be};
      end
    end
  end

  assign valid_o      = read_q;
  assign rd_en_o      = read_q ? en_q : '0;
  assign data_o       = data_i;
  assign {en_o, row_o, b_o, c_o, be_o} = {en_q, row_q, b_q, c_q, be_q};
  assign r             = p;
  assign r_part.slot   = p_part.slot;
  assign r_part.lanes  = r_lanes_q;
  assign r_part.finish = r_finish_q;
  logic unused;
  assign unused = ^{choice, begin_i};
endmodule
`default_nettype wire
