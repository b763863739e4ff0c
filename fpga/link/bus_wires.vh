// SPDX-License-Identifier: Apache-2.0
// Wires of link_axil and link_wb: commands and answers between window and link_board, and requests for memory.
  localparam int BufferBits = 11;

  logic                  frame, busy, start;
  logic [BufferBits-1:0] length, addr, answer_length, answer_addr;
  logic [7:0]            seq, kind, data, answer_kind, answer_data, unused_seq;
  logic                  mem_req_valid, mem_req_ready, mem_req_write, mem_req_cond, mem_rsp_valid, mem_rsp_ok, error;
  logic [3:0]            mem_req_id, mem_rsp_id;
  logic [42:0]           mem_req_addr, error_sector;
  logic [31:0]           mem_req_mask;
  logic [255:0]          mem_req_data, mem_rsp_data;
  logic [1:0]            mem_rsp_halves;
