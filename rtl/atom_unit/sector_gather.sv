// SPDX-License-Identifier: Apache-2.0
// Front of atom_unit: collects the lanes of a request, judges the addresses, and hands on the sectors, the lowest
// lane's sector first.
//
// Requests leave one at a time, all sectors of a request before the sectors of the next request. A taker in this order
// keeps accesses of one sector in the order of the requests. The next request may come in with the last sector. Lanes
// in shared memory are in no sector: the taker of the beats takes these lanes, too.
`default_nettype none

module sector_gather #(
  parameter int Lanes    = 32,                   // of a beat
  parameter int Warp     = 32,                   // of a request; a multiple of Lanes
  parameter int SlotBits = 2,
  parameter int BeatBits = Lanes < Warp ? $clog2(Warp / Lanes) : 1   // derived, do not override
) (
  input  logic                clk_i,
  input  logic                rst_i,
  input  logic [31:0]         shared_window_i,   // high halves of generic addresses: shared memory ...
  input  logic [31:0]         local_window_i,    // ... and local memory

  // beats; fields of the whole request are read with every beat
  input  logic                beat_valid_i,
  output logic                beat_ready_o,
  input  logic                beat_go_i,         // all other takers take the beat
  output logic                open_o,            // ready for any beat
  input  logic                beat_last_i,
  input  logic [BeatBits-1:0] index_i,
  input  logic [SlotBits-1:0] slot_i,
  input  logic [Lanes-1:0]    mask_i,
  input  logic [Lanes*64-1:0] ra_i,
  input  logic [63:0]         base_i,
  input  logic                ra_used_i,
  input  logic                ra_wide_i,         // 64 bits, else zero-extended
  input  logic [2:0]          size_i,            // log2 of the bytes
  input  logic                generic_i,
  input  logic                local_refused_i,   // lanes of local memory are refused, else they fault
  input  logic                shared_served_i,   // shared memory executes the operation,
  input  logic                shared_refused_i,  // or lanes in shared memory are refused, else fault;
  input  logic                others_serve_i,    // shared memory of other CTAs executes the operation,
  input  logic                several_i,         // and the cluster has several CTAs
  input  logic [3:0]          rank_i,            // rank of the own CTA
  input  logic                illegal_i,         // all lanes fault
  output logic [Lanes-1:0]    shared_o,          // lanes of this beat for shared memory

  // faulting lanes of a beat, in the cycle after the beat
  output logic                fault_o,
  output logic [Warp-1:0]     fault_misaligned_o,
  output logic [Warp-1:0]     fault_bad_space_o,
  output logic [Warp-1:0]     fault_illegal_o,

  // the judgement, one cycle a request, not later than the first sector
  output logic                judge_o,
  output logic [SlotBits-1:0] slot_o,            // also the slot of the sectors
  output logic                done_o,            // the last sector goes, or the request has none
  output logic [Warp-1:0]     mask_o,
  output logic [Warp-1:0]     misaligned_o,
  output logic [Warp-1:0]     bad_space_o,
  output logic [Warp-1:0]     refused_o,
  output logic [Warp-1:0]     in_shared_o,
  output logic                illegal_o,
  output logic [5*Warp-1:0]   offset_o,          // five planes: bit k of the place of each lane in the sector

  // sectors
  input  logic                wait_i,            // hold back the sectors
  output logic                sector_valid_o,
  input  logic                sector_ready_i,
  output logic [58:0]         sector_o,          // address / 32
  output logic [Warp-1:0]     lanes_o
);
  localparam int Group = 64;                     // bits kept of a lane's sector number, for the simulator's sake

  // ---- addresses of a beat ---------------------------------------------------------------------------------
  logic [63:0]            addr;
  logic                   shared, remote, other;
  logic [Lanes*Group-1:0] in_sector;
  logic [5*Lanes-1:0]     in_offset;
  logic [Lanes-1:0]       in_misaligned, in_bad, in_refused, in_shared;
  logic [4:0]             clear;

  always_comb begin
    {addr, shared, remote, other, in_sector, in_offset, clear} = 'x;
    {in_misaligned, in_bad, in_refused, in_shared} = '0;
    if (beat_valid_i) begin
      clear = ~(5'h1f << size_i);
      for (int l = 0; l < Lanes; l++) begin
        addr = base_i;
        if (ra_used_i) addr = addr + {ra_wide_i ? ra_i[l*64 + 32 +: 32] : 32'd0, ra_i[l*64 +: 32]};
        shared = generic_i && addr[63:32] == shared_window_i;
        remote = generic_i && addr[63:32] == local_window_i;
        other  = others_serve_i && several_i && addr[31:24] != {4'd0, rank_i};
        in_sector[l*Group +: Group] = {5'd0, addr[63:5]};
        for (int k = 0; k < 5; k++) in_offset[k*Lanes + l] = addr[k];
        in_refused[l]    = mask_i[l] && ((shared && shared_refused_i && !other) || (remote && local_refused_i));
        in_misaligned[l] = mask_i[l] && !in_refused[l] && (addr[4:0] & clear) != '0;
        in_bad[l]        = mask_i[l] && !in_refused[l] && !in_misaligned[l] && ((shared && !shared_served_i && !other) || remote);
        in_shared[l]     = mask_i[l] && !illegal_i && !in_refused[l] && !in_misaligned[l] && shared && (shared_served_i || other);
      end
    end
  end

  // ---- the request -----------------------------------------------------------------------------------------
  logic                  full_q, first_q, take, finish;
  logic [SlotBits-1:0]   slot_q;
  logic [Warp*Group-1:0] sector_q;
  logic [5*Warp-1:0]     offset_q;
  logic [Warp-1:0]       mask_q, misaligned_q, bad_q, refused_q, shared_q, pending_q;
  logic                  illegal_q;

  assign open_o       = !full_q || finish;
  assign beat_ready_o = open_o && !rst_i;
  assign take         = beat_valid_i && beat_ready_o && beat_go_i;

  always_ff @(posedge clk_i) begin
    if (rst_i) full_q <= 1'b0;
    else full_q <= take ? beat_last_i : full_q && !finish;
  end
  if (Lanes == Warp) begin : gen_whole
    always_ff @(posedge clk_i) begin
      if (take) begin
        sector_q     <= in_sector;
        offset_q     <= in_offset;
        mask_q       <= mask_i;
        misaligned_q <= in_misaligned;
        bad_q        <= in_bad;
        refused_q    <= in_refused;
        shared_q     <= in_shared;
      end
    end
  end else begin : gen_beats
    // Beats come in lane order: each is shifted in from above.
    always_ff @(posedge clk_i) begin
      if (take) begin
        sector_q     <= {in_sector, sector_q[Warp*Group-1:Lanes*Group]};
        mask_q       <= {mask_i, mask_q[Warp-1:Lanes]};
        misaligned_q <= {in_misaligned, misaligned_q[Warp-1:Lanes]};
        bad_q        <= {in_bad, bad_q[Warp-1:Lanes]};
        refused_q    <= {in_refused, refused_q[Warp-1:Lanes]};
        shared_q     <= {in_shared, shared_q[Warp-1:Lanes]};
        for (int k = 0; k < 5; k++) begin
          offset_q[k*Warp +: Warp] <= {in_offset[k*Lanes +: Lanes], offset_q[k*Warp + Lanes +: Warp - Lanes]};
        end
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (take) begin
      slot_q    <= slot_i;
      illegal_q <= illegal_i;
    end
    first_q   <= take;
    pending_q <= sector_valid_o && sector_ready_i ? pending & ~lanes_o : pending;
  end

  assign judge_o      = full_q && first_q;
  assign slot_o       = slot_q;
  assign done_o       = finish;
  assign mask_o       = mask_q;
  assign misaligned_o = illegal_q ? '0 : misaligned_q;
  assign bad_space_o  = illegal_q ? '0 : bad_q;
  assign refused_o    = illegal_q ? '0 : refused_q;
  assign in_shared_o  = shared_q;
  assign shared_o     = in_shared;
  assign illegal_o    = illegal_q;
  assign offset_o     = offset_q;

  // Faults of each beat alone, before any lane of the beat takes effect in shared memory. The newest beat is the
  // highest.
  logic                fault_q;
  logic [BeatBits-1:0] index_q;
  logic [Lanes-1:0]    new_misaligned, new_bad, new_mask;

  always_ff @(posedge clk_i) begin
    if (rst_i) fault_q <= 1'b0;
    else fault_q <= take;
    if (take) index_q <= index_i;
  end
  assign new_misaligned = illegal_q ? '0 : misaligned_q[Warp-1 -: Lanes];
  assign new_bad        = illegal_q ? '0 : bad_q[Warp-1 -: Lanes];
  assign new_mask       = illegal_q ? mask_q[Warp-1 -: Lanes] : '0;
  assign fault_o        = fault_q && (new_misaligned | new_bad | new_mask) != '0;
  if (Lanes == Warp) begin : gen_whole_fault
    assign fault_misaligned_o = new_misaligned;
    assign fault_bad_space_o  = new_bad;
    assign fault_illegal_o    = new_mask;
    logic unused_index;
    assign unused_index = ^index_q;
  end else begin : gen_beat_fault
    logic [$clog2(Warp)-1:0] at;
    assign at                 = {index_q, {$clog2(Lanes){1'b0}}};
    assign fault_misaligned_o = Warp'(new_misaligned) << at;
    assign fault_bad_space_o  = Warp'(new_bad) << at;
    assign fault_illegal_o    = Warp'(new_mask) << at;
  end

  // ---- sectors ---------------------------------------------------------------------------------------------
  logic [Warp-1:0] pending;

  always_comb begin
    pending = '0;
    if (full_q) pending = !first_q ? pending_q : illegal_q ? '0 : mask_q & ~misaligned_q & ~bad_q & ~refused_q & ~shared_q;
  end
  always_comb begin
    sector_o = 'x;
    lanes_o  = '0;
    if (pending != '0) begin
      for (int l = Warp - 1; l >= 0; l--) if (pending[l]) sector_o = sector_q[l*Group +: 59];
      for (int l = 0; l < Warp; l++) lanes_o[l] = pending[l] && sector_q[l*Group +: 59] == sector_o;
    end
  end
  assign sector_valid_o = pending != '0 && !wait_i;
  assign finish         = full_q && (pending == '0 || (sector_ready_i && !wait_i && lanes_o == pending));
endmodule
`default_nettype wire
