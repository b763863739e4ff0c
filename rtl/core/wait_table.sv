// SPDX-License-Identifier: Apache-2.0
// The wait of each warp, while the request stands in neither queue nor pipe: entered when a unit parks the warp,
// cleared by the release. The read port serves the report of a deadlock.
//
// A unit parks at most a warp in a cycle; several units may park different warps in the same cycle. A warp is parked
// once at a time, and may be released in the same cycle. Each unit has a RAM for objects of parked warps, and each note
// a RAM for numbers of requests, with a single write port. Registers by warp hold only the numbers of the parking unit
// and of the note.
`include "assert.vh"
`default_nettype none

module wait_table #(
  parameter int Units = 1,                          // parking units
  parameter int Notes = 2,                          // requests leaving queues in a cycle, of different warps
  parameter int Warps = 48,
  parameter int WarpBits = Warps > 1 ? $clog2(Warps) : 1  // derived, do not override
) (
  input  logic                   clk_i,
  input  logic                   rst_i,

  // number of a request with a possible wait, noted when the request leaves the queue
  input  logic [Notes-1:0]       note_i,
  input  logic [Notes*22-1:0]    note_tag_i,

  // units
  input  logic [Units-1:0]       park_valid_i,
  input  logic [Units*4-1:0]     park_unit_i,      // number of each unit
  input  logic [Units*4-1:0]     park_slot_i,
  input  logic [Units*16-1:0]    park_id_i,
  input  logic [Units*Warps-1:0] park_warps_i,     // a single warp
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
  localparam int UnitBits = Units > 1 ? $clog2(Units) : 1;
  localparam int NoteBits = Notes > 1 ? $clog2(Notes) : 1;
  localparam int Stride   = 8;                       // a power of two: any other makes each read a wide shifter

  logic [Warps-1:0]        waiting_q, parked, released;
  logic [Warps*Stride-1:0] unit_q, unit;             // of each warp: index of the parking unit
  logic [Warps*Stride-1:0] note_q, note;             // ... index of the note of the request
  logic [Units*WarpBits-1:0] at;                     // number of the warp parked by each unit
  logic [Units*32-1:0]     object;                   // {slot, id} for the asked warp, by each unit
  logic [Notes*16-1:0]     number;                   // number of the asked warp's request, by each note
  logic [WarpBits-1:0]     asked;
  logic [UnitBits-1:0]     by;
  logic [NoteBits-1:0]     noted;
  logic                    unused_object;

  assign released = release_valid_i ? release_warps_i : '0;
  assign empty_o  = waiting_q == '0;
  assign asked    = wait_warp_i[WarpBits-1:0];

  always_comb begin
    parked = '0;
    at     = '0;
    unit   = unit_q;
    if (park_valid_i != '0) begin
      for (int u = 0; u < Units; u++) begin
        for (int w = 0; w < Warps; w++) begin
          if (park_valid_i[u] && park_warps_i[u*Warps + w]) begin
            parked[w]                  = 1'b1;
            unit[w*Stride +: UnitBits] = u[UnitBits-1:0];
          end
          if (park_warps_i[u*Warps + w]) at[u*WarpBits +: WarpBits] = at[u*WarpBits +: WarpBits] | w[WarpBits-1:0];
        end
      end
    end
  end
  always_comb begin
    note = note_q;
    if (note_i != '0) begin
      for (int n = 0; n < Notes; n++) begin
        if (note_i[n]) begin
          for (int w = 0; w < Warps; w++) if (note_tag_i[n*22 + 16 +: 6] == w[5:0]) note[w*Stride +: NoteBits] = n[NoteBits-1:0];
        end
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (rst_i) waiting_q <= '0;
    else waiting_q <= (waiting_q | parked) & ~released;
  end
  always_ff @(posedge clk_i) begin
    if (park_valid_i != '0) unit_q <= unit;
    if (note_i != '0) note_q <= note;
  end

  for (genvar u = 0; u < Units; u++) begin : gen_unit
    logic [19:0] objects [0:Warps-1];
    always_ff @(posedge clk_i) begin
      if (park_valid_i[u]) objects[at[u*WarpBits +: WarpBits]] <= {park_slot_i[u*4 +: 4], park_id_i[u*16 +: 16]};
    end
    assign object[u*32 +: 32] = {12'd0, objects[asked]};

    `ASSERT(OneWarp_A, !park_valid_i[u] || (park_warps_i[u*Warps +: Warps] & (park_warps_i[u*Warps +: Warps] - 1'b1)) == '0)
  end
  for (genvar n = 0; n < Notes; n++) begin : gen_note
    logic [15:0] numbers [0:Warps-1];
    always_ff @(posedge clk_i) begin
      if (note_i[n]) numbers[note_tag_i[n*22 + 16 +: WarpBits]] <= note_tag_i[n*22 +: 16];
    end
    assign number[n*16 +: 16] = numbers[asked];
  end

  assign by            = unit_q[{asked, 3'd0} +: UnitBits];
  assign noted         = note_q[{asked, 3'd0} +: NoteBits];
  assign wait_valid_o  = waiting_q[asked];
  assign wait_unit_o   = park_unit_i[{by, 2'd0} +: 4];
  assign {wait_slot_o, wait_id_o} = object[{by, 5'd0} +: 20];
  assign wait_tag_o    = {wait_warp_i, number[{noted, 4'd0} +: 16]};
  assign unused_object = ^{object, unit_q, note_q};

  `ASSERT(ParkedOnce_A, (waiting_q & parked) == '0)
  `ASSERT(OnlyWaitersAreReleased_A, (released & ~waiting_q & ~parked) == '0)
endmodule
`default_nettype wire
