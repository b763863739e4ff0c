// SPDX-License-Identifier: Apache-2.0
// Warps waiting for a phase of an mbarrier: parked by a TRYWAIT; released by the operation that ends the phase, in the
// cycle after the COMMIT of the operation; or giving up by themselves.
//
// Changes of objects come from stage X of atoms_pipe. Objects with phases ending together are on different pairs of
// banks, so each pair has its own release. One warp a cycle is looked at for giving up, from `Suspend` cycles after the
// warp's COMMIT on; a phase ending in that cycle wins.
`include "assert.vh"
`include "mbar.vh"
`include "wl_units.vh"
`default_nettype none

module mbarrier_engine #(
  parameter int Banks    = 32,
  parameter int Warps    = 48,
  parameter int RowBits  = 9,
  parameter int Suspend  = 1024,                                 // cycles, Warps or more
  parameter bit LayoutV1 = 1'b0,                                 // mbarriers of layout v1 of sm_107
  parameter int Pairs    = Banks / 2,                            // derived, do not override, like all below
  parameter int PairBits = Banks > 2 ? $clog2(Banks / 2) : 1,
  parameter int ObjBits  = RowBits + PairBits
) (
  input  logic                     clk_i,
  input  logic                     rst_i,

  // stage X of atoms_pipe
  input  logic                     park_valid_i,
  input  logic [5:0]               park_warp_i,
  input  logic [3:0]               park_slot_i,
  input  logic [ObjBits-1:0]       park_object_i,
  input  logic                     park_parity_i,
  input  logic                     park_conditional_i, // the phase is the conditional phase
  input  logic [Pairs-1:0]         flip_i,        // ending phases,
  input  logic [Pairs-1:0]         flip_phase_i,  // of this parity, of objects in these rows
  input  logic [Pairs*`WL_MBAR_END_BITS-1:0] flip_end_i, // how, with LayoutV1: WL_MBAR_END_*
  input  logic [Pairs*RowBits-1:0] flip_row_i,

  // releases, one a pair; then the release of a warp giving up: {gave up, unit, slot, id, phase, warps (48), value
  // (32)}
  output logic [Pairs:0]           rel_valid_o,
  output logic [(Pairs+1)*121-1:0] rel_o
);
  localparam int WarpBits = Warps > 1 ? $clog2(Warps) : 1;
  localparam int TimeBits = $clog2(2 * Suspend + Warps + 1);

  logic [Warps-1:0]         waits_q, parity_q, conditional_q, released, parks;
  logic [Warps*ObjBits-1:0] object_q;
  logic [Warps*4-1:0]       slot_q;
  logic [Warps*TimeBits-1:0] since_q;
  logic [TimeBits-1:0]      now_q;
  logic [WarpBits-1:0]      look_q;
  logic                     gives_up;

  // ---- waiting warps ---------------------------------------------------------------------------------------
  always_comb begin
    parks = '0;
    if (park_valid_i) parks[park_warp_i[WarpBits-1:0]] = 1'b1;
  end
  always_ff @(posedge clk_i) begin
    if (rst_i) waits_q <= '0;
    else waits_q <= (waits_q & ~released) | parks;
  end
  always_ff @(posedge clk_i) begin
    if (park_valid_i) begin
      for (int w = 0; w < Warps; w++) begin
        if (parks[w]) begin
          object_q[w*ObjBits +: ObjBits]  <= park_object_i;
          slot_q[w*4 +: 4]                <= park_slot_i;
          parity_q[w]                     <= park_parity_i;
          since_q[w*TimeBits +: TimeBits] <= now_q;
        end
      end
    end
  end
  if (LayoutV1) begin : gen_conditional
    always_ff @(posedge clk_i) conditional_q <= (conditional_q & ~parks) | (park_conditional_i ? parks : '0);
  end else begin : gen_primary
    assign conditional_q = '0;
    logic unused_v1;
    assign unused_v1 = ^{park_conditional_i, flip_end_i};
  end

  // ---- ended phases ----------------------------------------------------------------------------------------
  logic [Pairs-1:0]         flip_q, phase_q;
  logic [Pairs*`WL_MBAR_END_BITS-1:0] end_q;
  logic [Pairs*RowBits-1:0] row_q;
  logic [Pairs*Warps-1:0]   mine;         // warps waiting on the object of each pair
  logic [Pairs-1:0]         any;
  logic [Pairs*4-1:0]       slot;

  always_ff @(posedge clk_i) begin
    if (rst_i) flip_q <= '0;
    else flip_q <= flip_i;
  end
  always_ff @(posedge clk_i) begin
    if (flip_i != '0) begin
      row_q   <= flip_row_i;
      phase_q <= flip_phase_i;
    end
  end
  if (LayoutV1) begin : gen_end
    always_ff @(posedge clk_i) if (flip_i != '0) end_q <= flip_end_i;
  end else begin : gen_no_end
    assign end_q = '0;
  end
  // The phase a warp waits for ends.
  function automatic logic ends(input logic conditional, input logic parity, input logic phase,
                                input logic [1:0] how);
    ends = conditional ? how[`WL_MBAR_END_ENDS] && how[`WL_MBAR_END_PARITY] == parity : phase == parity;
  endfunction
  // Pair by pair, not indexed by a warp's object: an index would be barrel shifters for each warp.
  always_comb begin
    mine  = '0;
    any   = '0;
    slot  = '0;
    if (flip_q != '0 && waits_q != '0) begin
      for (int p = 0; p < Pairs; p++) begin
        if (flip_q[p]) begin
          for (int w = 0; w < Warps; w++) begin
            if (waits_q[w] && ends(conditional_q[w], parity_q[w], phase_q[p], end_q[p*`WL_MBAR_END_BITS +: 2]) &&
                object_q[w*ObjBits +: ObjBits] == {row_q[p*RowBits +: RowBits], p[PairBits-1:0]}) begin
              mine[p*Warps + w] = 1'b1;
              any[p]            = 1'b1;
              slot[p*4 +: 4]    = slot[p*4 +: 4] | slot_q[w*4 +: 4];   // the same for all: a CTA shares no objects
            end
          end
        end
      end
    end
  end

  // ---- giving up -------------------------------------------------------------------------------------------
  // Not with a phase ending in this very cycle, in X, or ended in the cycle before.
  logic [ObjBits-1:0]  looked;
  logic [TimeBits-1:0] since;
  logic [3:0]          slot_looked;
  logic                late, hit_x, hit_w, waits_looked, parity_looked, conditional_looked;
  logic [1:0]          flip_how, ended_how;
  logic [PairBits-1:0] pair_looked;
  logic [RowBits-1:0]  row_looked, flip_row, ended_row;
  always_comb begin
    looked        = 'x;
    since         = 'x;
    slot_looked   = 'x;
    waits_looked  = 1'b0;
    parity_looked = 'x;
    conditional_looked = 1'b0;
    if (waits_q != '0) begin
      for (int w = 0; w < Warps; w++) begin
        if (look_q == WarpBits'(w)) begin
          looked        = object_q[w*ObjBits +: ObjBits];
          since         = since_q[w*TimeBits +: TimeBits];
          slot_looked   = slot_q[w*4 +: 4];
          waits_looked  = waits_q[w];
          parity_looked = parity_q[w];
          conditional_looked = conditional_q[w];
        end
      end
    end
  end
  always_comb begin
    flip_row  = 'x;
    ended_row = 'x;
    flip_how  = 'x;
    ended_how = 'x;
    if (waits_looked) begin
      for (int p = 0; p < Pairs; p++) begin
        if (pair_looked == p[PairBits-1:0]) begin
          flip_row  = flip_row_i[p*RowBits +: RowBits];
          ended_row = row_q[p*RowBits +: RowBits];
          flip_how  = flip_end_i[p*`WL_MBAR_END_BITS +: 2];
          ended_how = end_q[p*`WL_MBAR_END_BITS +: 2];
        end
      end
    end
  end
  assign late        = waits_looked && now_q - since >= TimeBits'(Suspend);
  assign pair_looked = looked[PairBits-1:0];
  assign row_looked  = looked[ObjBits-1:PairBits];
  assign hit_x = flip_i[pair_looked] && ends(conditional_looked, parity_looked, flip_phase_i[pair_looked], flip_how) && flip_row == row_looked;
  assign hit_w = flip_q[pair_looked] && ends(conditional_looked, parity_looked, phase_q[pair_looked], ended_how) && ended_row == row_looked;
  assign gives_up = late && !hit_x && !hit_w && !rst_i;
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      look_q <= '0;
      now_q  <= '0;
    end else begin
      look_q <= look_q == WarpBits'(Warps - 1) ? '0 : look_q + 1'b1;
      now_q  <= now_q + 1'b1;
    end
  end

  logic [`WL_MBAR_REPORT_BITS-1:0] report;
  // ---- releases --------------------------------------------------------------------------------------------
  assign rel_valid_o = {gives_up, any & {Pairs{!rst_i}}};
  always_comb begin
    released = '0;
    rel_o    = '0;
    report   = 'x;
    if (any != '0) begin
      for (int p = 0; p < Pairs; p++) begin
        if (any[p]) released = released | mine[p*Warps +: Warps];
        report = end_q[p*`WL_MBAR_END_BITS + 2 +: `WL_MBAR_REPORT_BITS];
        rel_o[p*121 +: 121] = {1'b0, `WL_UNIT_MBARRIER_ENGINE, slot[p*4 +: 4],
                               16'({row_q[p*RowBits +: RowBits], p[PairBits-1:0]}), 15'd0, phase_q[p], 48'(mine[p*Warps +: Warps]), `WL_MBAR_VALUE(report)};
      end
    end
    if (gives_up) begin
      released[look_q] = 1'b1;
      rel_o[Pairs*121 +: 121] = {1'b1, `WL_UNIT_MBARRIER_ENGINE, slot_looked, 16'(looked), 15'd0, parity_looked,
                                 48'd1 << look_q, 32'd0};
    end
  end

  logic unused_warp;
  assign unused_warp = ^park_warp_i;

  `ASSERT(ParkedOnce_A, (waits_q & parks & ~released) == '0)
endmodule
`default_nettype wire
