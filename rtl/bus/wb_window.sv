// SPDX-License-Identifier: Apache-2.0
// bus_window behind Wishbone B4: a CPU sends commands of the board link over a Wishbone bus, classic or pipelined.
`default_nettype none

module wb_window #(
  parameter bit Pipelined  = 1'b0,                // Wishbone: pipelined, not classic
  parameter int BufferBits = 11,                  // log2 of the bytes of a buffer: 6..12; link_exec has 11
  parameter int AddrBits   = BufferBits + 2       // derived, do not override
) (
  input  logic                  clk_i,
  input  logic                  rst_i,

  // Wishbone subordinate, 32 bits wide, in bytes
  input  logic                  wb_cyc_i,
  input  logic                  wb_stb_i,
  input  logic                  wb_we_i,
  input  logic [AddrBits-1:2]   wb_adr_i,         // of a word
  input  logic [31:0]           wb_dat_i,
  input  logic [3:0]            wb_sel_i,
  output logic [31:0]           wb_dat_o,
  output logic                  wb_ack_o,
  output logic                  wb_err_o,
  output logic                  wb_stall_o,       // 0 where classic
  output logic                  irq_o,

  // commands and answers, as link_exec has them; see bus_window
  output logic                  frame_o,
  output logic [BufferBits-1:0] length_o,
  output logic [7:0]            seq_o,
  output logic [7:0]            type_o,
  input  logic [BufferBits-1:0] addr_i,           // of the payload
  output logic [7:0]            data_o,           // the cycle after
  input  logic                  busy_i,
  input  logic                  start_i,
  input  logic [BufferBits-1:0] length_i,
  input  logic [7:0]            type_i,
  output logic [BufferBits-1:0] addr_o,           // of the answer
  input  logic [7:0]            data_i,           // the cycle after
  input  logic                  memory_error_i,   // of the memory master, one cycle
  input  logic [42:0]           memory_sector_i   // bits 47:5 of its address
);
  logic                reg_valid, reg_write, reg_done, reg_error;
  logic [AddrBits-1:2] reg_addr;
  logic [31:0]         reg_wdata, reg_rdata;
  logic [3:0]          reg_strb;
  wb_port #(.Pipelined(Pipelined), .AddrBits(AddrBits)) u_port (
    .clk_i, .rst_i, .wb_cyc_i, .wb_stb_i, .wb_we_i, .wb_adr_i, .wb_dat_i, .wb_sel_i, .wb_dat_o, .wb_ack_o, .wb_err_o,
    .wb_stall_o, .reg_valid_o(reg_valid), .reg_write_o(reg_write), .reg_addr_o(reg_addr), .reg_wdata_o(reg_wdata),
    .reg_strb_o(reg_strb), .reg_done_i(reg_done), .reg_rdata_i(reg_rdata), .reg_error_i(reg_error)
  );
  bus_window #(.BufferBits(BufferBits)) u_window (
    .clk_i, .rst_i, .reg_valid_i(reg_valid), .reg_write_i(reg_write), .reg_addr_i(reg_addr), .reg_wdata_i(reg_wdata),
    .reg_strb_i(reg_strb), .reg_done_o(reg_done), .reg_rdata_o(reg_rdata), .reg_error_o(reg_error), .irq_o, .frame_o, .length_o,
    .seq_o, .type_o, .addr_i, .data_o, .busy_i, .start_i, .length_i, .type_i, .addr_o, .data_i, .memory_error_i,
    .memory_sector_i
  );
endmodule

`default_nettype wire
