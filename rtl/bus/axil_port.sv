// SPDX-License-Identifier: Apache-2.0
// AXI4-Lite subordinate in front of registers: a single access at a time. Each channel has a register, and ready tells
// only whether the register is free, so no path leads from valid to ready. If a write and a read wait, the kinds take
// turns. An error of the registers is answered with SLVERR. The two low bits of an address are ignored, as AXI permits.
`default_nettype none

module axil_port #(
  parameter int WindowBits = 13                   // of a byte
) (
  input  logic                clk_i,
  input  logic                rst_i,

`include "axil_ports.vh"

  // registers
  output logic                reg_valid_o,        // holds, with the access, until reg_done_i
  output logic                reg_write_o,
  output logic [WindowBits-1:2] reg_addr_o,
  output logic [31:0]         reg_wdata_o,
  output logic [3:0]          reg_strb_o,
  input  logic                reg_done_i,
  input  logic [31:0]         reg_rdata_i,
  input  logic                reg_error_i
);
  localparam logic [1:0] Okay = 2'b00, SlvErr = 2'b10;

  logic                aw_q, w_q, ar_q, b_q, r_q; // the register of each channel is full
  logic                op_q, write_q;             // an access is with the registers
  logic [WindowBits-1:2] awaddr_q, araddr_q;
  logic                can_write, can_read;

  assign s_axil_awready = !aw_q && !rst_i;
  assign s_axil_wready  = !w_q && !rst_i;
  assign s_axil_arready = !ar_q && !rst_i;
  assign s_axil_bvalid  = b_q;
  assign s_axil_rvalid  = r_q;
  assign can_write      = aw_q && w_q && !b_q;
  assign can_read       = ar_q && !r_q;

  assign reg_valid_o = op_q;
  assign reg_write_o = write_q;
  assign reg_addr_o  = write_q ? awaddr_q : araddr_q;

  always_ff @(posedge clk_i) begin
    if (s_axil_awvalid && s_axil_awready) begin
      aw_q     <= 1'b1;
      awaddr_q <= s_axil_awaddr[WindowBits-1:2];
    end
    if (s_axil_wvalid && s_axil_wready) begin
      w_q         <= 1'b1;
      reg_wdata_o <= s_axil_wdata;
      reg_strb_o  <= s_axil_wstrb;
    end
    if (s_axil_arvalid && s_axil_arready) begin
      ar_q     <= 1'b1;
      araddr_q <= s_axil_araddr[WindowBits-1:2];
    end
    if (s_axil_bready) b_q <= 1'b0;
    if (s_axil_rready) r_q <= 1'b0;

    if (!op_q && (can_write || can_read)) begin
      op_q    <= 1'b1;
      write_q <= can_write && !(can_read && write_q);
    end else if (op_q && reg_done_i) begin
      op_q <= 1'b0;
      if (write_q) begin
        {aw_q, w_q, b_q} <= 3'b001;
        s_axil_bresp     <= reg_error_i ? SlvErr : Okay;
      end else begin
        {ar_q, r_q}  <= 2'b01;
        s_axil_rresp <= reg_error_i ? SlvErr : Okay;
        s_axil_rdata <= reg_rdata_i;
      end
    end
    if (rst_i) {aw_q, w_q, ar_q, b_q, r_q, op_q, write_q} <= '0;
  end

  logic unused;
  assign unused = ^{s_axil_awprot, s_axil_arprot, s_axil_awaddr[1:0], s_axil_araddr[1:0]};
endmodule

`default_nettype wire
