// SPDX-License-Identifier: Apache-2.0
// mbar_gather for boards: the same contract, but a beat is handed on 33 cycles after the previous beat, or after the
// last beat has come. A beat is compared with one lane of the request a cycle. At most 16 lanes a beat.
`include "mbar.vh"
`default_nettype none

module mbar_gather_lean #(
  parameter int Lanes    = 8,
  parameter int AddrBits = 16,
  parameter int Bits     = 32,                                  // all other fields of a beat
  parameter int Beats    = 32 / Lanes,                          // derived, do not override, like all below
  parameter int BeatBits = Beats > 1 ? $clog2(Beats) : 1
) (
  input  logic                      clk_i,
  input  logic                      rst_i,

  input  logic                      beat_valid_i,
  output logic                      beat_ready_o,
  input  logic [BeatBits-1:0]       beat_index_i,
  input  logic                      beat_last_i,
  input  logic [Lanes-1:0]          beat_ok_i,
  input  logic [Lanes*AddrBits-1:0] beat_addr_i,
  input  logic [Bits-1:0]           beat_i,

  output logic                      busy_o,        // a whole request is here, not handed on wholly
  output logic                      valid_o,
  input  logic                      ready_i,
  output logic [Lanes-1:0]          ok_o,
  output logic [Lanes*AddrBits-1:0] addr_o,
  output logic [Bits-1:0]           beat_o,
  output logic [Lanes*`WL_MBAR_GROUP_BITS-1:0] group_o // of each lane, WL_MBAR_GROUP_*
);
  localparam int GroupBits = `WL_MBAR_GROUP_BITS;

  localparam int LaneBits = $clog2(Lanes);
  localparam int Each     = AddrBits + 1;                      // {address, ok}
  logic [Lanes*Each-1:0]      named, own_q, other;
  logic [Bits-1:0]            beat_q;
  (* ram_style = "block" *)
  logic [Bits+Lanes*Each-1:0] ram [0:Beats-1];
  logic [Lanes*Each-1:0]      names [0:Beats-1];               // again, for the lane to compare with
  logic [Lanes*32-1:0]        members_q;
  logic [Lanes*5-1:0]         lowest_q;
  logic [Lanes-1:0]           any_q, same;
  logic [Each-1:0]            one;
  logic [BeatBits-1:0]        at_q;
  logic [5:0]                 step_q;                          // 0: the beat is read; lane + 1; 33: the beat is there
  logic [4:0]                 lane;
  logic                       whole_q, take;

  assign beat_ready_o = !whole_q && !rst_i;
  assign take         = beat_valid_i && beat_ready_o;
  assign busy_o       = whole_q;
  assign valid_o      = whole_q && step_q[5] && step_q[0];
  assign lane         = step_q[4:0] - 5'd1;
  assign other        = names[lane[4:LaneBits]];
  always_comb begin
    named = 'x;
    if (take) begin
      for (int l = 0; l < Lanes; l++) named[l*Each +: Each] = {beat_addr_i[l*AddrBits +: AddrBits], beat_ok_i[l]};
    end
  end
  always_comb begin
    one  = 'x;
    same = '0;
    if (whole_q && !valid_o) begin
      for (int l = 0; l < Lanes; l++) if (lane[LaneBits-1:0] == l[LaneBits-1:0]) one = other[l*Each +: Each];
      for (int l = 0; l < Lanes; l++) same[l] = one[0] && one[Each-1:1] == own_q[l*Each + 1 +: AddrBits];
    end
  end
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      whole_q <= 1'b0;
      at_q    <= '0;
      step_q  <= '0;
    end else begin
      if (take && beat_last_i) whole_q <= 1'b1;
      else if (valid_o && ready_i && at_q == BeatBits'(Beats - 1)) whole_q <= 1'b0;
      if (valid_o && ready_i) at_q <= at_q + 1'b1;
      if (valid_o && ready_i) step_q <= '0;
      else if (whole_q && !valid_o) step_q <= step_q + 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (take) begin
      ram[beat_index_i]   <= {beat_i, named};
      names[beat_index_i] <= named;
    end
    if (whole_q && step_q == '0) {beat_q, own_q} <= ram[at_q];
    if (whole_q && !valid_o) begin
      any_q <= step_q == '0 ? '0 : any_q | same;
      for (int l = 0; l < Lanes; l++) begin
        members_q[l*32 +: 32] <= {same[l], members_q[l*32 + 1 +: 31]};
        if (!any_q[l]) lowest_q[l*5 +: 5] <= lane;
      end
    end
  end
  always_comb begin
    ok_o    = 'x;
    addr_o  = 'x;
    group_o = 'x;
    if (valid_o) begin
      for (int l = 0; l < Lanes; l++) begin
        ok_o[l]                           = own_q[l*Each];
        addr_o[l*AddrBits +: AddrBits]    = own_q[l*Each + 1 +: AddrBits];
        group_o[l*GroupBits +: GroupBits] = {lowest_q[l*5 +: 5], members_q[l*32 +: 32]};
      end
    end
  end
  assign beat_o = beat_q;
endmodule
`default_nettype wire
