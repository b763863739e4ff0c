// SPDX-License-Identifier: Apache-2.0
// The content of a board behind the line: sync_core with one request port, and the executor of commands. So a host can
// do the same as the harness of the simulation does through the shim. docs/fpga-link.md is the contract. link_core has
// a UART in front, link_axil and link_wb a bus.
`include "assert.vh"
`include "wl_units.vh"
`include "releases.vh"
`default_nettype none

module link_board #(
`include "core_parameters.vh"
  parameter bit Stimulus     = 1'b1,         // on-chip stimulus
  parameter int MemoryBytes  = 0,            // block RAM behind atom_unit's port: a power of two from 64 to 2 MiB; 0: the host has all memory
  parameter bit Master       = 1'b0,         // a separate memory is behind mem_*: no memory of the host, MemoryBytes is 0
  parameter int EventBits    = 9,            // snapshots kept: 2^EventBits; requests open at a time: a 64th as many
  parameter int Revision     = 0,            // of the sources, answered to IDENTIFY
  parameter int BufferBits   = 11            // derived, do not override
) (
  input  logic clk_i,
  input  logic rst_i,

  // commands: a frame, and the bytes of its payload
  input  logic                  frame_i,       // one cycle
  input  logic                  bad_i,         // one cycle: a frame was dropped
  input  logic [BufferBits-1:0] length_i,
  input  logic [7:0]            seq_i,
  input  logic [7:0]            type_i,
  output logic [BufferBits-1:0] addr_o,
  input  logic [7:0]            data_i,        // the cycle after
  output logic                  busy_o,        // no frame is taken

  // answers
  output logic                  start_o,       // an answer is whole
  input  logic                  sending_i,     // the answer is being sent, and stays
  output logic [BufferBits-1:0] length_o,
  output logic [7:0]            seq_o,
  output logic [7:0]            type_o,
  input  logic [BufferBits-1:0] addr_i,
  output logic [7:0]            data_o,        // the cycle after

  // with Master: requests of atom_unit, and the answers, as in sync_core
  output logic                  mem_req_valid_o,
  input  logic                  mem_req_ready_i,
  output logic [3:0]            mem_req_id_o,
  output logic                  mem_req_write_o,
  output logic                  mem_req_cond_o,
  output logic [42:0]           mem_req_addr_o,
  output logic [31:0]           mem_req_mask_o,
  output logic [255:0]          mem_req_data_o,
  input  logic                  mem_rsp_valid_i,
  input  logic [3:0]            mem_rsp_id_i,
  input  logic                  mem_rsp_ok_i,
  input  logic [1:0]            mem_rsp_halves_i,
  input  logic [255:0]          mem_rsp_data_i
);
  localparam int Ports      = 1;
  localparam int LaneBits   = $clog2(Lanes);
  localparam int Beats      = 32 / Lanes;
  // Responses of a whole request are kept for mbarrier_engine and atom_unit; without both units the minimum. Lean units
  // need no queue of requests: a lean unit takes all beats of a request without waiting for anything from the link.
  // Full units need a whole request queued.
  localparam bit Mbar       = ((Units >> `WL_UNIT_MBARRIER_ENGINE) & 1) != 0;
  localparam bit Memory     = ((Units >> `WL_UNIT_ATOM_UNIT) & 1) != 0;
  localparam int RspBeats   = (Mbar || Memory) && Beats > 2 ? Beats : 2;
  localparam int QueueBeats = Lean ? 1 : RspBeats;
  localparam int RowBits    = $clog2(SmemBytes / 4 / Banks);
  localparam int Releases   = `WL_RELEASE_LANES(Units, Ports, Banks);
  localparam int SectorBits = MemoryBytes > 0 ? $clog2(MemoryBytes / 32) : 1;
  // pieces of copies land in shared memory only with a unit that waits for pieces
  localparam bit Lands      = Mbar;

  // ---- commands
  logic                 core_rst, resets, idle, req_valid, req_ready, cfg_valid, cfg_open, host_valid, host_ready, host_write, host_rvalid;
  logic [7:0]           arch;
  logic [21:0]          req_tag;
  logic [127:0]         req_word;
  logic [31:0]          req_mask, req_pred, host_wdata, host_rdata;
  logic [3:0]           req_slot, cfg_slot;
  logic [63:0]          req_ur;
  logic [Lanes*64-1:0]  req_ra;
  logic [Lanes*128-1:0] req_rb, req_rc;
  logic                 op_we;
  logic [3:0]           unused_op_word;
  logic [LaneBits-1:0]  op_lane;
  logic [31:0]          op_data;
  logic [16:0]          cfg_base, cfg_size;
  logic [5:0]           cfg_warps, cfg_first, cfg_lanes, wait_warp;
  logic [3:0]           cfg_cluster, cfg_rank;
  logic [15:0]          host_addr, wait_id;
  logic                 wait_valid, wait_held, bar_valid, bar_ready, bar_rvalid;
  logic [3:0]           wait_unit, wait_slot, bar_slot, bar_id;
  logic [21:0]          wait_tag;
  logic [126:0]         bar_status;
  logic                 req_asks, req_taken, host_asks, host_taken, land_asks, land_taken, mem_asks, mem_taken, bar_asks, bar_taken;
  logic                 cfg_sets, idle_q, host_rvalid_q, bar_rvalid_q;
  logic [64:0]          cfg, cfg_q;
  logic [31:0]          host_rdata_q;
  logic [126:0]         bar_status_q;
  logic                 event_valid, event_ready, event_more, event_end, event_lost;
  logic [7:0]           event_byte;
  logic                 land_valid, land_ready, land_rvalid, mem_rsp_valid, mem_rsp_ok;
  logic [2:0]           land_kind;
  logic [5:0]           land_op, land_fault;
  logic [15:0]          land_addr;
  logic [Banks-1:0]     land_words;
  logic [Banks*32-1:0]  land_wdata, land_rdata;
  logic [3:0]           mem_rsp_id;
  logic [1:0]           mem_rsp_halves;
  logic [255:0]         mem_rsp_data;
  logic                  host_rsp_valid, host_rsp_ready, host_rsp_ok, place_valid, place_open, sector_valid, sector_write;
  logic [3:0]            host_rsp_id;
  logic [1:0]            host_rsp_halves, sector_halves;
  logic [42:0]           place_addr;
  logic [SectorBits-1:0] sector;
  logic [31:0]           sector_mask;
  logic [255:0]          host_rsp_data, sector_wdata, sector_rdata;
  logic [31:0]           served_q;               // requests answered by memory on the board

  logic                 stim_entry, stim_start, stim_active, stim_valid, stim_load;
  logic [151:0]         stim_args;
  logic [7:0]           stim_addr, stim_arch;
  logic [31:0]          stim_data, stim_mask;
  logic [21:0]          stim_tag;
  logic [127:0]         stim_word;
  logic [3:0]           stim_slot;
  logic [Lanes*32-1:0]  stim_ra;
  logic [Lanes*64-1:0]  stim_rb, stim_rc;

`include "link_info.vh"
  assign info_revision    = Revision;
  assign info_units       = 16'(Units);
  assign info_smem_bits   = 8'($clog2(SmemBytes));
  assign info_lanes       = 8'(Lanes);
  assign info_banks       = 8'(Banks);
  assign info_arch        = 8'(Arch);
  assign info_warps       = 8'(Warps);
  assign info_slots       = 8'(CtaSlots);
  assign info_releases    = 8'(Releases);
  assign info_event_bits  = 8'(EventBits);
  assign info_memory_bits = MemoryBytes > 0 ? 8'($clog2(MemoryBytes)) : 8'd0;
  link_exec #(.Lanes(Lanes), .Banks(Banks), .Lands(Lands), .Memory(Memory && !Master), .MemoryBytes(MemoryBytes), .BufferBits(BufferBits), .InfoBytes(InfoBytes), .StatusBits(127),
    .Stimulus(Stimulus)) u_exec (
    .clk_i, .rst_i,
    .info_i(info),
    .frame_i, .bad_i, .length_i, .seq_i, .type_i, .addr_o, .data_i, .busy_o, .start_o, .sending_i, .length_o, .seq_o, .type_o,
    .addr_i, .data_o, .event_valid_i(event_valid), .event_byte_i(event_byte),
    .event_more_i(event_more), .event_ready_o(event_ready), .event_end_i(event_end), .event_lost_i(event_lost),
    .core_rst_o(resets), .core_idle_i(idle_q), .arch_o(arch), .req_valid_o(req_asks), .req_ready_i(req_taken),
    .req_tag_o(req_tag), .req_word_o(req_word), .req_mask_o(req_mask), .req_pred_o(req_pred), .req_slot_o(req_slot),
    .req_ur_o(req_ur), .op_we_o(op_we), .op_lane_o(op_lane), .op_word_o(unused_op_word), .op_data_o(op_data), .cfg_valid_o(cfg_sets),
    .cfg_slot_o(cfg[3:0]), .cfg_open_o(cfg[4]), .cfg_base_o(cfg[21:5]), .cfg_size_o(cfg[38:22]), .cfg_warps_o(cfg[44:39]),
    .cfg_first_o(cfg[50:45]), .cfg_lanes_o(cfg[56:51]), .cfg_cluster_o(cfg[60:57]), .cfg_rank_o(cfg[64:61]),
    .host_valid_o(host_asks), .host_ready_i(host_taken), .host_write_o(host_write), .host_addr_o(host_addr),
    .host_wdata_o(host_wdata), .host_rvalid_i(host_rvalid_q), .host_rdata_i(host_rdata_q), .wait_warp_o(wait_warp),
    .wait_i({2'd0, wait_tag, wait_id, 4'd0, wait_slot, 4'd0, wait_unit, 6'd0, wait_held, wait_valid}),
    .land_valid_o(land_asks), .land_ready_i(land_taken), .land_kind_o(land_kind), .land_op_o(land_op), .land_addr_o(land_addr),
    .land_words_o(land_words), .land_wdata_o(land_wdata), .mem_rsp_valid_o(mem_asks), .mem_rsp_ready_i(mem_taken),
    .mem_rsp_id_o(host_rsp_id), .mem_rsp_ok_o(host_rsp_ok), .mem_rsp_halves_o(host_rsp_halves), .mem_rsp_data_o(host_rsp_data),
    .place_valid_o(place_valid), .place_open_o(place_open), .place_addr_o(place_addr), .sector_valid_o(sector_valid),
    .sector_write_o(sector_write), .sector_o(sector), .sector_halves_o(sector_halves), .sector_mask_o(sector_mask),
    .sector_data_o(sector_wdata), .sector_data_i(sector_rdata), .served_i(served_q),
    .bar_valid_o(bar_asks), .bar_ready_i(bar_taken), .bar_slot_o(bar_slot), .bar_id_o(bar_id), .bar_rvalid_i(bar_rvalid_q),
    .bar_rdata_i(bar_status_q),
    .stim_entry_o(stim_entry), .stim_start_o(stim_start), .stim_args_o(stim_args), .stim_addr_o(stim_addr),
    .stim_data_i(stim_data), .stim_active_i(stim_active)
  );

  // Registers stand between the link and the core, both ways; for the reset, too.
  always_ff @(posedge clk_i) core_rst <= rst_i || resets;
  link_ask u_ask_req (.clk_i, .rst_i(core_rst), .valid_i(req_asks), .taken_o(req_taken), .valid_o(req_valid), .ready_i(req_ready && !stim_active));
  link_ask u_ask_host (.clk_i, .rst_i(core_rst), .valid_i(host_asks), .taken_o(host_taken), .valid_o(host_valid), .ready_i(host_ready));
  link_ask u_ask_land (.clk_i, .rst_i(core_rst), .valid_i(land_asks), .taken_o(land_taken), .valid_o(land_valid), .ready_i(land_ready));
  link_ask u_ask_mem (.clk_i, .rst_i(core_rst), .valid_i(mem_asks), .taken_o(mem_taken), .valid_o(host_rsp_valid), .ready_i(host_rsp_ready));
  link_ask u_ask_bar (.clk_i, .rst_i(core_rst), .valid_i(bar_asks), .taken_o(bar_taken), .valid_o(bar_valid), .ready_i(bar_ready));
  assign {cfg_rank, cfg_cluster, cfg_lanes, cfg_first, cfg_warps, cfg_size, cfg_base, cfg_open, cfg_slot} = cfg_q;
  always_ff @(posedge clk_i) begin
    cfg_valid     <= !rst_i && cfg_sets;
    cfg_q         <= cfg;
    idle_q        <= idle;
    host_rvalid_q <= !rst_i && host_rvalid;
    host_rdata_q  <= host_rdata;
    bar_rvalid_q  <= !rst_i && bar_rvalid;
    bar_status_q  <= bar_status;
  end

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    logic [319:0] operand_q;                 // Ra, Rb, Rc: a lane's words come in one by one at the top, and move down
    logic [319:0] stim;
    assign stim = {64'd0, stim_rc[l*64+:64], 64'd0, stim_rb[l*64+:64], 32'd0, stim_ra[l*32+:32]};
    always_ff @(posedge clk_i) begin
      if (stim_load) operand_q <= stim;
      else if (op_we && op_lane == LaneBits'(l)) operand_q <= {op_data, operand_q[319:32]};
    end
    assign req_ra[l*64+:64]   = operand_q[63:0];
    assign req_rb[l*128+:128] = operand_q[191:64];
    assign req_rc[l*128+:128] = operand_q[319:192];
  end

  // ---- the core
`include "link_wires.vh"
  logic                   rsp_valid, rsp_ready, rsp_last, rsp_any_fault;
  logic [21:0]            rsp_tag;
  logic [Lanes-1:0]       rsp_mask, rsp_pred;
  logic [Lanes*128-1:0]   rsp_data;
  logic [5:0]             rsp_passes;
  logic [Lanes*6-1:0]     rsp_fault;
  logic [Releases-1:0]    rel_valid, rel_gave_up;
  logic [Releases*4-1:0]  rel_unit, rel_slot;
  logic [Releases*16-1:0] rel_id, rel_phase;
  logic [Releases*48-1:0] rel_warps;
  logic [Releases*32-1:0] rel_value;
  logic                   unused_trace_accept, unused_trace_retire, unused_mem_ready;
  logic                   mem_valid, mem_write, mem_cond, mem_policy_valid, mem_inside, mem_ready;
  logic [3:0]             mem_id;
  logic [42:0]            mem_addr;
  logic [31:0]            mem_mask;
  logic [255:0]           mem_data;
  logic [63:0]            mem_policy;

  sync_core #(
    .Lanes(Lanes), .Banks(Banks), .Ports(Ports), .QueueDepth(2), .QueueBeats(QueueBeats), .RspBeats(RspBeats), .SmemBytes(SmemBytes),
    .Trace(1'b1), .Units(Units), .Arch(Arch), .Warps(Warps), .Lean(Lean), .CtaSlots(CtaSlots), .FpStages(Lean ? 2 : 1)
  ) u_core (
    .clk_i, .rst_i(core_rst), .arch_i(stim_active ? stim_arch : arch), .shared_window_i(32'd1), .local_window_i(32'd2),
    .req_valid_i(stim_active ? stim_valid : req_valid), .req_ready_o(req_ready), .req_tag_i(stim_active ? stim_tag : req_tag),
    .req_word_i(stim_active ? stim_word : req_word), .req_mask_i(stim_active ? stim_mask : req_mask),
    .req_pred_i(stim_active ? 32'd0 : req_pred), .req_slot_i(stim_active ? stim_slot : req_slot),
    .req_ur_i(stim_active ? 64'd0 : req_ur),
    .req_ra_i(req_ra), .req_rb_i(req_rb), .req_rc_i(req_rc), .rsp_valid_o(rsp_valid), .rsp_ready_i(rsp_ready), .rsp_tag_o(rsp_tag),
    .rsp_last_o(rsp_last), .rsp_mask_o(rsp_mask), .rsp_pred_o(rsp_pred), .rsp_data_o(rsp_data), .rsp_passes_o(rsp_passes),
    .rsp_any_fault_o(rsp_any_fault), .rsp_fault_o(rsp_fault), .rel_valid_o(rel_valid), .rel_gave_up_o(rel_gave_up),
    .rel_unit_o(rel_unit), .rel_slot_o(rel_slot), .rel_id_o(rel_id), .rel_phase_o(rel_phase), .rel_warps_o(rel_warps),
    .rel_value_o(rel_value), .wait_warp_i(wait_warp), .wait_valid_o(wait_valid), .wait_held_o(wait_held),
    .wait_unit_o(wait_unit), .wait_slot_o(wait_slot), .wait_id_o(wait_id), .wait_tag_o(wait_tag), .bar_valid_i(bar_valid),
    .bar_ready_o(bar_ready), .bar_slot_i(bar_slot), .bar_id_i(bar_id), .bar_valid_o(bar_rvalid), .bar_status_o(bar_status),
    .cfg_valid_i(cfg_valid), .cfg_slot_i(cfg_slot), .cfg_window_valid_i(cfg_open), .cfg_base_i(cfg_base),
    .cfg_size_i(cfg_size), .cfg_warps_i(cfg_warps),
    .cfg_first_i(cfg_first), .cfg_lanes_i(cfg_lanes), .cfg_cluster_i(cfg_cluster), .cfg_rank_i(cfg_rank),
    .host_valid_i(host_valid), .host_ready_o(host_ready),
    .host_write_i(host_write), .host_addr_i(host_addr), .host_wdata_i(host_wdata), .host_rvalid_o(host_rvalid),
    .host_rdata_o(host_rdata), .land_valid_i(land_valid), .land_ready_o(land_ready), .land_kind_i(land_kind), .land_op_i(land_op),
    .land_addr_i(land_addr), .land_words_i(land_words), .land_wdata_i(land_wdata), .land_rvalid_o(land_rvalid),
    .land_rdata_o(land_rdata), .land_fault_o(land_fault),
    // a request not answered by memory on the board is taken at once, and goes to the host with the snapshot of the
    // cycle
    .mem_req_valid_o(mem_valid), .mem_req_ready_i(!mem_inside || mem_ready), .mem_req_id_o(mem_id), .mem_req_write_o(mem_write),
    .mem_req_cond_o(mem_cond), .mem_req_addr_o(mem_addr), .mem_req_mask_o(mem_mask), .mem_req_data_o(mem_data),
    .mem_req_policy_o(mem_policy), .mem_req_policy_valid_o(mem_policy_valid), .mem_rsp_valid_i(mem_rsp_valid),
    .mem_rsp_ready_o(unused_mem_ready), .mem_rsp_id_i(mem_rsp_id), .mem_rsp_ok_i(mem_rsp_ok), .mem_rsp_halves_i(mem_rsp_halves),
    .mem_rsp_data_i(mem_rsp_data), .idle_o(idle), .trace_accept_o(unused_trace_accept), .trace_retire_o(unused_trace_retire),
`include "link_pins.vh"
  );

  // ---- memory behind the port, or on the board
  assign mem_req_valid_o = Master && mem_valid;
  assign mem_req_id_o    = mem_id;
  assign mem_req_write_o = mem_write;
  assign mem_req_cond_o  = mem_cond;
  assign mem_req_addr_o  = mem_addr;
  assign mem_req_mask_o  = mem_mask;
  assign mem_req_data_o  = mem_data;
  if (MemoryBytes > 0) begin : gen_memory
    logic mine;
    board_memory #(.Bytes(MemoryBytes)) u_memory (
      .clk_i, .rst_i(core_rst), .place_valid_i(place_valid), .place_open_i(place_open), .place_addr_i(place_addr),
      .req_valid_i(mem_valid), .req_inside_o(mem_inside), .req_ready_o(mem_ready), .req_id_i(mem_id), .req_write_i(mem_write),
      .req_cond_i(mem_cond), .req_addr_i(mem_addr), .req_mask_i(mem_mask), .req_data_i(mem_data),
      .host_rsp_valid_i(host_rsp_valid), .host_rsp_ready_o(host_rsp_ready), .host_rsp_id_i(host_rsp_id), .host_rsp_ok_i(host_rsp_ok),
      .host_rsp_halves_i(host_rsp_halves), .host_rsp_data_i(host_rsp_data), .rsp_valid_o(mem_rsp_valid), .rsp_mine_o(mine),
      .rsp_id_o(mem_rsp_id), .rsp_ok_o(mem_rsp_ok), .rsp_halves_o(mem_rsp_halves), .rsp_data_o(mem_rsp_data),
      .host_valid_i(sector_valid), .host_write_i(sector_write), .host_sector_i(sector), .host_halves_i(sector_halves),
      .host_mask_i(sector_mask), .host_data_i(sector_wdata), .host_rdata_o(sector_rdata)
    );
    always_ff @(posedge clk_i) begin
      if (rst_i) served_q <= '0;
      else if (mine) served_q <= served_q + 32'd1;
    end
    logic unused_port;
    assign unused_port = ^{mem_req_ready_i, mem_rsp_valid_i, mem_rsp_id_i, mem_rsp_ok_i, mem_rsp_halves_i, mem_rsp_data_i};
    if (!Memory || Master) begin : gen_bad
      memory_on_a_board_needs_atom_unit_and_no_master u_bad ();
    end
  end else begin : gen_no_memory
    logic unused;
    assign unused = ^{place_valid, place_open, place_addr, sector_valid, sector_write, sector, sector_halves, sector_mask, sector_wdata};
    assign {sector_rdata, served_q} = '0;
    assign {mem_inside, mem_ready}  = {Master, mem_req_ready_i};
    assign {mem_rsp_valid, mem_rsp_id, mem_rsp_ok, mem_rsp_halves, mem_rsp_data} = Master ?
           {mem_rsp_valid_i, mem_rsp_id_i, mem_rsp_ok_i, mem_rsp_halves_i, mem_rsp_data_i} :
           {host_rsp_valid, host_rsp_id, host_rsp_ok, host_rsp_halves, host_rsp_data};
    assign host_rsp_ready = 1'b1;
  end

  // ---- on-chip stimulus
  if (Stimulus) begin : gen_stimulus
    logic        started;
    logic [31:0] given;
    stimulus #(.Lanes(Lanes)) u_stimulus (
      .clk_i, .rst_i(core_rst), .entry_valid_i(stim_entry), .entry_i(stim_args), .start_i(stim_start),
      .start_args_i(stim_args[151-:72]), .active_o(stim_active), .started_o(started), .given_o(given), .req_valid_o(stim_valid),
      .req_ready_i(req_ready), .arch_o(stim_arch), .req_tag_o(stim_tag), .req_word_o(stim_word), .req_mask_o(stim_mask),
      .req_slot_o(stim_slot), .load_o(stim_load), .ra_o(stim_ra), .rb_o(stim_rb), .rc_o(stim_rc),
      .retired_i(rsp_valid && rsp_ready && rsp_last)
    );
    stimulus_sums #(.Lanes(Lanes)) u_sums (
      .clk_i, .start_i(started), .active_i(stim_active), .given_i(given), .rsp_valid_i(rsp_valid && rsp_ready), .rsp_tag_i(rsp_tag),
      .rsp_last_i(rsp_last), .rsp_mask_i(rsp_mask), .rsp_pred_i(rsp_pred), .rsp_data_i(rsp_data), .rsp_passes_i(rsp_passes),
      .rsp_any_fault_i(rsp_any_fault), .rsp_fault_i(rsp_fault), .commit_valid_i(trace_atoms_pipe_commit_valid_o),
      .commit_tag_i(trace_atoms_pipe_commit_tag_o), .commit_lanes_i(trace_atoms_pipe_commit_lanes_o), .addr_i(stim_addr),
      .data_o(stim_data)
    );
  end else begin : gen_no_stimulus
    logic unused;
    assign unused = ^{stim_entry, stim_start, stim_args, stim_addr};
    assign {stim_active, stim_valid, stim_load, stim_arch, stim_tag, stim_word, stim_mask, stim_slot, stim_data} = '0;
    assign {stim_ra, stim_rb, stim_rc} = '0;
  end

  // ---- a snapshot: cycle (4), groups (4), response, releases, groups of the units, landing, request for memory
`include "link_groups.vh"
  localparam int FaultBytes = Lanes;
  localparam int MapBytes   = Lanes / 2;         // a bit for each non-zero word of the results
  localparam int LaneBytes  = (Lanes + 7) / 8;
  localparam int LaneWide   = LaneBytes * 8;
  localparam int RspHead    = 5 + 2 * LaneBytes + MapBytes + FaultBytes;
  localparam int RspPad     = 3 - (RspHead + 3) % 4;               // never sent: link_events wants the results at a multiple of 4
  localparam int RspBytes   = RspHead + RspPad;
  localparam int RelBytes   = 16;
  localparam int HeadBytes  = 8;
  localparam int LandBytes  = Lands ? 4 + Banks * 4 : 0;
  localparam int MemBytes   = Memory ? 7 + 36 + 8 : 0;
  localparam int RowsAt     = HeadBytes + RspBytes;                // results: 16 bytes a lane, on a separate way to link_events
  localparam int DataBytes  = RowsAt + Releases * RelBytes + UnitBytes + LandBytes + MemBytes;
  localparam int Bytes      = DataBytes + Lanes * 16;
  localparam int Groups     = 1 + Releases + UnitGroups + 2;

  logic [Lanes*4-1:0]              words;
  logic [RspHead*8-1:0]            rsp_group;
  logic [RspBytes-1:0]             rsp_keep;
  logic [FaultBytes*8-1:0]         faults;
  logic [Lanes*16-1:0]             words_keep;
  logic [Releases*RelBytes*8-1:0]  rel_group;
  logic [Releases*RelBytes-1:0]    rel_keep;
  // A response beat is taken in as many cycles as the beat has lanes, a lane's results in each; in one cycle while the
  // stimulus runs, with sums and without snapshots. A beat begun before is ended.
  logic [LaneBits-1:0]  lane_q;
  logic [Lanes*4-5:0]   words_q;             // of the lanes before
  logic [3:0]           some;
  logic [127:0]         result, row_q;
  logic                 row_push_q, quiet;
  assign result    = rsp_data[{lane_q, 7'd0} +: 128];
  assign some      = {|result[127:96], |result[95:64], |result[63:32], |result[31:0]};
  assign words     = {some, words_q};
  assign quiet     = stim_active && lane_q == '0;
  assign rsp_ready = quiet || lane_q == '1;
  always_ff @(posedge clk_i) begin
    if (core_rst) lane_q <= '0;
    else if (rsp_valid && !quiet) lane_q <= lane_q + 1'b1;
    if (rsp_valid) words_q <= words[Lanes*4-1:4];
    row_push_q <= !core_rst && rsp_valid && !quiet && some != '0;
    row_q      <= result;
  end
  for (genvar l = 0; l < Lanes; l++) begin : gen_fault
    assign faults[l*8+:8] = {2'd0, rsp_fault[l*6+:6]};
  end
  assign rsp_group = {faults, words, LaneWide'(rsp_pred), LaneWide'(rsp_mask),
                      2'd0, rsp_passes, 6'd0, rsp_any_fault, rsp_last, 2'd0, rsp_tag};
  for (genvar r = 0; r < Releases; r++) begin : gen_release
    assign rel_group[r*RelBytes*8+:RelBytes*8] = {
      rel_value[r*32+:32], rel_warps[r*48+:48], rel_phase[r*16+:16], rel_id[r*16+:16],
      4'd0, rel_slot[r*4+:4], rel_gave_up[r], 3'd0, rel_unit[r*4+:4]
    };
    assign rel_keep[r*RelBytes+:RelBytes] = {RelBytes{kept_rel[r]}};
  end

  // A landing has the row only when the row is read. A request for memory has mask and data only of a write, and the
  // policy only when valid.
  localparam int LandAt = RowsAt + Releases * RelBytes + UnitBytes, MemAt = LandAt + LandBytes;   // without results
  logic [31:0]        cycle_q, which;
  logic [DataBytes*8-1:0] groups, kept;      // now; of the outgoing snapshot
  logic [DataBytes-1:0]   keep;
  logic               kept_land, kept_mem;
  assign which = 32'({Memory && mem_valid && !mem_inside, Lands && trace_sync_core_land_valid_o, unit_valid, rel_valid, rsp_valid && rsp_ready});
  assign groups[LandAt*8-1:0] = {unit_data, rel_group, (RspBytes*8)'(rsp_group), which, cycle_q};
  assign keep[LandAt-1:0]     = {unit_keep, rel_keep, rsp_keep, {HeadBytes{1'b1}}};
  if (Lands) begin : gen_land_group
    assign groups[LandAt*8 +: LandBytes*8] = {
      land_rdata, 2'd0, land_fault, trace_sync_core_land_addr_o, land_rvalid, 4'd0, trace_sync_core_land_code_o
    };
    assign keep[LandAt +: LandBytes] = {{Banks*4{kept_land && kept[LandAt*8 + 7]}}, {4{kept_land}}};
  end else begin : gen_no_land_group
    logic unused_land;
    assign unused_land = ^{land_ready, land_rvalid, land_rdata, land_fault, kept_land};
  end
  if (Memory) begin : gen_mem_group
    assign groups[MemAt*8 +: MemBytes*8] = {
      mem_policy, mem_data, mem_mask, 5'd0, mem_addr, 1'b0, mem_policy_valid, mem_cond, mem_write, mem_id
    };
    assign keep[MemAt +: MemBytes] = {{8{kept_mem && kept[MemAt*8 + 6]}}, {36{kept_mem && kept[MemAt*8 + 4]}}, {7{kept_mem}}};
  end else begin : gen_no_mem_group
    logic unused_mem;
    assign unused_mem = ^{mem_valid, mem_policy, mem_data, mem_mask, mem_addr, mem_policy_valid, mem_cond, mem_write, mem_id, kept_mem};
  end

  // registered: the paths out of the core end here
  logic               push_q;
  logic [DataBytes*8-1:0] data_q;
  always_ff @(posedge clk_i) begin
    cycle_q <= core_rst ? 32'd0 : cycle_q + 32'd1;
    push_q  <= !core_rst && !quiet && which != 32'd0;
    data_q  <= groups;
  end

  // ---- outgoing bytes of a snapshot: the bytes of its groups, and of a response the non-zero words
  logic                kept_rsp, kept_fault;
  logic [Releases-1:0] kept_rel;
  logic [Lanes*4-1:0]  kept_words;
  assign {kept_mem, kept_land, kept_valid, kept_rel, kept_rsp} = kept[32+:Groups];
  assign kept_fault = kept[(HeadBytes + 3)*8 + 1];
  assign kept_words = kept[(HeadBytes + 5 + 2*LaneBytes)*8+:Lanes*4];
  for (genvar w = 0; w < Lanes * 4; w++) begin : gen_keep
    assign words_keep[w*4+:4] = {4{kept_rsp && kept_words[w]}};
  end
  assign rsp_keep = RspBytes'({{FaultBytes{kept_fault}}, {MapBytes + 2*LaneBytes + 5{1'b1}}}) & {RspBytes{kept_rsp}};

  // Zero parts of a release: the warps from 16 on if no such warps exist, and the value in lanes without values, of
  // cluster_barrier and of mbarrier waits given up.
  localparam int  Columns  = (Bytes + 3) / 4;
  localparam bit  Clusters = ((Units >> `WL_UNIT_CLUSTER_BARRIER) & 1) != 0;
  localparam int  ClusterAt = 1 + `WL_COUNT_RELEASES(Units & ((1 << `WL_UNIT_CLUSTER_BARRIER) - 1)) * Ports;
  function automatic logic [Columns-1:0] always_zero();
    always_zero = '0;
    for (int r = 0; r < Releases; r++) begin
      always_zero[(RowsAt + Lanes*16 + r*RelBytes)/4 + 2] = Warps <= 16;
      always_zero[(RowsAt + Lanes*16 + r*RelBytes)/4 + 3] = (Clusters && r == ClusterAt) || (Mbar && r == Releases - 1);
    end
  endfunction
  localparam logic [Columns-1:0] Zero = always_zero();
  for (genvar r = 0; r < Releases; r++) begin : gen_zero
    localparam int At = (RowsAt + Lanes*16 + r*RelBytes)/4;
    `ASSERT(WarpsAreFew_A, !rel_valid[r] || !Zero[At + 2] || rel_warps[r*48+16 +: 32] == '0)
    `ASSERT(HasNoValue_A, !rel_valid[r] || !Zero[At + 3] || rel_value[r*32 +: 32] == '0)
  end
  link_events #(.Bytes(Bytes), .Rows(Lanes), .RowsAt(RowsAt), .DepthBits(EventBits), .Zero(Zero)) u_events (
    .clk_i, .rst_i(core_rst), .push_i(push_q), .data_i(data_q), .row_push_i(row_push_q), .row_i(row_q), .next_o(kept),
    .keep_i({keep[DataBytes-1:RowsAt], words_keep, keep[RowsAt-1:0]}), .valid_o(event_valid), .byte_o(event_byte),
    .more_o(event_more), .ready_i(event_ready), .end_o(event_end), .lost_o(event_lost)
  );
  if (Groups > 32) begin : gen_too_many_groups
    more_than_32_groups u_bad ();
  end
endmodule

`default_nettype wire
