// SPDX-License-Identifier: Apache-2.0
// Responses of atom_unit: the results of each slot, collected pass by pass, and for each port the response being handed
// over. A port with untaken responses holds up only its own slots. Lanes in shared memory have a separate store:
// atoms_pipe never waits.
`include "wl_config.vh"
`default_nettype none

module sector_reply #(
  parameter int Lanes    = 32,                   // of a beat
  parameter int Warp     = 32,                   // of a request
  parameter int Ports    = 1,
  parameter int SlotBits = 2,                    // slot s belongs to port s mod Ports
  parameter int Slots    = 1 << SlotBits,        // derived, do not override, like all below
  parameter int PortBits = Ports > 1 ? $clog2(Ports) : 1,
  parameter int BeatBits = Lanes < Warp ? $clog2(Warp / Lanes) : 1,
  parameter int RspBits  = 30 + Lanes * 8
) (
  input  logic                 clk_i,
  input  logic                 rst_i,

  // results of lanes in shared memory, of one beat
  input  logic [Lanes-1:0]     share_we_i,
  input  logic [SlotBits-1:0]  share_slot_i,
  input  logic [BeatBits-1:0]  share_index_i,
  input  logic [Lanes*128-1:0] share_data_i,

  // results
  input  logic [Warp-1:0]      result_we_i,
  input  logic [SlotBits-1:0]  result_slot_i,
  input  logic [Warp*128-1:0]  result_i,

  // slots with requests done; a slot is taken in a cycle, and the fields of the slot are read then
  input  logic [Slots-1:0]     done_i,
  output logic                 take_o,
  output logic [SlotBits-1:0]  slot_o,
  input  logic [21:0]          tag_i,
  input  logic [5:0]           passes_i,
  input  logic [Warp-1:0]      written_i,        // lanes with a result
  input  logic [Warp-1:0]      pred_i,
  input  logic [Warp-1:0]      misaligned_i,     // faulting lanes
  input  logic [Warp-1:0]      bad_space_i,
  input  logic [Warp-1:0]      illegal_i,
  input  logic [Warp-1:0]      range_i,
  input  logic [Warp-1:0]      absent_i,         // ... of range_i: rank outside the cluster; CTA that has ended
  input  logic [Warp-1:0]      ended_i,
  input  logic [Warp-1:0]      shared_i,         // lanes in shared memory
  output logic [Slots-1:0]     gone_o,           // the response is over, in this cycle

  // sync_core
  output logic                 rsp_valid_o,
  input  logic                 rsp_take_i,
  output logic [PortBits-1:0]  rsp_port_o,
  output logic [RspBits-1:0]   rsp_o,
  output logic [Lanes*128-1:0] rsp_data_o
);
  localparam int Beats    = Warp / Lanes;
  localparam int LeftBits = $clog2(Beats + 1);

  function automatic logic [SlotBits-1:0] next_of(input logic [Slots-1:0] who, input logic [SlotBits-1:0] after);
    logic [Slots-1:0] later;
    later   = who & ~(({{Slots-1{1'b0}}, 1'b1} << after) | (({{Slots-1{1'b0}}, 1'b1} << after) - 1'b1));
    next_of = '0;
    for (int i = Slots - 1; i >= 0; i--) begin
      if (later != '0 ? later[i] : who[i]) next_of = i[SlotBits-1:0];
    end
  endfunction

  // ---- the next response of a free port ----------------------------------------------------------------------
  logic [Ports-1:0]    valid_q, last, over;
  logic [Slots-1:0]    can;
  logic [SlotBits-1:0] last_q;
  logic [PortBits-1:0] to;

  always_comb begin
    can    = '0;
    slot_o = '0;
    if (done_i != '0) begin
      for (int s = 0; s < Slots; s++) can[s] = done_i[s] && !valid_q[s % Ports];
      slot_o = next_of(can, last_q);
    end
  end
  assign take_o = can != '0;
  assign to     = Ports > 1 ? slot_o[PortBits-1:0] : '0;
  always_ff @(posedge clk_i) begin
    if (rst_i) last_q <= '0;
    else if (take_o) last_q <= slot_o;
  end

  // ---- of each port ------------------------------------------------------------------------------------------
  logic [PortBits-1:0]         turn_q;
  logic [Ports*LeftBits-1:0]   left_q;           // beats
  logic [Ports*SlotBits-1:0]   slot_q;
  logic [Ports*22-1:0]         tag_q;
  logic [Ports*6-1:0]          passes_q;
  logic [Ports*Warp-1:0]       written_q, pred_q, misaligned_q, bad_q, illegal_q, range_q, absent_q, ended_q, shared_q;
  logic [Ports*Warp*128-1:0]   row_q;

  for (genvar p = 0; p < Ports; p++) begin : gen_port
    logic sends;
    assign sends   = rsp_take_i && turn_q == PortBits'(p);
    assign last[p] = left_q[p*LeftBits +: LeftBits] == LeftBits'(1);
    assign over[p] = sends && last[p];
    always_ff @(posedge clk_i) begin
      if (rst_i) valid_q[p] <= 1'b0;
      else valid_q[p] <= (take_o && to == PortBits'(p)) || (valid_q[p] && !over[p]);
    end
    always_ff @(posedge clk_i) begin
      if (take_o && to == PortBits'(p)) begin
        left_q[p*LeftBits +: LeftBits] <= LeftBits'(Beats);
        slot_q[p*SlotBits +: SlotBits] <= slot_o;
        tag_q[p*22 +: 22]              <= tag_i;
        passes_q[p*6 +: 6]             <= passes_i;
        written_q[p*Warp +: Warp]      <= written_i;
        pred_q[p*Warp +: Warp]         <= pred_i;
        misaligned_q[p*Warp +: Warp]   <= misaligned_i;
        bad_q[p*Warp +: Warp]          <= bad_space_i;
        illegal_q[p*Warp +: Warp]      <= illegal_i;
        range_q[p*Warp +: Warp]        <= range_i;
        absent_q[p*Warp +: Warp]       <= absent_i;
        ended_q[p*Warp +: Warp]        <= ended_i;
        shared_q[p*Warp +: Warp]       <= shared_i;
      end else if (sends && Beats > 1) begin
        left_q[p*LeftBits +: LeftBits] <= left_q[p*LeftBits +: LeftBits] - 1'b1;
        written_q[p*Warp +: Warp]      <= written_q[p*Warp +: Warp] >> Lanes;
        pred_q[p*Warp +: Warp]         <= pred_q[p*Warp +: Warp] >> Lanes;
        misaligned_q[p*Warp +: Warp]   <= misaligned_q[p*Warp +: Warp] >> Lanes;
        bad_q[p*Warp +: Warp]          <= bad_q[p*Warp +: Warp] >> Lanes;
        illegal_q[p*Warp +: Warp]      <= illegal_q[p*Warp +: Warp] >> Lanes;
        range_q[p*Warp +: Warp]        <= range_q[p*Warp +: Warp] >> Lanes;
        absent_q[p*Warp +: Warp]       <= absent_q[p*Warp +: Warp] >> Lanes;
        ended_q[p*Warp +: Warp]        <= ended_q[p*Warp +: Warp] >> Lanes;
        shared_q[p*Warp +: Warp]       <= shared_q[p*Warp +: Warp] >> Lanes;
      end
    end
    for (genvar l = 0; l < Warp; l++) begin : gen_row
      always_ff @(posedge clk_i) begin
        if (take_o && to == PortBits'(p)) row_q[(p*Warp + l)*128 +: 128] <= written_i[l] ? read[l*128 +: 128] : '0;
        else if (sends && l + Lanes < Warp) row_q[(p*Warp + l)*128 +: 128] <= row_q[(p*Warp + (l + Lanes) % Warp)*128 +: 128];
      end
    end
  end
  always_comb begin
    gone_o = '0;
    for (int p = 0; p < Ports; p++) if (over[p]) gone_o[slot_q[p*SlotBits +: SlotBits]] = 1'b1;
  end

  // Results: a RAM for each lane. Lanes without a result are not read.
  logic [Warp*128-1:0] read;
  for (genvar l = 0; l < Warp; l++) begin : gen_result
    logic [127:0] result [0:Slots-1];
    logic [127:0] share [0:Slots-1];
    logic         share_we;
    assign share_we = share_we_i[l % Lanes] && (Lanes == Warp || share_index_i == BeatBits'(l / Lanes));
    always_ff @(posedge clk_i) begin
      if (result_we_i[l]) result[result_slot_i] <= result_i[l*128 +: 128];
      if (share_we) share[share_slot_i] <= share_data_i[(l % Lanes)*128 +: 128];
    end
    assign read[l*128 +: 128] = shared_i[l] ? share[slot_o] : result[slot_o];
  end

  // ---- ports in turn -----------------------------------------------------------------------------------------
  // Every cycle another port with a response: an untaken response keeps no other port waiting.
  if (Ports > 1) begin : gen_turns
    logic [PortBits-1:0] turn;
    always_comb begin
      turn = turn_q;
      for (int i = Ports; i >= 1; i--) if (valid_q[PortBits'(32'(turn_q) + i)]) turn = PortBits'(32'(turn_q) + i);
    end
    always_ff @(posedge clk_i) turn_q <= rst_i ? '0 : turn;
  end else begin : gen_one
    assign turn_q = '0;
  end

  logic [Lanes*6-1:0] codes;
  logic [Lanes-1:0]   misaligned, bad, illegal, outside, shared, absent, ended;
  always_comb begin
    codes       = '0;
    rsp_o       = '0;
    rsp_data_o  = '0;
    {misaligned, bad, illegal, outside, shared, absent, ended} = '0;
    rsp_valid_o = valid_q[turn_q];
    if (rsp_valid_o) begin
      misaligned = misaligned_q[turn_q*Warp +: Lanes];
      bad        = bad_q[turn_q*Warp +: Lanes];
      illegal    = illegal_q[turn_q*Warp +: Lanes];
      outside    = range_q[turn_q*Warp +: Lanes];
      absent     = absent_q[turn_q*Warp +: Lanes];
      ended      = ended_q[turn_q*Warp +: Lanes];
      shared     = shared_q[turn_q*Warp +: Lanes];
      if ((misaligned | bad | illegal | outside) != '0) begin
        for (int l = 0; l < Lanes; l++) begin
          codes[l*6 +: 6] = illegal[l] ? `WL_FAULT_ILLEGAL_INSTRUCTION : misaligned[l] ? `WL_FAULT_MISALIGNED_ADDRESS :
                            bad[l] ? `WL_FAULT_BAD_SPACE : !outside[l] ? `WL_FAULT_NONE :
                            absent[l] ? `WL_FAULT_CLUSTER_RANK : ended[l] ? `WL_FAULT_CLUSTER_TARGET :
                            shared[l] ? `WL_FAULT_SHARED_OUT_OF_RANGE : `WL_FAULT_GLOBAL_OUT_OF_RANGE;
        end
      end
      rsp_o = {codes, (misaligned | bad | illegal | outside) != '0, pred_q[turn_q*Warp +: Lanes],
               written_q[turn_q*Warp +: Lanes], last[turn_q] ? passes_q[turn_q*6 +: 6] : 6'd0, last[turn_q],
               tag_q[turn_q*22 +: 22]};
      rsp_data_o = row_q[turn_q*Warp*128 +: Lanes*128];
    end
  end
  assign rsp_port_o = turn_q;
endmodule
`default_nettype wire
