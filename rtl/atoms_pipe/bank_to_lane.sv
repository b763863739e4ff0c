// SPDX-License-Identifier: Apache-2.0
// Crossbar from banks to lanes: forms the result of every lane of a pass from the old words of the lane's banks.
//
// Combinational, whole words. Loads of 8 and 16 bits are extended to 32; bits above the access width are 0. CAST gives
// 1 or 0, and always 0 to a lane beaten in a SPIN group.
`default_nettype none

module bank_to_lane #(
  parameter int Lanes    = 32,
  parameter int Banks    = 32,
  parameter int BankBits = $clog2(Banks)    // derived, do not override
) (
  input  logic [Lanes-1:0]               lanes_i,   // lanes wanting a result
  input  logic [Lanes-1:0]               losers_i,
  input  logic                           cast_i,
  input  logic                           signed_i,
  input  logic [2:0]                     size_i,    // log2 of bytes
  input  logic [1:0]                     group_i,   // banks of a group - 1
  input  logic [Lanes*(BankBits+2)-1:0]  addr_i,    // bank and byte of each lane
  input  logic [Banks*32-1:0]            old_i,
  input  logic [Banks-1:0]               match_i,
  output logic [Lanes*128-1:0]           data_o
);
  logic [BankBits-1:0] bank, clear, two, three;
  logic [1:0]          at;
  logic [31:0]         word;
  logic [15:0]         half;
  logic [7:0]          octet;

  assign clear = BankBits'(group_i);
  assign two   = BankBits'(2);
  assign three = BankBits'(3);

  always_comb begin
    data_o = 'x;
    bank   = 'x;
    at     = 'x;
    word   = 'x;
    half   = 'x;
    octet  = 'x;
    if (lanes_i != '0) begin
      for (int l = 0; l < Lanes; l++) begin
        bank = addr_i[l*(BankBits+2) + 2 +: BankBits] & ~clear;
        at   = addr_i[l*(BankBits+2) +: 2];
        if (lanes_i[l]) begin
          word = old_i[{bank, 5'd0} +: 32];
          data_o[l*128 +: 128] = '0;
          if (cast_i) begin
            data_o[l*128 +: 32] = {31'd0, match_i[bank] && !losers_i[l]};
          end else begin
            case (size_i)
              3'd0: begin
                octet = word[{at, 3'd0} +: 8];
                data_o[l*128 +: 32] = {{24{signed_i && octet[7]}}, octet};
              end
              3'd1: begin
                half = at[1] ? word[31:16] : word[15:0];
                data_o[l*128 +: 32] = {{16{signed_i && half[15]}}, half};
              end
              3'd2: data_o[l*128 +: 32] = word;
              3'd3: data_o[l*128 +: 64] = {old_i[{bank[BankBits-1:1], 6'd32} +: 32], word};
              // Four aligned banks: at 4 banks the upper words always come from banks 2 and 3.
              default: begin
                data_o[l*128 +: 64]      = {old_i[{bank[BankBits-1:1], 6'd32} +: 32], word};
                data_o[l*128 + 64 +: 64] = old_i[{(bank & ~three) | two, 5'd0} +: 64];
              end
            endcase
          end
        end
      end
    end
  end
endmodule
`default_nettype wire
