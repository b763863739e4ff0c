// SPDX-License-Identifier: Apache-2.0
// barrier_file for boards: the same contract with one port, one request at a time, six cycles each. So nothing is
// forwarded, no request is late, and every path is short.
//
// Cycle 0, the head: the request is taken. Then a step a cycle:
//   Look   bits of the slot's barriers are selected; an EXIT counts
//   Pick   an EXIT gets the only barrier an EXIT can complete
//   Read   the barrier is read out of the RAM, the CTA is looked up
//   Fetch  the word read goes into registers; checks without this word
//   Judge  fault, or the phase after the arrival; waits for a free place of an answer
//   Act    COMMIT, FAULT and RELEASE, out of registers; the edge writes the state
// If a CTA comes or leaves from Read to Judge, the request begins anew at Read, so no change is missed.
//
// A status read goes the same way. The read is taken in Judge, and stands on the status port until then.
`include "assert.vh"
`include "wl_config.vh"
`default_nettype none

module barrier_file_lean #(
  parameter int Ports    = 1,                               // 1 only
  parameter int Warps    = 48,                              // 2..48
  parameter int Slots    = 16,                              // CTAs: 2..16, a power of two
  parameter int Barriers = 16,                              // of a CTA: 2..16, a power of two
  parameter int TagBits  = 22,
  parameter int WarpBits = $clog2(Warps),                   // derived, do not override
  parameter int SlotBits = $clog2(Slots),                   // derived, do not override
  parameter int IdBits   = $clog2(Barriers),                // derived, do not override
  parameter int NumBits  = $clog2(Warps + 1)                // derived, do not override: a number of warps
) (
  // all as in barrier_file
  input  logic                clk_i,
  input  logic                rst_i,

  // CTA launch and end
  input  logic                cta_valid_i,
  input  logic [SlotBits-1:0] cta_slot_i,
  input  logic                cta_open_i,
  input  logic [NumBits-1:0]  cta_warps_i,

  // the head
  input  logic                head_valid_i,
  output logic                head_ready_o,
  input  logic [2:0]          head_kind_i,
  input  logic [1:0]          head_form_i,
  input  logic [TagBits-1:0]  head_tag_i,
  input  logic [WarpBits-1:0] head_warp_i,
  input  logic [SlotBits-1:0] head_slot_i,
  input  logic [3:0]          head_id_i,
  input  logic [11:0]         head_count_i,
  input  logic [31:0]         head_ra_i,
  input  logic [31:0]         head_rb_i,
  input  logic [31:0]         head_mask_i,
  input  logic [31:0]         head_pred_i,

  // judgement
  output logic                commit_o,
  output logic                park_o,
  output logic                fault_o,
  output logic [5:0]          fault_code_o,
  output logic [TagBits-1:0]  judged_tag_o,
  output logic [31:0]         judged_mask_o,

  // RELEASE
  output logic                rel_valid_o,
  output logic [SlotBits-1:0] rel_slot_o,
  output logic [IdBits-1:0]   rel_id_o,
  output logic [Warps-1:0]    rel_warps_o,
  output logic [11:0]         rel_value_o,

  // answers
  output logic                rsp_valid_o,
  input  logic                rsp_ready_i,
  output logic [TagBits-1:0]  rsp_tag_o,
  output logic [31:0]         rsp_mask_o,
  output logic [5:0]          rsp_fault_o,
  output logic [11:0]         rsp_value_o,

  // status
  input  logic                status_valid_i,
  output logic                status_ready_o,
  input  logic [SlotBits-1:0] status_slot_i,
  input  logic [IdBits-1:0]   status_id_i,
  output logic                status_valid_o,
  output logic [1:0]          status_mode_o,
  output logic                status_counted_o,
  output logic [NumBits-1:0]  status_expected_o,
  output logic [NumBits-1:0]  status_arrived_o,
  output logic [Warps-1:0]    status_warps_o,
  output logic [Warps-1:0]    status_waiting_o,
  output logic [11:0]         status_votes_o,

  output logic                idle_o
);
  localparam int Entries  = Slots * Barriers;
  localparam int AddrBits = SlotBits + IdBits;
  localparam int VoteBits = 12;
  localparam int PartBits = 3 + 2 * NumBits + VoteBits + 2 * Warps;

  localparam logic [2:0] Arv = 3'd1, RedPopc = 3'd2, RedAnd = 3'd3, RedOr = 3'd4, Result = 3'd5, Exit = 3'd6,
                         Status = 3'd7;
  localparam logic [1:0] Plain = 2'd0, Popc = 2'd1, And = 2'd2, Or = 2'd3;

  if (Ports != 1) begin : gen_bad_ports
    a_lean_barrier_file_has_one_port u_bad ();
  end
  if (Warps < 2 || Warps > 48) begin : gen_bad_warps
    warps_must_be_2_to_48 u_bad ();
  end
  if (Slots < 2 || Slots > 16 || (Slots & (Slots - 1)) != 0) begin : gen_bad_slots
    slots_must_be_2_4_8_or_16 u_bad ();
  end
  if (Barriers < 2 || Barriers > 16 || (Barriers & (Barriers - 1)) != 0) begin : gen_bad_barriers
    barriers_must_be_2_4_8_or_16 u_bad ();
  end

  // ---- steps ---------------------------------------------------------------------------------------------------
  localparam int Look = 0, Pick = 1, Read = 2, Fetch = 3, Judge = 4, Act = 5;
  logic [Act:Look] step_q;        // at most one
  logic            busy_q;        // any step
  logic            begins, again, goes;

  assign head_ready_o = !busy_q && !rst_i;
  assign begins       = head_ready_o && (head_valid_i || status_valid_i);
  assign again        = cta_valid_i && step_q[Read+:3] != '0;
  always_ff @(posedge clk_i) begin
    step_q[Look]  <= begins;
    step_q[Pick]  <= step_q[Look];
    step_q[Read]  <= step_q[Pick] || again;
    step_q[Fetch] <= step_q[Read] && !again;
    step_q[Judge] <= (step_q[Fetch] || (step_q[Judge] && !goes)) && !again;
    step_q[Act]   <= goes;
    busy_q        <= begins || (busy_q && !step_q[Act]);
    if (rst_i) begin
      step_q <= '0;
      busy_q <= 1'b0;
    end
  end

  // ---- head: while idle, the registers follow the head; the valid bit may come late -------------------------------
  logic [2:0]          kind_q;
  logic [TagBits-1:0]  tag_q;
  logic [WarpBits-1:0] warp_q;
  logic [SlotBits-1:0] slot_q;
  logic [IdBits-1:0]   id_q;
  logic                bad_id_q, bad_count_q, no_count_q;
  logic [NumBits-1:0]  count_q;                     // given, in warps
  logic [31:0]         mask_q, pred_q, index, threads;
  logic [5:0]          votes, votes_q;
  logic [IdBits-1:0]   lowest;

  barrier_operands u_operands (
    .kind_i(kind_q), .form_i(head_form_i), .id_i(head_id_i), .count_i(head_count_i), .ra_i(head_ra_i), .rb_i(head_rb_i),
    .mask_i(mask_q), .pred_i(pred_q), .index_o(index), .threads_o(threads), .votes_o(votes)   // votes a cycle later
  );
  always_ff @(posedge clk_i) begin
    if (!busy_q) begin
      kind_q      <= head_valid_i ? head_kind_i : Status;
      tag_q       <= head_tag_i;
      warp_q      <= head_warp_i;
      slot_q      <= head_valid_i ? head_slot_i : status_slot_i;
      id_q        <= head_valid_i ? index[IdBits-1:0] : status_id_i;
      bad_id_q    <= index[31:IdBits] != '0;
      no_count_q  <= threads == '0;
      bad_count_q <= threads[4:0] != '0 || threads[31:5] > 27'(Warps);
      count_q     <= threads[5 +: NumBits];
      mask_q      <= head_mask_i;
      pred_q      <= head_pred_i;
    end
    if (step_q[Look]) votes_q <= votes;
    if (step_q[Pick] && kind_q == Exit) id_q <= lowest;
  end

  // ---- CTAs ----------------------------------------------------------------------------------------------------
  // Numbers of warps stand 8 bits apart: an index needs no multiplier.
  logic [Slots-1:0]    open_q;
  logic [Slots*8-1:0]  launched_q, live_q;
  logic [7:0]          live;
  logic                here_open_q;                 // of the request's CTA
  logic [7:0]          here_launched_q;
  logic [NumBits-1:0]  here_live_q;

  assign live = live_q[{slot_q, 3'd0} +: 8];
  always_ff @(posedge clk_i) begin
    if (step_q[Look] && kind_q == Exit && live != '0) live_q[{slot_q, 3'd0} +: 8] <= live - 8'd1;
    if (cta_valid_i) begin
      open_q[cta_slot_i]                  <= cta_open_i;
      launched_q[{cta_slot_i, 3'd0} +: 8] <= 8'(cta_warps_i);
      live_q[{cta_slot_i, 3'd0} +: 8]     <= cta_open_i ? 8'(cta_warps_i) : '0;
    end
    if (rst_i) begin
      open_q <= '0;
      live_q <= '0;
    end
    if (step_q[Read]) begin
      here_open_q     <= open_q[slot_q];
      here_launched_q <= launched_q[{slot_q, 3'd0} +: 8];
      here_live_q     <= live[NumBits-1:0];
    end
  end

  // ---- the barriers' state ---------------------------------------------------------------------------------------
  // {mode, counted, need, arrived, votes, waits, here}: as a part of barrier_file.
  logic [Entries-1:0]  filled_q;                    // a phase is open; else the RAM word has no meaning
  logic [Entries-1:0]  shrinks_q;                   // ... and no arrival of the phase gave a count
  logic [Barriers-1:0] filled_here_q, shrinks_here_q;   // of the request's CTA
  logic [Slots-1:0]    slot_hot_q;                  // slot_q and id_q, a bit for each
  logic [Barriers-1:0] id_hot_q;
  logic [AddrBits-1:0] addr;
  (* no_rw_check *) logic [PartBits-1:0] mem [0:Entries-1];   // written in Act, read in Read: never both
  logic [PartBits-1:0] ram_q;
  logic                filled, filled_now_q, write_q, complete_q;

  logic                counted_q;                   // the barrier: as read, and from Judge on as left by the request
  logic [1:0]          mode_q;
  logic [NumBits-1:0]  found_need_q, arrived_q;
  logic [VoteBits-1:0] sum_q;
  logic [Warps-1:0]    waits_q, here_q;

  assign addr   = {slot_q, id_q};
  assign filled = filled_here_q[id_q];
  always_comb begin
    lowest = '0;
    if (shrinks_here_q != '0) begin
      for (int i = Barriers - 1; i >= 0; i--) begin
        if (shrinks_here_q[i]) lowest = i[IdBits-1:0];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (write_q) mem[addr] <= {mode_q, counted_q, found_need_q, arrived_q, sum_q, waits_q, here_q};
    if (step_q[Read]) ram_q <= mem[addr];
  end
  always_ff @(posedge clk_i) begin
    if (step_q[Look]) shrinks_here_q <= shrinks_q[{slot_q, IdBits'(0)} +: Barriers];
    if (step_q[Read]) begin
      filled_here_q <= filled_q[{slot_q, IdBits'(0)} +: Barriers];
      slot_hot_q    <= Slots'(1) << slot_q;
      id_hot_q      <= Barriers'(1) << id_q;
    end
    for (int s = 0; s < Slots; s++) begin
      if ((write_q || complete_q) && slot_hot_q[s]) begin
        filled_q[s*Barriers +: Barriers]  <= (filled_q[s*Barriers +: Barriers] & ~id_hot_q) | (write_q ? id_hot_q : '0);
        shrinks_q[s*Barriers +: Barriers] <= (shrinks_q[s*Barriers +: Barriers] & ~id_hot_q) |
                                             (write_q && !counted_q ? id_hot_q : '0);
      end
      if (rst_i || (cta_valid_i && cta_slot_i == s[SlotBits-1:0])) begin
        filled_q[s*Barriers +: Barriers]  <= '0;
        shrinks_q[s*Barriers +: Barriers] <= '0;
      end
    end
  end

  // ---- Fetch: checks without the barrier's state -----------------------------------------------------------------
  logic               arrives, above;
  logic [NumBits-1:0] need, need_q;                 // of the arrival
  logic [1:0]         mode;
  logic [5:0]         early, early_q, code;

  assign arrives = kind_q <= RedOr;
  assign need    = no_count_q ? here_launched_q[NumBits-1:0] : count_q;
  assign above   = 8'(count_q) > here_launched_q;
  always_comb begin
    case (kind_q)
      RedPopc: mode = Popc;
      RedAnd:  mode = And;
      RedOr:   mode = Or;
      default: mode = Plain;
    endcase
    early = `WL_FAULT_NONE;
    if (arrives) begin
      if (!here_open_q) early = `WL_FAULT_SLOT_CLOSED;
      else if (bad_id_q) early = `WL_FAULT_BAR_BAD_ID;
      else if (no_count_q ? kind_q == Arv : bad_count_q || above) early = `WL_FAULT_BAR_BAD_COUNT;
    end
  end

  // ---- Judge -----------------------------------------------------------------------------------------------------
  logic [Warps-1:0]   who;
  logic [NumBits-1:0] arrived;
  logic               fault, answers, ends, counted;

  assign who     = Warps'(1) << warp_q;
  assign arrived = arrived_q + NumBits'(arrives);
  assign counted = counted_q || (arrives && !no_count_q);
  always_comb begin
    code = early_q;
    if (arrives && early_q == `WL_FAULT_NONE && filled_now_q) begin
      if (found_need_q != need_q) code = `WL_FAULT_BAR_COUNT_MISMATCH;
      else if (mode_q != mode) code = `WL_FAULT_BAR_MODE_MISMATCH;
      else if (here_q[warp_q]) code = `WL_FAULT_BAR_DOUBLE_ARRIVE;
    end
  end
  assign fault   = code != `WL_FAULT_NONE;
  assign answers = fault || kind_q == Arv || kind_q == Result;
  // An EXIT adds nothing: the phase may be empty.
  assign ends    = counted ? arrives && arrived == need_q : (arrives || filled_now_q) && arrived == here_live_q;
  assign goes    = step_q[Judge] && !again && !(answers && rsp_valid_o);

  always_ff @(posedge clk_i) begin
    if (step_q[Fetch]) begin
      early_q      <= early;
      need_q       <= need;
      filled_now_q <= filled;
      {mode_q, counted_q, found_need_q, arrived_q, sum_q, waits_q, here_q} <= filled ? ram_q : '0;
    end
    // The phase after the arrival does not wait for the decision whether the arrival counts: else nobody reads the
    // phase.
    if (goes && arrives) begin
      mode_q       <= mode;
      counted_q    <= counted;
      found_need_q <= need_q;
      arrived_q    <= arrived;
      sum_q        <= sum_q + VoteBits'(votes_q);
      here_q       <= here_q | who;
      if (kind_q != Arv) waits_q <= waits_q | who;
    end
    commit_o     <= goes && !fault && (arrives || kind_q == Result);
    park_o       <= goes && !fault && arrives && kind_q != Arv;
    fault_o      <= goes && fault;
    fault_code_o <= code;
    write_q      <= goes && !fault && arrives && !ends;
    complete_q   <= goes && !fault && (arrives || kind_q == Exit) && ends;
    rel_valid_o  <= goes && !fault && (arrives || kind_q == Exit) && ends && (waits_q != '0 || (arrives && kind_q != Arv));
    if (rst_i) {commit_o, park_o, fault_o, write_q, complete_q, rel_valid_o} <= '0;
  end

  // ---- Act: RELEASE, and the results of reductions -----------------------------------------------------------------
  logic [Warps*16-1:0] result_q;     // 16 bits apart

  assign rel_slot_o  = slot_q;
  assign rel_id_o    = id_q;
  assign rel_warps_o = waits_q;
  always_comb begin
    case (mode_q)
      Popc:    rel_value_o = sum_q;
      And:     rel_value_o = VoteBits'(sum_q == '0);
      Or:      rel_value_o = VoteBits'(sum_q != '0);
      default: rel_value_o = '0;
    endcase
  end
  always_ff @(posedge clk_i) begin
    for (int n = 0; n < Warps; n++) begin
      if (complete_q && mode_q != Plain && waits_q[n]) result_q[n*16 +: 16] <= {4'd0, rel_value_o};
    end
    if (rst_i) result_q <= '0;
  end

  // ---- answers ---------------------------------------------------------------------------------------------------
  logic answers_now;
  assign answers_now   = fault_o || (commit_o && !park_o);
  assign judged_tag_o  = tag_q;
  assign judged_mask_o = mask_q;
  always_ff @(posedge clk_i) begin
    rsp_valid_o <= !rst_i && (answers_now || (rsp_valid_o && !rsp_ready_i));
    if (answers_now) begin
      rsp_tag_o   <= tag_q;
      rsp_mask_o  <= mask_q;
      rsp_fault_o <= fault_o ? fault_code_o : `WL_FAULT_NONE;
      rsp_value_o <= fault_o || kind_q == Arv ? '0 : result_q[{warp_q, 4'd0} +: VoteBits];
    end
  end

  // ---- status ----------------------------------------------------------------------------------------------------
  assign status_ready_o = goes && kind_q == Status && !rst_i;
  always_ff @(posedge clk_i) status_valid_o <= !rst_i && status_ready_o && status_valid_i;
  assign status_mode_o     = mode_q;
  assign status_counted_o  = counted_q;
  assign status_expected_o = !filled_now_q ? '0 : counted_q ? found_need_q : here_live_q;
  assign status_arrived_o  = arrived_q;
  assign status_warps_o    = here_q;
  assign status_waiting_o  = waits_q;
  assign status_votes_o    = sum_q;

  assign idle_o = !busy_q && !rsp_valid_o;

  // ---- assertions ------------------------------------------------------------------------------------------------
  `ASSERT(KindOfHead_A, !head_valid_i || head_kind_i != Status)
  `ASSERT(StatusStands_A, !(busy_q && !step_q[Act] && kind_q == Status) ||
                          (status_valid_i && status_slot_i == slot_q && status_id_i == id_q))
`ifndef FORMAL
  // follows from the sequence of steps
  `ASSERT(OneStep_A, $onehot0(step_q) && busy_q == (step_q != '0))
  `ASSERT(SlotIsHot_A, step_q[Act:Fetch] == '0 || slot_hot_q == Slots'(1) << slot_q)
  `ASSERT(IdIsHot_A, step_q[Act:Fetch] == '0 || id_hot_q == Barriers'(1) << id_q)
`endif
  `ASSERT(OneOutcome_A, !(commit_o && fault_o))
endmodule
`default_nettype wire
