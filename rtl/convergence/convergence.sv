// SPDX-License-Identifier: Apache-2.0
// 16 convergence barriers of each warp: BSSY, BSYNC, BREAK, BMOV, WARPSYNC, YIELD, and the EXIT of some lanes. The
// answer is the set of lanes ready after the request, or for BMOV the lanes' sets.
//
//   cycle 0  B  the last beat of a request is on the bus; the warp's state and the row of the barrier are read
//         1  S  the step (converge_step); COMMIT: state and row are written; the first beat of the answer goes to its queue
//
// If lanes wait at BSYNC, a YIELD takes a cycle more, and one for each barrier with waiting lanes: S reads each row.
//
// A warp has one request here at a time, and stands still until the answer: nothing is forwarded between requests. The
// CTA bus tells the live lanes of a new warp; the first request after finds all barriers of the warp empty.
// Lanes of WARPSYNC with misused masks fault in this step, in the place of their COMMIT.
// Only a YIELD may name waiting lanes.
// The last EXIT of a warp is no request of this unit: exit_stay_o tells sync_core whether lanes stay.
`include "assert.vh"
`include "wl_config.vh"
`include "wl_units.vh"
`default_nettype none

module convergence #(
  parameter int Lanes    = 32,                                 // 4, 8, 16, 32: lanes of a beat
  parameter int Ports    = 1,                                  // 1, 2, 4
  parameter int Warps    = 48,                                 // 1..48
  parameter int Answers  = (Lanes < 16 ? 64 : 128) / Lanes,    // beats kept for a port; a power of two, two requests or more
  parameter bit Trace    = 1'b1,
  parameter int PortBits = Ports > 1 ? $clog2(Ports) : 1,      // derived, do not override, like all below
  parameter int BeatBits = Lanes < 32 ? $clog2(32 / Lanes) : 1,
  parameter int WarpBits = Warps > 1 ? $clog2(Warps) : 1,
  parameter int RspBits  = 30 + Lanes * 8                      // as in rsp_merge
) (
  input  logic                       clk_i,
  input  logic                       rst_i,

  // a CTA comes to a slot, with warps first, first + 1, ...; the last warp has cta_lanes_i lanes
  input  logic                       cta_valid_i,
  input  logic [3:0]                 cta_slot_i,
  input  logic [5:0]                 cta_first_i,
  input  logic [5:0]                 cta_warps_i,
  input  logic [5:0]                 cta_lanes_i,              // 1..32

  // EXITs standing at the ports: do lanes of the warp stay?
  input  logic [Ports*6-1:0]         exit_warp_i,
  input  logic [Ports*4-1:0]         exit_slot_i,
  input  logic [Ports*32-1:0]        exit_mask_i,
  output logic [Ports-1:0]           exit_stay_o,

  // beat bus
  input  logic                       beat_valid_i,
  output logic                       beat_ready_o,
  output logic [Ports-1:0]           room_o,        // the port may begin another request
  input  logic [PortBits-1:0]        beat_port_i,
  input  logic                       beat_exit_i,   // EXIT; else beat_kind_i is the instruction
  input  logic                       beat_header_i, // header-only: no operands
  input  logic [21:0]                beat_tag_i,
  input  logic [3:0]                 beat_slot_i,
  input  logic [4:0]                 beat_kind_i,
  input  logic [31:0]                beat_ctl_i,
  input  logic [6:0]                 beat_flags_i,
  input  logic [31:0]                beat_imm_i,
  input  logic [BeatBits-1:0]        beat_index_i,
  input  logic                       beat_last_i,
  input  logic [31:0]                beat_mask_i,   // with the first beat: all lanes
  input  logic [31:0]                beat_pred_i,   // likewise
  input  logic [Lanes*64-1:0]        beat_ra_i,

  // to the scoreboard
  output logic                       done_valid_o,
  output logic [5:0]                 done_warp_o,

  // response beats, of each port
  output logic [Ports-1:0]           rsp_valid_o,
  input  logic [Ports-1:0]           rsp_take_i,
  output logic [Ports*RspBits-1:0]   rsp_o,
  output logic [Ports*Lanes*128-1:0] rsp_data_o,
  output logic                       idle_o,

  // trace
  output logic                       trace_fault_valid_o,
  output logic [21:0]                trace_fault_tag_o,
  output logic [63:0]                trace_fault_lanes_o,      // {in another mask, not in the own mask}
  output logic                       trace_commit_valid_o,
  output logic [21:0]                trace_commit_tag_o,
  output logic [31:0]                trace_commit_lanes_o,
  output logic [31:0]                trace_commit_value_o
);
  localparam int Beats    = 32 / Lanes;
  localparam int LaneBits = $clog2(Lanes);
  localparam int Bars     = 16;
  localparam int AtBits   = 5;
  localparam int Count    = $clog2(Beats + 1);
  localparam int Stored   = Beats > 1 ? 32 - Lanes : 1;        // lanes of the beats before the last one
  localparam int Bits     = 32 + 32 + 32*AtBits + 32*32 + Bars + Bars*32;   // of a warp's state, live lanes apart
  localparam logic [2:0] InWord = 3'd2;                        // the mask of WARPSYNC

  if (Lanes != 4 && Lanes != 8 && Lanes != 16 && Lanes != 32) begin : gen_bad_lanes
    lanes_must_be_4_8_16_or_32 u_bad ();
  end
  if (Answers < 2 || Answers < Beats || (Answers & (Answers - 1)) != 0) begin : gen_bad_answers
    answers_must_be_a_power_of_two_that_holds_a_request u_bad ();
  end

  // ---- live lanes --------------------------------------------------------------------------------------------
  // A warp is new from its launch to its first request. The CTA's last warp may have fewer lanes.
  logic [Warps-1:0] new_q, launched;
  logic [16*6-1:0]  tail_q, tail_lanes_q;       // of each slot: the last warp, and lanes of the last warp
  logic [31:0]      live [0:Warps-1];

  function automatic logic [31:0] first_lanes(input logic is_tail, input logic [5:0] lanes);
    first_lanes = is_tail && !lanes[5] ? ~(32'hffff_ffff << lanes[4:0]) : 32'hffff_ffff;
  endfunction

  always_comb begin
    launched = '0;
    if (cta_valid_i) begin
      for (int w = 0; w < Warps; w++) launched[w] = 6'(w) >= cta_first_i && 7'(w) < 7'(cta_first_i) + 7'(cta_warps_i);
    end
  end
  for (genvar p = 0; p < Ports; p++) begin : gen_exit
    logic [5:0]          warp;
    logic [WarpBits-1:0] at;
    logic [3:0]          slot;
    logic [31:0]         alive;
    assign warp  = exit_warp_i[p*6 +: 6];
    assign at    = warp[WarpBits-1:0];
    assign slot  = exit_slot_i[p*4 +: 4];
    assign alive = new_q[at] ? first_lanes(tail_q[slot*6 +: 6] == warp, tail_lanes_q[slot*6 +: 6]) : live[at];
    assign exit_stay_o[p] = (alive & ~exit_mask_i[p*32 +: 32]) != '0;
  end

  // ---- B: a beat ---------------------------------------------------------------------------------------------
  logic                take, first, whole, operands, load, s_valid_q, s_last;
  logic [Ports-1:0]    room, enter;
  logic [WarpBits-1:0] warp;
  logic [3:0]          bar;
  logic [Lanes*32-1:0] words;
  logic [Count-1:0]    answers;
  logic [31:0]         mask, pred, b_lanes;

  assign room_o       = room;
  assign first        = beat_index_i == '0;
  assign whole        = beat_exit_i || beat_header_i;           // one beat, and one answer
  assign answers      = whole ? Count'(1) : Count'(Beats);
  assign beat_ready_o = (!first || room[beat_port_i]) && (!beat_last_i || !s_valid_q || s_last);
  assign take         = beat_valid_i && beat_ready_o;
  assign load         = take && beat_last_i;
  assign operands     = beat_kind_i == `WL_CONVERGENCE_WARPSYNC || beat_kind_i == `WL_CONVERGENCE_BMOV_R2B;
  assign warp         = beat_tag_i[16 +: WarpBits];
  assign bar          = beat_ctl_i[`WL_CONVERGENCE_CTL_BAR];
  always_comb begin
    enter = '0;
    if (take && first) enter[beat_port_i] = 1'b1;
  end
  always_comb begin
    words = 'x;
    if (take && !whole && operands) begin
      for (int l = 0; l < Lanes; l++) begin
        words[l*32 +: 32] = beat_ctl_i[`WL_CONVERGENCE_CTL_SRC] == InWord ? beat_imm_i :
                            beat_flags_i[`WL_FLAG_RA] || beat_ctl_i[`WL_CONVERGENCE_CTL_SRC] != 3'd1 ? beat_ra_i[l*64 +: 32] : '0;
      end
    end
  end
  // BSYNC and BREAK are for lanes with a true predicate.
  assign b_lanes = beat_exit_i || !(beat_kind_i == `WL_CONVERGENCE_BSYNC || beat_kind_i == `WL_CONVERGENCE_BREAK) ? mask : mask & pred;

  logic [32*32-1:0] row;
  if (Beats > 1) begin : gen_gather
    // Words of earlier beats move down as the next beat comes: the first lanes then stand lowest.
    logic [Stored*32-1:0] row_q;
    logic [31:0]          mask_q, pred_q;
    always_ff @(posedge clk_i) begin
      if (take && first) {mask_q, pred_q} <= {beat_mask_i, beat_pred_i};
      if (take && !beat_last_i) row_q <= (Stored*32)'({words, row_q} >> (Lanes*32));
    end
    assign row  = {words, row_q};
    assign mask = first ? beat_mask_i : mask_q;
    assign pred = first ? beat_pred_i : pred_q;
  end else begin : gen_whole
    assign row  = words;
    assign mask = beat_mask_i;
    assign pred = beat_pred_i;
  end

  // ---- S: the step -------------------------------------------------------------------------------------------
  logic                s_exit_q, s_whole_q, s_apart_q, s_reads_q, s_to_rd_q, s_new_q, s_done_q;
  logic [PortBits-1:0] s_port_q;
  logic [21:0]         s_tag_q;
  logic [4:0]          s_kind_q;
  logic [3:0]          s_bar_q;
  logic [31:0]         s_mask_q, s_lanes_q, s_live_q, s_first_q, s_live, s_ready, s_self, s_odds, s_taken, live_d;
  logic [32*32-1:0]    s_row_q, set_q, set_d, old_row;
  logic [Bits-1:0]     state_q, state, state_d;
  logic                commit, set_we;
  logic [WarpBits-1:0] s_warp;
  logic [Bits-1:0]     states [0:Warps-1];
  logic [32*32-1:0]    sets [0:Warps*Bars-1];

  assign s_warp = s_tag_q[16 +: WarpBits];
  logic [31:0]          yielded_d, waits_d;
  logic [32*AtBits-1:0] at_d;
  logic [32*32-1:0]     want_d;
  logic [Bars-1:0]      used_d;
  logic [Bars*32-1:0]   cleared_d;
  logic [31:0]          yielded, waits;
  logic [32*AtBits-1:0] at;
  logic [32*32-1:0]     want;
  logic [Bars-1:0]      used;
  logic [Bars*32-1:0]   cleared;
  assign {yielded, waits, at, want, used, cleared} = state;
  assign state_d = {yielded_d, waits_d, at_d, want_d, used_d, cleared_d};

  // A YIELD first looks for barriers with waiting lanes, then walks over these barriers.
  logic [Bars-1:0] at_bars, left;
  logic            look, steps, s_walks_q;
  logic [Bars-1:0] s_left_q;                     // behind the barrier in s_bar_q
  logic [31:0]     stands, s_stands_q;           // named lanes, already waiting before the walk
  logic [3:0]      next_bar;

  always_comb begin
    at_bars = '0;
    if (s_valid_q && s_kind_q == `WL_CONVERGENCE_YIELD && waits != '0) begin
      for (int l = 0; l < 32; l++) if (waits[l] && !at[l*AtBits + 4]) at_bars[at[l*AtBits +: 4]] = 1'b1;
    end
  end
  assign look   = s_valid_q && !s_exit_q && !s_walks_q && at_bars != '0;
  assign steps  = s_valid_q && !s_done_q && !look;
  assign commit = steps && (!s_walks_q || s_left_q == '0);
  assign left   = s_walks_q ? s_left_q : at_bars;
  assign stands = s_walks_q ? s_stands_q : s_lanes_q & waits;
  always_comb begin
    next_bar = '0;
    if (left != '0) begin
      for (int b = Bars - 1; b >= 0; b--) if (left[b]) next_bar = b[3:0];
    end
  end
  // A new warp waits nowhere and has no barriers.
  assign state  = s_new_q ? '0 : state_q;
  assign s_live = s_new_q ? s_first_q : s_live_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      s_valid_q <= 1'b0;
      s_done_q  <= 1'b0;
      new_q     <= '1;
    end else begin
      s_valid_q <= load || (s_valid_q && !s_last);
      s_done_q  <= (commit || s_done_q) && !s_last;
      new_q     <= (new_q | launched) & ~(load ? Warps'(1) << warp : '0);
    end
  end
  always_ff @(posedge clk_i) begin
    if (rst_i) tail_lanes_q <= {16{6'd32}};
    else if (cta_valid_i) tail_lanes_q[cta_slot_i*6 +: 6] <= cta_lanes_i;
    if (cta_valid_i) tail_q[cta_slot_i*6 +: 6] <= cta_first_i + cta_warps_i - 6'd1;
  end
  always_ff @(posedge clk_i) begin
    if (load) begin
      s_exit_q  <= beat_exit_i;
      s_whole_q <= whole;
      s_port_q  <= beat_port_i;
      s_tag_q   <= beat_tag_i;
      s_kind_q  <= beat_kind_i;
      s_bar_q   <= bar;
      s_apart_q <= beat_ctl_i[`WL_CONVERGENCE_CTL_APART];
      s_reads_q <= !whole && !operands;
      s_to_rd_q <= beat_ctl_i[`WL_CONVERGENCE_CTL_TO_RD];
      s_mask_q  <= mask;
      s_lanes_q <= b_lanes;
      s_new_q   <= new_q[warp];
      s_first_q <= first_lanes(tail_q[beat_slot_i*6 +: 6] == beat_tag_i[21:16], tail_lanes_q[beat_slot_i*6 +: 6]);
      s_live_q  <= live[warp];
      state_q   <= states[warp];
      set_q     <= sets[{warp, bar}];
      if (operands) s_row_q <= row;
      s_walks_q <= 1'b0;
    end else if (look || (steps && !commit)) begin
      s_walks_q  <= 1'b1;
      s_left_q   <= left & ~(Bars'(1) << next_bar);
      s_stands_q <= stands;
      s_bar_q    <= next_bar;
      set_q      <= sets[{s_warp, next_bar}];
      if (steps) state_q <= state_d;
    end
    if (commit) begin
      states[s_warp] <= state_d;
      live[s_warp]   <= live_d;
    end
    if (set_we) sets[{s_warp, s_bar_q}] <= set_d;
  end

  converge_step #(.Warp(32), .Bars(Bars)) u_step (
    .valid_i(steps), .exit_i(s_exit_q), .kind_i(s_kind_q), .apart_i(s_apart_q), .bar_i(s_bar_q), .lanes_i(s_lanes_q),
    .stands_i(stands), .row_i(s_row_q), .live_i(s_live), .waits_i(waits), .yielded_i(yielded), .at_i(at), .want_i(want), .used_i(used),
    .cleared_i(cleared), .set_i(set_q), .live_o(live_d), .waits_o(waits_d), .yielded_o(yielded_d), .at_o(at_d),
    .want_o(want_d), .used_o(used_d), .cleared_o(cleared_d), .set_we_o(set_we), .set_o(set_d), .row_o(old_row),
    .ready_o(s_ready), .self_o(s_self), .odds_o(s_odds)
  );
  // Faulting lanes of WARPSYNC commit nothing; perhaps no lane of the request is left.
  assign s_taken = s_mask_q & ~(s_self | s_odds);

  assign done_valid_o         = commit && !s_whole_q;
  assign done_warp_o          = s_tag_q[21:16];
  assign trace_fault_valid_o  = Trace && commit && s_taken != s_mask_q;
  assign trace_fault_tag_o    = s_tag_q;
  assign trace_fault_lanes_o  = {s_odds, s_self};
  assign trace_commit_valid_o = Trace && commit && s_taken != '0;
  assign trace_commit_tag_o   = s_tag_q;
  assign trace_commit_lanes_o = s_taken;
  assign trace_commit_value_o = s_ready;

  // ---- answers -----------------------------------------------------------------------------------------------
  // The row and the set of ready lanes stand still for the beats behind the first beat. No answer has a predicate: in
  // the queue the predicate says whether the lane faults, and `written` of a faulting lane says whether by the second
  // code.
  logic [Lanes-1:0]    written, faulty, second;
  logic [Lanes*32-1:0] answer;
  logic [Ports-1:0]    empty;
  if (Beats > 1) begin : gen_beats
    logic [BeatBits-1:0] index_q;
    logic [32*32-1:0]    kept_q, rows;
    logic [31:0]         ready_q, taken_q, odds_q, all_taken, all_odds;
    always_ff @(posedge clk_i) begin
      if (rst_i || !s_valid_q || s_last) index_q <= '0;
      else index_q <= index_q + BeatBits'(commit || s_done_q);
    end
    always_ff @(posedge clk_i) begin
      if (commit && !s_whole_q) {kept_q, ready_q, taken_q, odds_q} <= {old_row, s_ready, s_taken, s_odds};
    end
    assign s_last  = s_whole_q ? commit : index_q == BeatBits'(Beats - 1);
    assign rows      = commit ? old_row : kept_q;
    assign all_taken = commit ? s_taken : taken_q;
    assign all_odds  = commit ? s_odds : odds_q;
    assign written   = s_whole_q ? Lanes'(1) : s_reads_q && !s_to_rd_q ? '0 : all_taken[{index_q, {LaneBits{1'b0}}} +: Lanes];
    assign faulty    = s_whole_q ? '0 : Lanes'((s_mask_q & ~all_taken) >> {index_q, {LaneBits{1'b0}}});
    assign second    = all_odds[{index_q, {LaneBits{1'b0}}} +: Lanes];
    always_comb begin
      answer = 'x;
      if (s_valid_q) begin
        for (int l = 0; l < Lanes; l++) begin
          answer[l*32 +: 32] = !written[l] ? '0 : !s_reads_q ? (commit ? s_ready : ready_q) :
                               rows[{index_q, {(LaneBits + 5){1'b0}}} + 10'(l*32) +: 32];
        end
      end
    end
  end else begin : gen_one_beat
    assign s_last  = commit;
    assign written = s_whole_q ? Lanes'(1) : s_reads_q && !s_to_rd_q ? '0 : s_taken;
    assign faulty  = s_whole_q ? '0 : s_mask_q & ~s_taken;
    assign second  = s_odds;
    always_comb begin
      answer = 'x;
      if (commit) begin
        for (int l = 0; l < Lanes; l++) answer[l*32 +: 32] = !written[l] ? '0 : s_reads_q ? old_row[l*32 +: 32] : s_ready;
      end
    end
  end

  for (genvar p = 0; p < Ports; p++) begin : gen_port
    logic [RspBits-1:0] kept;
    logic [Lanes*6-1:0] codes;
    logic [Lanes-1:0]   bad, marked;
    unit_answers #(.Lanes(Lanes), .Depth(Answers)) u_answers (
      .clk_i, .rst_i, .room_o(room[p]), .enter_i(enter[p]), .beats_i(answers), .push_i((commit || s_done_q) && s_port_q == PortBits'(p)),
      .tag_i(s_tag_q), .last_i(s_last), .written_i(written | (faulty & second)), .pred_i(faulty), .word_i(answer),
      .rsp_valid_o(rsp_valid_o[p]), .rsp_take_i(rsp_take_i[p]), .rsp_o(kept), .rsp_data_o(rsp_data_o[p*Lanes*128 +: Lanes*128]),
      .empty_o(empty[p])
    );
    assign marked = kept[29 +: Lanes];
    assign bad    = kept[29 + Lanes +: Lanes];
    always_comb begin
      codes = '0;
      if (rsp_valid_o[p] && bad != '0) begin
        for (int l = 0; l < Lanes; l++) begin
          if (bad[l]) codes[l*6 +: 6] = marked[l] ? `WL_FAULT_WARP_MASK_MISMATCH : `WL_FAULT_WARP_MASK_SELF;
        end
      end
    end
    assign rsp_o[p*RspBits +: RspBits] = {codes, bad != '0, {Lanes{1'b0}}, marked & ~bad, kept[28:0]};
    logic unused_kept;
    assign unused_kept = ^kept[RspBits-1:29+2*Lanes];
  end

  // A request with beats still to come keeps the bus busy, and so the core is not idle.
  assign idle_o = !s_valid_q && &empty;

  logic unused_bits;
  assign unused_bits = ^{beat_ctl_i, beat_flags_i, beat_ra_i, beat_mask_i, beat_pred_i};

  `ASSERT(Legal_A, !beat_valid_i || beat_exit_i || !beat_flags_i[`WL_FLAG_ILLEGAL])
  `ASSERT(ExecutesAndDoesNotWait_A, !commit || (s_lanes_q & ((waits & ~stands) | ~s_live)) == '0)
  `ASSERT(OnlyYieldNamesWaiters_A, !commit || stands == '0 || (!s_exit_q && s_kind_q == `WL_CONVERGENCE_YIELD))
  `ASSERT(OneOfAWarp_A, !load || !s_valid_q || s_warp != warp)
endmodule
`default_nettype wire
