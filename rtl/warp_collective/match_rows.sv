// SPDX-License-Identifier: Apache-2.0
// MATCH: for each lane of a beat the executing lanes of the warp with the same value.
//
// With all lanes in one beat the matrix is symmetric, and only half the matrix is compared.
`default_nettype none

module match_rows #(
  parameter int Lanes = 32,               // 4, 8, 16, 32: lanes of a beat
  parameter int Width = 32                // bits of a half of a value
) (
  input  logic                   valid_i,
  input  logic                   wide_i,     // both halves, else the low half
  input  logic [31:0]            mask_i,     // executing lanes of the warp
  input  logic [32*Width-1:0]    low_i,      // values of the warp
  input  logic [32*Width-1:0]    high_i,
  input  logic [Lanes*Width-1:0] own_low_i,  // of the beat
  input  logic [Lanes*Width-1:0] own_high_i,
  output logic [Lanes*32-1:0]    row_o
);
  logic [Lanes*32-1:0] same;

  if (Lanes < 32) begin : gen_rows
    always_comb begin
      same = 'x;
      if (valid_i) begin
        for (int l = 0; l < Lanes; l++) begin
          for (int k = 0; k < 32; k++) begin
            same[l*32 + k] = own_low_i[l*Width +: Width] == low_i[k*Width +: Width] &&
                             (!wide_i || own_high_i[l*Width +: Width] == high_i[k*Width +: Width]);
          end
        end
      end
    end
  end else begin : gen_half
    logic pair, unused_own;
    assign unused_own = ^{own_low_i, own_high_i};
    always_comb begin
      same = 'x;
      pair = 'x;
      if (valid_i) begin
        same = '0;
        for (int l = 0; l < 32; l++) begin
          same[l*32 + l] = 1'b1;
          for (int k = 0; k < 32; k++) begin
            if (k < l) begin
              pair = low_i[l*Width +: Width] == low_i[k*Width +: Width] &&
                     (!wide_i || high_i[l*Width +: Width] == high_i[k*Width +: Width]);
              same[l*32 + k] = pair;
              same[k*32 + l] = pair;
            end
          end
        end
      end
    end
  end

  always_comb begin
    row_o = 'x;
    if (valid_i) begin
      for (int l = 0; l < Lanes; l++) row_o[l*32 +: 32] = same[l*32 +: 32] & mask_i;
    end
  end
endmodule
`default_nettype wire
