// SPDX-License-Identifier: Apache-2.0
// Answers of a unit for a port, beat by beat. A request is admitted only when all beats have room here. So the unit's
// pipeline never waits, and a port with stalled answers holds up its own requests only.
`include "assert.vh"
`default_nettype none

module unit_answers #(
  parameter int Lanes   = 32,                                  // 4, 8, 16, 32
  parameter int Depth   = 8,                                   // beats; a power of two, at least the beats of a request
  parameter int Count   = $clog2(32 / Lanes + 1),              // derived, do not override, like all below
  parameter int RspBits = 30 + Lanes * 8                       // as in rsp_merge
) (
  input  logic                 clk_i,
  input  logic                 rst_i,

  output logic                 room_o,        // for another request of any size
  input  logic                 enter_i,       // a request has been admitted ...
  input  logic [Count-1:0]     beats_i,       // ... with so many beats of answers

  input  logic                 push_i,
  input  logic [21:0]          tag_i,
  input  logic                 last_i,
  input  logic [Lanes-1:0]     written_i,     // lanes with a word; words of other lanes are 0
  input  logic [Lanes-1:0]     pred_i,
  input  logic [Lanes*32-1:0]  word_i,

  output logic                 rsp_valid_o,
  input  logic                 rsp_take_i,
  output logic [RspBits-1:0]   rsp_o,
  output logic [Lanes*128-1:0] rsp_data_o,
  output logic                 empty_o
);
  localparam int Beats   = 32 / Lanes;
  localparam int PtrBits = $clog2(Depth);
  localparam int Bits    = 23 + 2 * Lanes;

  logic                push, load, unused_ready;
  logic [PtrBits-1:0]  wr, rd;
  logic [PtrBits:0]    promised_q;            // beats of admitted requests, not yet taken
  logic [Bits-1:0]     head_q;
  logic [Lanes*32-1:0] word_q;
  logic [Bits-1:0]     heads [0:Depth-1];
  logic [Lanes*32-1:0] words [0:Depth-1];

  fifo_control #(.Depth(Depth)) u_control (
    .clk_i, .rst_i, .push_valid_i(push_i), .push_ready_o(unused_ready), .pop_valid_o(rsp_valid_o), .pop_ready_i(rsp_take_i),
    .push_o(push), .wr_o(wr), .load_o(load), .rd_o(rd), .empty_o
  );

  assign room_o = promised_q <= (PtrBits + 1)'(Depth - Beats);
  always_ff @(posedge clk_i) begin
    if (rst_i) promised_q <= '0;
    else promised_q <= promised_q + (enter_i ? (PtrBits + 1)'(beats_i) : '0) - (PtrBits + 1)'(rsp_take_i);
  end

  always_ff @(posedge clk_i) begin
    if (push) begin
      heads[wr] <= {pred_i, written_i, last_i, tag_i};
      words[wr] <= word_i;
    end
    if (load) begin
      head_q <= heads[rd];
      word_q <= words[rd];
    end
  end

  assign rsp_o = {{Lanes{6'd0}}, 1'b0, head_q[Bits-1:23], 6'd1, head_q[22:0]};
  always_comb begin
    rsp_data_o = '0;
    if (rsp_valid_o) begin
      for (int l = 0; l < Lanes; l++) rsp_data_o[l*128 +: 32] = word_q[l*32 +: 32];
    end
  end

  `ASSERT(RoomWasPromised_A, !push_i || unused_ready)
  `ASSERT(TakesOnlyWhatItOffers_A, !rsp_take_i || rsp_valid_o)
endmodule
`default_nettype wire
