// SPDX-License-Identifier: Apache-2.0
// The beats of a response on the way to a port. With LDSM the lanes come with rows, and leave with parts of the
// matrices. All other beats go through unchanged.
//
// With fewer than 32 lanes the beats of LDSM are taken until all beats are here, and then go out in turn.
`include "assert.vh"
`default_nettype none

module matrix_result #(
  parameter int Lanes    = 32,
  parameter int HeadBits = 8,                                    // bits going along with a beat
  parameter int BeatBits = Lanes < 32 ? $clog2(32 / Lanes) : 1   // derived, do not override
) (
  input  logic                 clk_i,
  input  logic                 rst_i,

  input  logic                 valid_i,
  output logic                 ready_o,
  input  logic [4:0]           matrix_i,   // {transposed, matrices}; 0: not of LDSM
  input  logic [HeadBits-1:0]  head_i,
  input  logic [Lanes-1:0]     mask_i,     // lanes with a result
  input  logic [Lanes*128-1:0] data_i,

  output logic                 valid_o,
  input  logic                 ready_i,
  output logic [HeadBits-1:0]  head_o,
  output logic [Lanes-1:0]     mask_o,
  output logic [Lanes*128-1:0] data_o,
  output logic                 busy_o      // beats are here
);
  logic [32*128-1:0] rows, lanes;
  logic [4:0]        matrix;
  matrix_lanes u_lanes (.trans_i(matrix[4]), .there_i(matrix[3:0]), .rows_i(rows), .lanes_o(lanes));

  if (Lanes == 32) begin : gen_at_once
    assign valid_o = valid_i;
    assign ready_o = ready_i;
    assign head_o  = head_i;
    assign mask_o  = mask_i;
    assign matrix  = matrix_i;
    assign rows    = matrix_i != '0 && valid_i ? data_i : 'x;
    assign busy_o  = 1'b0;
    always_comb begin
      data_o = data_i;
      if (matrix_i != '0 && valid_i) begin
        for (int l = 0; l < Lanes; l++) data_o[l*128 +: 128] = mask_i[l] ? lanes[l*128 +: 128] : '0;
      end
    end
    logic unused;
    assign unused = ^{clk_i, rst_i};
  end else begin : gen_gather
    localparam int Beats = 32 / Lanes;
    logic [32*128-1:0]         rows_q;
    logic [Beats*HeadBits-1:0] heads_q;
    logic [31:0]               masks_q;
    logic [BeatBits-1:0]       at_q;        // beat to come next, or to go next
    logic [4:0]                matrix_q;
    logic                      goes_q, some_q, takes;

    assign takes  = valid_i && matrix_i != '0 && !goes_q;
    assign matrix = matrix_q;
    assign rows   = rows_q;
    assign busy_o = goes_q || some_q;
    always_ff @(posedge clk_i) begin
      if (rst_i) begin
        goes_q <= 1'b0;
        some_q <= 1'b0;
        at_q   <= '0;
      end else if (takes || (goes_q && ready_i)) begin
        at_q <= at_q + 1'b1;
        if (at_q == '1) goes_q <= !goes_q;
        some_q <= takes;
      end
    end
    always_ff @(posedge clk_i) begin
      if (takes) begin
        matrix_q <= matrix_i;
        for (int b = 0; b < Beats; b++) begin
          if (at_q == b[BeatBits-1:0]) begin
            rows_q[b*Lanes*128 +: Lanes*128]   <= data_i;
            heads_q[b*HeadBits +: HeadBits]    <= head_i;
            masks_q[b*Lanes +: Lanes]          <= mask_i;
          end
        end
      end
    end

    assign valid_o = goes_q || (valid_i && matrix_i == '0);
    assign ready_o = !goes_q && (matrix_i != '0 || ready_i);
    always_comb begin
      head_o = head_i;
      mask_o = mask_i;
      data_o = data_i;
      if (goes_q) begin
        head_o = heads_q[at_q*HeadBits +: HeadBits];
        mask_o = masks_q[at_q*Lanes +: Lanes];
        for (int l = 0; l < Lanes; l++) data_o[l*128 +: 128] = mask_o[l] ? lanes[(at_q*Lanes + l)*128 +: 128] : '0;
      end
    end
    `ASSERT(BeatsTogether_A, !(some_q && !goes_q && valid_i) || matrix_i == matrix_q)
  end
endmodule
`default_nettype wire
