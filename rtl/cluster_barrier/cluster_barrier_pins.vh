// SPDX-License-Identifier: Apache-2.0
// The ports of cluster_barrier, or of cluster_barrier_lean instead, in sync_core.
    .clk_i, .rst_i, .cta_valid_i(cfg_valid_i), .cta_slot_i(cfg_slot_i), .cta_open_i(cfg_window_valid_i),
    .cta_first_i(cfg_first_i), .cta_warps_i(cfg_warps_i), .cta_cluster_i(cfg_cluster_i),
    .head_valid_i(u_head_valid[`WL_UNIT_CLUSTER_BARRIER*Ports +: Ports]),
    .head_exit_i(head_exit), .head_ready_o(ready), .head_wait_i(waits), .head_tag_i(head_tag), .head_slot_i(head_slot),
    .head_mask_i(head_mask), .commit_o(commit), .fault_o(fault), .fault_code_o(trace_cluster_barrier_fault_code_o),
    .judged_tag_o(trace_cluster_barrier_fault_tag_o), .judged_mask_o(trace_cluster_barrier_fault_lanes_o),
    .park_valid_o(o_park_valid[At +: Ports]), .park_slot_o(o_park_slot[At*4 +: Ports*4]),
    .park_id_o(o_park_id[At*16 +: Ports*16]), .park_warps_o(o_park_warps[At*Warps +: Ports*Warps]),
    .rel_valid_o(o_rel_valid[At +: Ports]), .rel_o(o_rel[At*121 +: Ports*121]),
    .rsp_valid_o(o_rsp_valid[At +: Ports]), .rsp_take_i(o_rsp_take[At +: Ports]),
    .rsp_o(o_rsp[At*RspBits +: Ports*RspBits]), .idle_o(u_idle[`WL_UNIT_CLUSTER_BARRIER])
