// SPDX-License-Identifier: Apache-2.0
// A response port: takes the responses of several units in turn, whole requests at a time.
//
// Source 0 is rsp_queue, with results kept in rsp_queue. Results of all other sources come with the response. A
// response is {fault codes (6 bits a lane), any fault, predicates, written lanes, passes, last, tag}. From the first
// beat of a request to the last beat, only the source of the request is served.
//
// With `Lean` the choice stands in a register for a cycle before a beat is taken: a source's reaction to take_o is then
// not on the path to the choice. The results of source 0 come out of a RAM, a lane a cycle, before the beat is taken.
`include "assert.vh"
`default_nettype none

module rsp_merge #(
  parameter int Lanes   = 32,                     // 4, 8, 16, 32
  parameter int Sources = 2,                      // 2 or more
  parameter int Wide    = 0,                      // number of sources, from 1 on, with results
  parameter bit Lean    = 1'b0,
  parameter int RspBits = 30 + Lanes * 8,         // derived, do not override, like all below
  parameter int WideBits = (Wide > 0 ? Wide : 1) * Lanes * 128,
  parameter int PickBits = $clog2(Sources),
  parameter int LaneBits = $clog2(Lanes)
) (
  input  logic                       clk_i,
  input  logic                       rst_i,

  input  logic [Sources-1:0]         valid_i,
  output logic [Sources-1:0]         take_o,
  input  logic [Sources*RspBits-1:0] rsp_i,
  input  logic [Lanes*128-1:0]       data0_i,     // of the beat of source 0 taken last; 0 after another source
  input  logic [WideBits-1:0]        data_i,
  output logic [LaneBits-1:0]        lane_o,      // Lean: the lane of source 0 being read
  input  logic [127:0]               lane_data_i, // results of the lane, in the cycle after

  output logic                       rsp_valid_o,
  input  logic                       rsp_ready_i,
  output logic [21:0]                rsp_tag_o,
  output logic                       rsp_last_o,
  output logic [5:0]                 rsp_passes_o,
  output logic [Lanes-1:0]           rsp_mask_o,
  output logic [Lanes-1:0]           rsp_pred_o,
  output logic [Lanes*128-1:0]       rsp_data_o,
  output logic                       rsp_any_fault_o,
  output logic [Lanes*6-1:0]         rsp_fault_o
);
  logic                valid_q, locked_q, after, load;
  logic [PickBits-1:0] pick, last_q;              // holder of the lock, or the source served last
  logic [PickBits-1:0] choice;                    // of this cycle
  logic                chosen;                    // source `pick` is taken, if rsp_q has room
  logic [RspBits-1:0]  rsp_q;

  // A stride of a power of two: any other stride turns each choice into a multiplier and a shifter by odd distances.
  localparam int Stride = 1 << $clog2(RspBits);
  logic [Sources*Stride-1:0] rsp;
  for (genvar s = 0; s < Sources; s++) begin : gen_source
    assign rsp[s*Stride +: Stride] = Stride'(rsp_i[s*RspBits +: RspBits]);
  end

  assign load        = (!valid_q || (rsp_ready_i && !Lean)) && chosen;
  assign rsp_valid_o = valid_q;
  assign {rsp_fault_o, rsp_any_fault_o, rsp_pred_o, rsp_mask_o, rsp_passes_o, rsp_last_o, rsp_tag_o} = rsp_q;

  // The first source with a response after the source served last, else the lowest source with a response.
  always_comb begin
    choice = last_q;
    after  = 1'b0;
    if (!locked_q && valid_i != '0) begin
      for (int s = Sources - 1; s >= 0; s--) begin
        if (valid_i[s] && (s[PickBits-1:0] > last_q || !after)) begin
          choice = s[PickBits-1:0];
          after  = s[PickBits-1:0] > last_q;
        end
      end
    end
  end
  logic [LaneBits:0] at;                // Lean: number of lanes of source 0 already read
  if (Lean) begin : gen_choice
    logic                chosen_q;
    logic [PickBits-1:0] pick_q;
    logic [LaneBits:0]   at_q;
    always_ff @(posedge clk_i) begin
      chosen_q <= !rst_i && !load && (chosen_q || valid_i[choice]);
      if (!chosen_q) pick_q <= choice;
      if (!chosen_q || valid_q || pick_q != '0) at_q <= '0;
      else at_q <= at_q + 1'b1;
    end
    assign chosen = chosen_q && (pick_q != '0 || at_q == (LaneBits + 1)'(Lanes));
    assign pick   = pick_q;
    assign at     = at_q;
  end else begin : gen_at_once
    assign chosen = valid_i[choice];
    assign pick   = choice;
    assign at     = '0;
  end
  assign lane_o = at[LaneBits-1:0];
  always_comb begin
    take_o = '0;
    if (load) take_o[pick] = 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      valid_q  <= 1'b0;
      locked_q <= 1'b0;
      last_q   <= '0;
    end else begin
      valid_q <= load || (valid_q && !rsp_ready_i);
      if (load) begin
        locked_q <= !rsp[pick*Stride + 22];
        last_q   <= pick;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (load) rsp_q <= rsp[pick*Stride +: RspBits];
  end

  if (Lean) begin : gen_lean
    logic [Lanes*128-1:0] wide, wide_q;
    always_comb begin
      wide = 'x;
      if (load) begin
        wide = '0;
        for (int w = 0; w < Wide; w++) begin
          if (pick == PickBits'(w + 1)) wide = wide | data_i[w*(Lanes*128) +: Lanes*128];
        end
      end
    end
    always_ff @(posedge clk_i) begin
      for (int l = 0; l < Lanes; l++) begin
        if (load && pick != '0) wide_q[l*128 +: 128] <= wide[l*128 +: 128];
        else if (at == (LaneBits + 1)'(l + 1)) wide_q[l*128 +: 128] <= lane_data_i;
      end
    end
    assign rsp_data_o = wide_q;
    logic unused;
    assign unused = ^{data0_i, data_i};
  end else if (Wide > 0) begin : gen_wide
    logic [Lanes*128-1:0] wide_q;        // 0 if source 0 was taken last; otherwise data0_i is 0
    logic                 wide_valid_q, wide;
    logic [PickBits-1:0]  of;
    assign wide = pick != '0 && pick <= PickBits'(Wide);
    assign of   = pick - 1'b1;
    always_ff @(posedge clk_i) begin
      if (rst_i) wide_valid_q <= 1'b1;     // any old contents are cleared
      else if (load) wide_valid_q <= wide;
      if (load && wide) wide_q <= data_i[of*(Lanes*128) +: Lanes*128];
      else if (load && wide_valid_q) wide_q <= '0;
    end
    assign rsp_data_o = wide_q | data0_i;
  end else begin : gen_narrow
    logic unused_data;
    assign unused_data = ^data_i;
    assign rsp_data_o  = data0_i;
  end

  if (!Lean) begin : gen_unused
    logic unused_lane;
    assign unused_lane = ^{lane_data_i, at};
  end

  `ASSERT(LockedIsValidOnce_A, !take_o[pick] || valid_i[pick])
endmodule
`default_nettype wire
