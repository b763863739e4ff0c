// SPDX-License-Identifier: Apache-2.0
// lane_to_bank for boards: the same words, but a bank a cycle, into registers. With take_i what goes in must stand for Banks + 1 cycles;
// with the last of these the last bank is done (last_o), and in the cycle behind it all of them are there (ready_o). What comes out
// stands until something is taken again.
`default_nettype none

module lane_to_bank_lean #(
  parameter int Lanes    = 8,
  parameter int Banks    = 4,
  parameter int AddrBits = 16,
  parameter bit Wide     = 1'b0,                           // compares of 128 bits
  parameter int LaneBits = $clog2(Lanes),                  // derived, do not override, like all below
  parameter int BankBits = $clog2(Banks),
  parameter int RowBits  = AddrBits - 2 - $clog2(Banks)
) (
  input  logic                      clk_i,
  input  logic                      rst_i,
  input  logic                      take_i,
  output logic                      busy_o,      // what goes in must stand in the next cycle too, or ready_o comes in it
  output logic                      last_o,
  output logic                      ready_o,
  input  logic [2:0]                size_i,      // as lane_to_bank has them
  input  logic [1:0]                group_i,
  input  logic [Banks-1:0]          banks_i,
  input  logic [Banks*LaneBits-1:0] win_i,
  input  logic [Lanes*AddrBits-1:0] addr_i,
  input  logic [Lanes*128-1:0]      data_i,
  input  logic [Lanes*128-1:0]      wide_i,

  output logic [Banks-1:0]          en_o,
  output logic [Banks*RowBits-1:0]  row_o,
  output logic [Banks*32-1:0]       b_o,
  output logic [Banks*32-1:0]       c_o,
  output logic [Banks*4-1:0]        be_o
);
  localparam int Stride = 1 << $clog2(AddrBits);           // as in lane_to_bank: indexing needs no multiplier
  localparam int WinStride = 1 << $clog2(LaneBits);
  logic [Lanes*Stride-1:0]    addr;
  logic [Banks*WinStride-1:0] win;
  always_comb begin
    addr = '0;
    win  = '0;
    for (int l = 0; l < Lanes; l++) addr[l*Stride +: AddrBits] = addr_i[l*AddrBits +: AddrBits];
    for (int k = 0; k < Banks; k++) win[k*WinStride +: LaneBits] = win_i[k*LaneBits +: LaneBits];
  end

  // First who has won the bank, then its words.
  logic [BankBits-1:0] bank_q, clear, lead;
  logic [Banks-1:0]    runs_q;              // the bank whose words are chosen
  logic                en_q, picks;
  logic [LaneBits-1:0] win_q;
  logic [1:0]          word_q, at;
  logic [31:0]         b, c;
  logic [Stride-1:0]   place;
  logic [3:0]          be;
  assign clear   = BankBits'(group_i);     // Yosys 0.23 cannot size by a derived parameter inside a longer expression
  assign lead    = bank_q & ~clear;
  assign picks   = runs_q != '0;
  assign last_o  = runs_q[Banks-1];
  assign busy_o  = take_i || picks;
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      runs_q  <= '0;
      ready_o <= 1'b0;
    end else begin
      runs_q  <= {runs_q[Banks-2:0], take_i};
      ready_o <= last_o;
    end
    bank_q <= rst_i || last_o ? '0 : take_i || picks ? bank_q + 1'b1 : bank_q;
    en_q   <= banks_i[lead];
    win_q  <= win[lead*WinStride +: LaneBits];
    word_q <= 2'(bank_q) & group_i;
  end

  assign place = addr[win_q*Stride +: Stride];
  assign at    = place[1:0];
  assign b     = data_i[{win_q, word_q, 5'd0} +: 32];
  assign c     = Wide && size_i == 3'd4 ? wide_i[{win_q, word_q, 5'd0} +: 32] : data_i[{win_q, 1'b1, word_q[0], 5'd0} +: 32];
  always_comb begin
    case (size_i)
      3'd0:    be = 4'b0001 << at;
      3'd1:    be = at[1] ? 4'b1100 : 4'b0011;
      default: be = 4'b1111;
    endcase
  end
  always_ff @(posedge clk_i) begin
    if (picks) begin                        // banks come in from above
      en_o  <= {en_q, en_o[Banks-1:1]};
      row_o <= {place[2 + BankBits +: RowBits], row_o[Banks*RowBits-1:RowBits]};
      be_o  <= {be, be_o[Banks*4-1:4]};
      b_o   <= {size_i == 3'd0 ? {4{b[7:0]}} : size_i == 3'd1 ? {2{b[15:0]}} : b, b_o[Banks*32-1:32]};
      c_o   <= {c, c_o[Banks*32-1:32]};
    end
  end

  logic unused_places;
  assign unused_places = ^{place, wide_i, win};
endmodule
`default_nettype wire
