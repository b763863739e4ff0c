// SPDX-License-Identifier: Apache-2.0
// Parameters and pins of both forms of atoms_read in atoms_pipe.
      .Lanes(Lanes), .Banks(Banks), .PortBits(PortBits), .SlotBits(SlotBits), .AddrBits(AddrBits), .ShareBits(ShareBits), .Wide(Wide),
      .Adds(Adds), .Combine(Combine)
    ) u_read (
      .clk_i, .rst_i, .fire_i(p_fire), .begin_i(p_begin), .pass_i(p), .part_i(p_part), .choice_i(choice), .addr_i(p_addr), .data_i(p_data),
      .wide_i(p_wide), .valid_o(r_valid), .pass_o(r), .part_o(r_part), .low_o(r_low), .data_o(r_data), .adds_o(r_adds), .adds_at_o(r_adds_at),
      .rd_en_o(mem_rd_en_o), .en_o(r_en), .row_o(r_row), .b_o(r_b), .c_o(r_c), .be_o(r_be)
