// SPDX-License-Identifier: Apache-2.0
// Front of atom_unit: collects the lanes of a request, judges their addresses, and hands its sectors on, that of the lowest
// lane first.
//
// One request at a time, all its sectors before the next one's: whoever takes them in this order keeps accesses of one
// sector in the order of the requests. The next request may come in with the last sector.
`default_nettype none

module sector_gather #(
  parameter int Lanes    = 32,                   // of a beat
  parameter int Warp     = 32,                   // of a request; a multiple of Lanes
  parameter int SlotBits = 2,
  parameter logic [31:0] SharedWindow = 32'd1,   // high halves of generic addresses: shared memory ...
  parameter logic [31:0] LocalWindow  = 32'd2    // ... and local memory
) (
  input  logic                clk_i,
  input  logic                rst_i,

  // beats; what is said of the whole request is read with every beat
  input  logic                beat_valid_i,
  output logic                beat_ready_o,
  output logic                open_o,            // ready whatever the beat
  input  logic                beat_last_i,
  input  logic [SlotBits-1:0] slot_i,
  input  logic [Lanes-1:0]    mask_i,
  input  logic [Lanes*64-1:0] ra_i,
  input  logic [63:0]         base_i,
  input  logic                ra_used_i,
  input  logic                ra_wide_i,         // 64 bits, else zero-extended
  input  logic [2:0]          size_i,            // log2 of the bytes
  input  logic                generic_i,
  input  logic                local_refused_i,   // lanes of local memory are refused, else they fault
  input  logic                shared_refused_i,  // likewise
  input  logic                illegal_i,         // all lanes fault

  // the judgement, one cycle a request, not after its first sector
  output logic                judge_o,
  output logic [SlotBits-1:0] slot_o,            // also that of the sectors
  output logic                done_o,            // its last sector goes, or there is none
  output logic [Warp-1:0]     mask_o,
  output logic [Warp-1:0]     misaligned_o,
  output logic [Warp-1:0]     bad_space_o,
  output logic [Warp-1:0]     refused_o,
  output logic                illegal_o,
  output logic [5*Warp-1:0]   offset_o,          // five planes: bit k of the place of each lane in its sector

  // sectors
  output logic                sector_valid_o,
  input  logic                sector_ready_i,
  output logic [58:0]         sector_o,          // address / 32
  output logic [Warp-1:0]     lanes_o
);
  localparam int Group = 64;                     // bits kept of a lane's sector number, for the simulator's sake

  // ---- addresses of a beat ---------------------------------------------------------------------------------
  logic [63:0]            addr;
  logic                   shared, remote;
  logic [Lanes*Group-1:0] in_sector;
  logic [5*Lanes-1:0]     in_offset;
  logic [Lanes-1:0]       in_misaligned, in_bad, in_refused;
  logic [4:0]             clear;

  always_comb begin
    {addr, shared, remote, in_sector, in_offset, clear} = 'x;
    {in_misaligned, in_bad, in_refused} = '0;
    if (beat_valid_i) begin
      clear = ~(5'h1f << size_i);
      for (int l = 0; l < Lanes; l++) begin
        addr = base_i;
        if (ra_used_i) addr = addr + {ra_wide_i ? ra_i[l*64 + 32 +: 32] : 32'd0, ra_i[l*64 +: 32]};
        shared = generic_i && addr[63:32] == SharedWindow;
        remote = generic_i && addr[63:32] == LocalWindow;
        in_sector[l*Group +: Group] = {5'd0, addr[63:5]};
        for (int k = 0; k < 5; k++) in_offset[k*Lanes + l] = addr[k];
        in_refused[l]    = mask_i[l] && ((shared && shared_refused_i) || (remote && local_refused_i));
        in_misaligned[l] = mask_i[l] && !in_refused[l] && (addr[4:0] & clear) != '0;
        in_bad[l]        = mask_i[l] && !in_refused[l] && !in_misaligned[l] && (shared || remote);
      end
    end
  end

  // ---- the request -----------------------------------------------------------------------------------------
  logic                  full_q, first_q, take, finish;
  logic [SlotBits-1:0]   slot_q;
  logic [Warp*Group-1:0] sector_q;
  logic [5*Warp-1:0]     offset_q;
  logic [Warp-1:0]       mask_q, misaligned_q, bad_q, refused_q, pending_q;
  logic                  illegal_q;

  assign open_o       = !full_q || finish;
  assign beat_ready_o = open_o && !rst_i;
  assign take         = beat_valid_i && beat_ready_o;

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
  assign illegal_o    = illegal_q;
  assign offset_o     = offset_q;

  // ---- sectors ---------------------------------------------------------------------------------------------
  logic [Warp-1:0] pending;

  always_comb begin
    pending = '0;
    if (full_q) pending = !first_q ? pending_q : illegal_q ? '0 : mask_q & ~misaligned_q & ~bad_q & ~refused_q;
  end
  always_comb begin
    sector_o = 'x;
    lanes_o  = '0;
    if (pending != '0) begin
      for (int l = Warp - 1; l >= 0; l--) if (pending[l]) sector_o = sector_q[l*Group +: 59];
      for (int l = 0; l < Warp; l++) lanes_o[l] = pending[l] && sector_q[l*Group +: 59] == sector_o;
    end
  end
  assign sector_valid_o = pending != '0;
  assign finish         = full_q && (pending == '0 || (sector_ready_i && lanes_o == pending));
endmodule
`default_nettype wire
