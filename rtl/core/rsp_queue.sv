// SPDX-License-Identifier: Apache-2.0
// Collects the results of atoms_pipe for a response port pass by pass, and hands over whole beats, in order.
//
// A beat takes a slot (`alloc`) before the first pass, so a running pass never waits for the response port. Each pass
// writes lanes of the slot; the last pass of the beat brings `finish`. Slots finish in the order of `alloc`. rsp_merge
// takes a finished slot with `take`: the header in this cycle, the results a cycle later.
//
// With `Mbar` a beat may bring predicates and faults of lanes with `finish`. A beat may be held until the last beat of
// the request has finished. With `drop` the last beat cancels the answers to the whole request: the slots are then
// skipped.
`include "assert.vh"
`include "ram_style.vh"
`include "wl_config.vh"
`default_nettype none

module rsp_queue #(
  parameter int Lanes    = 32,              // 4, 8, 16, 32
  parameter int Depth    = 8,               // beats; a power of two, 2 or more; 8 sustain a beat a cycle
  parameter bit Mbar     = 1'b0,            // mbarrier_engine is built
  parameter bit Preds    = 1'b0,            // passes of atoms_pipe have predicates
  parameter bit Matrix   = 1'b0,            // LDSM
  parameter bit Lean     = 1'b0,            // results come and are read a lane a cycle, in a single block RAM
  parameter int SlotBits = $clog2(Depth),   // derived, do not override
  parameter bit Cluster  = 1'b0,            // ... and faults of accesses to other CTAs
  parameter int HeadBits = 22 + 1 + 6 + Lanes * (Cluster ? 4 : 3), // derived: {code bits 2, 1, 0, mask, passes, last, tag}
  parameter int RspBits  = 30 + Lanes * 8,  // derived: as in rsp_merge
  parameter int LaneBits = $clog2(Lanes)    // derived
) (
  input  logic                 clk_i,
  input  logic                 rst_i,

  // atoms_pipe
  output logic                 alloc_ready_o,
  output logic                 whole_ready_o, // room for all beats of a request; if Depth is smaller, for a beat
  input  logic                 alloc_i,      // only when ready
  output logic [SlotBits-1:0]  alloc_slot_o,
  input  logic                 head_we_i,
  input  logic [SlotBits-1:0]  head_slot_i,
  input  logic [HeadBits-1:0]  head_i,
  input  logic [4:0]           matrix_i,     // with the head, of LDSM: {transposed, matrices}
  input  logic [Lanes-1:0]     data_we_i,
  input  logic [SlotBits-1:0]  data_slot_i,
  input  logic [Lanes*128-1:0] data_i,
  input  logic                 finish_i,
  input  logic [Lanes-1:0]     pred_i,       // with data: lanes with a true predicate
  input  logic                 special_i,    // with finish: extra, hold and drop count
  input  logic [Lanes*7-1:0]   extra_i,      // {predicate, fault} of each lane
  input  logic                 hold_i,
  input  logic                 drop_i,

  // rsp_merge
  output logic                 rsp_valid_o,
  output logic                 rsp_skip_o,   // a slot goes without an answer
  input  logic                 rsp_take_i,
  input  logic                 other_take_i, // another unit's response leaves, without results from here
  output logic [RspBits-1:0]   rsp_o,
  output logic [Lanes*128-1:0] rsp_data_o,   // of the beat taken last; Lean: nothing
  output logic [4:0]           rsp_matrix_o, // likewise
  input  logic [LaneBits-1:0]  read_lane_i,  // Lean: a lane of the beat to be taken next,
  output logic [127:0]         lane_data_o,  // ... and results of the lane, in the cycle after

  output logic                 empty_o
);
  `WL_FEW_WORDS(Depth) logic [HeadBits-1:0] head [0:Depth-1];
  logic [HeadBits-1:0] head_next;
  logic [SlotBits-1:0] alloc_q, rd_q;
  logic [SlotBits:0]   taken_q, done_q;      // slots taken, and slots finished, not yet read out
  logic [5:0]          passes;
  logic                last;
  logic [21:0]         tag;
  logic [Lanes-1:0]    code2, code1, code0, mask; // fault code of each lane, a vector per bit
  logic [Lanes*6-1:0]  fault;
  logic [SlotBits:0]   finished;             // number of slots to be answered from now on
  logic                leaves;
  logic [Lanes-1:0]    told, pred, faulted;  // predicates of atoms_pipe; predicates, faults of mbarrier_engine
  logic [Lanes*6-1:0]  more;
  logic                any_more;

  assign alloc_ready_o = taken_q != (SlotBits + 1)'(Depth);
  assign whole_ready_o = Depth < 32 / Lanes ? alloc_ready_o : taken_q <= (SlotBits + 1)'(Depth - 32 / Lanes);
  assign alloc_slot_o  = alloc_q;
  assign rsp_valid_o   = done_q != '0 && !rsp_skip_o;
  assign leaves        = rsp_take_i || rsp_skip_o;
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
      rd_q    <= rd_q + SlotBits'(leaves);
      taken_q <= taken_q + (SlotBits + 1)'(alloc_i) - (SlotBits + 1)'(leaves);
      done_q  <= done_q + finished - (SlotBits + 1)'(leaves);
    end
  end

  // Codes of atoms_pipe: 1 misaligned, 2 out of range, 3 illegal, the same numbers as WL_FAULT_*; 4 rank without a CTA
  // in the cluster, 5 the CTA has ended, 6 access not allowed to another CTA.
  assign head_next = head[rd_q];
  if (Cluster) begin : gen_cluster
    assign {code2, code1, code0, mask, passes, last, tag} = head_next;
  end else begin : gen_alone
    assign code2 = '0;
    assign {code1, code0, mask, passes, last, tag} = head_next;
  end
  always_comb begin
    fault = '0;
    if (rsp_valid_o && (code2 | code1 | code0) != '0) begin
      for (int l = 0; l < Lanes; l++) begin
        fault[l*6 +: 6] = !code2[l] ? {4'd0, code1[l], code0[l]} : code1[l] ? `WL_FAULT_BAD_SPACE :
                          code0[l] ? `WL_FAULT_CLUSTER_TARGET : `WL_FAULT_CLUSTER_RANK;
      end
    end
  end
  assign rsp_o = {fault | more, (code2 | code1 | code0) != '0 || any_more, told | pred, mask & ~faulted, last ? passes : 6'd0, last, tag};

  if (Preds) begin : gen_preds
    logic [Depth*Lanes-1:0] told_q;
    assign told = told_q[rd_q*Lanes +: Lanes];
    always_ff @(posedge clk_i) begin
      if (alloc_i) told_q[alloc_q*Lanes +: Lanes] <= '0;
      if (pred_i != '0) told_q[data_slot_i*Lanes +: Lanes] <= told_q[data_slot_i*Lanes +: Lanes] | pred_i;
    end
  end else begin : gen_no_preds
    assign told = '0;
    logic unused_pred;
    assign unused_pred = ^pred_i;
  end

  if (Mbar) begin : gen_mbar
    logic [Lanes*7-1:0] extra [0:Depth-1];
    logic [Lanes*7-1:0] now;
    logic [Depth-1:0]   has_q, held_q, drop_q, here;
    logic [SlotBits:0]  nheld_q;

    assign here       = Depth'(1) << data_slot_i;
    assign finished   = !finish_i || (special_i && hold_i) ? '0 : nheld_q + 1'b1;
    assign rsp_skip_o = done_q != '0 && drop_q[rd_q];
    always_ff @(posedge clk_i) begin
      if (rst_i) begin
        held_q  <= '0;
        drop_q  <= '0;
        nheld_q <= '0;
      end else begin
        if (finish_i) begin
          held_q  <= special_i && hold_i ? held_q | here : '0;
          nheld_q <= special_i && hold_i ? nheld_q + 1'b1 : '0;
        end
        drop_q <= (drop_q & ~(rsp_skip_o ? Depth'(1) << rd_q : '0)) | (finish_i && special_i && drop_i ? held_q | here : '0);
      end
    end
    always_ff @(posedge clk_i) begin
      if (finish_i) has_q[data_slot_i] <= special_i;
      if (finish_i && special_i) extra[data_slot_i] <= extra_i;
    end
    assign now = extra[rd_q];
    always_comb begin
      pred     = '0;
      faulted  = '0;
      more     = '0;
      any_more = 1'b0;
      if (rsp_valid_o && has_q[rd_q]) begin
        for (int l = 0; l < Lanes; l++) begin
          pred[l]         = now[l*7 + 6];
          more[l*6 +: 6]  = now[l*7 +: 6];
          faulted[l]      = now[l*7 +: 6] != `WL_FAULT_NONE;
        end
        any_more = faulted != '0;
      end
    end
  end else begin : gen_no_mbar
    assign finished   = (SlotBits + 1)'(finish_i);
    assign rsp_skip_o = 1'b0;
    assign pred       = '0;
    assign faulted    = '0;
    assign more       = '0;
    assign any_more   = 1'b0;
    logic unused_mbar;
    assign unused_mbar = ^{special_i, extra_i, hold_i, drop_i};
  end

  if (Matrix) begin : gen_matrix
    `WL_FEW_WORDS(Depth) logic [4:0] matrix [0:Depth-1];
    logic [4:0] matrix_q;
    always_ff @(posedge clk_i) begin
      if (head_we_i) matrix[head_slot_i] <= matrix_i;
      if (rsp_take_i) matrix_q <= matrix[rd_q];
      else if (other_take_i) matrix_q <= '0;
    end
    assign rsp_matrix_o = matrix_q;
  end else begin : gen_no_matrix
    assign rsp_matrix_o = '0;
    logic unused_matrix;
    assign unused_matrix = ^matrix_i;
  end

  // In lanes without a result a slot keeps the words of earlier beats, so a mask is needed. Two slots are flip-flops,
  // and the mask fits into the LUT choosing between the two. More slots are a RAM, with the output register before the
  // mask.
  logic [Lanes*128-1:0] data_q;
  logic [Lanes-1:0]     mask_q;
  if (Lean) begin : gen_rows
    // A row for each lane of a slot. The slot being read is not written meanwhile.
    (* no_rw_check *) `WL_BLOCK_RAM(1) logic [127:0] data [0:Depth*Lanes-1];
    logic [LaneBits-1:0] at;
    logic [127:0]        row_q;
    logic                some_q;
    always_comb begin
      at = 'x;
      if (data_we_i != '0) begin
        at = '0;
        for (int l = 0; l < Lanes; l++) if (data_we_i[l]) at = at | l[LaneBits-1:0];
      end
    end
    always_ff @(posedge clk_i) begin
      if (data_we_i != '0) data[{data_slot_i, at}] <= data_i[127:0];
      row_q  <= data[{rd_q, read_lane_i}];
      some_q <= mask[read_lane_i] && !faulted[read_lane_i];
    end
    assign lane_data_o = some_q ? row_q : '0;
    assign rsp_data_o  = '0;
    assign {data_q, mask_q} = '0;
    logic unused_lanes;
    assign unused_lanes = ^{data_i, data_q, mask_q, other_take_i};
    `ASSERT(OneLaneAtATime_A, (data_we_i & (data_we_i - 1'b1)) == '0)
  end else begin : gen_beats
    always_ff @(posedge clk_i) begin
      if (rsp_take_i) mask_q <= mask & ~faulted;
      else if (other_take_i) mask_q <= '0;
    end
    for (genvar l = 0; l < Lanes; l++) begin : gen_lane
      `WL_FEW_WORDS(Depth) logic [127:0] data [0:Depth-1];
      always_ff @(posedge clk_i) begin
        if (data_we_i[l]) data[data_slot_i] <= data_i[l*128 +: 128];
      end
      if (Depth == 2) begin : gen_flops
        always_ff @(posedge clk_i) begin
          if (rsp_take_i) data_q[l*128 +: 128] <= data[rd_q] & {128{mask[l] && !faulted[l]}};
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
    assign lane_data_o = '0;
    logic unused_lane;
    assign unused_lane = ^read_lane_i;
  end

  `ASSERT(AllocHasRoom_A, !alloc_i || alloc_ready_o)
  `ASSERT(FinishWasTaken_A, done_q <= taken_q)
endmodule
`default_nettype wire
