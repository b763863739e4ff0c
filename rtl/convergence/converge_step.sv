// SPDX-License-Identifier: Apache-2.0
// One instruction of a warp at the convergence barriers: the lanes waiting afterwards, the places, and the lanes going
// on.
//
// A barrier is a row of lane sets, a set for each lane. A lane beginning to wait copies its set, so an event need not
// look at the rows of all barriers: a lane goes on when all live lanes of the set wait at the same place with the same
// set. The lane's own set is then empty. `cleared` keeps this fact beside the row, and applies when the row is read.
// YIELD releases lanes waiting at bar_i if all missing lanes have yielded, whatever the sets of the yielded lanes. The
// yielded lanes then drop the released lanes from their sets. The caller runs a YIELD for each barrier with waiting
// lanes. A YIELD may name waiting lanes (stands_i): such lanes count as yielded for this YIELD only, have not yielded
// afterwards, and keep their sets.
//
// Two kinds of lanes may not begin to wait at WARPSYNC: a lane outside its own mask (self_o), and a lane with a
// different mask than a lane waiting there or coming along, if each mask names the other lane (odds_o). Both fault, and
// all other lanes act as if the faulting lanes had not come.
//
// Combinational. The caller promises: executing lanes live, and, but for YIELD, do not wait.
`include "wl_units.vh"
`default_nettype none

module converge_step #(
  parameter int Warp    = 32,                // lanes
  parameter int Bars    = 16,                // convergence barriers; a power of two, 2 or more
  parameter int BarBits = $clog2(Bars),      // derived, do not override, like all below
  parameter int LaneBits = $clog2(Warp),
  parameter int AtBits  = BarBits + 1        // where a lane waits: {0, barrier}, or {1, ..., apart} at a WARPSYNC
) (
  input  logic                   valid_i,
  input  logic                   exit_i,     // the lanes leave; else kind_i is the instruction
  input  logic [4:0]             kind_i,
  input  logic                   apart_i,    // WARPSYNC.EXCLUSIVE, .COLLECTIVE
  input  logic [BarBits-1:0]     bar_i,
  input  logic [Warp-1:0]        lanes_i,    // executing lanes
  input  logic [Warp-1:0]        stands_i,   // of a YIELD: executing lanes already waiting
  input  logic [Warp*Warp-1:0]   row_i,      // WARPSYNC: mask of each lane; BMOV: new set of each lane

  // the warp, before ...
  input  logic [Warp-1:0]        live_i,
  input  logic [Warp-1:0]        waits_i,
  input  logic [Warp-1:0]        yielded_i,  // since the lane's last BSSY, BSYNC or WARPSYNC
  input  logic [Warp*AtBits-1:0] at_i,       // of waiting lanes
  input  logic [Warp*Warp-1:0]   want_i,     // likewise
  input  logic [Bars-1:0]        used_i,     // barriers with a row; sets of other barriers are empty
  input  logic [Bars*Warp-1:0]   cleared_i,  // of each barrier: lanes with an empty set, whatever the row holds
  input  logic [Warp*Warp-1:0]   set_i,      // the row of bar_i

  // ... and after
  output logic [Warp-1:0]        live_o,
  output logic [Warp-1:0]        waits_o,
  output logic [Warp-1:0]        yielded_o,
  output logic [Warp*AtBits-1:0] at_o,
  output logic [Warp*Warp-1:0]   want_o,
  output logic [Bars-1:0]        used_o,
  output logic [Bars*Warp-1:0]   cleared_o,
  output logic                   set_we_o,
  output logic [Warp*Warp-1:0]   set_o,
  output logic [Warp*Warp-1:0]   row_o,      // the row of bar_i as it was, for BMOV
  output logic [Warp-1:0]        ready_o,    // live lanes that do not wait

  output logic [Warp-1:0]        self_o,     // faulting lanes of a WARPSYNC
  output logic [Warp-1:0]        odds_o
);
  logic                   bssy, bsync, breaks, clears, puts, warpsync, yields;
  logic [AtBits-1:0]      place;             // place of lanes that begin to wait
  logic [Warp-1:0]        come, begins, meets, waits, go, let_go, others, same, missing;
  logic [Warp*AtBits-1:0] at;
  logic [Warp*Warp-1:0]   masks, row, set, want;
  logic [Warp*Warp-1:0]   lets;              // of each lane: released lanes to drop from the set

  assign bssy     = !exit_i && kind_i == `WL_CONVERGENCE_BSSY;
  assign bsync    = !exit_i && kind_i == `WL_CONVERGENCE_BSYNC;
  assign breaks   = !exit_i && kind_i == `WL_CONVERGENCE_BREAK;
  assign clears   = !exit_i && kind_i == `WL_CONVERGENCE_BMOV_CLEAR;
  assign puts     = !exit_i && kind_i == `WL_CONVERGENCE_BMOV_R2B;
  assign warpsync = !exit_i && kind_i == `WL_CONVERGENCE_WARPSYNC;
  assign yields   = !exit_i && kind_i == `WL_CONVERGENCE_YIELD;
  assign place    = warpsync ? {1'b1, BarBits'(apart_i)} : {1'b0, bar_i};
  assign set_we_o = valid_i && (bssy || puts || clears || breaks || (yields && let_go != '0));
  assign row_o    = row;

  // Lanes that may begin to wait: at WARPSYNC, lanes with masks in order. `come`: all lanes but lanes outside their own
  // mask.
  assign come   = lanes_i & ~self_o;
  assign begins = come & ~odds_o;
  always_comb begin
    self_o = '0;
    if (valid_i && warpsync) begin
      for (int l = 0; l < Warp; l++) self_o[l] = lanes_i[l] && !row_i[l*Warp + l];
    end
  end
  always_comb begin
    masks = 'x;
    meets = 'x;
    if (valid_i && warpsync) begin
      for (int l = 0; l < Warp; l++) begin
        meets[l]              = come[l] || (waits_i[l] && at_i[l*AtBits +: AtBits] == place);
        masks[l*Warp +: Warp] = lanes_i[l] ? row_i[l*Warp +: Warp] : want_i[l*Warp +: Warp];
      end
    end
  end
  always_comb begin
    odds_o = '0;
    if (valid_i && warpsync) begin
      for (int l = 0; l < Warp; l++) begin
        for (int m = 0; m < Warp; m++) begin
          if (come[l] && meets[m] && masks[l*Warp + m] && masks[m*Warp + l] &&
              masks[m*Warp +: Warp] != masks[l*Warp +: Warp]) odds_o[l] = 1'b1;
        end
      end
    end
  end

  // Effect of the instruction itself. A breaking lane leaves the sets of the lanes in its own set.
  always_comb begin
    live_o    = 'x;
    yielded_o = 'x;
    waits     = 'x;
    at        = 'x;
    row       = 'x;
    set       = 'x;
    want      = 'x;
    others    = 'x;
    if (valid_i) begin
      live_o    = exit_i ? live_i & ~lanes_i : live_i;
      yielded_o = yields ? yielded_i | (lanes_i & ~stands_i) : bssy || bsync || warpsync || exit_i ? yielded_i & ~begins : yielded_i;
      waits     = bsync || warpsync ? waits_i | begins : waits_i;
      others    = '0;
      for (int l = 0; l < Warp; l++) begin
        row[l*Warp +: Warp]    = used_i[bar_i] && !cleared_i[{bar_i, LaneBits'(l)}] ? set_i[l*Warp +: Warp] : '0;
        at[l*AtBits +: AtBits] = begins[l] && (bsync || warpsync) ? place : at_i[l*AtBits +: AtBits];
        if (breaks && lanes_i[l]) others = others | row[l*Warp +: Warp];
      end
      others = others & ~lanes_i;
      for (int l = 0; l < Warp; l++) begin
        set[l*Warp +: Warp]  = row[l*Warp +: Warp];
        want[l*Warp +: Warp] = want_i[l*Warp +: Warp];
        if (lanes_i[l] && bsync) want[l*Warp +: Warp] = row[l*Warp +: Warp];
        if (begins[l] && warpsync) want[l*Warp +: Warp] = row_i[l*Warp +: Warp];
        if (lanes_i[l] && bssy) set[l*Warp +: Warp] = lanes_i;
        if (lanes_i[l] && puts) set[l*Warp +: Warp] = row_i[l*Warp +: Warp];
        if (lanes_i[l] && (clears || breaks)) set[l*Warp +: Warp] = '0;
        if (others[l]) begin
          set[l*Warp +: Warp] = row[l*Warp +: Warp] & ~lanes_i;
          if (at_i[l*AtBits +: AtBits] == place) want[l*Warp +: Warp] = want_i[l*Warp +: Warp] & ~lanes_i;
        end
      end
    end
  end

  // A lane goes on if no lane of the set is missing among the lanes waiting alike, or if all missing lanes have
  // yielded.
  always_comb begin
    go      = 'x;
    let_go  = 'x;
    lets    = 'x;
    same    = 'x;
    missing = 'x;
    if (valid_i) begin
      go     = '0;
      let_go = '0;
      lets   = '0;
      if (waits != '0) begin
        for (int l = 0; l < Warp; l++) begin
          if (waits[l]) begin
            for (int m = 0; m < Warp; m++) begin
              same[m] = waits[m] && at[m*AtBits +: AtBits] == at[l*AtBits +: AtBits] &&
                        want[m*Warp +: Warp] == want[l*Warp +: Warp];
            end
            missing   = want[l*Warp +: Warp] & live_o & ~same;
            let_go[l] = yields && missing != '0 && at[l*AtBits +: AtBits] == place && (missing & ~(yielded_i | lanes_i)) == '0;
            go[l]     = let_go[l] || missing == '0;
            if (let_go[l]) begin
              for (int m = 0; m < Warp; m++) lets[m*Warp + l] = missing[m] && !stands_i[m];
            end
          end
        end
      end
    end
  end

  always_comb begin
    waits_o   = 'x;
    at_o      = 'x;
    want_o    = 'x;
    used_o    = 'x;
    cleared_o = 'x;
    set_o     = 'x;
    ready_o   = 'x;
    if (valid_i) begin
      waits_o   = waits & ~go;
      ready_o   = live_o & ~waits_o;
      at_o      = at;
      want_o    = want;
      set_o     = set & ~lets;
      used_o    = used_i;
      cleared_o = cleared_i;
      if (set_we_o) begin
        used_o[bar_i]                                   = 1'b1;
        cleared_o[{bar_i, {LaneBits{1'b0}}} +: Warp] = '0;
      end
      if (go != '0) begin
        for (int l = 0; l < Warp; l++) begin
          if (go[l] && !at[l*AtBits + BarBits]) cleared_o[{at[l*AtBits +: BarBits], LaneBits'(l)}] = 1'b1;
        end
      end
    end
  end
endmodule
`default_nettype wire
