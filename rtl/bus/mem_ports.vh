// SPDX-License-Identifier: Apache-2.0
  // requests of atom_unit, and answers
  input  logic                  mem_req_valid_i,
  output logic                  mem_req_ready_o,
  input  logic [3:0]            mem_req_id_i,
  input  logic                  mem_req_write_i,
  input  logic                  mem_req_cond_i,
  input  logic [42:0]           mem_req_addr_i,   // bits 47:5 of the address
  input  logic [31:0]           mem_req_mask_i,
  input  logic [255:0]          mem_req_data_i,
  output logic                  mem_rsp_valid_o,  // for a cycle: an answer is always taken
  output logic [3:0]            mem_rsp_id_o,
  output logic                  mem_rsp_ok_o,
  output logic [1:0]            mem_rsp_halves_o,
  output logic [255:0]          mem_rsp_data_o,
  output logic                  error_o,          // for a cycle: an error of the bus, no monitor, or no such address
  output logic [42:0]           error_sector_o,
