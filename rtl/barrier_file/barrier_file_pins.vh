// SPDX-License-Identifier: Apache-2.0
// The ports of barrier_file, or of barrier_file_lean instead, in barrier_place.
    .clk_i, .rst_i, .cta_valid_i(cfg_valid_i), .cta_slot_i(cfg_slot_i[SlotBits-1:0]), .cta_open_i(cfg_open_i),
    .cta_warps_i(cfg_warps_i[NumBits-1:0]), .head_valid_i(head_valid_i | head_exit_i), .head_ready_o,
    .head_kind_i(kind), .head_form_i(form), .head_tag_i(head_tag), .head_warp_i(warp), .head_slot_i(head_slot), .head_id_i(id),
    .head_count_i(count), .head_ra_i(ra), .head_rb_i(rb), .head_mask_i, .head_pred_i, .commit_o, .park_o(park),
    .fault_o, .fault_code_o, .judged_tag_o(judged_tag), .judged_mask_o, .rel_valid_o, .rel_slot_o(slot), .rel_id_o(rel_id),
    .rel_warps_o(rel_warps), .rel_value_o(rel_value), .rsp_valid_o(answer_valid), .rsp_ready_i(answer_ready),
    .rsp_tag_o(answer_tag), .rsp_mask_o(mask), .rsp_fault_o(answer_fault), .rsp_value_o(answer_value), .status_valid_i, .status_ready_o, .status_slot_i(status_slot_i[SlotBits-1:0]),
    .status_id_i, .status_valid_o, .status_mode_o(mode), .status_counted_o(counted), .status_expected_o(expected),
    .status_arrived_o(arrived), .status_warps_o(warps), .status_waiting_o(waiting), .status_votes_o(votes),
    .idle_o(file_idle)
