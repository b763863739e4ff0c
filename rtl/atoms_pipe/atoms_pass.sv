// SPDX-License-Identifier: Apache-2.0
// Stage P of atoms_pipe: a beat stands here until the last pass is issued. pass_select chooses the lanes of the next
// pass. atoms_issue (lean form: atoms_issue_lean) decides when the pass may go. A beat takes a response slot with the
// first pass.
//
// Lanes of a load on the same word see the same value, even in several beats: beats of a request follow each other, and
// nothing lands between two passes of a load (`load_o`). So a load, once begun, waits for no response port: a load with
// several beats begins when all beats have room.
`include "assert.vh"
`include "atoms_bundles.vh"
`include "wl_config.vh"
`include "wl_units.vh"
`default_nettype none

module atoms_pass #(
  parameter int Lanes     = 32,
  parameter int Banks     = 32,
  parameter int PortBits  = 1,
  parameter int SlotBits  = 3,
  parameter int AddrBits  = 16,
  parameter int ShareBits = 2,
  parameter int HeadBits  = 22 + 1 + 6 + Lanes * 3,              // of atoms_pipe
  parameter int Combine   = 0,
  parameter bit Adds      = 1'b0,                                // with adders of floats
  parameter int FpStages  = 1,
  parameter bit Wide      = 1'b0,
  parameter bit Matrix    = 1'b0,
  parameter bit Lean      = 1'b0,
  parameter int FpLanes   = 4,
  parameter int BeatBits  = Lanes < 32 ? $clog2(32 / Lanes) : 1,   // derived, do not override, like all below
  parameter int LaneBits  = $clog2(Lanes),
  parameter int BankBits  = $clog2(Banks),
  parameter int CtlBits   = `WL_ATOMS_PIPE_CTL_BITS,
  parameter int Words     = Combine > 0 ? Combine : 1
) (
  input  logic                      clk_i,
  input  logic                      rst_i,

  // the next beat
  input  logic                      move_i,
  input  logic [`WL_ATOMS_ENTRY_BITS-1:0] entry_i,
  input  logic [Lanes*AddrBits-1:0] addr_i,
  input  logic [Lanes*128-1:0]      data_i,
  input  logic [Lanes*128-1:0]      wide_i,          // new words of a compare-and-swap of 128 bits
  output logic                      free_o,          // a beat may come in the next cycle

  // a pass
  input  logic                      hold_i,          // issue no pass
  input  logic                      end_i,           // lean form: the pass has left W
  output logic                      valid_o,         // a beat is in P
  output logic                      begun_o,         // the beat has had a pass
  output logic                      issue_o,         // nobody else may read in the next cycle
  output logic                      fire_o,          // a pass goes to R
  output logic                      begin_o,         // ... the first pass of the beat
  output logic                      leave_o,         // ... the last pass
  output logic                      load_o,          // a load has had passes, and has more to come
  output logic [`WL_ATOMS_PASS_BITS-1:0] pass_o,
  output logic [`WL_ATOMS_PART_BITS-1:0] part_o,
  output logic [`WL_ATOMS_CHOICE_BITS-1:0] choice_o,
  output logic                      combines_o,      // the lanes of a word go together
  output logic [Lanes-1:0]          mask_o,          // lanes with a result
  output logic [Lanes*AddrBits-1:0] addr_o,
  output logic [Lanes*128-1:0]      data_o,
  output logic [Lanes*128-1:0]      wide_o,
  output logic [Lanes-1:0]          code2_o,         // faults
  output logic [Lanes-1:0]          code1_o,
  output logic [Lanes-1:0]          code0_o,

  // response slots
  input  logic                      alloc_ready_i,
  input  logic                      whole_ready_i,
  input  logic [SlotBits-1:0]       alloc_slot_i,
  output logic                      alloc_o,
  output logic                      head_we_o,
  output logic [`WL_ATOMS_HEAD_BITS-1:0] head_o,

  // atom_unit, of shared beats
  output logic                      share_begin_o,
  output logic [`WL_ATOMS_BEGINS_BITS-1:0] share_begins_o
);
  typedef `WL_ATOMS_ENTRY  entry_t;
  typedef `WL_ATOMS_CHOICE choice_t;
  typedef `WL_ATOMS_PASS   pass_t;
  typedef `WL_ATOMS_PART   part_t;
  typedef `WL_ATOMS_HEAD   head_t;
  typedef `WL_ATOMS_BEGINS begins_t;
  localparam logic [3:0] OpInc = 4'd3, OpDec = 4'd4; // of atomic_alu
  entry_t  entry;
  choice_t s, p, choice;     // choice of pass_select; pass offered for issue; the same with banks
  pass_t   pass;
  part_t   part;
  head_t   head;
  begins_t begins;
  assign entry    = entry_i;
  assign pass_o   = pass;
  assign part_o   = part;
  assign head_o   = head;
  assign share_begins_o = begins;

`include "atoms_sizes.vh"

  logic                      p_valid_q, p_started_q, p_last_q, p_mbar_q, p_share_q;
  logic [ShareBits-1:0]      p_share_slot_q;
  logic [Lanes-1:0]          p_pending_q, p_losers_q, p_mask_q, p_code2_q, p_code1_q, p_code0_q;
  logic [21:0]               p_tag_q;
  logic [PortBits-1:0]       p_port_q;
  logic [BeatBits-1:0]       p_index_q;
  logic [4:0]                p_kind_q;
  logic [CtlBits-1:0]        p_ctl_q;
  logic [SlotBits-1:0]       p_slot_q, p_slot;
  logic [Lanes*AddrBits-1:0] p_addr_q;
  logic [Lanes*128-1:0]      p_data_q;
  logic [5:0]                passes_q, passes;
  logic                      p_fire, p_begin, p_leave, p_waits, p_all, p_gap;
  logic                      p_done;          // P is free from the next cycle on
  logic [1:0]                p_span_q;        // banks of a group - 1
  logic                      p_open, p_over;  // a pass is chosen; the last pass of the beat
  logic [Lanes-1:0]          p_able, p_lanes, p_rest, p_chosen;
  logic [Banks-1:0]          p_leads, p_banks;
  logic [2:0]                p_type;
  assign p_chosen = p.lanes;
  assign p_banks  = p.banks;
  always_comb begin
    choice       = p;
    choice.banks = p_banks;
  end
  assign choice_o = choice;

  // Combining accesses: stores, and operations of 32 bits with a fold.
  logic p_store, p_combines;
  assign p_store    = p_kind_q == `WL_ATOMS_PIPE_STS && !p_mbar_q;
  assign p_combines = Combine > 0 && (p_store || (p_kind_q == `WL_ATOMS_PIPE_ATOMS && !p_mbar_q &&
                      p_ctl_q[`WL_ATOMS_PIPE_CTL_SIZE] == 3'd2 && p_ctl_q[`WL_ATOMS_PIPE_CTL_OP] != OpInc &&
                      p_ctl_q[`WL_ATOMS_PIPE_CTL_OP] != OpDec));
  assign combines_o = p_combines;

  // The rows of a single matrix at a time.
  logic [Lanes-1:0] p_some;
  if (Matrix && Lanes > 8) begin : gen_some
    always_comb begin
      p_some = '1;
      if (p_valid_q && !p_mbar_q && p_ctl_q[`WL_ATOMS_PIPE_CTL_MATRICES] != '0) begin
        for (int m = Lanes / 8 - 1; m >= 0; m--) begin
          if (p_pending_q[m*8 +: 8] != '0) p_some = Lanes'(8'hff) << (m * 8);
        end
      end
    end
  end else begin : gen_all
    assign p_some = '1;
  end

  pass_select #(.Lanes(Lanes), .Banks(Banks), .AddrBits(AddrBits), .Combine(Combine)) u_select (
    .valid_i(p_valid_q), .load_i(p_kind_q == `WL_ATOMS_PIPE_LDS), .combine_i(p_combines), .store_i(p_store),
    .group_i(p_span_q), .pending_i(p_pending_q & p_some), .addr_i(p_addr_q), .lanes_o(p_able), .all_o(p_all), .banks_o(p_leads),
    .win_o(s.win), .with_o(s.joins), .lead_o(s.lead)
  );

  // A pass of floats is cut to the capacity of the adders.
  assign p_type = p_kind_q == `WL_ATOMS_PIPE_ATOMSN ? p_ctl_q[`WL_ATOMS_PIPE_CTL_TYPE] : '0;
  if (Adds) begin : gen_pick
    fp_pick #(.Lanes(Lanes), .Banks(Banks), .AddrBits(AddrBits), .Places(FpLanes)) u_pick (
      .valid_i(p_valid_q && p_type != '0), .group_i(p_span_q), .lanes_i(p_able), .banks_i(p_leads), .addr_i(p_addr_q),
      .lanes_o(s.lanes), .banks_o(s.banks), .used_o(s.adds), .at_o(s.adds_at)
    );
  end else begin : gen_no_pick
    assign s.lanes   = p_able;
    assign s.banks   = p_leads;
    assign s.adds    = '0;
    assign s.adds_at = '0;
  end

  if (Lean) begin : gen_lean
    atoms_issue_lean #(.Lanes(Lanes), .Banks(Banks), .Combine(Combine), .FpLanes(FpLanes)) u_issue (
`include "atoms_issue_pins.vh"
    );
    if (Combine != 0) begin : gen_bad
      lean_atoms_pipe_does_not_combine u_bad ();
    end
  end else begin : gen_full
    atoms_issue #(.Lanes(Lanes), .Banks(Banks), .Combine(Combine), .Adds(Adds), .FpStages(FpStages), .FpLanes(FpLanes)) u_issue (
`include "atoms_issue_pins.vh"
    );
  end

  assign p_waits = Lanes < 32 && p_kind_q == `WL_ATOMS_PIPE_LDS && p_index_q == '0;
  assign p_fire  = p_open && !hold_i && !p_gap && (p_started_q || p_share_q || (p_waits ? whole_ready_i : alloc_ready_i));
  assign issue_o = p_fire || p_gap;
  assign p_leave = p_fire && p_over;
  assign p_slot  = p_started_q ? p_slot_q : alloc_slot_i;

  assign p_lanes = p_chosen | (p_started_q ? '0 : p_losers_q);
  assign p_rest  = p_pending_q & ~p_chosen;
  assign passes  = passes_q + 6'(p_lanes != '0);

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      p_valid_q   <= 1'b0;
      p_started_q <= 1'b0;
      passes_q    <= '0;
      load_o      <= 1'b0;
    end else begin
      p_valid_q <= move_i || (p_valid_q && !p_done);
      if (p_fire) begin
        load_o      <= p_kind_q == `WL_ATOMS_PIPE_LDS && !(p_leave && p_last_q);
        p_started_q <= !p_leave;
        passes_q    <= p_leave && p_last_q ? '0 : passes;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (move_i) begin
      p_tag_q     <= entry.tag;
      p_port_q    <= entry.port;
      p_index_q   <= entry.index;
      p_last_q    <= entry.last;
      p_mbar_q    <= entry.mbar;
      p_share_q   <= entry.share;
      p_share_slot_q <= entry.share_slot;
      p_kind_q    <= entry.kind;
      p_ctl_q     <= entry.ctl;
      p_span_q    <= group_of(entry.ctl[`WL_ATOMS_PIPE_CTL_SIZE]);   // a register: the next beat's path begins here
      p_pending_q <= entry.pending;
      p_losers_q  <= entry.mbar ? '0 : entry.losers;
      p_mask_q    <= entry.ctl[`WL_ATOMS_PIPE_CTL_RD_USED] ? entry.ok : '0;
      p_code2_q   <= entry.code2;
      p_code1_q   <= entry.code1;
      p_code0_q   <= entry.code0;
      p_addr_q    <= addr_i;
      p_data_q    <= data_i;
    end else if (p_fire) begin
      p_pending_q <= p_rest;
    end
    if (p_fire) p_slot_q <= p_slot;
  end

  // The new words of compare-and-swap of 128 bits have registers of their own, touched by nothing else.
  if (Wide) begin : gen_wide
    logic [Lanes*128-1:0] p_wide_q;
    always_ff @(posedge clk_i) if (move_i && entry.ctl[`WL_ATOMS_PIPE_CTL_SIZE] == 3'd4 && !entry.mbar && is_compare(entry.kind)) p_wide_q <= wide_i;
    assign wide_o = p_wide_q;
  end else begin : gen_no_wide
    assign wide_o = '0;
    logic unused_wide;
    assign unused_wide = ^wide_i;
  end

  assign p_begin  = p_fire && !p_started_q;
  assign valid_o  = p_valid_q;
  assign begun_o  = p_started_q;
  assign fire_o   = p_fire;
  assign begin_o  = p_begin;
  assign leave_o  = p_leave;
  assign mask_o   = p_mask_q;
  assign addr_o   = p_addr_q;
  assign data_o   = p_data_q;
  assign code2_o  = p_code2_q;
  assign code1_o  = p_code1_q;
  assign code0_o  = p_code0_q;
  assign pass.tag        = p_tag_q;
  assign pass.port       = p_port_q;
  assign pass.index      = p_index_q;
  assign pass.kind       = p_kind_q;
  assign pass.ctl        = p_ctl_q;
  assign pass.last       = p_last_q;
  assign pass.mbar       = p_mbar_q;
  assign pass.share      = p_share_q;
  assign pass.share_slot = p_share_slot_q;
  assign part.slot       = Lean ? p_slot_q : p_slot;  // stages of the lean form read the slot after the issue
  assign pass.losers     = p_losers_q;
  assign part.lanes      = p_lanes;
  assign part.finish     = p_leave;
  assign alloc_o         = p_begin && !p_share_q;
  assign head_we_o       = p_fire && !p_share_q;
  assign head.slot       = p_slot;
  assign head.head       = HeadBits'({p_code2_q, p_code1_q, p_code0_q, p_mask_q, passes, p_last_q, p_tag_q});
  assign head.matrix     = Matrix && !p_mbar_q && p_kind_q == `WL_ATOMS_PIPE_LDS && p_ctl_q[`WL_ATOMS_PIPE_CTL_RD_USED] ?
                           {p_ctl_q[`WL_ATOMS_PIPE_CTL_TYPE] != '0, p_ctl_q[`WL_ATOMS_PIPE_CTL_MATRICES]} : '0;

  // atom_unit has judged all but the CTA and the range.
  assign share_begin_o  = p_begin && p_share_q;
  assign begins.slot    = p_share_slot_q;
  assign begins.index   = p_index_q;
  assign begins.outside = p_code1_q;
  assign begins.absent  = p_code2_q & ~p_code0_q;
  assign begins.ended   = p_code2_q & p_code0_q;

  `ASSERT(PassHasWinners_A, !p_open || (p_pending_q == '0) == (p_chosen == '0))
  `ASSERT(PassesFit_A, passes_q <= 6'd32)
endmodule
`default_nettype wire
