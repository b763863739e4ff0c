// SPDX-License-Identifier: Apache-2.0
// bus_window behind AXI4-Lite: a CPU sends commands of the board link over an AXI4-Lite bus.
`default_nettype none

module axil_window #(
  parameter int BufferBits = 11,                  // log2 of the bytes of a buffer: 6..12; link_exec has 11
  parameter int AddrBits   = BufferBits + 2       // derived, do not override
) (
  input  logic                  clk_i,
  input  logic                  rst_i,

  // AXI4-Lite subordinate
  input  logic [AddrBits-1:0]   s_axil_awaddr,
  input  logic [2:0]            s_axil_awprot,    // ignored
  input  logic                  s_axil_awvalid,
  output logic                  s_axil_awready,
  input  logic [31:0]           s_axil_wdata,
  input  logic [3:0]            s_axil_wstrb,
  input  logic                  s_axil_wvalid,
  output logic                  s_axil_wready,
  output logic [1:0]            s_axil_bresp,     // OKAY or SLVERR
  output logic                  s_axil_bvalid,
  input  logic                  s_axil_bready,
  input  logic [AddrBits-1:0]   s_axil_araddr,
  input  logic [2:0]            s_axil_arprot,    // ignored
  input  logic                  s_axil_arvalid,
  output logic                  s_axil_arready,
  output logic [31:0]           s_axil_rdata,
  output logic [1:0]            s_axil_rresp,     // OKAY or SLVERR
  output logic                  s_axil_rvalid,
  input  logic                  s_axil_rready,
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
  axil_port #(.AddrBits(AddrBits)) u_port (
    .clk_i, .rst_i, .s_axil_awaddr, .s_axil_awprot, .s_axil_awvalid, .s_axil_awready, .s_axil_wdata, .s_axil_wstrb,
    .s_axil_wvalid, .s_axil_wready, .s_axil_bresp, .s_axil_bvalid, .s_axil_bready, .s_axil_araddr, .s_axil_arprot,
    .s_axil_arvalid, .s_axil_arready, .s_axil_rdata, .s_axil_rresp, .s_axil_rvalid, .s_axil_rready, .reg_valid_o(reg_valid),
    .reg_write_o(reg_write), .reg_addr_o(reg_addr), .reg_wdata_o(reg_wdata), .reg_strb_o(reg_strb), .reg_done_i(reg_done),
    .reg_rdata_i(reg_rdata), .reg_error_i(reg_error)
  );
  bus_window #(.BufferBits(BufferBits)) u_window (
    .clk_i, .rst_i, .reg_valid_i(reg_valid), .reg_write_i(reg_write), .reg_addr_i(reg_addr), .reg_wdata_i(reg_wdata),
    .reg_strb_i(reg_strb), .reg_done_o(reg_done), .reg_rdata_o(reg_rdata), .reg_error_o(reg_error), .irq_o, .frame_o, .length_o,
    .seq_o, .type_o, .addr_i, .data_o, .busy_i, .start_i, .length_i, .type_i, .addr_o, .data_i, .memory_error_i,
    .memory_sector_i
  );
endmodule

`default_nettype wire
