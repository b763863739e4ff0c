// SPDX-License-Identifier: Apache-2.0
// One response port: collects the results of a beat pass by pass and hands whole beats over, in order.
//
// A beat takes a slot before its first pass (`alloc`), so a pass never waits for the response port once it runs. Each
// pass writes its lanes; the last one of the beat says `finish`. Slots finish in the order in which they were taken.
`include "assert.vh"
`include "planted.vh"
`default_nettype none

module rsp_queue #(
  parameter int Lanes    = 32,              // 4, 8, 16, 32
  parameter int Depth    = 8,               // beats; a power of two, 2 or more; 8 keeps one beat a cycle going
  parameter int SlotBits = $clog2(Depth),   // derived, do not override
  parameter int HeadBits = 22 + 1 + 6 + Lanes * 3  // derived: {code bits 1, code bits 0, mask, passes, last, tag}
) (
  input  logic                 clk_i,
  input  logic                 rst_i,
`ifdef WL_PLANTED
  input  logic [7:0]           bug_i,
  input  logic                 early_i,      // hand the slot over before it is finished
`endif

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

  // response port
  output logic                 rsp_valid_o,
  input  logic                 rsp_ready_i,
  output logic [21:0]          rsp_tag_o,
  output logic                 rsp_last_o,
  output logic [Lanes-1:0]     rsp_mask_o,
  output logic [Lanes*128-1:0] rsp_data_o,
  output logic [5:0]           rsp_passes_o,
  output logic [Lanes*3-1:0]   rsp_fault_o,

  output logic                 empty_o
);
  logic [HeadBits-1:0] head [0:Depth-1];
  logic [HeadBits-1:0] head_q, head_next;
  logic [SlotBits-1:0] alloc_q, rd_q;
  logic [SlotBits:0]   taken_q, done_q;      // slots taken, and finished ones among them, not yet read out
  logic                valid_q, load, pop, lost;
  logic [5:0]          passes;
  logic [Lanes-1:0]    code1, code0;         // fault code of each lane, one vector per bit
  logic [1:0]          finished;

  assign alloc_ready_o = taken_q != (SlotBits + 1)'(Depth);
  assign alloc_slot_o  = alloc_q;
  assign pop           = valid_q && (rsp_ready_i || lost);
  assign load          = done_q != '0 && (!valid_q || pop);
  assign rsp_valid_o   = valid_q && !lost;
  assign empty_o       = taken_q == '0 && !valid_q;

  always_ff @(posedge clk_i) begin
    if (head_we_i) head[head_slot_i] <= head_i;
    if (load) head_q <= head_next;
  end

`ifdef WL_PLANTED
  logic [5:0] retires_q;
  always_ff @(posedge clk_i) retires_q <= rst_i ? '0 : retires_q + 6'(pop && rsp_last_o);
  assign lost     = `WL_BUG(`BUG_LOST_RETIRE) && rsp_last_o && retires_q == '1;
  assign finished = {1'b0, finish_i} + {1'b0, early_i};
`else
  assign lost     = 1'b0;
  assign finished = {1'b0, finish_i};
`endif

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      alloc_q <= '0;
      rd_q    <= '0;
      taken_q <= '0;
      done_q  <= '0;
      valid_q <= 1'b0;
    end else begin
      alloc_q <= alloc_q + SlotBits'(alloc_i);
      rd_q    <= rd_q + SlotBits'(load);
      taken_q <= taken_q + (SlotBits + 1)'(alloc_i) - (SlotBits + 1)'(load);
      done_q  <= done_q + (SlotBits + 1)'(finished) - (SlotBits + 1)'(load);
      valid_q <= load || (valid_q && !pop);
    end
  end

  assign head_next    = head[rd_q];
  assign {code1, code0, rsp_mask_o, passes, rsp_last_o, rsp_tag_o} = head_q;
  assign rsp_passes_o = rsp_last_o ? passes : 6'd0;

  // A slot keeps what earlier beats left in lanes that this one does not write. Two slots are flip-flops, and the mask
  // fits into the LUT that chooses between them; more are a RAM, whose output register comes before the mask.
  logic [Lanes*128-1:0] data_q;
  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    logic [127:0] data [0:Depth-1];
    always_ff @(posedge clk_i) begin
      if (data_we_i[l]) data[data_slot_i] <= data_i[l*128 +: 128];
    end
    if (Depth == 2) begin : gen_flops
      always_ff @(posedge clk_i) begin
        if (load) data_q[l*128 +: 128] <= data[rd_q] & {128{head_next[29 + l]}};
      end
      assign rsp_data_o[l*128 +: 128] = data_q[l*128 +: 128];
    end else begin : gen_ram
      always_ff @(posedge clk_i) begin
        if (load) data_q[l*128 +: 128] <= data[rd_q];
      end
      assign rsp_data_o[l*128 +: 128] = rsp_mask_o[l] ? data_q[l*128 +: 128] : '0;
    end
  end
  always_comb begin
    rsp_fault_o = '0;
    for (int l = 0; l < Lanes; l++) rsp_fault_o[l*3 +: 2] = {code1[l], code0[l]};
  end

  `ASSERT(AllocHasRoom_A, !alloc_i || alloc_ready_o)
  `ASSERT(FinishWasTaken_A, done_q <= taken_q)
endmodule
`default_nettype wire
