// SPDX-License-Identifier: Apache-2.0
  // Wishbone subordinate, 32 bits wide, in bytes
  input  logic                  wb_cyc_i,
  input  logic                  wb_stb_i,
  input  logic                  wb_we_i,
  input  logic [WindowBits-1:2] wb_adr_i,         // of a word
  input  logic [31:0]           wb_dat_i,
  input  logic [3:0]            wb_sel_i,
  output logic [31:0]           wb_dat_o,
  output logic                  wb_ack_o,
  output logic                  wb_err_o,
  output logic                  wb_stall_o,       // 0 where classic
