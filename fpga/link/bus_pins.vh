// SPDX-License-Identifier: Apache-2.0
// Ports of link_board behind a bus.
    .clk_i, .rst_i, .frame_i(frame), .bad_i(1'b0), .length_i(length), .seq_i(seq), .type_i(kind), .addr_o(addr), .data_i(data),
    .busy_o(busy), .start_o(start), .sending_i(1'b0), .length_o(answer_length), .seq_o(unused_seq), .type_o(answer_kind),
    .addr_i(answer_addr), .data_o(answer_data), .mem_req_valid_o(mem_req_valid), .mem_req_ready_i(mem_req_ready),
    .mem_req_id_o(mem_req_id), .mem_req_write_o(mem_req_write), .mem_req_cond_o(mem_req_cond), .mem_req_addr_o(mem_req_addr),
    .mem_req_mask_o(mem_req_mask), .mem_req_data_o(mem_req_data), .mem_rsp_valid_i(mem_rsp_valid), .mem_rsp_id_i(mem_rsp_id),
    .mem_rsp_ok_i(mem_rsp_ok), .mem_rsp_halves_i(mem_rsp_halves), .mem_rsp_data_i(mem_rsp_data)
