// SPDX-License-Identifier: Apache-2.0
// warp_collective for boards: the same contract, a lane at a time. One request port, one request in the unit.
//
//   G  a lane of the beat on the bus a cycle; with the last lane the beat goes
//   S  SHFL's source lane is found, votes take the lane, the value goes to a RAM of 32 lanes; a float's place is found
//   F  REDUX takes the lane
//   A  two cycles behind the last beat the request COMMITs; then, after F, each lane's answer is made, and shifted into
//      the beat of answers. A lane takes a cycle, of SHFL 3 (own value; value of the source, or 0), of MATCH 35 (own
//      value; value of each lane); a lane not executing takes one. A beat of answers stands until taken.
//
// So no multiplexer is wider than a beat's lanes, and all lanes share one comparator, one operator and one source lane.
`include "assert.vh"
`include "wl_units.vh"
`default_nettype none

module warp_collective_lean #(
  parameter int Lanes    = 32,                                 // 4, 8, 16, 32: lanes of a beat
  parameter int Ports    = 1,                                  // 1 only
  parameter bit Trace    = 1'b1,
  parameter int BeatBits = Lanes < 32 ? $clog2(32 / Lanes) : 1, // derived, do not override, like all below
  parameter int RspBits  = 30 + Lanes * 8                      // as in rsp_merge
) (
  input  logic                       clk_i,
  input  logic                       rst_i,

  // beat bus
  input  logic                       beat_valid_i,
  output logic                       beat_ready_o,
  output logic                       room_o,        // a request may begin
  input  logic                       beat_port_i,
  input  logic [21:0]                beat_tag_i,
  input  logic [4:0]                 beat_kind_i,
  input  logic [31:0]                beat_ctl_i,
  input  logic [6:0]                 beat_flags_i,
  input  logic [BeatBits-1:0]        beat_index_i,
  input  logic                       beat_last_i,
  input  logic [31:0]                beat_mask_i,   // bit 0 is the first lane of the beat; with the first beat: all lanes
  input  logic [31:0]                beat_pred_i,   // likewise
  input  logic [Lanes*64-1:0]        beat_ra_i,
  input  logic [Lanes*128-1:0]       beat_rb_i,
  input  logic [Lanes*128-1:0]       beat_rc_i,

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
  output logic                       trace_commit_valid_o,
  output logic [21:0]                trace_commit_tag_o,
  output logic [31:0]                trace_commit_lanes_o
);
  localparam int LaneBits = $clog2(Lanes);
  localparam logic [2:0] All = 3'd0, Any = 3'd1;              // of VOTE and MATCH
  localparam logic [2:0] Min = 3'd4, Max = 3'd5;              // of REDUX

  if (Lanes != 4 && Lanes != 8 && Lanes != 16 && Lanes != 32) begin : gen_bad_lanes
    lanes_must_be_4_8_16_or_32 u_bad ();
  end
  if (Ports != 1) begin : gen_bad_ports
    a_lean_warp_collective_has_one_port u_bad ();
  end

  // ---- G: a lane of the beat -----------------------------------------------------------------------------------
  logic             busy_q, take;
  logic [4:0]       g_lane_q;          // the next lane
  logic [Lanes-1:0] g_at_q;            // the same in the beat, one-hot
  logic [63:0]      g_value;
  logic [14:0]      g_operands;        // of SHFL: {segment mask, clamp, distance}
  logic             g_member, g_pred;
  logic [12:0]      imm_c;

  assign take         = beat_valid_i && !busy_q;
  assign beat_ready_o = !busy_q && g_at_q[Lanes-1];
  assign room_o       = !busy_q;
  assign idle_o       = !busy_q;
  assign imm_c        = beat_ctl_i[`WL_WARP_COLLECTIVE_CTL_C];

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      g_lane_q <= '0;
      g_at_q   <= Lanes'(1);
    end else if (take) begin
      g_lane_q <= g_lane_q + 1'b1;
      g_at_q   <= {g_at_q[Lanes-2:0], g_at_q[Lanes-1]};
    end
  end

  always_comb begin
    g_value    = '0;
    g_operands = '0;
    g_member   = 1'b0;
    g_pred     = 1'b0;
    if (take) begin
      for (int l = 0; l < Lanes; l++) begin
        g_value    = g_value | (beat_ra_i[l*64 +: 64] & {64{g_at_q[l] && beat_flags_i[`WL_FLAG_RA]}});
        g_operands = g_operands | ({beat_rc_i[l*128 + 8 +: 5], beat_rc_i[l*128 +: 5], beat_rb_i[l*128 +: 5]} & {15{g_at_q[l]}});
        g_member   = g_member | (beat_mask_i[l] & g_at_q[l]);
        g_pred     = g_pred | (beat_pred_i[l] & g_at_q[l]);
      end
      if (!beat_flags_i[`WL_FLAG_RB]) g_operands[4:0] = beat_ctl_i[`WL_WARP_COLLECTIVE_CTL_B];
      if (!beat_flags_i[`WL_FLAG_RC]) g_operands[14:5] = {imm_c[12:8], imm_c[4:0]};
    end
  end

  // ---- S: values of a lane -------------------------------------------------------------------------------------
  logic        s_valid_q, s_member_q, s_pred_q;
  logic [4:0]  s_lane_q;
  logic [63:0] s_value_q;
  logic [14:0] s_operands_q;
  logic [21:0] tag_q;
  logic [31:0] mask_q;
  logic [2:0]  op_q;
  logic        shfl_q, match_q, redux_q, float_q, elect_q, signed_q, wide_q, writes_q, to_pd_q, absolute, least, nan_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) s_valid_q <= 1'b0;
    else s_valid_q <= take;
  end
  always_ff @(posedge clk_i) begin
    if (take) begin
      s_lane_q     <= g_lane_q;
      s_member_q   <= g_member;
      s_pred_q     <= g_pred;
      s_value_q    <= g_value;
      s_operands_q <= g_operands;
      tag_q        <= beat_tag_i;
      shfl_q       <= beat_kind_i == `WL_WARP_COLLECTIVE_SHFL;
      match_q      <= beat_kind_i == `WL_WARP_COLLECTIVE_MATCH;
      float_q      <= beat_kind_i == `WL_WARP_COLLECTIVE_FREDUX;
      redux_q      <= beat_kind_i == `WL_WARP_COLLECTIVE_REDUX || beat_kind_i == `WL_WARP_COLLECTIVE_FREDUX;
      elect_q      <= beat_kind_i == `WL_WARP_COLLECTIVE_ELECT;
      op_q         <= beat_ctl_i[`WL_WARP_COLLECTIVE_CTL_OP];
      signed_q     <= beat_ctl_i[`WL_WARP_COLLECTIVE_CTL_SIGNED];
      wide_q       <= beat_ctl_i[`WL_WARP_COLLECTIVE_CTL_SIZE] == 2'd3;
      writes_q     <= beat_ctl_i[`WL_WARP_COLLECTIVE_CTL_TO_RD] || beat_ctl_i[`WL_WARP_COLLECTIVE_CTL_TO_URD];
      to_pd_q      <= beat_ctl_i[`WL_WARP_COLLECTIVE_CTL_TO_PD];
      nan_q        <= beat_ctl_i[`WL_WARP_COLLECTIVE_CTL_NAN];
      if (g_lane_q == '0) mask_q <= beat_mask_i;
    end
  end
  assign absolute = op_q[0];         // of floats: .MAX .MAXABS .MIN .MINABS
  assign least    = op_q[1];

  // REDUX: floats are folded by their places in the order of floats, as in warp_collective.
  localparam logic [31:0] Infinity = 32'h7f80_0000, Highest = 32'h7fff_ffff, Lowest = 32'h8000_0000;
  logic [31:0] s_bits, s_word;
  logic        s_nan;
  assign s_bits = {s_value_q[31] && !(float_q && absolute), s_value_q[30:0]};
  assign s_nan  = float_q && {1'b0, s_bits[30:0]} > Infinity;
  assign s_word = s_nan ? (least ? Lowest : Highest) : float_q && s_bits[31] ? s_bits ^ Highest : s_bits;

  // ---- F: REDUX ------------------------------------------------------------------------------------------------
  logic        f_valid_q, f_begins_q, f_folds_q;
  logic [31:0] f_word_q, folded, fold_q;
  always_ff @(posedge clk_i) begin
    f_valid_q  <= s_valid_q && !rst_i;
    f_begins_q <= s_lane_q == '0;
    f_folds_q  <= s_member_q && (nan_q || !s_nan);
    f_word_q   <= s_word;
    if (f_valid_q && redux_q) fold_q <= folded;
  end
  lane_reduce #(.N(2)) u_reduce (
    .valid_i(f_valid_q && redux_q), .op_i(float_q ? (least ? Min : Max) : op_q), .signed_i(float_q || signed_q),
    .use_i({!f_begins_q, f_folds_q}), .words_i({fold_q, f_word_q}), .word_o(folded)
  );

  logic       s_in_range;
  logic [4:0] s_source;
  shuffle_source #(.Lanes(1)) u_source (
    .valid_i(s_valid_q && shfl_q), .op_i(op_q[1:0]), .beat_i(s_lane_q), .b_i(s_operands_q[4:0]), .c_i(s_operands_q[14:5]),
    .in_range_o(s_in_range), .lane_o(s_source)
  );

  // Votes: whether any member says yes, whether all members do, and the first yes.
  logic       s_yes, any_q, all_q;
  logic [4:0] leader_q;
  assign s_yes = s_member_q && s_pred_q;
  always_ff @(posedge clk_i) begin
    if (s_valid_q) begin
      any_q <= s_yes || (any_q && s_lane_q != '0);
      all_q <= (s_yes || !s_member_q) && (all_q || s_lane_q == '0);
      if (s_yes && !(any_q && s_lane_q != '0)) leader_q <= s_lane_q;
    end
  end

  // Of each lane {executes, choice of SHFL in range, lane read by SHFL, value}.
  (* ram_style = "block" *) logic [70:0] lanes [0:31];
  logic [70:0] lane_q;
  logic [4:0]  read_lane;
  logic        goes;
  always_ff @(posedge clk_i) begin
    if (s_valid_q) lanes[s_lane_q] <= {s_member_q, s_in_range, s_source, s_value_q};
    if (goes) lane_q <= lanes[read_lane];
  end

  // ---- A: the answer of a lane ---------------------------------------------------------------------------------
  // Step 0 asks the RAM for the lane's own value, step 1 for the value of the source or of lane 0, and so on.
  logic        fresh_q, full_q, put, own_in_range_q, other_member, own_in_range, same, differs_q, member, compares;
  logic [4:0]  a_lane_q, own_source, other_source;
  logic [5:0]  step_q, last_step;
  logic [63:0] own_q, other;
  logic [31:0] row_q, reduced, answer, shuffled;
  logic        written, pred, vote, unused_source;

  assign {other_member, own_in_range, own_source, other} = lane_q;
  assign other_source  = step_q == '0 ? a_lane_q : 5'(step_q - 1'b1);
  assign read_lane     = shfl_q && step_q != '0 ? own_source : other_source;
  assign goes          = busy_q && !s_valid_q && !f_valid_q && !full_q;
  assign member        = mask_q[a_lane_q];
  assign last_step     = !member ? 6'd0 : shfl_q ? 6'd2 : match_q ? 6'd34 : 6'd0;
  assign put           = goes && step_q == last_step;
  assign same          = other[31:0] == own_q[31:0] && (!wide_q || other[63:32] == own_q[63:32]);
  assign compares      = goes && match_q && step_q[5:1] != '0 && !put;
  assign unused_source = own_in_range;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      busy_q   <= 1'b0;
      fresh_q  <= 1'b0;
      full_q   <= 1'b0;
      a_lane_q <= '0;
      step_q   <= '0;
    end else begin
      busy_q  <= (take && g_lane_q == 5'd31) || (busy_q && !(rsp_take_i && a_lane_q == '0));
      fresh_q <= s_valid_q && busy_q;
      full_q  <= (put && (&a_lane_q[LaneBits-1:0])) || (full_q && !rsp_take_i);
      if (put) a_lane_q <= a_lane_q + 1'b1;
      if (goes) step_q <= put ? '0 : step_q + 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (goes && step_q == 6'd1) begin
      own_q          <= other;
      own_in_range_q <= own_in_range;
    end
    // Members with a yes, lane by lane; then matching members, likewise.
    if (s_valid_q || compares) row_q <= {s_valid_q ? s_yes : other_member && same, row_q[31:1]};
    if (goes) differs_q <= step_q[5:1] != '0 && (differs_q || (other_member && !same));
  end

  // From a float's place back to the float; a place without a float is the canonical NaN.
  assign reduced  = !float_q || !fold_q[31] ? fold_q : fold_q == Lowest ? Highest : fold_q ^ Highest;
  assign shuffled = other_member ? other[31:0] : 32'd0;
  assign vote     = op_q == Any ? any_q : all_q || (op_q != All && !any_q);
  assign written  = member && writes_q && (!elect_q || any_q);
  always_comb begin
    answer = '0;
    pred   = 1'b0;
    if (put) begin
      if (written) begin
        if (shfl_q) answer = shuffled;
        else if (redux_q) answer = reduced;
        else if (elect_q) answer = {27'd0, leader_q};
        else if (!match_q || op_q != All || !differs_q) answer = row_q;
      end
      if (member && to_pd_q) begin
        if (match_q) pred = !differs_q;
        else if (shfl_q) pred = own_in_range_q;
        else if (elect_q) pred = any_q && a_lane_q == leader_q;
        else pred = vote;
      end
    end
  end

  // A beat of answers: the lanes shift in from above.
  logic [Lanes-1:0]    written_q, pred_q;
  logic [Lanes*32-1:0] word_q;
  always_ff @(posedge clk_i) begin
    if (put) begin
      written_q <= {written, written_q[Lanes-1:1]};
      pred_q    <= {pred, pred_q[Lanes-1:1]};
      word_q    <= {answer, word_q[Lanes*32-1:32]};
    end
  end
  assign rsp_valid_o = full_q;
  assign rsp_o       = {{Lanes{6'd0}}, 1'b0, pred_q, written_q, 6'd1, a_lane_q == '0, tag_q};
  for (genvar l = 0; l < Lanes; l++) begin : gen_word
    assign rsp_data_o[l*128 +: 128] = {96'd0, word_q[l*32 +: 32]};
  end

  assign done_valid_o         = fresh_q;
  assign done_warp_o          = tag_q[21:16];
  assign trace_commit_valid_o = Trace && fresh_q;
  assign trace_commit_tag_o   = tag_q;
  assign trace_commit_lanes_o = mask_q;

  logic unused_bits;
  assign unused_bits = ^{beat_port_i, beat_index_i, beat_last_i, beat_ctl_i, beat_flags_i, beat_rb_i, beat_rc_i, imm_c};

  `ASSERT(Legal_A, !beat_valid_i || !beat_flags_i[`WL_FLAG_ILLEGAL])
  `ASSERT(LastBeat_A, !(beat_valid_i && beat_ready_o) || beat_last_i == (g_lane_q == 5'd31))
  `ASSERT(TakesOnlyWhatItOffers_A, !rsp_take_i || rsp_valid_o)
endmodule
`default_nettype wire
