// SPDX-License-Identifier: Apache-2.0
// Pins of atoms_issue and atoms_issue_lean in atoms_pass.
      .clk_i, .rst_i, .valid_i(p_valid_q), .fire_i(p_fire), .leave_i(p_leave), .end_i, .floats_i(p_type != '0), .pending_i(p_pending_q),
      .rest_i(p_rest), .left_i(p_pending_q & ~p_some), .all_i(p_all), .choice_i(s), .choice_o(p), .open_o(p_open), .over_o(p_over),
      .gap_o(p_gap), .free_o, .done_o(p_done)
