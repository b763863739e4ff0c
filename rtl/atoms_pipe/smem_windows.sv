// SPDX-License-Identifier: Apache-2.0
// The shared-memory window {base, size, valid} of each of the 16 CTA slots, and the CTA's rank in the cluster.
`default_nettype none

module smem_windows (
  input  logic        clk_i,
  input  logic        rst_i,

  // configuration
  input  logic        cfg_valid_i,
  input  logic [3:0]  cfg_slot_i,
  input  logic        cfg_window_valid_i,
  input  logic [16:0] cfg_base_i,     // bytes, multiples of 16
  input  logic [16:0] cfg_size_i,
  input  logic [3:0]  cfg_rank_i,

  // atoms_pipe, combinational
  input  logic [3:0]  slot_i,
  output logic        window_valid_o,
  output logic [16:0] window_base_o,
  output logic [16:0] window_size_o,
  output logic [3:0]  window_rank_o
);
  logic [29:0] window [0:15];    // {rank, base, size}; base and size in units of 16 bytes
  logic [15:0] valid_q;
  logic        unused_bits;

  always_ff @(posedge clk_i) begin
    if (cfg_valid_i) window[cfg_slot_i] <= {cfg_rank_i, cfg_base_i[16:4], cfg_size_i[16:4]};
  end
  always_ff @(posedge clk_i) begin
    if (rst_i) valid_q <= '0;
    else if (cfg_valid_i) valid_q[cfg_slot_i] <= cfg_window_valid_i;
  end

  assign window_valid_o                 = valid_q[slot_i];
  assign window_base_o[3:0]             = 4'd0;
  assign window_size_o[3:0]             = 4'd0;
  assign {window_rank_o, window_base_o[16:4], window_size_o[16:4]} = window[slot_i];
  assign unused_bits                    = ^{cfg_base_i[3:0], cfg_size_i[3:0]};
endmodule
`default_nettype wire
