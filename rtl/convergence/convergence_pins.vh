// SPDX-License-Identifier: Apache-2.0
// The ports of convergence, or of convergence_lean instead, in sync_core.
    .clk_i, .rst_i, .cta_valid_i(cfg_valid_i && cfg_window_valid_i), .cta_slot_i(cfg_slot_i), .cta_first_i(cfg_first_i),
    .cta_warps_i(cfg_warps_i), .cta_lanes_i(cfg_lanes_i), .exit_warp_i(exit_warp), .exit_slot_i(front_slot),
    .exit_mask_i(front_mask), .exit_stay_o(exit_stay), .beat_valid_i(u_beat_valid[`WL_UNIT_CONVERGENCE]),
    .beat_ready_o(u_beat_ready[`WL_UNIT_CONVERGENCE]), .room_o(u_open[`WL_UNIT_CONVERGENCE*Ports +: Ports]), .beat_port_i(beat_port),
    .beat_exit_i(beat_part), .beat_header_i(beat_header), .beat_tag_i(beat_tag), .beat_slot_i(beat_slot),
    .beat_kind_i(beat_kind), .beat_ctl_i(beat_ctl), .beat_flags_i(beat_flags), .beat_imm_i(beat_base[31:0]),
    .beat_index_i(beat_index), .beat_last_i(beat_last), .beat_mask_i(beat_mask), .beat_pred_i(beat_pred), .beat_ra_i(beat_ra),
    .done_valid_o(u_done_valid[`WL_UNIT_CONVERGENCE]), .done_warp_o(u_done_warp[`WL_UNIT_CONVERGENCE*6 +: 6]),
    .rsp_valid_o(o_rsp_valid[At +: Ports]), .rsp_take_i(o_rsp_take[At +: Ports]),
    .rsp_o(o_rsp[At*RspBits +: Ports*RspBits]), .rsp_data_o(o_rsp_data[At*Lanes*128 +: Ports*Lanes*128]),
    .idle_o(u_idle[`WL_UNIT_CONVERGENCE]),
`include "trace_convergence.vh"
