// SPDX-License-Identifier: Apache-2.0
// Results of atoms_pipe for one response port: collects them pass by pass and hands whole beats over, in order.
//
// A beat takes a slot before its first pass (`alloc`), so a pass never waits for the response port once it runs. Each
// pass writes its lanes; the last one of the beat says `finish`. Slots finish in the order in which they were taken.
// rsp_merge takes a finished slot with `take`: the header then, the results a cycle later.
`include "assert.vh"
`include "wl_config.vh"
`default_nettype none

module rsp_queue #(
  parameter int Lanes    = 32,              // 4, 8, 16, 32
  parameter int Depth    = 8,               // beats; a power of two, 2 or more; 8 keeps one beat a cycle going
  parameter int SlotBits = $clog2(Depth),   // derived, do not override
  parameter int HeadBits = 22 + 1 + 6 + Lanes * 3, // derived: {code bits 1, code bits 0, mask, passes, last, tag}
  parameter int RspBits  = 30 + Lanes * 8   // derived: as in rsp_merge
) (
  input  logic                 clk_i,
  input  logic                 rst_i,

  // atoms_pipe
  output logic                 alloc_ready_o,
  input  logic                 alloc_i,      // only when ready
  output logic [SlotBits-1:0]  alloc_slot_o,
  input  logic                 head_we_i,
  input  logic [SlotBits-1:0]  head_slot_i,
  input  logic [HeadBits-1:0]  head_i,
  input  logic [Lanes-1:0]     data_we_i,
  input  logic [SlotBits-1:0]  data_slot_i,
  input  logic [Lanes*128-1:0] data_i,
  input  logic                 finish_i,

  // rsp_merge
  output logic                 rsp_valid_o,
  input  logic                 rsp_take_i,
  input  logic                 other_take_i, // another unit's response leaves: no results of ours beside it
  output logic [RspBits-1:0]   rsp_o,
  output logic [Lanes*128-1:0] rsp_data_o,   // of the beat taken last

  output logic                 empty_o
);
  logic [HeadBits-1:0] head [0:Depth-1];
  logic [HeadBits-1:0] head_next;
  logic [SlotBits-1:0] alloc_q, rd_q;
  logic [SlotBits:0]   taken_q, done_q;      // slots taken, and finished ones among them, not yet read out
  logic [5:0]          passes;
  logic                last;
  logic [21:0]         tag;
  logic [Lanes-1:0]    code1, code0, mask;   // fault code of each lane, one vector per bit
  logic [Lanes*6-1:0]  fault;

  assign alloc_ready_o = taken_q != (SlotBits + 1)'(Depth);
  assign alloc_slot_o  = alloc_q;
  assign rsp_valid_o   = done_q != '0;
  assign empty_o       = taken_q == '0;

  always_ff @(posedge clk_i) begin
    if (head_we_i) head[head_slot_i] <= head_i;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      alloc_q <= '0;
      rd_q    <= '0;
      taken_q <= '0;
      done_q  <= '0;
    end else begin
      alloc_q <= alloc_q + SlotBits'(alloc_i);
      rd_q    <= rd_q + SlotBits'(rsp_take_i);
      taken_q <= taken_q + (SlotBits + 1)'(alloc_i) - (SlotBits + 1)'(rsp_take_i);
      done_q  <= done_q + (SlotBits + 1)'(finish_i) - (SlotBits + 1)'(rsp_take_i);
    end
  end

  // Codes of atoms_pipe: 1 misaligned, 2 out of range, 3 illegal, the numbers of WL_FAULT_* themselves.
  assign head_next = head[rd_q];
  assign {code1, code0, mask, passes, last, tag} = head_next;
  always_comb begin
    fault = '0;
    if (rsp_valid_o && (code1 | code0) != '0) begin
      for (int l = 0; l < Lanes; l++) fault[l*6 +: 6] = {4'd0, code1[l], code0[l]};
    end
  end
  assign rsp_o = {fault, (code1 | code0) != '0, {Lanes{1'b0}}, mask, last ? passes : 6'd0, last, tag};

  // A slot keeps what earlier beats left in lanes that this one does not write. Two slots are flip-flops, and the mask
  // fits into the LUT that chooses between them; more are a RAM, whose output register comes before the mask.
  logic [Lanes*128-1:0] data_q;
  logic [Lanes-1:0]     mask_q;
  always_ff @(posedge clk_i) begin
    if (rsp_take_i) mask_q <= mask;
    else if (other_take_i) mask_q <= '0;
  end
  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    logic [127:0] data [0:Depth-1];
    always_ff @(posedge clk_i) begin
      if (data_we_i[l]) data[data_slot_i] <= data_i[l*128 +: 128];
    end
    if (Depth == 2) begin : gen_flops
      always_ff @(posedge clk_i) begin
        if (rsp_take_i) data_q[l*128 +: 128] <= data[rd_q] & {128{mask[l]}};
        else if (other_take_i) data_q[l*128 +: 128] <= '0;
      end
      assign rsp_data_o[l*128 +: 128] = data_q[l*128 +: 128];
    end else begin : gen_ram
      always_ff @(posedge clk_i) begin
        if (rsp_take_i) data_q[l*128 +: 128] <= data[rd_q];
      end
      assign rsp_data_o[l*128 +: 128] = mask_q[l] ? data_q[l*128 +: 128] : '0;
    end
  end
  if (Depth == 2) begin : gen_unused
    logic unused_mask;
    assign unused_mask = ^mask_q;
  end

  `ASSERT(AllocHasRoom_A, !alloc_i || alloc_ready_o)
  `ASSERT(FinishWasTaken_A, done_q <= taken_q)
endmodule
`default_nettype wire
