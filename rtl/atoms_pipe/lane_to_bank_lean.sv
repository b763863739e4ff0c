// SPDX-License-Identifier: Apache-2.0
// lane_to_bank for boards: bank after bank, in two steps. The first step finds the winning lane of bank `ask_i`, the
// second step the row and the operand words of this lane for bank `bank_i`. Combinational; the same results, except
// values without meaning.
`default_nettype none

module lane_to_bank_lean #(
  parameter int Lanes    = 8,
  parameter int Banks    = 4,
  parameter int AddrBits = 16,
  parameter bit Wide     = 1'b0,                           // all as in lane_to_bank
  parameter int LaneBits = $clog2(Lanes),                  // derived, do not override
  parameter int BankBits = $clog2(Banks),                  // derived, do not override
  parameter int RowBits  = AddrBits - 2 - $clog2(Banks)    // derived, do not override
) (
  input  logic [BankBits-1:0]       ask_i,
  output logic [Lanes-1:0]          lanes_o,     // the winner's bit
  input  logic [BankBits-1:0]       bank_i,
  input  logic [Lanes-1:0]          lanes_i,     // lanes_o of the first step for this bank
  input  logic [2:0]                size_i,
  input  logic [1:0]                group_i,
  input  logic [Banks-1:0]          banks_i,
  input  logic [Banks*LaneBits-1:0] win_i,
  input  logic [Lanes*AddrBits-1:0] addr_i,
  input  logic [Lanes*128-1:0]      data_i,
  input  logic [Lanes*128-1:0]      wide_i,

  output logic                      en_o,
  output logic [RowBits-1:0]        row_o,
  output logic [31:0]               b_o,
  output logic [31:0]               c_o,
  output logic [3:0]                be_o
);
  logic [BankBits-1:0] lead, mine, clear;
  logic [LaneBits-1:0] win;
  logic [AddrBits-1:0] addr;                // the lane's address, words, Rc of 128 bits
  logic [127:0]        data, wide;
  logic [31:0]         b;
  logic [1:0]          word;                // the bank's word of the lane

  assign clear = BankBits'(group_i);        // Yosys takes ~ before a cast for a part of the size
  assign lead  = ask_i & ~clear;
  assign mine  = bank_i & ~clear;
  assign word  = bank_i[1:0] & group_i;
  assign lanes_o = Lanes'(1) << win;
  always_comb begin
    win = 'x;
    if (banks_i != '0) begin
      win = '0;
      for (int k = 0; k < Banks; k++) begin
        if (lead == k[BankBits-1:0]) win = win | win_i[k*LaneBits +: LaneBits];
      end
    end
  end
  always_comb begin
    {addr, data, wide} = 'x;
    if (banks_i != '0) begin
      {addr, data, wide} = '0;
      for (int l = 0; l < Lanes; l++) begin
        addr = addr | (addr_i[l*AddrBits +: AddrBits] & {AddrBits{lanes_i[l]}});
        data = data | (data_i[l*128 +: 128] & {128{lanes_i[l]}});
        wide = wide | (wide_i[l*128 +: 128] & {128{lanes_i[l]}});
      end
    end
  end
  assign en_o  = banks_i[mine];
  assign row_o = addr[2 + BankBits +: RowBits];
  assign b     = data[{word, 5'd0} +: 32];
  assign c_o   = Wide && size_i == 3'd4 ? wide[{word, 5'd0} +: 32] : data[{1'b1, word[0], 5'd0} +: 32];
  always_comb begin
    case (size_i)
      3'd0: begin
        b_o  = {4{b[7:0]}};
        be_o = 4'b0001 << addr[1:0];
      end
      3'd1: begin
        b_o  = {2{b[15:0]}};
        be_o = addr[1] ? 4'b1100 : 4'b0011;
      end
      default: begin
        b_o  = b;
        be_o = 4'b1111;
      end
    endcase
  end
  logic unused;
  assign unused = ^{wide, addr[2 +: BankBits]};
endmodule
`default_nettype wire
