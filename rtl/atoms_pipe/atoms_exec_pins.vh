// SPDX-License-Identifier: Apache-2.0
// Parameters and pins of both forms of atoms_exec in atoms_pipe.
      .Lanes(Lanes), .Banks(Banks), .PortBits(PortBits), .SlotBits(SlotBits), .ShareBits(ShareBits), .RowBits(RowBits), .Wide(Wide),
      .Adds(Adds), .Native(Native), .FpStages(FpStages)
    ) u_exec (
      .clk_i, .rst_i, .valid_i(r_valid), .pass_i(r), .part_i(r_part), .low_i(r_low), .adds_i(r_adds), .adds_at_i(r_adds_at), .en_i(r_en), .row_i(r_row),
      .b_i(r_b), .c_i(r_c), .be_i(r_be), .rd_data_i(mem_rd_data_i), .rd_fwd_i(mem_rd_fwd_i), .rd_mark_i(mem_rd_mark_i),
      .own_op_o(x_own_op), .own_b_o(x_b), .op_i(x_op), .folded_i(x_folded), .mbar_new_i(x_mbar_new), .mbar_we_i(x_mbar_we),
      .valid_o(x_valid), .begins_o(x_begins), .works_o(x_works), .ends_o(x_ends), .busy_o(x_busy), .pass_o(x), .part_o(x_part), .low_o(x_low),
      .en_o(x_en), .row_o(x_row), .words_o(x_words), .marks_o(x_marks), .old_o(x_old), .fwd_o(x_fwd), .match_o(x_match), .we_o(x_we),
      .new_o(x_new)
