// SPDX-License-Identifier: Apache-2.0
// Wishbone B4 subordinate in front of registers: a single access at a time, classic or pipelined. Answers and stall
// come from registers, so no path leads from STB to ACK. An error of the registers is answered with ERR. A master
// ending the bus cycle (CYC) before the answer gets no answer; the access itself is done.
`default_nettype none

module wb_port #(
  parameter bit Pipelined  = 1'b0,                // 0: classic, an access stands until the answer; 1: until not stalled
  parameter int WindowBits = 13                   // of a byte
) (
  input  logic                clk_i,
  input  logic                rst_i,

`include "wb_ports.vh"

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
  logic op_q, left_q, answered, take;             // an access is with the registers; the bus cycle has ended since
  assign answered   = wb_ack_o || wb_err_o;
  assign wb_stall_o = Pipelined && (op_q || rst_i);
  assign take       = wb_cyc_i && wb_stb_i && !op_q && (Pipelined || !answered);

  assign reg_valid_o = op_q;
  always_ff @(posedge clk_i) begin
    wb_ack_o <= 1'b0;
    wb_err_o <= 1'b0;
    if (rst_i) begin
      op_q   <= 1'b0;
      left_q <= 1'b0;
    end else if (!op_q) begin
      op_q   <= take;
      left_q <= 1'b0;
    end else begin
      left_q <= left_q || !wb_cyc_i;
      if (reg_done_i) begin
        op_q     <= 1'b0;
        wb_ack_o <= !reg_error_i && wb_cyc_i && !left_q;
        wb_err_o <= reg_error_i && wb_cyc_i && !left_q;
      end
    end
    if (take) begin
      reg_write_o <= wb_we_i;
      reg_addr_o  <= wb_adr_i;
      reg_wdata_o <= wb_dat_i;
      reg_strb_o  <= wb_sel_i;
    end
    if (reg_done_i) wb_dat_o <= reg_rdata_i;
  end
endmodule

`default_nettype wire
