// SPDX-License-Identifier: Apache-2.0
// Results of the on-chip stimulus: CRCs of responses and COMMITs, sums of warps. docs/fpga-link.md ("On-chip
// stimulus").
`default_nettype none

module stimulus_sums #(
  parameter int Lanes = 4                        // 4, 8, 16
) (
  input  logic                 clk_i,
  input  logic                 start_i,          // all begins anew
  input  logic                 active_i,
  input  logic [31:0]          given_i,

  input  logic                 rsp_valid_i,
  input  logic [21:0]          rsp_tag_i,
  input  logic                 rsp_last_i,
  input  logic [Lanes-1:0]     rsp_mask_i,
  input  logic [Lanes-1:0]     rsp_pred_i,
  input  logic [Lanes*128-1:0] rsp_data_i,
  input  logic [5:0]           rsp_passes_i,
  input  logic                 rsp_any_fault_i,
  input  logic [Lanes*6-1:0]   rsp_fault_i,
  input  logic                 commit_valid_i,
  input  logic [21:0]          commit_tag_i,
  input  logic [31:0]          commit_lanes_i,

  input  logic [7:0]           addr_i,           // word of RESULT
  output logic [31:0]          data_o
);
  localparam int Words = 2 + 5 * Lanes;

  // ---- the word of a response beat
  logic [31:0]         fold;
  logic [Words*32-1:0] words;
  assign words[0+:32]  = {2'd0, rsp_last_i ? rsp_passes_i : 6'd0, rsp_any_fault_i, rsp_last_i, rsp_tag_i};
  assign words[32+:32] = {16'(rsp_pred_i), 16'(rsp_mask_i)};
  for (genvar l = 0; l < Lanes; l++) begin : gen_fault
    assign words[64+l*32+:32] = {26'd0, rsp_any_fault_i ? rsp_fault_i[l*6+:6] : 6'd0};
  end
  assign words[64+Lanes*32+:Lanes*128] = rsp_data_i;
  logic [Words*32-1:0] turned;
  for (genvar j = 0; j < Words; j++) begin : gen_turn
    localparam int By = 7 * j % 32;
    assign turned[j*32+:32] = 32'({words[j*32+:32], words[j*32+:32]} >> (32 - By));
  end
  always_comb begin
    fold = '0;
    for (int j = 0; j < Words; j++) fold = fold ^ turned[j*32+:32];
  end

  // ---- a cycle later
  logic        rsp_q, last_q, commit_q;
  logic [5:0]  warp_q;
  logic [31:0] fold_q, commit_word_q;
  always_ff @(posedge clk_i) begin
    rsp_q         <= rsp_valid_i && active_i && !start_i;
    last_q        <= rsp_last_i;
    warp_q        <= rsp_tag_i[21:16];
    fold_q        <= fold;
    commit_q      <= commit_valid_i && active_i && !start_i;
    commit_word_q <= {10'd0, commit_tag_i} ^ {commit_lanes_i[24:0], commit_lanes_i[31:25]};
  end

  logic [31:0] retired_q, commits_q, rsp_crc_q, commit_crc_q, rsp_crc, commit_crc;
  link_crc #(.Bytes(4)) u_rsp_crc (.crc_i(rsp_crc_q), .bytes_i(fold_q), .crc_o(rsp_crc));
  link_crc #(.Bytes(4)) u_commit_crc (.crc_i(commit_crc_q), .bytes_i(commit_word_q), .crc_o(commit_crc));

  logic [63:0] clocks_q;
  logic [63:0] had_q;                            // warps with a sum; all other warps have 0
  always_ff @(posedge clk_i) begin
    if (start_i) begin
      retired_q    <= '0;
      commits_q    <= '0;
      rsp_crc_q    <= '1;
      commit_crc_q <= '1;
      clocks_q     <= '0;
      had_q        <= '0;
    end else begin
      if (active_i) clocks_q <= clocks_q + 64'd1;
      if (rsp_q) begin
        rsp_crc_q <= rsp_crc;
        retired_q <= retired_q + 32'(last_q);
        had_q[warp_q] <= 1'b1;
      end
      if (commit_q) begin
        commit_crc_q <= commit_crc;
        commits_q    <= commits_q + 32'd1;
      end
    end
  end

  logic [31:0] sum_q [64];
  logic [31:0] sum;
  assign sum = had_q[warp_q] ? sum_q[warp_q] : 32'd0;
  always_ff @(posedge clk_i) begin
    if (rsp_q) sum_q[warp_q] <= sum + fold_q;
  end

  logic [7:0] warp;
  assign warp = addr_i - 8'd16;
  always_ff @(posedge clk_i) begin
    case (addr_i)
      8'd0: data_o <= {31'd0, active_i || rsp_q};
      8'd1: data_o <= given_i;
      8'd2: data_o <= retired_q;
      8'd3: data_o <= rsp_crc_q;
      8'd4: data_o <= commits_q;
      8'd5: data_o <= commit_crc_q;
      8'd6: data_o <= clocks_q[31:0];
      8'd7: data_o <= clocks_q[63:32];
      default: data_o <= had_q[warp[5:0]] && warp[7:6] == 2'd0 ? sum_q[warp[5:0]] : 32'd0;
    endcase
  end
endmodule

`default_nettype wire
