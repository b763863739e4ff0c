// SPDX-License-Identifier: Apache-2.0
// Stage A of atoms_pipe: forms and judges the addresses of a beat's lanes, and the groups of .SPIN. With `Mbar` stage A
// also judges the beats of mbarrier_engine, and ARRIVE.TMASK waits in mbar_gather for the whole request. Stage P gets
// the beat on the bus, or a gathered beat.
//
// With `Lean` a beat stands on the bus for Lanes + 5 cycles or more. A lane a cycle is chosen, summed up, judged, and
// checked for .SPIN and TRYWAIT, each step in a cycle of its own. The findings for mbarrier_engine over all lanes go
// into registers, too.
`include "assert.vh"
`include "atoms_bundles.vh"
`include "mbar.vh"
`include "wl_units.vh"
`default_nettype none

module atoms_front #(
  parameter int Lanes    = 32,
  parameter int PortBits = 1,
  parameter int AddrBits = 16,
  parameter int ShareBits = 2,
  parameter int RaBits   = 32,
  parameter bit Mbar     = 1'b0,
  parameter bit LayoutV1 = 1'b0,                   // mbarriers of layout v1 of sm_107
  parameter bit Cluster  = 1'b0,
  parameter int Ranks    = 16,
  parameter bit Native   = 1'b0,
  parameter bit Matrix   = 1'b0,
  parameter bit Lean     = 1'b0,
  parameter int BeatBits = Lanes < 32 ? $clog2(32 / Lanes) : 1,   // derived, do not override, like all below
  parameter int CtlBits  = `WL_ATOMS_PIPE_CTL_BITS,
  parameter int OpBits   = `WL_MBAR_OP_BITS,
  parameter int Judged   = Lean ? 1 : Lanes,                      // lanes at once
  parameter int MbarBits = 4 + 32 + 1 + Lanes + OpBits
) (
  input  logic                      clk_i,
  input  logic                      rst_i,

  // request beats, as in atoms_pipe
  input  logic                      beat_valid_i,
  output logic                      beat_ready_o,
  input  logic [PortBits-1:0]       beat_port_i,
  input  logic [21:0]               beat_tag_i,
  input  logic [3:0]                beat_slot_i,
  input  logic                      beat_mbar_i,
  input  logic                      layout_v1_i,    // mbarriers with bit 0 have layout v1
  input  logic [4:0]                beat_kind_i,
  input  logic [31:0]               beat_ctl_i,
  input  logic [6:0]                beat_flags_i,
  input  logic [31:0]               beat_base_i,
  input  logic [BeatBits-1:0]       beat_index_i,
  input  logic                      beat_last_i,
  input  logic [31:0]               beat_mask_i,
  input  logic [Lanes*RaBits-1:0]   beat_ra_i,
  input  logic [Lanes*128-1:0]      beat_rb_i,
  input  logic                      beat_share_i,
  input  logic [ShareBits-1:0]      beat_share_slot_i,
  input  logic                      partial_i,      // of LDSM, STSM: a lane of the warp is missing

  // CTA windows
  input  logic                      cfg_valid_i,
  input  logic [3:0]                cfg_slot_i,
  input  logic                      cfg_window_valid_i,
  input  logic [3:0]                cfg_rank_i,
  input  logic [16:0]               cfg_base_i,
  input  logic [16:0]               cfg_size_i,

  // other CTAs of the beat's cluster, by rank (cluster_windows)
  input  logic                      several_i,
  input  logic [15:0]               there_i,
  input  logic [15:0]               lives_i,
  input  logic [16*13-1:0]          there_base_i,
  input  logic [16*13-1:0]          there_size_i,

  // stage P
  input  logic                      ready_i,        // stage P is free in the next cycle
  output logic                      move_o,         // a beat goes to stage P
  output logic [`WL_ATOMS_ENTRY_BITS-1:0] entry_o,
  output logic [Lanes*AddrBits-1:0] addr_o,
  output logic [Lanes*128-1:0]      data_o,
  output logic [MbarBits-1:0]       more_o,         // of a beat of mbarrier_engine, see gen_mbar_front
  output logic [Lanes*`WL_MBAR_GROUP_BITS-1:0] group_o, // ARRIVE.TMASK: of each lane, WL_MBAR_GROUP_*
  output logic                      idle_o          // nothing is gathered
);
  typedef `WL_ATOMS_ENTRY entry_t;
  entry_t                    e;                     // the beat for P
  logic [Lanes-1:0]          a_losers;
  logic                      a_move, a_illegal;
  logic                      a_alone;               // the address names no register
  logic                      window_valid;
  logic [16:0]               window_base, window_size;
  logic [3:0]                window_rank;
  logic [31:0]               a_tried, tried_q;
  logic [Lanes*32-1:0]       a_ra;
  logic [Lanes*AddrBits-1:0] a_addr;
  logic [Lanes-1:0]          a_ok, a_code2, a_code1, a_code0, a_pending;
  logic [2:0]                a_size, a_scale;
  logic                      a_spin;

  logic [Lanes-1:0]          named;
  // The beat as used below (a_*), and as judged by lane_address (j_*).
  logic                      here;                  // the beat may go on
  logic                      open;                  // stage A would let a beat go on now
  logic                      a_mbar, a_share, a_valid_window, a_several;
  logic [4:0]                a_kind;
  logic [31:0]               a_ctl, a_mask;
  logic [Lanes*128-1:0]      a_data;                // Rb; for mbarrier_engine 64 bits
  logic [16:0]               a_base, a_bytes;       // window of the CTA
  logic [3:0]                a_rank;
  logic [15:0]               a_there, a_lives;
  logic [16*13-1:0]          a_there_base, a_there_size;
  logic                      j_valid, j_ra_used;
  logic [Judged*32-1:0]      j_ra;
  logic [31:0]               j_offset, j_tried;
  logic [2:0]                j_scale;
  logic [Judged*AddrBits-1:0] j_addr;
  logic [Judged-1:0]         j_mask, j_ok, j_code2, j_code1, j_code0, j_pending, j_losers;
  logic                      begins, looks, looks_odd;    // Lean: first step; top lane of a_ok, a_addr is new; parity
  if (Lean) begin : gen_steps
    localparam int LaneBits = $clog2(Lanes);
    localparam int StepBits = $clog2(Lanes + 5);
    logic [StepBits-1:0] step_q;
    logic [LaneBits-1:0] lane;                 // the chosen lane
    logic [Lanes*32-1:0] low_q, high;
    logic [Lanes-1:0]    odd;
    logic [31:0]         ra_q, sum_q;
    logic [2:0]          odd_q;
    logic [1:0]          mask_q;
    logic [4:0]          bank;
    logic                judges, tries;
    always_ff @(posedge clk_i) begin
      if (rst_i || !beat_valid_i || a_move) step_q <= '0;
      else if (!here) step_q <= step_q + 1'b1;
    end
    assign here    = step_q == StepBits'(Lanes + 4);
    assign open    = here;
    assign begins  = step_q == StepBits'(1);
    assign lane    = step_q[LaneBits-1:0];
    assign judges  = step_q >= StepBits'(2) && step_q < StepBits'(Lanes + 2);
    assign j_valid = judges;

    // These registers follow the inputs all the time: the inputs stand still.
    always_ff @(posedge clk_i) begin
      {a_mbar, a_share, a_kind, a_ctl, a_mask} <= {beat_mbar_i, beat_share_i, beat_kind_i, beat_ctl_i, beat_mask_i};
      {a_valid_window, a_base, a_bytes, a_rank} <= {window_valid, window_base, window_size, window_rank};
      {a_several, a_there, a_lives, a_there_base, a_there_size} <= {several_i, there_i, lives_i, there_base_i, there_size_i};
      for (int l = 0; l < Lanes; l++) begin
        low_q[l*32 +: 32] <= beat_rb_i[l*128 +: 32];
      end
      ra_q   <= a_ra[{lane, 5'd0} +: 32];
      sum_q  <= (beat_flags_i[`WL_FLAG_RA] ? ra_q << a_scale : '0) + beat_base_i;
      mask_q <= {mask_q[0], beat_mask_i[5'(lane)]};
      odd_q  <= {odd_q[1:0], odd[lane]};
      looks  <= judges && !rst_i;
      // The lanes come in from above.
      if (judges) begin
        a_addr  <= {j_addr, a_addr[Lanes*AddrBits-1:AddrBits]};
        a_ok    <= {j_ok, a_ok[Lanes-1:1]};
        a_code2 <= {j_code2, a_code2[Lanes-1:1]};
        a_code1 <= {j_code1, a_code1[Lanes-1:1]};
        a_code0 <= {j_code0, a_code0[Lanes-1:1]};
      end
      if (looks) a_losers <= {tries && tried_q[bank], a_losers[Lanes-1:1]};
    end
    // A later lane on a bank finds the bank tried. A beat standing here always goes on, so no other register is needed.
    assign tries = looks && a_spin && a_ok[Lanes-1];
    assign bank  = a_size == 3'd3 ? {1'b0, a_addr[(Lanes-1)*AddrBits + 3 +: 4]} : a_addr[(Lanes-1)*AddrBits + 2 +: 5];
    always_ff @(posedge clk_i) begin
      if (rst_i || (a_move && beat_last_i)) tried_q <= '0;
      else if (tries) tried_q[bank] <= 1'b1;
    end
    assign a_pending = a_ok & ~a_losers;
    assign looks_odd = odd_q[2];
    for (genvar l = 0; l < Lanes; l++) begin : gen_low
      assign a_data[l*128 +: 128] = {64'd0, high[l*32 +: 32], low_q[l*32 +: 32]};
      assign odd[l]               = beat_rb_i[l*128 + 31];
    end
    if (LayoutV1) begin : gen_high             // for an object being made
      logic [Lanes*32-1:0] high_q;
      always_ff @(posedge clk_i) begin
        for (int l = 0; l < Lanes; l++) high_q[l*32 +: 32] <= beat_rb_i[l*128 + 32 +: 32];
      end
      assign high = high_q;
    end else begin : gen_no_high
      assign high = '0;
    end
    assign j_ra      = sum_q;
    assign j_mask    = mask_q[1];
    assign j_ra_used = 1'b1;
    assign j_scale   = '0;
    assign j_offset  = '0;
    assign a_tried   = '0;
    logic unused_judged;
    assign unused_judged = ^{j_pending, j_losers, j_tried, a_tried, a_valid_window, named};
    `ASSERT(Stands_A, step_q == '0 || (beat_valid_i && {a_mbar, a_share, a_kind, a_ctl, a_mask} ==
                      {beat_mbar_i, beat_share_i, beat_kind_i, beat_ctl_i, beat_mask_i}))
  end else begin : gen_at_once
    logic [Lanes-1:0] idle;                 // lanes without a row
    assign here    = beat_valid_i;
    assign open    = 1'b1;
    assign j_valid = beat_valid_i;
    assign {a_mbar, a_share, a_kind, a_ctl, a_mask} = {beat_mbar_i, beat_share_i, beat_kind_i, beat_ctl_i, beat_mask_i};
    assign {a_valid_window, a_base, a_bytes, a_rank} = {window_valid, window_base, window_size, window_rank};
    assign {a_several, a_there, a_lives, a_there_base, a_there_size} = {several_i, there_i, lives_i, there_base_i, there_size_i};
    assign a_data    = beat_rb_i;
    assign j_mask    = a_mask[Lanes-1:0] & named;
    assign j_ra      = a_ra;
    assign j_ra_used = beat_flags_i[`WL_FLAG_RA];
    assign j_scale   = a_scale;
    assign j_offset  = beat_base_i;
    assign {a_addr, a_ok, a_code2, a_code1, a_code0} = {j_addr, j_ok | idle, j_code2, j_code1, j_code0};
    assign {a_pending, a_losers, a_tried}            = {j_pending, j_losers | idle, j_tried};
    assign idle      = a_mask[Lanes-1:0] & ~named;
    assign {begins, looks, looks_odd} = '0;
    always_ff @(posedge clk_i) begin
      if (rst_i) tried_q <= '0;
      else if (a_move) tried_q <= beat_last_i ? '0 : a_tried;
    end
  end

  if (RaBits == 32) begin : gen_ra
    assign a_ra = beat_ra_i;
  end else begin : gen_low_ra
    always_comb begin
      a_ra = 'x;
      if (beat_valid_i) begin
        for (int l = 0; l < Lanes; l++) a_ra[l*32 +: 32] = beat_ra_i[l*RaBits +: 32];
      end
    end
    logic unused_ra;
    assign unused_ra = ^beat_ra_i;
  end

  smem_windows u_windows (
    .clk_i, .rst_i, .cfg_valid_i, .cfg_slot_i, .cfg_window_valid_i, .cfg_base_i, .cfg_size_i, .cfg_rank_i,
    .slot_i(beat_slot_i), .window_valid_o(window_valid), .window_base_o(window_base), .window_size_o(window_size),
    .window_rank_o(window_rank)
  );
  assign a_alone = !a_share && !beat_flags_i[`WL_FLAG_RA] &&
                   !a_ctl[a_mbar ? `WL_MBARRIER_ENGINE_CTL_UR_USED : `WL_ATOMS_PIPE_CTL_UR_USED];

  // Native operations are illegal in a build without native operations, but generic accesses to other CTAs' shared
  // memory stay legal. Matrices are illegal in a build without matrices, and need all lanes.
  logic moves;                              // LDSM, STSM
  assign moves     = (a_kind == `WL_ATOMS_PIPE_LDSM || a_kind == `WL_ATOMS_PIPE_STSM) && !a_mbar && !a_share;
  assign a_illegal = beat_flags_i[`WL_FLAG_ILLEGAL] || (!Native && a_kind == `WL_ATOMS_PIPE_ATOMSN && !a_mbar && !a_share) ||
                     (moves && (!Matrix || partial_i));

  logic [4:0] plain;                        // LDSM and STSM are loads and stores of 128 bits
  assign plain = !(Matrix && moves) ? a_kind : a_kind == `WL_ATOMS_PIPE_LDSM ? `WL_ATOMS_PIPE_LDS : `WL_ATOMS_PIPE_STS;

  // Lanes with an address: of matrices eight lanes for each matrix, from lane 0 on.
  if (Matrix) begin : gen_named
    logic [31:0] rows;
    always_comb begin
      rows = a_ctl[`WL_ATOMS_PIPE_CTL_MATRICES] == 4'b0001 ? 32'h000000ff :
             a_ctl[`WL_ATOMS_PIPE_CTL_MATRICES] == 4'b0011 ? 32'h0000ffff : '1;
      named = '1;
      if (moves && !a_illegal) named = Lanes'(Lanes < 32 ? rows >> (5'(beat_index_i) * 5'(Lanes % 32)) : rows);
    end
  end else begin : gen_all_named
    assign named = '1;
    logic unused_partial;
    assign unused_partial = partial_i;
  end

  // Generic accesses and SYNCS reach other CTAs. Of SYNCS only an ARRIVE without a result is allowed there.
  logic a_serves, reaches;
  assign reaches   = Cluster && j_valid && (a_share || (Mbar && a_mbar));
  assign a_serves  = a_share || (a_kind == `WL_MBARRIER_ENGINE_SYNCS_ARRIVE &&
                     (a_ctl[`WL_MBARRIER_ENGINE_CTL_RESULT] == 2'd2 || !a_ctl[`WL_MBARRIER_ENGINE_CTL_RD_USED]));
  lane_address #(.Lanes(Judged), .AddrBits(AddrBits), .Cluster(Cluster), .Ranks(Ranks)) u_address (
    .valid_i(j_valid), .mask_i(j_mask), .ra_i(j_ra), .ra_used_i(j_ra_used), .scale_i(j_scale), .offset_i(j_offset),
    .size_i(a_size), .illegal_i(a_illegal), .spin_i(a_spin && !Lean), .window_valid_i(a_valid_window), .window_base_i(a_base),
    .window_size_i(a_bytes), .window_rank_i(a_alone ? 4'd0 : a_rank), .tried_i(tried_q), .addr_o(j_addr), .ok_o(j_ok),
    .code2_o(j_code2), .code1_o(j_code1), .code0_o(j_code0), .reaches_i(reaches), .serves_i(a_serves), .several_i(a_several),
    .there_i(a_there), .lives_i(a_lives), .there_base_i(a_there_base), .there_size_i(a_there_size), .pending_o(j_pending),
    .losers_o(j_losers), .tried_o(j_tried)
  );

  assign a_move = here && beat_ready_o;

  // For the banks a beat of mbarrier_engine is a load or an atomic of 64 bits. The rest of the beat goes along: {CTA
  // slot, lanes of an operation once for all lanes, TRYWAIT of a single object and phase, MBAR_COUNT_RANGE, operation}.
  if (Mbar) begin : gen_mbar_front
    localparam int GatherBits = 22 + PortBits + BeatBits + 1 + 1 + 3 * Lanes + Lanes * 32 + MbarBits;
    logic                      tmask, gathers, from_gather, gather_ready, gather_valid, gather_busy, one, rd_used, gather_rd;
    logic [OpBits-1:0]         op;
    logic [31:0]               whole;
    logic [Lanes-1:0]          count, pending, gather_ok;
    logic [CtlBits-1:0]        ctl;
    logic [Lanes*32-1:0]       low, gather_low;
    logic [Lanes*AddrBits-1:0] gather_addr;
    logic [GatherBits-1:0]     gather_in, gather_out;

    assign a_size  = a_mbar ? 3'd3 : a_ctl[`WL_ATOMS_PIPE_CTL_SIZE];
    assign a_scale = a_mbar ? a_ctl[`WL_MBARRIER_ENGINE_CTL_SCALE] : a_ctl[`WL_ATOMS_PIPE_CTL_SCALE];
    assign a_spin  = !a_mbar && a_ctl[`WL_ATOMS_PIPE_CTL_SPIN];

    mbar_address #(.Lanes(Lanes), .AddrBits(AddrBits), .LayoutV1(LayoutV1), .Lean(Lean)) u_mbar_address (
      .clk_i, .rst_i, .begin_i(begins && a_mbar), .look_i(looks && a_mbar), .look_parity_i(looks_odd),
      .valid_i((here || Lean) && a_mbar), .move_i(a_move && a_mbar), .first_i(beat_index_i == '0),
      .last_i(beat_last_i), .kind_i(a_kind), .ctl_i(a_ctl), .v1_i(layout_v1_i), .mask_i(a_mask), .ok_i(a_ok), .addr_i(a_addr),
      .data_i(a_data), .op_o(op), .rd_used_o(rd_used), .count_o(count), .pending_o(pending), .whole_o(whole), .one_o(one)
    );
    assign tmask   = a_mbar && op[`WL_MBAR_OP_TMASK];
    assign gathers = tmask && Lanes < 32;
    always_comb begin
      low = 'x;
      if (here && gathers) begin
        for (int l = 0; l < Lanes; l++) low[l*32 +: 32] = a_data[l*128 +: 32];
      end
    end
    assign gather_in = {beat_tag_i, beat_port_i, beat_index_i, beat_last_i, rd_used, a_code2, a_code1, a_code0, low,
                        beat_slot_i, whole, one, count, op};
    if (Lean && Lanes < 32) begin : gen_lean
      mbar_gather_lean #(.Lanes(Lanes), .AddrBits(AddrBits), .Bits(GatherBits)) u_gather (
        .clk_i, .rst_i, .beat_valid_i(here && tmask), .beat_ready_o(gather_ready), .beat_index_i,
        .beat_last_i, .beat_ok_i(a_ok & ~count), .beat_addr_i(a_addr), .beat_i(gather_in), .busy_o(gather_busy),
        .valid_o(gather_valid), .ready_i, .ok_o(gather_ok), .addr_o(gather_addr), .beat_o(gather_out), .group_o
      );
    end else begin : gen_gather
      mbar_gather #(.Lanes(Lanes), .AddrBits(AddrBits), .Bits(GatherBits)) u_gather (
        .clk_i, .rst_i, .beat_valid_i(here && tmask), .beat_ready_o(gather_ready), .beat_index_i,
        .beat_last_i, .beat_ok_i(a_ok & ~count), .beat_addr_i(a_addr), .beat_i(gather_in), .busy_o(gather_busy),
        .valid_o(gather_valid), .ready_i, .ok_o(gather_ok), .addr_o(gather_addr), .beat_o(gather_out), .group_o
      );
    end
    assign from_gather  = gather_valid && Lanes < 32;
    assign beat_ready_o = open && (gathers ? gather_ready : ready_i && !(gather_busy && Lanes < 32));
    assign idle_o       = !from_gather && (gather_ready || Lanes == 32);
    assign move_o       = from_gather ? ready_i : a_move && !gathers;

    always_comb begin
      e.tag     = beat_tag_i;
      e.port    = beat_port_i;
      e.index   = beat_index_i;
      e.last    = beat_last_i;
      e.mbar    = a_mbar;
      e.share   = a_share;
      e.share_slot = beat_share_slot_i;
      e.ok      = a_mbar ? a_ok & ~count : a_ok;
      e.pending = a_mbar ? pending : a_pending;
      e.losers  = a_losers;
      e.code2   = a_code2;
      e.code1   = a_code1;
      e.code0   = a_code0;
      addr_o    = a_addr;
      data_o    = beat_rb_i;
      more_o    = {beat_slot_i, whole, one, count, op};
      gather_rd  = rd_used;
      gather_low = 'x;
      if (from_gather) begin
        {e.tag, e.port, e.index, e.last, gather_rd, e.code2, e.code1, e.code0, gather_low, more_o} = gather_out;
        e.mbar    = 1'b1;
        e.share   = 1'b0;
        e.ok      = gather_ok;
        e.pending = gather_ok;
        addr_o    = gather_addr;
        for (int l = 0; l < Lanes; l++) data_o[l*128 +: 32] = gather_low[l*32 +: 32];
      end
      ctl = '0;
      ctl[`WL_ATOMS_PIPE_CTL_SIZE]    = 3'd3;
      ctl[`WL_ATOMS_PIPE_CTL_RD_USED] = gather_rd;
      e.ctl  = e.mbar ? ctl : a_ctl[CtlBits-1:0];
      e.kind = !e.mbar ? plain : more_o[2:0] == `WL_MBAR_READ || more_o[2:0] == `WL_MBAR_EXCH ? `WL_ATOMS_PIPE_LDS :
               `WL_ATOMS_PIPE_ATOMS;
    end
  end else begin : gen_no_mbar_front
    assign a_size       = a_ctl[`WL_ATOMS_PIPE_CTL_SIZE];
    assign a_scale      = a_ctl[`WL_ATOMS_PIPE_CTL_SCALE];
    assign a_spin       = a_ctl[`WL_ATOMS_PIPE_CTL_SPIN];
    assign beat_ready_o = open && ready_i;
    assign idle_o       = 1'b1;
    assign move_o       = a_move;
    assign e.tag        = beat_tag_i;
    assign e.port       = beat_port_i;
    assign e.index      = beat_index_i;
    assign e.last       = beat_last_i;
    assign e.mbar       = 1'b0;
    assign e.share      = a_share;
    assign e.share_slot = beat_share_slot_i;
    assign e.kind       = plain;
    assign e.ctl        = a_ctl[CtlBits-1:0];
    assign e.ok         = a_ok;
    assign e.pending    = a_pending;
    assign e.losers     = a_losers;
    assign e.code2      = a_code2;
    assign e.code1      = a_code1;
    assign e.code0      = a_code0;
    assign addr_o       = a_addr;
    assign data_o       = beat_rb_i;
    assign more_o       = '0;
    assign group_o      = '0;
    logic unused_mbar;
    assign unused_mbar = ^{beat_slot_i, layout_v1_i, a_mask, a_data, more_o, group_o, begins, looks, looks_odd};
  end
  assign entry_o = e;
  logic unused;
  assign unused = ^{beat_flags_i, a_ctl};
endmodule
`default_nettype wire
