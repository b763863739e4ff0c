// SPDX-License-Identifier: Apache-2.0
// What each warp waits for, while its request stands in neither queue nor pipe: entered when a unit parks warps, cleared
// when they are released. The read port serves the report of a deadlock.
//
// A unit parks warps of one object in a cycle; several units may in the same cycle. A warp is parked once at a time, and
// may be released in the very cycle.
`include "assert.vh"
`default_nettype none

module wait_table #(
  parameter int Units = 1,                          // units that park
  parameter int Notes = 2,                          // requests that leave queues in a cycle, of different warps
  parameter int Warps = 48
) (
  input  logic                   clk_i,
  input  logic                   rst_i,

  // number of the request that a warp may wait with, noted when the request leaves its queue
  input  logic [Notes-1:0]       note_i,
  input  logic [Notes*22-1:0]    note_tag_i,

  // units
  input  logic [Units-1:0]       park_valid_i,
  input  logic [Units*4-1:0]     park_unit_i,
  input  logic [Units*4-1:0]     park_slot_i,
  input  logic [Units*16-1:0]    park_id_i,
  input  logic [Units*Warps-1:0] park_warps_i,
  input  logic                   release_valid_i,
  input  logic [Warps-1:0]       release_warps_i,

  // read port
  input  logic [5:0]             wait_warp_i,
  output logic                   wait_valid_o,
  output logic [3:0]             wait_unit_o,
  output logic [3:0]             wait_slot_o,
  output logic [15:0]            wait_id_o,
  output logic [21:0]            wait_tag_o,
  output logic                   empty_o
);
  logic [Warps-1:0] waiting_q, parked, released, here;
  logic [Warps*32-1:0] object_q;                     // {unit, slot, id} of each: 24 bits, 32 apart (a stride that is no power
                                                     // of two makes a shifter of the whole vector where it is read)
  logic [15:0]      number [0:Warps-1];

  assign released = release_valid_i ? release_warps_i : '0;
  assign empty_o  = waiting_q == '0;

  always_comb begin
    parked = '0;
    here   = 'x;
    if (park_valid_i != '0) begin
      for (int u = 0; u < Units; u++) begin
        here = park_warps_i[u*Warps +: Warps];
        if (park_valid_i[u]) parked = parked | here;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (rst_i) waiting_q <= '0;
    else waiting_q <= (waiting_q | parked) & ~released;
  end
  always_ff @(posedge clk_i) begin
    for (int n = 0; n < Notes; n++) begin
      if (note_i[n]) number[note_tag_i[n*22 + 16 +: 6]] <= note_tag_i[n*22 +: 16];
    end
  end
  always_ff @(posedge clk_i) begin
    if (park_valid_i != '0) begin
      for (int u = 0; u < Units; u++) begin
        for (int w = 0; w < Warps; w++) begin
          if (park_valid_i[u] && park_warps_i[u*Warps + w]) begin
            object_q[w*32 +: 32] <= {8'd0, park_unit_i[u*4 +: 4], park_slot_i[u*4 +: 4], park_id_i[u*16 +: 16]};
          end
        end
      end
    end
  end

  assign wait_valid_o = waiting_q[wait_warp_i];
  assign {wait_unit_o, wait_slot_o, wait_id_o} = object_q[wait_warp_i*32 +: 24];
  assign wait_tag_o   = {wait_warp_i, number[wait_warp_i]};

  `ASSERT(ParkedOnce_A, (waiting_q & parked) == '0)
  `ASSERT(OnlyWaitersAreReleased_A, (released & ~waiting_q & ~parked) == '0)
endmodule
`default_nettype wire
