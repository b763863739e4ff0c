// SPDX-License-Identifier: Apache-2.0
// Crossbar from lanes to banks: gives every bank of a pass the row and the operand words of the winning lane.
//
// Combinational, whole words. A 64- or 128-bit lane feeds a group of 2 or 4 banks, word k of the lane to bank k of the
// group. A sub-word is copied to all places in the word; `be_o` marks the bytes to write.
//
// Two forms with the same results, except values without meaning (operands of banks without a lane, of loads; new words
// without a comparison):
//   Hot 0   a word chosen by number: quick to simulate
//   Hot 1   a bit for each lane of each bank, and of a lane only the words possible for the bank: for synthesis
`ifdef SYNTHESIS
 `define WL_BANKS_HOT 1'b1
`else
 `define WL_BANKS_HOT 1'b0
`endif
`default_nettype none

module lane_to_bank #(
  parameter int Lanes    = 32,
  parameter int Banks    = 32,
  parameter int AddrBits = 16,
  parameter bit Wide     = 1'b0,                           // compares of 128 bits
  parameter bit Hot      = `WL_BANKS_HOT,
  parameter int LaneBits = $clog2(Lanes),                  // derived, do not override
  parameter int BankBits = $clog2(Banks),                  // derived, do not override
  parameter int RowBits  = AddrBits - 2 - $clog2(Banks)    // derived, do not override
) (
  input  logic                      valid_i,
  input  logic                      load_i,      // no operands
  input  logic                      compare_i,   // data is {Rc (64), Rb (64)}; of 128 bits Rb, and Rc apart
  input  logic [2:0]                size_i,      // log2 of bytes
  input  logic [1:0]                group_i,     // banks of a group - 1
  input  logic [Banks-1:0]          banks_i,     // lead banks
  input  logic [Banks*LaneBits-1:0] win_i,
  input  logic [Lanes*AddrBits-1:0] addr_i,
  input  logic [Lanes*128-1:0]      data_i,
  input  logic [Lanes*128-1:0]      wide_i,      // Rc of 128 bits

  output logic [Banks-1:0]          en_o,
  output logic [Banks*RowBits-1:0]  row_o,
  output logic [Banks*32-1:0]       b_o,
  output logic [Banks*32-1:0]       c_o,
  output logic [Banks*4-1:0]        be_o
);
  // A stride of a power of two: any other stride turns each choice into a multiplier and a shifter by odd distances.
  localparam int Stride = 1 << $clog2(AddrBits);
  logic [Lanes*Stride-1:0] addr;
  if (Stride == AddrBits) begin : gen_whole
    assign addr = addr_i;
  end else begin : gen_padded
    for (genvar l = 0; l < Lanes; l++) begin : gen_lane
      assign addr[l*Stride +: Stride] = {{(Stride - AddrBits){1'b0}}, addr_i[l*AddrBits +: AddrBits]};
    end
  end

  logic [BankBits-1:0] clear;
  assign clear = BankBits'(group_i);

  if (!Hot) begin : gen_numbered
    logic [BankBits-1:0] lead;
    logic [LaneBits-1:0] win;
    logic [1:0]          word;
    logic [1:0]          at;
    logic [31:0]         b;

    always_comb begin
      en_o  = '0;
      row_o = 'x;
      b_o   = 'x;
      c_o   = 'x;
      be_o  = 'x;
      lead  = 'x;
      win   = 'x;
      word  = 'x;
      at    = 'x;
      b     = 'x;
      if (valid_i) begin
        for (int k = 0; k < Banks; k++) begin
          lead    = k[BankBits-1:0] & ~clear;
          en_o[k] = banks_i[lead];
          if (banks_i[lead]) begin
            win  = win_i[lead*LaneBits +: LaneBits];
            word = k[1:0] & group_i;
            at   = addr[win*Stride +: 2];
            row_o[k*RowBits +: RowBits] = addr[win*Stride + 2 + BankBits +: RowBits];
            if (!load_i) begin
              b = data_i[{win, word, 5'd0} +: 32];
              case (size_i)
                3'd0: begin
                  b_o[k*32 +: 32] = {4{b[7:0]}};
                  be_o[k*4 +: 4]  = 4'b0001 << at;
                end
                3'd1: begin
                  b_o[k*32 +: 32] = {2{b[15:0]}};
                  be_o[k*4 +: 4]  = at[1] ? 4'b1100 : 4'b0011;
                end
                default: begin
                  b_o[k*32 +: 32] = b;
                  be_o[k*4 +: 4]  = 4'b1111;
                end
              endcase
              if (compare_i) c_o[k*32 +: 32] = Wide && size_i == 3'd4 ? wide_i[{win, k[1:0], 5'd0} +: 32] :
                                               data_i[{win, 1'b1, word[0], 5'd0} +: 32];
            end
          end
        end
      end
    end
  end else begin : gen_synthesis
    logic pairs, quads, halves, bytes;
    assign pairs  = group_i == 2'd1;
    assign quads  = group_i == 2'd3;
    assign bytes  = size_i == 3'd0;
    assign halves = size_i == 3'd1;
    for (genvar k = 0; k < Banks; k++) begin : gen_bank
      // Of a lane with 32, 64, 128 bits this bank gets word 0, Pair, Quad.
      localparam int Pair = k % 2, Quad = k % 4;
      logic [BankBits-1:0] lead;
      logic [Lanes-1:0]    lanes;               // the winner's bit
      logic [3:0]          wanted;              // word of the lane
      logic                wide, odd;           // new words: Rc of 128 bits; the second of 64
      logic [31:0]         b, c;
      logic [RowBits-1:0]  row;
      logic [1:0]          at;
      assign lead  = BankBits'(k) & ~clear;
      assign lanes = Lanes'(1) << win_i[lead*LaneBits +: LaneBits];
      assign wide  = Wide && quads;
      assign odd   = pairs && Pair == 1;
      for (genvar w = 0; w < 4; w++) begin : gen_word
        assign wanted[w] = (w == 0 && !pairs && !quads) || (w == Pair && pairs) || (w == Quad && quads);
      end
      always_comb begin
        {b, c, row, at} = '0;
        for (int l = 0; l < Lanes; l++) begin
          for (int w = 0; w < 4; w++) b = b | (data_i[(l*4 + w)*32 +: 32] & {32{lanes[l] && wanted[w]}});
          c   = c | (data_i[l*128 + 64 +: 32] & {32{lanes[l] && !wide && !odd}}) | (data_i[l*128 + 96 +: 32] & {32{lanes[l] && odd}}) |
                    (wide_i[l*128 + Quad*32 +: 32] & {32{lanes[l] && wide}});
          row = row | (addr_i[l*AddrBits + 2 + BankBits +: RowBits] & {RowBits{lanes[l]}});
          at  = at | (addr_i[l*AddrBits +: 2] & {2{lanes[l]}});
        end
      end
      assign en_o[k]                      = valid_i && banks_i[lead];
      assign row_o[k*RowBits +: RowBits]  = row;
      assign b_o[k*32 +: 32]              = {bytes ? b[7:0] : halves ? b[15:8] : b[31:24], bytes ? b[7:0] : halves ? b[7:0] : b[23:16],
                                             bytes ? b[7:0] : b[15:8], b[7:0]};
      assign c_o[k*32 +: 32]              = c;
      assign be_o[k*4 +: 4]               = bytes ? 4'b0001 << at : halves ? (at[1] ? 4'b1100 : 4'b0011) : 4'b1111;
    end
    logic unused;
    assign unused = ^{load_i, compare_i, addr, wide_i};
  end
endmodule
`undef WL_BANKS_HOT
`default_nettype wire
