// SPDX-License-Identifier: Apache-2.0
// Fences: MEMBAR, ERRBAR, CGAERRBAR, CCTL.IVALL. A fence comes here when all older accesses of the warp have committed
// (head_hold), and memory behind the units has one order. So nothing is left to wait for: a fence commits when taken.
//
// One fence a cycle, ports in turn. A fence going before another port's fence without room takes no turn from the other
// port. MEMBAR parks the warp and releases the warp in the next cycle; all other fences are answered.
`include "assert.vh"
`include "wl_units.vh"
`default_nettype none

module fence_unit #(
  parameter int Lanes    = 32,
  parameter int Ports    = 1,                                   // 1, 2, 4
  parameter int Warps    = 48,
  parameter int PortBits = Ports > 1 ? $clog2(Ports) : 1,       // derived, do not override, like all below
  parameter int WarpBits = Warps > 1 ? $clog2(Warps) : 1,
  parameter int RspBits  = 30 + Lanes * 8
) (
  input  logic                clk_i,
  input  logic                rst_i,

  // head buses
  input  logic [Ports-1:0]    head_valid_i,     // a fence
  output logic [Ports-1:0]    head_ready_o,
  input  logic [Ports*5-1:0]  head_kind_i,
  input  logic [Ports*22-1:0] head_tag_i,
  input  logic [Ports*4-1:0]  head_slot_i,
  input  logic [Ports*32-1:0] head_mask_i,

  // the wait of a MEMBAR begins ...
  output logic                park_valid_o,
  output logic [3:0]          park_slot_o,
  output logic [Warps-1:0]    park_warps_o,
  // ... and ends: {gave up, unit, slot, id, phase, warps, value}
  output logic                rel_valid_o,
  input  logic                rel_take_i,
  output logic [120:0]        rel_o,

  // answers to all other fences
  output logic                rsp_valid_o,
  input  logic                rsp_take_i,
  output logic [PortBits-1:0] rsp_port_o,
  output logic [RspBits-1:0]  rsp_o,

  output logic                commit_o,         // a fence is taken in this cycle
  output logic [21:0]         commit_tag_o,
  output logic [31:0]         commit_lanes_o,
  output logic                idle_o            // no answer waits
);
  logic                rel_valid_q, rsp_valid_q, after, behind, waits, take;
  logic [PortBits-1:0] pick, turn, last_q, rsp_port_q;
  logic [Ports-1:0]    can;
  logic [3:0]          slot_q;
  logic [5:0]          warp_q;
  logic [21:0]         rsp_tag_q;

  // Fences with a free place for the end. Both places are free in the cycle after being filled, or wait to be taken.
  always_comb begin
    can   = '0;
    pick  = last_q;
    after = 1'b0;
    turn   = last_q;
    behind = 1'b0;
    if (head_valid_i != '0) begin
      for (int p = 0; p < Ports; p++) begin
        can[p] = head_valid_i[p] && (head_kind_i[p*5 +: 5] == `WL_FENCE_UNIT_MEMBAR ? !rel_valid_q || rel_take_i :
                                     !rsp_valid_q || rsp_take_i);
      end
      for (int p = Ports - 1; p >= 0; p--) begin
        if (can[p] && (p[PortBits-1:0] > last_q || !after)) begin
          pick  = p[PortBits-1:0];
          after = p[PortBits-1:0] > last_q;
        end
        if (head_valid_i[p] && (p[PortBits-1:0] > last_q || !behind)) begin
          turn   = p[PortBits-1:0];
          behind = p[PortBits-1:0] > last_q;
        end
      end
    end
  end
  assign take  = can != '0 && !rst_i;
  assign waits = head_kind_i[pick*5 +: 5] == `WL_FENCE_UNIT_MEMBAR;
  always_comb begin
    head_ready_o = '0;
    if (take) head_ready_o[pick] = 1'b1;
  end

  assign commit_o       = take;
  assign commit_tag_o   = head_tag_i[pick*22 +: 22];
  assign commit_lanes_o = head_mask_i[pick*32 +: 32];
  assign park_valid_o   = take && waits;
  assign park_slot_o    = head_slot_i[pick*4 +: 4];
  always_comb begin
    park_warps_o = '0;
    if (park_valid_o) park_warps_o[commit_tag_o[16 +: WarpBits]] = 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      rel_valid_q <= 1'b0;
      rsp_valid_q <= 1'b0;
      last_q      <= '0;
    end else begin
      rel_valid_q <= (take && waits) || (rel_valid_q && !rel_take_i);
      rsp_valid_q <= (take && !waits) || (rsp_valid_q && !rsp_take_i);
      if (take && pick == turn) last_q <= pick;
    end
  end
  always_ff @(posedge clk_i) begin
    if (take && waits) begin
      slot_q <= park_slot_o;
      warp_q <= commit_tag_o[21:16];
    end
    if (take && !waits) begin
      rsp_tag_q  <= commit_tag_o;
      rsp_port_q <= pick;
    end
  end

  assign rel_valid_o = rel_valid_q;
  assign rel_o       = {1'b0, `WL_UNIT_FENCE_UNIT, slot_q, 16'd0, 16'd0, 48'd1 << warp_q, 32'd0};
  assign rsp_valid_o = rsp_valid_q;
  assign rsp_port_o  = rsp_port_q;
  assign rsp_o       = RspBits'({6'd1, 1'b1, rsp_tag_q});   // one pass, the last beat; no results, no faults
  assign idle_o      = !rsp_valid_q && !rel_valid_q;

  `ASSERT(RoomForRelease_A, !(take && waits) || !rel_valid_q || rel_take_i)
endmodule
`default_nettype wire
