// SPDX-License-Identifier: Apache-2.0
// On-chip stimulus: requests for shared memory at the full clock, without the line. docs/fpga-link.md ("On-chip
// stimulus") defines the requests; stimulus_sums keeps the results.
//
// A beat is handed over through the operand registers of link_board: with load_o the registers take the beat.
`default_nettype none

module stimulus #(
  parameter int Lanes = 4,                       // 4, 8, 16
  parameter int Warps = 48
) (
  input  logic                clk_i,
  input  logic                rst_i,

  // commands
  input  logic                entry_valid_i,
  input  logic [151:0]        entry_i,           // {word, address mask, index (8)}
  input  logic                start_i,
  input  logic [71:0]         start_args_i,      // {architecture, requests, seed}
  output logic                active_o,
  output logic                started_o,         // one cycle: a run begins
  output logic [31:0]         given_o,

  // requests; header and operands hold until req_ready_i
  output logic                req_valid_o,
  input  logic                req_ready_i,
  output logic [7:0]          arch_o,
  output logic [21:0]         req_tag_o,
  output logic [127:0]        req_word_o,
  output logic [31:0]         req_mask_o,
  output logic [3:0]          req_slot_o,
  output logic                load_o,            // the operand registers take the next beat
  output logic [Lanes*32-1:0] ra_o,
  output logic [Lanes*64-1:0] rb_o,
  output logic [Lanes*64-1:0] rc_o,
  input  logic                retired_i          // the last beat of a response
);
  localparam int Beats    = 32 / Lanes;
  localparam int BeatBits = $clog2(Beats);
  localparam int PerSlot  = 3;

  function automatic logic [63:0] right(input logic [63:0] x);
    right = x ^ (x >> 7);
  endfunction
  function automatic logic [63:0] step(input logic [63:0] x);
    step = right(x ^ (x << 13)) ^ (right(x ^ (x << 13)) << 17);
  endfunction
  function automatic logic [63:0] begins(input logic [31:0] g, input logic [31:0] seed);
    begins = {32'h9e3779b9 * (g + 32'd1), seed + g};
  endfunction

  // ---- the table
  logic unused;
  assign unused = ^entry_i[7:4];
  logic [143:0] table_q [16];
  always_ff @(posedge clk_i) begin
    if (entry_valid_i) table_q[entry_i[3:0]] <= entry_i[151:8];
  end

  // ---- a run
  logic [31:0]         asked_q, retired_q;
  logic                making_q;                 // requests are still to be made
  logic [BeatBits-1:0] beat_q;                   // of the next beat to load
  logic [63:0]         head_q;
  logic [5:0]          warp_q;                   // of the next request to make
  logic [3:0]          slot_q;
  logic [1:0]          place_q;                  // of the warp in the slot
  logic [15:0]         n_q;
  logic [15:0]         mask_q;                   // of addresses
  logic                small_q;

  logic first, last;
  assign first  = beat_q == '0;
  assign last   = beat_q == BeatBits'(Beats - 1);
  assign load_o = making_q && (!req_valid_o || req_ready_i);

  // header of the next request to make
  logic [143:0] entry;
  logic [31:0]  lanes;
  assign entry = table_q[head_q[63:60]];
  always_comb begin
    case (head_q[31:30])
      2'd0: lanes = 32'hffffffff;
      2'd1: lanes = head_q[31:0];
      2'd2: lanes = head_q[31:0] & head_q[63:32];
      default: lanes = head_q[31:0] | head_q[63:32];
    endcase
    lanes[head_q[4:0]] = 1'b1;
  end

  always_ff @(posedge clk_i) begin
    started_o <= start_i;
    if (rst_i) begin
      making_q    <= 1'b0;
      req_valid_o <= 1'b0;
      active_o    <= 1'b0;
      started_o   <= 1'b0;
    end else if (start_i) begin
      arch_o    <= start_args_i[71:64];
      asked_q   <= start_args_i[63:32];
      head_q    <= begins(32'd0, start_args_i[31:0]);
      given_o   <= '0;
      retired_q <= '0;
      beat_q    <= '0;
      warp_q    <= 6'd1;
      slot_q    <= '0;
      place_q   <= 2'd1;
      n_q       <= '0;
      making_q  <= start_args_i[63:32] != '0;
      active_o  <= start_args_i[63:32] != '0;
    end else begin
      if (retired_i) begin
        retired_q <= retired_q + 32'd1;
        if (active_o && retired_q + 32'd1 == asked_q) active_o <= 1'b0;
      end
      if (load_o) begin
        req_valid_o <= 1'b1;
        beat_q      <= beat_q + 1'b1;
        if (first) begin
          head_q     <= step(head_q);
          small_q    <= head_q[29];
          mask_q     <= entry[15:0];
          req_word_o <= entry[143:16];
          req_mask_o <= lanes;
          req_tag_o  <= {warp_q, n_q};
          req_slot_o <= slot_q;
        end
        if (last) begin
          given_o <= given_o + 32'd1;
          if (given_o + 32'd1 == asked_q) making_q <= 1'b0;
          if (warp_q == 6'(Warps - 1)) begin
            warp_q  <= '0;
            slot_q  <= '0;
            place_q <= '0;
          end else begin
            warp_q  <= warp_q + 6'd1;
            slot_q  <= place_q == 2'(PerSlot - 1) ? slot_q + 4'd1 : slot_q;
            place_q <= place_q == 2'(PerSlot - 1) ? 2'd0 : place_q + 2'd1;
          end
          if (warp_q == '0) n_q <= n_q + 16'd1;   // request 47 is warp 0's
        end
      end else if (req_ready_i) begin
        req_valid_o <= 1'b0;
      end
    end
  end

  // ---- operands
  logic [15:0] amask;
  logic [31:0] dmask;
  assign amask = first ? entry[15:0] : mask_q;
  assign dmask = {{30{!(first ? head_q[29] : small_q)}}, 2'b11};
  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    logic [63:0] x_q;
    always_ff @(posedge clk_i) begin
      if (start_i) x_q <= begins(32'(l + 1), start_args_i[31:0]);
      else if (load_o) x_q <= step(x_q);
    end
    assign ra_o[l*32+:32] = {16'd0, x_q[15:0] & amask};
    assign rb_o[l*64+:64] = {x_q[63:32] & dmask, x_q[47:16] & dmask};
    assign rc_o[l*64+:64] = {x_q[55:24] & dmask, x_q[39:8] & dmask};
  end
endmodule

`default_nettype wire
