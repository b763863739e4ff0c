// SPDX-License-Identifier: Apache-2.0
// Shared memory of the other CTAs of a cluster: whether a rank has a CTA, the window of the CTA, and whether the CTA
// lives. All CTAs of a cluster are on this SM.
//
// A request finds the CTAs alive that were alive when the first beat of the request was taken: `live_o` goes with the
// request through the queue, and comes back as `live_i`. A CTA has ended when the ends of all its warps have been seen;
// the slot stays with the CTA.
//
// Windows are kept by cluster and rank, as requests ask by rank. CTAs of a cluster have different ranks, so no CTA
// overwrites another CTA's window.
`default_nettype none

module cluster_windows #(
  parameter int Ports    = 1,
  parameter int Slots    = 16,                   // CTAs of the SM, so ranks of a cluster: 2 or more, a power of 2
  parameter int AddrBits = 17,                   // of bytes: 5 or more
  parameter int SlotBits = $clog2(Slots),        // derived, do not override
  parameter int UnitBits = AddrBits - 4,         // derived, do not override
  parameter int RowBits  = 2 * UnitBits          // derived, do not override
) (
  input  logic                      clk_i,
  input  logic                      rst_i,

  // a CTA comes to a slot, or leaves the slot
  input  logic                      cfg_valid_i,
  input  logic [SlotBits-1:0]       cfg_slot_i,
  input  logic                      cfg_window_valid_i,
  input  logic [AddrBits-1:0]       cfg_base_i,      // bytes, multiples of 16
  input  logic [AddrBits-1:0]       cfg_size_i,
  input  logic [3:0]                cfg_cluster_i,
  input  logic [SlotBits-1:0]       cfg_rank_i,
  input  logic [5:0]                cfg_warps_i,

  // ends of warps
  input  logic [Ports-1:0]          exit_i,
  input  logic [Ports*SlotBits-1:0] exit_slot_i,
  output logic [Slots-1:0]          live_o,          // slots with a live warp

  // of a request, combinational; by rank
  input  logic                      valid_i,
  input  logic [SlotBits-1:0]       slot_i,
  input  logic [Slots-1:0]          live_i,
  output logic                      several_o,       // the cluster has several CTAs
  output logic [SlotBits-1:0]       rank_o,          // rank of the asking CTA
  output logic [Slots-1:0]          there_o,         // the cluster has a CTA of this rank
  output logic [Slots-1:0]          lives_o,
  output logic [Slots*UnitBits-1:0] base_o,          // in units of 16 bytes
  output logic [Slots*UnitBits-1:0] size_o
);
  logic [Slots-1:0]          open_q;
  logic [Slots*4-1:0]        cluster_q;
  logic [Slots*SlotBits-1:0] rank_q;
  logic [Slots*6-1:0]        left_q, left;       // live warps

  always_comb begin
    left = left_q;
    if (exit_i != '0) begin
      for (int p = 0; p < Ports; p++) begin
        if (exit_i[p]) begin
          for (int s = 0; s < Slots; s++) begin
            if (exit_slot_i[p*SlotBits +: SlotBits] == SlotBits'(s)) left[s*6 +: 6] = left[s*6 +: 6] - 1'b1;
          end
        end
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      open_q <= '0;
      left_q <= '0;
    end else begin
      if (exit_i != '0) left_q <= left;
      if (cfg_valid_i) begin
        for (int s = 0; s < Slots; s++) begin
          if (cfg_slot_i == SlotBits'(s)) begin
            open_q[s]         <= cfg_window_valid_i;
            left_q[s*6 +: 6]  <= cfg_window_valid_i ? cfg_warps_i : '0;
          end
        end
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (cfg_valid_i) begin
      for (int s = 0; s < Slots; s++) begin
        if (cfg_slot_i == SlotBits'(s)) begin
          cluster_q[s*4 +: 4]               <= cfg_cluster_i;
          rank_q[s*SlotBits +: SlotBits] <= cfg_rank_i;
        end
      end
    end
  end

  logic [Slots*RowBits-1:0] window [0:15];       // of each cluster: {base, size} of each rank
  always_ff @(posedge clk_i) begin
    if (cfg_valid_i && cfg_window_valid_i) begin
      for (int r = 0; r < Slots; r++) begin
        if (cfg_rank_i == SlotBits'(r)) window[cfg_cluster_i][r*RowBits +: RowBits] <= {cfg_base_i[AddrBits-1:4], cfg_size_i[AddrBits-1:4]};
      end
    end
  end
  for (genvar s = 0; s < Slots; s++) begin : gen_live
    assign live_o[s] = left_q[s*6 +: 6] != '0;
  end

  logic [3:0]               mine;
  logic [Slots-1:0]         mates;               // slots of the cluster
  logic [Slots*RowBits-1:0] row;

  // Rank by rank, not indexed by a slot's rank: an index would be two barrel shifters for each slot.
  always_comb begin
    there_o = '0;
    lives_o = '0;
    base_o  = 'x;
    size_o  = 'x;
    mates   = '0;
    mine    = 'x;
    row     = 'x;
    if (valid_i) begin
      mine = cluster_q[{slot_i, 2'd0} +: 4];
      row  = window[mine];
      for (int r = 0; r < Slots; r++) begin
        {base_o[r*UnitBits +: UnitBits], size_o[r*UnitBits +: UnitBits]} = row[r*RowBits +: RowBits];
      end
      for (int s = 0; s < Slots; s++) begin
        mates[s] = open_q[s] && cluster_q[s*4 +: 4] == mine;
        for (int r = 0; r < Slots; r++) begin
          if (mates[s] && rank_q[s*SlotBits +: SlotBits] == SlotBits'(r)) begin
            there_o[r] = 1'b1;
            lives_o[r] = lives_o[r] || live_i[s];
          end
        end
      end
    end
  end
  assign rank_o    = rank_q[slot_i*SlotBits +: SlotBits];
  assign several_o = open_q[slot_i] && (mates & (mates - 1'b1)) != '0;

  logic unused_bits;
  assign unused_bits = ^{cfg_base_i[3:0], cfg_size_i[3:0]};
endmodule
`default_nettype wire
