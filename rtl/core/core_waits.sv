// SPDX-License-Identifier: Apache-2.0
// Waits and releases: the table of waiting warps, and the release lanes of sync_core.
//
// A unit with a row RELEASES has its own lanes, a lane for each port, as phases end together. mbarrier_engine has a
// lane for each pair of banks, and a lane for waits giving up. All other units take turns on lane 0.
`include "wl_units.vh"
`default_nettype none

module core_waits #(
  parameter int Ports        = 1,                 // as in sync_core
  parameter int Banks        = 32,
  parameter int Units        = 1,
  parameter int Warps        = 48,
  parameter int Places       = 1,                 // of other units than atoms_pipe; 1 without other units
  parameter int Releases     = 1,                 // lanes
  parameter int MbarReleases = Banks / 2 + 1      // derived, do not override
) (
  input  logic                        clk_i,
  input  logic                        rst_i,

  // requests leaving the queues, if a wait is possible
  input  logic [Ports:0]              note_i,
  input  logic [(Ports+1)*22-1:0]     note_tag_i,

  // places of units: warps beginning to wait; releases {gave up, unit, slot, id, phase, warps, value}
  input  logic [Places-1:0]           park_valid_i,
  input  logic [Places*4-1:0]         park_unit_i,
  input  logic [Places*4-1:0]         park_slot_i,
  input  logic [Places*16-1:0]        park_id_i,
  input  logic [Places*Warps-1:0]     park_warps_i,
  input  logic [Places-1:0]           rel_valid_i,
  output logic [Places-1:0]           rel_take_o,
  input  logic [Places*121-1:0]       rel_i,

  // mbarrier_engine
  input  logic                        mbar_park_valid_i,
  input  logic [5:0]                  mbar_park_warp_i,
  input  logic [3:0]                  mbar_park_slot_i,
  input  logic [15:0]                 mbar_park_id_i,
  input  logic [MbarReleases-1:0]     mbar_rel_valid_i,
  input  logic [MbarReleases*121-1:0] mbar_rel_i,

  // release lanes
  output logic [Releases-1:0]         rel_valid_o,
  output logic [Releases-1:0]         rel_gave_up_o,
  output logic [Releases*4-1:0]       rel_unit_o,
  output logic [Releases*4-1:0]       rel_slot_o,
  output logic [Releases*16-1:0]      rel_id_o,
  output logic [Releases*16-1:0]      rel_phase_o,
  output logic [Releases*48-1:0]      rel_warps_o,
  output logic [Releases*32-1:0]      rel_value_o,

  // the wait of a warp
  input  logic [5:0]                  wait_warp_i,
  output logic                        wait_valid_o,
  output logic [3:0]                  wait_unit_o,
  output logic [3:0]                  wait_slot_o,
  output logic [15:0]                 wait_id_o,
  output logic [21:0]                 wait_tag_o
);
`include "places.vh"
  localparam bit Mbar = ((Units >> `WL_UNIT_MBARRIER_ENGINE) & 1) != 0;

  localparam int Directs = `WL_COUNT_RELEASES(Units) * Ports;
  logic [Places-1:0] direct; // constant, but Icarus accepts no parameter made by count_below
  for (genvar u = 0; u < 16; u++) begin : gen_places
    localparam int Place = count_below(Units, u);
    if ((((Units & `WL_UNITS_RELEASES) >> u) & 1) != 0) begin : gen_direct
      assign direct[Place +: Ports] = '1;
    end else if (count_below(Units, u + 1) > Place) begin : gen_shared
      assign direct[Place +: count_below(Units, u + 1) - Place] = '0;
    end
  end
  if (count_below(Units, 16) == 0) begin : gen_no_places
    assign direct = '0;
  end

  // ---- release lanes ---------------------------------------------------------------------------------------
  logic [Places-1:0] merged_take;
  logic [120:0]      merged;
  logic              merged_valid;
  release_merge #(.Units(Places), .Bits(121)) u_releases (
    .clk_i, .rst_i, .valid_i(rel_valid_i & ~direct), .take_o(merged_take), .release_i(rel_i), .valid_o(merged_valid),
    .release_o(merged)
  );
  assign rel_take_o     = merged_take | direct;
  assign rel_valid_o[0] = merged_valid;
  assign {rel_gave_up_o[0], rel_unit_o[3:0], rel_slot_o[3:0], rel_id_o[15:0], rel_phase_o[15:0], rel_warps_o[47:0],
          rel_value_o[31:0]} = merged;
  for (genvar u = 1; u < 16; u++) begin : gen_direct
    if (((Units & `WL_UNITS_RELEASES) >> u & 1) != 0) begin : gen_unit
      localparam int Place = count_below(Units, u);
      localparam int First = 1 + `WL_COUNT_RELEASES(Units & ((1 << u) - 1)) * Ports;
      for (genvar p = 0; p < Ports; p++) begin : gen_release
        assign rel_valid_o[First + p] = rel_valid_i[Place + p] && !rst_i;
        assign {rel_gave_up_o[First + p], rel_unit_o[(First + p)*4 +: 4], rel_slot_o[(First + p)*4 +: 4],
                rel_id_o[(First + p)*16 +: 16], rel_phase_o[(First + p)*16 +: 16], rel_warps_o[(First + p)*48 +: 48],
                rel_value_o[(First + p)*32 +: 32]} = rel_i[(Place + p)*121 +: 121];
      end
    end
  end
  if (Mbar) begin : gen_mbar_releases
    localparam int First = 1 + Directs;
    logic [MbarReleases-1:0]    gave_up;
    logic [MbarReleases*4-1:0]  unit, slot;
    logic [MbarReleases*16-1:0] id, phase;
    logic [MbarReleases*48-1:0] warps;
    logic [MbarReleases*32-1:0] value;
    always_comb begin
      {gave_up, unit, slot, id, phase, warps, value} = '0;
      if (mbar_rel_valid_i != '0) begin
        for (int r = 0; r < MbarReleases; r++) begin
          {gave_up[r], unit[r*4 +: 4], slot[r*4 +: 4], id[r*16 +: 16], phase[r*16 +: 16], warps[r*48 +: 48],
           value[r*32 +: 32]} = mbar_rel_i[r*121 +: 121];
        end
      end
    end
    assign rel_valid_o[First +: MbarReleases]         = mbar_rel_valid_i;
    assign rel_gave_up_o[First +: MbarReleases]       = gave_up;
    assign rel_unit_o[First*4 +: MbarReleases*4]      = unit;
    assign rel_slot_o[First*4 +: MbarReleases*4]      = slot;
    assign rel_id_o[First*16 +: MbarReleases*16]      = id;
    assign rel_phase_o[First*16 +: MbarReleases*16]   = phase;
    assign rel_warps_o[First*48 +: MbarReleases*48]   = warps;
    assign rel_value_o[First*32 +: MbarReleases*32]   = value;
  end else begin : gen_no_mbar_releases
    logic unused_mbar;
    assign unused_mbar = ^{mbar_rel_valid_i, mbar_rel_i};
  end

  // ---- the table -------------------------------------------------------------------------------------------
  logic [Warps-1:0] released;
  logic             unused_empty;
  always_comb begin
    released = '0;
    if (rel_valid_o != '0) begin
      for (int r = 0; r < Releases; r++) released = released | (rel_valid_o[r] ? rel_warps_o[r*48 +: Warps] : '0);
    end
  end
  wait_table #(.Units(Places + 1), .Notes(Ports + 1), .Warps(Warps)) u_waits (
    .clk_i, .rst_i, .note_i, .note_tag_i, .park_valid_i({mbar_park_valid_i, park_valid_i}),
    .park_unit_i({`WL_UNIT_MBARRIER_ENGINE, park_unit_i}), .park_slot_i({mbar_park_slot_i, park_slot_i}),
    .park_id_i({mbar_park_id_i, park_id_i}), .park_warps_i({Warps'(1) << mbar_park_warp_i, park_warps_i}),
    .release_valid_i(rel_valid_o != '0), .release_warps_i(released), .wait_warp_i, .wait_valid_o, .wait_unit_o, .wait_slot_o,
    .wait_id_o, .wait_tag_o, .empty_o(unused_empty)
  );
endmodule
`default_nettype wire
