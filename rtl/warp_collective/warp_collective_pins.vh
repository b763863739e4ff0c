// SPDX-License-Identifier: Apache-2.0
// The ports of warp_collective, or of warp_collective_lean instead, in sync_core.
    .clk_i, .rst_i, .beat_valid_i(u_beat_valid[`WL_UNIT_WARP_COLLECTIVE]),
    .beat_ready_o(u_beat_ready[`WL_UNIT_WARP_COLLECTIVE]), .room_o(u_open[`WL_UNIT_WARP_COLLECTIVE*Ports +: Ports]), .beat_port_i(beat_port),
    .beat_tag_i(beat_tag), .beat_kind_i(beat_kind), .beat_ctl_i(beat_ctl), .beat_flags_i(beat_flags),
    .beat_index_i(beat_index), .beat_last_i(beat_last), .beat_mask_i(beat_mask), .beat_pred_i(beat_pred),
    .beat_ra_i(beat_ra), .beat_rb_i(beat_rb), .beat_rc_i(beat_rc),
    .done_valid_o(u_done_valid[`WL_UNIT_WARP_COLLECTIVE]), .done_warp_o(u_done_warp[`WL_UNIT_WARP_COLLECTIVE*6 +: 6]),
    .rsp_valid_o(o_rsp_valid[At +: Ports]), .rsp_take_i(o_rsp_take[At +: Ports]),
    .rsp_o(o_rsp[At*RspBits +: Ports*RspBits]), .rsp_data_o(o_rsp_data[At*Lanes*128 +: Ports*Lanes*128]),
    .idle_o(u_idle[`WL_UNIT_WARP_COLLECTIVE]),
`include "trace_warp_collective.vh"
