// SPDX-License-Identifier: Apache-2.0
// Shared-memory access and atomics: LDS, STS, ATOMS, ATOMS.CAS, ATOMS.CAST(.SPIN). One pass every cycle.
//
//   A  address: form and judge the lanes' addresses, SPIN groups       one beat, waits for P
//   P  pass: choose the lanes of the next pass                         one beat until its last pass, waits for a slot
//   R  read: lanes to banks, read the RAM
//   X  execute: read-modify-write, write the RAM                       COMMIT
//   W  write back: banks to lanes, into the response slot
//
// A and P wait, R X W never do: a beat takes its response slot before its first pass. A pass reads in R while the one
// ahead of it writes in X; smem_banks forwards. A beat without a lane that takes part goes through as an empty pass,
// which is not counted and is no COMMIT.
//
// With `Mbar` the requests of mbarrier_engine come the same way: reads of an object are loads of 64 bits, its other
// operations atomics of 64 bits that mbar_stage steps. ARRIVE.TMASK waits in mbar_gather until its whole request is there.
//
// With `Combine` a pass takes all lanes of the words of its lowest winners: lane_scan folds their operands in R and X, the
// bank takes the fold as its operand, and W makes of the word before what each lane would have read in its turn.
//
// With `Native`, and for lanes in other CTAs' shared memory with `Cluster`, the banks' ALU does 64-bit integers, and fp_lanes adds floats: in X too, so a pass on the word of the pass
// before waits for nothing. There are FpLanes adders; fp_pick cuts each pass of floats to what they can serve.
//
// With `Lean` there is one pass in the unit, of the beat in P, whose registers all stages look at. It is chosen in one cycle and issued
// in a later one; stands in R as many cycles as there are banks, each of which is told its lane in one of them and gets its words in the next,
// and two more, in the last of which the RAM is read; in X for six: its words go into registers; what is done with them takes four (of floats; all else a part of them); what has come
// out is written; in W a cycle for each lane, up to the last one that gets a result.
//
// With `Matrix` LDSM and STSM come as loads and stores of 128 bits: matrix_operands gives the lanes of STSM their rows, matrix_result
// makes of the rows of LDSM what the lanes get. Lanes without a row need no bank, and the matrices go one after the other.
//
// A shared beat is one of atom_unit: its lanes in shared memory. It needs no response slot; what it yields goes back there.
`include "assert.vh"
`include "mbar.vh"
`include "wl_config.vh"
`include "wl_units.vh"
`default_nettype none

module atoms_pipe #(
  parameter int Lanes     = 32,                              // 4, 8, 16, 32
  parameter int Banks     = 32,                              // 4, 8, 16, 32
  parameter int PortBits  = 1,
  parameter int SlotBits  = 3,
  parameter int SmemBytes = 65536,
  parameter int RaBits    = 32,                              // of each lane's Ra on the beat bus, 32 or more
  parameter bit Trace     = 1'b1,
  parameter bit Mbar      = 1'b0,                            // mbarrier_engine is built
  parameter bit LayoutA   = 1'b1,                            // for sm_80 too
  parameter bit LayoutV1  = 1'b0,                            // for layout v1 of sm_107 too
  parameter bit Preds     = 1'b0,                            // compare-and-swap may have a predicate result
  parameter bit Wide      = 1'b0,                            // compare-and-swap of 128 bits
  parameter int Combine   = 0,                               // words of a pass that take all their lanes: 0, 1, 2
  parameter bit Native    = 1'b0,                            // native operations: ATOMSN
  parameter bit Matrix    = 1'b0,                            // LDSM and STSM
  parameter int FpStages  = 1,                               // of the float adders: 1; 2: a pass of floats every other cycle
  parameter bit Cluster   = 1'b0,                            // some accesses reach other CTAs of the cluster
  parameter int Ranks     = 16,                              // that a cluster here can have: a power of two
  parameter bit Lean      = 1'b0,                            // the small forms of what has one
  parameter int ShareBits = 2,                               // of a slot of atom_unit
  parameter int BeatBits  = Lanes < 32 ? $clog2(32 / Lanes) : 1,   // derived, do not override, like all below
  parameter int AddrBits  = $clog2(SmemBytes),
  parameter int BankBits  = $clog2(Banks),
  parameter int LaneBits  = $clog2(Lanes),
  parameter int RowBits   = AddrBits - 2 - BankBits,
  parameter int HeadBits  = 22 + 1 + 6 + Lanes * (Cluster ? 4 : 3),
  parameter int ObjBits   = AddrBits - 3
) (
  input  logic                     clk_i,
  input  logic                     rst_i,

  // request beats; all beats of a request follow each other
  input  logic                     beat_valid_i,
  output logic                     beat_ready_o,
  input  logic [PortBits-1:0]      beat_port_i,
  input  logic [21:0]              beat_tag_i,
  input  logic [3:0]               beat_slot_i,
  input  logic                     beat_mbar_i,     // of mbarrier_engine
  input  logic                     layout_v1_i,     // its objects with bit 0 have layout v1 of sm_107
  input  logic [4:0]               beat_kind_i,     // WL_ATOMS_PIPE_*, WL_MBARRIER_ENGINE_*
  input  logic [31:0]              beat_ctl_i,      // WL_ATOMS_PIPE_CTL_*, WL_MBARRIER_ENGINE_CTL_*
  input  logic [6:0]               beat_flags_i,    // WL_FLAG_*
  input  logic [31:0]              beat_base_i,     // uniform register plus offset
  input  logic [BeatBits-1:0]      beat_index_i,
  input  logic                     beat_last_i,
  input  logic [31:0]              beat_mask_i,     // from the first lane of the beat on
  input  logic [Lanes*RaBits-1:0]  beat_ra_i,
  input  logic [Lanes*128-1:0]     beat_rb_i,       // compare-and-swap below 128 bits: {Rc (64), Rb (64)}
  input  logic [Lanes*128-1:0]     beat_rc_i,       // of 128 bits
  input  logic                     beat_share_i,    // of atom_unit
  input  logic [ShareBits-1:0]     beat_share_slot_i,
  output logic                     done_valid_o,    // a request has committed wholly
  output logic [5:0]               done_warp_o,

  // response slots (rsp_queue)
  output logic [PortBits-1:0]      rsp_port_o,      // of ready, alloc, slot and head
  input  logic                     rsp_alloc_ready_i,
  input  logic                     rsp_whole_ready_i, // for all beats of a request
  output logic                     rsp_alloc_o,
  input  logic [SlotBits-1:0]      rsp_alloc_slot_i,
  output logic                     rsp_head_we_o,
  output logic [SlotBits-1:0]      rsp_head_slot_o,
  output logic [HeadBits-1:0]      rsp_head_o,
  output logic [4:0]               rsp_matrix_o,    // with the head, of LDSM: {transposed, matrices}
  output logic [PortBits-1:0]      rsp_data_port_o, // of data and finish
  output logic [SlotBits-1:0]      rsp_data_slot_o,
  output logic [Lanes-1:0]         rsp_data_we_o,
  output logic [Lanes*128-1:0]     rsp_data_o,
  output logic                     rsp_finish_o,
  output logic [Lanes-1:0]         rsp_pred_o,      // lanes of this pass whose predicate is true
  output logic                     rsp_special_o,   // with finish: the beat was one of mbarrier_engine, with
  output logic [Lanes*7-1:0]       rsp_extra_o,     // {predicate, fault} of each lane,
  output logic                     rsp_hold_o,      // and waits for the last one of its request,
  output logic                     rsp_drop_o,      // after which none of them is answered

  // atom_unit, of beats that it shares: a beat begins, with lanes out of range; a pass is over, one that counts, the last one of
  // its request, and results of lanes (rsp_data_o)
  output logic                     share_begin_o,
  output logic [ShareBits-1:0]     share_begin_slot_o,
  output logic [BeatBits-1:0]      share_begin_index_o,
  output logic [Lanes-1:0]         share_outside_o,
  output logic [Lanes-1:0]         share_absent_o,  // ... of ranks that the cluster lacks; of CTAs that have ended
  output logic [Lanes-1:0]         share_ended_o,
  output logic                     share_pass_o,
  output logic                     share_end_o,
  output logic [ShareBits-1:0]     share_pass_slot_o,
  output logic [BeatBits-1:0]      share_pass_index_o,
  output logic [Lanes-1:0]         share_we_o,

  // CTA windows
  input  logic                     cfg_valid_i,
  input  logic [3:0]               cfg_slot_i,
  input  logic                     cfg_window_valid_i,
  input  logic [3:0]               cfg_rank_i,
  input  logic [16:0]              cfg_base_i,
  input  logic [16:0]              cfg_size_i,

  // other CTAs of the cluster of the beat's, by rank (cluster_windows)
  input  logic                     several_i,
  input  logic [15:0]              there_i,
  input  logic [15:0]              lives_i,
  input  logic [16*13-1:0]         there_base_i,
  input  logic [16*13-1:0]         there_size_i,

  // the way to smem_banks
  input  logic                     hold_i,          // issue no pass
  output logic                     issue_o,         // a pass is issued: it reads in the next cycle, writes in the one after
  output logic                     trywait_o,       // a TRYWAIT has had passes, and has more to come
  output logic [Banks-1:0]         mem_rd_en_o,
  output logic [Banks*RowBits-1:0] mem_rd_row_o,
  input  logic [Banks*32-1:0]      mem_rd_data_i,
  input  logic [Banks-1:0]         mem_rd_fwd_i,
  output logic [Banks-1:0]         mem_wr_en_o,
  output logic [Banks*RowBits-1:0] mem_wr_row_o,
  output logic [Banks*32-1:0]      mem_wr_data_o,
  input  logic [Banks-1:0]         mem_rd_mark_i,
  output logic [Banks-1:0]         mem_mark_en_o,   // marks that are written without their words
  output logic [Banks-1:0]         mem_wr_mark_o,
  input  logic                     store_marks_i,   // STS.64 makes an mbarrier

  // mbarrier_engine, in X
  output logic                     park_valid_o,    // a warp begins to wait
  output logic [5:0]               park_warp_o,
  output logic [3:0]               park_slot_o,
  output logic [ObjBits-1:0]       park_object_o,   // address / 8
  output logic                     park_parity_o,
  output logic                     park_conditional_o, // of the conditional phase
  output logic [Banks/2-1:0]       flip_o,          // phases that end,
  output logic [Banks/2-1:0]       flip_phase_o,    // of this parity, of objects ...
  output logic [Banks/2*`WL_MBAR_END_BITS-1:0] flip_end_o, // ... whose phase ends as WL_MBAR_END_* say, ...
  output logic [Banks/2*RowBits-1:0] flip_row_o,    // ... in these rows of their banks

  output logic                     idle_o,          // nothing in A to W; results may still wait for their port

  // trace
  output logic                     trace_fault_valid_o,
  output logic [21:0]              trace_fault_tag_o,
  output logic [6*32-1:0]          trace_fault_lanes_o,
  output logic                     trace_count_valid_o,
  output logic [21:0]              trace_count_tag_o,
  output logic [31:0]              trace_count_lanes_o,
  output logic                     trace_state_valid_o,
  output logic [21:0]              trace_state_tag_o,
  output logic [7*32-1:0]          trace_state_lanes_o,
  output logic                     trace_commit_valid_o,
  output logic [21:0]              trace_commit_tag_o,
  output logic [31:0]              trace_commit_lanes_o,
  output logic [Banks-1:0]         trace_commit_we_o,
  output logic [Banks*RowBits-1:0] trace_commit_row_o,
  output logic [Banks*32-1:0]      trace_commit_old_o,
  output logic [Banks*32-1:0]      trace_commit_now_o,
  output logic [Banks-1:0]         trace_commit_fwd_o
);
  localparam bit Adds    = Native || Cluster;        // other CTAs' shared memory serves 64-bit integers and pairs of halves
  localparam int LowBits = BankBits + 2;             // address bits that say bank and byte
  localparam int CtlBits = `WL_ATOMS_PIPE_CTL_BITS;
  localparam logic [3:0] OpInc = 4'd3, OpDec = 4'd4, OpExch = 4'd8; // of atomic_alu; a store
  localparam int OpBits   = `WL_MBAR_OP_BITS;
  localparam int MbarBits = 4 + 32 + 1 + Lanes + OpBits;
  logic [MbarBits-1:0] p_more_q, r_more_q, x_more_q; // of a beat of mbarrier_engine, see there

  // ---- the beat in P (declared here because A waits for it) ------------------------------------------------
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
  logic                      p_fire, p_begin, p_leave, p_free, p_waits, p_all;
  logic                      p_done;          // P is free from the next cycle on
  logic [1:0]                p_span_q;        // banks of a group - 1
  logic                      p_open, p_over;  // a pass is chosen; the last one of the beat
  logic [Lanes-1:0]          p_able, s_chosen, p_chosen, p_lanes, p_rest;
  logic [Banks-1:0]          p_leads, s_banks, p_banks;
  logic [Banks*LaneBits-1:0] s_win, p_win;

  // ---- A: addresses ----------------------------------------------------------------------------------------
  // What goes to P: the beat on the bus, or one that was gathered.
  logic                      l_move, l_last, l_mbar, l_share, l_idle;
  logic [21:0]               l_tag;
  logic [PortBits-1:0]       l_port;
  logic [BeatBits-1:0]       l_index;
  logic [4:0]                l_kind;
  logic [CtlBits-1:0]        l_ctl;
  logic [Lanes-1:0]          l_ok, l_code2, l_code1, l_code0, l_pending, l_losers;
  logic [Lanes*AddrBits-1:0] l_addr;
  logic [Lanes*128-1:0]      l_data;
  logic [MbarBits-1:0]       l_more;        // of a beat of mbarrier_engine, see there
  logic [Lanes*`WL_MBAR_GROUP_BITS-1:0] l_group; // ARRIVE.TMASK: of each lane, WL_MBAR_GROUP_*

  // The beats with the rows of STSM.
  logic                      m_valid, m_ready, m_last, m_partial;
  logic [BeatBits-1:0]       m_index;
  logic [31:0]               m_mask;
  logic [Lanes*RaBits-1:0]   m_ra;
  logic [Lanes*128-1:0]      m_rb;
  if (Matrix) begin : gen_operands
    logic loads, stores;
    assign loads  = !beat_mbar_i && !beat_share_i && beat_kind_i == `WL_ATOMS_PIPE_LDSM;
    assign stores = !beat_mbar_i && !beat_share_i && beat_kind_i == `WL_ATOMS_PIPE_STSM;
    matrix_operands #(.Lanes(Lanes), .RaBits(RaBits)) u_operands (
      .clk_i, .rst_i, .matrix_i(loads || stores), .store_i(stores), .trans_i(beat_ctl_i[`WL_ATOMS_PIPE_CTL_TYPE] != '0),
      .beat_valid_i, .beat_ready_o, .beat_index_i, .beat_last_i, .beat_mask_i, .beat_ra_i, .beat_rb_i,
      .valid_o(m_valid), .ready_i(m_ready), .index_o(m_index), .last_o(m_last), .mask_o(m_mask), .ra_o(m_ra), .rb_o(m_rb),
      .partial_o(m_partial)
    );
    if (Lean) begin : gen_bad
      lean_atoms_pipe_has_no_matrices u_bad ();
    end
  end else begin : gen_no_operands
    assign {m_valid, m_index, m_last, m_mask, m_ra, m_rb} =
           {beat_valid_i, beat_index_i, beat_last_i, beat_mask_i, beat_ra_i, beat_rb_i};
    assign beat_ready_o = m_ready;
    assign m_partial    = 1'b0;
  end

  assign p_free = !p_valid_q || (p_leave && !Lean); // Lean: a cycle later, which cuts the way from the lanes of a pass to the next beat
  atoms_front #(.Lanes(Lanes), .PortBits(PortBits), .AddrBits(AddrBits), .RaBits(RaBits), .Mbar(Mbar), .LayoutV1(LayoutV1), .Cluster(Cluster),
    .Ranks(Ranks), .Native(Native), .Matrix(Matrix), .Lean(Lean)) u_front (
    .clk_i, .rst_i, .beat_valid_i(m_valid), .beat_ready_o(m_ready), .beat_port_i, .beat_tag_i, .beat_slot_i, .beat_mbar_i,
    .layout_v1_i, .beat_kind_i, .beat_ctl_i, .beat_flags_i, .beat_base_i, .beat_index_i(m_index), .beat_last_i(m_last), .beat_mask_i(m_mask),
    .beat_ra_i(m_ra), .beat_rb_i(m_rb), .beat_share_i, .partial_i(m_partial),
    .cfg_valid_i, .cfg_slot_i, .cfg_window_valid_i, .cfg_rank_i, .cfg_base_i, .cfg_size_i, .ready_i(p_free), .move_o(l_move),
    .tag_o(l_tag), .port_o(l_port), .index_o(l_index), .last_o(l_last), .mbar_o(l_mbar), .share_o(l_share), .kind_o(l_kind),
    .ctl_o(l_ctl), .ok_o(l_ok), .pending_o(l_pending), .losers_o(l_losers), .code2_o(l_code2), .code1_o(l_code1), .code0_o(l_code0),
    .several_i, .there_i, .lives_i, .there_base_i, .there_size_i,
    .addr_o(l_addr), .data_o(l_data), .more_o(l_more), .group_o(l_group), .idle_o(l_idle)
  );

  // ---- P: passes -------------------------------------------------------------------------------------------
  function automatic logic is_compare(input logic [4:0] kind);
    is_compare = kind == `WL_ATOMS_PIPE_ATOMS_CAS || kind == `WL_ATOMS_PIPE_ATOMS_CAST || kind == `WL_ATOMS_PIPE_ATOMS_CAST_P;
  endfunction

  // Banks of a group - 1, from the access size.
  function automatic logic [1:0] group_of(input logic [2:0] size);
    group_of = size == 3'd4 ? 2'd3 : size == 3'd3 ? 2'd1 : 2'd0;
  endfunction

  // What combines: stores, and operations of 32 bits that can be folded.
  localparam int Words = Combine > 0 ? Combine : 1;
  logic                      p_store, p_combines;
  logic [Words*Lanes-1:0]    s_with, p_with;
  logic [Words*BankBits-1:0] s_lead, p_lead;
  assign p_store    = p_kind_q == `WL_ATOMS_PIPE_STS && !p_mbar_q;
  assign p_combines = Combine > 0 && (p_store || (p_kind_q == `WL_ATOMS_PIPE_ATOMS && !p_mbar_q &&
                      p_ctl_q[`WL_ATOMS_PIPE_CTL_SIZE] == 3'd2 && p_ctl_q[`WL_ATOMS_PIPE_CTL_OP] != OpInc &&
                      p_ctl_q[`WL_ATOMS_PIPE_CTL_OP] != OpDec));

  // The rows of one matrix at a time.
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
    .group_i(p_span_q), .pending_i(p_pending_q & p_some), .addr_i(p_addr_q), .lanes_o(p_able), .all_o(p_all), .banks_o(p_leads), .win_o(s_win),
    .with_o(s_with), .lead_o(s_lead)
  );

  // Of a pass of floats, what the adders can serve.
  localparam int FpLanes = 4;
  logic [2:0]                  p_type;
  logic [FpLanes-1:0]          s_adds, p_adds, r_adds_q;
  logic [FpLanes*BankBits-1:0] s_adds_at, p_adds_at, r_adds_at_q;
  assign p_type = p_kind_q == `WL_ATOMS_PIPE_ATOMSN ? p_ctl_q[`WL_ATOMS_PIPE_CTL_TYPE] : '0;
  if (Adds) begin : gen_pick
    fp_pick #(.Lanes(Lanes), .Banks(Banks), .AddrBits(AddrBits), .Places(FpLanes)) u_pick (
      .valid_i(p_valid_q && p_type != '0), .group_i(p_span_q), .lanes_i(p_able), .banks_i(p_leads), .addr_i(p_addr_q),
      .lanes_o(s_chosen), .banks_o(s_banks), .used_o(s_adds), .at_o(s_adds_at)
    );
    always_ff @(posedge clk_i) begin
      if (p_fire) r_adds_q <= p_adds;
      if (p_fire && p_adds != '0) r_adds_at_q <= p_adds_at;
    end
  end else begin : gen_no_pick
    assign s_chosen    = p_able;
    assign s_banks     = p_leads;
    assign s_adds      = '0;
    assign s_adds_at   = '0;
    assign r_adds_q    = '0;
    assign r_adds_at_q = '0;
    logic unused_native;
    assign unused_native = ^{p_type, p_adds, p_adds_at, r_adds_q, r_adds_at_q};
  end

  // Lean: the choice goes into registers, which follow the beat all the time. They hold a pass when the beat has stood for a cycle.
  if (Lean) begin : gen_chosen
    logic open_q;
    always_ff @(posedge clk_i) begin
      open_q <= !rst_i && p_valid_q && !p_fire && !p_gap;
      {p_chosen, p_banks, p_win, p_adds, p_adds_at, p_with, p_lead} <= {s_chosen, s_banks, s_win, s_adds, s_adds_at, s_with, s_lead};
      p_over <= (p_pending_q & ~s_chosen) == '0;
    end
    assign p_open = open_q;
    logic unused_all;
    assign unused_all = p_all;
  end else begin : gen_straight
    assign p_open = p_valid_q;
    assign {p_chosen, p_banks, p_win, p_adds, p_adds_at, p_with, p_lead} = {s_chosen, s_banks, s_win, s_adds, s_adds_at, s_with, s_lead};
    assign p_over = Combine == 0 && !Adds ? p_all && (p_pending_q & ~p_some) == '0 : p_rest == '0;
  end

  // With adders in two stages a pass of floats stands in X for two cycles: nothing is issued behind it, by nobody. With Lean nothing is
  // before it has left W.
  logic p_gap, w_end;
  if (Lean) begin : gen_gaps
    logic gap_q, over_q;
    always_ff @(posedge clk_i) begin
      gap_q <= !rst_i && (p_fire || (gap_q && !w_end));
      if (p_fire) over_q <= p_over;
    end
    assign p_gap  = gap_q;
    assign p_done = w_end && over_q;
    if (Combine != 0) begin : gen_bad
      lean_atoms_pipe_does_not_combine u_bad ();
    end
  end else begin : gen_no_gaps
    assign p_done = p_leave;
    if (Adds && FpStages == 2) begin : gen_gap
      logic gap_q;
      always_ff @(posedge clk_i) gap_q <= !rst_i && p_fire && p_type != '0;
      assign p_gap = gap_q;
    end else begin : gen_no_gap
      assign p_gap = 1'b0;
    end
  end

  // A TRYWAIT is judged with its last beat: once it has begun, no response port may hold it up.
  assign p_waits = Mbar && p_mbar_q && p_index_q == '0 && p_more_q[`WL_MBAR_OP_TRYWAIT];
  assign p_fire  = p_open && !hold_i && !p_gap && (p_started_q || p_share_q || (p_waits ? rsp_whole_ready_i : rsp_alloc_ready_i));
  assign issue_o = p_fire || p_gap;
  assign p_leave = p_fire && p_over;
  assign p_slot  = p_started_q ? p_slot_q : rsp_alloc_slot_i;

  assign p_lanes = p_chosen | (p_started_q ? '0 : p_losers_q);
  assign p_rest  = p_pending_q & ~p_chosen;
  assign passes  = passes_q + 6'(p_lanes != '0);

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      p_valid_q   <= 1'b0;
      p_started_q <= 1'b0;
      passes_q    <= '0;
    end else begin
      p_valid_q <= l_move || (p_valid_q && !p_done);
      if (p_fire) begin
        p_started_q <= !p_leave;
        passes_q    <= p_leave && p_last_q ? '0 : passes;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (l_move) begin
      p_tag_q     <= l_tag;
      p_port_q    <= l_port;
      p_index_q   <= l_index;
      p_last_q    <= l_last;
      p_mbar_q    <= l_mbar;
      p_share_q   <= l_share;
      p_share_slot_q <= beat_share_slot_i;
      p_kind_q    <= l_kind;
      p_ctl_q     <= l_ctl;
      p_span_q    <= group_of(l_ctl[`WL_ATOMS_PIPE_CTL_SIZE]);   // of a register: the way to the next beat begins with it
      p_pending_q <= l_pending;
      p_losers_q  <= l_mbar ? '0 : l_losers;
      p_mask_q    <= l_ctl[`WL_ATOMS_PIPE_CTL_RD_USED] ? l_ok : '0;
      p_code2_q   <= l_code2;
      p_code1_q   <= l_code1;
      p_code0_q   <= l_code0;
      p_addr_q    <= l_addr;
      p_data_q    <= l_data;
    end else if (p_fire) begin
      p_pending_q <= p_rest;
    end
    if (p_fire) p_slot_q <= p_slot;
  end

  assign rsp_port_o      = p_port_q;
  assign p_begin         = p_fire && !p_started_q;
  assign rsp_alloc_o     = p_begin && !p_share_q;
  assign rsp_head_we_o   = p_fire && !p_share_q;
  assign rsp_head_slot_o = p_slot;
  assign rsp_head_o      = HeadBits'({p_code2_q, p_code1_q, p_code0_q, p_mask_q, passes, p_last_q, p_tag_q});

  assign rsp_matrix_o    = Matrix && !p_mbar_q && p_kind_q == `WL_ATOMS_PIPE_LDS && p_ctl_q[`WL_ATOMS_PIPE_CTL_RD_USED] ?
                           {p_ctl_q[`WL_ATOMS_PIPE_CTL_TYPE] != '0, p_ctl_q[`WL_ATOMS_PIPE_CTL_MATRICES]} : '0;

  // atom_unit has judged all but the CTA and the range.
  assign share_begin_o       = p_begin && p_share_q;
  assign share_begin_slot_o  = p_share_slot_q;
  assign share_begin_index_o = p_index_q;
  assign share_outside_o     = p_code1_q;
  assign share_absent_o      = p_code2_q & ~p_code0_q;
  assign share_ended_o       = p_code2_q & p_code0_q;

  // ---- R: lanes to banks, read -----------------------------------------------------------------------------
  logic                      r_valid_q, r_finish_q;
  logic [Lanes-1:0]          r_lanes_q, r_losers_q;
  logic [Banks-1:0]          r_banks_q, r_en;
  logic [Banks*LaneBits-1:0] r_win_q;
  logic [21:0]               r_tag_q;
  logic [PortBits-1:0]       r_port_q;
  logic [BeatBits-1:0]       r_index_q;
  logic [4:0]                r_kind_q;
  logic [CtlBits-1:0]        r_ctl_q;
  logic                      r_last_q, r_mbar_q, r_share_q;
  logic [ShareBits-1:0]      r_share_slot_q;
  logic [SlotBits-1:0]       r_slot_q;
  logic [Lanes*AddrBits-1:0] r_addr_q;
  logic [Lanes*128-1:0]      r_data_q;
  logic [Banks*RowBits-1:0]  r_row;
  logic [Banks*32-1:0]       r_b, r_c;
  logic [Banks*4-1:0]        r_be;
  logic [Lanes*LowBits-1:0]  r_low;

  always_ff @(posedge clk_i) begin
    if (p_fire) begin
      r_finish_q <= p_leave;
      r_lanes_q  <= p_lanes;
      r_banks_q  <= p_banks;
      r_win_q    <= p_win;
    end
  end
  if (Lean) begin : gen_same
    assign {r_tag_q, r_port_q, r_index_q, r_kind_q, r_ctl_q, r_last_q, r_mbar_q, r_share_q, r_share_slot_q} =
           {p_tag_q, p_port_q, p_index_q, p_kind_q, p_ctl_q, p_last_q, p_mbar_q, p_share_q, p_share_slot_q};
    assign {r_losers_q, r_slot_q, r_addr_q, r_data_q} = {p_losers_q, p_slot_q, p_addr_q, p_data_q};
  end else begin : gen_copy
    always_ff @(posedge clk_i) begin
      if (rst_i) r_valid_q <= 1'b0;
      else r_valid_q <= p_fire;
    end
    always_ff @(posedge clk_i) begin
      if (p_fire) r_losers_q <= p_losers_q;
      if (p_fire && !p_started_q) begin
        {r_tag_q, r_port_q, r_index_q, r_kind_q, r_ctl_q, r_last_q, r_mbar_q, r_share_q, r_share_slot_q} <=
        {p_tag_q, p_port_q, p_index_q, p_kind_q, p_ctl_q, p_last_q, p_mbar_q, p_share_q, p_share_slot_q};
        r_addr_q <= p_addr_q;
        r_data_q <= p_data_q;
        r_slot_q <= p_slot;
      end
    end
  end

  // The new words of compare-and-swap of 128 bits have registers of their own, which nothing else touches.
  logic [Lanes*128-1:0] r_wide_q;
  if (Wide) begin : gen_wide
    logic [Lanes*128-1:0] p_wide_q;
    always_ff @(posedge clk_i) begin
      if (l_move && l_ctl[`WL_ATOMS_PIPE_CTL_SIZE] == 3'd4 && !l_mbar &&
          is_compare(l_kind)) p_wide_q <= beat_rc_i;
    end
    if (Lean) begin : gen_same
      assign r_wide_q = p_wide_q;
    end else begin : gen_copy
      always_ff @(posedge clk_i) if (p_begin && p_ctl_q[`WL_ATOMS_PIPE_CTL_SIZE] == 3'd4 && !p_mbar_q) r_wide_q <= p_wide_q;
    end
  end else begin : gen_no_wide
    assign r_wide_q = '0;
    logic unused_wide;
    assign unused_wide = ^beat_rc_i;
  end

  always_comb begin
    r_low = 'x;
    if (r_valid_q || Lean) begin
      for (int l = 0; l < Lanes; l++) r_low[l*LowBits +: LowBits] = r_addr_q[l*AddrBits +: LowBits];
    end
  end
  if (Lean) begin : gen_walk
    logic                walk_q, takes_q, read_q;   // a bank is asked for; one gets its lane's words; all have them
    logic [BankBits-1:0] ask_q, bank_q;
    logic [Lanes-1:0]    lanes, lanes_q;
    logic [Banks-1:0]    en_q;
    logic [Banks*RowBits-1:0] row_q;
    logic [Banks*32-1:0] b_q, c_q;
    logic [Banks*4-1:0]  be_q;
    logic                en;
    logic [RowBits-1:0]  row;
    logic [31:0]         b, c;
    logic [3:0]          be;
    lane_to_bank_lean #(.Lanes(Lanes), .Banks(Banks), .AddrBits(AddrBits), .Wide(Wide)) u_to_bank (
      .ask_i(ask_q), .lanes_o(lanes), .bank_i(bank_q), .lanes_i(lanes_q), .size_i(r_ctl_q[`WL_ATOMS_PIPE_CTL_SIZE]), .group_i(group_of(r_ctl_q[`WL_ATOMS_PIPE_CTL_SIZE])),
      .banks_i(r_banks_q), .win_i(r_win_q), .addr_i(r_addr_q), .data_i(r_data_q), .wide_i(r_wide_q),
      .en_o(en), .row_o(row), .b_o(b), .c_o(c), .be_o(be)
    );
    always_ff @(posedge clk_i) begin
      walk_q  <= !rst_i && (p_fire || (walk_q && ask_q != '1));
      takes_q <= !rst_i && walk_q;
      read_q  <= !rst_i && takes_q && bank_q == '1;
      ask_q   <= walk_q ? ask_q + 1'b1 : '0;
      {bank_q, lanes_q} <= {ask_q, lanes};
      for (int k = 0; k < Banks; k++) begin
        if (takes_q && bank_q == k[BankBits-1:0]) begin
          {en_q[k], row_q[k*RowBits +: RowBits], b_q[k*32 +: 32], c_q[k*32 +: 32], be_q[k*4 +: 4]} <= {en, row, b, c, be};
        end
      end
    end
    assign r_valid_q = read_q;
    assign r_en      = read_q ? en_q : '0;
    assign {x_en_q, x_row_q, x_b_q, x_c_q, x_be_q} = {en_q, row_q, b_q, c_q, be_q};
    assign {r_row, r_b, r_c, r_be} = {row_q, b_q, c_q, be_q};
    logic unused;
    assign unused = ^{r_b, r_c, r_be};
  end else begin : gen_all_banks
    lane_to_bank #(.Lanes(Lanes), .Banks(Banks), .AddrBits(AddrBits), .Wide(Wide)) u_to_bank (
      .valid_i(r_valid_q), .load_i(r_kind_q == `WL_ATOMS_PIPE_LDS && !r_mbar_q),
      .compare_i(is_compare(r_kind_q)),
      .size_i(r_ctl_q[`WL_ATOMS_PIPE_CTL_SIZE]), .group_i(group_of(r_ctl_q[`WL_ATOMS_PIPE_CTL_SIZE])),
      .banks_i(r_banks_q), .win_i(r_win_q), .addr_i(r_addr_q), .data_i(r_data_q), .wide_i(r_wide_q),
      .en_o(r_en), .row_o(r_row), .b_o(r_b), .c_o(r_c), .be_o(r_be)
    );
    always_ff @(posedge clk_i) if (r_valid_q) {x_en_q, x_row_q, x_b_q, x_c_q, x_be_q} <= {r_en, r_row, r_b, r_c, r_be};
  end

  assign mem_rd_en_o  = r_en;
  assign mem_rd_row_o = r_row;

  // ---- X: read-modify-write, COMMIT ------------------------------------------------------------------------
  logic                     x_valid_q, x_finish_q;
  logic [Lanes-1:0]         x_lanes_q, x_losers_q;
  logic [Banks-1:0]         x_en_q, x_match, x_we;
  logic [21:0]              x_tag_q;
  logic [PortBits-1:0]      x_port_q;
  logic [BeatBits-1:0]      x_index_q;
  logic [4:0]               x_kind_q;
  logic [CtlBits-1:0]       x_ctl_q;
  logic                     x_last_q, x_mbar_q, x_share_q;
  logic [ShareBits-1:0]     x_share_slot_q;
  logic [SlotBits-1:0]      x_slot_q;
  logic [Banks*RowBits-1:0] x_row_q;
  logic [Banks*32-1:0]      x_b_q, x_c_q, x_alu, x_new;
  logic [Banks*4-1:0]       x_be_q;
  logic [Lanes*LowBits-1:0] x_low_q;
  logic                     x_compare, x_quad;
  logic [Lanes-1:0]         x_result_lanes;
  logic [Banks-1:0]         x_mbar_we;
  logic [Banks*32-1:0]      x_mbar_new;
  logic [Lanes-1:0]         x_faulted;       // lanes of the pass that fault by the state of their object
  logic [Lanes*6-1:0]       x_fault;

  always_ff @(posedge clk_i) begin
    if (rst_i) x_valid_q <= 1'b0;
    else x_valid_q <= r_valid_q;
  end
  if (Lean) begin : gen_same_x
    assign {x_finish_q, x_lanes_q, x_losers_q, x_tag_q, x_port_q, x_index_q, x_kind_q, x_ctl_q, x_last_q, x_mbar_q, x_share_q,
            x_share_slot_q, x_slot_q, x_low_q} =
           {r_finish_q, r_lanes_q, r_losers_q, r_tag_q, r_port_q, r_index_q, r_kind_q, r_ctl_q, r_last_q, r_mbar_q, r_share_q,
            r_share_slot_q, r_slot_q, r_low};
  end else begin : gen_copy_x
    always_ff @(posedge clk_i) begin
      if (r_valid_q) begin
        {x_finish_q, x_lanes_q, x_losers_q, x_tag_q, x_port_q, x_index_q, x_kind_q, x_ctl_q, x_last_q, x_mbar_q, x_share_q,
         x_share_slot_q, x_slot_q, x_low_q} <=
        {r_finish_q, r_lanes_q, r_losers_q, r_tag_q, r_port_q, r_index_q, r_kind_q, r_ctl_q, r_last_q, r_mbar_q, r_share_q,
         r_share_slot_q, r_slot_q, r_low};
      end
    end
  end

  // Words that take all their lanes: the fold of their operands is the bank's.
  logic [3:0]           x_own_op, x_op;
  logic [Banks*32-1:0]  x_b;
  logic                 w_valid_q, w_signed_q;
  logic [Lanes*128-1:0] w_word, w_data;      // of each lane: what the pass read; what the lane reads in its turn
  assign x_own_op = x_kind_q == `WL_ATOMS_PIPE_STS ? OpExch : x_ctl_q[`WL_ATOMS_PIPE_CTL_OP];
  if (Combine > 0) begin : gen_combine
    atoms_combine #(.Lanes(Lanes), .Banks(Banks), .Combine(Combine)) u_combine (
      .clk_i, .rst_i, .take_i(p_fire && p_combines), .with_i(p_with), .lead_i(p_lead), .r_valid_i(r_valid_q && !r_mbar_q),
      .r_kind_i(r_kind_q), .r_ctl_i(r_ctl_q), .r_data_i(r_data_q), .x_valid_i(x_ends), .x_kind_i(x_kind_q), .x_ctl_i(x_ctl_q),
      .x_lanes_i(x_result_lanes), .x_op_i(x_own_op), .x_b_i(x_b_q), .x_op_o(x_op), .x_b_o(x_b), .w_valid_i(w_valid_q),
      .w_signed_i(w_signed_q), .w_word_i(w_word), .w_data_o(w_data)
    );
  end else begin : gen_apart
    assign x_op   = x_own_op;
    assign x_b    = x_b_q;
    assign w_data = w_word;
    logic unused_with;
    assign unused_with = ^{p_with, p_lead, p_combines};
  end

  // The words of the pass in X, and when it is at work on them: of floats in two stages, in two cycles, and it ends with the second
  // one. With Lean of all in four, and it ends behind them.
  logic                x_works, x_begins, x_second, x_ends, x_busy;
  logic [FpLanes-1:0]  x_adds_q;
  logic [Banks*32-1:0] x_words, x_old;
  logic [Banks-1:0]    x_marks, x_fwd, x_same;
  logic [Banks*32-1:0] x_made, x_done, x_now; // by the banks' ALU; by it or the adders; with bytes that stay
  assign x_compare = is_compare(x_kind_q);
  assign x_quad    = x_ctl_q[`WL_ATOMS_PIPE_CTL_SIZE] == 3'd4;
  if (Lean) begin : gen_steps
    logic [4:0]          step_q;
    logic [Banks*32-1:0] words_q, made_q, now_q;
    logic [Banks-1:0]    marks_q, fwd_q, match_q;
    always_ff @(posedge clk_i) begin
      step_q <= rst_i ? '0 : {step_q[3:0], x_valid_q};
      if (x_valid_q) {words_q, marks_q, fwd_q} <= {mem_rd_data_i, mem_rd_mark_i, mem_rd_fwd_i};
      if (step_q[0]) {made_q, match_q} <= {x_made, x_same};
      if (step_q[3]) now_q <= x_now;
    end
    assign x_words  = words_q;
    assign x_marks  = marks_q;
    assign x_old    = words_q;
    assign x_fwd    = fwd_q;
    assign x_begins = step_q[3];
    assign x_second = step_q[1];
    assign x_works  = step_q != '0;
    assign x_ends   = step_q[4];
    assign x_busy   = x_valid_q || x_works;
    assign x_alu    = made_q;
    assign x_match  = match_q;
    assign x_new    = x_mbar_q ? x_mbar_new : now_q;
  end else begin : gen_at_once
    assign x_words  = mem_rd_data_i;
    assign x_marks  = mem_rd_mark_i;
    assign x_begins = x_valid_q;
    assign x_works  = x_valid_q;
    assign x_busy   = x_valid_q || x_second;
    assign x_alu    = x_made;
    assign x_match  = x_same;
    assign x_new    = x_now;
    if (Adds && FpStages == 2) begin : gen_second
      logic                second_q;
      logic [Banks*32-1:0] old_q;   // nothing is read behind it, but what was forwarded is gone
      logic [Banks-1:0]    fwd_q;
      always_ff @(posedge clk_i) begin
        second_q <= !rst_i && x_valid_q && x_adds_q != '0;
        if (x_valid_q && x_adds_q != '0) {old_q, fwd_q} <= {mem_rd_data_i, mem_rd_fwd_i};
      end
      assign x_second = second_q;
      assign x_ends   = second_q || (x_valid_q && x_adds_q == '0);
      assign x_old    = second_q ? old_q : mem_rd_data_i;
      assign x_fwd    = second_q ? fwd_q : mem_rd_fwd_i;
    end else begin : gen_first
      assign x_second = 1'b0;
      assign x_ends   = x_valid_q;
      assign x_old    = mem_rd_data_i;
      assign x_fwd    = mem_rd_fwd_i;
    end
  end
  atomic_alu #(.Pairs(Banks / 2), .Quads(Wide), .Longs(Adds)) u_alu (
    .valid_i(x_works && !x_mbar_q), .op_i(x_op),
    .signed_i(x_ctl_q[`WL_ATOMS_PIPE_CTL_SIGNED]), .cas_i(x_compare),
    .wide_i(x_ctl_q[`WL_ATOMS_PIPE_CTL_SIZE] >= 3'd3), .quad_i(x_quad), .old_i(x_words), .b_i(x_b),
    .c_i(x_c_q), .new_o(x_made), .match_o(x_same)
  );
  if (Adds) begin : gen_adders
    logic [FpLanes*BankBits-1:0] x_adds_at_q;
    always_ff @(posedge clk_i) begin
      if (r_valid_q) x_adds_q <= r_adds_q;
      if (r_valid_q && r_adds_q != '0) x_adds_at_q <= r_adds_at_q;
    end
    fp_lanes #(.Banks(Banks), .Places(FpLanes), .Scalars(Native), .Lean(Lean), .Stages(FpStages)) u_adders (
      .clk_i, .type_i(x_ctl_q[`WL_ATOMS_PIPE_CTL_TYPE]), .used_i(x_works || x_second ? x_adds_q : '0), .at_i(x_adds_at_q),
      .old_i(x_words), .b_i(x_b), .new_i(x_alu), .new_o(x_done)
    );
  end else begin : gen_no_adders
    assign x_adds_q = '0;
    assign x_done   = x_alu;
    logic unused_adds;
    assign unused_adds = ^{x_adds_q, x_second};
  end
  // Only stores of 8 and 16 bits write part of a word.
  always_comb begin
    x_now = x_mbar_q && !Lean ? x_mbar_new : x_done;
    if (x_works && x_ctl_q[`WL_ATOMS_PIPE_CTL_SIZE] < 3'd2) begin
      for (int k = 0; k < Banks * 4; k++) begin
        if (!x_be_q[k]) x_now[k*8 +: 8] = x_words[k*8 +: 8];
      end
    end
  end
  assign x_we = !x_ends ? '0 : x_mbar_q ? x_mbar_we : x_kind_q == `WL_ATOMS_PIPE_LDS ? '0 :
                x_compare ? x_en_q & x_match : x_en_q;

  assign mem_wr_en_o   = x_we;
  assign mem_wr_row_o  = x_row_q;
  assign mem_wr_data_o = x_new;

  // ---- W: banks to lanes -----------------------------------------------------------------------------------
  logic                     w_finish_q, w_last_q, w_share_q, w_counts_q;
  logic [ShareBits-1:0]     w_share_slot_q;
  logic [BeatBits-1:0]      w_index_q;
  logic [5:0]               w_warp_q;
  logic [Lanes-1:0]         w_lanes_q, w_losers_q;
  logic [Lanes-1:0]         w_told_q;        // get a predicate
  logic [Banks-1:0]         w_match_q;
  logic [PortBits-1:0]      w_port_q;
  logic                     w_cast_q;
  logic [2:0]               w_size_q;
  logic [SlotBits-1:0]      w_slot_q;
  logic [Banks*32-1:0]      w_old_q;
  logic [Lanes*LowBits-1:0] w_low_q;

  logic [Lanes-1:0] x_told;
  logic [Lanes-1:0] w_we, w_tells;            // lanes that get their result in this cycle, their predicate
  assign x_told = Preds && x_kind_q == `WL_ATOMS_PIPE_ATOMS_CAST_P && x_ctl_q[`WL_ATOMS_PIPE_CTL_PD_USED] ? x_lanes_q : '0;
  if (Lean) begin : gen_same_w
    assign {w_finish_q, w_last_q, w_share_q, w_share_slot_q, w_index_q, w_port_q, w_slot_q, w_losers_q, w_match_q, w_low_q, w_old_q} =
           {x_finish_q, x_last_q, x_share_q, x_share_slot_q, x_index_q, x_port_q, x_slot_q, x_losers_q, x_match, x_low_q, x_old};
    assign w_warp_q   = x_tag_q[21:16];
    assign w_counts_q = x_lanes_q != '0;
    assign w_lanes_q  = x_result_lanes;
    assign w_told_q   = x_told;
    assign w_cast_q   = x_kind_q == `WL_ATOMS_PIPE_ATOMS_CAST || x_kind_q == `WL_ATOMS_PIPE_ATOMS_CAST_P;
    assign w_signed_q = x_ctl_q[`WL_ATOMS_PIPE_CTL_SIGNED];
    assign w_size_q   = x_ctl_q[`WL_ATOMS_PIPE_CTL_SIZE];
  end else begin : gen_copy_w
    always_ff @(posedge clk_i) begin
      if (rst_i) w_valid_q <= 1'b0;
      else w_valid_q <= x_ends;
    end
    assign w_end = w_valid_q;
    always_ff @(posedge clk_i) begin
      if (x_ends) begin
        {w_finish_q, w_last_q, w_share_q, w_share_slot_q, w_index_q, w_port_q, w_slot_q, w_losers_q, w_match_q, w_low_q, w_old_q} <=
        {x_finish_q, x_last_q, x_share_q, x_share_slot_q, x_index_q, x_port_q, x_slot_q, x_losers_q, x_match, x_low_q, x_old};
        w_warp_q   <= x_tag_q[21:16];
        w_counts_q <= x_lanes_q != '0;
        w_lanes_q  <= x_result_lanes;
        w_told_q   <= x_told;
        w_cast_q   <= x_kind_q == `WL_ATOMS_PIPE_ATOMS_CAST || x_kind_q == `WL_ATOMS_PIPE_ATOMS_CAST_P;
        w_signed_q <= x_ctl_q[`WL_ATOMS_PIPE_CTL_SIGNED];
        w_size_q   <= x_ctl_q[`WL_ATOMS_PIPE_CTL_SIZE];
      end
    end
  end

  assign rsp_data_port_o = w_port_q;
  assign rsp_data_slot_o = w_slot_q;
  assign rsp_data_we_o   = w_share_q ? '0 : w_we;
  assign rsp_finish_o    = w_end && w_finish_q && !w_share_q;
  assign share_pass_o       = w_end && w_share_q && w_counts_q;
  assign share_end_o        = w_end && w_share_q && w_finish_q && w_last_q;
  assign share_pass_slot_o  = w_share_slot_q;
  assign share_pass_index_o = w_index_q;
  assign share_we_o         = w_share_q ? w_we : '0;
  assign done_valid_o    = rsp_finish_o && w_last_q;
  assign done_warp_o     = w_warp_q;

  if (Lean) begin : gen_lane
    // A lane a cycle. What it gets is given to all, and written where it belongs.
    logic                walk_q;
    logic [Lanes-1:0]    hot_q, left_q;       // the lane; those from it on that get something, it lowest
    logic [LowBits-1:0]  low;
    logic [127:0]        word;
    always_ff @(posedge clk_i) begin
      walk_q <= !rst_i && (x_ends || (walk_q && !w_end));
      left_q <= x_ends ? w_lanes_q | w_told_q : left_q >> 1;
      hot_q  <= x_ends ? Lanes'(1) : hot_q << 1;
    end
    always_comb begin
      low = 'x;
      if (walk_q) begin
        low = '0;
        for (int l = 0; l < Lanes; l++) low = low | (w_low_q[l*LowBits +: LowBits] & {LowBits{hot_q[l]}});
      end
    end
    bank_to_lane #(.Lanes(1), .Banks(Banks)) u_to_lane (
      .lanes_i(walk_q), .losers_i((w_losers_q & hot_q) != '0), .cast_i(w_cast_q), .signed_i(w_signed_q), .size_i(w_size_q),
      .group_i(group_of(w_size_q)), .addr_i(low), .old_i(w_old_q), .match_i(w_match_q), .data_o(word)
    );
    assign w_word    = {Lanes{word}};
    assign w_end     = walk_q && left_q >> 1 == '0;
    assign w_valid_q = walk_q;
    assign w_we      = walk_q ? w_lanes_q & hot_q : '0;
    assign w_tells   = walk_q ? w_told_q & hot_q : '0;
  end else begin : gen_lanes
    bank_to_lane #(.Lanes(Lanes), .Banks(Banks)) u_to_lane (
      .lanes_i(w_valid_q ? w_lanes_q | w_told_q : {Lanes{1'b0}}), .losers_i(w_losers_q), .cast_i(w_cast_q), .signed_i(w_signed_q),
      .size_i(w_size_q), .group_i(group_of(w_size_q)), .addr_i(w_low_q), .old_i(w_old_q), .match_i(w_match_q), .data_o(w_word)
    );
    assign w_we    = w_valid_q ? w_lanes_q : '0;
    assign w_tells = w_valid_q ? w_told_q : '0;
  end

  always_comb begin
    rsp_pred_o = '0;
    if (w_tells != '0) begin
      for (int l = 0; l < Lanes; l++) rsp_pred_o[l] = w_tells[l] && w_data[l*128];
    end
  end

  logic unused_request;
  assign unused_request = ^{r_ctl_q, x_ctl_q, p_more_q, r_more_q, x_more_q};
  assign idle_o = !(beat_valid_i || p_valid_q || r_valid_q || x_busy || w_valid_q) && l_idle;

  // ---- mbarrier_engine -------------------------------------------------------------------------------------
  logic [Lanes-1:0] x_own_lanes;
  logic [Banks-1:0] x_makes;         // words that become an mbarrier
  assign x_own_lanes = x_ctl_q[`WL_ATOMS_PIPE_CTL_RD_USED] ? x_lanes_q : '0;
  assign x_makes     = x_works && store_marks_i && !x_share_q && x_kind_q == `WL_ATOMS_PIPE_STS &&
                       x_ctl_q[`WL_ATOMS_PIPE_CTL_SIZE] == 3'd3 ? x_en_q : '0;
  atoms_mbar #(.Lanes(Lanes), .Banks(Banks), .RowBits(RowBits), .Mbar(Mbar), .LayoutA(LayoutA), .LayoutV1(LayoutV1), .Lean(Lean)) u_mbar (
    .clk_i, .rst_i, .move_i(l_move && l_mbar), .more_i(l_more), .group_i(l_group), .p_fire_i(p_fire), .p_leave_i(p_leave),
    .p_mbar_i(p_mbar_q), .p_last_i(p_last_q), .p_started_i(p_started_q), .p_mask_i(p_mask_q), .p_more_o(p_more_q), .trywait_o,
    .r_valid_i(r_valid_q), .r_mbar_i(r_mbar_q), .r_data_i(r_data_q), .r_more_o(r_more_q), .x_begins_i(x_begins), .x_ends_i(x_ends),
    .x_mbar_i(x_mbar_q), .x_finish_i(x_finish_q), .x_last_i(x_last_q), .x_warp_i(x_tag_q[21:16]), .x_index_i(x_index_q),
    .x_lanes_i(x_lanes_q), .x_own_i(x_own_lanes), .x_en_i(x_en_q), .x_makes_i(x_makes), .x_row_i(x_row_q), .x_low_i(x_low_q),
    .x_b_i(x_b_q), .x_words_i(x_words), .x_marks_i(x_marks), .x_more_o(x_more_q), .x_result_lanes_o(x_result_lanes),
    .x_new_o(x_mbar_new), .x_we_o(x_mbar_we), .x_faulted_o(x_faulted), .x_fault_o(x_fault), .mem_mark_en_o, .mem_wr_mark_o,
    .park_valid_o, .park_warp_o, .park_slot_o, .park_object_o, .park_parity_o, .park_conditional_o, .flip_o, .flip_phase_o, .flip_end_o,
    .flip_row_o, .w_we_i(w_we),
    .w_data_i(w_data), .rsp_data_o, .rsp_special_o, .rsp_extra_o, .rsp_hold_o, .rsp_drop_o
  );

  // ---- trace -----------------------------------------------------------------------------------------------
  assign trace_commit_we_o  = Trace ? x_we : '0;
  assign trace_commit_row_o = Trace ? x_row_q : '0;
  assign trace_commit_old_o = Trace ? x_old : '0;
  assign trace_commit_now_o = Trace ? x_new : '0;
  assign trace_commit_fwd_o = Trace ? x_fwd & x_en_q : '0;
  atoms_trace #(.Lanes(Lanes), .Trace(Trace), .Mbar(Mbar)) u_trace (
    .begin_i(p_begin), .count_i(rsp_alloc_o && p_mbar_q), .tag_i(p_tag_q), .index_i(p_index_q), .code2_i(p_code2_q), .code1_i(p_code1_q),
    .code0_i(p_code0_q), .counts_i(p_more_q[OpBits +: Lanes]), .x_valid_i(x_ends), .x_tag_i(x_tag_q), .x_index_i(x_index_q),
    .x_lanes_i(x_lanes_q), .x_once_i(x_mbar_q && x_more_q[`WL_MBAR_OP_ONCE]),
    .x_whole_i(x_more_q[OpBits + Lanes + 1 +: 32]), .x_faulted_i(x_faulted), .x_fault_i(x_fault),
    .fault_valid_o(trace_fault_valid_o), .fault_tag_o(trace_fault_tag_o), .fault_lanes_o(trace_fault_lanes_o),
    .count_valid_o(trace_count_valid_o), .count_tag_o(trace_count_tag_o), .count_lanes_o(trace_count_lanes_o),
    .state_valid_o(trace_state_valid_o), .state_tag_o(trace_state_tag_o), .state_lanes_o(trace_state_lanes_o),
    .commit_valid_o(trace_commit_valid_o), .commit_tag_o(trace_commit_tag_o), .commit_lanes_o(trace_commit_lanes_o)
  );

  `ASSERT(PassHasWinners_A, !p_open || (p_pending_q == '0) == (p_chosen == '0))
  `ASSERT(PassesFit_A, passes_q <= 6'd32)
endmodule
`default_nettype wire
