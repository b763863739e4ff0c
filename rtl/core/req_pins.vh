// SPDX-License-Identifier: Apache-2.0
// Common ports of req_queue and req_direct, for core_requests: port p, and the beat at the front of the queue.
      .clk_i, .rst_i, .arch_i, .req_valid_i(req_valid_i[p]), .req_ready_o(req_ready_o[p]),
      .req_tag_i(req_tag_i[p*22 +: 22]), .req_word_i(req_word_i[p*128 +: 128]), .req_mask_i(req_mask_i[p*32 +: 32]),
      .req_pred_i(req_pred_i[p*32 +: 32]), .req_slot_i(req_slot_i[p*4 +: 4]), .req_ur_i(req_ur_i[p*64 +: 64]),
      .req_ra_i(req_ra_i[p*Lanes*64 +: Lanes*64]), .req_rb_i(req_rb_i[p*Lanes*128 +: Lanes*128]),
      .req_rc_i(req_rc_i[p*Lanes*128 +: Lanes*128]), .beat_valid_o(there[p]), .beat_ready_i(q_ready[p]),
      .unit_o(q_unit[p*4 +: 4]), .header_o(q_header[p]), .tag_o(q_tag[p*22 +: 22]), .slot_o(q_slot[p*4 +: 4]),
      .kind_o(q_kind[p*5 +: 5]), .ctl_o(q_ctl[p*32 +: 32]), .flags_o(q_flags[p*7 +: 7]), .base_o(q_base[p*64 +: 64]),
      .ur_o(q_ur[p*UrBits +: UrBits]), .live_i, .live_o(q_live[p*LiveBits +: LiveBits]),
      .beat_index_o(q_index[p*BeatBits +: BeatBits]), .beat_last_o(q_last[p]), .mask_o(q_mask[p*32 +: 32]),
      .pred_o(q_pred[p*32 +: 32]), .beat_ra_o(q_ra[p*Lanes*RaBits +: Lanes*RaBits]),
      .beat_rb_o(q_rb[p*Lanes*128 +: Lanes*128]), .beat_rc_o(q_rc[p*Lanes*RcBits +: Lanes*RcBits]), .empty_o(q_empty[p])
