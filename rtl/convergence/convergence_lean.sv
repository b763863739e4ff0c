// SPDX-License-Identifier: Apache-2.0
// convergence for small boards: the same requests, answers and events, one request at a time, and one lane after
// another.
//
// The sets of a barrier, and the place and set of each lane's wait, are in RAMs with a word a lane. Registers hold only
// the bits a lane of the current warp. A request is a few passes over the lanes: a cycle reads a lane's words, the next
// cycle changes and writes the words.
//
//   gather   WARPSYNC, BMOV to a barrier: the words come a lane a cycle; the bus holds a beat for so long
//   gives    BREAK: the sets of the breaking lanes
//   row      BSSY, BREAK: the new row
//   join     BSYNC: the lanes wait for their sets
//   look     the next waiting lane not judged yet is a leader ...
//   scan     ... of the lanes waiting alike (converge_scan) ...
//   judge    ... which fault (odds), go on or stay. WARPSYNC judges twice: may lanes wait, then do lanes go on
//   close    the row left by the lanes going on
//   commit   COMMIT; the warp's state is written
//   answer   a beat's lanes, then `offer` until taken. BMOV reads the row here, and BMOV.CLEAR writes the row
//
// The set of a lane going on is emptied in the RAM at once, and a barrier's first row is written for all lanes. So a
// row needs no cleared bits beside. A YIELD needs no order of barriers: the release of a lane does not depend on other
// releases.
`include "assert.vh"
`include "wl_config.vh"
`include "wl_units.vh"
`default_nettype none

module convergence_lean #(
  parameter int Lanes    = 8,                                  // 4, 8, 16, 32: lanes of a beat
  parameter int Ports    = 1,                                  // 1: an untaken answer would hold up other ports
  parameter int Warps    = 48,                                 // 1..48
  parameter bit Trace    = 1'b1,
  parameter int BeatBits = Lanes < 32 ? $clog2(32 / Lanes) : 1,   // derived, do not override, like all below
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

  // an EXIT standing at the port: do lanes of the warp stay?
  input  logic [5:0]                 exit_warp_i,
  input  logic [3:0]                 exit_slot_i,
  input  logic [31:0]                exit_mask_i,
  output logic                       exit_stay_o,

  // beat bus
  input  logic                       beat_valid_i,
  output logic                       beat_ready_o,
  output logic                       room_o,        // another request may begin
  input  logic                       beat_port_i,
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

  // response beats
  output logic                       rsp_valid_o,
  input  logic                       rsp_take_i,
  output logic [RspBits-1:0]         rsp_o,
  output logic [Lanes*128-1:0]       rsp_data_o,
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
  localparam int LaneBits = $clog2(Lanes);
  localparam int Bars     = 16;
  localparam int AtBits   = 5;                                 // where a lane waits: {0, barrier}, or {1, 0, apart} at a WARPSYNC
  localparam logic [2:0] InWord = 3'd2;                        // the mask of WARPSYNC

  if (Lanes != 4 && Lanes != 8 && Lanes != 16 && Lanes != 32) begin : gen_bad_lanes
    lanes_must_be_4_8_16_or_32 u_bad ();
  end
  if (Ports != 1) begin : gen_bad_ports
    convergence_lean_has_one_port u_bad ();
  end

  typedef enum logic [3:0] {Idle, Take, Gather, Start, Gives, Row, Join, Check, Look, Scan, Judge, Close, Commit, Answer, Offer} state_e;
  state_e state_q, state_d;

  // ---- live lanes: as in convergence ---------------------------------------------------------------------------
  logic [Warps-1:0] new_q, launched;
  logic [15:0]      tailed_q;                   // slots that have got a CTA
  logic [11:0]      tails [0:15];               // of each slot: the last warp, and lanes of the last warp
  logic [31:0]      live [0:Warps-1];

  function automatic logic [31:0] first_lanes(input logic tailed, input logic [11:0] tail, input logic [5:0] warp);
    first_lanes = tailed && tail[11:6] == warp && !tail[5] ? ~(32'hffff_ffff << tail[4:0]) : 32'hffff_ffff;
  endfunction

  // (a comparator for each warp is twice as large)
  assign launched = !cta_valid_i ? '0 : Warps'((64'hffff_ffff_ffff_ffff << cta_first_i) & ~(64'hffff_ffff_ffff_ffff << (cta_first_i + cta_warps_i)));
  logic [WarpBits-1:0] exit_at;
  logic [31:0]         exit_alive;
  assign exit_at     = exit_warp_i[WarpBits-1:0];
  assign exit_alive  = new_q[exit_at] ? first_lanes(tailed_q[exit_slot_i], tails[exit_slot_i], exit_warp_i) : live[exit_at];
  assign exit_stay_o = (exit_alive & ~exit_mask_i) != '0;

  // ---- the bus -------------------------------------------------------------------------------------------------
  logic                whole, operands, begins, gathers, chooses;
  logic [WarpBits-1:0] warp;
  logic [31:0]         word;
  logic                taken_q;                                // the first beat is taken
  logic [4:0]          lane_q, m_q, head_q;                    // a pass reads, has read; look

  assign whole        = beat_exit_i || beat_header_i;          // one beat, and one answer
  assign operands     = beat_kind_i == `WL_CONVERGENCE_WARPSYNC || beat_kind_i == `WL_CONVERGENCE_BMOV_R2B;
  assign warp         = beat_tag_i[16 +: WarpBits];
  assign begins       = state_q == Idle && beat_valid_i;
  assign gathers      = state_q == Gather && beat_valid_i;
  // BSYNC and BREAK are for lanes with a true predicate.
  assign chooses      = !beat_exit_i && (beat_kind_i == `WL_CONVERGENCE_BSYNC || beat_kind_i == `WL_CONVERGENCE_BREAK);
  assign room_o       = state_q == Idle || (state_q == Gather && !taken_q);
  assign beat_ready_o = state_q == Idle ? whole || !operands : state_q == Take || (state_q == Gather && &lane_q[LaneBits-1:0]);
  always_comb begin
    word = beat_imm_i;
    if (beat_ctl_i[`WL_CONVERGENCE_CTL_SRC] != InWord) begin
      word = beat_flags_i[`WL_FLAG_RA] || beat_ctl_i[`WL_CONVERGENCE_CTL_SRC] != 3'd1 ? beat_ra_i[{lane_q[LaneBits-1:0], 6'd0} +: 32] : '0;
    end
  end

  // ---- the request, and its warp -------------------------------------------------------------------------------
  logic                exit_q, whole_q, apart_q, to_rd_q;
  logic [21:0]         tag_q;
  logic [4:0]          kind_q;
  logic [3:0]          bar_q;                                  // the named barrier; then the barrier of lanes going on
  logic [31:0]         mask_q;
  logic [31:0]         who_q;                                  // executing lanes; then lanes going on
  logic [31:0]         aside_q;                                // lanes that drop who_q from sets
  logic [31:0]         self_q, odds_q, todo_q;
  logic [31:0]         live_q, waits_q, yielded_q;
  logic [Bars-1:0]     used_q, used_d;
  logic                odds_mode_q;                            // judged: may lanes wait
  logic [WarpBits-1:0] s_warp;
  logic [Bars+63:0]    heads [0:Warps-1];
  logic [Bars-1:0]     used_r;
  logic [31:0]         yielded_r, waits_r;
  logic                fresh;                                  // no request since the launch
  assign {used_r, yielded_r, waits_r} = heads[warp];
  assign fresh                        = new_q[warp];

  logic bssy, bsync, breaks, clears, puts, warpsync, yields, reads;
  assign bssy     = !exit_q && kind_q == `WL_CONVERGENCE_BSSY;
  assign bsync    = !exit_q && kind_q == `WL_CONVERGENCE_BSYNC;
  assign breaks   = !exit_q && kind_q == `WL_CONVERGENCE_BREAK;
  assign clears   = !exit_q && kind_q == `WL_CONVERGENCE_BMOV_CLEAR;
  assign puts     = !exit_q && kind_q == `WL_CONVERGENCE_BMOV_R2B;
  assign warpsync = !exit_q && kind_q == `WL_CONVERGENCE_WARPSYNC;
  assign yields   = !exit_q && kind_q == `WL_CONVERGENCE_YIELD;
  assign reads    = !whole_q && !puts && !warpsync;
  assign s_warp   = tag_q[16 +: WarpBits];

  // ---- passes --------------------------------------------------------------------------------------------------
  logic       pass, issue, last_issue, drain_q, got_q, lead_q, hit;
  assign pass       = state_q == Gives || state_q == Row || state_q == Join || state_q == Scan || state_q == Close || state_q == Answer;
  assign issue      = pass && !drain_q;
  assign last_issue = issue && (state_q == Answer ? &lane_q[LaneBits-1:0] : &lane_q);
  assign hit        = todo_q[head_q];

  logic commit, going, let_go, meet_all;
  logic [31:0] same, missing, named, begun, ready;
  logic [AtBits-1:0] leader_at;
  assign commit = state_q == Commit;

  always_comb begin
    state_d = state_q;
    case (state_q)
      Idle: if (beat_valid_i) begin
        if (whole) state_d = Start;
        else if (operands) state_d = Gather;
        else if (beat_last_i) state_d = Start;
        else state_d = Take;
      end
      Take: if (beat_valid_i && beat_last_i) state_d = Start;
      Gather: if (beat_valid_i && beat_last_i && &lane_q[LaneBits-1:0]) state_d = Start;
      Start: begin
        if (bssy) state_d = Row;
        else if (breaks) state_d = Gives;
        else if (bsync) state_d = Join;
        else if (warpsync) state_d = Look;
        else if (puts || reads) state_d = Commit;
        else state_d = Check;
      end
      Gives: if (drain_q) state_d = Row;
      Row: if (drain_q) begin
        if (breaks) state_d = Check;
        else state_d = Commit;
      end
      Join: if (drain_q) state_d = Check;
      Check: state_d = Look;
      Look: begin
        if (hit) state_d = Scan;
        else if (&head_q && odds_mode_q) state_d = Check;
        else if (&head_q) state_d = Commit;
      end
      Scan: if (drain_q) state_d = Judge;
      Judge: begin
        if (going && !leader_at[AtBits-1]) state_d = Close;
        else state_d = Look;
      end
      Close: if (drain_q) state_d = Look;
      Commit: state_d = Answer;
      Answer: if (drain_q) state_d = Offer;
      Offer: if (rsp_take_i) begin
        if (whole_q || lane_q == '0) state_d = Idle;
        else state_d = Answer;
      end
      default: state_d = Idle;
    endcase
  end
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      state_q <= Idle;
      drain_q <= 1'b0;
      got_q   <= 1'b0;
      lead_q  <= 1'b0;
      new_q   <= '1;
    end else begin
      state_q <= state_d;
      drain_q <= last_issue;
      got_q   <= issue;
      lead_q  <= state_q == Look && hit;
      new_q   <= (new_q | launched) & ~(commit ? Warps'(1) << s_warp : '0);
    end
  end
  always_ff @(posedge clk_i) begin
    if (rst_i) tailed_q <= '0;
    else if (cta_valid_i) tailed_q[cta_slot_i] <= 1'b1;
    if (cta_valid_i) tails[cta_slot_i] <= {cta_first_i + cta_warps_i - 6'd1, cta_lanes_i};
  end
  always_ff @(posedge clk_i) begin
    m_q <= lane_q;
    if (state_q == Idle || state_q == Start) lane_q <= '0;
    else if (issue || gathers) lane_q <= lane_q + 5'd1;
    if (state_q == Start) head_q <= '0;
    else if (state_q == Look && !hit) head_q <= head_q + 5'd1;
    taken_q <= state_q == Gather && (taken_q || (beat_valid_i && beat_ready_o));
  end

  // ---- RAMs: a word a lane. No word is read and written in the same cycle --------------------------------------
  (* no_rw_check *) logic [31:0]        sets [0:Warps*Bars*32-1];
  (* no_rw_check *) logic [AtBits+31:0] wants [0:Warps*32-1];
  logic [31:0]       set_r, set, want, set_d, want_d;
  logic [AtBits-1:0] at, at_d;
  logic              set_we, want_we, had, mine;
  logic [4:0]        to;
  assign to   = state_q == Gather ? lane_q : m_q;
  assign mine = who_q[to];
  assign had  = used_q[bar_q] || state_q == Close;             // has a row: lanes go on from no other barrier
  assign set  = had ? set_r : '0;
  always_comb begin
    set_we = got_q && (state_q == Row || state_q == Close || (state_q == Answer && clears));
    set_d  = set;
    if (state_q == Gather) begin
      set_we = beat_valid_i && puts && (mine || !had);
      set_d  = mine ? word : '0;
    end else if (mine) set_d = bssy ? who_q : '0;
    else if (aside_q[m_q]) set_d = set & ~who_q;
  end
  always_comb begin
    at_d    = {1'b0, bar_q};
    want_we = got_q && state_q == Join && mine;
    want_d  = set;
    if (state_q == Gather) begin
      at_d    = {1'b1, 3'd0, apart_q};
      want_we = beat_valid_i && warpsync && mine;
      want_d  = word;
    end else if (state_q == Row) begin
      want_we = got_q && breaks && aside_q[m_q] && at == at_d;
      want_d  = want & ~who_q;
    end
  end
  always_ff @(posedge clk_i) begin
    if (set_we) sets[{s_warp, bar_q, to}] <= set_d;
    set_r <= sets[{s_warp, bar_q, lane_q}];
  end
  always_ff @(posedge clk_i) begin
    if (want_we) wants[{s_warp, to}] <= {at_d, want_d};
    {at, want} <= wants[{s_warp, state_q == Look ? head_q : lane_q}];
  end

  // ---- lanes going on ------------------------------------------------------------------------------------------
  converge_scan #(.AtBits(AtBits)) u_scan (
    .clk_i, .lead_i(lead_q), .lane_valid_i(got_q && state_q == Scan), .lane_i(m_q), .waits_i(waits_q[m_q]), .at_i(at), .want_i(want),
    .live_i(live_q), .at_o(leader_at), .same_o(same), .missing_o(missing), .named_o(named)
  );
  // All lanes of a set have come. Or, with a YIELD, each lane missing at this BSYNC has yielded, or waits and is named
  // by this YIELD (yielded_q has all other named lanes). Waiting named lanes keep their sets: missing, but not yielded.
  assign meet_all = missing == '0;
  assign let_go   = yields && !leader_at[AtBits-1] && (missing & ~(yielded_q | mask_q)) == '0;
  assign going    = !odds_mode_q && (meet_all || let_go);
  assign begun    = who_q & ~self_q & ~odds_q;                 // who_q: executing lanes
  assign ready    = live_q & ~waits_q;
  assign used_d   = used_q | (bssy || puts ? Bars'(1) << bar_q : '0);   // other instructions give no lane a set

  always_ff @(posedge clk_i) begin
    if (begins) begin
      exit_q  <= beat_exit_i;
      whole_q <= whole;
      tag_q   <= beat_tag_i;
      kind_q  <= beat_kind_i;
      apart_q <= beat_ctl_i[`WL_CONVERGENCE_CTL_APART];
      to_rd_q <= beat_ctl_i[`WL_CONVERGENCE_CTL_TO_RD];
      mask_q  <= beat_mask_i;
    end
    if (commit) begin
      heads[s_warp] <= {used_d, yielded_q, waits_q};
      live[s_warp]  <= live_q;
    end
  end
  // State of a bit a lane, or a bit a barrier. A new warp waits nowhere and has no barriers.
  always_ff @(posedge clk_i) begin
    if (begins) live_q <= fresh ? first_lanes(tailed_q[beat_slot_i], tails[beat_slot_i], beat_tag_i[21:16]) : live[warp];
    else if (state_q == Start && exit_q) live_q <= live_q & ~who_q;

    if (begins && fresh) waits_q <= '0;
    else if (begins) waits_q <= waits_r;
    else if (state_q == Start && (bsync || warpsync)) waits_q <= waits_q | (who_q & ~self_q);
    else if (state_q == Check) waits_q <= waits_q & ~odds_q;
    else if (state_q == Judge && going) waits_q <= waits_q & ~same;

    if (begins && fresh) yielded_q <= '0;
    else if (begins) yielded_q <= yielded_r;
    else if (state_q == Start && yields) yielded_q <= yielded_q | (who_q & ~waits_q);
    else if (state_q == Start && (exit_q || bssy || bsync)) yielded_q <= yielded_q & ~who_q;
    else if (state_q == Check && warpsync) yielded_q <= yielded_q & ~begun;

    if (begins && fresh) used_q <= '0;
    else if (begins) used_q <= used_r;

    if (begins) self_q <= '0;
    else if (gathers || (state_q == Answer && got_q)) self_q <= {gathers && warpsync && mine && !word[lane_q], self_q[31:1]};

    if (begins) odds_q <= '0;
    else if (state_q == Judge && odds_mode_q) odds_q <= odds_q | (named & same & who_q);

    if (state_q == Start) todo_q <= begun;
    else if (state_q == Check) todo_q <= waits_q & ~odds_q;
    else if (state_q == Judge) todo_q <= todo_q & ~same;

    if (begins) aside_q <= '0;
    else if (state_q == Judge) aside_q <= missing & yielded_q;
    else if (state_q == Gives && got_q && mine) aside_q <= aside_q | set;

    if (begins) who_q <= chooses ? beat_mask_i & beat_pred_i : beat_mask_i;
    else if (state_q == Judge && !odds_mode_q) who_q <= same;

    if (begins) bar_q <= beat_ctl_i[`WL_CONVERGENCE_CTL_BAR];
    else if (state_q == Judge) bar_q <= leader_at[3:0];

    if (state_q == Start) odds_mode_q <= warpsync;
    else if (state_q == Check) odds_mode_q <= 1'b0;
  end

  // ---- events, answers -----------------------------------------------------------------------------------------
  // Faulting lanes of WARPSYNC commit nothing; perhaps no lane of the request is left.
  logic [31:0] taken;
  assign taken = mask_q & ~(self_q | odds_q);
  assign done_valid_o         = commit && !whole_q;
  assign done_warp_o          = tag_q[21:16];
  assign trace_fault_valid_o  = Trace && commit && taken != mask_q;
  assign trace_fault_tag_o    = tag_q;
  assign trace_fault_lanes_o  = {odds_q, self_q};
  assign trace_commit_valid_o = Trace && commit && taken != '0;
  assign trace_commit_tag_o   = tag_q;
  assign trace_commit_lanes_o = taken;
  assign trace_commit_value_o = ready;

  // A beat is filled from the place of the last lane on down.
  logic                gets, odd, faulty;
  logic [Lanes-1:0]    gets_q, odd_q, faulty_q;
  logic [Lanes*32-1:0] words_q;
  logic [Lanes*6-1:0]  codes;
  assign odd    = odds_q[m_q];
  assign faulty = !whole_q && (self_q[0] || odd);
  assign gets   = whole_q ? m_q == '0 : mask_q[m_q] && !faulty && !(reads && !to_rd_q);
  always_ff @(posedge clk_i) begin
    if (got_q && state_q == Answer) begin
      gets_q   <= Lanes'({gets, gets_q} >> 1);
      odd_q    <= Lanes'({odd, odd_q} >> 1);
      faulty_q <= Lanes'({faulty, faulty_q} >> 1);
      words_q  <= (Lanes*32)'({gets ? (reads ? set : ready) : 32'd0, words_q} >> 32);
    end
  end
  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    assign codes[l*6 +: 6]           = !faulty_q[l] ? '0 : odd_q[l] ? `WL_FAULT_WARP_MASK_MISMATCH : `WL_FAULT_WARP_MASK_SELF;
    assign rsp_data_o[l*128 +: 128]  = 128'(words_q[l*32 +: 32]);
  end
  assign rsp_valid_o = state_q == Offer;
  assign rsp_o       = {codes, faulty_q != '0, {Lanes{1'b0}}, gets_q, 6'd1, whole_q || lane_q == '0, tag_q};
  // A request with beats still to come keeps the bus busy, and so the core is not idle.
  assign idle_o      = state_q == Idle || state_q == Take || state_q == Gather;

  logic unused_bits;
  assign unused_bits = ^{beat_ctl_i, beat_flags_i, beat_ra_i, beat_index_i, beat_port_i};

  `ASSERT(Legal_A, !beat_valid_i || beat_exit_i || !beat_flags_i[`WL_FLAG_ILLEGAL])
  `ASSERT(ExecutesAndDoesNotWait_A, state_q != Start || (who_q & ((yields ? '0 : waits_q) | ~live_q)) == '0)
  `ASSERT(WhoWaitsHasNotYielded_A, !commit || (waits_q & (yielded_q | ~live_q)) == '0)
  `ASSERT(TakesOnlyWhatItOffers_A, !rsp_take_i || rsp_valid_o)
endmodule
`default_nettype wire
