// SPDX-License-Identifier: Apache-2.0
// Parameters and pins of both forms of atoms_write in atoms_pipe.
      .Lanes(Lanes), .Banks(Banks), .PortBits(PortBits), .SlotBits(SlotBits), .ShareBits(ShareBits), .Preds(Preds)
    ) u_write (
      .clk_i, .rst_i, .ends_i(x_ends), .pass_i(x), .part_i(x_part), .low_i(x_low), .lanes_i(x_result_lanes), .old_i(x_old), .match_i(x_match),
      .valid_o(w_valid), .end_o(w_end), .result_o(w), .signed_o(w_signed), .word_o(w_word)
