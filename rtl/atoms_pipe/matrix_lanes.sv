// SPDX-License-Identifier: Apache-2.0
// Words of the lanes of a warp, from the rows of matrices. Word m of lane t gets the two numbers from 2 (t mod 4) on of
// row t / 4 of matrix m; of a transposed matrix number t / 4 of the two rows from 2 (t mod 4) on.
//
// Combinational: wires, and a choice of two. Words of absent matrices are 0.
`default_nettype none

module matrix_lanes (
  input  logic              trans_i,
  input  logic [3:0]        there_i,   // matrices
  input  logic [32*128-1:0] rows_i,    // row 8m + r
  output logic [32*128-1:0] lanes_o
);
  for (genvar m = 0; m < 4; m++) begin : gen_matrix
    for (genvar t = 0; t < 32; t++) begin : gen_lane
      for (genvar h = 0; h < 2; h++) begin : gen_half
        assign lanes_o[t*128 + m*32 + h*16 +: 16] = !there_i[m] ? 16'd0 :
          trans_i ? rows_i[(8*m + 2*(t%4) + h)*128 + (t/4)*16 +: 16] : rows_i[(8*m + t/4)*128 + (t%4)*32 + h*16 +: 16];
      end
    end
  end
endmodule
`default_nettype wire
