// SPDX-License-Identifier: Apache-2.0
// Exchange among the lanes of a warp in one instruction: VOTE, VOTEU, SHFL, MATCH, REDUX, FREDUX, ELECT.
//
//   cycle 0  B  a beat on the bus: operands are chosen, SHFL's source lanes found, REDUX folds the beat
//         1  H  all beats are here; one beat of answers a cycle: the matrix of MATCH, the multiplexers of SHFL
//         2  F  a beat of answers goes to the queue of the port; with the first beat the request COMMITs
//
// Nothing waits behind the bus: a request is let in when the queue of the port has room for all answers. So any request
// takes 32/Lanes cycles, and with 32 lanes a request begins every cycle. Lanes that do not execute take no part in
// anything: masked where lanes enter (REDUX, votes) or where lanes would be read (MATCH, SHFL).
`include "assert.vh"
`include "wl_units.vh"
`default_nettype none

module warp_collective #(
  parameter int Lanes    = 32,                                 // 4, 8, 16, 32: lanes of a beat
  parameter int Ports    = 1,                                  // 1, 2, 4
  parameter int Answers  = (Lanes < 16 ? 128 : 256) / Lanes,   // beats kept for a port; this many for full speed; a power of two
  parameter bit Trace    = 1'b1,
  parameter int PortBits = Ports > 1 ? $clog2(Ports) : 1,      // derived, do not override, like all below
  parameter int BeatBits = Lanes < 32 ? $clog2(32 / Lanes) : 1,
  parameter int RspBits  = 30 + Lanes * 8                      // as in rsp_merge
) (
  input  logic                       clk_i,
  input  logic                       rst_i,

  // beat bus
  input  logic                       beat_valid_i,
  output logic                       beat_ready_o,
  output logic [Ports-1:0]           room_o,        // the port may begin another request
  input  logic [PortBits-1:0]        beat_port_i,
  input  logic [21:0]                beat_tag_i,
  input  logic [4:0]                 beat_kind_i,
  input  logic [31:0]                beat_ctl_i,
  input  logic [6:0]                 beat_flags_i,
  input  logic [BeatBits-1:0]        beat_index_i,
  input  logic                       beat_last_i,
  input  logic [31:0]                beat_mask_i,   // with the first beat: all lanes
  input  logic [31:0]                beat_pred_i,   // likewise
  input  logic [Lanes*64-1:0]        beat_ra_i,
  input  logic [Lanes*128-1:0]       beat_rb_i,
  input  logic [Lanes*128-1:0]       beat_rc_i,

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
  output logic                       trace_commit_valid_o,
  output logic [21:0]                trace_commit_tag_o,
  output logic [31:0]                trace_commit_lanes_o
);
  localparam int Beats    = 32 / Lanes;
  localparam int LaneBits = $clog2(Lanes);
  localparam int Stored   = Beats > 1 ? 32 - Lanes : 1;       // lanes of the beats before the last one
  localparam int Group    = Lanes < 8 ? Lanes : 8;            // lanes folded by REDUX in one cycle
  localparam int Groups   = Lanes / Group;
  localparam logic [2:0] All = 3'd0, Any = 3'd1;              // of VOTE and MATCH
  localparam logic [2:0] Min = 3'd4, Max = 3'd5;              // of REDUX

  if (Lanes != 4 && Lanes != 8 && Lanes != 16 && Lanes != 32) begin : gen_bad_lanes
    lanes_must_be_4_8_16_or_32 u_bad ();
  end
  if (Answers < 2 || Answers < Beats || (Answers & (Answers - 1)) != 0) begin : gen_bad_answers
    answers_must_be_a_power_of_two_that_holds_a_request u_bad ();
  end

  // ---- B: a beat ---------------------------------------------------------------------------------------------
  logic                take, first, is_shfl, is_match, is_redux, is_float;
  logic [Ports-1:0]    room, enter;
  logic [Lanes*32-1:0] b_low, b_high;        // values of the beat
  logic [Lanes*5-1:0]  b_lane, shfl_b;
  logic [Lanes*10-1:0] shfl_c;
  logic [Lanes-1:0]    b_in_range;
  logic [4:0]          imm_b;
  logic [12:0]         imm_c;

  assign room_o       = room;
  assign first        = beat_index_i == '0;
  assign beat_ready_o = !first || room[beat_port_i];
  assign take         = beat_valid_i && beat_ready_o;
  assign is_shfl      = beat_kind_i == `WL_WARP_COLLECTIVE_SHFL;
  assign is_match     = beat_kind_i == `WL_WARP_COLLECTIVE_MATCH;
  assign is_float     = beat_kind_i == `WL_WARP_COLLECTIVE_FREDUX;
  assign is_redux     = beat_kind_i == `WL_WARP_COLLECTIVE_REDUX || is_float;
  assign imm_b        = beat_ctl_i[`WL_WARP_COLLECTIVE_CTL_B];
  assign imm_c        = beat_ctl_i[`WL_WARP_COLLECTIVE_CTL_C];
  always_comb begin
    enter = '0;
    if (take && first) enter[beat_port_i] = 1'b1;
  end

  always_comb begin
    b_low  = 'x;
    b_high = 'x;
    shfl_b = 'x;
    shfl_c = 'x;
    if (take && (is_shfl || is_match || is_redux)) begin
      for (int l = 0; l < Lanes; l++) b_low[l*32 +: 32] = beat_flags_i[`WL_FLAG_RA] ? beat_ra_i[l*64 +: 32] : '0;
    end
    if (take && is_match) begin
      for (int l = 0; l < Lanes; l++) b_high[l*32 +: 32] = beat_flags_i[`WL_FLAG_RA] ? beat_ra_i[l*64 + 32 +: 32] : '0;
    end
    if (take && is_shfl) begin
      for (int l = 0; l < Lanes; l++) begin
        shfl_b[l*5 +: 5]       = beat_flags_i[`WL_FLAG_RB] ? beat_rb_i[l*128 +: 5] : imm_b;
        shfl_c[l*10 +: 5]      = beat_flags_i[`WL_FLAG_RC] ? beat_rc_i[l*128 +: 5] : imm_c[4:0];
        shfl_c[l*10 + 5 +: 5]  = beat_flags_i[`WL_FLAG_RC] ? beat_rc_i[l*128 + 8 +: 5] : imm_c[12:8];
      end
    end
  end

  shuffle_source #(.Lanes(Lanes)) u_source (
    .valid_i(take && is_shfl), .op_i(beat_ctl_i[1:0]), .beat_i(beat_index_i), .b_i(shfl_b), .c_i(shfl_c),
    .in_range_o(b_in_range), .lane_o(b_lane)
  );

  // Floats are folded by their places in the order of floats: signed numbers, -0 below +0. Where one NaN is enough, the
  // place of NaNs lies beyond all other places; else NaNs take no part. No other float has the place 2^31 - 1 or -2^31,
  // the neutral words.
  localparam logic [31:0] Infinity = 32'h7f80_0000, Highest = 32'h7fff_ffff, Lowest = 32'h8000_0000;
  logic [Lanes*32-1:0] b_word;        // folded by REDUX
  logic [Lanes-1:0]    b_nan;
  logic [31:0]         b_bits;
  logic                b_least, b_absolute, b_nans;
  assign b_absolute = beat_ctl_i[0];
  assign b_least    = beat_ctl_i[1];
  assign b_nans     = beat_ctl_i[`WL_WARP_COLLECTIVE_CTL_NAN];
  always_comb begin
    b_word = b_low;
    b_nan  = '0;
    b_bits = 'x;
    if (take && is_float) begin
      for (int l = 0; l < Lanes; l++) begin
        b_bits              = b_low[l*32 +: 32];
        b_bits[31]          = b_bits[31] && !b_absolute;
        b_nan[l]            = {1'b0, b_bits[30:0]} > Infinity;
        b_word[l*32 +: 32]  = b_nan[l] ? (b_least ? Lowest : Highest) : b_bits[31] ? b_bits ^ Highest : b_bits;
      end
    end
  end

  // REDUX folds every beat with the fold of the beats before, in groups of up to 8 lanes.
  logic [Groups*32-1:0] fold, fold_q;
  logic [Lanes-1:0]     folds;         // participating lanes of the beat
  logic [2:0]           b_op;
  logic                 carries, b_signed;
  assign folds    = beat_mask_i[Lanes-1:0] & (b_nans ? '1 : ~b_nan);
  assign carries  = !first;
  assign b_op     = is_float ? (b_least ? Min : Max) : beat_ctl_i[`WL_WARP_COLLECTIVE_CTL_OP];
  assign b_signed = is_float || beat_ctl_i[`WL_WARP_COLLECTIVE_CTL_SIGNED];
  for (genvar g = 0; g < Groups; g++) begin : gen_group
    lane_reduce #(.N(Group + 1)) u_reduce (
      .valid_i(take && is_redux), .op_i(b_op), .signed_i(b_signed),
      .use_i({carries, folds[g*Group +: Group]}), .words_i({fold_q[g*32 +: 32], b_word[g*Group*32 +: Group*32]}),
      .word_o(fold[g*32 +: 32])
    );
  end
  always_ff @(posedge clk_i) begin
    if (take && is_redux) fold_q <= fold;
  end

  // ---- H: the whole request ----------------------------------------------------------------------------------
  logic                h_valid_q, h_first, h_last, h_signed_q;
  logic [BeatBits-1:0] h_index;
  logic [PortBits-1:0] h_port_q;
  logic [21:0]         h_tag_q;
  logic [4:0]          h_kind_q;
  logic [2:0]          h_op_q;
  logic                h_wide_q, h_writes_q, h_to_pd_q;
  logic [31:0]         h_mask_q, h_pred_q;
  logic [32*32-1:0]    h_low_q, h_high_q;
  logic [32*5-1:0]     h_lane_q;
  logic [31:0]         h_in_range_q;
  logic                load;          // the last beat is here

  assign load = take && beat_last_i;

  always_ff @(posedge clk_i) begin
    if (rst_i) h_valid_q <= 1'b0;
    else h_valid_q <= load || (h_valid_q && !h_last);
  end
  always_ff @(posedge clk_i) begin
    if (load) begin
      h_port_q   <= beat_port_i;
      h_tag_q    <= beat_tag_i;
      h_kind_q   <= beat_kind_i;
      h_op_q     <= b_op;
      h_signed_q <= b_signed;
      h_wide_q   <= beat_ctl_i[`WL_WARP_COLLECTIVE_CTL_SIZE] == 2'd3;
      h_writes_q <= beat_ctl_i[`WL_WARP_COLLECTIVE_CTL_TO_RD] || beat_ctl_i[`WL_WARP_COLLECTIVE_CTL_TO_URD];
      h_to_pd_q  <= beat_ctl_i[`WL_WARP_COLLECTIVE_CTL_TO_PD];
    end
  end

  logic [Lanes*32-1:0] own_low, own_high;    // of the beat of answers
  logic [Lanes*5-1:0]  own_lane;
  logic [Lanes-1:0]    own_in_range, own_mask;
  if (Beats > 1) begin : gen_gather
    // Values of earlier beats move down as the next beat comes: the first lanes then stand lowest.
    logic [Stored*32-1:0] low_q, high_q;
    logic [Stored*5-1:0]  lane_q;
    logic [Stored-1:0]    in_range_q;
    logic [31:0]          mask_q, pred_q;
    logic [BeatBits-1:0]  index_q;

    always_ff @(posedge clk_i) begin
      if (take && first) begin
        mask_q <= beat_mask_i;
        pred_q <= beat_pred_i;
      end
      if (take && !beat_last_i) begin
        if (is_shfl || is_match) low_q <= (Stored*32)'({b_low, low_q} >> (Lanes*32));
        if (is_match) high_q <= (Stored*32)'({b_high, high_q} >> (Lanes*32));
        if (is_shfl) begin
          lane_q     <= (Stored*5)'({b_lane, lane_q} >> (Lanes*5));
          in_range_q <= Stored'({b_in_range, in_range_q} >> Lanes);
        end
      end
      if (load) begin
        h_mask_q <= mask_q;
        h_pred_q <= pred_q;
        if (is_shfl || is_match) h_low_q <= {b_low, low_q};
        if (is_match) h_high_q <= {b_high, high_q};
        if (is_shfl) begin
          h_lane_q     <= {b_lane, lane_q};
          h_in_range_q <= {b_in_range, in_range_q};
        end
      end
    end
    always_ff @(posedge clk_i) begin
      if (rst_i || !h_valid_q || h_last) index_q <= '0;
      else index_q <= index_q + 1'b1;
    end
    assign h_index      = index_q;
    assign h_first      = index_q == '0;
    assign h_last       = index_q == BeatBits'(Beats - 1);
    assign own_low      = h_low_q[{index_q, {LaneBits+5{1'b0}}} +: Lanes*32];
    assign own_high     = h_high_q[{index_q, {LaneBits+5{1'b0}}} +: Lanes*32];
    assign own_lane     = h_lane_q[32'(index_q)*Lanes*5 +: Lanes*5];
    assign own_in_range = h_in_range_q[{index_q, {LaneBits{1'b0}}} +: Lanes];
    assign own_mask     = h_mask_q[{index_q, {LaneBits{1'b0}}} +: Lanes];
  end else begin : gen_whole
    always_ff @(posedge clk_i) begin
      if (load) begin
        h_mask_q <= beat_mask_i;
        h_pred_q <= beat_pred_i;
        if (is_shfl || is_match) h_low_q <= b_low;
        if (is_match) h_high_q <= b_high;
        if (is_shfl) begin
          h_lane_q     <= b_lane;
          h_in_range_q <= b_in_range;
        end
      end
    end
    assign h_index      = 1'b0;
    assign h_first      = 1'b1;
    assign h_last       = 1'b1;
    assign own_low      = h_low_q;
    assign own_high     = h_high_q;
    assign own_lane     = h_lane_q;
    assign own_in_range = h_in_range_q;
    assign own_mask     = h_mask_q;
  end

  logic                h_shfl, h_match, h_redux, h_float, h_elect, votes;
  logic [Lanes*32-1:0] row, word;
  logic [31:0]         reduced, number, yes, leader;
  logic [4:0]          leader_lane;

  assign h_shfl  = h_kind_q == `WL_WARP_COLLECTIVE_SHFL;
  assign h_match = h_kind_q == `WL_WARP_COLLECTIVE_MATCH;
  assign h_float = h_kind_q == `WL_WARP_COLLECTIVE_FREDUX;
  assign h_redux = h_kind_q == `WL_WARP_COLLECTIVE_REDUX || h_float;
  assign h_elect = h_kind_q == `WL_WARP_COLLECTIVE_ELECT;

  match_rows #(.Lanes(Lanes)) u_match (
    .valid_i(h_valid_q && h_match), .wide_i(h_wide_q), .mask_i(h_mask_q), .low_i(h_low_q), .high_i(h_high_q),
    .own_low_i(own_low), .own_high_i(own_high), .row_o(row)
  );
  shuffle_mux #(.Lanes(Lanes)) u_shuffle (
    .valid_i(h_valid_q && h_shfl), .mask_i(h_mask_q), .words_i(h_low_q), .lane_i(own_lane), .word_o(word)
  );
  lane_reduce #(.N(Groups)) u_reduce (
    .valid_i(h_valid_q && h_redux), .op_i(h_op_q), .signed_i(h_signed_q), .use_i({Groups{1'b1}}), .words_i(fold_q), .word_o(number)
  );
  // From a float's place back to the float; a place without a float is the canonical NaN.
  assign reduced = !h_float || !number[31] ? number : number == Lowest ? Highest : number ^ Highest;
  assign yes    = h_mask_q & h_pred_q;
  assign leader = yes & (~yes + 1'b1);
  assign votes  = h_op_q == Any ? yes != '0 : yes == h_mask_q || (h_op_q != All && yes == '0);
  always_comb begin
    leader_lane = '0;
    if (h_valid_q && h_elect) begin
      for (int l = 0; l < 32; l++) if (leader[l]) leader_lane = leader_lane | l[4:0];
    end
  end

  // ---- F: a beat of answers ----------------------------------------------------------------------------------
  // The same for all lanes: the votes, the leader's number, the result of REDUX.
  logic                f_valid_q, f_first_q, f_last_q, f_match_q, f_shfl_q, f_elect_q, f_every_q, f_writes_q, f_to_pd_q, f_vote_q;
  logic [PortBits-1:0] f_port_q;
  logic [21:0]         f_tag_q;
  logic [31:0]         f_mask_q, f_same_q;
  logic [Lanes*32-1:0] f_word_q;
  logic [Lanes-1:0]    f_own_q, f_pred_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) f_valid_q <= 1'b0;
    else f_valid_q <= h_valid_q;
  end
  always_ff @(posedge clk_i) begin
    if (h_valid_q) begin
      f_first_q  <= h_first;
      f_last_q   <= h_last;
      f_port_q   <= h_port_q;
      f_tag_q    <= h_tag_q;
      f_mask_q   <= h_mask_q;
      f_own_q    <= own_mask;
      f_match_q  <= h_match;
      f_shfl_q   <= h_shfl;
      f_elect_q  <= h_elect;
      f_every_q  <= h_op_q == All;
      f_writes_q <= h_writes_q && (!h_elect || yes != '0);
      f_to_pd_q  <= h_to_pd_q;
      f_vote_q   <= votes;
      if (h_match) f_word_q <= row;
      if (h_shfl) f_word_q <= word;
      if (h_shfl) f_pred_q <= own_in_range;
      if (h_elect) f_pred_q <= Lanes'(leader >> {h_index, {LaneBits{1'b0}}});
      if (!h_redux) f_same_q <= h_elect ? {27'd0, leader_lane} : yes;
      if (h_redux && h_first) f_same_q <= reduced;
    end
  end

  logic [Lanes-1:0]    written, pred, equal;
  logic [Lanes*32-1:0] answer;
  always_comb begin
    written = 'x;
    pred    = 'x;
    equal   = 'x;
    answer  = 'x;
    if (f_valid_q) begin
      written = f_writes_q ? f_own_q : '0;
      answer  = '0;
      for (int l = 0; l < Lanes; l++) begin
        equal[l] = f_word_q[l*32 +: 32] == f_mask_q;
        if (written[l]) begin
          if (!f_match_q && !f_shfl_q) answer[l*32 +: 32] = f_same_q;
          else if (!f_match_q || !f_every_q || equal[l]) answer[l*32 +: 32] = f_word_q[l*32 +: 32];
        end
      end
      pred = !f_to_pd_q ? '0 : f_own_q & (f_match_q ? equal : f_shfl_q || f_elect_q ? f_pred_q : {Lanes{f_vote_q}});
    end
  end

  assign done_valid_o = f_valid_q && f_first_q;
  assign done_warp_o  = f_tag_q[21:16];
  assign trace_commit_valid_o = Trace && done_valid_o;
  assign trace_commit_tag_o   = f_tag_q;
  assign trace_commit_lanes_o = f_mask_q;

  // ---- answers -----------------------------------------------------------------------------------------------
  logic [Ports-1:0] empty;
  for (genvar p = 0; p < Ports; p++) begin : gen_port
    unit_answers #(.Lanes(Lanes), .Depth(Answers)) u_answers (
      .clk_i, .rst_i, .room_o(room[p]), .enter_i(enter[p]), .beats_i($clog2(32 / Lanes + 1)'(32 / Lanes)), .push_i(f_valid_q && f_port_q == PortBits'(p)),
      .tag_i(f_tag_q), .last_i(f_last_q), .written_i(written), .pred_i(pred), .word_i(answer),
      .rsp_valid_o(rsp_valid_o[p]), .rsp_take_i(rsp_take_i[p]), .rsp_o(rsp_o[p*RspBits +: RspBits]),
      .rsp_data_o(rsp_data_o[p*Lanes*128 +: Lanes*128]), .empty_o(empty[p])
    );
  end

  // A request with beats still to come keeps the bus busy, and so the core is not idle.
  assign idle_o = !h_valid_q && !f_valid_q && &empty;

  logic unused_bits;
  assign unused_bits = ^{beat_ctl_i, beat_flags_i, beat_rb_i, beat_rc_i, imm_c};

  `ASSERT(Legal_A, !beat_valid_i || !beat_flags_i[`WL_FLAG_ILLEGAL])
  `ASSERT(NothingWaits_A, !load || !h_valid_q || h_last)
endmodule
`default_nettype wire
