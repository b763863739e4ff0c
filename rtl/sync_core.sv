// SPDX-License-Identifier: Apache-2.0
// The port of the synchronisation units: takes warp instructions on `Ports` request ports, routes them, retires them.
//
// Request ports, response ports, windows, host port and trace are described in docs/ports.md. Each request port has a
// queue; a round robin picks whole requests; each response port has a queue of beats.
`include "planted.vh"
`default_nettype none

module sync_core #(
  parameter int Lanes      = 32,                  // 4, 8, 16, 32: lanes of a beat
  parameter int Banks      = 32,                  // 4, 8, 16, 32: banks of shared memory
  parameter int Ports      = 1,                   // 1, 2, 4
  parameter int QueueDepth = 8,                   // requests queued per port; a power of two, 2 or more
  parameter int SmemBytes  = 65536,               // 4096..65536, a power of two
  parameter int Combine    = 0,                   // 0: equal words of stores and atomics go in separate passes
  parameter bit Trace      = 1'b1,                // trace ports
  parameter int Units      = 1,                   // mask; bit 0 = atoms_pipe
  parameter int Arch       = 75,                  // encodings: 75, 80, 90, 100, 120; 0: arch_i says which
  parameter int QueueBeats = QueueDepth * 32 / Lanes,         // beats queued per port; a small FPGA takes less
  parameter int RspBeats   = 8,                               // response beats queued per port; 8 for full speed
  parameter int RowBits    = $clog2(SmemBytes / 4 / Banks)    // derived, do not override
) (
  input  logic                       clk_i,
  input  logic                       rst_i,
`ifdef WL_PLANTED
  input  logic [7:0]                 bug_i,
`endif

  // requests
  input  logic [7:0]                 arch_i,      // architecture of the words, where Arch is 0; e.g. 90
  input  logic [Ports-1:0]           req_valid_i,
  output logic [Ports-1:0]           req_ready_o,
  input  logic [Ports*22-1:0]        req_tag_i,
  input  logic [Ports*128-1:0]       req_word_i,
  input  logic [Ports*32-1:0]        req_mask_i,
  input  logic [Ports*4-1:0]         req_slot_i,
  input  logic [Ports*32-1:0]        req_ur_i,
  input  logic [Ports*Lanes*64-1:0]  req_ra_i,
  input  logic [Ports*Lanes*128-1:0] req_rb_i,
  input  logic [Ports*Lanes*128-1:0] req_rc_i,

  // responses
  output logic [Ports-1:0]           rsp_valid_o,
  input  logic [Ports-1:0]           rsp_ready_i,
  output logic [Ports*22-1:0]        rsp_tag_o,
  output logic [Ports-1:0]           rsp_last_o,
  output logic [Ports*Lanes-1:0]     rsp_mask_o,
  output logic [Ports*Lanes-1:0]     rsp_pred_o,
  output logic [Ports*Lanes*128-1:0] rsp_data_o,
  output logic [Ports*6-1:0]         rsp_passes_o,
  output logic [Ports*Lanes*3-1:0]   rsp_fault_o,

  // CTA windows and host
  input  logic                       cfg_valid_i,
  input  logic [3:0]                 cfg_slot_i,
  input  logic                       cfg_window_valid_i,
  input  logic [16:0]                cfg_base_i,
  input  logic [16:0]                cfg_size_i,
  input  logic                       host_valid_i,
  output logic                       host_ready_o,
  input  logic                       host_write_i,
  input  logic [15:0]                host_addr_i,
  input  logic [31:0]                host_wdata_i,
  output logic                       host_rvalid_o,
  output logic [31:0]                host_rdata_o,
  output logic                       idle_o,

  // trace
  output logic [Ports-1:0]           trace_accept_o,
  output logic                       trace_fault_valid_o,
  output logic [21:0]                trace_fault_tag_o,
  output logic [95:0]                trace_fault_lanes_o,
  output logic                       trace_commit_valid_o,
  output logic [21:0]                trace_commit_tag_o,
  output logic [31:0]                trace_commit_lanes_o,
  output logic [Banks-1:0]           trace_commit_we_o,
  output logic [Banks*RowBits-1:0]   trace_commit_row_o,
  output logic [Banks*32-1:0]        trace_commit_old_o,
  output logic [Banks*32-1:0]        trace_commit_new_o,
  output logic [Banks-1:0]           trace_commit_fwd_o,
  output logic [Ports-1:0]           trace_retire_o
);
  localparam int PortBits = Ports > 1 ? $clog2(Ports) : 1;
  localparam int BeatBits = Lanes < 32 ? $clog2(32 / Lanes) : 1;
  localparam int SlotBits = $clog2(RspBeats);
  localparam int OpBits   = 15;
  localparam int HeadBits = 22 + 1 + 6 + Lanes * 3;

  // ---- values that are not built stop elaboration ----------------------------------------------------------
  if (Lanes != 4 && Lanes != 8 && Lanes != 16 && Lanes != 32) begin : gen_bad_lanes
    lanes_must_be_4_8_16_or_32 u_bad ();
  end
  if (Banks != 4 && Banks != 8 && Banks != 16 && Banks != 32) begin : gen_bad_banks
    banks_must_be_4_8_16_or_32 u_bad ();
  end
  if (Ports != 1 && Ports != 2 && Ports != 4) begin : gen_bad_ports
    ports_must_be_1_2_or_4 u_bad ();
  end
  if (QueueDepth < 1) begin : gen_bad_depth
    queue_depth_must_be_1_or_more u_bad ();
  end
  if (QueueBeats < 2 || (QueueBeats & (QueueBeats - 1)) != 0) begin : gen_bad_queue
    queue_beats_must_be_a_power_of_two u_bad ();
  end
  if (RspBeats < 2 || (RspBeats & (RspBeats - 1)) != 0) begin : gen_bad_rsp
    rsp_beats_must_be_a_power_of_two u_bad ();
  end
  if (SmemBytes < 4096 || SmemBytes > 65536 || (SmemBytes & (SmemBytes - 1)) != 0) begin : gen_bad_smem
    smem_bytes_must_be_a_power_of_two_from_4096_to_65536 u_bad ();
  end
  if (Combine != 0) begin : gen_bad_combine
    combine_is_not_built_yet u_bad ();
  end
  if (Units != 1) begin : gen_bad_units
    only_atoms_pipe_is_built_yet u_bad ();
  end

  // ---- request queues --------------------------------------------------------------------------------------
  logic [Ports-1:0]           q_valid, q_ready, q_last, q_empty, q_accept;
  logic [Ports*22-1:0]        q_tag;
  logic [Ports*4-1:0]         q_slot;
  logic [Ports*32-1:0]        q_offset;
  logic [Ports*OpBits-1:0]    q_op;
  logic [Ports*3-1:0]         q_kind;
  logic [Ports*BeatBits-1:0]  q_index;
  logic [Ports*Lanes-1:0]     q_mask;
  logic [Ports*Lanes*32-1:0]  q_ra;
  logic [Ports*Lanes*128-1:0] q_data;

  for (genvar p = 0; p < Ports; p++) begin : gen_req
    req_queue #(.Lanes(Lanes), .Depth(QueueBeats), .Arch(Arch)) u_queue (
      .clk_i, .rst_i,
`ifdef WL_PLANTED
      .bug_i,
`endif
      .arch_i, .req_valid_i(req_valid_i[p]), .req_ready_o(req_ready_o[p]), .req_tag_i(req_tag_i[p*22 +: 22]),
      .req_word_i(req_word_i[p*128 +: 128]), .req_mask_i(req_mask_i[p*32 +: 32]), .req_slot_i(req_slot_i[p*4 +: 4]),
      .req_ur_i(req_ur_i[p*32 +: 32]), .req_ra_i(req_ra_i[p*Lanes*64 +: Lanes*64]),
      .req_rb_i(req_rb_i[p*Lanes*128 +: Lanes*128]), .req_rc_i(req_rc_i[p*Lanes*128 +: Lanes*128]),
      .accept_o(q_accept[p]), .beat_valid_o(q_valid[p]), .beat_ready_i(q_ready[p]), .beat_tag_o(q_tag[p*22 +: 22]),
      .beat_slot_o(q_slot[p*4 +: 4]), .beat_offset_o(q_offset[p*32 +: 32]), .beat_op_o(q_op[p*OpBits +: OpBits]),
      .beat_kind_o(q_kind[p*3 +: 3]), .beat_index_o(q_index[p*BeatBits +: BeatBits]), .beat_last_o(q_last[p]),
      .beat_mask_o(q_mask[p*Lanes +: Lanes]), .beat_ra_o(q_ra[p*Lanes*32 +: Lanes*32]),
      .beat_data_o(q_data[p*Lanes*128 +: Lanes*128]), .empty_o(q_empty[p])
    );
  end

  // ---- arbiter ---------------------------------------------------------------------------------------------
  logic                 beat_valid, beat_ready;
  logic [PortBits-1:0]  beat_port;
  logic [Lanes*32-1:0]  beat_ra;
  logic [Lanes*128-1:0] beat_data;

  if (Ports > 1) begin : gen_arbiter
    port_arbiter #(.Ports(Ports)) u_arbiter (
      .clk_i, .rst_i, .valid_i(q_valid), .last_i(q_last), .taken_i(beat_valid && beat_ready), .valid_o(beat_valid),
      .port_o(beat_port)
    );
    for (genvar p = 0; p < Ports; p++) begin : gen_ready
      assign q_ready[p] = beat_ready && beat_valid && beat_port == PortBits'(p);
    end
    assign beat_ra   = q_ra[beat_port*(Lanes*32) +: Lanes*32];
    assign beat_data = q_data[beat_port*(Lanes*128) +: Lanes*128];
  end else begin : gen_one_port
    assign beat_valid = q_valid[0];
    assign beat_port  = 1'b0;
    assign q_ready[0] = beat_ready;
    assign beat_ra    = q_ra;
    assign beat_data  = q_data;
  end

  // ---- atoms_pipe and its memory ---------------------------------------------------------------------------
  logic                     pipe_idle, mem_busy;
  logic [PortBits-1:0]      rsp_port, rsp_data_port;
  logic                     rsp_alloc, rsp_head_we, rsp_finish;
  logic [SlotBits-1:0]      rsp_head_slot, rsp_data_slot;
  logic [HeadBits-1:0]      rsp_head;
  logic [Lanes-1:0]         rsp_data_we;
  logic [Lanes*128-1:0]     rsp_data;
  logic [Ports-1:0]         rsp_alloc_ready, rsp_empty;
  logic [Ports*SlotBits-1:0] rsp_alloc_slot;
  logic [Banks-1:0]         mem_rd_en, mem_rd_fwd, mem_wr_en;
  logic [Banks*RowBits-1:0] mem_rd_row, mem_wr_row;
  logic [Banks*32-1:0]      mem_rd_data, mem_wr_data;
`ifdef WL_PLANTED
  logic                     rsp_early;
`endif

  atoms_pipe #(
    .Lanes(Lanes), .Banks(Banks), .PortBits(PortBits), .SlotBits(SlotBits), .SmemBytes(SmemBytes), .Trace(Trace)
  ) u_atoms_pipe (
    .clk_i, .rst_i,
`ifdef WL_PLANTED
    .bug_i, .rsp_early_o(rsp_early),
`endif
    .beat_valid_i(beat_valid), .beat_ready_o(beat_ready), .beat_port_i(beat_port),
    .beat_tag_i(q_tag[beat_port*22 +: 22]), .beat_slot_i(q_slot[beat_port*4 +: 4]),
    .beat_offset_i(q_offset[beat_port*32 +: 32]), .beat_op_i(q_op[beat_port*OpBits +: OpBits]),
    .beat_kind_i(q_kind[beat_port*3 +: 3]), .beat_index_i(q_index[beat_port*BeatBits +: BeatBits]),
    .beat_last_i(q_last[beat_port]), .beat_mask_i(q_mask[beat_port*Lanes +: Lanes]), .beat_ra_i(beat_ra),
    .beat_data_i(beat_data),
    .rsp_port_o(rsp_port), .rsp_alloc_ready_i(rsp_alloc_ready[rsp_port]), .rsp_alloc_o(rsp_alloc),
    .rsp_alloc_slot_i(rsp_alloc_slot[rsp_port*SlotBits +: SlotBits]), .rsp_head_we_o(rsp_head_we),
    .rsp_head_slot_o(rsp_head_slot), .rsp_head_o(rsp_head), .rsp_data_port_o(rsp_data_port),
    .rsp_data_slot_o(rsp_data_slot), .rsp_data_we_o(rsp_data_we), .rsp_data_o(rsp_data), .rsp_finish_o(rsp_finish),
    .cfg_valid_i, .cfg_slot_i, .cfg_window_valid_i, .cfg_base_i, .cfg_size_i,
    .mem_busy_o(mem_busy), .mem_rd_en_o(mem_rd_en), .mem_rd_row_o(mem_rd_row), .mem_rd_data_i(mem_rd_data),
    .mem_rd_fwd_i(mem_rd_fwd), .mem_wr_en_o(mem_wr_en), .mem_wr_row_o(mem_wr_row), .mem_wr_data_o(mem_wr_data),
    .idle_o(pipe_idle),
    .trace_fault_valid_o, .trace_fault_tag_o, .trace_fault_lanes_o, .trace_commit_valid_o, .trace_commit_tag_o,
    .trace_commit_lanes_o, .trace_commit_we_o, .trace_commit_row_o, .trace_commit_old_o, .trace_commit_new_o,
    .trace_commit_fwd_o
  );

  smem_banks #(.Banks(Banks), .SmemBytes(SmemBytes)) u_smem_banks (
    .clk_i, .rst_i,
`ifdef WL_PLANTED
    .bug_i,
`endif
    .busy_i(mem_busy), .rd_en_i(mem_rd_en), .rd_row_i(mem_rd_row), .rd_data_o(mem_rd_data), .rd_fwd_o(mem_rd_fwd),
    .wr_en_i(mem_wr_en), .wr_row_i(mem_wr_row), .wr_data_i(mem_wr_data),
    .host_valid_i, .host_ready_o, .host_write_i, .host_addr_i, .host_wdata_i, .host_rvalid_o, .host_rdata_o
  );

  // ---- response queues -------------------------------------------------------------------------------------
  for (genvar p = 0; p < Ports; p++) begin : gen_rsp
    logic here, data_here;
    assign here      = rsp_port == PortBits'(p);
    assign data_here = rsp_data_port == PortBits'(p);
    rsp_queue #(.Lanes(Lanes), .Depth(RspBeats)) u_queue (
      .clk_i, .rst_i,
`ifdef WL_PLANTED
      .bug_i, .early_i(rsp_early && here),
`endif
      .alloc_ready_o(rsp_alloc_ready[p]), .alloc_i(rsp_alloc && here),
      .alloc_slot_o(rsp_alloc_slot[p*SlotBits +: SlotBits]), .head_we_i(rsp_head_we && here),
      .head_slot_i(rsp_head_slot), .head_i(rsp_head), .data_we_i(data_here ? rsp_data_we : '0),
      .data_slot_i(rsp_data_slot), .data_i(rsp_data), .finish_i(rsp_finish && data_here),
      .rsp_valid_o(rsp_valid_o[p]), .rsp_ready_i(rsp_ready_i[p]), .rsp_tag_o(rsp_tag_o[p*22 +: 22]),
      .rsp_last_o(rsp_last_o[p]), .rsp_mask_o(rsp_mask_o[p*Lanes +: Lanes]),
      .rsp_data_o(rsp_data_o[p*Lanes*128 +: Lanes*128]), .rsp_passes_o(rsp_passes_o[p*6 +: 6]),
      .rsp_fault_o(rsp_fault_o[p*Lanes*3 +: Lanes*3]), .empty_o(rsp_empty[p])
    );
  end
  assign rsp_pred_o = '0;

  assign idle_o         = &q_empty && pipe_idle && &rsp_empty;
  assign trace_accept_o = Trace ? q_accept : '0;
  assign trace_retire_o = Trace ? rsp_valid_o & rsp_ready_i & rsp_last_o : '0;
endmodule
`default_nettype wire
