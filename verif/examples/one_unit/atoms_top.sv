// SPDX-License-Identifier: Apache-2.0
// atoms_pipe with banks, small, and with flat ports for a bench. Beats end in order: response slots need no numbers.
`include "atoms_bundles.vh"
`include "trace_atoms_pipe.vh"
`include "wl_units.vh"
`default_nettype none

module atoms_top #(
  parameter int Lanes     = 4,
  parameter int Banks     = 4,
  parameter int SmemBytes = 4096,
  parameter int PortBits  = 1,                  // derived, do not override, like all below
  parameter int SlotBits  = 3,
  parameter int ShareBits = 2,
  parameter int BeatBits  = $clog2(32 / Lanes),
  parameter int RowBits   = $clog2(SmemBytes / 4 / Banks)
) (
  input  logic                     clk_i,
  input  logic                     rst_i,
  input  logic                     cfg_valid_i,      // the window of slot 0 opens
  input  logic [16:0]              cfg_size_i,
  input  logic                     beat_valid_i,
  output logic                     beat_ready_o,
  input  logic [21:0]              beat_tag_i,
  input  logic [4:0]               beat_kind_i,
  input  logic [31:0]              beat_ctl_i,
  input  logic [BeatBits-1:0]      beat_index_i,
  input  logic [31:0]              beat_mask_i,
  input  logic [Lanes*32-1:0]      beat_ra_i,
  input  logic [Lanes*128-1:0]     beat_rb_i,
  output logic                     rsp_finish_o,     // of a beat
  output logic [Lanes-1:0]         rsp_we_o,
  output logic [Lanes*128-1:0]     rsp_data_o,
  output logic                     idle_o,
  output logic                     fault_valid_o,
  output logic [21:0]              fault_tag_o,
  output logic [6*32-1:0]          fault_lanes_o,
  output logic                     commit_valid_o,
  output logic [21:0]              commit_tag_o,
  output logic [31:0]              commit_lanes_o,
  output logic [Banks-1:0]         commit_we_o,
  output logic [Banks*RowBits-1:0] commit_row_o,
  output logic [Banks*32-1:0]      commit_now_o
);
  typedef `WL_ATOMS_BEAT         beat_t;
  typedef `WL_ATOMS_DATA         data_t;
  typedef `WL_TRACE_ATOMS_PIPE   trace_t;
  beat_t  beat;
  data_t  rsp;
  trace_t trace;
  logic [Banks-1:0]         rd_en, rd_fwd, wr_en;
  logic [Banks*RowBits-1:0] rd_row, wr_row;
  logic [Banks*32-1:0]      rd_data, wr_data;

  always_comb begin
    beat       = '0;
    beat.tag   = beat_tag_i;
    beat.kind  = beat_kind_i;
    beat.ctl   = beat_ctl_i;
    beat.index = beat_index_i;
    beat.last  = beat_index_i == '1;
    beat.flags[`WL_FLAG_RA] = 1'b1;
    beat.mask  = beat_mask_i;
  end
  assign {rsp_we_o, rsp_finish_o} = {rsp.we, rsp.finish};
  assign {fault_valid_o, fault_tag_o, fault_lanes_o}     = {trace.fault_valid, trace.fault_tag, trace.fault_lanes};
  assign {commit_valid_o, commit_tag_o, commit_lanes_o}  = {trace.commit_valid, trace.commit_tag, trace.commit_lanes};
  assign commit_we_o = trace.commit_we;
  logic unused;
  assign unused = ^{rsp, trace};

  /* verilator lint_off PINCONNECTEMPTY */
  atoms_pipe #(.Lanes(Lanes), .Banks(Banks), .SmemBytes(SmemBytes), .PortBits(PortBits), .SlotBits(SlotBits), .ShareBits(ShareBits),
    .Kinds(0)) u_pipe (
    .clk_i, .rst_i, .beat_valid_i, .beat_ready_o, .beat_i(beat), .beat_ra_i, .beat_rb_i, .beat_rc_i('0), .done_valid_o(), .done_warp_o(),
    .rsp_port_o(), .rsp_alloc_ready_i(1'b1), .rsp_whole_ready_i(1'b1), .rsp_alloc_o(), .rsp_alloc_slot_i('0), .rsp_head_we_o(),
    .rsp_head_o(), .rsp_o(rsp), .rsp_data_o, .share_begin_o(), .share_begins_o(), .share_pass_o(), .share_end_o(), .share_passed_o(),
    .cfg_valid_i, .cfg_slot_i('0), .cfg_window_valid_i(1'b1), .cfg_rank_i('0), .cfg_base_i('0), .cfg_size_i, .cluster_i('0),
    .hold_i(1'b0), .issue_o(), .load_o(), .mem_rd_en_o(rd_en), .mem_rd_row_o(rd_row), .mem_rd_data_i(rd_data), .mem_rd_fwd_i(rd_fwd),
    .mem_wr_en_o(wr_en), .mem_wr_row_o(wr_row), .mem_wr_data_o(wr_data), .mem_rd_mark_i('0), .mem_mark_en_o(), .mem_wr_mark_o(),
    .store_marks_i(1'b0), .park_valid_o(), .park_o(), .flip_o(), .flip_phase_o(), .flip_end_o(), .flip_row_o(), .idle_o, .trace_o(trace),
    .trace_commit_row_o(commit_row_o), .trace_commit_old_o(), .trace_commit_now_o(commit_now_o)
  );
  smem_banks #(.Banks(Banks), .SmemBytes(SmemBytes)) u_banks (
    .clk_i, .rd_en_i(rd_en), .rd_row_i(rd_row), .rd_data_o(rd_data), .rd_fwd_o(rd_fwd), .rd_mark_o(), .wr_en_i(wr_en),
    .wr_row_i(wr_row), .wr_data_i(wr_data), .wr_mark_en_i('0), .wr_mark_i('0)
  );
  /* verilator lint_on PINCONNECTEMPTY */
endmodule
`default_nettype wire
