// SPDX-License-Identifier: Apache-2.0
// Front of atom_unit_lean: the lanes of a request one after the other; sector_gather takes the lanes of a beat at once.
//
// A beat is held on its bus while the lanes are read, and is taken then. A lane takes as many cycles as the lane has
// words of operands. When all beats are in, a search over the lanes left finds each sector: the lowest lane's sector,
// with all lanes in this sector.
`default_nettype none

module sector_walk #(
  parameter int Lanes    = 32,                   // of a beat
  parameter int Warp     = 32,                   // of a request; a multiple of Lanes
  parameter int BeatBits = Lanes < Warp ? $clog2(Warp / Lanes) : 1,  // derived, do not override
  parameter int LaneBits = $clog2(Warp)
) (
  input  logic                clk_i,
  input  logic                rst_i,
  input  logic [31:0]         shared_window_i,   // high halves of generic addresses: shared memory ...
  input  logic [31:0]         local_window_i,    // ... and local memory

  // beats; all fields but ra_i, base_i, mask_i and index_i may be a cycle late
  input  logic                beat_valid_i,
  input  logic                open_i,            // a beat may begin
  output logic                beat_ready_o,      // the lanes have been read
  input  logic                beat_take_i,
  input  logic                beat_last_i,
  input  logic [BeatBits-1:0] index_i,
  input  logic [Lanes-1:0]    mask_i,
  input  logic [Lanes*64-1:0] ra_i,
  input  logic [63:0]         base_i,
  input  logic                ra_used_i,
  input  logic                ra_wide_i,         // 64 bits, else zero-extended
  input  logic [2:0]          size_i,            // log2 of the bytes
  input  logic [1:0]          words_i,           // the last word of operands: {upper half, c}
  input  logic                generic_i,
  input  logic                local_refused_i,   // lanes of local memory are refused, else fault
  input  logic                shared_served_i,   // shared memory executes the operation,
  input  logic                shared_refused_i,  // or lanes in shared memory are refused, else fault;
  input  logic                others_serve_i,    // shared memory of other CTAs executes the operation,
  input  logic                several_i,         // and the cluster has several CTAs
  input  logic [3:0]          rank_i,            // rank of the own CTA
  input  logic                illegal_i,         // all lanes fault

  // operands read in this cycle
  output logic                put_valid_o,
  output logic [LaneBits-1:0] put_lane_o,
  output logic [1:0]          put_word_o,

  // judgement of the next lane
  output logic                lane_o,
  output logic                lane_ok_o,         // the lane has work
  output logic [1:0]          lane_fault_o,      // 1 misaligned, 2 bad space, 3 illegal
  output logic                lane_shared_o,     // in shared memory

  // sectors, when all beats are in and `wait_i` is low
  input  logic                wait_i,
  output logic                sector_valid_o,
  input  logic                sector_done_i,
  output logic [58:0]         sector_o,          // address / 32
  output logic [Warp-1:0]     lanes_o,
  output logic [Warp-1:0]     upper_o,           // lanes in upper halves of sectors
  output logic                done_o,            // no sector is left
  input  logic [LaneBits-1:0] look_i,            // the place of this lane in the sector ...
  output logic [4:0]          place_o            // ... a cycle later, while a sector is valid
);
  localparam logic [2:0] Wait = 3'd0, Walk = 3'd1, Held = 3'd2, Whole = 3'd3, Seek = 3'd4, Found = 3'd5;
  logic [2:0] state_q;

  // ---- a beat ------------------------------------------------------------------------------------------------
  logic [LaneBits-1:0] lane_q, lane1_q, lane2_q;
  logic [1:0]          word_q;
  logic                next_lane, walked, valid1_q, valid2_q, valid3_q, on1_q, on2_q;
  logic [63:0]         ra, ra_q, addr_q;

  if (Lanes == Warp) begin : gen_whole
    assign put_lane_o = lane_q;
    logic unused_index;
    assign unused_index = ^index_i;
  end else begin : gen_beats
    assign put_lane_o = {index_i, lane_q[$clog2(Lanes)-1:0]};
  end
  assign put_valid_o  = state_q == Walk;
  assign put_word_o   = word_q;
  assign next_lane    = word_q == words_i;
  assign walked       = next_lane && lane_q == LaneBits'(Lanes - 1);
  assign beat_ready_o = state_q == Held && !valid1_q && !valid2_q && !valid3_q && !rst_i;  // registers may follow the judgement of the lanes
  assign ra           = ra_i[{lane_q[$clog2(Lanes)-1:0], 6'd0} +: 64];

  always_ff @(posedge clk_i) begin
    valid1_q <= state_q == Walk && word_q == '0;
    valid2_q <= valid1_q;
    valid3_q <= valid2_q;
    lane1_q  <= put_lane_o;
    lane2_q  <= lane1_q;
    on1_q    <= mask_i[lane_q[$clog2(Lanes)-1:0]];
    on2_q    <= on1_q;
    ra_q     <= ra_used_i ? {ra_wide_i ? ra[63:32] : 32'd0, ra[31:0]} : 64'd0;
    addr_q   <= base_i + ra_q;
    if (state_q != Walk) lane_q <= '0;
    else if (next_lane) lane_q <= lane_q + 1'b1;
    word_q   <= state_q != Walk || next_lane ? 2'd0 : word_q + 1'b1;
    if (rst_i) {valid1_q, valid2_q, valid3_q} <= '0;
  end

  logic shared, remote, other, refused, misaligned, bad;
  assign shared        = generic_i && addr_q[63:32] == shared_window_i;
  assign remote        = generic_i && addr_q[63:32] == local_window_i;
  assign other         = others_serve_i && several_i && addr_q[31:24] != {4'd0, rank_i};
  assign refused       = (shared && shared_refused_i && !other) || (remote && local_refused_i);
  assign misaligned    = (addr_q[4:0] & ~(5'h1f << size_i)) != '0;
  assign bad           = (shared && !shared_served_i && !other) || remote;
  assign lane_o        = valid2_q;
  assign lane_ok_o     = on2_q && !illegal_i && !refused && !misaligned && !bad;
  assign lane_fault_o  = !on2_q ? 2'd0 : illegal_i ? 2'd3 : refused ? 2'd0 : misaligned ? 2'd1 : bad ? 2'd2 : 2'd0;
  assign lane_shared_o = lane_ok_o && shared;

  // ---- sectors -----------------------------------------------------------------------------------------------
  (* ram_style = "block" *) logic [63:0] address [0:Warp-1];
  logic [63:0]         read_q;
  logic [Warp-1:0]     pending_q, left_q, first, lanes_q, upper_q;
  logic [LaneBits-1:0] lowest, seen_q;
  logic [58:0]         sector_q;
  logic                seek_q, lead_q;           // a lane has been read; the lane is the first

  assign first = left_q & (~left_q + 1'b1);
  always_comb begin
    lowest = 'x;
    if (state_q == Seek) begin
      lowest = '0;
      for (int l = 0; l < Warp; l++) if (first[l]) lowest = lowest | LaneBits'(l);
    end
  end

  always_ff @(posedge clk_i) begin
    case (state_q)
      Wait: if (beat_valid_i && open_i) state_q <= Walk;
      Walk: if (walked) state_q <= Held;
      Held: if (beat_take_i) state_q <= beat_last_i ? Whole : Wait;
      Whole: if (!wait_i) state_q <= pending_q == '0 ? Wait : Seek;
      Seek: if (left_q == '0 && !seek_q) state_q <= Found;
      default: if (sector_done_i) state_q <= Whole;
    endcase
    if (rst_i) state_q <= Wait;
  end

  always_ff @(posedge clk_i) begin
    // written or read: both in one cycle would cost a register beside the RAM
    if (valid2_q) address[lane2_q] <= addr_q;
    else read_q <= address[state_q == Seek ? lowest : look_i];

    if (valid2_q) pending_q <= {lane_ok_o && !shared, pending_q[Warp-1:1]};
    else if (state_q == Found && sector_done_i) pending_q <= pending_q & ~lanes_q;
    if (valid2_q) upper_q <= {addr_q[4], upper_q[Warp-1:1]};

    left_q  <= state_q == Seek ? left_q & ~first : pending_q;
    seek_q  <= state_q == Seek && left_q != '0;
    lead_q  <= state_q == Whole || (lead_q && !seek_q);
    seen_q  <= lowest;
    if (seek_q && lead_q) sector_q <= read_q[63:5];
    if (state_q == Whole) lanes_q <= '0;
    else if (seek_q && (lead_q || read_q[63:5] == sector_q)) lanes_q[seen_q] <= 1'b1;
  end

  assign sector_valid_o = state_q == Found;
  assign sector_o       = sector_q;
  assign lanes_o        = lanes_q;
  assign upper_o        = upper_q;
  assign done_o         = state_q == Whole && !wait_i && pending_q == '0;
  assign place_o        = read_q[4:0];
endmodule
`default_nettype wire
