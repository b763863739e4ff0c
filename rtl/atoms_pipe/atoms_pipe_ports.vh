// SPDX-License-Identifier: Apache-2.0
  input  logic                     clk_i,
  input  logic                     rst_i,

  // request beats; all beats of a request follow each other
  input  logic                     beat_valid_i,
  output logic                     beat_ready_o,
  input  logic [`WL_ATOMS_BEAT_BITS-1:0] beat_i,
  input  logic [Lanes*32-1:0]      beat_ra_i,
  input  logic [Lanes*128-1:0]     beat_rb_i,       // compare-and-swap below 128 bits: {Rc (64), Rb (64)}
  input  logic [Lanes*128-1:0]     beat_rc_i,       // of 128 bits
  output logic                     done_valid_o,    // a request has committed wholly
  output logic [5:0]               done_warp_o,

  // response slots (rsp_queue)
  output logic [PortBits-1:0]      rsp_port_o,      // of ready, alloc and head
  input  logic                     rsp_alloc_ready_i,
  input  logic                     rsp_whole_ready_i, // for all beats of a request
  output logic                     rsp_alloc_o,
  input  logic [SlotBits-1:0]      rsp_alloc_slot_i,
  output logic                     rsp_head_we_o,
  output logic [`WL_ATOMS_HEAD_BITS-1:0] rsp_head_o,
  output logic [`WL_ATOMS_DATA_BITS-1:0] rsp_o,     // results of a pass; end of a beat
  output logic [Lanes*128-1:0]     rsp_data_o,

  // atom_unit, of shared beats
  output logic                     share_begin_o,   // a beat begins
  output logic [`WL_ATOMS_BEGINS_BITS-1:0] share_begins_o,
  output logic                     share_pass_o,    // a counted pass is over
  output logic                     share_end_o,     // the last pass of a request is over
  output logic [`WL_ATOMS_PASSED_BITS-1:0] share_passed_o,

  // CTA windows
  input  logic                     cfg_valid_i,
  input  logic [3:0]               cfg_slot_i,
  input  logic                     cfg_window_valid_i,
  input  logic [3:0]               cfg_rank_i,
  input  logic [16:0]              cfg_base_i,
  input  logic [16:0]              cfg_size_i,
  input  logic [`WL_ATOMS_CLUSTER_BITS-1:0] cluster_i, // other CTAs of the beat's cluster, by rank (cluster_windows)

  // the way to smem_banks
  input  logic                     hold_i,          // issue no pass
  output logic                     issue_o,         // a pass is issued: reads a cycle later, writes two cycles later
  output logic                     load_o,          // a load has had passes, and has more to come
  output logic [Banks-1:0]         mem_rd_en_o,
  output logic [Banks*RowBits-1:0] mem_rd_row_o,
  input  logic [Banks*32-1:0]      mem_rd_data_i,
  input  logic [Banks-1:0]         mem_rd_fwd_i,
  output logic [Banks-1:0]         mem_wr_en_o,
  output logic [Banks*RowBits-1:0] mem_wr_row_o,
  output logic [Banks*32-1:0]      mem_wr_data_o,
  input  logic [Banks-1:0]         mem_rd_mark_i,
  output logic [Banks-1:0]         mem_mark_en_o,   // marks written without the words
  output logic [Banks-1:0]         mem_wr_mark_o,
  input  logic                     store_marks_i,   // STS.64 makes an mbarrier

  // mbarrier_engine, in X
  output logic                     park_valid_o,    // a warp begins to wait
  output logic [`WL_ATOMS_PARK_BITS-1:0] park_o,
  output logic [Banks/2-1:0]       flip_o,          // pairs of banks with an ending phase,
  output logic [Banks/2-1:0]       flip_phase_o,    // ... of this parity,
  output logic [Banks/2*`WL_MBAR_END_BITS-1:0] flip_end_o, // ... ending in this way: WL_MBAR_END_*,
  output logic [Banks/2*RowBits-1:0] flip_row_o,    // ... of an object in this row

  output logic                     idle_o,          // nothing in A to W; results may still wait for the port

  // trace
  output logic [`WL_TRACE_ATOMS_PIPE_BITS-1:0] trace_o,
  output logic [Banks*RowBits-1:0] trace_commit_row_o,
  output logic [Banks*32-1:0]      trace_commit_old_o,
  output logic [Banks*32-1:0]      trace_commit_now_o
