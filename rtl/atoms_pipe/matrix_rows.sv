// SPDX-License-Identifier: Apache-2.0
// Rows of matrices from the words of the lanes of a warp. Row r of matrix m is the 16 bytes stored by lane 8m + r.
// Number k of a row (16 bits) is half k mod 2 of lane 4r + k / 2; of a transposed matrix half r mod 2 of
// lane 4k + r / 2.
//
// Combinational: wires, and a choice of two.
`default_nettype none

module matrix_rows (
  input  logic           trans_i,
  input  logic [32*128-1:0] lanes_i,   // word m of a lane belongs to matrix m
  output logic [32*128-1:0] rows_o
);
  for (genvar m = 0; m < 4; m++) begin : gen_matrix
    for (genvar r = 0; r < 8; r++) begin : gen_row
      for (genvar k = 0; k < 8; k++) begin : gen_half
        assign rows_o[(8*m + r)*128 + k*16 +: 16] =
          trans_i ? lanes_i[(4*k + r/2)*128 + m*32 + (r%2)*16 +: 16] : lanes_i[(4*r + k/2)*128 + m*32 + (k%2)*16 +: 16];
      end
    end
  end
endmodule
`default_nettype wire
