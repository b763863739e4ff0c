// SPDX-License-Identifier: Apache-2.0
// Ports of bus_window behind the shell of a bus.
    .clk_i, .rst_i, .reg_valid_i(reg_valid), .reg_write_i(reg_write), .reg_addr_i(reg_addr), .reg_wdata_i(reg_wdata),
    .reg_strb_i(reg_strb), .reg_done_o(reg_done), .reg_rdata_o(reg_rdata), .reg_error_o(reg_error), .irq_o, .frame_o, .length_o,
    .seq_o, .type_o, .addr_i, .data_o, .busy_i, .start_i, .length_i, .type_i, .addr_o, .data_i, .memory_error_i,
    .memory_sector_i
