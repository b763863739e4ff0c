// SPDX-License-Identifier: Apache-2.0
// SHFL: the words read by the lanes of a beat. A lane that names a lane not executing reads 0.
`default_nettype none

module shuffle_mux #(
  parameter int Lanes = 32,               // 4, 8, 16, 32: lanes of a beat
  parameter int Width = 32                // bits of a word
) (
  input  logic                   valid_i,
  input  logic [31:0]            mask_i,  // executing lanes of the warp
  input  logic [32*Width-1:0]    words_i, // of the warp
  input  logic [Lanes*5-1:0]     lane_i,  // named by each lane of the beat
  output logic [Lanes*Width-1:0] word_o
);
  logic [4:0] lane;

  always_comb begin
    word_o = 'x;
    lane   = 'x;
    if (valid_i) begin
      for (int l = 0; l < Lanes; l++) begin
        lane = lane_i[l*5 +: 5];
        word_o[l*Width +: Width] = mask_i[lane] ? words_i[32'(lane)*Width +: Width] : '0;
      end
    end
  end
endmodule
`default_nettype wire
