// SPDX-License-Identifier: Apache-2.0
  // Wishbone master
  output logic                  m_wb_cyc_o,
  output logic                  m_wb_stb_o,
  output logic                  m_wb_we_o,
  output logic [AddrBits-1:LowBits] m_wb_adr_o,  // of a word
  output logic [DataBits-1:0]   m_wb_dat_o,
  output logic [SelBits-1:0]    m_wb_sel_o,
  input  logic [DataBits-1:0]   m_wb_dat_i,
  input  logic                  m_wb_ack_i,
  input  logic                  m_wb_err_i,
  input  logic                  m_wb_rty_i,
  input  logic                  m_wb_stall_i      // ignored where classic
