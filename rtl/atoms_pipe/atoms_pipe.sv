// SPDX-License-Identifier: Apache-2.0
// Shared-memory access and atomics: LDS, STS, ATOMS, ATOMS.CAS, ATOMS.CAST(.SPIN). A pass every cycle. This file wires
// the stages.
//
//   A  address: form and judge the lanes' addresses, SPIN groups       a beat, waits for P              atoms_front
//   P  pass: choose the lanes of the next pass                         a beat, waits for a slot         atoms_pass
//   R  read: lanes to banks, read the RAM                                                               atoms_read
//   X  execute: read-modify-write, write the RAM                       COMMIT                           atoms_exec
//   W  write back: banks to lanes, into the response slot                                               atoms_write
//
// A and P wait; R, X and W never wait: a beat takes a response slot before the first pass. A pass reads in R while the
// pass ahead writes in X; smem_banks forwards. A beat without a participating lane goes through as an empty pass, not
// counted and without COMMIT.
//
// Requests of mbarrier_engine come the same way. Reads and EXCH of an object are loads of 64 bits. Other operations
// are atomics of 64 bits. mbar_stage steps the objects (atoms_mbar). ARRIVE.TMASK waits in mbar_gather for the whole
// request.
//
// With `Combine` a pass takes all lanes on the words of the lowest winners. lane_scan folds the lanes' operands in R
// and X. The bank takes the fold as operand. W derives from the old word the word read by each lane in turn
// (atoms_combine).
//
// In builds with native operations, and for lanes in other CTAs' shared memory, the banks' ALU does 64-bit integers,
// and fp_lanes adds floats. The sums come in X, too: a pass on the word of the previous pass waits for nothing. fp_pick
// cuts each pass of floats to the capacity of the adders.
//
// With `Lean` the unit holds a single pass, of the beat in P, and all stages read the registers of P: atoms_issue_lean,
// atoms_read_lean, atoms_exec_lean, atoms_write_lean.
//
// A shared beat comes from atom_unit, for lanes in shared memory. A shared beat needs no response slot: the results go
// back to atom_unit.
`include "atoms_bundles.vh"
`include "atoms_kinds.vh"
`include "mbar.vh"
`include "trace_atoms_pipe.vh"
`include "wl_config.vh"
`include "wl_units.vh"
`default_nettype none

module atoms_pipe #(
  parameter int Lanes     = 32,                              // 4, 8, 16, 32
  parameter int Banks     = 32,                              // 4, 8, 16, 32
  parameter int PortBits  = 1,
  parameter int SlotBits  = 3,
  parameter int SmemBytes = 65536,
  parameter int ShareBits = 2,                               // of a slot of atom_unit
  parameter int Kinds     = `WL_ATOMS_KIND_LAYOUT_A,         // kinds of requests: a sum of bits of atoms_kinds.vh
  parameter int Combine   = 0,                               // words of a pass serving all lanes: 0, 1, 2
  parameter int FpStages  = 1,                               // of the float adders: 1; 2: a pass of floats every other cycle
  parameter int Ranks     = 16,                              // most ranks of a cluster here: a power of two
  parameter bit Trace     = 1'b1,
  parameter bit Lean      = 1'b0,                            // small forms of the stages
  parameter int BeatBits  = Lanes < 32 ? $clog2(32 / Lanes) : 1,   // derived, do not override, like all below
  parameter int AddrBits  = $clog2(SmemBytes),
  parameter int BankBits  = $clog2(Banks),
  parameter int LaneBits  = $clog2(Lanes),
  parameter int LowBits   = BankBits + 2,                    // address bits of bank and byte
  parameter int RowBits   = AddrBits - LowBits,
  parameter int HeadBits  = 22 + 1 + 6 + Lanes * ((Kinds & `WL_ATOMS_KIND_CLUSTER) != 0 ? 4 : 3),
  parameter int ObjBits   = AddrBits - 3
) (
`include "atoms_pipe_ports.vh"
);
  localparam bit Mbar    = (Kinds & `WL_ATOMS_KIND_MBAR) != 0;
  localparam bit LayoutA = (Kinds & `WL_ATOMS_KIND_LAYOUT_A) != 0;
  localparam bit LayoutV1 = (Kinds & `WL_ATOMS_KIND_LAYOUT_V1) != 0;
  localparam bit Preds   = (Kinds & `WL_ATOMS_KIND_PREDS) != 0;
  localparam bit Wide    = (Kinds & `WL_ATOMS_KIND_WIDE) != 0;
  localparam bit Native  = (Kinds & `WL_ATOMS_KIND_NATIVE) != 0;
  localparam bit Matrix  = (Kinds & `WL_ATOMS_KIND_MATRIX) != 0;
  localparam bit Cluster = (Kinds & `WL_ATOMS_KIND_CLUSTER) != 0;
  localparam bit Adds    = Native || Cluster;        // other CTAs' shared memory serves 64-bit integers and pairs of halves
  localparam int FpLanes = 4;
  localparam int Words   = Combine > 0 ? Combine : 1;
  localparam int CtlBits = `WL_ATOMS_PIPE_CTL_BITS;
  localparam int OpBits  = `WL_MBAR_OP_BITS;
  localparam int MbarBits = 4 + 32 + 1 + Lanes + OpBits;

  typedef `WL_ATOMS_BEAT    beat_t;
  typedef `WL_ATOMS_CLUSTER cluster_t;
  typedef `WL_ATOMS_ENTRY   entry_t;
  typedef `WL_ATOMS_CHOICE  choice_t;
  typedef `WL_ATOMS_PASS    pass_t;
  typedef `WL_ATOMS_PART    part_t;
  typedef `WL_ATOMS_RESULT  result_t;
  beat_t    b;
  cluster_t cluster;
  entry_t   entry;          // the beat for P: from the bus, or gathered
  choice_t  choice;
  pass_t    p, r, x;        // the beat of the pass in P, R, X; results in W
  part_t    p_part, r_part, x_part; // ... the pass
  result_t  w;
  assign b       = beat_i;
  assign cluster = cluster_i;

  // ---- A: addresses ----------------------------------------------------------------------------------------
  logic                      l_move, l_idle, p_free;
  logic [Lanes*AddrBits-1:0] l_addr;
  logic [Lanes*128-1:0]      l_data;
  logic [MbarBits-1:0]       l_more, p_more, r_more, x_more; // of a beat of mbarrier_engine, see atoms_front
  logic [Lanes*`WL_MBAR_GROUP_BITS-1:0] l_group; // ARRIVE.TMASK: of each lane, WL_MBAR_GROUP_*

  logic                      m_valid, m_ready, m_last, m_partial; // the beat with the rows of STSM
  logic [BeatBits-1:0]       m_index;
  logic [31:0]               m_mask;
  logic [Lanes*32-1:0]       m_ra;
  logic [Lanes*128-1:0]      m_rb;
  atoms_rows #(.Lanes(Lanes), .Matrix(Matrix), .Lean(Lean)) u_rows (
    .clk_i, .rst_i, .mbar_i(b.mbar), .share_i(b.share), .kind_i(b.kind), .ctl_i(b.ctl), .beat_valid_i, .beat_ready_o,
    .beat_index_i(b.index), .beat_last_i(b.last), .beat_mask_i(b.mask), .beat_ra_i, .beat_rb_i, .valid_o(m_valid), .ready_i(m_ready),
    .index_o(m_index), .last_o(m_last), .mask_o(m_mask), .ra_o(m_ra), .rb_o(m_rb), .partial_o(m_partial)
  );

  atoms_front #(.Lanes(Lanes), .PortBits(PortBits), .AddrBits(AddrBits), .ShareBits(ShareBits), .Mbar(Mbar), .LayoutV1(LayoutV1),
    .Cluster(Cluster), .Ranks(Ranks), .Native(Native), .Matrix(Matrix), .Lean(Lean)) u_front (
    .clk_i, .rst_i, .beat_valid_i(m_valid), .beat_ready_o(m_ready), .beat_port_i(b.port), .beat_tag_i(b.tag), .beat_slot_i(b.slot),
    .beat_mbar_i(b.mbar), .layout_v1_i(b.layout_v1), .beat_kind_i(b.kind), .beat_ctl_i(b.ctl), .beat_flags_i(b.flags), .beat_base_i(b.base),
    .beat_index_i(m_index), .beat_last_i(m_last), .beat_mask_i(m_mask), .beat_ra_i(m_ra), .beat_rb_i(m_rb), .beat_share_i(b.share),
    .beat_share_slot_i(b.share_slot), .partial_i(m_partial), .cfg_valid_i, .cfg_slot_i, .cfg_window_valid_i, .cfg_rank_i, .cfg_base_i, .cfg_size_i,
    .several_i(cluster.several), .there_i(cluster.there), .lives_i(cluster.lives), .there_base_i(cluster.base),
    .there_size_i(cluster.size), .ready_i(p_free), .move_o(l_move), .entry_o(entry), .addr_o(l_addr), .data_o(l_data), .more_o(l_more),
    .group_o(l_group), .idle_o(l_idle)
  );

  // ---- P: passes -------------------------------------------------------------------------------------------
  logic                      p_valid, p_begun, p_fire, p_begin, p_leave, p_combines;
  logic [Lanes-1:0]          p_mask, p_code2, p_code1, p_code0;
  logic [Lanes*AddrBits-1:0] p_addr;
  logic [Lanes*128-1:0]      p_data, p_wide;
  logic                      w_valid, w_end;
  atoms_pass #(
    .Lanes(Lanes), .Banks(Banks), .PortBits(PortBits), .SlotBits(SlotBits), .AddrBits(AddrBits), .ShareBits(ShareBits),
    .HeadBits(HeadBits), .Combine(Combine), .Adds(Adds), .FpStages(FpStages), .Wide(Wide), .Matrix(Matrix), .Lean(Lean)
  ) u_pass (
    .clk_i, .rst_i, .move_i(l_move), .entry_i(entry), .addr_i(l_addr), .data_i(l_data), .wide_i(beat_rc_i), .free_o(p_free), .hold_i,
    .end_i(w_end), .valid_o(p_valid), .begun_o(p_begun), .issue_o, .fire_o(p_fire), .begin_o(p_begin), .leave_o(p_leave),
    .load_o, .pass_o(p), .part_o(p_part), .choice_o(choice), .combines_o(p_combines), .mask_o(p_mask), .addr_o(p_addr),
    .data_o(p_data), .wide_o(p_wide), .code2_o(p_code2), .code1_o(p_code1), .code0_o(p_code0), .alloc_ready_i(rsp_alloc_ready_i),
    .whole_ready_i(rsp_whole_ready_i), .alloc_slot_i(rsp_alloc_slot_i), .alloc_o(rsp_alloc_o),
    .head_we_o(rsp_head_we_o), .head_o(rsp_head_o), .share_begin_o, .share_begins_o
  );
  assign rsp_port_o = p.port;

  // ---- R: lanes to banks, read -----------------------------------------------------------------------------
  logic                        r_valid;
  logic [Banks-1:0]            r_en;
  logic [Banks*RowBits-1:0]    r_row;
  logic [Banks*32-1:0]         r_b, r_c;
  logic [Banks*4-1:0]          r_be;
  logic [Lanes*LowBits-1:0]    r_low;
  logic [Lanes*128-1:0]        r_data;
  logic [FpLanes-1:0]          r_adds;
  logic [FpLanes*BankBits-1:0] r_adds_at;
  if (Lean) begin : gen_read_lean
    atoms_read_lean #(
`include "atoms_read_pins.vh"
    );
  end else begin : gen_read
    atoms_read #(
`include "atoms_read_pins.vh"
    );
  end
  assign mem_rd_row_o = r_row;

  // ---- X: read-modify-write, COMMIT ------------------------------------------------------------------------
  logic                     x_valid, x_begins, x_works, x_ends, x_busy;
  logic [3:0]               x_own_op, x_op;
  logic [Banks*32-1:0]      x_b, x_folded, x_words, x_old, x_new, x_mbar_new;
  logic [Banks-1:0]         x_en, x_marks, x_fwd, x_match, x_we, x_mbar_we, x_makes;
  logic [Banks*RowBits-1:0] x_row;
  logic [Lanes*LowBits-1:0] x_low;
  logic [Lanes-1:0]         x_own_lanes, x_result_lanes;
  logic [Lanes-1:0]         x_faulted;       // lanes of the pass faulting by the state of the object
  logic [Lanes*6-1:0]       x_fault;
  if (Lean) begin : gen_exec_lean
    atoms_exec_lean #(
`include "atoms_exec_pins.vh"
    );
  end else begin : gen_exec
    atoms_exec #(
`include "atoms_exec_pins.vh"
    );
  end
  assign mem_wr_en_o   = x_we;
  assign mem_wr_row_o  = x_row;
  assign mem_wr_data_o = x_new;

  // Words serving all lanes: the fold of the lanes' operands is the operand of the bank.
  logic                 w_signed, w_finish, w_special, w_hold, w_drop;
  logic [Lanes-1:0]     w_we;
  logic [Lanes*7-1:0]   w_extra;
  logic [Lanes*128-1:0] w_word, w_data;      // of each lane: word read by the pass; word read by the lane in turn
  if (Combine > 0) begin : gen_combine
    atoms_combine #(.Lanes(Lanes), .Banks(Banks), .Combine(Combine)) u_combine (
      .clk_i, .rst_i, .take_i(p_fire && p_combines), .with_i(choice.joins), .lead_i(choice.lead), .r_valid_i(r_valid && !r.mbar),
      .r_kind_i(r.kind), .r_ctl_i(r.ctl), .r_data_i(r_data), .x_valid_i(x_ends), .x_kind_i(x.kind), .x_ctl_i(x.ctl),
      .x_lanes_i(x_result_lanes), .x_op_i(x_own_op), .x_b_i(x_b), .x_op_o(x_op), .x_b_o(x_folded), .w_valid_i(w_valid),
      .w_signed_i(w_signed), .w_word_i(w_word), .w_data_o(w_data)
    );
  end else begin : gen_apart
    assign x_op     = x_own_op;
    assign x_folded = x_b;
    assign w_data   = w_word;
    logic unused_with;
    assign unused_with = ^{choice, p_combines, w_signed};
  end

  // ---- W: banks to lanes -----------------------------------------------------------------------------------
  if (Lean) begin : gen_write_lean
    atoms_write_lean #(
`include "atoms_write_pins.vh"
    );
  end else begin : gen_write
    atoms_write #(
`include "atoms_write_pins.vh"
    );
  end
  assign w_we     = w.we;
  assign w_finish = w_end && w.finish && !w.share;
  atoms_answer #(.Lanes(Lanes), .PortBits(PortBits), .SlotBits(SlotBits), .ShareBits(ShareBits)) u_answer (
    .end_i(w_end), .finish_i(w_finish), .result_i(w), .data_i(w_data), .special_i(w_special), .extra_i(w_extra), .hold_i(w_hold), .drop_i(w_drop), .rsp_o,
    .share_pass_o, .share_end_o, .share_passed_o, .done_valid_o, .done_warp_o
  );

  assign idle_o = !(beat_valid_i || p_valid || r_valid || x_busy || w_valid) && l_idle;

  // ---- mbarrier_engine -------------------------------------------------------------------------------------
  assign x_own_lanes = x.ctl[`WL_ATOMS_PIPE_CTL_RD_USED] ? x_part.lanes : '0;
  assign x_makes     = x_works && store_marks_i && !x.share && x.kind == `WL_ATOMS_PIPE_STS &&
                       x.ctl[`WL_ATOMS_PIPE_CTL_SIZE] == 3'd3 ? x_en : '0;
  atoms_mbar #(.Lanes(Lanes), .Banks(Banks), .RowBits(RowBits), .Mbar(Mbar), .LayoutA(LayoutA), .LayoutV1(LayoutV1), .Lean(Lean)) u_mbar (
    .clk_i, .rst_i, .move_i(l_move && entry.mbar), .more_i(l_more), .group_i(l_group), .p_fire_i(p_fire),
    .p_mbar_i(p.mbar), .p_started_i(p_begun), .p_mask_i(p_mask), .p_more_o(p_more),
    .r_valid_i(r_valid), .r_mbar_i(r.mbar), .r_data_i(r_data), .r_more_o(r_more), .x_begins_i(x_begins), .x_ends_i(x_ends),
    .x_mbar_i(x.mbar), .x_finish_i(x_part.finish), .x_last_i(x.last), .x_warp_i(x.tag[21:16]), .x_index_i(x.index),
    .x_lanes_i(x_part.lanes), .x_own_i(x_own_lanes), .x_en_i(x_en), .x_makes_i(x_makes), .x_row_i(x_row), .x_low_i(x_low),
    .x_b_i(x_b), .x_words_i(x_words), .x_marks_i(x_marks), .x_more_o(x_more), .x_result_lanes_o(x_result_lanes),
    .x_new_o(x_mbar_new), .x_we_o(x_mbar_we), .x_faulted_o(x_faulted), .x_fault_o(x_fault), .mem_mark_en_o, .mem_wr_mark_o,
    .park_valid_o, .park_o, .flip_o, .flip_phase_o, .flip_end_o, .flip_row_o, .w_we_i(w_we), .w_data_i(w_data), .rsp_data_o, .rsp_special_o(w_special), .rsp_extra_o(w_extra),
    .rsp_hold_o(w_hold), .rsp_drop_o(w_drop)
  );

  // ---- trace -----------------------------------------------------------------------------------------------
  atoms_trace #(.Lanes(Lanes), .Banks(Banks), .RowBits(RowBits), .Trace(Trace), .Mbar(Mbar)) u_trace (
    .begin_i(p_begin), .count_i(rsp_alloc_o && p.mbar), .tag_i(p.tag), .index_i(p.index), .code2_i(p_code2), .code1_i(p_code1),
    .code0_i(p_code0), .counts_i(p_more[OpBits +: Lanes]), .x_valid_i(x_ends), .x_tag_i(x.tag), .x_index_i(x.index),
    .x_lanes_i(x_part.lanes), .x_once_i(x.mbar && x_more[`WL_MBAR_OP_ONCE]), .x_whole_i(x_more[OpBits + Lanes + 1 +: 32]),
    .x_faulted_i(x_faulted), .x_fault_i(x_fault), .x_we_i(x_we), .x_fwd_i(x_fwd & x_en), .x_row_i(x_row), .x_old_i(x_old),
    .x_new_i(x_new), .trace_o, .trace_commit_row_o, .trace_commit_old_o, .trace_commit_now_o
  );
  logic unused;
  assign unused = ^{b, entry, p, p_leave, r, x, w, p_part, r_part, x_part, p_more, r_more, x_more, x_valid};
endmodule
`default_nettype wire
