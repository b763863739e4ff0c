// SPDX-License-Identifier: Apache-2.0
// barrier_file, or with Lean barrier_file_lean, as a unit of sync_core: head buses in; a response, a park and a release
// for each port out.
//
// Answers go out through a skid buffer for each port: a register says whether the buffer has room. So the choice of the
// next response (rsp_merge) does not stand before the judgement, and all that depends on it, in one cycle.
`include "wl_config.vh"
`include "wl_units.vh"
`default_nettype none

module barrier_place #(
  parameter int Lanes   = 32,
  parameter int Ports   = 1,
  parameter int Warps   = 48,                    // 2..48, a multiple of Ports
  parameter int Slots   = 16,                    // CTAs: 2, 4, 8, 16; higher slots are never named
  parameter bit Lean    = 1'b0,                  // barrier_file_lean: one port, more cycles, short paths
  parameter int RspBits = 30 + Lanes * 8         // derived: as in rsp_merge
) (
  input  logic                       clk_i,
  input  logic                       rst_i,

  // CTA launch and end
  input  logic                       cfg_valid_i,
  input  logic [3:0]                 cfg_slot_i,
  input  logic                       cfg_open_i,
  input  logic [5:0]                 cfg_warps_i,

  // head buses
  input  logic [Ports-1:0]           head_valid_i,   // a request of barrier_file
  input  logic [Ports-1:0]           head_exit_i,    // the end of a warp, going in this cycle
  output logic [Ports-1:0]           head_ready_o,   // for either
  input  logic [Ports*5-1:0]         head_kind_i,
  input  logic [Ports*32-1:0]        head_ctl_i,
  input  logic [Ports*22-1:0]        head_tag_i,
  input  logic [Ports*4-1:0]         head_slot_i,
  input  logic [Ports*64-1:0]        head_ra_i,
  input  logic [Ports*64-1:0]        head_rb_i,
  input  logic [Ports*32-1:0]        head_mask_i,
  input  logic [Ports*32-1:0]        head_pred_i,

  // places of sync_core
  output logic [Ports-1:0]           rsp_valid_o,
  input  logic [Ports-1:0]           rsp_take_i,
  output logic [Ports*RspBits-1:0]   rsp_o,
  output logic [Ports*Lanes*128-1:0] rsp_data_o,
  output logic [Ports-1:0]           park_valid_o,
  output logic [Ports*4-1:0]         park_slot_o,
  output logic [Ports*16-1:0]        park_id_o,
  output logic [Ports*Warps-1:0]     park_warps_o,
  output logic [Ports-1:0]           rel_valid_o,
  output logic [Ports*121-1:0]       rel_o,

  // status: one barrier
  input  logic                       status_valid_i,
  output logic                       status_ready_o,
  input  logic [3:0]                 status_slot_i,
  input  logic [3:0]                 status_id_i,
  output logic                       status_valid_o,
  output logic [126:0]               status_o,       // {votes, waiting, arrived (48 each), number, expected, counted, mode}

  // trace
  output logic [Ports-1:0]           fault_o,
  output logic [Ports*6-1:0]         fault_code_o,
  output logic [Ports-1:0]           commit_o,
  output logic [Ports*22-1:0]        judged_tag_o,
  output logic [Ports*32-1:0]        judged_mask_o,
  output logic                       idle_o
);
  localparam int WarpBits = $clog2(Warps);
  localparam int NumBits  = $clog2(Warps + 1);
  localparam int SlotBits = $clog2(Slots);
  localparam int TagBits  = 24;
  localparam logic [2:0] Arv = 3'd1, RedPopc = 3'd2, Result = 3'd5, Exit = 3'd6;

  logic [Ports*3-1:0]        kind;
  logic [Ports*2-1:0]        form;
  logic [Ports*WarpBits-1:0] warp;
  logic [Ports*4-1:0]        id, rel_id;
  logic [Ports*SlotBits-1:0] head_slot, slot;
  logic [Ports*12-1:0]       count, rel_value, value, answer_value;
  logic [Ports*32-1:0]       ra, rb, mask, ctl;
  logic [Ports-1:0]          answer_valid, answer_ready;
  logic [Ports-1:0]          park;
  logic [Ports*TagBits-1:0]  head_tag, judged_tag, tag, answer_tag;   // {to_pd, to_rd, tag}
  logic [Ports*6-1:0]        fault, answer_fault;
  logic [Ports*Warps-1:0]    rel_warps;
  logic [1:0]                mode;
  logic                      counted, file_idle, unused_operands;
  logic [NumBits-1:0]        expected, arrived;
  logic [Warps-1:0]          warps, waiting;
  logic [11:0]               votes;

  always_comb begin
    for (int p = 0; p < Ports; p++) judged_tag_o[p*22 +: 22] = judged_tag[p*TagBits +: 22];
  end
  assign unused_operands = ^{cfg_slot_i, head_slot_i, status_slot_i, judged_tag, head_ra_i, head_rb_i, head_ctl_i, head_kind_i, mask, cfg_warps_i};

  always_comb begin
    {kind, form, warp, id, count, ra, rb, ctl, head_tag, head_slot} = '0;   // not behind the valid bits: an EXIT is valid late
    for (int p = 0; p < Ports; p++) begin
      ctl[p*32 +: 32] = head_ctl_i[p*32 +: 32];
      if (head_exit_i[p]) kind[p*3 +: 3] = Exit;
      else if (head_kind_i[p*5 +: 5] == `WL_BARRIER_FILE_B2R) kind[p*3 +: 3] = Result;
      else if (ctl[p*32 + 1]) kind[p*3 +: 3] = RedPopc + {1'b0, ctl[p*32 + 2 +: 2]};
      else kind[p*3 +: 3] = ctl[p*32] ? Arv : 3'd0;
      form[p*2 +: 2]               = ctl[p*32 + 6] ? {2{ctl[p*32 + 4]}} : {ctl[p*32 + 4], ctl[p*32 + 5]};
      id[p*4 +: 4]                 = ctl[p*32 + 7 +: 4];
      head_slot[p*SlotBits +: SlotBits] = head_slot_i[p*4 +: SlotBits];
      count[p*12 +: 12]            = ctl[p*32 + 11 +: 12];
      warp[p*WarpBits +: WarpBits] = head_tag_i[p*22 + 16 +: WarpBits];
      head_tag[p*TagBits +: TagBits] = {ctl[p*32 + 23 +: 2], head_tag_i[p*22 +: 22]};
      ra[p*32 +: 32]               = head_ra_i[p*64 +: 32];
      rb[p*32 +: 32]               = head_rb_i[p*64 +: 32];
    end
  end

  if (Lean) begin : gen_lean
    barrier_file_lean #(.Ports(Ports), .Warps(Warps), .Slots(Slots), .TagBits(TagBits)) u_file (
`include "barrier_file_pins.vh"
    );
  end else begin : gen_full
    barrier_file #(.Ports(Ports), .Warps(Warps), .Slots(Slots), .TagBits(TagBits)) u_file (
`include "barrier_file_pins.vh"
    );
  end
  for (genvar p = 0; p < Ports; p++) begin : gen_answer
    skid_buffer #(.Bits(TagBits + 6 + 12)) u_answer (
      .clk_i, .rst_i, .valid_i(answer_valid[p]), .ready_o(answer_ready[p]),
      .data_i({answer_tag[p*TagBits +: TagBits], answer_fault[p*6 +: 6], answer_value[p*12 +: 12]}),
      .valid_o(rsp_valid_o[p]), .ready_i(rsp_take_i[p]),
      .data_o({tag[p*TagBits +: TagBits], fault[p*6 +: 6], value[p*12 +: 12]})
    );
  end
  assign idle_o   = file_idle && rsp_valid_o == '0;
  assign status_o = {votes, 48'(waiting), 48'(warps), 8'(arrived), 8'(expected), counted, mode};

  // Lane 0 stands for all active lanes. A fault found without state is before any pass.
  always_comb begin
    {rsp_o, rsp_data_o} = '0;
    if (rsp_valid_o != '0) begin
      for (int p = 0; p < Ports; p++) begin
        rsp_o[p*RspBits +: RspBits] = {
          {Lanes-1{6'd0}}, fault[p*6 +: 6], fault[p*6 +: 6] != '0,
          {Lanes-1{1'b0}}, tag[p*TagBits + 23] && value[p*12 +: 12] != '0,
          {Lanes-1{1'b0}}, tag[p*TagBits + 22] && fault[p*6 +: 6] == '0,
          6'(fault[p*6 +: 6] == '0 || fault[p*6 +: 6] >= `WL_FAULT_BAR_COUNT_MISMATCH), 1'b1, tag[p*TagBits +: 22]
        };
        if (tag[p*TagBits + 22]) rsp_data_o[p*Lanes*128 +: 12] = value[p*12 +: 12];
      end
    end
  end

  always_comb begin
    // payloads do not wait for valid bits
    {park_valid_o, park_slot_o, park_id_o, park_warps_o, rel_o} = '0;
    for (int p = 0; p < Ports; p++) begin
      park_valid_o[p]         = park[p];
      park_slot_o[p*4 +: 4]   = 4'(slot[p*SlotBits +: SlotBits]);
      park_id_o[p*16 +: 4]    = rel_id[p*4 +: 4];
      park_warps_o[p*Warps +: Warps] = Warps'(1) << judged_tag_o[p*22 + 16 +: 6];
      rel_o[p*121 +: 121]     = {1'b0, `WL_UNIT_BARRIER_FILE, 4'(slot[p*SlotBits +: SlotBits]), 12'd0, rel_id[p*4 +: 4], 16'd0,
                                 48'(rel_warps[p*Warps +: Warps]), 20'd0, rel_value[p*12 +: 12]};
    end
  end
endmodule
`default_nettype wire
