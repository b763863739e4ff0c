// SPDX-License-Identifier: Apache-2.0
// Ports of mem_sectors in front of a memory bus.
    .clk_i, .rst_i, .mem_req_valid_i, .mem_req_ready_o, .mem_req_id_i, .mem_req_write_i, .mem_req_cond_i, .mem_req_addr_i,
    .mem_req_mask_i, .mem_req_data_i, .mem_rsp_valid_o, .mem_rsp_id_o, .mem_rsp_ok_o, .mem_rsp_halves_o, .mem_rsp_data_o,
    .op_valid_o(op_valid), .op_write_o(op_write), .op_lock_o(op_lock), .op_addr_o(op_addr), .op_mask_o(op_mask),
    .op_wdata_o(op_wdata), .op_done_i(op_done), .op_rdata_i(op_rdata), .op_bad_i(op_bad), .op_exclusive_i(op_exclusive),
    .error_o, .error_sector_o
