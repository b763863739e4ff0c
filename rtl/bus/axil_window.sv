// SPDX-License-Identifier: Apache-2.0
// bus_window behind AXI4-Lite: a CPU sends commands of the board link over an AXI4-Lite bus.
`default_nettype none

module axil_window #(
  parameter int BufferBits = 11,                  // log2 of the bytes of a buffer: 6..12; link_exec has 11
  parameter int WindowBits = BufferBits + 2       // derived, do not override
) (
  input  logic                  clk_i,
  input  logic                  rst_i,

`include "axil_ports.vh"
`include "window_ports.vh"
);
  logic                  reg_valid, reg_write, reg_done, reg_error;
  logic [WindowBits-1:2] reg_addr;
  logic [31:0]           reg_wdata, reg_rdata;
  logic [3:0]            reg_strb;
  axil_port #(.WindowBits(WindowBits)) u_port (
    .clk_i, .rst_i, .s_axil_awaddr, .s_axil_awprot, .s_axil_awvalid, .s_axil_awready, .s_axil_wdata, .s_axil_wstrb,
    .s_axil_wvalid, .s_axil_wready, .s_axil_bresp, .s_axil_bvalid, .s_axil_bready, .s_axil_araddr, .s_axil_arprot,
    .s_axil_arvalid, .s_axil_arready, .s_axil_rdata, .s_axil_rresp, .s_axil_rvalid, .s_axil_rready, .reg_valid_o(reg_valid),
    .reg_write_o(reg_write), .reg_addr_o(reg_addr), .reg_wdata_o(reg_wdata), .reg_strb_o(reg_strb), .reg_done_i(reg_done),
    .reg_rdata_i(reg_rdata), .reg_error_i(reg_error)
  );
  bus_window #(.BufferBits(BufferBits)) u_window (
`include "bus_window_pins.vh"
  );
endmodule

`default_nettype wire
