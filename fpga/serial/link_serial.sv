// SPDX-License-Identifier: Apache-2.0
// The content of a small board: serial_core with the host link of link_core. docs/fpga-link.md is the contract for
// both.
`include "wl_units.vh"
`include "releases.vh"
`default_nettype none

module link_serial #(
  parameter int SmemBytes    = 4096,
  parameter int Units        = 5,            // mask, as in serial_core
  parameter int Arch         = 75,
  parameter int Warps        = 8,
  parameter int Slots        = 2,
  parameter int EventBits    = 7,            // snapshots promised to the host: 2^EventBits
  parameter int ByteBits     = 12,           // bytes kept for snapshots
  parameter int ClocksPerBit = 25,
  parameter int Revision     = 0
) (
  input  logic clk_i,
  input  logic rst_i,
  input  logic rx_i,
  output logic tx_o
);
  localparam int Lanes      = 4;
  localparam int BufferBits = 11;

  // ---- bytes and frames
  logic       rx_valid, tx_valid, tx_ready;
  logic [7:0] rx_byte, tx_byte;
  uart_rx #(.ClocksPerBit(ClocksPerBit)) u_uart_rx (.clk_i, .rst_i, .rx_i, .valid_o(rx_valid), .byte_o(rx_byte));
  uart_tx #(.ClocksPerBit(ClocksPerBit)) u_uart_tx (
    .clk_i, .rst_i, .valid_i(tx_valid), .ready_o(tx_ready), .byte_i(tx_byte), .tx_o
  );

  logic                  frame, bad, busy, start, sending;
  logic [BufferBits-1:0] rx_length, rx_addr, tx_length, tx_addr;
  logic [7:0]            rx_seq, rx_type, rx_data, tx_seq, tx_type, tx_data;
  link_rx #(.BufferBits(BufferBits)) u_rx (
    .clk_i, .rst_i, .valid_i(rx_valid), .byte_i(rx_byte), .busy_i(busy), .frame_o(frame), .bad_o(bad), .length_o(rx_length),
    .seq_o(rx_seq), .type_o(rx_type), .addr_i(rx_addr), .data_o(rx_data)
  );
  link_tx #(.BufferBits(BufferBits)) u_tx (
    .clk_i, .rst_i, .start_i(start), .busy_o(sending), .length_i(tx_length), .seq_i(tx_seq), .type_i(tx_type),
    .addr_o(tx_addr), .data_i(tx_data), .valid_o(tx_valid), .ready_i(tx_ready), .byte_o(tx_byte)
  );

  // ---- commands
  logic         core_rst, idle, beat_valid, beat_ready, cfg_valid, cfg_open, host_valid, host_ready, host_write, host_rvalid;
  logic [7:0]   arch;
  logic [21:0]  req_tag, wait_tag;
  logic [127:0] req_word;
  logic [31:0]  req_mask, req_pred, host_wdata, host_rdata, op_data;
  logic [3:0]   req_slot, cfg_slot, wait_slot, wait_id, bar_slot, bar_id, op_word;
  logic [63:0]  req_ur;
  logic         op_we, wait_valid, bar_valid, bar_ready, bar_rvalid;
  logic [1:0]   op_lane;
  logic [16:0]  cfg_base, cfg_size;
  logic [5:0]   cfg_warps, wait_warp;
  logic [15:0]  host_addr;
  logic [126:0] bar_status;
  logic         event_valid, event_ready, event_more, event_end, event_lost;
  logic [7:0]   event_byte;

  logic         unused_stim_entry, unused_stim_start;
  logic [151:0] unused_stim_args;
  logic [7:0]   unused_stim_addr;
  logic [5:0]   unused_first, unused_lanes;   // of a CTA's warps and cluster: for units not built here
  logic [3:0]   unused_cluster, unused_rank;
  logic         unused_land_valid, unused_mem_valid, unused_mem_ok;
  logic [2:0]   unused_land_kind;
  logic [5:0]   unused_land_op;
  logic [15:0]  unused_land_addr;
  logic [3:0]   unused_land_words, unused_mem_id;
  logic [127:0] unused_land_wdata;
  logic [1:0]   unused_mem_halves;
  logic [255:0] unused_mem_data;
  logic         unused_place, unused_open, unused_sector_valid, unused_sector_write, unused_sector;
  logic [42:0]  unused_place_addr;
  logic [1:0]   unused_sector_halves;
  logic [31:0]  unused_sector_mask;
  logic [255:0] unused_sector_data;

`include "link_info.vh"
  assign info_revision    = Revision;
  assign info_units       = 16'(Units);
  assign info_smem_bits   = 8'($clog2(SmemBytes));
  assign info_lanes       = 8'(Lanes);
  assign info_banks       = 8'd4;
  assign info_arch        = 8'(Arch);
  assign info_warps       = 8'(Warps);
  assign info_slots       = 8'(Slots);
  assign info_releases    = 8'(`WL_RELEASE_LANES(Units, 1, Lanes));
  assign info_event_bits  = 8'(EventBits);
  assign info_memory_bits = 8'd0;
  link_exec #(.Lanes(Lanes), .BufferBits(BufferBits), .InfoBytes(InfoBytes), .StatusBits(127)) u_exec (
    .clk_i, .rst_i,
    .info_i(info),
    .frame_i(frame), .bad_i(bad), .length_i(rx_length), .seq_i(rx_seq), .type_i(rx_type), .addr_o(rx_addr),
    .data_i(rx_data), .busy_o(busy), .start_o(start), .sending_i(sending), .length_o(tx_length), .seq_o(tx_seq),
    .type_o(tx_type), .addr_i(tx_addr), .data_o(tx_data), .event_valid_i(event_valid), .event_byte_i(event_byte),
    .event_more_i(event_more), .event_ready_o(event_ready), .event_end_i(event_end), .event_lost_i(event_lost),
    .core_rst_o(core_rst), .core_idle_i(idle), .arch_o(arch), .req_valid_o(beat_valid), .req_ready_i(beat_ready),
    .req_tag_o(req_tag), .req_word_o(req_word), .req_mask_o(req_mask), .req_pred_o(req_pred), .req_slot_o(req_slot),
    .req_ur_o(req_ur), .op_we_o(op_we), .op_lane_o(op_lane), .op_word_o(op_word), .op_data_o(op_data),
    .cfg_valid_o(cfg_valid), .cfg_slot_o(cfg_slot), .cfg_open_o(cfg_open), .cfg_base_o(cfg_base), .cfg_size_o(cfg_size),
    .cfg_warps_o(cfg_warps), .cfg_first_o(unused_first), .cfg_lanes_o(unused_lanes), .cfg_cluster_o(unused_cluster),
    .cfg_rank_o(unused_rank), .host_valid_o(host_valid), .host_ready_i(host_ready), .host_write_o(host_write),
    .host_addr_o(host_addr), .host_wdata_o(host_wdata), .host_rvalid_i(host_rvalid), .host_rdata_i(host_rdata),
    .wait_warp_o(wait_warp),
    .wait_i({2'd0, wait_tag, 12'd0, wait_id, 4'd0, wait_slot, 4'd0, `WL_UNIT_BARRIER_FILE, 7'd0, wait_valid}),
    .bar_valid_o(bar_valid), .bar_ready_i(bar_ready), .bar_slot_o(bar_slot), .bar_id_o(bar_id), .bar_rvalid_i(bar_rvalid),
    .bar_rdata_i(bar_status),
    .land_valid_o(unused_land_valid), .land_ready_i(1'b0), .land_kind_o(unused_land_kind), .land_op_o(unused_land_op),
    .land_addr_o(unused_land_addr), .land_words_o(unused_land_words), .land_wdata_o(unused_land_wdata),
    .mem_rsp_valid_o(unused_mem_valid), .mem_rsp_ready_i(1'b1), .mem_rsp_id_o(unused_mem_id), .mem_rsp_ok_o(unused_mem_ok),
    .mem_rsp_halves_o(unused_mem_halves), .mem_rsp_data_o(unused_mem_data),
    .place_valid_o(unused_place), .place_open_o(unused_open), .place_addr_o(unused_place_addr), .sector_valid_o(unused_sector_valid),
    .sector_write_o(unused_sector_write), .sector_o(unused_sector), .sector_halves_o(unused_sector_halves),
    .sector_mask_o(unused_sector_mask), .sector_data_o(unused_sector_data), .sector_data_i(256'd0), .served_i(32'd0),
    .stim_entry_o(unused_stim_entry), .stim_start_o(unused_stim_start), .stim_args_o(unused_stim_args),
    .stim_addr_o(unused_stim_addr), .stim_data_i(32'd0), .stim_active_i(1'b0)
  );

  // ---- core and snapshots
  logic        ev_valid, ev_ready, rsp_last;
  logic [2:0]  ev_kind;
  logic [1:0]  ev_code;
  logic [31:0] ev_lanes, rel_value, rsp_data;
  logic [5:0]  ev_fault, rsp_passes;
  logic [3:0]  rel_slot, rel_id, rsp_mask, rsp_pred, rsp_word;
  logic [47:0] rel_warps;
  logic [23:0] rsp_fault;
  logic [15:0] rsp_map;
  logic                          unused_mem_we;
  logic [$clog2(SmemBytes)-3:0]  unused_mem_addr;
  logic [31:0]                   unused_mem_old, unused_mem_new, unused_ur;
  assign unused_ur = req_ur[63:32];
  serial_core #(.SmemBytes(SmemBytes), .Units(Units), .Arch(Arch), .Warps(Warps), .Slots(Slots)) u_core (
    .clk_i, .rst_i(rst_i || core_rst), .arch_i(arch), .req_tag_i(req_tag), .req_word_i(req_word), .req_mask_i(req_mask),
    .req_pred_i(req_pred), .req_slot_i(req_slot), .req_ur_i(req_ur[31:0]), .beat_valid_i(beat_valid), .beat_ready_o(beat_ready),
    .op_we_i(op_we), .op_addr_i({op_lane, op_word}), .op_data_i(op_data), .cfg_valid_i(cfg_valid), .cfg_slot_i(cfg_slot),
    .cfg_open_i(cfg_open), .cfg_base_i(cfg_base), .cfg_size_i(cfg_size), .cfg_warps_i(cfg_warps), .host_valid_i(host_valid),
    .host_ready_o(host_ready), .host_write_i(host_write), .host_addr_i(host_addr), .host_wdata_i(host_wdata),
    .host_rvalid_o(host_rvalid), .host_rdata_o(host_rdata), .wait_warp_i(wait_warp), .wait_valid_o(wait_valid),
    .wait_slot_o(wait_slot), .wait_id_o(wait_id), .wait_tag_o(wait_tag), .bar_valid_i(bar_valid), .bar_ready_o(bar_ready),
    .bar_slot_i(bar_slot), .bar_id_i(bar_id), .bar_valid_o(bar_rvalid), .bar_status_o(bar_status), .idle_o(idle),
    .ev_valid_o(ev_valid), .ev_ready_i(ev_ready), .ev_kind_o(ev_kind), .ev_code_i(ev_code), .ev_lanes_o(ev_lanes),
    .ev_fault_o(ev_fault), .rel_slot_o(rel_slot), .rel_id_o(rel_id), .rel_warps_o(rel_warps), .rel_value_o(rel_value),
    .rsp_last_o(rsp_last), .rsp_passes_o(rsp_passes), .rsp_mask_o(rsp_mask), .rsp_pred_o(rsp_pred), .rsp_fault_o(rsp_fault),
    .rsp_map_o(rsp_map), .rsp_word_i(rsp_word), .rsp_data_o(rsp_data), .mem_we_o(unused_mem_we), .mem_addr_o(unused_mem_addr),
    .mem_old_o(unused_mem_old), .mem_new_o(unused_mem_new)
  );
  link_shots #(.DepthBits(ByteBits), .Units(Units)) u_shots (
    .clk_i, .rst_i(rst_i || core_rst), .ev_valid_i(ev_valid), .ev_ready_o(ev_ready), .ev_kind_i(ev_kind), .ev_tag_i(req_tag),
    .ev_code_o(ev_code), .ev_lanes_i(ev_lanes), .ev_fault_i(ev_fault), .rel_slot_i(rel_slot), .rel_id_i(rel_id),
    .rel_warps_i(rel_warps), .rel_value_i(rel_value), .rsp_last_i(rsp_last), .rsp_passes_i(rsp_passes), .rsp_mask_i(rsp_mask),
    .rsp_pred_i(rsp_pred), .rsp_fault_i(rsp_fault), .rsp_map_i(rsp_map), .rsp_word_o(rsp_word), .rsp_data_i(rsp_data),
    .valid_o(event_valid), .byte_o(event_byte), .more_o(event_more), .ready_i(event_ready), .end_o(event_end),
    .lost_o(event_lost)
  );
endmodule
`default_nettype wire
