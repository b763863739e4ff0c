// SPDX-License-Identifier: Apache-2.0
// bus_window behind Wishbone B4: a CPU sends commands of the board link over a Wishbone bus, classic or pipelined.
`default_nettype none

module wb_window #(
  parameter bit Pipelined  = 1'b0,                // Wishbone: pipelined, not classic
  parameter int BufferBits = 11,                  // log2 of the bytes of a buffer: 6..12; link_exec has 11
  parameter int WindowBits = BufferBits + 2       // derived, do not override
) (
  input  logic                  clk_i,
  input  logic                  rst_i,

`include "wb_ports.vh"
`include "window_ports.vh"
);
  logic                  reg_valid, reg_write, reg_done, reg_error;
  logic [WindowBits-1:2] reg_addr;
  logic [31:0]           reg_wdata, reg_rdata;
  logic [3:0]            reg_strb;
  wb_port #(.Pipelined(Pipelined), .WindowBits(WindowBits)) u_port (
    .clk_i, .rst_i, .wb_cyc_i, .wb_stb_i, .wb_we_i, .wb_adr_i, .wb_dat_i, .wb_sel_i, .wb_dat_o, .wb_ack_o, .wb_err_o,
    .wb_stall_o, .reg_valid_o(reg_valid), .reg_write_o(reg_write), .reg_addr_o(reg_addr), .reg_wdata_o(reg_wdata),
    .reg_strb_o(reg_strb), .reg_done_i(reg_done), .reg_rdata_i(reg_rdata), .reg_error_i(reg_error)
  );
  bus_window #(.BufferBits(BufferBits)) u_window (
`include "bus_window_pins.vh"
  );
endmodule

`default_nettype wire
