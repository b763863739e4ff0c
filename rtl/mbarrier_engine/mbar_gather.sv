// SPDX-License-Identifier: Apache-2.0
// Beats of an ARRIVE.TMASK. Each lane must know all lanes on the same object before the first of these lanes has a
// turn. So all beats of the request are collected, then handed on one after the other, with the lanes on each object.
// With one beat a request a beat goes through at once.
`include "mbar.vh"
`default_nettype none

module mbar_gather #(
  parameter int Lanes    = 32,
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

  logic [31:0]            all_ok, members;
  logic [32*AddrBits-1:0] all_addr;
  logic [4:0]             lowest;

  if (Beats == 1) begin : gen_through
    logic unused_clock;
    assign unused_clock = ^{clk_i, rst_i, beat_index_i, beat_last_i};
    assign valid_o      = beat_valid_i;
    assign beat_ready_o = ready_i;
    assign ok_o         = beat_ok_i;
    assign addr_o       = beat_addr_i;
    assign beat_o       = beat_i;
    assign all_ok       = beat_ok_i;
    assign all_addr     = beat_addr_i;
  end else begin : gen_collect
    logic [Bits-1:0]        ram [0:Beats-1];
    logic [31:0]            ok_q;
    logic [32*AddrBits-1:0] addr_q;
    logic [BeatBits-1:0]    at_q;
    logic                   whole_q, take;

    assign beat_ready_o = !whole_q && !rst_i;
    assign take         = beat_valid_i && beat_ready_o;
    assign valid_o      = whole_q;
    assign beat_o       = ram[at_q];
    assign all_ok       = ok_q;
    assign all_addr     = addr_q;
    always_comb begin
      ok_o   = 'x;
      addr_o = 'x;
      if (whole_q) begin
        for (int i = 0; i < Beats; i++) begin
          if (at_q == BeatBits'(i)) begin
            ok_o   = ok_q[i*Lanes +: Lanes];
            addr_o = addr_q[i*Lanes*AddrBits +: Lanes*AddrBits];
          end
        end
      end
    end
    always_ff @(posedge clk_i) begin
      if (rst_i) begin
        whole_q <= 1'b0;
        at_q    <= '0;
      end else begin
        if (take && beat_last_i) whole_q <= 1'b1;
        else if (ready_i && at_q == BeatBits'(Beats - 1)) whole_q <= 1'b0;
        if (whole_q && ready_i) at_q <= at_q + 1'b1;
      end
    end
    always_ff @(posedge clk_i) begin
      if (take) begin
        ram[beat_index_i] <= beat_i;
        for (int i = 0; i < Beats; i++) begin
          if (beat_index_i == BeatBits'(i)) begin
            ok_q[i*Lanes +: Lanes]                      <= beat_ok_i;
            addr_q[i*Lanes*AddrBits +: Lanes*AddrBits] <= beat_addr_i;
          end
        end
      end
    end
  end

  assign busy_o = valid_o;
  always_comb begin
    group_o = 'x;
    members = 'x;
    lowest  = 'x;
    if (valid_o) begin
      for (int l = 0; l < Lanes; l++) begin
        for (int k = 0; k < 32; k++) begin
          members[k] = all_ok[k] && all_addr[k*AddrBits +: AddrBits] == addr_o[l*AddrBits +: AddrBits];
        end
        lowest = '0;
        for (int k = 31; k >= 0; k--) if (members[k]) lowest = k[4:0];
        group_o[l*GroupBits +: GroupBits] = {lowest, members};
      end
    end
  end
endmodule
`default_nettype wire
